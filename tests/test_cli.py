"""The `chuhe` command itself: help, unknown commands, every subcommand's module, a reader that leaves early."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from play import cli


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in cli.COMMANDS)


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plya"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "there is no command 'plya'" in captured.err


@pytest.mark.parametrize("module", ["protocol.loop", *(module for module, _ in cli.COMMANDS.values())])
def test_every_command_has_its_module(module: str) -> None:
    assert callable(import_module(module).main)


@pytest.mark.parametrize("arguments", ["perft 2 --divide", "help", "options"])
def test_a_reader_that_leaves_early_is_no_error(arguments: str) -> None:
    command = f"{sys.executable} -m chuhe {arguments} | true"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr) == ("", "")
