"""``chuhe eval``: the evaluation of a position, term by term."""

from __future__ import annotations

from chuhe.coach.score_words import words_for_score
from chuhe.common.command_line import Parser, report_fault
from chuhe.engine import START_FEN, Position
from chuhe.play.opponents import PositionEngine
from chuhe.text.message import LANGUAGES
from chuhe.text.system_language import Speaker, take_language
from chuhe.variants.styles import STYLES, StyleEngine, make_style


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    say = Speaker(language)
    parser = Parser(prog="chuhe eval", description=say("eval.description"), language=language)
    parser.add_argument("--fen", default=START_FEN, help=say("judge.help-fen"))
    parser.add_argument("--style", choices=tuple(STYLES), help=say("eval.help-style"))
    parser.add_argument("--weights", default="", metavar="NAME=N,…", help=say("play-help.weights"))
    parser.add_argument("moves", metavar="MOVE", nargs="*", help=say("judge.help-moves"))
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    options = parser.parse_args(arguments)
    if options.weights and not options.style:
        parser.error(say("eval.weights-need-style"))
    try:
        position = Position(options.fen)
        for move in options.moves:
            position.push(move)
        engine = _judge(options.style, options.weights)
    except ValueError as error:
        return report_fault("eval", error, language)
    engine.set_position(position)
    print(engine.evaluation_table(language))
    print(words_for_score(engine.evaluate(), position.turn).text(language))
    return 0


def _judge(style: str | None, weights: str) -> PositionEngine:
    if style is not None:
        return StyleEngine(make_style(style, weights))
    from chuhe.engine import Engine

    return Engine()
