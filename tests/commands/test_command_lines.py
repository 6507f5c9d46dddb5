"""Every parser of every command: one form of help, one word for one option, one exit code for bad usage."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator

import pytest
from command_parsers import COMMANDS, exit_code, parser_of, run

from chuhe import cli
from chuhe.common.command_line import Parser
from chuhe.engine.values import OTHER_GAMES
from chuhe.text.languages import table

# the unit that the help of an option says, whatever the command
UNITS = {
    "--movetime": "milliseconds", "--margin": "milliseconds", "--hang": "milliseconds", "--time": "seconds",
    "--patience": "seconds", "--increment": "seconds", "--tc": "SECONDS", "--clock": "minutes", "--hash": "megabytes",
    "--depth": "plies|placements", "--plies": "plies", "--nodes": "nodes", "--opening-nodes": "nodes",
    "--most-nodes": "nodes", "--balance": "centipawns", "--spread": "centipawns", "--give-up": "centipawns",
    "--most-score": "centipawns", "--draw": "centipawns|weight", "--resign": "centipawns", "--seed": "seed|repeatable",
    "--play-on": "percentage", "--stray": "percentage", "--odds": "percentage", "--longest": "plies",
    "--least": "plies", "--perft": "perft",
}  # fmt: skip
# a word that an option, or a text, does not use: the one that stands for it
OTHER_WORDS = {
    "out": "output", "color": "colour", "colors": "colours", "analyse": "analyze", "processes": "concurrency",
    "milliseconds-per-move": "movetime", "ms": "movetime", "megabytes": "hash", "overwrite": "force",
}  # fmt: skip


def parsers(commands: Iterable[str], *arguments: str) -> Iterator[tuple[str, Parser]]:
    for command in commands:
        parser = parser_of(command, *arguments)
        yield command, parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from ((f"{command} {name}", child) for name, child in action.choices.items())


PARSERS = dict(parsers(COMMANDS))
everywhere = pytest.mark.parametrize("command", PARSERS)


def visible(command: str) -> list[argparse.Action]:
    return [
        action
        for action in PARSERS[command]._actions
        if action.help != argparse.SUPPRESS and not isinstance(action, argparse._SubParsersAction)
    ]


def help_of(command: str, action: argparse.Action) -> str:
    parser = PARSERS[command]
    return parser._get_formatter()._expand_help(action) if action.help else ""


def name_of(action: argparse.Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)


@everywhere
def test_every_argument_is_described_with_its_default_in_one_form(command: str) -> None:
    for action in visible(command):
        text = help_of(command, action)
        assert re.search(r"\w", text.split("(default ")[0]), f"{name_of(action)} has no help"
        said = re.findall(r"\(default ([^()]+)\)", text)
        assert len(said) == len(re.findall("default", text)) <= 1, f"{name_of(action)}: {text}"
        assert not re.search(r"\((\d[\d.,; ]*)\)$", text), f"{name_of(action)} has a number that may be its default"
        value = action.default
        if not (isinstance(value, bool) or value in (None, "", [], argparse.SUPPRESS)):
            assert said, f"{name_of(action)} does not say its default, {value!r}"


@everywhere
def test_every_option_says_its_unit_and_every_value_has_a_name(command: str) -> None:
    for action in visible(command):
        name = name_of(action)
        if name in UNITS:
            assert re.search(UNITS[name], help_of(command, action)), f"{name}: {help_of(command, action)}"
        metavar = action.metavar if isinstance(action.metavar, str) else "X"
        if not action.option_strings and not action.choices:
            assert action.metavar == metavar.upper(), f"{name} is written in capitals"


@everywhere
def test_one_word_and_one_spelling(command: str) -> None:
    parser = PARSERS[command]
    for action in visible(command):
        for name in action.option_strings:
            assert name.lstrip("-") not in OTHER_WORDS, f"{name}: --{OTHER_WORDS.get(name.lstrip('-'))}"
    for word in ("analyse", "analysing", "color", "colored"):
        assert word not in re.findall(r"\w+", parser.format_help().lower())


def test_one_spelling_in_every_english_sentence() -> None:
    """As the command and the option are spelled: `chuhe analyze`, `--colour`."""
    for code, sentence in table("en").items():
        assert not re.search(r"\banalys|\bcolor", re.sub(r"\banalys[ie]s\b", "", sentence.lower())), code


@everywhere
def test_bad_usage_is_one_line_and_exit_code_2(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [["--no-such-option"]]
    for action in visible(command):
        if not action.option_strings or action.nargs == 0:
            continue
        name = action.option_strings[-1]
        if name == "--language":
            continue  # read before the parser; see OTHER_FAULTS
        if action.nargs is None:
            cases += [[name], [name, ""]]
        if action.type in (None, argparse.SUPPRESS) and not action.choices:
            continue
        if getattr(action.type, "__name__", "") != "Path":
            cases.append([name, *["nonsense"] * (action.nargs if isinstance(action.nargs, int) else 1)])
    for case in cases:
        with pytest.raises(SystemExit) as exit:
            run(command, *case)
        assert exit.value.code == 2, (command, case)
        captured = capsys.readouterr()
        assert captured.out == ""
        assert len(captured.err.splitlines()) == 1, captured.err
        assert captured.err.startswith(PARSERS[command].prog.split()[0])


# what a player uses: its help follows the locale
PLAYERS = [
    "play", *(f"play --variant {name}" for name in OTHER_GAMES), "serve", "analyze", "judge", "eval", "book", "endgame",
    "explain", "puzzle", "puzzles",
]  # fmt: skip


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_the_help_of_what_players_use_is_chinese(language: str) -> None:
    for command, parser in parsers(PLAYERS, "--language", language):
        text = re.sub(
            r"\{[^}]*\}|\[[^]]*\]|K[RNCPAB]*K[AB]*|\(BOOK\.DAT\)|Chuhe|chuhe( \w+)*|\S*--?\w\S*",
            "",
            parser.format_help(),
        )
        assert re.findall(r"\b[a-z]+ [a-z]+ [a-z]+\b", text) == [], command
        for action in parser._actions:
            if action.help not in (None, argparse.SUPPRESS) and action.metavar != "TARGET":
                assert re.search("[一-鿿]", str(action.help)), f"{command} {name_of(action)}: {action.help}"


@pytest.mark.parametrize(
    "line",
    [
        "play --engine nosuch", "play --level 99", "play --weights a=1", "play --style s0 --weights a=1",
        "play --style s0 --weights strength=x", "play --fen 9", "play --load nosuch.pgn", "play --clock x",
        "play --red foo", "play --book nosuch", "play --black-book nosuch", "play --variant go",
        "play --hash 999999999", "play --time x", "play --variant chess --depth 0", "analyze nosuch.pgn",
        "analyze x --depth 0", "judge --occurrences 0", "judge z9", "judge --law x", "judge --fen",
        "serve --threads 0", "serve --match nosuch", "serve --engine nosuch", "book show --fen 9",
        "book convert a.bin b.xyz", "book edit x.bin weigh h2e2", "book show zz", "book build nosuch.pgn",
        "endgame probe --fen 9", "endgame info KRK", "endgame build KXK", "endgame build KRK --memory 1x",
        "endgame build", "eval --weights a=1", "eval --style s0 --weights q=1", "eval zz", "explain z",
        "puzzle --theme nosuch", "puzzle --file nosuch", "puzzles check nosuch",
    ],
)  # fmt: skip
def test_every_fault_of_a_player_is_said_in_chinese(
    line: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = exit_code(cli.main, [*line.split()[:1], "--language", "zh-Hans", *line.split()[1:]])
    said = capsys.readouterr().err
    assert code == 2, said
    assert re.search("[一-鿿]{2}", said), said


OTHER_FAULTS = [
    "nonsense", "help nonsense", "--nonsense", "--log", "--log ''", "--log=", "--style s9", "--variant go",
    "options nonsense", "options --markdown x", "tune", "tune nonsense", "play --language xx", "analyze --language",
    "judge z9z9", "judge --fen nonsense", "perft 2 --fen 9", "explain a0a9", "eval z9z9", "book", "book nonsense",
    "endgame", "endgame info NONSENSE", "endgame probe --fen 9", "data nosuch.games",
    "data join --output x nosuch.games", "analyze nosuch.pgn", "puzzle --theme nonsense", "puzzle --file nosuch.txt",
    "puzzles check nosuch.txt", "draughts nosuch.txt", "draughts ''", "squatter nosuch.txt", "squatter ''",
    "match a b --output ''", "squatter --white nosuch:Player", "match nosuch", "match a=nosuch b=nosuch",
    "bench curve nosuch nosuch", "check ''", "openings --plies 9 2", "bench --fens nosuch.txt", "ladder --levels 1",
    "ladder --games 3", "train", "train nosuch.games --output x.net", "train --output ''", "tune eval nosuch.games",
    "tune search nosuch_row", "tune compare nosuch=1", "tune compare nosuch", "selfplay --output x --games 0",
    "play --load nosuch.pgn", "play --fen nonsense", "play --variant chess --fen nonsense", "play --clock x",
    "play --weights a=1", "serve --port 99999", "serve --engine nosuch", "serve --match nosuch", "book show --fen 9",
    "book build nosuch.pgn", "book convert nosuch.bin x.obk", "book edit x.bin add z9z9", "peers nosuch --rounds 1",
]  # fmt: skip


@pytest.mark.parametrize("line", OTHER_FAULTS)
def test_every_fault_of_a_user_is_exit_code_2(
    line: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = ["" if word == "''" else word for word in line.split()]
    code = exit_code(cli.main, words)
    captured = capsys.readouterr()
    assert code == 2, captured
    assert captured.err.strip()
    assert "Traceback" not in captured.err
    assert "[Errno" not in captured.err
