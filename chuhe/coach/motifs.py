"""The motifs that the coach knows. docs/coach.md defines them; the tables of the languages name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chuhe.text.languages import table
from chuhe.text.message import Language

MotifKind = Literal["mate", "tactic", "law"]


@dataclass(frozen=True, slots=True)
class Motif:
    """A motif; `code` identifies it in files, on the page and, as `motif.CODE`, in the tables of the languages."""

    code: str
    kind: MotifKind

    def name(self, language: Language) -> str:
        """What players call it."""
        return table(language)[f"motif.{self.code}"]

    @property
    def english(self) -> str:
        """Its English name."""
        return self.name("en")

    @property
    def chinese(self) -> str:
        """Its Chinese name, simplified."""
        return self.name("zh-Hans")

    def __str__(self) -> str:
        return f"{self.english} ({self.chinese})"


# from the most specific name to the most general: the first that fits is what one would call the mate
_MATES = (
    "horse_cannon",
    "double_cannon",
    "pierced_heart",
    "springing_horse",
    "grinding_cannon",
    "back_to_temple",
    "iron_bolt",
    "heaven_earth_cannons",
    "smothered_palace",
    "smothered",
    "elbow_horse",
    "corner_horse",
    "angler_horse",
    "octagon_horse",
    "side_tiger",
    "two_horses",
    "rook_and_cannons",
    "alternating_rooks",
    "doubled_rooks",
    "two_devils",
    "pawn_on_throne",
    "old_pawn",
    "three_on_one_wing",
    "facing_king",
    "double_check",
    "stalemate",
    "quiet_rook_horse",
    "quiet_rook_cannon",
    "quiet_rook_pawn",
)
_TACTICS = (
    "double_attack",
    "discovered_check",
    "discovered_attack",
    "pin",
    "half_pin",
    "removed_defender",
    "overloaded_defender",
    "trapped_piece",
    "sacrifice",
    "forced_exchange",
    "wins_piece",
    "mate_threat",
)
_LAW = ("draw_by_law", "perpetual_loses")
MOTIFS = {
    **{code: Motif(code, "mate") for code in _MATES},
    **{code: Motif(code, "tactic") for code in _TACTICS},
    **{code: Motif(code, "law") for code in _LAW},
}
