"""Reading files that a user names: plain files only, so that nothing waits for a pipe or a device, within a time."""

from __future__ import annotations

import errno
import io
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import BinaryIO

from chuhe.text.errors import UserError
from chuhe.text.message import Message

MOST_BYTES = 1 << 30  # of a file that is read as a whole


class OddFileError(OSError):
    """A pipe or a device."""

    message = Message("file.not-plain")


def open_input(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a plain file for reading; OSError for anything else.

    A file of size 0 is empty without being read: those of /proc have this size too, and some of them never end.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags)
    try:
        info = os.fstat(file)
        if stat.S_ISDIR(info.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(info.st_mode):
            raise OddFileError(errno.EINVAL, str(OddFileError.message), os.fspath(path))
        if info.st_size == 0:
            os.close(file)
            return io.BytesIO()
        return os.fdopen(file, "rb")
    except OSError:
        os.close(file)
        raise


def read_input(path: str | os.PathLike[str]) -> bytes:
    """The content of a plain file, of at most MOST_BYTES: a larger one may not fit into the memory."""
    with open_input(path) as file:
        if file.seek(0, os.SEEK_END) > MOST_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(path))
        file.seek(0)
        return file.read()


class SlowTextError(UserError):
    """A text that takes too long to read."""


_deadline: ContextVar[tuple[float, float] | None] = ContextVar("deadline", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Within the block `check_time` raises a SlowTextError after so many seconds."""
    token = _deadline.set((time.monotonic() + seconds, seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


def check_time() -> None:
    """Called by every loop over a text, so that reading can be ended."""
    limit = _deadline.get()
    if limit is not None and time.monotonic() > limit[0]:
        raise SlowTextError(Message("file.too-slow", seconds=f"{limit[1]:g}"))
