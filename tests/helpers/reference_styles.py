"""A plain Python reference for the styles' five features and their search, to test the compiled code against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from chuhe.engine import Position
from chuhe.engine._core import STYLE_LOST_SCORE
from chuhe.variants.styles import Style

PieceLetters = Mapping[int, str]
Targets = dict[int, list[int]]

_ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def _at(rank: int, file: int) -> int | None:
    return 9 * rank + file if 0 <= rank < 10 and 0 <= file < 9 else None


def _in_palace(square: int, ranks: range) -> bool:
    return square // 9 in ranks and 3 <= square % 9 <= 5


def _steps(square: int, directions: tuple[tuple[int, int], ...], length: int = 1) -> Iterator[int]:
    for rank, file in directions:
        target = _at(square // 9 + length * rank, square % 9 + length * file)
        if target is not None:
            yield target


def _ray(square: int, rank: int, file: int) -> tuple[int, ...]:
    found = []
    for distance in range(1, 10):
        target = _at(square // 9 + distance * rank, square % 9 + distance * file)
        if target is None:
            break
        found.append(target)
    return tuple(found)


def _knight_jumps(square: int) -> Iterator[tuple[int, int]]:
    """(leg, target): the leg must be free."""
    rank, file = divmod(square, 9)
    for up, right in _ORTHOGONAL:
        leg = _at(rank + up, file + right)
        for side in (-1, 1):
            target = _at(rank + 2 * up + side * right, file + 2 * right + side * up)
            if leg is not None and target is not None:
                yield leg, target


def _pawn_steps(square: int, red: bool) -> Iterator[int]:
    forward, crossed = (1, square >= 45) if red else (-1, square < 45)
    yield from _steps(square, ((forward, 0), *(((0, 1), (0, -1)) if crossed else ())))


def _fixed(piece: str, square: int) -> tuple[tuple[int, int], ...]:
    """(point that must be free, target) pairs of a non-sliding piece; its own square means "none"."""
    red, kind = piece.isupper(), piece.upper()
    palace, home = (range(3), range(45)) if red else (range(7, 10), range(45, 90))
    if kind == "K":
        return tuple((square, to) for to in _steps(square, _ORTHOGONAL) if _in_palace(to, palace))
    if kind == "A":
        return tuple((square, to) for to in _steps(square, _DIAGONAL) if _in_palace(to, palace))
    if kind == "B":
        return tuple(((square + to) // 2, to) for to in _steps(square, _DIAGONAL, 2) if to in home)
    if kind == "N":
        return tuple(_knight_jumps(square))
    return tuple((square, to) for to in _pawn_steps(square, red))


_RAYS = [tuple(_ray(square, *direction) for direction in _ORTHOGONAL) for square in range(90)]
_FIXED = {piece: [_fixed(piece, square) for square in range(90)] for piece in "KABNPkabnp"}


def _slide(pieces: PieceLetters, square: int, red: bool, screens: int) -> list[int]:
    """Free points up to the first piece, and the first enemy behind the given number of screens."""
    found = []
    for ray in _RAYS[square]:
        seen = 0
        for target in ray:
            other = pieces.get(target)
            if other is None:
                if not seen:
                    found.append(target)
                continue
            if seen == screens:
                if other.isupper() != red:
                    found.append(target)
                break
            seen += 1
    return found


def targets(pieces: PieceLetters) -> Targets:
    """For every piece's square, its pseudo-legal target squares."""
    result: Targets = {}
    for square, piece in pieces.items():
        red = piece.isupper()
        if piece in "RrCc":
            result[square] = _slide(pieces, square, red, 0 if piece in "Rr" else 1)
            continue
        found = []
        for block, target in _FIXED[piece][square]:
            if block != square and block in pieces:
                continue
            other = pieces.get(target)
            if other is None or other.isupper() != red:
                found.append(target)
        result[square] = found
    return result


def terms(style: Style, position: Position, colour: int) -> dict[str, int]:
    """The style's features for one side, unweighted."""
    pieces = {square: piece.symbol for square, piece in position.pieces().items()}
    reach = targets(pieces)
    found = dict.fromkeys(("strength", "position", "threat", "mobility", "control"), 0)
    across = []
    for square, piece in pieces.items():
        if piece.isupper() != (colour == 0):
            continue
        kind = piece.upper()
        own = [_turned(colour, place) for place in (square, *reach[square])]
        found["strength"] += style.strength[kind]
        found["position"] += style.tables[kind][own[0]]
        found["mobility"] += style.mobility[kind] * (len(own) - 1)
        found["control"] += sum(style.tables[kind][place] for place in own[1:])
        if own[0] >= 45 and kind in "RNCP":
            across.append(kind)
    found["threat"] = sum(style.threats.get(frozenset(pair), 0) for pair in combinations(across, 2))
    return {word: found[feature] for word, feature in style.features.items()}


def _turned(colour: int, square: int) -> int:
    return square if colour == 0 else 9 * (9 - square // 9) + square % 9


def score(style: Style, position: Position) -> int:
    mine, yours = terms(style, position, position.turn), terms(style, position, 1 - position.turn)
    return sum(weight * (mine[word] - yours[word]) for word, weight in style.weights.items())


def minimax(style: Style, position: Position, depth: int, ply: int = 0) -> int:
    moves = position.legal_moves
    if not moves:
        return ply - STYLE_LOST_SCORE
    if depth == 0:
        return score(style, position)
    best = -STYLE_LOST_SCORE
    for move in moves:
        position.push(move)
        best = max(best, -minimax(style, position, depth - 1, ply + 1))
        position.pop()
    return best
