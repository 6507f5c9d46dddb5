"""Long runs against the engine process. The test suite runs short versions.

python tests/tools/endurance.py fuzz --lines 100000 --seed 1
python tests/tools/endurance.py memory --searches 1000
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "helpers"))

from transcript import EngineProcess

from chuhe.engine import Position
from chuhe.protocol.commands import CommandError, Go, SetOption
from chuhe.protocol.options import OPTIONS
from chuhe.protocol.parse import parse

FENS = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "3k5/9/9/9/9/9/9/9/9/4K4 b",
    "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 5",
    "3k5/9/9/9/9/9/9/9/3R5/3RK4 b",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
]
WORDS = [
    *["ucci", "uci", "ucicyclone", "position", "startpos", "fen", "moves", "go", "depth", "nodes", "time", "mate"],
    *[
        "ponder",
        "draw",
        "infinite",
        "searchmoves",
        "banmoves",
        "stop",
        "ponderhit",
        "probe",
        "setoption",
        "name",
        "value",
    ],
    *[
        "isready",
        "d",
        "eval",
        "flip",
        "help",
        "ucinewgame",
        "debug",
        "on",
        "off",
        "perft",
        "h2e2",
        "a10a9",
        "e2e4",
        "-1",
    ],
    *["0", "1", "9" * 30, "1e9", "0x10", "nan", "%s%n", "../..", "\x00", "楚河", "\ufeff", "\t", "-", "=", ""],
]


def fuzz_lines(count: int, seed: int) -> Iterator[bytes]:
    """Lines of every kind: valid, nearly valid, nonsense, invalid UTF-8, and huge ones."""
    rng = random.Random(seed)
    for _ in range(count):
        sort = rng.random()
        if sort < 0.45:
            line = valid_line(rng).encode()
        elif sort < 0.65:
            line = broken(rng, valid_line(rng)).encode("utf-8", "surrogatepass")
        elif sort < 0.85:
            line = " ".join(rng.choices(WORDS, k=rng.randint(0, 12))).encode()
        elif sort < 0.999:
            line = rng.randbytes(rng.randint(0, 60)).replace(b"\n", b"")
        else:
            line = rng.choice([b"x", b"position startpos moves " + b"h2e2 ", b"setoption Hash x", b"\xff"]) * 20_000
        if line.split()[:1] != [b"quit"] and b"bench" not in line and not _too_long(line):
            yield line + (b"\r" if rng.random() < 0.2 else b"")


def _too_long(line: bytes) -> bool:
    """Lines to avoid: searches that only `stop` would end (`batch` would not read it), and huge hash tables."""
    try:
        command = parse(line.decode("utf-8", "replace"))
    except CommandError:
        return False
    if isinstance(command, SetOption):
        return "hash" in command.name.lower() and len(command.value.strip()) > 2
    if not isinstance(command, Go):
        return False
    limits = (command.depth, command.time, command.wtime, command.btime, command.nodes, command.movetime)
    return (
        command.mate is not None
        or any(limit is not None and limit > 200 for limit in limits)
        or (command.depth or 0) > 4
    )


def valid_line(rng: random.Random) -> str:
    move = rng.choice(["h2e2", "h9g7", "b0c2", "h3e3", "e2e4", "a0a1", "d9d8"])
    fen = rng.choice(FENS)
    choice = rng.randrange(12)
    if choice == 0:
        return rng.choice(["isready", "stop", "d", "eval", "flip", "ucinewgame", "debug off", "help", "ponderhit"])
    if choice <= 2:
        return f"position startpos moves {' '.join(rng.choices(['h2e2', 'h9g7', 'b0c2', 'b9c7'], k=rng.randint(0, 4)))}"
    if choice <= 4:
        return f"position fen {fen}" + (f" moves {move}" if rng.random() < 0.5 else "")
    if choice <= 6:
        limit = rng.choice(
            ["depth 1", "depth 2", "nodes 200", "movetime 1", "time 0 increment 0", "depth 0", "infinite"]
        )
        return f"go {rng.choice(['', 'ponder ', 'draw '])}{limit}" + rng.choice(["", f" searchmoves {move}"])
    if choice == 7:
        return f"probe fen {fen}"
    if choice == 8:
        return f"banmoves {move}"
    if choice == 9:
        return rng.choice(["stop", "stop", "ponderhit draw", "go perft 2", rng.choice(["ucci", "uci"])])
    option = rng.choice([option for option in OPTIONS if option.key not in ("hash", "threads", "logfile", "batch")])
    name = rng.choice([text for text in (option.ucci, option.uci) if text])
    value = {
        "check": rng.choice(["true", "false", "on", "maybe"]),
        "spin": str(rng.randint(option.low - 1, option.high + 1)),
        "combo": rng.choice([*option.choices, "nonsense"]),
    }.get(option.kind, "/nonexistent/file")
    if rng.random() < 0.1:
        name, value = rng.choice(
            [("Hash", "1"), ("Hash", "-99"), ("Threads", "2"), ("batch", "true"), ("batch", "off")]
        )
    return f"setoption {name} {value}" if rng.random() < 0.5 else f"setoption name {name} value {value}"


def broken(rng: random.Random, line: str) -> str:
    """A valid line with part of it removed, doubled or replaced."""
    at = rng.randrange(len(line) + 1)
    return rng.choice(
        [line[:at], line[at:], line[:at] + line, line[:at] + chr(rng.randrange(1, 0x2FFF)) + line[at + 1 :]]
    )


def fuzz(count: int, seed: int) -> str:
    """Send the lines; then the engine must be alive and play a legal move. Returns the move."""
    with EngineProcess() as engine:
        for number, line in enumerate(fuzz_lines(count, seed), 1):
            engine.send(line)
            if number % 500 == 0:  # keep unread output from piling up
                keep_in_step(engine, number)
                show(f"{number} lines")
        number = count + 1
        keep_in_step(engine, number)  # what has not been read yet
        idle = False
        while not idle:  # a search that has been told to stop may take a moment, and `ucci` is ignored meanwhile
            number += 1
            idle = "ucciok" in keep_in_step(engine, number)
        for text in ("uci", "setoption batch false", "setoption UCI_Variant xiangqi", "setoption usebook off"):
            engine.send(text)
        engine.send("position startpos moves h3e3")
        engine.send("go depth 4")
        move = engine.until("bestmove")[-1].split()[1]
        assert engine.end() == 0
    position = Position()
    position.push("h2e2")
    assert move in [legal.uci for legal in position.legal_moves], move
    return move


def keep_in_step(engine: EngineProcess, number: int) -> list[str]:
    """Read all output, up to the answer to a unique marker."""
    marker = f"marker{number}"
    # `stop`, since an endless search in batch mode hears nothing else; a greeting, in case there was none yet
    for line in ("stop", "ucci", "debug on", marker, "debug off"):
        engine.send(line)
    lines = [engine.line()]
    while marker not in lines[-1]:
        lines.append(engine.line())
    return lines


def resident(pid: int) -> int:
    """Resident memory of a process, in kilobytes."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS"))


def memory(searches: int, milliseconds: int, seed: int) -> list[int]:
    """Play games with option changes, ponder hits and misses; returns the memory after each tenth of the searches."""
    rng = random.Random(seed)
    sizes = []
    position = Position()
    with EngineProcess() as engine:
        engine.send("ucci")
        engine.until("ucciok")
        for line in ("usemillisec true", "usebook false", "hashsize 4", "overhead 0"):
            engine.send(f"setoption {line}")
        for number in range(1, searches + 1):
            if position.outcome() is not None or len(position.move_stack) > 60:
                position = Position()
                engine.send("setoption newgame")
            position.push(search_once(engine, rng, position, milliseconds))
            if number % max(1, searches // 10) == 0:
                sizes.append(resident(engine.process.pid))
                show(f"{number} searches, {sizes[-1]} kB")
        engine.send("quit")
        assert engine.end(close=False) == 0
    return sizes


def search_once(engine: EngineProcess, rng: random.Random, position: Position, milliseconds: int) -> str:
    """One search with random limits; its answer must be legal."""
    option = rng.choice(
        ["hashsize 4", "hashsize 8", "multipv 2", "multipv 1", "style risky", "style normal", "threads 1"]
    )
    engine.send(f"setoption {option}")
    engine.send("position startpos moves " + " ".join(str(move) for move in position.move_stack))
    clock = f"time {milliseconds} movestogo 1"
    way = rng.random()
    if way < 0.15:
        engine.send(f"go ponder {clock}")
        engine.send("ponderhit")
    elif way < 0.3:
        engine.send(f"go ponder {clock}")
        engine.send("stop")
    elif way < 0.4:
        engine.send("go infinite")
        engine.send("stop")
    else:
        engine.send(f"go {clock}")
    move = engine.until("bestmove")[-1].split()[1]
    assert move in [str(legal) for legal in position.legal_moves], f"{move} in {position.fen()}"
    return move


def show(text: str) -> None:
    if __name__ == "__main__":
        print(text, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", choices=["fuzz", "memory"])
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--movetime", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.run == "fuzz":
        print(f"alive after {arguments.lines} lines, plays {fuzz(arguments.lines, arguments.seed)}")
    else:
        sizes = memory(arguments.searches, arguments.movetime, arguments.seed)
        print(f"{arguments.searches} searches, every answer legal; kB after each tenth: {sizes}")


if __name__ == "__main__":
    main()
