"""A room's game to download or copy: PGN, XQF and UBB with variations and judgements, FEN, a picture, the moves."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from chuhe.engine import Position
from chuhe.engine.notation import NOTATIONS, Notation, language_of
from chuhe.pictures.svg import PieceSet, board_svg
from chuhe.play.xiangqi_game import COLOURS
from chuhe.records.game_record import GameRecord
from chuhe.records.openings import with_opening
from chuhe.records.pgn import format_pgn
from chuhe.records.ubb import format_ubb
from chuhe.records.xqf import format_xqf
from chuhe.web.outgoing import Export

if TYPE_CHECKING:
    from chuhe.web.room import Room

PICTURE_WIDTH = 900  # pixels


def export(room: Room, notation: Notation, pieces: PieceSet, flipped: bool) -> Export:
    """The whole game, the position shown, and the line that leads through it. XQF is binary: it is sent as base64."""
    game, tree = room.game, room.tree
    record = tree.to_record({**game.player_tags(language_of(notation)), **tree.tags})
    if record.result == "*" and game.ending is not None and game.node is tree.end():
        record = replace(record, result=game.result)
    record = with_opening(_with_scores(room, record), notation)
    position = tree.position(room.cursor)
    return {
        "type": "export",
        "pgn": format_pgn(record, notation),
        "xqf": b64encode(format_xqf(record)).decode("ascii"),
        "ubb": format_ubb(record),
        "fen": position.fen(),
        "svg": board_svg(position, pieces=pieces, flipped=flipped, size=PICTURE_WIDTH),
        "moves": _move_list(room, notation),
        "name": file_name(record.tags),
    }


def file_name(tags: Mapping[str, str]) -> str:
    """Date and players, without what a file system may refuse.

    >>> file_name({"Date": "2026.11.17", "Red": "human", "Black": "level 5"})
    '2026-11-17 human - level 5'
    >>> file_name({"Red": 'a/b:"c"'})
    'a b c'
    """
    players = " - ".join(tags[colour] for colour in COLOURS if tags.get(colour, "?") != "?")
    words = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', " ", f"{tags.get('Date', '').replace('.', '-')} {players}").split()
    return " ".join(words)[:100] or "game"


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
        made = rows[node.id]
        if (ply % 2 == 1) == black_begins:
            words.append(f"{made.number}.")
        elif ply == 0:
            words.append(f"{made.number}...")
        words.append(made.texts[column])
    return " ".join(words)
