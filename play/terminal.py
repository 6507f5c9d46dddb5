"""``chuhe play``: a game in the terminal, or through a pipe."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial

from bench.arguments import Given
from bench.command_line import Parser, seconds
from engine import Law
from engine.book import BookError
from engine.notation import NOTATIONS
from engine.registry import games_with
from engine.styles.style import QUIET_ORDERS
from engine.values import REPETITION_LAWS
from play.board import GLYPHS, STYLES, Style
from play.completion import complete, may_suggest
from play.files import read_numbered
from play.game_clock import parse_clock
from play.line_reader import LineReader, make_reader
from play.opponents import OpponentError, Strength
from play.screen import PipeScreen, TerminalScreen
from play.seats import LEVELS, MIDDLE_LEVEL, Seat, parse_seat
from play.workspace import Preferences, Workspace
from play.xiangqi_game import COLOURS


def _number_from(low: int, high: int | None = None) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < low or (high is not None and int(text) > high):
            raise argparse.ArgumentTypeError(f"a whole number from {low}{f' to {high}' if high else ''}, not {text!r}")
        return int(text)

    return read


def parser() -> argparse.ArgumentParser:
    result = Parser(
        prog="chuhe play", description="A game of xiangqi in the terminal. Type help in the game for its commands."
    )
    who = result.add_argument_group("who plays")
    who.add_argument("--side", choices=("red", "black"), help="your side against the program (default: red)")
    seat = "human, computer, level:N, s0, s1 (s0:threat=2,… for other weights) or engine:COMMAND"
    who.add_argument("--red", metavar="WHO", help=seat)
    who.add_argument("--black", metavar="WHO", help=seat)
    level = f"1 beginner … 10 full strength (default: {MIDDLE_LEVEL}; with --depth, --breadth or --time: {LEVELS[-1]})"
    who.add_argument("--level", type=_number_from(LEVELS[0], LEVELS[-1]), help=level)
    who.add_argument("--depth", type=_number_from(1), help="plies that the program searches")
    who.add_argument("--breadth", type=_number_from(1), help="try only the best N moves of each position")
    who.add_argument("--time", type=seconds(), metavar="SECONDS", help="thinking time per move (default: 1)")
    who.add_argument("--style", choices=("engine", "s0", "s1"), default="engine", help="play like an old program")
    who.add_argument("--weights", default="", metavar="NAME=N,…", help="for the style: strength=6,position=4,…")
    who.add_argument("--quiet-order", choices=QUIET_ORDERS, default="", help="of quiet moves in s1 (default: power)")
    who.add_argument("--engine", metavar="COMMAND", help="any UCCI or UCI engine as the program")
    who.add_argument("--ponder", action="store_true", help="the program also thinks on your time")
    who.add_argument("--book", metavar="FILES", default="", help="opening books, separated by ';' (default: our own)")
    who.add_argument("--no-book", action="store_true", help="programs do not use the book")
    who.add_argument("--hash", type=_number_from(1), default=64, metavar="MB", help="hash table")
    who.add_argument("--threads", type=_number_from(1), default=1, help="search threads")
    who.add_argument("--seed", type=int, help="makes the choice among book moves repeatable")
    what = result.add_argument_group("what is played")
    what.add_argument("--fen", help="the position to start from")
    what.add_argument("--load", metavar="FILE", help="continue a game from a PGN, FEN, XQF or CBL file")
    what.add_argument("--clock", metavar="CLOCK", help="10+5: minutes and increment; 20~30: minutes and byoyomi")
    what.add_argument("--law", choices=REPETITION_LAWS, default="wxf", help="how repetition is judged")
    what.add_argument("--variant", choices=games_with("terminal"), help="another game; see --variant GAME --help")
    how = result.add_argument_group("how it looks")
    how.add_argument("--ascii", action="store_true", help="a board of plain letters")
    how.add_argument("--board", choices=STYLES, help="how the board is drawn (default: unicode)")
    how.add_argument("--notation", choices=NOTATIONS, help="how moves are shown (default: wxf; classic board: rows)")
    how.add_argument("--colour", choices=("auto", "always", "never"), default="auto", help="terminal colours")
    how.add_argument("--quiet", action="store_true", help="do not show what the program thinks")
    return result


def _can_draw_glyphs() -> bool:
    try:
        "".join(GLYPHS.values()).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _seats(options: argparse.Namespace) -> tuple[Seat, Seat]:
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
    red, black = (parse_seat(text, strength, options.engine) for text in _seat_texts(options))
    return red, black


def _seat_texts(options: argparse.Namespace) -> list[str]:
    texts = ["human", "computer"] if options.side != "black" else ["computer", "human"]
    texts = [chosen or default for chosen, default in zip((options.red, options.black), texts, strict=True)]
    if options.side is None and options.red is not None and options.black is None and options.red != "human":
        texts[1] = "human"
    return texts


def _refuse_idle_options(given: Given, options: argparse.Namespace) -> None:
    """Rejects options that would have no effect in this combination."""
    texts = _seat_texts(options)
    if "computer" not in texts:
        given.refuse("level style weights quiet_order engine", f"where {texts[0]} plays {texts[1]}")
    if set(texts) == {"human"}:
        given.refuse("depth breadth ponder seed", "between two people")
    if options.engine:
        given.refuse("level style weights quiet_order", "with --engine, which sets its own strength")
    if options.engine and not any(text.startswith(("level:", "s0", "s1")) for text in texts):
        given.refuse("breadth ponder book no_book seed", "with --engine, which handles that itself")
    if options.style == "engine":
        given.refuse("weights quiet_order", "without --style s0 or s1 (for one side: --red s0:threat=2)")
    else:
        given.refuse("level", f"with --style {options.style}, which sets its own depth")
    if options.style == "s0":
        given.refuse("quiet_order", "with --style s0, which orders all moves by strength")
    if options.red and options.black:
        given.refuse("side", "with --red and --black")
    if options.no_book:
        given.refuse("book seed", "with --no-book")
    if options.load:
        given.refuse("fen", "with --load, which takes the position from the file")
    if options.board:
        given.refuse("ascii", f"with --board {options.board}")


def _preferences(options: argparse.Namespace, seats: tuple[Seat, Seat]) -> Preferences:
    board: Style = "ascii" if options.ascii or not _can_draw_glyphs() else "unicode"
    return Preferences(
        board=options.board or board,
        notation=options.notation or ("rows" if options.board == "classic" else "wxf"),
        notation_elsewhere=options.notation or "wxf",
        black_at_bottom=seats[1].human and not seats[0].human,
        show_thinking=not options.quiet,
        ponder=options.ponder,
        use_book=not options.no_book,
        book_files=options.book,
        hash_mb=options.hash,
        threads=options.threads,
        seed=options.seed,
    )


def _open_workspace(options: argparse.Namespace) -> Workspace:
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    automatic = interactive and "NO_COLOR" not in os.environ
    colour = options.colour == "always" or (options.colour == "auto" and automatic)
    screen = TerminalScreen(colour) if interactive else PipeScreen(colour)
    seats = _seats(options)
    workspace = Workspace(screen, seats, _preferences(options, seats), Law(repetition=options.law))
    if options.clock:
        workspace.game.set_clock(parse_clock(options.clock))
    if options.load:
        games, _ = read_numbered(options.load)
        workspace.game.load(next(iter(games.values())))
    elif options.fen:
        workspace.game.start(options.fen)
    return workspace


def run(workspace: Workspace, reader: LineReader) -> None:
    """The main loop: programs play, the board is shown, a line is read and executed."""
    game = workspace.game
    if game.opponent_to_move is None or all(not seat.human for seat in workspace.seats):
        # directly above the prompt, so that it is visible on a small screen too
        workspace.show_board("" if game.turns else workspace.greeting())
    else:
        workspace.let_programs_play()
        workspace.say(workspace.greeting())
    while not workspace.done:
        workspace.let_programs_play()
        line = reader.read(f"{COLOURS[game.turn]}> ")
        if line is None:
            break
        if workspace.execute(line):
            reader.keep(line)


def main(arguments: list[str]) -> int:
    known, rest = _variant(arguments)
    if known is not None:
        from play.variant_terminal import main as play_variant

        return play_variant(known, rest)
    options = parser().parse_args(arguments)
    _refuse_idle_options(Given(parser(), arguments), options)
    try:
        workspace = _open_workspace(options)
    except (ValueError, OpponentError, BookError) as error:
        print(f"chuhe play: {error}", file=sys.stderr)
        return 2
    try:
        run(
            workspace,
            make_reader(workspace.screen.interactive, partial(complete, workspace), partial(may_suggest, workspace)),
        )
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the reader has closed the pipe; discard the rest
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
        if name in games_with("terminal"):
            return name, arguments[:index] + tail
    return None, arguments
