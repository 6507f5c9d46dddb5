"""`chuhe` without a command: the engine, which speaks UCCI or UCI with a GUI."""

from __future__ import annotations

import sys
from collections.abc import Callable

from chuhe.engine.values import XIANGQI
from chuhe.protocol.log import DialogueLog
from chuhe.protocol.loop import Output, converse
from chuhe.protocol.options import UCI_VARIANTS
from chuhe.protocol.session import Session
from chuhe.protocol.variants import Variant
from chuhe.text.message import printable
from chuhe.variants.session import make_variant

GAMES = tuple(dict.fromkeys(UCI_VARIANTS.values()))

USAGE = f"""\
usage: chuhe [--log FILE] [--variant {{{",".join(GAMES)}}}]
       chuhe [--log FILE] --style {{s0,s1}} [--weights NAME=N,…] [--quiet-order {{power,alike}}]

Run the engine. It waits for `ucci`, `uci` or `ucicyclone` on stdin and speaks that protocol; `help` lists the commands.
  --log FILE       write the dialogue to a file
  --variant NAME   the game: {XIANGQI} is the default
  --style NAME     play like an older program, in either protocol
  --weights TEXT   the style's weights: strength, position, threat, mobility, control of s0;
                   piece, position, flexibility of s1
  --quiet-order W  s1's quiet moves: by the power of the piece (the default), or unordered"""


def welcome() -> str:
    """What a person sees who typed `chuhe` into a terminal; a GUI has pipes, and hears nothing before it speaks."""
    from chuhe.engine.version import VERSION
    from chuhe.text.message import Message
    from chuhe.text.system_language import system_language

    return Message("about.engine", version=VERSION).text(system_language())


def main(arguments: list[str], bench: Callable[[list[str]], int] | None = None) -> int:
    """Run the engine; `bench` does the session's command of that name."""
    try:
        found = _read_arguments(arguments)
    except ValueError as error:
        print(f"chuhe: {error}\n\n{USAGE}", file=sys.stderr)
        return 2
    if found is None:
        print(USAGE)
        return 0
    if sys.stdin.isatty() and sys.stdout.isatty():
        print(welcome(), flush=True)
    log, log_path = DialogueLog(), found.get("--log", "")
    try:
        log.open(log_path)
    except OSError as error:
        print(printable(f"chuhe: cannot write to {log_path}: {error.strerror or error}"), file=sys.stderr)
        return 2
    try:
        session = _make_session(log, found, bench)
    except ValueError as error:
        print(f"chuhe: {error}", file=sys.stderr)
        return 2
    converse(session, log)
    log.close()
    return 0


ARGUMENTS = ("--log", "--variant", "--style", "--weights", "--quiet-order")


def _read_arguments(arguments: list[str]) -> dict[str, str] | None:
    """The values by argument; None if help was requested. No argparse: importing it slows the start."""
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        name, mark, value = rest.pop(0).partition("=")
        if name in ("-h", "--help"):
            return None
        if name not in ARGUMENTS:
            raise ValueError(f"unknown argument {name!r}")
        if name in found:
            raise ValueError(f"{name} is given twice")
        if not mark and rest:
            value = rest.pop(0)
        if not value:
            raise ValueError(f"{name} needs a value")
        found[name] = value
    if "--style" in found and "--variant" in found:
        raise ValueError(f"--style plays {XIANGQI}: it cannot be used with --variant")
    for name in ("--weights", "--quiet-order"):
        if name in found and "--style" not in found:
            raise ValueError(f"{name} needs --style")
    if found.get("--variant", XIANGQI) not in GAMES:
        raise ValueError(f"the variant is {' or '.join(GAMES)}, not {found['--variant']!r}")
    return found


def _make_session(log: DialogueLog, found: dict[str, str], bench: Callable[[list[str]], int] | None) -> Session:
    """ValueError: the variant needs a library that is not installed, or there is no such style or weight."""
    variant: Variant
    if "--style" in found:
        from chuhe.variants.styles.session import StyleVariant

        variant = StyleVariant(found["--style"], found.get("--weights", ""), found.get("--quiet-order", ""))
    else:
        variant = make_variant(found.get("--variant", XIANGQI))
    return Session(Output(log).write, log, variant, bench, make_variant)
