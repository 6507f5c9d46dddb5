"""How commands treat existing files and unwritable paths."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from waiting import PATIENCE

from chuhe import cli
from chuhe.commands import analyze, openings, peers, tune
from chuhe.commands import book as book_command
from chuhe.engine import _core
from chuhe.files.writing import exclusive
from chuhe.records.files import read_games, read_numbered

GAME = '[Red "{}"]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n\n'
BAD = '[Red "bad"]\n\n1. H2-E2 A0-A9 1-0\n\n'
FOREIGN = "somebody's work\n"
CommandMain = Callable[[list[str]], int]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAME.format("A"))
    return path


def quick_openings(arguments: list[str]) -> int:
    return openings.main(["--count", "1", "--plies", "1", "2", "--balance", "900", "--depth", "1", *arguments])


def commands(games: Path, data: Path) -> dict[str, tuple[CommandMain, list[str], str, str]]:
    """Name: command, arguments, the option that names the output, its suffix."""
    return {
        "book": (book_command.main, ["build", str(games)], "--output", ".bin"),
        "openings": (quick_openings, [], "--output", ".txt"),
        "analyze": (analyze.main, [str(games), "--depth", "1", "--plot", "none"], "--output", ".pgn"),
        "plot": (analyze.main, [str(games), "--depth", "1", "--output", "/dev/null.pgn"], "--plot", ".svg"),
        "tune": (tune.main, ["eval", str(data), "--epochs", "1"], "--out", ".txt"),
    }


@pytest.mark.parametrize("name", ["book", "openings", "analyze", "plot", "tune"])
def test_a_file_that_the_command_did_not_write_is_not_replaced(
    tmp_path: Path, games: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    data = tmp_path / "data.txt"
    fen = _core.START_FEN
    data.write_text("".join(f"{fen}|{result}|{score}\n" for result, score in 40 * [(1, 50), (0, -50), (0.5, 0)]))
    main, arguments, option, suffix = commands(games, data)[name]
    arguments = [word.replace("/dev/null.pgn", str(tmp_path / "annotated.pgn")) for word in arguments]
    output = tmp_path / f"output{suffix}"
    output.write_text(FOREIGN)
    assert main([*arguments, option, str(output)]) == 2
    assert "output" in capsys.readouterr().err
    assert output.read_text() == FOREIGN
    assert main([*arguments, option, str(output), "--force"]) == 0
    assert output.read_bytes() != FOREIGN.encode()
    assert main([*arguments, option, str(output)]) == 0  # it may overwrite its own files
    assert main([*arguments, option, str(tmp_path / "no" / f"a{suffix}"), "--force"]) == 2
    error = capsys.readouterr().err
    assert "there is no directory" in error
    assert "Traceback" not in error
    assert not [path for path in os.listdir(tmp_path) if path.endswith((".new", ".part"))]


@pytest.mark.parametrize("name", ["book", "openings"])
def test_a_full_disk_is_one_line(tmp_path: Path, games: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    main, arguments, option, _ = commands(games, games)[name]
    assert main([*arguments, option, "/dev/full"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("/dev/full: No space left on device")


def test_book_play_adds_to_its_own_games_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.pgn"
    path.write_text(GAME.format("A"))
    assert book_command.main(["play", "--output", str(path), "--games", "2"]) == 2
    assert "holds other data" in capsys.readouterr().err
    assert path.read_text() == GAME.format("A")


def test_book_play_has_its_file_for_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.pgn"
    with exclusive(path):
        assert book_command.main(["play", "--output", str(path), "--games", "2"]) == 2
    assert "mine.pgn is being written by another process" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_one_bad_game_does_not_block_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.pgn"
    path.write_text(GAME.format("A") + BAD + GAME.format("C"))
    assert analyze.main([str(path), "--depth", "1", "--hash", "1"]) == 1
    error = capsys.readouterr().err
    assert "many.pgn: game 2, move 1" in error
    assert "(line 7)" in error
    annotated = read_games(tmp_path / "many.annotated.pgn")
    assert [game.tags["Red"] for game in annotated] == ["A", "C"]
    assert sorted(path.name for path in (tmp_path / "many.plots").iterdir()) == ["many-1.svg", "many-3.svg"]
    assert analyze.main([str(path), "--depth", "1", "--game", "3", "--plot", "none"]) == 0
    assert analyze.main([str(path), "--depth", "1", "--game", "2", "--plot", "none"]) == 2
    assert book_command.main(["build", str(path), "--output", str(tmp_path / "b.bin")]) == 1
    output = capsys.readouterr()
    assert "from 2 games" in output.out
    assert "left out: " in output.err


def test_a_file_of_bad_games_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text(BAD + BAD)
    assert analyze.main([str(path), "--depth", "1"]) == 2
    assert book_command.main(["build", str(path), "--output", str(tmp_path / "b.bin")]) == 2
    assert capsys.readouterr().err.count("bad.pgn: game 1, move 1: ") == 2
    assert sorted(os.listdir(tmp_path)) == ["bad.pgn"]


def test_a_bad_game_does_not_keep_another_from_the_board(tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text(BAD + GAME.format("B"))
    games, faults = read_numbered(path)
    assert [(number, game.tags["Red"]) for number, game in games.items()] == [(2, "B")]
    assert "game 1, move 1" in str(faults[1])
    lines = ["load " + str(path) + " 2", "load " + str(path) + " 1", "quit"]
    run = subprocess.run(
        [sys.executable, "-m", "chuhe", "play", "--load", str(path)],
        input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert "Loaded game 2 of 2." in run.stdout
    assert "game 1, move 1" in run.stdout
    assert run.stderr == ""


@pytest.mark.parametrize("plot", ["plot.gif", "no/such/plot.svg", "plot"])
def test_a_plot_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], plot: str
) -> None:
    def no_work(*_: object) -> None:
        raise AssertionError("it has begun to work")

    monkeypatch.setattr("chuhe.commands.analyze.engine_search", no_work)
    monkeypatch.setattr("chuhe.commands.peers.compare", no_work)
    assert analyze.main([str(games), "--plot", str(tmp_path / plot)]) == 2
    assert peers.main(["engine=/no/such/engine", "--plot", str(tmp_path / plot)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert sorted(os.listdir(tmp_path)) == ["games.pgn"]


def test_plots_of_several_games_share_a_directory(tmp_path: Path) -> None:
    output = tmp_path / "a.annotated.pgn"
    assert analyze.plot_paths(None, output, [1]) == [tmp_path / "a.svg"]
    assert analyze.plot_paths("none", output, [1, 2]) == [None, None]
    assert analyze.plot_paths(None, output, [1, 3]) == [tmp_path / "a.plots" / f"a-{n}.svg" for n in (1, 3)]
    assert analyze.plot_paths(str(tmp_path / "p.png"), output, [1, 2]) == [
        tmp_path / "p" / f"a-{n}.png" for n in (1, 2)
    ]
    assert analyze.plot_paths(str(tmp_path), output, [1]) == [tmp_path / "a-1.svg"]


@pytest.mark.parametrize("encoding", ["big5", "utf-16", "utf-16-le", "gb18030"])
def test_games_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes('[Red "吳貴臨"]\n\n1. 炮二平五 馬8進7 1-0\n'.encode(encoding))
    (game,) = read_games(path)
    assert (game.tags["Red"], len(game.moves)) == ("吳貴臨", 2)


@pytest.mark.parametrize("time", ["inf", "nan", "-1", "0", "1e400", "soon"])
def test_a_time_is_a_number(games: Path, capsys: pytest.CaptureFixture[str], time: str) -> None:
    with pytest.raises(SystemExit) as caught:
        analyze.main([str(games), "--time", time])
    assert caught.value.code == 2
    assert "--time: a number from 0.001" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["selfplay --games 1 --output", "data join {} --output", "data import {} --output"])
def test_a_missing_directory_is_named(
    line: str, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "x.games"
    assert cli.main(f"selfplay --games 1 --nodes 20 --longest 10 --hash 1 --output {data}".split()) == 0
    (text := tmp_path / "x.txt").write_text("1-0 agreed|h2e2|h9g7:1\n")
    capsys.readouterr()
    words = line.format(text if "import" in line else data).split()
    assert cli.main([*words, str(tmp_path / "no" / "y.games")]) == 2
    assert "there is no directory" in capsys.readouterr().err
