"""Chess: the rules in `_chess`, its engine, its part of the session and of the terminal."""
