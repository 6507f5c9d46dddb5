"""`chuhe squatter`: let two players play Squatter before a referee, or show a board."""

from __future__ import annotations

import argparse
import random
import re
import sys
from pathlib import Path

from engine.games._squatter import LARGEST_SIZE, Squatter
from engine.games.squatter import (
    COLOUR_NAMES,
    DEFAULT_DEPTH,
    BoardError,
    Cell,
    Colour,
    MinimaxPlayer,
    Player,
    RandomPlayer,
    Result,
    Weights,
    board_text,
    cell_text,
    move_of,
    parse_board,
    position,
    referee,
    winner_of,
)

KINDS = ("human", "minimax", "random")


class Resigned(Exception):
    """The human has left the game."""


class HumanPlayer(Player):
    """Asks at the terminal until the answer is a free cell."""

    def choose(self) -> Cell:
        while True:
            try:
                text = input(f"{COLOUR_NAMES[self.colour]}, row and column (or quit): ").strip()
            except EOFError:
                raise Resigned from None
            if text.lower() in ("quit", "q", "exit"):
                raise Resigned
            cell = read_cell(text)
            if cell is None:
                print(f"{text!r} is no cell; two numbers expected, as in 2 3")
            elif move_of(self.game, cell) is None:
                print(f"{cell_text(cell)} is not a free cell of this board")
            else:
                return cell


def read_cell(text: str) -> Cell | None:
    """A cell from `2 3`, `2,3` or `(2,3)`."""
    found = re.fullmatch(r"\(?\s*(\d+)\s*[, ]\s*(\d+)\s*\)?", text)
    return (int(found[1]), int(found[2])) if found else None


def number_from(low: int, high: int) -> object:
    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"a number from {low} to {high} expected, not {text!r}")
        return int(text)

    return read


def weights_table(text: str) -> Weights:
    try:
        return Weights.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def arguments_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chuhe squatter",
        description=__doc__,
        epilog="A board file is the size n, then n rows of n symbols separated by spaces: + free, W B pieces, "
        "w b captured pieces, - a captured free cell. Weights: captured, lost, sides, corners, rings.",
    )
    parser.add_argument("file", nargs="?", help="a board to begin with (-: standard input); else an empty one")
    parser.add_argument("--show", action="store_true", help="read the board, print it and who has captured what")
    parser.add_argument("--size", type=number_from(1, LARGEST_SIZE), default=6, metavar="N", help="default 6")  # type: ignore[arg-type]
    parser.add_argument("--white", choices=KINDS, default="minimax", help="who plays White (default minimax)")
    parser.add_argument("--black", choices=KINDS, default="random", help="who plays Black (default random)")
    parser.add_argument("--to-move", choices=("white", "black"), help="who moves first on a given board")
    parser.add_argument(
        "--depth", type=number_from(1, 60), default=DEFAULT_DEPTH, metavar="N",  # type: ignore[arg-type]
        help=f"placements that minimax looks ahead (default {DEFAULT_DEPTH})",
    )  # fmt: skip
    parser.add_argument(
        "--symmetries", type=int, choices=(1, 4, 8), default=4,
        help="share table entries between rotations (4, the default), reflections too (8), or not at all (1)",
    )  # fmt: skip
    parser.add_argument(
        "--weights", type=weights_table, default=Weights(), metavar="NAME=X,…", help="minimax's weights"
    )
    parser.add_argument("--games", type=number_from(1, 1_000_000), default=1, metavar="N", help="how many to play")  # type: ignore[arg-type]
    parser.add_argument("--seed", type=int, help="makes random players repeatable")
    parser.add_argument("--quiet", action="store_true", help="results only, no boards")
    return parser


def make_player(kind: str, options: argparse.Namespace, seed: int) -> Player:
    if kind == "human":
        return HumanPlayer()
    if kind == "random":
        return RandomPlayer(seed)
    return MinimaxPlayer(options.depth, options.weights, options.symmetries)


def read_board(name: str) -> tuple[int, str]:
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8", errors="replace")
    return parse_board(text)


def main(arguments: list[str]) -> int:
    options = arguments_parser().parse_args(arguments)
    try:
        size, symbols = read_board(options.file) if options.file else (options.size, None)
        to_move: Colour | None = {"white": "W", "black": "B", None: None}[options.to_move]
        game = position(size, symbols, to_move)
        if options.show:
            print(board_report(game))
            return 0
        play_games(options, size, symbols, to_move)
    except OSError as error:
        print(f"chuhe squatter: {options.file}: {error.strerror}", file=sys.stderr)
        return 2
    except BoardError as error:
        print(f"chuhe squatter: {error}", file=sys.stderr)
        return 2
    except (Resigned, KeyboardInterrupt):
        print("\nThe game is left unfinished.")
        return 1
    return 0


def board_report(game: Squatter) -> str:
    white, black = game.captured_counts
    winner = winner_of(game)
    state = {"W": "White has won", "B": "Black has won", "draw": "The game is drawn", None: ""}[winner]
    if winner is None:
        state = f"{'White' if game.white_moves else 'Black'} to move"
    return f"{board_text(game.size, game.symbols)}\n{state}: White captured {white}, Black captured {black}."


def play_games(options: argparse.Namespace, size: int, symbols: str | None, to_move: Colour | None) -> None:
    """Play the games, printing each board unless that was not wanted, and the sum if there are several."""
    seeds = random.Random(options.seed)
    tally = {"W": 0, "B": 0, "draw": 0}
    for number in range(1, options.games + 1):
        white, black = (make_player(kind, options, seeds.getrandbits(32)) for kind in (options.white, options.black))
        if not options.quiet and "human" in (options.white, options.black):
            print(board_text(size, symbols or "+" * size * size))
        result: Result = referee(white, black, size, symbols, to_move, None if options.quiet else print_move)
        tally[result.winner] += 1
        print(f"game {number}: {result.text()}" if options.games > 1 else result.text(), flush=True)
    if options.games > 1:
        print(f"White {tally['W']}, Black {tally['B']}, draws {tally['draw']}")


def print_move(board: Squatter, colour: Colour, cell: Cell) -> None:
    print(f"{COLOUR_NAMES[colour]} plays {cell_text(cell)}")
    print(board_text(board.size, board.symbols, with_size=False), flush=True)
