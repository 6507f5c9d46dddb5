"""An endgame table summarised as text for players."""

from __future__ import annotations

from chuhe.coach.score_words import line_text
from chuhe.engine import Position, square_name
from chuhe.engine._endgame import Solver
from chuhe.engine.endgame import EndgameVerdict, Tablebases
from chuhe.engine.endgame.survey import Share, Survey, chinese_name, position_at
from chuhe.engine.notation import Notation, move_text
from chuhe.text.columns import pad, right
from chuhe.text.message import Language, Message
from chuhe.text.system_language import Speaker

VERDICTS = {"例勝": "won", "例和": "drawn", "巧勝": "open"}  # as the tables of the languages name them


def report(
    survey: Survey, solver: Solver, tablebases: Tablebases, notation: Notation, language: Language = "en"
) -> str:
    """Shares, the verdict, where the pieces stand best, the longest win, and an example of each."""
    say = Speaker(language)
    titles = "".join(right(say(f"endgame.{name}"), 9) for name in ("won", "drawn", "lost"))
    verdict = say(f"endgame.verdict-{VERDICTS[survey.verdict]}")
    lines = [
        say(
            "endgame.title",
            name=survey.material.name,
            chinese=chinese_name(survey.material, language),
            entries=f"{2 * solver.size:,}",
        ),
        "",
        f"{'':<18}{titles}   {say('endgame.longest')}",
        _row(say("endgame.attacker"), survey.attacker, say),
        _row(say("endgame.defender"), survey.defender, say),
        "",
        verdict,
        say("endgame.defence", pieces=_pieces(survey, language)),
        say("endgame.against", share=f"{survey.best_defence_wins:.1%}"),
        "",
        say("endgame.pawn-stands") if survey.by_pawn else say("endgame.king-stands"),
        say("endgame.per-cent"),
        *_points(survey.points),
    ]
    by_rule = survey.verdict == "例勝"
    for title, number in (
        (say("endgame.longest-rule") if by_rule else say("endgame.longest-skill"), survey.longest),
        (say("endgame.won-rule") if by_rule else say("endgame.won-skill"), survey.won),
        (say("endgame.drawn-exception") if by_rule else say("endgame.drawn-rule"), survey.drawn),
    ):
        if number is not None:
            lines += ["", *_example(title, position_at(solver, 0, number), tablebases, notation, language)]
    return "\n".join(lines)


def _row(title: str, share: Share, say: Speaker) -> str:
    numbers = [share.win, share.draw, share.loss]
    parts = "".join(f"{100 * number / max(1, share.total):>8.2f}%" for number in numbers)
    moves, plies = (share.longest + 1) // 2, share.longest
    longest = say("endgame.moves-plies", moves=moves, plies=plies) if plies > 0 else "-"
    return f"{pad(title, 18)}{parts}   {longest}"


def _pieces(survey: Survey, language: Language) -> str:
    names = [(Message(f"kind.{'kabnrcp'[kind]}").text(language), square) for kind, square in survey.best_defence]
    return ", ".join(f"{name} {square_name(square)}" for name, square in names)


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


def _example(
    title: str, position: Position, tablebases: Tablebases, notation: Notation, language: Language
) -> list[str]:
    verdict = tablebases.probe(position)
    line = tablebases.line(position)
    words = verdict.message(position.turn).text(language) if verdict else "?"
    say = Speaker(language)
    lines = [say("endgame.example", title=title, words=words), position.fen(), *str(position).split("\n")]
    return [*lines, line_text(position, line, notation, len(line))] if line else lines


def verdict_lines(position: Position, verdict: EndgameVerdict, tablebases: Tablebases, notation: Notation) -> list[str]:
    """What `chuhe endgame probe` prints: the verdict, then every move with its own."""
    lines = [str(verdict)]
    for move, its in tablebases.probe_moves(position):
        lines.append(f"  {move_text(position, move, notation):<8} {move.iccs}  {its if its else '?'}")
    return lines
