"""`chuhe explain`: what a line of moves shows, one fact a line."""

from __future__ import annotations

import sys

from chuhe.common.command_line import Parser
from chuhe.common.system_language import Speaker, take_language
from chuhe.engine import START_FEN, Engine, FenError, IllegalMoveError, InvalidMoveError, Move, Position, Settings
from chuhe.engine.coach import explain
from chuhe.engine.coach.threats import engine_mates
from chuhe.engine.message import LANGUAGES, Message, message_of


def read_line(position: Position, texts: list[str]) -> list[Move]:
    """The moves of a line in any notation; an error says which of them is wrong."""
    game = position.copy()
    moves = []
    for number, text in enumerate(texts, start=1):
        try:
            moves.append(game.parse_move(text))
            game.push(moves[-1])
        except (InvalidMoveError, IllegalMoveError) as error:
            raise type(error)(Message("judge.move", number=number, fault=error.message)) from None
    return moves


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    say = Speaker(language)
    parser = Parser(
        prog="chuhe explain", description=say("explain.description"), epilog=say("judge.epilog"), language=language
    )
    parser.add_argument("moves", metavar="MOVE", nargs="*", help=say("judge.help-moves"))
    parser.add_argument("--fen", metavar="FEN", default=START_FEN, help=say("judge.help-fen"))
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    options = parser.parse_args(arguments)
    try:
        position = Position(options.fen)
        line = read_line(position, options.moves)
    except (FenError, InvalidMoveError, IllegalMoveError) as error:
        print(f"chuhe explain: {message_of(error).text(language)}", file=sys.stderr)
        return 2
    for fact in explain(position, line, engine_mates(Engine(Settings(hash_mb=8)))):
        print(fact.text(language=language))
    return 0
