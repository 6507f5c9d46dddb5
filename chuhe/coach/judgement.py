"""Judges the moves of a game one by one, for `chuhe analyze` and the review on the web page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Protocol

from chuhe.coach.material import settled_balance
from chuhe.coach.mistakes import HELD, Remark, explain_mistake
from chuhe.coach.tactics import Variation
from chuhe.coach.wording import mistake_words
from chuhe.engine import START_FEN, BestMove, Limits, Move, Position, Score
from chuhe.engine.notation import Notation, language_of
from chuhe.engine.position import side_name
from chuhe.engine.score_scale import expected_points
from chuhe.records.game_record import GameRecord, RecordedMove
from chuhe.records.openings import book_plies
from chuhe.text.columns import pad, right
from chuhe.text.message import Language, Message

CLAMP = 500  # centipawns: scores are clamped to ±this, so that losses in decided positions do not count
# by the loss of expected points, in hundredths of a game
GRADES = ((20, "??", "blunder"), (12, "?", "mistake"), (8, "?!", "inaccuracy"))
SERIOUS = ("?", "??")  # they are explained
STILL_WON = 0.9  # expected points: a move that keeps as much is no mistake
FADING = 20.0  # a move that loses so many hundredths of a game has an accuracy of 37
# A move that loses so many hundredths of a game is looked at again, for so many times as long.
LOOKS = ((3.0, 3), (9.0, 10))
DRAW_TIMES = 30  # a draw that is claimed is searched for so many times as long
SPOKEN_OF = 13.0  # hundredths of a game: a smaller loss may be none to another engine
FADED = 0.75  # a loss that a longer search finds smaller than this share is not spoken of
ANSWERS = ("allows_threat", "allows_attack", "allows_capture")  # what is said of the answer
# What the board alone proves.
SEEN = ("king_out", "threatens_mate", "attacks", "frees", "confines", "takes", "develops")
# What matters only if it costs material soon.
POSITIONAL = ("allows_attack", "attacks", "frees", "confines")
COSTS = 60  # hundredths of a pawn, within so many plies of both lines
COSTS_WITHIN = 8
LINE_PLIES = 8
ANSWER_PLIES = 4  # with the move itself
SHORT_LINE = 6  # plies


@dataclass(frozen=True)
class Judgement:
    """One move of a game: its score and the best move's, both for the mover, in centipawns."""

    colour: int
    best: Score  # before the move
    after: Score  # of the move that was played, for the mover
    best_line: tuple[Move, ...]
    depth: int
    was_best: bool
    reply_line: tuple[Move, ...] = ()  # the best play after the move
    remarks: tuple[Remark, ...] = ()  # on a mistake: what is proven of it
    table: str = ""  # what an endgame table says of the position after the move
    book: bool = False  # the move is known from books and loses little: it has no mark

    @property
    def loss(self) -> int:
        return 0 if self.was_best else max(0, clamped(self.best) - clamped(self.after))

    @property
    def points_lost(self) -> float:
        """The loss of expected points, in hundredths of a game; nothing if a won game is still won."""
        after = expected_points(self.after)
        if self.was_best or self.book or after >= STILL_WON:
            return 0.0
        return max(0.0, 100 * (expected_points(self.best) - after))

    @property
    def accuracy(self) -> float:
        """100 for the best move, less for every point that a move loses."""
        return 100 * exp(-self.points_lost / FADING)

    @property
    def for_red(self) -> Score:
        """The score after the move, for Red."""
        return self.after if self.colour == 0 else -self.after

    @property
    def grade(self) -> tuple[str, str]:
        """The mark and its name; empty if the move is not a mistake."""
        return next(((mark, name) for limit, mark, name in GRADES if self.points_lost >= limit), ("", ""))


def clamped(score: Score) -> int:
    """
    >>> clamped(Score(cp=35)), clamped(Score(cp=-4000)), clamped(Score(mate=3))
    (35, -500, 500)
    """
    return max(-CLAMP, min(CLAMP, score.as_centipawns()))


class PositionSearch(Protocol):
    """Searches a position, for so many times as long as usual."""

    def __call__(self, position: Position, times: int = 1, /) -> BestMove: ...


def longer(limits: Limits, times: int) -> Limits:
    """So many times the time or the nodes; a limit of depth stays."""
    return replace(
        limits,
        nodes=limits.nodes and times * limits.nodes,
        movetime=limits.movetime and times * limits.movetime,
    )


Known = Callable[[Position], str]  # the known result of a position, in words; empty if unknown


def nothing_known(position: Position) -> str:
    return ""


def judgements(
    fen: str, moves: Sequence[Move], search: PositionSearch, known: Known = nothing_known
) -> Iterator[tuple[int, Judgement]]:
    """Judges every move and yields it with its index as soon as it is known.

    Goes from the last move to the first, so that the hash table already holds the later positions.
    """
    position = Position(fen)
    for move in moves:
        position.push(move)
    after, reply = final_score(position, search)
    in_book = book_plies(moves) if fen == START_FEN else 0
    for index in range(len(moves) - 1, -1, -1):
        truth, following = known(position), position.copy()
        position.pop()
        best = search(position)
        judgement = _judgement(position, moves[index], best, -after, reply)
        judgement = _known(judgement, truth, index < in_book)
        looks = []
        for least, times in LOOKS:
            if judgement.points_lost >= least:
                later, answer = final_score(following, search, times)
                judgement = _judgement(position, moves[index], search(position, times), -later, answer)
                judgement = _known(judgement, truth, index < in_book)
                if judgement.points_lost >= LOOKS[-1][0]:
                    judgement = replace(
                        judgement,
                        best_line=_continued(position, judgement.best_line, search),
                        reply_line=_continued(following, judgement.reply_line, search),
                    )
                looks.append(judgement)
        remarks = agreed_remarks(looks, position, moves[index])
        if any(remark.code == "holds_draw" for remark in remarks):
            remarks = remarks if _still_held(position, judgement, search) else answered(judgement, moves[index])
        yield index, replace(judgement, remarks=remarks)
        after, reply = best.score, best.pv or judgement.best_line


def _known(judgement: Judgement, table: str, in_book: bool) -> Judgement:
    """With what tables and books say of the move; one from a book has no mark if it loses little."""
    return replace(judgement, table=table, book=in_book and judgement.points_lost < GRADES[1][0])


def _still_held(position: Position, judgement: Judgement, search: PositionSearch) -> bool:
    """Whether a long search too finds the position level after the better move."""
    following = position.copy()
    following.push(judgement.best_line[0])
    score, _ = final_score(following, search, DRAW_TIMES)
    return abs(score.as_centipawns()) <= HELD


def _continued(position: Position, line: tuple[Move, ...], search: PositionSearch) -> tuple[Move, ...]:
    """A line that the hash table has cut short, searched on, so that it shows what happens."""
    game = position.copy()
    for move in line:
        game.push(move)
    while line and len(line) < SHORT_LINE and game.outcome() is None:
        further = search(game)
        moves = further.pv or ((further.move,) if further.move else ())
        if not moves:
            break
        for move in moves:
            game.push(move)
        line = (*line, *moves)
    return line


def _judgement(position: Position, move: Move, best: BestMove, after: Score, reply: tuple[Move, ...]) -> Judgement:
    line = best.pv or ((best.move,) if best.move else ())
    return Judgement(position.turn, best.score, after, line, best.depth, best.move == move, reply)


def agreed_remarks(looks: Sequence[Judgement], position: Position, move: Move) -> tuple[Remark, ...]:
    """What the last judgement of a mistake shows, if the one before it, from shorter searches, bears it out."""
    if not looks or not looks[-1].grade[0]:
        return ()
    last, earlier = looks[-1], looks[-2:][0]
    details = last.points_lost >= SPOKEN_OF
    said = [remarks_on(judgement, position, move, details) for judgement in (earlier, last)]
    same_best = earlier.best_line[:1] == last.best_line[:1]
    same_reply = earlier.reply_line[:1] == last.reply_line[:1]
    costs = material_lost(last, position, move) >= COSTS
    agreed = []
    for remark in said[-1]:
        claimed = any(remark.says_the_same(other) for other in said[0])
        if remark.code in POSITIONAL and not costs:
            continue
        if remark.code in ANSWERS:
            fits = same_reply and (same_best or costs)
        else:
            seen = remark.code in SEEN or (remark.code == "wins" and remark.shown == 1)
            fits = claimed or (seen and same_best)
        if fits and last.points_lost >= FADED * earlier.points_lost:
            agreed.append(remark)
    if last.grade[0] in SERIOUS and all(remark.code == "better" for remark in agreed):
        return answered(last, move)
    return tuple(agreed)


def material_lost(judgement: Judgement, position: Position, move: Move) -> int:
    """How much less the mover has some plies after this move than after the better one, in hundredths of a pawn."""
    better, played = (
        settled_balance(Variation(position, line[:COSTS_WITHIN]).positions[-1], position.turn)
        for line in (judgement.best_line, (move, *judgement.reply_line))
    )
    return better - played


def answered(judgement: Judgement, move: Move) -> tuple[Remark, ...]:
    """The line that refutes a move, of which nothing else is said."""
    line = (move, *judgement.reply_line)
    return (Remark("answered", line, shown=min(len(line), ANSWER_PLIES)),) if judgement.reply_line else ()


def remarks_on(judgement: Judgement, position: Position, move: Move, details: bool) -> list[Remark]:
    """What the lines of a judgement of this move show; without `details` only mates and ends by the law."""
    return explain_mistake(
        position,
        move,
        judgement.reply_line,
        judgement.best_line,
        judgement.best,
        judgement.after,
        details=details,
    )


def judge_game(
    record: GameRecord, search: PositionSearch, step: Callable[[], None] = lambda: None, known: Known = nothing_known
) -> list[Judgement]:
    """Judges every move of a game; `step` is called for each position, including the last."""
    found: list[Judgement] = []
    for _, judgement in judgements(record.fen, record.plain_moves, search, known):
        for _ in range(1 if found else 2):
            step()
        found.append(judgement)
    return found[::-1]


def final_score(position: Position, search: PositionSearch, times: int = 1) -> tuple[Score, tuple[Move, ...]]:
    """For the side to move, with its line; a finished game scores its result (as mate in 1, since 0 has no sign)."""
    outcome = position.outcome()
    if outcome is None:
        best = search(position, times)
        return best.score, best.pv
    if outcome.result == "1/2-1/2":
        return Score(cp=0), ()
    won = (outcome.result == "1-0") == (position.turn == 0)
    return Score(mate=1 if won else -1), ()


def annotate(record: GameRecord, judgements: list[Judgement], notation: Notation = "wxf") -> GameRecord:
    """The game with a score or the end on every move, and a mark, the reason and the better line on every mistake.

    The reason is in the language of the notation.
    """
    moves = []
    position = Position(record.fen)
    for recorded, judgement in zip(record.moves, judgements, strict=True):
        mark, name = judgement.grade
        following = position.copy()
        following.push(recorded.move)
        ended = following.outcome()
        score = f"{judgement.for_red}/{judgement.depth}"
        comment = ended.message.text(language_of(notation)) if ended else score
        if judgement.book:
            comment += f" {Message('grade.book').text(language_of(notation))}"
        if judgement.table:
            comment += f" {judgement.table}"
        variations = recorded.variations
        if mark:
            fault = Message("review.fault", grade=Message(f"grade.{name}"), loss=f"{judgement.loss / 100:.2f}")
            comment += f" {fault.text(language_of(notation))}"
            for message in mistake_words(position, judgement.remarks, notation):
                comment += f" {message.text(language_of(notation))}"
            variations = (*variations, tuple(map(RecordedMove, judgement.best_line[:LINE_PLIES])))
        comment = f"{recorded.comment} {comment}".strip()
        moves.append(replace(recorded, comment=comment, mark=mark or recorded.mark, variations=variations))
        position = following
    tags = {**record.tags, "Annotator": "Chuhe"}
    return replace(record, moves=tuple(moves), tags=tags)


def summary(judgements: list[Judgement], language: Language = "en") -> str:
    """Both sides in a small table."""
    grades = [name for _, _, name in reversed(GRADES)]
    titles = [Message(f"review.{name}") for name in ("moves", "average", "accuracy")]
    titles += [Message(f"grade.{name}") for name in grades]
    widths = (6, 14, 12, *(12 for _ in grades))
    head = zip(titles, widths, strict=True)
    lines = [" " * 7 + "".join(right(title.text(language), columns) for title, columns in head)]
    for colour in (0, 1):
        own = [judgement for judgement in judgements if judgement.colour == colour]
        average = sum(judgement.loss for judgement in own) / len(own) / 100 if own else 0.0
        counts = [sum(judgement.grade[1] == name for judgement in own) for name in grades]
        accuracy = sum(judgement.accuracy for judgement in own) / len(own) if own else 100.0
        side = pad(side_name(colour).text(language), 7)
        lines.append(
            f"{side}{len(own):>6}{average:>14.2f}{accuracy:>11.1f}%" + "".join(f"{count:>12}" for count in counts)
        )
    return "\n".join(lines)
