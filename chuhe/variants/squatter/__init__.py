"""Squatter: the rules in `_squatter`, boards as text, players, the referee, its part of the terminal."""
