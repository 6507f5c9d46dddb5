"""The public package: what it exports, its lazy imports, `python -m chuhe`, and what positions can do."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

import core_inspection
import pytest
from paths import ROOT
from waiting import PATIENCE

import chuhe
from chuhe import engine
from chuhe.engine.errors import InvalidMoveError
from chuhe.engine.version import VERSION


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE, check=True
    )
    return done.stdout.strip()


def test_every_export_is_there() -> None:
    names = dir(chuhe)
    assert {"Position", "Move", "Engine", "Limits", "notation", "pgn", "Client", "__version__"} <= set(names)
    for name in names:
        assert getattr(chuhe, name) is not None
    assert chuhe.Position is engine.Position
    assert chuhe.__version__ == VERSION


def test_a_name_that_is_not_exported_is_named() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Positoin'"):
        chuhe.Positoin  # type: ignore[attr-defined]  # noqa: B018


def test_importing_it_loads_nothing_of_the_engine() -> None:
    assert run("-c", "import chuhe, sys; print([name for name in sys.modules if name.startswith('chuhe.')])") == "[]"


def test_star_import_brings_the_exports() -> None:
    assert run("-c", "from chuhe import *; print(len(Position().legal_moves), __version__)") == f"44 {VERSION}"


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_printed(flag: str) -> None:
    assert run("-m", "chuhe", flag) == f"chuhe {VERSION}"


def test_positions_pickle_with_their_history() -> None:
    rng = random.Random(5)
    for start in (chuhe.START_FEN, "3k5/9/4b4/9/9/9/9/4B4/4A4/R3K4 b - - 31 20"):
        position = chuhe.Position(start)
        for _ in range(40):
            moves = position.legal_moves
            if not moves:
                break
            if not position.is_check() and rng.random() < 0.1:
                position.push_null()
            else:
                position.push(rng.choice(moves))
        again = pickle.loads(pickle.dumps(position))
        assert type(again) is chuhe.Position
        assert again.move_stack == position.move_stack
        assert core_inspection.snapshot(again) == core_inspection.snapshot(position)
        while position.ply:
            assert again.pop() == position.pop()
        assert again.fen() == position.fen()


def test_a_subclass_pickles_with_what_it_carries() -> None:
    position = Named()
    position.name = "mine"
    position.push("h2e2")
    again = pickle.loads(pickle.dumps(position))
    assert (type(again), again.name, again.fen()) == (Named, "mine", position.fen())


class Named(chuhe.Position):
    name = ""


def test_a_position_knows_whether_it_is_a_repetition_and_whether_the_game_is_over() -> None:
    game = chuhe.Position()
    assert game.is_repetition(1)
    for occurrence in (2, 3):
        assert not game.is_repetition(occurrence)
        assert not game.is_game_over()
        for move in "h2e2 h9g7 e2h2 g7h9".split():
            game.push(move)
        assert game.is_repetition(occurrence)
    assert game.is_game_over()
    assert not game.is_game_over(chuhe.Law(repetition="none"))
    with pytest.raises(ValueError, match="not 0 times"):
        game.is_repetition(0)


def test_a_notebook_shows_a_picture() -> None:
    position = chuhe.Position()
    position.push("h2e2")
    picture = position._repr_svg_()
    assert picture == chuhe.board_svg(position)
    assert picture.count("<use ") == 32


def test_an_ambiguous_move_is_an_error_of_its_own() -> None:
    with pytest.raises(chuhe.AmbiguousMoveError):
        chuhe.Position("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w").parse_move("R7=3")
    assert issubclass(chuhe.AmbiguousMoveError, InvalidMoveError)
