"""Has an engine computed, or has it waited for a processor? Only Linux tells; elsewhere nothing is credited."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

NAME_END = b") "  # in /proc/PID/stat: the program's name, which may contain anything, ends with the last of these


def processor_time(pid: int) -> float | None:
    """How many seconds the process has computed, in all its threads; None if that is not known."""
    if sys.platform == "linux":
        with suppress(OSError):
            return time.clock_gettime(~pid << 3 | 2)  # the process's clock, see clock_getcpuclockid(3)
    return None


def wants_processor(pid: int) -> bool:
    """Does a thread of the process compute, or could it if it had a processor?"""
    with suppress(OSError):
        for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
            with suppress(OSError):
                if stat.read_bytes().rpartition(NAME_END)[2].startswith(b"R"):
                    return True
    return False


class ProcessorWait:
    """How long a process has waited for a processor since this object was made, as far as it is certain."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._began = time.perf_counter()
        self._computed = processor_time(pid)

    def seconds(self) -> float:
        """0 if it is idle now: it may have been so before. What several threads compute at once hides their waits."""
        computed = processor_time(self._pid)
        if computed is None or self._computed is None or not wants_processor(self._pid):
            return 0.0
        return max(0.0, time.perf_counter() - self._began - (computed - self._computed))
