"""Writing files atomically, without overwriting files that Chuhe did not write.

Output goes to a scratch file in the same directory, which is renamed when it is complete. So a full disk, a kill or an
error leaves either the old file or the new one, and no scratch file. Long-running commands call `check_output` first.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "written by chuhe"  # in the first lines of the files that our commands write, where the format allows it
HEAD_BYTES = 4096  # the part of a file in which MARK is looked for
OwnWork = Callable[[bytes], bool]


class OutputError(ValueError):
    """A file that cannot or must not be written; the message names it and says why."""


def output_error(path: str | os.PathLike[str], error: OSError) -> OutputError:
    """What went wrong with this file, in one line."""
    return OutputError(f"{path}: {error.strerror or error}")


def marked(mark: str = MARK) -> OwnWork:
    """A test for our own files: the text is in their first lines."""
    return lambda head: mark.encode() in head


def check_output(path: str | os.PathLike[str], *, force: bool = False, ours: OwnWork | None = None) -> None:
    """OutputError if the file cannot be written, or would replace a file that is not ours.

    `ours` is called with the head of an existing file. Without it, no file is replaced unless `force`.
    """
    path = Path(path)
    try:
        info = path.stat()
    except FileNotFoundError:
        _check_directory(path)
        return
    except OSError as error:
        raise output_error(path, error) from error
    if stat.S_ISDIR(info.st_mode):
        raise OutputError(f"{path}: this is a directory")
    if not stat.S_ISREG(info.st_mode):
        return  # a device or a pipe has no content to lose
    if not os.access(path, os.W_OK):
        raise OutputError(f"{path}: {os.strerror(errno.EACCES)}")
    _check_directory(path)
    if not force and info.st_size and not (ours is not None and ours(_head(path))):
        raise OutputError(f"{path} exists already; use --force to replace it")


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write the content atomically; OutputError says why it failed."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with replacing(path) as scratch:
        scratch.write_bytes(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A scratch file that replaces `path` when the block succeeds; an OSError in the block becomes an OutputError.

    A device or a pipe is written to directly.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        target = Path(os.path.realpath(path))  # a symbolic link is kept
        scratch = target.with_name(f".{target.name[:200]}.{os.getpid()}.new")
        try:
            scratch.touch(exist_ok=False)
            if target.exists():
                scratch.chmod(stat.S_IMODE(target.stat().st_mode))
            yield scratch
            _sync(scratch)
            scratch.replace(target)
        finally:
            with suppress(FileNotFoundError):
                scratch.unlink()
    except OSError as error:
        raise output_error(path, error) from error


def append_whole(file: int, data: bytes) -> None:
    """Append to an open file (a descriptor), all or nothing: a partial write is undone."""
    size = os.fstat(file).st_size
    try:
        written = 0
        while written < len(data):
            written += os.write(file, data[written:])
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


def append_file(path: str | os.PathLike[str], text: str) -> None:
    """Append a text to a file, all or nothing; OutputError says why it failed."""
    path = Path(path)
    existed = path.exists()
    try:
        with path.open("ab", buffering=0) as file:
            append_whole(file.fileno(), text.encode("utf-8"))
    except OSError as error:
        if not existed:
            with suppress(OSError):
                path.unlink()
        raise output_error(path, error) from error


def _check_directory(path: Path) -> None:
    directory = path.parent
    if not directory.is_dir():
        raise OutputError(f"{path}: there is no directory {directory}")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise OutputError(f"{path}: {directory} is not writable")


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _sync(path: Path) -> None:
    """Flush to disk before renaming: a full disk may only show now, and a crash must not lose the content."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
