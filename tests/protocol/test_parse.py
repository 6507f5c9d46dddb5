"""From a line to a command."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chuhe.protocol import commands
from chuhe.protocol.parse import parse

FEN = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ucci", commands.Greet("ucci")),
        ("uci\r\n", commands.Greet("uci")),
        ("  isready  ", commands.Simple("isready")),
        ("position startpos", commands.SetPosition(None)),
        ("position   startpos   moves  h2e2  h9g7 ", commands.SetPosition(None, ("h2e2", "h9g7"))),
        (f"position fen {FEN}", commands.SetPosition(FEN)),
        (f"position {FEN} moves e0e1", commands.SetPosition(FEN, ("e0e1",))),
        (f"fen {FEN} moves e0e1", commands.SetPosition(FEN, ("e0e1",), bare=True)),
        ("startpos moves h2e2", commands.SetPosition(None, ("h2e2",), bare=True)),
        (f"probe fen {FEN}", commands.ProbeHash(FEN)),
        ("banmoves a0a1 a0a2", commands.BanMoves(("a0a1", "a0a2"))),
        ("ponderhit", commands.PonderHit()),
        ("ponderhit draw", commands.PonderHit(True)),
        ("debug on", commands.Debug(True)),
        ("debug off", commands.Debug(False)),
        ("bench --depth 3", commands.Bench(("--depth", "3"))),
        ("setoption hashsize 32", commands.SetOption("hashsize", "32")),
        ("setoption name Hash value 32", commands.SetOption("Hash", "32")),
        ("setoption name Hash 32", commands.SetOption("Hash", "32")),
        ("setoption Move Overhead 5", commands.SetOption("Move Overhead", "5")),
        ("setoption name Clear Hash", commands.SetOption("Clear Hash", "")),
        ("setoption newgame", commands.SetOption("newgame", "")),
        ("setoption name Book File value /a b/c.dat", commands.SetOption("Book File", "/a b/c.dat")),
        ("go", commands.Go()),
        ("go ponder time 295000 increment 0", commands.Go(ponder=True, time=295000, increment=0)),
        ("go draw depth infinite", commands.Go(draw=True, infinite=True)),
        ("go depth 0", commands.Go(depth=0)),
        (
            "go time 60 movestogo 5 opptime 50 oppmovestogo 4",
            commands.Go(time=60, movestogo=5, opptime=50, oppmovestogo=4),
        ),
        ("go wtime -20 btime 5 winc 1 binc 2", commands.Go(wtime=0, btime=5, winc=1, binc=2)),
        ("go movetime 100.0", commands.Go(movetime=100)),
        ("go searchmoves h2e2 b2e2 depth 5", commands.Go(depth=5, searchmoves=("h2e2", "b2e2"))),
        ("go perft 3", commands.Go(perft=3)),
        (f"go nodes {(1 << 63) - 1}", commands.Go(nodes=1 << 53)),
        ("go nodes 00000000000000000000000005", commands.Go(nodes=5)),
        ("position fen garbage", commands.SetPosition("garbage")),
        ("go fast", commands.Go()),
        ("xyzzy plugh", commands.Unknown("xyzzy")),
    ],
)
def test_lines(line: str, command: commands.Command) -> None:
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
        (f"go nodes {1 << 63}", "below 2"),
        ("go movetime " + "9" * 40, "below 2"),
        ("go depth ٣", "depth"),
    ],
)
def test_faults_are_named(line: str, named: str) -> None:
    with pytest.raises(commands.CommandError, match=named):
        parse(line)


WORDS = st.sampled_from(
    [
        *["ucci", "position", "startpos", "fen", "moves", "go", "depth", "nodes", "time", "value", "name", "setoption"],
        *["Hash", "probe", "banmoves", "5", "-1", "x", "h2e2", "searchmoves", "infinite", "a/b"],
    ]
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=12).map(" ".join)))
def test_any_line_is_a_command_or_a_command_error(line: str) -> None:
    with suppress(commands.CommandError):
        command = parse(line)
        assert (command is None) == (not line.split())
