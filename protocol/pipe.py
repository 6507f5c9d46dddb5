"""An engine's process as lines in and lines out, with its death told apart from its silence."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from protocol.errors import EngineDied, EngineError, EngineStartError, EngineTimeout

QUIT_TIMEOUT = 2.0
LINE_LIMIT = 1 << 20  # bytes; no honest line is longer


class Pipe:
    """One running program. `await Pipe.open(…)` starts it."""

    def __init__(self, process: asyncio.subprocess.Process, name: str, log: Callable[[str], None] | None) -> None:
        self.name = name
        self._process = process
        self._log = log
        self._lines: asyncio.Queue[tuple[float, str] | None] = asyncio.Queue()
        self._stderr: deque[str] = deque(maxlen=20)
        self._tasks = [asyncio.create_task(self._read_output()), asyncio.create_task(self._read_errors())]

    @staticmethod
    async def open(
        arguments: Sequence[str], cwd: str | Path | None, name: str, log: Callable[[str], None] | None
    ) -> Pipe:
        """Run the program; a relative path is looked for in `cwd` first, then here."""
        program = arguments[0]
        if os.sep in program and not os.path.isabs(program):
            there = Path(cwd or ".", program)
            program = str((there if there.exists() else Path(program)).absolute())
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                *arguments[1:],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=cwd,
                limit=LINE_LIMIT,
                start_new_session=os.name == "posix",  # so that Ctrl-C in a match is ours alone
            )
        except OSError as error:
            raise EngineStartError(f"{name}: cannot run {arguments[0]!r}: {error.strerror or error}") from error
        return Pipe(process, name, log)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def send(self, line: str) -> None:
        """One line to the program, as it is."""
        if self._log:
            self._log(f"{self.name} > {line}")
        stdin = self._process.stdin
        if stdin is None or not self.alive:
            raise await self._death()
        try:
            stdin.write(line.encode() + b"\n")
            await stdin.drain()
        except OSError as error:
            raise await self._death() from error

    async def receive(self, timeout: float | None) -> tuple[float, str]:
        """The next line and when it came (`time.perf_counter`)."""
        try:
            item = await asyncio.wait_for(self._lines.get(), timeout)
        except asyncio.TimeoutError:
            raise EngineTimeout(f"{self.name}: no answer within {timeout:g} s") from None
        if item is None:
            self._lines.put_nowait(None)  # the end stays the end
            raise await self._death()
        return item

    async def wait_for(self, word: str, timeout: float) -> str:
        """The next line that begins with `word`; what comes before it is dropped."""
        deadline = time.perf_counter() + timeout
        while True:
            try:
                _, line = await self.receive(max(0.0, deadline - time.perf_counter()))
            except EngineTimeout:
                raise EngineTimeout(f"{self.name}: no {word} within {timeout:g} s") from None
            if line.split()[:1] == [word]:
                return line

    def drop_lines(self) -> None:
        """Forget what was not read, for instance the answer to a `stop` that crossed an earlier answer."""
        while not self._lines.empty():
            if self._lines.get_nowait() is None:
                self._lines.put_nowait(None)
                return

    async def quit(self, timeout: float = QUIT_TIMEOUT) -> int | None:
        """Ask it to leave, make it leave when it does not; the exit code (negative: a signal)."""
        if self.alive:
            with suppress(EngineError):
                await self.send("quit")
            if self._process.stdin is not None:
                self._process.stdin.close()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), timeout)
        return await self.kill()

    async def kill(self) -> int | None:
        """End the process (and what it started) at once."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            elif self.alive:
                self._process.kill()
        await self._process.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return self._process.returncode

    async def _read_output(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while raw := await stdout.readline():
                line = raw.decode("utf-8", "replace").strip()
                if line:
                    self._lines.put_nowait((time.perf_counter(), line))
                    if self._log:
                        self._log(f"{self.name} < {line}")
        except ValueError:
            self._stderr.append(f"(a line of more than {LINE_LIMIT} bytes on stdout)")
        finally:
            self._lines.put_nowait(None)

    async def _read_errors(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with suppress(ValueError):
            while raw := await stderr.readline():
                self._stderr.append(raw.decode("utf-8", "replace").rstrip())

    async def _death(self) -> EngineDied:
        """What to raise when the program's end of a pipe is closed."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._process.wait(), 1.0)
        code = self._process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by signal {-code}"
        else:
            how = f"ended with exit code {code}"
        await asyncio.sleep(0)  # the last words on stderr may still be on their way
        said = next((line for line in reversed(self._stderr) if line.strip()), "")
        return EngineDied(f"{self.name} {how}" + (f"; it said: {said}" if said else ""), code)
