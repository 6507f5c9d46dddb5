"""Match statistics: Elo with its error, likelihood of superiority, SPRT.

Games come in pairs on one opening with colours reversed, so the unit of observation is the pair. A pair's score is one
of 0, ½, 1, 1½, 2 points; counting these five results (the *pentanomial*) keeps the correlation between the two games of
a pair that a plain win/draw/loss count throws away.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # share of the two points, per pentanomial class
ELO_SCALE = 400.0
LARGEST_ELO = 2000.0  # limit for a hypothesis; beyond it the expected score rounds to 0 or 1
PRIOR_DRAWS = 0.5  # virtual draws per pairing: keeps the rating of an engine that lost every game finite
NORMAL = NormalDist()


def expected_score(elo: float) -> float:
    """The share of points expected of a player this much stronger, by the logistic model.

    >>> round(expected_score(0), 3), round(expected_score(191), 3)
    (0.5, 0.75)
    """
    return 1.0 / (1.0 + math.pow(10.0, -elo / ELO_SCALE))


def elo_of(score: float) -> float:
    """The inverse of `expected_score`; infinite for scores of 0 and 1.

    >>> round(elo_of(0.75), 1), elo_of(0.0)
    (190.8, -inf)
    """
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return ELO_SCALE * math.log10(score / (1.0 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """Elo with its interval, and the probability that the first engine is the stronger one."""

    elo: float
    low: float
    high: float
    superiority: float
    score: float

    @property
    def error(self) -> float:
        """Half the interval's width; infinite if either end is."""
        return (self.high - self.low) / 2 if math.isfinite(self.high) and math.isfinite(self.low) else math.inf

    def __str__(self) -> str:
        known = math.isfinite(self.error)
        interval = f" [{signed(self.low)}, {signed(self.high)}]" if known else " (no interval yet)"
        return f"Elo {signed(self.elo)}{interval}, LOS {self.superiority:.1%}"


def signed(elo: float) -> str:
    return f"{elo:+.1f}" if math.isfinite(elo) else ("+inf" if elo > 0 else "-inf")


@dataclass(slots=True)
class Tally:
    """Running results of two engines, from the first one's point of view.

    `wins`, `draws` and `losses` count every game, `pairs` only complete pairs.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def normalized_elo(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """Normalised Elo and half its interval, from the pairs; None while they show no variance.

        >>> elo, error = Tally(pairs=(5, 20, 50, 30, 10)).normalized_elo()
        >>> round(elo, 1), round(error, 1)
        (44.4, 44.9)
        """
        count = sum(self.pairs)
        mean, variance = mean_and_variance(PAIR_SCORES, self.pairs) if count else (0.5, 0.0)
        if count < 2 or variance == 0.0:
            return None
        scale = NORMALIZED_SCALE / math.sqrt(2)
        reach = NORMAL.inv_cdf(0.5 + confidence / 2) / math.sqrt(count)
        return scale * (mean - 0.5) / math.sqrt(variance), scale * reach

    def add_game(self, points: float) -> None:
        if points == 1.0:
            self.wins += 1
        elif points == 0.0:
            self.losses += 1
        else:
            self.draws += 1

    def add_pair(self, points: float) -> None:
        """Add a finished pair, worth 0 to 2 points."""
        counts = list(self.pairs)
        counts[round(points * 2)] += 1
        self.pairs = (counts[0], counts[1], counts[2], counts[3], counts[4])

    def estimate(self, confidence: float = 0.95) -> Estimate:
        """From the pairs, or from single games while the pairs are too few or too one-sided to show any variance."""
        if sum(self.pairs) >= 2 and max(self.pairs) < sum(self.pairs):
            found = estimate(PAIR_SCORES, self.pairs, confidence)
            if math.isfinite(found.error):
                return found
        games = (self.losses, self.draws, self.wins)
        found = estimate((0.0, 0.5, 1.0), games, confidence)
        return found if math.isfinite(found.error) else one_sided_estimate(self.points, self.games, confidence)


def mean_and_variance(values: Sequence[float], counts: Sequence[float]) -> tuple[float, float]:
    total = sum(counts)
    mean = sum(value * count for value, count in zip(values, counts, strict=True)) / total
    return mean, sum(count * (value - mean) ** 2 for value, count in zip(values, counts, strict=True)) / total


def estimate(values: Sequence[float], counts: Sequence[int], confidence: float = 0.95) -> Estimate:
    """Normal interval around the mean score, converted to Elo.

    With zero variance (one game, or all results equal) the error is unknown, and near 0 or 1 the interval extends past
    the possible scores. Its ends are then infinite; use `one_sided_estimate` instead.
    """
    total = sum(counts)
    if total == 0:
        return Estimate(0.0, -math.inf, math.inf, 0.5, 0.5)
    mean, variance = mean_and_variance(values, counts)
    deviation = math.sqrt(variance / total)
    if deviation == 0.0:
        superiority = 0.5 if mean == 0.5 else float(mean > 0.5)
        return Estimate(elo_of(mean), -math.inf, math.inf, superiority, mean)
    reach = NORMAL.inv_cdf(0.975) * deviation
    return Estimate(
        elo_of(mean), elo_of(mean - reach), elo_of(mean + reach), NORMAL.cdf((mean - 0.5) / deviation), mean
    )


def one_sided_estimate(points: float, games: int, confidence: float = 0.95) -> Estimate:
    """Wilson's interval, for results that are nearly all the same: it stays within 0 and 1.

    It treats every game as won or lost, which has the largest variance, and adds half a virtual draw, as `ratings`
    does. So even a clean sweep has a finite Elo, which grows with the number of games.

    >>> str(one_sided_estimate(29.5, 30))
    'Elo +708.3 [+298.6, +980.1], LOS 100.0%'
    >>> str(one_sided_estimate(30, 30))
    'Elo +833.1 [+336.5, +1329.7], LOS 100.0%'
    """
    if games == 0:
        return Estimate(0.0, -math.inf, math.inf, 0.5, 0.5)
    total = games + PRIOR_DRAWS
    share = (points + PRIOR_DRAWS / 2) / total
    quantile = NORMAL.inv_cdf(0.975)
    spread = quantile * math.sqrt(share * (1 - share) / total + (quantile / (2 * total)) ** 2)
    middle, scale = share + quantile**2 / (2 * total), 1 + quantile**2 / total
    elo = elo_of(points / games)
    superiority = NORMAL.cdf((share - 0.5) / math.sqrt(0.25 / total))
    return Estimate(
        elo if math.isfinite(elo) else elo_of(share),
        elo_of((middle - spread) / scale),
        elo_of((middle + spread) / scale),
        superiority,
        points / games,
    )


# --- SPRT -----------------------------------------------------------------------------------------------------------

SprtVerdict = Literal["accepted", "rejected", "continue"]
EloModel = Literal["normalized", "logistic"]
ELO_MODELS: tuple[EloModel, ...] = ("normalized", "logistic")
NORMALIZED_SCALE = 2 * ELO_SCALE / math.log(10)  # normalised Elo is this times the mean over the deviation of one game


@dataclass(frozen=True, slots=True)
class Sprt:
    """Sequential test of "Elo is elo1" against "Elo is elo0"; alpha and beta are the error rates.

    Normalised Elo measures the lead in standard deviations, so the same bounds need about as many games whatever the
    share of draws; logistic Elo measures the score.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = "normalized"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1)):
            raise ValueError(f"SPRT needs two numbers, not {self.elo0:g} and {self.elo1:g}")
        if max(abs(self.elo0), abs(self.elo1)) > LARGEST_ELO:
            raise ValueError(f"SPRT's elo0 and elo1 are within ±{LARGEST_ELO:g}, not {self.elo0:g} and {self.elo1:g}")
        if self.model not in ELO_MODELS:
            raise ValueError(f"SPRT's model is one of {', '.join(ELO_MODELS)}, not {self.model!r}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"SPRT needs elo0 < elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"SPRT's alpha and beta are between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of the two hypotheses, given the pentanomial counts."""
        if sum(pairs) == 0:
            return 0.0
        if self.model == "logistic":
            return log_likelihood_ratio(PAIR_SCORES, pairs, expected_score(self.elo0), expected_score(self.elo1))
        # of a pair's mean score the deviation is that of a game by √2
        leads = (math.sqrt(2) * elo / NORMALIZED_SCALE for elo in (self.elo0, self.elo1))
        return normalized_log_likelihood_ratio(PAIR_SCORES, pairs, *leads)

    def verdict(self, pairs: Sequence[int]) -> SprtVerdict:
        ratio = self.ratio(pairs)
        if ratio >= self.upper:
            return "accepted"
        return "rejected" if ratio <= self.lower else "continue"

    def describe(self, pairs: Sequence[int], over: bool = False) -> str:
        """The state of the test in one line; `over`: no more games come.

        >>> Sprt(0, 5).describe([0, 0, 0, 0, 0])
        'SPRT [0, 5] nElo: continue, LLR +0.00 of [-2.94, 2.94]'
        """
        verdict = self.verdict(pairs)
        said = "undecided" if over and verdict == "continue" else verdict
        unit = "nElo" if self.model == "normalized" else "Elo"
        bounds = f"[{self.lower:.2f}, {self.upper:.2f}]"
        return f"SPRT [{self.elo0:g}, {self.elo1:g}] {unit}: {said}, LLR {self.ratio(pairs):+.2f} of {bounds}"


EMPTY_CLASS = 1e-3  # count given to a class not seen yet, so that its probability is not zero


def log_likelihood_ratio(values: Sequence[float], counts: Sequence[float], score0: float, score1: float) -> float:
    """Generalised log-likelihood ratio: the likeliest distribution over `values` with mean score1
    against the likeliest with mean score0.

    The likeliest distribution with mean s has p_i = q_i / (1 + t·(v_i − s)), where q are the observed frequencies
    and the Lagrange multiplier t is chosen so that the mean is s.
    """
    weights, shares = _weights_and_shares(counts)
    tilt0 = _tilt([value - score0 for value in values], shares)
    tilt1 = _tilt([value - score1 for value in values], shares)
    return sum(
        weight * math.log((1.0 + tilt0 * (value - score0)) / (1.0 + tilt1 * (value - score1)))
        for value, weight in zip(values, weights, strict=True)
    )


def _weights_and_shares(counts: Sequence[float]) -> tuple[list[float], list[float]]:
    weights = [max(float(count), EMPTY_CLASS) for count in counts]
    total = sum(weights)
    return weights, [weight / total for weight in weights]


def normalized_log_likelihood_ratio(
    values: Sequence[float], counts: Sequence[float], lead0: float, lead1: float
) -> float:
    """The same with hypotheses about the lead: the mean score less ½, in standard deviations of a value."""
    weights, shares = _weights_and_shares(counts)
    likely0, likely1 = (_likeliest_with_lead(values, shares, lead) for lead in (lead0, lead1))
    if likely0 is None or likely1 is None:  # by the normal approximation
        mean, variance = mean_and_variance(values, weights)
        seen = (mean - 0.5) / math.sqrt(variance)
        return sum(weights) / 2 * math.log((1 + (seen - lead0) ** 2) / (1 + (seen - lead1) ** 2))
    return sum(w * math.log(one / other) for w, one, other in zip(weights, likely1, likely0, strict=True))


def _likeliest_with_lead(values: Sequence[float], shares: Sequence[float], lead: float) -> list[float] | None:
    """The likeliest distribution whose lead is this; None for a lead too large for these values.

    The condition is not linear in the probabilities, so it is made linear around the last distribution found, until
    that stays: with mean m and deviation s, Σ p·d = 0 for d = v − ½ − lead·s·(1 + ((v − m)/s)²)/2.
    """
    found = [1.0 / len(values)] * len(values)
    for _ in range(50):
        mean, variance = mean_and_variance(values, found)
        deviation = math.sqrt(variance)
        distances = [value - 0.5 - lead * deviation * (1.0 + ((value - mean) / deviation) ** 2) / 2 for value in values]
        if not min(distances) < 0 < max(distances):
            return None
        tilt = _tilt(distances, shares)
        last, found = found, [share / (1.0 + tilt * d) for share, d in zip(shares, distances, strict=True)]
        if max(abs(new - old) for new, old in zip(found, last, strict=True)) < 1e-10:
            break
    return found


def _tilt(distances: Sequence[float], shares: Sequence[float]) -> float:
    """The root t of Σ q·d / (1 + t·d), which falls from +∞ to −∞ between its two poles: Newton inside a bracket."""
    low, high = -1.0 / max(distances), -1.0 / min(distances)
    tilt = 0.0
    for _ in range(100):
        value = slope = 0.0
        for distance, share in zip(distances, shares, strict=True):
            term = distance / (1.0 + tilt * distance)
            value += share * term
            slope -= share * term * term
        if value > 0.0:
            low = tilt
        else:
            high = tilt
        step = tilt - value / slope
        following = step if low < step < high else (low + high) / 2
        if abs(following - tilt) < 1e-12 * (1.0 + abs(tilt)):
            return following
        tilt = following
    return tilt


# --- more than two engines --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rating:
    """One line of a rating table; Elo relative to the field's mean."""

    name: str
    elo: float
    error: float
    points: float
    games: int


Encounter = tuple[str, str, float]  # first, second, points of the first (1, ½, 0)


def ratings(names: Sequence[str], games: Iterable[Encounter]) -> list[Rating]:
    """Bradley–Terry ratings of a round robin or gauntlet, strongest first.

    Draws count as half a win; errors (95 %) come from the curvature of the likelihood at its maximum.
    """
    index = {name: number for number, name in enumerate(names)}
    size = len(names)
    points = [0.0] * size
    played = [[0.0] * size for _ in range(size)]
    for first, second, result in games:
        a, b = index[first], index[second]
        points[a] += result
        points[b] += 1.0 - result
        played[a][b] += 1.0
        played[b][a] += 1.0
    weights = [[n + PRIOR_DRAWS if n else 0.0 for n in row] for row in played]
    shares = [points[a] + sum(PRIOR_DRAWS / 2 for n in played[a] if n) for a in range(size)]
    strength = _bradley_terry(weights, shares)
    errors = _errors(weights, strength, NORMAL.inv_cdf(0.975))
    mean = sum(strength) / size if size else 0.0
    table = [
        Rating(name, (strength[a] - mean) * ELO_SCALE / math.log(10), errors[a], points[a], round(sum(played[a])))
        for name, a in index.items()
    ]
    return sorted(table, key=lambda rating: -rating.elo)


def _bradley_terry(weights: list[list[float]], shares: list[float]) -> list[float]:
    """Natural-log strengths by minorise-maximise iteration, which never decreases the likelihood."""
    size = len(shares)
    gamma = [1.0] * size
    for _ in range(10_000):
        fresh = []
        for a in range(size):
            total = sum(weights[a][b] / (gamma[a] + gamma[b]) for b in range(size) if weights[a][b])
            fresh.append(shares[a] / total if total else 1.0)
        scale = math.exp(sum(map(math.log, fresh)) / size)
        fresh = [value / scale for value in fresh]
        change = max(abs(math.log(new / old)) for new, old in zip(fresh, gamma, strict=True))
        gamma = fresh
        if change < 1e-10:
            break
    return [math.log(value) for value in gamma]


def _errors(weights: list[list[float]], strength: list[float], quantile: float) -> list[float]:
    """Half-widths in Elo: the inverse of the information matrix plus a rank-one term that fixes the mean at 0."""
    size = len(strength)
    matrix = [[1.0 / size] * size for _ in range(size)]
    for a in range(size):
        for b in range(size):
            if weights[a][b]:
                share = 1.0 / (1.0 + math.exp(strength[b] - strength[a]))
                information = weights[a][b] * share * (1.0 - share)
                matrix[a][a] += information
                matrix[a][b] -= information
    inverse = _inverse(matrix)
    if inverse is None:
        return [math.inf] * size
    mean_part = 1.0 / size  # what the rank-one term adds to the diagonal
    factor = quantile * ELO_SCALE / math.log(10)
    return [factor * math.sqrt(max(inverse[a][a] - mean_part, 0.0)) for a in range(size)]


def _inverse(matrix: list[list[float]]) -> list[list[float]] | None:
    """Gauss–Jordan; None when singular (engines that have not met, directly or through others)."""
    size = len(matrix)
    rows = [list(row) + [float(a == b) for b in range(size)] for a, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        if abs(rows[pivot][column]) < 1e-12:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [value / head for value in rows[column]]
        for other in range(size):
            if other != column and rows[other][column]:
                factor = rows[other][column]
                rows[other] = [value - factor * base for value, base in zip(rows[other], rows[column], strict=True)]
    return [row[size:] for row in rows]
