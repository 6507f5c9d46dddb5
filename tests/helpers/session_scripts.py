"""Random scripts of go, stop, ponderhit, isready and quit for the session, and whether each question got one answer."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass

from waiting import PATIENCE

from chuhe.engine import Engine, Settings
from chuhe.protocol.session import Input, Session
from chuhe.protocol.variants import XiangqiVariant

LONGEST_PAUSE = 0.004
GO = (
    "go depth 1", "go depth 3", "go depth 90", "go nodes 50", "go movetime 2", "go infinite", "go mate 1",
    "go ponder depth 2", "go ponder movetime 3", "go ponder infinite",
)  # fmt: skip
OTHER = ("stop", "stop", "ponderhit", "isready")


@dataclass(frozen=True)
class Script:
    """Lines, each with the seconds to pause after it; the last is `stop` or `quit`."""

    protocol: str
    batch: bool
    lines: tuple[tuple[str, float], ...]


def random_script(rng: random.Random) -> Script:
    lines = []
    for _ in range(rng.randint(1, 9)):
        line = rng.choice(GO) if rng.random() < 0.45 else rng.choice(OTHER)
        lines.append((line, rng.choice((0, 0, 0, rng.random() * LONGEST_PAUSE))))
    last = "quit" if rng.random() < 0.1 else "stop"
    return Script(rng.choice(("ucci", "uci")), rng.random() < 0.5, (*lines, (last, 0)))


class Player:
    """Plays scripts to sessions, which share an engine. A fault is raised as an AssertionError."""

    def __init__(self) -> None:
        self._variant = XiangqiVariant(Engine(Settings(hash_mb=1)))
        self._changed = threading.Condition()
        self._lines: list[str] = []

    def _write(self, text: str) -> None:
        with self._changed:
            self._lines += text.split("\n")
            self._changed.notify_all()

    def answers(self, *words: str) -> int:
        return sum(line.split(" ", 1)[0] in words for line in tuple(self._lines))

    def answered(self) -> int:
        """How many `go` have been answered, or ignored while the engine was thinking, which debug mode reports."""
        ignored = sum("the command was ignored" in line for line in tuple(self._lines))
        return self.answers("bestmove") + ignored

    def play(self, script: Script) -> None:
        self._lines.clear()
        session = Session(self._write, variant=self._variant)
        thread = threading.Thread(target=session.run, daemon=True)
        thread.start()
        asked = sum(line.startswith("go") for line, _ in script.lines)
        ready = sum(line == "isready" for line, _ in script.lines)
        batch = str(script.batch).lower()
        for line in (script.protocol, "setoption usebook false", "debug on", f"setoption batch {batch}"):
            session.events.put(line)
        for line, pause in script.lines:
            session.events.put(line)
            if pause:
                time.sleep(pause)
        if script.lines[-1][0] != "quit":
            with self._changed:
                heard = self._changed.wait_for(
                    lambda: self.answered() >= asked and self.answers("readyok") >= ready, PATIENCE
                )
            assert heard, f"unanswered: {script}\n" + "\n".join(self._lines)
            assert self.answered() == asked, f"answered twice: {script}\n" + "\n".join(self._lines)
            session.events.put(Input.END)
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"it does not end: {script}\n" + "\n".join(self._lines)
        if script.lines[-1][0] == "quit":
            assert self.answered() <= asked, f"answered twice: {script}\n" + "\n".join(self._lines)
        else:
            assert (self.answered(), self.answers("readyok")) == (asked, ready), f"answered twice: {script}"
        assert not self._variant.engine.searching
