"""Writing files atomically, without overwriting files that Chuhe did not write.

Output goes to a scratch file in the same directory, which is renamed when it is complete. So a full disk, a kill or an
error leaves either the old file or the new one, and no scratch file. Long-running commands call `check_output` first.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chuhe.text.errors import UserError
from chuhe.text.message import Message, os_message

MARK = "written by chuhe"  # in the first lines of the files that our commands write, where the format allows it
HEAD_BYTES = 4096  # the part of a file in which MARK is looked for
LOCKED_BYTE = 0x7FFF_FFFE  # on Windows no other process can read a locked byte, so it lies behind most files' ends
BINARY = getattr(os, "O_BINARY", 0)  # for os.open: without it, Windows writes "\\r\\n" for "\\n"
WINDOWS = os.name == "nt"
PATIENCE = (0.01, 0.04, 0.15, 0.3)  # seconds to wait for another program that has the file open
WAIT = 20.0  # seconds for another process that is changing the same file
OwnWork = Callable[[bytes], bool]


class OutputError(UserError):
    """A file that cannot or must not be written; the message names it and says why."""


def output_error(path: str | os.PathLike[str], error: OSError) -> OutputError:
    """What went wrong with this file, in one line."""
    return OutputError(Message("file.at", path=str(path), fault=os_message(error)))


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
        raise OutputError(Message("file.at", path=str(path), fault=Message("file.is-directory")))
    if not stat.S_ISREG(info.st_mode):
        return  # a device or a pipe has no content to lose
    if not os.access(path, os.W_OK):
        raise OutputError(Message("file.at", path=str(path), fault=Message("os.EACCES")))
    _check_directory(path)
    if not force and info.st_size and not (ours is not None and ours(_head(path))):
        raise OutputError(Message("file.exists-force", path=str(path)))


def check_distinct(*paths: Path | None) -> None:
    """OutputError if two of a command's outputs are the same file: the later one would replace the earlier one."""
    named = [path for path in paths if path is not None]
    places = [os.path.realpath(path) for path in named]
    for number, path in enumerate(named):
        if places[number] in places[:number]:
            raise OutputError(Message("file.twice", path=str(path)))


def lock_file(file: int) -> bool:
    """Lock an open file (a descriptor) against other processes; False if another one holds the lock.

    The lock ends when the file is closed or the process ends, even if it is killed.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            place = os.lseek(file, 0, os.SEEK_CUR)
            os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(file, place, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK, 0):  # 0: wine
            return False
        raise
    return True


@contextmanager
def exclusive(output: str | os.PathLike[str], wait: float = 0.0) -> Iterator[None]:
    """For a file that a run writes again and again: OutputError if another process is at it."""
    target = Path(os.path.realpath(output))
    if target.exists() and not target.is_file():  # a device or a pipe
        yield
        return
    path = target.with_name(f".{target.name}.lock")
    end = time.monotonic() + wait
    while (file := _take_lock(path, output)) is None:
        if time.monotonic() >= end:
            raise OutputError(Message("file.in-use", path=str(output)))
        time.sleep(PATIENCE[0])
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file
            path.unlink()
        os.close(file)


def _take_lock(path: Path, output: str | os.PathLike[str]) -> int | None:
    """The open lock file; None if another process has it."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise output_error(output, error) from error
    try:
        # a file that its owner has just removed protects nothing
        if lock_file(file) and os.path.samestat(os.fstat(file), path.stat()):
            return file
    except FileNotFoundError:
        pass
    except OSError as error:
        os.close(file)
        raise output_error(output, error) from error
    os.close(file)
    return None


@contextmanager
def changing(path: str | os.PathLike[str]) -> Iterator[None]:
    """For reading, changing and writing a file that a person may have open twice: the second one waits its turn."""
    with exclusive(path, WAIT):
        yield


def create_scratch(directory: Path, *, private: bool = False) -> Path:
    """Create an empty scratch file: never over an existing file or link, under a name that nobody can predict.

    `private`: only this user may read it.
    """
    scratch = directory / f".chuhe-{os.urandom(8).hex()}.new"
    os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666))
    return scratch


def remove_scratches(directory: Path) -> None:
    """Remove what a killed process was writing; only for a directory that no other process writes to."""
    for scratch in directory.glob(".chuhe-*.new"):
        with suppress(OSError):
            scratch.unlink()


def write_file(path: str | os.PathLike[str], content: str | bytes, *, private: bool = False) -> None:
    """Write the content atomically; OutputError says why it failed. `private`: only this user may read it."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with replacing(path, private=private) as scratch:
        scratch.write_bytes(data)


@contextmanager
def replacing(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[Path]:
    """A scratch file that replaces `path` when the block succeeds; an OSError in the block becomes an OutputError.

    A device or a pipe is written to directly.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        target = Path(os.path.realpath(path))  # a symbolic link is kept
        scratch = create_scratch(target.parent, private=private)
        try:
            if target.exists() and not private:
                scratch.chmod(stat.S_IMODE(target.stat().st_mode))
            yield scratch
            _sync(scratch)
            _put_in_place(scratch, target)
        finally:
            scratch.unlink(missing_ok=True)
    except OSError as error:
        raise output_error(path, error) from error


def _put_in_place(scratch: Path, target: Path) -> None:
    """Rename the scratch file over the target.

    Windows refuses this while another program reads the target, or as long as it is mapped. Such a file can still be
    renamed: it is moved aside, and deleted as soon as it is no longer in use.
    """
    for pause in (*PATIENCE, None) if WINDOWS else (None,):
        try:
            scratch.replace(target)
            return
        except PermissionError:
            if pause is not None:
                time.sleep(pause)
            elif not WINDOWS:
                raise
    aside = target.with_name(f".chuhe-{os.urandom(8).hex()}.old")
    target.rename(aside)
    scratch.replace(target)
    for left in target.parent.glob(".chuhe-*.old"):
        with suppress(OSError):
            left.unlink()


def append_whole(file: int, data: bytes) -> None:
    """Append to an open file (a descriptor) and flush to disk, all or nothing: a partial write is undone."""
    before = os.fstat(file)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        if stat.S_ISREG(before.st_mode):  # a device or a pipe cannot be flushed
            os.fsync(file)
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, before.st_size)
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
        raise OutputError(Message("file.no-directory", path=str(path), directory=str(directory)))
    if not os.access(directory, os.W_OK | os.X_OK):
        raise OutputError(Message("file.directory-closed", path=str(path), directory=str(directory)))


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _sync(path: Path) -> None:
    """Flush to disk before renaming: a full disk may only show now, and a crash must not lose the content."""
    handle = os.open(path, os.O_RDWR)  # Windows flushes only what may be written
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
