"""Judges the moves of a game one by one, for `chuhe analyze` and the review on the web page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine import BestMove, Move, Position, Score
from engine.pgn import GameRecord, RecordedMove

CLAMP = 1000  # centipawns: scores are clamped to ±this, so that losses in decided positions do not count
GRADES = ((300, "??", "blunder"), (150, "?", "mistake"), (60, "?!", "inaccuracy"))
LINE_PLIES = 8


@dataclass(frozen=True)
class Judgement:
    """One move of a game: its score and the best move's, both for the mover, in centipawns."""

    colour: int
    best: Score  # before the move
    after: Score  # of the move that was played, for the mover
    best_line: tuple[Move, ...]
    depth: int
    was_best: bool
    table: str = ""  # what an endgame table says of the position after the move

    @property
    def loss(self) -> int:
        return 0 if self.was_best else max(0, clamped(self.best) - clamped(self.after))

    @property
    def for_red(self) -> Score:
        """The score after the move, for Red."""
        return self.after if self.colour == 0 else -self.after

    @property
    def grade(self) -> tuple[str, str]:
        """The mark and its name; empty if the move is not a mistake."""
        return next(((mark, name) for limit, mark, name in GRADES if self.loss >= limit), ("", ""))


def clamped(score: Score) -> int:
    """
    >>> clamped(Score(cp=35)), clamped(Score(cp=-4000)), clamped(Score(mate=3))
    (35, -1000, 1000)
    """
    return max(-CLAMP, min(CLAMP, score.as_centipawns()))


Search = Callable[[Position], BestMove]
Known = Callable[[Position], str]  # the known result of a position, in words; empty if unknown


def nothing_known(position: Position) -> str:
    return ""


def judgements(
    fen: str, moves: Sequence[Move], search: Search, known: Known = nothing_known
) -> Iterator[tuple[int, Judgement]]:
    """Judges every move and yields it with its index as soon as it is known.

    Goes from the last move to the first, so that the hash table already holds the later positions.
    """
    position = Position(fen)
    for move in moves:
        position.push(move)
    after = _final_score(position, search)
    for index in range(len(moves) - 1, -1, -1):
        truth = known(position)
        position.pop()
        best = search(position)
        line = best.pv or ((best.move,) if best.move else ())
        yield index, Judgement(position.turn, best.score, -after, line, best.depth, best.move == moves[index], truth)
        after = best.score


def judge_game(
    record: GameRecord, search: Search, step: Callable[[], None] = lambda: None, known: Known = nothing_known
) -> list[Judgement]:
    """Judges every move of a game; `step` is called for each position, including the last."""
    found: list[Judgement] = []
    for _, judgement in judgements(record.fen, record.plain_moves, search, known):
        for _ in range(1 if found else 2):
            step()
        found.append(judgement)
    return found[::-1]


def _final_score(position: Position, search: Search) -> Score:
    """For the side to move; a finished game scores its result (as mate in 1, since 0 has no sign)."""
    outcome = position.outcome()
    if outcome is None:
        return search(position).score
    if outcome.result == "1/2-1/2":
        return Score(cp=0)
    won = (outcome.result == "1-0") == (position.turn == 0)
    return Score(mate=1 if won else -1)


def annotate(record: GameRecord, judgements: list[Judgement]) -> GameRecord:
    """The game with a score on every move, and a mark and the better line on every mistake."""
    moves = []
    for recorded, judgement in zip(record.moves, judgements, strict=True):
        mark, name = judgement.grade
        comment = f"{judgement.for_red}/{judgement.depth}"
        if judgement.table:
            comment += f" {judgement.table}"
        variations = recorded.variations
        if mark:
            comment += f" {name}, loses {judgement.loss / 100:.2f}"
            variations = (*variations, tuple(map(RecordedMove, judgement.best_line[:LINE_PLIES])))
        comment = f"{recorded.comment} {comment}".strip()
        moves.append(RecordedMove(recorded.move, comment, mark or recorded.mark, variations))
    tags = {**record.tags, "Annotator": "Chuhe"}
    return replace(record, moves=tuple(moves), tags=tags)


def summary(judgements: list[Judgement]) -> str:
    """Both sides in a small table."""
    lines = [f"{'':<7}{'moves':>6}{'average loss':>14}" + "".join(f"{name:>12}" for _, _, name in reversed(GRADES))]
    for colour, side in enumerate(("Red", "Black")):
        own = [judgement for judgement in judgements if judgement.colour == colour]
        average = sum(judgement.loss for judgement in own) / len(own) / 100 if own else 0.0
        counts = [sum(judgement.grade[1] == name for judgement in own) for _, _, name in reversed(GRADES)]
        lines.append(f"{side:<7}{len(own):>6}{average:>14.2f}" + "".join(f"{count:>12}" for count in counts))
    return "\n".join(lines)
