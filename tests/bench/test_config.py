"""Match files and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

from chuhe.bench.matches.config import ConfigError, parse_matches, read_matches, to_toml
from chuhe.bench.matches.engine_text import engine_from_text
from chuhe.bench.matches.match_values import Adjudication, EngineSpec, MatchSettings
from chuhe.bench.statistics import Sprt
from chuhe.commands.match import matches_from_options, parser
from chuhe.common.time_control import parse_control
from chuhe.engine import Law

ENGINES = [{"name": "a", "command": "one --fast"}, {"name": "b", "command": ["two", "x y"], "options": {"Hash": 16}}]


def table(**fields: Any) -> dict[str, Any]:
    return {"control": "10+0.1", "engine": ENGINES, **fields}


def test_a_plain_match() -> None:
    (match,) = parse_matches(table(games=20, sprt={"elo0": 0, "elo1": 5}, law={"move_limit": 50}), "cup")
    assert [engine.command for engine in match.engines] == [("one", "--fast"), ("two", "x y")]
    assert match.engines[1].options == (("Hash", "16"),)
    assert (match.games, match.name, match.output) == (20, "cup", "results/cup")
    assert match.sprt == Sprt(0, 5)
    assert match.law == Law(move_limit=50)


def test_several_matches_share_what_is_at_the_top() -> None:
    first, second = parse_matches(
        table(games=6, output="out", match=[{"players": ["b", "a"]}, {"name": "fast", "control": "movetime=5"}]), "x"
    )
    assert [engine.name for engine in first.engines] == ["b", "a"]
    assert (first.output, second.output) == ("out/x-1", "out/fast")
    assert (first.control, second.control) == (parse_control("10+0.1"), parse_control("movetime=5"))
    assert first.games == second.games == 6


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"gamez": 4}, "gamez"),
        ({"games": 5}, "even number"),
        ({"control": "soon"}, "soon"),
        ({"sprt": {"elo0": 5, "elo1": 0}}, "elo0 < elo1"),
        ({"sprt": {"elo2": 5}}, "elo2"),
        ({"law": 3}, "law must be a table"),
        ({"engine": ENGINES[:1]}, "two engines"),
        ({"engine": [*ENGINES, {"name": "c"}]}, "'c' needs a command"),
        ({"engine": [*ENGINES, {"name": "c", "command": "x", "protocol": "xboard"}]}, "xboard"),
        ({"engine": [ENGINES[0], ENGINES[0]]}, "different names"),
        ({"match": [{"players": ["a", "z"]}]}, "'z'"),
        ({"concurrency": 0}, "concurrency"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_matches(table(**fields))


def test_no_control_is_named() -> None:
    with pytest.raises(ConfigError, match="control"):
        parse_matches({"engine": ENGINES})


def test_a_match_survives_its_file(tmp_path: Path) -> None:
    engines = (
        EngineSpec("a", ("one", 'quo"te', "back\\slash"), "ucci", (("hashsize", "8"),), "/tmp", 0.5, None, True),
        EngineSpec("楚河", ("two",), control=parse_control("40/60")),
    )
    match = MatchSettings(
        engines,
        parse_control("10+0.1"),
        games=8,
        ponder=True,
        sprt=Sprt(-3, 1, 0.1, 0.05),
        law=Law(2, 40, "checks", False),
        adjudication=Adjudication(draw_moves=5, resign_alone=True),
        name="a cup",
        output="out",
        notation="chinese",
    )
    path = tmp_path / "match.toml"
    path.write_text(to_toml(match), encoding="utf-8")
    assert read_matches(path) == [match]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("games = = 3")
    with pytest.raises(ConfigError, match=r"broken\.toml"):
        read_matches(path)
    with pytest.raises(ConfigError, match="No such file"):
        read_matches(tmp_path / "none.toml")


def test_engines_on_the_command_line() -> None:
    spec = engine_from_text("new=chuhe --x=1;protocol=ucci;option.hashsize=16;odds=0.5;tc=1+0.1;restart=true;dir=/tmp")
    assert spec == EngineSpec(
        "new", ("chuhe", "--x=1"), "ucci", (("hashsize", "16"),), "/tmp", 0.5, parse_control("1+0.1"), True
    )
    assert engine_from_text("/usr/games/fairy-stockfish").name == "fairy-stockfish"
    with pytest.raises(ConfigError, match="colour"):
        engine_from_text("a=b;colour=red")


def test_the_command_line_is_a_match() -> None:
    text = "x x --tc 1+0.1 --games 4 --sprt 0 5 --alpha 0.1 --draw 30 6 15 --resign 4 700 --move-limit 0 --law checks"
    (match,) = matches_from_options(parser().parse_args(text.split()))
    assert [engine.name for engine in match.engines] == ["x", "x-2"]
    assert match.sprt == Sprt(0, 5, 0.1, 0.05)
    assert match.adjudication == Adjudication(30, 6, 15, 4, 700)
    assert match.law == Law(move_limit=0, repetition="checks")


def test_what_all_engines_share_is_said_once() -> None:
    each = ["--each", "protocol=uci;option.hash=8;odds=0.5", "--movetime", "9"]
    (match,) = matches_from_options(parser().parse_args(["x", "y=z;protocol=ucci;option.hash=4;option.a=b", *each]))
    x, y = match.engines
    assert (x.protocol, x.options, x.odds) == ("uci", (("hash", "8"),), 0.5)
    assert (y.protocol, dict(y.options), y.odds) == ("ucci", {"hash": "4", "a": "b"}, 0.5)


def test_fastchess_has_nothing_that_the_command_line_lacks() -> None:
    text = (
        "x y --nodes 9 --resign 3 600 --resign-alone --tables --max-moves 90 --sprt 0 5 --model logistic --affinity 2 "
        "--order sequential --opening-plies 6 --opening-start 3 --dialogue --check-lines --format gauntlet"
    )
    (match,) = matches_from_options(parser().parse_args(text.split()))
    assert match.adjudication == Adjudication(
        resign_moves=3, resign_score=600, resign_alone=True, max_moves=90, tables=True
    )
    assert match.sprt == Sprt(0, 5, model="logistic")
    assert (match.order, match.opening_plies, match.opening_start) == ("sequential", 6, 3)
    assert (match.affinity, match.dialogue, match.check_lines, match.format) == (2, True, True, "gauntlet")


@pytest.mark.parametrize("text", ["x", "x y", "x y --movetime 0", "x y --tc 1 --movetime 5", "x y --nodes 5 --games 3"])
def test_a_bad_command_line_is_one_message(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        matches_from_options(parser().parse_args(text.split()))


def test_options_override_the_file(tmp_path: Path) -> None:
    (match,) = parse_matches(table(games=6), "cup")
    path = tmp_path / "cup.toml"
    path.write_text(to_toml(match))
    (found,) = matches_from_options(parser().parse_args([str(path), "--games", "8", "--movetime", "7"]))
    assert (found.games, found.control) == (8, parse_control("movetime=7"))


def test_the_documented_file_is_two_matches() -> None:
    first, second = read_matches(ROOT / "docs" / "match.toml")
    assert (first.name, first.games, second.name, second.games) == ("over-uci", 20, "over-ucci", 20)
    assert [engine.protocol for engine in (*first.engines, *second.engines)] == ["uci", "uci1", "ucci", "ucci"]


def test_a_match_is_written_where_its_name_says() -> None:
    (named,) = matches_from_options(parser().parse_args("a b --nodes 9 --name t1".split()))
    (plain,) = matches_from_options(parser().parse_args("a b --nodes 9".split()))
    assert (named.name, named.output, plain.output) == ("t1", "results/t1", "results/a-b")
