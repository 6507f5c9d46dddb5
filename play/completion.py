"""What Tab completes and what is suggested from earlier lines; both offer only what would be accepted now."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from chuhe.engine.notation import move_text

if TYPE_CHECKING:
    from chuhe.play.workspace import Workspace


def complete(workspace: Workspace, line: str) -> tuple[int, list[str]]:
    """Completes the last word of the line: returns where it begins, and the candidates."""
    from chuhe.play.typed_commands import COMMANDS, find_command

    first, space, rest = line.lstrip().partition(" ")
    if not space:
        return len(line) - len(first), _beginning_with(first, [*COMMANDS, *_moves(workspace)])
    command = find_command(first)
    if command is None:
        return len(line), []
    if command.files:
        typed = rest.lstrip()
        words = command.arguments(workspace, []) if command.arguments else ()
        return len(line) - len(typed), [*_beginning_with(typed, words), *_files(typed, command.files)]
    *before, typed = rest.split(" ")
    words = command.arguments(workspace, [word for word in before if word]) if command.arguments else ()
    return len(line) - len(typed), _beginning_with(typed, words)


def may_suggest(workspace: Workspace, line: str) -> bool:
    """Whether an earlier line is worth offering again: it was not refused, and if it is a move, it is legal now."""
    from chuhe.play.typed_commands import find_command

    line = line.strip()
    if not line or line in workspace.refused:
        return False
    if find_command(line.split()[0]) is not None:
        return True
    try:
        return workspace.game.accepts(workspace.game.position.parse_move(line, workspace.game.points))
    except ValueError:
        return False


def _moves(workspace: Workspace) -> list[str]:
    game = workspace.game
    return [move_text(game.position, move, workspace.preferences.notation) for move in game.playable_moves]


def _beginning_with(typed: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.lower().startswith(typed.lower())]


def _files(typed: str, suffixes: tuple[str, ...]) -> list[str]:
    """Directories and files with these suffixes that continue what was typed."""
    directory, name = os.path.split(typed)
    try:
        found = sorted(Path(directory or ".").expanduser().iterdir())
    except OSError:
        return []
    visible = [path for path in found if path.name.startswith(name) and (name or not path.name.startswith("."))]
    names = [path.name + os.sep if path.is_dir() else path.name for path in visible
             if path.is_dir() or path.suffix.lower() in suffixes]  # fmt: skip
    return [os.path.join(directory, name) for name in names]
