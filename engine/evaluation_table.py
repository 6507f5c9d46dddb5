"""Human-readable tables of the evaluation."""

from __future__ import annotations

from chuhe.engine import _core
from chuhe.engine.position import Position
from chuhe.engine.score_scale import shown
from chuhe.text.columns import centred, pad, right
from chuhe.text.message import Language, Message


def evaluation_table(position: Position, network: _core.Network | None = None, language: Language = "en") -> str:
    """Every hand-crafted term, for each side and phase, and their sum; then the network's view, if there is one."""
    lines = [*_terms(position, language)]
    if network is not None:
        lines += ["", *_network_view(position, network, language)]
    return "\n".join(lines)


def _terms(position: Position, language: Language) -> list[str]:
    def said(code: str) -> str:
        return Message(code).text(language)

    rows = _core.evaluation_terms(position)
    titles = (said("side.red"), said("side.black"), said("eval.difference"))
    phases = right(said("eval.middle"), 7) + right(said("eval.end"), 7)
    lines = [
        "|".join([" " * 18, *(centred(title, 15) for title in titles)]),
        f"{pad(said('eval.term'), 18)}|{phases} |{phases} |{phases}",
        "-" * 18 + ("+" + "-" * 15) * 3,
    ]
    total = [0, 0, 0, 0]
    for name, *values in rows:
        total = [old + new for old, new in zip(total, values, strict=True)]
        lines.append(_row(said(f"term.{name.replace(' ', '-')}"), values))
    lines += [lines[2], _row(said("eval.sum"), total)]
    red = _for_red(position, _core.static_evaluation(position))
    lines.append(Message("eval.hand-crafted", score=red).text(language))
    return lines


def _network_view(position: Position, network: _core.Network, language: Language) -> list[str]:
    """The network's value, and each piece's share: the value minus the value without that piece."""
    lines = [
        Message("eval.network", score=_for_red(position, network.evaluate(position))).text(language),
        Message("eval.pieces").text(language),
    ]
    worths = dict(network.worths(position))
    for rank in range(9, -1, -1):
        cells = []
        for file in range(9):
            square = 9 * rank + file
            piece = position.piece_at(square)
            if piece is None:
                cells.append("   .   ")
            elif square in worths:
                cells.append(f"{piece.symbol} {shown(worths[square]) / 100:<5.1f}")
            else:
                cells.append(f"{piece.symbol}      ")
        lines.append(f"{rank} {''.join(cells)}".rstrip())
    lines.append("  " + "".join(f"{name:<7}" for name in "abcdefghi").rstrip())
    return lines


def _for_red(position: Position, score: int) -> str:
    return f"{shown(score if position.turn == _core.RED else -score) / 100:+.2f}"


def _row(name: str, values: list[int]) -> str:
    red_middle, red_end, black_middle, black_end = values
    return (
        f"{pad(name, 18)}|{red_middle:>7}{red_end:>7} |{black_middle:>7}{black_end:>7} "
        f"|{red_middle - black_middle:>+7}{red_end - black_end:>+7}"
    )
