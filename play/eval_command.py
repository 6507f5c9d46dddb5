"""``chuhe eval``: the evaluation of a position, term by term."""

from __future__ import annotations

import argparse
import sys

from engine import START_FEN, Position
from play.score_words import words_for_score


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="chuhe eval", description="The evaluation of a position, term by term.")
    parser.add_argument("--fen", default=START_FEN, help="the position (default: the start)")
    parser.add_argument("moves", nargs="*", help="moves from there, in any notation")
    options = parser.parse_args(arguments)
    try:
        position = Position(options.fen)
        for move in options.moves:
            position.push(move)
    except ValueError as error:
        print(f"chuhe eval: {error}", file=sys.stderr)
        return 2
    from engine import Engine

    engine = Engine()
    engine.set_position(position)
    print(engine.evaluation_table())
    print(words_for_score(engine.evaluate(), position.turn))
    return 0
