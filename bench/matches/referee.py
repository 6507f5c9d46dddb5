"""The referee of a game: applies the rules, and any adjudication that the match asks for."""

from __future__ import annotations

from collections import deque

from chuhe.bench.matches.match_values import Adjudication, GameEnd, Termination
from chuhe.engine import BLACK, RED, Law, Move, Position, Score
from chuhe.engine.endgame import probe
from chuhe.engine.values import FinalResult

Decision = tuple[FinalResult, GameEnd, str]  # result, reason, the reason in full


def decided_by_tables(position: Position, law: Law) -> Decision | None:
    """The endgame tables' verdict, unless no table has the position or the move limit may come before the mate."""
    verdict = probe(position)
    if verdict is None:
        return None
    if verdict.plies is None:
        return "1/2-1/2", Termination.TABLE_ADJUDICATION, "adjudicated: drawn by the endgame tables"
    if law.move_limit and position.halfmove_clock + verdict.plies >= 2 * law.move_limit:
        return None
    red_wins = (verdict.result == "win") == (position.turn == RED)
    words = verdict.message(position.turn)
    return ("1-0" if red_wins else "0-1"), Termination.TABLE_ADJUDICATION, f"adjudicated by the endgame tables: {words}"


def decided_by_law(position: Position, law: Law) -> Decision | None:
    outcome = position.outcome(law)
    return (outcome.result, outcome.reason, outcome.text) if outcome else None


class Referee:
    """Keeps the board, checks moves, and says when the game is over."""

    def __init__(self, fen: str | None, law: Law) -> None:
        self.position = Position(fen) if fen else Position()
        self.law = law

    @property
    def red_to_move(self) -> bool:
        return bool(self.position.turn == RED)

    def play(self, text: str) -> None:
        """One move in ICCS; InvalidMoveError or IllegalMoveError, both ValueErrors, when it cannot be played."""
        self.position.push(Move.from_iccs(text))

    def ending(self) -> Decision | None:
        return decided_by_law(self.position, self.law)


class Adjudicator:
    """Ends a game by the engines' own scores (see `Adjudication`)."""

    def __init__(self, rules: Adjudication) -> None:
        self.rules = rules
        self._scores: dict[int, deque[int | None]] = {
            RED: deque(maxlen=_memory(rules)),
            BLACK: deque(maxlen=_memory(rules)),
        }

    def note(self, colour: int, score: Score | None) -> None:
        """Record the mover's score for the move just made; None if the engine gave none."""
        self._scores[colour].append(None if score is None else score.as_centipawns())

    def ending(self, mover: int, fullmove: int) -> Decision | None:
        """The ending, if any, after `mover`'s move and its score. `fullmove`: full moves played so far."""
        rules = self.rules
        if rules.max_moves and fullmove >= rules.max_moves:
            return "1/2-1/2", Termination.MOVE_COUNT, f"adjudicated: {rules.max_moves} moves played"
        if rules.draw_moves and fullmove >= rules.draw_from and self._quiet():
            return (
                "1/2-1/2",
                Termination.DRAW_ADJUDICATION,
                f"adjudicated: both within ±{rules.draw_score} for {rules.draw_moves} moves",
            )
        if rules.resign_moves:
            for loser in (mover, RED + BLACK - mover):
                if self._lost(loser):
                    text = f"adjudicated: score beyond {rules.resign_score} for {rules.resign_moves} moves"
                    return ("0-1" if loser == RED else "1-0"), Termination.RESIGN_ADJUDICATION, text
        return None

    def _quiet(self) -> bool:
        limit = self.rules.draw_score
        return all(
            score is not None and abs(score) <= limit
            for colour in (RED, BLACK)
            for score in self._last(colour, self.rules.draw_moves)
        )

    def _lost(self, loser: int) -> bool:
        rules = self.rules
        lost = all(s is not None and s <= -rules.resign_score for s in self._last(loser, rules.resign_moves))
        if not lost or rules.resign_alone:
            return lost
        winner = RED + BLACK - loser
        return all(s is not None and s >= rules.resign_score for s in self._last(winner, rules.resign_moves))

    def _last(self, colour: int, count: int) -> list[int | None]:
        """The last `count` scores; missing ones count as unknown."""
        scores = list(self._scores[colour])[-count:]
        return scores + [None] * (count - len(scores))


def _memory(rules: Adjudication) -> int:
    return max(rules.draw_moves, rules.resign_moves, 1)
