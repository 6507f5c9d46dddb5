"""Requests of a page at any time, and messages that no page would send: wrong values, broken JSON, binary data.

Used by tests/web/test_web_fuzz.py (a short part) and tests/tools/fuzz_round.py (a long one).
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from web_client import HUMANS, Tab, against, open_tab, serving

from chuhe.records.game_tree import GameTree
from chuhe.records.pgn import parse_pgn
from chuhe.web.messages import REQUESTS

NAMES = sorted(REQUESTS)
FIELDS = sorted({field for fields in REQUESTS.values() for field in fields} | {"do", "revision", "number", "__proto__"})
ODD_TEXTS = [
    "",
    "h2e2",
    "new",
    "..",
    "/etc/passwd",
    "\x00\x01\x7f",
    "\ud800",
    "\udfff\ud800 half",
    "\u202e\u2066",
    "\U0001f600" * 50,
    "9/" * 99,
    "3k5/9/9/9/9/9/9/9/4P4/5K3 w",
    "x" * 5000,
    "\u5175\u4e94\u8fdb\u4e00",
    "{}}}",
    "1e999",
]


def is_fault(message: dict[str, Any]) -> bool:
    """Is this the server's confession of a bug?"""
    return message["type"] == "error" and bool(message["message"]["code"] == "web.internal")


def value(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value."""
    kinds: list[Callable[[], Any]] = [
        lambda: None,
        lambda: rng.choice([True, False]),
        lambda: rng.choice([0, 1, -1, 2**31, 2**53, -(2**63), 10**30, rng.randint(0, 300)]),
        lambda: rng.choice([0.0, -0.5, 1e308, float("inf"), float("nan")]),
        lambda: rng.choice(ODD_TEXTS),
    ]
    if depth < 3:
        kinds.append(lambda: [value(rng, depth + 1) for _ in range(rng.randint(0, 4))])
        kinds.append(lambda: {rng.choice(FIELDS): value(rng, depth + 1) for _ in range(rng.randint(0, 4))})
        kinds.append(lambda: {"kind": rng.choice(["human", "engine", "external", "s0", 7]), "level": value(rng, 3)})
    return rng.choice(kinds)()


def hostile(rng: random.Random) -> str | bytes:
    """A request with wrong fields, or something that is no request at all."""
    kind = rng.random()
    if kind < 0.05:
        return rng.randbytes(rng.randint(0, 300))
    if kind < 0.1:
        return rng.choice(["[", '{"do":', "[[", '{"a":']) * rng.choice([1, 50, 50_000])
    name = rng.choice(NAMES)
    fields = {field: value(rng) for field in REQUESTS[name] if rng.random() < 0.9}
    if rng.random() < 0.2:
        fields[rng.choice(FIELDS)] = value(rng)
    revision = {"revision": rng.choice([0, 1, 2, 5, value(rng)])} if rng.random() < 0.9 else {}
    text = json.dumps({"do": name, **revision, **fields})
    if kind < 0.25:  # damaged on the way
        cut = rng.randint(0, len(text))
        text = text[:cut] + rng.choice(["", "\x00", '"', "\\u", "}", "9" * 5000]) + text[cut + rng.randint(0, 5) :]
    if kind < 0.13:  # more text than any field may hold
        text = json.dumps({"do": name, "revision": 1, rng.choice(FIELDS): "y" * rng.choice([10**5, 3 * 10**6])})
    return text


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
        ("practise", {"source": rng.choice(["puzzles", "mine"]), "theme": None, "difficulty": rng.randint(0, 3)}),
        *[(name, {}) for name in ("exercise", "clue", "reveal")],
        ("try", {"node": node, "move": rng.choice([*moves, "a0a9"])}),
        ("rename", {"game": tab.state["room"], "title": "a name"}),
        ("forget", {"games": [tab.state["room"]]}),
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


async def random_requests(directory: Path, seed: int, count: int) -> None:
    """Two tabs ask for anything at any time: the server makes no mistake, and what it keeps can be read again."""
    rng = random.Random(seed)
    async with serving(directory) as service:
        tabs = [await open_tab(service) for _ in range(2)]
        for _ in range(count):
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
    for path in (directory / "rooms").glob("*.json"):
        GameTree.from_json(json.loads(path.read_text(encoding="utf-8"))["tree"])


async def hostile_messages(directory: Path, seed: int, count: int) -> None:
    """Every message gets a documented error or none, and the server still answers."""
    rng = random.Random(seed)
    async with serving(directory) as service:
        tab = await open_tab(service)
        for _ in range(count):
            message = hostile(rng)
            await tab.socket.write_message(message, binary=isinstance(message, bytes))
            await tab.send("check", fen=FENS[0])
            while (answer := await tab.receive()) is not None and answer["type"] != "checked":
                assert not is_fault(answer), (message[:200], answer)
            assert answer is not None, message[:200]
