"""What the core finds out about the machine, against what the system says."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from chuhe.engine._core import vector_paths

ARM = platform.machine() in ("aarch64", "arm64")
CPU_INFO = Path("/proc/cpuinfo")
NEEDED = {"avx512": {"avx512f", "avx512bw"}, "avx2": {"avx2"}, "sse2": {"sse2"}}


@pytest.mark.skipif(not ARM and not CPU_INFO.exists(), reason="only Linux lists its instruction sets")
def test_the_vector_paths_are_those_of_the_processor() -> None:
    if ARM:
        assert vector_paths() == ["neon", "plain"]
        return
    line = next(line for line in CPU_INFO.read_text(encoding="utf-8").splitlines() if line.startswith("flags"))
    flags = set(line.split(":")[1].split())
    assert vector_paths() == [*(name for name, needed in NEEDED.items() if needed <= flags), "plain"]
