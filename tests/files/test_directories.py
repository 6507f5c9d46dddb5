"""Where a user's files are, by system."""

from __future__ import annotations

import os

import pytest

from chuhe.engine.table_paths import default_directory
from chuhe.files.directories import user_directory


def test_windows_keeps_everything_below_localappdata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCALAPPDATA", "/users/棋/AppData/Local")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    expected = os.path.join("/users/棋/AppData/Local", "chuhe")
    assert {user_directory(kind, "win32") for kind in ("cache", "data", "state")} == {expected}


@pytest.mark.parametrize(
    ("kind", "variable", "default"),
    [
        ("cache", "XDG_CACHE_HOME", ".cache"),
        ("data", "XDG_DATA_HOME", ".local/share"),
        ("state", "XDG_STATE_HOME", ".local/state"),
    ],
)
def test_linux_follows_the_xdg_variables(
    kind: str, variable: str, default: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/qi")
    monkeypatch.delenv(variable, raising=False)
    assert user_directory(kind, "linux") == f"/home/qi/{default}/chuhe"
    monkeypatch.setenv(variable, "/there")
    assert user_directory(kind, "linux") == "/there/chuhe"


def test_macos_has_a_library_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/Users/qi")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert user_directory("cache", "darwin") == "/Users/qi/Library/Caches/chuhe"


def test_the_tables_are_in_the_cache_or_where_the_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHUHE_TABLES", raising=False)
    assert default_directory() == os.path.join(user_directory("cache"), "endgames")
    monkeypatch.setenv("CHUHE_TABLES", "/tables")
    assert default_directory() == "/tables"
