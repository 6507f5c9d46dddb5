"""The network in the core: files, SIMD paths, symmetries, and incremental updates against full refreshes."""

from __future__ import annotations

import random
import struct
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import core_inspection
import pytest
from random_nets import random_network
from random_play import random_position

from chuhe.engine import Engine, Limits, Move, Position, Score, Settings, _core
from chuhe.engine.errors import IllegalMoveError, LimitError, NetworkError
from chuhe.engine.network import DEFAULT, FEATURES, HEADER, ONE_BUCKET, ROWS, NetworkFile, parse, read
from chuhe.engine.score_scale import shown


@pytest.fixture(scope="module")
def network() -> _core.Network:
    return random_network(1).load()


def random_positions(count: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    return [random_position(rng, rng.randint(0, 120)) for _ in range(count)]


def mirrored(fen: str) -> str:
    board, rest = fen.split(" ", 1)
    return "/".join(row[::-1] for row in board.split("/")) + " " + rest


def flipped(fen: str) -> str:
    board, turn, rest = fen.split(" ", 2)
    return "/".join(reversed(board.split("/"))).swapcase() + (" b " if turn == "w" else " w ") + rest


# Values


def test_a_network_worked_out_by_hand() -> None:
    # One neuron counts: the bias 2048 is the limit (2^11), every row is 0, so each view's square is 2^13 whatever
    # stands on the board. The mover's weight is 100, the other's -40, the offset 2^13: the sum is 61 * 2^13.
    hidden = 32
    bias = struct.pack("<32h", 2048, *[0] * 31)
    weights = struct.pack("<64h", 100, *[0] * 31, -40, *[0] * 31)
    rows = bytes(2 * FEATURES * hidden)
    made = NetworkFile(hidden, 1, 11, ONE_BUCKET, 1 << 19, "{}", rows, bias, weights, struct.pack("<i", 1 << 13)).load()
    assert made.evaluate(Position()) == 61  # 61 * 2^13 * 2^19 / 2^32


def test_each_piece_counts_by_where_its_side_sees_it() -> None:
    # Row of "own rook on the mover's right corner" (piece 4, square i0 = 8) raises neuron 0 to the limit.
    hidden = 32
    rows = bytearray(2 * FEATURES * hidden)
    struct.pack_into("<h", rows, 2 * (4 * 90 + 8) * hidden, 2048)
    weights = struct.pack("<64h", 1, *[0] * 31, 1000, *[0] * 31)
    made = NetworkFile(
        hidden, 1, 11, ONE_BUCKET, 1 << 19, "{}", bytes(rows), bytes(64), weights, struct.pack("<i", 0)
    ).load()  # fmt: skip
    assert made.evaluate(Position("3k5/9/9/9/9/9/9/9/9/4K3R w")) == 1  # in the mover's view
    assert made.evaluate(Position("3k5/9/9/9/9/9/9/9/9/4K3R b")) == 1000  # in the other's
    assert made.evaluate(Position("3k5/9/9/9/9/9/9/9/9/R3K4 w")) == 0  # the left corner is another input
    assert made.evaluate(Position("3k5/9/9/9/9/9/9/9/9/R4K3 w")) == 1  # but a king right of the middle mirrors it
    assert made.evaluate(Position("4k3r/9/9/9/9/9/9/9/9/3K5 b")) == 1  # Black sees the board from Black's end


def test_a_view_uses_the_bucket_of_rows_for_the_pieces_that_its_opponent_has() -> None:
    # Set 0 without an opposing rook, knight or cannon, set 1 with one, set 2 with more. In set n, the row of "own king
    # on e0" raises neuron n to the limit.
    hidden = 32
    rows = bytearray(3 * 2 * FEATURES * hidden)
    for number in range(3):
        struct.pack_into("<h", rows, 2 * ((number * FEATURES + 4) * hidden + number), 2048)
    weights = struct.pack("<64h", 1, 10, 100, *[0] * 29, -1000, -2000, -4000, *[0] * 29)
    bucket_of = bytes((0, 1, 2, 2, 2, 2, 2))
    made = NetworkFile(
        hidden, 1, 11, bucket_of, 1 << 19, "{}", bytes(rows), bytes(64), weights, struct.pack("<i", 0)
    ).load()  # fmt: skip
    assert made.evaluate(Position("3k5/9/9/9/9/9/9/9/9/4K3R w")) == 1
    assert made.evaluate(Position("3k3r1/9/9/9/9/9/9/9/9/4K3R w")) == 10
    assert made.evaluate(Position("3k3r1/9/2c6/9/9/9/9/9/9/4K3R w")) == 100
    assert made.evaluate(Position("3k3r1/p8/2c6/9/9/9/9/9/9/4K3R b")) == -4000
    walk = core_inspection.NetworkWalk(made, Position("3k3r1/9/9/9/9/9/9/6N2/9/4K2R1 w"))
    assert walk.evaluate() == 10
    walk.push(Move.from_iccs("h0h9"))  # the rook is captured: another set
    walk.push(Move.from_iccs("d9d8"))
    assert walk.evaluate() == walk.evaluate_afresh() == 1


@pytest.mark.parametrize("seed", range(5))
def test_following_the_moves_equals_starting_afresh(seed: int, network: _core.Network) -> None:
    rng = random.Random(seed)
    start = Position("3k1a3/4a4/4b3b/p3p4/2p3n2/6R2/P3P1N1P/2C1B4/4A4/3AK1B2 w") if seed % 2 else Position()
    walk, position = core_inspection.NetworkWalk(network, start), start.copy()
    depth = compared = 0
    for _ in range(1500):
        moves = position.legal_moves
        if depth and (not moves or depth > 100 or rng.random() < 0.35):
            walk.pop()
            position.pop()
            depth -= 1
        elif not position.is_check() and rng.random() < 0.05:
            walk.push(None)
            position.push_null()
            depth += 1
        else:
            kings = [move for move in moves if move.from_square in (position.king(0), position.king(1))]
            move = rng.choice(kings if kings and rng.random() < 0.3 else moves)
            walk.push(move)
            position.push(move)
            depth += 1
        if rng.random() < 0.5:  # not after every move: accumulators must then catch up over several moves
            assert walk.evaluate() == walk.evaluate_afresh() == network.evaluate(position)
            compared += 1
    assert compared > 500


def test_output_weights_that_could_overflow_a_lane_are_refused() -> None:
    # 8 of the 32 neurons share a lane; 8 * 32767 * 2^13 < 2^31 holds, 16 * 32767 * 2^13 does not
    for hidden, fits in ((32, True), (64, False)):
        weights = struct.pack("<h", 32767) * (2 * hidden)
        made = NetworkFile(
            hidden, 1, 11, ONE_BUCKET, 1 << 19, "{}", bytes(2 * FEATURES * hidden), bytes(2 * hidden), weights, bytes(4)
        )  # fmt: skip
        if fits:
            assert made.load().hidden == hidden
        else:
            with pytest.raises(NetworkError, match="the output weights are too large"):
                made.load()


def test_walk_refuses_what_is_not_legal(network: _core.Network) -> None:
    walk = core_inspection.NetworkWalk(network, Position())
    with pytest.raises(IllegalMoveError):
        walk.push(Move.from_iccs("a0a5"))
    with pytest.raises(IndexError):
        walk.pop()
    assert walk.evaluate() == walk.evaluate_afresh()


@pytest.mark.parametrize("seed", [1, 2])
def test_mirror_images_and_changed_colours_have_the_same_value(seed: int) -> None:
    made = random_network(seed, 32).load()
    for position in random_positions(60, seed):
        value = made.evaluate(position)
        assert made.evaluate(Position(flipped(position.fen()))) == value
        # with both kings off the middle file, each view is the same from either side
        if position.king(0) % 9 != 4 and position.king(1) % 9 != 4:
            assert made.evaluate(Position(mirrored(position.fen()))) == value


def test_mirrored_kings_mirror_the_view(network: _core.Network) -> None:
    fen = "3k5/4a4/4b3b/p3p4/2p3n2/6R2/P3P1N1P/2C1B4/4A4/5KB2 w - - 0 1"
    assert network.evaluate(Position(fen)) == network.evaluate(Position(mirrored(fen)))


def test_all_vector_paths_give_the_same_numbers() -> None:
    made = random_network(3, 96).load()
    positions = random_positions(100, 7)
    best = _core.vector_paths()[0]
    values = {}
    try:
        for path in _core.vector_paths():
            core_inspection.use_vector_path(path)
            values[path] = [core_inspection.NetworkWalk(made, position).evaluate() for position in positions]
            walk = core_inspection.NetworkWalk(made, Position())
            for move in ("h2e2", "h9g7", "h0g2", "i9h9"):
                walk.push(Move.from_iccs(move))
            assert walk.evaluate() == walk.evaluate_afresh()
    finally:
        core_inspection.use_vector_path(best)
    assert "plain" in values
    expected = [made.evaluate(position) for position in positions]
    assert all(found == expected for found in values.values())
    with pytest.raises(ValueError, match="'mmx' is not one of"):
        core_inspection.use_vector_path("mmx")


def test_worths_are_the_value_less_the_value_without_the_piece(network: _core.Network) -> None:
    position = Position("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    without = Position("3k5/9/9/9/9/9/9/9/9/4K4 w")
    assert network.worths(position) == [(0, network.evaluate(position) - network.evaluate(without))]
    black = Position("3k4r/9/9/9/9/9/9/9/9/4K4 w")
    assert network.worths(black) == [(89, -(network.evaluate(black) - network.evaluate(without)))]


# Files


def test_a_file_comes_back_as_it_was_written() -> None:
    made = replace(random_network(4), recipe='{"by": "hand"}')
    assert parse(made.to_bytes()) == made


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"PK" + data[2:], "not a Chuhe network"),
        (lambda data: data[:20], "cut off in its header"),
        (lambda data: data[:-1], "is damaged: .* bytes instead of"),
        (lambda data: data + b"x", "is damaged: .* bytes instead of"),
        (lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:], "checksum mismatch"),
        (lambda data: data[:8] + struct.pack("<I", 9) + data[12:], "version 9; this program reads version 4"),
        (lambda data: b"", "not a Chuhe network"),
    ],
)
def test_damaged_and_foreign_files_are_named(change, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "some.net"
    path.write_bytes(change(random_network(5).to_bytes()))
    with pytest.raises(NetworkError, match=f"some.net.*{message}"):
        read(path)


def test_no_flipped_bit_of_the_header_goes_unnoticed() -> None:
    data = random_network(6, 32, 1).to_bytes()
    for bit in range(8 * (HEADER.size + 2)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(NetworkError):
            parse(bytes(changed))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 33}, "steps of 32"),
        ({"limit_bits": 15}, "limit_bits must be 1 to 14"),
        ({"factor": 0}, "factor must be 1 to"),
        ({"factor": -5}, "factor must be 1 to"),
        ({"factor": 1 << 60}, "factor must be 1 to"),
        ({"buckets": 14}, "1 to 13 output buckets"),
    ],
)
def test_numbers_out_of_range_are_refused(change: dict[str, int], message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        replace(random_network(6), **change).load()  # type: ignore[arg-type]


def test_a_file_of_version_3_is_still_read() -> None:
    made = random_network(8)
    head, body = made.to_bytes()[: HEADER.size + 2], (made.feature_bias, made.output_weights, made.output_bias)
    old = b"".join((head[:8], struct.pack("<I", 3), head[12:], made.feature_weights, *body))
    assert parse(old + struct.pack("<I", zlib.crc32(old))) == made


def test_networks_have_checksums_of_their_own() -> None:
    assert len({random_network(seed).checksum for seed in range(4)}) == 4
    assert random_network(8).checksum == parse(random_network(8).to_bytes()).checksum


def test_a_file_has_no_rows_for_what_never_occurs() -> None:
    kinds = Counter(divmod(row, 90)[0] for row in ROWS)
    own = [6, 5, 7, 90, 90, 90, 90]  # of the king the left half of the palace: the view is mirrored
    assert [kinds[piece] for piece in range(14)] == [*own, 9, *own[1:]]


def test_a_value_beyond_all_scores_is_bounded(tmp_path: Path) -> None:
    made = replace(random_network(9), factor=1 << 27)
    path = tmp_path / "loud.net"
    path.write_bytes(made.to_bytes())
    engine = Engine(Settings(hash_mb=1, evalfile=str(path)))
    assert abs(engine.evaluate().cp or 0) == shown(20_000)  # as in the search; UCCI would read more as a mate


def test_missing_files_and_directories(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="there is no such file"):
        read(tmp_path / "none.net")
    with pytest.raises(NetworkError, match="this is not a file"):
        read(tmp_path)


# In the engine


def test_the_bundled_network_plays_and_is_small() -> None:
    assert DEFAULT.stat().st_size <= 6 << 20
    assert '"made_by"' in read(DEFAULT).recipe
    engine = Engine(Settings(hash_mb=1))
    assert isinstance(engine.network, _core.Network)
    network = engine.search(Limits(nodes=3000))
    engine.configure(evaluation="classical")
    assert engine.evaluate() == Score(cp=shown(_core.static_evaluation(Position())))
    classical = engine.search(Limits(nodes=3000))
    assert network.move is not None
    assert (network.score, network.pv) != (classical.score, classical.pv)


def test_the_search_uses_the_network_that_it_is_given(tmp_path: Path) -> None:
    # a network that only scores the side to move: every leaf is +100 for its mover
    hidden = 32
    flat = NetworkFile(
        hidden,
        1,
        11,
        ONE_BUCKET,
        1 << 19,
        "{}",
        bytes(2 * FEATURES * hidden),
        bytes(64),
        bytes(128),
        struct.pack("<i", 100 << 13),
    )
    path = tmp_path / "flat.net"
    path.write_bytes(flat.to_bytes())
    engine = Engine(Settings(hash_mb=1, evalfile=str(path)))
    assert engine.evaluate().cp == shown(100)
    assert engine.search(Limits(depth=1)).score.cp in (-shown(100), shown(100))


def test_a_bad_file_leaves_the_engine_as_it_was(tmp_path: Path) -> None:
    engine = Engine(Settings(hash_mb=1))
    before = engine.evaluate()
    with pytest.raises(NetworkError, match="there is no such file"):
        engine.configure(evalfile=str(tmp_path / "none.net"), multipv=3)
    assert engine.settings.evalfile == ""
    assert engine.settings.multipv == 1
    assert engine.evaluate() == before
    with pytest.raises(LimitError, match="evaluation must be one of network, classical"):
        engine.configure(evaluation="guess")


def test_less_knowledge_is_the_hand_crafted_kind() -> None:
    engine = Engine(Settings(hash_mb=1, knowledge="none"))
    assert engine.network is None
    assert engine.evaluate().cp == 0


def test_threads_and_hash_changes_keep_the_network() -> None:
    engine = Engine(Settings(hash_mb=1))
    engine.configure(threads=3)
    assert engine.search(Limits(nodes=20000)).move is not None
    engine.configure(threads=1, hash_mb=2)
    assert engine.network is not None
    assert engine.search(Limits(nodes=5000)).move is not None


def test_the_table_shows_the_network_and_each_piece() -> None:
    engine = Engine(Settings(hash_mb=1))
    table = engine.evaluation_table()
    assert "Network: " in table
    board = table.splitlines()[-11:]
    assert board[-1].split() == list("abcdefghi")
    assert all(f"{letter} " in board[0] for letter in "rnbak")
    engine.configure(evaluation="classical")
    assert "Network" not in engine.evaluation_table()
