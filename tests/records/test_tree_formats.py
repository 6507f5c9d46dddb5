"""XQF, UBB and CBR: variations and comments, there and back; cchess reads what we write."""

import random
import struct
from pathlib import Path
from typing import Any

import cchess
import pytest
from game_files import cbl, cbr, encrypted_xqf, xqf
from random_games import random_record

from chuhe.engine import START_FEN
from chuhe.records.files import games_from_bytes, read_games, read_numbered, write_games
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.game_tree import GameTree, Node
from chuhe.records.pgn import format_pgn, parse_pgn
from chuhe.records.ubb import format_ubb, parse_ubb
from chuhe.records.xqf import format_xqf, parse_xqf

TREE = "1. h2e2 {中炮} h9g7! (1... b9c7 2. h0g2 (2. b0c2 {left} h9g7) a9a8) (1... h7e7) 2. h0g2 *"
FORUM = """谢谢！<br>
[DhtmlXQ]<br>
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]<br>
[DhtmlXQ_title]胡荣华 胜 柳大华[/DhtmlXQ_title]<br>
[DhtmlXQ_red]胡荣华[/DhtmlXQ_red]<br>
[DhtmlXQ_black]柳大华[/DhtmlXQ_black]<br>
[DhtmlXQ_result]红胜[/DhtmlXQ_result]<br>
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]<br>
[DhtmlXQ_movelist]77477062796780708979[/DhtmlXQ_movelist]<br>
[DhtmlXQ_move_0_2_1]10226665[/DhtmlXQ_move_0_2_1]<br>
[DhtmlXQ_move_1_3_2]7967[/DhtmlXQ_move_1_3_2]<br>
[DhtmlXQ_comment0]开局||中炮[/DhtmlXQ_comment0]<br>
[DhtmlXQ_comment1]架中炮[/DhtmlXQ_comment1]<br>
[DhtmlXQ_comment1_2]另一马[/DhtmlXQ_comment1_2]<br>
[/DhtmlXQ]"""


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_lost_in_xqf_and_ubb(seed: int) -> None:
    record = random_record(random.Random(seed))
    (from_pgn,) = parse_pgn(format_pgn(record))
    (from_ubb,) = parse_ubb(format_ubb(from_pgn))
    assert parse_xqf(format_xqf(from_pgn)) == record
    assert from_ubb == record
    assert isinstance(from_ubb, GameRecord)
    assert format_pgn(from_ubb) == format_pgn(record)


def cchess_lines(moves: list[Any]) -> list[Any]:
    return [[str(move), (move.annote or "").replace("\r\n", "\n"), cchess_lines(move.get_children())] for move in moves]


def our_lines(node: Node) -> list[Any]:
    return [[str(child.move), f"{child.mark} {child.comment}".strip(), our_lines(child)] for child in node.children]


@pytest.mark.parametrize("seed", range(100, 120))
def test_cchess_reads_our_xqf(seed: int, tmp_path: Path) -> None:
    record = random_record(random.Random(seed))
    path = tmp_path / "game.xqf"
    write_games(path, [record])
    game = cchess.read_from_xqf(str(path))
    tree = GameTree.from_record(record)
    assert game.init_board.to_fen() == " ".join(record.fen.split()[:2])
    assert cchess_lines(game.get_children()) == our_lines(tree.root)
    assert game.info["result"] == record.result


def test_marks_and_variations_of_a_small_game() -> None:
    (game,) = parse_pgn(TREE)
    read = parse_xqf(format_xqf(game))
    assert read.moves == game.moves
    assert read.moves[1].mark == "!"
    assert len(read.moves[1].variations) == 2


def test_a_name_too_long_for_the_header_is_cut_there_and_kept_below() -> None:
    record = GameRecord(tags={"Red": "Chuhe (level 10)", "Round": "3"})
    data = format_xqf(record)
    assert data[304:320] == bytes([15]) + b"Chuhe (level 10"
    assert parse_xqf(data).tags == record.tags


def test_ubb_from_a_forum(tmp_path: Path) -> None:
    path = tmp_path / "post.txt"
    path.write_bytes(FORUM.encode("gb18030"))
    (game,) = games_from_bytes(path.read_bytes(), path.name)
    assert game.fen == START_FEN
    assert game.tags == {"Title": "胡荣华 胜 柳大华", "Red": "胡荣华", "Black": "柳大华"}
    assert (game.result, game.comment) == ("1-0", "开局\n中炮")
    assert [str(move) for move in game.plain_moves] == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]
    assert game.moves[0].comment == "架中炮"
    (variation,) = game.moves[1].variations
    assert [str(move.move) for move in variation] == ["b9c7", "g3g4"]
    assert variation[0].comment == "另一马"
    assert [str(move.move) for move in variation[1].variations[0]] == ["h0g2"]


def test_lines_as_old_pages_have_them() -> None:
    text = b"[DhtmlXQ_red]a[/DhtmlXQ_red] var DhtmlXQ_movelist = '[0_1_0]77477062[/0_1_0][0_2_1]1022[/0_2_1]'"
    (game,) = games_from_bytes(text)
    assert [str(move) for move in game.plain_moves] == ["h2e2", "h9g7"]
    assert [str(move.move) for move in game.moves[1].variations[0]] == ["b9c7"]


def test_many_fields_that_are_not_closed_are_passed_over() -> None:
    """Every field is looked at once: this would take hours if each were searched for its end."""
    text = "[DhtmlXQ_red]x" * 200_000 + "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"
    (game,) = games_from_bytes(text.encode(), "a.ubb")
    assert [str(move) for move in game.plain_moves] == ["h2e2"]


@pytest.mark.parametrize(("name", "fault"), [("move_7_2_8", "7"), ("move_0_9_1", "9"), ("move_0_0_1", "0")])
def test_a_variation_without_a_place_is_told(name: str, fault: str) -> None:
    text = f"[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_{name}]7062[/DhtmlXQ_{name}]"
    (game,) = parse_ubb(text)
    assert isinstance(game, GameRecord)
    assert len(game.moves) == 1
    assert fault in str(game.fault)


def test_ubb_boards_with_black_to_move() -> None:
    fen = "3k5/9/9/9/9/9/9/9/4r4/R4K3 b - - 4 30"
    record = GameRecord(fen)
    (read,) = parse_ubb(format_ubb(record))
    assert read == record
    (without_fen,) = parse_ubb(format_ubb(record).replace("fen]", "x]").replace("movelist]", "movelist]4808", 1))
    assert isinstance(without_fen, GameRecord)
    assert without_fen.fen.split()[1] == "b"
    assert [str(move) for move in without_fen.plain_moves] == ["e1a1"]


@pytest.mark.parametrize("suffix", ["ubb", "xqf", "pgn"])
def test_every_format_keeps_the_glyphs(suffix: str, tmp_path: Path) -> None:
    games = parse_pgn("1. C2=5! $14 $22 {said $5} H8+7 $13 (1... H2+3 $7) 2. H2+3 *")
    write_games(tmp_path / f"game.{suffix}", games)
    (read,) = read_games(tmp_path / f"game.{suffix}")
    assert read.moves == games[0].moves
    assert [move.nags for move in read.moves] == [(14, 22), (13,), ()]


def test_several_ubb_games_in_one_text(tmp_path: Path) -> None:
    games = parse_pgn("1. h2e2 1-0\n\n1. c3c4 g6g5 0-1")
    write_games(tmp_path / "two.ubb", games)
    assert [(game.plain_moves, game.result) for game in read_games(tmp_path / "two.ubb")] == [
        (game.plain_moves, game.result) for game in games
    ]


def test_cbr_variations_and_comments() -> None:
    data = bytearray(cbr(["h2e2", "h9g7"])[:2214])

    def step(flags: int, move: str, comment: str = "") -> bytes:
        points = [(9 - int(move[place + 1])) * 9 + "abcdefghi".index(move[place]) for place in (0, 2)]
        text = (comment + "\0").encode("utf-16-le") if comment else b""
        return bytes([flags | (4 if comment else 0), 0, *points]) + (
            struct.pack("<i", len(text)) + text if text else b""
        )

    opening = "全国赛".encode("utf-16-le") + bytes(2)
    data += struct.pack("<ii", 4, len(opening)) + opening
    data += step(0, "h2e2", "中炮") + step(3, "h9g7") + step(1, "b9c7", "也可")
    (game,) = games_from_bytes(bytes(data) + bytes(8), "a.cbr")
    assert game.comment == "全国赛"
    assert format_pgn(game).splitlines()[-1] == "{全国赛} 1. H2-E2 {中炮} 1... H9-G7 (1... B9-C7 {也可}) *"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (xqf(["h2e2", "h9g7", "a0a9", "b9c7"]), "a.xqf"),
        (encrypted_xqf(["h2e2", "h9g7", "a0a9", "b9c7"]), "a.xqf"),
        (cbr(["h2e2", "h9g7", "a0a9", "b9c7"]), "a.cbr"),
        (cbl([cbr(["h2e2", "h9g7", "a0a9", "b9c7"])]), "a.cbl"),
        (format_ubb(GameRecord()).replace("movelist]", "movelist]774770620900", 1).encode(), "a.ubb"),
        (b'[Red "x"]\n1. h2e2 h9g7 2. a0a9 b9c7 1-0', "a.pgn"),
        (b"1. h2e2 h9g7 2. a0a9 b9c7 1-0", ""),
    ],
)
def test_a_broken_game_opens_up_to_its_bad_move(data: bytes, name: str) -> None:
    faults: list[RecordError] = []
    (game,) = games_from_bytes(data, name, on_fault=faults.append, keep_broken=True)
    assert [str(move) for move in game.plain_moves] == ["h2e2", "h9g7"]
    assert "move 2" in str(game.fault)
    assert "a0a9" in str(game.fault) or "R9+9" in str(game.fault)
    assert len(faults) == 1
    with pytest.raises(RecordError, match="move 2"):
        games_from_bytes(data, name)


def test_a_bad_variation_leaves_the_rest() -> None:
    (game,) = parse_pgn(TREE)
    text = format_ubb(game).replace("[DhtmlXQ_move_0_2_3]", "[DhtmlXQ_move_0_2_3]0000")
    (read,) = parse_ubb(text)
    assert isinstance(read, GameRecord)
    assert read.plain_moves == game.plain_moves
    assert "a variation of move 1" in str(read.fault)
    assert len(read.moves[1].variations) == 1


def test_broken_games_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text('[Event "1"]\n1. zz *\n[Event "2"]\n1. h2e2 zz *\n[Event "3"]\n1. c3c4 *\n')
    games, faults = read_numbered(path, keep_broken=True)
    assert {number: (len(game.moves), bool(game.fault)) for number, game in games.items()} == {
        2: (1, True),
        3: (1, False),
    }
    assert sorted(faults) == [1, 2]


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_are_read_or_refused_with_one_line(seed: int) -> None:
    rng = random.Random(seed)
    record = random_record(rng)
    whole = [
        ("a.xqf", format_xqf(record)),
        ("a.xqf", encrypted_xqf(["h2e2", "h9g7", "h0g2"])),
        ("a.ubb", format_ubb(record).encode()),
        ("a.cbr", cbr(["h2e2", "h9g7"])),
        ("a.cbl", cbl([cbr(["h2e2", "h9g7"])])),
        (
            "a.cbf",
            b"<a><Head><FEN>" + START_FEN.encode() + b'</FEN></Head><MoveList><Move value="00-00"/></MoveList></a>',
        ),
    ]
    faults: list[RecordError] = []
    for name, data in whole:
        for _ in range(40):
            damaged = bytearray(data[: rng.randrange(len(data))] if rng.random() < 0.4 else data)
            for _ in range(rng.choice((0, 1, 5, 200)) if damaged else 0):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            try:
                for game in games_from_bytes(bytes(damaged), name, on_fault=faults.append, keep_broken=True):
                    format_pgn(game)
            except RecordError as error:
                faults.append(error)
    assert len(faults) > 50
    assert not [fault for fault in faults if "\n" in str(fault) or len(str(fault)) > 300]


def test_a_deep_tree_is_cut_and_not_a_crash() -> None:
    """Every move has another one instead: as deep as the file is long."""
    step = struct.pack("<BBBBi", 70 + 2 + 0x18, 40 + 2 + 0x20, 0xFF, 0, 0)
    data = xqf([])[:1024] + struct.pack("<BBBBi", 0x18, 0x20, 0xF0, 0, 0) + step * 20_000
    faults: list[RecordError] = []
    (game,) = games_from_bytes(data, "a.xqf", on_fault=faults.append, keep_broken=True)
    assert len(game.moves) == 1
    assert faults
