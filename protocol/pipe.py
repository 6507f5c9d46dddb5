"""An engine's process as a stream of lines; distinguishes a dead engine from a silent one.

Built on asyncio's transports instead of its streams: in a fast match, reading engine output is most of the runner's
work, and lines that have arrived are returned here without a round trip through the event loop.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from chuhe.protocol.arrivals import Arrivals
from chuhe.protocol.errors import EngineDied, EngineError, EngineStartError, EngineTimeout, silent
from chuhe.protocol.programs import find_program
from chuhe.text.message import Message, os_message

QUIT_TIMEOUT = 2.0
LINE_LIMIT = 1 << 16  # bytes; no valid line is longer
LINES_LIMIT = 1 << 17  # unread lines; an engine that sends more is faulty, and the oldest are dropped
UNREAD_LIMIT = 1 << 24  # characters of unread lines, likewise
STDIN, STDOUT, STDERR = 0, 1, 2
# so that Ctrl-C in a match only reaches us
OWN_GROUP: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    OWN_GROUP = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}


class _OutputReader(asyncio.SubprocessProtocol):
    """Splits the program's output into lines as it arrives."""

    def __init__(self, name: str, log: Callable[[str], None] | None, arrivals: Arrivals | None = None) -> None:
        self.lines: deque[tuple[float, str]] = deque()
        self._size = 0  # of the unread lines, in characters
        self.stderr: deque[str] = deque(maxlen=20)
        self.closed = False  # no more lines will come
        self.overlong = False  # because a line has more than LINE_LIMIT bytes
        self.writable = True
        self.wanted: tuple[str, ...] = ("",)  # prefixes of the lines that the waiter waits for
        self.waiter: asyncio.Future[None] | None = None
        self.exited: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._name, self._log, self._arrivals = name, log, arrivals
        self._parts = {STDOUT: b"", STDERR: b""}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, rest = (self._parts[fd] + data).split(b"\n")
        if len(rest) > LINE_LIMIT:
            rest = b""
            if fd == STDOUT:
                self.overlong = self.closed = True
        self._parts[fd] = rest
        if fd == STDERR:
            self.stderr.extend(line.decode("utf-8", "replace").rstrip() for line in lines)
            return
        moment = time.perf_counter() - (self._arrivals.lateness() if self._arrivals else 0.0)
        found = self.closed
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip()
            if line:
                self._keep(moment, line)
                found = found or line.startswith(self.wanted)
                if self._log:
                    self._log(f"{self._name} < {line}")
        if found:
            self._wake()

    def _keep(self, moment: float, line: str) -> None:
        self.lines.append((moment, line))
        self._size += len(line)
        while len(self.lines) > LINES_LIMIT or self._size > UNREAD_LIMIT:
            self.take()

    def take(self) -> tuple[float, str]:
        """Remove the oldest unread line."""
        entry = self.lines.popleft()
        self._size -= len(entry[1])
        return entry

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == STDIN:
            self.writable = False
        if fd == STDOUT:
            self.closed = True
            self._wake()

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)


class Pipe:
    """A running program. Start it with `await Pipe.open(…)`."""

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        reader: _OutputReader,
        name: str,
        log: Callable[[str], None] | None,
    ) -> None:
        self.name = name
        self._transport = transport
        self._reader = reader
        self._log = log

    @staticmethod
    async def open(
        arguments: Sequence[str],
        cwd: str | Path | None,
        name: str,
        log: Callable[[str], None] | None,
        arrivals: Arrivals | None = None,
    ) -> Pipe:
        """Run the program; a relative path is looked up in `cwd` first, then in the current directory.

        `arrivals` tells how late what arrives is read.
        """
        start = [arguments[0]]
        if not os.path.dirname(start[0]):
            start = find_program(start[0]) or start
        elif not os.path.isabs(start[0]):
            there = Path(cwd or ".", start[0])
            start = [str((there if there.exists() else Path(start[0])).absolute())]
        try:
            transport, reader = await asyncio.get_running_loop().subprocess_exec(
                lambda: _OutputReader(name, log, arrivals),
                *start,
                *arguments[1:],
                cwd=cwd,
                **OWN_GROUP,
            )
        except OSError as error:
            fault = Message("engine.cannot-run", name=name, command=arguments[0], fault=os_message(error))
            raise EngineStartError(fault) from error
        return Pipe(transport, reader, name, log)

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def alive(self) -> bool:
        return self._transport.get_returncode() is None

    async def send(self, *lines: str) -> None:
        """Send lines to the program in one write."""
        if self._log:
            for line in lines:
                self._log(f"{self.name} > {line}")
        stdin = self._transport.get_pipe_transport(STDIN)
        if not self.alive or not self._reader.writable or not isinstance(stdin, asyncio.WriteTransport):
            raise await self._death()
        stdin.write(("\n".join(lines) + "\n").encode())

    async def receive(self, timeout: float | None) -> tuple[float, str]:
        """The next line and its time of arrival (`time.perf_counter`)."""
        if not self._reader.lines:
            await self._wait(("",), timeout)
        return self._reader.take()

    async def receive_until(self, beginnings: tuple[str, ...], timeout: float | None) -> list[tuple[float, str]]:
        """All lines up to one that begins with one of the `beginnings`; only that one wakes the waiter."""
        lines = self._reader.lines
        while not any(line.startswith(beginnings) for _, line in lines):
            await self._wait(beginnings, timeout)
        taken = [self._reader.take()]
        while not taken[-1][1].startswith(beginnings):
            taken.append(self._reader.take())
        return taken

    async def _wait(self, beginnings: tuple[str, ...], timeout: float | None) -> None:
        """Wait until a line with one of these prefixes arrives."""
        reader = self._reader
        if self._closed():
            raise await self._death()
        reader.wanted = beginnings
        reader.waiter = asyncio.get_running_loop().create_future()
        try:  # not asyncio.wait_for, which before Python 3.12 loses a Ctrl-C that comes together with the line
            done, _ = await asyncio.wait([reader.waiter], timeout=timeout)
        finally:
            reader.waiter = None
        if not done and not any(line.startswith(beginnings) for _, line in reader.lines):  # else it was read late
            raise EngineTimeout(Message("engine.no-answer", name=self.name, seconds=f"{timeout:g}"))
        if self._closed() and not reader.lines:
            raise await self._death()

    def _closed(self) -> bool:
        return self._reader.closed

    async def wait_for(self, word: str, timeout: float) -> str:
        """The next line that begins with `word`; earlier lines are dropped."""
        deadline = time.perf_counter() + timeout
        while True:
            try:
                _, line = await self.receive(max(0.0, deadline - time.perf_counter()))
            except EngineTimeout:
                raise EngineTimeout(silent(self.name, word, timeout)) from None
            if line.split()[:1] == [word]:
                return line

    def drop_lines(self) -> None:
        """Drop unread lines, for instance the answer to a `stop` that crossed the previous answer."""
        while self._reader.lines:
            self._reader.take()

    async def quit(self, timeout: float = QUIT_TIMEOUT) -> int | None:
        """Ask it to quit, and kill it if it does not. Returns the exit code (negative: a signal)."""
        if self.alive:
            with suppress(EngineError):
                await self.send("quit")
                stdin = self._transport.get_pipe_transport(STDIN)
                if isinstance(stdin, asyncio.WriteTransport):
                    stdin.write_eof()
            await asyncio.wait([self._reader.exited], timeout=timeout)
        return await self.kill()

    async def kill(self) -> int | None:
        """Kill the process and its children."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform != "win32":
                os.killpg(self.pid, signal.SIGKILL)
            elif self.alive:
                self._transport.kill()
        await asyncio.wait([self._reader.exited])
        code = self._transport.get_returncode()
        self._transport.close()  # also our ends of the pipes, which a grandchild may hold open
        return code

    async def _death(self) -> EngineDied:
        """The exception to raise when the program has closed its end of a pipe, or sends a line without end."""
        if self._reader.overlong:
            return EngineDied(Message("engine.overlong", name=self.name, bytes=LINE_LIMIT))
        await asyncio.wait([self._reader.exited], timeout=1.0)
        code = self._transport.get_returncode()
        if code is None:
            how = Message("engine.closed", name=self.name)
        elif code < 0:
            how = Message("engine.killed", name=self.name, signal=-code)
        else:
            how = Message("engine.ended", name=self.name, code=code)
        await asyncio.sleep(0)  # the last lines on stderr may still be on their way
        said = next((line for line in reversed(self._reader.stderr) if line.strip()), "")
        return EngineDied(Message("engine.stderr", fault=how, text=said) if said else how, code)
