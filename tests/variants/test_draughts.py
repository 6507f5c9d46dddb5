"""English draughts: the rules, the traversal and the command, against a plain reference implementation."""

from __future__ import annotations

import io
import math
import random
from pathlib import Path

import pytest
import reference_draughts as reference
from paths import DATA

from chuhe.commands import draughts as command
from chuhe.variants.draughts._draughts import Draughts
from chuhe.variants.draughts.text import START_BOARD, board_text, parse_board, split_boards, traverse
from chuhe.variants.errors import BoardError
from chuhe.variants.search._search import ALPHA_BETA, EXACT_SEARCH, MINIMAX, WIN_VALUE, Search

EXAMPLE = """\
+B+B+B+B
O+O+O+O+
+O+O+O+O
O+O+O+O+
+B+B+K+O
O+A+O+O+
+O+O+O+O
A+A+O+A+
"""
DARK = [i for i in range(64) if (i // 8 + i) % 2]


def random_cells(source: random.Random, pieces: int) -> str:
    """A board with some pieces for each side; men never on their far row."""
    cells = ["+" if i not in DARK else "O" for i in range(64)]
    squares = source.sample(DARK, 2 * pieces)
    for place, square in enumerate(squares):
        letter = source.choice("AAk" if place % 2 == 0 else "BBK")
        if (letter, square // 8) in (("A", 0), ("B", 7)):
            letter = letter.replace("A", "k").replace("B", "K")
        cells[square] = letter
    return "".join(cells)


def lines_of(cells: str, depth: int = 4, multi_jump: bool = False) -> list[str]:
    lines: list[str] = []
    traverse(cells, depth, multi_jump, lines.append)
    return lines


def as_number(value: int) -> float:
    return math.copysign(math.inf, value) if abs(value) == WIN_VALUE else value


def test_the_example_prints_what_the_textbook_functions_print() -> None:
    expected = (DATA / "draughts_example.txt").read_text().splitlines()
    assert lines_of(parse_board(split_boards(EXAMPLE)[0])) == expected


def test_the_examples_text_is_the_references_own() -> None:
    """The expected text comes from the reference implementation; this guards against replacing it with our output."""
    expected = (DATA / "draughts_example.txt").read_text().splitlines()
    assert reference.Traversal(reference.board_from(EXAMPLE.replace("\n", "")), 4).lines == expected


@pytest.mark.parametrize("multi_jump", [False, True])
def test_moves_are_the_references_through_whole_games(multi_jump: bool) -> None:
    source = random.Random(11)
    for _ in range(30):
        cells = random_cells(source, source.randint(1, 10)) if source.random() < 0.7 else START_BOARD
        game, board, side = Draughts(cells, multi_jump=multi_jump), reference.board_from(cells), "Alice"
        for _ in range(40):
            moves = game.legal_moves()
            paths = [game.path(move) for move in moves]
            assert paths == reference.legal(board, side, multi_jump)
            if not moves:
                break
            choice = source.randrange(len(moves))
            game.push(moves[choice])
            board, side = reference.play(board, paths[choice]), reference.OTHER[side]
            assert reference.board_from(game.cells) == board
            assert game.material == reference.heuristic(board)


def test_undoing_restores_everything() -> None:
    source = random.Random(5)
    game = Draughts(START_BOARD, multi_jump=True)
    seen = []
    for _ in range(60):
        moves = game.legal_moves()
        if not moves:
            break
        seen.append((game.cells, game.hash))
        game.push(source.choice(moves))
        assert game.hash == Draughts(game.cells, game.alice_moves).hash
    for cells, key in reversed(seen):
        game.pop()
        assert (game.cells, game.hash) == (cells, key)
    with pytest.raises(IndexError):
        game.pop()


@pytest.mark.parametrize("multi_jump", [False, True])
def test_value_and_first_move_equal_plain_minimax(multi_jump: bool) -> None:
    """Compared with unpruned search, four plies, 500 boards in total."""
    source = random.Random(500 + multi_jump)
    for _ in range(250):
        cells = random_cells(source, source.randint(1, 8))
        traversal = traverse(cells, 4, multi_jump)
        plain = Draughts(cells, multi_jump=multi_jump)
        if plain.final_value() is not None:
            assert traversal.first_move is None
            continue
        value, line, _ = Search(plain, MINIMAX).run(4)
        assert (traversal.value, traversal.first_move) == (value, plain.path(line[0]))
        fast, _, _ = Search(Draughts(cells, multi_jump=multi_jump), EXACT_SEARCH).run(4)
        assert fast == value


def test_value_and_first_move_equal_the_references_minimax() -> None:
    source = random.Random(77)
    for number in range(500):
        cells = random_cells(source, source.randint(1, 3))
        board = reference.board_from(cells)
        traversal = traverse(cells, 4, multi_jump=number % 2 == 0)
        if reference.settled(board, "Alice", number % 2 == 0) is not None:
            assert traversal.first_move is None
            continue
        expected = reference.best(board, 4, number % 2 == 0)
        assert (as_number(traversal.value), traversal.first_move) == expected


def test_the_pruned_branches_are_those_that_the_window_allows() -> None:
    """The traversal equals the textbook's line by line, and no skipped move could have changed the result."""
    source = random.Random(3)
    pruned = 0
    for number in range(40):
        multi = number % 3 == 0
        cells = random_cells(source, source.randint(2, 4))
        board = reference.board_from(cells)
        expected = reference.Traversal(board, 3, multi)
        assert lines_of(cells, 3, multi) == expected.lines
        for node, mover, ply, path, alpha, beta in expected.cuts:
            pruned += 1
            value = reference.minimax(reference.play(node, path), reference.OTHER[mover], 3 - ply - 1, multi)
            # the opponent has `beta` (or `alpha`) elsewhere and avoids this node, whatever this move is worth
            assert alpha >= beta
            full = reference.minimax(node, mover, 3 - ply, multi)
            assert full >= max(beta, value) if mover == "Alice" else full <= min(alpha, value)
    assert pruned > 100


def test_a_game_that_ends_sooner_ends_the_line_sooner() -> None:
    cells = parse_board(
        split_boards("+O+O+O+O\nO+O+O+O+\n+O+O+O+O\nO+B+O+O+\n+O+A+O+O\nO+O+O+O+\n+O+O+O+O\nO+O+O+O+")[0]
    )
    assert lines_of(cells) == ["A1: (4,3)=>(2,1); h=inf.", "first move: (4,3)=>(2,1)."]


def test_a_lost_game_still_has_a_first_move_and_an_ended_one_has_none() -> None:
    rows = ["+O+O+O+O", "O+B+O+O+", "+O+O+O+O", "A+O+O+O+", "+O+O+O+O", "O+O+O+O+", "+O+O+O+O", "O+O+O+O+"]
    expected = ["A1: (3,0)=>(2,1).", "|-B2: (1,2)=>(3,0); h=-inf.", "first move: (3,0)=>(2,1)."]
    assert lines_of(parse_board(rows)) == expected
    stuck = "+O+O+O+OO+O+O+O++O+O+O+OO+O+O+O++O+O+O+OO+B+O+O++B+O+O+OA+O+O+O+"
    assert lines_of(stuck) == ["first move: none. Bill has won: Alice has no legal move."]
    assert as_number(traverse(stuck).value) == -math.inf
    assert as_number(traverse(START_BOARD.replace("A", "O")).value) == -math.inf
    assert as_number(traverse(START_BOARD.replace("B", "O")).value) == math.inf


def test_a_chained_jump_stops_where_a_man_is_crowned() -> None:
    rows = ["+O+O+O+O", "O+B+B+O+", "+O+O+O+O", "O+O+B+O+", "+O+A+O+O", "O+O+O+O+", "+O+O+O+O", "O+O+O+O+"]
    game = Draughts(parse_board(rows), multi_jump=True)
    # crowned on (0,3), the piece may not jump on over (1,2)
    assert [game.path(move) for move in game.legal_moves()] == [((4, 3), (2, 5), (0, 3))]
    king = Draughts(parse_board([row.replace("A", "k") for row in rows]), multi_jump=True)
    assert ((4, 3), (2, 5), (0, 3), (2, 1)) in [king.path(move) for move in king.legal_moves()]


def test_draws_are_known_only_where_asked_for() -> None:
    cells = "+O+O+O+OO+O+O+O++O+O+O+OO+O+O+O++O+O+O+OO+O+O+O++O+O+O+kK+O+O+O+"
    game, strict = Draughts(cells, draws=True), Draughts(cells)
    for step in (((6, 7), (5, 6)), ((7, 0), (6, 1)), ((5, 6), (6, 7)), ((6, 1), (7, 0))):
        for board in (game, strict):
            board.push(next(move for move in board.legal_moves() if board.path(move) == step))
    assert game.final_value() == 0
    assert strict.final_value() is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("+B+B+B+B\nO+O+x+O+", "row 1, column 4: 'x' found, a dark square expected (one of O A k B K)"),
        ("BB+B+B+B", "row 0, column 0: 'B' found, '+' expected (a light square)"),
        ("+B+B+B", "row 0: 6 characters found, 8 expected"),
        ("+B+B+B+B\nO+O+O+O+", "row 2: the end of the board found, 8 rows expected"),
    ],
)
def test_bad_boards_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_board(split_boards(text)[0])
    assert str(caught.value) == message


def test_boards_of_a_file_are_split_with_and_without_blank_lines() -> None:
    assert len(split_boards(EXAMPLE + "\n" + EXAMPLE)) == 2
    assert len(split_boards("# two\n" + EXAMPLE + EXAMPLE)) == 2
    assert board_text(parse_board(split_boards(EXAMPLE)[0])) + "\n" == EXAMPLE


def test_the_command_reads_files_and_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(EXAMPLE + "\n+x\n\n" + EXAMPLE)
    assert command.main([str(path), "--quiet"]) == 2
    printed = capsys.readouterr()
    assert printed.out == "case 1: first move: (5,2)=>(3,0).\ncase 3: first move: (5,2)=>(3,0).\n"
    assert (
        printed.err == "chuhe draughts: case 2, row 0, column 1: 'x' found, a dark square expected (one of O A k B K)\n"
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(EXAMPLE))
    assert command.main([]) == 0
    assert capsys.readouterr().out == (DATA / "draughts_example.txt").read_text()
    assert command.main([str(tmp_path / "missing")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_headings_are_echoed_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"The examples\ncase 5\n{EXAMPLE}case 7:\n\n{EXAMPLE}\nthat is all\n")
    assert command.main([str(path)]) == 0
    search = (DATA / "draughts_example.txt").read_text()
    assert capsys.readouterr().out == f"The examples\ncase 5\n{search}\ncase 7:\n{search}\nthat is all\n"
    assert command.main([str(path), "--quiet"]) == 0
    answer = "first move: (5,2)=>(3,0)."
    assert capsys.readouterr().out == f"The examples\ncase 5: {answer}\ncase 7: {answer}\nthat is all\n"


def test_boards_without_headings_are_numbered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(EXAMPLE + EXAMPLE)
    search = (DATA / "draughts_example.txt").read_text()
    assert command.main([str(path)]) == 0
    assert capsys.readouterr().out == f"case 1:\n{search}\ncase 2:\n{search}"


def test_a_broken_board_ends_where_the_next_heading_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"case 1\n+B+B+B+B\ncase 2\n{EXAMPLE}")
    assert command.main([str(path), "--quiet"]) == 2
    printed = capsys.readouterr()
    assert printed.out == "case 2: first move: (5,2)=>(3,0).\n"
    assert printed.err == "chuhe draughts: case 1, row 1: the end of the board found, 8 rows expected\n"
    path.write_text("case 1\n")
    assert command.main([str(path)]) == 2
    assert "no board found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("gone", "answer"),
    [
        ("A", "first move: none. Bill has won: Alice has no piece left."),
        ("B", "first move: none. Alice has won: Bill has no piece left."),
    ],
)
def test_a_finished_game_says_who_has_won(gone: str, answer: str) -> None:
    assert lines_of(START_BOARD.replace(gone, "O")) == [answer]


def test_a_trace_holds_every_move_of_plain_minimax() -> None:
    """Without alpha-beta nothing is cut, and every node but the root is visited once."""
    search = Search(Draughts(START_BOARD), MINIMAX, tracing=True)
    search.run(3)
    kinds = [event[0] for event in search.events()]
    assert set(kinds) == {"visit"}
    assert len(kinds) == search.nodes - 1
    pruned = Search(Draughts(START_BOARD), ALPHA_BETA, tracing=True)
    pruned.run(3)
    assert sum(event[0] == "visit" for event in pruned.events()) == pruned.nodes - 1 < len(kinds)


def test_a_streamed_trace_is_the_kept_one() -> None:
    kept = Search(Draughts(START_BOARD), ALPHA_BETA, tracing=True)
    kept.run(9)
    streamed: list[object] = []
    search = Search(Draughts(START_BOARD), ALPHA_BETA)
    search.stream(streamed.append)
    search.run(9)
    expected = list(kept.events())
    assert len(expected) > 10_000
    # an inner move's value is known only long after its own moves were listed
    assert [event[:5] + event[6:] for event in expected] == [event[:5] + event[6:] for event in streamed]  # type: ignore[index]
    assert [event for event in expected if event[6]] == [event for event in streamed if event[6]]  # type: ignore[index]


def test_an_error_of_the_reader_ends_the_search() -> None:
    def write(line: str) -> None:
        raise BrokenPipeError

    game = Draughts(START_BOARD)
    cells = game.cells
    search = Search(game, ALPHA_BETA)
    search.stream(write)  # type: ignore[arg-type]
    with pytest.raises(BrokenPipeError):
        search.run(20)
    assert game.cells == cells
    with pytest.raises(BrokenPipeError):
        traverse(START_BOARD, 20, write=write)


def test_a_binary_file_is_not_echoed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in (bytes(range(256)) * 8, b"\x1b[31m" * 20 + b"\n" * 9):
        (path := tmp_path / "garbage").write_bytes(content)
        assert command.main([str(path)]) == 2
        assert capsys.readouterr().err == f"chuhe draughts: {path}: this is not a text\n"
        monkeypatch.setattr("sys.stdin", io.StringIO(content.decode("latin-1")))
        assert command.main([]) == 2
        assert capsys.readouterr() == ("", "chuhe draughts: -: this is not a text\n")


def test_headings_in_any_encoding_are_read_and_a_digit_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "boards.txt"
    path.write_bytes(b"\xef\xbb\xbf" + "été 1\n".encode("latin-1") + EXAMPLE.encode())
    assert command.main([str(path), "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("été 1: first move")
    path.write_text(EXAMPLE.replace("O", "0", 1))
    assert command.main([str(path), "--quiet"]) == 2
    assert "the digit '0' found, the letter 'O' expected" in capsys.readouterr().err
