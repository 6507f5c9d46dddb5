"""The games of a match as PGN; `chuhe.pgn` reads them.

A comment is attached to its move and contains no spaces, `h2e2{+0.35/12,0.104s,52013n,left=59.8s}`: score/depth, time
used, nodes, time left. This is standard PGN, and programs that split the text at spaces can read it too.
"""

from __future__ import annotations

from collections.abc import Iterator

from chuhe.bench.matches.match_values import MatchGame, MatchMove
from chuhe.engine import Move, Position
from chuhe.engine.notation import Notation, move_text, number_words
from chuhe.records.pgn import header, wrap

WIDTH = 100  # fits one move of each side with its comment


def write_game(record: MatchGame, event: str = "match", form: Notation = "iccs") -> str:
    """One game of a match, followed by a blank line."""
    tags = {
        "Event": event,
        "Date": record.started[:10].replace("-", ".") or "????.??.??",
        "Round": str(record.number),
        "Red": record.red,
        "Black": record.black,
        "Result": record.result,
        "Termination": record.detail or record.reason,
    }
    lines = [*header(tags, record.fen, form), "", *wrap(_words(record, form), WIDTH), record.result]
    return "\n".join(lines) + "\n\n"


def _words(record: MatchGame, form: Notation) -> Iterator[str]:
    board = Position(record.fen)
    played = [(text, "") for text in record.opening_moves] + [(move.move, comment(move)) for move in record.moves]
    for index, (text, note) in enumerate(played):
        move = Move.from_iccs(text)
        yield from number_words(board, index == 0)
        yield move_text(board, move, form) + note
        board.push(move)


def comment(record: MatchMove) -> str:
    parts = []
    if record.score is not None:
        parts.append(record.score + (f"/{record.depth}" if record.depth else ""))
    parts.append(f"{record.time / 1000:.3f}s")
    if record.nodes is not None:
        parts.append(f"{record.nodes}n")
    if record.clock is not None:
        parts.append(f"left={record.clock / 1000:.1f}s")
    return "{" + ",".join(parts) + "}"
