"""`chuhe openings`: generate balanced openings.

A line is played move by move from the start. Each move is picked at random among those that a shallow search scores
close to the best. The line is kept if a deeper search finds the final position balanced. Duplicate positions and mirror
images are dropped.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from chuhe.common.command_line import Parser, counted, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Engine, Limits, Move, Position, Settings
from chuhe.files.writing import OutputError, check_output, marked, write_file

OWN_HEADER = "openings by chuhe openings"  # how the command recognises its own files


@dataclass(frozen=True, slots=True)
class OpeningRecipe:
    """What counts as a good opening; scores in centipawns."""

    plies: tuple[int, int] = (6, 8)  # shortest and longest
    spread: int = 60  # how much worse than the best move the chosen move may score
    balance: int = 50  # the largest absolute score allowed at the end
    depth: int = 3  # of the search that chooses a move
    nodes: int = 100_000  # of the search that judges the line
    seed: int = 1


@dataclass(frozen=True, slots=True)
class BalancedLine:
    """A balanced line and its score from the point of view of the side to move."""

    moves: tuple[Move, ...]
    score: int


def candidates(engine: Engine, position: Position, recipe: OpeningRecipe) -> list[Move]:
    """The moves that score close to the best one."""
    scores = {}
    for move in position.legal_moves:
        position.push(move)
        try:
            if position.legal_moves:
                engine.set_position(position)
                scores[move] = -engine.search(Limits(depth=recipe.depth)).score.as_centipawns()
        finally:
            position.pop()
    if not scores:
        return []
    best = max(scores.values())
    return sorted((move for move, score in scores.items() if score >= best - recipe.spread), key=str)


def identity(position: Position) -> str:
    """A key shared by a position and its mirror image."""
    return min(_placement(position), _placement(position.mirror()))


def _placement(position: Position) -> str:
    return " ".join(position.fen().split()[:2])


def generate(recipe: OpeningRecipe, seen: set[str] | None = None) -> Iterator[BalancedLine | None]:
    """An endless supply of balanced openings; yields None for each rejected line."""
    generator = random.Random(recipe.seed)
    engine = Engine(Settings(hash_mb=16, use_tables=False))
    seen = set() if seen is None else seen
    while True:
        position = Position()
        for _ in range(generator.randint(*recipe.plies)):
            moves = candidates(engine, position, recipe)
            if not moves:
                break
            position.push(generator.choice(moves))
        key = identity(position)
        if key in seen or not position.legal_moves:
            yield None
            continue
        seen.add(key)
        engine.new_game()
        engine.set_position(position)
        score = engine.search(Limits(nodes=recipe.nodes)).score.as_centipawns()
        yield BalancedLine(tuple(position.move_stack), score) if abs(score) <= recipe.balance else None


def parser() -> argparse.ArgumentParser:
    plain = OpeningRecipe()
    top = Parser(prog="chuhe openings", description="Generate balanced openings, one line of moves each.")
    top.add_argument("--count", type=whole_number(1), default=100, help="how many")
    top.add_argument(
        "--plies",
        type=whole_number(1, 200),
        nargs=2,
        default=plain.plies,
        metavar=("MIN", "MAX"),
        help="plies of a line",
    )
    for name, usual, text in (
        ("--balance", plain.balance, "largest score at the end"),
        ("--spread", plain.spread, "how much worse than the best move a move may score"),
    ):
        score = whole_number(0, 30_000)
        top.add_argument(name, type=score, default=usual, metavar="CP", help=f"{text}, in centipawns")
    top.add_argument(
        "--depth", type=whole_number(1, 100), default=plain.depth, help="plies to search for choosing a move"
    )
    top.add_argument("--nodes", type=whole_number(1, 2**62), default=plain.nodes, help="nodes for judging a line")
    top.add_argument("--seed", type=int, default=plain.seed, help="seed for the choice of moves")
    top.add_argument("--output", metavar="FILE", help="the openings (default standard output)")
    top.add_argument("--force", action="store_true", help="overwrite a file that chuhe openings did not write")
    return top


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    low, high = options.plies
    if high < low:
        print(f"chuhe openings: --plies: MIN must be at most MAX, not {low} {high}", file=sys.stderr)
        return 2
    try:
        if options.output:
            check_output(options.output, force=options.force, ours=marked(OWN_HEADER))
    except OutputError as error:
        return report_fault("openings", error)
    recipe = OpeningRecipe((low, high), options.spread, options.balance, options.depth, options.nodes, options.seed)
    lines = []
    tried = code = 0
    bar = Bar(options.count, "openings")
    try:
        for found in generate(recipe):
            tried += 1
            if found is not None:
                lines.append(" ".join(map(str, found.moves)))
                bar.step(f"{tried} tried")
            if len(lines) == options.count:
                break
            if tried >= 100 + 100 * options.count:
                found_text = f"only {counted(len(lines), 'opening')} found in {tried} tries"
                print(f"chuhe openings: {found_text}; allow more --plies or a larger --balance", file=sys.stderr)
                break
    except KeyboardInterrupt:
        kept = "openings found so far are kept" if lines else "no opening was found"
        print(f"\nchuhe openings: interrupted; {kept}", file=sys.stderr)
        code = 130
    finally:
        bar.close()
    header = f"# {len(lines)} {OWN_HEADER}: {low}-{high} plies, within {options.balance} centipawns at "
    text = "\n".join([f"{header}{options.nodes} nodes, seed {options.seed}", *sorted(lines)]) + "\n"
    if not lines:
        return code or 1
    if options.output:
        try:
            write_file(options.output, text)
        except OutputError as error:
            return report_fault("openings", error)
    else:
        sys.stdout.write(text)
    return code
