"""Practice: sessions, progress on disk, own mistakes, endgames, and the terminal through a pipe."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hand_clock import HandClock
from odd_json import wrong_versions

from chuhe.coach.practice.endgames import EndgameExercise, random_endgame
from chuhe.coach.practice.progress import DAY, MINUTE, OwnMistakes, PracticeProgress
from chuhe.coach.practice.puzzles import Puzzle, bundled_puzzles, parse_puzzle
from chuhe.coach.practice.session import Feedback, PracticeSession, Trial, chosen, engine_comparison
from chuhe.commands import analyze, puzzle
from chuhe.engine import Engine, Move, Position, Score, Settings
from chuhe.engine.endgame import Tablebases
from chuhe.files.writing import MARK, OutputError

TAKES = parse_puzzle("3k5/9/9/9/n8/9/9/R8/9/4K4 w - - 0 1 | win | 1 | wins_piece | a2a5")
LONG = parse_puzzle("5k3/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1 | win | 2 | alternating_rooks | a7a8! f9e9 b6b5 e9f9 b5b9!")
MATES = parse_puzzle("5k3/1R7/R8/9/9/9/9/9/9/3K5 w - - 0 1 | win | 2 | alternating_rooks | a7a9")


@pytest.fixture
def clock() -> HandClock:
    return HandClock(1_000_000)


@pytest.fixture
def progress(tmp_path: Path, clock: HandClock) -> PracticeProgress:
    return PracticeProgress(tmp_path / "practice.json", clock)


def never(position: Position, move: Move, best: Move, goal: str) -> None:
    """No other move is as good."""


def equal(position: Position, move: Move, best: Move, goal: str) -> Trial:
    return Trial(True, (move,), Score(cp=0), Score(cp=0))


def session(progress: PracticeProgress, *puzzles: Puzzle) -> PracticeSession:
    return PracticeSession(puzzles, progress, never, random.Random(1))


def said(reply: Feedback) -> list[str]:
    return [str(message) for message in reply.messages("iccs")]


def test_a_right_answer_is_explained_and_does_not_come_back(progress: PracticeProgress, clock: HandClock) -> None:
    practice = session(progress, TAKES)
    assert practice.next() is TAKES
    reply = practice.answer(TAKES.answer)
    assert (reply.over, reply.moves) == (True, (TAKES.answer,))
    assert said(reply) == ["Right: a2a5.", "Theme: win of a piece."]
    clock.seconds += 100 * DAY
    assert practice.next() is None


def test_a_puzzle_is_played_to_its_last_move_to_find(progress: PracticeProgress) -> None:
    practice = session(progress, LONG)
    practice.next()
    reply = practice.answer(LONG.line[0])
    assert (reply.over, reply.moves) == (False, LONG.line[:4])  # the other side answers; a move that anyone finds
    assert said(reply) == ["Right: a7a8 f9e9 b6b5 e9f9. And now?"]
    assert practice.position().fen() == LONG.position(4).fen()
    assert progress.records == {}
    reply = practice.answer(Move.from_iccs("d0d1"))
    assert (reply.over, reply.moves, said(reply)) == (False, (), ["d0d1 is not it."])
    assert progress.records[LONG.name].missed == 1
    reply = practice.answer(LONG.line[4])
    assert (reply.over, reply.moves) == (True, LONG.line[4:5])
    assert said(reply)[0] == "Right: b5b9."
    assert progress.records[LONG.name].solved == 0


def test_another_move_that_mates_is_right_and_the_puzzle_goes_on_from_there(progress: PracticeProgress) -> None:
    engine = Engine(Settings(hash_mb=4, use_tables=False))
    practice = PracticeSession([LONG], progress, engine_comparison(engine, 20_000), random.Random(1))
    practice.next()
    other = Move.from_iccs("b6b8")  # mates in two as well
    reply = practice.answer(other)
    assert not reply.over
    assert reply.moves[0] == other
    assert len(reply.moves) == 2
    position = practice.position()
    mate = next(move for move in position.legal_moves if mates(position, move))
    assert practice.answer(mate).over


def test_a_wrong_answer_is_refuted_without_telling_the_right_one(progress: PracticeProgress) -> None:
    line = tuple(map(Move.from_iccs, ("a2b2", "a5b3", "b2b3")))
    trial = Trial(False, line[:2], Score(cp=20), Score(cp=900))
    practice = PracticeSession([TAKES], progress, lambda *moves: trial, random.Random(1))
    practice.next()
    reply = practice.answer(line[0])
    assert (reply.over, reply.moves, reply.refutation) == (False, (), line[:2])
    assert said(reply) == ["a2b2 is not it: Black answers a5b3."]
    assert practice.answer(TAKES.answer).over


def test_an_engine_knows_a_reply_to_every_wrong_answer() -> None:
    compare = engine_comparison(Engine(Settings(hash_mb=4, use_tables=False)), 2_000)
    position = TAKES.position()
    for move in position.legal_moves:
        trial = compare(position, move, TAKES.answer, "win")
        assert trial is not None
        assert trial.line[0] == move
        after = position.copy()
        after.push(move)
        assert not after.has_legal_moves() or after.is_legal(trial.line[1])


def mates(position: Position, move: Move) -> bool:
    after = position.copy()
    after.push(move)
    return after.is_checkmate()


def test_giving_up_shows_what_was_left_to_find(progress: PracticeProgress) -> None:
    practice = session(progress, LONG)
    practice.next()
    assert practice.give_up().moves == LONG.line[:5]
    practice = session(progress, LONG)
    practice.puzzle = LONG
    practice.answer(LONG.line[0])
    reply = practice.give_up()
    assert (reply.over, reply.moves, said(reply)[0]) == (True, LONG.line[4:5], "The answer is b5b9.")


def test_what_was_missed_comes_back_after_growing_intervals(progress: PracticeProgress, clock: HandClock) -> None:
    practice = session(progress, TAKES)
    practice.next()
    assert not practice.answer(Move.from_iccs("a2a3")).over
    assert practice.answer(TAKES.answer).over  # too late to count
    assert practice.next() is None
    for interval in (10 * MINUTE, DAY, 3 * DAY, 7 * DAY):
        clock.seconds += interval - 1
        assert practice.next() is None
        clock.seconds += 2
        assert practice.next() is TAKES
        practice.answer(TAKES.answer)
    clock.seconds += 100 * DAY
    assert practice.next() is None
    assert progress.records[TAKES.name].missed == 1
    assert progress.records[TAKES.name].solved == 4


def test_a_clock_that_was_wrong_loses_nothing(progress: PracticeProgress, clock: HandClock) -> None:
    clock.seconds += 10 * 365 * DAY
    progress.note("missed in ten years", False)
    clock.seconds -= 10 * 365 * DAY
    assert progress.is_due("missed in ten years")


def test_what_is_due_comes_before_what_is_new(progress: PracticeProgress, clock: HandClock) -> None:
    practice = session(progress, TAKES)
    practice.next()
    practice.give_up()
    both = session(progress, MATES, TAKES)
    assert both.next() is MATES
    clock.seconds += DAY
    assert both.next() is TAKES
    assert str(both.summary()) == "0 solved, 1 to come back, 1 new."


def test_progress_survives_and_a_damaged_file_is_kept(
    progress: PracticeProgress, tmp_path: Path, clock: HandClock
) -> None:
    progress.note("a", True)
    again = PracticeProgress(progress.path, clock)
    assert again.records == progress.records
    assert MARK in progress.path.read_text(encoding="utf-8")
    for damage in ("{", "[]", '{"version": 9, "puzzles": {}}', '{"version": 1, "puzzles": {"a": 3}}'):
        progress.path.write_text(damage, encoding="utf-8")
        fresh = PracticeProgress(progress.path, clock)
        assert fresh.records == {}
        assert "kept as practice.damaged.json" in fresh.notice
        assert (tmp_path / "practice.damaged.json").read_text(encoding="utf-8") == damage


def test_progress_of_any_shape_is_read_or_kept_aside(progress: PracticeProgress, clock: HandClock) -> None:
    progress.note("a", False)
    good, kept = json.loads(progress.path.read_text(encoding="utf-8")), 0
    for text in wrong_versions(good):
        progress.path.write_text(text, encoding="utf-8")
        fresh = PracticeProgress(progress.path, clock)
        kept += bool(fresh.notice)
        fresh.note("a", True)
        assert PracticeProgress(progress.path, clock).records == fresh.records
    assert kept > 50


def test_own_mistakes_are_kept_once_and_other_good_moves_count(tmp_path: Path, progress: PracticeProgress) -> None:
    mine = OwnMistakes(tmp_path / "mistakes.txt")
    better = Puzzle(TAKES.fen, "better", 2, (), TAKES.line)
    assert (mine.add([better]), mine.add([better])) == (1, 0)
    assert mine.all() == [better]
    practice = PracticeSession(mine.all(), progress, equal, random.Random(1))
    practice.next()
    assert str(practice.goal()) == "Red to move: find something better than in your game."
    reply = practice.answer(Move.from_iccs("a2a4"))
    assert (reply.over, said(reply)) == (True, ["a2a4 is as good as a2a5."])
    assert str(practice.hint()) == "This one has no theme."


def test_puzzles_are_chosen_by_theme_and_difficulty() -> None:
    assert chosen([TAKES, MATES]) == [TAKES, MATES]
    assert chosen([TAKES, MATES], ["alternating_rooks"]) == [MATES]
    assert chosen([TAKES, MATES], difficulty=1) == [TAKES]
    assert chosen([TAKES, MATES], ["alternating_rooks"], 1) == []


def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: str, *arguments: str) -> int:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return puzzle.main(["--board", "ascii", "--notation", "iccs", *arguments])


def test_the_terminal_through_a_pipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.txt"
    path.write_text(f"{TAKES.text()}\n{MATES.text()}\n", encoding="utf-8")
    typed = "help\nhint\nnonsense\na2b3\na2a4\nanswer\na7a9\n"
    monkeypatch.setattr(random.Random, "shuffle", lambda self, puzzles: None)  # the order of the file
    monkeypatch.setattr(puzzle, "engine_comparison", lambda engine: never)
    assert run(monkeypatch, tmp_path, typed, "--file", str(path)) == 0
    out = capsys.readouterr().out
    for text in (
        "0 solved, 0 to come back, 2 new.",
        "Red to move and win: exactly one move wins.",
        "Theme: win of a piece.",
        "'nonsense' is not a move",
        "a2b3",
        "a2a4 is not it.",
        "Try again",
        "The answer is a2a5.",
        "Right: a7a9.",
        "Theme: alternating rooks.",
        "Nothing left to practise here",
    ):
        assert text in out, text
    assert (tmp_path / "chuhe" / "practice.json").exists()


def test_the_terminal_asks_for_the_next_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.txt"
    path.write_text(f"{LONG.text()}\n", encoding="utf-8")
    assert run(monkeypatch, tmp_path, "a7a8\nb5b9\n", "--file", str(path)) == 0
    out = capsys.readouterr().out
    assert "Right: a7a8 f9e9 b6b5 e9f9. And now?" in out
    assert "Right: b5b9." in out


@pytest.mark.parametrize(("language", "text"), [("zh-Hans", "只练这个主题"), ("zh-Hant", "只練這個主題")])
def test_help_and_themes_are_chinese(language: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        puzzle.main(["--language", language, "--help"])
    out = capsys.readouterr().out
    assert text in out
    assert not re.search("[a-z]{3,} [a-z]{3,} [a-z]{3,}", out.split("\n\n", 1)[1])  # no English sentence
    assert puzzle.main(["--language", language, "--theme", "list"]) == 0
    assert "iron_bolt" in capsys.readouterr().out


def test_the_terminal_speaks_chinese(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.txt"
    path.write_text(f"{TAKES.text()}\n", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("车九进三\n"))
    assert puzzle.main(["--board", "ascii", "--language", "zh-Hans", "--file", str(path)]) == 0
    out = capsys.readouterr().out
    assert "红方先走，取胜：只有一着能胜。" in out
    assert "正确：车九进三。" in out
    assert "主题：得子。" in out


def test_bad_arguments_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, "", "--theme", "magic") == 2
    assert "there is no theme 'magic'" in capsys.readouterr().err
    assert run(monkeypatch, tmp_path, "", "--file", str(tmp_path / "none.txt")) == 2
    assert "none.txt" in capsys.readouterr().err
    assert run(monkeypatch, tmp_path, "", "--endgame", "KRKAABB") == 2
    assert "no endgame tables" in capsys.readouterr().out
    assert run(monkeypatch, tmp_path, "", "--theme", "list") == 0
    assert "horse and cannon (马后炮)" in capsys.readouterr().out


def test_analyze_keeps_mistakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = tmp_path / "game.pgn"
    game.write_text('[FEN "r2akab2/9/9/4p4/9/9/4P4/9/9/R2AKAB2 w"]\n\n1. f0e1 *\n', encoding="utf-8")
    arguments = [str(game), "--nodes", "3000", "--plot", "none", "--force", "--practise"]
    assert analyze.main([*arguments, "black"]) == 0
    assert OwnMistakes().all() == []
    assert analyze.main([*arguments, "red"]) == 0
    assert [puzzle.goal for puzzle in OwnMistakes().all()] == ["better"]


def play_out(exercise: EndgameExercise) -> None:
    while not exercise.achieved:
        assert exercise.play(exercise.best())
        if not exercise.achieved:
            exercise.answer()


def test_an_endgame_is_won_and_given_away(tables: Path) -> None:
    tablebases, rng = Tablebases([tables]), random.Random(2)
    exercise, worst = None, None
    while worst is None or worst.result == "win":  # a position where one can go wrong
        exercise = random_endgame(tablebases, rng, ["KPPKA"], "win")
        assert exercise is not None
        move, worst = tablebases.probe_moves(exercise.position)[-1]
    assert exercise is not None
    wrong = EndgameExercise(tablebases, exercise.position.copy(), "win")
    assert not wrong.play(move)
    play_out(exercise)
    assert exercise.position.turn == 1
    assert not exercise.position.has_legal_moves()


def test_a_draw_is_held_and_lost(tables: Path) -> None:
    tablebases = Tablebases([tables])
    exercise = random_endgame(tablebases, random.Random(4), ["KNKAA"], "hold")
    assert exercise is not None
    wrong = EndgameExercise(tablebases, exercise.position.copy(), "hold")
    assert not wrong.play(tablebases.probe_moves(wrong.position)[-1][0])
    play_out(exercise)
    assert random_endgame(tablebases, random.Random(1), ["KRRK"]) is None


def test_an_endgame_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHUHE_TABLES", str(tables))
    assert run(monkeypatch, tmp_path, "hint\nskip\nquit\n", "--endgame", "kpPkA", "--goal", "win", "--seed", "5") == 0
    assert "to move and win against perfect defence." in capsys.readouterr().out


def test_the_bundled_puzzles_can_be_practised(progress: PracticeProgress) -> None:
    practice = PracticeSession(bundled_puzzles(), progress, never, random.Random(1))
    puzzle = practice.next()
    assert puzzle is not None
    replies = [practice.answer(puzzle.line[index]) for index in puzzle.asked]
    assert [reply.over for reply in replies] == [False] * (len(replies) - 1) + [True]


def test_the_answers_of_two_tabs_are_all_kept(tmp_path: Path, clock: HandClock) -> None:
    tabs = [PracticeProgress(tmp_path / "practice.json", clock) for _ in range(8)]
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda number: tabs[number].note(f"puzzle {number}", True), range(8)))
    tabs[0].note("puzzle 5", True)
    records = PracticeProgress(tmp_path / "practice.json", clock).records
    assert {name: record.solved for name, record in records.items()} == {
        **{f"puzzle {number}": 1 for number in range(8)},
        "puzzle 5": 2,
    }


def test_an_answer_that_could_not_be_written_counts_the_next_time(
    progress: PracticeProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice = session(progress, TAKES)
    practice.next()

    def full_disk(path: Path, text: str) -> None:
        raise OutputError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr("chuhe.coach.practice.progress.write_file", full_disk)
        for _ in range(2):
            with pytest.raises(OutputError):
                practice.give_up()
    practice.give_up()
    assert progress.records[TAKES.name].missed == 1
