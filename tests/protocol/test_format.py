"""From values to lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chuhe.engine import Move, Position
from chuhe.engine.values import Info, Score, TableEntry
from chuhe.protocol.format import best_move, diagram, greeting, info_lines, message, pophash
from chuhe.protocol.options import OPTIONS
from chuhe.protocol.variants import XiangqiVariant
from chuhe.variants.chess.session import ChessVariant

MOVE, REPLY = Move.from_iccs("h2e2"), Move.from_iccs("h9g7")
INFO = Info(8, 14, Score(cp=17), "exact", (MOVE, REPLY), 12345, 50, 246900, 17, wdl=(400, 500, 100))


def iccs(move: Move) -> str:
    return move.iccs


def test_uci_info() -> None:
    (line,) = info_lines(INFO, "uci", lambda move: str(move.uci))
    assert line == (
        "info depth 8 seldepth 14 multipv 1 score cp 17 nodes 12345 nps 246900 hashfull 17 time 50 pv h3e3 h10g8"
    )
    (line,) = info_lines(replace(INFO, bound="upper", score=Score(mate=-2)), "uci", iccs, wdl=True)
    assert " score mate -2 upperbound wdl 400 500 100 nodes " in line
    (line,) = info_lines(replace(INFO, currmove=MOVE, currmovenumber=3), "uci", iccs)
    assert line == "info depth 8 currmove h2e2 currmovenumber 3"


def test_ucci_info() -> None:
    assert info_lines(INFO, "ucci", iccs) == ["info time 50 nodes 12345", "info depth 8 score 10 pv h2e2 h9g7"]
    assert info_lines(replace(INFO, bound="upper"), "ucci", iccs) == []
    assert info_lines(replace(INFO, currmove=MOVE), "ucci", iccs) == ["info currmove h2e2"]
    lines = info_lines(replace(INFO, multipv=2, score=Score(mate=2)), "ucci", iccs, multipv=True)
    assert lines[-1] == "info depth 8 multipv 2 score 9997 pv h2e2 h9g7"


def test_best_moves() -> None:
    assert best_move(MOVE, REPLY, "ucci", iccs) == "bestmove h2e2 ponder h9g7"
    assert best_move(MOVE, None, "ucci", iccs, draw=True) == "bestmove h2e2 draw"
    assert best_move(MOVE, REPLY, "ucci", iccs, resign=True) == "bestmove h2e2 ponder h9g7 resign"
    assert best_move(MOVE, None, "uci", iccs, draw=True, resign=True) == "bestmove h2e2"
    assert best_move(None, None, "ucci", iccs) == "nobestmove"
    assert best_move(None, None, "uci", iccs) == "bestmove (none)"


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (None, "pophash"),
        (TableEntry(MOVE, Score(cp=34), 7, "lower"), "pophash bestmove h2e2 lowerbound 20 depth 7"),
        (TableEntry(None, Score(cp=-34), 7, "upper"), "pophash upperbound -20 depth 7"),
        (
            TableEntry(MOVE, Score(cp=34), 7, "exact"),
            "pophash bestmove h2e2 lowerbound 20 depth 7 upperbound 20 depth 7",
        ),
    ],
)
def test_pophash(entry: TableEntry | None, line: str) -> None:
    assert pophash(entry, iccs) == line


def test_messages_are_one_line() -> None:
    assert message("a\nb\r\n c", "ucci") == "info message a b c"
    assert message("a", "uci") == "info string a"


def test_greetings() -> None:
    engine, chess_variant = XiangqiVariant(), ChessVariant()
    ucci, uci = (
        greeting(protocol, engine.id_name, engine.first_values(), engine.takes) for protocol in ("ucci", "uci")
    )
    assert ucci[0].startswith("id name Chuhe")
    assert (ucci[-1], uci[-1]) == ("ucciok", "uciok")
    assert sum(line.startswith("option ") for line in ucci) == sum(
        option.ucci is not None and not option.style_only for option in OPTIONS
    )
    chess = greeting("uci", chess_variant.id_name, chess_variant.first_values(), chess_variant.takes)
    assert "option name UCI_Variant type combo default chess var chess var cyclone var xiangqi" in chess
    assert not any("Repetition" in line for line in chess)


def test_diagram() -> None:
    lines = diagram(Position().fen(), ranks_from=1)
    assert lines[0] == "10  r n b a k a b n r"
    assert lines[-2:] == [" 1  R N B A K A B N R", "    a b c d e f g h i"]
