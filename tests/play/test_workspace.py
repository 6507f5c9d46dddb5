"""The workspace without a terminal, with a screen that records its lines."""

import os
import random
import re
import threading
from functools import partial
from pathlib import Path

import pytest
from book_file import write_book
from memory_screen import Memory
from waiting import PATIENCE

from chuhe.engine import Info, Position, Score
from chuhe.engine.levels import LEVELS
from chuhe.play.board import BOARD_LOOKS, CLASSIC_GLYPHS, GLYPHS, BoardLook
from chuhe.play.completion import complete, may_suggest
from chuhe.play.opponents import EngineOpponent, Strength
from chuhe.play.seats import MIDDLE_LEVEL, Seat, SeatError, parse_seat
from chuhe.play.typed_commands import COMMANDS, find_command
from chuhe.play.workspace import Preferences, Workspace
from chuhe.play.xiangqi_game import Turn, XiangqiGame
from chuhe.records.files import read_games
from chuhe.text.columns import width
from chuhe.text.message import LANGUAGES, Language

HUMAN = Seat(human=True)
S1 = Seat(strength=Strength(style="s1", depth=1))


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
    assert re.search(r"the S1 program: depth 1, .* for Red.*: \S+", screen.text)
    assert re.fullmatch(r"1\.\.\. \S+ \(\w{4}\)   Red to move\.", screen.text.splitlines()[-1])
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


def test_tab_and_greeting_speak_the_coordinates_of_the_classic_board() -> None:
    workspace, _ = make(black=S1, board="classic", notation="rows")
    assert workspace.greeting().endswith("Type a move (H8,H5) or help.")
    assert complete(workspace, "h8,h5") == (0, ["H8,H5"])
    assert "H8" in complete(workspace, "moves ")[1]
    assert may_suggest(workspace, "h8h5")
    assert not may_suggest(workspace, "c3c4")  # no red piece stands in row C


@pytest.mark.parametrize("board", ["classic", "s0"])
def test_the_boards_of_s0_speak_their_own_coordinates(board: BoardLook) -> None:
    workspace, screen = make(black=S1, board=board, notation="rows", use_book=False)
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
    spoken = re.sub(r"^[A-J][ \t].*|.*[|].*", "", screen.text.split("Type a move: ")[0], flags=re.M)
    assert "J1,J3: J3 is taken by the red elephant" in spoken
    assert "'foo' is not a move: write it like H8,H5" in spoken
    assert "J2,H1  J2,H3" in spoken
    assert re.search(r"  1\. H8,H5  [A-J][1-9],[A-J][1-9]\n", spoken)
    assert re.search(r"Hint: [A-J][1-9],[A-J][1-9] ", spoken)
    assert "can never stand on E5" in spoken
    assert not re.search(r"\b[a-i]\d|[RNHCBEAKP][1-9+][=+-]\d", spoken)
    assert "Type a move: H8,H5 (rows" in screen.text


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
    assert "type go to let it play" in screen.text
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
    assert "Chuhe is not playing" in screen.lines[-1]


def test_the_program_ponders_on_the_persons_time() -> None:
    workspace, _ = make(black=Seat(strength=Strength(depth=4)), ponder=True, use_book=False)
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
    position.push("h9g7")
    write_book(tmp_path / "red.bin", {(position.key, 0, 9): 1})
    do(workspace, f"book red {tmp_path / 'red.bin'}")
    assert "Book of 4 moves, used. Here: R9+1 100%" in screen.lines[-1]
    do(workspace, f"book black {tmp_path / 'none.bin'}")
    assert "cannot read the book" in screen.lines[-1]
    do(workspace, "book off")
    assert "not used" in screen.lines[-1]
    player = workspace.game.players[1]
    assert isinstance(player, EngineOpponent)
    assert player.book is None


def test_comments_and_what_was_taken_back_are_saved(tmp_path: Path) -> None:
    workspace, screen = make()
    path = tmp_path / "game.pgn"
    do(workspace, "h2e2", "comment a  bold start", "comment", "h9g7", "undo", "comment", "b9c7", f"save {path}")
    assert screen.lines.count("a bold start") == 3
    (game,) = read_games(path)
    assert game.moves[0].comment == "a bold start"
    (variation,) = game.moves[1].variations
    assert [str(recorded.move) for recorded in variation] == ["h9g7"]
    do(workspace, "restart", "comment")
    assert screen.lines[-1] == "There is no comment here."


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
    assert "has 1 game; there is no game 2" in screen.lines[-1]
    do(workspace, f"load {path} {'9' * 5000}")  # more digits than Python converts
    assert str(path) in screen.lines[-1]


@pytest.mark.parametrize("name", ["game.xqf", "game.ubb"])
def test_games_are_saved_in_the_formats_of_others(tmp_path: Path, name: str) -> None:
    workspace, _ = make()
    do(workspace, "h2e2", "h9g7", "comment 屏风马", f"save {tmp_path / name}", "restart", f"load {tmp_path / name}")
    assert [str(turn.move) for turn in workspace.game.turns] == ["h2e2", "h9g7"]
    assert workspace.game.node.comment == "屏风马"
    assert read_games(tmp_path / name)[0].tags["Opening"] == "Central Cannon"


def test_a_broken_game_is_loaded_up_to_its_bad_move(tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_text("1. h2e2 h9g7 2. a0a9 b9c7 *")
    workspace, screen = make()
    do(workspace, f"load {tmp_path / 'bad.pgn'}")
    assert [str(turn.move) for turn in workspace.game.turns] == ["h2e2", "h9g7"]
    assert any("move 2: a0a9" in line for line in screen.lines)


def test_the_clock_ends_a_game() -> None:
    workspace, screen = make()
    do(workspace, "clock 0.00001", "h2e2")
    threading.Event().wait(0.01)
    do(workspace, "h9g7")
    assert "Game over: 1-0 (Black loses on time)" in screen.text
    assert len(workspace.game.turns) == 1


def test_hints_leave_the_opponent_and_the_game_alone() -> None:
    workspace, screen = make(black=Seat(strength=Strength(movetime=30)), use_book=False)
    fen = workspace.game.position.fen()
    do(workspace, "hint", "eval", "analyze 1 0.05")
    assert workspace.game.position.fen() == fen
    assert screen.lines[0].startswith("Hint: ")
    assert any("strength" in line for line in screen.lines)
    assert screen.lines[-1].startswith("Best: ")


def test_a_line_is_shown_in_the_chosen_notation() -> None:
    workspace, _ = make(notation="chinese")
    move = workspace.game.position.parse_move("h2e2")
    assert (
        workspace.info_text(Info(3, 5, Score(cp=12), "exact", (move,), 1234, 10, 123_400, 0))
        == "depth 3, +0.12 for Red, 1,234 nodes: 炮二平五"
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


# --- what a newcomer meets


def test_the_greeting_says_who_plays_how_strongly_and_what_to_type() -> None:
    middle = Seat(strength=Strength(level=MIDDLE_LEVEL))
    workspace, _ = make(black=middle)
    assert workspace.greeting() == "Red: you. Black: Chuhe, level 5 of 10 (middle). Type a move (h2e2) or help."
    workspace, _ = make(red=Seat(strength=Strength(level=10)))
    assert workspace.greeting().startswith("Black: you. Red: Chuhe, level 10 of 10 (full).")
    workspace, _ = make(red=S1, black=middle)
    assert workspace.greeting() == "Red: the S1 program. Black: Chuhe, level 5 of 10. Ctrl-C stops them."


def move_at_once(game: XiangqiGame, *_: object) -> Turn:
    return game.move("h2e2")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("look", BOARD_LOOKS)
def test_the_greeting_fits_on_80_by_24_at_every_level_and_side(look: str, language: Language) -> None:
    for level in LEVELS:
        seat = Seat(strength=Strength(level=level))
        for seats in ({"red": seat}, {"black": seat}, {"red": seat, "black": seat}):
            workspace, screen = make(**seats, language=language)
            workspace.execute(f"board {look}")
            workspace.game.answer = partial(move_at_once, workspace.game)  # type: ignore[method-assign]
            screen.lines.clear()
            workspace.greet()
            lines = screen.text.splitlines()
            assert lines[-1] == workspace.greeting()
            assert len(lines) <= 23  # one more for the prompt
            assert max(width(line) for line in lines) <= 80


def test_other_words_for_commands() -> None:
    workspace, _ = make()
    do(workspace, "h2e2", "new")
    assert not workspace.game.turns
    for word in ("q", "exit", "quit"):
        workspace.done = False
        do(workspace, word)
        assert workspace.done


def test_undo_after_a_resignation_takes_back_only_that() -> None:
    workspace, screen = make()
    do(workspace, "h2e2", "h9g7", "resign")
    results = [workspace.game.result]
    do(workspace, "undo")
    assert [*results, workspace.game.result] == ["0-1", "*"]
    assert len(workspace.game.turns) == 2
    assert "The game goes on." in screen.lines
    do(workspace, "undo")
    assert len(workspace.game.turns) < 2


def test_quit_asks_once_about_a_game_that_is_not_saved(tmp_path: Path) -> None:
    workspace, screen = make()
    screen.interactive = True
    do(workspace, "h2e2", "quit")
    asked = not workspace.done
    assert asked
    assert screen.lines[-1] == "The game is not saved. Type quit again to give it up, or save FILE."
    do(workspace, "quit")
    assert workspace.done
    workspace, screen = make()
    screen.interactive = True
    do(workspace, "h2e2", f"save {tmp_path / 'x.pgn'}", "quit")
    assert workspace.done


@pytest.mark.parametrize("between", ["display", "restart", "nonsense"])
def test_a_warning_is_for_the_next_line_only(between: str) -> None:
    workspace, screen = make()
    screen.interactive = True
    do(workspace, "h2e2", "quit", between, "quit")
    assert not workspace.done
    assert screen.lines[-1] == "The game is not saved. Type quit again to give it up, or save FILE."
    do(workspace, "quit")
    assert workspace.done


@pytest.mark.parametrize("command", ["restart", "new", "setup start", "load {}"])
def test_no_command_discards_a_game_unasked(command: str, tmp_path: Path) -> None:
    (other := tmp_path / "other.pgn").write_text("1. c3c4 *\n")
    command = command.format(other)
    workspace, screen = make()
    screen.interactive = True
    do(workspace, "h2e2", "h9g7", command)
    assert [str(turn.move) for turn in workspace.game.turns] == ["h2e2", "h9g7"]
    assert "The game is not saved. Type" in screen.lines[-1]
    do(workspace, command)
    assert [str(turn.move) for turn in workspace.game.turns] in ([], ["c3c4"])
    do(workspace, "restart", "h2e2", "h9g7", "restart")
    assert len(workspace.game.turns) == 2  # another game, though its moves are the same


@pytest.mark.parametrize(
    "lines",
    [["first"], ["save {}/x.fen"], ["save {}/x.pgn", "comment good"], ["save {}/x.pgn", "resign"], ["quit", "h0g2"]],
)
def test_what_is_not_in_a_file_is_asked_about(lines: list[str], tmp_path: Path) -> None:
    workspace, screen = make()
    screen.interactive = True
    do(workspace, "h2e2", "h9g7", *(line.format(tmp_path) for line in lines), "quit")
    assert not workspace.done
    do(workspace, "quit")
    assert workspace.done


def test_a_hint_shows_that_it_is_thinking() -> None:
    workspace, screen = make()
    do(workspace, "hint")
    assert screen.statuses == ["Thinking …", ""]


def test_a_question_mark_is_help() -> None:
    workspace, screen = make()
    do(workspace, "help", "?", "？")
    assert screen.lines[0] == screen.lines[1] == screen.lines[2]
    do(workspace, "? undo")
    assert screen.lines[-1] == "undo: take back your last move"


def test_help_names_every_command_within_80_columns() -> None:
    workspace, screen = make()
    do(workspace, "help")
    shown = screen.lines[0].splitlines()
    assert all(width(line) < 80 for line in shown)
    assert {line.split()[0] for line in shown if line.startswith("  ")} == set(COMMANDS)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("foo", "'foo' is not a move: write it like h2e2, C2=5 or 炮二平五; ? for help"),
        ("hnit", "'hnit' is not a move or a command: did you mean hint? (? for help)"),
    ],
)
def test_an_unreadable_move_mentions_help(line: str, answer: str) -> None:
    workspace, screen = make()
    assert not workspace.execute(line)
    assert screen.lines == [answer]


def test_an_ambiguous_move_asks_which_piece_without_talk_of_help() -> None:
    workspace, screen = make()
    do(workspace, "setup 4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "R7=3")
    assert screen.lines[-1] == "R7=3: which piece is meant? (R+=3 / R-=3)"


def test_the_board_and_what_belongs_to_it_fit_on_24_rows() -> None:
    workspace, screen = make(black=S1, board="unicode", use_book=False)
    do(workspace, "clock 10+5", "h2 e2")
    shown = screen.lines[-1].splitlines()
    assert len(shown) <= 23  # and the prompt
    assert all(width(line) < 80 for line in shown)
    assert re.fullmatch(r"1\.\.\. \S+ \(\w{4}\)   Red to move\.   Red \S+   Black \S+", shown[-1])


def test_the_evaluation_fits_in_80_columns() -> None:
    workspace, screen = make()
    do(workspace, "eval")
    assert all(len(line) < 80 for line in screen.lines[-1].splitlines())


def test_a_game_is_stepped_through_and_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[Result "1-0"]\n[Termination "Black resigns"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 1-0\n')
    workspace, screen = make(black=S1)
    do(workspace, f"load {path}")
    assert "Game over: 1-0 (Black resigns)" in screen.lines[-1]
    do(workspace, "first")
    assert screen.lines[-1].endswith("Red to move.   (5 moves ahead: next)")
    do(workspace, "next")
    assert "1. C2=5 (h2e2)   Black to move.   (4 moves ahead: next)" in screen.lines[-1]
    assert len(workspace.game.turns) == 1  # the program waits
    do(workspace, "goto 2...")
    assert "2... R9=8" in screen.lines[-1]
    do(workspace, "prev 2", f"save {tmp_path / 'copy.pgn'}")
    assert "1... H8+7" in screen.lines[-2]
    saved = read_games(tmp_path / "copy.pgn")[0]
    assert len(saved.moves) == 5
    assert (saved.result, saved.tags["Termination"]) == ("1-0", "Black resigns")
    do(workspace, "last")
    assert screen.lines[-1].endswith("3. R1=2 (i0h0)   Game over: 1-0 (Black resigns)")
    do(workspace, "goto 0", "prev")
    assert screen.lines[-1] == "this is the start of the game"
    do(workspace, "goto 7")
    assert screen.lines[-1] == "Red has no move 7; the game has 3 moves"
    do(workspace, "goto there")
    assert screen.lines[-1].startswith("goto needs the number of a move")


def test_a_move_from_a_stepped_position_goes_on_from_there() -> None:
    workspace, _ = make()
    do(workspace, "C2=5", "H8+7", "H2+3", "first", "next", "C8=5")
    assert [turn.text("wxf") for turn in workspace.game.turns] == ["C2=5", "C8=5"]
    assert workspace.game.result == "*"


def test_goto_counts_from_the_number_in_the_position() -> None:
    workspace, _ = make()
    do(workspace, "setup rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 7", "H8+7", "H2+3")
    do(workspace, "goto 7...")
    assert [turn.text("wxf") for turn in workspace.game.turns] == ["H8+7"]
    do(workspace, "goto 8")
    assert len(workspace.game.turns) == 2


def test_analyze_shows_as_many_lines_as_asked_for() -> None:
    workspace, screen = make()
    heard = threading.Event()

    def say(text: str) -> None:
        screen.lines.append(text)
        heard.set()

    screen.say = say  # type: ignore[method-assign]
    screen.wait_for_key = lambda seconds: heard.wait(PATIENCE)  # type: ignore[method-assign]
    do(workspace, "analyze 3")
    *blocks, best = screen.lines
    for block in blocks:
        lines = block.splitlines()
        assert len({line.split(": ")[1].split()[0] for line in lines}) == 3  # three different first moves
        assert all(" for Red, " in line for line in lines)
    assert len({line.split(",")[0] for line in blocks[0].splitlines()}) == 1  # of one depth
    first = blocks[-1].splitlines()[0]
    score, move = first.split(", ")[1], first.split(": ")[1].split()[0]
    assert best.startswith(f"Best: {move}, ")  # what is called best is the first of the last lines, with its score
    assert best.endswith(score)
    assert workspace.coach.settings.multipv == 1


def refusing() -> tuple[Workspace, Memory]:
    """Red has given check three times and may not do so again."""
    workspace, screen = make()
    do(workspace, "setup R8/4k4/9/9/9/9/9/9/9/3K5 w")
    do(workspace, *"a9a8 e8e9 a8a9 e9e8 a9a8 e8e9".split())
    return workspace, screen


def test_what_was_refused_is_never_offered() -> None:
    workspace, screen = refusing()
    assert not workspace.execute("a8a9")
    assert "the law forbids it" in screen.lines[-1]
    do(workspace, "notation iccs", "moves")
    assert "a8a9" not in screen.lines[-1]
    assert "a8a7" in complete(workspace, "a8")[1]
    assert "a8a9" not in complete(workspace, "a8")[1]
    assert not may_suggest(workspace, "a8a9")
    do(workspace, "hint")
    (hint,) = [line for line in screen.lines if line.startswith("Hint: ")]
    assert not hint.startswith("Hint: a8a9")
    do(workspace, "analyze")
    (best,) = [line for line in screen.lines if line.startswith("Best: ")]
    assert "a8a9" not in best


def test_suggestions_are_commands_and_moves_that_can_be_played() -> None:
    workspace, _ = make()
    do(workspace, "level 12", "h2h8", "h9g7")
    lines = ["level 12", "h2h8", "h9g7", "h2e2", "C2=5", "history", ""]
    assert [line for line in lines if may_suggest(workspace, line)] == ["h2e2", "C2=5", "history"]


def test_tab_completes_commands_moves_and_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, _ = make()
    assert complete(workspace, "hi") == (0, ["hint", "history"])
    assert complete(workspace, "c2=5") == (0, ["C2=5"])
    assert complete(workspace, "board ") == (6, ["unicode", "ascii", "classic", "s0"])
    assert complete(workspace, "notation ch") == (9, ["chinese"])
    assert complete(workspace, "level 1") == (6, ["1", "10"])
    assert complete(workspace, "players human lev")[1][0] == "level:1"
    assert complete(workspace, "players human human ") == (20, [])
    assert complete(workspace, "help und") == (5, ["undo"])
    assert complete(workspace, "? und") == (2, ["undo"])
    assert "h2" in complete(workspace, "moves h")[1]
    assert complete(workspace, "h2e2 ") == (5, [])
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one two.pgn").touch()
    (tmp_path / "games" / "notes.txt").touch()
    monkeypatch.chdir(tmp_path)
    assert complete(workspace, "load ga") == (5, [f"games{os.sep}"])
    assert complete(workspace, "load games/one t") == (5, [os.path.join("games", "one two.pgn")])
    assert complete(workspace, "load nowhere/") == (5, [])
    assert complete(workspace, "book o") == (5, ["on", "off"])


def test_both_boards_draw_each_sides_cannon_alike() -> None:
    assert {piece: GLYPHS[piece] for piece in "Cc"} == {piece: CLASSIC_GLYPHS[piece] for piece in "Cc"}
    assert GLYPHS["C"] != GLYPHS["c"]
