"""The referee of Squatter. It trusts only its own board; a player that gives an invalid answer or raises loses."""

from __future__ import annotations

import operator
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Any

from chuhe.engine.threads import in_thread
from chuhe.variants.squatter._squatter import Squatter
from chuhe.variants.squatter.players import ACCEPTED, ILLEGAL, SquatterPlayer
from chuhe.variants.squatter.text import (
    COLOUR_NAMES,
    Cell,
    StoneColour,
    Winner,
    cell_text,
    move_of,
    position,
    why_not,
    winner_of,
)

LONGEST_QUOTE = 60  # of a foreign value quoted in a message


class PlayerFault(Exception):
    """A player broke the rules; the message says how."""

    def __init__(self, colour: StoneColour, sentence: str) -> None:
        super().__init__(sentence)
        self.colour, self.sentence = colour, sentence


def shown(value: object) -> str:
    """A foreign value for a message: one short line, even if its `repr` fails."""
    try:
        text = " ".join(repr(value).split())
    except (Exception, SystemExit):
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def read_cell(value: Any) -> Cell | None:
    """A player's answer as a cell: a tuple or list of two whole numbers. None if it is anything else."""
    try:
        row, column = value if isinstance(value, (tuple, list)) else ()
        if isinstance(row, bool) or isinstance(column, bool):
            return None
        return int(operator.index(row)), int(operator.index(column))
    except (Exception, SystemExit):  # an object that only looks like a list or a number
        return None


class SeatedPlayer:
    """A player at the board; every method raises PlayerFault if the player breaks the rules.

    `patience` is its time limit for an answer in seconds; None: no limit.
    """

    def __init__(self, player: SquatterPlayer, colour: StoneColour, patience: float | None = None) -> None:
        self.player, self.colour, self.patience = player, colour, patience
        self.name = COLOUR_NAMES[colour]

    def init(self, size: int, symbols: str | None, to_move: StoneColour) -> None:
        if symbols is None and to_move == "W":
            self._ask("init", size, self.colour)
        else:
            self._ask("init", size, self.colour, symbols, to_move)

    def place(self, board: Squatter) -> tuple[Cell, int]:
        """Its placement, and the board's move number of that."""
        answer = self._ask("make_move")
        cell = read_cell(answer)
        if cell is None:
            raise self._fault(f"answers {shown(answer)}, where a cell (row,column) is expected")
        move = move_of(board, cell)
        if move is None:
            raise self._fault(f"cannot play {_short_cell(cell)}: {why_not(board, cell)}")
        return cell, move

    def tell(self, cell: Cell) -> None:
        answer = self._ask("opponent_move", cell)
        if type(answer) is not int or answer not in (ACCEPTED, ILLEGAL):
            what = f"answers {shown(answer)} to the placement {cell_text(cell)}"
            raise self._fault(f"{what}, where 0 or -1 is expected")
        if answer == ILLEGAL:
            raise self._fault(f"rejects the legal placement {cell_text(cell)}")

    def agree(self, winner: Winner) -> None:
        """Check that it names the right winner."""
        answer = self._ask("winner")
        if type(answer) is not str or answer != winner:
            raise self._fault(f"names {shown(answer)} as the winner, where {winner!r} is right")

    def _fault(self, what: str) -> PlayerFault:
        return PlayerFault(self.colour, f"{self.name} {what}")

    def _ask(self, operation: str, *arguments: object) -> Any:
        def call() -> Any:
            return getattr(self.player, operation)(*arguments)

        if self.patience is None:
            try:
                return call()
            except KeyboardInterrupt:  # Ctrl-C from the user, not an error of the player
                raise
            except BaseException as error:
                raise self._raised(operation, error) from None
        return self._ask_patiently(operation, call)

    def _ask_patiently(self, operation: str, call: Callable[[], Any]) -> Any:
        """Call in a separate thread, which is abandoned if it does not return."""
        answer = in_thread(call)
        if wait([answer], self.patience).not_done:
            raise self._fault(f"does not come back from {operation} within {self.patience:g} s")
        if (error := answer.exception()) is not None:
            raise self._raised(operation, error)
        return answer.result()

    def _raised(self, operation: str, error: BaseException) -> PlayerFault:
        try:
            reason = " ".join(str(error).split())[:LONGEST_QUOTE]
        except Exception:
            reason = ""
        return self._fault(f"raises {type(error).__name__} in {operation}{': ' + reason if reason else ''}")


def _short_cell(cell: Cell) -> str:
    return cell_text(cell) if all(abs(number) < 10**6 for number in cell) else "a cell far away"


@dataclass(frozen=True, slots=True)
class SquatterResult:
    """How a game ended. `fault` says who broke the rules and how; the other colour is then the winner."""

    winner: Winner
    captured: tuple[int, int]  # by White, by Black
    placements: tuple[Cell, ...]
    symbols: str
    fault: str = ""

    def text(self) -> str:
        """
        >>> SquatterResult("W", (3, 1), (), "").text()
        'White wins: White captured 3, Black captured 1.'
        """
        who = "Draw" if self.winner == "draw" else f"{COLOUR_NAMES[self.winner]} wins"
        reason = f" ({self.fault})" if self.fault else ""
        return f"{who}{reason}: White captured {self.captured[0]}, Black captured {self.captured[1]}."


OnMove = Callable[[Squatter, StoneColour, Cell], None]


def referee(
    white: SquatterPlayer, black: SquatterPlayer, size: int, symbols: str | None = None,
    to_move: StoneColour | None = None, on_move: OnMove | None = None,
    patience: tuple[float | None, float | None] = (None, None),
) -> SquatterResult:  # fmt: skip
    """Play a game. The referee's own board decides what is legal; a player that breaks the rules loses at once."""
    board = position(size, symbols, to_move)
    seats: dict[StoneColour, SeatedPlayer] = {
        "W": SeatedPlayer(white, "W", patience[0]),
        "B": SeatedPlayer(black, "B", patience[1]),
    }
    placements: list[Cell] = []
    try:
        _play(board, seats, symbols, placements, on_move)
    except PlayerFault as fault:
        return SquatterResult(
            other(fault.colour), board.captured_counts, tuple(placements), board.symbols, fault.sentence
        )
    winner = winner_of(board)
    assert winner is not None
    faults = _disagreements(seats, winner)
    if len(faults) == 1:
        winner = other(faults[0].colour)
    sentences = "; ".join(fault.sentence for fault in faults)
    return SquatterResult(winner, board.captured_counts, tuple(placements), board.symbols, sentences)


def other(colour: StoneColour) -> StoneColour:
    return "B" if colour == "W" else "W"


def _play(
    board: Squatter, seats: dict[StoneColour, SeatedPlayer], symbols: str | None, placements: list[Cell],
    on_move: OnMove | None,
) -> None:  # fmt: skip
    mover: StoneColour = "W" if board.white_moves else "B"
    for seat in seats.values():
        seat.init(board.size, symbols, mover)
    while winner_of(board) is None:
        cell, move = seats[mover].place(board)
        board.push(move)
        placements.append(cell)
        if on_move is not None:
            on_move(board, mover, cell)
        mover = other(mover)
        seats[mover].tell(cell)


def _disagreements(seats: dict[StoneColour, SeatedPlayer], winner: Winner) -> list[PlayerFault]:
    """The players that name a wrong winner; if both do, the board decides."""
    found = []
    for seat in seats.values():
        try:
            seat.agree(winner)
        except PlayerFault as fault:
            found.append(fault)
    return found
