"""Hours of play in less time: tabs of a real `chuhe serve` and a game in the engine process, with memory watched.

    python tests/tools/soak.py [MINUTES] [SEED]

Each minute one line: requests and searches so far, and of server and engine the resident memory (kB), open descriptors
and threads. Ends with 1 if the server confesses a bug, if a process ends, or if descriptors or threads have doubled
since the first minute.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "helpers"), str(ROOT / "tests" / "tools")]

from endurance import resident, search_once  # noqa: E402
from page_fuzz import is_fault, request  # noqa: E402
from transcript import EngineProcess  # noqa: E402
from web_client import Tab, open_tab  # noqa: E402

from chuhe.engine import Position  # noqa: E402

TABS = 4
PAUSE = 0.02  # seconds between two requests of a tab
GAMES_KEPT = 40  # so that what is stored does not grow, and what grows is a leak
LIFE = 200  # requests of a tab before it is closed and another one opened


class Fault(Exception):
    """What the soak found."""


async def use_page(service: Any, token: str, rng: random.Random, end: float, counts: dict[str, int]) -> None:
    while time.monotonic() < end:
        tab = await open_tab(service, token=token)
        for _ in range(LIFE):
            name, fields = request(rng, tab)
            await tab.send(name, revision=tab.state["revision"], **fields)
            await tab.send("check", fen="hello")
            await heard(tab, "checked")
            counts["requests"] += 1
            await asyncio.sleep(PAUSE)
        await tab.send("rooms")
        games = [game["id"] for game in (await heard(tab, "rooms"))["games"]]
        for game in games[GAMES_KEPT:]:
            await tab.send("forget", games=[game])
        tab.socket.close()


async def heard(tab: Tab, kind: str) -> dict[str, Any]:
    """The next message of this kind; Fault if the server confesses a bug, or is gone."""
    while (message := await tab.receive()) is not None:
        if is_fault(message):
            raise Fault(str(message))
        if message["type"] == kind:
            return message
    raise Fault("the server has closed the connection")


def play(engine: EngineProcess, rng: random.Random, end: float, counts: dict[str, int]) -> None:
    for line in ("ucci", "setoption usemillisec true", "setoption usebook false", "setoption hashsize 4"):
        engine.send(line)
    engine.until("ucciok")
    position = Position()
    while time.monotonic() < end:
        if position.outcome() is not None or len(position.move_stack) > 120:
            position = Position()
            engine.send("setoption newgame")
        position.push(search_once(engine, rng, position, 10))
        counts["searches"] += 1
    engine.send("quit")
    engine.end(close=False)


def measured(pid: int) -> tuple[int, int, int]:
    """Resident memory in kB, descriptors, threads."""
    return resident(pid), len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))


async def watch(pids: tuple[int, int], end: float, counts: dict[str, int]) -> list[str]:
    """What has doubled."""
    began, first = time.monotonic(), None
    while (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(60, left))
        if time.monotonic() < end:
            now = [measured(pid) for pid in pids]
            first = first or now
            print(f"{time.monotonic() - began:.0f} s, {counts}: server {now[0]}, engine {now[1]}", flush=True)
    grown = []
    for name, before, after in zip(("server", "engine"), first or [], now if first else [], strict=True):
        grown += [f"{name}: {old} -> {new}" for old, new in zip(before[1:], after[1:], strict=True) if new > 2 * old]
    return grown


async def soak(minutes: float, seed: int, data: str) -> list[str]:
    end, counts = time.monotonic() + 60 * minutes, {"requests": 0, "searches": 0}
    command = [sys.executable, "-m", "chuhe", "serve", "--no-browser", "--data", data, "--port", "0", "--hash", "8"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server, EngineProcess() as engine:
        try:
            assert server.stdout is not None
            address, _, token = server.stdout.readline().strip().partition("/#")
            service = SimpleNamespace(port=int(address.rpartition(":")[2]))
            game = asyncio.to_thread(play, engine, random.Random(seed), end, counts)
            pages = [use_page(service, token, random.Random(seed + number), end, counts) for number in range(TABS)]
            everything = asyncio.gather(game, *pages)
            found = await watch((server.pid, engine.process.pid), end, counts)
            await everything
            return found
        finally:
            server.terminate()


def main(arguments: list[str]) -> int:
    minutes, seed = (float(argument) for argument in (*arguments, *("40", "1")[len(arguments) :]))
    with tempfile.TemporaryDirectory() as data:
        found = asyncio.run(soak(minutes, int(seed), data))
    print("grown: " + "; ".join(found) if found else "nothing has grown")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
