"""The coach's remarks as messages, which every language turns into its own sentences."""

from __future__ import annotations

from collections.abc import Iterable

from chuhe.coach.facts import PlacedPiece
from chuhe.coach.mistakes import Remark
from chuhe.engine.notation import Notation, file_number, move_text
from chuhe.engine.position import Position, side_name
from chuhe.text.message import Argument, Message, Point

FAULTS = (
    "allows_mate",
    "loses",
    "leaves",
    "allows_threat",
    "allows_attack",
    "allows_capture",
    "king_out",
    "repeats",
    "answered",
)


def mistake_words(position: Position, remarks: Iterable[Remark], notation: Notation) -> list[Message]:
    """A sentence for each remark on a mistake. Moves are written in the notation, from the position before it."""
    return [_sentence(position, remark, notation) for remark in remarks]


def merit_words(position: Position, remark: Remark, notation: Notation) -> Message:
    """A sentence on what the best move does."""
    move = move_text(position, remark.line[0], notation)
    return Message("coach.this", move=move, what=_phrase(position, remark, notation))


def _sentence(position: Position, remark: Remark, notation: Notation) -> Message:
    if remark.code in FAULTS:
        return _phrase(position, remark, notation)
    move = move_text(position, remark.line[0], notation)
    if remark.code == "better":
        return Message("coach.better", move=move)
    return Message("coach.better.which", move=move, what=_phrase(position, remark, notation))


def _phrase(position: Position, remark: Remark, notation: Notation) -> Message:
    texts = _texts(position, remark, notation)
    arguments: dict[str, Argument] = {"move": texts[0], "side": side_name(1 - position.turn)}
    if remark.moves or remark.other:
        arguments |= {"moves": remark.moves, "other": remark.other}
    if remark.pieces:
        arguments["pieces"] = [_piece(piece, notation) for piece in remark.pieces]
    form = ""
    if remark.given:
        arguments["given"] = [_piece(piece, notation) for piece in remark.given]
        form = ".for"
    elif (remark.code == "loses" and remark.shown > 2) or (remark.code == "wins" and remark.shown > 1):
        form = ".later"
    if len(texts) > 1:
        arguments |= {"reply": texts[1], "line": " ".join(texts[1:])}
    if remark.motif and remark.code != "holds_draw":
        arguments["name"] = Message(f"motif.{remark.motif}")
        form += ".stalemate" if remark.motif == "stalemate" else ".named"
    return Message(f"coach.{remark.code}{form}", **arguments)


def _piece(piece: PlacedPiece, notation: Notation) -> Message:
    """A piece by its point, in Chinese by its file: 六路炮."""
    kind = Message(f"kind.{piece.symbol}")
    if notation in ("chinese", "traditional"):
        return Message("coach.piece-on-file", kind=kind, file=file_number(piece.colour, piece.square))
    return Message("outcome.piece-on", kind=kind, point=Point(piece.square))


def _texts(position: Position, remark: Remark, notation: Notation) -> list[str]:
    """The moves that show it, written down."""
    game = position.copy()
    texts = []
    for move in remark.line[: remark.shown]:
        texts.append(move_text(game, move, notation))
        game.push(move)
    return texts
