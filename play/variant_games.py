"""The other games as the terminal plays them: one class per game, all with the same few operations."""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from chuhe.common.system_language import Speaker
from chuhe.engine.errors import SaidError
from chuhe.engine.games._search import DEEPER, EXACT_SEARCH, FAR_WIN_VALUE, QUIESCE, Search
from chuhe.engine.message import Language, Message, shown
from chuhe.engine.search_life import StopSignal
from chuhe.engine.values import Limits

if TYPE_CHECKING:
    from chuhe.engine.games.squatter_players import SquatterPlayer
    from chuhe.engine.games.squatter_referee import PlayerFault, SeatedPlayer


HIGHEST_LEVEL = 10


class MoveError(SaidError):
    """What was typed is not a legal move; the message says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins and how long the computer thinks."""

    movetime: int = 2000  # milliseconds
    depth: int = 0  # 0: as deep as the time allows
    start: str = ""  # a FEN, or the text of a board; empty: the usual start
    size: int = 6  # Squatter's board
    to_move: Literal["W", "B"] | None = None  # who begins in Squatter; None: as on the board
    patience: float | None = None  # seconds that an external Squatter player has for an answer
    language: Language = "en"  # of all texts of the game


class VariantGame(ABC):
    """A game in progress: what is on the board, whose turn it is, moves as text."""

    name: str  # as after --variant
    sides: tuple[str, str]  # as the tables of the languages have them
    takes_fen = False  # starts from a FEN, not from a board file
    takes_size = False  # the board's size can be chosen

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.say = Speaker(setup.language)
        self.history: list[str] = []

    def side(self, number: int) -> str:
        """The name of a side."""
        return self.say(f"seat.{self.sides[number]}")

    @abstractmethod
    def board(self, flipped: bool) -> str: ...

    @property
    @abstractmethod
    def mover(self) -> int:
        """0 for the side that is named first, 1 for the other."""

    @abstractmethod
    def play(self, text: str) -> str:
        """Play what a person typed and return it in full; MoveError leaves the game unchanged."""

    def think(self, stop: StopSignal) -> str:
        """Let the computer move for the side whose turn it is; returns the move and its score."""
        move, about = self.choose(stop)
        return f"{self.push(move)}  {about}"

    def hint(self, stop: StopSignal) -> str:
        """What the computer would play for the side whose turn it is, and its score."""
        move, about = self.choose(stop)
        return f"{self.text_of(move)}  {about}"

    @abstractmethod
    def choose(self, stop: StopSignal) -> tuple[Any, str]:
        """The computer's move, and what its search says of it."""

    @abstractmethod
    def push(self, move: Any) -> str:
        """Play a move and return its text."""

    @abstractmethod
    def text_of(self, move: Any) -> str: ...

    def set_level(self, level: int) -> None:
        """Think that many plies ahead; at the highest level, as long as the time allows."""
        self.setup = replace(self.setup, depth=level if level < HIGHEST_LEVEL else 0)

    def record(self) -> str:
        """The game as text: the start, if it is not the usual one, and the moves."""
        pairs = [" ".join(self.history[at : at + 2]) for at in range(0, len(self.history), 2)]
        moves = [f"{number}. {pair}" for number, pair in enumerate(pairs, 1)]
        return "\n".join([*self.setup.start.splitlines(), *moves, self.result() or "*"]) + "\n"

    def about(self, value: str, depth: int) -> str:
        """What a search says of its move."""
        return self.say("variant.about", value=value, depth=depth)

    @property
    def example(self) -> str:
        """How a move is typed."""
        return self.say(f"example.{self.name}")

    def unreadable(self, text: str) -> MoveError:
        return MoveError(Message(f"unreadable.{self.name}", text=shown(text), example=self.example))

    @abstractmethod
    def take_back(self) -> None: ...

    def swap_sides(self) -> None:
        """The person and the computer change sides."""
        return

    @abstractmethod
    def moves(self) -> list[str]: ...

    @abstractmethod
    def result(self) -> str | None:
        """How the game ended, or None."""


class ChessGame(VariantGame):
    """Chess against the chess engine; moves as SAN or UCI."""

    name, sides = "chess", ("white", "black")
    takes_fen = True

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        from chuhe.engine.games.chess_engine import ChessEngine, load_rules

        self._rules: Any = load_rules()
        self._engine = ChessEngine()
        self._engine.set_position(setup.start or None)
        self._board: Any = self._engine.board.copy()

    def board(self, flipped: bool) -> str:
        rows = []
        for rank in range(8) if flipped else range(7, -1, -1):
            files = range(7, -1, -1) if flipped else range(8)
            pieces = [self._board.piece_at(8 * rank + file) for file in files]
            rows.append(f"{rank + 1}  " + " ".join(piece.symbol() if piece else "." for piece in pieces))
        return "\n".join([*rows, "", "   " + " ".join("hgfedcba" if flipped else "abcdefgh")])

    @property
    def mover(self) -> int:
        return 0 if self._board.turn else 1

    def play(self, text: str) -> str:
        try:
            move = self._board.parse_san(text)
        except ValueError:
            try:
                move = self._board.parse_uci(text.lower())
            except ValueError:
                raise self.unreadable(text) from None
        if not move:
            raise MoveError(Message("variant.null-move"))
        return self.push(move)

    def text_of(self, move: Any) -> str:
        return str(self._board.san(move))

    def push(self, move: Any) -> str:
        text = self.text_of(move)
        self._board.push(move)
        self.history.append(text)
        return text

    def choose(self, stop: StopSignal) -> tuple[Any, str]:
        self._engine.set_position(self.setup.start or None, [move.uci() for move in self._board.move_stack])
        depth = self.setup.depth or None
        best = self._engine.search(Limits(movetime=None if depth else self.setup.movetime, depth=depth), stop=stop)
        return self._rules.Move.from_uci(str(best.move)), self.about(str(best.score), best.depth)

    def record(self) -> str:
        import chess.pgn

        game = chess.pgn.Game.from_board(self._board)
        game.headers["Result"] = self._board.result(claim_draw=True)
        return f"{game}\n"

    def take_back(self) -> None:
        self._board.pop()
        self.history.pop()

    def moves(self) -> list[str]:
        return sorted(self.text_of(move) for move in self._board.legal_moves)

    def result(self) -> str | None:
        outcome = self._board.outcome(claim_draw=True)
        if outcome is None:
            return None
        reason = self.say(f"chess.{outcome.termination.name.lower().replace('_', '-')}")
        return f"{outcome.result()}, {reason}"


class SearchedGame(VariantGame):
    """What draughts and Squatter share: a compiled game and a search on it."""

    features = EXACT_SEARCH | DEEPER
    deepest = 40

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.game: Any = self.new_position()
        self._search = Search(self.game, self.features, 32)

    @abstractmethod
    def new_position(self) -> Any: ...

    @abstractmethod
    def value_text(self, value: int) -> str: ...

    def decided(self, value: int) -> str:
        return self.say("variant.winning" if value > 0 else "variant.losing")

    def push(self, move: int) -> str:
        text = self.text_of(move)
        self.game.push(move)
        self.history.append(text)
        return text

    def choose(self, stop: StopSignal) -> tuple[int, str]:
        self._search.begin()
        if not self.setup.depth:
            self._search.stop_after(self.setup.movetime / 1000)
        with stop.reaching(self._search.stop):
            move, value, reached = self._deepen()
        return move, self.about(self.value_text(value), reached)

    def _deepen(self) -> tuple[int, int, int]:
        """The move, its value, and the depth that was reached."""
        started = time.perf_counter()
        move, value, reached = self.game.legal_moves()[0], 0, 0
        for depth in range(1, (self.setup.depth or self.deepest) + 1):
            found, line, completed = self._search.run(depth)
            if not line:
                break
            move, value, reached = line[0], found, depth
            spent = time.perf_counter() - started
            is_long = not self.setup.depth and spent > self.setup.movetime / 2000
            if not completed or is_long or abs(value) >= FAR_WIN_VALUE or len(self.game.legal_moves()) == 1:
                break
        return move, value, reached

    def take_back(self) -> None:
        self.game.pop()
        self.history.pop()

    def moves(self) -> list[str]:
        return [self.text_of(move) for move in self.game.legal_moves()]


class DraughtsGame(SearchedGame):
    """English draughts by the full rules."""

    name, sides = "draughts", ("alice", "bill")
    features = EXACT_SEARCH | DEEPER | QUIESCE

    def new_position(self) -> Any:
        from chuhe.engine.games._draughts import Draughts
        from chuhe.engine.games.draughts import START_BOARD, parse_board, split_boards

        boards = split_boards(self.setup.start)
        cells = parse_board(boards[0]) if boards else START_BOARD
        return Draughts(cells, multi_jump=True, draws=True, quick_wins=True)

    def text_of(self, move: int) -> str:
        from chuhe.engine.games.draughts import move_text

        return move_text(self.game.path(move))

    def value_text(self, value: int) -> str:
        return self.decided(value) if abs(value) >= FAR_WIN_VALUE else f"{value:+d}"

    def board(self, flipped: bool) -> str:
        order = range(7, -1, -1) if flipped else range(8)
        rows = [f"{row}  " + " ".join(self.game.cells[8 * row + column] for column in order) for row in order]
        return "\n".join([*rows, "", "   " + " ".join(str(column) for column in order)])

    @property
    def mover(self) -> int:
        return 0 if self.game.alice_moves else 1

    def play(self, text: str) -> str:
        numbers = [int(digit) for digit in re.findall(r"\d", text)]
        squares = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        if re.search(r"\d{3}", text) or len(numbers) % 2 or len(squares) < 2:
            raise self.unreadable(text)
        paths = {move: self.game.path(move) for move in self.game.legal_moves()}
        exact = [move for move, path in paths.items() if path == squares]
        ends = [move for move, path in paths.items() if (path[0], path[-1]) == (squares[0], squares[-1])]
        if exact or (len(ends) == 1 and len(squares) == 2):
            return self.push((exact or ends)[0])
        if ends:
            raise MoveError(Message("variant.several-jumps"))
        jumping = any(abs(path[0][0] - path[1][0]) == 2 for path in paths.values())
        raise MoveError(Message("variant.must-jump") if jumping else Message("variant.not-legal"))

    def result(self) -> str | None:
        final = self.game.final_value()
        if final is None:
            return None
        if final == 0:
            return self.say("variant.draw")
        return self.say("variant.wins", side=self.side(self.mover if final > 0 else 1 - self.mover))


class SquatterGame(SearchedGame):
    """Squatter against minimax, or against any other player."""

    name, sides = "squatter", ("white", "black")
    takes_size = True
    deepest = 8

    def __init__(self, setup: Setup, makers: Mapping[int, Callable[[], SquatterPlayer]] | None = None) -> None:
        """`makers` create the players of their sides; our own search plays the others."""
        super().__init__(setup)
        self._makers = dict(makers or {})
        self._fault: PlayerFault | None = None
        self._seats: dict[int, SeatedPlayer] = {}
        self._seat_players()

    def new_position(self) -> Any:
        from chuhe.engine.games.squatter import parse_board, position

        size, symbols = parse_board(self.setup.start) if self.setup.start else (self.setup.size, None)
        return position(size, symbols, self.setup.to_move)

    def _seat_players(self) -> None:
        """Creates new players for the board as it is."""
        from chuhe.engine.games.squatter_players import MadeLate
        from chuhe.engine.games.squatter_referee import PlayerFault, SeatedPlayer

        self._fault, self._seats = None, {}
        symbols = self.game.symbols if "+" * self.game.size**2 != self.game.symbols else None
        try:
            for side, maker in self._makers.items():
                self._seats[side] = SeatedPlayer(MadeLate(maker), "WB"[side], self.setup.patience)  # type: ignore[arg-type]
                self._seats[side].init(self.game.size, symbols, "W" if self.game.white_moves else "B")
        except PlayerFault as fault:
            self._fault = fault

    def hint(self, stop: StopSignal) -> str:
        self.game.view_for(self.game.white_moves)
        return super().hint(stop)

    def swap_sides(self) -> None:
        self._makers = {1 - side: maker for side, maker in self._makers.items()}
        self._seat_players()

    def think(self, stop: StopSignal) -> str:
        seat = self._seats.get(self.mover)
        if seat is None:
            self.game.view_for(self.game.white_moves)
            return super().think(stop)
        from chuhe.engine.games.squatter_referee import PlayerFault

        try:
            _, move = seat.place(self.game)
        except PlayerFault as fault:
            self._fault = fault
            return self.say("variant.nothing")
        return self.push(move)

    def push(self, move: int) -> str:
        from chuhe.engine.games.squatter import cell_of
        from chuhe.engine.games.squatter_referee import PlayerFault

        cell, seat = cell_of(self.game, move), self._seats.get(1 - self.mover)
        text = super().push(move)
        try:
            if seat is not None:
                seat.tell(cell)
        except PlayerFault as fault:
            self._fault = fault
        return text

    def take_back(self) -> None:
        super().take_back()
        self._seat_players()

    def text_of(self, move: int) -> str:
        from chuhe.engine.games.squatter import cell_of, cell_text

        return cell_text(cell_of(self.game, move))

    def value_text(self, value: int) -> str:
        return f"{value / 100:+.2f}" if abs(value) < FAR_WIN_VALUE // 2 else self.decided(value)

    def board(self, flipped: bool) -> str:
        from chuhe.engine.games.squatter import labelled_board

        return labelled_board(self.game, self.setup.language)

    @property
    def mover(self) -> int:
        return 0 if self.game.white_moves else 1

    def play(self, text: str) -> str:
        from chuhe.engine.games.squatter import move_of, why_not

        cell = read_cell(text)
        if cell is None:
            raise self.unreadable(text)
        move = move_of(self.game, cell)
        if move is None:
            raise MoveError(Message("variant.cannot", move=text, fault=why_not(self.game, cell)))
        return self.push(move)

    def result(self) -> str | None:
        from chuhe.engine.games.squatter import winner_of

        white, black = self.game.captured_counts
        captured = self.say("squatter.captured", white=white, black=black)
        if self._fault is not None:
            winner = self.say("variant.wins", side=self.side(1 if self._fault.colour == "W" else 0))
            return self.say("squatter.fault", winner=winner, fault=self._fault.sentence, captured=captured)
        found = winner_of(self.game)
        if found is None:
            return None
        draw = self.say("variant.draw")
        winner = draw if found == "draw" else self.say("variant.wins", side=self.side("WB".index(found)))
        return self.say("squatter.result", winner=winner, captured=captured)


def read_cell(text: str) -> tuple[int, int] | None:
    """A cell from `2 3`, `2,3` or `(2,3)`."""
    found = re.fullmatch(r"\(?\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)?", text)
    return (int(found[1]), int(found[2])) if found else None


GAMES: dict[str, type[VariantGame]] = {game.name: game for game in (ChessGame, DraughtsGame, SquatterGame)}
