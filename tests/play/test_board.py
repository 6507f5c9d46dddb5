import re

import pytest

from chuhe.engine import START_FEN, Position
from chuhe.play.board import BOARD_LOOKS, captured_line, draw
from chuhe.play.view import View
from chuhe.text.columns import width

CLASSIC_START = """\
     1     2     3     4     5     6     7     8     9
A   (車)  (馬)  (象)  (士)  (將)  (士)  (象)  (馬)  (車)
B    .     .     .     x     x     x     .     .     .
C    .    (炮)   .     x     x     x     .    (炮)   .
D   (卒)   .    (卒)   .    (卒)   .    (卒)   .    (卒)
E   ----  ----  ----  ----  ----  ----  ----  ----  ----
   ~~~~~~~~~~~~~~~~~~~~~~~~~河界~~~~~~~~~~~~~~~~~~~~~~~~~
F   ----  ----  ----  ----  ----  ----  ----  ----  ----
G   <兵>   .    <兵>   .    <兵>   .    <兵>   .    <兵>
H    .    <砲>   .     x     x     x     .    <砲>   .
I    .     .     .     x     x     x     .     .     .
J   <車>  <馬>  <相>  <仕>  <帥>  <仕>  <相>  <馬>  <車>
     1     2     3     4     5     6     7     8     9"""

ASCII_MATE = """\
    1   2   3   4   5   6   7   8   9
 9 [R]--+---+---+--*k*--+---+---+---+
    |   |   |   | \\ | / |   |   |   |
 8 [+]--R---+---+---+---+---+---+---+
    |   |   |   | / | \\ |   |   |   |
 7  +---+---+---+---+---+---+---+---+"""


def view_of(fen: str = START_FEN, **fields: object) -> View:
    pieces = {square: piece.symbol for square, piece in Position(fen).pieces().items()}
    return View(pieces, **fields)  # type: ignore[arg-type]


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def columns(line: str) -> dict[int, str]:
    """The character in each terminal column."""
    found, column = {}, 0
    for char in line:
        found[column] = char
        column += width(char)
    return found


def test_the_classic_board_is_that_of_the_old_program() -> None:
    assert draw(view_of(), "classic") == CLASSIC_START


S0_START = """\
\t1\t2\t3\t4\t5\t6\t7\t8\t9
A\t(車)\t(馬)\t(象)\t(士)\t(將)\t(士)\t(象)\t(馬)\t(車)
B\t.\t.\t.\tx\tx\tx\t.\t.\t.
C\t.\t(炮)\t.\tx\tx\tx\t.\t(炮)\t.
D\t(卒)\t.\t(卒)\t.\t(卒)\t.\t(卒)\t.\t(卒)
E\t----\t----\t----\t----\t----\t----\t----\t----\t----
F\t----\t----\t----\t----\t----\t----\t----\t----\t----
G\t<兵>\t.\t<兵>\t.\t<兵>\t.\t<兵>\t.\t<兵>
H\t.\t<砲>\t.\tx\tx\tx\t.\t<砲>\t.
I\t.\t.\t.\tx\tx\tx\t.\t.\t.
J\t<車>\t<馬>\t<相>\t<仕>\t<帥>\t<仕>\t<相>\t<馬>\t<車>"""


@pytest.mark.parametrize("colour", [False, True])
def test_s0s_own_board_has_eleven_lines_and_ends_each_in_a_tab(colour: bool) -> None:
    assert draw(view_of(last_move=(0, 1)), "s0", colour) == "\n".join(line + "\t" for line in S0_START.splitlines())


def test_the_classic_board_turned_round_keeps_its_labels() -> None:
    lines = draw(view_of(black_at_bottom=True), "classic").splitlines()
    assert lines[0].split() == list("987654321")
    assert [line[0] for line in lines[1:6]] == list("JIHGF")
    assert lines[1].startswith("J   <車>  <馬>")
    assert lines[-2].startswith("A   (車)")


def test_the_classic_board_marks_the_last_move_and_the_check() -> None:
    view = view_of("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", turn=1, last_move=(45, 81), checked_king=85)
    lines = draw(view, "classic").splitlines()
    assert lines[1].startswith("A  [<車>]  .     .     x   *(將)*  x ")
    assert lines[5].startswith("E  [----] ---- ")


def test_ascii_marks_the_last_move_and_the_check() -> None:
    view = view_of("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", turn=1, last_move=(72, 81), checked_king=85)
    assert draw(view, "ascii").splitlines()[:6] == ASCII_MATE.splitlines()


@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize("black_at_bottom", [False, True])
def test_points_stand_in_the_same_columns_on_every_rank(look: str, black_at_bottom: bool) -> None:
    board = draw(view_of(last_move=(25, 22), black_at_bottom=black_at_bottom), look)  # type: ignore[arg-type]
    ranks = [line for line in board.splitlines() if line[:2].strip().isdigit() and line[3:4] != "1"]
    pieces = "帥仕相傌俥炮兵將士象馬車砲卒KABNRCPkabnrcp"
    seen = 0
    for line in ranks:
        for column, char in columns(line).items():
            if char in pieces:
                assert (column - 4) % 4 == 0, line
                seen += 1
    assert seen == 32


def test_glyphs_fill_two_columns_and_bars_stand_under_them() -> None:
    lines = draw(view_of()).splitlines()
    top, bars = columns(lines[1]), columns(lines[2])
    assert [top[column] for column in range(4, 40, 4)] == list("車馬象士將士象馬車")
    assert all(bars[column] == "│" for column in range(4, 40, 4))


def test_the_palace_and_the_river_are_drawn() -> None:
    board = draw(view_of())
    assert board.count("╲") == board.count("╱") == 4
    assert "楚 河" in board


@pytest.mark.parametrize("look", BOARD_LOOKS)
def test_colours_change_nothing_but_colour(look: str) -> None:
    view = view_of(last_move=(25, 22), checked_king=85)
    coloured = draw(view, look, colour=True)  # type: ignore[arg-type]
    assert [line.rstrip() for line in plain(coloured).splitlines()] == [
        line.rstrip()
        for line in draw(view, look).splitlines()  # type: ignore[arg-type]
    ]
    assert ("\x1b[" in coloured) == (look != "s0")  # S0 had none


def test_captured_pieces_are_sorted_by_worth() -> None:
    view = View({}, captured=("p", "R", "r", "P", "n"))
    assert str(captured_line(view, "ascii")) == "Red lost: RP   Black lost: rnp"
    assert str(captured_line(view)) == "Red lost: 俥兵   Black lost: 車馬卒"
    assert str(captured_line(View({}))) == "Red lost: none   Black lost: none"
