"""Changed settings, for all engines; `Limits` and `Settings` check themselves."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from chuhe.engine.errors import LimitError
from chuhe.engine.values import Settings


def changed(settings: Settings, changes: dict[str, Any]) -> Settings:
    """Changed settings; LimitError names one that does not exist or is out of range."""
    known = {field.name for field in fields(Settings)}
    for name in changes:
        if name not in known:
            raise LimitError(f"there is no setting {name!r}")
    return replace(settings, **changes)
