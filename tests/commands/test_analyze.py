import os
import re
import signal
import warnings
import xml.etree.ElementTree as ElementTree
from functools import partial
from pathlib import Path

import pytest
from game_files import xqf

from chuhe.coach.judgement import Judgement, annotate, clamped, judge_game, judgements, summary
from chuhe.commands import analyze
from chuhe.commands.analyze import main, write_plot
from chuhe.common.score_plot import check_plot
from chuhe.engine import BestMove, Move, Position, Score
from chuhe.records.files import read_games, write_games
from chuhe.records.game_record import GameRecord, RecordedMove
from chuhe.records.pgn import parse_pgn

BLUNDER = "1. h2e2 h9g7 2. e2e6 *"  # the cannon takes a pawn that two knights guard


def scripted(scores: dict[int, tuple[int, str]]) -> object:
    """A fake search with a given (score for the mover, best move) for each ply."""

    def search(position: Position, times: int = 1) -> BestMove:
        cp, move = scores.get(position.ply, (0, ""))
        best = Move.from_iccs(move) if move else position.legal_moves[0]
        if best not in position.legal_moves:  # in another line
            best = position.legal_moves[0]
        return BestMove(best, None, Score(cp=cp), 9, 100, 1, (best,))

    return search


def test_every_move_is_judged_against_the_best() -> None:
    (record,) = parse_pgn(BLUNDER)
    search = scripted({0: (5, "h2e2"), 1: (-3, "h9g7"), 2: (8, "h0g2"), 3: (120, "g7e6")})
    steps: list[int] = []
    judgements = judge_game(record, search, lambda: steps.append(1))  # type: ignore[arg-type]
    assert len(steps) == 4
    assert [judgement.loss for judgement in judgements] == [0, 0, 128]
    assert [judgement.grade for judgement in judgements] == [("", ""), ("", ""), ("??", "blunder")]
    assert [str(judgement.for_red) for judgement in judgements] == ["+0.03", "+0.08", "-1.20"]


def test_judgements_come_one_by_one_from_the_end() -> None:
    (record,) = parse_pgn(BLUNDER)
    searched: list[int] = []
    known = scripted({0: (5, "h2e2"), 1: (-3, "h9g7"), 2: (8, "h0g2"), 3: (120, "g7e6")})

    def search(position: Position, times: int = 1) -> BestMove:
        searched.append(position.ply)
        return known(position)  # type: ignore[operator, no-any-return]

    coming = judgements(record.fen, record.plain_moves, search)
    assert next(coming)[0] == 2
    assert (searched[:2], min(searched)) == ([3, 2], 2)  # no earlier position yet
    assert [index for index, _ in coming] == [1, 0]


def test_annotations_carry_score_mark_and_better_line() -> None:
    (record,) = parse_pgn(BLUNDER)
    search = scripted({0: (5, "h2e2"), 1: (-3, "h9g7"), 2: (8, "h0g2"), 3: (120, "g7e6")})
    judgements = judge_game(record, search)  # type: ignore[arg-type]
    annotated = annotate(record, judgements)
    assert annotated.moves[0] == RecordedMove(Move.from_iccs("h2e2"), "+0.03/9 book")
    last = annotated.moves[2]
    assert last.mark == "??"
    assert last.comment.startswith("-1.20/9 blunder, loses 1.28.")
    assert last.variations[0][0] == RecordedMove(Move.from_iccs("h0g2"))
    assert annotated.tags["Annotator"] == "Chuhe"


def test_a_finished_game_has_its_result_for_a_score() -> None:
    fen = "3k5/1R7/R8/9/9/9/9/9/9/5K3 w - - 0 1"
    record = GameRecord(fen, (RecordedMove(Move.from_iccs("a7a9")),))
    (judgement,) = judge_game(record, scripted({0: (220, "a7a9")}))  # type: ignore[arg-type]
    assert clamped(judgement.for_red) == 500
    assert judgement.loss == 0
    assert annotate(record, [judgement]).moves[0].comment == "Black is checkmated"
    assert annotate(record, [judgement], "chinese").moves[0].comment == "黑方被将死"


def test_the_summary_counts_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("HALF_WON", 409), ("SLOPE", 0.0025)):  # of one network; the accuracy rests on them
        monkeypatch.setattr(f"chuhe.engine.score_scale.{name}", value)
    (record,) = parse_pgn(BLUNDER)
    search = scripted({0: (5, "h2e2"), 1: (60, "b9c7"), 2: (8, "h0g2"), 3: (120, "g7e6")})
    lines = summary(judge_game(record, search)).splitlines()  # type: ignore[arg-type]
    assert lines[0].split() == ["moves", "average", "loss", "accuracy", "inaccuracy", "mistake", "blunder"]
    assert lines[1].split() == ["Red", "2", "0.64", "64.8%", "0", "0", "1"]
    assert lines[2].split() == ["Black", "1", "0.68", "51.2%", "0", "1", "0"]


def test_moves_of_the_book_have_no_mark() -> None:
    (record,) = parse_pgn("1. h2e2 h9g7 2. h0g2 b9c7 *")
    search = scripted({0: (30, "b2e2"), 1: (0, "h9g7"), 2: (0, "h0g2"), 3: (0, "b9c7"), 4: (0, "")})
    judged = judge_game(record, search)  # type: ignore[arg-type]
    assert [judgement.book for judgement in judged] == [True] * 4
    assert {judgement.grade for judgement in judged} == {("", "")}
    assert judged[0].loss > 0


def test_a_longer_look_finds_a_move_of_the_book_good_enough() -> None:
    (record,) = parse_pgn("1. h2e2 *")

    def search(position: Position, times: int = 1) -> BestMove:
        score = (120 if times == 1 else 30) if position.ply == 0 else 0
        return BestMove(Move.from_iccs("b2e2"), None, Score(cp=score), 9, 1000, 5, ())

    (judgement,) = judge_game(record, search)
    assert judgement.loss == 30
    assert (judgement.book, judgement.grade) == (True, ("", ""))


def test_a_move_that_keeps_a_won_game_is_no_mistake() -> None:
    won = Judgement(0, Score(mate=3), Score(cp=900), (), 9, was_best=False)
    assert (won.grade, won.points_lost, won.accuracy) == (("", ""), 0.0, 100.0)
    assert Judgement(0, Score(mate=3), Score(mate=9), (), 9, was_best=False).grade == ("", "")
    assert Judgement(0, Score(mate=3), Score(cp=20), (), 9, was_best=False).grade == ("??", "blunder")


@pytest.mark.parametrize("kind", ["pgn", "xqf"])
def test_the_command_writes_an_annotated_game_and_a_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    path = tmp_path / f"game.{kind}"
    if kind == "pgn":
        write_games(path, parse_pgn(BLUNDER))
    else:
        path.write_bytes(xqf(["h2e2", "h9g7", "e2e6"]))
    assert main([str(path), "--depth", "4", "--hash", "4", "--notation", "chinese"]) == 0
    (annotated,) = read_games(tmp_path / "game.annotated.pgn")
    assert [str(move) for move in annotated.plain_moves] == ["h2e2", "h9g7", "e2e6"]
    assert all(re.match(r"[+-]\d+\.\d\d/\d+", move.comment) for move in annotated.moves)
    assert "炮二平五" in (tmp_path / "game.annotated.pgn").read_text(encoding="utf-8")
    assert ElementTree.parse(tmp_path / "game.svg").getroot().tag.endswith("svg")
    output = capsys.readouterr()
    assert "average loss" in output.out
    assert annotated.tags["Opening"] == "中炮局"
    assert "\n中炮局\n" in output.out
    assert "4/4 positions" in output.err


def test_bad_input_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_games(tmp_path / "a.pgn", parse_pgn(BLUNDER))
    assert main([str(tmp_path / "none.pgn")]) == 2
    assert main([str(tmp_path / "a.pgn"), "--game", "3"]) == 2
    assert main([str(tmp_path / "a.pgn"), "--depth", "1", "--plot", str(tmp_path / "a.gif")]) == 2
    errors = capsys.readouterr().err
    assert "No such file" in errors
    assert "has 1 game; there is no game 3" in errors
    assert "plots are .svg or .png" in errors
    with pytest.raises(SystemExit):
        main([str(tmp_path / "a.pgn"), "--time", "0"])


def test_plots_are_svg_or_png_and_marked_as_ours(tmp_path: Path) -> None:
    for name in ("p.png", "p.svg"):
        write_plot(tmp_path / name, [0, 1000, -1000, 5000], {1: "??"}, "a < b")
        check_plot(tmp_path / name)  # ours, so it may be replaced
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(tmp_path / "p.svg").getroot().tag.endswith("svg")


def test_without_matplotlib_there_is_no_plot_but_a_line_about_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chuhe.commands.analyze.can_plot", lambda: False)
    monkeypatch.setattr("chuhe.common.score_plot.can_plot", lambda: False)
    write_games(tmp_path / "a.pgn", parse_pgn(BLUNDER))
    assert main([str(tmp_path / "a.pgn"), "--depth", "1"]) == 0
    assert "needs matplotlib" in capsys.readouterr().err
    assert not (tmp_path / "a.svg").exists()
    assert main([str(tmp_path / "a.pgn"), "--depth", "1", "--plot", str(tmp_path / "b.svg")]) == 2
    assert "needs matplotlib" in capsys.readouterr().err


def test_interrupted_in_the_first_game_it_names_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chuhe.commands.analyze.judge_game", interrupted)
    (path := tmp_path / "a.pgn").write_text("1. h2e2 h9g7 *\n\n1. b2e2 *\n")
    assert main([str(path), "--depth", "1"]) == 130
    said = capsys.readouterr().err
    assert "nothing was written" in said
    assert "annotated" not in said
    assert list(tmp_path.iterdir()) == [path]


def test_chinese_names_in_a_plot_give_no_warning(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_plot(tmp_path / "x.png", [0, 100], {}, "胡荣华 - 許銀川")


def seven_games(path: Path) -> Path:
    lines = ["1. h2e2 h9g7", "1. c3c4 b7e7", "1. b0c2 c6c5 2. h2e2", "1. g3g4", "1. h0g2 b9c7", "1. b2e2", "1. g0e2"]
    write_games(path, [game for line in lines for game in parse_pgn(f"{line} *")])
    return path


def test_several_workers_write_the_same_bytes_and_a_stopped_analysis_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = seven_games(tmp_path / "x.pgn")
    outputs = {name: tmp_path / f"{name}.pgn" for name in ("one", "two", "far", "stopped")}
    common = [str(path), "--nodes", "200", "--hash", "1", "--plot", "none", "--output"]
    said = set()
    for name, workers in (("one", []), ("two", ["--concurrency", "2"]), ("far", ["--cluster", "local"])):
        assert main([*common, str(outputs[name]), *workers]) == 0
        said.add(capsys.readouterr().out.replace(str(outputs[name]), ""))
    assert outputs["one"].read_bytes() == outputs["two"].read_bytes() == outputs["far"].read_bytes()
    assert len(said) == 1

    games, whole = 0, analyze.analyze_game

    def stopping(*arguments: object) -> analyze.AnalyzedGame:
        nonlocal games
        games += 1
        if games == 4:
            raise KeyboardInterrupt
        return whole(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(analyze, "analyze_game", stopping)
    assert main([*common, str(outputs["stopped"])]) == 130
    assert len(read_games(outputs["stopped"])) == 3
    monkeypatch.undo()
    assert main([*common, str(outputs["stopped"]), "--resume", "--concurrency", "2"]) == 0
    assert outputs["stopped"].read_bytes() == outputs["one"].read_bytes()
    write_games(path, read_games(path)[1:], overwrite=True)
    assert main([*common, str(outputs["stopped"]), "--resume"]) == 2
    assert "game 1 differs" in capsys.readouterr().err


def killing(marker: Path, analysis: analyze.Analysis, game: GameRecord) -> analyze.AnalyzedGame:
    """The first worker that gets the third game is killed."""
    if game.moves[0].move.iccs == "b0c2" and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return analyze_game(analysis, game)


analyze_game = analyze.analyze_game


@pytest.mark.parametrize("workers", [["--concurrency", "2"], ["--cluster", "local", "--concurrency", "2"]])
def test_a_killed_worker_loses_nothing_and_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, workers: list[str]
) -> None:
    path = seven_games(tmp_path / "x.pgn")
    common = [str(path), "--nodes", "200", "--hash", "1", "--plot", "none", "--output"]
    assert main([*common, str(tmp_path / "whole.pgn")]) == 0
    monkeypatch.setattr(analyze, "analyze_game", partial(killing, tmp_path / "marker"))
    assert main([*common, str(tmp_path / "killed.pgn"), *workers]) == 0
    assert "done again" in capsys.readouterr().err
    assert (tmp_path / "killed.pgn").read_bytes() == (tmp_path / "whole.pgn").read_bytes()
