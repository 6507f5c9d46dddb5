"""`analyze` at the prompt: shows the engine's best lines while it searches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chuhe.coach.mistakes import explain_best
from chuhe.coach.score_words import words_for_score
from chuhe.coach.threats import engine_mates
from chuhe.coach.wording import merit_words
from chuhe.engine import BestMove, Info, Limits
from chuhe.engine.notation import move_text
from chuhe.play.opponents import is_line
from chuhe.play.xiangqi_game import GameError
from chuhe.text.message import Message, shown
from chuhe.text.numbers import parse_number, parse_whole

if TYPE_CHECKING:
    from chuhe.engine.base_engine import OnInfo
    from chuhe.play.workspace import Workspace

MAX_LINES = 20
PIPE_SECONDS = 3.0


def analyze(workspace: Workspace, argument: str) -> None:
    """`analyze [LINES] [SECONDS]`"""
    lines, seconds = read_arguments(argument)
    lines = min(lines, len(workspace.game.playable_moves))
    if not lines:
        raise GameError(Message("play.no-legal-move"))
    interactive = workspace.screen.interactive
    seconds = seconds or (0.0 if interactive else PIPE_SECONDS)
    if interactive and not seconds:
        workspace.tell("play.analyzing")
    coach = workspace.coach
    block = LineBlock(lines)
    shown = ""

    def lines_text() -> str:
        return "\n".join(workspace.info_text(info) for info in block.infos.values())

    def on_info(info: Info) -> None:
        nonlocal shown
        if block.hear(info):
            if interactive:
                workspace.screen.status(lines_text())
            elif block.complete and not info.final:
                shown = lines_text()
                workspace.say(shown)

    def watch() -> None:
        end = time.perf_counter() + seconds if seconds else math.inf
        while time.perf_counter() < end:
            if workspace.screen.wait_for_key(min(0.1, max(0.0, end - time.perf_counter()))):
                return

    limits = Limits(infinite=True, ban_moves=workspace.game.forbidden_moves)
    coach.configure(multipv=lines)
    try:
        best = _search_while(workspace, limits, on_info, watch)
    finally:
        coach.configure(multipv=1)
    if block.infos and lines_text() != shown:
        workspace.say(lines_text())
    if best.move is not None:
        text = move_text(workspace.game.position, best.move, workspace.preferences.notation)
        workspace.tell("play.best", move=text, words=words_for_score(best.score, workspace.game.turn))
        say_merit(workspace, best)


def say_merit(workspace: Workspace, best: BestMove) -> None:
    """Says what the best move does, if its line proves anything."""
    position, preferences = workspace.game.position, workspace.preferences
    remark = explain_best(position, best.pv, best.score, engine_mates(workspace.coach))
    if remark is not None:
        workspace.say(workspace.worded(merit_words(position, remark, preferences.notation)))


def read_arguments(argument: str) -> tuple[int, float]:
    """The number of lines and the seconds (0: not given).

    >>> read_arguments(""), read_arguments("3"), read_arguments("3 0.5")
    ((1, 0.0), (3, 0.0), (3, 0.5))
    """
    words = argument.split()
    if len(words) > 2:
        raise GameError(Message("play.analyze-needs", text=shown(argument)))
    lines = parse_whole(words[0], 1, MAX_LINES) if words else 1
    if lines is None:
        raise GameError(Message("play.analyze-lines", most=MAX_LINES, text=shown(words[0])))
    seconds = parse_number(words[1], 0.001, 1e6) if len(words) > 1 else 0.0
    if seconds is None:
        raise GameError(Message("play.analyze-seconds", text=shown(words[1])))
    return lines, seconds


@dataclass
class LineBlock:
    """The latest report of each line, best first."""

    wanted: int
    infos: dict[int, Info] = field(default_factory=dict)

    def hear(self, info: Info) -> bool:
        """Takes a report of the engine. Returns whether it updated one of the lines."""
        if not is_line(info) or info.multipv > self.wanted:
            return False
        self.infos[info.multipv] = info
        self.infos = dict(sorted(self.infos.items()))
        return True

    @property
    def complete(self) -> bool:
        """Whether every line has been reported, all at the same depth."""
        return len(self.infos) == self.wanted and len({info.depth for info in self.infos.values()}) == 1


def _search_while(workspace: Workspace, limits: Limits, on_info: OnInfo, watch: Callable[[], None]) -> BestMove:
    """The answer of an endless search, which ends when the watcher returns (or with Ctrl-C)."""
    try:
        search = workspace.coach.start(None, limits, on_info)
    except RuntimeError as error:
        raise GameError(Message("play.no-thread")) from error
    try:
        watch()
    except KeyboardInterrupt:
        workspace.say("")
    finally:
        search.cancel()
    return search.result()
