"""Positions as pictures: SVG, with drawings of the pieces that need no font."""
