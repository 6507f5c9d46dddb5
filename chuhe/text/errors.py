"""Errors that a person reads."""

from __future__ import annotations

from chuhe.text.message import Message, verbatim


class MessageError(Exception):
    """An error that a person reads. `message` says it in any language; the error's own text is English."""

    def __init__(self, said: Message | str) -> None:
        super().__init__(said)
        self.message = verbatim(said) if isinstance(said, str) else said

    def __str__(self) -> str:
        return str(self.message)


class SaidError(MessageError, ValueError):
    """A value that cannot be used, said to a person."""
