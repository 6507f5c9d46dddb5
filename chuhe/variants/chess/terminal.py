"""Chess in the terminal."""

from __future__ import annotations

from typing import Any

from chuhe.engine.search_handle import StopSignal
from chuhe.engine.values import Limits
from chuhe.text.message import Message
from chuhe.variants.terminal_game import MoveError, Setup, VariantGame


class ChessGame(VariantGame):
    """Chess against the chess engine; moves as SAN or UCI."""

    name, sides = "chess", ("white", "black")
    takes_fen = True

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        from chuhe.variants.chess.engine import ChessEngine, load_rules

        self._rules: Any = load_rules()
        self._engine = ChessEngine()
        self._engine.set_position(setup.start or None)
        self._board: Any = self._engine.board.copy()

    def board(self, flipped: bool) -> str:
        rows = []
        for rank in range(8) if flipped else range(7, -1, -1):
            files = range(7, -1, -1) if flipped else range(8)
            pieces = [self._board.piece_at(8 * rank + file) for file in files]
            rows.append(f"{rank + 1}  " + " ".join(piece.symbol() if piece else "." for piece in pieces))
        return "\n".join([*rows, "", "   " + " ".join("hgfedcba" if flipped else "abcdefgh")])

    @property
    def mover(self) -> int:
        return 0 if self._board.turn else 1

    def play(self, text: str) -> str:
        try:
            move = self._board.parse_san(text)
        except ValueError:
            try:
                move = self._board.parse_uci(text.lower())
            except ValueError:
                raise self.unreadable(text) from None
        if not move:
            raise MoveError(Message("variant.null-move"))
        return self.push(move)

    def text_of(self, move: Any) -> str:
        return str(self._board.san(move))

    def push(self, move: Any) -> str:
        text = self.text_of(move)
        self._board.push(move)
        self.history.append(text)
        return text

    def choose(self, stop: StopSignal) -> tuple[Any, str]:
        self._engine.set_position(self.setup.start or None, [move.uci() for move in self._board.move_stack])
        depth = self.setup.depth or None
        best = self._engine.search(Limits(movetime=None if depth else self.setup.movetime, depth=depth), stop=stop)
        return self._rules.Move.from_uci(str(best.move)), self.about(str(best.score), best.depth)

    def record(self) -> str:
        import chess.pgn

        game = chess.pgn.Game.from_board(self._board)
        game.headers["Result"] = self._board.result(claim_draw=True)
        return f"{game}\n"

    def take_back(self) -> None:
        self._board.pop()
        self.history.pop()

    def moves(self) -> list[str]:
        return sorted(self.text_of(move) for move in self._board.legal_moves)

    def result(self) -> str | None:
        outcome = self._board.outcome(claim_draw=True)
        if outcome is None:
            return None
        reason = self.say(f"chess.{outcome.termination.name.lower().replace('_', '-')}")
        return f"{outcome.result()}, {reason}"
