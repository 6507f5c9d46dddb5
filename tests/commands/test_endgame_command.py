"""`chuhe endgame`, and what other commands report from the tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_screen import Memory

from chuhe.cli import main as chuhe
from chuhe.coach.judgement import annotate, judge_game
from chuhe.commands.analyze import engine_search, table_words
from chuhe.commands.endgame import main, parse_size
from chuhe.commands.eval import main as evaluate
from chuhe.engine import Engine, Limits, Settings
from chuhe.engine.endgame import forget_tablebases
from chuhe.play.seats import Seat
from chuhe.play.workspace import Preferences, Workspace
from chuhe.records.pgn import parse_pgn

WON = "3a1ab2/4k4/4b4/9/9/9/9/9/4K4/R8 w"
DRAWN = "2ba1kb2/4a4/9/9/9/9/9/9/3R5/4K4 w"


@pytest.fixture
def default_tables(tables: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tables, in the engine's default directory."""
    monkeypatch.setenv("CHUHE_TABLES", str(tables))
    forget_tablebases()
    return tables


def test_build_list_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "KPKA", "--path", str(tmp_path), "--report", "--threads", "1"]) == 0
    out = capsys.readouterr().out
    assert "| KPKA | 兵對單士 | 22,338 |" in out
    assert out.endswith(f"2 tables built, 2 in {tmp_path}\n")
    assert main(["build", "KPKA", "--path", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("0 tables built")
    assert main(["list", "--path", str(tmp_path)]) == 0
    assert "KPKA " in capsys.readouterr().out
    assert main(["verify", "--path", str(tmp_path)]) == 0
    assert "2 of 2 tables passed" in capsys.readouterr().out


def test_several_workers_build_the_same_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(["build", "KPKAB", "--path", str(one)]) == 0
    assert main(["build", "KPKAB", "--path", str(two), "--concurrency", "2"]) == 0
    assert "4 tables built" in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in one.iterdir()} == {
        path.name: path.read_bytes() for path in two.iterdir()
    }


def test_verify_names_what_is_bad(tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("KRK", "KRKA"):
        (tmp_path / f"{name}.egt").write_bytes((tables / f"{name}.egt").read_bytes())
    data = bytearray((tmp_path / "KRKA.egt").read_bytes())
    data[-40] ^= 1
    (tmp_path / "KRKA.egt").write_bytes(data)
    assert main(["verify", "--quick", "--path", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "1 of 2 tables passed" in captured.out
    assert "KRKA.egt is damaged" in captured.err


def test_probe_gives_the_verdict_first(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for fen, first in ((WON, "win 25"), (DRAWN, "draw"), ("3k5/9/R8/9/9/9/9/9/9/4K4 b", "loss 4")):
        assert main(["probe", "--fen", fen, "--path", str(tables)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == first
        assert len(lines) > 1
    assert main(["probe", "--fen", WON, "a0g0", "--path", str(tables)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "loss 24"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["build", "KQK"], "'Q' is not a piece"),
        (["build", "KRNCPK"], "at most 3 attackers"),
        (["build", "KRK", "KRNCKAABB", "--memory", "1GB"], "KRNCKAABB needs"),
        (["build"], "nothing to build"),
        (["probe", "--fen", "4k4/9/9/9/9/9/9/9/9/9 w"], "no king"),
        (["probe", "--fen", "3nk4/9/9/9/9/9/9/9/9/3K4R w"], "no table covers"),
        (["probe", "--fen", "4k4/9/9/9/9/P8/9/9/9/3K1R3 w"], "chuhe endgame build KRPK"),
        (["info", "KRK"], "does not exist"),
        (["verify"], "there are no tables"),
    ],
)
def test_bad_input_is_named(
    arguments: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--path", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert text in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_build_up_to_a_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--up-to", "25KB", "--path", str(tmp_path), "--threads", "1"]) == 0
    names = {path.stem for path in tmp_path.iterdir()}
    assert {"KPK", "KRK", "KNK", "KCK"} <= names
    assert all(len(name) < 6 for name in names)
    capsys.readouterr()


@pytest.mark.parametrize("text", ["MB", "-1", "1e400", "manyMB", "0"])
def test_a_bad_size_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["build", "--up-to", text])
    assert "is not a size" in capsys.readouterr().err or text == "-1"
    assert parse_size("1GiB") == 1 << 30


def test_info_is_what_a_player_would_read(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "KRKAABB", "--path", str(tables)]) == 0
    out = capsys.readouterr().out
    for part in ("車對士象全", "例和", "32 moves (63 plies)", "Where the defending king stands", "巧勝"):
        assert part in out
    assert main(["info", "KPPKA", "--path", str(tables), "--threads", "1"]) == 0
    out = capsys.readouterr().out
    assert "Where the pawn stands" in out
    assert "a draw against the best defence" in out


def test_positions_to_practise(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["positions", "KRKABB", "--count", "3", "--result", "win", "--least", "20", "--path", str(tables)]
    assert main(arguments) == 0
    fens = capsys.readouterr().out.splitlines()
    assert len(fens) == 3
    for fen in fens:
        assert main(["probe", "--fen", fen, "--path", str(tables)]) == 0
        assert int(capsys.readouterr().out.split()[1]) >= 20
    assert main([*arguments, "--extra", "n"]) == 0
    assert all("n" in fen.split()[0] for fen in capsys.readouterr().out.splitlines())
    assert main([*arguments[:-4], "--least", "500", "--path", str(tables)]) == 2
    assert "no such position" in capsys.readouterr().err


def test_eval_knows(default_tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(["--fen", WON]) == 0
    assert "Endgame table: won in 13 for Red" in capsys.readouterr().out
    assert chuhe(["eval", "--fen", DRAWN]) == 0
    assert "Endgame table: drawn" in capsys.readouterr().out


def test_hint_and_eval_know_in_the_terminal(default_tables: Path) -> None:
    screen = Memory()
    seats = (Seat(human=True), Seat(human=True))
    workspace = Workspace(screen, seats, Preferences(board="ascii", hash_mb=4, seed=1))
    workspace.execute(f"setup {WON}")
    workspace.execute("hint")
    assert any("won in 13 for Red" in line for line in screen.lines[-2:])
    workspace.execute("eval")
    assert "Endgame table: won in 13 for Red" in screen.lines[-1]


def test_a_review_knows(tables: Path) -> None:
    engine = Engine(Settings(hash_mb=4, table_paths=str(tables)))
    (record,) = parse_pgn(f'[FEN "{WON} - - 0 1"]\n\n1. a0g0 e8d8 2. g0g1 *')
    search = engine_search(engine, Limits(nodes=500))
    judgements = judge_game(record, search, known=table_words(engine))
    comments = [move.comment for move in annotate(record, judgements).moves]
    assert "won in 12 for Red" in comments[0]
    assert all("for Red" in comment or "drawn" in comment for comment in comments)


def test_a_stray_file_does_not_end_the_verification(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("KCK", "KCKA"):
        (tmp_path / f"{name}.egt").write_bytes((tables / f"{name}.egt").read_bytes())
    (tmp_path / "AAA notes.egt").write_text("not a table")
    (tmp_path / "KNK.egt").symlink_to(tmp_path / "nowhere")
    assert main(["verify", "--quick", "--path", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "2 of 4 tables passed" in captured.out
    assert "AAA notes" in captured.err + captured.out


@pytest.mark.parametrize("arguments", ["positions KCK --count -1", "positions KCK --count 0", "verify --threads 0"])
def test_a_number_out_of_range_is_an_error(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == 2
    assert "a whole number from 1" in capsys.readouterr().err
