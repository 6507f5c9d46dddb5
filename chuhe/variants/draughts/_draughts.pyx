"""English draughts as a `GameState`.

Squares are 8 * row + column, row 0 at the top; Alice moves up, Bill down. A move: from | to << 6 | jumps << 12, and
from bit 16 on two bits for each step's direction. Moves come in reading order: by the square they leave, then by the
squares they go to.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from chuhe.variants.search._keys cimport mixed
from chuhe.variants.search._search cimport MAX_PLY, WIN, GameState, key_t, move_t

ctypedef uint64_t bb_t

cdef enum:
    ALICE = 0
    BILL = 1
    STACK = 2048
    IDLE_LIMIT = 80  # plies without a capture or a man's move until a draw, if draws are counted
    MAX_JUMPS = 12

cdef int[4] row_steps = [-1, -1, 1, 1]
cdef int[4] column_steps = [-1, 1, -1, 1]

cdef struct DraughtsState:
    bb_t men[2]
    bb_t kings[2]
    int turn
    int idle  # plies since the last capture or man's move
    key_t key

cdef key_t man_keys[2][64]
cdef key_t king_keys[2][64]
cdef key_t bill_key


cdef void fill_keys() noexcept:
    cdef key_t seed = 0x6A09E667F3BCC909
    cdef int side, sq
    global bill_key
    for sq in range(64):
        for side in range(2):
            man_keys[side][sq] = mixed(&seed)
            king_keys[side][sq] = mixed(&seed)
    bill_key = mixed(&seed)


fill_keys()


cdef inline bb_t bit(int sq) noexcept nogil:
    return <bb_t>1 << sq


cdef inline int stepped(int sq, int direction, int distance) noexcept nogil:
    """The square `distance` diagonal steps away, or -1 beyond the edge."""
    cdef int row = (sq >> 3) + distance * row_steps[direction]
    cdef int column = (sq & 7) + distance * column_steps[direction]
    return 8 * row + column if 0 <= row < 8 and 0 <= column < 8 else -1


cdef inline bint may_go(int side, bint crowned, int direction) noexcept nogil:
    return crowned or (direction < 2) == (side == ALICE)


cdef key_t hashed(DraughtsState* state) noexcept nogil:
    cdef key_t key = bill_key if state.turn == BILL else 0
    cdef int side, sq
    for side in range(2):
        for sq in range(64):
            if state.men[side] & bit(sq):
                key ^= man_keys[side][sq]
            if state.kings[side] & bit(sq):
                key ^= king_keys[side][sq]
    return key


cdef class Draughts(GameState):
    """A position of English draughts.

    multi_jump: a jump continues while the same piece can jump; else every jump is single.
    draws: a recurring position, or 80 plies without progress, is a draw; else there are no draws.
    quick_wins: a sooner win is worth more; else every win is worth the same.
    """

    cdef DraughtsState state
    cdef DraughtsState stack[STACK]
    cdef int depth
    cdef readonly bint multi_jump
    cdef readonly bint draws

    def __cinit__(self, cells: str, bint alice_moves=True, bint multi_jump=False, bint draws=False,
                  bint quick_wins=False):
        """cells: the 64 characters of the board, checked by `chuhe.variants.draughts.text.parse_board`."""
        cdef int sq
        if len(cells) != 64:
            raise ValueError(f"a draughts board has 64 squares, not {len(cells)}")
        self.multi_jump, self.draws, self.counts_plies = multi_jump, draws, quick_wins
        memset(&self.state, 0, sizeof(DraughtsState))
        for sq in range(64):
            if cells[sq] == "A":
                self.state.men[ALICE] |= bit(sq)
            elif cells[sq] == "B":
                self.state.men[BILL] |= bit(sq)
            elif cells[sq] == "k":
                self.state.kings[ALICE] |= bit(sq)
            elif cells[sq] == "K":
                self.state.kings[BILL] |= bit(sq)
        self.state.turn = ALICE if alice_moves else BILL
        self.state.key = hashed(&self.state)

    @property
    def cells(self) -> str:
        """The 64 characters of the board."""
        cdef int sq
        letters = []
        for sq in range(64):
            if ((sq >> 3) + sq) % 2 == 0:
                letters.append("+")
            elif self.state.men[ALICE] & bit(sq):
                letters.append("A")
            elif self.state.men[BILL] & bit(sq):
                letters.append("B")
            elif self.state.kings[ALICE] & bit(sq):
                letters.append("k")
            elif self.state.kings[BILL] & bit(sq):
                letters.append("K")
            else:
                letters.append("O")
        return "".join(letters)

    @property
    def alice_moves(self) -> bool:
        return self.state.turn == ALICE

    @property
    def material(self) -> int:
        """Alice's men minus Bill's, a king counting two."""
        return self.count_material()

    def path(self, move_t mv) -> tuple:
        """The squares of a move as (row, column), from the first to the last."""
        cdef int sq = mv & 63
        cdef int jumps = mv >> 12 & 15
        cdef int i
        squares = [(sq >> 3, sq & 7)]
        for i in range(max(1, jumps)):
            sq = stepped(sq, mv >> (16 + 2 * i) & 3, 2 if jumps else 1)
            squares.append((sq >> 3, sq & 7))
        return tuple(squares)

    def pop(self) -> None:
        if self.depth == 0:
            raise IndexError("no move to take back")
        self.undo()

    cdef int count_material(self) noexcept nogil:
        cdef int total = 0
        cdef int sq
        for sq in range(64):
            if (self.state.men[ALICE] | self.state.men[BILL]) & bit(sq):
                total += 1 if self.state.men[ALICE] & bit(sq) else -1
            if (self.state.kings[ALICE] | self.state.kings[BILL]) & bit(sq):
                total += 2 if self.state.kings[ALICE] & bit(sq) else -2
        return total

    cdef int moves(self, move_t* found) noexcept nogil:
        """All jumps if there are any, else all steps."""
        cdef int side = self.state.turn
        cdef bb_t own = self.state.men[side] | self.state.kings[side]
        cdef bb_t enemy = self.state.men[1 - side] | self.state.kings[1 - side]
        cdef bb_t occupied = own | enemy
        cdef int count = 0
        cdef int sq, direction, target
        cdef bint crowned
        for sq in range(64):
            if own & bit(sq):
                crowned = (self.state.kings[side] & bit(sq)) != 0
                count = self.add_jumps(sq, sq, crowned, occupied ^ bit(sq), enemy, 0, 0, found, count)
        if count:
            return count
        for sq in range(64):
            if not own & bit(sq):
                continue
            crowned = (self.state.kings[side] & bit(sq)) != 0
            for direction in range(4):
                target = stepped(sq, direction, 1)
                if target >= 0 and may_go(side, crowned, direction) and not occupied & bit(target):
                    found[count] = <move_t>(sq | target << 6 | direction << 16)
                    count += 1
        return count

    cdef int add_jumps(self, int start, int sq, bint crowned, bb_t occupied, bb_t enemy, int jumps, move_t route,
                       move_t* found, int count) noexcept nogil:
        """All jumps that continue from sq; a chain ends where it cannot go on, or where a man is crowned."""
        cdef int side = self.state.turn
        cdef int direction, over, target
        cdef bint went_on = False
        cdef bint ends = jumps > 0 and (not self.multi_jump or jumps == MAX_JUMPS or (
            not crowned and sq >> 3 == (0 if side == ALICE else 7)))
        if not ends:
            for direction in range(4):
                over, target = stepped(sq, direction, 1), stepped(sq, direction, 2)
                if target < 0 or not may_go(side, crowned, direction):
                    continue
                if not enemy & bit(over) or occupied & bit(target):
                    continue
                went_on = True
                count = self.add_jumps(start, target, crowned, occupied, enemy ^ bit(over), jumps + 1,
                                       route | <move_t>direction << (16 + 2 * jumps), found, count)
        if jumps and not went_on:
            found[count] = route | <move_t>(start | sq << 6 | jumps << 12)
            count += 1
        return count

    cdef bint make(self, move_t mv) noexcept nogil:
        cdef DraughtsState* state = &self.state
        cdef int side = state.turn
        cdef int sq = mv & 63
        cdef int target = mv >> 6 & 63
        cdef int jumps = mv >> 12 & 15
        cdef int i, over
        self.stack[self.depth] = state[0]
        self.depth += 1
        state.idle += 1
        if state.men[side] & bit(sq):
            state.men[side] ^= bit(sq)
            state.key ^= man_keys[side][sq]
            state.idle = 0
            if target >> 3 == (0 if side == ALICE else 7):
                state.kings[side] |= bit(target)
                state.key ^= king_keys[side][target]
            else:
                state.men[side] |= bit(target)
                state.key ^= man_keys[side][target]
        else:
            state.kings[side] = (state.kings[side] ^ bit(sq)) | bit(target)
            state.key ^= king_keys[side][sq] ^ king_keys[side][target]
        for i in range(jumps):
            over = stepped(sq, mv >> (16 + 2 * i) & 3, 1)
            state.key ^= man_keys[1 - side][over] if state.men[1 - side] & bit(over) else king_keys[1 - side][over]
            state.men[1 - side] &= ~bit(over)
            state.kings[1 - side] &= ~bit(over)
            state.idle = 0
            sq = stepped(sq, mv >> (16 + 2 * i) & 3, 2)
        state.turn = 1 - side
        state.key ^= bill_key
        return True

    cdef void undo(self) noexcept nogil:
        self.depth -= 1
        self.state = self.stack[self.depth]

    cdef int noisy(self, move_t* found) noexcept nogil:
        """Jumps are compulsory, so the quiescence search only needs to look at jumps."""
        cdef int count = self.moves(found)
        return count if count and found[0] >> 12 & 15 else 0

    cdef bint checked(self) noexcept nogil:
        """A side that must jump cannot stand pat."""
        cdef move_t found[256]
        return self.noisy(found) > 0

    cdef int evaluate(self) noexcept nogil:
        return self.count_material() if self.state.turn == ALICE else -self.count_material()

    cdef bint terminal(self, bint stuck, int ply, int* value) noexcept nogil:
        """Lost without a move; won if the other side has no piece (only possible at the start of a game)."""
        cdef move_t found[256]
        cdef int side = self.state.turn
        cdef int worth = WIN - ply if self.counts_plies else WIN
        if stuck or not self.state.men[side] | self.state.kings[side] or self.moves(found) == 0:
            value[0] = -worth
            return True
        if not self.state.men[1 - side] | self.state.kings[1 - side]:
            value[0] = worth
            return True
        value[0] = 0
        return self.draws and (self.state.idle >= IDLE_LIMIT or self.recurs())

    cdef bint recurs(self) noexcept nogil:
        cdef int i = self.depth - 4
        while i >= 0 and i >= self.depth - self.state.idle:
            if self.stack[i].key == self.state.key:
                return True
            i -= 2
        return False

    cdef key_t key(self) noexcept nogil:
        return self.state.key

    cdef int weight(self, move_t mv) noexcept nogil:
        return <int>(mv >> 12 & 15)

    cdef int slot(self, move_t mv) noexcept nogil:
        return <int>(mv & 4095) + 4096 * self.state.turn

    cdef bint has_space(self) noexcept nogil:
        return self.depth + 2 * MAX_PLY < STACK
