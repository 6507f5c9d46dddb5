import json

import pytest

from chuhe.web.messages import CHANGING, MAX_MULTIPV, MAX_TEXT, REQUESTS, RequestError, parse
from chuhe.web.requests import HANDLERS

SEATS = {"clock": None, "movetime": 1000, "ponder": False, "book": True, "black": {"kind": "human"}}


def message(name: str, **fields: object) -> str:
    return json.dumps({"do": name, "revision": 3, **fields})


def test_a_request_is_read() -> None:
    request = parse(message("move", node=4, move="h2e2"))
    assert (request.name, request.fields, request.revision) == ("move", {"node": 4, "move": "h2e2"}, 3)


def test_every_request_has_a_handler() -> None:
    assert set(HANDLERS) == set(REQUESTS) - {"hello"}
    assert set(REQUESTS) >= CHANGING


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "JSON object"),
        ('{"do": 3}', "no request"),
        ('{"do": "shell"}', "no request 'shell'"),
        ('{"do": "undo"}', "needs the revision"),
        (message("move", node=-1, move="h2e2"), "node must be a whole number"),
        (message("move", node=True, move="h2e2"), "node must be a whole number"),
        (message("move", node=1.5, move="h2e2"), "node must be a whole number"),
        (message("move", node=1, move=["h2e2"]), "move must be a text"),
        (message("move", node=1, move="x" * 41), "at most 40 characters"),
        (message("move", node=1, move="h2e2", path="/etc/passwd"), "no field 'path'"),
        (message("comment", node=1, text="x" * (MAX_TEXT + 1)), "at most 4000"),
        (message("analyse", on=True, multipv=MAX_MULTIPV + 1), "from 1 to 5"),
        (message("analyse", on="yes", multipv=1), "true or false"),
        (message("review", on=True, movetime=10**9), "movetime must be"),
        (message("resources", threads=10**6, hash=64), "threads must be"),
        (message("new", fen=None, red={"kind": "engine", "level": 11}, **SEATS), "from 1 to 10"),
        (message("new", fen=None, red={"kind": "external", "command": "rm -rf ~"}, **SEATS), "has no command"),
        (message("new", fen=None, red={"kind": "external", "index": "0; rm"}, **SEATS), "from 0 to 31"),
        (message("new", fen=None, red={"kind": "shell"}, **SEATS), "one of human"),
        (message("new", fen=None, red="human", **SEATS), "a player"),
        (message("players", red={"kind": "human"}, **{**SEATS, "clock": {"base": 0}}), "with some time"),
        (message("players", red={"kind": "human"}, **{**SEATS, "clock": {"base": 10**9}}), "whole number"),
        (message("export", notation="../../etc", pieces="western", flipped=False), "one of iccs"),
    ],
)
def test_bad_requests_are_named(text: str, fault: str) -> None:
    with pytest.raises(RequestError, match=fault):
        parse(text)


def test_binary_messages_are_refused() -> None:
    with pytest.raises(RequestError, match="text"):
        parse(b"\x00")
