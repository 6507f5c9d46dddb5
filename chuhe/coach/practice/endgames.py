"""Endgames against perfect defence: a position that a table knows, and a table that answers every move."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from chuhe.engine import FenError, Move, Position
from chuhe.engine._core import RED
from chuhe.engine.endgame import EndgameVerdict, Tablebases
from chuhe.engine.endgame.material import LETTERS, Material

EndgameGoal = Literal["win", "hold"]
TRIES = 20_000  # before giving up on finding a position
HOLD_MOVES = 15  # a draw that is held for so many moves is held
LEAST_PLIES = 5  # a win must take at least so long


@dataclass
class EndgameExercise:
    """One endgame being played: the player is to move."""

    tablebases: Tablebases
    position: Position
    goal: EndgameGoal
    moves: list[Move] = field(default_factory=list)

    def verdict(self) -> EndgameVerdict:
        found = self.tablebases.probe(self.position)
        assert found is not None
        return found

    def play(self, move: Move) -> bool:
        """Plays the player's move; False if it gives the win or the draw away. The move is made either way."""
        self.position.push(move)
        self.moves.append(move)
        after = self.verdict()  # for the other side
        return after.result == ("loss" if self.goal == "win" else "draw")

    def best(self) -> Move:
        """What the table would play for the player."""
        return self.tablebases.probe_moves(self.position)[0][0]

    def answer(self) -> Move:
        """The table's answer: the longest resistance, or the move that leaves the fewest drawing replies."""
        choices = self.tablebases.probe_moves(self.position)
        best = choices[0][1]
        if best is not None and best.result == "draw":
            equal = [move for move, verdict in choices if verdict is not None and verdict.result == "draw"]
            move = min(equal, key=self._ways_to_hold)
        else:
            move = choices[0][0]
        self.position.push(move)
        self.moves.append(move)
        return move

    def _ways_to_hold(self, move: Move) -> tuple[int, str]:
        self.position.push(move)
        replies = self.tablebases.probe_moves(self.position)
        self.position.pop()
        return sum(verdict is not None and verdict.result == "draw" for _, verdict in replies), move.iccs

    @property
    def achieved(self) -> bool:
        """The win is mate; the draw is held long enough, or the game has ended in one."""
        if self.goal == "win":
            return not self.position.has_legal_moves()
        outcome = self.position.outcome()
        drawn = outcome is not None and outcome.result == "1/2-1/2"
        return drawn or len(self.moves) >= 2 * HOLD_MOVES


def random_endgame(
    tablebases: Tablebases, rng: random.Random, names: Sequence[str] = (), goal: EndgameGoal | None = None
) -> EndgameExercise | None:
    """A random position of one of the tables, won or drawn for the player; None if none is found."""
    known = [name for name in names or sorted(tablebases.names) if name in tablebases.names]
    for _ in range(TRIES if known else 0):
        wanted = goal or rng.choice(("win", "hold"))
        material = Material.parse(rng.choice(known))
        position = _random_position(material, rng, turn=RED if wanted == "win" else 1 - RED)
        verdict = tablebases.probe(position) if position is not None and position.has_legal_moves() else None
        if position is None or verdict is None:
            continue
        if wanted == "win" and verdict.result == "win" and (verdict.plies or 0) >= LEAST_PLIES:
            return EndgameExercise(tablebases, position, "win")
        if wanted == "hold" and verdict.result == "draw" and _can_go_wrong(tablebases, position):
            return EndgameExercise(tablebases, position, "hold")
    return None


def _can_go_wrong(tablebases: Tablebases, position: Position) -> bool:
    return any(verdict is not None and verdict.result == "loss" for _, verdict in tablebases.probe_moves(position))


def _random_position(material: Material, rng: random.Random, turn: int) -> Position | None:
    """The pieces on random points, the attacker Red; None if they cannot stand so."""
    letters = "".join(
        (LETTERS[kind] if side == 0 else LETTERS[kind].lower()) * count
        for side, counts in enumerate((material.attacker, material.defender))
        for kind, count in enumerate(counts)
    )
    for king in "Kk":
        letters = letters if king in letters else letters + king
    squares = dict(zip((_square(letter, rng) for letter in letters), letters, strict=True))
    if len(squares) < len(letters):
        return None
    rows = ["".join(squares.get(9 * rank + file, "1") for file in range(9)) for rank in range(9, -1, -1)]
    try:
        return Position(f"{'/'.join(rows)} {'w' if turn == RED else 'b'}")
    except FenError:
        return None


# where kings, advisors and elephants may stand, for Red; Black's points are opposite
_PALACE = [9 * rank + file for rank in range(3) for file in (3, 4, 5)]
_ADVISORS = (3, 5, 13, 21, 23)
_ELEPHANTS = (2, 6, 18, 22, 26, 38, 42)


def _square(letter: str, rng: random.Random) -> int:
    home = {"K": _PALACE, "A": _ADVISORS, "B": _ELEPHANTS}.get(letter.upper(), range(90))
    square = rng.choice(home)
    return square if letter.isupper() else 89 - square
