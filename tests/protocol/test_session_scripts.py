"""Every question gets one answer, whatever comes in between; tests/tools/session_stress.py plays many more scripts."""

from __future__ import annotations

import random
import threading

from session_scripts import Player, random_script
from waiting import PATIENCE

from chuhe.protocol.session import Session


def test_every_go_and_isready_of_a_random_script_is_answered_once() -> None:
    rng, player = random.Random(33), Player()
    for _ in range(300):
        player.play(random_script(rng))


def test_stop_is_heard_when_it_comes_while_an_answer_is_being_written() -> None:
    """A GUI that reacts at once: its next lines are there before the engine's write returns."""
    answers, third = 0, threading.Event()

    def write(text: str) -> None:
        nonlocal answers
        if "bestmove" not in text:
            return
        answers += 1
        if answers == 2:
            session.events.put("go depth 90")
            session.events.put("stop")
        if answers == 3:
            third.set()

    session = Session(write)
    thread = threading.Thread(target=session.run, daemon=True)
    thread.start()
    for line in ("ucci", "setoption usebook false", "setoption batch true", "go depth 3", "go depth 2"):
        session.events.put(line)
    assert third.wait(PATIENCE)
    session.events.put("quit")
    thread.join(PATIENCE)
    assert (answers, thread.is_alive()) == (3, False)
