"""Two tabs that ask for anything at any time: the server never makes a mistake, and what it keeps can be read again."""

import asyncio
import base64
import json
import random
from pathlib import Path
from typing import Any

import pytest
from page_fuzz import hostile, is_fault
from web_client import HUMANS, Tab, against, open_tab, serving

from chuhe.engine.formats.pgn import parse_pgn
from chuhe.engine.game_tree import GameTree

FENS = ["3k5/9/9/9/9/9/9/9/4P4/5K3 w", "9/9/9/9/9/9/9/9/9/9 w", "4k4/9/9/9/9/9/9/9/9/R2K5 w", "hello"]
TEXTS = ["1. h2e2 (1. c3c4 g6g5) h9g7 *", "炮二平五 马8进7", "nonsense", FENS[0], "1. h2e2 *\n\n1. b2e2 *"]


def request(rng: random.Random, tab: Tab) -> tuple[str, dict[str, Any]]:
    """Something that a page could ask, sensible or not."""
    nodes = [row["id"] for row in tab.tree["nodes"]]
    node = rng.choice([*nodes, 999])
    moves = tab.state["cursor"]["moves"]
    level = {"kind": "engine", "level": rng.randint(1, 10)}
    players = rng.choice([HUMANS, against(1, movetime=50), {**HUMANS, "red": level, "movetime": 50, "ponder": True}])
    choices: list[tuple[str, dict[str, Any]]] = [
        *[("move", {"node": tab.state["cursor"]["node"], "move": rng.choice([*moves, "a0a9"])})] * 6,
        *[("goto", {"node": node})] * 3,
        *[(name, {}) for name in ("undo", "redo", "resign", "draw", "hint", "swap", "now", "rooms", "room")],
        ("new", {**players, "fen": rng.choice([None, *FENS])}),
        ("players", players),
        ("players", {**players, "clock": {"base": rng.choice([20, 60_000]), "increment": 0, "byoyomi": 0}}),
        ("mode", {"mode": rng.choice(["play", "analyse"])}),
        ("continue", {"node": node}),
        ("line", {"node": node, "moves": " ".join(rng.sample(moves, min(2, len(moves))))}),
        ("promote", {"node": node}),
        ("delete", {"node": node}),
        ("comment", {"node": node, "text": "a note"}),
        *[("analyse", {"on": rng.random() < 0.7, "multipv": rng.randint(1, 5)})] * 2,
        ("review", {"on": rng.random() < 0.7, "movetime": 20}),
        ("open", {"name": "", "data": base64.b64encode(rng.choice(TEXTS).encode()).decode()}),
        ("pick", {"index": rng.randint(0, 2)}),
        ("check", {"fen": rng.choice(FENS)}),
        ("setup", {"fen": rng.choice(FENS)}),
        ("export", {"notation": rng.choice(["wxf", "chinese"]), "pieces": "western", "flipped": rng.random() < 0.5}),
        ("resources", {"threads": rng.randint(1, 2), "hash": rng.choice([1, 2, 4])}),
        ("enter", {"room": rng.choice([tab.state["room"], "gone"])}),
        ("notation", {"notation": rng.choice(["iccs", "traditional"])}),
    ]
    return rng.choice(choices)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_requests_never_break_the_server(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)

    async def main() -> None:
        async with serving(tmp_path) as service:
            tabs = [await open_tab(service) for _ in range(2)]
            for _ in range(150):
                tab = rng.choice(tabs)
                name, fields = request(rng, tab)
                await tab.send(name, revision=max(0, tab.state["revision"] - (rng.random() < 0.1)), **fields)
                await tab.send("check", fen=FENS[0])
                while (message := await tab.receive()) is not None and message["type"] != "checked":
                    assert not is_fault(message), (name, fields, message)
            for room in service.room_store.rooms.values():
                assert room.tree[room.cursor.id] is room.cursor
                assert room.tree[room.game.node.id] is room.game.node
                assert room.game.position.fen() == room.tree.position(room.game.node).fen()
            for tab in tabs:
                await tab.send("export", notation="wxf", pieces="western", flipped=False)
                parse_pgn((await tab.get("export"))["pgn"])

    asyncio.run(main())
    for path in (tmp_path / "rooms").glob("*.json"):
        GameTree.from_json(json.loads(path.read_text(encoding="utf-8"))["tree"])


@pytest.mark.parametrize("seed", [1, 2])
def test_hostile_messages_get_a_documented_error_or_none(
    tmp_path: Path, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(seed)

    async def main() -> None:
        async with serving(tmp_path) as service:
            tab = await open_tab(service)
            for _ in range(300):
                message = hostile(rng)
                await tab.socket.write_message(message, binary=isinstance(message, bytes))
                await tab.send("check", fen=FENS[0])
                while (answer := await tab.receive()) is not None and answer["type"] != "checked":
                    assert not is_fault(answer), (message[:200], answer)
                assert answer is not None, message[:200]

    asyncio.run(main())
    assert "Traceback" not in capfd.readouterr().err
