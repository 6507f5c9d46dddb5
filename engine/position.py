"""The game position: the compiled board plus notation and outcomes in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from chuhe.engine._core import CANNON, KNIGHT, PAWN, RED, ROOK, START_FEN, Board, Move, Piece
from chuhe.engine._core import placement as placement
from chuhe.engine.errors import IllegalMoveError
from chuhe.engine.values import REPETITION_LAWS, FinalResult, Law, Outcome, Reason, Result
from chuhe.text.message import Message, Point
from chuhe.text.points import ICCS_POINTS, PointNames

if TYPE_CHECKING:
    from chuhe.engine.notation import Notation

P = TypeVar("P", bound="Position")
FILES, RANKS = frozenset("abcdefghi"), frozenset("0123456789")
COLOUR_NAMES = ("Red", "Black")
ATTACKING = (KNIGHT, ROOK, CANNON, PAWN)  # these can cross the river
SQUARES = tuple(range(90))  # 9 * rank + file


def square(name: str | int, rank: int | None = None) -> int:
    """The number of a square, by its name or by file and rank: ``square("e0") == square(4, 0) == 4``."""
    if not isinstance(name, str):
        if rank is None or not (0 <= name < 9 and 0 <= rank < 10):
            raise ValueError(f"files are 0 to 8 and ranks 0 to 9, not {name} and {rank}")
        return 9 * rank + name
    if rank is not None or len(name) != 2 or name[0] not in "abcdefghi" or name[1] not in "0123456789":
        raise ValueError(f"{name!r} is not a square like e0")
    return 9 * int(name[1]) + ord(name[0]) - ord("a")


def square_name(number: int) -> str:
    """The name of a square: ``square_name(4) == "e0"``."""
    if not 0 <= number < 90:
        raise ValueError(f"squares are 0 to 89, not {number}")
    return "abcdefghi"[number % 9] + str(number // 9)


def square_file(number: int) -> int:
    """The file of a square, 0 (a) to 8 (i)."""
    return number % 9


def square_rank(number: int) -> int:
    """The rank of a square, 0 (Red's own) to 9."""
    return number // 9


def side_name(colour: int) -> Message:
    return Message("side.red" if colour == RED else "side.black")


def result_for(loser: int) -> FinalResult:
    return "0-1" if loser == RED else "1-0"


def _replayed(kind: type[Position], fen: str, moves: list[Move]) -> Position:
    """A pickled position again."""
    position = kind(fen)
    for move in moves:
        Board.push(position, move)
    return position


def _set_up(kind: type[Position], pieces: dict[int, Piece], turn: int) -> Position:
    """A pickled position again, of pieces that cannot stand so."""
    position = kind.empty()
    position.place(pieces, turn)
    return position


class Position(Board):
    """A position and the moves that led to it.

    >>> position = Position()
    >>> len(position.legal_moves)
    44
    >>> position.push("h2e2")
    >>> position.push("h9g7")
    >>> position.fen()
    'rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2'
    >>> position.pop()
    Move.from_iccs('h9g7')
    >>> print(Position("3k5/9/9/9/9/9/9/9/9/4K3R w"))
    9 . . . k . . . . .
    8 . . . . . . . . .
    7 . . . . . . . . .
    6 . . . . . . . . .
    5 . . . . . . . . .
    4 . . . . . . . . .
    3 . . . . . . . . .
    2 . . . . . . . . .
    1 . . . . . . . . .
    0 . . . . K . . . R
      a b c d e f g h i
    """

    def __init__(self, fen: str | None = START_FEN) -> None:
        """The position of a FEN, which is checked; None: an empty board, to set pieces on."""
        if fen is None:
            self.set_fen(START_FEN)
            self.place({}, RED)
        else:
            self.set_fen(fen)

    def perft_until(self, depth: int, stopped: Callable[[], bool]) -> int:
        """Like `perft`; returns early, with a meaningless count, once `stopped()` is true."""
        if depth <= 3:  # fast in the core; above that move by move here, so that a stop takes effect soon
            return 0 if stopped() else self.perft(depth)
        leaves = 0
        for move in self.legal_moves:
            if stopped():
                break
            self.push(move)
            leaves += self.perft_until(depth - 1, stopped)
            self.pop()
        return leaves

    def push(self, move: Move | str) -> None:
        """Make a move, given as a `Move` or in any notation; raises InvalidMoveError or IllegalMoveError.

        ``--`` is a null move, which also any other way to write it is: ``0000``.
        """
        if isinstance(move, str):
            if len(move) == 4 and move[0] in FILES and move[1] in RANKS and move[2] in FILES and move[3] in RANKS:
                try:  # ICCS, the usual case
                    super().push(Move.from_iccs(move))
                except IllegalMoveError:
                    pass  # what follows says what is wrong
                else:
                    return
            from chuhe.engine.notation import NULL_TEXTS

            move = Move.null() if move in NULL_TEXTS else self.parse_move(move)
        try:
            super().push(move)
        except IllegalMoveError:
            if not move:  # a side in check cannot pass
                raise
            from chuhe.engine.notation import explain_illegal

            fault = explain_illegal(self, move) or Message("move.forbidden")
            raise IllegalMoveError(Message("move.is-illegal", move=move.iccs, fault=fault)) from None

    def push_iccs(self, text: str) -> Move:
        """Make a move given in ICCS, ranks 0–9 (``h2e2``), and return it; errors as in `push`."""
        move = Move.from_iccs(text)
        self.push(move)
        return move

    def push_uci(self, text: str) -> Move:
        """Make a move given in UCI, ranks 1–10 (``h3e3``, ``h10g8``), and return it; errors as in `push`."""
        move = Move.from_uci(text)
        self.push(move)
        return move

    def peek(self) -> Move:
        """The last move; IndexError if there is none."""
        return self.move_stack[-1]

    def parse_move(self, text: str, points: PointNames = ICCS_POINTS) -> Move:
        """Read a legal move in ICCS (ranks 0–9), WXF, Chinese, or by rows and columns; for UCI, see `push_uci`.

        >>> [str(Position().parse_move(text)) for text in ("h2e2", "H2-E2", "C2=5", "炮二平五")]
        ['h2e2', 'h2e2', 'h2e2', 'h2e2']
        """
        from chuhe.engine.notation import parse

        return parse(self, text, points)

    def wxf(self, move: Move) -> str:
        """A legal move in WXF notation: ``C2=5``; IllegalMoveError for any other."""
        from chuhe.engine.notation import to_wxf

        return to_wxf(self, move)

    def chinese(self, move: Move, traditional: bool = False) -> str:
        """A legal move in Chinese: ``炮二平五``; IllegalMoveError for any other."""
        from chuhe.engine.notation import to_chinese

        return to_chinese(self, move, traditional)

    def variation_text(self, moves: Iterable[Move], notation: Notation = "wxf") -> str:
        """The moves from here as a numbered line; IllegalMoveError names the first that is not legal.

        >>> Position().variation_text([Move.from_iccs("h2e2"), Move.from_iccs("h9g7"), Move.from_iccs("h0g2")])
        '1. C2=5 H8+7 2. H2+3'
        """
        from chuhe.engine.notation import variation_text

        return variation_text(self, moves, notation)

    # Setting it up

    @classmethod
    def empty(cls: type[P]) -> P:
        """An empty board, Red to move, to set pieces on."""
        return cls(None)

    def clear(self) -> None:
        """Take all pieces off the board; Red is to move, and the moves made so far are forgotten."""
        self.set_fen(START_FEN)
        self.place({}, RED)

    def status(self) -> list[Message]:
        """Why this position cannot occur, every reason as a message with its code; empty if it can.

        >>> board = Position.empty()
        >>> [str(reason) for reason in board.status()]
        ['Red has no king', 'Black has no king']
        """
        return [fault.message for fault in self.faults()]

    def is_valid(self) -> bool:
        """Can this position occur? What needs one that can, such as `legal_moves`, raises a FenError otherwise."""
        return not self.faults()

    def piece_map(self) -> dict[int, Piece]:
        """Every piece by its square."""
        return self.pieces()

    def set_piece_map(self, pieces: Mapping[int, Piece]) -> None:
        """Replace all pieces. The moves made so far are forgotten; `status` says what is wrong with the result."""
        self.place(dict(pieces), self.turn)

    def remove_piece_at(self, square: int) -> Piece | None:
        """Take a piece off the board, and return it; None if there was none."""
        piece = self.piece_at(square)
        if piece is not None:
            self.set_piece_at(square, None)
        return piece

    def set_piece_at(self, square: int, piece: Piece | None) -> None:
        """Put a piece on a square, or take it off with None. The moves made so far are forgotten.

        Any piece may stand anywhere while a position is set up; `status` says what is wrong with the result.

        >>> position = Position("3k5/9/9/9/9/9/9/9/9/4K4 w")
        >>> position.set_piece_at(8, Piece.from_symbol("R"))
        >>> position.fen()
        '3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1'
        """
        square_name(square)  # ValueError: no such square
        pieces = self.pieces()
        pieces.pop(square, None)
        if piece is not None:
            pieces[square] = piece
        self.place(pieces, self.turn)

    def is_insufficient_material(self) -> bool:
        """Has neither side a piece that can cross the river? By the usual `Law` the game is drawn then."""
        return not self.has_attackers()

    def has_insufficient_material(self, colour: int) -> bool:
        """Has this side no piece that can cross the river?"""
        return not any(piece.colour == colour and piece.kind in ATTACKING for piece in self.pieces().values())

    def result(self, law: Law | None = None) -> Result:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on.

        >>> Position().result(), Position("R2k5/1R7/9/9/9/9/9/9/9/5K3 b").result()
        ('*', '1-0')
        """
        outcome = self.outcome(law)
        return "*" if outcome is None else outcome.result

    def is_repetition(self, count: int = 3) -> bool:
        """Whether this position stands on the board for at least the count-th time. The law may not call it an end.

        >>> game = Position()
        >>> for move in "h2e2 h9g7 e2h2 g7h9".split():
        ...     game.push(move)
        >>> game.is_repetition(2), game.is_repetition()
        (True, False)
        """
        if count < 1:
            raise ValueError(f"a position stands at least once, not {count} times")
        return count == 1 or bool(self.recurrence(count - 1))

    def is_game_over(self, law: Law | None = None) -> bool:
        """Whether the game has ended by the law; `outcome` says how.

        >>> Position().is_game_over(), Position("R2k5/1R7/9/9/9/9/9/9/9/5K3 b").is_game_over()
        (False, True)
        """
        return self.outcome(law) is not None

    def is_checkmate(self) -> bool:
        """In check without a legal move."""
        return self.is_check() and not self.has_legal_moves()

    def is_stalemate(self) -> bool:
        """No legal move without being in check: in xiangqi, a loss."""
        return not self.is_check() and not self.has_legal_moves()

    def outcome(self, law: Law | None = None) -> Outcome | None:
        """How the game has ended under the law, or None if it has not.

        >>> game = Position("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
        >>> for move in "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0".split():
        ...     game.push(move)
        >>> game.outcome(Law(occurrences=2)).text
        'Red gives check with every move: Red loses'
        """
        law = law or Law()
        by_law = REPETITION_LAWS.index(law.repetition)
        ended = self.ending(by_law, law.occurrences, 2 * law.move_limit, law.material)
        if ended is None:
            return None
        name, loser, squares = ended
        reason, side = Reason(name), side_name(loser)
        chased = [self._named(number) for number in squares]
        texts = {
            Reason.CHECKMATE: Message("outcome.checkmate", side=side),
            Reason.STALEMATE: Message("outcome.stalemate", side=side),
            Reason.PERPETUAL_CHECK: Message("outcome.perpetual-check", side=side),
            Reason.PERPETUAL_CHASE: Message("outcome.perpetual-chase", side=side, pieces=chased),
            Reason.REPETITION: Message("outcome.repetition"),
            Reason.MATERIAL: Message("outcome.material"),
            Reason.MOVE_LIMIT: Message("outcome.move-limit", count=law.move_limit),
        }
        return Outcome("1/2-1/2" if loser < 0 else result_for(loser), reason, texts[reason])

    def _named(self, number: int) -> Message:
        """The piece on a square: ``the knight on g7``."""
        piece = self.piece_at(number)
        assert piece is not None
        return Message("outcome.piece-on", kind=Message(f"kind.{piece.symbol}"), point=Point(number))

    def flip(self) -> Position:
        """The same position with colours exchanged (the board turned upside down); no history."""
        return Position(self._transformed(lambda rows: [row.swapcase() for row in reversed(rows)], swap=True))

    def mirror(self) -> Position:
        """The same position with left and right exchanged; no history."""
        return Position(self._transformed(lambda rows: [row[::-1] for row in rows], swap=False))

    def _transformed(self, change, swap: bool) -> str:  # type: ignore[no-untyped-def]
        rows, side, *rest = self.fen().split()
        if swap:
            side = "w" if side == "b" else "b"
        return " ".join(["/".join(change(rows.split("/"))), side, *rest])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles carry the whole history: the position that the game began from, and the moves."""
        if not self.is_valid():
            return _set_up, (type(self), self.pieces(), self.turn), self.__dict__ or None
        first = self.copy()
        moves = first.move_stack
        for _ in moves:
            first.pop()
        return _replayed, (type(self), first.fen(), moves), self.__dict__ or None

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """What a subclass keeps beside the position."""
        self.__dict__.update(attributes)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        from chuhe.pictures.svg import board_svg

        return board_svg(self)

    def __str__(self) -> str:
        pieces = self.pieces()
        lines = []
        for rank in range(9, -1, -1):
            row = (pieces.get(9 * rank + file) for file in range(9))
            lines.append(f"{rank} " + " ".join(piece.symbol if piece else "." for piece in row))
        return "\n".join([*lines, "  a b c d e f g h i"])

    def __repr__(self) -> str:
        return f"Position({self.fen()!r})"
