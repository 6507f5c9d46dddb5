"""The other games in the terminal: input and output."""

from __future__ import annotations

import io
import os
import signal
import threading
from concurrent.futures import wait
from functools import partial
from pathlib import Path

import pytest
from waiting import PATIENCE

from chuhe.commands.play import main
from chuhe.common.waiting import wait_for
from chuhe.engine.search_handle import StopSignal
from chuhe.engine.threads import in_thread
from chuhe.variants.chess.terminal import ChessGame
from chuhe.variants.draughts.terminal import DraughtsGame
from chuhe.variants.squatter.terminal import SquatterGame
from chuhe.variants.terminal_game import MoveError, Setup


class TypedText(io.StringIO):
    """As if somebody typed it at a terminal."""

    def isatty(self) -> bool:
        return True


def dialogue(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    *arguments: str,
    stream: type[io.StringIO] = io.StringIO,
) -> str:
    monkeypatch.setattr("sys.stdin", stream(text))
    assert main(["--variant", *arguments]) == 0
    return capsys.readouterr().out


def test_a_game_of_chess(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = "help\ne4\nhistory\nundo\nhistory\nfoo\ne2e5\nmoves\nquit\n"
    said = dialogue(monkeypatch, capsys, text, "chess", "--depth", "2")
    assert "A move is typed as e4, Nf3, O-O or e2e4" in said
    assert "Black plays " in said
    assert "1. e4 " in said
    assert "no moves yet" in said
    assert "'foo' is not a legal move" in said
    assert "'e2e5' is not a legal move" in said
    assert "Nc3  Nf3  Nh3  a3  a4" in said


def test_chess_is_played_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    said = dialogue(monkeypatch, capsys, "Ra8\nRa7\nundo\nquit\n", "chess", "--fen", fen, "--side", "both")
    assert said.count("The game is over: 1-0, checkmate.") == 2
    assert "The game is over. Type undo, restart or quit." in said
    assert said.rstrip().endswith("White>")


def test_the_computer_plays_both_sides_of_draughts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = dialogue(monkeypatch, capsys, "", "draughts", "--side", "none", "--depth", "3")
    assert "The game is over: " in said
    assert "Alice plays (5," in said


def test_draughts_explains_what_is_wrong() -> None:
    game = DraughtsGame(Setup(depth=1))
    with pytest.raises(MoveError, match="'up' is not a move; type it as 5,0 4,1"):
        game.play("up")
    with pytest.raises(MoveError, match="not a legal move; `moves` lists them"):
        game.play("5,0 3,2")
    assert game.play("(5,2)=>(4,3)") == "(5,2)=>(4,3)"
    assert game.play("2 1 3 2") == "(2,1)=>(3,2)"
    with pytest.raises(MoveError, match="a jump must be made"):
        game.play("5 0 4 1")
    game.take_back()
    assert game.history == ["(5,2)=>(4,3)"]


def test_a_chained_jump_may_be_named_by_its_ends(tmp_path: Path) -> None:
    board = "+O+O+O+O\nO+O+O+O+\n+O+O+O+O\nO+B+B+O+\n+O+O+O+O\nO+B+B+O+\n+O+k+O+O\nO+O+O+B+\n"
    game = DraughtsGame(Setup(depth=1, start=board))
    assert len(game.moves()) > 1
    with pytest.raises(MoveError, match="several jumps lead there: name every square"):
        game.play("6,3 6,3")
    assert game.play(game.moves()[0]).count("=>") == 4


def test_squatter_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "board.txt"
    path.write_text("3\n+ W B\nW + W\nB W B\n")
    said = dialogue(monkeypatch, capsys, "0 0\nquit\n", "squatter", "--board", str(path), "--side", "first")
    assert "The game is over: White wins: White captured 1, Black captured 0." in said
    game = SquatterGame(Setup(depth=2, size=4))
    for text, message in (("x", "'x' is not a cell"), ("4,0", "4,0 cannot be played: it is not on the board")):
        with pytest.raises(MoveError, match=message):
            game.play(text)
    game.play("1,1")
    game.think(StopSignal())
    assert len(game.history) == 2
    assert game.mover == 0


def test_sides_can_be_swapped_and_games_restarted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = dialogue(monkeypatch, capsys, "swap\nrestart\ngo\nquit\n", "squatter", "--size", "3", "--depth", "1")
    assert "You play Black now." in said
    assert said.count("White plays ") == 3
    assert said.count("Black plays ") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "--fen", "8/8 w"], "not a chess position: expected 8 rows"),
        (["draughts", "--board", "{missing}"], "No such file"),
        (["squatter", "--size", "99"], "the board's size must be from 1 to 20, not 99"),
    ],
)
def test_a_bad_start_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--variant", *[word.format(missing=tmp_path / "none") for word in arguments]]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_the_chess_board_can_be_seen_from_either_side() -> None:
    game = ChessGame(Setup(depth=1))
    assert game.board(False).splitlines()[0] == "8  r n b q k b n r"
    assert game.board(True).splitlines()[0] == "1  R N B K Q B N R"


@pytest.mark.parametrize("variant", ["chess", "draughts", "squatter"])
def test_hint_level_and_save(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.txt"
    (other := tmp_path / "other.txt").write_text("mine")
    text = f"level 2\nlevel 0\nhint\ngo\nsave {path}\nsave {path}\nsave {other}\nsave\nnew\nhistory\nquit\n"
    said = dialogue(monkeypatch, capsys, text, variant, "--side", "both", "--movetime", "50")
    assert "Level 2 of 10." in said
    assert "Type level and a number from 1 to 10." in said
    hint = said.split("Hint: ")[1].splitlines()[0]
    assert "depth 2" in hint
    assert hint.split("  ")[0] in path.read_text()
    assert said.count(f"Saved {path}.") == 2
    assert f"{other} exists already" in said
    assert other.read_text() == "mine"
    assert "no moves yet" in said


@pytest.mark.parametrize("variant", ["chess", "draughts", "squatter"])
def test_a_game_at_a_terminal_is_not_given_up_unasked(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"new\ngo\nnew\nhistory\nnew\nnew\nhistory\ngo\nquit\ndisplay\nquit\nsave {tmp_path / 'x'}\nquit\nno more\n"
    said = dialogue(monkeypatch, capsys, text, variant, "--side", "both", "--depth", "1", stream=TypedText)
    assert said.count("The game is not saved. Type restart again to give it up, or save FILE.") == 2
    assert said.count("The game is not saved. Type quit again to give it up, or save FILE.") == 2
    assert said.index("> 1. ") < said.index("no moves yet")
    assert "no more" not in said


@pytest.mark.parametrize("make", [ChessGame, DraughtsGame, SquatterGame])
def test_a_computer_in_a_hurry_moves_at_once(make: type[ChessGame] | type[DraughtsGame]) -> None:
    for pause in (None, 0.05):  # before the search has begun, and while it runs
        game, stop = make(Setup(movetime=3_600_000)), StopSignal()
        if pause is None:
            stop.set()
        answer = in_thread(partial(game.think, stop))
        wait([answer], pause)
        stop.set()
        answer.result(PATIENCE)
        assert len(game.history) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to send to oneself")
def test_ctrl_c_stops_the_work_early_however_often_it_is_pressed() -> None:
    pressed: list[int] = []

    def work(stop: StopSignal) -> str:
        stopped = threading.Event()
        with stop.reaching(stopped.set):
            for _ in range(1000):  # also before the main thread waits, and while it handles one
                os.kill(os.getpid(), signal.SIGINT)
            stopped.wait(PATIENCE)
        return "stopped" if stopped.is_set() else "not stopped"

    before = signal.getsignal(signal.SIGINT)
    assert wait_for(work, lambda: pressed.append(1)) == "stopped"
    assert pressed
    assert signal.getsignal(signal.SIGINT) is before
