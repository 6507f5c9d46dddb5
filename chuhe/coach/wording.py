"""The coach's remarks as messages, which every language turns into its own sentences."""

from __future__ import annotations

from collections.abc import Iterable

from chuhe.coach.mistakes import Remark
from chuhe.engine.notation import Notation, move_text
from chuhe.engine.position import Position
from chuhe.text.message import Argument, Message, Point


def mistake_words(position: Position, remarks: Iterable[Remark], notation: Notation) -> list[Message]:
    """A sentence for each remark on a mistake. Moves are written in the notation, from the position before it."""
    return [_sentence(position, remark, notation) for remark in remarks]


def merit_words(position: Position, remark: Remark, notation: Notation) -> Message:
    """A sentence on what the best move does, where the move itself has been named before."""
    return Message("coach.this", what=_phrase(position, remark, notation))


def _sentence(position: Position, remark: Remark, notation: Notation) -> Message:
    if remark.code == "better":
        return Message("coach.better", move=move_text(position, remark.line[0], notation))
    if remark.code in ("allows_mate", "loses_piece"):
        return _phrase(position, remark, notation)
    move = move_text(position, remark.line[0], notation)
    return Message("coach.better.which", move=move, what=_phrase(position, remark, notation))


def _phrase(position: Position, remark: Remark, notation: Notation) -> Message:
    texts = _texts(position, remark, notation)
    arguments: dict[str, Argument] = {"move": texts[0], "moves": remark.moves}
    if remark.piece is not None:
        arguments |= {"piece": Message(f"kind.{remark.piece.symbol}"), "point": Point(remark.piece.square)}
    if len(texts) > 1:
        arguments |= {"reply": texts[1], "line": " ".join(texts[1:])}
    form = ""
    if remark.motif and remark.code != "holds_draw":
        arguments["name"] = Message(f"motif.{remark.motif}")
        form = ".named"
    elif remark.code == "loses_piece" and remark.shown == 2:
        form = ".taken"
    return Message(f"coach.{remark.code}{form}", **arguments)


def _texts(position: Position, remark: Remark, notation: Notation) -> list[str]:
    """The moves that show it, written down."""
    game = position.copy()
    texts = []
    for move in remark.line[: remark.shown]:
        texts.append(move_text(game, move, notation))
        game.push(move)
    return texts
