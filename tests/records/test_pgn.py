import random
from dataclasses import replace
from pathlib import Path

import cchess
import pytest
from random_play import play_at_random

from chuhe.engine import START_FEN, Move, Position, Score
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.records import files
from chuhe.records.files import iter_games, read_games, write_games
from chuhe.records.game_record import GameRecord, RecordedMove, RecordError
from chuhe.records.game_tree import GameTree
from chuhe.records.pgn import decode, format_pgn, parse_pgn

OTHERS = """\
[Game "Chinese Chess"]
[Event "某比赛"]
[Red "甲"]
[Black "乙 \\"快手\\""]
[Result "1-0"]

1. 炮二平五 马８进７ {a comment
on two lines} 2.马二进三! ; the rest of the line
( 2. 兵七进一 卒７进１ ( 2... 车９平８ ) ) 2... 车９平８ $2
3. 車一平二 *

[Event "another"]
[FEN "3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1"]
1. R1+9 0-1
"""


def random_record(seed: int, plies: int = 80, fen: str = START_FEN) -> GameRecord:
    rng = random.Random(seed)
    position = Position(fen)
    moves = tuple(RecordedMove(after.move_stack[-1]) for after in play_at_random(rng, plies, position))
    return GameRecord(position_start(fen), moves, {"Red": "a", "Black": 'b "c" \\'}, "1/2-1/2")


def position_start(fen: str) -> str:
    return Position(fen).fen()


def test_a_game_by_others_is_read() -> None:
    first, second = parse_pgn(OTHERS)
    assert [str(move) for move in first.plain_moves] == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]
    assert first.tags == {"Game": "Chinese Chess", "Event": "某比赛", "Red": "甲", "Black": '乙 "快手"'}
    assert first.result == "1-0"  # the moves end with *, so the tag decides
    assert first.moves[1].comment == "a comment on two lines"
    assert first.moves[2].mark == "!"
    assert first.moves[2].comment == "the rest of the line"
    (variation,) = first.moves[2].variations
    assert [str(recorded.move) for recorded in variation] == ["c3c4", "g6g5"]
    assert first.moves[3].mark == "?"
    assert second.fen == "3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1"
    assert [str(move) for move in second.plain_moves] == ["i0i9"]
    assert second.result == "0-1"


@pytest.mark.parametrize("notation", NOTATIONS)
def test_what_is_written_reads_back(notation: Notation) -> None:
    for seed in range(4):
        record = random_record(seed)
        (read,) = parse_pgn(format_pgn(record, notation))
        assert read.plain_moves == record.plain_moves
        assert (read.fen, read.result) == (record.fen, record.result)
        assert {"Red": "a", "Black": 'b "c" \\'}.items() <= read.tags.items()


def test_comments_marks_variations_and_a_black_start_read_back() -> None:
    fen = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b - - 0 2"
    line = (RecordedMove(Move.from_iccs("h9g7"), "inside", "!"), RecordedMove(Move.from_iccs("h0g2")))
    moves = (
        RecordedMove(Move.from_iccs("g6g5"), "a } brace &#125; {\n\ntwo lines on", "?!", (line,)),
        RecordedMove(Move.from_iccs("h0g2"), "", "??"),
        RecordedMove(Move.from_iccs("h9g7"), "last"),
    )
    record = GameRecord(fen, moves, {}, "0-1", "before")
    text = format_pgn(record, "wxf")
    assert "2..." in text
    (read,) = parse_pgn(text)
    assert read.fen == fen
    assert read.comment == "before"
    assert [move.mark for move in read.moves] == ["?!", "??", ""]
    assert [move.comment for move in read.moves] == ["a } brace &#125; {\n\ntwo lines on", "", "last"]
    assert read.moves[0].variations == (line,)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1. h2e2 h9g7 2. h2e2 *", "game 1, move 2: h2e2"),
        ('[Red "a"]\n1. h2e2 *\n\n[Red "b"]\n1. h2e2 h9g7 2. h0g2 h9h8 *\n', "game 2, move 2: h9h8"),
        ("1. hello *", "game 1, move 1"),
        ('1. h2e2 * \n\n[FEN "9/9 w"]\n1. a0a1', "game 2"),
        ("1. h2e2 (1. zzz) *", "variation of move 1"),
        ("1. h2e2 ( 1. c3c4", "unclosed"),
        ("1. h2e2 ) *", "unmatched"),
        ("1. h2e2 {never ends", "where a move is expected"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(RecordError, match=fault):
        parse_pgn(text)


def test_what_looks_like_a_tag_in_a_comment_is_none() -> None:
    (game,) = parse_pgn('[Event "x"]\n[FEN ""]\n\n{a comment\n[Not "a tag"] of two lines} 1. H2-E2 H9G7 1-0\n')
    assert game.tags == {"Event": "x"}
    assert game.comment == 'a comment [Not "a tag"] of two lines'
    assert [str(move) for move in game.plain_moves] == ["h2e2", "h9g7"]
    assert game.fen == START_FEN


def test_old_chinese_files_are_decoded() -> None:
    text = '[Red "许银川"]\n\n1. 炮二平五 马8进7\n2. 马二进三 *\n'
    assert decode(text.encode("gb18030")) == decode(text.encode("utf-8-sig")) == text
    with pytest.raises(RecordError, match="not UTF-8"):
        decode(b"\xff\xff\xff")


def test_an_empty_text_has_no_game() -> None:
    assert parse_pgn("\n\n") == []


def position_at(record: GameRecord, ply: int) -> Position:
    position = Position(record.fen)
    for move in record.plain_moves[:ply]:
        position.push(move)
    return position


def cchess_text(record: GameRecord, ply: int) -> str:
    board = cchess.ChessBoard(position_at(record, ply).fen())
    return str(board.move_iccs(str(record.moves[ply].move)).to_text())


@pytest.mark.parametrize("notation", ["iccs", "chinese"])
@pytest.mark.parametrize("seed", range(3))
def test_cchess_reads_what_we_save(tmp_path: Path, notation: Notation, seed: int) -> None:
    fen = START_FEN if seed else "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R b"
    record = random_record(seed, 60, fen)
    path = tmp_path / "game.pgn"
    write_games(path, [record], notation)
    game = cchess.read_from_pgn(str(path))
    read, written = game.dump_iccs_moves()[0], [str(move) for move in record.plain_moves]
    assert read == written[: len(read)]
    if len(read) < len(written):  # it cannot read everything it writes: two advisors on a file
        assert notation == "chinese"
        assert cchess_text(record, len(read)) == move_text(
            position_at(record, len(read)), record.moves[len(read)].move, notation
        )
    assert game.init_board.to_fen() == record.fen[: len(game.init_board.to_fen())]


@pytest.mark.parametrize("seed", range(3))
def test_what_cchess_writes_loads(tmp_path: Path, seed: int) -> None:
    record = random_record(seed + 20, 50)
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    game = cchess.Game(board)
    for move in record.plain_moves:
        step = board.move_iccs(str(move))
        board.next_turn()
        game.append_next_move(step)
    path = tmp_path / "theirs.pgn"
    game.save_to(str(path))
    (read,) = read_games(path)
    assert read.plain_moves == record.plain_moves


GOOD = '[Red "A"]\n\n1. H2-E2 H9-G7 1-0\n\n'
BAD_GAMES = [
    ('[Red "B"]\n\n1. H2-E2 A0-A9 2. B0-C2 1-0\n\n', "game 2, move 1: .*line 7"),
    ('[Red "B"]\n[FEN "nonsense"]\n\n1. H2-E2 1-0\n\n', "game 2: .*line 8"),
    ('[Red "B"]\n\n1. H2-E2 (1. C3-C4 1-0\n\n', "game 2: unclosed '\\(' .*line 9"),
    ('[Red "B"]\n\n1. H2-E2 ) 1-0\n\n', "game 2: unmatched '\\)' .*line 7"),
    ('[Red "B"]\n[Event "unclosed]\n[Date "?"]\n\n1. H2-E2 1-0\n\n', "game 2: .*line 6"),
    ('[Red "B"]\n\n1. H2-E2 } 1-0\n\n', "game 2: .*line 7"),
]


@pytest.mark.parametrize(("bad", "message"), BAD_GAMES)
def test_one_bad_game_does_not_block_the_others(bad: str, message: str) -> None:
    text = GOOD + bad + GOOD.replace('"A"', '"C"')
    with pytest.raises(RecordError, match=message) as caught:
        parse_pgn(text)
    assert caught.value.game == 2
    faults: list[RecordError] = []
    games = parse_pgn(text, on_fault=faults.append)
    assert [game.tags["Red"] for game in games] == ["A", "C"]
    assert [fault.game for fault in faults] == [2]
    assert str(faults[0]) == str(caught.value)


def test_a_bad_last_game() -> None:
    faults: list[RecordError] = []
    assert len(parse_pgn(GOOD + '[Red "B"]\n\n1. H2-E2 (1. C3-C4', on_fault=faults.append)) == 1
    assert "unclosed" in str(faults[0])


def test_nested_variations_keep_their_comments_and_marks() -> None:
    text = "1. h2e2 ({why not} 1. c3c4! g6g5 (1... b7g7 {deep} (1... h9g7) 2. b2e2) 2. b0c2) 1... h9g7 *"
    (read,) = parse_pgn(text)
    (outer,) = read.moves[0].variations
    assert [str(recorded.move) for recorded in outer] == ["c3c4", "g6g5", "b0c2"]
    assert (outer[0].comment, outer[0].mark) == ("why not", "!")
    (inner,) = outer[1].variations
    assert [str(recorded.move) for recorded in inner] == ["b7g7", "b2e2"]
    assert inner[0].comment == "deep"
    assert [str(recorded.move) for recorded in inner[0].variations[0]] == ["h9g7"]
    for notation in NOTATIONS:
        (again,) = parse_pgn(format_pgn(read, notation))
        assert again == replace(read, tags=again.tags)


def test_variations_that_never_end_are_refused() -> None:
    text = "1. h2e2 " + "(1. c3c4 " * 150 + ")" * 150
    with pytest.raises(RecordError, match="nested more than 100 deep"):
        parse_pgn(text)


def test_every_glyph_is_kept() -> None:
    (game,) = parse_pgn("1. C2=5 $10 $1 $3 $44 H8+7? $44 (1... H2+3 $6 $7) 2. H2+3 *")
    first, second, third = game.moves
    assert (first.mark, first.nags) == ("!", (10, 3, 44))
    assert (second.mark, second.nags) == ("?", (44,))
    assert (second.variations[0][0].mark, second.variations[0][0].nags) == ("?!", (7,))
    assert (third.mark, third.nags) == ("", ())
    assert parse_pgn(str(game))[0].moves == game.moves
    tree = GameTree.from_record(game)
    assert tree.to_record() == game
    assert GameTree.from_json(tree.to_json()).to_record() == game
    assert str(tree) == str(game) == format_pgn(game)


@pytest.mark.parametrize(
    ("comment", "clock", "score", "text"),
    [
        ("[%clk 1:02:03] [%eval 0.35,12] fine", 3723.0, Score(cp=35), "fine"),
        ("[%eval #-3]", None, Score(mate=-3), ""),
        ("[%clk 0:00:09.5]", 9.5, None, ""),
        ("[%clk soon] [%eval high] [%csl Ge4]", None, None, ""),
        ("no command", None, None, "no command"),
    ],
)
def test_commands_in_comments_are_fields(comment: str, clock: float | None, score: Score | None, text: str) -> None:
    (game,) = parse_pgn(f"1. C2=5 {{{comment}}} *")
    said = game.moves[0]
    assert (said.clock, said.score, said.text, said.comment) == (clock, score, text, comment)
    assert said.score is None or said.score.red() == score
    assert parse_pgn("1. C2=5 {[%emt 0:00:07]} *")[0].moves[0].elapsed == 7


def test_games_are_read_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts of a few games, with the numbers of games and lines that the whole file has."""
    games = [replace(random_record(n, n), tags={"Red": f"红 {n}"}) for n in range(30)]
    path = tmp_path / "games.pgn"
    text = "\n".join(format_pgn(game, "chinese") for game in games)
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(files, "PART", 1000)
    assert [*iter_games(path)] == read_games(path)
    heads = [*iter_games(path, headers_only=True)]
    assert [(head.tags, head.result, head.moves, head.comment) for head in heads] == [
        (game.tags, game.result, (), "") for game in read_games(path)
    ]
    with pytest.raises(RecordError, match="no-such"):
        [*iter_games(tmp_path / "no-such.pgn")]
    path.write_text(text + '\n[Red "x"]\n\n1. C1=9 *\n', encoding="utf-8")
    faults: list[tuple[str, int | None]] = []
    whole: list[tuple[str, int | None]] = []
    assert len([*iter_games(path, on_fault=lambda fault: faults.append((str(fault), fault.game)))]) == 30
    read_games(path, on_fault=lambda fault: whole.append((str(fault), fault.game)))
    assert faults == whole
    with pytest.raises(RecordError, match="game 31"):
        [*iter_games(path)]
    path.write_bytes(text.encode("utf-16"))
    assert len([*iter_games(path)]) == 30
