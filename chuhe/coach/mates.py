"""Named mates: what a final position is called. Each rule below is a definition of docs/coach.md, word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from chuhe.coach.facts import Fact, placed
from chuhe.engine._core import ADVISOR, CANNON, KING, KNIGHT, PAWN, ROOK, Move, Piece
from chuhe.engine.diagram import (
    Pieces,
    attackers,
    between,
    depth,
    kings_face,
    left_line,
    moved,
    position_of,
    reaches,
    steps_of_king,
    without,
)
from chuhe.engine.position import Position

MIDDLE = 4  # the e file
RIBS = (3, 5)  # the d and f files
WINGS = (2, 6)  # the c and g files


@dataclass(frozen=True, slots=True)
class EarlierMove:
    """A move of the game before the mate."""

    move: Move
    piece: Piece
    taken: Piece | None
    check: bool


class MateScene:
    """A finished position as the definitions speak of it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.pieces = position.pieces()
        self.loser = position.turn
        self.winner = 1 - self.loser
        self.king = position.king(self.loser)
        self.checkers = position.checkers()
        self.steps = steps_of_king(self.king, self.loser)
        self.blocked = [step for step in self.steps if self.is_own(step)]

    def is_own(self, square: int) -> bool:
        """Whether a piece of the loser stands there."""
        return square in self.pieces and self.pieces[square].colour == self.loser

    def kind(self, square: int) -> int:
        return self.pieces[square].kind

    def attacking(self, kind: int) -> list[int]:
        """The winner's pieces of a kind."""
        return [square for square, piece in self.pieces.items() if piece.colour == self.winner and piece.kind == kind]

    @cached_property
    def guards(self) -> dict[int, list[int]]:
        """The steps that the loser's pieces leave free, and what attacks the king there. Facing kings do not count."""
        found = {}
        for step in self.steps:
            if step not in self.blocked:
                after = moved(self.pieces, Move(self.king, step))
                found[step] = attackers(after, self.winner, step)
        return found

    @property
    def sole_checker(self) -> int | None:
        return self.checkers[0] if len(self.checkers) == 1 else None

    def at_home(self) -> bool:
        """Whether the king is on its home point: the middle of its back rank."""
        return self.king % 9 == MIDDLE and depth(self.king, self.loser) == 0

    def stands(self, square: int, files: tuple[int, ...], rank: int) -> bool:
        """Whether a square is on one of these files, `rank` ranks before the loser's back rank."""
        return square % 9 in files and depth(square, self.loser) == rank

    def needed(self, square: int) -> bool:
        """Whether the loser could move if this piece were gone. False where that board could not occur."""
        if square == self.sole_checker:
            return True
        other = position_of(without(self.pieces, square), self.loser)
        return other is not None and other.has_legal_moves()

    def only_guard(self, square: int) -> list[int]:
        """The steps of the king that this piece alone takes away."""
        return [step for step, guards in self.guards.items() if guards == [square]]

    @cached_property
    def needed_pieces(self) -> list[int]:
        """The winner's pieces that are needed, its king aside."""
        own = [square for square, piece in self.pieces.items() if piece.colour == self.winner and piece.kind != KING]
        return [square for square in own if self.needed(square)]

    @cached_property
    def last_moves(self) -> list[EarlierMove]:
        """Up to three moves before the mate, the last first; empty if they are not known."""
        game = self.position.copy()
        found: list[EarlierMove] = []
        while len(found) < 3 and game.move_stack and game.move_stack[-1]:
            check = game.is_check()
            move = game.pop()
            piece = game.piece_at(move.from_square)
            assert piece is not None
            found.append(EarlierMove(move, piece, game.piece_at(move.to_square), check))
        return found


@dataclass(frozen=True, slots=True)
class Proof:
    """The squares of the pieces that prove a name, and the empty points that matter."""

    pieces: tuple[int, ...]
    points: tuple[int, ...] = ()


def named_mates(position: Position) -> list[Fact]:
    """The names of a checkmate or stalemate, the most specific first; empty if the game is not over on the board."""
    if position.has_legal_moves():
        return []
    scene = MateScene(position)
    facts = []
    for code, rule in _RULES.items():
        proof = next(rule(scene), None)
        if proof is not None:
            pieces = placed(scene.pieces, (*dict.fromkeys(proof.pieces), scene.king))
            facts.append(Fact(code, scene.winner, pieces, proof.points))
    if any(fact.code == "smothered_palace" for fact in facts):  # a special case of it
        facts = [fact for fact in facts if fact.code != "smothered"]
    return facts


def _horse_cannon(scene: MateScene) -> Iterator[Proof]:
    for screen in _screens_of_sole_cannon(scene):
        own = scene.pieces[screen].colour == scene.winner and scene.kind(screen) == KNIGHT
        if own and _distance(screen, scene.king) == 2:
            yield Proof((scene.checkers[0], screen))


def _double_cannon(scene: MateScene) -> Iterator[Proof]:
    for screen in _screens_of_sole_cannon(scene):
        if scene.pieces[screen].colour == scene.winner and scene.kind(screen) == CANNON:
            yield Proof((scene.checkers[0], screen))


def _screens_of_sole_cannon(scene: MateScene) -> list[int]:
    checker = scene.sole_checker
    if checker is None or scene.kind(checker) != CANNON:
        return []
    return between(scene.pieces, checker, scene.king) or []


def _distance(first: int, second: int) -> int:
    return abs(first % 9 - second % 9) + abs(first // 9 - second // 9)


def _pierced_heart(scene: MateScene) -> Iterator[Proof]:
    for index, played in enumerate(scene.last_moves):
        if index == 1 or played.piece.kind != ROOK or played.taken is None or played.taken.kind != ADVISOR:
            continue
        centre = played.move.to_square
        retaken = index == 0 or scene.last_moves[1].move.to_square == centre
        if played.check and scene.stands(centre, (MIDDLE,), 1) and retaken:
            yield Proof((*scene.checkers,), (centre,))


def _uncovered_by(kind: int, on_back_rank: bool = False) -> Callable[[MateScene], Iterator[Proof]]:
    """The mating move was one of such a piece, which left the line between a rook and the king."""

    def rule(scene: MateScene) -> Iterator[Proof]:
        last = scene.last_moves[0] if scene.last_moves else None
        if last is None or last.piece.kind != kind:
            return
        for rook in scene.checkers:
            placed_so = not on_back_rank or depth(rook, scene.loser) == depth(scene.king, scene.loser) == 0
            if scene.kind(rook) == ROOK and placed_so and left_line(last.move, rook, scene.king):
                yield Proof((rook, last.move.to_square))

    return rule


def _back_to_temple(scene: MateScene) -> Iterator[Proof]:
    if len(scene.last_moves) < 3 or depth(scene.king, scene.loser) != 0:
        return
    last, reply, before = scene.last_moves
    driven = reply.piece.kind == KING and depth(reply.move.from_square, scene.loser) == 1
    if (
        driven
        and before.check
        and last.piece.kind == before.piece.kind == PAWN
        and last.move.to_square in scene.checkers
    ):
        yield Proof(tuple(scene.checkers))


def _iron_bolt(scene: MateScene) -> Iterator[Proof]:
    checker = scene.sole_checker
    if checker is None or scene.kind(checker) not in (ROOK, PAWN) or not scene.at_home():
        return
    if depth(checker, scene.loser) != 0:
        return
    low, high = sorted((checker, scene.king))
    parries = [checker, *range(low + 1, high)]
    for cannon in scene.attacking(CANNON):
        line = between(scene.pieces, cannon, scene.king) if cannon % 9 == MIDDLE else None
        for held in line if line and len(line) == 2 else ():
            if scene.is_own(held) and any(_could_move(scene.pieces, held, point) for point in parries):
                yield Proof((checker, cannon, held))


def _could_move(pieces: Pieces, square: int, target: int) -> bool:
    """Whether a piece could move to a point, pins aside."""
    if target not in pieces and pieces[square].kind == CANNON:
        return between(pieces, square, target) == []
    return reaches(pieces, square, target)


def _heaven_earth_cannons(scene: MateScene) -> Iterator[Proof]:
    if not scene.at_home():
        return
    cannons = scene.attacking(CANNON)
    for heaven in cannons:
        for earth in cannons:
            placed_so = heaven % 9 == MIDDLE and depth(earth, scene.loser) == 0
            if heaven != earth and placed_so and scene.needed(heaven) and scene.needed(earth):
                yield Proof((*scene.checkers, heaven, earth))


def _smothered_palace(scene: MateScene) -> Iterator[Proof]:
    for screen in _screens_of_sole_cannon(scene):
        cannon = scene.checkers[0]
        advisors = {
            square for square in (screen, *scene.blocked) if scene.is_own(square) and scene.kind(square) == ADVISOR
        }
        alone = all(cannon in guards for guards in scene.guards.values())
        if scene.at_home() and screen in advisors and len(advisors) == 2 and alone:
            yield Proof((cannon, screen, *scene.blocked))


def _smothered(scene: MateScene) -> Iterator[Proof]:
    if scene.sole_checker is not None and scene.blocked == scene.steps:
        yield Proof((scene.checkers[0], *scene.blocked))


def _horse_posts(files: tuple[int, ...], rank: int) -> Callable[[MateScene], Iterator[Proof]]:
    """A knight on this post that gives check to the king, or alone takes away one of its steps."""

    def rule(scene: MateScene) -> Iterator[Proof]:
        for knight in scene.attacking(KNIGHT):
            if scene.stands(knight, files, rank):
                steps = scene.only_guard(knight)
                if knight in scene.checkers or (scene.checkers and steps):
                    yield Proof((*scene.checkers, knight), tuple(steps))

    return rule


def _corner_horse(scene: MateScene) -> Iterator[Proof]:
    for knight in scene.checkers:
        if scene.kind(knight) == KNIGHT and scene.stands(knight, RIBS, 2) and scene.at_home():
            yield Proof((*scene.checkers,))


def _octagon_horse(scene: MateScene) -> Iterator[Proof]:
    if scene.king % 9 not in RIBS or depth(scene.king, scene.loser) not in (0, 2) or not scene.checkers:
        return
    for knight in scene.attacking(KNIGHT):
        opposite = abs(knight % 9 - scene.king % 9) == abs(knight // 9 - scene.king // 9) == 2
        corner = depth(knight, scene.loser) in (0, 2) and knight % 9 in RIBS
        if opposite and corner and scene.only_guard(knight):
            yield Proof((*scene.checkers, knight), tuple(scene.only_guard(knight)))


def _side_tiger(scene: MateScene) -> Iterator[Proof]:
    if scene.king % 9 in RIBS and any(scene.kind(checker) == ROOK for checker in scene.checkers):
        yield from _horse_posts(WINGS, 3)(scene)


def _two_horses(scene: MateScene) -> Iterator[Proof]:
    checker = scene.sole_checker
    if checker is None or scene.kind(checker) != KNIGHT:
        return
    for other in scene.attacking(KNIGHT):
        if other != checker and _one_wing((checker, other)) and scene.only_guard(other):
            yield Proof((checker, other), tuple(scene.only_guard(other)))


def _one_wing(squares: Iterable[int]) -> bool:
    """Whether all these squares are on the same side of the middle file."""
    files = [square % 9 for square in squares]
    return max(files) < MIDDLE or min(files) > MIDDLE


def _rook_and_cannons(scene: MateScene) -> Iterator[Proof]:
    three = scene.needed_pieces
    if sorted(map(scene.kind, three)) != sorted((ROOK, CANNON, CANNON)) or not _one_wing(three):
        return
    depths = [depth(square, scene.loser) for square in three]
    if scene.checkers and max(depths) - min(depths) <= 2:
        yield Proof((*scene.checkers, *three))


def _three_on_one_wing(scene: MateScene) -> Iterator[Proof]:
    three = scene.needed_pieces
    kinds = {scene.kind(square) for square in three} & {ROOK, KNIGHT, CANNON, PAWN}
    crossed = all(depth(square, scene.loser) <= 4 for square in three)
    if scene.checkers and len(three) == len(kinds) == 3 and crossed and _one_wing(three):
        yield Proof((*scene.checkers, *three))


def _doubled_rooks(scene: MateScene) -> Iterator[Proof]:
    checker = scene.sole_checker
    if checker is None or scene.kind(checker) != ROOK:
        return
    for other in scene.attacking(ROOK):
        behind = other != checker and between(scene.pieces, other, checker) == []
        if behind and scene.needed(other) and reaches(scene.pieces, scene.king, checker):
            yield Proof((checker, other))


def _alternating_rooks(scene: MateScene) -> Iterator[Proof]:
    checker = scene.sole_checker
    if checker is None or scene.kind(checker) != ROOK:
        return
    along_file = checker % 9 == scene.king % 9
    for other in scene.attacking(ROOK):
        for step in scene.only_guard(other):
            beside = step % 9 != scene.king % 9 if along_file else step // 9 != scene.king // 9
            parallel = other % 9 == step % 9 if along_file else other // 9 == step // 9
            if other != checker and beside and parallel:
                yield Proof((checker, other), (step,))


def _two_devils(scene: MateScene) -> Iterator[Proof]:
    pawns = [pawn for pawn in scene.attacking(PAWN) if scene.stands(pawn, RIBS, 1)]
    if len(pawns) == 2 and scene.checkers and scene.at_home() and all(map(scene.needed, pawns)):
        yield Proof((*scene.checkers, *pawns))


def _pawn_on_throne(scene: MateScene) -> Iterator[Proof]:
    for pawn in scene.attacking(PAWN):
        if scene.checkers and scene.stands(pawn, (MIDDLE,), 1) and scene.needed(pawn):
            yield Proof((*scene.checkers, pawn))


def _old_pawn(scene: MateScene) -> Iterator[Proof]:
    checker = scene.sole_checker
    if checker is not None and scene.kind(checker) == PAWN and depth(checker, scene.loser) == 0:
        yield Proof((checker,))


def _quiet(kind: int) -> Callable[[MateScene], Iterator[Proof]]:
    """A rook and one such piece mate alone, with one check, after a move that was neither a check nor a capture."""

    def rule(scene: MateScene) -> Iterator[Proof]:
        if len(scene.last_moves) < 3 or scene.sole_checker is None:
            return
        before = scene.last_moves[2]
        alone = sorted(map(scene.kind, scene.needed_pieces)) == sorted((ROOK, kind))
        if alone and not before.check and before.taken is None:
            yield Proof((*scene.checkers, *scene.needed_pieces))

    return rule


def _facing_king(scene: MateScene) -> Iterator[Proof]:
    if not scene.checkers:
        return
    for move in scene.position.pseudo_legal_moves:
        after = moved(scene.pieces, move)
        king = move.to_square if move.from_square == scene.king else scene.king
        if kings_face(after) and not attackers(after, scene.winner, king):
            points = (move.to_square,) if move.to_square not in scene.pieces else ()
            yield Proof((*scene.checkers, scene.position.king(scene.winner)), points)


def _double_check(scene: MateScene) -> Iterator[Proof]:
    if len(scene.checkers) > 1:
        yield Proof(tuple(scene.checkers))


def _stalemate(scene: MateScene) -> Iterator[Proof]:
    if not scene.checkers:
        yield Proof(())


_RULES: dict[str, Callable[[MateScene], Iterator[Proof]]] = {
    "horse_cannon": _horse_cannon,
    "double_cannon": _double_cannon,
    "pierced_heart": _pierced_heart,
    "springing_horse": _uncovered_by(KNIGHT),
    "grinding_cannon": _uncovered_by(CANNON, on_back_rank=True),
    "back_to_temple": _back_to_temple,
    "iron_bolt": _iron_bolt,
    "heaven_earth_cannons": _heaven_earth_cannons,
    "smothered_palace": _smothered_palace,
    "smothered": _smothered,
    "elbow_horse": _horse_posts(WINGS, 1),
    "corner_horse": _corner_horse,
    "angler_horse": _horse_posts(WINGS, 2),
    "octagon_horse": _octagon_horse,
    "side_tiger": _side_tiger,
    "two_horses": _two_horses,
    "rook_and_cannons": _rook_and_cannons,
    "alternating_rooks": _alternating_rooks,
    "doubled_rooks": _doubled_rooks,
    "two_devils": _two_devils,
    "pawn_on_throne": _pawn_on_throne,
    "old_pawn": _old_pawn,
    "three_on_one_wing": _three_on_one_wing,
    "facing_king": _facing_king,
    "double_check": _double_check,
    "stalemate": _stalemate,
    "quiet_rook_horse": _quiet(KNIGHT),
    "quiet_rook_cannon": _quiet(CANNON),
    "quiet_rook_pawn": _quiet(PAWN),
}
