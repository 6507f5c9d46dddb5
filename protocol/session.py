"""One dialogue: the state (boot, idle, thinking), the options, the position, and what each command does.

`handle` takes input lines; output goes to `write`, which may be called from the search's thread.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from chuhe.engine.errors import NetworkError
from chuhe.engine.values import XIANGQI
from chuhe.protocol import commands, format, options
from chuhe.protocol.job import Job
from chuhe.protocol.limits import has_end, limits_of
from chuhe.protocol.log import DialogueLog
from chuhe.protocol.manners import FULL_BOARD, Manners, accepts_draw
from chuhe.protocol.parse import parse
from chuhe.protocol.variants import Variant, only_xiangqi

if TYPE_CHECKING:
    from chuhe.engine.search_life import BegunSearch
    from chuhe.engine.values import BestMove, Info, Limits


class Session:
    """The engine as seen by a GUI.

    `bench` does the command of that name, with its arguments; `make_variant` creates the variant for a game.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        log: DialogueLog | None = None,
        variant: Variant | None = None,
        bench: Callable[[list[str]], int] | None = None,
        make_variant: Callable[[str], Variant] = only_xiangqi,
    ) -> None:
        self._write = write
        self._log = log or DialogueLog()
        self._run_bench = bench
        self._make_variant = make_variant
        self._lock = threading.RLock()  # a change of state and the line that reports it happen together
        self.protocol = ""  # boot: no protocol yet
        self._manners = Manners()
        self._job: Job | None = None
        self._waiting: deque[str] = deque()  # batch mode: lines that wait for the end of a search
        self._ended: Job | None = None  # the job whose thread handles these lines now
        self._bans: tuple[object, ...] = ()
        self._draw_offered = False
        self._pondering: Limits | None = None  # of a search whose clock does not run yet
        self._refused = ""  # why the last position was rejected; until the next `position` there is none to search
        self._pieces = FULL_BOARD
        self._variant = variant or make_variant(XIANGQI)
        self.values = self._variant.first_values()

    # The three states

    @property
    def state(self) -> str:
        if not self.protocol:
            return "boot"
        return "thinking" if self._job is not None else "idle"

    def handle(self, line: str) -> bool:
        """Handle a line; False if it is `quit`. No input raises an exception.

        In batch mode a line waits until the search has ended, unless it is `stop` or `quit`. `stop` also takes its
        place behind the lines that wait: one of them may start a search that only `stop` ends.
        """
        word = line.split()[:1]
        with self._lock:
            if self.in_batch and word not in ([], ["quit"]):
                waits = word != ["stop"] or self._job is None
                if waits or self._waiting:
                    self._waiting.append(line)
                if waits:
                    return True
        return self._handle(line)

    @property
    def in_batch(self) -> bool:
        """Is this batch mode, and does the session think or have lines that wait?"""
        job = self._job
        ending = (job is not None and job.ends) or self._ended is not None
        return bool(self.values["batch"]) and (ending or bool(self._waiting))

    def _end(self, job: Job, lines: list[str]) -> None:
        """The end of a job's thread: its answer, and the lines that wait for it."""
        with self._lock:
            self._job = self._pondering = None
            if not job.silent:
                self._lines(lines)
            if self._ended is not None:
                return  # the thread of an earlier job handles them
            self._ended = job
        self._handle_waiting()

    def _handle_waiting(self) -> None:
        """Up to the next search that ends by itself. Not under the lock: `stop` waits for another thread."""
        while True:
            with self._lock:
                if not self._waiting or (self._job is not None and self._job.ends):
                    self._ended = None
                    return
                line = self._waiting.popleft()
            self._handle(line)

    def _handle(self, line: str) -> bool:
        try:
            command = parse(line)
            if command is None:
                return True
            if command == commands.Simple("quit"):
                self._leave()
                return False
            self._dispatch(command)
        except (ValueError, MemoryError, OSError) as error:
            self._refuse(line, str(error) or type(error).__name__)
        except Exception as error:  # a bug: report it and go on
            self._refuse(line, f"internal error: {type(error).__name__}: {error}")
        return True

    def _refuse(self, line: str, reason: str) -> None:
        """Report what is wrong with a line, and still send the answer that the GUI waits for."""
        word = line.split(maxsplit=1)[0]
        self.say(reason)
        if self.state == "boot":
            return
        if word == "go" and self.state == "idle":
            self._emit(format.no_move(self.protocol))
        elif word == "probe":
            self._emit(format.pophash(None, self._variant.move_text))
        elif word in ("position", "fen", "startpos"):
            self._refused = reason

    def _dispatch(self, command: commands.Command) -> None:
        if isinstance(command, commands.Greet):
            self._greet(command)
        elif isinstance(command, commands.Simple) and command.word == "help":
            self._lines(format.HELP.splitlines())
        elif isinstance(command, commands.Simple) and command.word == "isready":
            self._is_ready()
        elif isinstance(command, commands.Unknown):
            self._ignore(f"unknown command {command.word!r}; `help` lists the commands")
        elif self.state == "boot":
            return  # no protocol yet, so there is no format for a message
        elif isinstance(command, commands.Simple) and command.word == "stop":
            self._stop()
        elif isinstance(command, commands.PonderHit):
            self._ponder_hit(command)
        elif isinstance(command, commands.ProbeHash):
            self._emit(format.pophash(self._variant.probe(command.fen, command.moves), self._variant.move_text))
        elif isinstance(command, commands.Debug):
            self.values["debug"] = command.on
        elif self.state == "thinking":
            why = "the engine was thinking, so the command was ignored"
            if isinstance(command, commands.SetPosition):
                self._refused = why
            self._ignore(why, always=self.protocol != "ucci")
        else:
            self._when_idle(command)

    def _when_idle(self, command: commands.Command) -> None:
        if isinstance(command, commands.SetPosition):
            if command.bare:  # only the Cyclone dialect does this, so its ranks count from 0
                self._variant.use_cyclone_ranks()
            self._set_position(command.fen, command.moves)
        elif isinstance(command, commands.Go):
            self._go(command)
        elif isinstance(command, commands.SetOption):
            self._set_option(command)
        elif isinstance(command, commands.BanMoves):
            self._need_position()
            self._bans = self._variant.read_moves(command.moves)
        elif isinstance(command, commands.Bench):
            self._bench(command)
        elif isinstance(command, commands.Simple):
            self._simple(command.word)

    # Lines out

    def _emit(self, line: str) -> None:
        self._write(line)

    def _lines(self, lines: list[str]) -> None:
        self._write("\n".join(lines))

    def say(self, text: str) -> None:
        """A message for the user."""
        self._emit(format.message(text, self.protocol or "ucci"))

    def _ignore(self, why: str, always: bool = False) -> None:
        """Report an ignored line; the protocols want silence, except in debug mode."""
        if always or self.values["debug"]:
            self.say(why)

    # Commands of every state

    def _greet(self, command: commands.Greet) -> None:
        if self.state == "thinking":
            self._ignore("the engine was thinking, so the command was ignored")
            return
        self.protocol = "ucci" if command.protocol == "ucci" else "uci"
        if command.protocol != "uci":
            self._variant.use_cyclone_ranks()
        variant = self._variant
        defaults = {**variant.first_values(), "variant": self.values["variant"]}
        self._lines(format.greeting(self.protocol, variant.id_name, defaults, variant.takes))

    def _is_ready(self) -> None:
        """Always answer `readyok`, after everything is prepared."""
        if self.state == "idle":
            try:
                self._variant.prepare()
                if self.values["usebook"]:
                    self._variant.book_moves(self.values)
            except Exception as error:
                self.say(str(error) or type(error).__name__)
            self._say_notices()
        self._emit("readyok")

    def _say_notices(self) -> None:
        for text in self._variant.take_notices():
            self.say(text)

    def _stop(self) -> None:
        with self._lock:
            job = self._job
            if job is None:
                if self.protocol == "ucci":
                    self._emit("nobestmove")
                return
        job.stop()

    def _ponder_hit(self, command: commands.PonderHit) -> None:
        job, limits = self._job, self._pondering
        if job is None or limits is None:
            self._ignore("ponderhit without a ponder search")
            return
        self._pondering = None
        self._draw_offered = self._draw_offered or command.draw
        job.ends = has_end(limits)
        self._variant.engine.ponderhit()

    def _leave(self) -> None:
        with self._lock:
            self._waiting.clear()
            job = self._job
        if job is not None:
            job.stop(silent=True)
        if self.protocol == "ucci":
            self._emit("bye")

    def finish(self) -> None:
        """End of input: let a search with a limit finish, stop any other."""
        while (job := self._job or self._ended) is not None:
            if job is self._job and not job.ends:
                job.stop()
            job.join()

    # Commands of the idle state

    def _set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        self._variant.set_position(fen, moves)
        self._refused = ""
        self._bans = ()
        pieces = sum(letter.isalpha() for letter in self._variant.fen.split()[0])
        if pieces > self._pieces or (fen is None and len(moves) < 2):  # a game never gains pieces, so this is a new one
            self._manners.forget()
        self._pieces = pieces

    def _simple(self, word: str) -> None:
        if word == "ucinewgame":
            self._new_game()
        elif word == "flip":
            self._need_position()
            self._set_position(self._variant.flipped(), ())
        elif self._refused:
            self.say(f"this is the last valid position; the one after it was refused: {self._refused}")
        if word == "d":
            self._lines([*format.diagram(self._variant.fen, self._variant.ranks_from), "", *self._variant.details()])
        elif word == "eval":
            self._lines(self._variant.placed_engine().evaluation_table().splitlines())

    def _need_position(self) -> None:
        if self._refused:
            raise commands.CommandError(f"there is no position, because the last one was refused: {self._refused}")

    def _new_game(self) -> None:
        self._manners.forget()
        self._variant.engine.new_game()

    def _bench(self, command: commands.Bench) -> None:
        if self._run_bench is None:
            raise commands.CommandError("this session has no bench")
        import contextlib

        from chuhe.protocol.stream import LineStream

        with LineStream(self._emit) as stream, contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            try:
                self._run_bench(["--variant", self._variant.name, *command.arguments])
            except SystemExit:
                return  # argparse exits after an error or --help

    # Options

    def _set_option(self, command: commands.SetOption) -> None:
        option = options.find(command.name)
        if option is None or (option.style_only and not self._variant.takes(option)):
            self._ignore(f"unknown option {command.name[:40]!r}")
            return
        if self._variant.plays_this_game_only and not self._variant.takes(option):
            self._ignore(f"a style has no option {option.name}")
            return
        if option.kind == "button":
            self._new_game() if option.key == "newgame" else self._variant.engine.clear_hash()
            return
        value = options.parse_value(option, command.value, self.protocol)
        if option.key == "logfile" and value != self.values["logfile"]:  # a default sent back does not end --log
            self._log.open(cast("str", value))
        if option.key == "evalfile":
            self._variant.load_network(cast("str", value))
        if option.key in ("bookfiles", "redbookfiles", "blackbookfiles"):
            self._variant.load_books(cast("str", value))
        if option.key == "egtbpaths":
            for text in self._variant.load_tables(cast("str", value)):
                self.say(text)
        if option.key == "variant":
            self._set_variant(cast("str", value))
        else:
            self._variant.configure({**self.values, option.key: value})
        self.values[option.key] = value

    def _set_variant(self, uci_name: str) -> None:
        game = options.UCI_VARIANTS[uci_name]
        if game != self._variant.name:
            if self._variant.plays_this_game_only:
                raise ValueError(f"a style plays {self._variant.name} only, not {game}")
            variant = self._make_variant(game)  # starts at its start position
            self._configure_fresh(variant)
            self._variant = variant
            self._bans, self._refused, self._pieces = (), "", FULL_BOARD
        self._variant.use_ranks_of(uci_name, self.protocol)

    def _configure_fresh(self, variant: Variant) -> None:
        """Apply all values to a variant. A network file that was set for another one and cannot be read is dropped."""
        try:
            variant.configure(self.values)
        except NetworkError as error:
            self.say(f"{error}; using the bundled network")
            self.values["evalfile"] = options.BY_KEY["evalfile"].default
            variant.configure(self.values)

    # Searching

    def _go(self, go: commands.Go) -> None:
        variant = self._variant
        self._need_position()
        if go.perft is not None:
            self._start(Job(lambda job: self._perft(job, cast("int", go.perft)), lambda: None))
            return
        if go.depth == 0 and self.protocol == "ucci":
            self._lines([format.static_score(variant.placed_engine().evaluate(), self.protocol), "nobestmove"])
            return
        limits = limits_of(
            go,
            red_to_move=variant.red_to_move,
            milliseconds=bool(self.values["usemillisec"]),
            search_moves=variant.read_moves(go.searchmoves),
            ban_moves=self._bans,  # type: ignore[arg-type]
        )
        self._draw_offered = go.draw
        book_lines = self._book_answer(limits)
        if book_lines:
            self._lines(book_lines)
            return
        job = Job(
            lambda job: self._search(job, search), variant.engine.stop, ends=has_end(limits) and not limits.ponder
        )
        search = variant.placed_engine().begin(limits, lambda info: self._report(job, info))
        self._pondering = limits if limits.ponder else None
        try:
            self._start(job)
        except RuntimeError:
            search.cancel()
            raise

    def _start(self, job: Job) -> None:
        self._job = job
        try:
            job.start()
        except RuntimeError:
            self._job = None
            raise

    def _search(self, job: Job, search: BegunSearch[BestMove]) -> None:
        """The search's thread: always ends with a `bestmove`."""
        lines = [format.no_move(self.protocol)]
        try:
            lines = self._search_answer(search)
        except Exception as error:
            self.say(f"search failed: {type(error).__name__}: {error}")
        self._say_notices()
        self._end(job, lines)

    def _report(self, job: Job, info: Info) -> None:
        if job.silent:
            return
        lines = format.info_lines(
            info,
            self.protocol,
            self._variant.move_text,
            multipv=cast("int", self.values["multipv"]) > 1,
            wdl=bool(self.values["wdl"]),
        )
        if lines:
            self._lines(lines)

    def _search_answer(self, search: BegunSearch[BestMove]) -> list[str]:
        variant, protocol = self._variant, self.protocol
        best = search.run()
        draw, resign = self._decide(best) if best.move is not None else (False, False)
        answer = format.best_move(best.move, best.ponder, protocol, variant.move_text, draw=draw, resign=resign)
        return [*format.summary(best, protocol), answer]

    def _decide(self, best: BestMove) -> tuple[bool, bool]:
        """Does the move come with a draw (accepted or offered), and does it come with a resignation?"""
        manners, values = self._manners, self.values
        manners.note(best.score)
        if manners.resigns(cast("int", values["resign"])):
            return False, True
        if self._draw_offered:
            draw_score = cast("int", values["drawscore"])
            return accepts_draw(manners.last_score, self._variant.ply, self._pieces, draw_score), False
        return bool(values["drawoffer"]) and manners.offers_draw(self._variant.ply), False

    def _book_answer(self, limits: Limits) -> list[str]:
        """The lines for a book move, in games on a clock only; empty if there is none."""
        on_clock = (limits.time is not None or limits.movetime is not None) and not (limits.infinite or limits.ponder)
        if not self.values["usebook"] or self.values["analysis"] or not on_clock or limits.search_moves:
            return []
        try:
            choices = self._variant.book_moves(self.values)
        except (ValueError, OSError) as error:
            self.say(str(error))
            return []
        choices = [choice for choice in choices if choice[0] not in limits.ban_moves]
        if not choices:
            return []
        import random

        move = random.choices([move for move, _ in choices], [weight for _, weight in choices])[0]
        text = format.message(f"from the book (choices: {len(choices)})", self.protocol)
        return [text, format.best_move(move, None, self.protocol, self._variant.move_text)]

    def _perft(self, job: Job, depth: int) -> None:
        total = 0
        try:
            limit = self._variant.perft_limit
            if not 1 <= depth <= limit:
                raise ValueError(f"go perft takes 1 to {limit}, not {depth}")
            for text, count in self._variant.perft(depth, lambda: job.stopped):
                self._emit(f"{text}: {count}")
                total += count
        except Exception as error:
            self.say(str(error))
        self._end(job, ["", f"Nodes searched: {total}" + (" (stopped)" if job.stopped else "")])
