"""The option table, and that every option does what its line says."""

from __future__ import annotations

import pytest
from paths import ROOT

from chuhe.commands.options import main
from chuhe.engine.values import Law, Settings
from chuhe.protocol.options import (
    BY_KEY,
    OPTIONS,
    OptionValueError,
    announce,
    default_values,
    find,
    markdown_table,
    parse_value,
    settings_from_options,
    split_name,
)
from chuhe.protocol.replies import parse_option


def test_the_defaults_are_the_engines_own() -> None:
    assert settings_from_options(default_values()) == Settings()


def test_every_field_of_the_settings_has_an_option() -> None:
    reached = set()
    for option in OPTIONS:
        for value in _other_values(option.key):
            changed = settings_from_options({**default_values(), option.key: value})
            reached |= {
                name for name in Settings.__dataclass_fields__ if getattr(changed, name) != getattr(Settings(), name)
            }
    assert reached == set(Settings.__dataclass_fields__)


def test_the_engine_takes_every_announced_value() -> None:
    for option in OPTIONS:
        for value in [option.low, option.high] if option.kind == "spin" else option.choices:
            settings_from_options({**default_values(), option.key: value})


def _other_values(key: str) -> list[bool | int | str]:
    option = BY_KEY[key]
    if option.kind == "check":
        return [not option.default]
    if option.kind == "spin":
        return [option.low + 1, option.high]
    if option.kind == "string":
        return ["some.file"]
    return [choice for choice in option.choices if choice != option.default]


def test_names_are_unique_and_ucci_names_are_one_lower_case_word() -> None:
    names = [name for option in OPTIONS for name in {option.ucci, option.uci} if name]
    assert len(names) == len(set(names))
    assert all(option.ucci == option.ucci.lower() and " " not in option.ucci for option in OPTIONS if option.ucci)
    assert all(option.ucci or option.uci for option in OPTIONS)


@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_announcements_can_be_read_back(protocol: str) -> None:
    for option in OPTIONS:
        line = announce(option, protocol)
        name = option.ucci if protocol == "ucci" else option.uci
        if name is None:
            assert line == ""
            continue
        read = parse_option(line)
        assert read is not None
        assert (read.name, read.kind, read.choices) == (name, option.kind, option.choices)
        if option.kind == "spin":
            assert (read.minimum, read.maximum, read.default) == (option.low, option.high, str(option.default))
        assert find(name) is option


def test_what_the_specification_wants_announced() -> None:
    ucci = [announce(option, "ucci") for option in OPTIONS]
    assert "option usemillisec type check default false" in ucci
    assert "option newgame type button" in ucci
    assert "option pruning type combo var none var small var medium var large default large" in ucci
    uci = [announce(option, "uci") for option in OPTIONS]
    assert "option name UCI_Variant type combo default cyclone var cyclone var xiangqi var chess" in uci
    assert "option name Clear Hash type button" in uci


def test_names_in_any_spelling() -> None:
    assert find("HASH") is find("hashsize") is find("Hash")
    assert find("moveoverhead") is find("Move Overhead") is find("overhead") is find("move_overhead")
    assert find("nosuch") is None
    assert split_name(["UCI_Variant", "chess"]) == ("UCI_Variant", "chess")
    assert split_name(["Clear", "Hash"]) == ("Clear Hash", "")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("ponder", "on", True),
        ("ponder", "FALSE", False),
        ("hashsize", " 32 ", 32),
        ("drawscore", "-20", -20),
        ("style", "Risky", "risky"),
        ("bookfiles", "<empty>", ""),
        ("bookfiles", "a b.dat;c.dat", "a b.dat;c.dat"),
    ],
)
def test_values(name: str, text: str, value: object) -> None:
    option = find(name)
    assert option is not None
    assert parse_value(option, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ponder", "maybe"),
        ("ponder", ""),
        ("hashsize", "lots"),
        ("hashsize", "-1"),
        ("hashsize", "9" * 5000),
        ("hashsize", "٣"),
        ("hashsize", "+-3"),
        ("multipv", "0"),
        ("style", "wild"),
        ("hashsize", ""),
    ],
)
def test_bad_values_name_the_option(name: str, text: str) -> None:
    option = find(name)
    assert option is not None
    with pytest.raises(OptionValueError, match=f"option {option.name} must be "):
        parse_value(option, text)


def test_derived_settings() -> None:
    def settings(**values: bool | int | str) -> Settings:
        return settings_from_options({**default_values(), **values})

    assert settings(hash=0).hash_mb == Settings().hash_mb
    assert settings(threads=0).threads >= 1
    assert settings(randomness="huge").randomness > settings(randomness="small").randomness > 0
    assert settings(limitstrength=True, elo=600).level == 1
    assert settings(limitstrength=True, elo=2400).level == 10
    assert settings(limitstrength=False, elo=600).level == 10
    analysis = settings(analysis=True, level=3, randomness="large", drawscore=50)
    assert (analysis.level, analysis.randomness, analysis.draw_score) == (10, 0, 0)
    assert settings(repetition="checks", movelimit=50).law == Law(move_limit=50, repetition="checks")


def test_the_documentation_has_the_table_as_it_is() -> None:
    assert markdown_table() in (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "hashsize" in capsys.readouterr().out
    assert main(["--markdown"]) == 0
    assert capsys.readouterr().out.startswith("| UCCI | UCI |")
    assert main(["--help"]) == 0
    assert main(["--nonsense"]) == 2
    assert "--nonsense" in capsys.readouterr().err
