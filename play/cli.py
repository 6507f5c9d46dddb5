"""The `chuhe` command: finds the subcommand's module and runs it.

Nothing else is imported here, because a GUI starts `chuhe` without arguments and waits for its first answer.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

# name: (module with a `main(arguments) -> exit code`, one line of help)
COMMANDS = {
    "perft": ("bench.measuring.perft", "count the positions of the move tree"),
    "judge": ("play.judge", "the result and the reason after the given moves"),
    "eval": ("play.eval_command", "the evaluation, term by term"),
    "options": ("protocol.options", "the engine's options"),
    "bench": ("bench.measuring.speed", "node count and speed on fixed positions"),
    "peers": ("bench.measuring.peers", "speed and strength ratios against other engines"),
    "match": ("bench.matches.match", "engine against engine, any number of games"),
    "openings": ("bench.matches.opening_generator", "generate balanced openings"),
    "check": ("bench.measuring.check", "does an engine keep to the protocol?"),
    "tune": ("bench.learning.tune", "tune the evaluation or the search"),
    "selfplay": ("bench.learning.selfplay", "play games against itself, as data for training and tuning"),
    "data": ("bench.learning.data_command", "inspect, join, shuffle, split and import files of games"),
    "train": ("bench.learning.train", "train a network on self-play games"),
    "play": ("play.terminal", "a game in the terminal"),
    "serve": ("play.web.serve", "play, analyse and watch games in the browser"),
    "analyze": ("play.analyze", "annotate a game"),
    "ladder": ("play.ladder", "does each strength level beat the one below?"),
    "book": ("play.book_command", "build or inspect an opening book"),
    "endgame": ("play.endgame_command", "build, check and probe endgame tables"),
    "draughts": ("play.draughts_command", "English draughts: search a board and print the whole tree"),
    "squatter": ("play.squatter_command", "the game of Squatter: players and a referee"),
}


def usage() -> str:
    lines = [
        "usage: chuhe [COMMAND] [ARGUMENTS]",
        "",
        "Without a command: run the engine, UCCI or UCI on stdin and stdout.",
        "",
    ]
    lines += [f"  {name:<10} {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join([*lines, "", "chuhe COMMAND --help describes a command; chuhe --version prints the version."])


def open_missing_streams() -> None:
    """Standard streams may be closed at start: replace them, so that no opened file gets their descriptor."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def main(arguments: list[str] | None = None) -> int:
    open_missing_streams()
    try:
        result = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (`head`, a pager) has closed the pipe
        _close_stdout()
        return 1
    except OSError as error:  # a full disk behind stdout, or a file that a command did not expect to fail
        where = f"{error.filename}: " if error.filename else ""
        print(f"chuhe: {where}{error.strerror or error}", file=sys.stderr)
        _close_stdout()
        return 2
    return result


def _close_stdout() -> None:
    """Discards what is still buffered, so that the interpreter does not try to write it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: list[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if arguments and arguments[0] in ("-V", "--version"):
        from engine.version import VERSION

        print(f"chuhe {VERSION}")
        return 0
    if not arguments or arguments[0].startswith("-"):
        module = "protocol.loop"
    elif arguments[0] in COMMANDS:
        module, arguments = COMMANDS[arguments[0]][0], arguments[1:]
    else:
        print(f"chuhe: there is no command {arguments[0]!r}\n\n{usage()}", file=sys.stderr)
        return 2
    result: int = import_module(module).main(arguments)
    return result
