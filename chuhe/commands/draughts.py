"""`chuhe draughts`: search boards of English draughts and print the whole search tree."""

from __future__ import annotations

import argparse
import sys

from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.files.encoding import text_of
from chuhe.variants.draughts.text import Case, parse_board, read_cases, traverse
from chuhe.variants.errors import BoardError
from chuhe.variants.search._search import LONGEST_LINE

EPILOG = """A board is 8 lines of 8 characters: + light square, O empty dark square, A k Alice's man and king,
B K Bill's. Alice moves, upwards. Several boards may follow, with or without blank lines between them. They are
called case 1, case 2, … unless heading lines name them; headings are echoed."""


def arguments_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="chuhe draughts", description=__doc__, epilog=EPILOG)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="a file of boards; -: standard input")
    parser.add_argument(
        "--depth", type=whole_number(1, LONGEST_LINE - 1), default=4, metavar="N", help="plies to search"
    )
    parser.add_argument("--quiet", action="store_true", help="print the first move only")
    parser.add_argument("--multi-jump", action="store_true", help="the full rules: a jump continues as long as it can")
    return parser


def read_text(name: str) -> str:
    text = text_of(name)
    if not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        raise ValueError("control characters")
    return text


def main(arguments: list[str]) -> int:
    options = arguments_parser().parse_args(arguments)
    try:
        cases = read_cases(read_text(options.file))
    except OSError as error:
        return report_fault("draughts", error)
    except ValueError:
        return report_fault("draughts", ValueError(f"{options.file}: this is not a text"))
    boards = sum(bool(case.rows) for case in cases)
    if not boards:
        print("chuhe draughts: no board found, 8 lines of 8 characters expected", file=sys.stderr)
        return 2
    faults = 0
    for number, case in enumerate(cases, 1):
        try:
            print_search(case, number, boards > 1, options)
        except BoardError as error:
            faults += 1
            sys.stdout.flush()
            print(f"chuhe draughts: {case.name(number)}, {error}", file=sys.stderr)
        except KeyboardInterrupt:
            print(f"chuhe draughts: {case.name(number)}: interrupted", file=sys.stderr)
            return 130
    return 2 if faults else 0


def print_search(case: Case, number: int, several: bool, options: argparse.Namespace) -> None:
    """Search one board and print it under its headings or number; `several`: there is more than one board."""
    cells = parse_board(case.rows) if case.rows else ""
    echoed = case.headings[:-1] if options.quiet and cells else case.headings
    if number > 1 and not options.quiet:
        print()
    for heading in echoed:
        print(heading)
    named = several or bool(case.headings)
    if cells and options.quiet:
        found = traverse(cells, options.depth, options.multi_jump)
        print(f"{case.name(number)}: {found.text()}" if named else found.text())
    elif cells:
        if named and not case.headings:
            print(f"{case.name(number)}:")
        traverse(cells, options.depth, options.multi_jump, print)
    sys.stdout.flush()
