"""An endgame table summarised as text for players."""

from __future__ import annotations

from engine import Position, square_name
from engine._endgame import Solver
from engine.endgame import TableShelf, Verdict
from engine.endgame.material import WORDS
from engine.endgame.survey import Share, Survey, chinese_name, position_at
from engine.notation import Notation, move_text
from play.score_words import line_text

WORDS_OF_VERDICT = {
    "例勝": "a win by rule: no defence holds",
    "例和": "a draw by rule: a good defence holds",
    "巧勝": "a win by skill: it depends on the placement of the pieces",
}


def report(survey: Survey, solver: Solver, shelf: TableShelf, notation: Notation) -> str:
    """Shares, the verdict, where the pieces stand best, the longest win, and an example of each."""
    lines = [
        f"{survey.material.name}  {chinese_name(survey.material)}  ({2 * solver.size:,} entries)",
        "",
        f"{'':<18}{'won':>9}{'drawn':>9}{'lost':>9}   longest",
        _row("attacker to move", survey.attacker),
        _row("defender to move", survey.defender),
        "",
        f"{survey.verdict}  {WORDS_OF_VERDICT[survey.verdict]}",
        f"The best defence is {_pieces(survey)}.",
        f"Against it the attacker, to move, wins {survey.best_defence_wins:.1%} of all positions.",
        "",
        "Where the pawn stands" if survey.by_pawn else "Where the defending king stands",
        "(attacker to move, won in per cent)",
        *_points(survey.points),
    ]
    won, drawn = ("例勝", "An exception") if survey.verdict == "例勝" else ("巧勝", "例和")
    for title, number in (
        (f"{won}: the longest win", survey.longest),
        (f"{won}: a win against the best defence", survey.won),
        (f"{drawn}: a draw against the best defence", survey.drawn),
    ):
        if number is not None:
            lines += ["", *_example(title, position_at(solver, 0, number), shelf, notation)]
    return "\n".join(lines)


def _row(title: str, share: Share) -> str:
    numbers = [share.win, share.draw, share.loss]
    parts = "".join(f"{100 * number / max(1, share.total):>8.2f}%" for number in numbers)
    longest = f"{(share.longest + 1) // 2} moves ({share.longest} plies)" if share.longest > 0 else "-"
    return f"{title:<18}{parts}   {longest}"


def _pieces(survey: Survey) -> str:
    return ", ".join(f"{WORDS[kind]} {square_name(square)}" for kind, square in survey.best_defence)


def _points(points: dict[int, tuple[int, int]]) -> list[str]:
    lines = []
    files = sorted({square % 9 for square in points})
    for rank in sorted({square // 9 for square in points}, reverse=True):
        cells = []
        for file in files:
            stands, won = points.get(9 * rank + file, (0, 0))
            cells.append(f"{100 * won / stands:>6.1f}" if stands else f"{'·':>6}")
        lines.append(f"{rank:>2}" + "".join(cells))
    return [*lines, "  " + "".join(f"{'abcdefghi'[file]:>6}" for file in files)]


def _example(title: str, position: Position, shelf: TableShelf, notation: Notation) -> list[str]:
    verdict = shelf.probe(position)
    line = shelf.line(position)
    lines = [f"{title}: {verdict.words if verdict else '?'}, Red to move", position.fen(), *str(position).split("\n")]
    return [*lines, line_text(position, line, notation, len(line))] if line else lines


def verdict_lines(position: Position, verdict: Verdict, shelf: TableShelf, notation: Notation) -> list[str]:
    """What `chuhe endgame probe` prints: the verdict, then every move with its own."""
    lines = [str(verdict)]
    for move, its in shelf.probe_moves(position):
        lines.append(f"  {move_text(position, move, notation):<8} {move.iccs}  {its if its else '?'}")
    return lines
