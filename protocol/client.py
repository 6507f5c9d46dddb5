"""Drive any engine that speaks UCCI or UCI, from asyncio code.

Both protocols have the same interface: positions are a FEN (None: the start) and move texts, xiangqi moves always
with ranks 0–9, limits are `chuhe.engine.values.Limits`, and a search's answer is a `GoResult`::

    async with await Client.start("chuhe", protocol="ucci", options={"Hash": 64}) as engine:
        await engine.new_game()
        result = await engine.go(None, ["h2e2"], Limits(movetime=200))
        print(result.move, result.score, result.depth)

Starting: `await Client.start(command, protocol=…, variant=…, cwd=…, options=…, name=…, log=…)`. The protocol is "ucci",
"uci" (ranks 0–9), "uci1" (`UCI_Variant xiangqi`, ranks 1–10) or "auto"; `variant="chess"` is plain UCI chess.
"auto" is UCCI if the engine also accepts its clock in milliseconds, else UCI, else UCCI with a clock unit determined by
a short test search (`learn_unit`). `warnings` holds what a user should know about the engine.

Searching: `go` sends the position and waits for the answer. `begin` sends it and returns, then `finish` waits for the
answer; between them `stop` and `ponderhit` may be called (`ponder` is a `begin` whose clock does not run).
`on_info=` is called with every `Report` as it arrives.

All failures are an `EngineError`: `EngineStartError` (cannot be started, or no greeting), `EngineTimeout` (no
answer in time: it hangs), `EngineDied` (its process ended), `ReplyError` (an answer that cannot be parsed),
`OptionError` (an option that was not announced, or a value outside its range), `UnsupportedError` (the protocol has no
such command). After an `EngineTimeout` that was not `answered`, the engine can only be killed (`kill()`).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from chuhe.engine import Position
from chuhe.engine.uncopied import Uncopied
from chuhe.engine.values import Info, Limits
from chuhe.protocol.arrivals import Arrivals
from chuhe.protocol.errors import (
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    OptionError,
    ReplyError,
    UnsupportedError,
    silent,
)
from chuhe.protocol.options import find
from chuhe.protocol.pipe import QUIT_TIMEOUT, Pipe
from chuhe.protocol.processor import ProcessorWait
from chuhe.protocol.programs import split_command
from chuhe.protocol.replies import (
    AnnouncedOption,
    Dialect,
    GoResult,
    Report,
    WantedDialect,
    parse_answer,
    parse_option,
    parse_report,
    refuses_option,
    write_move,
)
from chuhe.protocol.requests import OptionValue, go_line, option_value, plain_name, position_line, white_to_move
from chuhe.protocol.search_result import SearchResult, check_game, history, search_result, to_info
from chuhe.text.message import Message, shown

T = TypeVar("T")

START_TIMEOUT = 10.0  # seconds until the greeting is complete
READY_TIMEOUT = 30.0  # allocating a large hash table takes time
STOP_TIMEOUT = 5.0
LATE_TIMEOUT = 1.0  # for the answer to the `stop` sent to an engine that is late
LOOK = 0.02  # seconds between two looks at what a late engine is credited
SLACK = 5.0  # seconds beyond the time given before the engine counts as hanging
DETECTION_TIMEOUT = 3.0  # for the greeting in a protocol that the engine may not speak
TRIAL_TIME = 60  # milliseconds or seconds: the test search shows which
TRIAL_PATIENCE = 2.0  # seconds: much more than 60 ms, much less than 60 s
TRIAL_FEN = "r1bak2r1/4an3/2n1b4/pc2pcp1p/2p6/6PC1/P1P1P3P/1C2B1N1B/3NA4/R2AK2R1 b - - 0 1"  # in no book, not decided
REPORTS_KEPT = 512  # of a search
OPTIONS_KEPT = 1000
INFINITE = Limits(infinite=True)


class Client(Uncopied):
    """A running engine. Create it with `await Client.start(…)`."""

    def __init__(self, pipe: Pipe, arrivals: Arrivals | None = None) -> None:
        self.name = pipe.name
        self.id_name = ""
        self.dialect: Dialect = "uci"
        self.variant = "xiangqi"
        self.options: dict[str, AnnouncedOption] = {}
        self.milliseconds: bool | None = True  # the unit of its clock; False: seconds, None: not known yet
        self.warnings: list[str] = []
        self.credit = 0.0  # seconds beyond its `allowance` that the last search was late by no fault of the engine
        self._pipe = pipe
        self._arrivals = arrivals
        self._searching = False
        self._start_clock()
        self._limits = INFINITE
        self._infos: deque[str] = deque(maxlen=REPORTS_KEPT)

    # Starting and ending

    @staticmethod
    async def start(
        command: str | Sequence[str],
        protocol: WantedDialect = "auto",
        *,
        variant: str = "xiangqi",
        cwd: str | Path | None = None,
        options: Mapping[str, OptionValue] | None = None,
        name: str = "",
        milliseconds: bool | None = None,
        timeout: float | None = None,
        log: Callable[[str], None] | None = None,
        arrivals: Arrivals | None = None,
    ) -> Client:
        """Start the program, exchange greetings, set the options and wait until it is ready.

        `milliseconds`: the unit of a UCCI engine's clock; None: find out. `arrivals`: when the event loop was late.
        """
        try:
            arguments = split_command(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise EngineStartError(f"{command}: {error}") from None
        if not arguments:
            raise EngineStartError("no command was given")
        timeout = START_TIMEOUT if timeout is None else timeout
        launch = _Launch(arguments, cwd, name or Path(arguments[0]).name, log, arrivals)
        if variant != "xiangqi":
            client = await launch.greeted("uci", timeout)
        elif protocol == "auto":
            client = await launch.greeted_in_any(timeout, milliseconds)
        else:
            client = await launch.greeted(protocol, timeout)
            if protocol == "ucci":
                await launch.guarded(client, client._set_unit(milliseconds))
        await launch.guarded(client, client._settle(protocol, variant, options or {}))
        return client

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._pipe.pid

    @property
    def alive(self) -> bool:
        """Is its process still there?"""
        return self._pipe.alive

    @property
    def searching(self) -> bool:
        """Has it been told to search, and not answered yet?"""
        return self._searching

    async def quit(self, timeout: float = QUIT_TIMEOUT) -> int | None:
        """Ask the engine to quit, and kill it if it does not. Returns the exit code (negative: a signal)."""
        self._searching = False
        return await self._pipe.quit(timeout)

    async def kill(self) -> int | None:
        """Kill the process and its children."""
        self._searching = False
        return await self._pipe.kill()

    # The dialogue

    async def send(self, *lines: str) -> None:
        """Send lines as they are, for commands that have no method here."""
        await self._pipe.send(*lines)

    async def receive(self, timeout: float | None) -> tuple[float, str]:
        """The next line, unparsed, and its time of arrival (`time.perf_counter`)."""
        return await self._pipe.receive(timeout)

    async def ready(self, timeout: float = READY_TIMEOUT) -> None:
        """Send `isready` and wait for `readyok`."""
        await self.send("isready")
        await self._pipe.wait_for("readyok", timeout)

    async def set_option(self, name: str, value: OptionValue = None) -> None:
        """Set an announced option; the name is case-insensitive, and `Hash` and `hashsize` are the same."""
        option = self._find_option(name)
        if option is None:
            known = ", ".join(sorted(self.options)) or "none at all"
            raise OptionError(f"{self.name} has no option {name!r}; it announced {known}")
        text = option_value(self.name, option, value)
        if self.dialect == "ucci":
            await self.send(f"setoption {option.name} {text}".rstrip())
        else:
            await self.send(
                f"setoption name {option.name}" + (f" value {text}" if text or option.kind == "string" else "")
            )

    def supports(self, name: str) -> bool:
        """Did the engine announce this option, or the one with the same meaning?"""
        return self._find_option(name) is not None

    async def new_game(self) -> None:
        """Tell the engine that a new game starts, and wait until it is ready."""
        if self.dialect == "ucci":
            if self.supports("newgame"):
                await self.set_option("newgame")
        else:
            await self.send("ucinewgame")
        await self.ready()

    # Searching

    async def search(
        self,
        position: Position | str,
        limits: Limits = INFINITE,
        *,
        timeout: float | None = None,
        on_info: Callable[[Info], None] | None = None,
    ) -> SearchResult:
        """Search a position (a text is a FEN) with its history; the answer is in moves of this position.

        FenError or IllegalMoveError: the position is not one. ReplyError: the answer is not legal. A search that is
        cancelled (`asyncio.timeout`) is stopped, and the engine can be used again.
        """
        board = Position(position) if isinstance(position, str) else position.copy()
        fen, moves = history(board)

        def hear(report: Report) -> None:
            info = to_info(report, board)
            if info is not None and on_info is not None:
                on_info(info)

        result = await self.go(fen, moves, limits, timeout=timeout, on_info=hear if on_info else None)
        return search_result(result, board, self.name)

    async def go(
        self,
        fen: str | None,
        moves: Sequence[str] = (),
        limits: Limits = INFINITE,
        *,
        draw_offered: bool = False,
        timeout: float | None = None,
        on_info: Callable[[Report], None] | None = None,
    ) -> GoResult:
        """Search a position to the end, given as a FEN and moves; `search` takes a `Position`.

        In xiangqi, FenError, InvalidMoveError or IllegalMoveError says what is wrong with them. Without `timeout`, a
        timed search may take `SLACK` seconds more than it has.
        """
        if self.variant == "xiangqi":
            check_game(fen, moves)
        await self.begin(fen, moves, limits, draw_offered=draw_offered)
        return await self.finish(timeout, on_info)

    async def begin(
        self, fen: str | None, moves: Sequence[str] = (), limits: Limits = INFINITE, *, draw_offered: bool = False
    ) -> None:
        """Send the position, which is not checked, and `go`; `finish` returns the answer."""
        if self._searching:
            raise UnsupportedError(f"{self.name} is still searching")
        if limits.time is not None or limits.movetime is not None:
            await self.learn_unit()
        if limits.search_moves and self.dialect == "ucci":
            raise UnsupportedError("UCCI has no searchmoves")
        if limits.ban_moves and self.dialect != "ucci":
            raise UnsupportedError("UCI has no banmoves")
        white = white_to_move(fen, moves)
        dialect: Dialect = self.dialect
        line = go_line(
            limits, dialect, white=white, milliseconds=self.milliseconds is not False, draw_offered=draw_offered
        )
        lines = [position_line(fen, moves, dialect)]
        if limits.ban_moves:
            lines.append("banmoves " + " ".join(write_move(str(move), dialect) for move in limits.ban_moves))
        self._pipe.drop_lines()
        self._infos.clear()
        self._limits = limits
        await self._pipe.send(*lines, line)
        self._start_clock()
        self._searching = True

    async def ponder(self, fen: str | None, moves: Sequence[str], limits: Limits) -> None:
        """Start pondering, as if the last of `moves` had been played; the clock does not run yet."""
        await self.begin(fen, moves, replace(limits, ponder=True))

    async def ponderhit(self, *, draw_offered: bool = False) -> None:
        """The opponent played the expected move: the clock and `elapsed` start now."""
        self._limits = replace(self._limits, ponder=False)
        await self.send("ponderhit draw" if draw_offered and self.dialect == "ucci" else "ponderhit")
        self._start_clock()

    async def stop(self, timeout: float = STOP_TIMEOUT) -> GoResult:
        """Stop the search and return its answer; `elapsed` counts from the start of the search."""
        if not self._searching:
            raise UnsupportedError(f"{self.name} is not searching")
        await self.send("stop")
        return await self.finish(timeout)

    def _start_clock(self) -> None:
        self._began = time.perf_counter()
        self._processor = ProcessorWait(self.pid)

    async def finish(
        self,
        timeout: float | None = None,
        on_info: Callable[[Report], None] | None = None,
        allowance: float | None = None,
    ) -> GoResult:
        """Wait for the answer to `begin`. An engine that is late is stopped and raises EngineTimeout.

        `allowance`: after so many seconds of its search it is late. From then on `credit` tells for how long it waited
        for a processor, or this program stood still, and the timeout is so much later.
        """
        if not self._searching:
            raise UnsupportedError(f"{self.name} is not searching")
        limit = timeout if timeout is not None else self._patience()
        self.credit = 0.0
        try:
            if allowance is not None and limit is not None:
                return await self._credited_answer(allowance, limit, on_info)
            return await self._answer(None if limit is None else time.perf_counter() + limit, on_info)
        except EngineTimeout:
            assert limit is not None  # else nothing is late
            answered = await self._stop_late()
            raise EngineTimeout(silent(self.name, "bestmove", limit), answered) from None
        except EngineDied:
            self._searching = False
            raise
        except asyncio.CancelledError:
            if not await self._stop_late():
                await self.kill()  # its answer could be taken for that of the next search
            raise

    def _stalled(self) -> float:
        return self._arrivals.stalled(self._began) if self._arrivals else 0.0

    async def _credited_answer(
        self, allowance: float, limit: float, on_info: Callable[[Report], None] | None
    ) -> GoResult:
        """The answer within `limit` seconds of its search and what is credited, which is looked at again and again."""
        look, overdue = allowance, False
        while True:
            try:
                result = await self._answer(self._began + look, on_info)
                self.credit = max(self.credit, self._stalled())
                return result
            except EngineTimeout:
                spent = time.perf_counter() - self._began
                self.credit = max(self.credit, self._stalled(), self._processor.seconds())
                end = limit + self.credit
                if overdue and spent >= end:
                    raise
                overdue = spent >= end  # one more look: its answer may have arrived, but was not read yet
                look = spent + LOOK if overdue else min(spent + LOOK, end)

    async def _answer(self, deadline: float | None, on_info: Callable[[Report], None] | None) -> GoResult:
        awaited = ("bestmove", "nobestmove", "info") if on_info else ("bestmove", "nobestmove")
        while True:
            wait = None if deadline is None else max(0.0, deadline - time.perf_counter())
            for moment, line in await self._pipe.receive_until(awaited, wait):
                if line.startswith("info"):
                    if " score " in line or " nodes " in line:
                        self._infos.append(line)
                    if on_info:
                        on_info(parse_report(line, self.dialect))
                    continue
                answer = parse_answer(line, self.dialect)
                if answer is None:
                    continue
                self._searching = False
                if answer.move is not None and not 4 <= len(answer.move) <= 5:
                    raise ReplyError(Message("engine.no-move", name=self.name, text=shown(line)))
                infos = tuple(self._infos)
                elapsed = max(0.0, moment - self._began)
                return GoResult(answer.move, answer.ponder, answer.draw, answer.resign, elapsed, infos, self.dialect)

    async def _stop_late(self) -> bool:
        try:
            await self.send("stop")
            await self._answer(time.perf_counter() + LATE_TIMEOUT, None)
        except EngineError:
            return False
        return True

    def _patience(self) -> float | None:
        """How long a search with these limits may take; None if only `stop` or its depth ends it."""
        limits = self._limits
        if limits.ponder or limits.infinite:
            return None
        if limits.movetime is not None:
            return limits.movetime / 1000 + SLACK
        if limits.time is not None:
            return (limits.time + limits.byoyomi) / 1000 + SLACK
        return None

    # Details

    async def _greet(self, dialect: Dialect, timeout: float, impatient: bool) -> bool:
        """Send the opening word and read the greeting; False if it does not come."""
        self.dialect = dialect
        done = "ucciok" if dialect == "ucci" else "uciok"
        await self.send("ucci" if dialect == "ucci" else "uci")
        deadline = time.perf_counter() + timeout
        while True:
            try:
                _, line = await self.receive(max(LOOK, deadline - time.perf_counter()))
            except EngineTimeout:
                if time.perf_counter() < deadline + self._processor.seconds():
                    continue
                return False
            if line.split()[:1] == [done]:
                return True
            if line.startswith("id name "):
                self.id_name = line[8:].strip()
            elif impatient and "unknown command" in line.lower():
                return False
            option = parse_option(line)
            if option is not None and len(self.options) < OPTIONS_KEPT:
                self.options[option.name] = option

    async def learn_unit(self) -> None:
        """Find out with a test search whether a UCCI engine counts milliseconds or seconds, if that is not known.

        UCCI's unit is the second unless the option `usemillisec` exists and is set; some engines count milliseconds
        without having the option.
        """
        if self.milliseconds is not None:
            return
        awaited = ("bestmove", "nobestmove")
        self._pipe.drop_lines()
        await self._pipe.send(position_line(TRIAL_FEN, (), "ucci"), f"go time {TRIAL_TIME} movestogo 1")
        try:
            await self._pipe.receive_until(awaited, TRIAL_PATIENCE)
            self.milliseconds = True
        except EngineTimeout:
            await self.send("stop")
            await self._pipe.receive_until(awaited, STOP_TIMEOUT)
            self.milliseconds = False
        unit = "milliseconds" if self.milliseconds else "whole seconds, so it plays short time controls badly"
        self.warnings.append(f"{self.name} has no option usemillisec; a test shows that its clock counts {unit}")

    async def _set_unit(self, milliseconds: bool | None) -> None:
        """Ask for milliseconds; the unit is known if the engine announced the option and does not reject it."""
        await self.send("setoption usemillisec true", "isready")
        try:
            lines = await self._pipe.receive_until(("readyok",), READY_TIMEOUT)
        except EngineTimeout:
            raise EngineTimeout(silent(self.name, "readyok", READY_TIMEOUT)) from None
        refused = any(refuses_option(line, "usemillisec") for _, line in lines)
        known = self.supports("usemillisec") and not refused
        self.milliseconds = milliseconds if milliseconds is not None else True if known else None

    async def _settle(self, protocol: WantedDialect, variant: str, options: Mapping[str, OptionValue]) -> None:
        self.variant = variant
        if variant != "xiangqi":
            if self.supports("UCI_Variant"):
                await self.set_option("UCI_Variant", variant)
        elif self.dialect == "uci1" or (self.dialect == "uci" and protocol == "auto" and self.supports("UCI_Variant")):
            self.dialect = "uci1"
            await self.send("setoption name UCI_Variant value xiangqi")
        for name, value in options.items():
            await self.set_option(name, value)
        await self.ready()

    def _find_option(self, name: str) -> AnnouncedOption | None:
        """Look it up by name, case-insensitive, else by the equivalent name in our own table of options."""
        for announced, option in self.options.items():
            if plain_name(announced) == plain_name(name.strip()):
                return option
        meant = find(name)
        return next((option for key, option in self.options.items() if meant is not None and find(key) is meant), None)


class _Launch:
    """Starts a program, once or in each protocol that it may speak."""

    def __init__(
        self,
        arguments: list[str],
        cwd: str | Path | None,
        name: str,
        log: Callable[[str], None] | None,
        arrivals: Arrivals | None,
    ) -> None:
        self.arguments, self.cwd, self.name, self.log, self.arrivals = arguments, cwd, name, log, arrivals

    async def greeted(self, dialect: Dialect, timeout: float, impatient: bool = False) -> Client:
        """A client after the greeting; EngineStartError if it does not come."""
        pipe = await Pipe.open(self.arguments, self.cwd, self.name, self.log, self.arrivals)
        client = Client(pipe, self.arrivals)
        if await self.guarded(client, client._greet(dialect, timeout, impatient)):
            return client
        await client.kill()
        raise EngineStartError(silent(self.name, "ucciok" if dialect == "ucci" else "uciok", timeout))

    async def greeted_in_any(self, timeout: float, milliseconds: bool | None) -> Client:
        """UCCI if its clock unit is certain, else UCI, else UCCI with a test search."""
        short = min(timeout, DETECTION_TIMEOUT)
        try:
            ucci = await self.greeted("ucci", short, impatient=True)
            await self.guarded(ucci, ucci._set_unit(milliseconds))
        except EngineStartError:
            return await self.greeted("uci", timeout)
        if ucci.milliseconds is not None:
            return ucci
        try:
            uci = await self.guarded(ucci, self.greeted("uci", short, impatient=True), keep=EngineStartError)
        except EngineStartError:
            return ucci
        await ucci.quit()
        return uci

    async def guarded(self, client: Client, work: Awaitable[T], keep: type[BaseException] | tuple[()] = ()) -> T:
        """The result of the work. If it raises, the client is ended, unless the exception is one of `keep`.

        An engine that dies during start-up raises an EngineStartError.
        """
        try:
            return await work
        except BaseException as error:
            if not isinstance(error, keep):
                await client.kill()
            if isinstance(error, EngineDied):
                raise EngineStartError(error.message) from error
            raise
