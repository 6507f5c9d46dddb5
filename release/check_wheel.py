"""Try a wheel as a user does: in an empty environment. `check_wheel.py WHEEL` (`make package` runs it on its own).

With --installed, the wheel is installed already, as cibuildwheel does it: only play a move and count the nodes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

VARIABLE = "CHUHE_BENCH"  # the node count of `chuhe bench`, which is the same on every machine
ROOT = Path(__file__).resolve().parent.parent


def expected_nodes() -> int | None:
    """The node count: of the environment variable, or of the last commit that changed it; None if neither says it."""
    if os.environ.get(VARIABLE):
        return int(os.environ[VARIABLE])
    command = ["git", "log", "-1", "--grep", "^Bench: [0-9]", "--format=%B"]
    try:
        text = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8").stdout
    except OSError:  # no git
        return None
    found = re.search(r"^Bench: (\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else None


def check(python: str | Path) -> None:
    """Play a move, and search the bench positions; SystemExit says what went wrong."""
    with tempfile.TemporaryDirectory() as elsewhere:  # not in the checkout, which has a folder `chuhe` too

        def chuhe(*arguments: str, typed: str = "") -> str:
            command = [str(python), "-m", "chuhe", *arguments]
            ended = subprocess.run(command, input=typed, capture_output=True, encoding="utf-8", cwd=elsewhere)
            if ended.returncode:
                raise SystemExit(f"chuhe {' '.join(arguments)} failed: {ended.stderr}")
            return ended.stdout

        answer = chuhe(typed="ucci\nposition startpos moves h2e2\ngo depth 6\n")
        if "\nbestmove " not in answer:
            raise SystemExit(f"no move was played: {answer}")
        played = chuhe("play", "--level", "1", "--ascii", "--seed", "1", typed="h2e2\nhistory\nquit\n")
        if "1. C2=5" not in played:
            raise SystemExit(f"the game in the terminal did not go on: {played}")
        for command in ("train", "endgame", "serve"):
            chuhe(command, "--help")
        nodes, expected = int(chuhe("bench").split("nodes:")[1].split()[0]), expected_nodes()
        if expected is not None and nodes != expected:
            raise SystemExit(f"bench counts {nodes} nodes instead of {expected}")
    print(f"a move was played, and bench counts {nodes} nodes", flush=True)


def check_fresh(wheel: Path) -> None:
    """Install the wheel, and nothing else, into a new environment, and check it there."""
    with tempfile.TemporaryDirectory() as directory:
        venv.create(directory, with_pip=True)
        python = Path(directory, "Scripts" if sys.platform == "win32" else "bin", "python")
        subprocess.run([python, "-m", "pip", "--quiet", "install", "--no-index", wheel.resolve()], check=True)
        check(python)


if __name__ == "__main__":
    if sys.argv[1:] == ["--installed"]:
        check(sys.executable)
    else:
        check_fresh(Path(sys.argv[1]))
