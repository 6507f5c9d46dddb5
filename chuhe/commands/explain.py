"""`chuhe explain`: what a line of moves shows, one fact a line."""

from __future__ import annotations

from chuhe.coach import explain
from chuhe.coach.threats import engine_mates
from chuhe.commands.judge import line_parser, push_all
from chuhe.common.command_line import report_fault
from chuhe.engine import Engine, FenError, IllegalMoveError, InvalidMoveError, Position, Settings
from chuhe.text.message import Message
from chuhe.text.system_language import take_language


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    options = line_parser("explain", Message("explain.description"), language).parse_args(arguments)
    try:
        position = Position(options.fen)
        game = position.copy()
        push_all(game, options.moves)
    except (FenError, InvalidMoveError, IllegalMoveError) as error:
        return report_fault("explain", error, language)
    for fact in explain(position, game.move_stack, engine_mates(Engine(Settings(hash_mb=8)))):
        print(fact.text(language=language))
    return 0
