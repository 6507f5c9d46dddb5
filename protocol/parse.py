"""`parse(line) -> Command`: a pure function, the same for both protocols, lenient about spaces and case.

GUIs mix the protocols' forms (`setoption X Y`, `go movetime` under UCCI, positions without the word `position`), so
every form is accepted in both. The session decides what a state or a protocol allows.
"""

from __future__ import annotations

from chuhe.protocol.commands import (
    BanMoves,
    Bench,
    Command,
    CommandError,
    Debug,
    Go,
    Greet,
    PonderHit,
    ProbeHash,
    SetOption,
    SetPosition,
    Simple,
    Unknown,
)
from chuhe.protocol.options import split_name
from chuhe.text.numbers import parse_whole

GREETINGS = ("ucci", "uci", "ucicyclone")
SIMPLE = ("isready", "stop", "quit", "ucinewgame", "eval", "d", "flip", "help")
GO_FLAGS = ("ponder", "draw", "infinite")
GO_NUMBERS = (
    "depth", "nodes", "mate", "movetime", "perft", "movestogo",
    "time", "increment", "opptime", "oppmovestogo", "oppincrement",
    "wtime", "btime", "winc", "binc",
)  # fmt: skip
GO_CLOCKS = ("time", "opptime", "wtime", "btime", "winc", "binc", "increment", "oppincrement")
LARGEST = 1 << 53  # GUIs send numbers from here on to mean "no limit"


def parse(line: str) -> Command | None:
    """Parse a line; None for a blank line, CommandError for a malformed one.

    >>> parse("  setoption  name Move Overhead value 50 \\r")
    SetOption(name='Move Overhead', value='50')
    >>> parse("position startpos moves h2e2").moves
    ('h2e2',)
    """
    words = line.split()
    if not words:
        return None
    word, rest = words[0], words[1:]
    if word in GREETINGS:
        return Greet(word)
    if word in SIMPLE:
        return Simple(word)
    if word == "position":
        return SetPosition(*_position(rest))
    if word in ("fen", "startpos"):
        return SetPosition(*_position(words), bare=True)
    if word == "go":
        return _go(rest)
    if word == "setoption":
        return _set_option(rest)
    if word == "probe":
        return ProbeHash(*_position(rest))
    if word == "banmoves":
        return BanMoves(tuple(rest))
    if word == "ponderhit":
        return PonderHit("draw" in rest)
    if word == "debug":
        return Debug(rest[:1] != ["off"])
    if word == "bench":
        return Bench(tuple(rest))
    return Unknown(word[:80])


def _position(words: list[str]) -> tuple[str | None, tuple[str, ...]]:
    if not words:
        raise CommandError("position needs `startpos` or `fen`")
    moves_at = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:moves_at], tuple(words[moves_at + 1 :])
    if head[:1] == ["startpos"]:
        if len(head) > 1:
            raise CommandError(f"position startpos: unexpected {head[1][:40]!r}")
        return None, moves
    if head[:1] == ["fen"]:
        if len(head) == 1:
            raise CommandError("position fen: the FEN is missing")
        return " ".join(head[1:]), moves
    if not head or "/" not in head[0]:
        raise CommandError(f"position needs `startpos` or `fen`, not {' '.join(words)[:40]!r}")
    return " ".join(head), moves


def _set_option(words: list[str]) -> SetOption:
    if words[:1] == ["name"] and len(words) > 1:
        words = words[1:]
    if not words:
        raise CommandError("setoption needs a name")
    if "value" in words[1:]:
        at = words.index("value", 1)
        return SetOption(" ".join(words[:at]), " ".join(words[at + 1 :]))
    return SetOption(*split_name(words))


def _go(words: list[str]) -> Go:
    fields: dict[str, object] = {}
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in GO_FLAGS:
            fields[word] = True
        elif word == "depth" and words[index : index + 1] == ["infinite"]:
            fields["infinite"] = True
            index += 1
        elif word in GO_NUMBERS:
            fields[word] = _number(word, words[index] if index < len(words) else "")
            index += 1
        elif word == "searchmoves":
            end = index
            while end < len(words) and words[end] not in GO_FLAGS and words[end] not in GO_NUMBERS:
                end += 1
            fields["searchmoves"] = tuple(words[index:end])
            index = end
    return Go(**fields)  # type: ignore[arg-type]


def _number(word: str, text: str) -> int:
    whole, _, fraction = text.partition(".")  # some GUIs send a clock as 295.0
    number = parse_whole(whole)
    if number is None or (fraction and not fraction.isdigit()):
        raise CommandError(f"go {word} needs a whole number below 2^63, not {text[:40]!r}")
    if number < 0 and word not in GO_CLOCKS:
        raise CommandError(f"go {word} needs 0 or more, not {text[:40]}")
    return max(0, min(number, LARGEST))  # a clock below 0 is overdrawn
