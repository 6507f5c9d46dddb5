"""Books page by page: a page is a position with its moves. From games, and by walking through a book of any format.

A book's keys cannot be turned back into positions, so a book is converted by following its moves from the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from chuhe.engine import Move, Position
from chuhe.records.books.book import Choices, FileBook, mirror_square
from chuhe.records.game_record import GameRecord, RecordedMove

LONGEST_LINE = 300  # plies; a longer one is no opening


@dataclass
class BookEntry:
    """A move of a page. `won`, `drawn` and `lost` count its games, for the side that moves."""

    weight: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass
class Page:
    """A position and its moves; those without weight only lead on. `line` leads there from the start, if known."""

    position: Position
    entries: dict[Move, BookEntry]
    line: tuple[Move, ...] = field(default=())

    def moves_to_follow(self) -> list[Move]:
        """All moves, the first one last."""
        return list(self.entries)[::-1]


def mirrored(move: Move) -> Move:
    return Move(mirror_square(move.from_square), mirror_square(move.to_square))


def image_keys(position: Position) -> tuple[int, int]:
    """The position's key and that of its mirror image."""
    return position.key, position.mirror().key


# --- from games


@dataclass(frozen=True)
class BookRecipe:
    """How games become a book. A move's weight is the sum of its games' points for wins, draws and losses."""

    plies: int = 24
    win: int = 2
    draw: int = 1
    loss: int = 0
    min_games: int = 1  # a move played less often is left out


def pages_of_games(games: Iterable[GameRecord], recipe: BookRecipe) -> Iterator[Page]:
    """The openings of the games. Mirror images are one page; of a symmetrical position, both images of a move count."""
    pages = _CollectedPages()
    for game in games:
        position = Position(game.fen)
        for move in game.plain_moves[: recipe.plies]:
            for entry in pages.entries(position, move):
                _count(entry, game.result, position.turn)
            position.push(move)
    for page in pages:
        for entry in page.entries.values():
            points = recipe.win * entry.won + recipe.draw * entry.drawn + recipe.loss * entry.lost
            entry.weight = points if entry.games >= recipe.min_games else 0
        yield page


def _count(entry: BookEntry, result: str, turn: int) -> None:
    """An unfinished game counts as a draw."""
    if result not in ("1-0", "0-1"):
        entry.drawn += 1
    elif (result == "1-0") == (turn == 0):
        entry.won += 1
    else:
        entry.lost += 1


class _CollectedPages:
    """Pages by position, each kept as the image that came first."""

    def __init__(self) -> None:
        self._pages: dict[int, tuple[str, dict[Move, BookEntry]]] = {}

    def entries(self, position: Position, move: Move) -> list[BookEntry]:
        """The entry of a move, made if it is not there yet; two if the position is symmetrical."""
        key, mirror_key = image_keys(position)
        if mirror_key in self._pages and key != mirror_key:
            key, move = mirror_key, mirrored(move)
        entries = self._pages.setdefault(key, (position.fen(), {}))[1]
        moves = {move, mirrored(move)} if key == mirror_key and key == position.key else {move}
        return [entries.setdefault(each, BookEntry()) for each in sorted(moves, key=str, reverse=True)]

    def __iter__(self) -> Iterator[Page]:
        for fen, entries in self._pages.values():
            yield Page(Position(fen), entries)


# --- from a game whose comments give weights, as `chuhe book convert` writes it

_WEIGHT = re.compile(r"\bweight (\d{1,9})\b")


def weight_comment(weight: int) -> str:
    return f"weight {weight}" if weight else ""


def has_weights(games: Iterable[GameRecord]) -> bool:
    return any(_WEIGHT.search(recorded.comment) for game in games for recorded in game.moves[:2])


def pages_of_trees(games: Iterable[GameRecord]) -> Iterator[Page]:
    """Games with variations whose comments give the moves' weights."""
    pages = _CollectedPages()
    for game in games:
        lines: list[tuple[Position, Sequence[RecordedMove]]] = [(Position(game.fen), game.moves)]
        while lines:
            position, moves = lines.pop()
            for recorded in moves:
                lines += [(position.copy(), variation) for variation in recorded.variations]
                found = _WEIGHT.search(recorded.comment)
                if found:
                    for entry in pages.entries(position, recorded.move):
                        entry.weight = max(entry.weight, int(found[1]))
                position.push(recorded.move)
    yield from pages


# --- from a book


def pages_of_book(book: FileBook, plies: int = LONGEST_LINE) -> Iterator[Page]:
    """The pages that the book's moves lead to from the start position, the heaviest line first, each page once.

    Moves that the book does not have are followed too, where it has the position after them: a book for one side has
    none for the other, and a losing move may have been left out.
    """
    walk = _BookWalk(book)
    page = walk.page()
    if page is None:
        return
    yield page
    waiting = [page.moves_to_follow()]  # what is still to be tried after each move of the line
    while waiting:
        if not waiting[-1]:
            waiting.pop()
            page = None
        else:
            walk.push(waiting[-1].pop())
            page = walk.page() if len(walk.line) < plies else None
        if page is not None:
            yield page
            waiting.append(page.moves_to_follow())
        elif walk.line:
            walk.pop()


class _BookWalk:
    """A way through a book, on both images of the board."""

    def __init__(self, book: FileBook) -> None:
        self._book, self._keys, self._piece_keys = book, book.keys(), book.piece_keys()
        self._position, self._mirror = Position(), Position()
        self._seen: set[int] = set()
        self.line: list[Move] = []

    def push(self, move: Move) -> None:
        self._position.push(move)
        self._mirror.push(mirrored(move))
        self.line.append(move)

    def pop(self) -> None:
        self._position.pop()
        self._mirror.pop()
        self.line.pop()

    def page(self) -> Page | None:
        """The page of this position; None if the book does not have it, or if it was seen before."""
        key = min(self._position.key, self._mirror.key)
        if key in self._seen:
            return None
        self._seen.add(key)
        # of two images of a move, the one on the right comes first, as people play it
        choices = sorted(self._probed(), key=lambda choice: (-choice[1], -(choice[0].from_square % 9)))
        entries = {move: BookEntry(weight) for move, weight in choices}
        entries |= {move: BookEntry() for move in self._moves_on() if move not in entries}
        return Page(self._position.copy(), entries, tuple(self.line)) if entries else None

    def _probed(self) -> Choices:
        """The book's moves here; it is only asked if it has the position."""
        held = any(self._book.key_of(image) in self._keys for image in (self._position, self._mirror))
        return self._book.probe(self._position) if held else []

    def _moves_on(self) -> Iterator[Move]:
        """The moves after which the book goes on, by the keys alone: there are forty moves to try everywhere."""
        if self._piece_keys is None:
            for move in self._position.legal_moves:
                self.push(move)
                held = self._position.key in self._keys or self._mirror.key in self._keys
                self.pop()
                if held:
                    yield move
            return
        side, table = self._piece_keys
        rows = {place: table[piece.symbol] for place, piece in self._position.pieces().items()}
        keys = [self._book.key_of(image) ^ side for image in (self._position, self._mirror)]
        for move in self._position.legal_moves:
            row, taken = rows[move.from_square], rows.get(move.to_square)
            for key, change in zip(keys, (move, mirrored(move)), strict=True):
                key ^= row[change.from_square] ^ row[change.to_square] ^ (taken[change.to_square] if taken else 0)
                if key in self._keys:
                    yield move
                    break
