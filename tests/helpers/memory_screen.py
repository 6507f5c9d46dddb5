"""A screen that keeps what is written to it."""

from __future__ import annotations


class Memory:
    """In place of a terminal."""

    interactive = False
    colour = False

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.statuses: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)

    def page(self, text: str) -> None:
        self.lines.append(text)

    def status(self, text: str) -> None:
        self.statuses.append(text)

    def wait_for_key(self, seconds: float) -> bool:
        return True

    @property
    def text(self) -> str:
        return "\n".join(self.lines)
