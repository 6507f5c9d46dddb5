"""The state of a terminal session: the game, the players' strength, the coach, and the display preferences.

It turns lines into operations on the `XiangqiGame` and writes to a `TextScreen`; it does not depend on a terminal.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from chuhe.coach.score_words import line_text, score_for_red
from chuhe.common.waiting import wait_for
from chuhe.engine import AmbiguousMoveError, Info, InvalidMoveError, Law, Limits, Settings
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import Notation
from chuhe.engine.position import side_name
from chuhe.engine.search_handle import StopSignal
from chuhe.play.board import ROW_LOOKS, BoardLook, draw
from chuhe.play.opponents import (
    BookMove,
    EngineOpponent,
    Opponent,
    OpponentError,
    PositionEngine,
    Strength,
    StyleOpponent,
    make_opponent,
)
from chuhe.play.seats import MIDDLE_LEVEL, Seat
from chuhe.play.view import View
from chuhe.play.xiangqi_game import Ending, GameError, Turn, XiangqiGame
from chuhe.records.books.book import BUNDLED, Book, BookError, BookFiles, SideBooks
from chuhe.records.game_record import RecordedMove
from chuhe.text.columns import width
from chuhe.text.message import Argument, Language, Message, message_of, shown
from chuhe.text.points import ICCS_POINTS, ROW_POINTS, PointNames

if TYPE_CHECKING:
    from chuhe.engine import Engine

T = TypeVar("T")
GameContent = tuple[tuple[RecordedMove, ...], str, str]  # moves, comment, result
MIN_COLUMNS = 80  # terminal width that all output fits into


class TextScreen(Protocol):
    """Output and key presses. One implementation for terminals, one for pipes."""

    interactive: bool
    colour: bool

    def say(self, text: str) -> None: ...
    def status(self, text: str) -> None:
        """Lines that the next output replaces; not shown where lines cannot be replaced."""

    def page(self, text: str) -> None:
        """A text that may be longer than the screen."""

    def wait_for_key(self, seconds: float) -> bool:
        """Waits at most that long; True if a key was pressed."""


@dataclass
class Preferences:
    """How things are shown, and what programs may use."""

    board: BoardLook = "unicode"
    notation: Notation = "wxf"
    notation_elsewhere: Notation = "wxf"  # for the other boards; the classic one has its own
    black_at_bottom: bool = False
    show_thinking: bool = True
    ponder: bool = False
    use_book: bool = True
    book_files: BookFiles = BUNDLED
    hash_mb: int = 64
    threads: int = 1
    seed: int | None = None
    language: Language = "en"

    @property
    def points(self) -> PointNames:
        """How points are named: as on the board's edge."""
        return ROW_POINTS if self.board in ROW_LOOKS or self.notation == "rows" else ICCS_POINTS


class Workspace:
    """One session. `execute` takes a line that was typed; `let_programs_play` runs until a person is to move."""

    def __init__(
        self, screen: TextScreen, seats: tuple[Seat, Seat], preferences: Preferences, law: Law | None = None
    ) -> None:
        self.screen = screen
        self.preferences = preferences
        self.seats = list(seats)
        self.done = False
        self.paused = False
        self.refused: set[str] = set()  # lines that were rejected: never suggested again
        self.saved_paths: set[Path] = set()
        self._saved: GameContent | None = None  # of the game when it was saved or loaded
        self._warned: tuple[str, GameContent] | None = None  # the command that would have lost this game
        self._note = (-1, "")  # the note on a move: (plies played, text)
        self._first_words = ""  # below the next board
        self.random = random.Random(preferences.seed)
        self.settings = Settings(hash_mb=preferences.hash_mb, threads=preferences.threads, ponder=preferences.ponder)
        self.book: Book = SideBooks(preferences.book_files)
        self._coach: Engine | None = None
        self.game = XiangqiGame(law=law)
        self.game.points = preferences.points
        self.game.players = [self._seat_player(seat) for seat in self.seats]

    # --- players

    def _seat_player(self, seat: Seat) -> Opponent | None:
        if seat.human:
            return None
        book = self.book if self.preferences.use_book else None
        opponent = make_opponent(seat.strength, self.settings, book, self.random, seat.command)
        for text in opponent.warnings:
            self.screen.say(text)
        return opponent

    def seat(self, colour: int, seat: Seat) -> None:
        """Gives one side a new player and closes the old one."""
        player = self._seat_player(seat)
        old = self.game.players[colour]
        self.seats[colour], self.game.players[colour] = seat, player
        if old is not None:
            old.close()

    def change_strength(self, change: Callable[[Strength], Strength]) -> int:
        """Gives each of our own programs a new strength; returns how many there are."""
        count = 0
        for colour, seat in enumerate(self.seats):
            if not seat.human and seat.command is None:
                self.seat(colour, replace(seat, strength=change(seat.strength)))
                count += 1
        return count

    @property
    def programs(self) -> list[Opponent]:
        return [player for player in self.game.players if player is not None]

    # --- the book

    def use_books(self, use: bool, **files: str) -> None:
        """Changes the books (`both`, `red`, `black`) and whether programs use them.

        A BookError leaves everything unchanged.
        """
        if files:
            chosen = self.preferences.book_files._replace(**files)
            self.book = SideBooks(chosen)
            self.preferences.book_files = chosen
        self.preferences.use_book = use
        for player in self.programs:
            if isinstance(player, EngineOpponent):
                player.book = self.book if use else None

    # --- the coach

    @property
    def coach(self) -> Engine:
        """Our engine at full strength, for hints and analysis; separate from the opponents."""
        from chuhe.engine import Engine

        if self._coach is None:
            self._coach = Engine(self.settings)
        for player in self.programs:
            player.stop_pondering()
        self._coach.set_position(self.game.position)
        return self._coach

    def judges(self) -> list[PositionEngine]:
        """Whose evaluation is shown: that of the styles in the game, or our engine's if there are none."""
        styles: list[PositionEngine] = []
        for player in self.programs:
            if isinstance(player, StyleOpponent):
                player.stop_pondering()
                player.engine.set_position(self.game.position)
                styles.append(player.engine)
        return styles or [self.coach]

    # --- what is shown

    def use_board(self, board: BoardLook) -> None:
        """Changes how the board is drawn. The classic board uses its own coordinates while it is shown."""
        preferences = self.preferences
        if board in ROW_LOOKS and preferences.board not in ROW_LOOKS:
            preferences.notation_elsewhere, preferences.notation = preferences.notation, "rows"
        elif board not in ROW_LOOKS and preferences.board in ROW_LOOKS:
            preferences.notation = preferences.notation_elsewhere
        preferences.board = board
        self.game.points = preferences.points

    def use_notation(self, notation: Notation) -> None:
        self.preferences.notation = self.preferences.notation_elsewhere = notation
        self.game.points = self.preferences.points

    def say(self, text: str) -> None:
        self.screen.say(text)

    def tell(self, code: str, /, **arguments: Argument) -> None:
        """Says the message with this code."""
        self.screen.say(self.worded(Message(code, **arguments)))

    def worded(self, message: Message) -> str:
        """In the language of the session, with points named as on the board's edge."""
        return message.text(self.preferences.language, self.preferences.points)

    @property
    def simplified(self) -> bool:
        """Whether Chinese is written in simplified characters."""
        return self.preferences.language == "zh-Hans"

    def page(self, text: str) -> None:
        self.screen.page(text)

    def show_board(self, words: str = "") -> None:
        """Draws the board and one line below it, so that both fit on 24 rows.

        The line shows the last move, the side to move (or how the game ended), how many moves follow, and the clock; or
        the given words instead, or at first the greeting.
        """
        view = self.game.view(self.preferences.black_at_bottom)
        board = draw(view, self.preferences.board, self.screen.colour, self.simplified)
        if self.game.ending is None:
            words = words or self._first_words
        self._first_words = ""
        self.say(f"{board}\n{words or self._state_line(view)}")

    def greet(self) -> None:
        """Shows the board with the greeting directly above the prompt, where a small screen has it too.

        If a program begins against a person, it moves first.
        """
        if not self.game.turns:
            self._first_words = self.greeting()
        if self.game.opponent_to_move is not None and any(seat.human for seat in self.seats):
            self.let_programs_play()
        else:
            self.show_board()

    def _state_line(self, view: View) -> str:
        game = self.game
        parts = [self.turn_text(game.turns[-1])] if game.turns else []
        ending = game.ending
        if ending is not None:
            parts.append(self.worded(Message("play.over", result=ending.result, reason=ending.message)))
        else:
            side, checked = side_name(view.turn), view.checked_king is not None
            state = Message("play.to-move-in-check", side=side) if checked else Message("play.to-move", side=side)
            parts.append(self.worded(state))
        ahead = len(game.line) - len(game.turns)
        if ahead:
            parts.append(self.worded(Message("play.ahead", count=ahead)))
        if game.clock is not None:
            parts.append(self.worded(game.clock.message))
        line = "   ".join(parts)
        return line if width(line) < MIN_COLUMNS else "\n".join(parts)

    def turn_text(self, turn: Turn) -> str:
        dots = "." if turn.colour == 0 else "..."
        text = turn.text(self.preferences.notation)
        points = self.preferences.points
        by_points = self.preferences.notation == ("rows" if points.by_rows else "iccs")
        coordinates = "" if by_points else f" ({points.move(turn.move)})"
        ply, note = self._note
        said = f"  [{note}]" if note and ply == len(self.game.turns) else ""
        return f"{turn.number}{dots} {text}{coordinates}{said}"

    def greeting(self) -> str:
        """One line: who plays, at which level, and what to type."""
        people = [colour for colour in (0, 1) if self.seats[colour].human]
        if not people:
            programs = Message("play.programs", red=self._seat_words(0, False), black=self._seat_words(1, False))
            return self.worded(programs)
        first, second = people[0], 1 - people[0]
        greeting = Message(
            "play.greeting",
            first=side_name(first),
            one=self._seat_words(first),
            second=side_name(second),
            other=self._seat_words(second),
            example=self.example,
        )
        return self.worded(greeting)

    @property
    def example(self) -> str:
        """A move as the player would type it."""
        points = self.preferences.points
        chinese = self.preferences.language != "en" and not points.by_rows
        return "炮二平五" if chinese else points.example

    def _seat_words(self, colour: int, graded: bool = True) -> Message:
        """Who plays this colour; `graded`: with words for the first, the middle and the last level."""
        seat = self.seats[colour]
        if seat.human:
            return Message("play.you")
        if seat.command is not None or seat.strength.style != "engine":
            return self.game.player_label(colour)
        level = seat.strength.level
        if not graded:
            return Message("play.level", level=level, most=LEVELS[-1])
        if level == LEVELS[0]:
            return Message("play.level-first", level=level, most=LEVELS[-1])
        if level == MIDDLE_LEVEL:
            return Message("play.level-middle", level=level, most=LEVELS[-1])
        if level == LEVELS[-1]:
            return Message("play.level-full", level=level, most=LEVELS[-1])
        return Message("play.level", level=level, most=LEVELS[-1])

    def info_text(self, info: Info) -> str:
        line = line_text(self.game.position, info.pv, self.preferences.notation, 8)
        score = score_for_red(info.score, self.game.turn)
        if not info.nodes:
            return self.worded(Message("play.line", depth=info.depth, score=score, line=line))
        nodes = f"{info.nodes:,}"
        return self.worded(Message("play.line-nodes", depth=info.depth, score=score, nodes=nodes, line=line))

    # --- playing

    def play(self, text: str) -> None:
        """The person's move."""
        self.game.move(text)
        self.paused = False
        self.show_board()

    def let_programs_play(self) -> None:
        """Programs move until a person is to move, the game is over, or someone interrupts."""
        while not self.done and not self.paused and self.game.opponent_to_move is not None and self.game.ending is None:
            self.answer()

    def answer(self) -> None:
        """One move of the program whose turn it is."""
        player = self.game.opponent_to_move
        assert player is not None
        strength = self.seats[self.game.turn].strength
        last: list[Info] = []

        def on_info(info: Info) -> None:
            last[:] = [info]
            if self.preferences.show_thinking:
                self.screen.status(self.info_text(info))

        try:
            turn = self.waiting(lambda stop: self.game.answer(on_info, strength.limits(), stop))
        except (OpponentError, GameError) as error:
            self.paused = True
            self.tell("play.says", who=player.label, what=message_of(error))
            return
        self.screen.status("")
        self._report_answer(turn, player, last[0] if last else None)

    def _report_answer(self, turn: Turn | Ending, player: Opponent, info: Info | None) -> None:
        reply = self.game.last_answer
        if isinstance(turn, Turn):
            self._note = (
                len(self.game.turns),
                self.worded(Message("play.book")) if isinstance(reply, BookMove) else "",
            )
            if info is not None and self.preferences.show_thinking:
                self.game.position.pop()
                text = self.info_text(info)
                self.game.position.push(turn.move)
                self.tell("play.says", who=player.label, what=text)
        self.show_board()
        if self.preferences.ponder and reply and reply.ponder and self.game.opponent_to_move is None:
            colour = 1 - self.game.turn  # the program's side: its clock is the one to check
            limits = self.game.limits(self.seats[colour].strength.limits(), colour)
            player.begin_pondering(self.game.position, reply.ponder, limits)

    def waiting(self, work: Callable[[StopSignal], T]) -> T:
        """Run the work in a thread, so that this one hears Ctrl-C: the first stops the search, and the game pauses."""

        def pause() -> None:
            self.paused = True

        return wait_for(work, pause)

    def may_discard(self, command: str) -> bool:
        """May this command discard the game? At a terminal, an unsaved game only if it is typed twice in a row."""
        content = self._content()
        if not self.screen.interactive or not (content[0] or content[1]) or content == self._saved:
            return True
        if self._warned == (command, content):
            return True
        self._warned = command, content
        self.tell("play.not-saved", command=command)
        return False

    def note_saved(self) -> None:
        """Note that a file has the game as it is now."""
        self._saved = self._content()

    def _content(self) -> GameContent:
        record = self.game.record()
        return record.moves, record.comment, record.result

    def search_limits(self) -> Limits:
        """How long the coach thinks about a hint."""
        times = [seat.strength.movetime for seat in self.seats if seat.strength.movetime]
        return Limits(movetime=max(times, default=1000))

    def execute(self, line: str) -> bool:
        """One typed line: a command or a move. An error is reported in one line, and nothing is lost.

        Returns whether something was done.
        """
        from chuhe.play.typed_commands import find_command

        words = line.split(maxsplit=1)
        if not words:
            return False
        ending = self.game.check_clock()
        if ending is not None:
            self.tell("play.over", result=ending.result, reason=ending.message)
        command, warned = find_command(words[0]), self._warned
        try:
            if command is not None:
                command.handler(self, words[1].strip() if len(words) > 1 else "")
            else:
                self.play(line.strip())
        except (ValueError, OpponentError, BookError) as error:
            self.say(self._fault_text(error, words[0]))
            self.refused.add(line.strip())
            return False
        finally:
            if self._warned is warned:  # a warning is for the next line only
                self._warned = None
        self.refused.discard(line.strip())
        return True

    def _fault_text(self, error: Exception, word: str) -> str:
        """The message for a line that failed; `word` is its first word."""
        if isinstance(error, InvalidMoveError):
            return self.worded(_with_help(error, word))
        return self.worded(message_of(error))

    def close(self) -> None:
        for player in self.programs:
            player.close()


def _with_help(error: InvalidMoveError, word: str) -> Message:
    """The message for a line that is neither a move nor a command."""
    from difflib import get_close_matches

    from chuhe.play.typed_commands import COMMANDS

    if isinstance(error, AmbiguousMoveError):
        return error.message
    near = get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.75)
    if near:
        return Message("play.did-you-mean", text=shown(word), command=near[0])
    return Message("play.see-help", fault=error.message)
