"""`chuhe data`: reports on files of games, and files derived from them."""

from __future__ import annotations

import csv
import lzma
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from game_data import block_of

from chuhe.bench.learning.data_report import Census, position_keys, report
from chuhe.bench.learning.game_files import GameFile, GameWriter, read_blocks, read_games
from chuhe.bench.learning.game_format import Game
from chuhe.bench.learning.records import expand, fen_of
from chuhe.bench.learning.rescore import PIECE
from chuhe.bench.learning.text_games import parse_game
from chuhe.bench.matches.match_values import Termination
from chuhe.commands import data as data_command
from chuhe.commands import selfplay as selfplay_command
from chuhe.common.progress import Bar
from chuhe.engine import Move, Position

LINES = [
    "1-0 agreed|h2e2 h9g7|h0g2:35 i9h9:-29 g3g4:300",
    "0-1 checkmate|a3a4|h7e7:-10 h2e2:29998",
    "1/2-1/2 repetition||b0c2:0 b9c7:0 c2b0:-2500",
]
GAMES = [parse_game(line, number) for number, line in enumerate(LINES, 1)]


def write(path: Path, games: list[Game], one_block: bool = True) -> Path:
    with GameWriter(path, {"made": "by hand"}) as writer:
        for game in games:
            writer.add(game)
            if not one_block:
                writer.flush()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "x.games", GAMES)


def run(*arguments: object) -> int:
    return data_command.main([str(argument) for argument in arguments])


# The report


def test_the_recipe_is_for_people(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "odd.games"
    with GameWriter(odd, {"made_by": "\x1b[2J", "most_nodes": 9, "settings": {"hash_mb": 8}}) as writer:
        writer.add(GAMES[0])
    joined = tmp_path / "joined.games"
    assert run("join", path, odd, "--output", joined) == 0
    capsys.readouterr()
    assert run(joined) == 0
    recipe = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert recipe[0].startswith(f"{joined}: chuhe data join ")
    assert recipe[1:] == [
        "  from x.games:",
        "    made by hand",
        r"  from odd.games: \x1b[2J",
        "    most nodes 9",
        "    settings:",
        "      hash mb 8",
    ]


def test_a_recipe_without_end_is_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe: dict[str, object] = {}
    for _ in range(sys.getrecursionlimit() - 200):  # as deep as it can be written here
        recipe = {"a": recipe}
    deep = tmp_path / "deep.games"
    with GameWriter(deep, recipe) as writer:
        writer.add(GAMES[0])
    assert run(deep) == 0
    source = deep
    for number in range(99):  # every file holds the recipe of the one before
        source, before = tmp_path / f"{number}.games", source
        if run("join", before, "--output", source):
            break
    assert (
        capsys.readouterr().err.splitlines()[-1].endswith(("the recipe is nested too deeply", "the header is damaged"))
    )


def test_the_census_counts() -> None:
    census = Census(expected=16)
    census.add(block_of(*GAMES))
    census.add(block_of(*GAMES))
    assert (census.games, census.positions) == (6, 16)
    assert census.results["1-0", "agreed"] == census.results["0-1", "checkmate"] == 2
    assert census.pieces[32] == 16
    assert census.attackers[12] == 16
    assert (census.bands.sum(), census.bands[0], census.bands[-1]) == (16, 2, 2)
    assert census.band_points[-1] == 0  # Red reported a mate and lost
    again = census.duplicates()
    # game 3 begins from the start position; adding it all again gives only duplicates
    assert (again.looked_at, again.count, again.most) == (16, 8, 2)
    assert census.plies[2] == again.by_ply[2] * 2


def test_files_that_repeat_each_other_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = write(tmp_path / "one.games", GAMES), write(tmp_path / "other.games", GAMES[:1])
    assert run(one, other) == 0
    out = capsys.readouterr().out
    assert f"{one}: 8 distinct" in out
    assert f"{other}: {GAMES[0].positions} distinct, 100.0 % in other files too" in out
    assert run(one) == 0
    assert "in other files" not in capsys.readouterr().out


def test_a_position_has_one_key_however_it_came_about() -> None:
    one, _ = expand(block_of(parse_game("1-0 agreed|b0c2 b9c7 h0g2|h9g7:1", 1)))
    other, _ = expand(block_of(parse_game("1-0 agreed|h0g2 b9c7 b0c2|h9g7:1", 1)))
    assert position_keys(one) == position_keys(other)
    positions, _ = expand(block_of(parse_game("1-0 agreed|b0c2 b9c7 c2b0|c7b9:1 h2e2:1", 1)))
    turn = positions[:1].copy()
    turn["side"] ^= 1
    assert len(np.unique(np.concatenate([position_keys(positions), position_keys(turn)]))) == 3


def test_two_rooks_may_change_places() -> None:
    """The core lists pieces by slot, so their order depends on the game's history."""
    swap = [Move.from_iccs(move) for move in "a5i5 d9d8 a4a5 d8d9 i5i4 d9d8 i4a4 d8d9 a5b5".split()]
    game = Game(1, "1-0", Termination.AGREED, (), tuple((move, 1) for move in swap), fen="3k5/9/9/9/R8/R8/9/9/9/4K4 w")
    positions, _ = expand(block_of(game))
    assert positions["features"][0].tolist() != positions["features"][8].tolist()
    assert position_keys(positions)[0] == position_keys(positions)[8]


def test_large_sets_are_thinned_by_position() -> None:
    whole, part = Census(expected=16), Census(expected=2**26)
    for census in (whole, part):
        census.add(block_of(*GAMES))
        census.add(block_of(*GAMES))
    assert (whole.thinning, part.thinning) == (1, 4)
    again = part.duplicates()
    assert again.looked_at == 2 * again.count  # all copies of a position, or none


def test_the_report_is_for_people(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(path) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{path}:\n  made by hand\n\ngames ")
    for text in (
        "games                 3",
        "positions             8",
        "agreed 1",
        "mate score",
        "0 of 8 positions",
    ):
        assert text in out


def test_an_empty_file_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path / "empty.games", [])) == 0
    assert "no games" in capsys.readouterr().out
    assert report(Census()) == "no games"


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_picture_is_written(path: Path, tmp_path: Path, suffix: str) -> None:
    picture = tmp_path / f"x{suffix}"
    assert run(path, "--plot", picture) == 0
    assert picture.stat().st_size > 5000


def test_a_torn_block_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with path.open("ab") as file:
        file.write(b"GBLK")
    assert run(path) == 0
    assert "the last block is incomplete" in capsys.readouterr().err


# Files from files


def test_join_keeps_every_game_once(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = write(tmp_path / "other.games", [replace(GAMES[1], number=9), parse_game("1-0 length||h2e2:1", 4)])
    out = tmp_path / "all.games"
    assert run("join", path, other, "--out", out) == 0
    assert [replace(game, number=0) for game in read_games([out])] == [
        replace(game, number=0) for game in (*GAMES, parse_game("1-0 length||h2e2:1", 4))
    ]
    assert [game.number for game in read_games([out])] == [1, 2, 3, 4]
    assert "4 games; 1 duplicate left out" in capsys.readouterr().out
    with GameFile(out) as file:
        assert [source["file"] for source in file.recipe["from"]] == ["x.games", "other.games"]
    assert sum(block.positions for block in read_blocks([out])) == 9
    assert not list(tmp_path.glob("*.part"))


def test_shuffle_changes_nothing_but_the_order(tmp_path: Path) -> None:
    games = [replace(GAMES[0], number=number, plies=((GAMES[0].plies[0][0], number),)) for number in range(50)]
    path = write(tmp_path / "x.games", games)
    orders = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        out = tmp_path / f"{name}.games"
        assert run("shuffle", path, "--out", out, "--seed", seed) == 0
        orders.append([game.plies[0][1] for game in read_games([out])])
    assert orders[0] == orders[1] != orders[2]
    assert sorted(score for score in orders[0] if score is not None) == list(range(50)) != orders[0]


def test_split_takes_whole_games_and_always_the_same(tmp_path: Path) -> None:
    games = [replace(GAMES[0], number=number, plies=((GAMES[0].plies[0][0], number),)) for number in range(200)]
    path = write(tmp_path / "x.games", games)
    most = write(tmp_path / "most.games", games[50:])
    sides = {}
    for source in (path, most):
        out, rest = tmp_path / f"{source.stem}-a.games", tmp_path / f"{source.stem}-b.games"
        assert run("split", source, "--out", out, "--rest", rest, "--share", 0.8) == 0
        sides[source] = [{game.plies[0][1] for game in read_games([one])} for one in (out, rest)]
    assert sides[path][0] | sides[path][1] == set(range(200))
    assert not sides[path][0] & sides[path][1]
    assert 130 < len(sides[path][0]) < 190
    assert sides[most][0] == sides[path][0] & set(range(50, 200))


def test_import_reads_text_and_tries_every_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, packed, out = tmp_path / "a.txt", tmp_path / "b.txt.xz", tmp_path / "x.games"
    plain.write_text("\n".join(LINES) + "\n", encoding="ascii")
    with lzma.open(packed, "wt", encoding="ascii") as file:
        file.write(LINES[0] + "\n")
    assert run("import", plain, packed, "--out", out) == 0
    assert "4 games, 11 positions" in capsys.readouterr().out
    assert list(read_games([out])) == [*GAMES, replace(GAMES[0], number=4)]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("1-0 agreed||h2e2:1 e3e2:5", r"bad\.txt:2: game 2: ply 2, e3e2, is not a legal move"),
        ("1-0 agreed|h2e2", r"bad\.txt:2: expected RESULT REASON"),
        ("1-0 agreed||h2e2:1 ü", r"bad\.txt:2: '\\xc3\\xbc' is not a move with its score"),
        ("1-0 agreed||h2e2:much", r"bad\.txt:2: 'h2e2:much' is not a move with its score"),
        ("1-0 agreed||h2e2:40000", r"bad\.txt:2: 'h2e2:40000' is not a move with its score"),
        ("ü agreed||h2e2:1", r"bad\.txt:2: '\\xc3\\xbc agreed' is not a result with a known reason"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_written(
    line: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, out = tmp_path / "bad.txt", tmp_path / "x.games"
    bad.write_text(f"{LINES[0]}\n{line}\n", encoding="utf-8")
    assert run("import", bad, "--out", out) == 2
    error = capsys.readouterr().err
    assert re.search(fault, error), error
    assert not out.exists()
    assert not list(tmp_path.glob("*.part"))


def test_a_line_that_is_being_written_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, out = tmp_path / "a.txt", tmp_path / "x.games"
    text.write_text(f"{LINES[0]}\n{LINES[1][:-1]}", encoding="ascii")
    assert run("import", text, "--out", out) == 0
    assert "a.txt:2: the line is incomplete" in capsys.readouterr().err
    assert list(read_games([out])) == GAMES[:1]


def test_a_cut_archive_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.txt.xz"
    bad.write_bytes(lzma.compress(("\n".join(LINES * 100)).encode())[:-30])
    assert run("import", bad, "--out", tmp_path / "x.games") == 2
    assert "bad.txt.xz" in capsys.readouterr().err


def test_nothing_is_written_over(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = path.read_bytes()
    assert run("join", path, "--out", path) == 2
    assert f"{path} already exists" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_damage_is_named_or_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "x.games", GAMES, one_block=False)
    second = list(read_blocks([path]))[1]
    content = bytearray(path.read_bytes())
    content[second.end - 1] ^= 1
    path.write_bytes(content)
    for arguments in ([path], ["join", path, "--out", tmp_path / "no.games"]):
        assert run(*arguments) == 2
        assert f"block 2 (at byte {second.offset}) is damaged" in capsys.readouterr().err
    assert not (tmp_path / "no.games").exists()
    assert run("join", path, "--out", tmp_path / "rest.games", "--skip-damaged") == 0
    assert "skipped: " in capsys.readouterr().err
    assert len(list(read_games([tmp_path / "rest.games"]))) == 2


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["there-is-none.games"], "there-is-none.games"),
        (["split", "{path}", "--output", "a", "--rest", "./a"], "a cannot hold two outputs"),
        (["{path}", "--plot", "x.nonsense"], "nonsense"),
    ],
)
def test_a_fault_is_one_line(
    arguments: list[str],
    fault: str,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*(argument.format(path=path) for argument in arguments)) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("chuhe data: ")
    assert fault in error


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_positions_as_a_table(suffix: str, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"table.{suffix}"
    assert run("export", path, "--output", out) == 0
    wanted = [
        (fen_of(record), int(record["score"]), record["result"] / 2)
        for block in read_blocks([path])
        for record in expand(block)[0]
    ]
    moves = [
        move.iccs for block in read_blocks([path]) for game in block.unpack() for move, score in game.plies
        if score is not None
    ]  # fmt: skip
    if suffix == "csv":
        with out.open(encoding="utf-8") as text:
            rows: list[dict[str, Any]] = list(csv.DictReader(text))
    else:
        from pyarrow import parquet

        rows = parquet.read_table(out).to_pylist()
    assert [(row["fen"], int(row["score"]), float(row["result"])) for row in rows] == wanted
    assert {int(row["game"]) for row in rows} == {1, 2, 3}
    assert [row["move"] for row in rows] == moves
    assert all(Position(row["fen"]).is_legal(Move.from_iccs(row["move"])) for row in rows)
    assert f"{len(wanted)} positions" in capsys.readouterr().out
    assert run("export", path, "--output", tmp_path / "table.txt") == 2
    assert ".parquet or .csv" in capsys.readouterr().err


PGN = """[Result "0-1"]

1. C2=5 {[%eval -0.31]} H8+7 {[%eval #2]} 2. C5+4 {[%eval #-3]} H2+3 0-1

[FEN "3k5/9/9/9/9/9/9/9/9/4K3R w - - 4 9"]
[Result "*"]

1. R1+9 K4+1 *
"""


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_games_of_a_game_file_as_a_table(suffix: str, path: Path, tmp_path: Path) -> None:
    games, out = tmp_path / "games.pgn", tmp_path / f"table.{suffix}"
    games.write_text(PGN, encoding="utf-8")
    assert run("export", games, "--output", out) == 0
    if suffix == "csv":
        with out.open(encoding="utf-8") as text:
            rows: list[dict[str, Any]] = list(csv.DictReader(text))
    else:
        from pyarrow import parquet

        table = parquet.read_table(out)
        rows = [{name: "" if value is None else str(value * 1) for name, value in row.items()}
                for row in table.to_pylist()]  # fmt: skip
        alone, both = tmp_path / "alone.parquet", tmp_path / "both.parquet"
        assert run("export", path, "--output", alone) == 0
        assert run("export", games, path, "--output", both) == 0
        assert parquet.read_table(both).num_rows == table.num_rows + parquet.read_table(alone).num_rows
    assert [row["fen"].split()[1] for row in rows] == [*"wbwbwb"]
    names = ("game", "ply", "move", "score", "result", "check", "capture", "mate")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("1", "0", "h2e2", "", "0.0", "0", "0", "0"),
        ("1", "1", "h9g7", "31", "1.0", "0", "0", "0"),
        ("1", "2", "e2e6", "29997", "0.0", "0", "1", "1"),
        ("1", "3", "b9c7", "29995", "1.0", "0", "0", "1"),
        ("2", "0", "i0i9", "", "", "0", "0", "0"),
        ("2", "1", "d9d8", "", "", "1", "0", "0"),
    ]


def test_a_broken_game_is_no_row_of_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = tmp_path / "games.pgn", tmp_path / "table.csv"
    games.write_text(PGN.replace("C5+4", "C5+9"), encoding="utf-8")
    assert run("export", games, "--output", out) == 2
    assert not out.exists()
    assert run("export", games, "--output", out, "--skip-damaged") == 0
    assert out.read_text(encoding="utf-8").count("\n") == 3
    assert capsys.readouterr().err.count("game 1, move 2") == 2


# Rescoring

QUICK = ["--nodes", "60", "--hash", "1"]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    path = tmp_path / "played.games"
    assert selfplay_command.main(["--games", "20", "--output", str(path), *QUICK]) == 0
    return path


def test_rescored_games_are_the_same_bytes_from_all_workers(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chuhe.bench.learning.rescore.BLOCK_SECONDS", float("inf"))  # the blocks depend on the time
    files = []
    for name, workers in (("one", []), ("two", ["--concurrency", "2"]), ("far", ["--cluster", "local"])):
        files.append(tmp_path / f"{name}.games")
        assert run("rescore", played, "--output", files[-1], *QUICK, "--nodes", 100, *workers) == 0
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()
    before, after = (list(read_games([path])) for path in (played, files[0]))
    assert [game.result for game in after] == [game.result for game in before]
    assert after != before


def test_rescoring_resumes(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, broken = tmp_path / "whole.games", tmp_path / "broken.games"
    assert run("rescore", played, "--output", whole, *QUICK) == 0
    step = Bar.step

    def interrupt(bar: Bar, note: str = "", count: int = 1) -> None:
        step(bar, note, count)
        raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "step", interrupt)
    assert run("rescore", played, "--output", broken, *QUICK) == 130
    assert "the same command resumes" in capsys.readouterr().err
    assert len(list(read_games([broken]))) == PIECE
    monkeypatch.undo()
    assert run("rescore", played, "--output", broken, *QUICK, "--nodes", 61) == 2
    assert "nodes is 60 there and 61 now" in capsys.readouterr().err
    assert run("rescore", played, "--output", broken, *QUICK) == 0
    assert list(read_games([broken])) == list(read_games([whole]))
    assert run("rescore", played, "--output", tmp_path / "x.games", "--nodes", 60, "--most-nodes", 59) == 2
