"""Runs the commands of the README one after the other in a fresh clone, and prints each exit code (part of `.ci/run`).

    python tests/tools/readme_commands.py [--document README.zh-CN.md] [--seconds 20]

The clone's path has spaces and Chinese characters, the locale (C) knows no such characters, and the user has no files
yet. What a command reads beyond what the commands before it have written is in `GIVEN`; those in `ENDLESS` are stopped
by Ctrl-C. `make test` comes last and runs a few tests: until then the environment is the one that `make play` leaves.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```", re.M | re.S)
COMMAND = re.compile(r"(?:make|chuhe|pip|printf|\.venv/bin/\w+)\b")
OTHERS = ("fairy-stockfish", "stockfish", "pikafish", "xboard")  # programs that a machine may lack
ENDLESS = re.compile(r"(?:make|chuhe) (?:serve|peers|match|openings|selfplay|train|tune search)\b")  # or take hours
AGAIN = 60  # seconds until a command that has not heard Ctrl-C gets it again: an import may swallow it
GIVEN = {
    "game.pgn": '[Game "Chinese Chess"]\n[Red "a"]\n[Black "b"]\n\n1. h2e2 h9g7 2. e2e6 g7e6 *\n',
    "board.txt": "+B+B+B+B\nO+O+O+O+\n+O+O+O+O\nO+O+O+O+\n+B+B+K+O\nO+A+O+O+\n+O+O+O+O\nA+A+O+A+\n",
}


def commands(text: str) -> list[str]:
    """What a reader would type: the commands in the code blocks without their comments, `make test` last."""
    found = []
    for kind, block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            typed = line.removeprefix("$ ")  # in `console`, the other lines are what a command prints
            if (kind == "sh" or typed != line) and COMMAND.match(typed):
                found.append(re.sub(r"\s+#.*", "", typed).rstrip())
    return sorted(found, key=lambda line: line.startswith("make test"))


def run(line: str, clone: Path, seconds: float) -> tuple[bool, str]:
    """Whether a command did what it should, and what it ended with."""
    words = shlex.split(line)
    needed = ["fairy-stockfish"] if words == ["chuhe", "peers"] else words  # it compares with what is installed
    if lacking := [name for name in OTHERS if name in needed and not shutil.which(name)]:
        return not os.environ.get("CI"), f"skipped: {lacking[0]} is not installed"
    tools = clone.parent / "installed" / "bin" if words[0] == "pip" else clone / ".venv" / "bin"
    home = {"HOME": str(clone.parent / "home"), "LC_ALL": "C", "BROWSER": "true"}
    quick = {"ARGS": "-k perft"} if line.startswith("make test") else {}
    begun = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(
            ["sh", "-c", f"exec {line}"],
            cwd=clone,
            env={**os.environ, **home, **quick, "PATH": os.pathsep.join([str(tools), os.environ["PATH"]])},
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert process.stdin is not None
        with process.stdin as typed:
            typed.write(b"quit\n")
        stopped, code = False, None
        while code is None:
            try:
                code = process.wait(AGAIN if stopped else seconds if ENDLESS.match(line) else None)
            except subprocess.TimeoutExpired:
                stopped = True
                os.killpg(process.pid, signal.SIGINT)
        output.seek(0)
        said = output.read()
    good = "Traceback" not in said and (code == 0 or (stopped and (code == 130 or words[0] == "make")))
    if not good:
        print(said)
    ending = "stopped by Ctrl-C, " if stopped else ""
    return good, f"{ending}exit code {code} after {time.monotonic() - begun:.1f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--document", default="README.md", help="whose code blocks (default README.md)")
    parser.add_argument("--seconds", type=float, default=20, help="for an endless command (default 20)")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us with Ctrl-C ignored
    os.environ["PATH"] += os.pathsep + "/usr/games"
    failed = []
    with tempfile.TemporaryDirectory(prefix="楚河 ") as directory:
        clone = Path(directory, "chuhe 一")
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        subprocess.run([sys.executable, "-m", "venv", str(clone.parent / "installed")], check=True)
        Path(directory, "home").mkdir()
        for name, content in GIVEN.items():
            (clone / name).write_text(content, encoding="utf-8")
        for line in commands((clone / options.document).read_text(encoding="utf-8")):
            good, ending = run(line, clone, options.seconds)
            print(f"{'ok    ' if good else 'FAILED'} {line}: {ending}", flush=True)
            if not good:
                failed.append(line)
    print(f"{len(failed)} of the README's commands failed" if failed else "every command of the README works")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
