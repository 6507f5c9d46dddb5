"""`chuhe explain`: what a line of moves shows, one fact a line."""

from __future__ import annotations

import sys

from chuhe.common.command_line import Parser
from chuhe.engine import START_FEN, Engine, FenError, IllegalMoveError, InvalidMoveError, Move, Position, Settings
from chuhe.engine.coach import explain
from chuhe.engine.coach.threats import engine_mates


def read_line(position: Position, texts: list[str]) -> list[Move]:
    """The moves of a line in any notation; an error says which of them is wrong."""
    game = position.copy()
    moves = []
    for number, text in enumerate(texts, start=1):
        try:
            moves.append(game.parse_move(text))
            game.push(moves[-1])
        except (InvalidMoveError, IllegalMoveError) as error:
            raise type(error)(f"move {number}: {error}") from None
    return moves


def main(arguments: list[str]) -> int:
    parser = Parser(
        prog="chuhe explain",
        description="Print what the moves do: named mates and tactics, with the pieces and points that prove them. "
        "docs/coach.md defines each name. Nothing is printed where nothing can be proven.",
        epilog="MOVE is read in any notation: h2e2, H2-E2, C2=5, 炮二平五.",
    )
    parser.add_argument("moves", metavar="MOVE", nargs="*", help="moves from the position")
    parser.add_argument("--fen", metavar="FEN", default=START_FEN, help="the position (default the start position)")
    options = parser.parse_args(arguments)
    try:
        position = Position(options.fen)
        line = read_line(position, options.moves)
    except (FenError, InvalidMoveError, IllegalMoveError) as error:
        print(f"chuhe explain: {error}", file=sys.stderr)
        return 2
    for fact in explain(position, line, engine_mates(Engine(Settings(hash_mb=8)))):
        print(fact.text())
    return 0
