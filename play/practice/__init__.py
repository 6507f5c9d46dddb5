"""Practice: puzzles, your own mistakes, endings; what you missed comes back."""
