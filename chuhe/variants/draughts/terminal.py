"""English draughts in the terminal."""

from __future__ import annotations

import re
from typing import Any

from chuhe.text.message import Message
from chuhe.variants.search._search import DEEPER, EXACT_SEARCH, FAR_WIN_VALUE, QUIESCE
from chuhe.variants.terminal_game import MoveError, SearchedGame


class DraughtsGame(SearchedGame):
    """English draughts by the full rules."""

    name, sides = "draughts", ("alice", "bill")
    features = EXACT_SEARCH | DEEPER | QUIESCE

    def new_position(self) -> Any:
        from chuhe.variants.draughts._draughts import Draughts
        from chuhe.variants.draughts.text import START_BOARD, parse_board, split_boards

        boards = split_boards(self.setup.start)
        cells = parse_board(boards[0]) if boards else START_BOARD
        return Draughts(cells, multi_jump=True, draws=True, quick_wins=True)

    def text_of(self, move: int) -> str:
        from chuhe.variants.draughts.text import move_text

        return move_text(self.game.path(move))

    def value_text(self, value: int) -> str:
        return self.decided(value) if abs(value) >= FAR_WIN_VALUE else f"{value:+d}"

    def board(self, flipped: bool) -> str:
        order = range(7, -1, -1) if flipped else range(8)
        rows = [f"{row}  " + " ".join(self.game.cells[8 * row + column] for column in order) for row in order]
        return "\n".join([*rows, "", "   " + " ".join(str(column) for column in order)])

    @property
    def mover(self) -> int:
        return 0 if self.game.alice_moves else 1

    def play(self, text: str) -> str:
        numbers = [int(digit) for digit in re.findall(r"\d", text)]
        squares = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        if re.search(r"\d{3}", text) or len(numbers) % 2 or len(squares) < 2:
            raise self.unreadable(text)
        paths = {move: self.game.path(move) for move in self.game.legal_moves()}
        exact = [move for move, path in paths.items() if path == squares]
        ends = [move for move, path in paths.items() if (path[0], path[-1]) == (squares[0], squares[-1])]
        if exact or (len(ends) == 1 and len(squares) == 2):
            return self.push((exact or ends)[0])
        if ends:
            raise MoveError(Message("variant.several-jumps"))
        jumping = any(abs(path[0][0] - path[1][0]) == 2 for path in paths.values())
        raise MoveError(Message("variant.must-jump") if jumping else Message("variant.not-legal"))

    def result(self) -> str | None:
        final = self.game.final_value()
        if final is None:
            return None
        if final == 0:
            return self.say("variant.draw")
        return self.say("variant.wins", side=self.side(self.mover if final > 0 else 1 - self.mover))
