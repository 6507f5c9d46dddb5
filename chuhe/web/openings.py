"""Results of the games that our book was built from, by position and move."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from chuhe.engine import Position
from chuhe.records.books.book import mirror_square
from chuhe.records.files import read_games
from chuhe.records.game_record import RecordError

PLIES = 24


class OpeningResults:
    """Red's wins, draws and losses of every move of the games' openings; mirror images count as one position."""

    def __init__(self) -> None:
        self._table: dict[int, dict[tuple[int, int], list[int]]] = {}
        self.games = 0

    @classmethod
    def load(cls, path: Path | None = None) -> OpeningResults:
        """Reads the bundled games; the table is empty if the file is missing."""
        result = cls()
        source = path or Path(str(files("chuhe.web").joinpath("data").joinpath("book_games.pgn")))
        try:
            games = read_games(source)
        except RecordError:
            return result
        for game in games:
            if game.result == "*":
                continue
            column = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}[game.result]
            position = Position(game.fen)
            for move in game.plain_moves[:PLIES]:
                result._count(position.key, (move.from_square, move.to_square), column)
                position.push(move)
            result.games += 1
        return result

    def _count(self, key: int, move: tuple[int, int], column: int) -> None:
        self._table.setdefault(key, {}).setdefault(move, [0, 0, 0])[column] += 1

    def probe(self, position: Position) -> dict[str, list[int]]:
        """By move (ICCS), the most played first: [Red's wins, draws, Black's wins]."""
        found: dict[tuple[int, int], list[int]] = {
            move: list(counts) for move, counts in self._table.get(position.key, {}).items()
        }
        for (start, end), counts in self._table.get(position.mirror().key, {}).items():
            move = mirror_square(start), mirror_square(end)
            if move != (start, end):  # in a symmetrical position, a move along the middle file is its own mirror image
                old = found.get(move, [0, 0, 0])
                found[move] = [one + other for one, other in zip(old, counts, strict=True)]
        ordered = sorted(found.items(), key=lambda item: (-sum(item[1]), item[0]))
        names = {(move.from_square, move.to_square): move.iccs for move in position.legal_moves}
        return {names[move]: counts for move, counts in ordered if move in names}
