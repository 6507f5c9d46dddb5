"""Random legal games for the tests of the data format, made with hypothesis."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from chuhe.bench.learning.game_format import BLOCK, REASONS, RESULTS, Block, Game, pack_block, pack_game
from chuhe.engine import Move, Position

FENS = (None, "3ak4/9/4b4/9/2P6/9/9/4B4/4A4/2BAK3R b - - 7 31", "3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1")


@st.composite
def legal_games(draw: st.DrawFn) -> Game:
    """A legal game with arbitrary scores; some plies have none."""
    fen = draw(st.sampled_from(FENS))
    position = Position(fen) if fen else Position()
    moves: list[Move] = []
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=30)):
        legal = position.legal_moves
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        position.push(moves[-1])
    opening = draw(st.integers(0, len(moves)))
    scores = st.one_of(st.none(), st.integers(-32767, 32767))
    return Game(
        number=draw(st.integers(0, 2**32 - 1)),
        result=draw(st.sampled_from(RESULTS)),
        reason=draw(st.sampled_from(REASONS)),
        opening=tuple(moves[:opening]),
        plies=tuple((move, draw(scores)) for move in moves[opening:]),
        fen=fen,
        played_on=draw(st.booleans()),
    )


def block_of(*games: Game) -> Block:
    """The games as a block that is not part of a file."""
    packed = pack_block(b"".join(map(pack_game, games)), len(games), sum(game.positions for game in games))
    _, _, size, count, positions, checksum, _ = BLOCK.unpack_from(packed)
    return Block(Path("x.games"), 1, 100, count, positions, size, checksum, packed[BLOCK.size :])
