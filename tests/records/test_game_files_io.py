from pathlib import Path

import cchess
import pytest
from game_files import cbl, cbr, encrypted_xqf, xqf

from chuhe.engine import START_FEN
from chuhe.records.files import games_from_bytes, read_games, write_games
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.pgn import parse_pgn

OPENING = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"]
ENDGAME = "3k5/9/9/9/9/9/9/9/4r4/R4K3 b"


def moves_of(game: GameRecord) -> list[str]:
    return [str(move) for move in game.plain_moves]


def test_xqf(tmp_path: Path) -> None:
    path = tmp_path / "game.XQF"
    path.write_bytes(xqf(OPENING, result="1-0", names=("胡荣华", "杨官璘", "全国赛"), comments={1: "屏风马"}))
    (game,) = read_games(path)
    assert moves_of(game) == OPENING
    assert game.fen == START_FEN
    assert game.result == "1-0"
    assert game.tags == {"Red": "胡荣华", "Black": "杨官璘", "Event": "全国赛"}
    assert [move.comment for move in game.moves] == ["", "屏风马", "", "", "", ""]


def test_xqf_with_black_to_move(tmp_path: Path) -> None:
    path = tmp_path / "end.xqf"
    path.write_bytes(xqf(["e1a1", "a0a1"], ENDGAME))
    (game,) = read_games(path)
    assert moves_of(game) == ["e1a1", "a0a1"]
    assert game.fen.split()[1] == "b"


def test_encrypted_xqf(tmp_path: Path) -> None:
    path = tmp_path / "game.xqf"
    path.write_bytes(encrypted_xqf(OPENING, result="0-1"))
    (game,) = read_games(path)
    assert moves_of(game) == OPENING
    assert game.result == "0-1"


def test_cbr_and_cbl(tmp_path: Path) -> None:
    first = cbr(OPENING, red="红方", black="黑方", result="1/2-1/2")
    (tmp_path / "one.cbr").write_bytes(first)
    (tmp_path / "many.cbl").write_bytes(cbl([first, cbr(["e1a1"], ENDGAME)]))
    (game,) = read_games(tmp_path / "one.cbr")
    assert moves_of(game) == OPENING
    assert (game.tags["Red"], game.tags["Black"], game.result) == ("红方", "黑方", "1/2-1/2")
    library = read_games(tmp_path / "many.cbl")
    assert [moves_of(game) for game in library] == [OPENING, ["e1a1"]]


def test_cbf(tmp_path: Path) -> None:
    nodes = "".join(f'<Move value="{move}"/>' for move in ("00-00", "77-47", "70-62"))
    head = f"<Head><FEN>{START_FEN}</FEN></Head>"
    (tmp_path / "game.cbf").write_text(f"<ChineseChessRecord>{head}<MoveList>{nodes}</MoveList></ChineseChessRecord>")
    (game,) = read_games(tmp_path / "game.cbf")
    assert moves_of(game) == ["h2e2", "h9g7"]


def test_old_chinese_encoding(tmp_path: Path) -> None:
    path = tmp_path / "gb.pgn"
    path.write_bytes('[Red "许银川"]\n1. 炮二平五 马８进７ *\n'.encode("gb18030"))
    (game,) = read_games(path)
    assert game.tags["Red"] == "许银川"
    assert moves_of(game) == ["h2e2", "h9g7"]


def test_games_replace_a_file_only_when_asked_to(tmp_path: Path) -> None:
    path = tmp_path / "mine.pgn"
    path.write_text("my notes")
    games = parse_pgn("1. h2e2 *\n\n1. c3c4 *")
    with pytest.raises(RecordError, match="exists already; overwrite=True replaces it"):
        write_games(path, games)
    assert path.read_text() == "my notes"
    write_games(path, (game for game in games), overwrite=True)
    assert len(read_games(path)) == 2


def test_fen_in_and_out(tmp_path: Path) -> None:
    (game,) = parse_pgn("1. h2e2 h9g7 *")
    path = tmp_path / "position.fen"
    write_games(path, [game])
    (read,) = read_games(path)
    assert read.fen == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"
    board = cchess.ChessBoard(path.read_text().strip())
    assert read.fen.startswith(board.to_fen())


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.xqf", b"XX" + bytes(2000), "not a valid XQF"),
        ("a.xqf", b"short", "damaged"),
        ("a.cbl", bytes(2000), "not a valid CBL"),
        ("a.cbr", b"", "damaged"),
        ("a.cbf", b"<a>", "damaged"),
        ("a.fen", b"\n", "empty"),
        ("a.fen", b"9/9 w", "a.fen"),
        ("a.pgn", b"", "no game"),
        ("a.pgn", b"1. zzz", "move 1"),
        ("a.pgn", b"\xff\xff\xff", "not UTF-8"),
        ("a.doc", b"", "games are read from"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, name: str, content: bytes, fault: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(RecordError, match=fault):
        read_games(tmp_path / name)


def test_a_missing_file_and_a_bad_target_are_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        read_games(tmp_path / "none.pgn")
    with pytest.raises(RecordError, match="saved as"):
        write_games(tmp_path / "game.cbl", [GameRecord()])
    with pytest.raises(RecordError, match="holds one game"):
        write_games(tmp_path / "game.xqf", [GameRecord()] * 2)
    with pytest.raises(RecordError, match="nowhere"):
        write_games(tmp_path / "nowhere" / "game.pgn", [GameRecord()])


@pytest.mark.parametrize(
    ("data", "name", "moves"),
    [
        (b"1. h2e2 h9g7 2. h0g2 *", "", "h2e2 h9g7 h0g2"),
        ("1. 炮二平五 马8进7 2. 马二进三".encode(), "", "h2e2 h9g7 h0g2"),
        ("1、炮二平五，馬８進７；".encode("gb18030"), "pasted.txt", "h2e2 h9g7"),
        (b"C2=5 H8+7", "", "h2e2 h9g7"),
        (b"position startpos moves h2e2 h9g7", "", "h2e2 h9g7"),
        (b"position fen 3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1 moves i0i9", "", "i0i9"),
        (b"3k5/9/9/9/9/9/9/9/9/4K3R w", "", ""),
        (b"3k5/9/9/9/9/9/9/9/9/4K3R", "", ""),
        (xqf(["h2e2", "h9g7"]), "", "h2e2 h9g7"),
        (xqf(["h2e2", "h9g7"]), "game.XQF", "h2e2 h9g7"),
        (cbr(["h2e2"]), "", "h2e2"),
        (cbl([cbr(["h2e2"])]), "", "h2e2"),
    ],
)
def test_games_are_read_from_whatever_was_pasted(data: bytes, name: str, moves: str) -> None:
    (game,) = games_from_bytes(data, name)
    assert " ".join(map(str, game.plain_moves)) == moves


def test_several_positions_are_several_games() -> None:
    games = games_from_bytes(b"3k5/9/9/9/9/9/9/9/9/4K3R w\n\n3k5/9/9/9/9/9/9/9/9/4K3C b\n")
    assert [game.fen.split()[1] for game in games] == ["w", "b"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "no game"),
        (b"hello world", "hello"),
        (b"\xff\xfd\x81", "not UTF-8, UTF-16, GB18030 or Big5"),
        (b"XQ\x0aabc", "XQF"),
        (b"9/9/9/9/9/9/9/9/9/9 w", "no king"),
        (b"3k5/9/9/9/9/9/9/9/9/4K3R w moves a0a9", "a0a9"),
    ],
)
def test_what_cannot_be_read_from_a_paste_is_named(data: bytes, fault: str) -> None:
    with pytest.raises(RecordError, match=fault):
        games_from_bytes(data)


@pytest.mark.parametrize("name", ["", "games.pgn"])
def test_a_bad_game_of_a_paste_does_not_block_the_others(name: str) -> None:
    data = b'[Red "A"]\n\n1. h2e2 *\n\n[Red "B"]\n\n1. a0a9 *\n\n[Red "C"]\n\n1. c3c4 *\n'
    faults: list[RecordError] = []
    games = games_from_bytes(data, name, on_fault=faults.append)
    assert [game.tags["Red"] for game in games] == ["A", "C"]
    assert [fault.game for fault in faults] == [2]
    with pytest.raises(RecordError, match="game 2, move 1: a0a9"):
        games_from_bytes(data, name)
