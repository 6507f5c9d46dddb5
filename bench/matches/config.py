"""Reads and writes matches as TOML files.

A file describes one or several matches. Top-level settings apply to all `[[match]]` tables; each table may override
them and choose its `players` among the `[[engine]]` tables. docs/match.toml is an example.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from chuhe.bench.matches.match_values import Adjudication, EngineSpec, MatchSettings
from chuhe.bench.statistics import Sprt
from chuhe.common.extras import have, needs
from chuhe.common.time_control import TimeControl, parse_control
from chuhe.engine.values import Law
from chuhe.files.reading import read_input
from chuhe.files.writing import MARK
from chuhe.protocol.programs import split_command

Group = TypeVar("Group", Adjudication, Law, Sprt)
Made = TypeVar("Made")
INFINITE = float("inf")
MOST_INTEGER = 2**63

ENGINE_KEYS = ("name", "command", "protocol", "options", "directory", "odds", "control", "restart")
MATCH_KEYS = tuple(item.name for item in fields(MatchSettings) if item.name != "engines")


class ConfigError(ValueError):
    """An invalid match file; the message names the key."""


def read_matches(path: str | Path) -> list[MatchSettings]:
    """The matches that a TOML file describes."""
    path = Path(path)
    try:
        data = _load(read_input(path))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not valid UTF-8 at byte {error.start + 1}") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: nested too deeply") from error
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error
    try:
        return parse_matches(data, path.stem)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _load(content: bytes) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    elif have("tomli"):
        import tomli as tomllib
    else:
        raise ConfigError(needs("a TOML file", "tomli"))
    data: dict[str, Any] = tomllib.loads(content.decode("utf-8-sig"))
    return data


def parse_matches(data: Mapping[str, Any], name: str = "match") -> list[MatchSettings]:
    """The matches in parsed TOML. With several, each gets its own output directory."""
    common = dict(data)
    tables = _tables(common.pop("match", None), "match")
    engines = [parse_engine(table) for table in _tables(common.pop("engine", []), "engine") or []]
    if tables is None:
        return [parse_match(common, engines, name)]
    matches = []
    for number, table in enumerate(tables, 1):
        merged = {"name": f"{name}-{number}", **common, **table}
        if "output" in common and "output" not in table:
            merged["output"] = f"{common['output']}/{merged['name']}"
        matches.append(parse_match(merged, engines, f"{name}-{number}"))
    outputs = [match.output for match in matches]
    if twice := {output for output in outputs if outputs.count(output) > 1}:
        raise ConfigError(f"two matches have the same output directory {min(twice)!r}")
    return matches


def _tables(value: object, key: str) -> list[dict[str, Any]] | None:
    """The tables under `[[key]]`; ConfigError if it was written `[key]`."""
    if isinstance(value, dict):
        raise ConfigError(f"{key} is a list of tables: write [[{key}]], not [{key}]")
    if value is not None and not (isinstance(value, list) and all(isinstance(table, dict) for table in value)):
        raise ConfigError(f"{key} is a list of tables: write [[{key}]]")
    return value


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
        if not isinstance(players, list):
            raise ConfigError(f"players must be a list of names, not {players!r}")
        known = {engine.name: engine for engine in engines}
        if missing := [player for player in players if not isinstance(player, str) or player not in known]:
            raise ConfigError(f"players names {missing[0]!r}, but there is no such [[engine]]")
        engines = [known[player] for player in players]
    groups: list[tuple[str, Any]] = [("law", Law), ("adjudication", Adjudication), ("sprt", Sprt)]
    for key, kind in groups:
        if key in values:
            values[key] = _group(kind, values[key], key)
    check_types(MatchSettings, values)
    return _made(MatchSettings, {"engines": tuple(engines), **values})


def parse_engine(table: Mapping[str, Any]) -> EngineSpec:
    """`command` is a list, or a string that is split like a shell command."""
    values = dict(table)
    _only(values, ENGINE_KEYS, "an engine")
    who = f"engine {values.get('name', '?')!r}"
    if "command" not in values:
        raise ConfigError(f"{who} needs a command")
    try:
        values["command"] = _command(values["command"])
        if values["command"]:
            values.setdefault("name", Path(values["command"][0]).name)
        options = values.get("options", {})
        if not isinstance(options, Mapping) or not all(isinstance(v, (str, int, float)) for v in options.values()):
            raise ConfigError(f"options must be a table of strings, numbers and booleans, not {options!r}")
        values["options"] = tuple((str(key), option_text(value)) for key, value in options.items())
        if values.get("control") is not None:
            values["control"] = _control(values["control"])
        check_types(EngineSpec, values)
        values["odds"] = float(values.get("odds", 1.0))
        return _made(EngineSpec, values)
    except ConfigError as error:
        raise ConfigError(f"{who}: {error}") from None


def _command(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            words = split_command(value)
        except ValueError as error:
            raise ConfigError(f"command {value!r}: {error}") from None
    elif isinstance(value, list) and all(isinstance(word, str) for word in value):
        words = value
    else:
        raise ConfigError(f"command must be a string or a list of strings, not {value!r}")
    if any("\0" in word for word in words):
        raise ConfigError("command holds a NUL character")
    return tuple(words)


def check_types(kind: type, values: Mapping[str, Any]) -> None:
    """Raise ConfigError for the first value whose type differs from the dataclass's field."""
    hints = get_type_hints(kind)
    for key, value in values.items():
        if not _is_a(value, hints[key]):
            raise ConfigError(f"{key} must be {_kind_name(hints[key])}, not {value!r}")
        if isinstance(value, str) and (not value or "\0" in value):
            raise ConfigError(f"{key} must be a non-empty string, not {value!r}")


def _is_a(value: object, hint: Any) -> bool:
    if get_origin(hint) in (Union, UnionType):
        return any(_is_a(value, option) for option in get_args(hint))
    if get_origin(hint) is Literal:
        return isinstance(value, str)  # the dataclass checks which strings are allowed
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < INFINITE
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST_INTEGER
    return isinstance(value, get_origin(hint) or hint)


def _kind_name(hint: Any) -> str:
    names = {bool: "true or false", int: "a whole number", float: "a number"}
    options = [option for option in get_args(hint) if option is not type(None)]
    if get_origin(hint) in (Union, UnionType) and options:
        return _kind_name(options[0])
    return names.get(hint, "a string")


def _made(kind: type[Made], values: Mapping[str, Any]) -> Made:
    try:
        return kind(**values)
    except (ValueError, TypeError) as error:
        raise ConfigError(str(error)) from error


def option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _control(text: object) -> TimeControl:
    if not isinstance(text, str):
        raise ConfigError(f'control must be a string such as "10+0.1", not {text!r}')
    try:
        return parse_control(text)
    except ValueError as error:
        raise ConfigError(f"control: {error}") from error


def _group(kind: type[Group], table: object, key: str) -> Group:
    if not isinstance(table, Mapping):
        raise ConfigError(f"{key} must be a table, not {table!r}")
    _only(table, tuple(item.name for item in fields(kind)), f"[{key}]")
    try:
        check_types(kind, table)
        return _made(kind, table)
    except ConfigError as error:
        raise ConfigError(f"[{key}] {error}") from error


def _only(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise ConfigError(f"{where} has no key {key!r}; the keys are {', '.join(keys)}")


def to_toml(settings: MatchSettings) -> str:
    """The match as TOML, which `read_matches` reads back to the same settings."""
    lines = [f"# {MARK} match: the settings"]
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
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
