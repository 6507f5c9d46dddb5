"""Parsing an engine's answers: pure functions from a line to a dataclass, for both protocols.

Moves stay strings here because the same client also drives chess engines; xiangqi moves are always written with
ranks 0–9 (`h2e2`), whatever the engine writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from chuhe.engine.values import Bound, Score
from chuhe.protocol.units import score_from_ucci, shift_ranks
from chuhe.text.numbers import parse_whole

Dialect = Literal["ucci", "uci", "uci1"]
WantedDialect = Literal["auto", "ucci", "uci", "uci1"]
NO_MOVE = frozenset({"(none)", "none", "null", "0000", "a0a0", "nobestmove"})

_NUMBERS = frozenset({"depth", "seldepth", "multipv", "nodes", "time", "nps", "hashfull", "currmovenumber"})
_REFUSALS = ("no such", "unknown", "invalid", "error", "unsupported", "not supported", "unrecogni")
_WORDS = _NUMBERS | {"score", "pv", "currmove", "string", "message", "wdl", "lowerbound", "upperbound", "tbhits"}


@dataclass(frozen=True, slots=True)
class Report:
    """One `info` line. A field that the engine did not send is None (or empty)."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int = 1
    score: Score | None = None
    bound: Bound = "exact"
    nodes: int | None = None
    time: int | None = None  # milliseconds, as reported by the engine
    nps: int | None = None
    hashfull: int | None = None
    wdl: tuple[int, int, int] | None = None
    pv: tuple[str, ...] = ()
    currmove: str | None = None
    currmovenumber: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class BestMoveLine:
    """A `bestmove` or `nobestmove` line; `move` is None if the engine has none."""

    move: str | None
    ponder: str | None = None
    draw: bool = False
    resign: bool = False


@dataclass(frozen=True, slots=True)
class AnnouncedOption:
    """One `option` line of the engine's greeting."""

    name: str
    kind: str
    default: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class GoResult:
    """The answer to a search. Its reports are parsed on demand, since a match rarely needs them."""

    move: str | None
    ponder: str | None
    draw: bool
    resign: bool
    elapsed: float  # seconds from `go` (or `ponderhit`) to the answer, by our clock
    infos: tuple[str, ...] = ()  # the newest lines with a score or a node count, unparsed
    dialect: Dialect = "uci"

    @cached_property
    def reports(self) -> tuple[Report, ...]:
        """`infos`, parsed."""
        return tuple(parse_report(line, self.dialect) for line in self.infos)

    @cached_property
    def last(self) -> Report | None:
        """The last report of the best line."""
        for line in reversed(self.infos):
            if " score " in line:
                report = parse_report(line, self.dialect)
                if report.multipv == 1 and report.score is not None:
                    return report
        return None

    @property
    def score(self) -> Score | None:
        """Of the last report of the best line; None if there is none."""
        return self.last.score if self.last else None

    @property
    def depth(self) -> int:
        """The last one reported; 0 if none was."""
        return (self.last.depth or 0) if self.last else 0

    @property
    def pv(self) -> tuple[str, ...]:
        """The best line, as texts."""
        return self.last.pv if self.last else ()

    @property
    def nodes(self) -> int:
        """The last number reported; 0 if none was."""
        return self._newest("nodes")

    @property
    def time(self) -> int:
        """Milliseconds, as reported by the engine."""
        return self._newest("time")

    def _newest(self, word: str) -> int:
        """The last number after `word`; both only grow during a search."""
        for line in reversed(self.infos):
            words = line.split()
            if word in words[:-1]:
                value = parse_whole(words[words.index(word) + 1])
                if value is not None:
                    return value
        return 0


def parse_report(line: str, dialect: Dialect) -> Report:
    """An `info` line; unknown words are skipped, and a malformed number leaves its field empty.

    >>> parse_report("info depth 6 score 4 pv b0c2 b9c7", "ucci").score
    Score(cp=7)
    >>> parse_report("info depth 3 score cp 4 upperbound pv a10a9", "uci1").pv
    ('a9a8',)
    """
    words = line.split()
    fields: dict[str, object] = {}
    index = 1
    while index < len(words):
        word = words[index]
        if word in _NUMBERS:
            value = _number(words, index + 1)
            if value is not None:
                fields[word] = value
            index += 2
        elif word == "score":
            score, index = _score(words, index + 1)
            if score is not None:
                fields["score"] = score
        elif word in ("lowerbound", "upperbound"):
            fields["bound"] = word[:5]
            index += 1
        elif word == "wdl":
            parts = [_number(words, index + offset) for offset in (1, 2, 3)]
            if None not in parts:
                fields["wdl"] = tuple(parts)
            index += 4
        elif word == "currmove":
            if index + 1 < len(words):
                fields["currmove"] = read_move(words[index + 1], dialect)
            index += 2
        elif word == "pv":
            end = index + 1
            while end < len(words) and words[end] not in _WORDS:
                end += 1
            fields["pv"] = tuple(read_move(move, dialect) for move in words[index + 1 : end])
            index = end
        elif word in ("string", "message"):
            fields["text"] = " ".join(words[index + 1 :])
            break
        else:
            index += 1
    return Report(**fields)  # type: ignore[arg-type]


def parse_answer(line: str, dialect: Dialect) -> BestMoveLine | None:
    """A `bestmove` or `nobestmove` line; None for any other line.

    >>> parse_answer("bestmove h2e2 ponder h9g7 draw", "ucci")
    BestMoveLine(move='h2e2', ponder='h9g7', draw=True, resign=False)
    >>> parse_answer("bestmove (none)", "uci").move is None
    True
    """
    words = line.split()
    if not words or words[0] not in ("bestmove", "nobestmove"):
        return None
    if words[0] == "nobestmove" or len(words) == 1:
        return BestMoveLine(None)
    draw, resign = "draw" in words[1:], "resign" in words[1:]
    if words[1] in ("draw", "resign"):
        return BestMoveLine(None, None, draw, resign)
    ponder = None
    if "ponder" in words[2:]:
        after = words[words.index("ponder", 2) + 1 :]
        ponder = _move_or_none(after[0], dialect) if after else None
    return BestMoveLine(_move_or_none(words[1], dialect), ponder, draw, resign)


def parse_option(line: str) -> AnnouncedOption | None:
    """An `option` line of either protocol (UCI's has the word `name`); None for any other line.

    >>> parse_option("option name Clear Hash type button").name
    'Clear Hash'
    >>> parse_option("option hashsize type spin min 0 max 1024 default 16").maximum
    1024
    """
    words = line.split()
    if len(words) < 2 or words[0] != "option" or "type" not in words:
        return None
    kind_at = words.index("type")
    start = 2 if words[1] == "name" and kind_at > 2 else 1
    name = " ".join(words[start:kind_at])
    found: dict[str, list[list[str]]] = {}
    key = ""
    for word in words[kind_at + 2 :]:
        if word in ("default", "min", "max", "var"):
            key = word
            found.setdefault(key, []).append([])
        elif key:
            found[key][-1].append(word)
    first = {key: " ".join(values[0]) for key, values in found.items()}
    return AnnouncedOption(
        name=name,
        kind=words[kind_at + 1] if kind_at + 1 < len(words) else "",
        default=first.get("default"),
        minimum=parse_whole(first.get("min", "")),
        maximum=parse_whole(first.get("max", "")),
        choices=tuple(" ".join(value) for value in found.get("var", [])),
    )


def refuses_option(line: str, name: str) -> bool:
    """Does the line say that the option is unknown? Covers the wording of several engines.

    >>> refuses_option("No such option: usemillisec", "usemillisec")
    True
    >>> refuses_option("info string usemillisec is true", "usemillisec")
    False
    """
    text = line.lower()
    return name in text and any(word in text for word in _REFUSALS)


def read_move(text: str, dialect: Dialect) -> str:
    """The engine's move text in our notation."""
    return shift_ranks(text, -1) if dialect == "uci1" else text


def write_move(text: str, dialect: Dialect) -> str:
    """Our move text in the engine's notation."""
    return shift_ranks(text, 1) if dialect == "uci1" else text


def _move_or_none(text: str, dialect: Dialect) -> str | None:
    return None if text in NO_MOVE else read_move(text, dialect)


def _score(words: list[str], index: int) -> tuple[Score | None, int]:
    """The score that begins at `index`, and where the next word is."""
    kind = words[index] if index < len(words) else ""
    if kind in ("cp", "mate"):
        value = _number(words, index + 1)
        if value is None:
            return None, index + 1
        return (Score(cp=value) if kind == "cp" else Score(mate=value)), index + 2
    value = _number(words, index)
    return (None, index) if value is None else (score_from_ucci(value), index + 1)


def _number(words: list[str], index: int) -> int | None:
    return parse_whole(words[index]) if index < len(words) else None
