"""Errors of an engine at the other end of a pipe (see `chuhe.protocol.client`)."""

from __future__ import annotations


class EngineError(Exception):
    """A failure of an engine; the message names it."""


class EngineStartError(EngineError):
    """The program cannot be run, or does not speak the protocol."""


class EngineTimeout(EngineError):
    """No answer in time. `answered`: it did answer the `stop` that was sent afterwards."""

    def __init__(self, text: str, answered: bool = False) -> None:
        super().__init__(text)
        self.answered = answered


class EngineDied(EngineError):
    """The engine's process exited by itself."""

    def __init__(self, text: str, exit_code: int | None = None) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class ReplyError(EngineError):
    """An answer that cannot be parsed."""


class OptionError(EngineError):
    """An option that the engine did not announce, or a value outside the announced range."""


class UnsupportedError(EngineError):
    """The engine's protocol has no command for this."""
