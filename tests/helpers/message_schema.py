"""Whether a message of the server fits its type in `chuhe.web.outgoing`."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from chuhe.web import outgoing

NAMES = vars(outgoing)


def misfit(value: Any, kind: Any, where: str = "message") -> str:
    """What does not fit, and where; empty if everything does."""
    if kind is Any:
        return ""
    if isinstance(kind, str) or hasattr(kind, "__forward_arg__"):
        return misfit(value, NAMES[kind if isinstance(kind, str) else kind.__forward_arg__], where)
    if is_typeddict(kind):
        return _misfit_of_object(value, kind, where)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return "" if any(value is part or value == part for part in parts) else f"{where}: {value!r} is not in {parts}"
    if origin in (Union, types.UnionType):
        faults = [misfit(value, part, where) for part in parts]
        return "" if "" in faults else max(faults, key=lambda fault: fault.count("."))
    if origin is list:
        if not isinstance(value, list):
            return f"{where}: {value!r} is not a list"
        return next(filter(None, (misfit(item, parts[0], f"{where}.{n}") for n, item in enumerate(value))), "")
    if origin is dict:
        if not isinstance(value, dict):
            return f"{where}: {value!r} is not an object"
        return next(filter(None, (misfit(item, parts[1], f"{where}.{name}") for name, item in value.items())), "")
    if kind is float:
        return "" if isinstance(value, (int, float)) and not isinstance(value, bool) else f"{where}: {value!r}"
    return "" if type(value) is kind or (kind is type(None) and value is None) else f"{where}: {value!r} is no {kind}"


def _misfit_of_object(value: Any, kind: Any, where: str) -> str:
    if not isinstance(value, dict):
        return f"{where}: {value!r} is not a {kind.__name__}"
    hints = get_type_hints(kind, NAMES)
    if unknown := set(value) - set(hints):
        return f"{where}.{min(unknown)} is not part of {kind.__name__}"
    if missing := kind.__required_keys__ - set(value):
        return f"{where}.{min(missing)} is missing in {kind.__name__}"
    return next(filter(None, (misfit(item, hints[name], f"{where}.{name}") for name, item in value.items())), "")


def check_message(message: Any) -> None:
    """AssertionError if the message fits none of the types with its name."""
    kinds = [kind for kind in get_args(outgoing.Outgoing) if get_type_hints(kind)["type"] == Literal[message["type"]]]
    faults = [misfit(message, kind) for kind in kinds]
    assert "" in faults, f"{message['type']}: {faults or 'unknown type'}"
