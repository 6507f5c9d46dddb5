"""Statistics against published figures and closed formulas, and by simulation."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from chuhe.bench.statistics import (
    NORMALIZED_SCALE,
    PAIR_SCORES,
    Sprt,
    Tally,
    elo_of,
    estimate,
    expected_score,
    log_likelihood_ratio,
    ratings,
)


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (100, 0.6401), (200, 0.7597), (400, 0.9091), (-100, 0.3599)])
def test_expected_score_is_the_published_table(elo: float, score: float) -> None:
    assert expected_score(elo) == pytest.approx(score, abs=5e-5)
    assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-9)


def test_elo_of_a_clean_sweep_is_infinite() -> None:
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_estimate_of_independent_games_is_the_textbook_interval() -> None:
    wins, draws, losses = 40, 30, 30
    found = estimate((0.0, 0.5, 1.0), (losses, draws, wins))
    mean = 0.55
    variance = 0.4 * 0.45**2 + 0.3 * 0.05**2 + 0.3 * 0.55**2
    reach = 1.959963985 * math.sqrt(variance / 100)
    assert found.score == pytest.approx(mean)
    assert found.low == pytest.approx(elo_of(mean - reach))
    assert found.high == pytest.approx(elo_of(mean + reach))
    assert found.superiority == pytest.approx(0.5 * (1 + math.erf((mean - 0.5) / math.sqrt(2 * variance / 100))))


def test_without_spread_the_interval_is_everything() -> None:
    found = estimate((0.0, 0.5, 1.0), (0, 0, 3))
    assert (found.elo, found.low, found.high, found.superiority) == (math.inf, -math.inf, math.inf, 1.0)
    assert estimate((0.0, 0.5, 1.0), (0, 0, 0)).superiority == 0.5


def test_tally_counts_games_and_pairs() -> None:
    tally = Tally()
    for points in (1.0, 0.5, 0.0, 1.0):
        tally.add_game(points)
    tally.add_pair(1.5)
    tally.add_pair(1.0)
    assert (tally.wins, tally.draws, tally.losses, tally.games, tally.points) == (2, 1, 1, 4, 2.5)
    assert tally.pairs == (0, 0, 1, 1, 0)


def test_sprt_bounds_are_walds() -> None:
    sprt = Sprt(0, 5)
    assert sprt.upper == pytest.approx(math.log(19))
    assert sprt.lower == pytest.approx(-math.log(19))


@pytest.mark.parametrize(("elo0", "elo1", "alpha"), [(5, 5, 0.05), (5, 0, 0.05), (0, 5, 0.0), (0, 5, 0.7)])
def test_sprt_refuses_nonsense(elo0: float, elo1: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="SPRT"):
        Sprt(elo0, elo1, alpha)


def test_two_outcomes_give_the_exact_likelihood_ratio() -> None:
    """With only two classes the constrained maximum is unique: a coin with the wanted mean."""
    s0, s1 = 0.5, 0.6
    exact = 70 * math.log(s1 / s0) + 50 * math.log((1 - s1) / (1 - s0))
    assert log_likelihood_ratio((0.0, 1.0), (50, 70), s0, s1) == pytest.approx(exact, rel=1e-9)


def test_ratio_agrees_with_the_normal_approximation_for_small_differences() -> None:
    """For score differences near zero, LLR ≈ N·(s1 − s0)·(2m − s0 − s1) / (2σ²), a common approximation."""
    counts = (100, 800, 2000, 900, 130)
    s0, s1 = expected_score(0), expected_score(5)
    total = sum(counts)
    mean = sum(v * c for v, c in zip(PAIR_SCORES, counts, strict=True)) / total
    variance = sum(c * (v - mean) ** 2 for v, c in zip(PAIR_SCORES, counts, strict=True)) / total
    approximation = total * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5, model="logistic").ratio(counts) == pytest.approx(approximation, rel=0.02)


def test_normalised_elo_measures_deviations() -> None:
    """LLR ≈ N/2·log((1 + (t − t0)²) / (1 + (t − t1)²)) with t = (mean − ½) / deviation of a pair."""
    counts = (100, 800, 2000, 900, 130)
    tally = Tally(pairs=counts)
    found = tally.normalized_elo()
    assert found is not None
    lead, lead1 = (math.sqrt(2) * elo / NORMALIZED_SCALE for elo in (found[0], 5))
    approximation = sum(counts) / 2 * math.log((1 + lead**2) / (1 + (lead - lead1) ** 2))
    assert Sprt(0, 5).ratio(counts) == pytest.approx(approximation, rel=0.02)
    assert Sprt(0, found[0]).verdict(counts) == "accepted"
    # the share of draws does not matter: half of the deviation, half of the lead
    wide, narrow = (100, 0, 100, 0, 120), (0, 100, 100, 120, 0)
    assert Sprt(0, 9).ratio(wide) == pytest.approx(Sprt(0, 9).ratio(narrow), rel=1e-3)
    assert Tally(pairs=(0, 0, 7, 0, 0)).normalized_elo() is None
    for bounds in ((-400, 400), (0, 2000), (-2000, -1900)):  # whatever is asked has an answer
        for pairs in (counts, (9, 0, 0, 0, 0), (0, 0, 7, 0, 0), (0, 0, 0, 0, 9), (1, 0, 0, 0, 1)):
            assert math.isfinite(Sprt(*bounds).ratio(pairs))
    assert Sprt(-400, 400).ratio((0, 0, 0, 0, 9)) > 0 > Sprt(-400, 400).ratio((9, 0, 0, 0, 0))


def test_a_test_whose_games_ran_out_is_undecided() -> None:
    assert "continue" in Sprt(0, 5).describe((1, 2, 3, 2, 1))
    assert "undecided" in Sprt(0, 5).describe((1, 2, 3, 2, 1), over=True)
    assert "accepted" in Sprt(0, 5).describe((0, 0, 0, 0, 3000), over=True)
    with pytest.raises(ValueError, match="model"):
        Sprt(0, 5, model="bayes")  # type: ignore[arg-type]


def test_the_tilted_distribution_has_the_wanted_mean_and_is_the_likeliest() -> None:
    """None of many random distributions with the same mean explains the counts better."""
    counts = np.array([3.0, 10.0, 20.0, 12.0, 5.0])
    values = np.array(PAIR_SCORES)
    s0, s1 = 0.45, 0.60
    ratio = log_likelihood_ratio(PAIR_SCORES, counts.tolist(), s0, s1)
    generator = np.random.default_rng(5)

    def best(score: float) -> float:
        """The maximum likelihood over distributions with that mean, by exponential tilting of random ones."""
        top = -math.inf
        for _ in range(3000):
            shares = generator.dirichlet(counts)
            low, high = -60.0, 60.0
            for _ in range(60):
                middle = (low + high) / 2
                tilted = shares * np.exp(middle * values)
                low, high = (middle, high) if (tilted @ values) / tilted.sum() < score else (low, middle)
            top = max(top, float(counts @ np.log(tilted / tilted.sum())))
        return top

    assert ratio == pytest.approx(best(s1) - best(s0), abs=0.15)


def pair_chances(elo: float, draws: float) -> list[float]:
    """Probabilities of a pair's five results for that Elo, with a colour advantage, so that the two games differ."""
    mean = expected_score(elo)
    edge = 0.08
    games = []
    for score in (mean + edge, mean - edge):
        games.append((1 - draws / 2 - score, draws, score - draws / 2))
    chances = [0.0] * 5
    for first, p in enumerate(games[0]):
        for second, q in enumerate(games[1]):
            chances[first + second] += p * q
    assert min(chances) > 0
    return chances


def run_sprts(elo: float, sprt: Sprt, runs: int, seed: int) -> float:
    """The share of simulated tests that accept."""
    generator = random.Random(seed)
    chances = pair_chances(elo, 0.4)
    accepted = 0
    for _ in range(runs):
        counts = [0] * 5
        while True:
            for result in generator.choices(range(5), chances, k=4):
                counts[result] += 1
            verdict = sprt.verdict(counts)
            if verdict != "continue":
                accepted += verdict == "accepted"
                break
    return accepted / runs


def test_a_thousand_sprts_keep_their_error_rates() -> None:
    """At either hypothesis at most 5 % of the verdicts are wrong, plus three standard errors of 1,000 runs."""
    sprt = Sprt(0, 60)
    allowed = 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1000)
    assert run_sprts(0, sprt, 1000, seed=1) <= allowed
    assert 1 - run_sprts(60, sprt, 1000, seed=2) <= allowed


def test_elo_intervals_cover() -> None:
    """Of 4,000 simulated matches of 200 pairs, the 95 % interval holds the truth in 93 to 97 %."""
    chances = pair_chances(35, 0.4)
    matches = np.random.default_rng(3).multinomial(200, chances, size=4000)
    covered = 0
    for counts in matches.tolist():
        found = estimate(PAIR_SCORES, counts)
        covered += found.low <= 35 <= found.high
    assert 0.93 <= covered / 4000 <= 0.97


def test_pairs_tell_more_than_games_when_colours_matter() -> None:
    """If Red always wins, every pair is 1–1: pairs show equal strength for certain, single games do not."""
    tally = Tally(wins=50, losses=50, pairs=(0, 1, 48, 1, 0))
    assert tally.estimate().error < 0.2 * estimate((0.0, 0.5, 1.0), (50, 0, 50)).error


def test_ratings_of_two_are_their_elo_difference() -> None:
    games = [("a", "b", 1.0)] * 75 + [("a", "b", 0.0)] * 25
    table = ratings(["a", "b"], games)
    assert [line.name for line in table] == ["a", "b"]
    assert table[0].elo - table[1].elo == pytest.approx(elo_of(0.75), abs=2)
    assert table[0].elo + table[1].elo == pytest.approx(0, abs=1e-6)
    deviation = 400 / math.log(10) / math.sqrt(100.5 * 0.75 * 0.25)  # of the difference, logistic model
    assert 2 * table[0].error == pytest.approx(1.96 * deviation, rel=0.03)


def test_ratings_recover_the_strengths_behind_simulated_games() -> None:
    generator = random.Random(11)
    truth = {"a": 120.0, "b": 30.0, "c": -40.0, "d": -110.0}
    names = list(truth)
    games = []
    for first in names:
        for second in names:
            if first < second:
                chance = expected_score(truth[first] - truth[second])
                games += [(first, second, float(generator.random() < chance)) for _ in range(1500)]
    table = {line.name: line for line in ratings(names, games)}
    assert list(table) == names
    for name, elo in truth.items():
        assert abs(table[name].elo - elo) < 2 * table[name].error
        assert table[name].error < 20


def test_an_engine_that_lost_everything_has_a_finite_rating() -> None:
    table = ratings(["a", "b"], [("a", "b", 1.0)] * 10)
    assert all(math.isfinite(line.elo) for line in table)
    assert table[-1].name == "b"


def test_pairs_without_spread_leave_it_to_the_games() -> None:
    """Two pairs of a draw and a loss have no variance as pairs, but the single games do."""
    found = Tally(draws=2, losses=2, pairs=(0, 2, 0, 0, 0)).estimate()
    assert 0.0 < found.superiority < 0.1
    assert found == estimate((0.0, 0.5, 1.0), (2, 2, 0))


def test_one_sided_results_have_an_interval_that_says_something() -> None:
    """Regression: +29 =1 -0 had the interval -inf … +inf."""
    tally = Tally(29, 1, 0, (0, 0, 0, 1, 14))
    found = tally.estimate()
    assert 250 < found.low < found.elo < found.high < 1500
    assert found.superiority > 0.99
    mirrored = Tally(0, 1, 29, (14, 1, 0, 0, 0)).estimate()
    assert mirrored.low == pytest.approx(-found.high)
    assert mirrored.elo == pytest.approx(-found.elo)


@pytest.mark.parametrize("games", [1, 2, 30, 1000])
def test_a_clean_sweep_is_finite_and_grows(games: int) -> None:
    found = Tally(games, 0, 0, (0, 0, 0, 0, games // 2)).estimate()
    longer = Tally(2 * games, 0, 0, (0, 0, 0, 0, games)).estimate()
    assert math.isfinite(found.error)
    assert found.low < longer.low
    assert found.elo < longer.elo
    draws = Tally(0, games, 0, (0, 0, games // 2, 0, 0)).estimate()
    assert (draws.elo, draws.superiority) == (0, 0.5)
    assert draws.low == pytest.approx(-draws.high)


@pytest.mark.parametrize("bounds", [(0, math.inf), (-math.inf, 0), (0, math.nan), (0, 1e9), (5, 0)])
def test_sprt_needs_two_numbers(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="SPRT"):
        Sprt(*bounds)


def test_an_interval_without_ends_is_not_shown() -> None:
    assert str(Tally().estimate()) == "Elo +0.0 (no interval yet), LOS 50.0%"
