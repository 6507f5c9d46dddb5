"""The referee of Squatter against players that misbehave in every way, players by name, and the command."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paths import FIXTURES

from chuhe.commands import squatter as command
from chuhe.engine.search_handle import StopSignal
from chuhe.variants.squatter._squatter import Squatter
from chuhe.variants.squatter.players import (
    ILLEGAL,
    LazyPlayer,
    MinimaxPlayer,
    Player,
    PlayerError,
    RandomPlayer,
    SquatterPlayer,
    load_player,
)
from chuhe.variants.squatter.referee import referee
from chuhe.variants.squatter.text import Cell, StoneColour, position


@pytest.fixture(autouse=True)
def _foreign_players_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FIXTURES))


class ScriptedPlayer(Player):
    """Plays given cells without checking them; may reject the opponent's moves."""

    def __init__(self, cells: list[Cell], rejects: bool = False) -> None:
        self.cells, self.rejects = cells, rejects

    def choose(self) -> Cell:
        return self.cells.pop(0)

    def opponent_move(self, cell: Cell) -> int:
        return ILLEGAL if self.rejects else super().opponent_move(cell)


@pytest.mark.parametrize(
    ("white", "black", "winner", "fault"),
    [
        ([(0, 0)], [(0, 0)], "W", "Black cannot play (0,0): the cell is taken"),
        ([(3, 0)], [], "B", "White cannot play (3,0): it is not on the board"),
        ([(-1, 0)], [], "B", "White cannot play (-1,0): it is not on the board"),
        (
            [(0, 1), (1, 0), (1, 2), (2, 1)],
            [(0, 0), (0, 2), (2, 0), (1, 1)],
            "W",
            "Black cannot play (1,1): the cell is captured",
        ),
    ],
)
def test_the_referee_detects_illegal_moves(white: list[Cell], black: list[Cell], winner: str, fault: str) -> None:
    result = referee(ScriptedPlayer(white), ScriptedPlayer(black), 3)
    assert (result.winner, result.fault) == (winner, fault)


def test_a_player_that_rejects_a_legal_move_loses() -> None:
    result = referee(RandomPlayer(1), ScriptedPlayer([], rejects=True), 3)
    assert result.winner == "W"
    assert "Black rejects the legal placement" in result.fault


class Rude(RandomPlayer):
    """Plays normally, except for one operation."""

    def __init__(self, operation: str, answer: Callable[..., Any]) -> None:
        super().__init__(1)
        setattr(self, operation, answer)


def raises(error: BaseException) -> Callable[..., Any]:
    def answer(*_: object) -> Any:
        raise error

    return answer


def says(value: Any) -> Callable[..., Any]:
    return lambda *_: value


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class FakeList(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        sys.exit(3)


def endless(*_: object) -> None:
    def dig() -> None:
        dig()

    dig()


RUDE = [
    ("make_move", says(None), "Black answers None, where a cell (row,column) is expected"),
    ("make_move", says((1, 2, 3)), "Black answers (1, 2, 3), where a cell (row,column) is expected"),
    ("make_move", says(()), "Black answers (), where a cell (row,column) is expected"),
    ("make_move", says("12"), "Black answers '12', where a cell (row,column) is expected"),
    ("make_move", says(("1", "2")), "Black answers ('1', '2'), where a cell (row,column) is expected"),
    ("make_move", says((1.0, 2.0)), "Black answers (1.0, 2.0), where a cell (row,column) is expected"),
    ("make_move", says((True, False)), "Black answers (True, False), where a cell (row,column) is expected"),
    ("make_move", says({0: 1, 2: 3}), "Black answers {0: 1, 2: 3}, where a cell (row,column) is expected"),
    ("make_move", says(Unshowable()), "Black answers a Unshowable that cannot be shown, where a cell"),
    ("make_move", says(FakeList([1, 2])), "Black answers [1, 2], where a cell (row,column) is expected"),
    ("make_move", says((10**5000, 0)), "Black cannot play a cell far away: it is not on the board"),
    ("make_move", says((-1, 0)), "Black cannot play (-1,0): it is not on the board"),
    (
        "make_move",
        raises(ZeroDivisionError("division by zero")),
        "Black raises ZeroDivisionError in make_move: division",
    ),
    ("make_move", raises(SystemExit(0)), "Black raises SystemExit in make_move: 0"),
    ("make_move", endless, "Black raises RecursionError in make_move"),
    ("init", raises(TypeError("init\ntakes\nnothing")), "Black raises TypeError in init: init takes nothing"),
    ("opponent_move", raises(KeyError("x")), "Black raises KeyError in opponent_move: 'x'"),
    ("opponent_move", says(None), "Black answers None to the placement "),
    ("opponent_move", says(True), "Black answers True to the placement "),
    ("opponent_move", says(ILLEGAL), "Black rejects the legal placement "),
    ("winner", says(None), "Black names None as the winner, where "),
    ("winner", says("nobody"), "Black names 'nobody' as the winner, where "),
    ("winner", raises(ValueError()), "Black raises ValueError in winner"),
]


@pytest.mark.parametrize(("operation", "answer", "sentence"), RUDE)
@pytest.mark.parametrize("patience", [None, 60.0])
def test_whoever_answers_nonsense_or_raises_loses(
    operation: str, answer: Callable[..., Any], sentence: str, patience: float | None
) -> None:
    result = referee(RandomPlayer(2), Rude(operation, answer), 4, patience=(None, patience))
    assert result.winner == "W"
    assert result.fault.startswith(sentence)
    assert "\n" not in result.text()
    assert referee(RandomPlayer(2), RandomPlayer(3), 4).fault == ""  # and the referee continues


def test_there_are_more_than_ten_kinds_of_misbehaviour() -> None:
    assert len(RUDE) > 10


def test_a_player_that_hangs_loses() -> None:
    released = threading.Event()
    result = referee(RandomPlayer(2), Rude("make_move", lambda: released.wait()), 4, patience=(None, 0.05))
    released.set()
    assert (result.winner, result.fault) == ("W", "Black does not come back from make_move within 0.05 s")


def test_the_key_for_an_interrupt_is_no_fault_of_the_player() -> None:
    with pytest.raises(KeyboardInterrupt):
        referee(RandomPlayer(2), Rude("make_move", raises(KeyboardInterrupt())), 4)


def test_if_both_name_another_winner_the_board_is_believed() -> None:
    players = [Rude("winner", says("nobody")) for _ in range(2)]
    fair = referee(RandomPlayer(1), RandomPlayer(1), 4)
    result = referee(players[0], players[1], 4)
    assert (result.winner, result.captured) == (fair.winner, fair.captured)
    assert result.fault.count("names 'nobody' as the winner") == 2


def test_white_s_faults_are_told_apart() -> None:
    result = referee(Rude("make_move", says(None)), RandomPlayer(1), 4)
    assert (result.winner, result.placements) == ("B", ())
    assert result.fault.startswith("White answers None")


def test_a_player_that_cannot_be_made_loses() -> None:
    result = referee(LazyPlayer(raises(OSError("no file"))), RandomPlayer(1), 4)
    assert (result.winner, result.fault) == ("B", "White raises OSError in init: no file")


# --- players by name


def test_a_foreign_player_meets_ours() -> None:
    edger = load_player("foreign_squatter:Edger")
    boards: list[str] = []

    def watch(board: Squatter, colour: StoneColour, cell: Cell) -> None:
        boards.append(board.symbols)

    for size in (3, 5):
        result = referee(edger(), RandomPlayer(size), size, on_move=watch)
        assert result.fault == ""
        assert result.symbols == boards[-1]
    assert referee(MinimaxPlayer(2), edger(), 5).fault == ""
    assert referee(edger(), edger(weights={"from_end": 1.0}), 5).fault == ""
    assert referee(RandomPlayer(3), edger(), 4, "+W++W+++++B+++++", "B").fault == ""


def test_our_own_players_fit_the_protocol() -> None:
    players: list[SquatterPlayer] = [RandomPlayer(), MinimaxPlayer(), LazyPlayer(RandomPlayer)]
    assert len(players) == 3


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nobody", "a player is human, minimax, random or package.module:Class, not 'nobody'"),
        (":Edger", "a player is human, minimax, random or package.module:Class, not ':Edger'"),
        ("no_such_module:Edger", "no_such_module cannot be imported: ModuleNotFoundError: No module named"),
        ("foreign_squatter:Nobody", "there is no class Nobody in foreign_squatter"),
        ("foreign_squatter:annotations", "there is no class annotations in foreign_squatter"),
        ("json:JSONDecoder", "json:JSONDecoder is not a player: it has no init, no make_move, no opponent_move"),
    ],
)
def test_players_that_cannot_be_found(name: str, complaint: str) -> None:
    with pytest.raises(PlayerError) as caught:
        load_player(name)
    assert str(caught.value).startswith(complaint)


def test_a_module_that_breaks_when_it_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "breaks_at_once.py").write_text("raise SystemExit('not today')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(PlayerError, match="breaks_at_once cannot be imported: SystemExit: not today"):
        load_player("breaks_at_once:Player")


# --- the command


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert command.main(["--games", "4", "--quiet", "--seed", "1", "--depth", "2"]) == 0
    first = capsys.readouterr().out
    assert first.splitlines()[-1] == "White 4, Black 0, draws 0"
    assert command.main(["--games", "4", "--quiet", "--seed", "1", "--depth", "2"]) == 0
    assert capsys.readouterr().out == first
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n+ W +\nW + W\n+ W B"))
    assert command.main(["-", "--show"]) == 0
    assert capsys.readouterr().out == ("3\n+ W +\nW - W\n+ W B\nBlack to move: White captured 1, Black captured 0.\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n+ W\n"))
    assert command.main(["-"]) == 2
    assert capsys.readouterr().err == "chuhe squatter: row 0: 2 symbols found, 3 expected\n"


def test_two_authors_meet_with_a_depth_and_weights_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--white", "foreign_squatter:Edger", "--black", "minimax", "--size", "5", "--quiet"]
    assert command.main([*arguments, "--black-depth", "2", "--black-weights", "rings=0"]) == 0
    assert "captured" in capsys.readouterr().out
    assert command.main([*arguments, "--white-weights", "from_end=1", "--white-depth", "3", "--games", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("game 1: ")
    assert "Edger" not in "".join(lines)


def test_a_foreign_player_that_raises_loses_and_the_games_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
from foreign_squatter import Edger

class Broken(Edger):
    def __init__(self):
        raise RuntimeError("flat battery")

class Forgetful(Edger):
    def make_move(self):
        super().make_move()
"""
    (tmp_path / "mine.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    arguments = ["--black", "random", "--games", "3", "--quiet", "--size", "4"]
    assert command.main(["--white", "mine:Broken", *arguments]) == 0
    out = capsys.readouterr().out
    assert out.count("Black wins (White raises RuntimeError in init: flat battery)") == 3
    assert out.endswith("White 0, Black 3, draws 0\n")
    assert command.main(["--white", "mine:Forgetful", *arguments]) == 0
    assert capsys.readouterr().out.count("Black wins (White answers None, where a cell") == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--weights", "corners=nan"], "the weight corners is a number from -1000000 to 1000000, not 'nan'"),
        (["--white-weights", "speed=1"], "there is no weight 'speed'"),
        (["--black-depth", "3"], "--black-depth has no effect: random takes no depth"),
        (["--white", "nobody"], "a player is human, minimax, random or package.module:Class, not 'nobody'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(arguments) == 2
    assert complaint in capsys.readouterr().err


def test_patience_is_a_number_of_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main(["--patience", "nan"])
    assert caught.value.code == 2
    assert "a number from 0.001 to 1e+06, not 'nan'" in capsys.readouterr().err


def test_a_person_has_the_terminal_s_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("help\na\n5 5\n(1,1)\nundo\nhistory\n0,0\nswap\nquit\n"))
    assert command.main(["--white", "human", "--black", "foreign_squatter:Edger", "--size", "3"]) == 0
    said = capsys.readouterr().out
    assert "A move is typed as 2,3 (row,column)" in said
    assert "undo      take back your last move" in said
    assert "    0  1  2\n 0  +  +  +\n" in said
    assert "'a' is not a cell; type it as 2,3" in said
    assert "5 5 cannot be played: it is not on the board" in said
    assert "Black plays (0,0)" in said
    assert "no moves yet" in said
    assert "Black plays (0,1)" in said
    assert "White plays (0,2)" in said  # after swap, the foreign player goes on as White


def test_a_foreign_player_s_fault_ends_a_person_s_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from chuhe.variants.squatter.terminal import SquatterGame
    from chuhe.variants.terminal_game import Setup

    game = SquatterGame(Setup(size=3), {1: lambda: Rude("make_move", says(None))})
    game.play("1,1")
    assert game.think(StopSignal()) == "nothing"
    assert game.result() == (
        "White wins (Black answers None, where a cell (row,column) is expected): White captured 0, Black captured 0"
    )
    game.take_back()
    assert game.result() is None


def test_a_rude_player_in_its_own_init_is_reported_at_once() -> None:
    from chuhe.variants.squatter.terminal import SquatterGame
    from chuhe.variants.terminal_game import Setup

    game = SquatterGame(Setup(size=3), {1: raises(RuntimeError("flat battery"))})
    assert game.result() is not None
    assert "Black raises RuntimeError in init: flat battery" in str(game.result())
    assert position(3).white_moves
