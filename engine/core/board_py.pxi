# The Python interface to the board: Move, Piece and Board, thin wrappers around the structs.

cdef tuple SIDES = (RED, BLACK)
cdef tuple UCI_RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")


cdef class Move:
    """A move from one square (0-89, ``9 * rank + file``) to another.

    >>> move = Move.from_iccs("h2e2")
    >>> move.from_square, move.to_square, str(move), move.uci
    (25, 22, 'h2e2', 'h3e3')
    """

    cdef readonly int from_square
    cdef readonly int to_square

    def __cinit__(self, int from_square, int to_square):
        if not 0 <= from_square < 90 or not 0 <= to_square < 90:
            raise ValueError(f"squares are 0 to 89, not {from_square} and {to_square}")
        self.from_square = from_square
        self.to_square = to_square

    @staticmethod
    def from_iccs(text):
        """Read ``h2e2`` or ``H2-E2``; InvalidMoveError if it is neither."""
        cdef str word = text.lower()
        if len(word) == 5 and word[2] == "-":
            word = word[:2] + word[3:]
        if (len(word) != 4 or word[0] not in "abcdefghi" or word[2] not in "abcdefghi"
                or word[1] not in "0123456789" or word[3] not in "0123456789"):
            raise InvalidMoveError(Message("move.not-iccs", text=shown(text)))
        return Move(int(word[1]) * 9 + ord(word[0]) - 97, int(word[3]) * 9 + ord(word[2]) - 97)

    @staticmethod
    def from_uci(text):
        """Read ``h3e3`` or ``a10a9``, ranks from 1; InvalidMoveError if it is neither."""
        cdef str word = text.lower()
        cdef int cut = 3 if word[1:3] == "10" else 2
        cdef str src = word[:cut], dst = word[cut:]
        for part in (src, dst):
            if len(part) not in (2, 3) or part[0] not in "abcdefghi" or part[1:] not in UCI_RANKS:
                raise InvalidMoveError(Message("move.not-uci", text=shown(text)))
        return Move((int(src[1:]) - 1) * 9 + ord(src[0]) - 97, (int(dst[1:]) - 1) * 9 + ord(dst[0]) - 97)

    @property
    def iccs(self):
        """The move in ICCS, ranks 0-9: ``h2e2``."""
        return (square_name(self.from_square % 9, self.from_square // 9)
                + square_name(self.to_square % 9, self.to_square // 9))

    @property
    def uci(self):
        """The move with ranks 1-10: ``h3e3``."""
        return (square_name(self.from_square % 9, self.from_square // 9 + 1)
                + square_name(self.to_square % 9, self.to_square // 9 + 1))

    def __str__(self):
        return self.iccs

    def __repr__(self):
        return f"Move.from_iccs({self.iccs!r})"

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return self.from_square == (<Move>other).from_square and self.to_square == (<Move>other).to_square

    def __hash__(self):
        return self.from_square * 90 + self.to_square

    def __reduce__(self):
        return Move, (self.from_square, self.to_square)


cdef inline Move to_move(u16 mv):
    return Move(to90(mv & 255), to90(mv >> 8))


cdef inline u16 from_move(Move move):
    return move_of(to256(move.from_square), to256(move.to_square))


cdef class Piece:
    """A piece: its colour (RED, BLACK), its kind (KING … PAWN) and its FEN letter."""

    cdef Side side
    cdef readonly int kind

    def __cinit__(self, int colour, int kind):
        if colour not in (0, 1) or not 0 <= kind <= 6:
            raise ValueError(f"no piece of colour {colour} and kind {kind}")
        self.side = colour
        self.kind = kind

    @property
    def colour(self):
        """RED or BLACK."""
        return SIDES[self.side]

    @staticmethod
    def from_symbol(symbol):
        """The piece of a FEN letter; E and H are read as B and N."""
        if symbol.upper() not in LETTER_KIND:
            raise ValueError(f"{symbol!r} is not a piece")
        return Piece(0 if symbol.isupper() else 1, LETTER_KIND[symbol.upper()])

    @property
    def symbol(self):
        """The FEN letter, upper case for Red."""
        cdef str letter = LETTERS[self.kind]
        return letter if self.side == 0 else letter.lower()

    def __str__(self):
        return self.symbol

    def __repr__(self):
        return f"Piece.from_symbol({self.symbol!r})"

    def __eq__(self, other):
        if not isinstance(other, Piece):
            return NotImplemented
        return self.side == (<Piece>other).side and self.kind == (<Piece>other).kind

    def __hash__(self):
        return self.side * 7 + self.kind

    def __reduce__(self):
        return Piece, (self.side, self.kind)


cdef class Board:
    """The compiled half of `Position`: the board, its history, and everything derived from them."""

    cdef Pos pos
    cdef int capacity
    cdef int first_move  # the full-move number from the FEN
    cdef int first_side

    def __cinit__(self, *args, **kwargs):
        self.capacity = 64
        self.pos.states = <StateInfo*>malloc(self.capacity * sizeof(StateInfo))
        if self.pos.states == NULL:
            raise MemoryError("no memory for a position")

    def __init__(self, str fen not None=START_FEN):
        self.set_fen(fen)

    def __dealloc__(self):
        free(self.pos.states)

    cdef int reserve(self, int entries) except -1:
        cdef StateInfo* grown
        if entries > self.capacity:
            grown = <StateInfo*>realloc(self.pos.states, 2 * entries * sizeof(StateInfo))
            if grown == NULL:
                raise MemoryError("no memory for the game's moves")
            self.pos.states = grown
            self.capacity = 2 * entries
        return 0

    def set_fen(self, str fen not None):
        """Set up a FEN. FenError names what is wrong with it; the position is then unchanged."""
        cdef Pos fresh
        cdef int full
        fresh.states = self.pos.states
        full = parse_fen(&fresh, fen)
        self.pos = fresh
        self.first_move = full
        self.first_side = fresh.side

    def fen(self):
        """The position in the standard letters."""
        return (f"{board_fen(&self.pos)} {'b' if self.pos.side else 'w'} - - "
                f"{self.pos.half_move_clock} {self.fullmove_number}")

    @property
    def turn(self):
        """RED or BLACK: whose move it is."""
        return SIDES[self.pos.side]

    @property
    def key(self):
        """The 64-bit Zobrist key: the same position has the same key on every machine."""
        return self.pos.key

    @property
    def ply(self):
        """The number of moves pushed."""
        return self.pos.ply

    @property
    def fullmove_number(self):
        return self.first_move + (self.first_side + self.pos.ply) // 2

    @property
    def halfmove_clock(self):
        """Plies without a capture, as the move limit counts them (checks beyond ten a side do not count)."""
        return self.pos.half_move_clock

    @property
    def legal_moves(self):
        """All legal moves, captures first."""
        cdef u16[MAX_MOVES] moves
        cdef int n = generate_legal(&self.pos, moves), i
        return [to_move(moves[i]) for i in range(n)]

    @property
    def pseudo_legal_moves(self):
        """All moves that the pieces can make, including those that leave the king in check."""
        cdef u16[MAX_MOVES] moves
        cdef int n = generate(&self.pos, moves, True), i
        n += generate(&self.pos, moves + n, False)
        return [to_move(moves[i]) for i in range(n)]

    @property
    def move_stack(self):
        """The moves pushed so far; a null move is None."""
        cdef int i
        return [to_move(self.pos.states[i].mv) if self.pos.states[i].mv else None for i in range(self.pos.ply)]

    def is_pseudo_legal(self, Move move not None):
        return is_pseudo_legal(&self.pos, from_move(move))

    def is_legal(self, Move move not None):
        cdef u16 mv = from_move(move)
        return is_pseudo_legal(&self.pos, mv) and safe_after(&self.pos, mv)

    def is_capture(self, Move move not None):
        return self.pos.board[to256(move.to_square)] != 0

    def gives_check(self, Move move not None):
        """Does this legal move give check?"""
        cdef bint check
        if not self.is_legal(move):
            raise IllegalMoveError(f"{move} is not legal in {self.fen()}")
        self.reserve(self.pos.ply + 2)
        do_move(&self.pos, from_move(move))
        check = king_attacked(&self.pos, self.pos.side)
        undo_move(&self.pos)
        return check

    def push(self, Move move not None):
        """Make a legal move; IllegalMoveError otherwise."""
        cdef CheckSquares cs
        if not self.is_legal(move):
            raise IllegalMoveError(f"{move} is not legal in {self.fen()}")
        self.reserve(self.pos.ply + 2)
        check_squares(&self.pos, &cs)
        make(&self.pos, from_move(move), checks(&self.pos, from_move(move), &cs))

    def push_null(self):
        """Pass the move; not while in check."""
        if self.pos.in_check:
            raise IllegalMoveError("a side in check cannot pass")
        self.reserve(self.pos.ply + 2)
        make_null(&self.pos)

    def pop(self):
        """Take the last move back and return it (None for a null move); IndexError if there is none."""
        cdef u16 mv
        if self.pos.ply == 0:
            raise IndexError("no move to take back")
        mv = self.pos.states[self.pos.ply - 1].mv
        if mv == 0:
            undo_null(&self.pos)
            return None
        undo_move(&self.pos)
        return to_move(mv)

    def is_check(self):
        return bool(self.pos.in_check)

    def has_legal_moves(self):
        return bool(has_legal(&self.pos))

    def checkers(self):
        """The squares of the pieces that give check."""
        return self.attackers(self.pos.side ^ 1, to90(self.pos.sq[base_of(self.pos.side)]))

    def attackers(self, int colour, int square):
        """The squares of the pieces of a colour that attack a square, pinned or not."""
        cdef u64 slots
        cdef Slot pc
        if colour not in (0, 1) or not 0 <= square < 90:
            raise ValueError(f"no colour {colour} or no square {square}")
        slots = attackers(&self.pos, colour, to256(square))
        return sorted(to90(self.pos.sq[pc]) for pc in range(base_of(colour), base_of(colour) + 16) if slots >> pc & 1)

    def piece_at(self, int square):
        """The piece on a square, or None."""
        cdef Slot pc
        if not 0 <= square < 90:
            raise ValueError(f"squares are 0 to 89, not {square}")
        pc = self.pos.board[to256(square)]
        return Piece(side_of(pc), KIND[pc]) if pc else None

    def pieces(self):
        """A dict of all pieces by square."""
        cdef Slot pc
        return {to90(self.pos.sq[pc]): Piece(side_of(pc), KIND[pc]) for pc in range(16, 48) if self.pos.sq[pc]}

    def king(self, int colour):
        """The square of a colour's king."""
        if colour not in (0, 1):
            raise ValueError(f"no colour {colour}")
        return to90(self.pos.sq[base_of(colour)])

    def see(self, Move move not None):
        """Static exchange evaluation of a move, in the core's units (pawn 120, knight 400, rook 900)."""
        if not is_pseudo_legal(&self.pos, from_move(move)):
            raise IllegalMoveError(f"{move} is not possible in {self.fen()}")
        return see(&self.pos, from_move(move))

    def perft(self, int depth):
        """Count the leaves of the move tree; runs without the GIL on a copy."""
        cdef Board board
        cdef u64 total
        if not 0 <= depth <= 64:
            raise ValueError(f"perft takes a depth from 0 to 64, not {depth}")
        board = self.copy()
        board.reserve(board.pos.ply + depth + 2)
        with nogil:
            total = perft(&board.pos, depth)
        return total

    def recurrence(self, int times=1):
        """How many plies ago this position occurred, `times` occurrences back; 0 if it did not."""
        return recurrence(&self.pos, times)

    def first_occurrence(self):
        """How many plies ago this position first occurred since the last capture; 0 if it did not."""
        return first_occurrence(&self.pos)

    def ending(self, int law, int occurrences, int move_limit, bint material):
        """How the game has ended, or None: (one of GAME_REASONS, the loser or -1, the squares of the chased pieces).

        `occurrences` of a position are judged by `law`; `move_limit` is in plies, 0 for none.
        """
        cdef Verdict verdict
        cdef int pc, foe, reason
        self.reserve(self.pos.ply + 4)
        verdict.victims = 0
        reason = game_ending(&self.pos, law, occurrences, move_limit, material, &verdict)
        if reason == END_NONE:
            return None
        foe = base_of(verdict.loser ^ 1)
        victims = [to90(self.pos.sq[foe + pc]) for pc in range(16) if verdict.victims >> pc & 1]
        return GAME_REASONS[reason], verdict.loser, victims

    def has_attackers(self):
        """Has either side a piece that can cross the river?"""
        return not no_attackers(&self.pos)

    def copy(self):
        """An independent copy, with the history."""
        cdef type cls = type(self)
        cdef Board other = cls.__new__(cls)
        cdef StateInfo* states
        other.reserve(self.pos.ply + 2)
        states = other.pos.states
        other.pos = self.pos
        other.pos.states = states
        memcpy(states, self.pos.states, self.pos.ply * sizeof(StateInfo))
        other.first_move = self.first_move
        other.first_side = self.first_side
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __eq__(self, other):
        """Equal: the same pieces on the same squares and the same side to move; the history does not count."""
        if not isinstance(other, Board):
            return NotImplemented
        return board_fen(&self.pos) == board_fen(&(<Board>other).pos) and self.pos.side == (<Board>other).pos.side

    __hash__ = None
