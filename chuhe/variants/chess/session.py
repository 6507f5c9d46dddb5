"""Chess as a variant of the session, behind the same interface as xiangqi."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from chuhe.engine.errors import LimitError
from chuhe.engine.values import TableEntry
from chuhe.protocol.options import OptionValues, settings_from_options
from chuhe.protocol.variants import Variant
from chuhe.variants.chess.engine import SETTINGS, ChessEngine, ChessMove, make_board


class ChessVariant(Variant):
    """Ordinary chess, UCI's own game. It supports the options marked `every_game` in the table."""

    name = uci_name = "chess"
    has_every_option = False
    ranks_from = 1
    perft_limit = 6

    def __init__(self) -> None:
        self._engine = ChessEngine()

    @property
    def engine(self) -> ChessEngine:
        return self._engine

    def configure(self, values: OptionValues) -> None:
        settings = settings_from_options(values)
        changes = {name: getattr(settings, name) for name in SETTINGS}
        self.engine.configure(**changes)

    def set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        self.engine.set_position(fen, moves)

    def read_moves(self, texts: tuple[str, ...]) -> tuple[Any, ...]:
        legal = {str(move.uci()) for move in self.engine.board.legal_moves}
        for text in texts:
            if text not in legal:
                raise ValueError(f"{text} is not legal here")
        return tuple(ChessMove(text) for text in texts)

    def move_text(self, move: Any) -> str:
        return str(move)

    @property
    def fen(self) -> str:
        return self.engine.fen

    @property
    def red_to_move(self) -> bool:
        return bool(self.engine.board.turn)

    @property
    def ply(self) -> int:
        return int(self.engine.board.ply())

    def details(self) -> list[str]:
        import chess

        checkers = " ".join(chess.square_name(square) for square in self.engine.board.checkers())
        outcome = self.engine.board.outcome()
        lines = [f"Fen: {self.fen}", f"Checkers: {checkers}".rstrip()]
        if outcome is None:
            return lines
        reason = outcome.termination.name.lower().replace("_", " ")
        return [*lines, f"Result: {outcome.result()}, {reason}"]

    def probe(self, fen: str | None, moves: tuple[str, ...]) -> TableEntry | None:
        return self.engine.probe(fen, moves)

    def perft(self, depth: int, stopped: Callable[[], bool]) -> Iterator[tuple[str, int]]:
        return self.engine.perft(depth, stopped)

    def flipped(self) -> str:
        return str(make_board(self.fen).mirror().fen())

    def load_books(self, files: str) -> None:
        if files:
            raise LimitError("there is no opening book for chess")

    def book_moves(self, values: OptionValues) -> list[tuple[Any, int]]:
        return []
