"""``chuhe endgame``: builds, lists, checks and probes endgame tables."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chuhe.commands.endgame_report import report, verdict_lines
from chuhe.common.command_line import Parser, counted, whole_number
from chuhe.common.progress import Bar
from chuhe.common.system_language import USUAL_NOTATION, take_language
from chuhe.engine import Position
from chuhe.engine.endgame import TableShelf, material_of
from chuhe.engine.endgame.building import (
    Built,
    build,
    check_memory,
    load,
    load_with_smaller,
    missing,
    size_text,
)
from chuhe.engine.endgame.material import Material, all_endings
from chuhe.engine.endgame.practice import random_positions
from chuhe.engine.endgame.solving import PARTS, memory_needed, split
from chuhe.engine.endgame.survey import chinese_name, survey
from chuhe.engine.endgame.table_file import open_table, table_path
from chuhe.engine.machine import machine_memory
from chuhe.engine.message import LANGUAGES, Language, message_of
from chuhe.engine.notation import NOTATIONS
from chuhe.engine.table_paths import SUFFIX, default_directory

# the standard textbook endings, and a few that show the sizes; docs/endgames.md gives figures for these
PRACTICAL = (
    "KRKAABB KNKAABB KPKAABB KCAAKAABB KCBBKAAB KPPKAABB KNPKAAB KRPKAA KCPKAA KNNKAA KNCKAA KRNKAA KRCKAA KPPPKAA"
).split()
COLUMNS = ("ending", "", "entries", "seconds", "CPU seconds", "memory", "file", "bits an entry", "won", "longest")
LONG_WORK = 5_000_000  # positions: with more, a pass takes a few seconds
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def parse_size(text: str) -> int:
    """Bytes from a number with a unit.

    >>> parse_size("200MB"), parse_size("1.5g"), parse_size("4096")
    (209715200, 1610612736, 4096)
    """
    number = text.strip().upper().removesuffix("B").removesuffix("I")
    unit = number[-1:] if number[-1:] in ("K", "M", "G") else ""
    try:
        size = float(number.removesuffix(unit)) * UNITS[unit]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write it like 200MB") from None
    if not 0 < size < 1 << 60:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write it like 200MB")
    return int(size)


def _parser(language: Language = "en") -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = Parser(
        prog="chuhe endgame", description="Endgame tables: solved practical endings."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--path", type=Path, default=Path(default_directory()), help="the directory of the tables")
    work = argparse.ArgumentParser(add_help=False)
    work.add_argument(
        "--threads",
        type=whole_number(1, 1024),
        default=os.cpu_count() or 1,
        help="threads that work (default one per processor)",
    )
    words = argparse.ArgumentParser(add_help=False)
    notation = USUAL_NOTATION[language]
    words.add_argument("--notation", choices=NOTATIONS, default=notation, help="how moves are written")
    words.add_argument("--language", choices=LANGUAGES, help="of the report (default that of the system)")

    make = commands.add_parser("build", parents=[common, work], help="solve endings, and those they lead to")
    make.add_argument("endings", nargs="*", metavar="ENDING", help="like KRKAABB: the defender last")
    make.add_argument(
        "--up-to", type=parse_size, metavar="SIZE", help="every ending that needs at most this much memory to solve"
    )
    make.add_argument("--practical", action="store_true", help=f"the usual ones: {' '.join(PRACTICAL)}")
    make.add_argument(
        "--memory", type=parse_size, metavar="SIZE", help="memory for solving, like 500MB (default half of all)"
    )
    make.add_argument("--again", action="store_true", help="rebuild the named tables even if they exist")
    make.add_argument("--report", action="store_true", help="print time, memory and size of each table, as Markdown")
    commands.add_parser("list", parents=[common], help="list the tables")
    check = commands.add_parser("verify", parents=[common, work], help="check checksums and every entry")
    check.add_argument("endings", nargs="*", metavar="ENDING", help="like KRKAABB (default all)")
    check.add_argument("--quick", action="store_true", help="the checksums only")
    tell = commands.add_parser("info", parents=[common, work, words], help="what wins, what draws, with examples")
    tell.add_argument("ending", metavar="ENDING", help="like KRKAABB")
    draw = commands.add_parser("positions", parents=[common], help="random positions, for practice or as openings")
    draw.add_argument("endings", nargs="+", metavar="ENDING", help="like KRKAABB")
    draw.add_argument("--count", type=whole_number(1), default=10, help="positions of each ending")
    draw.add_argument("--seed", type=int, default=1, help="seed for the choice")
    draw.add_argument("--result", choices=("win", "draw", "any"), default="any", help="result for Red, who is to move")
    draw.add_argument(
        "--least", type=whole_number(0), default=0, metavar="PLIES", help="for wins: plies to mate at least"
    )
    draw.add_argument("--extra", default="", choices=tuple("RNCPrncp"), help="a piece to add, as its FEN letter")
    ask = commands.add_parser("probe", parents=[common, words], help="the exact result of a position and of each move")
    ask.add_argument("--fen", required=True, help="the position")
    ask.add_argument("moves", nargs="*", metavar="MOVE", help="moves from the position, in any notation")
    return parser


def _build(options: argparse.Namespace) -> int:
    endings = [Material.parse(name) for name in options.endings]
    if options.practical:
        endings += [Material.parse(name) for name in PRACTICAL]
    memory = options.memory or machine_memory() // 2
    check_memory(endings, memory)
    if options.up_to:
        limit = min(options.up_to, memory)
        endings += [ending for ending in all_endings() if memory_needed(ending) <= limit]
    if not endings:
        raise ValueError("nothing to build: name endings (KRKAABB …), or give --up-to or --practical")
    todo = missing(options.path, endings, options.again)
    bar = Bar(len(todo), "tables")
    if options.report:
        print(f"| {' | '.join(COLUMNS)} |\n|---|---|{'--:|' * (len(COLUMNS) - 2)}")

    def on_table(built: Built) -> None:
        bar.step(built.material.name)
        if options.report:
            print(_row(built), flush=True)

    def on_ply(material: Material, plies: int) -> None:
        bar.step(f"{material.name}: {plies} plies", 0)

    try:
        build(options.path, todo, options.threads, on_table, on_ply)
    except KeyboardInterrupt:
        bar.write(f"stopped; the finished tables are in {options.path}, and the same command resumes")
        return 130
    finally:
        bar.close()
    print(f"{counted(len(todo), 'table')} built, {len(list(options.path.glob('*' + SUFFIX)))} in {options.path}")
    return 0


def _row(built: Built) -> str:
    entries = 2 * built.material.positions
    attacker = built.facts["attacker"]
    total = attacker["win"] + attacker["draw"] + attacker["loss"]
    cells = (
        built.material,
        chinese_name(built.material),
        f"{entries:,}",
        f"{built.seconds:.2f}",
        f"{built.cpu_seconds:.2f}",
        size_text(built.memory),
        size_text(built.file_size),
        f"{8 * built.file_size / entries:.2f}",
        f"{100 * attacker['win'] / max(1, total):.1f} %",
        attacker["longest"] if attacker["win"] else "-",
    )
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _list(options: argparse.Namespace) -> int:
    shelf = TableShelf([options.path])
    print(f"{'ending':<14}{'entries':>14}{'file':>12}{'won':>8}{'longest':>9}  attacker to move")
    for path in sorted(shelf.names.values(), key=lambda path: (path.stat().st_size, path.stem)):
        table = open_table(path)
        attacker = table.facts["attacker"]
        total = attacker["win"] + attacker["draw"] + attacker["loss"]
        print(
            f"{path.stem:<14}{2 * table.material.positions:>14,}{size_text(table.size):>12}"
            f"{100 * attacker['win'] / max(1, total):>7.1f}%{attacker['longest'] if attacker['win'] else '-':>9}"
            f"  {chinese_name(table.material)}"
        )
    for fault in shelf.faults:
        print(f"chuhe endgame: {fault}", file=sys.stderr)
    print(f"{counted(len(shelf), 'table')} in {options.path}")
    return 1 if shelf.faults else 0


def _verify(options: argparse.Namespace) -> int:
    names = options.endings or sorted(path.stem for path in options.path.glob(f"*{SUFFIX}"))
    if not names:
        raise ValueError(f"there are no tables in {options.path}")
    bad = 0
    bar = Bar(len(names), "tables")
    for name in names:
        fault = _fault(options, name)
        bar.step(name)
        if fault:
            bar.write(f"{name}: {fault}")
            bad += 1
    bar.close()
    print(f"{len(names) - bad} of {counted(len(names), 'table')} passed")
    return 1 if bad else 0


def _fault(options: argparse.Namespace, name: str) -> str:
    """What is wrong with a table; empty if it is good."""
    try:
        material = Material.parse(name)
        open_table(table_path(options.path, material)).check_blocks()
        if options.quick:
            return ""
        solver = load_with_smaller(options.path, material)
    except OSError as error:
        return f"{error.filename}: {error.strerror or error}"
    except ValueError as error:
        return str(error)
    with ThreadPoolExecutor(options.threads) as pool:
        parts = split(solver.size, options.threads * PARTS)
        faults = [found for found in pool.map(lambda part: solver.find_fault(*part), parts) if found is not None]
    return f"entry {faults[0]} does not agree with its successors" if faults else ""


def _info(options: argparse.Namespace) -> int:
    material = Material.parse(options.ending)
    solver = load(open_table(table_path(options.path, material)))
    bar = Bar(options.threads * PARTS, "parts") if solver.size > LONG_WORK else None
    found = survey(material, solver, options.threads, bar.step if bar else lambda: None)
    if bar:
        bar.close()
    print(report(found, solver, TableShelf([options.path]), options.notation, options.language))
    return 0


def _positions(options: argparse.Namespace) -> int:
    for name in options.endings:
        solver = load(open_table(table_path(options.path, Material.parse(name))))
        found = random_positions(solver, options.seed, options.result, options.least, options.extra)
        for _ in range(options.count):
            print(next(found).fen())
    return 0


def _probe(options: argparse.Namespace) -> int:
    position = Position(options.fen)
    for move in options.moves:
        position.push(move)
    shelf = TableShelf([options.path])
    verdict = shelf.probe(position)
    if verdict is None:
        name = material_of(position)
        if name is None:
            raise ValueError("no table covers this position: one side attacks with up to three pieces, one defends")
        raise ValueError(f"there is no {name} table in {options.path}; chuhe endgame build {name} builds it")
    print("\n".join(verdict_lines(position, verdict, shelf, options.notation)))
    return 0


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    parser = _parser(language)
    options = parser.parse_args(arguments)
    options.language = language
    commands = {
        "build": _build,
        "list": _list,
        "verify": _verify,
        "info": _info,
        "probe": _probe,
        "positions": _positions,
    }
    try:
        return commands[options.command](options)
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        print(f"chuhe endgame: {error.filename} does not exist; chuhe endgame build builds tables", file=sys.stderr)
    except (ValueError, OSError, MemoryError) as error:
        print(f"chuhe endgame: {message_of(error).text(language)}", file=sys.stderr)
    return 2
