"""Xiangqi games as PGN text, with moves in ICCS, WXF or Chinese: pure functions over `GameRecord`.

All game files are read here. The engine behind a GUI does not need this module and does not import it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

from engine._core import RED, START_FEN, Move
from engine.encoding import EncodingError, decode_text
from engine.notation import Notation, move_text, parse
from engine.position import Position
from engine.values import Result

RESULTS: tuple[Result, ...] = get_args(Result)
FORMAT_TAGS = {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese", "traditional": "Chinese", "rows": "Rows"}
LINE_WIDTH = 80


class RecordError(ValueError):
    """A game file that cannot be read; the text says which game, which move, and why. `game` is its number, if any."""

    def __init__(self, text: str, game: int | None = None) -> None:
        super().__init__(text)
        self.game = game


OnFault = Callable[[RecordError], None]


@dataclass(frozen=True)
class RecordedMove:
    """A move with its annotations; a variation is an alternative to the move."""

    move: Move
    comment: str = ""
    mark: str = ""  # "!", "?", "??", …
    variations: tuple[tuple[Move, ...], ...] = ()


@dataclass(frozen=True)
class GameRecord:
    """A whole game: where it began, what was played, who played, how it ended."""

    fen: str = START_FEN
    moves: tuple[RecordedMove, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    result: Result = "*"
    comment: str = ""  # before the first move

    @property
    def plain_moves(self) -> tuple[Move, ...]:
        return tuple(recorded.move for recorded in self.moves)


# --- reading

_TOKEN = re.compile(
    r"""\s+
    | (?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\])
    | \{(?P<comment>[^}]*)\}
    | ;(?P<rest>[^\n]*)
    | (?P<paren>[()])
    | \$(?P<nag>\d+)
    | (?P<word>[^\s{}()\[\];]+)
    | (?P<bad>.)
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(r"^\d+[.．…]+")
_NAGS = {"1": "!", "2": "?", "3": "!!", "4": "??", "5": "!?", "6": "?!"}


def decode(data: bytes) -> str:
    """The text of a game file: Unicode, or a Chinese encoding used by older programs."""
    try:
        return decode_text(data)
    except EncodingError as error:
        raise RecordError(str(error)) from error


def parse_pgn(
    text: str, on_game: Callable[[float], None] = lambda share: None, on_fault: OnFault | None = None
) -> list[GameRecord]:
    """Every game of a PGN text. A RecordError names the game, the move and the line that cannot be read.

    `on_game` is called after every game with the share of the text read so far, 0 to 1. With `on_fault`, a bad game
    does not stop the reading: `on_fault` gets its error, and the other games are returned.
    """
    text = text.lstrip("\ufeff")
    reader = _Reader()
    for match in _TOKEN.finditer(text):
        try:
            over = reader.take(match)
        except RecordError as error:
            line = text.count("\n", 0, match.start()) + 1
            fault = RecordError(f"{error} (line {line})", reader.number)
            if on_fault is None:
                raise fault from error
            on_fault(fault)
            reader.pass_over(match)
        else:
            if over:
                on_game(match.end() / len(text))
    try:
        reader.end()
    except RecordError as error:
        fault = RecordError(str(error), reader.number)
        if on_fault is None:
            raise fault from error
        on_fault(fault)
    return reader.games


class _Reader:
    """Splits the tokens of a text into games; a bad game is skipped up to the start of the next."""

    def __init__(self) -> None:
        self.games: list[GameRecord] = []
        self.number = 1
        self._builder = _Builder(1)
        self._passing = False
        self._in_moves = False  # of the game being skipped

    def take(self, match: re.Match[str]) -> bool:
        """Handle one token; True when it ends a game."""
        if self._passing and not self._next_game(match):
            return False
        builder = self._builder
        over = False
        if match["tag"]:
            if builder.in_moves:
                self._finish()
                over = True
            self._builder.tag(match["name"], re.sub(r"\\(.)", r"\1", match["value"]))
        elif match["comment"] is not None or match["rest"] is not None:
            builder.comment(" ".join((match["comment"] or match["rest"] or "").split()))
        elif match["paren"]:
            builder.parenthesis(match["paren"])
        elif match["nag"]:
            builder.mark(_NAGS.get(match["nag"], ""))
        elif match["bad"]:
            raise RecordError(f"game {builder.number}: {match['bad']!r} where a move is expected")
        elif match["word"] and builder.word(match["word"]):
            self._finish()
            over = True
        return over

    def pass_over(self, match: re.Match[str]) -> None:
        """This token showed that the game is bad: skip the rest of it."""
        self._in_moves = self._builder.in_moves
        self._passing = True
        if self._next_game(match):
            self.take(match)

    def end(self) -> None:
        """Handle the end of the text."""
        if not self._passing and (self._builder.in_moves or self._builder.tags):
            self._finish()

    def _next_game(self, match: re.Match[str]) -> bool:
        """Does this token start the game after a bad one? A bad game ends with its result or before tags."""
        if match["tag"] and self._in_moves:
            self._begin()
            return True
        if match["word"] in RESULTS:
            self._begin()
        elif match["word"] and _NUMBER.match(match["word"]):  # other words may be the rest of a broken tag
            self._in_moves = True
        return False

    def _finish(self) -> None:
        self.games.append(self._builder.finish())
        self._begin()

    def _begin(self) -> None:
        self.number += 1
        self._builder = _Builder(self.number)
        self._passing = False


class _Builder:
    """A game being read."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.tags: dict[str, str] = {}
        self.in_moves = False
        self._position: Position | None = None
        self._moves: list[RecordedMove] = []
        self._comment = ""
        self._result: Result = "*"
        self._depth = 0
        self._branch: Position | None = None
        self._branch_moves: list[Move] = []

    def tag(self, name: str, value: str) -> None:
        self.tags[name] = value

    def comment(self, text: str) -> None:
        if self._depth:
            return
        if self._moves:
            last = self._moves[-1]
            self._moves[-1] = replace(last, comment=f"{last.comment} {text}".strip())
        else:
            self._comment = f"{self._comment} {text}".strip()

    def mark(self, mark: str) -> None:
        if self._moves and not self._depth:
            self._moves[-1] = replace(self._moves[-1], mark=mark)

    def parenthesis(self, paren: str) -> None:
        """Only the main line of a variation is kept; nested variations are skipped."""
        if paren == "(":
            self._depth += 1
            if self._depth == 1 and self._moves:
                self._branch = self._board().copy()
                self._branch.pop()
                self._branch_moves = []
            return
        if not self._depth:
            raise RecordError(f"game {self.number}: unmatched ')'")
        self._depth -= 1
        if not self._depth and self._branch is not None and self._branch_moves:
            last = self._moves[-1]
            self._moves[-1] = replace(last, variations=(*last.variations, tuple(self._branch_moves)))

    def word(self, word: str) -> bool:
        """Handle a move, number or result; True when the game is over."""
        word = _NUMBER.sub("", word)
        if not word or word.isdecimal() or set(word) <= set(".…=") or self._depth > 1:
            return False
        self.in_moves = True
        if word in RESULTS:
            if self._depth:
                return False
            self._result = word
            return True
        text = word.rstrip("!?")
        if not text:
            self.mark(word)
            return False
        if self._depth:
            self._branch_move(text)
        else:
            self._main_move(text)
            self.mark(word[len(text) :])
        return False

    def _main_move(self, text: str) -> None:
        board = self._board()
        number = len(self._moves) // 2 + 1
        try:
            move = parse(board, text)
        except ValueError as error:
            raise RecordError(f"game {self.number}, move {number}: {error}") from error
        board.push(move)
        self._moves.append(RecordedMove(move))

    def _branch_move(self, text: str) -> None:
        if self._branch is None:
            return
        try:
            move = parse(self._branch, text)
        except ValueError as error:
            number = (len(self._moves) - 1) // 2 + 1
            raise RecordError(f"game {self.number}, variation of move {number}: {error}") from error
        self._branch.push(move)
        self._branch_moves.append(move)

    def _board(self) -> Position:
        if self._position is None:
            try:
                self._position = Position(self._fen())
            except ValueError as error:
                raise RecordError(f"game {self.number}: {error}") from error
        return self._position

    def _fen(self) -> str:
        return next((value for name, value in self.tags.items() if name.lower() == "fen" and value), START_FEN)

    def finish(self) -> GameRecord:
        if self._depth:
            raise RecordError(f"game {self.number}: unclosed '('")
        self._board()
        tags = {name: value for name, value in self.tags.items() if name.lower() not in ("fen", "format", "setup")}
        result = self._result
        tagged = tags.pop("Result", "*")
        if result == "*" and tagged in RESULTS:
            result = next(known for known in RESULTS if known == tagged)
        return GameRecord(self._fen(), tuple(self._moves), tags, result, self._comment)


# --- writing

# the first tags of a game, in this order, with their values when unknown
_FIRST_TAGS = {
    "Game": "Chinese Chess",
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "Red": "?",
    "Black": "?",
    "Result": "*",
}


def format_pgn(record: GameRecord, style: Notation = "iccs") -> str:
    """One game as PGN text. Without comments and variations it is also what simple readers such as cchess expect."""
    tags = {**record.tags, "Result": record.result}
    return "\n".join([*header(tags, record.fen, style), "", *wrap(_words(record, style)), ""])


def header(tags: Mapping[str, str], fen: str, style: Notation) -> list[str]:
    """The lines of tags that open a game."""
    known = {**_FIRST_TAGS, **tags}
    if fen != START_FEN:
        known["FEN"] = fen
    known["Format"] = FORMAT_TAGS[style]
    return [_tag(name, value) for name, value in known.items()]


def _tag(name: str, value: str) -> str:
    escaped = " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def wrap(words: Iterable[str], width: int = LINE_WIDTH) -> Iterator[str]:
    """Wrap the words into lines."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def number_words(board: Position, due: bool) -> Iterator[str]:
    """The number before the next move, if there is one: before Red's always, before Black's where it is `due`."""
    if board.turn == RED:
        yield f"{board.fullmove_number}."
    elif due:
        yield f"{board.fullmove_number}..."


def _comment_words(comment: str) -> list[str]:
    return f"{{{comment.replace('}', ')')}}}".split() if comment else []


def _words(record: GameRecord, style: Notation) -> Iterator[str]:
    board = Position(record.fen)
    yield from _comment_words(record.comment)
    number_due = True
    for recorded in record.moves:
        yield from number_words(board, number_due)
        yield _pgn_move(board, recorded.move, style) + recorded.mark
        yield from _comment_words(recorded.comment)
        for variation in recorded.variations:
            yield from _variation_words(board, variation, style)
        number_due = bool(recorded.comment or recorded.variations)
        board.push(recorded.move)
    yield record.result


def _variation_words(board: Position, variation: tuple[Move, ...], style: Notation) -> list[str]:
    branch = board.copy()
    words: list[str] = []
    for move in variation:
        words += number_words(branch, not words)
        words.append(_pgn_move(branch, move, style))
        branch.push(move)
    if words:
        words[0], words[-1] = f"({words[0]}", f"{words[-1]})"
    return words


def _pgn_move(board: Position, move: Move, style: Notation) -> str:
    if style == "iccs":
        text = move.iccs.upper()
        return f"{text[:2]}-{text[2:]}"
    return move_text(board, move, style)
