"""`make signature`: does `chuhe bench` count the nodes that the last commit with a `Bench:` line says?

A commit that changes the search or the evaluation ends with the new count. Without that line, the change was not meant.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def recorded(repository: Path) -> int | None:
    """The count in the last `Bench: N` line of the history; None if there is none."""
    found = _last_line(repository)
    if found is None and _git(repository, "rev-parse", "--is-shallow-repository") == "true":
        _git(repository, "fetch", "--quiet", "--unshallow")
        found = _last_line(repository)
    return found


def _last_line(repository: Path) -> int | None:
    message = _git(repository, "log", "-1", "--extended-regexp", "--grep=^Bench: [0-9]+$", "--format=%B")
    counts = re.findall(r"^Bench: (\d+)$", message, re.MULTILINE)
    return int(counts[-1]) if counts else None


def _git(repository: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True).stdout.strip()


def counted() -> int:
    command = [sys.executable, "-m", "chuhe", "bench", "--quiet"]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return int(re.findall(r"^nodes: (\d+)$", output, re.MULTILINE)[0])


def verdict(wanted: int | None, nodes: int) -> str:
    """What is wrong; empty if the counts agree."""
    if wanted is None:
        return f"no commit of this history has a line `Bench: N`, so {nodes} cannot be compared"
    if nodes != wanted:
        return f"chuhe bench counts {nodes} nodes, but the last `Bench:` line of the history says {wanted}"
    return ""


def main() -> int:
    wanted = recorded(ROOT)
    nodes = counted()
    fault = verdict(wanted, nodes)
    print(fault or f"chuhe bench: {nodes} nodes, as recorded")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
