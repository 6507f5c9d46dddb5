"""Errors of an engine at the other end of a pipe (see `chuhe.protocol.client`)."""

from __future__ import annotations

from chuhe.text.errors import MessageError
from chuhe.text.message import Message


class EngineError(MessageError):
    """A failure of an engine; the message names it."""


class EngineStartError(EngineError):
    """The program cannot be run, or does not speak the protocol."""


class EngineTimeout(EngineError):
    """No answer in time. `answered`: it did answer the `stop` that was sent afterwards."""

    def __init__(self, said: Message | str, answered: bool = False) -> None:
        super().__init__(said)
        self.answered = answered


class EngineDied(EngineError):
    """The engine's process exited by itself, or can no longer be read."""

    def __init__(self, said: Message | str, exit_code: int | None = None) -> None:
        super().__init__(said)
        self.exit_code = exit_code


class ReplyError(EngineError):
    """An answer that cannot be parsed."""


class OptionError(EngineError):
    """An option that the engine did not announce, or a value outside the announced range."""


class UnsupportedError(EngineError):
    """The engine's protocol has no command for this."""


def silent(name: str, word: str, seconds: float) -> Message:
    """An engine that does not say what it should."""
    return Message("engine.silent", name=name, word=word, seconds=f"{seconds:g}")
