"""Time to probe an endgame table: `chuhe bench endgames [--path DIR] [ENDGAME …]`."""

from __future__ import annotations

import random
from pathlib import Path

from chuhe.common.command_line import Parser, report_fault
from chuhe.engine import Position
from chuhe.engine.endgame import Tablebases
from chuhe.engine.endgame.building import load
from chuhe.engine.endgame.survey import position_at
from chuhe.engine.endgame.table_file import TableError, open_table
from chuhe.engine.table_paths import default_directory

POSITIONS, ROUNDS = 2000, 20


def some_positions(path: Path, count: int) -> list[Position]:
    """Legal positions of a table with either side to move; the same on every run."""
    solver, rng = load(open_table(path)), random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        side, index = rng.randrange(2), rng.randrange(solver.size)
        if solver.is_legal(side, index):
            found.append(position_at(solver, side, index))
    return found


def main(arguments: list[str]) -> int:
    parser = Parser(prog="chuhe bench endgames", description=__doc__)
    parser.add_argument("endgames", nargs="*", metavar="ENDGAME", help="like KRKAABB (default all)")
    parser.add_argument("--path", type=Path, default=Path(default_directory()), help="the tables")
    options = parser.parse_args(arguments)
    try:
        tablebases = Tablebases([options.path])
        names = options.endgames or sorted(tablebases.names)
        print("| endgame | file | microseconds per probe |\n|---|--:|--:|")
        for name in names:
            if name not in tablebases.names:
                raise ValueError(f"there is no table for {name} in {options.path}")
            boards = some_positions(tablebases.names[name], POSITIONS)
            size = tablebases.names[name].stat().st_size
            print(
                f"| {name} | {size / 1024:,.1f} KB | {tablebases.core.time_probes(boards, ROUNDS) / 1000:.2f} |",
                flush=True,
            )
    except (TableError, ValueError, OSError) as error:
        return report_fault("bench endgames", error)
    return 0
