"""``chuhe endgame``: builds, lists, checks and probes endgame tables."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from functools import partial
from pathlib import Path

from chuhe.bench.spread import add_worker_options, spread, workers_of
from chuhe.coach.endgame_report import report, verdict_lines
from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Position
from chuhe.engine.endgame import Tablebases, TableError, material_of
from chuhe.engine.endgame.building import (
    Built,
    build,
    build_one,
    check_memory,
    layers,
    load,
    missing,
    size_text,
    table_fault,
)
from chuhe.engine.endgame.material import Material, all_endgames
from chuhe.engine.endgame.practice import random_positions
from chuhe.engine.endgame.solving import PARTS, memory_needed
from chuhe.engine.endgame.survey import chinese_name, survey
from chuhe.engine.endgame.table_file import open_table, table_path
from chuhe.engine.machine import machine_memory
from chuhe.engine.notation import NOTATIONS, USUAL_NOTATION
from chuhe.engine.table_paths import SUFFIX, default_directory
from chuhe.text.columns import pad, right
from chuhe.text.message import LANGUAGES, Language, Message, printable, shown
from chuhe.text.system_language import Speaker, take_language

# the standard textbook endgames, and a few that show the sizes; docs/lab/endgames.md gives figures for these
PRACTICAL = (
    "KRKAABB KNKAABB KPKAABB KCAAKAABB KCBBKAAB KPPKAABB KNPKAAB KRPKAA KCPKAA KNNKAA KNCKAA KRNKAA KRCKAA KPPPKAA"
).split()
COLUMNS = ("endgame", "", "entries", "seconds", "CPU seconds", "memory", "file", "bits an entry", "won", "longest")
LONG_WORK = 5_000_000  # positions: with more, a pass takes a few seconds
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def parse_size(text: str, language: Language = "en") -> int:
    """Bytes from a number with a unit.

    >>> parse_size("200MB"), parse_size("1.5g"), parse_size("4096")
    (209715200, 1610612736, 4096)
    """
    number = text.strip().upper().removesuffix("B").removesuffix("I")
    unit = number[-1:] if number[-1:] in ("K", "M", "G") else ""
    try:
        size = float(number.removesuffix(unit)) * UNITS[unit]
    except ValueError:
        size = 0
    if not 0 < size < 1 << 60:
        raise argparse.ArgumentTypeError(Message("endgame.not-a-size", text=shown(text)).text(language))
    return int(size)


def _parser(say: Speaker) -> argparse.ArgumentParser:
    language = say.language
    parser = Parser(prog="chuhe endgame", description=say("endgame-help.description"), language=language)
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    commands = parser.add_subparsers(dest="command", required=True)
    size = partial(parse_size, language=language)
    common = Parser(add_help=False)
    common.add_argument(
        "--path", metavar="DIR", type=Path, default=Path(default_directory()),
        help=say("endgame-help.path"),
    )  # fmt: skip
    work = Parser(add_help=False)
    work.add_argument(
        "--threads", type=whole_number(1, 1024, language), default=os.cpu_count() or 1,
        help=say("endgame-help.threads"),
    )  # fmt: skip
    words = Parser(add_help=False)
    notation = USUAL_NOTATION[language]
    words.add_argument("--notation", choices=NOTATIONS, default=notation, help=say("analyze-help.notation"))

    def command(name: str, text: str, *parents: Parser) -> argparse.ArgumentParser:
        return commands.add_parser(name, parents=parents, help=text, description=text, language=language)

    make = command("build", say("endgame-help.build"), common, work)
    make.add_argument("endgames", nargs="*", metavar="ENDGAME", help=say("endgame-help.endgames"))
    make.add_argument("--up-to", type=size, metavar="SIZE", help=say("endgame-help.up-to"))
    make.add_argument(
        "--practical", action="store_true", help=say("endgame-help.practical", endgames=" ".join(PRACTICAL))
    )
    make.add_argument("--memory", type=size, metavar="SIZE", help=say("endgame-help.memory"))
    make.add_argument("--again", action="store_true", help=say("endgame-help.again"))
    make.add_argument("--report", action="store_true", help=say("endgame-help.report"))
    add_worker_options(make, say)
    command("list", say("endgame-help.list"), common)
    check = command("verify", say("endgame-help.verify"), common, work)
    check.add_argument("endgames", nargs="*", metavar="ENDGAME", help=say("endgame-help.all"))
    check.add_argument("--quick", action="store_true", help=say("endgame-help.quick"))
    tell = command("info", say("endgame-help.info"), common, work, words)
    tell.add_argument("endgame", metavar="ENDGAME", help=say("endgame-help.endgames"))
    draw = command("positions", say("endgame-help.positions"), common)
    draw.add_argument("endgames", nargs="+", metavar="ENDGAME", help=say("endgame-help.endgames"))
    draw.add_argument("--count", type=whole_number(1, language=language), default=10, help=say("endgame-help.count"))
    draw.add_argument("--seed", type=int, default=1, help=say("endgame-help.seed"))
    draw.add_argument("--result", choices=("win", "draw", "any"), default="any", help=say("endgame-help.result"))
    draw.add_argument(
        "--least", type=whole_number(0, language=language), default=0, metavar="PLIES", help=say("endgame-help.least")
    )
    draw.add_argument("--extra", default="", choices=tuple("RNCPrncp"), help=say("endgame-help.extra"))
    ask = command("probe", say("endgame-help.probe"), common, words)
    ask.add_argument("--fen", required=True, help=say("endgame-help.fen"))
    ask.add_argument("moves", nargs="*", metavar="MOVE", help=say("judge.help-moves"))
    return parser


def _build(options: argparse.Namespace, say: Speaker) -> int:
    endgames = [Material.parse(name) for name in options.endgames]
    if options.practical:
        endgames += [Material.parse(name) for name in PRACTICAL]
    workers = workers_of(options, say.language)
    memory = options.memory or machine_memory() // 2 // workers.concurrency
    check_memory(endgames, memory)
    if options.up_to:
        limit = min(options.up_to, memory)
        endgames += [endgame for endgame in all_endgames() if memory_needed(endgame) <= limit]
    if not endgames:
        raise TableError(Message("endgame.nothing-to-build"))
    todo = missing(options.path, endgames, options.again)
    bar = Bar(len(todo), say("bar.tables"))
    if options.report:
        print(f"| {' | '.join(COLUMNS)} |\n|---|---|{'--:|' * (len(COLUMNS) - 2)}")

    def on_table(built: Built) -> None:
        bar.step(built.material.name)
        if options.report:
            print(_row(built), flush=True)

    def on_ply(material: Material, plies: int) -> None:
        bar.step(say("endgame.plies", name=material.name, plies=plies), 0)

    try:
        if workers.alone:
            build(options.path, todo, options.threads, on_table, on_ply)
        else:
            work = partial(build_one, options.path.resolve(), max(1, options.threads // workers.concurrency))
            for layer in layers(todo):
                with spread(work, layer, workers, tell=bar.write) as tables:
                    for built in tables:
                        on_table(built)
    except KeyboardInterrupt:
        bar.write(say("endgame.stopped", path=str(options.path)))
        return 130
    finally:
        bar.close()
    held = len(list(options.path.glob(f"*{SUFFIX}")))
    print(say("endgame.built", count=len(todo), held=held, path=str(options.path)))
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


def _list(options: argparse.Namespace, say: Speaker) -> int:
    tablebases = Tablebases([options.path])
    titles = (
        (say("endgame.entries"), 14),
        (say("endgame.file"), 12),
        (say("endgame.won"), 8),
        (say("endgame.longest"), 9),
    )
    head = pad(say("endgame.endgame"), 14) + "".join(right(title, width) for title, width in titles)
    print(f"{head}  {say('endgame.attacker')}")
    for path in sorted(tablebases.names.values(), key=lambda path: (path.stat().st_size, path.stem)):
        table = open_table(path)
        attacker = table.facts["attacker"]
        total = attacker["win"] + attacker["draw"] + attacker["loss"]
        print(
            f"{path.stem:<14}{2 * table.material.positions:>14,}{size_text(table.size):>12}"
            f"{100 * attacker['win'] / max(1, total):>7.1f}%{attacker['longest'] if attacker['win'] else '-':>9}"
            f"  {chinese_name(table.material, say.language)}"
        )
    for fault in tablebases.faults:
        print(f"chuhe endgame: {printable(fault.text(say.language))}", file=sys.stderr)
    print(say("endgame.held", count=len(tablebases), path=printable(str(options.path))))
    return 1 if tablebases.faults else 0


def _verify(options: argparse.Namespace, say: Speaker) -> int:
    names = options.endgames or sorted(path.stem for path in options.path.glob(f"*{SUFFIX}"))
    if not names:
        raise TableError(Message("endgame.no-tables", path=str(options.path)))
    bad = 0
    with Bar(len(names), say("bar.tables")) as bar:
        for name in names:
            fault = table_fault(options.path, name, options.threads, options.quick)
            bar.step(name)
            if fault:
                bar.write(f"{name}: {fault.text(say.language)}")
                bad += 1
    print(say("endgame.verified", good=len(names) - bad, count=len(names)))
    return 1 if bad else 0


def _info(options: argparse.Namespace, say: Speaker) -> int:
    material = Material.parse(options.endgame)
    solver = load(open_table(table_path(options.path, material)))
    bar = Bar(options.threads * PARTS, say("bar.parts")) if solver.size > LONG_WORK else None
    found = survey(material, solver, options.threads, bar.step if bar else lambda: None)
    if bar:
        bar.close()
    print(report(found, solver, Tablebases([options.path]), options.notation, say.language))
    return 0


def _positions(options: argparse.Namespace, say: Speaker) -> int:
    for name in options.endgames:
        solver = load(open_table(table_path(options.path, Material.parse(name))))
        found = random_positions(solver, options.seed, options.result, options.least, options.extra)
        for _ in range(options.count):
            print(next(found).fen())
    return 0


def _probe(options: argparse.Namespace, say: Speaker) -> int:
    position = Position(options.fen)
    for move in options.moves:
        position.push(move)
    tablebases = Tablebases([options.path])
    verdict = tablebases.probe(position)
    if verdict is None:
        name = material_of(position)
        if name is None:
            raise TableError(Message("endgame.not-covered"))
        raise TableError(Message("endgame.not-built", name=str(name), path=str(options.path)))
    print("\n".join(verdict_lines(position, verdict, tablebases, options.notation)))
    return 0


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    say = Speaker(language)
    options = _parser(say).parse_args(arguments)
    commands = {
        "build": _build,
        "list": _list,
        "verify": _verify,
        "info": _info,
        "probe": _probe,
        "positions": _positions,
    }
    try:
        if options.path.exists() and not options.path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(options.path))
        return commands[options.command](options, say)
    except FileNotFoundError as error:
        print(f"chuhe endgame: {say('endgame.missing', path=printable(str(error.filename)))}", file=sys.stderr)
        return 2
    except (ValueError, OSError, MemoryError) as error:
        return report_fault("endgame", error, language)
