"""Practice: puzzles, your own mistakes, endgames; what you missed comes back."""
