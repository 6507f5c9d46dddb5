"""A session that is spoken to from the test's own thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from waiting import wait_until

from chuhe.protocol.log import DialogueLog
from chuhe.protocol.session import Session
from chuhe.protocol.variants import Variant
from chuhe.variants.session import make_variant


def say(session: Session, *lines: str) -> bool:
    """Handle lines as the session's thread would; after `stop`, also the answer. False after `quit`."""
    went_on = True
    for line in lines:
        went_on = session.handle(line)
        while session.search is not None and session.search.ending:
            session.handle(session.events.get())
    return went_on


class Dialogue:
    """A session without a book whose output lines are collected."""

    def __init__(self, greeting: str = "ucci", variant: Variant | None = None) -> None:
        self.lines: list[str] = []
        self.log = DialogueLog()
        self.session = Session(self._collect, self.log, variant=variant, make_variant=make_variant)
        if greeting:
            self.send(greeting, "setoption Hash 4", "setoption usebook false")
            self.take()

    def _collect(self, text: str) -> None:
        self.lines += text.split("\n")

    @property
    def engine(self) -> Any:
        return self.session.variant.engine

    def send(self, *lines: str) -> list[str]:
        say(self.session, *lines)
        return self.lines

    def take(self) -> list[str]:
        lines, self.lines = self.lines, []
        return lines

    def ask(self, *lines: str) -> list[str]:
        """The output of these lines, up to the answer of the search."""
        self.take()
        self.send(*lines)
        self.session.finish()
        return self.take()

    def option(self, name: str, value: object) -> None:
        self.send(f"setoption name {name} value {value}")

    def search(self, fen: str = "", go: str = "go depth 5") -> list[str]:
        return self.ask("setoption Clear Hash", f"position fen {fen}" if fen else "position startpos", go)

    def wait(self, done: Callable[[], bool]) -> None:
        """Handle what searches say until `done()`."""

        def heard() -> bool:
            while not self.session.events.empty():
                self.session.handle(self.session.events.get())
            return done()

        wait_until(heard)

    def think(self, go: str) -> None:
        """Start a search, and return after its first report."""
        self.take()
        self.send(go)
        self.wait(lambda: any(line.startswith("info depth") for line in self.lines))

    def finished(self) -> list[str]:
        """All output until the search ended."""
        self.wait(lambda: bool(self.lines) and self.lines[-1].startswith(("bestmove", "nobestmove")))
        return self.take()

    def answer(self) -> str:
        """The line that ends the search."""
        return self.finished()[-1]
