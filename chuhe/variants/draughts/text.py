"""English draughts as text: boards, moves, and the search's whole traversal.

A board is 8 lines of 8 characters: `+` a light square, `O` an empty dark one, `A` and `k` Alice's man and king (she
moves up), `B` and `K` Bill's (he moves down). Squares are (row,column), (0,0) at the top left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chuhe.variants.draughts._draughts import Draughts
from chuhe.variants.errors import BoardError
from chuhe.variants.search._search import ALPHA_BETA, WIN_VALUE, Search

if TYPE_CHECKING:
    from chuhe.variants.search._search import Event

SIZE = 8
DARK_SQUARE = "OAkBK"
START_BOARD = "+B+B+B+BB+B+B+B++B+B+B+BO+O+O+O++O+O+O+OA+A+A+A++A+A+A+AA+A+A+A+"


@dataclass(slots=True)
class Case:
    """A board's lines and the heading lines before it; the last item of a file may be headings alone."""

    headings: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def name(self, number: int) -> str:
        """Its name: its own heading, or case 1, case 2, …"""
        return self.headings[-1].rstrip(" :.") if self.headings else f"case {number}"


def read_cases(text: str) -> list[Case]:
    """The boards of a file: a blank line, a heading or eight lines end a board; `#` begins a comment."""
    cases = [Case()]
    for line in text.splitlines():
        line = line.strip().lstrip("\ufeff")
        if line.startswith("#"):
            continue
        inside = 0 < len(cases[-1].rows) < SIZE
        heading = _is_heading(line, inside)
        if cases[-1].rows and (not line or heading or not inside):
            cases.append(Case())
        if heading:
            cases[-1].headings.append(line)
        elif line:
            cases[-1].rows.append(line)
    return [case for case in cases if case.rows or case.headings]


def _is_heading(line: str, inside: bool) -> bool:
    """Is a line a heading rather than a row of a board? Inside a board, only with spaces or digits.

    >>> _is_heading("case 5", True), _is_heading("+B+B+x+B", False), _is_heading("example", False)
    (True, False, True)
    """
    if not line.strip("+" + DARK_SQUARE) or (len(line) == SIZE and not line.strip("+0" + DARK_SQUARE)):
        return False  # a digit 0 in a row stands for the letter
    return any(letter.isspace() or letter.isdecimal() for letter in line) or (not inside and "+" not in line)


def split_boards(text: str) -> list[list[str]]:
    """The boards of a file, as lists of lines; everything between them is skipped."""
    return [case.rows for case in read_cases(text) if case.rows]


def parse_board(rows: list[str]) -> str:
    """The 64 characters of a board, or a BoardError.

    >>> parse_board(["+B+B+B+B"] * 2)
    Traceback (most recent call last):
    ...
    chuhe.variants.errors.BoardError: row 1, column 0: '+' found, a dark square expected (one of O A k B K)
    """
    for row, line in enumerate(rows):
        for column, character in enumerate(line[:SIZE]):
            light = (row + column) % 2 == 0
            if light and character != "+":
                raise BoardError(f"row {row}, column {column}: {character!r} found, '+' expected (a light square)")
            if not light and character not in DARK_SQUARE:
                if character == "0":
                    raise BoardError(f"row {row}, column {column}: the digit '0' found, the letter 'O' expected")
                expected = f"a dark square expected (one of {' '.join(DARK_SQUARE)})"
                raise BoardError(f"row {row}, column {column}: {character!r} found, {expected}")
        if len(line) != SIZE:
            raise BoardError(f"row {row}: {len(line)} characters found, {SIZE} expected")
    if len(rows) != SIZE:
        raise BoardError(f"row {len(rows)}: the end of the board found, {SIZE} rows expected")
    return "".join(rows)


def board_text(cells: str) -> str:
    return "\n".join(cells[start : start + SIZE] for start in range(0, SIZE * SIZE, SIZE))


def move_text(path: tuple[tuple[int, int], ...]) -> str:
    """
    >>> move_text(((5, 4), (3, 2)))
    '(5,4)=>(3,2)'
    """
    return "=>".join(f"({row},{column})" for row, column in path)


def value_text(value: int) -> str:
    """A value for Alice; a won game is inf, a lost one -inf."""
    if abs(value) >= WIN_VALUE:
        return "inf" if value > 0 else "-inf"
    return str(value)


class Narrator:
    """Turns a search's events into lines as they come; a cut-off is written once all its moves are known."""

    def __init__(self, game: Draughts, write: Callable[[str], object]) -> None:
        self._game, self._write = game, write
        self._cut: tuple[str, str] | None = None
        self._skipped: list[str] = []

    def hear(self, event: Event) -> None:
        kind, ply, move, alpha, beta, value, leaf = event
        if kind == "skip":
            self._skipped.append(move_text(self._game.path(move)))
            return
        self.finish()
        name = f"{'|-' * ply}{'AB'[ply % 2]}{ply + 1}: "
        if kind == "visit":
            ending = f"; h={value_text(value if ply % 2 == 0 else -value)}" if leaf else ""
            self._write(f"{name}{move_text(self._game.path(move))}{ending}.")
        else:
            low, high = (alpha, beta) if ply % 2 == 0 else (-beta, -alpha)
            self._cut = name, f"alpha={value_text(low)}, beta={value_text(high)}"

    def finish(self) -> None:
        if self._cut is not None:
            name, window = self._cut
            self._write(f"{name}pruning {', '.join(self._skipped)}; {window}.")
        self._cut, self._skipped = None, []


@dataclass(frozen=True, slots=True)
class TraversalResult:
    """A search's answer: its value for Alice, her first move (None: she has none), and the nodes it took."""

    value: int
    first_move: tuple[tuple[int, int], ...] | None
    nodes: int
    ending: str = ""  # who has won and why, if the game is over already

    def text(self) -> str:
        move = move_text(self.first_move) if self.first_move else "none"
        return f"first move: {move}." + (f" {self.ending}." if self.ending else "")


def ending_text(cells: str, value: int) -> str:
    """Who has won a finished game with Alice to move, and why.

    >>> ending_text("+B+B+B+B" + "O+O+O+O+" * 7, -WIN_VALUE)
    'Bill has won: Alice has no piece left'
    """
    if value > 0:
        return "Alice has won: Bill has no piece left"
    stuck = any(letter in "Ak" for letter in cells)
    return f"Bill has won: Alice has no {'legal move' if stuck else 'piece left'}"


def traverse(
    cells: str, depth: int = 4, multi_jump: bool = False, write: Callable[[str], object] | None = None
) -> TraversalResult:
    """Search `depth` plies for Alice: plain alpha-beta, moves in reading order.

    `write` gets a line for every move visited and every cut-off, and the answer at the end.
    """
    game = Draughts(cells, multi_jump=multi_jump)
    search = Search(game, ALPHA_BETA)
    narrator = Narrator(game, write) if write is not None else None
    if narrator is not None:
        search.stream(narrator.hear)
    final = game.final_value()
    if final is not None:
        found = TraversalResult(final, None, 0, ending_text(cells, final))
    else:
        value, line, _ = search.run(depth)
        found = TraversalResult(value, game.path(line[0]), search.nodes)
    if narrator is not None and write is not None:
        narrator.finish()
        write(found.text())
    return found
