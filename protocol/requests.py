"""The lines that a client sends, as pure functions: one position and one set of limits, in each dialect."""

from __future__ import annotations

from collections.abc import Sequence

from chuhe.engine.values import Limits
from chuhe.protocol.errors import OptionError
from chuhe.protocol.replies import AnnouncedOption, Dialect, write_move
from chuhe.text.numbers import parse_whole

OptionValue = str | int | bool | None


def position_line(fen: str | None, moves: Sequence[str], dialect: Dialect) -> str:
    """`position …` with the moves in the engine's notation; no FEN means the start position.

    >>> position_line(None, ["h2e2"], "uci1")
    'position startpos moves h3e3'
    """
    line = f"position fen {fen}" if fen else "position startpos"
    if moves:
        line += " moves " + " ".join(write_move(move, dialect) for move in moves)
    return line


def white_to_move(fen: str | None, moves: Sequence[str]) -> bool:
    """Is Red (or White) to move after `moves`? UCI's clocks are named by colour."""
    fields = (fen or "").split()
    black_first = len(fields) > 1 and fields[1] == "b"
    return (len(moves) % 2 == 0) != black_first


def go_line(
    limits: Limits, dialect: Dialect, *, white: bool = True, milliseconds: bool = True, draw_offered: bool = False
) -> str:
    """The `go` line for these limits.

    UCCI takes one limit only, so the first of depth, nodes, time per move and clock is sent. Neither protocol has
    byo-yomi: it is sent as an increment that is already on the clock, which an engine never overspends.

    >>> go_line(Limits(movetime=200), "ucci"), go_line(Limits(movetime=200), "uci")
    ('go time 200 movestogo 1', 'go movetime 200')
    >>> go_line(Limits(time=5000, increment=50), "ucci", milliseconds=False)
    'go time 5 increment 0'
    >>> go_line(Limits(time=5000, increment=50, opponent_time=4000), "uci", white=False)
    'go wtime 4000 btime 5000 winc 0 binc 50'
    """
    if dialect == "ucci":
        return _go_ucci(limits, milliseconds, draw_offered)
    return _go_uci(limits, white, dialect)


def _go_ucci(limits: Limits, milliseconds: bool, draw_offered: bool) -> str:
    words = ["go"]
    if limits.ponder:
        words.append("ponder")
    elif draw_offered:
        words.append("draw")

    def clock(value: int) -> str:
        return str(value if milliseconds else max(1, value // 1000))

    def gain(value: int) -> str:
        return str(value if milliseconds else value // 1000)  # rounded down: never more than there is

    if limits.depth is not None:
        words += ["depth", str(limits.depth)]
    elif limits.nodes is not None:
        words += ["nodes", str(limits.nodes)]
    elif limits.movetime is not None:
        words += ["time", clock(limits.movetime), "movestogo", "1"]
    elif limits.time is not None:
        words += ["time", clock(limits.time + limits.byoyomi)]
        if limits.moves_to_go:
            words += ["movestogo", str(limits.moves_to_go)]
        else:
            words += ["increment", gain(max(limits.increment, limits.byoyomi))]
        if limits.opponent_time is not None:
            words += ["opptime", clock(limits.opponent_time + limits.byoyomi)]
            words += ["oppincrement", gain(max(limits.opponent_increment, limits.byoyomi))]
    else:
        words.append("infinite")
    return " ".join(words)


def _go_uci(limits: Limits, white: bool, dialect: Dialect) -> str:
    words = ["go"]
    if limits.ponder:
        words.append("ponder")
    if limits.time is not None:
        mine = limits.time + limits.byoyomi
        theirs = limits.time if limits.opponent_time is None else limits.opponent_time
        theirs += limits.byoyomi
        gains = (max(limits.increment, limits.byoyomi), max(limits.opponent_increment, limits.byoyomi))
        times = (mine, theirs) if white else (theirs, mine)
        gains = gains if white else gains[::-1]
        words += ["wtime", str(times[0]), "btime", str(times[1]), "winc", str(gains[0]), "binc", str(gains[1])]
        if limits.moves_to_go:
            words += ["movestogo", str(limits.moves_to_go)]
    for name in ("movetime", "depth", "nodes", "mate"):
        value = getattr(limits, name)
        if value is not None:
            words += [name, str(value)]
    if len(words) == 1 + limits.ponder:
        words.append("infinite")
    if limits.search_moves:
        words.append("searchmoves")
        words += [write_move(str(move), dialect) for move in limits.search_moves]
    return " ".join(words)


def plain_name(name: str) -> str:
    """Fairy-Stockfish's UCCI names have underscores where UCI's have blanks."""
    return name.lower().replace("_", " ")


def option_value(engine: str, option: AnnouncedOption, value: OptionValue) -> str:
    """The value as text; OptionError if it is outside the range that the engine announced."""
    if option.kind == "button":
        return ""
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
    fault = ""
    if option.kind == "check" and text not in ("true", "false", "on", "off"):
        fault = "must be true or false"
    elif option.kind == "spin":
        number = parse_whole(text)
        low, high = option.minimum, option.maximum
        if number is None:
            fault = "must be a whole number"
        elif (low is not None and number < low) or (high is not None and number > high):
            fault = f"must be between {low} and {high}"
    elif option.kind == "combo" and option.choices and text.lower() not in [item.lower() for item in option.choices]:
        fault = f"must be one of {', '.join(option.choices)}"
    if fault:
        raise OptionError(f"{engine}: option {option.name} {fault}, not {text!r}")
    return text
