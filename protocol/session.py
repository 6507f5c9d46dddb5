"""One dialogue: the state (boot, idle, thinking), the options, the position, and what each command does.

One thread, in `run`, does everything; other threads only add to its queue: the reader its lines, a search its reports
and its answer. Nothing in that thread waits for a search, so every line is heard at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar, cast

from chuhe.engine.errors import NetworkError
from chuhe.engine.search_handle import SearchHandle
from chuhe.engine.values import XIANGQI, Limits
from chuhe.protocol import commands, format, options
from chuhe.protocol.limits import limits_from_go
from chuhe.protocol.log import DialogueLog
from chuhe.protocol.parse import parse
from chuhe.protocol.resign_draw import FULL_BOARD, ResignDraw, accepts_draw
from chuhe.protocol.variants import Variant, only_xiangqi

if TYPE_CHECKING:
    from chuhe.engine.values import BestMove, Info


class Input(Enum):
    """What the reader says of its input, beside its lines."""

    LAST = "last"  # `quit`, which may be the last line of a script: then batch mode first answers everything
    END = "end"  # no line will follow


T = TypeVar("T")
Event = str | Input | Callable[[], object]  # a line, the state of the input, or what a search has to say


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
        self.events: SimpleQueue[Event] = SimpleQueue()
        self.protocol = ""  # boot: no protocol yet
        self._resign_draw = ResignDraw()
        self.search: SearchHandle[Any] | None = None  # the search, or perft, whose answer is due
        self._waiting: deque[str] = deque()  # lines that wait for that answer
        self._bans: tuple[object, ...] = ()
        self._draw_offered = False
        self._refused = ""  # why the last position was rejected; until the next `position` there is none to search
        self._pieces = FULL_BOARD
        self.variant = variant or make_variant(XIANGQI)
        self.values = self.variant.first_values()

    # The three states

    @property
    def state(self) -> str:
        if not self.protocol:
            return "boot"
        return "idle" if self.search is None else "thinking"

    # Events

    def run(self) -> None:
        """Handle events until `quit`, or until the input has ended and everything is answered."""
        while (event := self.events.get()) is not Input.END:
            if not self.handle(event):
                return
        self.finish()

    def finish(self) -> None:
        """Handle events until everything is answered. A search that would not end is stopped."""
        while self.search is not None:
            if not self.search.ends:
                self.search.stop()
            self.handle(self.events.get())

    def handle(self, event: Event) -> bool:
        """Handle an event; False if it is `quit`. No input raises an exception.

        A line waits for the answer of a search that has been stopped, in batch mode of any that ends by itself. Only
        `stop` and `quit` do not wait. If lines wait, `stop` reaches the newest search all the same: it ends the one
        that runs, and takes its place behind them.
        """
        if event is Input.LAST and self._must_wait and self.values["batch"]:
            self._waiting.append("quit")
            return True
        if isinstance(event, Input):
            return self._handle("quit")
        if not isinstance(event, str):
            return event() is not False
        if not self._must_wait or first_word(event) == "quit":
            return self._handle(event)
        if first_word(event) == "stop":
            self._stop()
        if first_word(event) != "stop" or self._waiting:
            self._waiting.append(event)
        return True

    @property
    def _must_wait(self) -> bool:
        search = self.search
        return search is not None and (search.ending or (bool(self.values["batch"]) and search.ends))

    def _begin(self, search: SearchHandle[T], answer: Callable[[SearchHandle[T]], None]) -> None:
        """A search has been started, which `answer` will answer."""
        self.search = search
        search.add_done_callback(lambda _: self.events.put(partial(self._end, partial(answer, search))))

    def _end(self, answer: Callable[[], None]) -> bool:
        """The search has ended: its answer, then the lines that waited, up to the next answer that is due. False after
        `quit`."""
        self.search = None
        answer()
        while self._waiting and not self._must_wait:
            line = self._waiting.popleft()
            has_stopped = first_word(line) == "stop" and self.search is None  # what it was meant for, before its turn
            if not has_stopped and not self._handle(line):
                return False
        if "stop" in map(first_word, self._waiting):
            self._stop()
        return True

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
            self._emit(format.pophash(None, self.variant.move_text))
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
            self._emit(format.pophash(self.variant.probe(command.fen, command.moves), self.variant.move_text))
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
                self.variant.use_cyclone_ranks()
            self._set_position(command.fen, command.moves)
        elif isinstance(command, commands.Go):
            self._go(command)
        elif isinstance(command, commands.SetOption):
            self._set_option(command)
        elif isinstance(command, commands.BanMoves):
            self._need_position()
            self._bans = self.variant.read_moves(command.moves)
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
            self.variant.use_cyclone_ranks()
        variant = self.variant
        defaults = {**variant.first_values(), "variant": self.values["variant"]}
        self._lines(format.greeting(self.protocol, variant.id_name, defaults, variant.takes))

    def _is_ready(self) -> None:
        """Always answer `readyok`, after everything is prepared."""
        if self.state == "idle":
            try:
                self.variant.prepare()
                if self.values["usebook"]:
                    self.variant.book_moves(self.values)
            except Exception as error:
                self.say(str(error) or type(error).__name__)
            self._say_notices()
        self._emit("readyok")

    def _say_notices(self) -> None:
        for text in self.variant.take_notices():
            self.say(text)

    def _stop(self) -> None:
        if self.search is not None:
            self.search.stop()
        elif self.protocol == "ucci":
            self._emit("nobestmove")

    def _ponder_hit(self, command: commands.PonderHit) -> None:
        if self.search is None or not self.search.ponderhit():
            self._ignore("ponderhit without a ponder search")
        else:
            self._draw_offered = self._draw_offered or command.draw

    def _leave(self) -> None:
        self._waiting.clear()
        while self.search is not None and self.search.ending:
            self.handle(self.events.get())
        if self.search is not None:
            self.search.cancel()
            self.search = None
        if self.protocol == "ucci":
            self._emit("bye")

    # Commands of the idle state

    def _set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        self.variant.set_position(fen, moves)
        self._refused = ""
        self._bans = ()
        pieces = sum(letter.isalpha() for letter in self.variant.fen.split()[0])
        if pieces > self._pieces or (fen is None and len(moves) < 2):  # a game never gains pieces, so this is a new one
            self._resign_draw.forget()
        self._pieces = pieces

    def _simple(self, word: str) -> None:
        if word == "ucinewgame":
            self._new_game()
        elif word == "flip":
            self._need_position()
            self._set_position(self.variant.flipped(), ())
        elif self._refused:
            self.say(f"this is the last valid position; the one after it was refused: {self._refused}")
        if word == "d":
            self._lines([*format.diagram(self.variant.fen, self.variant.ranks_from), "", *self.variant.details()])
        elif word == "eval":
            self._lines(self.variant.placed_engine().evaluation_table().splitlines())

    def _need_position(self) -> None:
        if self._refused:
            raise commands.CommandError(f"there is no position, because the last one was refused: {self._refused}")

    def _new_game(self) -> None:
        self._resign_draw.forget()
        self.variant.engine.new_game()

    def _bench(self, command: commands.Bench) -> None:
        if self._run_bench is None:
            raise commands.CommandError("this session has no bench")
        import contextlib

        from chuhe.protocol.stream import LineStream

        with LineStream(self._emit) as stream, contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            try:
                self._run_bench(["--variant", self.variant.name, *command.arguments])
            except SystemExit:
                return  # argparse exits after an error or --help

    # Options

    def _set_option(self, command: commands.SetOption) -> None:
        option = options.find(command.name)
        if option is None or (option.style_only and not self.variant.takes(option)):
            self._ignore(f"unknown option {command.name[:40]!r}")
            return
        if self.variant.plays_this_game_only and not self.variant.takes(option):
            self._ignore(f"a style has no option {option.name}")
            return
        if option.kind == "button":
            self._new_game() if option.key == "newgame" else self.variant.engine.clear_hash()
            return
        value = options.parse_value(option, command.value, self.protocol)
        if option.key == "logfile" and value != self.values["logfile"]:  # a default sent back does not end --log
            self._log.open(cast("str", value))
        if option.key == "evalfile":
            self.variant.load_network(cast("str", value))
        if option.key in ("bookfiles", "redbookfiles", "blackbookfiles"):
            self.variant.load_books(cast("str", value))
        if option.key == "egtbpaths":
            for text in self.variant.load_tables(cast("str", value)):
                self.say(text)
        if option.key == "variant":
            self._set_variant(cast("str", value))
        else:
            self.variant.configure({**self.values, option.key: value})
        self.values[option.key] = value

    def _set_variant(self, uci_name: str) -> None:
        game = options.UCI_VARIANTS[uci_name]
        if game != self.variant.name:
            if self.variant.plays_this_game_only:
                raise ValueError(f"a style plays {self.variant.name} only, not {game}")
            variant = self._make_variant(game)  # starts at its start position
            self._configure_fresh(variant)
            self.variant = variant
            self._bans, self._refused, self._pieces = (), "", FULL_BOARD
        self.variant.use_ranks_of(uci_name, self.protocol)

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
        variant = self.variant
        self._need_position()
        if go.perft is not None:
            self._perft(go.perft)
            return
        if go.depth == 0 and self.protocol == "ucci":
            self._lines([format.static_score(variant.placed_engine().evaluate(), self.protocol), "nobestmove"])
            return
        limits = limits_from_go(
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
        search = variant.placed_engine().start(None, limits, self._hear)
        self._begin(search, self._answer)

    def _hear(self, info: Info) -> None:
        """Called in the search's thread."""
        self.events.put(partial(self._report, info))

    def _answer(self, search: SearchHandle[BestMove]) -> None:
        """The search is answered: always with a `bestmove`."""
        lines = [format.no_move(self.protocol)]
        try:
            lines = self._answer_lines(search.result())
        except Exception as error:
            self.say(f"search failed: {type(error).__name__}: {error}")
        self._say_notices()
        self._lines(lines)

    def _report(self, info: Info) -> None:
        lines = format.info_lines(
            info,
            self.protocol,
            self.variant.move_text,
            multipv=cast("int", self.values["multipv"]) > 1,
            wdl=bool(self.values["wdl"]),
        )
        if lines:
            self._lines(lines)

    def _answer_lines(self, best: BestMove) -> list[str]:
        variant, protocol = self.variant, self.protocol
        draw, resign = self._decide(best) if best.move is not None else (False, False)
        answer = format.best_move(best.move, best.ponder, protocol, variant.move_text, draw=draw, resign=resign)
        return [*format.summary(best, protocol), answer]

    def _decide(self, best: BestMove) -> tuple[bool, bool]:
        """Does the move come with a draw (accepted or offered), and does it come with a resignation?"""
        resign_draw, values = self._resign_draw, self.values
        resign_draw.note(best.score)
        if resign_draw.resigns(cast("int", values["resign"])):
            return False, True
        if self._draw_offered:
            draw_score = cast("int", values["drawscore"])
            return accepts_draw(resign_draw.last_score, self.variant.ply, self._pieces, draw_score), False
        return bool(values["drawoffer"]) and resign_draw.offers_draw(self.variant.ply), False

    def _book_answer(self, limits: Limits) -> list[str]:
        """The lines for a book move, in games on a clock only; empty if there is none."""
        on_clock = (limits.time is not None or limits.movetime is not None) and not (limits.infinite or limits.ponder)
        if not self.values["usebook"] or self.values["analysis"] or not on_clock or limits.search_moves:
            return []
        try:
            choices = self.variant.book_moves(self.values)
        except (ValueError, OSError) as error:
            self.say(str(error))
            return []
        choices = [choice for choice in choices if choice[0] not in limits.ban_moves]
        if not choices:
            return []
        import random

        move = random.choices([move for move, _ in choices], [weight for _, weight in choices])[0]
        text = format.message(f"from the book (choices: {len(choices)})", self.protocol)
        return [text, format.best_move(move, None, self.protocol, self.variant.move_text)]

    def _perft(self, depth: int) -> None:
        limit, variant = self.variant.perft_limit, self.variant
        if not 1 <= depth <= limit:
            raise ValueError(f"go perft takes 1 to {limit}, not {depth}")

        def count(search: SearchHandle[int]) -> int:
            total = 0
            for text, leaves in variant.perft(depth, lambda: search.stopped):
                self.events.put(partial(self._emit, f"{text}: {leaves}"))
                total += leaves
            return total

        search = SearchHandle(count, Limits(depth=depth))
        search.begin()
        self._begin(search, self._answer_perft)

    def _answer_perft(self, search: SearchHandle[int]) -> None:
        try:
            self._lines(["", f"Nodes searched: {search.result()}" + (" (stopped)" if search.stopped else "")])
        except Exception as error:
            self.say(str(error))


def first_word(line: str) -> str:
    return next(iter(line.split()), "")
