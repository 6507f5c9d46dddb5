"""`analyze` at the prompt: shows the engine's best lines while it searches."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import BestMove, Info, Limits
from engine.notation import move_text
from play.opponents import Thought
from play.score_words import words_for_score
from play.xiangqi_game import GameError

if TYPE_CHECKING:
    from engine.engine import Search
    from play.workspace import Workspace

MAX_LINES = 20
PIPE_SECONDS = 3.0


def analyze(workspace: Workspace, argument: str) -> None:
    """`analyze [LINES] [SECONDS]`"""
    lines, seconds = read_arguments(argument)
    lines = min(lines, len(workspace.game.playable_moves))
    if not lines:
        raise GameError("there is no legal move to analyze")
    interactive = workspace.screen.interactive
    seconds = seconds or (0.0 if interactive else PIPE_SECONDS)
    if interactive and not seconds:
        workspace.say("Analyzing; press a key to stop.")
    coach = workspace.coach
    block = LineBlock(lines)

    def on_info(info: Info) -> None:
        if block.hear(info):
            text = "\n".join(workspace.thought_text(thought) for thought in block.thoughts.values())
            if interactive:
                workspace.screen.status(text)
            elif block.complete:
                workspace.say(text)

    def watch() -> None:
        end = time.monotonic() + seconds if seconds else math.inf
        while time.monotonic() < end:
            if workspace.screen.wait_for_key(min(0.1, max(0.0, end - time.monotonic()))):
                return

    limits = Limits(infinite=True, ban_moves=workspace.game.forbidden_moves)
    coach.configure(multipv=lines)
    try:
        best = _search_while(workspace, coach.begin(limits, on_info), coach.stop, watch)
    finally:
        coach.configure(multipv=1)
    if interactive and block.thoughts:
        workspace.say("\n".join(workspace.thought_text(thought) for thought in block.thoughts.values()))
    if best.move is not None:
        text = move_text(workspace.game.position, best.move, workspace.preferences.notation)
        workspace.say(f"Best: {text}, {words_for_score(best.score, workspace.game.turn)}")


def read_arguments(argument: str) -> tuple[int, float]:
    """The number of lines and the seconds (0: not given).

    >>> read_arguments(""), read_arguments("3"), read_arguments("3 0.5")
    ((1, 0.0), (3, 0.0), (3, 0.5))
    """
    words = argument.split()
    if len(words) > 2:
        raise GameError(f"analyze takes a number of lines and a number of seconds, not {argument!r}")
    count = words[0] if words else "1"
    if not count.isdecimal() or not 1 <= int(count) <= MAX_LINES:
        raise GameError(
            f"analyze shows 1 to {MAX_LINES} lines, not {count!r}: analyze 3, or analyze 3 10 for 10 seconds"
        )
    return int(count), _seconds(words[1]) if len(words) > 1 else 0.0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise GameError(f"analyze takes a number of seconds, not {text!r}")
    return seconds


@dataclass
class LineBlock:
    """The latest report of each line, best first."""

    wanted: int
    thoughts: dict[int, Thought] = field(default_factory=dict)

    def hear(self, info: Info) -> bool:
        """Takes a report of the engine. Returns whether it updated one of the lines."""
        if not info.pv or info.currmove is not None or info.bound != "exact" or info.multipv > self.wanted:
            return False
        self.thoughts[info.multipv] = Thought(info.depth, info.score, info.pv, info.nodes, info.time)
        self.thoughts = dict(sorted(self.thoughts.items()))
        return True

    @property
    def complete(self) -> bool:
        """Whether every line has been reported, all at the same depth."""
        return len(self.thoughts) == self.wanted and len({thought.depth for thought in self.thoughts.values()}) == 1


def _search_while(
    workspace: Workspace, search: Search, stop: Callable[[], None], watch: Callable[[], None]
) -> BestMove:
    """Runs an endless search in a thread until the watcher returns (or Ctrl-C), then stops it."""
    answer: list[BestMove] = []
    failure: list[BaseException] = []
    finished = threading.Event()

    def run() -> None:
        try:
            answer.append(search.run())
        except BaseException as error:
            failure.append(error)
        finally:
            finished.set()

    try:
        threading.Thread(target=run, daemon=True).start()
    except RuntimeError as error:
        search.cancel()
        raise GameError("could not start a thread for the analysis") from error
    try:
        watch()
    except KeyboardInterrupt:
        workspace.say("")
    finally:
        stop()
        finished.wait()
    if failure:
        raise failure[0]
    return answer[0]
