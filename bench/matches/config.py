"""A match as a TOML file, read and written.

A file describes one match, or several: everything at the top is common to all `[[match]]` tables, each of which may
override it and name its `players` from the `[[engine]]` tables. docs/match.md has an example.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from bench.matches.match_values import Adjudication, EngineSpec, MatchSettings
from bench.statistics import Sprt
from bench.time_control import TimeControl, parse_control
from engine.values import Law

Group = TypeVar("Group", Adjudication, Law, Sprt)

ENGINE_KEYS = ("name", "command", "protocol", "options", "directory", "odds", "control", "restart")
MATCH_KEYS = tuple(item.name for item in fields(MatchSettings) if item.name != "engines")


class ConfigError(ValueError):
    """A match file that cannot be used; the text names the key."""


def read_matches(path: str | Path) -> list[MatchSettings]:
    """The matches that a TOML file describes."""
    path = Path(path)
    try:
        data = _load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error
    try:
        return parse_matches(data, path.stem)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _load(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    data: dict[str, Any] = tomllib.loads(text)
    return data


def parse_matches(data: Mapping[str, Any], name: str = "match") -> list[MatchSettings]:
    """From the parsed TOML. With several matches, each writes into a directory of its own."""
    common = dict(data)
    tables = common.pop("match", None)
    engines = [parse_engine(table) for table in common.pop("engine", [])]
    if tables is None:
        return [parse_match(common, engines, name)]
    matches = []
    for number, table in enumerate(tables, 1):
        merged = {"name": f"{name}-{number}", **common, **table}
        if "output" in common and "output" not in table:
            merged["output"] = f"{common['output']}/{merged['name']}"
        matches.append(parse_match(merged, engines, f"{name}-{number}"))
    return matches


def parse_match(table: Mapping[str, Any], engines: list[EngineSpec], name: str) -> MatchSettings:
    values = dict(table)
    players = values.pop("players", None)
    _only(values, MATCH_KEYS, "the match")
    values.setdefault("name", name)
    values.setdefault("output", f"results/{values['name']}")
    if "control" not in values:
        raise ConfigError('the match needs a control, such as control = "10+0.1" or "movetime=100"')
    values["control"] = _control(values["control"])
    if players is not None:
        known = {engine.name: engine for engine in engines}
        if missing := [player for player in players if player not in known]:
            raise ConfigError(f"players names {missing[0]!r}, and there is no such [[engine]]")
        engines = [known[player] for player in players]
    groups: list[tuple[str, Any]] = [("law", Law), ("adjudication", Adjudication), ("sprt", Sprt)]
    for key, kind in groups:
        if key in values:
            values[key] = _group(kind, values[key], key)
    try:
        return MatchSettings(engines=tuple(engines), **values)
    except (ValueError, TypeError) as error:
        raise ConfigError(str(error)) from error


def parse_engine(table: Mapping[str, Any]) -> EngineSpec:
    """`command` is a list, or a text that is split as a shell would."""
    values = dict(table)
    _only(values, ENGINE_KEYS, "an engine")
    if "command" not in values:
        raise ConfigError(f"engine {values.get('name', '?')!r} needs a command")
    command = values["command"]
    values["command"] = tuple(shlex.split(command) if isinstance(command, str) else map(str, command))
    if not values["command"]:
        raise ConfigError(f"engine {values.get('name', '?')!r} has an empty command")
    values.setdefault("name", Path(values["command"][0]).name)
    if values.get("protocol", "auto") not in ("auto", "ucci", "uci", "uci1"):
        raise ConfigError(f"protocol is auto, ucci, uci or uci1, not {values['protocol']!r}")
    values["options"] = tuple((str(key), option_text(value)) for key, value in dict(values.get("options", {})).items())
    values["odds"] = float(values.get("odds", 1.0))
    if values["odds"] <= 0:
        raise ConfigError(f"odds must be more than 0, not {values['odds']:g}")
    if values.get("control") is not None:
        values["control"] = _control(values["control"])
    return EngineSpec(**values)


def option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _control(text: object) -> TimeControl:
    try:
        return parse_control(str(text))
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _group(kind: type[Group], table: object, key: str) -> Group:
    if not isinstance(table, Mapping):
        raise ConfigError(f"{key} is a table, not {table!r}")
    _only(table, tuple(item.name for item in fields(kind)), f"[{key}]")
    try:
        return kind(**table)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{key}: {error}") from error


def _only(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise ConfigError(f"{where} has no {key!r}; known are {', '.join(keys)}")


def to_toml(settings: MatchSettings) -> str:
    """The match as a TOML file that `read_matches` reads back to the same settings."""
    lines = []
    groups: dict[str, Any] = {}
    for item in fields(settings):
        value = getattr(settings, item.name)
        if item.name == "engines" or value is None:
            continue
        if isinstance(value, (Law, Adjudication, Sprt)):
            groups[item.name] = value
        else:
            lines.append(f"{item.name} = {_toml(value)}")
    for name, group in groups.items():
        lines += ["", f"[{name}]"]
        lines += [f"{item.name} = {_toml(getattr(group, item.name))}" for item in fields(group)]
    for engine in settings.engines:
        lines += ["", "[[engine]]"]
        for key in ENGINE_KEYS:
            value = getattr(engine, key)
            if key == "options":
                pairs = ", ".join(f"{_toml(name)} = {_toml(text)}" for name, text in value)
                lines += [f"options = {{ {pairs} }}"] if value else []
            elif value is not None:
                lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(str(value), ensure_ascii=False)
