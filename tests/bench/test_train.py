"""`chuhe train`: the whole procedure on a small scale, and all refusals."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import zlib
from pathlib import Path

import pytest

from chuhe.bench.learning import demo
from chuhe.bench.learning.selfplay import SelfPlayRecipe, generate
from chuhe.bench.spread import Workers
from chuhe.commands.train import main
from chuhe.engine import Engine, Limits, Settings
from chuhe.engine.network import read
from chuhe.engine.values import SelfPlayRules
from chuhe.files.writing import exclusive


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "small.games"
    rules = SelfPlayRules(nodes=60, most_nodes=120, longest=60)
    generate(SelfPlayRecipe(rules, demo.COUNTING), 60, path, Workers(2))
    return path


SMALL = ["--hidden", "32", "--epochs", "2", "--batch", "256", "--threads", "1", "--validation", "0.2"]


def test_the_whole_way_from_nothing_to_a_playing_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    size = demo.DemoSize(games=40, nodes=60, epochs=2, hidden=32, pairs=1, match_nodes=100)
    assert demo.run_demo(None, 2, size) == 0
    told = capsys.readouterr().out
    assert "in 2 games: Elo" in told
    engine = Engine(Settings(hash_mb=1, evalfile=str(tmp_path / "demo.net")))
    assert engine.search(Limits(nodes=500)).move is not None


def test_train_writes_a_network_with_its_recipe_and_curve(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, plot = tmp_path / "a.net", tmp_path / "a.svg"
    assert main([str(games), "--output", str(output), "--plot", str(plot), *SMALL]) == 0
    recipe = json.loads(read(output).recipe)
    assert recipe["recipe"]["hidden"] == 32
    assert recipe["data"]["games"] == 60
    assert recipe["data"]["files"] == ["small.games"]
    assert plot.read_text().startswith("<?xml")
    assert "training positions" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.net", "a.net.checkpoint", "a.svg"]


def test_the_same_command_gives_the_same_bytes(games: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.net", tmp_path / "two.net"
    for output in (one, two):
        assert main([str(games), "--output", str(output), *SMALL]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_resume_goes_on_and_ends_alike(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, broken = tmp_path / "whole.net", tmp_path / "broken.net"
    assert main([str(games), "--output", str(whole), *SMALL]) == 0
    from chuhe.bench.learning import checkpoint

    save = checkpoint.save

    def save_and_break(*arguments: object) -> None:
        save(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "save", save_and_break)
    assert main([str(games), "--output", str(broken), *SMALL]) == 130
    assert "interrupted; --resume continues after the last complete epoch" in capsys.readouterr().err
    monkeypatch.setattr(checkpoint, "save", save)
    assert main([str(games), "--output", str(broken), "--resume", *SMALL]) == 0
    assert whole.read_bytes() == broken.read_bytes()


@pytest.mark.parametrize("where", ["read_positions", "write_network"])
def test_interrupted_in_the_first_epoch_it_promises_nothing(
    where: str, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from chuhe.bench.learning import train

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(train, where, interrupted)
    assert main([str(games), "--output", str(tmp_path / "x.net"), *SMALL]) == 130
    assert capsys.readouterr().err.endswith("\nchuhe train: interrupted; no epoch was complete\n")
    assert not list(tmp_path.iterdir())


def test_what_is_refused_before_the_work(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "mine.net"
    output.write_text("precious")
    cases = [
        ([str(games), "--output", str(output)], "mine.net exists and is not a network"),
        ([str(games), "--output", str(output), "--force"], "mine.net exists and is not a network"),
        ([str(games), "--output", str(output), "--resume"], "mine.net exists and is not a network"),
        ([str(games), "--output", str(games), "--resume"], "small.games exists and is not a network"),
        ([str(games), "--output", "."], "this is a directory"),
        ([str(games), "--output", "x.svg", "--plot", "x.svg"], "x.svg cannot hold two outputs"),
        ([str(games), "--output", str(tmp_path / "x.net"), "--seed", "-1"], "seed must be a whole number from 0"),
        (
            [str(games), "--output", str(tmp_path / "x.net"), "--threads", "100000", *SMALL[:6]],
            "--threads must be 64 or less",
        ),
        ([str(games), "--output", str(tmp_path / "x.net"), "--start", str(output)], "not a Chuhe network"),
        ([str(games)], "name the files of games"),
        ([str(games), "--output", str(tmp_path / "no" / "x.net")], "there is no directory"),
        ([str(games), "--output", str(tmp_path / "x.net"), "--plot", str(tmp_path / "x.doc")], "plots are .svg"),
        ([str(games), "--output", str(tmp_path / "x.net"), "--rate", "nan"], "rate must be from"),
        ([str(games), "--output", str(tmp_path / "x.net"), "--hidden", "100"], "multiple of 32"),
        ([str(tmp_path / "none.games"), "--output", str(tmp_path / "x.net")], "none.games"),
    ]
    for arguments, message in cases:
        assert main(arguments) == 2
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([str(games), "--output", ""])
    assert "the value is empty" in capsys.readouterr().err
    assert output.read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.net"]


def test_a_network_is_replaced_only_on_demand(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "mine.net"
    command = [str(games), "--output", str(output), *SMALL]
    assert main(command) == 0
    good = output.read_bytes()
    assert main(command) == 2
    assert "exists: --resume continues it, --force overwrites it" in capsys.readouterr().err
    (tmp_path / "mine.net.checkpoint").unlink()
    assert main([*command, "--resume"]) == 2
    assert "cannot be resumed: there is no mine.net.checkpoint" in capsys.readouterr().err
    assert output.read_bytes() == good
    assert main([*command, "--force", "--start", str(output), "--rate", "1e-4"]) == 0
    recipe = json.loads(read(output).recipe)["recipe"]
    assert recipe["start"] == f"mine.net {zlib.crc32(good[:-4]):08x}"


def test_one_output_has_one_trainer(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "mine.net"
    with exclusive(output):
        assert main([str(games), "--output", str(output), *SMALL]) == 2
    assert "mine.net is being written by another process" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_damaged_data_names_the_block(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.games"
    data = bytearray(games.read_bytes())
    data[-50] ^= 255
    damaged.write_bytes(data)
    assert main([str(damaged), "--output", str(tmp_path / "x.net"), *SMALL]) == 2
    told = capsys.readouterr().err
    assert "damaged.games" in told
    assert "block" in told
    assert not (tmp_path / "x.net").exists()


def test_a_full_disk_is_said(games: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has /dev/full")
    output = tmp_path / "x.net"
    original = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        return original(Path("/dev/full"), data) if self.suffix == ".new" else original(self, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        assert main([str(games), "--output", str(output), *SMALL]) == 2
    assert "x.net: No space left on device" in capsys.readouterr().err
    assert not output.exists()


def test_a_full_disk_under_a_file_without_a_name_or_the_checkpoint_is_said(
    games: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    from chuhe.bench.learning.position_store import PositionStore

    def full(*arguments: object, **arrays: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    command = [str(games), "--output", str(tmp_path / "x.net"), *SMALL]
    with monkeypatch.context() as patch:
        patch.setattr(PositionStore, "add", full)
        assert main(command) == 2
    assert capsys.readouterr().err.endswith(f"chuhe train: {tmp_path}: No space left on device\n")
    monkeypatch.setattr(np, "savez", full)
    assert main(command) == 2
    said = capsys.readouterr().err
    assert said.endswith(
        f"the checkpoint cannot be written: {tmp_path / 'x.net.checkpoint'}: No space left on device\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["x.net"]  # the network of the complete epoch is kept
