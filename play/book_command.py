"""``chuhe book``: builds an opening book from games, or shows the moves of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.command_line import Parser, counted, whole_number
from bench.progress import Bar
from engine import START_FEN, Move, Position
from engine.book import MAGIC, Book, BookError, Shelf, default_book_path, mirror_square, write_book
from engine.notation import NOTATIONS, Notation, move_text
from engine.pgn import GameRecord, RecordError, format_pgn
from engine.safe_files import OutputError, append_file, check_output, marked
from play.book_games import Plan, play_games
from play.files import read_games

Weights = dict[tuple[int, int, int], int]  # (key, from, to): weight


@dataclass(frozen=True)
class BookRecipe:
    """How games become a book. A move's weight is the sum of its games' points for wins, draws and losses."""

    plies: int = 24
    win: int = 2
    draw: int = 1
    loss: int = 0
    min_games: int = 1  # a move played less often is left out


def build_weights(games: Iterable[GameRecord], recipe: BookRecipe) -> Weights:
    """The weights of all moves of the games' openings; mirror images count as one position."""
    weights: Weights = {}
    counts: Weights = {}
    for game in games:
        position = Position(game.fen)
        for move in game.plain_moves[: recipe.plies]:
            for entry in _entries(position, move):
                weights[entry] = weights.get(entry, 0) + _points(game, position.turn, recipe)
                counts[entry] = counts.get(entry, 0) + 1
            position.push(move)
    return {entry: weight for entry, weight in weights.items() if counts[entry] >= recipe.min_games and weight > 0}


def _entries(position: Position, move: Move) -> list[tuple[int, int, int]]:
    """Stored under the smaller of the two keys; a symmetrical position gets the mirrored move as well."""
    mirrored = position.mirror().key
    plain = (position.key, move.from_square, move.to_square)
    mirror = (mirrored, mirror_square(move.from_square), mirror_square(move.to_square))
    if position.key == mirrored:
        return sorted({plain, mirror})
    return [plain if position.key < mirrored else mirror]


def _points(game: GameRecord, turn: int, recipe: BookRecipe) -> int:
    if game.result not in ("1-0", "0-1"):
        return recipe.draw
    return recipe.win if (game.result == "1-0") == (turn == 0) else recipe.loss


def describe(book: Book, position: Position, notation: Notation) -> str:
    """The book's moves in one position, each with its share."""
    choices = book.probe(position)
    if not choices:
        return "This position is not in the book."
    total = sum(weight for _, weight in choices)
    return "\n".join(
        f"{move_text(position, move, notation):<10} {move.iccs}  weight {weight:>6}  {100 * weight / total:5.1f} %"
        for move, weight in choices
    )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="chuhe book", description="Build an opening book, or show what is in one.")
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="from games (PGN, XQF, CBL, …)")
    build.add_argument("games", nargs="+", type=Path)
    build.add_argument("--output", type=Path, default=Path("book.bin"), help="default: book.bin")
    build.add_argument("--force", action="store_true", help="replace a file that is not a Chuhe book")
    build.add_argument(
        "--plies", type=whole_number(1), default=BookRecipe.plies, help=f"plies per game (default: {BookRecipe.plies})"
    )
    build.add_argument(
        "--min-games", type=whole_number(1), default=BookRecipe.min_games, help="leave out moves played in fewer games"
    )
    for name in ("win", "draw", "loss"):
        default = getattr(BookRecipe, name)
        build.add_argument(
            f"--{name}", type=whole_number(0, 10_000), default=default, help=f"weight of a {name} (default: {default})"
        )
    play = commands.add_parser("play", help="play the engine against itself, for games to build from")
    play.add_argument("--output", type=Path, default=Path("selfplay.pgn"), help="games are appended as they end")
    play.add_argument("--games", type=whole_number(1), default=100)
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--nodes", type=whole_number(1), default=Plan.nodes, help=f"per move (default: {Plan.nodes})")
    play.add_argument(
        "--opening-nodes", type=whole_number(1), default=Plan.opening_nodes, help="per move in the opening"
    )
    play.add_argument(
        "--plies", type=whole_number(0), default=Plan.plies, help=f"length of the opening (default: {Plan.plies})"
    )
    show = commands.add_parser("show", help="the book's moves in a position")
    show.add_argument("moves", nargs="*", help="moves from the position, in any notation")
    show.add_argument("--book", metavar="FILES", help="ours or ElephantEye's, several separated by ';' (default: ours)")
    show.add_argument("--fen", default=START_FEN)
    show.add_argument("--notation", choices=NOTATIONS, default="wxf")
    return parser


def _build(options: argparse.Namespace) -> int:
    check_output(options.output, force=options.force, ours=lambda head: head.startswith(MAGIC))
    recipe = BookRecipe(options.plies, options.win, options.draw, options.loss, options.min_games)
    games: list[GameRecord] = []
    faults: list[RecordError] = []

    def on_fault(fault: RecordError) -> None:
        faults.append(fault)
        bar.write(f"chuhe book: left out: {fault}")

    bar = Bar(100 * len(options.games), "% of a file")
    for number, path in enumerate(options.games, 1):

        def on_game(share: float, before: int = number - 1) -> None:
            bar.step(count=max(0, 100 * before + int(100 * share) - bar.done))

        games += read_games(path, on_game, on_fault)
        bar.step(counted(len(games), "game"), 100 * number - bar.done)
    bar.close()
    count = write_book(options.output, build_weights(games, recipe))
    print(f"{options.output}: {counted(count, 'move')} from {counted(len(games), 'game')}")
    return 1 if faults else 0


def _play(options: argparse.Namespace) -> int:
    """Games already in the file count, so a stopped run resumes where it left off."""
    path: Path = options.output
    try:
        check_output(path, ours=marked('[Event "self-play'))
    except OutputError as error:
        raise OutputError(f"{path} holds other data: choose another file") if path.is_file() else error from None
    done = len(read_games(path)) if path.exists() and path.stat().st_size else 0
    plan = Plan(plies=options.plies, nodes=options.nodes, opening_nodes=options.opening_nodes)
    bar = Bar(options.games, "games", done)

    def keep(game: GameRecord) -> None:
        append_file(path, format_pgn(game) + "\n")
        bar.step(game.result)

    try:
        play_games(plan, options.seed, done + 1, options.games - done, keep)
    except KeyboardInterrupt:
        bar.write(f"stopped; the same command resumes {path}")
    bar.close()
    return 0


def _show(options: argparse.Namespace) -> int:
    files = options.book or default_book_path()
    if files is None:
        raise BookError("this installation has no book; give one with --book")
    position = Position(options.fen)
    for move in options.moves:
        position.push(move)
    print(describe(Shelf.load_all(files), position, options.notation))
    return 0


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        return {"build": _build, "play": _play, "show": _show}[options.command](options)
    except (BookError, RecordError, ValueError, OSError) as error:
        print(f"chuhe book: {error}", file=sys.stderr)
        return 2
