"""Puzzles: their files, how they are made, and that the bundled ones hold."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from paths import PYTHON

from chuhe.coach.practice.making import (
    SPARE,
    Candidate,
    PuzzleMaker,
    SourceGame,
    candidates,
    choose,
    difficulty,
    is_only,
    is_quiet,
    mate_length,
    themes_of,
)
from chuhe.coach.practice.puzzles import (
    DIFFICULTIES,
    Goal,
    Puzzle,
    PuzzleError,
    bundled_puzzles,
    format_puzzles,
    parse_puzzle,
    read_puzzles,
    read_unfinished,
)
from chuhe.coach.practice.second_opinion import SecondOpinion, fault
from chuhe.commands import puzzles as command
from chuhe.engine import Move, Position, Score
from chuhe.files.writing import exclusive

LINE = "3k5/9/9/9/n8/9/9/R8/9/4K4 w - - 0 1 | win | 1 | wins_piece mate_threat | a2a5"
MATE_IN_THREE = "5k3/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1 | win | 1 | alternating_rooks | a7a8! f9e9 b6b5 e9f9 b5b9!"
URGENT = (
    "3akab2/9/9/p5R1p/3N5/P5P2/2P5P/8r/2r1A4/1R2KA3 b - - 2 28 "
    "| win | 2 | pierced_heart facing_king sacrifice | c1e1! f0e1 i2i0!"
)
ONLY_MOVE = "3ak4/1N1PaR3/9/p3p2n1/2b3pc1/9/2c1r1p2/3A5/4A4/4K4 w - - 14 40"  # anything but d8d9 loses the win


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    puzzle = parse_puzzle(LINE)
    path = tmp_path / "puzzles.txt"
    path.write_text(format_puzzles([puzzle]), encoding="utf-8")
    assert read_puzzles(path) == [puzzle]
    assert (puzzle.answer.iccs, puzzle.name) == ("a2a5", "3k5/9/9/9/n8/9/9/R8/9/4K4 w")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("| win |", "| lose |"), "the goal is win or save or better"),
        (("| 1 |", "| 4 |"), "the difficulty is from 1 to 3"),
        (("wins_piece", "wins_prize"), "there is no theme 'wins_prize'"),
        (("a2a5", "a2b5"), "a2b5"),
        (("a2a5", ""), "it has no answer"),
        (("a2a5", "a2a5 d9d8!"), "a move of the other side"),
        (("3k5", "3k6"), "line 2"),
        (("|", ";"), "five parts"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, change: tuple[str, str], fault: str) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text("# head\n" + LINE.replace(*change) + "\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match=r"puzzles\.txt, line 2: ") as caught:
        read_puzzles(path)
    assert fault in str(caught.value)


def test_only_one_move_may_reach_the_goal() -> None:
    assert is_only("win", Score(mate=3), Score(cp=40))
    assert not is_only("win", Score(mate=3), Score(cp=75))
    assert not is_only("win", Score(cp=120), Score(cp=-25))
    assert is_only("save", Score(cp=-5), Score(mate=-4))
    assert not is_only("save", Score(cp=-5), Score(cp=-120))
    assert not is_only("save", Score(mate=2), Score(mate=-4))  # that is a win
    assert is_only("win", Score(cp=200), Score(cp=25))
    assert not is_only("win", Score(cp=200), Score(cp=25), -SPARE)  # too narrow for a new one


def test_difficulty_is_of_depth_length_and_a_quiet_key_move() -> None:
    takes, quick, long = parse_puzzle(LINE), parse_puzzle(MATE_IN_THREE), parse_puzzle(URGENT)
    other = Move.from_iccs("a2a4")
    assert difficulty({1: takes.answer, 2: takes.answer, 9: takes.answer}, takes) == 1
    assert difficulty({1: takes.answer, 3: other, 4: takes.answer, 9: takes.answer}, takes) == 1
    assert difficulty({1: other, 4: other, 5: takes.answer}, takes) == 2
    assert is_quiet(takes.position(), other)
    assert not is_quiet(takes.position(), takes.answer)
    assert is_quiet(quick.position(), quick.answer)
    assert difficulty({1: quick.answer}, quick) == 2  # and the last move to find is late
    assert difficulty({1: other, 2: quick.answer}, quick) == 3
    assert mate_length(quick) == 3
    assert mate_length(takes) == 0
    assert difficulty({1: other, 5: long.answer}, long) == 2


def test_a_theme_belongs_to_a_move_to_find() -> None:
    puzzle = parse_puzzle(MATE_IN_THREE)
    assert "alternating_rooks" in themes_of(puzzle.position(), puzzle.line, puzzle.asked)
    assert "alternating_rooks" not in themes_of(puzzle.position(), puzzle.line, (0,))


@pytest.mark.parametrize(
    ("goal", "best", "second", "wrong"),
    [
        ("win", Score(mate=3), Score(cp=30), ""),
        ("win", Score(mate=3), Score(mate=9), "a second move mates"),
        ("win", Score(mate=3), Score(cp=400), "a second move scores +4.00"),
        ("win", Score(cp=200), Score(cp=100), "the answer scores +2.00, a second move +1.00"),
        ("save", Score(cp=0), Score(mate=-4), ""),
        ("save", Score(cp=0), Score(cp=-100), "a second move scores -1.00"),
    ],
)
def test_a_second_opinion_sees_a_second_solution(goal: Goal, best: Score, second: Score, wrong: str) -> None:
    assert fault(goal, best, second) == wrong


def test_another_engine_checks_the_bundled_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, kept = tmp_path / "two.txt", tmp_path / "kept.txt"
    path.write_text(format_puzzles([parse_puzzle(MATE_IN_THREE), parse_puzzle(URGENT)]), encoding="utf-8")
    arguments = ["check", str(path), "--engine", f"{PYTHON} -m chuhe", "--engine-nodes", "5000"]
    assert command.main([*arguments, "--keep", str(kept)]) == 1
    assert [puzzle.answer.iccs for puzzle in read_puzzles(kept)] == ["c1e1"]
    assert f"{MATE_IN_THREE.split()[0]} w - - 0 1: a7a8" in capsys.readouterr().err  # a7e7 mates, too


def test_a_finished_check_is_kept_and_goes_on_with_new_puzzles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, kept = tmp_path / "growing.txt", tmp_path / "kept.txt"
    asked: list[str] = []

    def opinion(engine: str, nodes: int, puzzle: Puzzle) -> tuple[Puzzle | None, list[str]]:
        asked.append(puzzle.answer.iccs)
        return (None, ["second solution"]) if puzzle.goal == "save" else (puzzle, [])

    monkeypatch.setattr(command, "opinion_on", opinion)
    lines = [LINE.replace("| win |", "| save |"), MATE_IN_THREE, URGENT]
    arguments = ["check", str(path), "--engine", "other", "--keep", str(kept)]
    for count in (2, 2, 3):
        path.write_text(format_puzzles(map(parse_puzzle, lines[:count])), encoding="utf-8")
        assert command.main(arguments) == 1
        assert f"{count} puzzles: 1 with a fault" in capsys.readouterr().out
        assert read_unfinished(kept) == ([parse_puzzle(line) for line in lines[1:count]], count)
    assert asked == ["a2a5", "a7a8", "c1e1"]
    path.write_text(format_puzzles([parse_puzzle(LINE)]), encoding="utf-8")
    assert command.main(arguments) == 2
    assert "kept.txt holds the puzzles of another check" in capsys.readouterr().err
    assert len(read_puzzles(kept)) == 2


def test_candidates_are_where_the_scores_jump() -> None:
    position = Position()
    moves = tuple(position.parse_move(text) for text in ("h2e2",))
    game = [position.copy()]
    line: list[Move] = []
    for text in ("h2e2", "h9g7", "h0g2", "i9h9", "b0c2", "b9a7"):
        line.append(game[-1].parse_move(text))
        game.append(game[-1].copy())
        game[-1].push(line[-1])
    scores = (500, 500, 30, -500, 900, -900)
    found = [(each.position.fen(), each.goal) for each in candidates(SourceGame(position, tuple(line), scores))]
    assert found == [(game[4].fen(), "win")]
    unscored = list(candidates(SourceGame(position, moves, (None,))))
    assert [each.goal for each in unscored] == ["win", "save"]


def test_a_verified_puzzle_and_a_refused_one() -> None:
    maker = PuzzleMaker(nodes=3000)
    puzzle = maker.puzzle(Candidate(Position(ONLY_MOVE), "win"))
    assert puzzle is not None
    assert puzzle.answer.iccs == "d8d9"
    assert puzzle.themes == themes_of(puzzle.position(), puzzle.line, puzzle.asked) != ()
    assert command.fault_of(maker, puzzle) == ""
    wrong = Puzzle(puzzle.fen, "win", 1, puzzle.themes, (Move.from_iccs("b8d9"),))
    assert "not the only answer" in command.fault_of(maker, wrong)
    assert maker.puzzle(Candidate(Position(), "win")) is None
    assert maker.refused == {"first look": 1}


class Fixed(PuzzleMaker):
    """A maker for which these moves are the only ones."""

    def __init__(self, *only: str) -> None:
        super().__init__(nodes=300)
        self.only = {Move.from_iccs(move) for move in only}

    def verify(self, position: Position, goal: str, answer: Move, slack: int = 0) -> tuple[Move, ...] | None:
        return (answer,) if answer in self.only else None


def test_every_move_to_find_is_checked_and_a_later_one_may_be_dropped() -> None:
    puzzle = parse_puzzle(MATE_IN_THREE)
    assert command.fault_of(Fixed("a7a8", "b5b9"), puzzle) == ""
    assert "b5b9 is not the only answer" in command.fault_of(Fixed("a7a8"), puzzle)
    assert command.fault_of(Fixed("a7a8"), puzzle, first_only=True) == ""
    assert Fixed("a7a8").still_asked(puzzle).asked == (0,)
    assert Fixed("a7a8", "b5b9").still_asked(puzzle) == puzzle


def test_the_moves_to_find_are_those_where_one_will_do() -> None:
    maker = PuzzleMaker(nodes=3000)
    puzzle = parse_puzzle(MATE_IN_THREE.replace("!", ""))
    assert maker.with_asked(puzzle).asked == (0,)  # two rooks win with many moves
    urgent = parse_puzzle(URGENT)  # a rook down, Black must go on to mate
    assert maker.with_asked(urgent).asked == (0, 2)


def test_mending_keeps_what_holds_and_takes_the_rest_from_a_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, spare = parse_puzzle(LINE), parse_puzzle(MATE_IN_THREE), parse_puzzle(URGENT)
    files = {name: tmp_path / f"{name}.txt" for name in ("old", "pool", "new")}
    files["old"].write_text(format_puzzles([good, bad]), encoding="utf-8")
    files["pool"].write_text(format_puzzles([bad, spare, good]), encoding="utf-8")
    monkeypatch.setattr(command, "PuzzleMaker", lambda nodes: Fixed("a2a5", *(move.iccs for move in spare.line)))
    arguments = [str(files["old"]), "--pool", str(files["pool"]), "--output", str(files["new"])]
    assert command.main(["mend", *arguments, "--count", "2"]) == 0
    assert {puzzle.name for puzzle in read_puzzles(files["new"])} == {good.name, spare.name}
    assert "1 puzzle kept, 1 taken from the pool" in capsys.readouterr().out
    assert command.main(["mend", *arguments, "--count", "3"]) == 1  # the pool is too small


def test_a_choice_is_varied() -> None:
    common = [parse_puzzle(LINE.replace("n8", f"{n}n{8 - n}" if n else "n8").replace("a2a5", "a2a4")) for n in range(8)]
    rare = parse_puzzle(LINE.replace("wins_piece mate_threat", "pin").replace("e", "e"))
    chosen = choose([*common, rare, rare], 3)
    assert len(chosen) == 3
    assert rare in chosen


def test_making_from_a_file_of_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text(f'[FEN "{ONLY_MOVE}"]\n[Result "*"]\n\n1. d8d9 e8d9 *\n', encoding="utf-8")
    out = tmp_path / "out.txt"
    assert command.main(["make", str(pgn), "--out", str(out), "--count", "1", "--nodes", "3000"]) == 0
    assert [puzzle.answer.iccs for puzzle in read_puzzles(out)] == ["d8d9"]
    chosen = tmp_path / "chosen.txt"
    assert command.main(["choose", str(out), "--out", str(chosen)]) == 0
    assert read_puzzles(chosen) == read_puzzles(out)
    assert command.main(["check", str(chosen), "--nodes", "3000"]) == 0
    assert "1 puzzle: none with a fault" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["make {0} --output {1}", "check {1} --keep {1} --force"])
def test_two_runs_do_not_write_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text(format_puzzles(bundled_puzzles()[:1]))
    with exclusive(kept):
        assert command.main(line.format(tmp_path / "games.pgn", kept).split()) == 2
    assert "kept.txt" in capsys.readouterr().err
    assert len(read_puzzles(kept)) == 1


def test_two_processes_make_and_check_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn = tmp_path / "games.pgn"
    urgent = parse_puzzle(URGENT)
    games = [(ONLY_MOVE, "d8d9"), (urgent.fen, urgent.answer.iccs), (ONLY_MOVE, "d8d9")]
    pgn.write_text("\n".join(f'[FEN "{fen}"]\n[Result "*"]\n\n1. {move} *\n' for fen, move in games), "utf-8")
    made, said = [], []
    for count in ("1", "2"):
        out = tmp_path / f"{count}.txt"
        few = ["--nodes", "3000", "--concurrency", count]
        assert command.main(["make", str(pgn), "--output", str(out), *few]) == 0
        assert command.main(["check", str(out), *few]) in (0, 1)
        made.append(out.read_bytes())
        said.append(capsys.readouterr().out)
    assert made[0] == made[1] != b""
    assert said[0] == said[1]


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pgn, out = tmp_path / "games.pgn", tmp_path / "out.txt"
    game = f'[FEN "{ONLY_MOVE}"]\n[Result "*"]\n\n1. d8d9 *\n'
    pgn.write_text(f"{game}\n{game}\n{game}", encoding="utf-8")
    seen: list[str] = []

    def puzzle(maker: PuzzleMaker, candidate: Candidate) -> Puzzle | None:
        seen.append(candidate.goal)
        if len(seen) == 4:
            raise KeyboardInterrupt
        return parse_puzzle(LINE) if len(seen) == 1 else None

    monkeypatch.setattr(PuzzleMaker, "puzzle", puzzle)
    arguments = ["make", str(pgn), "--output", str(out)]
    assert command.main(arguments) == 130
    assert read_unfinished(out) == ([parse_puzzle(LINE)], 1)
    assert command.main(arguments) == 0
    assert len(seen) == 4 + 4  # the second game anew, and the third
    assert read_unfinished(out) == ([parse_puzzle(LINE)], 3)
    assert command.main([*arguments, "--force"]) == 1
    assert len(seen) == 8 + 6


def test_a_later_move_that_another_engine_refuses_is_no_longer_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fault(opinion: SecondOpinion, puzzle: Puzzle, index: int) -> str:
        return "a second move mates" if index else ""

    monkeypatch.setattr(SecondOpinion, "fault", fault)
    sound, faults = asyncio.run(SecondOpinion(None, 1).sound(parse_puzzle(MATE_IN_THREE)))  # type: ignore[arg-type]
    assert sound is not None
    assert (sound.asked, len(faults)) == ((0,), 1)
    assert sound.themes == themes_of(sound.position(), sound.line, (0,)) != parse_puzzle(MATE_IN_THREE).themes


def test_an_interrupted_check_by_another_engine_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, kept = tmp_path / "two.txt", tmp_path / "kept.txt"
    puzzles = [parse_puzzle(MATE_IN_THREE), parse_puzzle(URGENT)]
    path.write_text(format_puzzles(puzzles), encoding="utf-8")
    kept.write_text(format_puzzles(puzzles[:1], done=1), encoding="utf-8")
    asked = []

    async def sound(opinion: SecondOpinion, puzzle: Puzzle) -> tuple[Puzzle | None, list[str]]:
        asked.append(puzzle)
        return puzzle, []

    monkeypatch.setattr(SecondOpinion, "sound", sound)
    arguments = ["check", str(path), "--engine", f"{PYTHON} -m chuhe", "--keep", str(kept)]
    assert command.main(arguments) == 0
    assert asked == puzzles[1:]
    assert read_puzzles(kept) == puzzles
    assert command.main([*arguments, "--force"]) == 0
    assert asked == [*puzzles[1:], *puzzles]


def test_no_puzzle_is_no_success(tmp_path: Path) -> None:
    (pgn := tmp_path / "games.pgn").write_text("1. h2e2 h9g7 *\n")
    assert command.main(["make", str(pgn), "--output", str(tmp_path / "out.txt")]) == 1
    assert list(tmp_path.iterdir()) == [pgn]


@pytest.mark.parametrize("name", ["make", "choose", "check", "mend"])
def test_help_is_chinese(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--language", "zh-Hans", name, "--help"])
    out = capsys.readouterr().out
    assert out.startswith("用法：chuhe puzzles")
    assert "习题" in out


def test_a_strangers_file_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("my notes", encoding="utf-8")
    assert command.main(["choose", str(mine), "--out", str(mine)]) == 2
    assert "use --force" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == "my notes"


def test_the_bundled_puzzles_are_read_and_their_themes_are_what_the_lines_show() -> None:
    puzzles = bundled_puzzles()
    assert len(puzzles) >= 200
    assert len(format_puzzles(puzzles).encode()) <= 200_000
    assert {puzzle.difficulty for puzzle in puzzles} == set(DIFFICULTIES)
    assert len({code for puzzle in puzzles for code in puzzle.themes}) >= 20
    assert sum(len(puzzle.asked) > 1 for puzzle in puzzles) > 50
    assert len({puzzle.name for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        assert themes_of(puzzle.position(), puzzle.line, puzzle.asked) == puzzle.themes


def test_a_sample_of_the_bundled_mates_holds_in_the_longer_search() -> None:
    """`chuhe puzzles check` does this for all puzzles; a mate does not depend on the network."""
    maker = PuzzleMaker()
    mates = [puzzle for puzzle in bundled_puzzles() if mate_length(puzzle) > 0]
    for puzzle in random.Random(25).sample(mates, 4):
        assert command.fault_of(maker, puzzle, slack=50) == "", puzzle.fen
