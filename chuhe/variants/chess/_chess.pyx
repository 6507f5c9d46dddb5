"""The chess board that the search runs on. Validation, FEN and SAN are left to python-chess."""

include "types.pxi"  # squares, moves, the board's struct
include "lookup.pxi"  # the evaluation's constants
include "attacks.pxi"  # which squares a piece attacks
include "board.pxi"  # make and undo
include "generate.pxi"  # moves, exchanges
include "evaluate.pxi"  # the static value

from chuhe.engine.errors import FenError

fill_tables()
fill_attacks()
fill_castling()
fill_masks()

cdef str LETTERS = "PNBRQKpnbrqk"


cdef class Chess(GameState):
    """A chess position as a `GameState`. `set_fen` expects a legal FEN: validate it with python-chess first."""

    cdef ChessBoard board

    def __cinit__(self, fen: str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"):
        self.counts_plies = True
        self.set_fen(fen)

    def set_fen(self, fen: str) -> None:
        fields = fen.split()
        if len(fields) < 4 or fields[0].count("K") != 1 or fields[0].count("k") != 1:
            raise FenError(f"a chess FEN has four or six fields and one king a side: {fen!r}")
        pieces = {}
        sq = 56
        for letter in fields[0]:
            if letter == "/":
                sq -= 16
            elif letter.isdigit():
                sq += int(letter)
            elif letter in LETTERS and 0 <= sq < 64:
                pieces[sq] = LETTERS.index(letter)
                sq += 1
            else:
                raise FenError(f"{letter!r} cannot stand where it does in the chess board {fields[0]!r}")
        clear(&self.board)
        for sq, pc in pieces.items():
            put(&self.board, pc, sq)
        self.board.turn = BLACK if fields[1] == "b" else WHITE
        self.board.castling = sum(1 << "KQkq".index(letter) for letter in fields[2] if letter in "KQkq")
        if fields[3] != "-":
            sq = ord(fields[3][0]) - ord("a") + 8 * (int(fields[3][1]) - 1)
            if pawn_attacks[1 - self.board.turn][sq] & self.board.pieces[6 * self.board.turn + PAWN]:
                self.board.en_passant = sq
        self.board.clock = min(int(fields[4]), 150) if len(fields) > 4 else 0
        self.board.key ^= state_key(&self.board) ^ (turn_key if self.board.turn == BLACK else 0)

    def move_name(self, mv: int) -> str:
        """In UCI notation: e2e4, e1g1, e7e8q."""
        files, name = "abcdefgh", ""
        for sq in (from_square(mv), to_square(mv)):
            name += f"{files[sq & 7]}{(sq >> 3) + 1}"
        return name + ("nbrq"[promoted(mv) - 1] if promoted(mv) else "")

    def find_move(self, name: str) -> int | None:
        """The legal move with this UCI name, if there is one."""
        return next((mv for mv in self.legal_moves() if self.move_name(mv) == name), None)

    def perft(self, int depth) -> int:
        cdef uint64_t total
        if depth <= 0:
            return 1
        with nogil:
            total = perft(&self.board, depth)
        return total

    def exchange_value(self, mv: int) -> int:
        return exchange(&self.board, mv)

    def evaluation_terms(self) -> dict:
        """For each term (White's opening and endgame value, Black's opening and endgame value), not tapered."""
        cdef int[TERMS][2][2] found
        names = ("material and squares", "pawns", "pieces", "kings and attacks", "threats", "bare king")
        find_terms(&self.board, found)
        return {name: (found[i][0][0], found[i][0][1], found[i][1][0], found[i][1][1]) for i, name in enumerate(names)}

    def pop(self) -> None:
        if self.board.ply == 0:
            raise IndexError("no move to take back")
        undo_move(&self.board)

    @property
    def white_to_move(self) -> bool:
        return self.board.turn == WHITE

    cdef int moves(self, move_t* found) noexcept nogil:
        return generate(&self.board, False, found)

    cdef int noisy(self, move_t* found) noexcept nogil:
        return generate(&self.board, True, found)

    cdef bint make(self, move_t mv) noexcept nogil:
        return make_move(&self.board, mv)

    cdef void undo(self) noexcept nogil:
        undo_move(&self.board)

    cdef bint make_pass(self) noexcept nogil:
        """Not with only pawns left, where zugzwang is common."""
        cdef int us = self.board.turn
        if self.board.side[us] == self.board.pieces[6 * us + PAWN] | self.board.pieces[6 * us + KING]:
            return False
        pass_turn(&self.board)
        return True

    cdef int evaluate(self) noexcept nogil:
        return evaluate_board(&self.board)

    cdef bint terminal(self, bint stuck, int ply, int* value) noexcept nogil:
        if stuck:
            value[0] = ply - WIN if in_check(&self.board, self.board.turn) else 0
            return True
        value[0] = 0
        return is_repetition(&self.board) or is_dead(&self.board) or (
            self.board.clock >= FIFTY_MOVES and (not in_check(&self.board, self.board.turn) or self.has_move()))

    cdef bint has_move(self) noexcept nogil:
        """A mate on the last of the fifty moves counts; otherwise the game is drawn."""
        cdef move_t found[MAX_MOVES]
        cdef int count = generate(&self.board, False, found), i
        for i in range(count):
            if make_move(&self.board, found[i]):
                undo_move(&self.board)
                return True
        return False

    cdef key_t key(self) noexcept nogil:
        return self.board.key

    cdef int weight(self, move_t mv) noexcept nogil:
        """Most valuable victim first, then the least valuable attacker; a capture that loses material is negative."""
        cdef int attacker = self.board.at[from_square(mv)] % 6
        cdef int victim
        if promoted(mv):
            return 1000 + 100 * QUEEN if promoted(mv) == QUEEN else -1000
        if not flags(mv) & TAKES:
            return 0
        victim = PAWN if flags(mv) & EN_PASSANT else self.board.at[to_square(mv)] % 6
        if exchange_values[attacker] > exchange_values[victim] and exchange(&self.board, mv) < 0:
            return -1000 + 100 * victim - attacker
        return 1000 + 100 * victim - attacker

    cdef int slot(self, move_t mv) noexcept nogil:
        return 64 * self.board.at[from_square(mv)] + to_square(mv)

    cdef bint checked(self) noexcept nogil:
        return in_check(&self.board, self.board.turn)

    cdef bint has_space(self) noexcept nogil:
        return self.board.ply + 2 * MAX_PLY < STACK
