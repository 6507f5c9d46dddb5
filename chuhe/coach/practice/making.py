"""Making puzzles from games: positions where exactly one move wins, or saves the game, by a wide margin.

A position is looked at in searches of growing length. Each of the longer ones asks twice: what is the best move, and
what is the best of all others? All must agree, with a margin to spare, so that another version of the search will too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chuhe.coach import MOTIFS, explain
from chuhe.coach.practice.puzzles import Goal, Puzzle
from chuhe.engine import BestMove, Engine, Info, Limits, Move, Position, Score, Settings
from chuhe.engine.values import Law

MADE: tuple[Goal, ...] = ("win", "save")
FIRST_LOOK = 4_000  # nodes
NODES = 20_000
LONGER = (3, 10)  # the searches that verify it are so many times as long
# Centipawns for the side to move. At 170 about 70 of 100 self-play games are won, at 50 about 30.
WON, NOT_WON = 170, 50
HELD, LOST = -37, -170
SPARE = 37  # centipawns: a new puzzle is better than these bounds by so much
NEARLY = 70  # centipawns: in the first look the best move may be worse than its bound by so much
SHALLOW, DEEP = 1, 4  # found at this depth or before: no difficulty; after the other: a large one
LONG_TASK, LONG_MATE = 5, 5  # plies to the last move to find, moves to mate: one more difficulty each
GENERAL = ("mate_threat", "wins_piece")  # motifs that most puzzles show
COMMONEST = 8  # at most one of so many chosen puzzles carries the same theme
SHORT_LINE, LINE_PLIES = 7, 15  # plies: a shorter line is searched on, a longer one is cut
SCORE_LAW = Law()  # as the search judges


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position of a game that may be a puzzle."""

    position: Position
    goal: Goal


@dataclass(frozen=True, slots=True)
class SourceGame:
    """A game as the maker needs it; scores are for the mover, None where the game has none."""

    start: Position
    moves: tuple[Move, ...]
    scores: tuple[int | None, ...]


def candidates(game: SourceGame) -> Iterator[Candidate]:
    """Positions where the game's scores jump up for the mover (a win), or stay level in the fight (a save).

    Where a game has no scores every position is a candidate, and the first look decides.
    """
    position = game.start.copy()
    scored = any(score is not None for score in game.scores)
    for index, move in enumerate(game.moves):
        if not _recaptures(position, move):
            for goal in _goals(game.scores, index, position.is_check()) if scored else MADE:
                yield Candidate(position.copy(), goal)
        position.push(move)


def _goals(scores: Sequence[int | None], index: int, in_check: bool) -> Iterator[Goal]:
    before, now = scores[index - 2] if index >= 2 else None, scores[index]
    if before is None or now is None:
        return
    later = scores[index + 2] if index + 2 < len(scores) else None
    if before <= NOT_WON and (now >= WON or (later or 0) >= WON):
        yield "win"
    if abs(now) <= -HELD and (in_check or index % 12 == 0):
        yield "save"


def _recaptures(position: Position, move: Move) -> bool:
    stack = position.move_stack
    return bool(stack) and stack[-1].to_square == move.to_square and position.is_capture(move)


class PuzzleMaker:
    """Judges candidates with an engine of its own."""

    def __init__(self, nodes: int = NODES) -> None:
        self.nodes = nodes
        self.engine = Engine(Settings(hash_mb=8, law=SCORE_LAW, use_tables=False))
        self.refused: Counter[str] = Counter()

    def puzzle(self, candidate: Candidate) -> Puzzle | None:
        """The verified puzzle; None if the position has not exactly one answer by a wide margin."""
        position = Position(candidate.position.fen())
        if not self._promising(position, candidate.goal):
            self.refused["first look"] += 1
            return None
        depths: dict[int, Move] = {}
        lines = self._lines(position, self.nodes, depths)
        if len(lines) < 2 or not is_only(candidate.goal, lines[0].score, lines[1].score, -SPARE):
            self.refused["second line"] += 1
            return None
        answer = lines[0].pv[0]
        line = self.verify(position, candidate.goal, answer, -SPARE)
        if line is None:
            self.refused["longer search"] += 1
            return None
        line = self._continued(position, line)
        return described(self.with_asked(Puzzle(position.fen(), candidate.goal, 1, (), line)), depths)

    def with_asked(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with all moves of its line to find where, as at its start, only one will do."""
        asked = [0]
        for index in range(2, len(puzzle.line), 2):
            position, move = puzzle.position(index), puzzle.line[index]
            lines = self._lines(position, self.nodes, {})
            if len(lines) < 2 or lines[0].pv[0] != move:
                continue
            only = is_only(puzzle.goal, lines[0].score, lines[1].score, -SPARE)
            if only and self.verify(position, puzzle.goal, move, -SPARE) is not None:
                asked.append(index)
        return replace(puzzle, asked=tuple(asked))

    def still_asked(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle without those of its later moves to find that are no longer the only ones."""
        later = [
            index
            for index in puzzle.asked[1:]
            if self.verify(puzzle.position(index), puzzle.goal, puzzle.line[index]) is not None
        ]
        return replace(puzzle, asked=(0, *later))

    def described(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with its themes and its difficulty found anew."""
        depths: dict[int, Move] = {}
        self._lines(puzzle.position(), self.nodes, depths)
        return described(puzzle, depths)

    def verify(self, position: Position, goal: Goal, answer: Move, slack: int = 0) -> tuple[Move, ...] | None:
        """The line of the longest search if the answer still is the only one in all of them, else None.

        `slack` in centipawns is granted to both bounds: another version of the search scores a little differently.
        """
        for times in LONGER:
            limits = Limits(nodes=times * self.nodes)
            others = self._search(position, replace(limits, ban_moves=(answer,)))
            if not fails(goal, others.score, slack):
                return None
            best = self._search(position, limits)
            if best.move != answer or not succeeds(goal, best.score, slack):
                return None
        return best.pv or (answer,)

    def _continued(self, position: Position, line: tuple[Move, ...]) -> tuple[Move, ...]:
        """A line that a hash table has cut short, searched on, so that it shows what the answer is for."""
        game = position.copy()
        for move in line:
            game.push(move)
        while len(line) < SHORT_LINE and game.outcome(SCORE_LAW) is None:
            further = self._search(game, Limits(nodes=self.nodes))
            assert further.move is not None
            for move in further.pv or (further.move,):
                game.push(move)
                line = (*line, move)
        return line[:LINE_PLIES]

    def _promising(self, position: Position, goal: Goal) -> bool:
        """In a short search the best move nearly reaches the goal already, and the second one misses it."""
        if len(position.legal_moves) < 3:
            return False
        lines = self._lines(position, min(FIRST_LOOK, self.nodes), {})
        return len(lines) > 1 and succeeds(goal, lines[0].score, NEARLY) and fails(goal, lines[1].score)

    def _search(self, position: Position, limits: Limits) -> BestMove:
        self.engine.configure(multipv=1)
        self.engine.clear_hash()
        self.engine.set_position(position)
        return self.engine.search(limits)

    def _lines(self, position: Position, nodes: int, depths: dict[int, Move]) -> list[Info]:
        """The two best lines; `depths` gets the best move of every depth."""
        found: dict[int, Info] = {}

        def hear(info: Info) -> None:
            if info.pv and info.currmove is None and info.bound == "exact":
                found[info.multipv] = info
                if info.multipv == 1:
                    depths[info.depth] = info.pv[0]

        self.engine.configure(multipv=2)
        self.engine.clear_hash()
        self.engine.set_position(position)
        self.engine.search(Limits(nodes=nodes), hear)
        return [found[number] for number in sorted(found)]


def described(puzzle: Puzzle, depths: dict[int, Move]) -> Puzzle:
    """With the themes of its moves to find, and the difficulty by the best moves of a search, depth by depth."""
    themes = themes_of(puzzle.position(), puzzle.line, puzzle.asked)
    return replace(puzzle, themes=themes, difficulty=difficulty(depths, puzzle))


def succeeds(goal: Goal, score: Score, slack: int = 0) -> bool:
    return score.as_centipawns() >= (WON if goal == "win" else HELD) - slack


def fails(goal: Goal, score: Score, slack: int = 0) -> bool:
    return score.as_centipawns() <= (NOT_WON if goal == "win" else LOST) + slack


def is_only(goal: Goal, best: Score, second: Score, slack: int = 0) -> bool:
    """Whether the best move reaches the goal and the second best clearly misses it."""
    held = goal == "win" or best.as_centipawns() < WON
    return succeeds(goal, best, slack) and held and fails(goal, second, slack)


def difficulty(depths: dict[int, Move], puzzle: Puzzle) -> int:
    """1 to 3, by the depth at which the answer became the best move for good, the length, and a quiet key move."""
    found = max(depths, default=0)
    for depth in sorted(depths, reverse=True):
        if depths[depth] != puzzle.answer:
            break
        found = depth
    hard = (found > SHALLOW) + (found > DEEP)
    hard += puzzle.asked[-1] + 1 >= LONG_TASK  # plies until the last move to find
    hard += mate_length(puzzle) >= LONG_MATE
    hard += is_quiet(puzzle.position(), puzzle.answer)
    return 1 if hard <= 1 else 2 if hard == 2 else 3


def mate_length(puzzle: Puzzle) -> int:
    """The moves to the mate that the line ends in; 0 if it does not."""
    end = puzzle.position(len(puzzle.line))
    return 0 if end.has_legal_moves() else (len(puzzle.line) + 1) // 2


def is_quiet(position: Position, move: Move) -> bool:
    """Neither a capture nor a check."""
    after = position.copy()
    after.push(move)
    return not position.is_capture(move) and not after.is_check()


def themes_of(position: Position, line: tuple[Move, ...], asked: Sequence[int] = (0,)) -> tuple[str, ...]:
    """What the moves to find show: the names of the mate first, then what those moves do.

    A mate has its name if one of the moves to find gives it. A threat of mate and the win of a piece are themes only
    where nothing more telling is shown.
    """
    facts = [
        fact
        for fact in explain(position, line, law=SCORE_LAW)
        if fact.colour == position.turn and fact.ply - 1 in asked
    ]
    ordered = sorted(facts, key=lambda fact: (MOTIFS[fact.code].kind != "mate", fact.ply))
    codes = tuple(dict.fromkeys(fact.code for fact in ordered))
    return tuple(code for code in codes if code not in GENERAL) or codes[:1]


def choose(
    puzzles: Iterable[Puzzle],
    count: int,
    kept: Iterable[Puzzle] = (),
    approve: Callable[[Puzzle], Puzzle | None] = lambda puzzle: puzzle,
) -> list[Puzzle]:
    """So many puzzles, with those that are kept: rare themes and rare difficulties first, one of each position.

    `approve` has the last word on each of the others, and may change it.
    """
    chosen = {puzzle.name: puzzle for puzzle in kept}
    pool = {puzzle.name: puzzle for puzzle in puzzles if puzzle.name not in chosen}
    seen: Counter[str] = Counter()
    for puzzle in chosen.values():
        seen.update(_features(puzzle))
    while pool and len(chosen) < count:
        best = min(pool.values(), key=lambda puzzle: (_commonness(puzzle, seen), puzzle.name))
        del pool[best.name]
        if any(seen[theme] >= max(3, count // COMMONEST) for theme in best.themes):
            continue
        approved = approve(best)
        if approved is not None:
            chosen[best.name] = approved
            seen.update(_features(approved))
    return sorted(chosen.values(), key=lambda puzzle: (puzzle.difficulty, puzzle.themes, puzzle.name))


def _features(puzzle: Puzzle) -> tuple[str, ...]:
    return (*puzzle.themes, puzzle.goal, f"difficulty {puzzle.difficulty}")


def _commonness(puzzle: Puzzle, seen: Counter[str]) -> float:
    """Small if a puzzle brings what few of the chosen have."""
    rarest = min((seen[theme] for theme in puzzle.themes), default=1000)
    return 3 * rarest + seen[f"difficulty {puzzle.difficulty}"] + seen[puzzle.goal] / 4
