"""Files that a command writes: whole or not at all, and never in the place of somebody else's file.

What is written goes into a scratch file beside its place, which is renamed when it is complete. So a full disk, a kill
or an error leaves the old file or the new one, and no rest. A command that works for long asks `check_output` first.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MARK = "written by chuhe"  # stands at the head of what our commands write, where the format has room for it
HEAD_BYTES = 4096  # a file's beginning, by which a command knows its own work
OwnWork = Callable[[bytes], bool]


class OutputError(ValueError):
    """A file that cannot be written, or must not be; the text names it and says why."""


def output_error(path: str | os.PathLike[str], error: OSError) -> OutputError:
    """What went wrong with this file, in one line."""
    return OutputError(f"{path}: {error.strerror or error}")


def marked(mark: str = MARK) -> OwnWork:
    """Own work is what has this text in its first lines."""
    return lambda head: mark.encode() in head


def check_output(path: str | os.PathLike[str], *, force: bool = False, ours: OwnWork | None = None) -> None:
    """OutputError when a file cannot be written there, or when that would replace one that is not ours.

    `ours` is asked about the beginning of a file that stands there. Without it no file is replaced unless `force`.
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
        return  # a device or a pipe holds nothing that could be lost
    if not os.access(path, os.W_OK):
        raise OutputError(f"{path}: {os.strerror(errno.EACCES)}")
    _check_directory(path)
    if not force and info.st_size and not (ours is not None and ours(_head(path))):
        raise OutputError(f"{path} exists already: --force replaces it")


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Put this content there, whole or not at all; OutputError says why not."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with replacing(path) as scratch:
        scratch.write_bytes(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A scratch file to write into, which takes the place of `path` when the block ends well; an OSError in the block
    becomes an OutputError. A device or a pipe is written to as it is.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        target = Path(os.path.realpath(path))  # a link goes on pointing where it does
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
    """Add to an open file (a descriptor), all of it or nothing: what a full disk cut short is taken back."""
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
    """Add a text to a file, all of it or nothing; OutputError says why not."""
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
        raise OutputError(f"{path}: {directory} cannot be written to")


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _sync(path: Path) -> None:
    """A full disk may show only now; a name must not stand for content that a crash would lose."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
