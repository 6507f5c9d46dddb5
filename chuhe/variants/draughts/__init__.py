"""English draughts: the rules in `_draughts`, boards and moves as text, its part of the terminal."""
