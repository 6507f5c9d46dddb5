"""Openings from files: lines of moves, FEN or EPD positions, or PGN games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from bench.matches.match_values import Opening
from engine import START_FEN, Move, Position
from engine.pgn import RecordError, decode, parse_pgn

MOVE = re.compile(r"([a-i])(10|\d)-?([a-i])(10|\d)", re.IGNORECASE)
PGN_PLIES = 16  # of a whole game, only the beginning is an opening


class OpeningError(ValueError):
    """An openings file that cannot be used; the text names the file, the line and the fault."""


def shipped_openings() -> Path:
    """The balanced set that our own engine generated."""
    return Path(str(resources.files("bench.matches") / "data" / "openings.txt"))


def read_openings(path: str | Path | None) -> list[Opening]:
    """The openings of a file; None: the shipped ones. Every position and move is checked by the law."""
    path = shipped_openings() if path is None else Path(path)
    try:
        text = decode(path.read_bytes())
    except (OSError, RecordError) as error:
        raise OpeningError(f"openings {path}: {getattr(error, 'strerror', None) or error}") from error
    if path.suffix.lower() == ".pgn" or text.lstrip().startswith("["):
        return _from_pgn(text, path)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    shift = rank_shift([line for _, line in lines if "/" not in line])
    openings = []
    for number, line in lines:
        try:
            openings.append(parse_opening(line, shift))
        except ValueError as error:
            raise OpeningError(f"{path}, line {number}: {error}") from None
    if not openings:
        raise OpeningError(f"openings {path}: there is none in it")
    return openings


def rank_shift(lines: Sequence[str]) -> int:
    """What to take from a rank to get ours (0–9): 1 when the file counts from 1 to 10.

    A rank 10 or a rank 0 anywhere settles it; else the first line that is legal in only one of the two ways does.
    """
    ranks = {rank for line in lines for match in MOVE.finditer(line) for rank in (match[2], match[4])}
    if "10" in ranks:
        return 1
    if "0" in ranks:
        return 0
    for line in lines:
        legal = [shift for shift in (0, 1) if _is_legal(line, shift)]
        if len(legal) == 1:
            return legal[0]
    return 0


def _is_legal(line: str, shift: int) -> bool:
    try:
        parse_opening(line, shift)
    except ValueError:
        return False
    return True


def parse_opening(line: str, shift: int = 0) -> Opening:
    """`[startpos | FEN | EPD] [moves] h2e2 …`; a text behind `#` is the opening's name."""
    line, _, name = line.partition("#")
    fen, words = _split_position(line.split())
    position = Position(fen) if fen else Position()
    moves = []
    for word in words:
        match = MOVE.fullmatch(word)
        if match is None:
            raise OpeningError(f"{word!r} is no move")
        text = f"{match[1]}{int(match[2]) - shift}{match[3]}{int(match[4]) - shift}".lower()
        move = Move.from_iccs(text)
        position.push(move)
        moves.append(move.iccs)
    if not position.legal_moves:
        raise OpeningError("the game is over already")
    return Opening(fen, tuple(moves), name.strip())


def _split_position(words: list[str]) -> tuple[str | None, list[str]]:
    """The FEN (None: start) and the words of the moves; an EPD's operations are neither."""
    if words[:1] == ["startpos"]:
        words = words[1:]
    if words[:1] in (["fen"], ["position"]):
        words = words[1:]
    if words[:1] == ["moves"]:
        return None, words[1:]
    if not words or "/" not in words[0]:
        return None, words
    if "moves" in words:
        cut = words.index("moves")
        return " ".join(words[:cut]), words[cut + 1 :]
    fields = words[:2]
    rest = words[2:]
    while rest and len(fields) < 6 and (rest[0] == "-" or rest[0].isdigit()):
        fields.append(rest.pop(0))
    if len(fields) != 6:
        fields = fields[:2]
    return " ".join(fields), [] if any(";" in word for word in rest) else rest


def _from_pgn(text: str, path: Path) -> list[Opening]:
    try:
        games = parse_pgn(text)
    except RecordError as error:
        raise OpeningError(f"openings {path}: {error}") from None
    seen: dict[tuple[str | None, tuple[str, ...]], Opening] = {}
    for game in games:
        fen = None if game.fen == START_FEN else game.fen
        moves = tuple(map(str, game.plain_moves[:PGN_PLIES]))
        opening = Opening(fen, moves, game.tags.get("Opening", ""))
        seen.setdefault((opening.fen, opening.moves), opening)
    if not seen:
        raise OpeningError(f"openings {path}: there is no game in it")
    return list(seen.values())
