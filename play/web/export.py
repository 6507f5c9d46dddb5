"""Exports a room's game as text: PGN with variations and judgements, FEN, a plain list of moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine import Position
from engine.notation import NOTATIONS, Notation
from engine.pgn import GameRecord, format_pgn
from play.xiangqi_game import COLOURS

if TYPE_CHECKING:
    from play.web.room import Room


def export(room: Room, notation: Notation) -> dict[str, str]:
    """The whole game, the position shown, and the line that leads through it."""
    game, tree = room.game, room.tree
    players = dict(zip(COLOURS, (game.player_name(colour) for colour in (0, 1)), strict=True))
    record = tree.to_record({**players, **tree.tags})
    if record.result == "*" and game.ending is not None and game.node is tree.end():
        record = replace(record, result=game.result)
    return {
        "pgn": format_pgn(_with_scores(room, record), notation),
        "fen": tree.position(room.cursor).fen(),
        "moves": _move_list(room, notation),
    }


def _with_scores(room: Room, record: GameRecord) -> GameRecord:
    """Adds the review's results to the moves of the main line."""
    moves = []
    for recorded, node in zip(record.moves, room.tree.main_line(), strict=True):
        judgement = room.judged.get(node.id)
        score = f"{judgement.for_red}/{judgement.depth}" if judgement else ""
        moves.append(replace(recorded, comment=f"{recorded.comment} {score}".strip()))
    return replace(record, moves=tuple(moves))


def _move_list(room: Room, notation: Notation) -> str:
    """The moves with their numbers, Red's first: ``1. 炮二平五 马8进7``."""
    rows, column = room.texts.of(room.tree), NOTATIONS.index(notation)
    words = []
    black_begins = Position(room.tree.fen).turn == 1
    for ply, node in enumerate([*room.cursor.path(), *room.tree.main_line(room.cursor)]):
        row = rows[node.id]
        number = row[len(NOTATIONS)]
        if (ply % 2 == 1) == black_begins:
            words.append(f"{number}.")
        elif ply == 0:
            words.append(f"{number}...")
        words.append(row[column])
    return " ".join(words)
