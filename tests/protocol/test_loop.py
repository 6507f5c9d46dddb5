"""The engine process: its pipes, arguments and exit."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest
from paths import ROOT
from transcript import EngineProcess
from waiting import PATIENCE

from chuhe.commands.engine import main
from chuhe.protocol.loop import END_SECONDS
from chuhe.protocol.replies import parse_option


def test_help_and_bad_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "--log FILE" in capsys.readouterr().out
    for arguments, named in (
        (["--nonsense"], "--nonsense"),
        (["--log"], "--log needs a value"),
        (["--variant", "go"], "xiangqi or chess, not 'go'"),
        (["--log", "/no/such/place/log.txt"], "/no/such/place/log.txt"),
    ):
        assert main(arguments) == 2
        assert named in capsys.readouterr().err


def test_a_person_at_a_terminal_is_told_what_this_is_and_a_pipe_is_not() -> None:
    with EngineProcess() as engine:
        engine.send("ucci")
        assert engine.line().startswith("id name")  # the first thing that a GUI hears
    child = pexpect.spawn(sys.executable, ["-m", "chuhe"], cwd=str(ROOT), encoding="utf-8", timeout=PATIENCE)
    child.expect(r"Chuhe [\d.]+, a xiangqi engine[\s\S]*chuhe play[\s\S]*ucci, then go depth 8")
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_the_dialogue_is_logged(tmp_path: Path) -> None:
    path = tmp_path / "dialogue.txt"
    with EngineProcess("--log", str(path)) as engine:
        engine.send("ucci")
        engine.until("ucciok")
        engine.send("go depth 2")
        engine.until("bestmove")
        engine.send("quit")
        assert engine.end(close=False) == 0
    lines = [line[10:] for line in path.read_text().splitlines()[1:]]
    assert lines[0] == "> ucci"
    assert "< ucciok" in lines
    assert "> go depth 2" in lines
    assert any(line.startswith("< bestmove ") for line in lines)
    assert lines[-2:] == ["> quit", "< bye"]


@pytest.mark.parametrize("command", ["isready", "go infinite", "go depth 30"])
def test_a_gui_that_closes_our_stdout(command: str) -> None:
    """The engine exits as soon as its output is closed, instead of searching on."""
    read, write = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "chuhe"], stdin=subprocess.PIPE, stdout=write, cwd=ROOT, bufsize=0
    ) as process:
        os.close(write)
        os.close(read)
        assert process.stdin is not None
        process.stdin.write(f"ucci\n{command}\n".encode())
        assert process.wait(PATIENCE) == 0


def test_no_input_at_all() -> None:
    finished = subprocess.run([sys.executable, "-m", "chuhe"], input=b"", capture_output=True, cwd=ROOT, check=False)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, b"", b"")


@pytest.mark.parametrize("closed", [0, 1, 2])
@pytest.mark.parametrize("arguments", [(), ("play",), ("play", "--variant", "chess"), ("draughts",)])
def test_a_closed_stream_is_no_traceback(arguments: tuple[str, ...], closed: int) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "chuhe", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=lambda: os.close(closed),
        cwd=ROOT,
        check=False,
        timeout=PATIENCE,
    )
    assert b"Traceback" not in finished.stderr + finished.stdout


def test_a_last_line_without_its_end_is_a_line() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "chuhe"], input=b"ucci\ngo depth 2", capture_output=True, cwd=ROOT, check=False
    )
    assert finished.stdout.splitlines()[-1].startswith(b"bestmove ")


def test_a_huge_line() -> None:
    with EngineProcess() as engine:
        engine.send("uci")
        engine.until("uciok")
        engine.send("position startpos moves " + "h2e2 " * 400_000)
        assert engine.line().startswith("info string move 2, h2e2: ")
        engine.send("x" * 2_000_000)
        engine.send("isready")
        assert engine.line() == "readyok"


def test_a_game_of_hundreds_of_moves() -> None:
    cycle = "b0c2 b9c7 c2b0 c7b9 ".split()
    with EngineProcess() as engine:
        engine.send("ucci")
        engine.until("ucciok")
        engine.send("position startpos moves " + " ".join(cycle * 150))
        engine.send("go depth 2")
        assert engine.until("bestmove")[-1].startswith("bestmove ")


def test_the_start_imports_next_to_nothing() -> None:
    """A GUI waits for the first answer, so the engine must not import modules that only tools need."""
    code = "import sys, chuhe.commands.engine; print(*sorted(sys.modules))"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True, check=True
    ).stdout.split()
    heavy = {
        "asyncio",
        "argparse",
        "json",
        "subprocess",
        "numpy",
        "chess",
        "pathlib",
        "tempfile",
        "logging",
        "unittest",
        "chuhe.records.game_record",
    }
    assert heavy.isdisjoint(modules)


@pytest.mark.parametrize("greeting", ["ucci", "uci"])
def test_a_gui_that_sends_every_option_back(greeting: str, tmp_path: Path) -> None:
    """They are accepted silently and change nothing, in particular not the numbering of ranks or the log."""
    log = tmp_path / "dialogue.txt"
    with EngineProcess("--log", str(log)) as engine:
        engine.send(greeting)
        announced = [parse_option(line) for line in engine.until(f"{greeting}ok")]
        for option in announced:
            if option is not None:
                value = option.default or ""
                engine.send(
                    f"setoption {option.name} {value}"
                    if greeting == "ucci"
                    else f"setoption name {option.name}" + (f" value {value}" if option.kind != "button" else "")
                )
        engine.send("isready")
        assert engine.line() == "readyok"
        engine.send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 b")
        engine.send("go depth 2")
        assert engine.until("bestmove")[-1].startswith("bestmove d9d8")
    assert "< bestmove d9d8" in log.read_text()


def test_a_script_in_batch_mode_gets_all_its_answers() -> None:
    lines = ("ucci", "setoption batch true", "go depth 6", "position startpos moves h2e2", "go depth 6", "quit")
    script = "\n".join(lines) + "\n"
    command = [sys.executable, "-m", "chuhe"]
    ended = subprocess.run(command, input=script, capture_output=True, text=True, timeout=PATIENCE, check=True)
    words = [line.split()[0] for line in ended.stdout.splitlines()]
    assert [word for word in words if word in ("bestmove", "bye")] == ["bestmove", "bestmove", "bye"]


def test_a_gui_that_quits_in_batch_mode_does_not_wait() -> None:
    with EngineProcess() as engine:
        engine.send("ucci")
        engine.send("setoption batch true")
        engine.send("go depth 99")
        engine.send("quit")
        assert engine.end(close=False) == 0


def test_quit_long_after_go_is_heard_in_batch_mode_although_the_input_ends() -> None:
    with EngineProcess() as engine:
        for line in ("ucci", "setoption usebook false", "setoption batch true", "go depth 99"):
            engine.send(line)
        engine.until("info depth 5 ")
        time.sleep(2 * END_SECONDS)
        engine.send("quit")
        assert engine.end() == 0
