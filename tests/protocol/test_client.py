"""The client, with third-party engines and with one that misbehaves on purpose."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from paths import RUDE_COMMAND, RUDE_ENGINE
from waiting import PATIENCE

from chuhe.engine import FenError, IllegalMoveError, Info, InvalidMoveError, Move, Position
from chuhe.engine.values import Limits, Score
from chuhe.protocol.client import Client
from chuhe.protocol.errors import (
    EngineDied,
    EngineStartError,
    EngineTimeout,
    OptionError,
    ReplyError,
    UnsupportedError,
)
from chuhe.protocol.pipe import UNREAD_LIMIT, _OutputReader
from chuhe.protocol.search_result import SearchResult, history

T = TypeVar("T")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine starts Python slowly."""
    for name in ("START_TIMEOUT", "DETECTION_TIMEOUT", "TRIAL_PATIENCE", "STOP_TIMEOUT"):
        monkeypatch.setattr(f"chuhe.protocol.client.{name}", PATIENCE)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, PATIENCE))


def rude(habit: str) -> list[str]:
    return [sys.executable, str(RUDE_ENGINE), habit]


async def play(habit: str, **arguments: Any) -> Any:
    client = await Client.start(rude(habit), "ucci", timeout=PATIENCE)
    try:
        return await client.go(None, [], Limits(movetime=10), **arguments)
    finally:
        await client.kill()


@pytest.mark.needs("fairy-stockfish")
@pytest.mark.parametrize("protocol", ["ucci", "uci1", "auto"])
def test_drives_fairy_stockfish(protocol: Any) -> None:
    async def work() -> None:
        async with await Client.start("fairy-stockfish", protocol, options={"hash": 16, "Threads": 1}) as client:
            await client.new_game()
            result = await client.go(None, ["h2e2", "h9g7"], Limits(nodes=2000))
            assert result.move is not None
            assert len(result.move) == 4
            assert result.score is not None
            assert result.depth > 0
            assert result.nodes > 0
            assert result.pv[0] == result.move
            assert client.id_name.startswith("Fairy")
            await client.begin(None, ["h2e2"])
            assert client.searching
            assert (await client.stop()).move is not None
            assert not client.searching

    run(work())


@pytest.mark.needs("fairy-stockfish")
def test_ranks_one_to_ten_are_hidden() -> None:
    async def work() -> str | None:
        async with await Client.start("fairy-stockfish", "uci1") as client:
            fen = "3k5/9/9/9/9/9/9/9/9/4K4 b"
            result = await client.go(fen, [], Limits(depth=1))
            return result.move

    assert run(work()) == "d9d8"


@pytest.mark.needs("stockfish")
def test_chess() -> None:
    async def work() -> Any:
        async with await Client.start("stockfish", variant="chess") as client:
            fen = "6k1/P4ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
            seen: list[Any] = []
            result = await client.go(fen, [], Limits(depth=4), on_info=seen.append)
            assert len(seen) >= 4
            return result

    result = run(work())
    assert result.move == "a7a8q"
    assert result.score == Score(mate=1)


@pytest.mark.needs("fairy-stockfish")
def test_ponder_and_hit() -> None:
    async def work() -> None:
        async with await Client.start("fairy-stockfish", "uci1") as client:
            await client.ponder(None, ["h2e2", "h9g7"], Limits(time=500, opponent_time=500))
            assert client.searching
            await client.ponderhit()
            result = await client.finish()
            assert result.move is not None

    run(work())


def test_auto_finds_the_protocol() -> None:
    async def work(habit: str) -> str:
        async with await Client.start(rude(habit)) as client:
            await client.set_option("Hash", 32)
            return client.dialect

    assert run(work("polite")) == "ucci"
    assert run(work("uci-only")) == "uci"


async def greeted_as(command: str | list[str], limits: Limits | None = None) -> tuple[str, bool | None, list[str]]:
    """The dialect, the unit, and the `go` lines after one search with these limits."""
    sent: list[str] = []
    async with await Client.start(command, log=sent.append) as client:
        if limits is not None:
            await client.go(None, [], limits)
        lines = [line.partition("> ")[2] for line in sent if "> go" in line]
        return client.dialect, client.milliseconds, lines


@pytest.mark.needs("fairy-stockfish")
def test_auto_trusts_no_clock_whose_unit_it_does_not_know() -> None:
    clock = Limits(time=5000, increment=50)
    assert run(greeted_as(rude("polite"), clock)) == ("ucci", True, ["go time 5000 increment 50"])
    in_uci = ("uci", True, ["go wtime 5000 btime 5000 winc 50 binc 0"])
    assert run(greeted_as(rude("refuses"), clock)) == in_uci
    assert run(greeted_as(rude("announces-and-refuses"), clock)) == in_uci
    assert run(greeted_as("fairy-stockfish"))[0] == "uci1"


def test_a_trial_tells_the_unit_of_an_engine_that_speaks_only_ucci(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = "go time 60 movestogo 1"
    clock = Limits(time=5000, increment=50)
    assert run(greeted_as(rude("bare"), clock)) == ("ucci", True, [trial, "go time 5000 increment 50"])
    monkeypatch.setattr("chuhe.protocol.client.TRIAL_PATIENCE", 0.2)
    assert run(greeted_as(rude("bare-seconds"), clock)) == ("ucci", False, [trial, "go time 5 increment 0"])
    assert run(greeted_as(rude("bare"), Limits(depth=1))) == ("ucci", None, ["go depth 1"])  # nothing to find out


def test_an_engine_that_dies_of_an_option_could_not_be_started() -> None:
    with pytest.raises(EngineStartError, match="exit code 5"):
        run(Client.start(rude("dies-of-options"), "ucci"))

    async def work() -> str:
        async with await Client.start(rude("dies-of-options")) as client:
            return client.dialect

    assert run(work()) == "uci"  # which gives it no option


@pytest.mark.needs("fairy-stockfish")
def test_a_trial_leaves_a_warning() -> None:
    async def work() -> list[str]:
        async with await Client.start("fairy-stockfish", "ucci") as client:
            await client.learn_unit()
            assert client.milliseconds
            return client.warnings

    assert run(work()) == ["fairy-stockfish has no option usemillisec; a test shows that its clock counts milliseconds"]


def test_an_engine_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(EngineStartError, match="cannot run '/no/such/engine'"):
        run(Client.start("/no/such/engine"))
    with pytest.raises(EngineStartError, match="exit code 1"):
        run(Client.start("/bin/false", "uci"))
    with pytest.raises(EngineStartError, match="no uciok within"):
        run(Client.start(rude("mute"), "uci", timeout=0.3))
    with pytest.raises(EngineStartError, match="no command"):
        run(Client.start(""))


def test_a_relative_command_is_found_in_its_directory(tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text(f"#!/bin/sh\nexec {RUDE_COMMAND} polite\n")
    script.chmod(0o755)

    async def work() -> Any:
        async with await Client.start("./engine.sh", cwd=tmp_path) as client:
            return await client.go(None, [], Limits(depth=1))

    assert run(work()).move == "h2e2"


def test_an_engine_that_dies() -> None:
    with pytest.raises(EngineDied, match="exit code 7; stderr: segmentation fault") as caught:
        run(play("crash"))
    assert caught.value.exit_code == 7


def test_an_engine_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.protocol.client.LATE_TIMEOUT", PATIENCE)
    with pytest.raises(EngineTimeout, match="no bestmove within") as caught:
        run(play("hang", timeout=0.1))
    assert caught.value.answered


def test_an_engine_that_does_not_even_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.protocol.client.LATE_TIMEOUT", 0.1)
    with pytest.raises(EngineTimeout) as caught:
        run(play("deaf", timeout=0.1))
    assert not caught.value.answered


def test_an_engine_that_does_not_leave_is_ended() -> None:
    async def work() -> tuple[int | None, bool]:
        client = await Client.start(rude("deaf"), "ucci")
        await client.send("go infinite")
        code = await client.quit(timeout=0.3)
        return code, client.alive

    code, alive = run(work())
    assert not alive
    assert code is not None


def test_an_engine_that_talks_nonsense() -> None:
    with pytest.raises(ReplyError, match="has no move"):
        run(play("garbage"))
    with pytest.raises(EngineDied, match="sent a line of more than 65536 bytes"):
        run(play("long"))


def test_a_flood_of_reports_is_kept_in_bounds() -> None:
    result = run(play("flood"))
    assert result.move == "h2e2"
    assert result.depth == 1999
    assert 0 < len(result.reports) <= 512


def test_no_move_and_resignation() -> None:
    assert run(play("none")).move is None
    result = run(play("resign"))
    assert (result.move, result.ponder, result.resign, result.draw) == ("h2e2", "h9g7", True, False)
    assert result.score == Score(cp=-204)  # -120 of UCCI


def test_options_are_checked_before_they_are_sent() -> None:
    async def work(name: str, value: Any) -> None:
        async with await Client.start(rude("uci-only"), "uci") as client:
            await client.set_option(name, value)

    run(work("style", "VERY wild"))
    for name, value, named in (
        ("Hash", 65, "between 1 and 64"),
        ("Hash", "much", "whole number"),
        ("style", "loud", "calm, very wild"),
        ("Threads", 2, "it announced Hash, Style"),
    ):
        with pytest.raises(OptionError, match=named):
            run(work(name, value))


def test_what_a_protocol_cannot_say() -> None:
    async def work(protocol: Any, limits: Limits) -> None:
        async with await Client.start(rude("polite"), protocol) as client:
            await client.go(None, [], limits)

    move = Move.from_iccs("h2e2")
    with pytest.raises(UnsupportedError, match="searchmoves"):
        run(work("ucci", Limits(depth=1, search_moves=(move,))))
    with pytest.raises(UnsupportedError, match="banmoves"):
        run(work("uci", Limits(depth=1, ban_moves=(move,))))


def test_two_searches_at_once_are_refused() -> None:
    async def work() -> None:
        async with await Client.start(rude("hang"), "ucci") as client:
            with pytest.raises(UnsupportedError, match="not searching"):
                await client.stop()
            await client.begin(None, [])
            with pytest.raises(UnsupportedError, match="still searching"):
                await client.begin(None, [])
            await client.stop()

    run(work())


def test_a_flood_of_lines_is_bounded() -> None:
    async def flood() -> _OutputReader:
        reader = _OutputReader("flood", None)
        line = b"info depth 1 score cp 0 pv " + b"h2e2 " * 6000 + b"\n"
        for _ in range(2000):  # 60 MB
            reader.pipe_data_received(1, line)
        reader.pipe_data_received(1, b"bestmove h2e2\n")
        return reader

    reader = run(flood())
    assert sum(len(line) for _, line in reader.lines) <= UNREAD_LIMIT
    assert reader.lines[-1][1] == "bestmove h2e2"
    while reader.lines:
        reader.take()
    assert reader._size == 0


OURS = [sys.executable, "-m", "chuhe"]


def test_a_search_takes_a_position_and_gives_moves() -> None:
    position = Position()
    position.push("h2e2")
    heard: list[Info] = []

    async def work() -> SearchResult:
        async with await Client.start(OURS, options={"OwnBook": False, "Hash": 8}) as client:
            return await client.search(position, Limits(depth=5), on_info=heard.append)

    found = run(work())
    assert found.move in position.legal_moves
    assert found.move == found.pv[0]
    assert isinstance(found.score, Score)
    assert found.depth == 5
    assert heard[-1].pv[0] == found.move
    assert found.infos[-1] == heard[-1]
    assert len(position.move_stack) == 1  # untouched


def test_a_position_that_is_none_is_refused_before_it_is_sent() -> None:
    async def work() -> None:
        async with await Client.start(OURS) as client:
            for wrong in (client.search("nonsense", Limits(depth=1)), client.go("nonsense", (), Limits(depth=1))):
                with pytest.raises(FenError):
                    await wrong
            with pytest.raises(IllegalMoveError, match="the knight's leg"):
                await client.go(None, ("h0f1",), Limits(depth=1))
            with pytest.raises(InvalidMoveError):
                await client.go(None, ("h2e2\nquit",), Limits(depth=1))
            assert (await client.go(None, ("h2e2",), Limits(depth=1))).move is not None

    run(work())


def test_an_illegal_answer_is_an_error() -> None:
    async def work() -> None:
        async with await Client.start(rude("polite"), "ucci") as client:  # it always answers h2e2
            await client.search("4k4/9/9/9/9/9/9/9/9/3K4R w", Limits(depth=1))

    with pytest.raises(ReplyError, match="not a legal move"):
        run(work())


def test_a_cancelled_search_leaves_the_engine_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.protocol.client.LATE_TIMEOUT", PATIENCE)

    async def work() -> tuple[bool, SearchResult]:
        async with await Client.start(OURS, options={"OwnBook": False}) as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.search(Position(), Limits(infinite=True)), 0.2)
            assert not client.searching
            return client.alive, await client.search("4ka3/9/9/9/9/9/9/3n3nB/3K5/9 b", Limits(depth=8))

    alive, found = run(work())
    assert alive
    assert found.score == Score(mate=2)  # of this position, not of the cancelled search


def test_an_engine_that_does_not_stop_when_it_is_cancelled_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.protocol.client.LATE_TIMEOUT", 0.2)

    async def work() -> bool:
        async with await Client.start(rude("deaf"), "ucci") as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.search(Position(), Limits(depth=1)), 0.2)
            return client.alive

    assert not run(work())


def test_history_is_the_start_and_the_moves() -> None:
    position = Position("3ak4/9/9/9/9/9/9/9/9/R4K3 w")
    position.push("a0a9")
    assert history(position) == ("3ak4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", ["a0a9"])


def test_history_begins_after_the_last_null_move() -> None:
    position = Position()
    for move in ("h2e2", "--", "h0g2", "h9g7"):
        position.push(move)
    fen, moves = history(position)
    assert moves == ["h0g2", "h9g7"]
    told = Position(fen)
    for move in moves:
        told.push(move)
    assert told.fen() == position.fen()
    assert len(position.move_stack) == 4


def test_ctrl_c_that_comes_together_with_a_line_is_not_lost() -> None:
    async def interrupted() -> None:
        async with await Client.start(rude("polite"), "ucci", timeout=PATIENCE) as client:
            waiting = asyncio.ensure_future(client.receive(PATIENCE))
            await asyncio.sleep(0)
            client._pipe._reader.pipe_data_received(1, b"readyok\n")
            waiting.cancel()  # what asyncio.run does on Ctrl-C
            with pytest.raises(asyncio.CancelledError):
                await waiting

    run(interrupted())
