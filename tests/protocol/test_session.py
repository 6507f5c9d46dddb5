"""The session's states and decisions, with a fake engine."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from dialogue import Dialogue, say
from fake_engine import FakeEngine

from chuhe.engine import LimitError
from chuhe.engine.values import Score
from chuhe.protocol.session import Session
from chuhe.protocol.variants import XiangqiVariant


def with_fake_engine(greeting: str) -> Dialogue:
    return Dialogue(greeting, XiangqiVariant(FakeEngine()))


@pytest.fixture
def ucci() -> Dialogue:
    return with_fake_engine("ucci")


@pytest.fixture
def uci() -> Dialogue:
    return with_fake_engine("uci")


def test_boot_is_silent_until_greeted() -> None:
    dialogue = with_fake_engine("")
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
    fen = ucci.session.variant.fen
    assert ucci.send("position startpos moves h2e2", "setoption newgame", "go depth 1", "banmoves h2e2") == []
    assert ucci.session.variant.fen == fen
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


def test_a_ponderhit_before_the_search_does_anything_is_heard(ucci: Dialogue) -> None:
    ucci.engine.may_start.clear()
    ucci.send("go ponder time 100 increment 0", "ponderhit")
    ucci.engine.may_start.set()
    assert ucci.answer().startswith("bestmove ")


def test_a_stop_before_the_search_does_anything_is_heard(ucci: Dialogue) -> None:
    ucci.engine.may_start.clear()
    release = threading.Timer(0.01, ucci.engine.may_start.set)
    release.start()
    ucci.send("go infinite", "stop")  # returns with the answer
    assert ucci.take()[-1].startswith("bestmove ")


def test_a_ponder_search_that_is_done_waits_for_the_hit(ucci: Dialogue) -> None:
    ucci.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w", "banmoves e0e1 e0f0")
    ucci.send("go ponder time 100 increment 0")
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
    fen = ucci.session.variant.fen
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
        assert ucci.session.variant.fen == fen


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
    assert ucci.send("go depth 0") == ["info depth 0 score 23", "nobestmove"]
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


def test_a_draw_offered_before_anything_has_happened_is_declined(ucci: Dialogue) -> None:
    ucci.engine.score = Score(cp=-500)
    for moves in ("", " moves h2e2 h9g7"):
        ucci.send(f"position startpos{moves}", "go draw time 10 increment 0")
        assert not ucci.answer().endswith("draw")
    ucci.send("position startpos moves h2h9 i9h9", "go draw time 10 increment 0")
    assert ucci.answer().endswith(" draw")


def test_draw_offers(ucci: Dialogue) -> None:
    ucci.send("position startpos moves h2h9 i9h9")
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
    assert say(ucci.session, "quit") is False
    assert ucci.take() == ["bye"]
    assert not ucci.engine.searching


def test_end_of_input(ucci: Dialogue) -> None:
    ucci.send("go depth 3")
    ucci.session.finish()
    assert ucci.take()[-1].startswith("bestmove")
    ucci.send("go infinite")
    ucci.session.finish()
    assert ucci.take()[-1].startswith("bestmove")


def test_in_batch_mode_lines_wait_for_the_answer(ucci: Dialogue) -> None:
    ucci.engine.may_start.clear()
    lines = ucci.send("setoption batch true", "go depth 3", "position startpos moves h2e2", "go depth 3", "isready")
    assert lines == []
    ucci.engine.may_start.set()
    ucci.session.finish()
    words = [line.split()[0] for line in ucci.take()]
    assert [word for word in words if word != "info"] == ["bestmove", "bestmove", "readyok"]
    assert ucci.session.state == "idle"


@pytest.mark.parametrize("go", ["go depth 99", "go time 100000000", "go perft 9"])
def test_batch_mode_hears_stop_and_quit_in_a_search_of_any_length(go: str) -> None:
    for words in (["stop"], ["isready", "stop"], ["quit"], ["isready", "quit"]):
        lines: list[str] = []
        session = Session(lines.append)
        say(session, "ucci", "setoption usebook false", "setoption batch true", go)
        heard = [say(session, word) for word in words]
        assert session.state == "idle"
        assert heard[-1] is (words[-1] == "stop")
        assert (lines[-1] == "bye") is (words[-1] == "quit")
        assert ("readyok" in lines) is (words == ["isready", "stop"])


@pytest.mark.parametrize("endless", ["go infinite", "go ponder depth 3"])
def test_batch_mode_is_not_deaf_in_an_endless_search_that_had_to_wait(endless: str) -> None:
    lines: list[str] = []
    session = Session(lines.append)
    for line in ("ucci", "setoption batch true", "go depth 99", endless, "isready", "stop", "isready"):
        session.handle(line)
    session.finish()
    words = "\n".join(lines).split()
    assert [word for word in words if word in ("bestmove", "readyok")] == ["bestmove", "readyok", "bestmove", "readyok"]


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
    named = [line.split("option ")[1].split(" must")[0] for line in ucci.take()]
    assert named == ["hashsize", "style", "ponder", "threads"]
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
    message, answer = uci.take()
    assert "e2e4" in message
    assert answer == "bestmove (none)"
    assert uci.session.state == "idle"


def test_the_log_option(ucci: Dialogue, tmp_path: Path) -> None:
    path = tmp_path / "dialogue.txt"
    ucci.send(f"setoption logfile {path}")
    ucci.log.note(">", "isready")
    ucci.send("setoption logfile <empty>")
    assert path.read_text().splitlines()[-1].endswith(" > isready")
    ucci.send(f"setoption logfile {tmp_path}/no/such/place")
    assert ucci.take()[-1].startswith("info message ")


def test_book_moves(ucci: Dialogue, tmp_path: Path) -> None:
    from book_file import write_book

    from chuhe.engine import Position

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


# Every question is answered

BAD_GO = (
    "go depth abc",
    "go depth",
    "go nodes -5",
    "go mate 0",
    "go wtime 1e3 btime 1000",
    "go time x",
    "go movetime 99999999999999999999",
    "go searchmoves e2e9",
    "go perft many",
)


@pytest.mark.parametrize("line", BAD_GO)
@pytest.mark.parametrize(("greeting", "no_move"), [("ucci", "nobestmove"), ("uci", "bestmove (none)")])
def test_a_bad_go_is_answered(line: str, greeting: str, no_move: str) -> None:
    dialogue = with_fake_engine(greeting)
    message, answer = dialogue.send(line)
    assert message.startswith("info message " if greeting == "ucci" else "info string ")
    assert answer == no_move
    assert dialogue.session.state == "idle"


def test_a_bad_go_while_thinking_is_no_second_question(ucci: Dialogue) -> None:
    ucci.think("go infinite")
    ucci.take()
    (message,) = ucci.send("go depth abc")
    assert "abc" in message
    ucci.send("stop")
    assert ucci.answer().startswith("bestmove ")


REFUSED = (
    ("position fen garbage", "10 rows"),
    ("position fen", "missing"),
    ("position startpos moves h2e2 h2e2", "h2e2"),
    ("position fen 9/9/9/9/9/9/9/9/9/9 w", "no king"),
    ("fen 9/9", "10 rows"),
)


@pytest.mark.parametrize(("line", "reason"), REFUSED)
@pytest.mark.parametrize(("greeting", "no_move"), [("ucci", "nobestmove"), ("uci", "bestmove (none)")])
def test_no_move_of_the_former_position(line: str, reason: str, greeting: str, no_move: str) -> None:
    dialogue = with_fake_engine(greeting)
    dialogue.send("position startpos moves h2e2")
    (refusal,) = dialogue.send(line)
    assert reason in refusal
    for question in ("go depth 3", "go infinite", "go depth 0", "go perft 1"):
        dialogue.take()
        message, answer = dialogue.send(question)
        assert reason in message
        assert answer == no_move
    dialogue.take()
    for question in ("flip", "banmoves h2e2"):
        assert reason in dialogue.send(question)[-1]
    for question in ("d", "eval"):
        dialogue.take()
        assert reason in dialogue.send(question)[0]
    assert dialogue.engine.limits == []
    dialogue.take()
    dialogue.send("position startpos", "go depth 3")
    assert dialogue.answer().startswith("bestmove ")


def test_a_position_that_comes_while_thinking_is_refused_too(ucci: Dialogue) -> None:
    ucci.think("go infinite")
    ucci.send("position startpos moves h2e2", "stop")
    ucci.take()
    message, answer = ucci.send("go depth 3")
    assert "thinking" in message
    assert answer == "nobestmove"


@pytest.mark.parametrize("line", ["probe fen garbage", "probe", "probe startpos moves h2h2"])
def test_a_bad_probe_is_answered(ucci: Dialogue, line: str) -> None:
    message, answer = ucci.send(line)
    assert message.startswith("info message ")
    assert answer == "pophash"


def test_isready_prepares_the_engine_and_the_book(ucci: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    books: list[str] = []
    monkeypatch.setattr(XiangqiVariant, "book_moves", lambda self, files: books.append(files))
    ucci.send("setoption usebook true", "isready")
    assert ucci.engine.calls == ["prepare"]
    assert len(books) == 1


@pytest.mark.parametrize(
    "error", [MemoryError("no memory at all"), LimitError("out of order"), KeyError("a fault of ours")]
)
def test_isready_is_answered_whatever_is_wrong(
    ucci: Dialogue, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(ucci.engine, "prepare", fail)
    message, answer = ucci.send("isready")
    assert str(error) in message
    assert answer == "readyok"


def test_what_could_not_be_done_as_asked_is_said(ucci: Dialogue) -> None:
    ucci.engine.notices = ["not enough memory for a table of 64 MB: using 32 MB"]
    assert ucci.send("isready")[0].endswith("using 32 MB")
    ucci.engine.notices = ["only 3 of 16 threads could be started"]
    ucci.take()
    ucci.send("go depth 3")
    assert any(line.endswith("only 3 of 16 threads could be started") for line in ucci.finished())


@pytest.mark.parametrize(("line", "answer"), [("go depth 3", "bestmove "), ("go infinite", "nobestmove")])
def test_a_go_without_a_thread_is_answered(
    ucci: Dialogue, line: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr("chuhe.engine.search_handle.start_new_thread", fail)
        assert ucci.send(line)[-1].startswith(answer)
    assert ucci.session.state == "idle"
    assert not ucci.engine.searching
    ucci.take()
    ucci.send("go depth 3")
    assert ucci.answer().startswith("bestmove ")


def test_batch_hears_stop_and_quit_when_a_mate_is_looked_for(ucci: Dialogue) -> None:
    ucci.send("setoption batch true", "go mate 1", "stop")
    assert ucci.take()[-1].startswith("bestmove ")
    ucci.send("go mate 1")
    assert say(ucci.session, "quit") is False
    assert ucci.take()[-1] == "bye"


def test_the_end_of_input_ends_a_search_for_a_mate(ucci: Dialogue) -> None:
    ucci.send("go mate 3")
    ucci.session.finish()
    assert ucci.take()[-1].startswith("bestmove")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no named pipes")
@pytest.mark.parametrize("option", ["logfile", "bookfiles"])
def test_pipes_and_devices_are_refused(ucci: Dialogue, option: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/zero", str(tmp_path)):
        ucci.take()
        (message,) = ucci.send(f"setoption {option} {path}")
        assert message.endswith(f"{path} must be a plain file")
    assert ucci.session.values[option] == ""
