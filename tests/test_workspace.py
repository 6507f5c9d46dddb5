"""The workspace without a terminal, with a screen that records its lines."""

import random
import re
import threading
from pathlib import Path

import pytest

from engine import Position, Score
from engine.book import write_book
from play.opponents import EngineOpponent, Strength, Thought
from play.seats import Seat, SeatError, parse_seat
from play.typed_commands import COMMANDS, find_command
from play.workspace import Preferences, Workspace

HUMAN = Seat(human=True)
S1 = Seat(strength=Strength(style="s1", depth=1))


class Memory:
    interactive = False
    colour = False

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.statuses: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)

    def status(self, text: str) -> None:
        self.statuses.append(text)

    def wait_for_key(self, seconds: float) -> bool:
        return True

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def make(red: Seat = HUMAN, black: Seat = HUMAN, **preferences: object) -> tuple[Workspace, Memory]:
    screen = Memory()
    wanted = Preferences(**{"board": "ascii", "hash_mb": 4, "seed": 1, **preferences})  # type: ignore[arg-type]
    return Workspace(screen, (red, black), wanted), screen


def do(workspace: Workspace, *lines: str) -> None:
    for line in lines:
        workspace.execute(line)
        workspace.let_programs_play()


def test_commands_are_found_by_name_or_beginning() -> None:
    assert find_command("HELP") is COMMANDS["help"]
    assert find_command("hist") is COMMANDS["history"]
    assert find_command("res") is None  # resign or restart
    assert find_command("c2") is None


def test_an_empty_line_does_nothing() -> None:
    workspace, screen = make()
    do(workspace, "", "   ")
    assert screen.lines == []


@pytest.mark.parametrize("name", ["capture", "display", "history", "fen", "flip", "restart", "swap", "undo", "quit"])
def test_commands_that_take_nothing_say_so(name: str) -> None:
    workspace, screen = make()
    do(workspace, f"{name} please")
    assert screen.lines == [f"{name} takes nothing after it, not 'please'"]
    assert not workspace.done


def test_a_program_answers_and_shows_its_thought() -> None:
    workspace, screen = make(black=S1, use_book=False)
    do(workspace, "C2=5")
    assert len(workspace.game.turns) == 2
    assert re.search(r"1\.\.\. \S+ \(\w{4}\)\n  the S1 program: depth 1, score .*: \S+", screen.text)
    assert any(status.startswith("depth 1") for status in screen.statuses)


def test_a_style_looks_openings_up() -> None:
    workspace, screen = make(black=S1, use_book=True)
    do(workspace, "C2=5")
    assert re.search(r"1\.\.\. \S+ \(\w{4}\)  \[book\]", screen.text)
    do(workspace, "book off", "C8=7")
    assert "the S1 program: depth 1" in screen.text


def test_eval_in_a_style_s_game_shows_its_own_parts() -> None:
    workspace, screen = make(black=S1)
    do(workspace, "eval")
    assert re.search(
        r"S1 +weight.*\npiece +7 .*\nposition +15 .*\nflexibility +1 .*Total: \+0 for Red", screen.text, re.S
    )
    assert screen.text.endswith("even, +0.00 for Red")


def test_a_seat_names_the_weights_of_its_style() -> None:
    workspace, screen = make(black=S1)
    do(workspace, "players human s0:strength=8,threat=0", "eval", "players human s0:speed=9")
    assert re.search(r"strength +8 .*threat +0 ", screen.text, re.S)
    assert "there is no weight 'speed'" in screen.text


def test_the_classic_board_speaks_its_own_coordinates() -> None:
    workspace, screen = make(black=S1, board="classic", notation="rows", use_book=False)
    do(
        workspace,
        "J1,J3",
        "foo",
        "moves J2",
        "H8H5",
        "history",
        "hint",
        "eval",
        "setup 4k4/9/9/9/4K4/9/9/9/9/9 w",
        "help",
    )
    spoken = re.sub(r"^[A-J] .*|.*[|].*", "", screen.text.split("A move: ")[0], flags=re.M)
    assert "J1,J3: J3 is taken by the red elephant" in spoken
    assert "'foo' is no move: write it like H8,H5" in spoken
    assert "J2,H1  J2,H3" in spoken
    assert re.search(r"  1\. H8,H5  [A-J][1-9],[A-J][1-9]\n", spoken)
    assert re.search(r"Hint: [A-J][1-9],[A-J][1-9] ", spoken)
    assert "can never stand on E5" in spoken
    assert not re.search(r"\b[a-i]\d|[RNHCBEAKP][1-9+][=+-]\d", spoken)
    assert "A move: H8,H5 (rows" in screen.text


def test_other_boards_keep_the_notation_that_was_chosen() -> None:
    workspace, screen = make(black=S1, notation="iccs")
    do(workspace, "board classic", "moves J2", "board unicode", "moves b0", "board classic", "notation wxf", "moves J2")
    assert re.search(r"J2,H1  J2,H3.*b0a2  b0c2.*H8\+9  H8\+7", screen.text, re.S)


def test_quiet_shows_no_thought() -> None:
    workspace, screen = make(black=S1, show_thinking=False)
    do(workspace, "C2=5")
    assert "depth" not in screen.text


def test_undo_waits_for_the_person_and_go_lets_the_program_play() -> None:
    workspace, screen = make(red=S1)
    workspace.let_programs_play()
    assert len(workspace.game.turns) == 1
    do(workspace, "undo")
    assert workspace.game.turns == []
    assert "go lets it play" in screen.text
    do(workspace, "go")
    assert len(workspace.game.turns) == 1


def test_swap_lets_the_program_take_over() -> None:
    workspace, screen = make(black=S1)
    do(workspace, "swap")
    assert len(workspace.game.turns) == 1
    assert "Red: the S1 program, Black: human" in screen.text


def test_an_interrupt_pauses_two_programs() -> None:
    workspace, _ = make(red=S1, black=S1)
    workspace.paused = True
    workspace.let_programs_play()
    assert workspace.game.turns == []


def test_level_seats_our_engine() -> None:
    workspace, screen = make(black=S1)
    do(workspace, "level 2")
    assert isinstance(workspace.game.players[1], EngineOpponent)
    assert screen.lines[-1] == "Red: human, Black: Chuhe (level 2)"
    do(workspace, "players human human", "level 2")
    assert "no program of ours" in screen.lines[-1]


def test_the_program_ponders_on_the_persons_time() -> None:
    workspace, _ = make(black=Seat(strength=Strength(movetime=50)), ponder=True, use_book=False)
    do(workspace, "h2e2")
    player = workspace.game.players[1]
    assert isinstance(player, EngineOpponent)
    assert player._pondering is not None
    workspace.close()
    assert not player.engine.searching


def test_the_book_is_shown_used_and_left(tmp_path: Path) -> None:
    workspace, screen = make(black=Seat(strength=Strength(depth=1)))
    position = Position()
    position.push("h2e2")
    path = tmp_path / "book.bin"
    write_book(path, {(Position().key, 25, 22): 3, (Position().key, 29, 38): 1, (position.key, 88, 69): 1})
    do(workspace, f"book {path}")
    assert "Here: C2=5 75%, P7+1 25%" in screen.lines[-1]
    do(workspace, "h2e2")
    assert "1... H8+7 (h9g7)  [book]" in screen.text
    do(workspace, "book off")
    assert "not used" in screen.lines[-1]
    player = workspace.game.players[1]
    assert isinstance(player, EngineOpponent)
    assert player.book is None


def test_save_does_not_overwrite_unasked(tmp_path: Path) -> None:
    workspace, screen = make()
    path = tmp_path / "a game.pgn"
    path.write_text("precious")
    do(workspace, "h2e2", f"save {path}")
    assert "exists already" in screen.lines[-1]
    assert path.read_text() == "precious"
    do(workspace, f"save {path} overwrite", f"save {path}")
    assert screen.lines[-1] == f"Saved {path}."
    do(workspace, "restart", f"load {path}")
    assert [str(turn.move) for turn in workspace.game.turns] == ["h2e2"]
    do(workspace, f"load {path} 2")
    assert "holds 1 game, not a number 2" in screen.lines[-1]


def test_the_clock_ends_a_game() -> None:
    workspace, screen = make()
    do(workspace, "clock 0.00001", "h2e2")
    threading.Event().wait(0.01)
    do(workspace, "h9g7")
    assert "Game over: 1-0 (Black's time is over)" in screen.text
    assert len(workspace.game.turns) == 1


def test_hints_leave_the_opponent_and_the_game_alone() -> None:
    workspace, screen = make(black=Seat(strength=Strength(movetime=30)), use_book=False)
    fen = workspace.game.position.fen()
    do(workspace, "hint", "eval", "analyze 0.05")
    assert workspace.game.position.fen() == fen
    assert screen.lines[0].startswith("Hint: ")
    assert any("strength" in line for line in screen.lines)
    assert screen.lines[-1].startswith("Best: ")


def test_a_thought_is_shown_in_the_chosen_notation() -> None:
    workspace, _ = make(notation="chinese")
    move = workspace.game.position.parse_move("h2e2")
    assert (
        workspace.thought_text(Thought(3, Score(cp=12), (move,), 1234)) == "depth 3, score +0.12, 1,234 nodes: 炮二平五"
    )


@pytest.mark.parametrize("text", ["", "ghost", "level:0", "level:11", "level:x", "engine:"])
def test_a_bad_seat_is_named(text: str) -> None:
    with pytest.raises(SeatError, match="a player is human"):
        parse_seat(text, Strength())


def test_seats() -> None:
    assert parse_seat("s0", Strength()).strength.style == "s0"
    assert parse_seat("engine:foo bar", Strength()).command == "foo bar"
    assert parse_seat("computer", Strength(level=4), "gnu").command == "gnu"


def test_no_line_whatever_breaks_the_workspace(tmp_path: Path) -> None:
    rng = random.Random(7)
    workspace, screen = make(show_thinking=False)
    words = [
        *COMMANDS,
        "h2e2",
        "炮二平五",
        "C2=5",
        "A1,A3",
        "level",
        "zz",
        "\x00",
        "²",
        "1e9",
        "-1",
        "off",
        "start",
        "on",
    ]
    words += [
        str(tmp_path),
        str(tmp_path / "a.pgn"),
        "9/9 w",
        "human",
        "s1",
        "overwrite",
        "x" * 3000,
        "🀄",
        "%s",
        "inf",
        "nan",
    ]
    slow = {"hint", "eval", "analyze"}
    for _ in range(600):
        line = " ".join(rng.choice(words) for _ in range(rng.randint(1, 4)))
        if slow & {command.name for word in line.split()[:1] if (command := find_command(word))}:
            continue
        moves = workspace.game.position.legal_moves
        workspace.execute(str(rng.choice(moves)) if moves and rng.random() < 0.3 else line)
        workspace.done = False
        workspace.let_programs_play()
    workspace.execute("setup start")
    workspace.execute("fen")
    assert screen.lines[-1] == Position().fen()
    workspace.close()
