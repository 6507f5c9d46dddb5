"""``chuhe eval``: the evaluation of a position, term by term."""

from __future__ import annotations

import sys

from chuhe.common.command_line import Parser
from chuhe.engine import START_FEN, Position
from chuhe.engine.styles import STYLES, StyleEngine, make_style
from chuhe.play.opponents import PositionEngine
from chuhe.play.score_words import words_for_score


def main(arguments: list[str]) -> int:
    parser = Parser(prog="chuhe eval", description="The evaluation of a position, term by term.")
    parser.add_argument("--fen", default=START_FEN, help="the position (default the start position)")
    parser.add_argument("--style", choices=tuple(STYLES), help="an older program's evaluation, part by part")
    parser.add_argument("--weights", default="", metavar="NAME=N,…", help="weights to use instead of the style's own")
    parser.add_argument("moves", metavar="MOVE", nargs="*", help="moves from the position, in any notation")
    options = parser.parse_args(arguments)
    if options.weights and not options.style:
        parser.error("--weights needs --style")
    try:
        position = Position(options.fen)
        for move in options.moves:
            position.push(move)
        engine = _judge(options.style, options.weights)
    except ValueError as error:
        print(f"chuhe eval: {error}", file=sys.stderr)
        return 2
    engine.set_position(position)
    print(engine.evaluation_table())
    print(words_for_score(engine.evaluate(), position.turn))
    return 0


def _judge(style: str | None, weights: str) -> PositionEngine:
    if style is not None:
        return StyleEngine(make_style(style, weights))
    from chuhe.engine import Engine

    return Engine()
