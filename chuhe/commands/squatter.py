"""`chuhe squatter`: lets two players play Squatter under a referee, or you against one, or shows a board."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from chuhe.common.command_line import Parser, report_fault, seconds, whole_number
from chuhe.files.encoding import text_of
from chuhe.variants.squatter._squatter import LARGEST_SIZE, Squatter
from chuhe.variants.squatter.players import (
    DEFAULT_DEPTH,
    LazyPlayer,
    MinimaxPlayer,
    PlayerError,
    RandomPlayer,
    SquatterPlayer,
    accepted_settings,
    load_player,
)
from chuhe.variants.squatter.referee import SquatterResult, referee
from chuhe.variants.squatter.text import (
    COLOUR_NAMES,
    Cell,
    StoneColour,
    Weights,
    board_text,
    cell_text,
    labelled_board,
    parse_board,
    position,
    winner_of,
)
from chuhe.variants.weights import finite_weight, parse_weights

HUMAN, MINIMAX, RANDOM = "human", "minimax", "random"
COLOURS = ("white", "black")
PATIENCE = 60.0  # seconds that an external player has for an answer


def arguments_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="chuhe squatter",
        description=__doc__,
        epilog="A player is human, minimax, random, or a class of your own, package.module:Class, with the methods of "
        "chuhe.variants.squatter.players.SquatterPlayer. A board file is the size n, then n rows of n symbols "
        "separated by spaces: + free, W B pieces, w b captured pieces, - a captured free cell. "
        "Weights of minimax: captured, lost, sides, corners, rings.",
    )
    board = parser.add_mutually_exclusive_group()
    board.add_argument(
        "file", metavar="FILE", nargs="?", help="a board to start from; -: standard input (default an empty one)"
    )
    parser.add_argument("--show", action="store_true", help="only print the board and what each side has captured")
    board.add_argument("--size", type=whole_number(1, LARGEST_SIZE), default=6, metavar="N", help="rows of the board")
    for colour, default in (("white", MINIMAX), ("black", RANDOM)):
        name = colour.capitalize()
        parser.add_argument(f"--{colour}", metavar="PLAYER", default=default, help=f"who plays {name}")
        parser.add_argument(
            f"--{colour}-depth", type=whole_number(1, 60), metavar="N", help=f"placements, for {name} alone"
        )
        parser.add_argument(f"--{colour}-weights", metavar="NAME=X,…", help=f"weights, for {name} alone")
    parser.add_argument("--to-move", choices=COLOURS, help="who moves first (default white)")
    parser.add_argument(
        "--depth", type=whole_number(1, 60), metavar="N",
        help=f"how many placements minimax looks ahead (default {DEFAULT_DEPTH})",
    )  # fmt: skip
    parser.add_argument(
        "--symmetries", type=int, choices=(1, 4, 8),
        help="share table entries between rotations (4), reflections too (8), or not at all (1) (default 4)",
    )  # fmt: skip
    parser.add_argument("--weights", metavar="NAME=X,…", help="minimax's weights")
    parser.add_argument(
        "--patience", type=seconds(), default=PATIENCE, metavar="SECONDS",
        help="seconds per answer of your own player; one that exceeds them loses",
    )  # fmt: skip
    parser.add_argument("--games", type=whole_number(1, 1_000_000), default=1, metavar="N", help="games to play")
    parser.add_argument("--seed", type=int, help="makes random players repeatable")
    parser.add_argument("--quiet", action="store_true", help="results only, no boards")
    return parser


@dataclass(frozen=True)
class PlayerSpec:
    """Who plays a colour, and the options given for it."""

    kind: str
    maker: Callable[..., SquatterPlayer] | None  # None: a person
    settings: dict[str, Any]

    @property
    def foreign(self) -> bool:
        return self.kind not in (HUMAN, MINIMAX, RANDOM)

    def make(self, seed: int) -> SquatterPlayer:
        assert self.maker is not None
        seeded = {"seed": seed} if "seed" in accepted_settings(self.maker, {"seed": seed}) else {}
        return self.maker(**self.settings, **seeded)


def player_spec(colour: str, options: argparse.Namespace) -> PlayerSpec:
    """Raises PlayerError or WeightError if the player or its options are wrong."""
    kind: str = getattr(options, colour)
    makers: dict[str, Callable[..., SquatterPlayer] | None] = {
        HUMAN: None, MINIMAX: MinimaxPlayer, RANDOM: RandomPlayer,
    }  # fmt: skip
    maker = makers[kind] if kind in makers else load_player(kind)
    own = {name: getattr(options, f"{colour}_{name}") for name in ("depth", "weights")}
    wanted = {name: own[name] or getattr(options, name) for name in own} | {"symmetries": options.symmetries}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    settings = accepted_settings(maker, wanted) if maker is not None else {}
    for name, value in own.items():
        if value is not None and name not in settings:
            raise PlayerError(f"--{colour}-{name} has no effect: {kind} takes no {name}")
    if "weights" in settings:
        text = settings["weights"]
        settings["weights"] = Weights.parse(text) if kind == MINIMAX else parse_weights(text, None, finite_weight)
    return PlayerSpec(kind, maker, settings)


def main(arguments: list[str]) -> int:
    options = arguments_parser().parse_args(arguments)
    try:
        specs = [player_spec(colour, options) for colour in COLOURS]
        size, symbols = parse_board(text_of(options.file)) if options.file else (options.size, None)
        to_move: StoneColour | None = {"white": "W", "black": "B", None: None}[options.to_move]
        game = position(size, symbols, to_move)
        if options.show:
            print(board_report(game))
        elif any(spec.maker is None for spec in specs):
            play_with_people(options, specs, size, symbols, to_move)
        else:
            play_games(options, specs, size, symbols, to_move)
    except (OSError, ValueError) as error:
        return report_fault("squatter", error)
    except KeyboardInterrupt:
        print("\nThe game is left unfinished.")
        return 130
    return 0


def board_report(game: Squatter) -> str:
    white, black = game.captured_counts
    winner = winner_of(game)
    state = {"W": "White has won", "B": "Black has won", "draw": "The game is drawn", None: ""}[winner]
    if winner is None:
        state = f"{'White' if game.white_moves else 'Black'} to move"
    return f"{board_text(game.size, game.symbols)}\n{state}: White captured {white}, Black captured {black}."


def play_with_people(
    options: argparse.Namespace, specs: list[PlayerSpec], size: int, symbols: str | None, to_move: StoneColour | None
) -> None:
    """The terminal game of `chuhe play --variant squatter`, with the requested players."""
    from chuhe.variants.squatter.terminal import SquatterGame
    from chuhe.variants.terminal import VariantLoop
    from chuhe.variants.terminal_game import Setup

    start = board_text(size, symbols) if symbols else ""
    patience = options.patience if any(spec.foreign for spec in specs) else None
    setup = Setup(start=start, size=size, to_move=to_move, patience=patience)
    seeds = random.Random(options.seed)
    makers = {
        side: partial(spec.make, seeds.getrandbits(32)) for side, spec in enumerate(specs) if spec.maker is not None
    }
    VariantLoop(lambda: SquatterGame(setup, makers), {0, 1} - makers.keys()).run()


def play_games(
    options: argparse.Namespace, specs: list[PlayerSpec], size: int, symbols: str | None, to_move: StoneColour | None
) -> None:
    """Play the games, printing each board unless --quiet is given, and the totals if there are several."""
    seeds = random.Random(options.seed)
    tally = {"W": 0, "B": 0, "draw": 0}
    patience = [options.patience if spec.foreign else None for spec in specs]
    for number in range(1, options.games + 1):
        white, black = (LazyPlayer(partial(spec.make, seeds.getrandbits(32))) for spec in specs)
        on_move = None if options.quiet else print_move
        result: SquatterResult = referee(white, black, size, symbols, to_move, on_move, (patience[0], patience[1]))
        tally[result.winner] += 1
        print(f"game {number}: {result.text()}" if options.games > 1 else result.text(), flush=True)
    if options.games > 1:
        print(f"White {tally['W']}, Black {tally['B']}, draws {tally['draw']}")


def print_move(board: Squatter, colour: StoneColour, cell: Cell) -> None:
    print(f"{COLOUR_NAMES[colour]} plays {cell_text(cell)}")
    print(labelled_board(board), flush=True)
