"""A style: an older program's evaluation, move ordering and search depth, as data.

S0 weighs ``6 strength + 4 position + 4 threat + 1 mobility + 1 control``, S1 ``7 piece + 15 position + 1 flexibility``;
each mine minus yours. Published: S0's strengths, mobilities and depth rule, the weights of both, S0's table for king
and pawn, and S1's four tables. Not published, and therefore our own: S0's threat patterns and other tables, and S1's
piece values (only their order is known).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from chuhe.engine._core import StyleSearcher
from chuhe.variants.styles.piece_squares import S0_TABLES, S1_TABLES, SquareTable
from chuhe.variants.weights import parse_weights, whole_weight

if TYPE_CHECKING:
    from chuhe.engine.position import Position

KINDS = "KABNRCP"  # in the core's order
FEATURES = ("strength", "position", "threat", "mobility", "control")  # in the core's order

QuietOrder = Literal["power", "alike"]
QUIET_ORDERS: tuple[QuietOrder, ...] = get_args(QuietOrder)
_ORDERS = {("strength", "power"): 0, ("ratio", "alike"): 1, ("ratio", "power"): 2}  # the core's numbers


@dataclass(frozen=True)
class Style:
    """A playing style; change any part with `dataclasses.replace`."""

    name: str
    strength: Mapping[str, int]  # by letter
    mobility: Mapping[str, int]  # value of a move, by the letter of the moving piece
    threats: Mapping[frozenset[str], int]  # for each attacking pair across the river; one letter: two of a kind
    tables: Mapping[str, SquareTable]  # by letter, for Red
    features: Mapping[str, str]  # the style's name for a feature: our name, in the order shown
    weights: Mapping[str, int]  # by the style's name
    order: Literal["strength", "ratio"]  # move ordering: by victim then mover, or captures first by victim / attacker
    depth: Callable[[int], int]  # from the number of pieces on the board to plies
    breadth: int = 0  # moves tried in each position; 0: all
    quiet_order: QuietOrder = "power"

    @property
    def pawn(self) -> int:
        """The score of one pawn, to convert to centipawns; 100 if these weights give it none.

        >>> S0.pawn, S0.with_weights("strength=12").pawn, S0.with_weights("strength=0").pawn
        (420, 840, 100)
        """
        word = next(word for word, feature in self.features.items() if feature == "strength")
        return abs(self.weights[word] * self.strength["P"]) or 100

    def with_weights(self, text: str) -> Style:
        """The style with other weights, ``strength=6,position=4``; WeightError names what is wrong.

        >>> S1.with_weights("flexibility=3").weights
        {'piece': 7, 'position': 15, 'flexibility': 3}
        """
        return replace(self, weights={**self.weights, **parse_weights(text, self.weights, whole_weight)})

    def with_quiet_order(self, text: str) -> Style:
        """The style with its quiet moves in another order; only for styles that put captures first.

        >>> S1.with_quiet_order("alike").quiet_order
        'alike'
        """
        if self.order != "ratio":
            raise ValueError(f"{self.name} orders all moves by strength: the order of quiet moves cannot be changed")
        for order in QUIET_ORDERS:
            if order == text:
                return replace(self, quiet_order=order)
        raise ValueError(f"quiet moves are ordered {' or '.join(QUIET_ORDERS)}, not {text[:40]!r}")

    def searcher(self) -> StyleSearcher:
        """The compiled evaluation and search with this style's numbers."""
        weight = {feature: self.weights[word] for word, feature in self.features.items()}
        return StyleSearcher(
            strength=[self.strength[kind] for kind in KINDS],
            power=[0 if kind == "K" else self.strength[kind] for kind in KINDS],
            mobility=[self.mobility[kind] for kind in KINDS],
            threats=[[self.threats.get(frozenset((one, two)), 0) for two in KINDS] for one in KINDS],
            tables=[list(self.tables[kind]) for kind in KINDS],
            weights=[weight.get(feature, 0) for feature in FEATURES],
            order=_ORDERS[self.order, self.quiet_order],
        )

    def terms(self, position: Position, colour: int) -> dict[str, int]:
        """One side's features, unweighted, under the style's names."""
        found = dict(zip(FEATURES, self.searcher().features(position, colour), strict=True))
        return {word: found[feature] for word, feature in self.features.items()}

    def score(self, position: Position) -> int:
        """The weighted sum for the side to move, mine minus yours."""
        return self.searcher().value(position)


# --- S0

S0_STRENGTH = {"K": 1_000_000, "A": 110, "B": 110, "N": 300, "R": 600, "C": 500, "P": 70}
S0_MOBILITY = {"K": 0, "A": 0, "B": 0, "N": 13, "R": 7, "C": 7, "P": 15}
S0_WEIGHTS = {"strength": 6, "position": 4, "threat": 4, "mobility": 1, "control": 1}

# Ours: pairs of attackers across the river that work together. S0 only says that it counts such patterns.
S0_THREATS = {
    frozenset("R"): 60,  # two rooks
    frozenset("RN"): 50,
    frozenset("RC"): 45,
    frozenset("NC"): 35,
    frozenset("N"): 30,
    frozenset("C"): 30,
    frozenset("RP"): 20,
    frozenset("NP"): 15,
    frozenset("CP"): 15,
    frozenset("P"): 10,
}


def s0_depth(pieces: int) -> int:
    """Deeper with fewer pieces: min(9, 7.3 - 0.11 * pieces), rounded down.

    >>> s0_depth(32), s0_depth(20), s0_depth(2)
    (3, 5, 7)
    """
    return min(9, int(7.3 - 0.11 * pieces))


S0 = Style(
    name="s0",
    strength=S0_STRENGTH,
    mobility=S0_MOBILITY,
    threats=S0_THREATS,
    tables=S0_TABLES,
    features={feature: feature for feature in FEATURES},
    weights=S0_WEIGHTS,
    order="strength",
    depth=s0_depth,
)


# --- S1

# Ours; published is only: rook > cannon = horse > elephant = advisor. In proportion to the published tables.
S1_VALUES = {"K": 10_000, "A": 120, "B": 120, "N": 300, "R": 600, "C": 300, "P": 60}
S1_WEIGHTS = {"piece": 7, "position": 15, "flexibility": 1}
S1_DEPTH, S1_BREADTH = 4, 20

S1 = Style(
    name="s1",
    strength=S1_VALUES,
    mobility=dict.fromkeys(KINDS, 1),
    threats={},
    tables=S1_TABLES,
    features={"piece": "strength", "position": "position", "flexibility": "mobility"},
    weights=S1_WEIGHTS,
    order="ratio",
    depth=lambda pieces: S1_DEPTH,
    breadth=S1_BREADTH,
)

STYLES = {style.name: style for style in (S0, S1)}


def make_style(name: str, weights: str = "", quiet_order: str = "") -> Style:
    """A style by name, optionally with other weights or another order; ValueError says what is wrong."""
    if name not in STYLES:
        raise ValueError(f"the styles are {', '.join(STYLES)}, not {name[:40]!r}")
    style = STYLES[name]
    if weights:
        style = style.with_weights(weights)
    return style.with_quiet_order(quiet_order) if quiet_order else style
