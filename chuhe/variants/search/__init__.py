"""The search that the small games share, and `GameState`, the interface that a game implements."""
