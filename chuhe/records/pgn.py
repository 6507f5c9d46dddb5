"""Games as PGN text, read and written with moves in any notation.

The engine behind a GUI does not need this module and does not import it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from chuhe.engine._core import START_FEN, Move
from chuhe.engine.errors import IllegalMoveError, InvalidMoveError
from chuhe.engine.notation import Notation, check_notation, move_text, number_words, parse
from chuhe.engine.position import Position
from chuhe.engine.values import Result
from chuhe.files.encoding import EncodingError, decode_text
from chuhe.files.reading import check_time
from chuhe.records.game_record import MAX_NESTING, RESULTS, GameRecord, OnFault, RecordedMove, RecordError
from chuhe.text.message import Message, message_of, shown

FORMAT_TAGS = {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese", "traditional": "Chinese", "rows": "Rows"}
LINE_WIDTH = 80
HIGHEST_NAG = 255  # that PGN has

_PATTERN = r"""\s+
    | (?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>[^"\\]*(?:\\.[^"\\]*){0,1000})"\s*\])
    | \{(?P<comment>[^}]*)\}
    | ;(?P<rest>[^\n]*)
    | (?P<paren>[()])
    | \$(?P<nag>\d+)
    | (?P<word>[^\s{}()\[\];]+)
    | (?P<bad>.)
    """
_TOKEN = re.compile(_PATTERN, re.VERBOSE)
_AFTER_LAST_COMMENT = re.compile(_PATTERN.replace(r"[^}]*)\}", r"(?!))"), re.VERBOSE)  # "{" is bad: nothing closes it
_NUMBER = re.compile(r"^\d+[.．…]+")
_NAGS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
GLYPHS = {  # what stands for the other glyphs in print; for the rest, $ and the number
    **_NAGS, 7: "□",
    10: "=", 11: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+-", 19: "-+", 22: "⨀", 23: "⨀",
    32: "⟳", 33: "⟳", 36: "→", 37: "→", 40: "→", 41: "→", 44: "=∞", 45: "=∞", 132: "⇆", 133: "⇆", 138: "⊕", 139: "⊕",
    140: "∆", 146: "N",
}  # fmt: skip


def decode(data: bytes) -> str:
    """The text of a game file: Unicode, or a Chinese encoding used by older programs."""
    try:
        return decode_text(data)
    except EncodingError as error:
        raise RecordError(error.message) from error


def parse_pgn(
    text: str,
    on_game: Callable[[float], None] = lambda share: None,
    on_fault: OnFault | None = None,
    keep_broken: bool = False,
) -> list[GameRecord]:
    """Every game of a PGN text. A RecordError names the game, the move and the line that cannot be read.

    `on_game` is called after every game with the share of the text read so far, 0 to 1. With `on_fault`, a bad game
    does not stop the reading: `on_fault` gets its error, and the other games are returned. With `keep_broken`, bad
    games are also returned, up to the bad move, if there are moves before it.
    """
    games = []
    for game, share in iter_pgn(text, on_fault, keep_broken):
        games.append(game)
        on_game(share)
    return games


def iter_pgn(
    text: str,
    on_fault: OnFault | None = None,
    keep_broken: bool = False,
    headers_only: bool = False,
    first_game: int = 1,
    first_line: int = 1,
) -> Iterator[tuple[GameRecord, float]]:
    """Every game of a PGN text as it is read, each with the share of the text read so far; otherwise as `parse_pgn`.

    `headers_only`: without moves and comments, which are not read. `first_game` and `first_line`: what the text begins
    with, if it is a part of a file.
    """
    text = text.lstrip("\ufeff")
    reader = _GameReader(first_game, headers_only)
    line, counted = first_line, 0  # the line that begins or goes on at this place
    for match in _tokens(text):
        check_time()
        try:
            reader.take(match)
        except RecordError as error:
            line, counted = line + text.count("\n", counted, match.start()), match.start()
            fault = RecordError(Message("file.line", fault=error.message, line=line), reader.number)
            if on_fault is None:
                raise fault from error
            on_fault(fault)
            reader.pass_over(match, fault.message if keep_broken else None)
        if reader.games:
            for game in reader.games:
                yield game, match.end() / len(text)
            reader.games.clear()
    try:
        reader.end()
    except RecordError as error:
        fault = RecordError(error.message, reader.number)
        if on_fault is None:
            raise fault from error
        on_fault(fault)
        if keep_broken:
            reader.keep(fault.message)
    for game in reader.games:
        yield game, 1.0


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Where no brace is closed any more, none is looked for: that would take a square of the text's length."""
    last, place = text.rfind("}"), 0
    for match in _TOKEN.finditer(text):
        if match.start() > last:
            break
        yield match
        place = match.end()
    yield from _AFTER_LAST_COMMENT.finditer(text, place)


class _GameReader:
    """Splits the tokens of a text into games; a bad game is skipped up to the start of the next."""

    def __init__(self, number: int = 1, headers_only: bool = False) -> None:
        self.games: list[GameRecord] = []
        self.number = number
        self._headers_only = headers_only
        self._builder = _Builder(number, headers_only)
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
            builder.comment(_comment_text(match["comment"] or match["rest"] or ""))
        elif match["paren"]:
            builder.parenthesis(match["paren"])
        elif match["nag"]:
            builder.nag(int(match["nag"][:9]))
        elif match["bad"]:
            raise builder.fault(Message("file.not-a-move", text=shown(match["bad"])))
        elif match["word"] and builder.word(match["word"]):
            self._finish()
            over = True
        return over

    def keep(self, fault: Message) -> None:
        """Return the game up to what is bad, if there are moves before it."""
        broken = self._builder.broken(fault)
        if broken is not None:
            self.games.append(broken)

    def pass_over(self, match: re.Match[str], keep: Message | None = None) -> None:
        """This token showed that the game is bad: skip the rest of it. `keep`: the reason, to return the beginning."""
        if keep:
            self.keep(keep)
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
        self._builder = _Builder(self.number, self._headers_only)
        self._passing = False


def _uci_move(board: Position, text: str) -> Move | None:
    """The move that a text means with ranks 1 to 10, if it is legal."""
    try:
        move = Move.from_uci(text.lower().replace("-", ""))
    except ValueError:
        return None
    return move if board.is_legal(move) else None


class _OpenLine:
    """The main line or a variation while it is being read. `board` is None for one that belongs to no move."""

    def __init__(self, board: Position | None) -> None:
        self.board = board
        self.opening_comment = ""  # before the first move
        self._moves: list[RecordedMove] = []
        # of the last move, to be joined once: a text may have very many
        self._comments: list[str] = []
        self._variations: list[tuple[RecordedMove, ...]] = []

    def __bool__(self) -> bool:
        return bool(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def add(self, move: Move) -> None:
        self._settle()
        self._moves.append(RecordedMove(move))

    def comment(self, text: str) -> None:
        self._comments.append(text)

    def mark(self, mark: str) -> None:
        if self._moves and mark:
            self._moves[-1] = replace(self._moves[-1], mark=mark)

    def nag(self, number: int) -> None:
        """The first of the six marks is the move's mark; all other glyphs are kept by number."""
        if not self._moves or number > HIGHEST_NAG:
            return
        last = self._moves[-1]
        if number in _NAGS and not last.mark:
            self.mark(_NAGS[number])
        elif number not in last.nags and _NAGS.get(number) != last.mark:
            self._moves[-1] = replace(last, nags=(*last.nags, number))

    def add_variation(self, variation: _OpenLine) -> None:
        """What was said before the variation's first move goes to that move: a record has no other place for it."""
        if not self or not variation:
            return
        first, *rest = variation.moves()
        first = replace(first, comment=f"{variation.opening_comment} {first.comment}".strip())
        self._variations.append((first, *rest))

    def moves(self) -> tuple[RecordedMove, ...]:
        """All moves up to here, with what belongs to them."""
        self._settle()
        return tuple(self._moves)

    def _settle(self) -> None:
        if self._moves and (self._comments or self._variations):
            last = self._moves[-1]
            comment = " ".join(filter(None, (last.comment, *self._comments)))
            self._moves[-1] = replace(last, comment=comment, variations=(*last.variations, *self._variations))
        elif self._comments:
            self.opening_comment = " ".join(filter(None, (self.opening_comment, *self._comments)))
        self._comments, self._variations = [], []


class _Builder:
    """One game while it is being read: the main line, and the variations that are open, innermost last."""

    def __init__(self, number: int, headers_only: bool = False) -> None:
        self.number = number
        self._headers_only = headers_only
        self.tags: dict[str, str] = {}
        self.in_moves = False
        self._position: Position | None = None
        self._lines = [_OpenLine(None)]
        self._ranks_from_1: bool | None = None  # not known before the first move
        self._result: Result = "*"

    @property
    def _line(self) -> _OpenLine:
        return self._lines[-1]

    def tag(self, name: str, value: str) -> None:
        self.tags[name] = value

    def comment(self, text: str) -> None:
        self._line.comment(text)

    def mark(self, mark: str) -> None:
        self._line.mark(mark)

    def nag(self, number: int) -> None:
        self._line.nag(number)

    def parenthesis(self, paren: str) -> None:
        if paren == "(":
            if len(self._lines) > MAX_NESTING:
                raise self.fault(Message("file.nested", most=MAX_NESTING))
            self._lines.append(_OpenLine(self._board_before() if self._line else None))
            return
        if len(self._lines) == 1:
            raise self.fault(Message("file.unmatched"))
        closed = self._lines.pop()
        self._line.add_variation(closed)

    def _board_before(self) -> Position:
        """The position before the line's last move. It has no history: a long game may have very many variations."""
        board = self._board_of(self._line)
        last = board.pop()
        before = Position(board.fen())
        board.push(last)
        return before

    def word(self, word: str) -> bool:
        """Handle a move, number or result; True when the game is over."""
        word = _NUMBER.sub("", word)
        if not word or word.isdecimal() or set(word) <= set(".…="):
            return False
        self.in_moves = True
        in_variation = len(self._lines) > 1
        if word in RESULTS:
            if in_variation:
                return False
            self._result = word
            return True
        if self._headers_only:
            return False
        text = word.rstrip("!?")
        if text and (not in_variation or self._line.board is not None):
            self._move(text)
        self.mark(word[len(text) :])
        return False

    def _move(self, text: str) -> None:
        board = self._board_of(self._line)
        try:
            move = self._read_move(board, text)
        except ValueError as error:
            raise self._move_fault(message_of(error)) from error
        board.push(move)
        self._line.add(move)

    def _read_move(self, board: Position, text: str) -> Move:
        """A move in any notation. If the first one is only legal with ranks 1 to 10, the game counts them so."""
        if self._ranks_from_1 is None:
            try:
                move = parse(board, text)
            except (IllegalMoveError, InvalidMoveError):
                found = _uci_move(board, text)
                if found is None:
                    raise
                self._ranks_from_1 = True
                return found
            self._ranks_from_1 = False
            return move
        found = _uci_move(board, text) if self._ranks_from_1 else None
        return parse(board, text) if found is None else found

    def fault(self, fault: Message) -> RecordError:
        """What is wrong with this game."""
        return RecordError(Message("file.game", number=self.number, fault=fault))

    def _move_fault(self, fault: Message) -> RecordError:
        """What is wrong with the next move of the main line or of a variation."""
        main = len(self._lines[0])
        if len(self._lines) == 1:
            return RecordError(Message("file.move", number=self.number, move=main // 2 + 1, fault=fault))
        return RecordError(Message("file.variation", number=self.number, move=(main - 1) // 2 + 1, fault=fault))

    def _board_of(self, line: _OpenLine) -> Position:
        return line.board if line.board is not None else self._board()

    def _board(self) -> Position:
        if self._position is None:
            try:
                self._position = Position(self._fen())
            except ValueError as error:
                raise self.fault(message_of(error)) from error
        return self._position

    def _fen(self) -> str:
        return next((value for name, value in self.tags.items() if name.lower() == "fen" and value), START_FEN)

    def broken(self, fault: Message) -> GameRecord | None:
        """The game up to what is bad; None if there is no move before it."""
        while len(self._lines) > 1:
            self.parenthesis(")")
        if not self._lines[0]:
            return None
        return replace(self.finish(), fault=fault)

    def finish(self) -> GameRecord:
        if len(self._lines) > 1:
            raise self.fault(Message("file.unclosed"))
        self._board()
        tags = {name: value for name, value in self.tags.items() if name.lower() not in ("fen", "format", "setup")}
        result = self._result
        tagged = tags.pop("Result", "*")
        if result == "*" and tagged in RESULTS:
            result = next(known for known in RESULTS if known == tagged)
        main = self._lines[0]
        moves = main.moves()
        comment = "" if self._headers_only else main.opening_comment
        return GameRecord(self._fen(), moves, tags, result, comment)


# --- writing

# the first tags of a game, in this order, with their values when unknown
FIRST_TAGS = {
    "Game": "Chinese Chess",
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "Red": "?",
    "Black": "?",
    "Result": "*",
}


def format_pgn(record: GameRecord, notation: Notation = "iccs") -> str:
    """One game as PGN text. Without comments and variations it is also what simple readers such as cchess expect."""
    check_notation(notation)
    tags = {**record.tags, "Result": record.result}
    return "\n".join([*header(tags, record.fen, notation), "", *wrap(_words(record, notation)), ""])


def header(tags: Mapping[str, str], fen: str, notation: Notation) -> list[str]:
    """The lines of tags that open a game."""
    known = {**FIRST_TAGS, **tags}
    if fen != START_FEN:
        known["FEN"] = fen
    known["Format"] = FORMAT_TAGS[notation]
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


def _comment_words(comment: str) -> list[str]:
    """A comment between braces, to be wrapped. PGN has no escape for braces and line breaks: references replace them.

    >>> _comment_words("a } brace")
    ['{a', '&#125;', 'brace}']
    """
    text = comment.replace("&#", "&#38;#").replace("}", "&#125;").replace("\n", "&#10;")
    return f"{{{text}}}".split() if comment else []


def _comment_text(written: str) -> str:
    """The opposite of `_comment_words`.

    >>> _comment_text("a &#125;\\n brace")
    'a } brace'
    """
    return re.sub("&#(10|38|125);", lambda code: chr(int(code[1])), " ".join(written.split()))


def _words(record: GameRecord, notation: Notation) -> Iterator[str]:
    yield from _comment_words(record.comment)
    yield from _line_words(Position(record.fen), record.moves, notation)
    yield record.result


def _line_words(board: Position, moves: Iterable[RecordedMove], notation: Notation) -> Iterator[str]:
    """The moves from here, each with its comment and then its variations. The board is moved along."""
    number_due = True
    for recorded in moves:
        yield from number_words(board, number_due)
        yield _pgn_move(board, recorded.move, notation) + recorded.mark
        yield from (f"${number}" for number in recorded.nags)
        yield from _comment_words(recorded.comment)
        for variation in filter(None, recorded.variations):
            first, *rest = _line_words(board.copy(), variation, notation)
            words = [f"({first}", *rest]
            words[-1] += ")"
            yield from words
        number_due = bool(recorded.comment or recorded.variations)
        board.push(recorded.move)


def _pgn_move(board: Position, move: Move, notation: Notation) -> str:
    if not move:
        raise IllegalMoveError(Message("move.null"))
    if notation == "iccs":
        text = move.iccs.upper()
        return f"{text[:2]}-{text[2:]}"
    return move_text(board, move, notation)
