"""The table of options: the source of what is announced, parsed, documented and shown by `chuhe options`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from chuhe.engine.bounds import bounds_of
from chuhe.engine.levels import LEVELS
from chuhe.engine.machine import machine_memory, usable_processors
from chuhe.engine.values import CHOICES, REPETITION_LAWS, XIANGQI, Law, Settings
from chuhe.text.numbers import parse_whole

OptionKind = Literal["check", "spin", "combo", "string", "button"]
Value = bool | int | str
OptionValues = dict[str, Value]

NOISE = {"none": 0, "small": 3, "medium": 6, "large": 12, "huge": 25}  # centipawns
LOWEST_ELO, ELO_PER_LEVEL = 600, 200
HIGHEST_ELO = LOWEST_ELO + ELO_PER_LEVEL * (len(LEVELS) - 1)
DEFAULTS = Settings()
BOUNDS, LAW_BOUNDS = bounds_of(Settings), bounds_of(Law)
UCI_VARIANTS = {"cyclone": XIANGQI, "xiangqi": XIANGQI, "chess": "chess"}  # the values of `UCI_Variant`, and the game


class OptionValueError(ValueError):
    """An invalid value; the message names the option and the values it accepts."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `ucci` and `uci` are its spellings, None where the protocol does not announce it."""

    key: str
    ucci: str | None
    uci: str | None
    kind: OptionKind
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
    return max(64, (machine_memory() >> 20) * 3 // 4)


def _setting(ucci: str, uci: str, setting: str, text: str, *, every_game: bool = False) -> Option:
    """An option for a field of `Settings`, which has its type, default, bounds and choices."""
    default, choices = getattr(DEFAULTS, setting), CHOICES.get(setting, ())
    kind: OptionKind = "check" if isinstance(default, bool) else "combo" if choices else "string"
    low, high = BOUNDS.get(setting, (0, 0))
    if setting in BOUNDS:
        kind = "spin"
    return Option(ucci, ucci, uci, kind, default, text, low, high, choices, setting, every_game)


def _check(key: str, ucci: str | None, uci: str | None, default: bool, text: str) -> Option:
    return Option(key, ucci, uci, "check", default, text)


OPTIONS: tuple[Option, ...] = (
    # the clock and the pipe
    _check("usemillisec", "usemillisec", None, False, "UCCI clocks are milliseconds, not seconds"),
    _check("batch", "batch", None, False, "commands except `stop` and `quit` wait for the end of a search"),
    _check("debug", "debug", None, False, "say why a command was ignored (UCI: the command `debug on`)"),
    _setting("overhead", "Move Overhead", "overhead", "milliseconds reserved per move for the pipe and the GUI",
             every_game=True),
    Option("logfile", "logfile", "Debug Log File", "string", "", "write the dialogue to this file", every_game=True),
    # memory and threads
    Option(
        "hash", "hashsize", "Hash", "spin", DEFAULTS.hash_mb,
        "megabytes for the transposition table, at most 3/4 of the memory; 0: the default",
        0, min(memory_limit(), BOUNDS["hash_mb"][1]), every_game=True,
    ),
    Option("clearhash", "clearhash", "Clear Hash", "button", "", "empty the transposition table", every_game=True),
    Option("threads", "threads", "Threads", "spin", DEFAULTS.threads, "search threads; 0: one per processor",
           0, BOUNDS["threads"][1]),
    # games
    Option("newgame", "newgame", None, "button", "", "clear what was learned (UCI: the command `ucinewgame`)"),
    _setting("ponder", "Ponder", "ponder", "the GUI will ponder: use more time per move", every_game=True),
    _check("usebook", "usebook", "OwnBook", True, "play from the opening book"),
    Option(
        "bookfiles", "bookfiles", "Book File", "string", "",
        "opening books (our own, OBK, BOOK.DAT), separated by `;`; the first that has the position is used; "
        "empty: the bundled book, unless the side to move has books of its own",
    ),
    Option("redbookfiles", "redbookfiles", "Red Book File", "string", "", "books for Red, asked before the others"),
    Option("blackbookfiles", "blackbookfiles", "Black Book File", "string", "",
           "books for Black, asked before the others"),
    Option("bookdepth", "bookdepth", "Book Depth", "spin", 0,
           "the last full move that is played from a book; 0: no limit", 0, 1000),
    Option("bookweight", "bookweight", "Book Min Weight", "spin", 1, "book moves of less weight are not played",
           1, 2**31 - 1),
    _setting("useegtb", "Use Endgame Tables", "use_tables",
             "play solved endgames by their tables (built by `chuhe endgame build`), at full strength"),
    _setting("egtbpaths", "Endgame Table Paths", "table_paths",
             "directories of endgame tables, separated by `;`; empty: CHUHE_TABLES, or the user's cache directory"),
    Option(
        "resign", "resign", None, "spin", 0,
        "resign when three searches in a row are at or below minus this many centipawns; 0: never", 0, 30000,
    ),
    _check("drawoffer", "drawoffer", None, False, "offer a draw when a long game stays level"),
    _setting("drawscore", "Draw Score", "draw_score",
             "what a draw is worth to us, in centipawns; a draw offer is accepted up to this score"),
    # strength and temper
    _setting("level", "Level", "level", f"playing strength: {LEVELS[0]} beginner … {LEVELS[-1]} full"),
    _check("limitstrength", None, "UCI_LimitStrength", False, "play at UCI_Elo instead of Level"),
    Option(
        "elo", None, "UCI_Elo", "spin", HIGHEST_ELO, "the strength for UCI_LimitStrength, to the nearest level",
        LOWEST_ELO, HIGHEST_ELO,
    ),
    Option(
        "randomness", "randomness", "Randomness", "combo", "none", "variety: random noise on every evaluation",
        choices=tuple(NOISE),
    ),
    _setting("style", "Style", "contempt", "solid likes a draw, risky avoids it"),
    # the search
    _setting("multipv", "MultiPV", "multipv", "how many lines to report", every_game=True),
    _setting("pruning", "Pruning", "pruning", "how much of the tree is pruned without proof"),
    _setting("knowledge", "Knowledge", "knowledge", "how much of the evaluation is used"),
    _setting("evaluation", "Evaluation", "evaluation",
             "what evaluates positions: the network, or the hand-crafted terms"),
    _setting("evalfile", "EvalFile", "evalfile", "network file; empty: the bundled network"),
    _setting("maxdepth", "Max Depth", "depth_limit", "maximum search depth; 0: no limit", every_game=True),
    _setting("breadth", "Breadth", "breadth", "moves searched in each position; 0: all"),
    # the law
    Option(
        "repetition", "repetition", "Repetition Rule", "combo", DEFAULTS.law.repetition,
        "how the search judges repetitions: checks and chases, checks only, not at all",
        choices=REPETITION_LAWS,
    ),
    Option(
        "occurrences", "occurrences", "Repetition Count", "spin", DEFAULTS.law.occurrences,
        "how often a position of the game must occur until it is judged; within the search twice is enough",
        *LAW_BOUNDS["occurrences"],
    ),
    Option(
        "movelimit", "movelimit", "Move Limit", "spin", DEFAULTS.law.move_limit,
        "full moves without a capture until a draw; 0: never", *LAW_BOUNDS["move_limit"],
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
        "the game: cyclone is xiangqi with ranks 0–9, xiangqi has ranks 1–10", choices=tuple(UCI_VARIANTS),
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


def default_values() -> OptionValues:
    return {option.key: option.default for option in OPTIONS}


def parse_value(option: Option, text: str, protocol: str = "uci") -> Value:
    """Parse a value; OptionValueError says which values the option accepts.

    >>> parse_value(BY_KEY["threads"], "much", "ucci")
    Traceback (most recent call last):
    chuhe.protocol.options.OptionValueError: option threads must be a whole number from 0 to 256, not 'much'
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
    number = parse_whole(text, option.low, option.high)
    if number is None:
        what = f"a whole number from {option.low} to {option.high}"
        raise OptionValueError(f"option {name} must be {what}, not {_quote(text)}")
    return number


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…") if text else "empty"


def settings_from_options(values: OptionValues) -> Settings:
    """The engine's settings for these option values."""
    fields: dict[str, object] = {option.field: values[option.key] for option in OPTIONS if option.field}
    fields["hash_mb"] = values["hash"] or DEFAULTS.hash_mb
    fields["threads"] = values["threads"] or min(usable_processors(), BY_KEY["threads"].high)
    fields["randomness"] = NOISE[cast("str", values["randomness"])]
    if values["limitstrength"]:
        fields["level"] = level_of_elo(cast("int", values["elo"]))
    if values["analysis"]:
        fields.update(level=LEVELS[-1], randomness=0, draw_score=0)
    fields["law"] = Law(
        occurrences=cast("int", values["occurrences"]),
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
    return max(LEVELS[0], min(LEVELS[-1], LEVELS[0] + (elo - LOWEST_ELO + ELO_PER_LEVEL // 2) // ELO_PER_LEVEL))


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
