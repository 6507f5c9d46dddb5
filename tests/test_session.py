"""The session's states and decisions, with an engine that does what the test wants."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_engine import FakeEngine

from engine.values import Score
from protocol.log import DialogueLog
from protocol.session import Session
from protocol.variants import XiangqiVariant


class Dialogue:
    """A session with its lines collected."""

    def __init__(self, greeting: str = "ucci") -> None:
        self.engine = FakeEngine()
        self.lines: list[str] = []
        self.session = Session(self._collect, DialogueLog(), variant=XiangqiVariant(self.engine))
        if greeting:
            self.send(greeting)
            self.take()
            self.send("setoption usebook false")

    def _collect(self, text: str) -> None:
        self.lines += text.split("\n")

    def send(self, *lines: str) -> list[str]:
        for line in lines:
            self.session.handle(line)
        return self.lines

    def take(self) -> list[str]:
        lines, self.lines = self.lines, []
        return lines

    def wait(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 20
        while not done():
            assert time.monotonic() < deadline
            time.sleep(0.001)

    def think(self, go: str) -> None:
        """Begin a search, and come back when it has made its report."""
        self.take()
        self.send(go)
        self.wait(lambda: any(line.startswith("info depth") for line in self.lines))

    def finished(self) -> list[str]:
        """All that was said until the search ended."""
        self.wait(lambda: bool(self.lines) and self.lines[-1].startswith(("bestmove", "nobestmove")))
        return self.take()

    def answer(self) -> str:
        """The line that ends the search."""
        return self.finished()[-1]


@pytest.fixture
def ucci() -> Dialogue:
    return Dialogue()


@pytest.fixture
def uci() -> Dialogue:
    return Dialogue("uci")


def test_boot_is_silent_until_greeted() -> None:
    dialogue = Dialogue("")
    assert dialogue.send("position startpos", "go depth 1", "stop", "nonsense") == []
    assert dialogue.session.state == "boot"
    assert dialogue.send("ucci")[-1] == "ucciok"
    assert dialogue.session.state == "idle"


def test_stop_when_idle(ucci: Dialogue, uci: Dialogue) -> None:
    assert ucci.send("stop") == ["nobestmove"]
    assert uci.send("stop") == []


def test_thinking_accepts_only_what_it_should(ucci: Dialogue) -> None:
    ucci.think("go infinite")
    assert ucci.session.state == "thinking"
    ucci.take()
    fen = ucci.session._variant.fen
    assert ucci.send("position startpos moves h2e2", "setoption newgame", "go depth 1", "banmoves h2e2") == []
    assert ucci.session._variant.fen == fen
    assert ucci.send("isready", "probe startpos") == ["readyok", "pophash"]
    ucci.send("stop")
    assert ucci.session.state == "idle"
    assert ucci.take()[-1].startswith("bestmove ")
    assert len(ucci.engine.limits) == 1
    assert "new_game" not in ucci.engine.calls


def test_debug_says_why_a_command_was_ignored(ucci: Dialogue) -> None:
    assert ucci.send("nonsense") == []
    ucci.send("setoption debug on")
    assert "nonsense" in ucci.send("nonsense")[-1]
    assert "nosuchoption" in ucci.send("setoption nosuchoption 5")[-1]


@pytest.mark.parametrize("delay", [0.0, 0.03])
def test_ponderhit_and_stop_right_after_go_are_heard(ucci: Dialogue, delay: float) -> None:
    ucci.engine.slow_start = delay
    ucci.send("go ponder time 100 increment 0", "ponderhit")
    assert ucci.answer().startswith("bestmove ")
    ucci.send("go infinite", "stop")
    assert ucci.take()[-1].startswith("bestmove ")


def test_a_ponder_search_that_is_done_waits_for_the_hit(ucci: Dialogue) -> None:
    ucci.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w", "banmoves e0e1 e0f0")
    ucci.send("go ponder time 100 increment 0")
    ucci.wait(lambda: len(ucci.engine.limits) == 1 and not ucci.engine.searching)
    assert ucci.session.state == "thinking"
    ucci.send("ponderhit")
    assert ucci.answer() == "nobestmove"


def test_ponderhit_without_ponder_is_ignored(ucci: Dialogue) -> None:
    assert ucci.send("ponderhit") == []
    ucci.send("go infinite", "ponderhit draw")
    ucci.send("stop")
    assert not ucci.take()[-1].endswith("draw")


def test_bad_input_leaves_the_position(ucci: Dialogue) -> None:
    ucci.send("position startpos moves h2e2")
    fen = ucci.session._variant.fen
    for line, named in (
        ("position fen 9/9/9 w", ""),
        ("position startpos moves h2e2 h2e2", "h2e2"),
        ("position startpos moves e2e4x", "e2e4x"),
        ("position", "position"),
        ("position garbage", "garbage"),
    ):
        ucci.take()
        (message,) = ucci.send(line)
        assert message.startswith("info message ")
        assert named in message
        assert ucci.session._variant.fen == fen


def test_ban_moves_last_until_the_next_position(ucci: Dialogue) -> None:
    ucci.send("position startpos", "banmoves b2b3 h2e2", "go depth 3")
    ucci.answer()
    assert [str(move) for move in ucci.engine.limits[-1].ban_moves] == ["b2b3", "h2e2"]
    ucci.send("banmoves a9a8")
    assert "a9a8" in ucci.take()[-1]
    ucci.send("go depth 3")
    ucci.answer()
    assert len(ucci.engine.limits[-1].ban_moves) == 2
    ucci.send("position startpos", "go depth 3")
    ucci.answer()
    assert not ucci.engine.limits[-1].ban_moves


def test_every_move_banned(ucci: Dialogue) -> None:
    ucci.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w", "banmoves e0e1 e0f0", "go depth 3")
    assert ucci.answer() == "nobestmove"


def test_depth_zero_is_the_static_score(ucci: Dialogue) -> None:
    assert ucci.send("go depth 0") == ["info depth 0 score 10", "nobestmove"]
    assert ucci.engine.limits == []


def test_seconds_and_milliseconds(ucci: Dialogue) -> None:
    ucci.send("go time 30 increment 2 opptime 20 oppincrement 1")
    ucci.answer()
    ucci.send("setoption usemillisec true", "go time 30 increment 2")
    ucci.answer()
    seconds, milliseconds = ucci.engine.limits
    assert (seconds.time, seconds.increment, seconds.opponent_time, seconds.opponent_increment) == (
        30000,
        2000,
        20000,
        1000,
    )
    assert (milliseconds.time, milliseconds.increment) == (30, 2)


def test_draw_offers(ucci: Dialogue) -> None:
    ucci.send("go draw time 10 increment 0")
    assert not ucci.answer().endswith("draw")
    ucci.engine.score = Score(cp=-5)
    ucci.send("go draw time 10 increment 0")
    assert ucci.answer().endswith(" draw")
    ucci.send("setoption drawscore -50", "go draw time 10 increment 0")
    assert not ucci.answer().endswith("draw")
    ucci.send("setoption drawscore 0", "go ponder time 10 increment 0", "ponderhit draw")
    assert ucci.answer().endswith(" draw")
    ucci.send("go time 10 increment 0")
    assert not ucci.answer().endswith("draw")


def test_resignation_after_three_hopeless_searches(ucci: Dialogue) -> None:
    ucci.engine.score = Score(mate=-3)
    ucci.send("position startpos moves h2e2 h9g7")

    def answers() -> list[bool]:
        ends = []
        for _ in range(3):
            ucci.send("go time 10 increment 0")
            ends.append(ucci.answer().endswith(" resign"))
        return ends

    assert answers() == [False, False, False]
    ucci.send("setoption newgame", "setoption resign 1000")
    assert answers() == [False, False, True]
    ucci.send("position startpos")
    assert answers() == [False, False, True]


def test_own_draw_offer_in_a_long_level_game(ucci: Dialogue) -> None:
    ucci.engine.score = Score(cp=0)
    ucci.send("position fen 3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 80", "setoption drawoffer true")
    ends = []
    for _ in range(8):
        ucci.send("go time 10 increment 0")
        ends.append(ucci.answer().endswith(" draw"))
    assert ends == [False] * 7 + [True]


def test_quit_in_the_middle_of_a_search(ucci: Dialogue) -> None:
    ucci.think("go infinite")
    ucci.take()
    assert ucci.session.handle("quit") is False
    assert ucci.take() == ["bye"]
    assert not ucci.engine.searching


def test_end_of_input(ucci: Dialogue) -> None:
    ucci.send("go depth 3")
    ucci.session.finish()
    assert ucci.take()[-1].startswith("bestmove")
    ucci.send("go infinite")
    ucci.session.finish()
    assert ucci.take()[-1].startswith("bestmove")


def test_batch_reads_nothing_until_the_answer(ucci: Dialogue) -> None:
    ucci.engine.slow_start = 0.02
    lines = ucci.send("setoption batch true", "go depth 3", "stop")
    assert lines[-1] == "nobestmove"
    assert lines[-2].startswith("bestmove")


def test_a_search_that_fails_still_answers(ucci: Dialogue) -> None:
    ucci.engine.crash = True
    ucci.send("go depth 3")
    lines = ucci.finished()
    assert "out of ideas" in lines[0]
    assert lines[-1] == "nobestmove"


def test_options_reach_the_engine(ucci: Dialogue) -> None:
    ucci.send("setoption hashsize 32", "setoption name MultiPV value 3", "setoption Move Overhead 77")
    settings = ucci.engine.settings
    assert (settings.hash_mb, settings.multipv, settings.overhead) == (32, 3, 77)


def test_an_option_that_is_refused_stays(ucci: Dialogue) -> None:
    ucci.send("setoption hashsize 32", "setoption hashsize 13")
    assert "unlucky" in ucci.take()[-1]
    assert ucci.session.values["hash"] == 32
    ucci.send("setoption hashsize -5", "setoption style brave", "setoption ponder perhaps", "setoption threads x")
    assert [line.split("option ")[1].split(" is")[0] for line in ucci.take()] == ["Hash", "Style", "Ponder", "Threads"]
    assert ucci.engine.settings.hash_mb == 32


def test_buttons(ucci: Dialogue, uci: Dialogue) -> None:
    ucci.send("setoption newgame", "setoption clearhash")
    uci.send("ucinewgame", "setoption name Clear Hash")
    assert ucci.engine.calls == uci.engine.calls == ["new_game", "clear_hash"]


def test_variant_xiangqi_counts_ranks_from_one(uci: Dialogue) -> None:
    uci.send("position startpos moves h2e2")
    uci.send("setoption name UCI_Variant value xiangqi", "position startpos moves h3e3 h10g8", "go depth 1")
    assert uci.answer() == "bestmove a1a2"


def test_wdl_only_when_asked(uci: Dialogue) -> None:
    uci.send("go depth 1")
    assert not any("wdl" in line for line in uci.finished())
    uci.send("setoption name UCI_ShowWDL value true", "go depth 1")
    assert any(" wdl 300 600 100 " in line for line in uci.finished())


def test_search_moves(uci: Dialogue) -> None:
    uci.send("go depth 2 searchmoves h2e2 b2e2")
    assert uci.answer() == "bestmove b2e2"
    uci.send("go depth 2 searchmoves e2e4")
    assert "e2e4" in uci.take()[-1]
    assert uci.session.state == "idle"


def test_the_log_option(ucci: Dialogue, tmp_path: Path) -> None:
    path = tmp_path / "dialogue.txt"
    ucci.send(f"setoption logfile {path}")
    ucci.session._log.note(">", "isready")
    ucci.send("setoption logfile <empty>")
    assert path.read_text().splitlines()[-1].endswith(" > isready")
    ucci.send(f"setoption logfile {tmp_path}/no/such/place")
    assert ucci.take()[-1].startswith("info message ")


def test_book_moves(ucci: Dialogue, tmp_path: Path) -> None:
    from engine import Position
    from engine.book import write_book

    path = tmp_path / "book.bin"
    write_book(path, {(Position().key, 25, 22): 5})
    ucci.send(f"setoption bookfiles {tmp_path}/none.bin")
    assert "none.bin" in ucci.take()[-1]
    ucci.send(f"setoption bookfiles {path}", "go time 10 increment 0")
    assert ucci.answer() == "bestmove a0a1"
    ucci.send("setoption usebook on", "go time 10 increment 0")
    assert ucci.answer() == "bestmove h2e2"
    ucci.send("go depth 3")
    assert ucci.answer() == "bestmove a0a1"
    ucci.send("banmoves h2e2", "go time 10 increment 0")
    assert ucci.answer() == "bestmove a0a1"
    ucci.send("setoption name UCI_AnalyseMode value true", "position startpos", "go time 10 increment 0")
    assert ucci.answer() == "bestmove a0a1"
