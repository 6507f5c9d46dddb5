"""The compliance check finds the toy engines' faults, and nothing else."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import Any

import pytest
from paths import ROOT, TOY_COMMAND
from toys import toy

from chuhe.bench.matches.match_values import EngineSpec
from chuhe.bench.measuring.check import CHECKS, option_faults, run_check, run_checks
from chuhe.commands.check import main as check_main
from chuhe.protocol.client import Client
from chuhe.protocol.replies import AnnouncedOption, GoResult

QUICK = ["greeting", "options are well formed", "depth limit", "no legal move", "banned moves", "CRLF line endings"]


@pytest.mark.parametrize("protocol", ["ucci", "uci"])
@pytest.mark.parametrize(
    "name", [*QUICK, "isready while idle and while thinking", "ponder", "quit while idle and while thinking"]
)
def test_a_good_engine_passes(name: str, protocol: str) -> None:
    finding = asyncio.run(run_check(toy("toy", protocol=protocol), name, CHECKS[name]))
    assert finding.status == "ok", finding


@pytest.mark.parametrize("protocol", ["ucci", "uci", "uci1"])
def test_our_own_engine_passes(protocol: str) -> None:
    """All checks except the timed ones, which also depend on the machine."""
    spec = EngineSpec("chuhe", (sys.executable, "-m", "chuhe"), protocol, directory=str(ROOT))  # type: ignore[arg-type]
    for name in (*QUICK, "finds a mate in one, reports legal lines", "survives bad input", "node limit", "ponder"):
        finding = asyncio.run(run_check(spec, name, CHECKS[name]))
        assert finding.status == "ok", finding


@pytest.mark.parametrize(
    ("behaviour", "name", "text"),
    [
        ("illegal", "depth limit", "a0a9 is not legal"),
        ("crash", "depth limit", "exit code 3"),
        ("nomove", "node limit", "None is not legal"),
        ("good", "survives bad input", "FenError"),
        ("dies", "greeting", "no such network file"),
        ("slow", "clock", "ms were left"),
    ],
)
def test_faults_are_found(behaviour: str, name: str, text: str) -> None:
    finding = asyncio.run(run_check(toy("toy", behaviour, protocol="uci"), name, CHECKS[name]))
    assert finding.status == "FAILED"
    assert text in finding.text


@pytest.mark.parametrize("protocol", ["ucci", "uci"])
@pytest.mark.parametrize(("seconds", "status"), [(0.01, "warning"), (0.1, "ok")])
def test_an_engine_that_uses_a_twentieth_of_its_time_is_told(
    protocol: str, seconds: float, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = Client.finish

    async def timed(*args: Any) -> GoResult:
        return replace(await finish(*args), elapsed=seconds)  # the same on every machine

    monkeypatch.setattr(Client, "finish", timed)
    name = "uses its time"
    finding = asyncio.run(run_check(toy("toy", protocol=protocol), name, CHECKS[name]))
    assert finding.status == status
    assert ("misread the clock" in finding.text) == (status == "warning")


@pytest.mark.needs("fairy-stockfish")
def test_an_engine_whose_unit_had_to_be_tried_is_told() -> None:
    name = "uses its time"
    finding = asyncio.run(run_check(EngineSpec("fairy", ("fairy-stockfish",), "ucci"), name, CHECKS[name]))
    assert finding.status == "warning"
    assert "no option usemillisec; a test shows that its clock counts milliseconds" in finding.text


def test_an_engine_that_does_not_start_is_one_finding() -> None:
    (finding,) = asyncio.run(run_checks(toy("toy", "dies", protocol="uci")))
    assert finding.status == "FAILED"


@pytest.mark.parametrize(
    ("option", "fault"),
    [
        (AnnouncedOption("Hash", "spin", "16", 1, 64), ""),
        (AnnouncedOption("Hash", "spin", "128", 1, 64), "not between"),
        (AnnouncedOption("Hash", "spin", "many", 1, 64), "not a number"),
        (AnnouncedOption("Style", "combo", "bold", choices=("solid", "risky")), "not one of its values"),
        (AnnouncedOption("Ponder", "check", "maybe"), "neither true nor false"),
        (AnnouncedOption("X", "slider"), "unknown type"),
    ],
)
def test_option_faults(option: AnnouncedOption, fault: str) -> None:
    found = option_faults(option)
    assert len(found) == bool(fault)
    assert all(fault in text for text in found)


def test_the_command_reports_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_main([f"{TOY_COMMAND} dies;protocol=uci"]) == 1
    assert "FAILED   greeting" in capsys.readouterr().out
    assert check_main(["x;y"]) == 2
