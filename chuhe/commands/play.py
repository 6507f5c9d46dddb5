"""`chuhe play`: a game in the terminal, or through a pipe."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from chuhe.common.command_line import (
    Parser,
    add_book_options,
    add_resource_options,
    report_fault,
    seconds,
    setting_number,
    whole_number,
)
from chuhe.engine import Law
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import CHINESE_NOTATIONS, NOTATIONS, USUAL_NOTATION, Notation
from chuhe.engine.values import OTHER_GAMES, REPETITION_LAWS
from chuhe.play.board import BOARD_LOOKS, CHINESE_SAMPLE, ROW_LOOKS, BoardLook
from chuhe.play.completion import complete, may_suggest
from chuhe.play.game_clock import parse_clock
from chuhe.play.keyboard import allow_control_sequences
from chuhe.play.line_reader import make_reader
from chuhe.play.opponents import OpponentError, Strength
from chuhe.play.screen import PipeScreen, TerminalScreen, can_show
from chuhe.play.seats import MIDDLE_LEVEL, Seat, SeatError, parse_seat
from chuhe.play.terminal import run
from chuhe.play.workspace import Preferences, Workspace
from chuhe.records.books.book import BookError, BookFiles
from chuhe.records.files import read_numbered
from chuhe.text.message import LANGUAGES, Language, Message
from chuhe.text.system_language import Speaker, take_language
from chuhe.variants.styles.style import QUIET_ORDERS


def parser(language: Language = "en") -> argparse.ArgumentParser:
    say = Speaker(language)
    result = Parser(prog="chuhe play", description=say("play-help.description"), language=language)
    who = result.add_argument_group(say("play-help.who"))
    who.add_argument("--side", choices=("red", "black"), help=say("play-help.side"))
    who.add_argument("--red", metavar="WHO", help=say("play-help.seat"))
    who.add_argument("--black", metavar="WHO", help=say("play-help.seat"))
    level = say("play-help.level", default=MIDDLE_LEVEL, most=LEVELS[-1])
    program = who.add_mutually_exclusive_group()
    program.add_argument("--level", type=setting_number("level", language), help=level)
    who.add_argument("--depth", type=whole_number(1, language=language), help=say("play-help.depth"))
    who.add_argument("--breadth", type=whole_number(1, language=language), help=say("play-help.breadth"))
    who.add_argument("--time", type=seconds(language), metavar="SECONDS", help=say("play-help.time"))
    program.add_argument("--style", choices=("engine", "s0", "s1"), default="engine", help=say("play-help.style"))
    who.add_argument("--weights", default="", metavar="NAME=N,…", help=say("play-help.weights"))
    who.add_argument("--quiet-order", choices=QUIET_ORDERS, default="", help=say("play-help.quiet-order"))
    program.add_argument("--engine", metavar="COMMAND", help=say("play-help.engine"))
    who.add_argument("--ponder", action="store_true", help=say("play-help.ponder"))
    add_book_options(who, say)
    who.add_argument("--no-book", action="store_true", help=say("play-help.no-book"))
    add_resource_options(who, say)
    who.add_argument("--seed", type=int, help=say("play-help.seed"))
    what = result.add_argument_group(say("play-help.what"))
    start = what.add_mutually_exclusive_group()
    start.add_argument("--fen", help=say("play-help.fen"))
    start.add_argument("--load", metavar="FILE", help=say("play-help.load"))
    what.add_argument("--clock", metavar="CLOCK", help=say("play-help.clock"))
    what.add_argument("--law", choices=REPETITION_LAWS, default="wxf", help=say("play-help.law"))
    what.add_argument("--variant", choices=OTHER_GAMES, help=say("play-help.variant"))
    how = result.add_argument_group(say("play-help.how"))
    how.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    look = how.add_mutually_exclusive_group()
    look.add_argument("--ascii", action="store_true", help=say("play-help.ascii"))
    look.add_argument("--board", choices=BOARD_LOOKS, help=say("play-help.board"))
    how.add_argument("--notation", choices=NOTATIONS, help=say("play-help.notation"))
    how.add_argument("--colour", choices=("auto", "always", "never"), default="auto", help=say("play-help.colour"))
    how.add_argument("--quiet", action="store_true", help=say("play-help.quiet"))
    return result


def _seats(options: argparse.Namespace) -> tuple[Seat, Seat]:
    if options.style == "engine" and (options.weights or options.quiet_order):
        raise SeatError(Message("play.no-style"))
    movetime = None if options.time is None else max(1, round(options.time * 1000))
    searched = any(value is not None for value in (options.depth, options.breadth, options.time))
    strength = Strength(
        options.level or (LEVELS[-1] if searched else MIDDLE_LEVEL),
        options.depth,
        options.breadth,
        movetime,
        options.style,
        options.weights,
        options.quiet_order,
    )
    texts = ["human", "computer"] if options.side != "black" else ["computer", "human"]
    texts = [chosen or default for chosen, default in zip((options.red, options.black), texts, strict=True)]
    if options.side is None and options.red is not None and options.black is None and options.red != "human":
        texts[1] = "human"
    red, black = (parse_seat(text, strength, options.engine) for text in texts)
    return red, black


def _preferences(options: argparse.Namespace, seats: tuple[Seat, Seat], language: Language) -> Preferences:
    board: BoardLook = options.board or ("ascii" if options.ascii else "unicode")
    notation: Notation | None = options.notation
    if not can_show(CHINESE_SAMPLE):
        board = "ascii"
        notation = "iccs" if notation in CHINESE_NOTATIONS else notation
    usual = USUAL_NOTATION[language]
    return Preferences(
        board=board,
        notation=notation or ("rows" if board in ROW_LOOKS else usual),
        notation_elsewhere=notation or usual,
        black_at_bottom=seats[1].human and not seats[0].human,
        show_thinking=not options.quiet,
        ponder=options.ponder,
        use_book=not options.no_book,
        book_files=BookFiles(options.book, options.red_book, options.black_book),
        hash_mb=options.hash,
        threads=options.threads,
        seed=options.seed,
        language=language,
    )


def _open_workspace(options: argparse.Namespace, language: Language) -> Workspace:
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and allow_control_sequences()
    automatic = interactive and "NO_COLOR" not in os.environ
    colour = options.colour == "always" or (options.colour == "auto" and automatic)
    screen = TerminalScreen(colour) if interactive else PipeScreen(colour)
    seats = _seats(options)
    workspace = Workspace(screen, seats, _preferences(options, seats, language), Law(repetition=options.law))
    if options.clock:
        workspace.game.set_clock(parse_clock(options.clock))
    if options.load:
        games, _ = read_numbered(options.load, keep_broken=True)
        game = next(iter(games.values()))
        workspace.game.load(game)
        workspace.note_saved()
        if game.fault is not None:
            workspace.tell("play.broken-game", fault=game.fault)
    elif options.fen:
        workspace.game.start(options.fen)
    return workspace


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    known, rest = _variant(arguments)
    if known is not None:
        from chuhe.variants.terminal import main as play_variant

        return play_variant(known, rest, language)
    options = parser(language).parse_args(arguments)
    try:
        workspace = _open_workspace(options, language)
    except (ValueError, OpponentError, BookError) as error:
        return report_fault("play", error, language)
    try:
        run(
            workspace,
            make_reader(workspace.screen.interactive, partial(complete, workspace), partial(may_suggest, workspace)),
        )
    finally:
        workspace.close()
    return 0


def _variant(arguments: list[str]) -> tuple[str | None, list[str]]:
    """Takes `--variant GAME` out of the arguments, because every game has its own options."""
    for index, argument in enumerate(arguments):
        name = argument.removeprefix("--variant=") if argument.startswith("--variant=") else None
        if argument == "--variant" and index + 1 < len(arguments):
            name, tail = arguments[index + 1], arguments[index + 2 :]
        else:
            tail = arguments[index + 1 :]
        if name in OTHER_GAMES:
            return name, arguments[:index] + tail
    return None, arguments
