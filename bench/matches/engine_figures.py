"""How each engine of a match used its time: depth, speed, time per move, share of the clock used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chuhe.bench.matches.match_values import EngineSpec, MatchGame, MatchMove, MatchSettings
from chuhe.common.time_control import SideClock, TimeControl

MOVES_AHEAD = 40  # a typical engine spends 1/40 of its clock on a move
GAIN_SPENT = 0.5  # plus this share of the increment
ODD = 1 / 3  # of the typical time: an engine that uses less probably misreads its clock
ENOUGH_MOVES = 10  # minimum sample before a warning is given


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """Totals over an engine's moves. Times are in milliseconds; `allowed` is None when it played without a clock."""

    spec: EngineSpec
    moves: int
    used: int
    allowed: float | None
    ordinary: float | None  # what a typical engine would have used of `allowed`
    depth: float | None  # mean
    nodes_per_second: float | None
    spare: float | None  # the smallest margin to the time limit after any move; negative if the limit was exceeded
    lag: float | None = None  # mean of what we measured more than the engine reported
    worst_lag: int | None = None

    @property
    def time_per_move(self) -> float | None:
        return self.used / self.moves if self.moves else None

    @property
    def share(self) -> float | None:
        """Share of its available time that it used, increments included."""
        return self.used / self.allowed if self.allowed else None

    @property
    def warning(self) -> str:
        """A warning if it used suspiciously little time; otherwise empty."""
        if not self.ordinary or self.moves < ENOUGH_MOVES or self.used >= ODD * self.ordinary:
            return ""
        if limits_its_depth(self.spec):
            return ""
        return (
            f"{self.spec.name} used {self.share or 0:.1%} of its time, far less than usual: "
            "it may misread the clock's unit, or need another protocol"
        )

    def __str__(self) -> str:
        parts = []
        if self.time_per_move is not None:
            parts.append(f"{self.time_per_move / 1000:.3f} s per move")
        if self.share is not None:
            parts.append(f"{self.share:.0%} of its time")
        if self.spare is not None:
            near = (
                f"{self.spare:.0f} ms before its limit" if self.spare >= 0 else f"{-self.spare:.0f} ms over its limit"
            )
            parts.append(f"at worst {near}")
        if self.lag is not None:
            parts.append(f"latency {self.lag:.1f} ms, {self.worst_lag} at most")
        if self.depth is not None:
            parts.append(f"depth {self.depth:.1f}")
        if self.nodes_per_second is not None:
            parts.append(f"{self.nodes_per_second:,.0f} nodes/s")
        return f"{self.spec.name}: " + (", ".join(parts) or "no move")


def limits_its_depth(spec: EngineSpec) -> bool:
    """Our engine as a style or with the option `maxdepth`: it looks no deeper and rightly uses little time."""
    styled = any(word.partition("=")[0] == "--style" for word in spec.command)
    return styled or any(name.lower() == "maxdepth" for name, _ in spec.options)


def engine_figures(settings: MatchSettings, games: Sequence[MatchGame]) -> list[EngineFigures]:
    """One entry for each engine, in the match's order."""
    played: dict[str, list[list[MatchMove]]] = defaultdict(list)
    for game in games:
        own: dict[str, list[MatchMove]] = defaultdict(list)
        for name, _, move in game.moves_by_engine():
            own[name].append(move)
        for name, moves in own.items():
            played[name].append(moves)
    return [_figures(spec, settings, played[spec.name]) for spec in settings.engines]


def _figures(spec: EngineSpec, settings: MatchSettings, games: list[list[MatchMove]]) -> EngineFigures:
    control = (spec.control or settings.control).scaled(spec.odds)
    moves = [move for game in games for move in game]
    depths = [move.depth for move in moves if move.depth]
    lags = [move.lag for move in moves if move.lag is not None]
    counted = [(move.nodes, move.time) for move in moves if move.nodes and move.time]
    timed = [_time_of(control, len(game)) for game in games] if _has_time(control) else []
    return EngineFigures(
        spec,
        len(moves),
        sum(move.time for move in moves),
        sum(allowed for allowed, _ in timed) if timed else None,
        sum(ordinary for _, ordinary in timed) if timed else None,
        sum(depths) / len(depths) if depths else None,
        1000 * sum(nodes for nodes, _ in counted) / sum(time for _, time in counted) if counted else None,
        min((spare for game in games for spare in _spares(control, game)), default=None),
        sum(lags) / len(lags) if lags else None,
        max(lags, default=None),
    )


def _spares(control: TimeControl, moves: list[MatchMove]) -> Iterator[float]:
    """The time left after each move of a game, without the margin."""
    clock = SideClock(control)
    for move in moves:
        if clock.allowance is not None:
            yield clock.allowance - move.time
        clock.spend(move.time)


def _has_time(control: TimeControl) -> bool:
    """Whether only time limits per move. With a depth or node limit, an engine may rightly use little of it."""
    clock = control.base is not None or control.movetime is not None
    return clock and control.depth is None and control.nodes is None


def _time_of(control: TimeControl, moves: int) -> tuple[float, float]:
    """The time a side has in a game of this many moves, and how much of it a typical engine uses."""
    if control.movetime is not None:
        return float(control.movetime * moves), float(control.movetime * moves)
    base = control.base or 0
    periods = 1 + (moves - 1) // control.moves if control.moves and moves else 1
    allowed = float(base * periods + (control.increment + control.byoyomi) * moves)
    clock, ordinary = SideClock(control), 0.0
    for _ in range(moves):
        gain = GAIN_SPENT * (control.increment + control.byoyomi)
        spent = min(clock.left / min(clock.moves_to_go or MOVES_AHEAD, MOVES_AHEAD) + gain, clock.allowance or 0.0)
        ordinary += spent
        clock.spend(spent)
    return allowed, ordinary
