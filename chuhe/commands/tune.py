"""`chuhe tune`: dispatches to a tuner."""

from __future__ import annotations

import sys
from importlib import import_module

TUNERS = {
    "eval": ("chuhe.bench.learning.texel", "tune the evaluation on labelled positions (needs the extra tune)"),
    "search": ("chuhe.bench.learning.spsa", "tune the search by self-play"),
    "compare": ("chuhe.bench.learning.compare", "play changed values against the current table"),
    "choices": ("chuhe.bench.learning.choices", "judge the moves that changed values choose (needs the extra tune)"),
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
    result: int = import_module(TUNERS[arguments[0]][0]).main(arguments[1:])  # chuhe.cli names what is not installed
    return result
