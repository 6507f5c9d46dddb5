"""The compiled chess board against python-chess: perft, moves, keys, exchanges."""

from __future__ import annotations

import random

import chess
import pytest

from chuhe.engine.errors import FenError, IllegalMoveError
from chuhe.variants.chess._chess import Chess

# the six standard perft positions: FEN, and the leaves at depths 1, 2, 3, …
PERFT = [
    (chess.STARTING_FEN, [20, 400, 8902, 197281, 4865609]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039, 97862, 4085603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467, 422333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379, 2103487]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", [46, 2079, 89890, 3894594]),
]


@pytest.mark.parametrize(("fen", "leaves"), PERFT)
def test_perft(fen: str, leaves: list[int]) -> None:
    game = Chess(fen)
    assert [game.perft(depth) for depth in range(1, len(leaves) + 1)] == leaves


def names(game: Chess) -> set[str]:
    return {game.move_name(move) for move in game.legal_moves()}


def test_random_games_have_python_chess_moves_and_keys_of_their_own() -> None:
    """In whole games, moves, value and key equal those of a fresh board, and undoing restores them."""
    source = random.Random(64)
    for fen, _ in PERFT:
        for _ in range(4):
            board, game = chess.Board(fen), Chess(fen)
            seen = []
            for _ in range(80):
                assert names(game) == {move.uci() for move in board.legal_moves}
                if not names(game):
                    break
                seen.append((game.hash, game.static_value()))
                move = source.choice(sorted(names(game)))
                number = game.find_move(move)
                assert number is not None
                game.push(number)
                board.push_uci(move)
                fresh = Chess(board.fen(en_passant="fen"))
                assert (fresh.hash, fresh.static_value()) == (game.hash, game.static_value())
                assert game.white_to_move == board.turn
            for state in reversed(seen):
                game.pop()
                assert (game.hash, game.static_value()) == state


def random_board(source: random.Random, least: int, most: int) -> chess.Board:
    """This many random moves from the start, fewer if the game ends first."""
    board = chess.Board()
    for _ in range(source.randint(least, most)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(source.choice(moves))
    return board


def test_the_mirrored_position_has_the_same_value() -> None:
    source = random.Random(2)
    for _ in range(20):
        board = random_board(source, 0, 70)
        assert Chess(board.fen()).static_value() == Chess(board.mirror().fen()).static_value()


def test_the_game_ends_as_the_rules_say() -> None:
    def final(fen: str) -> int | None:
        return Chess(fen).final_value()

    assert final("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == 0  # stalemate
    mated = final("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert mated is not None
    assert mated < -1_000_000
    assert final("8/8/8/4k3/8/8/4K3/8 w - - 0 1") == 0
    assert final("8/8/8/4k3/8/8/4KN2/8 w - - 0 1") == 0
    assert final("8/8/8/4k3/8/8/3NKN2/8 w - - 0 1") is None
    assert final("8/8/8/4k3/8/8/4KR2/8 w - - 100 90") == 0
    assert final("8/8/8/4k3/8/8/4KR2/8 w - - 99 90") is None


def test_a_repeated_position_is_drawn() -> None:
    game = Chess()
    for name in ("g1f3", "g8f6", "f3g1", "f6g8"):
        assert game.final_value() is None
        number = game.find_move(name)
        assert number is not None
        game.push(number)
    assert game.final_value() == 0


def best_exchange(board: chess.Board, square: int, values: dict[int, int]) -> int:
    """The most the mover can win on a square, taking with the cheapest piece or not at all, by playing it out."""
    takers = [move for move in board.legal_moves if move.to_square == square and board.is_capture(move)]
    if not takers:
        return 0
    move = min(takers, key=lambda move: values[board.piece_type_at(move.from_square) or 0])
    victim = values[board.piece_type_at(square) or chess.PAWN]
    board.push(move)
    gain = victim - best_exchange(board, square, values)
    board.pop()
    return max(0, gain)


def test_exchanges_equal_playing_them_out() -> None:
    """Without pins, checks, promotions or en passant, the static exchange value equals that of playing it out."""
    values = {
        chess.PAWN: 100,
        chess.KNIGHT: 320,
        chess.BISHOP: 330,
        chess.ROOK: 500,
        chess.QUEEN: 960,
        chess.KING: 10000,
    }
    source = random.Random(13)
    compared = 0
    for _ in range(150):
        board = random_board(source, 6, 60)
        pinned = any(
            board.is_pinned(color, square)
            for color in chess.COLORS
            for square in board.pieces(chess.PAWN, color) | board.occupied_co[color]
        )
        if pinned or board.is_check():
            continue
        game = Chess(board.fen())
        for move in board.legal_moves:
            edge = chess.square_rank(move.to_square) in (0, 7)
            if not board.is_capture(move) or board.is_en_passant(move) or edge or board.gives_check(move):
                continue
            victim = values[board.piece_type_at(move.to_square) or 0]
            board.push(move)
            expected = victim - best_exchange(board, move.to_square, values)
            board.pop()
            number = game.find_move(move.uci())
            assert number is not None
            compared += 1
            assert game.exchange_value(number) == expected, (board.fen(), move.uci())
    assert compared > 100


def test_bad_fens_and_moves_are_refused() -> None:
    for fen in ("", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K6x w - - 0 1"):
        with pytest.raises(FenError):
            Chess(fen)
    game = Chess()
    assert game.find_move("e2e5") is None
    with pytest.raises(IndexError):
        game.pop()
    with pytest.raises(IllegalMoveError):
        game.push(12345)


def shuffle_knights(game: Chess, times: int) -> None:
    for _ in range(times):
        for name in ("g1f3", "g8f6", "f3g1", "f6g8"):
            number = game.find_move(name)
            assert number is not None
            game.push(number)


def test_a_game_too_long_to_be_undone_is_refused_in_time() -> None:
    with pytest.raises(IllegalMoveError, match="too long"):
        shuffle_knights(Chess(), 600)
