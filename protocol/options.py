"""The table of options: the source of what is announced, parsed, documented and shown by `chuhe options`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal, cast

from engine.levels import LEVELS
from engine.processors import usable_processors
from engine.registry import GAMES
from engine.values import EVALUATIONS, GRADES, REPETITION_LAWS, Law, Settings

Kind = Literal["check", "spin", "combo", "string", "button"]
Value = bool | int | str
Values = dict[str, Value]

NOISE = {"none": 0, "small": 10, "medium": 25, "large": 50, "huge": 100}  # centipawns
LOWEST_ELO, ELO_PER_LEVEL = 600, 200
HIGHEST_LEVEL = len(LEVELS)
HIGHEST_ELO = LOWEST_ELO + ELO_PER_LEVEL * (HIGHEST_LEVEL - 1)
DEFAULTS = Settings()
UCI_VARIANTS = tuple(uci_name for entry in GAMES.values() for uci_name in entry.uci_names)


class OptionValueError(ValueError):
    """An invalid value; the message names the option and the values it accepts."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `ucci` and `uci` are its spellings, None where the protocol does not announce it."""

    key: str
    ucci: str | None
    uci: str | None
    kind: Kind
    default: Value
    help: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    field: str = ""  # the field of Settings that takes the value unchanged
    every_game: bool = False  # whether the other games support it too
    style_only: bool = False  # only `chuhe --style` has it

    @property
    def name(self) -> str:
        return self.uci or self.ucci or self.key


def memory_limit() -> int:
    """The largest hash table in megabytes: three quarters of the memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        total = 4 << 30
    try:
        with open("/sys/fs/cgroup/memory.max") as file:  # a container may have less than the machine
            total = min(total, int(file.read()))
    except (ValueError, OSError):
        pass
    return max(64, (total >> 20) * 3 // 4)


def _check(key: str, ucci: str | None, uci: str | None, default: bool, text: str, field: str = "") -> Option:
    return Option(key, ucci, uci, "check", default, text, field=field)


def _sizes(key: str, uci: str, default: str, text: str) -> Option:
    return Option(key, key, uci, "combo", default, text, choices=GRADES, field=key)


OPTIONS: tuple[Option, ...] = (
    # the clock and the pipe
    _check("usemillisec", "usemillisec", None, False, "UCCI clocks are milliseconds, not seconds"),
    _check("batch", "batch", None, False, "read no input until a search with a limit has ended"),
    _check("debug", "debug", None, False, "say why a command was ignored (UCI: the command `debug on`)"),
    Option(
        "overhead", "overhead", "Move Overhead", "spin", DEFAULTS.overhead,
        "milliseconds reserved per move for the pipe and the GUI", 0, 5000, field="overhead", every_game=True,
    ),
    Option("logfile", "logfile", "Debug Log File", "string", "", "write the dialogue to this file", every_game=True),
    # memory and threads
    Option(
        "hash", "hashsize", "Hash", "spin", DEFAULTS.hash_mb,
        "megabytes for the transposition table, at most 3/4 of the memory; 0: the default", 0, memory_limit(),
        every_game=True,
    ),
    Option("clearhash", "clearhash", "Clear Hash", "button", "", "empty the transposition table", every_game=True),
    Option("threads", "threads", "Threads", "spin", DEFAULTS.threads, "search threads; 0: one per processor", 0, 256),
    # games
    Option("newgame", "newgame", None, "button", "", "clear what was learned (UCI: the command `ucinewgame`)"),
    Option(
        "ponder", "ponder", "Ponder", "check", DEFAULTS.ponder, "the GUI will ponder: use more time per move",
        field="ponder", every_game=True,
    ),
    _check("usebook", "usebook", "OwnBook", True, "play from the opening book"),
    Option(
        "bookfiles", "bookfiles", "Book File", "string", "",
        "opening books, separated by `;`; the first that has the position is used; empty: the bundled book",
    ),
    _check(
        "useegtb", "useegtb", "Use Endgame Tables", DEFAULTS.use_tables,
        "play solved endings by their tables (built by `chuhe endgame build`), at full strength", "use_tables",
    ),
    Option(
        "egtbpaths", "egtbpaths", "Endgame Table Paths", "string", DEFAULTS.table_paths,
        "directories of endgame tables, separated by `;`; empty: CHUHE_TABLES, or the user's cache directory",
        field="table_paths",
    ),
    Option(
        "resign", "resign", None, "spin", 0,
        "resign when three searches in a row are at or below minus this many centipawns; 0: never", 0, 30000,
    ),
    _check("drawoffer", "drawoffer", None, False, "offer a draw when a long game stays level"),
    Option(
        "drawscore", "drawscore", "Draw Score", "spin", DEFAULTS.draw_score,
        "what a draw is worth to us, in centipawns; a draw offer is accepted up to this score", -300, 300,
        field="draw_score",
    ),
    # strength and playing style
    Option(
        "level", "level", "Level", "spin", DEFAULTS.level, "playing strength: 1 beginner … 10 full", 1, HIGHEST_LEVEL,
        field="level",
    ),
    _check("limitstrength", None, "UCI_LimitStrength", False, "play at UCI_Elo instead of Level"),
    Option(
        "elo", None, "UCI_Elo", "spin", HIGHEST_ELO, "the strength for UCI_LimitStrength, to the nearest level",
        LOWEST_ELO, HIGHEST_ELO,
    ),
    Option(
        "randomness", "randomness", "Randomness", "combo", "none", "variety: random noise on every evaluation",
        choices=tuple(NOISE),
    ),
    Option(
        "style", "style", "Style", "combo", DEFAULTS.style, "solid likes a draw, risky avoids it",
        choices=("solid", "normal", "risky"), field="style",
    ),
    # the search
    Option(
        "multipv", "multipv", "MultiPV", "spin", DEFAULTS.multipv, "how many lines to report", 1, 128, field="multipv",
        every_game=True,
    ),
    _sizes("pruning", "Pruning", DEFAULTS.pruning, "how much of the tree is pruned without proof"),
    _sizes("knowledge", "Knowledge", DEFAULTS.knowledge, "how much of the evaluation is used"),
    Option(
        "evaluation", "evaluation", "Evaluation", "combo", DEFAULTS.evaluation,
        "what evaluates positions: the network, or the hand-crafted terms", choices=EVALUATIONS, field="evaluation",
    ),
    Option(
        "evalfile", "evalfile", "EvalFile", "string", DEFAULTS.evalfile,
        "network file; empty: the bundled network", field="evalfile",
    ),
    Option(
        "maxdepth", "maxdepth", "Max Depth", "spin", DEFAULTS.depth_limit, "maximum search depth; 0: no limit", 0, 100,
        field="depth_limit", every_game=True,
    ),
    Option(
        "breadth", "breadth", "Breadth", "spin", DEFAULTS.breadth, "moves searched in each position; 0: all",
        0, 128, field="breadth",
    ),
    # the law
    Option(
        "repetition", "repetition", "Repetition Rule", "combo", DEFAULTS.law.repetition,
        "how the search judges repetitions: checks and chases, checks only, not at all",
        choices=REPETITION_LAWS,
    ),
    Option(
        "movelimit", "movelimit", "Move Limit", "spin", DEFAULTS.law.move_limit,
        "full moves without a capture until a draw; 0: never", 0, 1000,
    ),
    # only for the older programs
    Option(
        "weights", "weights", "Weights", "string", "",
        "with `--style`: the style's weights, `strength=6,position=4,…`; empty: its defaults", style_only=True,
    ),
    Option(
        "quietorder", "quietorder", "Quiet Order", "combo", "power",
        "with `--style s1`: quiet moves by the attacking power of the piece, or unordered", choices=("power", "alike"),
        style_only=True,
    ),
    # only in UCI
    _check("analysis", None, "UCI_AnalyseMode", False, "no book, full strength, no noise, a draw is worth 0"),
    _check("wdl", None, "UCI_ShowWDL", False, "add win, draw and loss probabilities to each line"),
    Option(
        "variant", None, "UCI_Variant", "combo", "cyclone",
        "the game: cyclone is xiangqi with ranks 0–9, xiangqi has ranks 1–10", choices=UCI_VARIANTS,
        every_game=True,
    ),
)  # fmt: skip


def _plain(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "")


_BY_NAME = {_plain(name): option for option in OPTIONS for name in (option.ucci, option.uci) if name}
BY_KEY = {option.key: option for option in OPTIONS}


def find(name: str) -> Option | None:
    """Find an option by its name in either protocol, case-insensitive.

    >>> find("Hash") is find("hashsize") is BY_KEY["hash"]
    True
    """
    return _BY_NAME.get(_plain(name))


def split_name(words: list[str]) -> tuple[str, str]:
    """Split words into a name and a value: the longest known name, else the first word.

    >>> split_name(["Move", "Overhead", "50"]), split_name(["unknown", "a", "b"])
    (('Move Overhead', '50'), ('unknown', 'a b'))
    """
    for length in range(min(3, len(words)), 0, -1):
        name = " ".join(words[:length])
        if find(name) is not None:
            return name, " ".join(words[length:])
    return words[0], " ".join(words[1:])


def default_values() -> Values:
    return {option.key: option.default for option in OPTIONS}


def parse_value(option: Option, text: str, protocol: str = "uci") -> Value:
    """Parse a value; OptionValueError says which values the option accepts.

    >>> parse_value(BY_KEY["hash"], "much", "ucci")
    Traceback (most recent call last):
    protocol.options.OptionValueError: option hashsize must be a whole number, not 'much'
    """
    text = text.strip()
    name = (option.ucci if protocol == "ucci" else option.uci) or option.name
    if option.kind == "button":
        return ""
    if option.kind == "string":
        return "" if text.lower() in ("<empty>", "<none>", '""') else text
    if option.kind == "check":
        if text.lower() in ("true", "on", "yes", "1"):
            return True
        if text.lower() in ("false", "off", "no", "0"):
            return False
        raise OptionValueError(f"option {name} must be true or false, not {_quote(text)}")
    if option.kind == "combo":
        if text.lower() not in option.choices:
            raise OptionValueError(f"option {name} must be one of {', '.join(option.choices)}, not {_quote(text)}")
        return text.lower()
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        raise OptionValueError(f"option {name} must be a whole number, not {_quote(text)}")
    number = int(text)
    if not option.low <= number <= option.high:
        raise OptionValueError(f"option {name} must be between {option.low} and {option.high}, not {number}")
    return number


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…") if text else "empty"


def settings_of(values: Values) -> Settings:
    """The engine's settings for these option values."""
    fields: dict[str, object] = {option.field: values[option.key] for option in OPTIONS if option.field}
    fields["hash_mb"] = values["hash"] or DEFAULTS.hash_mb
    fields["threads"] = values["threads"] or min(usable_processors(), BY_KEY["threads"].high)
    fields["randomness"] = NOISE[cast("str", values["randomness"])]
    if values["limitstrength"]:
        fields["level"] = level_of_elo(cast("int", values["elo"]))
    if values["analysis"]:
        fields.update(level=HIGHEST_LEVEL, randomness=0, draw_score=0)
    fields["law"] = Law(
        occurrences=DEFAULTS.law.occurrences,
        move_limit=cast("int", values["movelimit"]),
        repetition=values["repetition"],  # type: ignore[arg-type]
        material=DEFAULTS.law.material,
    )
    return Settings(**fields)  # type: ignore[arg-type]


def level_of_elo(elo: int) -> int:
    """The level nearest to an Elo number.

    >>> level_of_elo(LOWEST_ELO), level_of_elo(HIGHEST_ELO), level_of_elo(1290)
    (1, 10, 4)
    """
    return max(1, min(HIGHEST_LEVEL, 1 + (elo - LOWEST_ELO + ELO_PER_LEVEL // 2) // ELO_PER_LEVEL))


def announce(option: Option, protocol: str, default: Value | None = None) -> str:
    """The option's line in the greeting of "ucci" or "uci"; empty if that protocol does not have it.

    The default comes first among the choices, because uci2wb plays the first variant listed.
    """
    name = option.ucci if protocol == "ucci" else option.uci
    if name is None:
        return ""
    words = ["option", name] if protocol == "ucci" else ["option", "name", name]
    words += ["type", option.kind]
    value = option.default if default is None else default
    shown = [] if option.kind == "button" or (value == "" and protocol == "ucci") else ["default", format_value(value)]
    rest = ["min", str(option.low), "max", str(option.high)] if option.kind == "spin" else []
    for choice in sorted(option.choices, key=lambda choice: choice != default):
        rest += ["var", choice]
    return " ".join(words + (rest + shown if protocol == "ucci" else shown + rest))


def format_value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) or "<empty>"


def markdown_table() -> str:
    """The options as a Markdown table."""
    rows = ["| UCCI | UCI | type | values | default | what it does |", "|---|---|---|---|---|---|"]
    for option in OPTIONS:
        names = [f"`{name}`" if name else "" for name in (option.ucci, option.uci)]
        values = ""
        if option.kind == "spin":
            values = f"{option.low} … " + ("3/4 of the memory" if option.key == "hash" else str(option.high))
        elif option.kind == "combo":
            values = ", ".join(option.choices)
        default = "" if option.default == "" else f"`{format_value(option.default)}`"
        rows.append(f"| {names[0]} | {names[1]} | {option.kind} | {values} | {default} | {option.help} |")
    return "\n".join(rows)


def plain_table() -> str:
    lines = [f"{'UCCI':<12} {'UCI':<18} {'type':<7} {'default':<8} what it does"]
    for option in OPTIONS:
        default = "" if option.default == "" else format_value(option.default)
        values = ""
        if option.kind == "spin":
            values = f" [{option.low} … {option.high}]"
        elif option.kind == "combo":
            values = f" [{', '.join(option.choices)}]"
        lines.append(
            f"{option.ucci or '-':<12} {option.uci or '-':<18} {option.kind:<7} {default:<8} {option.help}{values}"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """`chuhe options [--markdown]`."""
    if arguments in (["-h"], ["--help"]):
        print("usage: chuhe options [--markdown]\n\nList the engine's options with their names in either protocol.")
        return 0
    if arguments not in ([], ["--markdown"]):
        import sys

        print(f"chuhe options: unknown argument {arguments[0]!r}; try --help", file=sys.stderr)
        return 2
    print(markdown_table() if arguments else plain_table())
    return 0
