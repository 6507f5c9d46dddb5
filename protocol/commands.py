"""The commands that a GUI can send, one frozen dataclass each."""

from __future__ import annotations

from dataclasses import dataclass


class CommandError(ValueError):
    """A malformed command; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Greet:
    """`ucci`, `uci` or `ucicyclone`."""

    protocol: str


@dataclass(frozen=True, slots=True)
class Simple:
    """A command without arguments: isready, stop, quit, ucinewgame, eval, d, flip, help."""

    word: str


@dataclass(frozen=True, slots=True)
class SetOption:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SetPosition:
    """`position`; no FEN means the start position. `bare`: the word was missing, as in the Cyclone dialect."""

    fen: str | None
    moves: tuple[str, ...] = ()
    bare: bool = False


@dataclass(frozen=True, slots=True)
class ProbeHash:
    fen: str | None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BanMoves:
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PonderHit:
    draw: bool = False


@dataclass(frozen=True, slots=True)
class Debug:
    on: bool


@dataclass(frozen=True, slots=True)
class Bench:
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Go:
    """`go` with the words of both protocols; numbers are as sent, in the unit that was sent."""

    ponder: bool = False
    draw: bool = False
    infinite: bool = False
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    perft: int | None = None
    movestogo: int | None = None
    # UCCI's clocks, by side to move
    time: int | None = None
    increment: int | None = None
    opptime: int | None = None
    oppmovestogo: int | None = None
    oppincrement: int | None = None
    # UCI's clocks, by colour
    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    searchmoves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line that begins with an unknown word."""

    word: str


Command = Greet | Simple | SetOption | SetPosition | ProbeHash | BanMoves | PonderHit | Debug | Bench | Go | Unknown
