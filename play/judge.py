"""`chuhe judge`: what a referee decides after the given moves, as a result and in words."""

from __future__ import annotations

import sys

from bench.arguments import Given
from bench.command_line import Parser
from engine import START_FEN, FenError, IllegalMoveError, InvalidMoveError, Law, LimitError, Position
from engine.values import REPETITION_LAWS

LARGEST = 100_000  # for any number in the law; more would be meaningless
NOT_OVER = "*", "the game is not over"


def judge(fen: str, moves: list[str], law: Law) -> tuple[str, str]:
    """The result and the reason after the last move. The moves may be in any notation.

    >>> judge("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8".split(), Law(occurrences=2))
    ('0-1', 'Red gives check with every move: Red loses')
    """
    position = Position(fen)
    for number, text in enumerate(moves, start=1):
        try:
            position.push(text)
        except (InvalidMoveError, IllegalMoveError) as error:
            raise type(error)(f"move {number}: {error}") from None
    outcome = position.outcome(law)
    return (outcome.result, outcome.text) if outcome else NOT_OVER


def main(arguments: list[str]) -> int:
    parser = Parser(
        prog="chuhe judge",
        description="Play the moves and print the referee's decision.",
        epilog="MOVE is read in any notation: h2e2, H2-E2, C2=5, 炮二平五.",
    )
    parser.add_argument("moves", metavar="MOVE", nargs="*", help="moves from the position")
    parser.add_argument("--fen", metavar="FEN", default=START_FEN, help="the position (default: the start position)")
    parser.add_argument(
        "--occurrences",
        metavar="N",
        type=int,
        default=2,
        help="how often a position must occur before the cycle is judged (2: as soon as it recurs)",
    )
    parser.add_argument(
        "--law",
        choices=REPETITION_LAWS,
        default="wxf",
        help="wxf: perpetual check and chase lose (default); checks: only perpetual check; none: no judgement",
    )
    parser.add_argument(
        "--move-limit",
        metavar="N",
        type=int,
        default=60,
        help="full moves without a capture until a draw (default: 60; 0: none)",
    )
    options = parser.parse_args(arguments)
    if options.law == "none":
        Given(parser, arguments).refuse("occurrences", "with --law none: no cycle is judged")
    try:
        if max(options.occurrences, options.move_limit) > LARGEST:
            raise LimitError(f"--occurrences and --move-limit are at most {LARGEST}")
        law = Law(occurrences=options.occurrences, move_limit=options.move_limit, repetition=options.law)
        result, reason = judge(options.fen, options.moves, law)
    except (FenError, InvalidMoveError, IllegalMoveError, LimitError) as error:
        print(f"chuhe judge: {error}", file=sys.stderr)
        return 2
    print(f"{result}  {reason}")
    return 0
