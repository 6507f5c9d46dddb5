"""The material of an endgame, its name, and the endgames that captures lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product

from chuhe.engine._core import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from chuhe.text.errors import UserError
from chuhe.text.message import Message, shown

ORDER = (KING, ROOK, KNIGHT, CANNON, PAWN, ADVISOR, BISHOP)  # of the letters in a name
LETTERS = {KING: "K", ADVISOR: "A", BISHOP: "B", KNIGHT: "N", ROOK: "R", CANNON: "C", PAWN: "P"}
KINDS = {**{letter: kind for kind, letter in LETTERS.items()}, "E": BISHOP, "H": KNIGHT}
MOST = {KING: 1, ADVISOR: 2, BISHOP: 2, KNIGHT: 2, ROOK: 2, CANNON: 2, PAWN: 5}
ATTACKERS = (ROOK, KNIGHT, CANNON, PAWN)
MOST_ATTACKERS = 3
ATTACKER, DEFENDER = 0, 1  # the sides, as the tables see them

Counts = tuple[int, ...]  # the number of pieces of each kind, indexed by kind


class MaterialError(UserError):
    """A name that is not a supported endgame; the message says why."""


@dataclass(frozen=True)
class Material:
    """An endgame: what the attacker and the defender have.

    >>> material = Material.parse("KNPKAA")
    >>> material.name, [smaller.name for _, _, smaller in material.captures()]
    ('KNPKAA', ['KPKAA', 'KNKAA', 'KNPKA'])
    >>> Material.parse("KAAKPN") == material, Material.parse("khpkaa") == material
    (True, True)
    """

    attacker: Counts
    defender: Counts

    @classmethod
    def parse(cls, name: str) -> Material:
        """Parse a name like KRKAABB; MaterialError says what is wrong with it."""
        text = name.strip().upper()
        for letter in text:
            if letter not in KINDS:
                raise MaterialError(Message("endgame.not-a-piece", name=shown(name), letter=shown(letter)))
        if text.count("K") != 2 or not text.startswith("K"):
            raise MaterialError(Message("endgame.two-sides", name=shown(name)))
        sides = [_count(part) for part in text[1:].split("K")]
        if not _attackers(sides[0]):
            sides.reverse()
        material = cls(sides[0], sides[1])
        material._check(name)
        return material

    @classmethod
    def from_counts(cls, red: Counts, black: Counts) -> Material | None:
        """The endgame of a board's pieces; None if it is not supported."""
        sides = (red, black) if _attackers(red) else (black, red)
        material = cls(*sides)
        try:
            material._check("")
        except MaterialError:
            return None
        return material

    def _check(self, name: str) -> None:
        for side in (self.attacker, self.defender):
            for kind, count in enumerate(side):
                if count > MOST[kind]:
                    piece = Message(f"kind.{LETTERS[kind].lower()}")
                    raise MaterialError(Message("endgame.too-many", name=name, most=MOST[kind], piece=piece))
        if not _attackers(self.attacker):
            raise MaterialError(Message("endgame.no-attacker", name=name))
        if _attackers(self.defender):
            raise MaterialError(Message("endgame.two-attackers", name=name))
        if _attackers(self.attacker) > MOST_ATTACKERS:
            raise MaterialError(Message("endgame.too-large", name=name, most=MOST_ATTACKERS))

    @cached_property
    def name(self) -> str:
        return "".join(LETTERS[kind] * side[kind] for side in (self.attacker, self.defender) for kind in ORDER)

    def __str__(self) -> str:
        return self.name

    @property
    def packed(self) -> tuple[int, int]:
        """The counts in the core's format, four bits for each kind."""
        attacker, defender = (
            sum(count << 4 * kind for kind, count in enumerate(side)) for side in (self.attacker, self.defender)
        )
        return attacker, defender

    @cached_property
    def positions(self) -> int:
        """The number of entries for each side to move."""
        from chuhe.engine._endgame import position_count

        return position_count(*self.packed)

    def captures(self) -> Iterator[tuple[int, int, Material]]:
        """(side, kind, what is left) for each piece that can be taken, as long as an attacker is left."""
        for kind in ATTACKERS:
            if self.attacker[kind]:
                smaller = Material(_less(self.attacker, kind), self.defender)
                if _attackers(smaller.attacker):
                    yield ATTACKER, kind, smaller
        for kind in (ADVISOR, BISHOP):
            if self.defender[kind]:
                yield DEFENDER, kind, Material(self.attacker, _less(self.defender, kind))

    def with_smaller(self) -> list[Material]:
        """This endgame and all its dependencies, dependencies first."""
        found: dict[Material, None] = {}

        def visit(material: Material) -> None:
            if material not in found:
                for _, _, smaller in material.captures():
                    visit(smaller)
                found[material] = None

        visit(self)
        return list(found)


def _attackers(side: Counts) -> int:
    return sum(side[kind] for kind in ATTACKERS)


def _less(side: Counts, kind: int) -> Counts:
    return tuple(count - (number == kind) for number, count in enumerate(side))


def _count(letters: str) -> Counts:
    counts = [0] * len(LETTERS)
    counts[KING] = 1
    for letter in letters:
        counts[KINDS[letter]] += 1
    return tuple(counts)


def all_endgames() -> list[Material]:
    """Every endgame that can be solved, smallest table first; dependencies come first."""
    endgames = []
    for number in range(1, MOST_ATTACKERS + 1):
        for attackers in combinations_with_replacement("RNCP", number):
            if any(attackers.count(letter) > MOST[KINDS[letter]] for letter in attackers):
                continue
            for guards in product(("", "A", "AA"), ("", "B", "BB"), ("", "A", "AA"), ("", "B", "BB")):
                endgames.append(Material.parse("K{}{}{}K{}{}".format("".join(attackers), *guards)))
    return sorted(endgames, key=lambda endgame: (endgame.positions, endgame.name))
