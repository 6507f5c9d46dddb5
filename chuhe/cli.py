"""The `chuhe` command: finds the subcommand's module and runs it.

Nothing else is imported here, because a GUI starts `chuhe` without arguments and waits for its first answer.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from chuhe.streams import prepare_streams

# name: (module with a `main(arguments) -> exit code`, one line of help)
COMMANDS = {
    "perft": ("chuhe.bench.measuring.perft", "count the positions of the move tree"),
    "judge": ("chuhe.commands.judge", "the result and the reason after the given moves"),
    "explain": ("chuhe.commands.explain", "what moves do: named mates and tactics"),
    "eval": ("chuhe.commands.eval", "the evaluation, term by term"),
    "options": ("chuhe.protocol.options", "the engine's options"),
    "bench": ("chuhe.bench.measuring.speed", "node count and speed on fixed positions"),
    "peers": ("chuhe.bench.measuring.peers", "speed and strength ratios against other engines"),
    "match": ("chuhe.bench.matches.match", "engine against engine, any number of games"),
    "curve": ("chuhe.bench.matches.curve", "two engines at several numbers of nodes a move"),
    "openings": ("chuhe.bench.matches.opening_generator", "generate balanced openings"),
    "check": ("chuhe.bench.measuring.check", "does an engine keep to the protocol?"),
    "tune": ("chuhe.bench.learning.tune", "tune the evaluation or the search"),
    "selfplay": ("chuhe.bench.learning.selfplay", "play games against itself, as data for training and tuning"),
    "data": ("chuhe.bench.learning.data_command", "inspect, join, shuffle, split and import files of games"),
    "train": ("chuhe.bench.learning.train_command", "train a network on self-play games"),
    "play": ("chuhe.play.terminal", "a game in the terminal"),
    "serve": ("chuhe.play.web.serve", "play, analyze and watch games in the browser"),
    "analyze": ("chuhe.commands.analyze", "annotate a game"),
    "puzzle": ("chuhe.play.practice.terminal", "practise: puzzles, your own mistakes, endings"),
    "puzzles": ("chuhe.commands.puzzles", "make puzzles from games, choose and check them"),
    "ladder": ("chuhe.bench.measuring.ladder", "does each strength level beat the one below?"),
    "book": ("chuhe.commands.book", "build or inspect an opening book"),
    "endgame": ("chuhe.commands.endgame", "build, check and probe endgame tables"),
    "draughts": ("chuhe.commands.draughts", "English draughts: search a board and print the whole tree"),
    "squatter": ("chuhe.commands.squatter", "the game of Squatter: players and a referee"),
}


def usage() -> str:
    lines = [
        "usage: chuhe [COMMAND] [ARGUMENTS]",
        "",
        "Without a command: run the engine, UCCI or UCI on stdin and stdout.",
        "  --log FILE, --variant NAME, --style NAME, …: chuhe help engine describes them",
        "",
    ]
    lines += [f"  {name:<10} {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join([*lines, "", "chuhe COMMAND --help describes a command; chuhe --version prints the version."])


def main(arguments: list[str] | None = None) -> int:
    prepare_streams()
    if getattr(sys, "frozen", False) and "--multiprocessing-fork" in sys.argv:
        from multiprocessing import freeze_support

        freeze_support()  # this process is a worker of another one: it never returns
    try:
        result = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:  # in a command that has nothing to tidy up
        print("\nchuhe: interrupted", file=sys.stderr)
        return 130
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
        from chuhe.protocol.loop import main as run_engine

        return run_engine(arguments, bench=lambda words: run_command("bench", words))
    if arguments[0] in COMMANDS:
        return run_command(arguments[0], arguments[1:])
    print(f"chuhe: there is no command {arguments[0]!r}\n\n{usage()}", file=sys.stderr)
    return 2


def run_command(name: str, arguments: list[str]) -> int:
    module, _ = COMMANDS[name]
    try:
        result: int = import_module(module).main(arguments)
    except ImportError as error:
        from chuhe.engine.extras import explain_missing

        sentence = explain_missing(f"chuhe {name}".rstrip(), error)
        if sentence is None:
            raise
        print(sentence, file=sys.stderr)
        return 2
    return result
