"""Game files in and out: our own PGN and FEN; XQF, CBL, CBR and CBF through cchess (extra `play`)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine import Move, Position
from engine.extras import install_hint
from engine.notation import Notation
from engine.pgn import RESULTS, GameRecord, OnFault, RecordedMove, RecordError, decode, format_pgn, parse_pgn
from engine.safe_files import OutputError, write_file
from engine.values import Result

LIBRARY_SUFFIXES = (".xqf", ".cbl", ".cbr", ".cbf")
READABLE = (".pgn", ".fen", *LIBRARY_SUFFIXES)
WRITABLE = (".pgn", ".fen")


def read_games(
    path: str | Path, on_game: Callable[[float], None] = lambda share: None, on_fault: OnFault | None = None
) -> list[GameRecord]:
    """Every game in a file; the suffix tells its format. A RecordError says what cannot be read and why.

    `on_game` is called after every game with the fraction of a PGN file read so far, 0 to 1. With `on_fault`, the error
    of a bad game is passed to it, and the other games are returned.
    """
    path = Path(path)
    if path.suffix.lower() not in READABLE:
        raise RecordError(f"{path}: games are read from {', '.join(READABLE)} files")
    if not path.is_file():
        raise RecordError(f"{path}: there is no such file")
    faults: list[RecordError] = []
    note = None if on_fault is None else faults.append
    try:
        games = games_from_bytes(path.read_bytes(), path.name, on_game, note)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from error
    except RecordError as error:
        raise RecordError(f"{path}: {error}", error.game) from error
    for fault in faults:
        assert on_fault is not None
        on_fault(RecordError(f"{path}: {fault}", fault.game))
    return games


def games_from_bytes(
    data: bytes,
    name: str = "",
    on_game: Callable[[float], None] = lambda share: None,
    on_fault: OnFault | None = None,
) -> list[GameRecord]:
    """Every game in the content of a file or the clipboard. The name's suffix tells the format, or else the content.

    `on_game` and `on_fault` as for `read_games`.
    """
    faults: list[RecordError] = []
    note = None if on_fault is None else faults.append
    suffix = Path(name).suffix.lower()
    if suffix not in READABLE:
        suffix = _kind_of(data)
    if suffix in LIBRARY_SUFFIXES:
        games = _read_with_cchess(data, suffix, note)
    elif suffix == ".fen":
        games = [_parse_fen_file(decode(data))]
    elif suffix == ".pgn":
        games = parse_pgn(decode(data), on_game, note)
    else:
        games = games_from_text(decode(data), note)
    if not games:
        raise faults[0] if faults else RecordError("there is no game in it")
    for fault in faults:
        assert on_fault is not None
        on_fault(fault)
    return games


def read_numbered(path: str | Path) -> tuple[dict[int, GameRecord], dict[int, RecordError]]:
    """The readable games of a file by number, and the errors of the others, also by number."""
    faults: dict[int, RecordError] = {}

    def note(error: RecordError) -> None:
        assert error.game is not None
        faults[error.game] = error

    records = read_games(path, on_fault=note)
    numbers = (number for number in range(1, len(records) + len(faults) + 1) if number not in faults)
    return dict(zip(numbers, records, strict=True)), faults


def _kind_of(data: bytes) -> str:
    """The suffix that belongs to this content; empty for text."""
    beginnings = {b"XQ": ".xqf", b"CCBridge Record": ".cbr", b"CCBridgeLibrary": ".cbl", b"<?xml": ".cbf"}
    found = (suffix for beginning, suffix in beginnings.items() if data.startswith(beginning))
    return next(found, "")


_FEN = re.compile(r"(?:position\s+)?(?:fen\s+)?((?:[A-Za-z1-9]+/){9}[A-Za-z1-9]+)\s*(.*)", re.DOTALL)
_FEN_FIELDS = re.compile(r"\s*([wbr])?(\s+-\s+-)?(\s+\d+\s+\d+)?(?=\s|$)\s*(?:moves)?")
_SEPARATORS = str.maketrans(dict.fromkeys(",，、;；。|", " "))


def games_from_text(text: str, on_fault: OnFault | None = None) -> list[GameRecord]:
    """Games from pasted text: PGN, FEN with or without moves, or moves alone in any notation.

    >>> [len(game.moves) for game in games_from_text("1、炮二平五，马8进7；2、马二进三")]
    [3]
    >>> games_from_text("4k4/9/9/9/9/9/9/9/9/3K5 b moves e9e8")[0].plain_moves
    (Move.from_iccs('e9e8'),)
    """
    text = text.strip().lstrip("\ufeff")
    if re.search(r"^\s*\[\w+\s+\"", text, re.MULTILINE):
        return parse_pgn(text, on_fault=on_fault)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(_FEN.match(line) for line in lines):
        return [_from_fen(line) for line in lines]
    if _FEN.match(text):
        return [_from_fen(text)]
    text = re.sub(r"^position\s+startpos(\s+moves)?", "", text)
    if re.search(r"[{(]", text):  # comments and variations keep their punctuation
        return parse_pgn(text, on_fault=on_fault)
    return parse_pgn(text.translate(_SEPARATORS), on_fault=on_fault)


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
        raise RecordError(str(error)) from error
    if not rest.strip():
        return GameRecord(position.fen())
    games = parse_pgn(f'[FEN "{position.fen()}"]\n{rest.translate(_SEPARATORS)}')
    return games[0]


def write_games(path: str | Path, games: Sequence[GameRecord], notation: Notation = "iccs") -> None:
    """Writes PGN, or the last game's final position as FEN, by the suffix. Written in full or not at all."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in WRITABLE:
        raise RecordError(f"{path}: games are saved as {' or '.join(WRITABLE)} files")
    text = _final_fen(games[-1]) + "\n" if suffix == ".fen" else "\n".join(format_pgn(game, notation) for game in games)
    try:
        write_file(path, text)
    except OutputError as error:
        raise RecordError(str(error)) from error


def _final_fen(game: GameRecord) -> str:
    position = Position(game.fen)
    for move in game.plain_moves:
        position.push(move)
    return position.fen()


def _parse_fen_file(text: str) -> GameRecord:
    """The first line that is not empty."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if not line:
        raise RecordError("the file is empty")
    try:
        return GameRecord(Position(line).fen())
    except ValueError as error:
        raise RecordError(str(error)) from error


# --- cchess


def _read_with_cchess(data: bytes, suffix: str, on_fault: OnFault | None) -> list[GameRecord]:
    """The library reads only files, so the data go through a temporary file."""
    try:
        import cchess
    except ImportError as error:
        raise RecordError(f"XQF, CBL, CBR and CBF files need the cchess library: {install_hint('play')}") from error
    readers: dict[str, Callable[[str], Any]] = {
        ".xqf": cchess.read_from_xqf,
        ".cbl": cchess.read_from_cbl,
        ".cbr": cchess.read_from_cbr,
        ".cbf": cchess.read_from_cbf,
    }
    try:
        with tempfile.TemporaryDirectory(prefix="chuhe-") as folder:
            path = Path(folder) / f"game{suffix}"
            path.write_bytes(data)
            found = readers[suffix](str(path))
    except RecursionError as error:
        raise RecordError("the game tree is too deep for the cchess library") from error
    except Exception as error:  # its readers raise anything on damaged data: struct.error, KeyError, plain Exception
        raise RecordError(f"the {suffix[1:].upper()} file is damaged ({error})") from error
    if found is None:
        raise RecordError(f"this is not a valid {suffix[1:].upper()} file")
    games = found["games"] if suffix == ".cbl" else [found]
    records = []
    for number, game in enumerate(games, 1):
        try:
            records.append(_from_cchess(game, number))
        except RecordError as error:
            if on_fault is None:
                raise
            on_fault(RecordError(str(error), number))
    return records


def _from_cchess(game: Any, number: int) -> GameRecord:
    """The main line of a game of the cchess library, checked by our own rules."""
    fen = game.init_board.to_fen()
    try:
        position = Position(fen)
    except ValueError as error:
        raise RecordError(f"game {number}: {error}") from error
    start = position.fen()
    moves: list[RecordedMove] = []
    node = game.first_move
    while node is not None:
        try:
            move = Move.from_iccs(str(node))
            position.push(move)
        except ValueError as error:
            raise RecordError(f"game {number}, move {len(moves) // 2 + 1}: {error}") from error
        moves.append(RecordedMove(move, " ".join((node.annote or "").split())))
        node = node.next_move
    info = {name: str(value).strip() for name, value in game.info.items() if value}
    names = {"event": "Event", "red": "Red", "black": "Black", "title": "Title", "date": "Date"}
    tags = {tag: info[name] for name, tag in names.items() if info.get(name)}
    result: Result = next((known for known in RESULTS if known == info.get("result")), "*")
    comment = " ".join((game.annote or "").split())
    return GameRecord(start, tuple(moves), tags, result, comment)
