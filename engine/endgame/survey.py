"""A summary of a table: how often the attacker wins, against which defence, and examples."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from chuhe.engine._core import ADVISOR, BISHOP, KING, PAWN, Piece
from chuhe.engine._endgame import Solver
from chuhe.engine.diagram import position_of
from chuhe.engine.endgame.material import ATTACKER, DEFENDER, Material
from chuhe.engine.endgame.solving import PARTS, split
from chuhe.engine.position import Position
from chuhe.text.message import Language

BOOK_WIN, BOOK_DRAW = 0.9, 0.1  # shares of wins against the best defence
RARE = 20  # formations with fewer positions are ignored


@dataclass(frozen=True)
class Share:
    """Won, drawn and lost positions of one side to move, and the longest mate in plies."""

    win: int
    draw: int
    loss: int
    longest: int

    @property
    def total(self) -> int:
        return self.win + self.draw + self.loss


@dataclass(frozen=True)
class Survey:
    """A summary of a table; everything except `defender` is with the attacker to move."""

    material: Material
    attacker: Share
    defender: Share
    points: dict[int, tuple[int, int]]  # by square of the attacker's pawn, else of the defender's king: positions, won
    by_pawn: bool
    best_defence: tuple[tuple[int, int], ...]  # (kind, square)
    best_defence_wins: float  # the share of positions that the attacker still wins against it
    longest: int | None  # index of a position with the longest win
    drawn: int | None  # … with a draw against the best defence
    won: int | None  # … with the longest win against the best defence

    @property
    def verdict(self) -> str:
        """The books' verdict: a win by rule, a draw by rule, or a win by skill.

        Books assume a good defence, so the share of wins against the best formation decides.
        """
        if self.best_defence_wins >= BOOK_WIN:
            return "例勝"
        return "例和" if self.best_defence_wins <= BOOK_DRAW else "巧勝"


def survey(material: Material, solver: Solver, threads: int, step: Callable[[], None] = lambda: None) -> Survey:
    """Survey all positions of a table in memory. `step` is called PARTS times for each thread."""
    by_pawn = material.attacker[PAWN] > 0
    piece = (ATTACKER, PAWN) if by_pawn else (DEFENDER, KING)

    def census(part: tuple[int, int]):  # type: ignore[no-untyped-def]
        found = solver.census(*part, *piece)
        step()
        return found

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(census, split(solver.size, threads * PARTS)))
    codes: dict[tuple[int, int], int] = {}
    for part, _, _ in parts:
        for key, count in part.items():
            codes[key] = codes.get(key, 0) + count
    points: dict[int, tuple[int, int]] = {}
    for square in range(90):
        pair = {square, square - square % 9 + 8 - square % 9}  # a point and its mirror image
        stands = sum(one[1][at][0] for one in parts for at in pair)
        if stands:
            points[square] = stands, sum(one[1][at][1] for one in parts for at in pair)
    formations = [
        (sum(one[2][number][0] for one in parts), sum(one[2][number][1] for one in parts), number)
        for number in range(len(parts[0][2]))
    ]
    common = [entry for entry in formations if entry[0] >= RARE] or [entry for entry in formations if entry[0]]
    stood, lost, best = min(common, key=lambda entry: (entry[1] / entry[0], -entry[0], entry[2]))
    attacker = _share(codes, 0)
    longest = attacker.longest + 1
    return Survey(
        material,
        attacker,
        _share(codes, 1),
        points,
        by_pawn,
        tuple(sorted(solver.formation(best))),
        lost / stood,
        solver.find(0, longest) if attacker.win else None,
        solver.in_formation(0, best, 0) if lost < stood else None,
        _longest_in_formation(solver, best, longest) if lost else None,
    )


def _longest_in_formation(solver: Solver, formation: int, longest: int) -> int | None:
    for code in range(longest, 0, -2):
        found = solver.in_formation(0, formation, code)
        if found is not None:
            return found
    return None


def _share(codes: dict[tuple[int, int], int], side: int) -> Share:
    own = {code: count for (whose, code), count in codes.items() if whose == side}
    win = sum(count for code, count in own.items() if code and code % 2 == 0)
    loss = sum(count for code, count in own.items() if code % 2)
    longest = max((code for code in own if code and (code % 2 == 0) == (side == 0)), default=1) - 1
    return Share(win, own.get(0, 0), loss, longest)


def position_at(solver: Solver, side: int, index: int) -> Position:
    """The position with this index, the attacker being Red."""
    pieces = solver.pieces(index)
    assert pieces is not None
    position = position_of({square: Piece(colour, kind) for colour, kind, square in pieces}, side)
    assert position is not None
    return position


GLYPHS = dict(zip("RNCP", "車馬炮兵", strict=True))


SIMPLIFIED = str.maketrans("車馬雙對單將", "车马双对单将")


def chinese_name(material: Material, language: Language = "en") -> str:
    """The endgame's name in Chinese books; in simplified characters for who reads these.

    >>> [chinese_name(Material.parse(name)) for name in ("KRKAABB", "KNPKAA", "KCAAKB", "KRK")]
    ['車對士象全', '馬兵對雙士', '炮雙仕對單象', '車對單將']
    >>> chinese_name(Material.parse("KNNKAB"), "zh-Hans")
    '双马对单士单象'
    """
    from chuhe.engine.endgame.material import KINDS

    attackers = "".join(_times(material.attacker[KINDS[letter]]) + glyph for letter, glyph in GLYPHS.items()
                        if material.attacker[KINDS[letter]])  # fmt: skip
    name = attackers + _guards(material.attacker, "仕相", "") + "對" + _guards(material.defender, "士象", "單將")
    return name.translate(SIMPLIFIED) if language == "zh-Hans" else name


def _times(count: int) -> str:
    return {1: "", 2: "雙", 3: "三"}[count]


def _guards(side: tuple[int, ...], glyphs: str, none: str) -> str:
    if side[ADVISOR] == side[BISHOP] == 2:
        return f"{glyphs}全"
    words = [
        ("單" if count == 1 else "雙") + glyph
        for count, glyph in zip((side[ADVISOR], side[BISHOP]), glyphs, strict=True)
        if count
    ]
    return "".join(words) or none
