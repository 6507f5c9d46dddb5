"""`first`, `prev`, `next`, `last`, `goto N` at the prompt: looking through a game without changing it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from chuhe.engine.position import side_name
from chuhe.play.xiangqi_game import GameError, XiangqiGame
from chuhe.text.message import Message, shown
from chuhe.text.numbers import parse_whole

if TYPE_CHECKING:
    from chuhe.play.workspace import Workspace


def first(workspace: Workspace, argument: str) -> None:
    _nothing_after("first", argument)
    _step(workspace, 0)


def prev(workspace: Workspace, argument: str) -> None:
    _step(workspace, len(workspace.game.turns) - _count("prev", argument))


def next_(workspace: Workspace, argument: str) -> None:
    _step(workspace, len(workspace.game.turns) + _count("next", argument))


def last(workspace: Workspace, argument: str) -> None:
    _nothing_after("last", argument)
    _step(workspace, len(workspace.game.line))


def goto(workspace: Workspace, argument: str) -> None:
    match = re.fullmatch(r"([0-9]{1,5})(\.\.\.|b)?\.?", argument)
    if match is None:
        raise GameError(Message("play.goto-needs"))
    _step(workspace, ply_of(workspace.game, int(match[1]), 1 if match[2] else 0))


def ply_of(game: XiangqiGame, number: int, colour: int) -> int:
    """The number of plies up to and including a side's Nth move; 0 is the start."""
    fields = game.start_fen.split()
    first_ply = 2 * int(fields[5]) + (fields[1] == "b")
    ply = 2 * number + colour - first_ply + 1
    if number == 0 or ply == 0:
        return 0
    if not 1 <= ply <= len(game.line):
        raise GameError(Message("play.no-move-number", side=side_name(colour), number=number, count=last_number(game)))
    return ply


def last_number(game: XiangqiGame) -> int:
    """The number of the line's last full move, counted from the start of this game."""
    return (len(game.line) + (game.start_fen.split()[1] == "b") + 1) // 2


def _step(workspace: Workspace, ply: int) -> None:
    game = workspace.game
    length = len(game.line)
    if not length:
        raise GameError(Message("play.no-moves-yet"))
    here = len(game.turns)
    ply = max(0, min(length, ply))
    if ply == here and here in (0, length):
        raise GameError(Message("play.at-start" if here == 0 else "play.at-end"))
    game.step_to(ply)
    workspace.paused = True
    workspace.show_board()


def _count(name: str, argument: str) -> int:
    if not argument:
        return 1
    count = parse_whole(argument, 1, sys.maxsize)
    if count is None:
        raise GameError(Message("play.count-needs", name=name, text=shown(argument)))
    return count


def _nothing_after(name: str, argument: str) -> None:
    if argument:
        raise GameError(Message("play.takes-nothing", name=name, text=shown(argument)))
