"""What the core finds out about the machine, against what the system says."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from chuhe.engine._core import vector_paths

CPU_INFO = Path("/proc/cpuinfo")
NEEDED = {"avx512": {"avx512f", "avx512bw"}, "avx2": {"avx2"}, "sse2": {"sse2"}}


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not CPU_INFO.exists(), reason="the system does not list its instruction sets"
)
def test_the_instruction_sets_are_those_that_linux_lists() -> None:
    line = next(line for line in CPU_INFO.read_text(encoding="utf-8").splitlines() if line.startswith("flags"))
    flags = set(line.split(":")[1].split())
    assert vector_paths() == [*(name for name, needed in NEEDED.items() if needed <= flags), "plain"]


@pytest.mark.skipif(platform.machine() not in ("aarch64", "arm64"), reason="`make arm-test` runs this")
def test_every_arm_has_neon() -> None:
    assert vector_paths() == ["neon", "plain"]
