"""What a person uses: the game in the terminal, practice, and the page."""
