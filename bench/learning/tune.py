"""`chuhe tune`: dispatches to a tuner."""

from __future__ import annotations

import sys
from importlib import import_module

from engine.extras import install_hint

TUNERS = {
    "eval": ("bench.learning.texel", "tune the evaluation on labelled positions (needs the extra tune)"),
    "search": ("bench.learning.spsa", "tune the search by self-play"),
    "compare": ("bench.learning.compare", "play changed values against the current table"),
}


def usage() -> str:
    lines = ["usage: chuhe tune TUNER [ARGUMENTS]", ""]
    lines += [f"  {name:<8} {text}" for name, (_, text) in TUNERS.items()]
    return "\n".join([*lines, "", "See chuhe tune TUNER --help."])


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(usage())
        return 0
    if not arguments or arguments[0] not in TUNERS:
        problem = f"there is no tuner {arguments[0]!r}" if arguments else "name a tuner"
        print(f"chuhe tune: {problem}\n\n{usage()}", file=sys.stderr)
        return 2
    try:
        module = import_module(TUNERS[arguments[0]][0])
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "scipy"):
            raise
        print(f"chuhe tune: {error.name} is missing; install it with: {install_hint('tune')}", file=sys.stderr)
        return 2
    result: int = module.main(arguments[1:])
    return result
