"""Game files in and out: PGN, FEN, XQF and UBB; CBL, CBR and CBF in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from chuhe.engine import Position
from chuhe.engine.notation import Notation
from chuhe.files.reading import open_input, read_input
from chuhe.files.writing import OutputError, write_file
from chuhe.records.ccbridge import parse_cbf, parse_cbl, parse_cbr
from chuhe.records.game_record import GameRecord, OnFault, RecordError
from chuhe.records.pgn import decode, format_pgn, iter_pgn, parse_pgn
from chuhe.records.ubb import MARK, format_ubb, parse_ubb
from chuhe.records.xqf import format_xqf, parse_xqf
from chuhe.text.message import Argument, Message, message_of

READABLE = (".pgn", ".fen", ".xqf", ".ubb", ".cbl", ".cbr", ".cbf")
WRITABLE = (".pgn", ".fen", ".xqf", ".ubb")


def read_games(
    path: str | Path,
    on_game: Callable[[float], None] = lambda share: None,
    on_fault: OnFault | None = None,
    keep_broken: bool = False,
) -> list[GameRecord]:
    """Every game in a file; the suffix tells its format. A RecordError says what cannot be read and why.

    `on_game` is called after every game with the fraction of a PGN file read so far, 0 to 1. With `on_fault`, the error
    of a bad game is passed to it, and the other games are returned; with `keep_broken`, bad games too, each up to the
    move that cannot be read, with the reason as its `fault`.
    """
    path = Path(path)
    if path.suffix.lower() not in READABLE:
        raise RecordError(Message("file.not-readable", path=str(path), suffixes=", ".join(READABLE)))
    faults: list[RecordError] = []
    note = None if on_fault is None else faults.append
    try:
        games = games_from_bytes(read_input(path), path.name, on_game, note, keep_broken)
    except OSError as error:
        raise _at(path, message_of(error)) from error
    except RecordError as error:
        raise _at(path, error.message, error.game) from error
    for fault in faults:
        assert on_fault is not None
        on_fault(_at(path, fault.message, fault.game))
    return games


PART = 1 << 18  # bytes of a PGN file that are read at a time
_TAG_LINE = re.compile(rb'\s*\[\s*\w+\s*"')


def iter_games(
    path: str | Path, *, on_fault: OnFault | None = None, keep_broken: bool = False, headers_only: bool = False
) -> Iterator[GameRecord]:
    """The games of a file one after the other: of a PGN file of any size, only a small part is in memory.

    `headers_only`: tags and results without moves, from PGN. Otherwise as `read_games`.
    """
    path = Path(path)
    if path.suffix.lower() != ".pgn":
        yield from read_games(path, on_fault=on_fault, keep_broken=keep_broken)
        return

    def note(error: RecordError) -> None:
        fault = _at(path, error.message, error.game)
        if on_fault is None:
            raise fault from error
        on_fault(fault)

    games = 0
    try:
        with open_input(path) as file:
            for number, line, part in _parts(file):
                for game, _ in iter_pgn(decode(part), note, keep_broken, headers_only, number, line):
                    games += 1
                    yield game
    except OSError as error:
        raise _at(path, message_of(error)) from error
    if not games:
        raise _at(path, Message("file.no-game"))


def _parts(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """A PGN file in parts of whole games: the number of the first game and of the first line, and the bytes.

    A game begins with the first tag after moves. A file in UTF-16 or UTF-32 is one part.
    """
    head = file.read(PART)
    file.seek(0)
    if b"\0" in head:
        yield 1, 1, file.read()
        return
    lines: list[bytes] = []
    size = games = 0
    first_game = first_line = 1
    in_moves = False
    for line in file:
        tag = _TAG_LINE.match(line) is not None
        if tag and in_moves:
            games += 1
            in_moves = False
            if size >= PART:
                yield first_game, first_line, b"".join(lines)
                first_game, first_line = first_game + games, first_line + len(lines)
                lines.clear()
                size = games = 0
        in_moves = in_moves or (not tag and bool(line.strip()))
        lines.append(line)
        size += len(line)
    yield first_game, first_line, b"".join(lines)


def _at(path: Path, fault: Message, game: int | None = None) -> RecordError:
    return RecordError(Message("file.at", path=str(path), fault=fault), game)


def games_from_bytes(
    data: bytes,
    name: str = "",
    on_game: Callable[[float], None] = lambda share: None,
    on_fault: OnFault | None = None,
    keep_broken: bool = False,
) -> list[GameRecord]:
    """Every game in the content of a file or the clipboard. The name's suffix tells the format, or else the content.

    `on_game`, `on_fault` and `keep_broken` as for `read_games`.
    """
    faults: list[RecordError] = []
    note = None if on_fault is None else faults.append
    suffix = Path(name).suffix.lower()
    if suffix not in READABLE:
        suffix = _kind_of(data)
    if suffix in (".xqf", ".cbr", ".cbl", ".cbf"):
        games = _kept(_read_binary(data, suffix), note, keep_broken)
    elif suffix == ".fen":
        games = [_parse_fen_file(decode(data))]
    else:
        text = decode(data)
        if suffix == ".ubb" or MARK.lower() in text.lower():
            games = _kept(parse_ubb(text), note, keep_broken)
        elif suffix == ".pgn":
            games = parse_pgn(text, on_game, note, keep_broken)
        else:
            games = games_from_text(text, note, keep_broken)
    if not games:
        raise faults[0] if faults else RecordError(Message("file.no-game"))
    for fault in faults:
        assert on_fault is not None
        on_fault(fault)
    return games


def _read_binary(data: bytes, suffix: str) -> Iterator[GameRecord | RecordError]:
    if suffix == ".cbl":
        yield from parse_cbl(data)
    else:
        yield {".xqf": parse_xqf, ".cbr": parse_cbr, ".cbf": parse_cbf}[suffix](data)


def _kept(games: Iterable[GameRecord | RecordError], on_fault: OnFault | None, keep_broken: bool) -> list[GameRecord]:
    """The good games; of the others, the error goes to `on_fault`, or is raised if there is none."""
    kept = []
    for number, game in enumerate(games, 1):
        said = game.message if isinstance(game, RecordError) else game.fault
        if said:
            fault = RecordError(Message("file.game", number=number, fault=said), number)
            if on_fault is None:
                raise fault
            on_fault(fault)
        if isinstance(game, GameRecord) and (not said or (keep_broken and game.moves)):
            kept.append(game)
    return kept


def read_numbered(path: str | Path, keep_broken: bool = False) -> tuple[dict[int, GameRecord], dict[int, RecordError]]:
    """The readable games of a file by number, and the errors of the others, also by number.

    With `keep_broken`, a game that can be read up to some move is in both.
    """
    faults: dict[int, RecordError] = {}

    def note(error: RecordError) -> None:
        assert error.game is not None
        faults[error.game] = error

    records = read_games(path, on_fault=note, keep_broken=keep_broken)
    count = sum(not record.fault for record in records) + len(faults)
    numbered: dict[int, GameRecord] = {}
    for number in range(1, count + 1):
        record = records[len(numbered)] if len(numbered) < len(records) else None
        if record is not None and (number not in faults or _is_of(faults[number], record)):
            numbered[number] = record
    return numbered, faults


def _is_of(error: RecordError, record: GameRecord) -> bool:
    """Whether the error is that of this broken game."""
    part: Argument | None = error.message
    while isinstance(part, Message) and part != record.fault:
        part = part.arguments.get("fault")
    return isinstance(part, Message)


def _kind_of(data: bytes) -> str:
    """The suffix that belongs to this content; empty for text."""
    beginnings = {b"XQ": ".xqf", b"CCBridge Record": ".cbr", b"CCBridgeLibrary": ".cbl", b"<?xml": ".cbf"}
    found = (suffix for beginning, suffix in beginnings.items() if data.startswith(beginning))
    return next(found, "")


_FEN = re.compile(r"(?:position\s+)?(?:fen\s+)?((?:[A-Za-z1-9]+/){9}[A-Za-z1-9]+)\s*(.*)", re.DOTALL)
_FEN_FIELDS = re.compile(r"\s*([wbr])?(\s+-\s+-)?(\s+\d+\s+\d+)?(?=\s|$)\s*(?:moves)?")
_SEPARATORS = str.maketrans(dict.fromkeys(",，、;；。|", " "))


def games_from_text(text: str, on_fault: OnFault | None = None, keep_broken: bool = False) -> list[GameRecord]:
    """Games from pasted text: PGN, FEN with or without moves, or moves alone in any notation; not UBB.

    >>> [len(game.moves) for game in games_from_text("1、炮二平五，马8进7；2、马二进三")]
    [3]
    >>> games_from_text("4k4/9/9/9/9/9/9/9/9/3K5 b moves e9e8")[0].plain_moves
    (Move.from_iccs('e9e8'),)
    """
    text = text.strip().lstrip("\ufeff")
    if re.search(r"^[^\S\n]*\[\w+\s+\"", text, re.MULTILINE):
        return parse_pgn(text, on_fault=on_fault, keep_broken=keep_broken)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(_FEN.match(line) for line in lines):
        return [_from_fen(line) for line in lines]
    if _FEN.match(text):
        return [_from_fen(text)]
    text = re.sub(r"^position\s+startpos(\s+moves)?", "", text)
    if re.search(r"[{(]", text):  # comments and variations keep their punctuation
        return parse_pgn(text, on_fault=on_fault, keep_broken=keep_broken)
    return parse_pgn(text.translate(_SEPARATORS), on_fault=on_fault, keep_broken=keep_broken)


def _from_fen(text: str) -> GameRecord:
    match = _FEN.match(text)
    assert match is not None
    fields = _FEN_FIELDS.match(match[2])
    side, clocks = (fields[1] or "w", fields[3] or " 0 1") if fields else ("w", " 0 1")
    rest = match[2][fields.end() :] if fields else match[2]
    fen = f"{match[1]} {side} - -{clocks}"
    try:
        position = Position(fen)
    except ValueError as error:
        raise RecordError(message_of(error)) from error
    if not rest.strip():
        return GameRecord(position.fen())
    games = parse_pgn(f'[FEN "{position.fen()}"]\n{rest.translate(_SEPARATORS)}')
    return games[0]


def write_games(
    path: str | Path, games: Iterable[GameRecord], notation: Notation = "iccs", *, overwrite: bool = False
) -> None:
    """Writes PGN, UBB, XQF (one game), or the last game's final position as FEN, by the suffix.

    Written in full or not at all. RecordError if there is such a file with content, unless `overwrite`.
    """
    path = Path(path)
    try:
        if not overwrite and path.is_file() and path.stat().st_size:
            raise OutputError(Message("file.exists-overwrite", path=str(path)))
        write_file(path, _content(path, list(games), notation))
    except OutputError as error:
        raise RecordError(message_of(error)) from error


def _content(path: Path, games: Sequence[GameRecord], notation: Notation) -> str | bytes:
    check_writable(path, len(games))
    suffix = path.suffix.lower()
    if suffix == ".fen":
        return _final_fen(games[-1]) + "\n"
    if suffix == ".xqf":
        return format_xqf(games[0])
    if suffix == ".ubb":
        return "\n".join(map(format_ubb, games))
    return "\n".join(format_pgn(game, notation) for game in games)


def check_writable(path: Path, count: int = 1) -> None:
    """RecordError if so many games cannot be saved in a file of this name."""
    if path.suffix.lower() not in WRITABLE:
        raise RecordError(Message("file.not-writable", path=str(path), suffixes=", ".join(WRITABLE)))
    if path.suffix.lower() == ".xqf" and count != 1:
        raise RecordError(Message("file.one-game", path=str(path), count=count))


def _final_fen(game: GameRecord) -> str:
    position = Position(game.fen)
    for move in game.plain_moves:
        position.push(move)
    return position.fen()


def _parse_fen_file(text: str) -> GameRecord:
    """The first line that is not empty."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if not line:
        raise RecordError(Message("file.empty"))
    try:
        return GameRecord(Position(line).fen())
    except ValueError as error:
        raise RecordError(message_of(error)) from error
