# The Python interface to the endgame tables.

cdef class CoreTablebases:
    """Open tables. They refer to memory-mapped files, which stay mapped while the views that were added exist."""

    cdef TablebaseSet opened
    cdef int capacity
    cdef list kept

    def __cinit__(self):
        self.kept = []

    def __dealloc__(self):
        free(self.opened.tablebases)

    def __len__(self):
        return self.opened.count

    def add(self, u32 attacker, u32 defender, list sections):
        """A table: the packed counts of both sides, and for each side to move (counts, symbols, starts, sums, data)."""
        cdef Tablebase* grown
        cdef Tablebase* table
        cdef u32 slot
        cdef Side side
        if 2 * self.opened.count >= SLOTS:
            raise ValueError("too many tables")
        if self.opened.count == self.capacity:
            grown = <Tablebase*>realloc(self.opened.tablebases, (2 * self.capacity + 16) * sizeof(Tablebase))
            if grown == NULL:
                raise MemoryError("no memory for the tables")
            self.opened.tablebases = grown
            self.capacity = 2 * self.capacity + 16
        table = &self.opened.tablebases[self.opened.count]
        table.damaged = False
        set_endgame(&table.endgame, attacker, defender)
        table.material[0] = attacker
        table.material[1] = defender
        for side in range(2):
            counts, symbols, starts, sums, data = sections[side]
            set_section(&table.section[side], table.endgame.size, counts, symbols, starts, sums, data)
        self.kept.append(sections)
        self.opened.count += 1
        slot = slot_of(attacker, defender)
        while self.opened.slots[slot]:
            slot = (slot + 1) & (SLOTS - 1)
        self.opened.slots[slot] = self.opened.count

    def damaged(self):
        """The numbers of the tables in which a damaged block has been read; 0 is the first that was added."""
        return [i for i in range(self.opened.count) if self.opened.tablebases[i].damaged]

    def probe(self, Board board not None):
        """The code of a position: 0 draw, n + 1 decided in n plies; -1 unknown, -2 the table is damaged there."""
        board.ready()
        return probe_tablebases(&self.opened, &board.pos)

    def moves(self, Board board not None):
        """[(move, code)] of the legal moves: the code is that of the position after it, so the other side's."""
        cdef u16[MAX_MOVES] moves
        cdef int n, i
        board.ready()
        n = generate_legal(&board.pos, moves)
        board.reserve(board.pos.ply + 2)
        return [(to_move(moves[i]), code_after(&self.opened, &board.pos, moves[i])) for i in range(n)]

    def line(self, Board board not None, int plies):
        """Best play from a position, as far as the tables reach."""
        cdef Board walk = board.copy()
        cdef u16 mv
        found = []
        while len(found) < plies:
            mv = best_by_tablebases(&self.opened, &walk.pos)
            if not mv:
                break
            found.append(to_move(mv))
            walk.reserve(walk.pos.ply + 2)
            do_move(&walk.pos, mv)
        return found

    def time_probes(self, list boards not None, int rounds):
        """Average nanoseconds for a probe, cycling through the boards `rounds` times (for benchmarks)."""
        cdef int i, j, count = len(boards)
        cdef int64_t start, sum = 0
        cdef Pos** positions = <Pos**>malloc(max(1, count) * sizeof(Pos*))
        if positions == NULL:
            raise MemoryError("no memory for a benchmark")
        for i in range(count):
            positions[i] = &(<Board?>boards[i]).pos
        start = now_us()
        with nogil:
            for j in range(rounds):
                for i in range(count):
                    sum += probe_tablebases(&self.opened, positions[i])
        start = now_us() - start
        free(positions)
        return 1000 * start // max(1, count * rounds)
