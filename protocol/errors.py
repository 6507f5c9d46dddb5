"""What can go wrong with an engine at the other end of a pipe (see `protocol.client`)."""

from __future__ import annotations


class EngineError(Exception):
    """Something that an engine did or failed to do; the text names the engine."""


class EngineStartError(EngineError):
    """The program cannot be run, or does not speak the protocol."""


class EngineTimeout(EngineError):
    """No answer in time. `answered` says whether it did answer the `stop` that was sent then."""

    def __init__(self, text: str, answered: bool = False) -> None:
        super().__init__(text)
        self.answered = answered


class EngineDied(EngineError):
    """The engine's process ended by itself."""

    def __init__(self, text: str, exit_code: int | None = None) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class ReplyError(EngineError):
    """An answer that is no answer."""


class OptionError(EngineError):
    """An option that the engine did not announce, or a value outside the announced range."""


class UnsupportedError(EngineError):
    """The engine's protocol cannot say this."""
