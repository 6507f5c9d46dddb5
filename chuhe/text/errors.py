"""Errors that a person reads."""

from __future__ import annotations

from chuhe.text.message import Message, verbatim


class MessageError(Exception):
    """An error whose text the user reads. `message` is that text in any language; `str()` is the English one."""

    def __init__(self, text: Message | str) -> None:
        super().__init__(text)
        self.message = verbatim(text) if isinstance(text, str) else text

    def __str__(self) -> str:
        return str(self.message)


class UserError(MessageError, ValueError):
    """Invalid input; the message is shown to the user."""
