"""The `chuhe` command: finds the subcommand's module and runs it.

Nothing else is imported here, because a GUI starts `chuhe` without arguments and waits for its first answer.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module

from chuhe.streams import prepare_streams

# By what people come for, each group with its heading about.GROUP. A command is the module of its name in
# `chuhe.commands`, with a `main(arguments) -> exit code`; its line of help is the message about.NAME.
GROUPS = {
    "to-play": "play serve analyze puzzle puzzles book endgame draughts squatter",
    "to-plug": "options",
    "to-ask": "explain eval judge perft",
    "to-measure": "match peers ladder openings check bench",
    "to-train": "selfplay data train tune",
}
COMMANDS = [name for names in GROUPS.values() for name in names.split()]


def usage() -> str:
    from chuhe.text.system_language import Speaker, system_language

    say = Speaker(system_language())
    parts = [say("about.usage")]
    for group, names in GROUPS.items():
        lines = (f"  {name:<10} {say(f'about.{name}')}" for name in names.split())
        parts.append("\n".join([say(f"about.{group}"), *lines]))
    return "\n\n".join([*parts, say("about.more")])


def main(arguments: list[str] | None = None) -> int:
    try:
        prepare_streams()
        if getattr(sys, "frozen", False) and "--multiprocessing-fork" in sys.argv:
            from multiprocessing import freeze_support

            freeze_support()  # this process is a worker of another one: it never returns
        result = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:  # in a command that has nothing to tidy up
        print("\nchuhe: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader (`head`, a pager) has closed the pipe
        _close_stdout()
        return 1
    except OSError as error:  # a full disk behind stdout, or a file that a command did not expect to fail
        from chuhe.text.message import printable

        where = f"{error.filename}: " if error.filename else ""
        print(printable(f"chuhe: {where}{error.strerror or error}"), file=sys.stderr)
        _close_stdout()
        return 2
    finally:
        if arguments is None:  # the process ends now, and Ctrl-C must not kill it while Python tidies up
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    return result


def _close_stdout() -> None:
    """Discards what is still buffered, so that the interpreter does not try to write it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = ["--help"] if arguments[1] == "engine" else [*arguments[1:], "--help"]
    elif arguments and arguments[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if arguments and arguments[0] in ("-V", "--version"):
        from chuhe.engine.version import VERSION

        print(f"chuhe {VERSION}")
        return 0
    if not arguments or arguments[0].startswith("-"):
        from chuhe.commands.engine import main as run_engine

        return run_engine(arguments, bench=lambda words: run_command("bench", words))
    if arguments[0] in COMMANDS:
        return run_command(arguments[0], arguments[1:])
    from chuhe.text.message import Message, shown
    from chuhe.text.system_language import system_language

    fault = Message("about.no-command", name=shown(arguments[0])).text(system_language())
    print(f"chuhe: {fault}\n\n{usage()}", file=sys.stderr)
    return 2


def run_command(name: str, arguments: list[str]) -> int:
    try:
        result: int = import_module(f"chuhe.commands.{name}").main(arguments)
    except ImportError as error:
        from chuhe.common.extras import explain_missing, mended

        if mended(error):
            return run_command(name, arguments)
        sentence = explain_missing(f"chuhe {name}".rstrip(), error)
        if sentence is None:
            raise
        print(sentence, file=sys.stderr)
        return 2
    return result
