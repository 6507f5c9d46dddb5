"""The match report: one self-contained HTML file, with its plots also saved as SVG and PNG."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from chuhe.bench.matches.engine_figures import EngineFigures, engine_figures
from chuhe.bench.matches.match_values import MatchGame, MatchSettings
from chuhe.bench.matches.standings import Standings
from chuhe.bench.statistics import signed
from chuhe.common.command_line import counted
from chuhe.common.extras import needs
from chuhe.common.score_plot import PAWNS, Curve, can_plot, clipped, figure_and_axes, save_figure, score_figure
from chuhe.engine import Move, Position
from chuhe.files.writing import MARK, write_file
from chuhe.pictures.svg import board_svg

REPORT = "report.html"
UNFOLDED = 100  # longer game lists are collapsed
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}code{background:#f4f4f4}"""


def write_report(settings: MatchSettings, standings: Standings, directory: Path) -> Path:
    """Write the report; without matplotlib it has tables only, with a note that says so."""
    plots: dict[str, str] = {}
    missing = "" if can_plot() else f"No plots. {needs('A plot', 'matplotlib')}"
    if missing:
        print(f"chuhe match: {missing}", file=sys.stderr)
    else:
        plots = draw_plots(settings, standings, directory)
    path = directory / REPORT
    write_file(path, html(settings, standings, plots, missing))
    return path


def html(settings: MatchSettings, standings: Standings, plots: dict[str, str], note: str = "") -> str:
    terms = f"{counted(len(standings.games), 'game')}, {settings.control}, concurrency {settings.concurrency}. {note}"
    parts = [
        f"<h1>{escape(settings.name)}</h1>",
        f"<p>{escape(terms)}</p>",
        "<h2>Result</h2>",
        result_table(standings),
    ]
    if settings.sprt is not None:
        parts.append(f"<p>{settings.sprt.describe(standings.tally.pairs)}</p>")
    if len(standings.names) > 2:
        parts += ["<h2>Ratings</h2>", rating_table(standings)]
    for title, svg in plots.items():
        parts += [f"<h2>{escape(title)}</h2>", svg]
    figures = engine_figures(settings, standings.games)
    parts += ["<h2>Engines</h2>", engine_table(settings, figures)]
    texts = [*standings.warnings, *(item.warning for item in figures if item.warning)]
    parts += [f"<p><strong>Warning:</strong> {escape(text)}.</p>" for text in texts]
    game = telling_game(standings.games)
    if game is not None:
        parts += [f"<h2>The end of game {game.number}</h2>", f"<p>{escape(ending_words(game))}</p>"]
        parts.append(board_svg(final_position(game), size=380))
    parts += ["<h2>How games ended</h2>", reason_table(standings)]
    parts += ["<h2>By opening</h2>", opening_table(standings)]
    parts += ["<h2>Games</h2>", game_table(standings)]
    body = "\n".join(parts)
    title = escape(settings.name)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="{MARK}">'
        f"<title>{title}</title>"
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["<table><tr>" + "".join(f"<th>{escape(text)}</th>" for text in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows]
    return "\n".join([*lines, "</table>"])


def result_table(standings: Standings) -> str:
    rows = []
    for (first, second), tally in standings.tallies.items():
        found = tally.estimate()
        interval = f"{signed(found.low)} … {signed(found.high)}"
        pairs = " ".join(map(str, tally.pairs))
        counts = (tally.wins, tally.draws, tally.losses, f"{found.score:.1%}")
        rows.append((f"{first} - {second}", *counts, signed(found.elo), interval, f"{found.superiority:.1%}", pairs))
    head = ("pairing", "won", "drawn", "lost", "score", "Elo", "95 %", "LOS", "pairs 0 ½ 1 1½ 2")
    return table(head, rows)


def rating_table(standings: Standings) -> str:
    rows = []
    for item in standings.ratings():
        error = f"{item.error:.0f}" if math.isfinite(item.error) else "∞"
        rows.append((item.name, f"{item.elo:+.0f}", error, f"{item.points:g}", item.games))
    return table(("engine", "Elo", "±", "points", "games"), rows)


def engine_table(settings: MatchSettings, figures: Sequence[EngineFigures]) -> str:
    """Each engine's settings, and how it used its time."""
    rows = []
    for item in figures:
        spec = item.spec
        options = ", ".join(f"{name} {value}" for name, value in spec.options) or "none"
        control = (spec.control or settings.control).scaled(spec.odds)
        rows.append(
            (
                spec.name,
                " ".join(spec.command),
                spec.protocol,
                options,
                control,
                _shown(item.depth, "{:.1f}"),
                _shown(item.nodes_per_second, "{:,.0f}"),
                _shown(item.time_per_move, "{:,.0f}"),
                _shown(item.share, "{:.1%}"),
                _shown(item.spare, "{:,.0f}"),
            )
        )
    head = (
        "engine",
        "command",
        "protocol",
        "options",
        "control",
        "mean depth",
        "nodes/s",
        "ms per move",
        "of its time",
        "ms to spare",
    )
    return table(head, rows)


def _shown(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value)


def game_table(standings: Standings) -> str:
    """All games by number; a long list is collapsed."""
    rows = []
    for game in sorted(standings.games, key=lambda game: game.number):
        plies = len(game.opening_moves) + len(game.moves)
        reason = game.detail or game.reason
        rows.append(
            (game.number, game.red, game.black, game.result, reason, (plies + 1) // 2, game.opening + 1, game.seconds)
        )
    head = ("game", "Red", "Black", "result", "reason", "moves", "opening", "seconds")
    summary = f"{counted(len(rows), 'game')}, also in games.pgn"
    unfolded = " open" if len(rows) <= UNFOLDED else ""
    return f"<details{unfolded}><summary>{summary}</summary>\n{table(head, rows)}\n</details>"


def reason_table(standings: Standings) -> str:
    counted = standings.reasons.most_common()
    rows = [(reason, "" if winner == "draw" else winner, count) for (reason, winner), count in counted]
    return table(("reason", "winner", "games"), rows)


def opening_table(standings: Standings) -> str:
    """Results by opening. Openings are numbered from 1, in file order."""
    moves = {game.opening: " ".join(game.opening_moves) or game.fen for game in standings.games}
    rows = [
        (f"{index + 1}: {moves[index]}", f"{red:g}", f"{draws:g}", f"{black:g}")
        for index, (red, draws, black) in sorted(standings.openings.items())
    ]
    return table(("opening", "Red won", "drawn", "Black won"), rows)


# --- plots ------------------------------------------------------------------------------------------------------------


def draw_plots(settings: MatchSettings, standings: Standings, directory: Path) -> dict[str, str]:
    """Plot titles mapped to inline SVG. Each plot is also written as SVG and PNG."""
    plots: dict[str, str] = {}
    if not standings.games:
        return plots
    if len(standings.names) == 2:
        plots["Elo over the match"] = _save(_elo_figure(settings, standings), directory / "elo")
    else:
        plots["Points over the match"] = _save(_points_figure(standings), directory / "points")
    game = telling_game(standings.games)
    if game is not None:
        title = f"Evaluations of game {game.number}: {game.red} - {game.black} {game.result}"
        plots[title] = _save(_eval_figure(game), directory / "evaluations")
    return plots


def telling_game(games: Sequence[MatchGame]) -> MatchGame | None:
    """The longest decisive game with scores, or else the longest game: the most interesting curve."""
    scored = [game for game in games if any(move.score for move in game.moves)]
    return max(scored, key=lambda game: (game.result != "1/2-1/2", len(game.moves)), default=None)


def ending_words(game: MatchGame) -> str:
    return f"{game.red} - {game.black} {game.result}: {game.detail or game.reason}, after {len(game.moves)} moves."


def final_position(game: MatchGame) -> Position:
    """The position in which a game ended; an engine's illegal move is not made."""
    position = Position(game.fen)
    for text in (*game.opening_moves, *(played.move for played in game.moves)):
        move = Move.from_iccs(text)
        if not position.is_legal(move):
            break
        position.push(move)
    return position


def _save(figure: Any, path: Path) -> str:
    save_figure(figure, path.with_suffix(".png"))
    save_figure(figure, path.with_suffix(".svg"))
    svg = path.with_suffix(".svg").read_text(encoding="utf-8")
    return svg[svg.index("<svg") :]


def _elo_figure(settings: MatchSettings, standings: Standings) -> Any:
    replay = Standings(standings.names, settings.format)
    counts, elos, lows, highs = [], [], [], []
    for number, game in enumerate(standings.games, 1):
        replay.add(game)
        found = replay.tally.estimate()
        counts.append(number)
        elos.append(found.elo)
        lows.append(found.low)
        highs.append(found.high)
    figure, axes = figure_and_axes()
    axes.plot(counts, elos, label=f"Elo of {standings.names[0]}")
    axes.fill_between(counts, lows, highs, alpha=0.2, label="95 %")
    axes.axhline(0, color="black", linewidth=0.8)
    settled = len(counts) // 4  # the first games are mostly noise, and would flatten the rest of the curve
    axes.set(xlabel="games", ylabel="Elo", ylim=_with_margin(min(0.0, *lows[settled:]), max(0.0, *highs[settled:])))
    axes.legend()
    return figure


def _with_margin(low: float, high: float) -> tuple[float, float]:
    margin = 0.05 * (high - low)
    return low - margin, high + margin


def _points_figure(standings: Standings) -> Any:
    figure, axes = figure_and_axes()
    for name in standings.names:
        share, played, curve = 0.0, 0, []
        for game in standings.games:
            if name in (game.red, game.black):
                share += game.points_of(name)
                played += 1
            curve.append(share / played if played else 0.5)
        axes.plot(range(1, len(curve) + 1), curve, label=name)
    axes.set(xlabel="games", ylabel="share of the points", ylim=(0, 1))
    axes.legend()
    return figure


def evaluations(game: MatchGame) -> dict[str, tuple[list[float], list[float]]]:
    """Each engine's evaluations from Red's point of view, by full move."""
    curves: dict[str, tuple[list[float], list[float]]] = {game.red: ([], []), game.black: ([], [])}
    for name, ply, move in game.moves_by_engine():
        if move.score is None:
            continue
        value = _pawns(move.score)
        places, values = curves[name]
        places.append(ply / 2 + 1)
        values.append(-value if ply % 2 else value)
    return curves


def _pawns(score: str) -> float:
    """`+0.35` or `#-3` as pawns inside the plot's range. `#0`: the mover is mated."""
    if score.startswith("#"):
        return PAWNS if int(score[1:]) > 0 else -PAWNS
    return clipped(float(score))


def _eval_figure(game: MatchGame) -> Any:
    colours = {game.red: "tab:red", game.black: "black"}
    return score_figure([Curve(*curve, colours[name], name) for name, curve in evaluations(game).items()])
