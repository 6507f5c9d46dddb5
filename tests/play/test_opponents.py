import random
from pathlib import Path

import pytest
from book_file import write_book
from paths import RUDE_COMMAND, TOY_COMMAND

from chuhe.engine import Info, Limits, Position, Score, Settings
from chuhe.play.opponents import (
    BookMove,
    EngineOpponent,
    ExternalOpponent,
    OpponentError,
    Strength,
    StyleOpponent,
    make_opponent,
)
from chuhe.protocol.search_result import SearchResult
from chuhe.records.books.book import Book

SMALL = Settings(hash_mb=4)
MATE_IN_TWO = "3k5/9/R8/1R7/9/9/9/9/9/5K3 w"


def silent(info: Info) -> None:
    pass


def engine_opponent(level: int = 10, book: Book | None = None) -> EngineOpponent:
    return EngineOpponent(Strength(level), SMALL, book, random.Random(1))


def style_opponent(strength: Strength, book: Book | None = None) -> StyleOpponent:
    return StyleOpponent(strength, SMALL, book, random.Random(1))


def test_our_engine_thinks_aloud_and_mates() -> None:
    infos: list[Info] = []
    answer = engine_opponent().choose(Position(MATE_IN_TWO), Limits(depth=6), infos.append)
    assert answer.move is not None
    assert answer.score == Score(mate=2)
    assert infos[-1].score == Score(mate=2)
    assert infos[-1].pv[0] == answer.move


def test_the_book_is_asked_first(tmp_path: Path) -> None:
    position = Position()
    write_book(tmp_path / "b", {(position.key, 29, 38): 1})
    answer = engine_opponent(book=Book.load(tmp_path / "b")).choose(position, Limits(depth=1), silent)
    assert str(answer.move) == "c3c4"
    assert isinstance(answer, BookMove)


def test_a_ponder_hit_answers_the_expected_position() -> None:
    opponent = engine_opponent()
    position = Position(MATE_IN_TWO)
    position.push("b6b8")
    (reply,) = position.legal_moves
    opponent.begin_pondering(position, reply, Limits(depth=6))
    position.push(reply)
    answer = opponent.choose(position, Limits(depth=6), silent)
    assert answer.score == Score(mate=1)
    assert not opponent.engine.searching


def test_a_failure_while_pondering_is_raised_where_the_answer_is_awaited() -> None:
    opponent = engine_opponent()
    position = Position()

    def fail(info: Info) -> None:
        raise RuntimeError("no ink")

    opponent.begin_pondering(position, position.parse_move("h2e2"), Limits(movetime=60_000))
    assert opponent._pondering is not None
    opponent._pondering._listener = fail
    position.push("h2e2")
    with pytest.raises(RuntimeError, match="no ink"):
        opponent.choose(position, Limits(movetime=60_000), fail)
    assert not opponent.engine.searching


def test_a_ponder_miss_searches_anew() -> None:
    opponent = engine_opponent()
    position = Position()
    position.push("h2e2")
    opponent.begin_pondering(position, position.parse_move("h9g7"), Limits(movetime=1000))
    position.push("b9c7")
    answer = opponent.choose(position, Limits(depth=2), silent)
    assert answer.move in position.legal_moves


def test_pondering_ends_when_told_and_when_it_has_hardly_begun() -> None:
    opponent = engine_opponent()
    position = Position()
    opponent.begin_pondering(position, position.parse_move("h2e2"), Limits(movetime=1000))
    opponent.close()
    assert not opponent.engine.searching
    opponent.begin_pondering(position, position.parse_move("h2e2"), Limits(movetime=1000))
    opponent.new_game()
    assert not opponent.engine.searching


def test_a_style_ponders_and_uses_the_hit() -> None:
    opponent = style_opponent(Strength(style="s1"))
    position = Position()
    expected = position.parse_move("h2e2")
    opponent.begin_pondering(position, expected, Limits(depth=2))
    position.push(expected)
    answer = opponent.choose(position, Limits(depth=2), silent)
    assert answer.move in position.legal_moves
    opponent.begin_pondering(position, position.legal_moves[0], Limits(depth=2))
    opponent.close()
    assert not opponent.engine.searching


@pytest.mark.parametrize("style", ["s0", "s1"])
@pytest.mark.parametrize("strong_side", [0, 1])
def test_the_old_styles_lose_to_full_strength(style: str, strong_side: int) -> None:
    old = style_opponent(Strength(style=style, depth=2))  # type: ignore[arg-type]
    strong = engine_opponent()
    position = Position()
    while position.outcome() is None and position.ply < 200:
        player = strong if position.turn == strong_side else old
        answer = player.choose(position, Limits(depth=8 if player is strong else 2), silent)
        assert answer.move is not None
        position.push(answer.move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.result == ("1-0", "0-1")[strong_side]


def test_a_style_counts_a_mate_in_moves() -> None:
    infos: list[Info] = []
    opponent = style_opponent(Strength(style="s0"))
    opponent.choose(Position(MATE_IN_TWO), Limits(depth=4), infos.append)
    assert infos[-1].score == Score(mate=2)
    mated = Position("3k5/1R7/R8/9/9/9/9/9/9/5K3 b")
    opponent.choose(mated, Limits(depth=4), infos.append)
    assert infos[-1].score == Score(mate=-1)


def test_a_style_answers_when_it_is_interrupted_by_the_clock() -> None:
    position = Position()
    answer = style_opponent(Strength(style="s0")).choose(position, Limits(depth=9, movetime=20), silent)
    assert answer.move in position.legal_moves


def test_strength_becomes_limits() -> None:
    assert Strength().limits() == Limits(movetime=1000)
    assert Strength(depth=4).limits() == Limits(depth=4)
    assert Strength(depth=4, movetime=50).limits() == Limits(depth=4, movetime=50)


def toy(behaviour: str) -> str:
    return f"{TOY_COMMAND} {behaviour} --seed 3"


def test_a_foreign_engine_plays() -> None:
    opponent = make_opponent(Strength(), SMALL, None, random.Random(1), toy("good"))
    assert isinstance(opponent, ExternalOpponent)
    try:
        opponent.new_game()
        position = Position()
        for _ in range(4):
            answer = opponent.choose(position, Limits(movetime=100), silent)
            assert answer.move in position.legal_moves
            position.push(answer.move)
    finally:
        opponent.close()


def test_a_foreign_engine_may_resign() -> None:
    opponent = ExternalOpponent(toy("resign"))
    try:
        answer = opponent.choose(Position(), Limits(movetime=100), silent)
        assert isinstance(answer, SearchResult)
        assert answer.resign
    finally:
        opponent.close()


def test_a_foreign_engine_that_fails_is_named() -> None:
    with pytest.raises(OpponentError, match="nowhere") as missing:
        ExternalOpponent("/nowhere/engine")
    assert missing.value.message.text("zh-Hans").startswith("engine：无法启动“/nowhere/engine”：")
    opponent = ExternalOpponent(toy("crash"))
    try:
        with pytest.raises(OpponentError) as dead:
            opponent.choose(Position(), Limits(movetime=100), silent)
        assert "已退出，退出码" in dead.value.message.text("zh-Hans")
    finally:
        opponent.close()


@pytest.mark.needs("fairy-stockfish")
def test_a_foreign_engine_whose_clock_is_no_secret_plays_in_its_own_time() -> None:
    """`chuhe play --engine fairy-stockfish` gave it seconds, which it read as milliseconds."""
    opponent = ExternalOpponent("fairy-stockfish")
    try:
        assert opponent._client.dialect == "uci1"
        assert opponent.warnings == ()
    finally:
        opponent.close()


def test_what_is_odd_about_a_foreign_engine_is_said() -> None:
    rude = RUDE_COMMAND
    opponent = ExternalOpponent(f"{rude} bare")
    try:
        assert len(opponent.warnings) == 1
        assert "a test shows that its clock counts milliseconds" in opponent.warnings[0]
    finally:
        opponent.close()
    with pytest.raises(OpponentError):
        ExternalOpponent(f"{rude} bare-crash")
