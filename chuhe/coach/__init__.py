"""The coach: what a position or a line of moves shows, as facts with the pieces and points that prove them.

Every definition stands in words in docs/coach.md. Nothing here prints, and nothing searches by itself.
"""

from chuhe.coach.explaining import explain
from chuhe.coach.facts import Fact, PlacedPiece
from chuhe.coach.motifs import MOTIFS, Motif

__all__ = ["MOTIFS", "Fact", "Motif", "PlacedPiece", "explain"]
