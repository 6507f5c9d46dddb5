# The Python interface to the board: Move, Piece and Board, thin wrappers around the structs.

cdef tuple SIDES = (RED, BLACK)
cdef str KINGS_ONLY = "4k4/9/9/9/9/9/9/9/9/3K5"
cdef str NULL_MOVE = "0000"
cdef tuple UCI_RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")


cdef class Move:
    """Move(from_square, to_square)\n--\n
    A move from one square (0-89, ``9 * rank + file``) to another.

    from_square, to_square: these two.

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
        if word == NULL_MOVE:
            return Move(0, 0)
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
        if word == NULL_MOVE:
            return Move(0, 0)
        for part in (src, dst):
            if len(part) not in (2, 3) or part[0] not in "abcdefghi" or part[1:] not in UCI_RANKS:
                raise InvalidMoveError(Message("move.not-uci", text=shown(text)))
        return Move((int(src[1:]) - 1) * 9 + ord(src[0]) - 97, (int(dst[1:]) - 1) * 9 + ord(dst[0]) - 97)

    @staticmethod
    def null():
        """The null move, which passes the turn; it is false, and no position calls it legal."""
        return Move(0, 0)

    def __bool__(self):
        return self.from_square != 0 or self.to_square != 0

    @property
    def iccs(self):
        """The move in ICCS, ranks 0-9: ``h2e2``; ``0000`` for the null move."""
        if not self:
            return NULL_MOVE
        return (square_name(self.from_square % 9, self.from_square // 9)
                + square_name(self.to_square % 9, self.to_square // 9))

    @property
    def uci(self):
        """The move with ranks 1-10: ``h3e3``; ``0000`` for the null move."""
        if not self:
            return NULL_MOVE
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

    def __lt__(self, other):
        """Moves are ordered by the square they come from, then by the square they go to."""
        if not isinstance(other, Move):
            return NotImplemented
        return hash(self) < hash(other)

    def __le__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return hash(self) <= hash(other)

    def __gt__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return hash(self) > hash(other)

    def __ge__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return hash(self) >= hash(other)

    def __hash__(self):
        return self.from_square * 90 + self.to_square

    def __reduce__(self):
        return Move, (self.from_square, self.to_square)


cdef list MOVES = [Move(src, dst) for src in range(90) for dst in range(90)]  # made once: a move never changes


cdef inline Move to_move(u16 mv):
    return <Move>MOVES[90 * to90(mv & 255) + to90(mv >> 8)]


cdef inline u16 from_move(Move move):
    return move_of(to256(move.from_square), to256(move.to_square))


cdef class Piece:
    """Piece(colour, kind)\n--\n
    A piece: its colour and its kind.

    kind: KING … PAWN.
    """

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
    """Board(fen=START_FEN)\n--\n
    The compiled half of `Position`: the board, its history, and everything derived from them."""

    cdef Pos pos
    cdef int capacity
    cdef int first_move  # the full-move number from the FEN
    cdef int first_side
    cdef dict draft  # the pieces by square while they are no position that can occur; else None

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
        self.draft = None
        self.first_move = full
        self.first_side = fresh.side

    cdef int ready(self) except -1:
        # what needs a position that can occur begins with this
        if self.draft is not None:
            raise placement_faults(self.draft, self.pos.side)[0]
        return 0

    def place(self, dict pieces not None, int side):
        """Replace the pieces and the side to move; the moves made so far are forgotten.

        Any pieces on any squares: `faults` says why such a position cannot occur, and what needs one raises that.
        """
        cdef int number = self.fullmove_number
        for square, piece in pieces.items():
            if not isinstance(piece, Piece) or not isinstance(square, int) or not 0 <= square < 90:
                raise ValueError(f"pieces are Piece by square, 0 to 89, not {piece!r} by {square!r}")
        if side not in (0, 1):
            raise ValueError(f"no colour {side}")
        if placement_faults(pieces, side):
            self.set_fen(f"{KINGS_ONLY} {'wb'[side]} - - 0 {number}")  # nothing is computed from it
            self.draft = dict(pieces)
        else:
            self.set_fen(f"{placement(pieces)} {'wb'[side]} - - 0 {number}")

    cdef str rows(self):
        return board_fen(&self.pos) if self.draft is None else placement(self.draft)

    def faults(self):
        """Why this position cannot occur, as FenErrors; only one that was set up piece by piece has any."""
        return [] if self.draft is None else placement_faults(self.draft, self.pos.side)

    def fen(self):
        """The position in the standard letters."""
        return (f"{self.rows()} {'b' if self.pos.side else 'w'} - - "
                f"{self.pos.half_move_clock} {self.fullmove_number}")

    @property
    def turn(self):
        """RED or BLACK: whose move it is. To set it forgets the moves made so far."""
        return SIDES[self.pos.side]

    @turn.setter
    def turn(self, int side):
        self.place(self.pieces(), side)

    @property
    def key(self):
        """The 64-bit Zobrist key: the same position has the same key on every machine."""
        self.ready()
        return self.pos.key

    @property
    def ply(self):
        """The number of moves pushed."""
        return self.pos.ply

    @property
    def fullmove_number(self):
        """The number of the move to be made, as in a FEN; Black's move raises it."""
        return self.first_move + (self.first_side + self.pos.ply) // 2

    @property
    def halfmove_clock(self):
        """Plies without a capture, as the move limit counts them (checks beyond ten a side do not count)."""
        return self.pos.half_move_clock

    @property
    def legal_moves(self):
        """All legal moves, captures first."""
        cdef u16[MAX_MOVES] moves
        cdef int n, i
        self.ready()
        n = generate_legal(&self.pos, moves)
        return [to_move(moves[i]) for i in range(n)]

    @property
    def legal_captures(self):
        """The legal moves that capture something."""
        return [move for move in self.legal_moves if self.is_capture(move)]

    @property
    def pseudo_legal_moves(self):
        """All moves that the pieces can make, including those that leave the king in check."""
        cdef u16[MAX_MOVES] moves
        cdef int n, i
        self.ready()
        n = generate(&self.pos, moves, True)
        n += generate(&self.pos, moves + n, False)
        return [to_move(moves[i]) for i in range(n)]

    @property
    def move_stack(self):
        """The moves pushed so far."""
        cdef int i
        return [to_move(self.pos.states[i].mv) if self.pos.states[i].mv else Move(0, 0) for i in range(self.pos.ply)]

    def is_pseudo_legal(self, Move move not None):
        """Can the piece make this move, if its king's safety does not count?"""
        self.ready()
        return is_pseudo_legal(&self.pos, from_move(move))

    def is_legal(self, Move move not None):
        """Is this move legal here? A null move is not."""
        cdef u16 mv = from_move(move)
        self.ready()
        return is_pseudo_legal(&self.pos, mv) and safe_after(&self.pos, mv)

    def is_capture(self, Move move not None):
        """Does this move go to a square where a piece stands?"""
        self.ready()
        return bool(move) and self.pos.board[to256(move.to_square)] != 0

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
        """Make a legal move or a null move; IllegalMoveError otherwise."""
        cdef CheckSquares cs
        if not move:
            self.push_null()
            return
        if not self.is_legal(move):
            raise IllegalMoveError(f"{move} is not legal in {self.fen()}")
        self.reserve(self.pos.ply + 2)
        check_squares(&self.pos, &cs)
        make(&self.pos, from_move(move), checks(&self.pos, from_move(move), &cs))

    def push_null(self):
        """Pass the move; not while in check."""
        self.ready()
        if self.pos.in_check:
            raise IllegalMoveError("a side in check cannot pass")
        self.reserve(self.pos.ply + 2)
        make_null(&self.pos)

    def pop(self):
        """Take the last move back and return it; IndexError if there is none."""
        cdef u16 mv
        if self.pos.ply == 0:
            raise IndexError("no move to take back")
        mv = self.pos.states[self.pos.ply - 1].mv
        if mv == 0:
            undo_null(&self.pos)
            return Move(0, 0)
        undo_move(&self.pos)
        return to_move(mv)

    def is_check(self):
        """Is the side to move in check?"""
        return bool(self.pos.in_check)

    def has_legal_moves(self):
        """Is there a legal move?"""
        self.ready()
        return bool(has_legal(&self.pos))

    def checkers(self):
        """The squares of the pieces that give check."""
        self.ready()
        return self.attackers(self.pos.side ^ 1, to90(self.pos.sq[base_of(self.pos.side)]))

    def attackers(self, int colour, int square):
        """The squares of the pieces of a colour that attack a square, pinned or not."""
        cdef u64 slots
        cdef Slot pc
        if colour not in (0, 1) or not 0 <= square < 90:
            raise ValueError(f"no colour {colour} or no square {square}")
        self.ready()
        slots = attackers(&self.pos, colour, to256(square))
        return sorted(to90(self.pos.sq[pc]) for pc in range(base_of(colour), base_of(colour) + 16) if slots >> pc & 1)

    def attacks(self, int square):
        """The squares that the piece on a square attacks or protects, pinned or not; none if no piece is there."""
        cdef Slot pc
        cdef int target
        if self.piece_at(square) is None:
            return []
        self.ready()
        pc = self.pos.board[to256(square)]
        return [target for target in range(90)
                if target != square and attackers(&self.pos, side_of(pc), to256(target)) >> pc & 1]

    def is_pinned(self, int square):
        """Would the king of the piece on a square be attacked by one more piece if it were gone?"""
        cdef CheckInfo ci
        cdef Pos seen
        cdef Slot pc
        if self.piece_at(square) is None:
            return False
        self.ready()
        pc = self.pos.board[to256(square)]
        seen = self.pos
        seen.side = side_of(pc)
        check_info(&seen, &ci)
        return bool(ci.pinned >> pc & 1)

    def plain_move(self, int kind, int file, int direction, int number):
        """The one legal move of a piece of a kind, from a file, as WXF and Chinese say it; None if it is not one.

        Files and `number` are counted 1 to 9 from the mover's right; `direction`: 1 forward, -1 backward, 0 sideways.
        """
        cdef int pc, base, sq, dst, count = 0, column, goal, rank, ranks, step
        cdef bint diagonal = kind in (K_ADVISOR, K_BISHOP, K_KNIGHT)
        cdef u16 mv, found = 0
        self.ready()
        if not (0 <= kind <= 6 and 1 <= file <= 9 and 1 <= number <= 9):
            return None
        base = base_of(self.pos.side) + <int>KIND_FIRST[kind]
        column = file - 1 if self.pos.side else 9 - file
        goal = number - 1 if self.pos.side else 9 - number
        step = -direction if self.pos.side else direction
        for pc in range(base, base + <int>KIND_COUNT[kind]):
            sq = self.pos.sq[pc]
            if not sq or file_of(sq) != column:
                continue
            if not diagonal:
                rank, dst = rank_of(sq) + step * number, column if direction else goal
            elif direction == 0:
                return None
            else:
                ranks = 3 - abs(goal - column) if kind == K_KNIGHT else abs(goal - column)
                rank, dst = rank_of(sq) + step * ranks, goal
            if rank < 0 or rank > 9:
                continue
            mv = move_of(sq, (rank + 3) * 16 + dst + 3)
            if is_pseudo_legal(&self.pos, mv) and safe_after(&self.pos, mv):
                count += 1
                found = mv
        return to_move(found) if count == 1 else None

    def piece_at(self, int square):
        """The piece on a square, or None."""
        cdef Slot pc
        if not 0 <= square < 90:
            raise ValueError(f"squares are 0 to 89, not {square}")
        if self.draft is not None:
            return self.draft.get(square)
        pc = self.pos.board[to256(square)]
        return Piece(side_of(pc), KIND[pc]) if pc else None

    def pieces(self):
        """A dict of all pieces by square."""
        cdef Slot pc
        if self.draft is not None:
            return dict(self.draft)
        return {to90(self.pos.sq[pc]): Piece(side_of(pc), KIND[pc]) for pc in range(16, 48) if self.pos.sq[pc]}

    def king(self, int colour):
        """The square of a colour's king."""
        if colour not in (0, 1):
            raise ValueError(f"no colour {colour}")
        self.ready()
        return to90(self.pos.sq[base_of(colour)])

    def see(self, Move move not None):
        """Static exchange evaluation of a move, in the core's units (pawn 120, knight 400, rook 900)."""
        self.ready()
        if not is_pseudo_legal(&self.pos, from_move(move)):
            raise IllegalMoveError(f"{move} is not possible in {self.fen()}")
        return see(&self.pos, from_move(move))

    def perft(self, int depth):
        """Count the leaves of the move tree; runs without the GIL on a copy."""
        cdef Board board
        cdef u64 total
        if not 0 <= depth <= 64:
            raise ValueError(f"perft takes a depth from 0 to 64, not {depth}")
        self.ready()
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
        self.ready()
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
        self.ready()
        return not no_attackers(&self.pos)

    def copy(self, bint stack=True):
        """An independent copy, with the moves made so far, or without them (`stack=False`)."""
        cdef type cls = type(self)
        cdef Board other = cls.__new__(cls)
        cdef StateInfo* states
        other.reserve(self.pos.ply + 2 if stack else 2)
        states = other.pos.states
        other.pos = self.pos
        other.pos.states = states
        other.draft = self.draft  # never changed, only replaced
        if stack:
            memcpy(states, self.pos.states, self.pos.ply * sizeof(StateInfo))
            other.first_move = self.first_move
            other.first_side = self.first_side
        else:
            other.first_move = self.fullmove_number
            other.first_side = self.pos.side
            other.pos.ply = other.pos.reversible_plies = 0
            other.pos.checks[0] = other.pos.checks[1] = 0
            memset(other.pos.seen, 0, SEEN_SIZE)
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __eq__(self, other):
        """Equal: the same pieces on the same squares and the same side to move; the history does not count."""
        if not isinstance(other, Board):
            return NotImplemented
        return self.pos.side == (<Board>other).pos.side and self.rows() == (<Board>other).rows()

    __hash__ = None
