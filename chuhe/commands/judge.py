"""`chuhe judge`: what a referee decides after the given moves, as a result and in words."""

from __future__ import annotations

from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.engine import START_FEN, FenError, IllegalMoveError, InvalidMoveError, Law, Position
from chuhe.engine.bounds import bounds_of
from chuhe.engine.values import REPETITION_LAWS
from chuhe.text.message import LANGUAGES, Language, Message
from chuhe.text.system_language import Speaker, take_language

NOT_OVER = "*", Message("judge.not-over")


def push_all(position: Position, moves: list[str]) -> None:
    """Play moves in any notation; an error says which of them is wrong."""
    for number, text in enumerate(moves, start=1):
        try:
            position.push(text)
        except (InvalidMoveError, IllegalMoveError) as error:
            raise type(error)(Message("judge.move", number=number, fault=error.message)) from None


def line_parser(name: str, description: Message, language: Language) -> Parser:
    """The command line of a command that reads a position and moves from it."""
    say = Speaker(language)
    about = description.text(language)
    parser = Parser(prog=f"chuhe {name}", description=about, epilog=say("judge.epilog"), language=language)
    parser.add_argument("moves", metavar="MOVE", nargs="*", help=say("judge.help-moves"))
    parser.add_argument("--fen", metavar="FEN", default=START_FEN, help=say("judge.help-fen"))
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    return parser


def judge(fen: str, moves: list[str], law: Law) -> tuple[str, Message]:
    """The result and the reason after the last move. The moves may be in any notation.

    >>> result, reason = judge("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8".split(), Law(occurrences=2))
    >>> result, str(reason)
    ('0-1', 'Red gives check with every move: Red loses')
    """
    position = Position(fen)
    push_all(position, moves)
    outcome = position.outcome(law)
    return (outcome.result, outcome.message) if outcome else NOT_OVER


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    say = Speaker(language)
    parser = line_parser("judge", Message("judge.description"), language)
    occurrences, limit = (whole_number(*bounds_of(Law)[name], language) for name in ("occurrences", "move_limit"))
    parser.add_argument("--occurrences", type=occurrences, default=2, help=say("judge.help-occurrences"))
    parser.add_argument("--law", choices=REPETITION_LAWS, default="wxf", help=say("judge.help-law"))
    parser.add_argument("--move-limit", type=limit, default=Law().move_limit, help=say("judge.help-limit"))
    options = parser.parse_args(arguments)
    try:
        law = Law(occurrences=options.occurrences, move_limit=options.move_limit, repetition=options.law)
        result, reason = judge(options.fen, options.moves, law)
    except (FenError, InvalidMoveError, IllegalMoveError) as error:
        return report_fault("judge", error, language)
    print(f"{result}  {reason.text(language)}")
    return 0
