"""The errors of the engine; each text says what is wrong and where."""

from __future__ import annotations

from chuhe.text.errors import UserError


class FenError(UserError):
    """A FEN that does not describe a legal position; the text names the fault and its place."""


class InvalidMoveError(UserError):
    """A text that is not a move in any supported notation."""


class AmbiguousMoveError(InvalidMoveError):
    """A text that fits more than one legal move."""


class IllegalMoveError(UserError):
    """A well-formed move that the law forbids in this position."""


class LimitError(UserError):
    """A search limit or setting that is invalid."""


class NetworkError(ValueError):
    """A network file that cannot be used; the text names the file and what is wrong with it."""
