"""A seeded fuzzer for files and protocol lines: damage gives a documented error, or a file that works.

Half of the damaged files get their checksums made right again, so that the damage reaches what they protect. Used by
tests/records/test_file_fuzz.py (a short part) and tests/tools/fuzz_round.py (a long one).
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from dialogue import say
from game_files import xqf
from random_nets import random_network

from chuhe.bench.learning import checkpoint, selfplay
from chuhe.bench.learning.game_files import GameFile
from chuhe.bench.learning.game_format import BLOCK, DataError
from chuhe.bench.learning.game_format import HEADER as GAMES_HEADER
from chuhe.bench.learning.recipe import TrainingError, TrainingRecipe
from chuhe.bench.learning.records import expand
from chuhe.bench.learning.train import read_positions
from chuhe.bench.learning.training import Training
from chuhe.engine import NetworkError, Position, Settings
from chuhe.engine.endgame import Tablebases, TableError
from chuhe.engine.endgame.building import build, load, missing
from chuhe.engine.endgame.material import Material
from chuhe.engine.endgame.table_file import HEADER as TABLE_HEADER
from chuhe.engine.endgame.table_file import open_table
from chuhe.engine.network import parse
from chuhe.engine.values import SelfPlayRules
from chuhe.protocol.session import Session
from chuhe.records.files import games_from_bytes
from chuhe.records.game_record import RecordError
from chuhe.variants.session import make_variant

LARGEST_SCORE = 20_000  # centipawns, of any network


def damaged(rng: random.Random, data: bytes, head: int = 256) -> bytes:
    """The data with flipped bits, changed bytes or numbers, cut off or doubled; half the time only in the head."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if not out:
            break
        at = rng.randrange(min(head, len(out)) if rng.random() < 0.5 else len(out))
        kind = rng.randrange(8)
        if kind <= 2:
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 3:
            out[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF))
        elif kind == 4:
            number = rng.choice((0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, rng.getrandbits(32)))
            out[at : at + 4] = struct.pack("<I", number)
        elif kind == 5:
            del out[at:]
        elif kind == 6:
            del out[at : at + rng.randrange(1, 40)]
        else:
            out[at:at] = out[at : at + rng.randrange(1, 40)]
    return bytes(out)


class FileFuzzer:
    """`steps` has a function for each kind of file; `counts` how many were tried and how many of them worked."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.directory = directory
        self.counts: dict[str, list[int]] = {}
        self.steps: dict[str, Callable[[], bool]] = {
            "protocol": self.protocol,
            "networks": self.network,
            "tables": self.table,
            "games": self.games,
            "checkpoints": self.checkpoint,
            "records": self.record,
        }
        self._network = random_network(3, hidden=32, buckets=1, bucket_of=bytes(7)).to_bytes()
        tables = directory / "tables"
        build(tables, missing(tables, [Material.parse("KPK")]), 1, lambda built: None)
        self._table = (tables / "KPK.egt").read_bytes()
        self._made = directory / "made.games"
        recipe = selfplay.SelfPlayRecipe(SelfPlayRules(nodes=20, most_nodes=40, longest=60), Settings(hash_mb=1))
        selfplay.generate(recipe, 6, self._made)
        self._games = self._made.read_bytes()
        self._training = self._new_training()
        self._checkpoint_path = directory / "x.checkpoint"
        checkpoint.save(self._checkpoint_path, self._training, self._training.parameters)
        self._checkpoint = self._checkpoint_path.read_bytes()
        self._lines: list[str] = []
        self._session = self._new_session()

    def step(self, kind: str) -> None:
        count = self.counts.setdefault(kind, [0, 0])
        count[0] += 1
        count[1] += self.steps[kind]()

    def _new_training(self) -> Training:
        recipe = TrainingRecipe(hidden=32, buckets=1, input_buckets="0000000", epochs=1, batch=16)
        return Training(recipe, read_positions([self._made], recipe), 1)

    # --- files

    def network(self) -> bool:
        data = damaged(self.rng, self._network, 64)
        if self.rng.random() < 0.5 and len(data) > 4:
            data = data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))
        try:
            network = parse(data).load()
        except NetworkError:
            return False
        assert abs(network.evaluate(Position())) <= LARGEST_SCORE
        return True

    def table(self) -> bool:
        data = bytearray(damaged(self.rng, self._table, TABLE_HEADER.size + 96))
        if self.rng.random() < 0.7 and len(data) > TABLE_HEADER.size:
            fields = list(TABLE_HEADER.unpack_from(data))
            fields[5] = len(data) if self.rng.random() < 0.5 else fields[5]
            end = fields[6]
            if TABLE_HEADER.size <= end <= len(data):
                TABLE_HEADER.pack_into(data, 0, *fields)
                head = zlib.crc32(data[TABLE_HEADER.size : end], zlib.crc32(data[: TABLE_HEADER.size - 8]))
                struct.pack_into("<I", data, TABLE_HEADER.size - 8, head)
        directory = self.directory / "damaged"
        directory.mkdir(exist_ok=True)
        (directory / "KPK.egt").write_bytes(data)
        tablebases = Tablebases([directory])
        for fen in ("3k5/9/9/9/9/4P4/9/9/9/4K4 w", "4k4/3P5/9/9/9/9/9/9/9/3K5 b", "5k3/9/4P4/9/9/9/9/9/9/3K5 w"):
            assert tablebases.core.probe(Position(fen)) >= -2
        try:
            load(open_table(directory / "KPK.egt"))
        except (TableError, ValueError):
            return False
        return True

    def games(self) -> bool:
        data = bytearray(damaged(self.rng, self._games, 400))
        if self.rng.random() < 0.7 and len(data) > GAMES_HEADER.size:
            _repair_games(data)
        path = self.directory / "damaged.games"
        path.write_bytes(data)
        try:
            with GameFile(path) as file:
                for block in file.blocks():
                    expand(block)
                    list(block.unpack())
        except DataError:
            return False
        return True

    def checkpoint(self) -> bool:
        self._checkpoint_path.write_bytes(damaged(self.rng, self._checkpoint, 600))
        try:
            checkpoint.restore(self._checkpoint_path, self._training)
        except TrainingError:
            return False
        return True

    def record(self) -> bool:
        moves = ["h2e2", "h9g7", "h0g2", "i9h9"]
        texts = {
            "x.pgn": b'[Event "a"]\n[FEN ""]\n\n1. h2e2 {c} (1. b2e2 $1) h9g7 2. C2=5 *\n\n1. h3e3 h10g8 1-0\n',
            "x.xqf": xqf(moves, comments={1: "note"}),
        }
        name = self.rng.choice(list(texts))
        try:
            games_from_bytes(damaged(self.rng, texts[name], 1024), name)
        except RecordError:
            return False
        return True

    # --- lines

    def _new_session(self) -> Session:
        session = Session(self._lines.append, make_variant=make_variant)
        for line in ("ucci", "setoption hashsize 1", "setoption usebook false"):
            session.handle(line)
        return session

    def protocol(self) -> bool:
        """One line, after which the session still answers."""
        line = damaged(self.rng, self.rng.choice(LINES).encode(), 40).decode("utf-8", "replace")
        words = line.lower()
        if any(word in words for word in ("hash", "thread", "log", "quit", "path", "file", "bench")):
            line = "isready"  # would take all memory, write files, or end
        self._lines.clear()
        self._session.handle(line)
        if self._session.state == "thinking":
            say(self._session, "stop")
        if self._session.state == "boot":  # never: a session has its protocol for good
            raise AssertionError(line)
        assert not any("internal error" in text for text in self._lines), (line, self._lines)
        self._session.handle("isready")
        assert "readyok" in self._lines[-1], (line, self._lines)
        return len(self._lines) > 1


LINES = (
    "ucci", "uci", "ucicyclone", "isready", "ucinewgame", "stop", "ponderhit", "ponderhit draw", "d", "eval", "flip",
    "position startpos moves h2e2 h9g7", "position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1", "startpos",
    "fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w", "banmoves h2e2 b0c2", "go depth 2", "go nodes 50", "go movetime 1",
    "go time 100 increment 1", "go time 1 movestogo 3 opptime 5", "go wtime 50 btime 50 winc 1 binc 1", "go mate 2",
    "go ponder depth 1", "go infinite", "go perft 2", "go depth 1 searchmoves h2e2 b2e2", "go depth 0", "go",
    "setoption name MultiPV value 3", "setoption multipv 2", "setoption level 3", "setoption batch true",
    "setoption name UCI_Variant value xiangqi", "setoption name UCI_Variant value chess", "setoption pruning small",
    "setoption knowledge none", "setoption drawscore 20", "setoption style risky", "setoption newgame",
    "setoption usemillisec true", "setoption randomness 5", "probe fen 4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1",
    "debug on", "help", "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
)  # fmt: skip


def _repair_games(data: bytearray) -> None:
    """Make the checksums of the header and the first block right."""
    length = GAMES_HEADER.unpack_from(data)[2]
    at = GAMES_HEADER.size + length
    if at + 4 > len(data):
        return
    struct.pack_into("<I", data, at, zlib.crc32(data[:at]))
    at += 4
    if at + BLOCK.size > len(data):
        return
    marker, stored, size, games, positions, _, _ = BLOCK.unpack_from(data, at)
    content = zlib.crc32(data[at + BLOCK.size : at + BLOCK.size + stored])
    head = BLOCK.pack(marker, stored, size, games, positions, content, 0)[:-4]
    data[at : at + BLOCK.size] = head + struct.pack("<I", zlib.crc32(head))
