"""`chuhe` without a command: lines from stdin to the session, lines from the session to stdout."""

from __future__ import annotations

import os
import sys
import threading

from engine.registry import XIANGQI, games_with
from protocol.log import DialogueLog
from protocol.session import Session

USAGE = f"""\
usage: chuhe [--log FILE] [--variant {{{",".join(games_with("session"))}}}]

The engine: waits for `ucci`, `uci` or `ucicyclone` on stdin and speaks that protocol; `help` lists the commands.
  --log FILE       write the dialogue to a file
  --variant NAME   the game: {XIANGQI} is the default"""


def welcome() -> str:
    """What a person sees who typed `chuhe` into a terminal; a GUI has pipes, and hears nothing before it speaks."""
    from engine.version import VERSION

    return f"""\
Chuhe {VERSION}, a xiangqi engine, waiting for a GUI that speaks UCCI or UCI.
To play here: quit, then chuhe play. All that chuhe can do: chuhe help.
To talk to the engine: ucci, then go depth 8; help lists its commands."""


class Output:
    """Stdout, a line at a time and each flushed; when the GUI has closed it, there is nothing left to live for."""

    def __init__(self, log: DialogueLog, descriptor: int = 1) -> None:
        self._log = log
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        data = (text + "\n").encode("utf-8", "replace")
        with self._lock:
            for line in text.split("\n"):
                self._log.note("<", line)
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                self._log.note("#", "stdout is closed")
                self._log.close()
                os._exit(0)


def main(arguments: list[str]) -> int:
    try:
        log_path, variant = _read_arguments(arguments)
    except ValueError as error:
        print(f"chuhe: {error}\n\n{USAGE}", file=sys.stderr)
        return 2
    if log_path is None:
        print(USAGE)
        return 0
    if sys.stdin.isatty() and sys.stdout.isatty():
        print(welcome(), flush=True)
    log = DialogueLog()
    try:
        log.open(log_path)
    except OSError as error:
        print(f"chuhe: cannot write to {log_path}: {error.strerror or error}", file=sys.stderr)
        return 2
    try:
        session = Session(Output(log).write, log, variant)
    except ValueError as error:  # the variant needs a library that is not installed
        print(f"chuhe: {error}", file=sys.stderr)
        return 2
    try:
        read_lines(session, log)
    except KeyboardInterrupt:
        session.handle("quit")
    log.close()
    return 0


def read_lines(session: Session, log: DialogueLog) -> None:
    """Feed the session until it wants to leave or the input ends."""
    read = sys.stdin.buffer.readline
    while raw := read():
        line = raw.decode("utf-8", "replace").strip()
        log.note(">", line)
        if not session.handle(line):
            return
    session.finish()


def _read_arguments(arguments: list[str]) -> tuple[str | None, str]:
    """The log file (empty: none; None: help is wanted) and the variant. No argparse: it costs the start too much."""
    log_path, variant = "", XIANGQI
    rest = list(arguments)
    while rest:
        name, mark, value = rest.pop(0).partition("=")
        if name in ("-h", "--help"):
            return None, variant
        if name not in ("--log", "--variant"):
            raise ValueError(f"unknown argument {name!r}")
        if not mark:
            if not rest:
                raise ValueError(f"{name} needs a value")
            value = rest.pop(0)
        if name == "--log":
            log_path = value
        elif value in games_with("session"):
            variant = value
        else:
            raise ValueError(f"the variant is {' or '.join(games_with('session'))}, not {value!r}")
    return log_path, variant
