"""Whole matches between toy engines: nothing an engine does may stop a match."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import cchess
import kill_match
import pytest
from paths import ROOT, RUDE_ENGINE, TOY_COMMAND
from toys import TOY, toy, toy_match
from verify_games import disagreements
from waiting import PATIENCE

from chuhe.bench.matches.local import MatchError
from chuhe.bench.matches.match_progress import MatchProgress
from chuhe.bench.matches.match_values import Adjudication, EngineSpec, MatchGame, MatchSettings
from chuhe.bench.matches.runner import PGN, run_match
from chuhe.bench.matches.standings import Standings
from chuhe.bench.matches.store import StoreError, read_results
from chuhe.bench.matches.summary import summary
from chuhe.bench.statistics import Sprt
from chuhe.commands.match import main
from chuhe.files.writing import OutputError, append_whole
from chuhe.protocol.processor import ProcessorWait
from chuhe.protocol.units import score_from_ucci
from chuhe.records.pgn import parse_pgn

SHORT = Adjudication(max_moves=8)


def games_of(settings: MatchSettings) -> list[MatchGame]:
    return sorted(run_match(settings).games, key=lambda game: game.number)


@pytest.mark.parametrize("protocol", ["ucci", "uci", "auto"])
def test_a_plain_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: str) -> None:
    monkeypatch.setattr("chuhe.protocol.client.DETECTION_TIMEOUT", PATIENCE)  # a busy machine starts Python slowly
    engines = [toy("a", protocol=protocol), toy("b", seed=2, protocol=protocol)]
    settings = toy_match(tmp_path, *engines, concurrency=2, adjudication=Adjudication(max_moves=40))
    games = games_of(settings)
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert [text for game in games for text in disagreements(game)] == []
    score = "+0.12" if protocol == "uci" else str(score_from_ucci(3))
    assert all(move.depth == 3 and move.nodes == 42 and move.score == score for move in games[0].moves)
    assert {game.red for game in games[::2]} == {"a"}
    stored = sorted(read_results(settings.output)[1], key=lambda game: game.number)
    assert stored == games


# behaviour, expected reason; every behaviour starts at the bad engine's third search
FORFEITS = [
    ("illegal", "illegal move"),
    ("garbage", "bad answer"),
    ("nomove", "no move"),
    ("crash", "crash"),
    ("resign", "resignation"),
    ("endless-line", "crash"),
]


@pytest.mark.parametrize(("behaviour", "reason"), FORFEITS)
def test_misbehaviour_loses_the_game_and_the_match_goes_on(tmp_path: Path, behaviour: str, reason: str) -> None:
    bad = toy("bad", behaviour, after=2, restart=True)
    games = games_of(toy_match(tmp_path, toy("good"), bad, concurrency=2))
    assert [(game.reason, game.points_of("bad")) for game in games] == [(reason, 0.0)] * 4
    assert all(len(game.moves) in (4, 5) for game in games)
    assert all("bad" in game.detail for game in games)


@pytest.mark.parametrize(
    ("behaviour", "late", "reason"),
    [
        ("silent", PATIENCE, "time forfeit"),  # answers only after `stop`
        ("slow", PATIENCE, "time forfeit"),  # answers after 1.5 s
        ("deaf", 0.2, "hang"),  # never reads again
        ("flood", 0.2, "hang"),  # writes endlessly, but never an answer
    ],
)
def test_engines_that_do_not_answer_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, late: float, reason: str
) -> None:
    """The limit is a second, which the good engine keeps even on a busy machine."""
    monkeypatch.setattr("chuhe.protocol.client.LATE_TIMEOUT", late)
    engines = [toy("good"), toy("bad", behaviour, after=1)]
    games = games_of(toy_match(tmp_path, *engines, control="movetime=100", margin=900, games=2, concurrency=2))
    assert [(game.reason, game.points_of("bad")) for game in games] == [(reason, 0.0)] * 2


def test_a_crash_tells_the_engines_last_words(tmp_path: Path) -> None:
    games = games_of(toy_match(tmp_path, toy("good"), toy("bad", "crash"), games=2))
    assert "segmentation fault, as it were" in games[0].detail
    assert "exit code 3" in games[0].detail


@pytest.mark.parametrize(("behaviour", "text"), [("dies", "no such network file"), ("mute", "uciok")])
def test_engines_that_cannot_start_are_told_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, text: str
) -> None:
    if behaviour == "mute":
        monkeypatch.setattr("chuhe.protocol.client.START_TIMEOUT", 3.0)
    settings = toy_match(tmp_path, toy("good"), toy("bad", behaviour, protocol="uci"))
    with pytest.raises(MatchError, match=text):
        run_match(settings)
    assert not Path(settings.output).exists()
    Path(settings.output).mkdir()  # one that was there before stays, and what is in it
    (Path(settings.output) / "notes.txt").write_text("mine")
    with pytest.raises(MatchError, match=text):
        run_match(settings)
    assert (Path(settings.output) / "notes.txt").read_text() == "mine"


def test_draw_offers_reach_the_opponent(tmp_path: Path) -> None:
    both = [toy("a", "draw", protocol="ucci"), toy("b", "draw", protocol="ucci")]
    games = games_of(toy_match(tmp_path, *both, games=2))
    assert [(game.result, game.reason, len(game.moves)) for game in games] == [("1/2-1/2", "draw agreed", 1)] * 2
    one = games_of(
        toy_match(
            tmp_path, both[0], toy("c", protocol="ucci"), games=2, adjudication=SHORT, output=str(tmp_path / "one")
        )
    )
    assert "draw agreed" not in {game.reason for game in one}


def test_a_clock_runs_and_is_recorded(tmp_path: Path) -> None:
    games = games_of(toy_match(tmp_path, toy("a"), toy("b", odds=0.5), control="100+1", games=2, adjudication=SHORT))
    for first, base, increment in ((0, 100_000, 1000), (1, 50_000, 500)):
        moves = games[0].moves[first::2]
        clock = moves[-1].clock
        assert clock is not None
        assert abs(clock - (base + increment * len(moves) - sum(move.time for move in moves))) <= len(moves)


def test_pondering_plays_the_same_kind_of_game(tmp_path: Path) -> None:
    """The toy predicts a reply; right or wrong, the next answer must be for the real position."""
    settings = toy_match(tmp_path, toy("a"), toy("b", seed=5), control="100+1", ponder=True, adjudication=SHORT)
    games = games_of(settings)
    assert {game.reason for game in games} == {"move count"}


def test_resign_adjudication_needs_no_word_of_the_law(tmp_path: Path) -> None:
    rules = Adjudication(resign_moves=2, resign_score=500, max_moves=20)
    games = games_of(
        toy_match(tmp_path, toy("a", "lies", protocol="uci"), toy("b", protocol="uci"), adjudication=rules)
    )
    assert {game.reason for game in games} == {"move count"}  # only one of the two believes it is winning


def test_sprt_ends_the_match(tmp_path: Path) -> None:
    settings = toy_match(
        tmp_path, toy("good"), toy("bad", "resign"), games=400, sprt=Sprt(0, 200), concurrency=2, adjudication=SHORT
    )
    standings = run_match(settings)
    assert standings.sprt(settings.sprt) == "accepted"
    assert 4 <= len(standings.games) < 100
    assert "accepted" in summary(standings, settings)
    again = run_match(settings, resume=True)
    assert len(again.games) == len(standings.games)  # a decided test is not continued


def test_lines_are_checked_and_the_dialogue_is_kept(tmp_path: Path) -> None:
    engines = toy("a b", "boasts", protocol="uci"), toy("b", protocol="uci")
    settings = toy_match(tmp_path, *engines, adjudication=SHORT, check_lines=True, dialogue=True)
    standings = run_match(settings)
    assert "a b: " in summary(standings, settings)
    assert {name for game in standings.games for name, _ in game.faults} == {"a b"}
    dialogue = (Path(settings.output) / "a_b-1.log").read_text()
    assert " > go nodes 100" in dialogue
    assert " < bestmove " in dialogue
    assert run_match(settings, resume=True).games[0].faults == standings.games[0].faults


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux binds processes to processors")
def test_engines_are_bound_to_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[tuple[int, ...]] = []
    monkeypatch.setattr("chuhe.bench.matches.contender.bind", lambda pid, processors: bound.append(tuple(processors)))
    run_match(toy_match(tmp_path, toy("a"), toy("b"), games=2, adjudication=SHORT, affinity=1))
    assert set(bound) == {(min(os.sched_getaffinity(0)),)}
    with pytest.raises(MatchError, match="needs 99 processors"):
        run_match(toy_match(tmp_path, toy("a"), toy("b"), affinity=99), resume=True)


def test_openings_can_be_cut_and_skipped(tmp_path: Path) -> None:
    settings = toy_match(
        tmp_path, toy("a"), toy("b"), order="sequential", adjudication=SHORT, opening_plies=1, opening_start=3
    )
    assert [game.opening_moves for game in games_of(settings)] == [("c3c4",), ("c3c4",), ("h0g2",), ("h0g2",)]


def test_three_engines_have_a_rating_table(tmp_path: Path) -> None:
    engines = [toy("a"), toy("b", seed=2), toy("loser", "resign")]
    settings = toy_match(tmp_path, *engines, games=4, adjudication=SHORT)
    standings = run_match(settings)
    assert len(standings.games) == 12
    assert standings.ratings()[-1].name == "loser"
    assert "loser" in summary(standings, settings)


def test_resume_plays_only_what_is_missing_and_more_when_asked(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b", seed=2), games=4, adjudication=SHORT)
    first = games_of(settings)
    with pytest.raises(StoreError, match="--resume"):
        run_match(settings)
    pgn = Path(settings.output) / PGN
    pgn.write_text("torn by a kill")
    standings = run_match(replace(settings, games=8), resume=True)
    assert sorted(standings.games, key=lambda game: game.number)[:4] == first
    assert sorted(game.number for game in standings.games) == list(range(1, 9))
    assert sorted(int(game.tags["Round"]) for game in parse_pgn(pgn.read_text())) == list(range(1, 9))


def test_cchess_reads_the_pgn_of_a_match(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b", seed=2), adjudication=SHORT)
    games = {game.number: game for game in games_of(settings)}
    texts = (Path(settings.output) / PGN).read_text().split("[Game ")[1:]
    assert len(texts) == 4
    for text in texts:
        path = tmp_path / "one.pgn"
        path.write_text("[Game " + text)
        read = cchess.Game.read_from(str(path))
        game = games[int(read.info["round"])]
        assert read.dump_iccs_moves()[0] == [*game.opening_moves, *(move.move for move in game.moves)]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b"))
    engines = [f"{spec.name}={shlex.join(spec.command)}" for spec in settings.engines]
    common = ["--openings", str(settings.openings), "--output", settings.output, "--no-report", "--max-moves", "5"]
    assert main([*engines, "--nodes", "9", "--games", "2", *common, "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert main([*engines, "--nodes", "9", "--games", "4", *common, "--resume"]) == 0
    captured = capsys.readouterr()
    assert "a against b" in captured.out
    assert "resuming after 2 of 4 games" in captured.err
    assert main([*engines, "--nodes", "9", "--games", "4", *common]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main(["nowhere", str(TOY), "--nodes", "9", "--output", str(tmp_path / "n"), "--openings", common[1]]) == 2
    assert "cannot run 'nowhere'" in capsys.readouterr().err


@pytest.mark.needs("fairy-stockfish")
def test_our_engine_against_fairy_stockfish(tmp_path: Path) -> None:
    """Two protocols and two rank numberings with one referee."""
    ours = EngineSpec("chuhe", (sys.executable, "-m", "chuhe"), "ucci", directory=str(ROOT))
    theirs = EngineSpec("fairy-stockfish", ("fairy-stockfish",), "uci1", (("Hash", "16"),))
    settings = toy_match(tmp_path, ours, theirs, control="nodes=500", adjudication=Adjudication(max_moves=40))
    games = games_of(settings)
    assert [text for game in games for text in disagreements(game)] == []
    assert not {game.reason for game in games} & MatchProgress.MISBEHAVIOUR
    assert all(move.nodes and move.depth for game in games for move in game.moves[:10])


def test_an_option_that_the_engine_does_not_have_is_told(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b", options=(("Contempt", "5"),)))
    with pytest.raises(MatchError, match="no option 'Contempt'"):
        run_match(settings)


def test_the_progress_names_misbehaviour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_match(toy_match(tmp_path, toy("good"), toy("bad", "illegal"), games=2), progress=MatchProgress())
    lines = capsys.readouterr().err
    assert "bad plays a0a9" in lines
    assert "2/2 games" in lines


def test_a_killed_match_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    """A short run of tests/tools/kill_match.py."""
    assert kill_match.run(tmp_path, kills=3, seed=7, games=24) >= 2
    assert kill_match.faults(tmp_path, 24) == []


def test_resume_refuses_other_terms(tmp_path: Path) -> None:
    """Games with different settings must not be mixed."""
    engines = toy("a"), toy("b", seed=2)
    settings = toy_match(tmp_path, *engines, games=2, adjudication=SHORT)
    run_match(settings)
    changes: list[tuple[str, dict[str, Any]]] = [
        ("adjudication", {"adjudication": Adjudication(max_moves=9)}),
        ("adjudication", {"adjudication": Adjudication(max_moves=8, resign_alone=True)}),
        ("margin", {"margin": 500}),
        ("hang", {"hang": 1000}),
        ("protocols", {"engines": (engines[0], replace(engines[1], protocol="uci"))}),
        ("restarts", {"engines": (replace(engines[0], restart=True), engines[1])}),
        ("directories", {"engines": (replace(engines[0], directory="/tmp"), engines[1])}),
    ]
    for name, change in changes:
        with pytest.raises(StoreError, match=f"another match: its {name} is"):
            run_match(replace(settings, **change), resume=True)
    assert len(run_match(replace(settings, games=4, concurrency=2), resume=True).games) == 4


def test_files_in_the_directory_that_no_match_wrote_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b", seed=2), games=2, adjudication=SHORT, report=True)
    out = Path(settings.output)
    out.mkdir()
    for name in (PGN, "match.toml", "report.html", "elo.png"):
        (out / name).write_text("mine")
        with pytest.raises(OutputError, match=f"{name} exists already"):
            run_match(settings)
        assert [path.name for path in out.iterdir()] == [name]
        assert (out / name).read_text() == "mine"
        (out / name).unlink()
    (out / PGN).write_text("mine")
    assert len(run_match(settings, force=True).games) == 2
    assert len(run_match(settings, resume=True).games) == 2


def test_a_stored_game_that_was_changed_is_told(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b", seed=2), games=2, adjudication=SHORT)
    run_match(settings)
    path = Path(settings.output) / "results.jsonl"
    text = path.read_text()
    changes = [
        (r'"red":"a"', '"red":"z"'),
        (r'"opening_moves":\["\w+"', '"opening_moves":["h2h9"'),
        (r'"opening":', '"opening":7'),
    ]
    for old, new in changes:
        damaged = re.sub(old, new, text, count=1)
        assert damaged != text
        path.write_text(damaged)
        with pytest.raises(StoreError, match=r"results\.jsonl"):
            run_match(settings, resume=True)


def test_a_full_disk_ends_a_match_with_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full_disk(file: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("chuhe.bench.matches.store.append_whole", full_disk)
    command = f"{TOY_COMMAND} good"
    arguments = [f"a={command}", f"b={command}", "--nodes", "9", "--games", "2", "--output", str(tmp_path / "out")]
    assert main(arguments) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("results.jsonl: No space left on device")


def test_games_go_on_while_a_result_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow disk: the first game's result is not on the disk before a move is made in another game."""
    moved = threading.Event()
    overtaken: list[bool] = []

    def slow(file: int, data: bytes) -> None:
        if b'"number":' in data and not overtaken:
            moved.clear()
            overtaken.append(moved.wait(PATIENCE))
        append_whole(file, data)

    def note(*_: object) -> None:
        moved.set()

    monkeypatch.setattr("chuhe.bench.matches.store.append_whole", slow)
    monkeypatch.setattr("chuhe.bench.matches.refereed_game.RefereedGame._record", note)
    games_of(toy_match(tmp_path, toy("a"), toy("b", "resign", after=3), games=8, concurrency=2))
    assert overtaken == [True]


def test_a_late_runner_is_told_with_the_result(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b"), games=2, adjudication=SHORT)
    standings = Standings(["a", "b"])
    for game, late in zip(games_of(settings), (0, 310), strict=True):
        standings.add(MatchGame.from_json(replace(game, late=late).to_json()))
    assert "  warning: the runner was late in 1 game, by up to 310 ms" in summary(standings, settings)


def test_a_late_move_that_did_not_lose_is_told_with_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine waits for a processor for as long as it takes to answer."""
    monkeypatch.setattr(ProcessorWait, "seconds", lambda self: 60.0)
    short, slow = Adjudication(max_moves=2), toy("slow", "slow")
    settings = toy_match(tmp_path, toy("good"), slow, control="movetime=50", games=2, adjudication=short)
    standings = run_match(settings)
    assert {game.reason for game in standings.games} == {"move count"}
    told = "  warning: in 2 games a late move did not lose: its engine had waited for a processor, up to 60000 ms"
    assert told in summary(standings, settings)


def test_what_is_odd_about_an_engine_is_told_with_the_result(tmp_path: Path) -> None:
    rude = EngineSpec("rude", (sys.executable, str(RUDE_ENGINE), "bare"))
    settings = toy_match(tmp_path, toy("good"), rude, control="5+0.1", games=2)
    standings = run_match(settings)
    assert standings.warnings == ["rude has no option usemillisec; a test shows that its clock counts milliseconds"]
    assert "  warning: rude has no option usemillisec" in summary(standings, settings)


def test_a_directory_that_cannot_be_written_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"{TOY_COMMAND} good"
    arguments = [f"a={command}", f"b={command}", "--nodes", "9", "--games", "2", "--output", "/proc/nowhere"]
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "/proc/nowhere" in line


def test_ctrl_c_in_a_match_from_python_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(work: object) -> None:
        work.close()  # type: ignore[attr-defined]
        raise KeyboardInterrupt

    monkeypatch.setattr("chuhe.bench.matches.runner.asyncio.run", interrupted)
    settings = toy_match(tmp_path, toy("a"), toy("b"))
    with pytest.raises(KeyboardInterrupt, match="every finished game is kept") as caught:
        run_match(settings)
    assert caught.value.__suppress_context__
    assert not Path(settings.output).exists()
