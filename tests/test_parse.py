"""From a line to a command."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.commands import (
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
from protocol.parse import parse

FEN = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ucci", Greet("ucci")),
        ("uci\r\n", Greet("uci")),
        ("  isready  ", Simple("isready")),
        ("position startpos", SetPosition(None)),
        ("position   startpos   moves  h2e2  h9g7 ", SetPosition(None, ("h2e2", "h9g7"))),
        (f"position fen {FEN}", SetPosition(FEN)),
        (f"position {FEN} moves e0e1", SetPosition(FEN, ("e0e1",))),
        (f"fen {FEN} moves e0e1", SetPosition(FEN, ("e0e1",), bare=True)),
        ("startpos moves h2e2", SetPosition(None, ("h2e2",), bare=True)),
        (f"probe fen {FEN}", ProbeHash(FEN)),
        ("banmoves a0a1 a0a2", BanMoves(("a0a1", "a0a2"))),
        ("ponderhit", PonderHit()),
        ("ponderhit draw", PonderHit(True)),
        ("debug on", Debug(True)),
        ("debug off", Debug(False)),
        ("bench --depth 3", Bench(("--depth", "3"))),
        ("setoption hashsize 32", SetOption("hashsize", "32")),
        ("setoption name Hash value 32", SetOption("Hash", "32")),
        ("setoption name Hash 32", SetOption("Hash", "32")),
        ("setoption Move Overhead 5", SetOption("Move Overhead", "5")),
        ("setoption name Clear Hash", SetOption("Clear Hash", "")),
        ("setoption newgame", SetOption("newgame", "")),
        ("setoption name Book File value /a b/c.dat", SetOption("Book File", "/a b/c.dat")),
        ("go", Go()),
        ("go ponder time 295000 increment 0", Go(ponder=True, time=295000, increment=0)),
        ("go draw depth infinite", Go(draw=True, infinite=True)),
        ("go depth 0", Go(depth=0)),
        ("go time 60 movestogo 5 opptime 50 oppmovestogo 4", Go(time=60, movestogo=5, opptime=50, oppmovestogo=4)),
        ("go wtime -20 btime 5 winc 1 binc 2", Go(wtime=0, btime=5, winc=1, binc=2)),
        ("go movetime 100.0", Go(movetime=100)),
        ("go searchmoves h2e2 b2e2 depth 5", Go(depth=5, searchmoves=("h2e2", "b2e2"))),
        ("go perft 3", Go(perft=3)),
        ("go nodes " + "9" * 40, Go(nodes=1 << 53)),
        ("go fast", Go()),
        ("xyzzy plugh", Unknown("xyzzy")),
    ],
)
def test_lines(line: str, command: Command) -> None:
    assert parse(line) == command


@pytest.mark.parametrize("line", ["", "   ", "\r\n", "\t"])
def test_blank_lines(line: str) -> None:
    assert parse(line) is None


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("position", "startpos"),
        ("position fen", "fen"),
        ("position startpos h2e2", "h2e2"),
        ("position nonsense", "nonsense"),
        ("setoption", "name"),
        ("go depth", "depth"),
        ("go depth x", "depth"),
        ("go depth -1", "-1"),
        ("go nodes 1e6", "1e6"),
        ("go depth ٣", "depth"),
    ],
)
def test_faults_are_named(line: str, named: str) -> None:
    with pytest.raises(CommandError, match=named):
        parse(line)


WORDS = st.sampled_from(
    [
        *["ucci", "position", "startpos", "fen", "moves", "go", "depth", "nodes", "time", "value", "name", "setoption"],
        *["Hash", "probe", "banmoves", "5", "-1", "x", "h2e2", "searchmoves", "infinite", "a/b"],
    ]
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=12).map(" ".join)))
def test_any_line_is_a_command_or_a_command_error(line: str) -> None:
    with suppress(CommandError):
        command = parse(line)
        assert (command is None) == (not line.split())
