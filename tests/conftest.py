"""Shared fixtures. Tests see no endgame tables except those they request.

Also excludes the helper scripts from doctest collection: some are engines that wait for input.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

collect_ignore_glob = ["fixtures/*", "helpers/*", "tools/*"]

os.environ["CHUHE_TABLES"] = os.devnull  # tests must not use tables that this machine's user has built
os.environ["LC_ALL"] = "C.UTF-8"  # the tests read English, whatever this machine speaks


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a few endgame tables, built once per session."""
    from chuhe.engine.endgame.building import build, missing
    from chuhe.engine.endgame.material import Material

    directory = tmp_path_factory.mktemp("tables")
    endgames = [Material.parse(name) for name in ("KRKAABB", "KNKAA", "KPPKA", "KCAAKAA", "KCK", "KCKA", "KCKB")]
    build(directory, missing(directory, endgames), 2, lambda built: None)
    return directory
