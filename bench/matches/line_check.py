"""Checks what an engine says of a position: are the moves of its line legal, and does an announced mate come?"""

from __future__ import annotations

from chuhe.engine import Move, Position
from chuhe.protocol.replies import Report


def line_fault(position: Position, report: Report) -> str:
    """What is wrong with the best line; empty if nothing is.

    >>> from chuhe.engine import Score
    >>> position = Position("3k5/R8/9/9/9/9/9/9/9/1R2K4 w")
    >>> line_fault(position, Report(score=Score(mate=1), pv=("b0b9",)))
    ''
    >>> line_fault(position, Report(score=Score(mate=1), pv=("a8a7",)))
    'says mate in 1, but its line does not end in mate: a8a7'
    >>> line_fault(position, Report(score=Score(cp=900), pv=("b0b9", "d9d8")))
    'has an illegal move in its line: d9d8 after b0b9'
    """
    after = position.copy(stack=False)
    for number, text in enumerate(report.pv):
        try:
            after.push(Move.from_iccs(text))
        except ValueError:
            before = " ".join(report.pv[:number])
            return f"has an illegal move in its line: {text}{f' after {before}' if before else ''}"
    if report.score is None or not report.score.mate or report.bound != "exact" or not report.pv:
        return ""
    mate, line = report.score.mate, " ".join(report.pv)
    if after.legal_moves:
        return f"says mate in {mate}, but its line does not end in mate: {line}"
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    return (
        "" if len(report.pv) == plies else f"says mate in {mate}, but its line mates in {len(report.pv)} plies: {line}"
    )
