"""A game of xiangqi between two players, without any input or output.

A user interface (terminal, web page) needs four operations: `start` a game, play the person's move (`move`), let
the program `answer`, and redraw from the `view`. Everything else (undo, resigning, clocks, files) builds on these.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from chuhe.common.time_control import TimeControl
from chuhe.engine import START_FEN, IllegalMoveError, Law, Limits, Move, Outcome, Position, Reason
from chuhe.engine.base_engine import OnInfo
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.engine.position import result_for, side_name
from chuhe.engine.search_handle import StopSignal
from chuhe.engine.values import Result, Score
from chuhe.play.game_clock import GameClock, SavedClock
from chuhe.play.opponents import Opponent, Reply
from chuhe.play.view import View, view_of
from chuhe.protocol.resign_draw import accepts_draw
from chuhe.protocol.search_result import SearchResult
from chuhe.records.game_record import GameRecord
from chuhe.records.game_tree import GameTree, Node
from chuhe.text.errors import UserError
from chuhe.text.message import LANGUAGES, Language, Message, PointMove, verbatim
from chuhe.text.points import ICCS_POINTS

COLOURS = ("Red", "Black")
DRAW_JUDGEMENT_MS = 500


class GameError(UserError):
    """The operation is not possible in this state of the game; the text says why."""


@dataclass(frozen=True)
class Turn:
    """A move that was played: the move, its text in every notation, and what it captured."""

    move: Move
    colour: int
    number: int  # of the full move
    texts: dict[Notation, str]
    captured: str = ""  # FEN letter

    def text(self, notation: Notation) -> str:
        return self.texts[notation]


@dataclass(frozen=True)
class Ending:
    """How the game ended, and why."""

    result: Result
    message: Message

    @property
    def text(self) -> str:
        """The message in English."""
        return str(self.message)


def turn_of(position: Position, move: Move) -> Turn:
    """A legal move as a turn, before it is made."""
    texts = {notation: move_text(position, move, notation) for notation in NOTATIONS}
    captured = position.piece_at(move.to_square)
    return Turn(move, position.turn, position.fullmove_number, texts, captured.symbol if captured else "")


class XiangqiGame:
    """One game. Players are opponents (programs) or None (a person), Red first.

    What is taken back stays in `tree` as a variation; `node` is the current position in it.
    """

    def __init__(
        self,
        players: tuple[Opponent | None, Opponent | None] = (None, None),
        law: Law | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.players = list(players)
        self.law = law or Law()
        self.position = Position()
        self.turns: list[Turn] = []
        self.clock: GameClock | None = None
        self.tree = GameTree()
        self.node = self.tree.root
        self.last_answer: Reply | None = None  # of a program, with the reply it expects
        self.points = ICCS_POINTS  # how points are read and named
        self._now = now
        self._agreed: Ending | None = None
        self._left: tuple[Node, Ending | None] | None = None  # the end of the game while someone steps through it
        self._saved_clocks: list[SavedClock | None] = []  # the clock before each turn

    # --- the four operations

    def start(self, fen: str = START_FEN) -> None:
        """A new game from a position; a FenError leaves the old game unchanged."""
        self._set_up(GameTree(fen))
        for player in self.players:
            if player is not None:
                player.new_game()

    def move(self, text: str | Move) -> Turn:
        """Plays a move for the side to move, in any notation.

        Nothing changes when it raises: InvalidMoveError (not a move), IllegalMoveError (with the reason; also a
        check or chase that would lose by perpetual repetition while there is another move), GameError (no move can be
        made now).
        """
        self._must_go_on()
        move = self.position.parse_move(text, self.points) if isinstance(text, str) else text
        self._refuse_perpetual(move)
        return self._play(move)

    def answer(
        self,
        on_info: OnInfo = lambda info: None,
        limits: Limits | None = None,
        stop: StopSignal | None = None,
    ) -> Turn | Ending:
        """Lets the program whose turn it is think and play. An Ending means that it resigned or broke the rules."""
        self._must_go_on()
        colour = self.position.turn
        player = self.players[colour]
        if player is None:
            raise GameError(Message("game.persons-move", side=side_name(colour)))
        return self.accept(player.choose(self.position, self.limits(limits), on_info, stop))

    def accept(self, reply: Reply) -> Turn | Ending:
        """Plays what the program whose turn it is has chosen; for callers that run its search themselves."""
        colour = self.position.turn
        self.last_answer = reply
        if self.check_clock() is not None:
            assert self._agreed is not None
            return self._agreed
        if reply.move is None or (isinstance(reply, SearchResult) and reply.resign):
            return self.resign(colour)
        if not self.position.is_legal(reply.move):
            played = PointMove((reply.move.from_square, reply.move.to_square))
            fault = Message("game.illegal-move", player=self.player_label(colour), move=played)
            return self._end(result_for(colour), fault)
        return self._play(reply.move)

    def view(self, black_at_bottom: bool = False) -> View:
        """What drawing the board needs."""
        return view_of(self.tree, self.node, black_at_bottom)

    # --- the state of the game

    @property
    def turn(self) -> int:
        return self.position.turn

    @property
    def start_fen(self) -> str:
        return self.tree.fen

    @property
    def opponent_to_move(self) -> Opponent | None:
        return self.players[self.position.turn]

    @property
    def can_redo(self) -> bool:
        return bool(self.node.children)

    @property
    def ending(self) -> Ending | None:
        """How the game ended: by the rules, by agreement, resignation or time; None while it is in progress."""
        if self._agreed is not None:
            return self._agreed
        return _ending_of(self.position.outcome(self.law))

    @property
    def result(self) -> Result:
        return self.ending.result if self.ending else "*"

    def player_label(self, colour: int) -> Message:
        player = self.players[colour]
        return player.label if player is not None else Message("player.human")

    def limits(self, limits: Limits | None = None, colour: int | None = None) -> Limits:
        """The limits of a side's next move (the mover's): the clock if there is one, else those given."""
        if self.clock is None:
            return limits or Limits(movetime=1000)
        if colour is None:
            colour = self.position.turn
        control = self.clock.control
        return Limits(
            depth=limits.depth if limits else None,
            time=max(1, self.clock.remaining(colour)),
            increment=control.increment,
            byoyomi=control.byoyomi,
            moves_to_go=self.clock.moves_to_go(colour),
            opponent_time=max(1, self.clock.remaining(1 - colour)),
            opponent_increment=control.increment,
        )

    # --- taking back, ending

    def undo(self) -> int:
        """Takes back a resignation or an agreed draw; else moves, to the last position where a person was to move.

        Returns the number of moves taken back.
        """
        if self._agreed is not None and (not self.turns or self._agreed.message.code != "game.loses-on-time"):
            self._agreed = None  # only the resignation or the agreement
            if self.clock is not None and self.turns:
                self.clock.start(self.turn)
            return 0
        if not self.turns:
            raise GameError(Message("game.nothing-to-undo"))
        self._left = None
        count = self._plies_to_undo()
        for _ in range(count):
            self.position.pop()
            self.turns.pop()
            saved = self._saved_clocks.pop()
            assert self.node.parent is not None
            self.node = self.node.parent
        if self.clock is not None and saved is not None:
            self.clock.restore(saved)
            if self.turns:
                self.clock.start(self.turn)
        self._agreed = None
        return count

    def redo(self) -> int:
        """Replays the moves that were taken back last, up to the next position where a person is to move."""
        if not self.can_redo:
            raise GameError(Message("game.nothing-to-redo"))
        count = 0
        while self.can_redo and (count == 0 or self.players[self.turn] is not None):
            move = self.node.children[0].move
            assert move is not None
            self._play(move)
            count += 1
        return count

    def go_to(self, node: Node) -> None:
        """Continues from any position of the tree; the clock starts with the next move."""
        for player in self.players:
            if player is not None:
                player.stop_pondering()
        self._walk(node)
        self._agreed = self._left = None
        if self.clock is not None:
            self.clock.pause()

    @property
    def line(self) -> list[Node]:
        """The moves up to here and those that follow on the main line."""
        return [*self.node.path(), *self.tree.main_line(self.node)]

    def step_to(self, ply: int) -> None:
        """Shows the position after that many plies of the line. The game keeps its later moves and its result until a
        move is played from here."""
        line = self.line
        if not 0 <= ply <= len(line):
            raise GameError(Message("game.no-ply", count=len(line), ply=ply))
        end = line[-1] if line else self.tree.root
        left = self._left or (end, self._agreed if self.node is end else None)
        self.go_to(line[ply - 1] if ply else self.tree.root)
        if self.node is end:
            self._agreed = left[1]
        else:
            self._left = left

    def accepts(self, move: Move) -> bool:
        """Whether `move` would accept it here, even if the game is over."""
        try:
            self._refuse_perpetual(move)
        except IllegalMoveError:
            return False
        return self.position.is_legal(move)

    @property
    def playable_moves(self) -> list[Move]:
        """The legal moves that `move` accepts: all but those that would lose by perpetual check or chase."""
        moves = self.position.legal_moves
        return [move for move in moves if self._perpetual(move) is None] or moves

    @property
    def forbidden_moves(self) -> tuple[Move, ...]:
        """The legal moves that `move` refuses."""
        playable = self.playable_moves
        return tuple(move for move in self.position.legal_moves if move not in playable)

    def resign(self, colour: int | None = None) -> Ending:
        """One side gives up; by default the side to move, or the person who plays a program."""
        self._must_go_on()
        loser = self._person_to_move() if colour is None else colour
        return self._end(result_for(loser), Message("game.resigns", side=side_name(loser)))

    def offer_draw(self) -> Ending | None:
        """Offers a draw to the other side. A program decides (None: it refuses); between two people it is agreed."""
        player = self.asked_for_draw
        return self.settle_draw(player.judge(self.position, DRAW_JUDGEMENT_MS) if player is not None else None)

    @property
    def asked_for_draw(self) -> Opponent | None:
        """The program that decides about an offer; None between two people. GameError if the game is over."""
        self._must_go_on()
        return self.players[1 - self._person_to_move()]

    def settle_draw(self, score: Score | None) -> Ending | None:
        """The result of a draw offer. `score` is the asked program's, for the side to move."""
        if self.asked_for_draw is not None:
            ply = 2 * (self.position.fullmove_number - 1) + self.position.turn
            if score is not None and self.turn == self._person_to_move():
                score = -score
            if not accepts_draw(score, ply, len(self.position.pieces())):
                return None
        return self._end("1/2-1/2", Message("game.draw-agreed"))

    def swap(self) -> None:
        """The players change sides; the position stays."""
        for player in self.players:
            if player is not None:
                player.stop_pondering()
        self.players.reverse()

    # --- clock

    def set_clock(self, control: TimeControl | None) -> None:
        """Sets a new clock, or removes it. It starts with the next move."""
        self.clock = GameClock(control, self._now) if control else None
        saved = self.clock.save() if self.clock else None
        self._saved_clocks = [saved for _ in self.turns]

    def check_clock(self) -> Ending | None:
        """Ends the game if the running side's time has run out."""
        loser = self.clock.flagged() if self.clock is not None and self.ending is None else None
        if loser is None:
            return None
        return self._end(result_for(loser), Message("game.loses-on-time", side=side_name(loser)))

    # --- files

    def player_tags(self, language: Language = "en") -> dict[str, str]:
        """The players' names for a file."""
        return {name: self.player_label(colour).text(language) for colour, name in enumerate(COLOURS)}

    def record(self, language: Language = "en") -> GameRecord:
        """The game so far, as a record for files; names and the reason of its end in a language."""
        tags = {"Date": date.today().strftime("%Y.%m.%d"), **self.player_tags(language), **self.tree.tags}
        end, ending = self.node, self.ending
        if self._left is not None:
            end, ending = self._left
            ending = ending or _ending_of(self.tree.position(end).outcome(self.law))
        if ending:
            tags["Termination"] = ending.message.text(language)
        self.tree.result = ending.result if ending else "*"
        return self.tree.to_record(tags, end=end)

    def load(self, record: GameRecord) -> None:
        """Continues a recorded game at the end of its main line. An error leaves the present game unchanged."""
        tree = GameTree.from_record(record)
        termination = tree.tags.pop("Termination", "")
        self._set_up(tree)
        self._walk(tree.end())
        if record.result != "*" and self.ending is None:
            self._agreed = Ending(record.result, _recorded(termination))
        for player in self.players:
            if player is not None:
                player.new_game()

    def resume(self, tree: GameTree, node: Node, agreed: Ending | None = None, clock: SavedClock | None = None) -> None:
        """Continues a stored game: its tree, the current node, how it ended, the time left."""
        self._set_up(tree)
        self._walk(node)
        self._agreed = agreed
        if self.clock is not None and clock is not None:
            self.clock.restore(clock)

    @property
    def agreed(self) -> Ending | None:
        """An ending that does not follow from the moves: agreement, resignation, time."""
        return self._agreed

    # --- details

    def _set_up(self, tree: GameTree) -> None:
        for player in self.players:
            if player is not None:
                player.stop_pondering()
        self.tree, self._agreed, self._left = tree, None, None
        if self.clock is not None:
            self.clock = GameClock(self.clock.control, self._now)
        self._walk(tree.root)

    def _walk(self, node: Node) -> None:
        """Puts the game at a node of its tree."""
        self.position, self.turns, self.node = Position(self.tree.fen), [], node
        for step in node.path():
            assert step.move is not None
            self.turns.append(turn_of(self.position, step.move))
            self.position.push(step.move)
        saved = self.clock.save() if self.clock else None
        self._saved_clocks = [saved for _ in self.turns]

    def _must_go_on(self) -> None:
        self.check_clock()
        ending = self.ending
        if ending is not None:
            raise GameError(Message("game.over", result=ending.result, reason=ending.message))

    def _play(self, move: Move) -> Turn:
        turn = turn_of(self.position, move)
        self._left = None
        self.node = self.tree.add(self.node, move, as_main=True)
        self.position.push(move)
        self._saved_clocks.append(self.clock.save() if self.clock else None)
        self.turns.append(turn)
        if self.clock is not None:
            if self.clock.running is None:
                self.clock.start(self.position.turn)
            else:
                self.clock.press()
            if self.ending is not None:
                self.clock.pause()
        return turn

    def _refuse_perpetual(self, move: Move) -> None:
        fault = self._perpetual(move)
        if fault is None:
            return
        if all(self._perpetual(other) is not None for other in self.position.legal_moves):
            return  # every move loses: the rule is applied
        played = PointMove((move.from_square, move.to_square))
        raise IllegalMoveError(Message("game.perpetual", move=played, reason=fault.message))

    def _perpetual(self, move: Move) -> Outcome | None:
        """The verdict if the move, or the other side's reply to it, completes the mover's perpetual check or chase."""
        position, mover = self.position, self.position.turn
        position.push(move)
        try:
            fault = self._offence_of(mover)
            for reply in position.legal_moves if fault is None else ():
                position.push(reply)
                fault = fault or self._offence_of(mover)
                position.pop()
        finally:
            position.pop()
        return fault

    def _offence_of(self, colour: int) -> Outcome | None:
        outcome = self.position.outcome(self.law)
        offences = (Reason.PERPETUAL_CHECK, Reason.PERPETUAL_CHASE)
        guilty = outcome and outcome.reason in offences and outcome.result == result_for(colour)
        return outcome if guilty else None

    def _plies_to_undo(self) -> int:
        """The plies back to a person's last move; one ply if there is no person, or none who has moved."""
        for count in range(1, len(self.turns) + 1):
            if self.players[self.turns[-count].colour] is None:
                return count
        return 1

    def _person_to_move(self) -> int:
        """The person to move, or the only person there is; else the side to move."""
        people = [colour for colour in (0, 1) if self.players[colour] is None]
        return people[0] if len(people) == 1 else self.position.turn

    def _end(self, result: Result, message: Message) -> Ending:
        if self.clock is not None:
            self.clock.pause()
        self._agreed = Ending(result, message)
        return self._agreed


def _ending_of(outcome: Outcome | None) -> Ending | None:
    return Ending(outcome.result, outcome.message) if outcome else None


def _recorded(termination: str) -> Message:
    """Why a game ended that is read from a file. What we write ourselves is understood again."""
    ours = [Message("game.draw-agreed")]
    ours += [Message("game.resigns", side=side_name(loser)) for loser in (0, 1)]
    ours += [Message("game.loses-on-time", side=side_name(loser)) for loser in (0, 1)]
    found = next((one for one in ours if termination in {one.text(language) for language in LANGUAGES}), None)
    return found or (verbatim(termination) if termination else Message("game.as-recorded"))
