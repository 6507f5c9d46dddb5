"""The errors of the engine; each text says what is wrong and where."""

from __future__ import annotations

from chuhe.engine.message import Message, verbatim


class MessageError(Exception):
    """An error that a person reads. `message` says it in any language; the error's own text is English."""

    def __init__(self, said: Message | str) -> None:
        super().__init__(said)
        self.message = verbatim(said) if isinstance(said, str) else said

    def __str__(self) -> str:
        return str(self.message)


class SaidError(MessageError, ValueError):
    """A value that cannot be used, said to a person."""


class FenError(SaidError):
    """A FEN that does not describe a legal position; the text names the fault and its place."""


class InvalidMoveError(SaidError):
    """A text that is not a move in any supported notation."""


class AmbiguousMoveError(InvalidMoveError):
    """A text that fits more than one legal move."""


class IllegalMoveError(SaidError):
    """A well-formed move that the law forbids in this position."""


class BoardError(ValueError):
    """A board of draughts or Squatter as text that cannot be read; the text says where, and what was expected."""


class LimitError(SaidError):
    """A search limit or setting that is invalid."""


class NetworkError(ValueError):
    """A network file that cannot be used; the text names the file and what is wrong with it."""
