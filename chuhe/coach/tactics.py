"""Tactics: what a move of a line does. Each rule below is a definition of docs/coach.md, word by word.

A rule gets the line and the index of a move. It may look at the position before and after that move, and at the moves
that follow in the line; it states nothing that these do not show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chuhe.coach.facts import Fact, placed
from chuhe.coach.material import A_PIECE, OFFICERS, WORTH, balance, exchange_value, gains, hangs, settled_balance
from chuhe.coach.mates import named_mates
from chuhe.engine._core import ADVISOR, CANNON, KING, ROOK, Move, Piece
from chuhe.engine.diagram import Pieces, attackers, between, king_of, knight_leg, left_line, moved, reaches
from chuhe.engine.position import Position

MateSearch = Callable[[Position], Sequence[Move]]  # a proven mate by the side to move, move by move; empty: none known


class Variation:
    """A position and the moves that follow, with the board at every point."""

    def __init__(self, position: Position, moves: Sequence[Move]) -> None:
        self.moves = list(moves)
        self.positions = [position.copy()]
        for move in self.moves:
            following = self.positions[-1].copy()
            following.push(move)
            self.positions.append(following)
        self.boards = [step.pieces() for step in self.positions]

    def taken(self, index: int) -> Piece | None:
        """The piece that a move of the line takes."""
        return self.boards[index].get(self.moves[index].to_square) if index < len(self.moves) else None


def tactics_of(line: Variation, index: int) -> Iterator[Fact]:
    """What the move with this index does, by the rules that need no search."""
    mover = line.positions[index].turn
    for code, rule in _RULES.items():
        for board, squares in rule(line, index):
            yield Fact(code, mover, placed(board, dict.fromkeys(squares)), ply=index + 1)


Proofs = Iterator[tuple[Pieces, Sequence[int]]]  # a board and the squares of the pieces on it that prove a fact


def _double_attack(line: Variation, index: int) -> Proofs:
    before, after, move = line.boards[index], line.boards[index + 1], line.moves[index]
    piece = after[move.to_square]
    if hangs(after, move.to_square):
        return
    targets, fresh = [], False
    for target, victim in after.items():
        if victim.colour == piece.colour or victim.kind not in (KING, *OFFICERS):
            continue
        if victim.kind == KING:
            attacked = reaches(after, move.to_square, target)
        else:
            attacked = gains(after, move.to_square, target)
        if attacked:
            targets.append(target)
            fresh = fresh or not reaches(before, move.from_square, target)
    if len(targets) > 1 and fresh:
        yield after, (move.to_square, *targets)


def _discovered_check(line: Variation, index: int) -> Proofs:
    after, move = line.boards[index + 1], line.moves[index]
    king = king_of(after, line.positions[index + 1].turn)
    for checker in line.positions[index + 1].checkers():
        if checker != move.to_square and _cleared(move, checker, king):
            yield after, (checker, move.to_square, king)


def _discovered_attack(line: Variation, index: int) -> Proofs:
    before, after, move = line.boards[index], line.boards[index + 1], line.moves[index]
    mover = after[move.to_square].colour
    for target, victim in after.items():
        if victim.colour == mover or victim.kind not in OFFICERS:
            continue
        for square in attackers(after, mover, target):
            opened = square != move.to_square and _cleared(move, square, target)
            if opened and not reaches(before, square, target) and gains(after, square, target):
                yield after, (square, move.to_square, target)


def _cleared(move: Move, attacker: int, target: int) -> bool:
    """Whether a move left the line between two squares, or a knight's leg on the way from one to the other."""
    return left_line(move, attacker, target) or move.from_square == knight_leg(attacker, target)


def _lines_to(board: Pieces, colour: int, target: int) -> Iterator[tuple[int, list[int], int]]:
    """Lines from a rook or cannon of a colour to a target: its square, the pieces between, how many may leave."""
    for square, piece in board.items():
        if piece.colour == colour and piece.kind in (ROOK, CANNON):
            line = between(board, square, target)
            if line is not None:
                yield square, line, len(line) - 1 - (piece.kind == CANNON)


def _new_lines(line: Variation, index: int, target: int, spare: int) -> Iterator[tuple[int, list[int], list[int]]]:
    """Those that a move has created, where `spare` pieces may leave: its square, the pieces, the enemy officers."""
    after, mover = line.boards[index + 1], line.positions[index].turn
    known = {(tuple(held), free) for _, held, free in _lines_to(line.boards[index], mover, target)}
    for square, held, free in _lines_to(after, mover, target):
        if free == spare and (tuple(held), free) not in known:
            officers = [one for one in held if after[one].colour != mover and after[one].kind in OFFICERS]
            yield square, held, officers


def _pin(line: Variation, index: int) -> Proofs:
    yield from _pins(line, index, spare=0)
    after, position = line.boards[index + 1], line.positions[index + 1]
    for target, behind in after.items():
        if behind.colour != position.turn or behind.kind not in OFFICERS:
            continue
        for square, _, officers in _new_lines(line, index, target, spare=0):
            for pinned in officers:
                if _leaving_costs(position, pinned, Move(square, target)):
                    yield after, (square, pinned, target)


def _half_pin(line: Variation, index: int) -> Proofs:
    yield from _pins(line, index, spare=1)


def _pins(line: Variation, index: int, spare: int) -> Proofs:
    """Pins before the king."""
    after, position = line.boards[index + 1], line.positions[index + 1]
    king = position.king(position.turn)
    for square, held, pinned in _new_lines(line, index, king, spare):
        wanted = 1 if spare == 0 else len(held)
        if len(pinned) >= wanted and all(any(_leaving(position, one, square)) for one in pinned):
            yield after, (square, *pinned, king)


def _leaving(position: Position, square: int, pinner: int) -> Iterator[Move]:
    """The moves of a piece of the side to move off the pinner's line, the king's safety aside."""
    along_file = square % 9 == pinner % 9
    for move in position.pseudo_legal_moves:
        end = move.to_square
        if move.from_square == square and (end % 9 != square % 9 if along_file else end // 9 != square // 9):
            yield move


def _leaving_costs(position: Position, square: int, capture: Move) -> bool:
    """Whether a piece can leave the line, and this capture gains an advisor or more wherever it goes."""
    leaving = [move for move in _leaving(position, square, capture.from_square) if position.is_legal(move)]
    for move in leaving:
        taken = position.piece_at(move.to_square)
        after = position.copy()
        after.push(move)
        spent = WORTH[taken.kind] if taken else 0
        if not after.is_legal(capture) or exchange_value(after, capture) - spent < WORTH[ADVISOR]:
            return False
    return bool(leaving)


def _removed_defender(line: Variation, index: int) -> Proofs:
    defender = line.taken(index)
    target_taken = line.taken(index + 2)
    if defender is None or target_taken is None or target_taken.kind not in OFFICERS:
        return
    before, place, target = line.boards[index], line.moves[index].to_square, line.moves[index + 2].to_square
    if target == place or before.get(target) != target_taken or line.moves[index + 1].to_square == target:
        return
    enemy = defender.colour
    if attackers(before, enemy, target) == [place] and not _retaken(line, index + 2):
        yield before, (line.moves[index].from_square, place, target)


def _overloaded_defender(line: Variation, index: int) -> Proofs:
    first, second = line.taken(index), line.taken(index + 2)
    if first is None or second is None or second.kind not in OFFICERS or index + 1 >= len(line.moves):
        return
    before, reply = line.boards[index], line.moves[index + 1]
    place, target = line.moves[index].to_square, line.moves[index + 2].to_square
    defender = reply.from_square
    if reply.to_square != place or target in (place, defender) or before.get(target) != second:
        return
    sole = all(attackers(before, first.colour, one) == [defender] for one in (place, target))
    if sole and not _retaken(line, index + 2):
        yield before, (line.moves[index].from_square, defender, place, target)


def _retaken(line: Variation, index: int) -> bool:
    """Whether the piece that makes this move could be taken back with gain."""
    return hangs(line.boards[index + 1], line.moves[index].to_square)


def _trapped_piece(line: Variation, index: int) -> Proofs:
    if index + 2 >= len(line.moves):
        return
    after, position = line.boards[index + 1], line.positions[index + 1]
    target = line.moves[index + 2].to_square
    victim = line.taken(index + 2)
    at_home = line.moves[index + 1].to_square != target  # it did not even try
    if victim is None or victim.kind not in OFFICERS or not at_home or after.get(target) != victim:
        return
    if not hangs(after, target) or hangs(line.boards[index], target):
        return
    for move in position.legal_moves:
        if move.from_square != target:
            continue
        taken = after.get(move.to_square)
        if not hangs(moved(after, move), move.to_square) or (taken and WORTH[taken.kind] >= WORTH[victim.kind] - 50):
            return
    hunters = [square for square in attackers(after, 1 - victim.colour, target) if gains(after, square, target)]
    yield after, (*hunters, target)


def _sacrifice(line: Variation, index: int) -> Proofs:
    if index + 2 >= len(line.moves) or line.moves[index + 1].to_square != line.moves[index].to_square:
        return
    given, gained = line.taken(index + 1), line.taken(index)
    assert given is not None
    if line.moves[index + 2].to_square == line.moves[index].to_square:  # taken back at once: an exchange
        return
    mover = given.colour
    if WORTH[given.kind] - (WORTH[gained.kind] if gained else 0) < WORTH[ADVISOR]:
        return
    last = line.positions[-1]
    mated = last.turn != mover and not last.has_legal_moves()
    if mated or settled_balance(last, mover) >= balance(line.boards[index], mover):
        yield line.boards[index + 1], (line.moves[index].to_square, line.moves[index + 1].from_square)


def _forced_exchange(line: Variation, index: int) -> Proofs:
    first, second = line.taken(index), line.taken(index + 1)
    if first is None or second is None or line.moves[index + 1].to_square != line.moves[index].to_square:
        return
    if first.kind not in OFFICERS or abs(WORTH[first.kind] - WORTH[second.kind]) > 50:
        return
    after, position = line.boards[index + 1], line.positions[index + 1]
    others = (move for move in position.legal_moves if move.to_square != line.moves[index].to_square)
    if not any((taken := after.get(move.to_square)) and WORTH[taken.kind] >= WORTH[first.kind] - 50 for move in others):
        yield line.boards[index], (line.moves[index].from_square, line.moves[index].to_square)


def _wins_piece(line: Variation, index: int) -> Proofs:
    victim = line.taken(index)
    if victim is None or victim.kind not in OFFICERS:
        return
    mover, last = 1 - victim.colour, line.positions[-1]
    if last.turn == mover and not last.has_legal_moves():  # mated: nothing was won
        return
    start = balance(line.boards[0], mover)
    if settled_balance(last, mover) - start >= A_PIECE - 50 and not _retaken(line, index):
        yield line.boards[index], (line.moves[index].from_square, line.moves[index].to_square)


def mate_threat(position: Position, mate_search: MateSearch, ply: int = 0) -> Fact | None:
    """The mate that the side that has just moved threatens, if the other side did nothing."""
    if position.is_check() or not position.has_legal_moves():
        return None
    passed = position.copy()
    passed.push_null()
    threatened = Position(passed.fen())
    colour, pieces = threatened.turn, threatened.pieces()
    moves = mate_search(threatened)
    if not moves:
        return None
    for move in moves:
        threatened.push(move)
    names = named_mates(threatened)
    return Fact(
        "mate_threat",
        colour,
        placed(pieces, (moves[0].from_square, king_of(pieces, 1 - colour))),
        (moves[0].to_square,),
        moves=(len(moves) + 1) // 2,
        mate=names[0].code if names else "",
        ply=ply,
    )


def mate_in_one(position: Position) -> Sequence[Move]:
    """A `MateSearch` that looks one move ahead; a checkmate is preferred to a stalemate."""
    found: Sequence[Move] = ()
    for move in position.legal_moves:
        position.push(move)
        over, check = not position.has_legal_moves(), position.is_check()
        position.pop()
        if over and check:
            return (move,)
        if over:
            found = (move,)
    return found


_RULES: dict[str, Callable[[Variation, int], Proofs]] = {
    "double_attack": _double_attack,
    "discovered_check": _discovered_check,
    "discovered_attack": _discovered_attack,
    "pin": _pin,
    "half_pin": _half_pin,
    "removed_defender": _removed_defender,
    "overloaded_defender": _overloaded_defender,
    "trapped_piece": _trapped_piece,
    "sacrifice": _sacrifice,
    "forced_exchange": _forced_exchange,
    "wins_piece": _wins_piece,
}
