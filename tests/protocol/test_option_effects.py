"""Every announced option does what its line says: one test each, with the real engine."""

from __future__ import annotations

import _thread
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from book_file import write_book
from dialogue import Dialogue
from random_nets import random_network
from waiting import wait_until

from chuhe.engine import Position
from chuhe.engine.endgame import forget_tablebases
from chuhe.engine.endgame.building import build
from chuhe.engine.endgame.material import Material
from chuhe.engine.time_budget import allot
from chuhe.engine.values import Limits
from chuhe.protocol.options import OPTIONS
from chuhe.variants.styles.session import StyleVariant

DRAWN = "3k1a3/9/9/9/9/9/9/9/9/4KA3 w"  # no attackers: every line ends in a draw
LATE = "3k5/9/9/9/9/9/9/9/9/4K3R w - - 119 90"  # a mate in one that comes one ply too late
CHASE = "1rbakab2/9/2c5n/4p3p/p8/7R1/P1P1P1P1P/2N3N2/4A4/2BAK1B2 w - - 0 1 moves h4c4 c7g7 c4g4 g7c7 g4c4 c7g7 c4g4"
CHASE_AGAIN = f"{CHASE} g7c7 g4c4 c7g7 c4g4"


def number(lines: list[str], word: str) -> int:
    """The last number after a word."""
    found = [line.split() for line in lines if f" {word} " in line]
    return int(found[-1][found[-1].index(word) + 1])


def score(lines: list[str]) -> str:
    """The last score, as UCI writes it."""
    words = next(line for line in reversed(lines) if " score " in line).split()
    at = words.index("score")
    return " ".join(words[at + 1 : at + 3])


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


EFFECTS: dict[str, Callable[[Path], None]] = {}


def effect(key: str) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    def register(function: Callable[[Path], None]) -> Callable[[Path], None]:
        EFFECTS[key] = function
        return function

    return register


@effect("usemillisec")
def _usemillisec(_: Path) -> None:
    played = Dialogue("ucci")
    played.option("usemillisec", "true")
    lines = played.search(go="go time 80 movestogo 1")  # taken as seconds, this would be more than a minute
    assert number(lines, "time") < 5_000


@effect("batch")
def _batch(_: Path) -> None:
    played = Dialogue("ucci")
    played.option("batch", "true")
    played.send("go depth 3", "isready")
    played.session.finish()
    words = [line.split()[0] for line in played.lines]
    assert words[-2:] == ["bestmove", "readyok"]  # without it, `readyok` comes at once


@effect("debug")
def _debug(_: Path) -> None:
    played = Dialogue("ucci")
    assert played.ask("xyzzy") == []
    played.option("debug", "on")
    assert "xyzzy" in played.ask("xyzzy")[0]


@effect("overhead")
def _overhead(_: Path) -> None:
    played = Dialogue("uci")
    played.option("Move Overhead", 150)
    assert allot(Limits(movetime=200), played.engine.settings)[1] == 50


@effect("logfile")
def _logfile(directory: Path) -> None:
    played = Dialogue("uci")
    path = directory / "dialogue.txt"
    played.option("Debug Log File", path)
    played.log.note(">", "isready")
    played.option("Debug Log File", "<empty>")
    assert "> isready" in path.read_text()


@effect("hash")
def _hash(_: Path) -> None:
    played = Dialogue("uci")
    played.option("Hash", 1)
    small = number(played.search(go="go nodes 30000"), "hashfull")
    played.option("hashsize", 64)
    assert number(played.search(go="go nodes 30000"), "hashfull") < small


@effect("clearhash")
def _clearhash(_: Path) -> None:
    _forgets("setoption name Clear Hash")


@effect("newgame")
def _newgame(_: Path) -> None:
    _forgets("setoption newgame")
    _forgets("ucinewgame")


def _forgets(command: str) -> None:
    played = Dialogue("uci")
    played.search(go="go depth 3")
    assert played.ask("probe startpos")[0].startswith("pophash bestmove")
    played.send(command)
    assert played.ask("probe startpos") == ["pophash"]


def _has_threads(least: int) -> bool:
    return _thread._count() >= least


@effect("threads")
def _threads(_: Path) -> None:
    played = Dialogue("uci")
    for threads in (1, 3):
        played.option("Threads", threads)
        wanted = _thread._count() + threads
        played.send("go infinite")
        wait_until(partial(_has_threads, wanted))
        assert _thread._count() == wanted
        played.send("stop")


@effect("ponder")
def _ponder(_: Path) -> None:
    played = Dialogue("uci")
    limits = Limits(time=60_000)
    without = allot(limits, played.engine.settings)[0]
    played.option("Ponder", "true")
    assert allot(limits, played.engine.settings)[0] > without


@effect("usebook")
def _usebook(directory: Path) -> None:
    played = _with_book(directory)
    assert best(played.search(go="go movetime 20")) == "a3a4"
    played.option("OwnBook", "false")
    assert best(played.search(go="go movetime 20")) != "a3a4"


@effect("bookfiles")
def _bookfiles(directory: Path) -> None:
    played = _with_book(directory)
    assert best(played.search(go="go movetime 20")) == "a3a4"
    assert "nowhere.bin" in played.ask("setoption name Book File value nowhere.bin")[0]
    assert best(played.search(go="go movetime 20")) == "a3a4"


def _two_books(directory: Path) -> Dialogue:
    """One plays a3a4, the other i3i4 (weight 5) and g3g4 (weight 3)."""
    played = _with_book(directory)
    write_book(directory / "other.bin", {(Position().key, 35, 44): 5, (Position().key, 33, 42): 3})
    return played


@effect("redbookfiles")
def _redbookfiles(directory: Path) -> None:
    played = _two_books(directory)
    played.option("Red Book File", directory / "other.bin")
    assert best(played.search(go="go movetime 20")) in ("i3i4", "g3g4")
    assert "nowhere.bin" in played.ask("setoption name Red Book File value nowhere.bin")[0]
    played.option("Red Book File", "<empty>")
    assert best(played.search(go="go movetime 20")) == "a3a4"


@effect("blackbookfiles")
def _blackbookfiles(directory: Path) -> None:
    played = _two_books(directory)
    black = Position().flip()
    black_fen = black.fen()
    write_book(directory / "black.bin", {(black.key, 54, 45): 1})
    played.option("Black Book File", directory / "black.bin")
    assert best(played.search(black_fen, go="go movetime 20")) == "a6a5"
    assert best(played.search(go="go movetime 20")) == "a3a4"


@effect("bookdepth")
def _bookdepth(directory: Path) -> None:
    played = _with_book(directory)
    later = Position().fen().replace("0 1", "0 4")
    assert best(played.search(later, go="go movetime 20")) == "a3a4"
    played.option("Book Depth", "3")
    assert best(played.search(later, go="go movetime 20")) != "a3a4"
    assert best(played.search(go="go movetime 20")) == "a3a4"


@effect("bookweight")
def _bookweight(directory: Path) -> None:
    played = _two_books(directory)
    played.option("Book File", f"{directory / 'other.bin'};{directory / 'book.bin'}")
    played.option("Book Min Weight", "4")
    assert {best(played.search(go="go movetime 20")) for _ in range(8)} == {"i3i4"}
    played.option("Book Min Weight", "6")
    assert any(" depth 2 " in line for line in played.search(go="go depth 2"))  # it searches, whatever it finds


def _with_book(directory: Path) -> Dialogue:
    path = directory / "book.bin"
    write_book(path, {(Position().key, 27, 36): 1})
    played = Dialogue("uci")
    played.option("OwnBook", "true")
    played.option("Book File", path)
    return played


SOLVED = "3k5/9/9/9/9/9/9/9/9/4K3R w"


@effect("useegtb")
def _useegtb(directory: Path) -> None:
    played = _with_table(directory)
    assert number(played.search(SOLVED), "tbhits") > 0
    played.option("useegtb", "false")
    assert not any("tbhits" in line for line in played.search(SOLVED))


@effect("egtbpaths")
def _egtbpaths(directory: Path) -> None:
    played = _with_table(directory)
    assert number(played.search(SOLVED), "tbhits") > 0
    assert "nowhere" in played.ask("setoption name Endgame Table Paths value nowhere")[0]
    assert number(played.search(SOLVED), "tbhits") > 0
    (directory / "KPK.egt").write_bytes(b"not a table")
    forget_tablebases()
    assert "KPK.egt is not an endgame table" in played.ask(f"setoption name Endgame Table Paths value {directory}")[0]


def _with_table(directory: Path) -> Dialogue:
    build(directory, [Material.parse("KRK")], 1, lambda built: None)
    played = Dialogue("uci")
    assert played.ask(f"setoption name Endgame Table Paths value {directory}") == ["info string 1 endgame table"]
    return played


@effect("resign")
def _resign(_: Path) -> None:
    played = Dialogue("ucci")
    played.option("resign", 1000)
    hopeless = "3k5/9/9/9/9/9/9/r8/1r7/4K1B2 w"
    answers = [played.search(hopeless, "go depth 4")[-1].endswith("resign") for _ in range(3)]
    assert answers == [False, False, True]
    played.option("resign", 0)
    assert not played.search(hopeless, "go depth 4")[-1].endswith("resign")


@effect("drawoffer")
def _drawoffer(_: Path) -> None:
    for value, expected in (("true", True), ("false", False)):
        played = Dialogue("ucci")
        played.option("drawoffer", value)
        answers = [played.search(DRAWN + " - - 0 80", "go depth 3")[-1].endswith("draw") for _ in range(8)]
        assert answers[-1] is expected


@effect("drawscore")
def _drawscore(_: Path) -> None:
    played = Dialogue("uci")
    played.option("Draw Score", 40)
    assert score(played.search(DRAWN)) == "cp 40"
    played = Dialogue("ucci")
    assert not played.search("3k5/9/9/9/9/9/9/9/9/R3K3R w", "go draw depth 3")[-1].endswith("draw")
    assert played.search(DRAWN, "go draw depth 3")[-1].endswith("draw")


@effect("evaluation")
def _evaluation(_: Path) -> None:
    played = Dialogue("uci")
    network = score(played.search(go="go depth 1"))
    played.option("Evaluation", "classical")
    assert played.engine.network is None
    assert score(played.search(go="go depth 1")) != network


@effect("evalfile")
def _evalfile(directory: Path) -> None:
    played = Dialogue("uci")
    bundled = score(played.search(go="go depth 1"))
    path = directory / "mine.net"
    path.write_bytes(random_network(1).to_bytes())
    played.option("EvalFile", path)
    mine = score(played.search(go="go depth 1"))
    assert mine != bundled
    (damaged := directory / "damaged.net").write_bytes(b"CHUHENET and nothing more")
    lines = played.ask(f"setoption name EvalFile value {damaged}")
    assert any("damaged.net: the network is cut off" in line for line in lines)
    assert score(played.search(go="go depth 1")) == mine  # it keeps the network it has
    path.write_bytes(random_network(2).to_bytes())
    assert score(played.search(go="go depth 1")) == mine  # until it is told
    played.option("EvalFile", path)
    assert score(played.search(go="go depth 1")) not in (mine, bundled)
    played.option("UCI_Variant", "chess")
    played.option("EvalFile", directory / "none.net")  # chess does not look at it
    lines = played.ask("setoption name UCI_Variant value xiangqi")
    assert any("none.net: there is no such file; using the bundled network" in line for line in lines)
    assert played.engine.settings.evalfile == ""


@effect("level")
def _level(_: Path) -> None:
    played = Dialogue("uci")
    full = number(played.search(go="go depth 8"), "nodes")
    played.option("Level", 1)
    assert number(played.search(go="go depth 8"), "nodes") < full / 4


@effect("limitstrength")
def _limitstrength(_: Path) -> None:
    played = Dialogue("uci")
    played.option("UCI_Elo", 600)
    assert played.engine.settings.level == 10
    played.option("UCI_LimitStrength", "true")
    assert played.engine.settings.level == 1


@effect("elo")
def _elo(_: Path) -> None:
    played = Dialogue("uci")
    played.option("UCI_LimitStrength", "true")
    levels = []
    for elo in (600, 1200, 2400):
        played.option("UCI_Elo", elo)
        levels.append(played.engine.settings.level)
    assert levels == [1, 4, 10]


@effect("randomness")
def _randomness(_: Path) -> None:
    played = Dialogue("uci")
    assert len({score(played.search()) for _ in range(6)}) == 1
    played.option("Randomness", "huge")
    assert len({score(played.search()) for _ in range(12)}) > 1


@effect("style")
def _style(_: Path) -> None:
    values = {}
    for style in ("solid", "normal", "risky"):
        played = Dialogue("uci")
        played.option("Style", style)
        values[style] = int(score(played.search(DRAWN)).split()[1])
    assert values["solid"] > values["normal"] > values["risky"]


@effect("multipv")
def _multipv(_: Path) -> None:
    played = Dialogue("uci")
    played.option("MultiPV", 4)
    lines = [line for line in played.search() if "info depth 5 " in line and " multipv " in line]
    assert len({line.split(" pv ")[1].split()[0] for line in lines}) == 4


@effect("pruning")
def _pruning(_: Path) -> None:
    played = Dialogue("uci")
    large = number(played.search(go="go depth 6"), "nodes")
    played.option("Pruning", "none")
    assert number(played.search(go="go depth 6"), "nodes") > large


@effect("knowledge")
def _knowledge(_: Path) -> None:
    position = "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R b"
    played = Dialogue("ucci")
    scores = set()
    for size in ("none", "large"):
        played.option("knowledge", size)
        scores.add(played.ask(f"position fen {position}", "go depth 0")[0])
    assert len(scores) == 2


@effect("maxdepth")
def _maxdepth(_: Path) -> None:
    played = Dialogue("uci")
    played.option("Max Depth", 3)
    assert number(played.search(go="go depth 6"), "depth") == 3


@effect("breadth")
def _breadth(_: Path) -> None:
    played = Dialogue("uci")
    full = number(played.search(go="go depth 6"), "nodes")
    played.option("Breadth", 2)
    assert number(played.search(go="go depth 6"), "nodes") < full / 2


@effect("repetition")
def _repetition(_: Path) -> None:
    played = Dialogue("uci")
    scores = []
    for rule in ("wxf", "checks", "none"):
        played.option("Repetition Rule", rule)
        scores.append(score(played.search(CHASE_AGAIN, "go depth 3")))
    assert len(set(scores)) == 3
    assert int(scores[0].split()[1]) > 9_000


@effect("occurrences")
def _occurrences(_: Path) -> None:
    played = Dialogue("uci")
    assert abs(int(score(played.search(CHASE, "go depth 1")).split()[1])) < 5000
    played.option("Repetition Count", 2)
    assert int(score(played.search(CHASE, "go depth 1")).split()[1]) > 5000


@effect("movelimit")
def _movelimit(_: Path) -> None:
    played = Dialogue("uci")
    assert score(played.search(LATE, "go depth 4")) == "cp 0"
    played.option("Move Limit", 0)
    assert score(played.search(LATE, "go depth 4")) == "mate 1"


@effect("weights")
def _weights(_: Path) -> None:
    played = Dialogue("uci", StyleVariant("s0"))
    fen = "position fen 3k5/9/9/9/R8/9/9/9/9/4K4 w"
    assert played.ask(fen, "eval")[-1].startswith("Total: +4350 ")
    played.option("Weights", "strength=8")
    assert played.ask("eval")[-1].startswith("Total: +5550 ")
    played.option("Weights", "<empty>")
    assert played.ask("eval")[-1].startswith("Total: +4350 ")


@effect("quietorder")
def _quietorder(_: Path) -> None:
    played = Dialogue("uci", StyleVariant("s1"))
    played.option("Breadth", 1)
    fen = "3k5/9/9/9/9/9/P8/R8/9/3CK4 w"  # one move is tried: the rook's, or the first one generated
    by_power = best(played.search(fen, "go depth 1"))
    played.option("Quiet Order", "alike")
    assert (by_power[:2], played.engine.style.quiet_order) == ("a2", "alike")


@effect("analysis")
def _analysis(directory: Path) -> None:
    played = _with_book(directory)
    played.send("setoption Level 2", "setoption Draw Score 50")
    played.option("UCI_AnalyseMode", "true")
    assert best(played.search(go="go movetime 20")) != "a3a4"
    assert played.engine.settings.level == 10
    assert score(played.search(DRAWN)) == "cp 0"


@effect("wdl")
def _wdl(_: Path) -> None:
    played = Dialogue("uci")
    assert not any(" wdl " in line for line in played.search())
    played.option("UCI_ShowWDL", "true")
    words = next(line for line in played.search() if " wdl " in line).split()
    at = words.index("wdl")
    assert sum(int(word) for word in words[at + 1 : at + 4]) == 1000


@effect("variant")
def _variant(_: Path) -> None:
    played = Dialogue("uci")
    played.option("UCI_Variant", "xiangqi")
    assert best(played.ask("position fen 3k5/9/9/9/9/9/9/9/9/4K4 b", "go depth 2")) == "d10d9"
    played.option("UCI_Variant", "chess")
    assert best(played.ask("position startpos moves f2f3 e7e5 g2g4", "go depth 3")) == "d8h4"


@pytest.mark.parametrize("key", [option.key for option in OPTIONS])
def test_option_does_what_it_says(key: str, tmp_path: Path) -> None:
    assert key in EFFECTS, f"no test shows what {key} does"
    EFFECTS[key](tmp_path)
