"""Engines as a command line names them: `NAME=COMMAND,option=value`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from chuhe.bench.matches.config import ConfigError, parse_engine
from chuhe.bench.matches.match_values import EngineSpec

NAMED = re.compile(r"([\w.+-]+)=(.*)", re.DOTALL)

ENGINE_HELP = """an engine is NAME=COMMAND, then properties separated by semicolons: protocol=ucci|uci|uci1,
directory=DIR, odds=FACTOR, control=TC, restart=true, and option.NAME=VALUE for engine options, for instance
"new=chuhe;protocol=ucci;option.hashsize=16". Instead of engines, name one TOML file that describes the match."""


def engine_from_text(text: str, each: str = "") -> EngineSpec:
    """Parse an engine given on the command line. `each`: properties of all engines, which its own override."""
    head, *own = text.split(";")
    properties = [*each.split(";"), *own]
    table: dict[str, Any] = {"options": {}}
    named = NAMED.fullmatch(head)
    table["command"] = head
    if named:
        table["name"], table["command"] = named[1], named[2]
    for item in filter(None, map(str.strip, properties)):
        key, equals, value = item.partition("=")
        if not equals:
            raise ConfigError(f"{item!r} in {text!r}: properties are NAME=VALUE")
        if key.startswith("option."):
            table["options"][key[7:]] = value
        else:
            table[{"tc": "control", "dir": "directory"}.get(key, key)] = _property(key, value)
    return parse_engine(table)


def _property(key: str, value: str) -> object:
    """The value converted to its type. If that fails it is returned as it is, and a later check reports it."""
    if key == "restart" and value in ("true", "false"):
        return value == "true"
    if key == "odds":
        with suppress(ValueError):
            return float(value)
    return value


def distinct(engines: Sequence[EngineSpec]) -> tuple[EngineSpec, ...]:
    """Give duplicate names a suffix, so that an engine can play itself."""
    seen: dict[str, int] = {}
    result = []
    for engine in engines:
        seen[engine.name] = seen.get(engine.name, 0) + 1
        count = seen[engine.name]
        result.append(engine if count == 1 else replace(engine, name=f"{engine.name}-{count}"))
    return tuple(result)
