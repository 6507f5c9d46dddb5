"""Whether an engine follows the protocol, check by check.

Every check starts a new engine process, so that one failure does not affect the next check.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from chuhe.bench.matches.match_values import EngineSpec
from chuhe.common.progress import Bar
from chuhe.engine import Limits, Move, Position
from chuhe.protocol.client import Client
from chuhe.protocol.errors import EngineError, EngineTimeout
from chuhe.protocol.replies import AnnouncedOption, GoResult, Report
from chuhe.text.numbers import parse_whole

Status = Literal["ok", "warning", "FAILED"]

STOP_ALLOWED = 200  # milliseconds from stop to bestmove, a usual tournament limit
LATE_ALLOWED = 200  # milliseconds beyond a move time
TIME_USED = 0.05  # the least share of its time that an engine should use
GROWTH_ALLOWED = 64  # megabytes over thirty searches
MIDDLEGAME = "r1bak2r1/4an3/2n1b4/pc2pcp1p/2p6/6PC1/P1P1P3P/1C2B1N1B/3NA4/R2AK2R1 b - - 0 1"
MATE_IN_ONE = "3k5/9/9/9/9/9/9/4R4/8R/4K4 w - - 0 1"
MATED = "3k5/9/9/9/9/9/9/9/3R5/3RK4 b - - 0 1"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    status: Status
    text: str = ""


class Fault(Exception):
    """The engine got something wrong."""


class Doubt(Exception):
    """Not a protocol error, but worth knowing."""


Checker = Callable[[Client], Awaitable[str]]
CHECKS: dict[str, Checker] = {}


def check(name: str) -> Callable[[Checker], Checker]:
    """Register a check, which returns what it measured, or raises Fault or Doubt."""

    def add(function: Checker) -> Checker:
        CHECKS[name] = function
        return function

    return add


def expect(condition: bool, text: str) -> None:
    if not condition:
        raise Fault(text)


def legal(result: GoResult, fen: str | None, moves: tuple[str, ...] = ()) -> str:
    """The move that was played; Fault if it is not legal."""
    position = Position(fen) if fen else Position()
    for move in moves:
        position.push(Move.from_iccs(move))
    allowed = {move.iccs for move in position.legal_moves}
    expect(result.move in allowed, f"bestmove {result.move} is not legal in {position.fen()}")
    assert result.move is not None
    return result.move


# --- the checks ---------------------------------------------------------------------------------------------------


@check("greeting")
async def greeting(client: Client) -> str:
    if not client.id_name:
        raise Doubt("no id name")
    word = {"ucci": "UCCI", "uci": "UCI, ranks 0-9", "uci1": "UCI, ranks 1-10"}[client.dialect]
    return f"{client.id_name}: {word}, {len(client.options)} options"


@check("options are well formed")
async def options(client: Client) -> str:
    faults = [fault for option in client.options.values() for fault in option_faults(option)]
    shouting = [name for name in client.options if name != name.lower()]
    if client.dialect == "ucci" and shouting:
        faults.append(f"UCCI option names are one lower-case word, not {', '.join(shouting)}")
    expect(not faults, "; ".join(faults))
    return ", ".join(client.options)


def option_faults(option: AnnouncedOption) -> list[str]:
    """What is wrong with an `option` line."""
    name, default = option.name, option.default
    if option.kind not in ("check", "spin", "combo", "button", "string", "label"):
        return [f"{name}: unknown type {option.kind!r}"]
    if option.kind == "spin" and default is not None:
        low, high = option.minimum, option.maximum
        number = parse_whole(default)
        if number is None:
            return [f"{name}: the default {default!r} is not a number"]
        if (low is not None and number < low) or (high is not None and number > high):
            return [f"{name}: the default {default} is not between {low} and {high}"]
    if option.kind == "combo" and default is not None and default not in option.choices:
        return [f"{name}: the default {default!r} is not one of its values"]
    if option.kind == "check" and default not in (None, "true", "false", "on", "off"):
        return [f"{name}: the default {default!r} is neither true nor false"]
    return []


@check("isready while idle and while thinking")
async def readiness(client: Client) -> str:
    await client.ready(5)
    await client.begin(None, (), Limits(infinite=True))
    began = time.perf_counter()
    await client.ready(5)
    waited = (time.perf_counter() - began) * 1000
    await client.stop()
    return f"{waited:.0f} ms while thinking"


@check("depth limit")
async def depth(client: Client) -> str:
    result = await client.go(MIDDLEGAME, (), Limits(depth=3), timeout=30)
    legal(result, MIDDLEGAME)
    deepest = max((report.depth or 0 for report in result.reports), default=0)
    expect(deepest <= 3, f"depth 3 was requested, depth {deepest} reported")
    return f"{result.nodes} nodes"


@check("node limit")
async def nodes(client: Client) -> str:
    result = await client.go(MIDDLEGAME, (), Limits(nodes=5000), timeout=30)
    legal(result, MIDDLEGAME)
    if result.nodes > 20_000:
        raise Doubt(f"5000 nodes were requested, {result.nodes} searched")
    return f"{result.nodes} nodes"


@check("move time")
async def movetime(client: Client) -> str:
    result = await client.go(MIDDLEGAME, (), Limits(movetime=300), timeout=10)
    legal(result, MIDDLEGAME)
    took = result.elapsed * 1000
    expect(took <= 300 + LATE_ALLOWED, f"300 ms were allowed, {took:.0f} ms used")
    return f"{took:.0f} of 300 ms"


@check("clock")
async def clock(client: Client) -> str:
    for left in (2000, 100):
        limits = Limits(time=left, increment=20, opponent_time=left, opponent_increment=20)
        result = await client.go(MIDDLEGAME, (), limits, timeout=10)
        legal(result, MIDDLEGAME)
        took = result.elapsed * 1000
        expect(took <= left, f"{left} ms were left, {took:.0f} ms used")
    return f"{took:.0f} of the last 100 ms"


@check("uses its time")
async def uses_time(client: Client) -> str:
    """An engine that misreads the time unit answers at once, and plays too weakly."""
    await client.learn_unit()
    shares = []
    for limits, fair in ((Limits(movetime=300), 300), (Limits(time=3000, opponent_time=3000, moves_to_go=10), 300)):
        result = await client.go(MIDDLEGAME, (), limits, timeout=10)
        legal(result, MIDDLEGAME)
        shares.append(result.elapsed * 1000 / fair)
    if min(shares) < TIME_USED:
        raise Doubt(f"it used {min(shares):.1%} of a move's time: does it misread the clock's unit?")
    if client.warnings:
        raise Doubt("; ".join(client.warnings))
    return f"{shares[0]:.0%} of a move's time, {shares[1]:.0%} of its share of a clock"


@check("infinite waits for stop")
async def infinite(client: Client) -> str:
    await client.begin(MATE_IN_ONE, (), Limits(infinite=True))
    try:
        await client.finish(0.5)
    except EngineTimeout as error:
        expect(error.answered, "no bestmove after stop")
        return "half a second, then stop"
    raise Fault("bestmove came before stop")


@check("stop is fast")
async def stop(client: Client) -> str:
    worst = 0.0
    for wait in (0.0, 0.05, 0.3):
        await client.begin(MIDDLEGAME, (), Limits(infinite=True))
        await asyncio.sleep(wait)
        began = time.perf_counter()
        legal(await client.stop(), MIDDLEGAME)
        worst = max(worst, (time.perf_counter() - began) * 1000)
    expect(worst <= STOP_ALLOWED, f"{worst:.0f} ms from stop to bestmove; {STOP_ALLOWED} ms are allowed")
    return f"{worst:.0f} ms at most"


@check("ponder")
async def ponder(client: Client) -> str:
    limits = Limits(time=3000, increment=0, opponent_time=3000)
    await client.ponder(None, ("h2e2", "h9g7"), limits)
    await asyncio.sleep(0.3)
    expect(client.searching, "bestmove came before ponderhit")
    await client.ponderhit()
    legal(await client.finish(10), None, ("h2e2", "h9g7"))
    await client.ponder(None, ("h2e2", "b9c7"), limits)
    await asyncio.sleep(0.1)
    await client.stop()
    legal(await client.go(None, ("h2e2", "h9g7"), Limits(movetime=50), timeout=10), None, ("h2e2", "h9g7"))
    return "hit and miss"


@check("finds a mate in one, reports legal lines")
async def mate(client: Client) -> str:
    reports: list[Report] = []
    result = await client.go(MATE_IN_ONE, (), Limits(depth=4), timeout=30, on_info=reports.append)
    position = Position(MATE_IN_ONE)
    position.push(Move.from_iccs(legal(result, MATE_IN_ONE)))
    for report in reports:
        line = Position(MATE_IN_ONE)
        for move in report.pv:
            try:
                line.push(Move.from_iccs(move))
            except ValueError as error:
                raise Fault(f"pv {' '.join(report.pv)}: {error}") from None
    if position.legal_moves:
        raise Doubt(f"{result.move} is not mate")
    return f"{result.move}, {result.score}"


@check("no legal move")
async def mated(client: Client) -> str:
    result = await client.go(MATED, (), Limits(depth=3), timeout=10)
    expect(result.move is None, f"bestmove {result.move} where there is no legal move")
    return "answered without a move"


@check("banned moves")
async def banmoves(client: Client) -> str:
    if client.dialect != "ucci":
        return "UCI has none"
    first = legal(await client.go(None, (), Limits(depth=3), timeout=30), None)
    second = await client.go(None, (), Limits(depth=3, ban_moves=(Move.from_iccs(first),)), timeout=30)
    expect(legal(second, None) != first, f"{first} was banned but played")
    return f"{first}, then {second.move}"


BAD_LINES = (
    "",
    "what is this",
    "go depth many",
    "setoption",
    "setoption name NoSuchOption value 3",
    "setoption nosuchoption 3",
    "position fen nonsense w",
    "position startpos moves a0a9 z1z2",
    "ponderhit",
    "x" * 5000,
)


@check("survives bad input")
async def bad_input(client: Client) -> str:
    for line in BAD_LINES:
        await client.send(line)
        await asyncio.sleep(0.02)
    await client.send("stop")
    await client.ready(5)
    legal(await client.go(None, ("h2e2",), Limits(depth=2), timeout=30), None, ("h2e2",))
    return f"{len(BAD_LINES)} bad lines"


@check("CRLF line endings")
async def line_ends(client: Client) -> str:
    await client.send("isready\r")
    while (await client.receive(5))[1] != "readyok":
        pass
    return ""


@check("memory does not grow")
async def memory(client: Client) -> str:
    status = Path(f"/proc/{client.pid}/status")
    if not status.exists():
        return "not measured on this system"

    def resident() -> float:
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmRSS")) / 1024

    for _ in range(3):
        await client.go(MIDDLEGAME, (), Limits(nodes=30_000), timeout=30)
    before = resident()
    for _ in range(30):
        await client.new_game()
        await client.go(MIDDLEGAME, (), Limits(nodes=10_000), timeout=30)
    grown = resident() - before
    expect(grown < GROWTH_ALLOWED, f"{grown:.0f} MB more after thirty searches")
    return f"{before:.0f} MB, {grown:+.1f} MB after thirty searches"


@check("quit while idle and while thinking")
async def leave(client: Client) -> str:
    await client.begin(None, (), Limits(infinite=True))
    began = time.perf_counter()
    code = await client.quit(2.0)
    took = (time.perf_counter() - began) * 1000
    expect(code is not None and code >= 0, "it had to be killed")
    expect(code == 0, f"exit code {code}")
    return f"{took:.0f} ms"


# --- running them ---------------------------------------------------------------------------------------------------


async def run_check(spec: EngineSpec, name: str, checker: Checker) -> Finding:
    client: Client | None = None
    try:
        client = await Client.start(
            list(spec.command), spec.protocol, cwd=spec.directory, options=dict(spec.options), name=spec.name
        )
        return Finding(name, "ok", await checker(client))
    except Doubt as doubt:
        return Finding(name, "warning", str(doubt))
    except (Fault, EngineError) as fault:
        return Finding(name, "FAILED", str(fault))
    finally:
        if client is not None:
            await client.kill()


async def run_checks(spec: EngineSpec, bar: Bar | None = None) -> list[Finding]:
    """Run all checks; only the first if the engine cannot be started."""
    found = []
    for name, checker in CHECKS.items():
        finding = await run_check(spec, name, checker)
        found.append(finding)
        if bar is not None:
            bar.step(name)
        if name == "greeting" and finding.status == "FAILED":
            break
    return found
