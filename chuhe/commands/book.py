"""``chuhe book``: opening books from games and from other books, shown and edited."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from chuhe.bench.spread import add_worker_options, own_engine, spread, workers_of
from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import START_FEN, Position
from chuhe.engine.notation import NOTATIONS, USUAL_NOTATION, Notation, move_text
from chuhe.files.writing import OutputError, append_file, check_output, exclusive, marked
from chuhe.records.books.book import Book, BookError, BookStack, FileBook, default_book_path
from chuhe.records.books.editing import edit_book
from chuhe.records.books.pages import (
    LONGEST_LINE,
    BookRecipe,
    Page,
    has_weights,
    pages_of_book,
    pages_of_games,
    pages_of_trees,
)
from chuhe.records.books.playing import Plan, play_game
from chuhe.records.books.writing import FORMATS, format_of
from chuhe.records.files import READABLE, read_games
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.pgn import format_pgn
from chuhe.text.columns import pad
from chuhe.text.message import LANGUAGES, Message
from chuhe.text.system_language import Speaker, take_language


def describe(book: Book, position: Position, notation: Notation, say: Speaker) -> str:
    """The book's moves in one position, each with its share."""
    choices = book.probe(position)
    if not choices:
        return say("unknown")
    total = sum(weight for _, weight in choices)
    word = say("book.weight")
    return "\n".join(
        f"{pad(move_text(position, move, notation), 10)} {move.iccs}  {word} {weight:>6}  {100 * weight / total:5.1f} %"
        for move, weight in choices
    )


_SUFFIXES = ", ".join(f"{known.suffix} ({known.name})" for known in FORMATS.values())


def _parser(say: Speaker) -> argparse.ArgumentParser:
    language = say.language
    parser = Parser(prog="chuhe book", description=say("book-help.description"), language=language)
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, language=language)

    def number(least: int, most: int = 2**31 - 1) -> Callable[[str], int]:
        return whole_number(least, most, language)

    build = command("build", say("book-help.build"))
    build.add_argument("games", metavar="GAMES", nargs="+", type=Path, help=say("book-help.games"))
    build.add_argument(
        "--output", type=Path, default=Path("book.bin"), help=say("book-help.output", suffixes=_SUFFIXES)
    )
    build.add_argument("--force", action="store_true", help=say("book-help.force"))
    build.add_argument("--plies", type=number(1), default=BookRecipe.plies, help=say("book-help.plies"))
    build.add_argument("--min-games", type=number(1), default=BookRecipe.min_games, help=say("book-help.min-games"))
    build.add_argument("--win", type=number(0, 10_000), default=BookRecipe.win, help=say("book-help.win"))
    build.add_argument("--draw", type=number(0, 10_000), default=BookRecipe.draw, help=say("book-help.draw"))
    build.add_argument("--loss", type=number(0, 10_000), default=BookRecipe.loss, help=say("book-help.loss"))
    play = command("play", say("book-help.play"))
    play.add_argument("--output", type=Path, default=Path("selfplay.pgn"), help=say("book-help.play-output"))
    play.add_argument("--games", type=number(1), default=100, help=say("book-help.play-games"))
    play.add_argument("--seed", type=int, default=1, help=say("book-help.seed"))
    play.add_argument("--nodes", type=number(1), default=Plan.nodes, help=say("book-help.nodes"))
    play.add_argument(
        "--opening-nodes", type=number(1), default=Plan.opening_nodes, help=say("book-help.opening-nodes")
    )
    play.add_argument("--plies", type=number(0), default=Plan.plies, help=say("book-help.opening"))
    add_worker_options(play, say)
    convert = command("convert", say("book-help.convert"))
    convert.add_argument("source", metavar="SOURCE", type=Path, help=say("book-help.source"))
    convert.add_argument("target", metavar="TARGET", type=Path, help=_SUFFIXES)
    convert.add_argument("--force", action="store_true", help=say("book-help.force"))
    convert.add_argument("--plies", type=number(1, LONGEST_LINE), default=LONGEST_LINE, help=say("book-help.longest"))
    convert.add_argument("--min-weight", type=number(1), default=1, help=say("book-help.min-weight"))
    edit = command("edit", say("book-help.edit"))
    edit.add_argument("book", metavar="BOOK", type=Path, help=say("book-help.book"))
    edit.add_argument("change", choices=("add", "weigh", "delete"), help=say("book-help.change"))
    edit.add_argument("move", metavar="MOVE", help=say("book-help.move"))
    edit.add_argument("weight", metavar="N", nargs="?", type=number(1), help=say("book-help.weight"))
    edit.add_argument("--after", nargs="+", default=[], metavar="MOVE", help=say("book-help.after"))
    edit.add_argument("--fen", default=START_FEN, help=say("judge.help-fen"))
    show = command("show", say("book-help.show"))
    show.add_argument("moves", metavar="MOVE", nargs="*", help=say("judge.help-moves"))
    show.add_argument("--book", metavar="FILES", help=say("play-help.book"))
    show.add_argument("--fen", default=START_FEN, help=say("judge.help-fen"))
    show.add_argument(
        "--notation", choices=NOTATIONS, default=USUAL_NOTATION[language], help=say("analyze-help.notation")
    )
    return parser


def _build(options: argparse.Namespace, say: Speaker) -> int:
    target = format_of(options.output)
    check_output(options.output, force=options.force, ours=target.ours)
    recipe = BookRecipe(options.plies, options.win, options.draw, options.loss, options.min_games)
    games: list[GameRecord] = []
    faults: list[RecordError] = []

    def on_fault(fault: RecordError) -> None:
        faults.append(fault)
        bar.write(f"chuhe book: {say('analyze.left-out', fault=fault.message)}")

    bar = Bar(100 * len(options.games), say("bar.file-share"))
    for number, path in enumerate(options.games, 1):

        def on_game(share: float, before: int = number - 1) -> None:
            bar.step(count=max(0, 100 * before + int(100 * share) - bar.done))

        games += read_games(path, on_game, on_fault)
        bar.step(say("book.games", count=len(games)), 100 * number - bar.done)
    bar.close()
    pages = list(pages_of_games(games, recipe))
    if not pages:
        raise BookError(Message("book.no-moves"))
    count = target.write(options.output, pages)
    print(say("book.built", path=str(options.output), count=count, games=Message("book.games", count=len(games))))
    return 1 if faults else 0


def _play(options: argparse.Namespace, say: Speaker) -> int:
    """Games already in the file count, so a stopped run resumes where it left off."""
    path: Path = options.output
    try:
        check_output(path, ours=marked('[Event "self-play'))
    except OutputError as error:
        if path.is_file():
            raise OutputError(Message("book.other-data", path=str(path))) from None
        raise error
    with exclusive(path):
        return _play_on(path, options, say)


def _play_on(path: Path, options: argparse.Namespace, say: Speaker) -> int:
    done = len(read_games(path)) if path.exists() and path.stat().st_size else 0
    plan = Plan(plies=options.plies, nodes=options.nodes, opening_nodes=options.opening_nodes)
    bar = Bar(options.games, say("bar.games"), done)

    try:
        numbers = range(done + 1, options.games + 1)
        with spread(
            partial(book_game, plan, options.seed), numbers, workers_of(options, say.language), tell=bar.write
        ) as games:
            for game in games:
                append_file(path, format_pgn(game) + "\n")
                bar.step(game.result)
    except KeyboardInterrupt:
        bar.write(say("book.stopped", path=str(path)) if path.exists() else say("file.nothing-written"))
        return 130
    finally:
        bar.close()
    return 0


def book_game(plan: Plan, seed: int, number: int) -> GameRecord:
    """A game for a book; runs in any process."""
    return play_game(plan, seed, number, own_engine(plan.settings))


def _convert(options: argparse.Namespace, say: Speaker) -> int:
    if options.target.suffix.lower() not in FORMATS:
        raise BookError(Message("book.suffix", path=str(options.target), suffixes=_SUFFIXES))
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
        print(f"chuhe book: {say('analyze.left-out', fault=fault.message)}", file=sys.stderr)
    bar = None if held is None else Bar(held, say("bar.moves"))
    count = target.write(options.target, _weighed(pages, options.min_weight, bar))
    if bar is not None:
        bar.close()
    path, moves = str(options.target), f"{count:,}"
    if held is None:
        print(say("book.converted", path=path, moves=moves))
    else:
        print(say("book.converted-of", path=path, moves=moves, held=f"{held:,}"))
        if count < held:
            print(say("book.unreached"))
    return 1 if faults else 0


def _weighed(pages: Iterator[Page], least: int, bar: Bar | None) -> Iterator[Page]:
    """The pages without the moves that weigh less; the progress is that of the moves."""
    for page in pages:
        for entry in page.entries.values():
            entry.weight = entry.weight if entry.weight >= least else 0
        if bar is not None:
            bar.step(count=sum(entry.weight > 0 for entry in page.entries.values()))
        yield page


def _edit(options: argparse.Namespace, say: Speaker) -> int:
    if options.change == "weigh" and options.weight is None:
        raise BookError(Message("book.weigh-needs"))
    if options.change == "delete" and options.weight is not None:
        raise BookError(Message("book.delete-takes"))
    position = _position(options.fen, options.after)
    move = position.parse_move(options.move)
    weight = 0 if options.change == "delete" else options.weight or 1
    edit_book(options.book, options.change, position, move, weight)
    print(describe(Book.load(options.book), position, USUAL_NOTATION[say.language], say))
    return 0


def _position(fen: str, moves: list[str]) -> Position:
    position = Position(fen)
    for move in moves:
        position.push(move)
    return position


def _show(options: argparse.Namespace, say: Speaker) -> int:
    files = options.book or default_book_path()
    if files is None:
        raise BookError(Message("book.no-own"))
    print(describe(BookStack.load_all(files), _position(options.fen, options.moves), options.notation, say))
    return 0


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    say = Speaker(language)
    options = _parser(say).parse_args(arguments)
    try:
        commands = {"build": _build, "play": _play, "convert": _convert, "edit": _edit, "show": _show}
        return commands[options.command](options, say)
    except (BookError, RecordError, ValueError, OSError) as error:
        return report_fault("book", error, language)
