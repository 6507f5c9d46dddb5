"""Squatter in the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from chuhe.engine.search_handle import StopSignal
from chuhe.text.message import Message
from chuhe.variants.search._search import FAR_WIN_VALUE
from chuhe.variants.terminal_game import MoveError, SearchedGame, Setup

if TYPE_CHECKING:
    from chuhe.variants.squatter.players import SquatterPlayer
    from chuhe.variants.squatter.referee import PlayerFault, SeatedPlayer


class SquatterGame(SearchedGame):
    """Squatter against minimax, or against any other player."""

    name, sides = "squatter", ("white", "black")
    takes_size = True
    deepest = 8

    def __init__(self, setup: Setup, makers: Mapping[int, Callable[[], SquatterPlayer]] | None = None) -> None:
        """`makers` create the players of their sides; our own search plays the others."""
        super().__init__(setup)
        self._makers = dict(makers or {})
        self._fault: PlayerFault | None = None
        self._seats: dict[int, SeatedPlayer] = {}
        self._seat_players()

    def new_position(self) -> Any:
        from chuhe.variants.squatter.text import parse_board, position

        size, symbols = parse_board(self.setup.start) if self.setup.start else (self.setup.size, None)
        return position(size, symbols, self.setup.to_move)

    def _seat_players(self) -> None:
        """Creates new players for the board as it is."""
        from chuhe.variants.squatter.players import LazyPlayer
        from chuhe.variants.squatter.referee import PlayerFault, SeatedPlayer

        self._fault, self._seats = None, {}
        symbols = self.game.symbols if "+" * self.game.size**2 != self.game.symbols else None
        try:
            for side, maker in self._makers.items():
                self._seats[side] = SeatedPlayer(LazyPlayer(maker), "WB"[side], self.setup.patience)  # type: ignore[arg-type]
                self._seats[side].init(self.game.size, symbols, "W" if self.game.white_moves else "B")
        except PlayerFault as fault:
            self._fault = fault

    def hint(self, stop: StopSignal) -> str:
        self.game.view_for(self.game.white_moves)
        return super().hint(stop)

    def swap_sides(self) -> None:
        self._makers = {1 - side: maker for side, maker in self._makers.items()}
        self._seat_players()

    def think(self, stop: StopSignal) -> str:
        seat = self._seats.get(self.mover)
        if seat is None:
            self.game.view_for(self.game.white_moves)
            return super().think(stop)
        from chuhe.variants.squatter.referee import PlayerFault

        try:
            _, move = seat.place(self.game)
        except PlayerFault as fault:
            self._fault = fault
            return self.say("variant.nothing")
        return self.push(move)

    def push(self, move: int) -> str:
        from chuhe.variants.squatter.referee import PlayerFault
        from chuhe.variants.squatter.text import cell_of

        cell, seat = cell_of(self.game, move), self._seats.get(1 - self.mover)
        text = super().push(move)
        try:
            if seat is not None:
                seat.tell(cell)
        except PlayerFault as fault:
            self._fault = fault
        return text

    def take_back(self) -> None:
        super().take_back()
        self._seat_players()

    def text_of(self, move: int) -> str:
        from chuhe.variants.squatter.text import cell_of, cell_text

        return cell_text(cell_of(self.game, move))

    def value_text(self, value: int) -> str:
        return f"{value / 100:+.2f}" if abs(value) < FAR_WIN_VALUE // 2 else self.decided(value)

    def board(self, flipped: bool) -> str:
        from chuhe.variants.squatter.text import labelled_board

        return labelled_board(self.game, self.setup.language)

    @property
    def mover(self) -> int:
        return 0 if self.game.white_moves else 1

    def play(self, text: str) -> str:
        from chuhe.variants.squatter.text import move_of, why_not

        cell = read_cell(text)
        if cell is None:
            raise self.unreadable(text)
        move = move_of(self.game, cell)
        if move is None:
            raise MoveError(Message("variant.cannot", move=text, fault=why_not(self.game, cell)))
        return self.push(move)

    def result(self) -> str | None:
        from chuhe.variants.squatter.text import winner_of

        white, black = self.game.captured_counts
        captured = self.say("squatter.captured", white=white, black=black)
        if self._fault is not None:
            winner = self.say("variant.wins", side=self.side(1 if self._fault.colour == "W" else 0))
            return self.say("squatter.fault", winner=winner, fault=self._fault.sentence, captured=captured)
        found = winner_of(self.game)
        if found is None:
            return None
        draw = self.say("variant.draw")
        winner = draw if found == "draw" else self.say("variant.wins", side=self.side("WB".index(found)))
        return self.say("squatter.result", winner=winner, captured=captured)


def read_cell(text: str) -> tuple[int, int] | None:
    """A cell from `2 3`, `2,3` or `(2,3)`."""
    found = re.fullmatch(r"\(?\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)?", text)
    return (int(found[1]), int(found[2])) if found else None
