"""A seeded fuzzer for FEN and move strings: any input must give a documented error or a valid position.

Used by tests/engine/test_fuzz.py (a fixed part) and by `tests/tools/oracle_long.py --minutes N`.
"""

from __future__ import annotations

import random

import core_inspection
import oracle

from chuhe.engine import FenError, IllegalMoveError, InvalidMoveError, Move, Position
from chuhe.engine.notation import parse, parse_chinese, parse_wxf, to_chinese, to_wxf

FEN_LETTERS = "rnbakcpheRNBAKCPHE123456789/ wb-0"
MOVE_LETTERS = "abcdefghij0123456789KABENHRCPkhrc+-=.,一二五九前中后後平进進退炮砲馬马車车兵卒帅将１９"
STRANGE = ["\0", "\n", "\t", "\u2003", "\ud800", "\U0001f004", "é", "ß", "İ", "٣", "９", "²", "-", "%s", "{}", "\x7f"]


def mutate(rng: random.Random, text: str, letters: str) -> str:
    """The text with a few characters dropped, doubled, swapped or replaced."""
    characters = list(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        place = rng.randrange(len(characters) + 1)
        kind = rng.randrange(7)
        if kind == 0 and characters:
            del characters[place % len(characters)]
        elif kind == 1:
            characters.insert(place, rng.choice(letters))
        elif kind == 2 and characters:
            characters[place % len(characters)] = rng.choice(letters)
        elif kind == 3 and len(characters) > 1:
            other = rng.randrange(len(characters))
            place %= len(characters)
            characters[place], characters[other] = characters[other], characters[place]
        elif kind == 4:
            characters.insert(place, rng.choice(STRANGE))
        elif kind == 5:
            characters[place:place] = characters[: rng.randrange(12)]
        else:
            characters = characters[:place] if rng.random() < 0.3 else characters
    return "".join(characters)


def random_text(rng: random.Random, letters: str) -> str:
    return "".join(rng.choice(letters) for _ in range(rng.choice((0, 1, 4, 5, 20, 90, 3000))))


def check_message(error: Exception) -> None:
    message = str(error)
    assert message, "the error must say something"
    assert len(message) < 600, "the error must be short"
    assert "\n" not in message, "the error must be one line"


def check_fen(text: str) -> Position | None:
    """Check that a FEN gives a FenError, or a valid position that survives a round trip."""
    try:
        position = Position(text)
    except FenError as error:
        check_message(error)
        return None
    core_inspection.consistency(position)
    assert Position(position.fen()) == position
    for move in position.legal_moves:
        position.push(move)
        core_inspection.consistency(position)
        position.is_check()
        position.outcome()
        position.pop()
    return position


def check_move(position: Position, text: str) -> Move | None:
    """Check that a move text gives an InvalidMoveError, an IllegalMoveError, or a legal move."""
    fen = position.fen()
    found = None
    for function in (parse, parse_wxf, parse_chinese):
        try:
            move = function(position, text)
        except (InvalidMoveError, IllegalMoveError) as error:
            check_message(error)
        else:
            assert position.is_legal(move)
            found = move
    for reader in (Move.from_iccs, Move.from_uci):
        try:
            position.is_legal(reader(text))
        except InvalidMoveError as error:
            check_message(error)
    assert position.fen() == fen
    return found


class Fuzzer:
    """One step fuzzes a FEN or a move; `fens`, `moves` and `accepted` count what was tried."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.positions = oracle.random_positions(random.Random(seed + 1))
        self.fens = self.moves = self.accepted = 0
        self.last = ""

    def step(self) -> None:
        position = next(self.positions)
        for _ in range(4):
            fresh = self.rng.random() < 0.1
            text = random_text(self.rng, FEN_LETTERS) if fresh else mutate(self.rng, position.fen(), FEN_LETTERS)
            self.last = text
            self.fens += 1
            self.accepted += check_fen(text) is not None
        moves = position.legal_moves
        for _ in range(12):
            if moves and self.rng.random() < 0.9:
                move = self.rng.choice(moves)
                written = (move.iccs, move.uci, to_wxf(position, move), to_chinese(position, move))
                text = mutate(self.rng, self.rng.choice(written), MOVE_LETTERS)
            else:
                text = random_text(self.rng, MOVE_LETTERS)
            self.last = text
            self.moves += 1
            self.accepted += check_move(position, text) is not None
