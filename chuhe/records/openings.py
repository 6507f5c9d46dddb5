"""Names of openings. A game is named by the patterns that its positions fit, so the order of the moves does not matter.

>>> from chuhe.engine import Move
>>> moves = [Move.from_iccs(text) for text in "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9".split()]
>>> print(opening_name(moves), opening_name(moves).text("zh-Hans"))
Central Cannon, Screen Horses 中炮对屏风马
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from chuhe.engine import START_FEN, Move, Position
from chuhe.engine.notation import Notation, language_of
from chuhe.engine.position import square
from chuhe.records.books.book import Book, default_book_path, mirror_square
from chuhe.records.game_record import GameRecord
from chuhe.text.message import Message

SymbolOnSquare = tuple[int, str]  # square and symbol
TAG = "Opening"


@dataclass(frozen=True)
class _Pattern:
    name: str
    level: int
    last_ply: int
    wanted: tuple[frozenset[SymbolOnSquare], ...]  # one piece of each set
    unwanted: frozenset[SymbolOnSquare]

    def fits(self, pieces: frozenset[SymbolOnSquare]) -> bool:
        return all(pieces & choices for choices in self.wanted) and not pieces & self.unwanted


@lru_cache(maxsize=1)
def _patterns() -> tuple[_Pattern, ...]:
    """The table, each line and its mirror image, the highest level first."""
    found = []
    text = (Path(__file__).parent / "data" / "openings.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            numbers, conditions, name = (part.strip() for part in line.split(" | "))
            level, last_ply = map(int, numbers.split())
            words = conditions.split()
            wanted = tuple(frozenset(map(_piece, word.split("|"))) for word in words if word[0] != "!")
            unwanted = frozenset(_piece(word[1:]) for word in words if word[0] == "!")
            pattern = _Pattern(name, level, last_ply, wanted, unwanted)
            found += [pattern, replace(pattern, wanted=tuple(map(_mirror, wanted)), unwanted=_mirror(unwanted))]
    return tuple(sorted(found, key=lambda pattern: -pattern.level))


def _piece(word: str) -> SymbolOnSquare:
    return square(word[1:]), word[0]


def _mirror(pieces: frozenset[SymbolOnSquare]) -> frozenset[SymbolOnSquare]:
    return frozenset((mirror_square(place), symbol) for place, symbol in pieces)


def openings() -> list[Message]:
    """The names of all families, each once."""
    return [Message(f"opening.{name}") for name in dict.fromkeys(pattern.name for pattern in _patterns()[::-1])]


def opening_name(moves: Iterable[Move]) -> Message | None:
    """The family of a game from the start position; None before the first move, or if the game has no name."""
    position, best = Position(), None
    last = max(pattern.last_ply for pattern in _patterns())
    for ply, move in enumerate(moves, 1):
        if ply > last:
            break
        position.push(move)
        pieces = frozenset((place, piece.symbol) for place, piece in position.pieces().items())
        fitting = (pattern for pattern in _patterns() if ply <= pattern.last_ply and pattern.fits(pieces))
        found = next(fitting, None)
        if found is not None and (best is None or found.level >= best.level):
            best = found
    return Message(f"opening.{best.name}") if best else None


def book_plies(moves: Iterable[Move]) -> int:
    """How many moves of a game from the start position are known: the bundled book has them, or they lead to a family.

    >>> book_plies([Move.from_iccs(text) for text in "h2e2 h9g7 h0g2 b9c7 e0e1".split()])
    4
    """
    path = default_book_path()
    book = Book.load(path) if path else None
    position, level, known, in_book = Position(), -1, 0, True
    last = max(pattern.last_ply for pattern in _patterns())
    for ply, move in enumerate(moves, 1):
        in_book = in_book and book is not None and any(move == choice for choice, _ in book.probe(position))
        if ply > last and not in_book:
            break
        position.push(move)
        pieces = frozenset((place, piece.symbol) for place, piece in position.pieces().items())
        found = next((each for each in _patterns() if ply <= each.last_ply and each.fits(pieces)), None)
        if in_book or (found is not None and found.level > level):
            known = ply
        level = max(level, found.level if found is not None else -1)
    return known


def opening_of(game: GameRecord) -> Message | None:
    """The family of a game; None if it does not begin at the start position."""
    return opening_name(game.plain_moves) if game.fen == START_FEN else None


def with_opening(game: GameRecord, notation: Notation) -> GameRecord:
    """The game with the tag `Opening`, in the language of the notation; a tag that it has already stays."""
    opening = opening_of(game)
    if opening is None or game.tags.get(TAG):
        return game
    return replace(game, tags={**game.tags, TAG: opening.text(language_of(notation))})
