"""Where the terminal game writes and reads: a terminal with colours, completion and a status line, or a plain pipe."""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from play.board import width

ReadLine = Callable[[str], "str | None"]  # None: the input has ended


class PipeScreen:
    """Plain lines, each flushed at once, for scripts."""

    interactive = False

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def say(self, text: str) -> None:
        print(text, flush=True)

    def status(self, text: str) -> None:
        """Lines cannot be replaced in a pipe."""

    def wait_for_key(self, seconds: float) -> bool:
        time.sleep(seconds)
        return False


class TerminalScreen:
    """A terminal: the status line is overwritten by whatever comes next."""

    interactive = True

    def __init__(self, colour: bool = True) -> None:
        self.colour = colour
        self._status_shown = False

    def say(self, text: str) -> None:
        self._clear_status()
        print(text, flush=True)

    def status(self, text: str) -> None:
        self._clear_status()
        if text:
            sys.stdout.write(_cut(text, shutil.get_terminal_size().columns - 1))
            sys.stdout.flush()
            self._status_shown = True

    def wait_for_key(self, seconds: float) -> bool:
        with _single_keys():
            ready, _, _ = select.select([sys.stdin], [], [], seconds)
            if ready:
                os.read(sys.stdin.fileno(), 1024)
            return bool(ready)

    def _clear_status(self) -> None:
        if self._status_shown:
            sys.stdout.write("\r\x1b[K")
            self._status_shown = False


def _cut(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[:-1]
    return text


@contextmanager
def _single_keys() -> Iterator[None]:
    """Keys arrive one by one and are not shown."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def make_reader(interactive: bool, completions: Callable[[], list[str]]) -> ReadLine:
    """How lines are read: prompt_toolkit if it is installed, else readline, else the plain pipe."""
    if not interactive:
        return _read_pipe
    try:
        return _toolkit_reader(completions)
    except ImportError:
        return _readline_reader(completions)


def _read_pipe(prompt: str) -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def _history_file() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "chuhe"
    state.mkdir(parents=True, exist_ok=True)
    return state / "history"


def _toolkit_reader(completions: Callable[[], list[str]]) -> ReadLine:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory
    from prompt_toolkit.shortcuts import CompleteStyle

    try:
        history: History = FileHistory(str(_history_file()))
    except OSError:
        history = InMemoryHistory()
    session: PromptSession[str] = PromptSession(
        history=history,
        completer=WordCompleter(completions, sentence=True),
        complete_style=CompleteStyle.READLINE_LIKE,  # a menu would push the board up
        complete_while_typing=False,
        auto_suggest=AutoSuggestFromHistory(),
    )

    def read(prompt: str) -> str | None:
        try:
            return session.prompt(prompt)
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return None

    return read


def _readline_reader(completions: Callable[[], list[str]]) -> ReadLine:
    try:
        import readline
    except ImportError:  # a Python built without it: plain lines
        pass
    else:

        def complete(text: str, state: int) -> str | None:
            found = [word for word in completions() if word.startswith(readline.get_line_buffer())]
            return found[state] if state < len(found) else None

        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")

    def read(prompt: str) -> str | None:
        try:
            return input(prompt)
        except KeyboardInterrupt:
            print()
            return ""
        except EOFError:
            return None

    return read
