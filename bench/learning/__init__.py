"""Learning from games: self-play, its data, and the tuners of the evaluation and the search."""
