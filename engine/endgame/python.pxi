# The Python interface to the solver. Every method that takes a range runs without the GIL, one range per thread.

ILLEGAL = CODE_ILLEGAL
LONGEST = LONGEST_CODE
BLOCK_ENTRIES = BLOCK


def position_count(u32 attacker, u32 defender):
    """The number of entries for each side to move. Piece counts are four bits for each kind, as in the core."""
    cdef Endgame endgame
    set_endgame(&endgame, attacker, defender)
    return endgame.size


cdef class Solver:
    """One material: its codes for both sides to move, whether they are being solved or were read from a file."""

    cdef SolverState work
    cdef readonly object attacker
    cdef readonly object defender
    cdef list kept  # the smaller materials, kept alive because we point into them

    def __cinit__(self, u32 attacker, u32 defender, bint solving=True):
        cdef int side
        set_endgame(&self.work.values.endgame, attacker, defender)
        self.attacker = attacker
        self.defender = defender
        self.kept = []
        for side in range(2):
            self.work.values.code[side] = <u16*>acquire(self.size * sizeof(u16))
            if solving:
                self.work.open_moves[side] = <u8*>acquire(self.size)
            if self.work.values.code[side] == NULL or (solving and self.work.open_moves[side] == NULL):
                raise MemoryError(f"no memory for an endgame of {2 * self.size} positions")

    def __dealloc__(self):
        cdef int side
        for side in range(2):
            release(self.work.values.code[side], self.work.values.endgame.size * sizeof(u16))
            release(self.work.open_moves[side], self.work.values.endgame.size)

    @property
    def size(self):
        """The number of entries for each side to move."""
        return self.work.values.endgame.size

    def attach(self, int side, int kind, Solver smaller not None):
        """Set the material that is left when a piece of this side and kind is captured."""
        self.work.smaller[side][kind] = &smaller.work.values
        self.kept.append(smaller)

    # The four steps of solving; each returns what it wrote as {(side, code): count, or an upper bound}

    def begin(self, int64_t first, int64_t end):
        """Set up the entries of a range."""
        return self._run(0, 0, 0, first, end)

    def spread(self, int side, int code, int64_t first, int64_t end):
        """Propagate one quiet move back from the entries of a range that have this code."""
        return self._run(1, side, code, first, end)

    cdef int check_range(self, int64_t first, int64_t end) except -1:
        if not 0 <= first <= end <= self.work.values.endgame.size:
            raise IndexError(f"no entries {first} to {end}")
        return 0

    cdef dict _run(self, int step, int side, int code, int64_t first, int64_t end):
        cdef SolvedCounts* tally
        cdef int i, j
        self.check_range(first, end)
        if self.work.open_moves[0] == NULL:
            raise ValueError("this endgame was not set up for solving")
        tally = <SolvedCounts*>calloc(1, sizeof(SolvedCounts))
        if tally == NULL:
            raise MemoryError("no memory for an endgame")
        try:
            with nogil:
                if step == 0:
                    begin(&self.work, first, end, tally)
                else:
                    spread(&self.work, side, code, first, end, tally)
            if tally.overflow:
                raise OverflowError(f"a distance of {MAX_CODE} plies or more")
            return {(i, j): tally.written[i][j] for i in range(2) for j in range(MAX_CODE) if tally.written[i][j]}
        finally:
            free(tally)

    def finish(self, int64_t first, int64_t end):
        """Turn undecided entries into draws."""
        self.check_range(first, end)
        with nogil:
            finish(&self.work, first, end)

    def settle(self):
        """Free what only solving needs: the move counts and the smaller materials."""
        cdef int side
        for side in range(2):
            release(self.work.open_moves[side], self.work.values.endgame.size)
            self.work.open_moves[side] = NULL
        memset(self.work.smaller, 0, sizeof(self.work.smaller))
        self.kept.clear()

    # Reading

    def code(self, int side, int64_t index):
        """The code of an entry: 0 draw, n + 1 decided in n plies, ILLEGAL (only after solving)."""
        if side not in (0, 1) or not 0 <= index < self.size:
            raise IndexError(f"no entry {index} for side {side}")
        return self.work.values.code[side][index]

    def histogram(self, int side):
        """{code: entries}, without illegal entries (known only after solving)."""
        cdef u64* counts = <u64*>calloc(65536, sizeof(u64))
        cdef int64_t index
        cdef int i
        if counts == NULL:
            raise MemoryError("no memory for an endgame")
        with nogil:
            for index in range(self.work.values.endgame.size):
                counts[self.work.values.code[side][index]] += 1
        result = {i: counts[i] for i in range(65535) if counts[i]}
        free(counts)
        return result

    def pieces(self, int64_t index):
        """[(side, kind, square)] of a position, the attacker being side 0; None if two would stand on one point."""
        cdef Pos p
        cdef u32[MAX_GROUPS] ways
        if not 0 <= index < self.size:
            raise IndexError(f"no entry {index}")
        p.states = NULL
        clear(&p)
        if not set_up(&self.work.values.endgame, index, ways, &p):
            return None
        return [(side_of(pc), KIND[pc], to90(p.sq[pc])) for pc in range(16, 48) if p.sq[pc]]

    def is_legal(self, int side, int64_t index):
        """Is the position legal with this side to move?"""
        cdef Pos p
        cdef u32[MAX_GROUPS] ways
        self.check_range(index, index + 1)
        p.states = NULL
        clear(&p)
        return set_up(&self.work.values.endgame, index, ways, &p) and not king_attacked(&p, side ^ 1)

    def find(self, int side, int code, int64_t first=0):
        """The first legal entry from `first` on with this code; None if there is none."""
        cdef int64_t index
        for index in range(first, self.size):
            if self.work.values.code[side][index] == code and self.is_legal(side, index):
                return index
        return None

    def formation(self, int number):
        """[(kind, square)] of the defender's arrangement with this index."""
        cdef int g, i
        found = []
        for g in range(self.work.values.endgame.groups - 1, -1, -1):
            shape = self.work.values.endgame.shape[g]
            if shape.side == 1:
                for i in range(shape.n):
                    found.append((shape.kind, to90(shape.squares[MAX_LIKE * (number % <int>shape.size) + i])))
                number //= <int>shape.size
        return found

    def in_formation(self, int side, int number, int code, int64_t first=0):
        """The first legal entry from `first` on with this code and defender's arrangement; None if none."""
        cdef u32[MAX_GROUPS] ways
        cdef int64_t index
        for index in range(first, self.size):
            if self.work.values.code[side][index] == code:
                ways_at(&self.work.values.endgame, index, ways)
                if formation_of(&self.work.values.endgame, ways) == number and self.is_legal(side, index):
                    return index
        return None

    def find_fault(self, int64_t first, int64_t end):
        """The first entry of a range that contradicts its successors; None if there is none."""
        cdef int64_t found
        self.check_range(first, end)
        with nogil:
            found = find_fault(&self.work, first, end)
        return None if found == NO_INDEX else found

    def census(self, int64_t first, int64_t end, int side, int kind):
        """({(side, code): legal positions}, by point, by formation); the last two are [(positions, won)] with the
        attacker to move, for the points of one kind of piece and for the arrangements of the defender."""
        cdef ValueCounts* census
        cdef int group = -1, g, i, j
        self.check_range(first, end)
        census = <ValueCounts*>calloc(1, sizeof(ValueCounts))
        if census == NULL:
            raise MemoryError("no memory for a survey")
        for g in range(self.work.values.endgame.groups):
            if self.work.values.endgame.shape[g].side == side and self.work.values.endgame.shape[g].kind == kind:
                group = g
        try:
            with nogil:
                take_census(&self.work.values, first, end, group, census)
            return ({(i, j): census.codes[i][j] for i in range(2) for j in range(MAX_CODE) if census.codes[i][j]},
                    [(census.stands[i], census.wins[i]) for i in range(90)],
                    [(census.formed[i], census.beaten[i]) for i in range(MAX_FORMATIONS)])
        finally:
            free(census)

    # Files

    def count_symbols(self, int side):
        """{symbol: how often} of one side's blocks."""
        cdef u64* counts = <u64*>calloc(65536, sizeof(u64))
        cdef int i
        if counts == NULL:
            raise MemoryError("no memory to write an endgame")
        try:
            with nogil:
                count_symbols(self.work.values.code[side], self.work.values.endgame.size, counts)
            return {i: counts[i] for i in range(65536) if counts[i]}
        finally:
            free(counts)

    def encode(self, int side, dict codes, int64_t most):
        """(starts, sums, data) of one side, from {symbol: (bits, length)}; `most`: bytes that the data can need."""
        cdef int64_t blocks = blocks_of(self.size)
        cdef u8[::1] data = bytearray(most + 8)
        cdef u8[::1] starts = bytearray(4 * (blocks + 1))
        cdef u8[::1] sums = bytearray(2 * blocks)
        cdef u32* bits_of = <u32*>calloc(65536, sizeof(u32))
        cdef u8* length_of = <u8*>calloc(65536, 1)
        cdef u64 used
        if bits_of == NULL or length_of == NULL:
            free(bits_of)
            free(length_of)
            raise MemoryError("no memory to write an endgame")
        for symbol, (bits, length) in codes.items():
            bits_of[<u16>symbol] = bits
            length_of[<u16>symbol] = length
        with nogil:
            used = write_blocks(self.work.values.code[side], self.work.values.endgame.size, bits_of, length_of,
                                <u32*>&starts[0], <u16*>&sums[0], &data[0])
        free(bits_of)
        free(length_of)
        return bytes(starts), bytes(sums), bytes(data[:used + 8])

    def decode(self, int side, const u8[::1] counts, const u8[::1] symbols, const u8[::1] starts,
               const u8[::1] sums, const u8[::1] data):
        """Fill one side from a file's section; False if it is damaged."""
        cdef Section section
        cdef bint good
        set_section(&section, self.size, counts, symbols, starts, sums, data)
        with nogil:
            good = read_blocks(&section, self.work.values.endgame.size, self.work.values.code[side])
        return good
