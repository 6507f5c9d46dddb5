"""How lines are read at the prompt: prompt_toolkit if it is installed, else readline, else plain lines from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chuhe.files.directories import user_directory
from chuhe.protocol.programs import decoded_line

if TYPE_CHECKING:
    from prompt_toolkit.auto_suggest import AutoSuggest
    from prompt_toolkit.completion import Completer

Complete = Callable[[str], "tuple[int, list[str]]"]  # line: (start of its last word, completions)
MaySuggest = Callable[[str], bool]


class LineReader(Protocol):
    """A source of typed lines."""

    def read(self, prompt: str) -> str | None:
        """The next line, or None at the end of the input."""

    def keep(self, line: str) -> None:
        """The line was accepted: keep it in the history."""


def make_reader(interactive: bool, complete: Complete, may_suggest: MaySuggest) -> LineReader:
    if not interactive:
        return PipeReader()
    try:
        return ToolkitReader(complete, may_suggest)
    except ImportError:
        return ReadlineReader(complete)


class PipeReader(LineReader):
    def read(self, prompt: str) -> str | None:
        buffer = getattr(sys.stdin, "buffer", None)  # a text stream of a test has none
        line = sys.stdin.readline() if buffer is None else decoded_line(buffer.readline())
        return line.rstrip("\r\n") if line else None

    def keep(self, line: str) -> None:
        return


def _history_file() -> Path:
    state = Path(user_directory("state"))
    state.mkdir(parents=True, exist_ok=True)
    return state / "history"


class ToolkitReader(LineReader):
    """Tab completes, the arrow keys recall earlier lines, and a matching one is suggested in grey."""

    def __init__(self, complete: Complete, may_suggest: MaySuggest) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory, InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        class AcceptedHistory(FileHistory):
            """The arrow keys recall every line, for correction; only accepted lines are written to the file."""

            def store_string(self, string: str) -> None:
                return

            def keep(self, line: str) -> None:
                super().store_string(line)

        self._history: AcceptedHistory | None = None
        with suppress(OSError):  # not writable: the history lasts for this session only
            self._history = AcceptedHistory(str(_history_file()))
        self._session: PromptSession[str] = PromptSession(
            history=self._history or InMemoryHistory(),
            completer=_completer(complete),
            complete_style=CompleteStyle.READLINE_LIKE,  # a menu would push the board up
            complete_while_typing=False,
            auto_suggest=_suggester(may_suggest),
        )

    def read(self, prompt: str) -> str | None:
        try:
            return self._session.prompt(prompt)
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return None

    def keep(self, line: str) -> None:
        if self._history is not None:
            try:
                self._history.keep(line)
            except OSError:  # a full disk must not end the game
                self._history = None


def _completer(complete: Complete) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class ArgumentCompleter(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            line = document.text_before_cursor
            start, words = complete(line)
            return [Completion(word, start - len(line)) for word in words]

    return ArgumentCompleter()


def _suggester(may_suggest: MaySuggest) -> AutoSuggest:
    from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.document import Document

    class SuggestAccepted(AutoSuggest):
        def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
            typed = document.text
            if not typed.strip():
                return None
            known = dict.fromkeys(reversed(list(buffer.history.get_strings())))
            found = (line for line in known if line.startswith(typed) and may_suggest(line))
            line = next(found, None)
            return Suggestion(line[len(typed) :]) if line is not None else None

    return SuggestAccepted()


class ReadlineReader(LineReader):
    """Python's own readline; plain lines if Python was built without it."""

    def __init__(self, complete: Complete) -> None:
        try:
            import readline
        except ImportError:
            return

        def candidate(text: str, state: int) -> str | None:
            found = complete(readline.get_line_buffer()[: readline.get_endidx()])[1]
            return found[state] if state < len(found) else None

        readline.set_completer(candidate)
        readline.set_completer_delims(" ")
        libedit = "libedit" in (readline.__doc__ or "")  # macOS
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")

    def read(self, prompt: str) -> str | None:
        try:
            return input(prompt)
        except KeyboardInterrupt:
            print()
            return ""
        except EOFError:
            return None

    def keep(self, line: str) -> None:
        return
