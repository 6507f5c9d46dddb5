"""What this process may use of the machine: processors and memory, given its affinity and its control group."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

CGROUPS = "/sys/fs/cgroup"


def usable_processors() -> int:
    """At least 1. Not cached: it may change at run time."""
    try:
        count = len(os.sched_getaffinity(0))
    except (AttributeError, OSError):  # not every system has it
        count = os.cpu_count() or 1
    return max(1, min([count, *_quotas()]))


def _quotas() -> Iterator[int]:
    """The processors that each control group around this process allows, where one sets a quota (rounded up)."""
    for path in _groups():
        try:
            with open(f"{path}/cpu.max") as file:  # "200000 100000": microseconds of each period, or "max 100000"
                quota, period = file.read().split()
            yield -(-int(quota) // int(period))
        except (OSError, ValueError, ZeroDivisionError):
            continue
    try:
        with open(f"{CGROUPS}/cpu/cpu.cfs_quota_us") as file:  # version 1
            quota_us = int(file.read())
        with open(f"{CGROUPS}/cpu/cpu.cfs_period_us") as file:
            period_us = int(file.read())
        if quota_us > 0:
            yield -(-quota_us // period_us)
    except (OSError, ValueError, ZeroDivisionError):
        return


def _groups() -> Iterator[str]:
    """This process's control group and those around it."""
    try:
        with open("/proc/self/cgroup") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        number, _, name = line.partition(":")
        if number == "0":  # version 2
            path = name.partition(":")[2].rstrip("/")
            while path:
                yield CGROUPS + path
                path = path.rpartition("/")[0]
            yield CGROUPS


def machine_memory() -> int:
    """The memory in bytes: the machine's, or less in a container."""
    try:
        if sys.platform == "win32":
            total = _windows_memory()
        else:
            total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        total = 4 << 30
    try:
        with open(f"{CGROUPS}/memory.max") as file:
            return min(total, int(file.read()))
    except (ValueError, OSError):
        return total


def _windows_memory() -> int:
    import ctypes

    class MemoryStatus(ctypes.Structure):
        """MEMORYSTATUSEX; we only want to know `total`."""

        _fields_ = (("length", ctypes.c_ulong), ("load", ctypes.c_ulong), ("total", ctypes.c_ulonglong),
                    ("rest", ctypes.c_ulonglong * 6))  # fmt: skip

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined]
        raise OSError("GlobalMemoryStatusEx failed")
    return int(status.total)
