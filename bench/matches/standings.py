"""Running standings of a match: tallies by pairing, reasons and openings, updated one finished game at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chuhe.bench.matches.match_values import Format, MatchGame
from chuhe.bench.matches.schedule import encounters
from chuhe.bench.statistics import Rating, Sprt, SprtVerdict, Tally, ratings
from chuhe.common.command_line import counted


class Standings:
    """Results so far; games may be added in any order."""

    def __init__(self, names: Sequence[str], form: Format = "roundrobin") -> None:
        self.names = list(names)
        self.tallies = {meeting: Tally() for meeting in encounters(self.names, form)}
        self.reasons: Counter[tuple[str, str]] = Counter()  # (reason, winner or "draw")
        self.openings: dict[int, list[float]] = {}  # index: [Red's wins, draws, Black's wins]
        self.games: list[MatchGame] = []
        self.warnings: list[str] = []  # from the engines' clients
        self._half: dict[int, float] = {}  # pair: the first engine's points in the game already finished

    def add(self, game: MatchGame) -> None:
        meeting = (game.red, game.black) if (game.red, game.black) in self.tallies else (game.black, game.red)
        tally = self.tallies[meeting]
        points = game.points_of(meeting[0])
        tally.add_game(points)
        if game.pair in self._half:
            tally.add_pair(self._half.pop(game.pair) + points)
        else:
            self._half[game.pair] = points
        winner = {"1-0": game.red, "0-1": game.black}.get(game.result, "draw")
        self.reasons[game.reason, winner] += 1
        self.openings.setdefault(game.opening, [0, 0, 0])[{"1-0": 0, "1/2-1/2": 1, "0-1": 2}[game.result]] += 1
        self.games.append(game)

    @property
    def tally(self) -> Tally:
        """The tally of the first pairing, the only one with two engines."""
        return next(iter(self.tallies.values()))

    def ratings(self) -> list[Rating]:
        return ratings(self.names, [(game.red, game.black, game.red_points) for game in self.games])

    def sprt(self, sprt: Sprt | None) -> SprtVerdict:
        return "continue" if sprt is None else sprt.verdict(self.tally.pairs)

    def headline(self, sprt: Sprt | None = None) -> str:
        """One line: score, Elo, SPRT for two engines; the leader for more."""
        if len(self.names) > 2:
            leader = self.ratings()[0]
            share = f"{leader.points:g}/{leader.games}"
            return f"{counted(len(self.games), 'game')}, {leader.name} leads with {share} ({leader.elo:+.0f} Elo)"
        tally = self.tally
        text = f"+{tally.wins} ={tally.draws} -{tally.losses}, {tally.estimate()}"
        if sprt is not None:
            text += f", LLR {sprt.ratio(tally.pairs):+.2f} [{sprt.lower:.2f}, {sprt.upper:.2f}]"
        return text
