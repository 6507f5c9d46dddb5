"""The loop of the terminal game: a line, what it does, and whose move it is."""

from __future__ import annotations

from chuhe.engine.position import side_name
from chuhe.play.line_reader import LineReader
from chuhe.play.workspace import Workspace


def run(workspace: Workspace, reader: LineReader) -> None:
    """The main loop: programs play, the board is shown, a line is read and executed."""
    game = workspace.game
    workspace.greet()
    while not workspace.done:
        workspace.let_programs_play()
        line = reader.read(f"{workspace.worded(side_name(game.turn))}> ")
        if line is None:
            break
        if workspace.execute(line):
            reader.keep(line)
