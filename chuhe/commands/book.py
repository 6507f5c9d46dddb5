"""``chuhe book``: opening books from games and from other books, shown and edited."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from chuhe.commands.book_games import Plan, play_games
from chuhe.common.command_line import Parser, counted, fault_text, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import START_FEN, Position
from chuhe.engine.book import Book, BookError, FileBook, Shelf, default_book_path
from chuhe.engine.books.editing import edit_book
from chuhe.engine.books.pages import (
    LONGEST_LINE,
    BookRecipe,
    Page,
    has_weights,
    pages_of_book,
    pages_of_games,
    pages_of_trees,
)
from chuhe.engine.books.writing import FORMATS, format_of
from chuhe.engine.formats.files import READABLE, read_games
from chuhe.engine.formats.pgn import GameRecord, RecordError, format_pgn
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.engine.safe_files import OutputError, append_file, check_output, marked


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


_SUFFIXES = ", ".join(f"{known.suffix} ({known.name})" for known in FORMATS.values())


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="chuhe book", description="Build, convert and edit opening books, or show what is in one.")
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="from games (PGN, XQF, CBL, …)")
    build.add_argument("games", nargs="+", type=Path, metavar="FILE", help="games of any format")
    build.add_argument(
        "--output",
        type=Path,
        default=Path("book.bin"),
        help=f"its suffix gives the format: {_SUFFIXES}",
    )
    build.add_argument("--force", action="store_true", help="replace a file that is no book of this format")
    build.add_argument("--plies", type=whole_number(1), default=BookRecipe.plies, help="plies per game")
    build.add_argument(
        "--min-games", type=whole_number(1), default=BookRecipe.min_games, help="leave out moves played in fewer games"
    )
    for name in ("win", "draw", "loss"):
        default = getattr(BookRecipe, name)
        build.add_argument(f"--{name}", type=whole_number(0, 10_000), default=default, help=f"weight of a {name}")
    play = commands.add_parser("play", help="play the engine against itself, for games to build from")
    play.add_argument("--output", type=Path, default=Path("selfplay.pgn"), help="games are appended as they end")
    play.add_argument("--games", type=whole_number(1), default=100, help="games to play")
    play.add_argument("--seed", type=int, default=1, help="seed for the games")
    play.add_argument("--nodes", type=whole_number(1), default=Plan.nodes, help="nodes per move")
    play.add_argument(
        "--opening-nodes", type=whole_number(1), default=Plan.opening_nodes, help="nodes per move in the opening"
    )
    play.add_argument("--plies", type=whole_number(0), default=Plan.plies, help="plies of the opening")
    convert = commands.add_parser("convert", help="from one format to another")
    convert.add_argument("source", metavar="SOURCE", type=Path, help="a book of any format, or games")
    convert.add_argument("target", metavar="TARGET", type=Path, help=_SUFFIXES)
    convert.add_argument("--force", action="store_true", help="replace a file that is no book of this format")
    convert.add_argument(
        "--plies", type=whole_number(1, LONGEST_LINE), default=LONGEST_LINE, help="plies of the longest line"
    )
    convert.add_argument("--min-weight", type=whole_number(1), default=1, help="leave out moves of less weight")
    edit = commands.add_parser("edit", help="add, weigh or delete a move")
    edit.add_argument("book", metavar="BOOK", type=Path, help="a book of any format but PGN; made if it is missing")
    edit.add_argument("change", choices=("add", "weigh", "delete"), help="what to do with the move")
    edit.add_argument("move", metavar="MOVE", help="in any notation")
    edit.add_argument(
        "weight",
        metavar="N",
        nargs="?",
        type=whole_number(1, 2**31 - 1),
        help="its weight, for weigh and add (default 1)",
    )
    edit.add_argument("--after", nargs="+", default=[], metavar="MOVE", help="the moves that lead to the position")
    edit.add_argument("--fen", default=START_FEN, help="where they begin (default the start position)")
    show = commands.add_parser("show", help="the book's moves in a position")
    show.add_argument("moves", metavar="MOVE", nargs="*", help="moves from the position, in any notation")
    show.add_argument("--book", metavar="FILES", help="of any format, several separated by ';' (default ours)")
    show.add_argument("--fen", default=START_FEN, help="the position (default the start position)")
    show.add_argument("--notation", choices=NOTATIONS, default="wxf", help="how moves are written")
    return parser


def _build(options: argparse.Namespace) -> int:
    target = format_of(options.output)
    check_output(options.output, force=options.force, ours=target.ours)
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
    pages = list(pages_of_games(games, recipe))
    if not pages:
        raise BookError("the games have no moves for a book: nothing was written (--min-games may be too high)")
    count = target.write(options.output, pages)
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


def _convert(options: argparse.Namespace) -> int:
    if options.target.suffix.lower() not in FORMATS:
        raise BookError(f"{options.target}: a book's suffix is {_SUFFIXES}")
    target = format_of(options.target)
    check_output(options.target, force=options.force, ours=target.ours)
    faults: list[RecordError] = []
    if options.source.suffix.lower() in READABLE:
        games = read_games(options.source, on_fault=faults.append)
        recipe = BookRecipe(plies=options.plies)
        pages = pages_of_trees(games) if has_weights(games) else pages_of_games(games, recipe)
        held = None
    else:
        book = Book.load(options.source)
        assert isinstance(book, FileBook)
        held = len(book)
        pages = pages_of_book(book, options.plies)
    for fault in faults:
        print(f"chuhe book: left out: {fault}", file=sys.stderr)
    bar = None if held is None else Bar(held, "moves")
    count = target.write(options.target, _weighed(pages, options.min_weight, bar))
    if bar is not None:
        bar.close()
    of = "" if held is None else f" of {held:,}"
    print(f"{options.target}: {count:,}{of} moves")
    if held is not None and count < held:
        print("The others are repeated, illegal, switched off, too light, or in positions that no line leads to.")
    return 1 if faults else 0


def _weighed(pages: Iterator[Page], least: int, bar: Bar | None) -> Iterator[Page]:
    """The pages without the moves that weigh less; the progress is that of the moves."""
    for page in pages:
        for entry in page.entries.values():
            entry.weight = entry.weight if entry.weight >= least else 0
        if bar is not None:
            bar.step(count=sum(entry.weight > 0 for entry in page.entries.values()))
        yield page


def _edit(options: argparse.Namespace) -> int:
    if options.change == "weigh" and options.weight is None:
        raise BookError("weigh needs a weight")
    if options.change == "delete" and options.weight is not None:
        raise BookError("delete takes no weight")
    position = _position(options.fen, options.after)
    move = position.parse_move(options.move)
    weight = 0 if options.change == "delete" else options.weight or 1
    edit_book(options.book, options.change, position, move, weight)
    print(describe(Book.load(options.book), position, "wxf"))
    return 0


def _position(fen: str, moves: list[str]) -> Position:
    position = Position(fen)
    for move in moves:
        position.push(move)
    return position


def _show(options: argparse.Namespace) -> int:
    files = options.book or default_book_path()
    if files is None:
        raise BookError("this installation has no book; give one with --book")
    print(describe(Shelf.load_all(files), _position(options.fen, options.moves), options.notation))
    return 0


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        commands = {"build": _build, "play": _play, "convert": _convert, "edit": _edit, "show": _show}
        return commands[options.command](options)
    except (BookError, RecordError, ValueError, OSError) as error:
        print(f"chuhe book: {fault_text(error)}", file=sys.stderr)
        return 2
