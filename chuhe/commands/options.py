"""`chuhe options`: the options of the engine, as a table."""

from __future__ import annotations

from chuhe.protocol.options import markdown_table, plain_table


def main(arguments: list[str]) -> int:
    """`chuhe options [--markdown]`."""
    if arguments in (["-h"], ["--help"]):
        print("usage: chuhe options [--markdown]\n\nList the engine's options with their names in either protocol.")
        return 0
    if arguments not in ([], ["--markdown"]):
        import sys

        print(f"chuhe options: unknown argument {arguments[0]!r}; try --help", file=sys.stderr)
        return 2
    print(markdown_table() if arguments else plain_table())
    return 0
