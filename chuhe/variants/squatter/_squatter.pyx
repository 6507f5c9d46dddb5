"""Squatter as a `GameState`: place pieces, enclose cells.

A cell's number is size * row + column; a move is the cell's number plus one. The first to enclose a cell keeps it.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset
from libc.stdint cimport int16_t, uint8_t

from chuhe.variants.search._keys cimport mixed
from chuhe.variants.search._search cimport WIN, GameState, key_t, move_t

cdef enum:
    LARGEST = 20
    CELLS = LARGEST * LARGEST
    WHITE = 0
    BLACK = 1
    # what a cell holds: free, an active piece, a captured piece, or a captured free cell (by whom)
    FREE = 0
    WHITE_PIECE = 1
    BLACK_PIECE = 2
    CAPTURED_WHITE = 3
    CAPTURED_BLACK = 4
    TAKEN_BY_WHITE = 5
    TAKEN_BY_BLACK = 6
    CONTENTS = 7
    FEATURES = 5
    SCALE = 100  # evaluation units for each unit of the weighted sum

LARGEST_SIZE = LARGEST
SYMBOLS = "+WBwb--"

cdef key_t cell_keys[CONTENTS][CELLS]
cdef key_t black_key
cdef key_t[2] viewer_keys  # evaluations are for one player, so table entries are too


cdef void fill_keys() noexcept:
    cdef key_t seed = 0xBB67AE8584CAA73B
    cdef int content, cell
    global black_key
    for content in range(1, CONTENTS):
        for cell in range(CELLS):
            cell_keys[content][cell] = mixed(&seed)
    black_key, viewer_keys[0], viewer_keys[1] = mixed(&seed), mixed(&seed), mixed(&seed)


fill_keys()


cdef struct CellChange:
    int16_t cell
    uint8_t content


cdef class Squatter(GameState):
    """A Squatter position.

    weights: the values of the share of cells captured by me, of cells captured by the opponent, of side cells held by
    me, of the number of my corners, and of my growing rings; "me" is the `viewer`, the colour for which the search is
    run.
    symmetries: 1, or 4 to share entries between the rotations of a board, or 8 for its reflections too.
    """

    cdef readonly int size
    cdef int cells
    cdef uint8_t content[CELLS]
    cdef uint8_t on_side[CELLS]  # 1 on the edge, 3 in a corner
    cdef int16_t images[8][CELLS]  # where a symmetry sends a cell
    cdef int16_t sources[8][CELLS]
    cdef key_t keys[8]
    cdef readonly int symmetries
    cdef int turn
    cdef int viewer
    cdef int free_cells
    cdef int captured[2]
    cdef int sides[2]
    cdef int corners[2]
    cdef double weights[FEATURES]
    cdef CellChange* changes
    cdef int change_count
    cdef int starts[CELLS + 1]  # where a move's changes begin
    cdef int depth
    cdef int16_t queue[CELLS]
    cdef uint8_t open_air[CELLS]

    def __cinit__(self, int size, weights, bint white_moves=True, bint white_views=True, int symmetries=4):
        cdef int i
        if not 1 <= size <= LARGEST:
            raise ValueError(f"the board's size must be from 1 to {LARGEST}, not {size}")
        if symmetries not in (1, 4, 8):
            raise ValueError(f"1, 4 or 8 symmetries, not {symmetries}")
        if len(weights) != FEATURES:
            raise ValueError(f"{FEATURES} weights, not {len(weights)}")
        self.size, self.cells, self.free_cells, self.symmetries = size, size * size, size * size, symmetries
        self.turn = WHITE if white_moves else BLACK
        self.viewer = WHITE if white_views else BLACK
        for i in range(FEATURES):
            self.weights[i] = weights[i]
        # a cell changes at most twice: it is played, and it is captured
        self.changes = <CellChange*>calloc(2 * CELLS, sizeof(CellChange))
        if not self.changes:
            raise MemoryError
        self.prepare()

    def __dealloc__(self):
        free(self.changes)

    cdef void prepare(self) noexcept:
        """Compute the images of the cells under the symmetries, and which cells are on the sides."""
        cdef int cell, row, column, s
        cdef int last = self.size - 1
        for cell in range(self.cells):
            row, column = cell // self.size, cell % self.size
            self.on_side[cell] = row == 0 or row == last or column == 0 or column == last
            if (row == 0 or row == last) and (column == 0 or column == last):
                self.on_side[cell] = 3
            for s in range(8):
                self.images[s][cell] = self.image(row, column, s)
                self.sources[s][self.images[s][cell]] = cell
        for s in range(8):
            self.keys[s] = (black_key if self.turn == BLACK else 0) ^ viewer_keys[self.viewer]

    cdef int image(self, int row, int column, int symmetry) noexcept:
        """Symmetries 0 to 3 rotate the board by quarter turns; 4 to 7 reflect it first."""
        cdef int _turn
        if symmetry >= 4:
            column = self.size - 1 - column
        for _turn in range(symmetry & 3):
            row, column = column, self.size - 1 - row
        return self.size * row + column

    def load(self, cells: str) -> None:
        """Set the board from its symbols, row by row; only on a new object. Enclosed cells are captured at once.

        A captured free cell belongs to the colour of the innermost ring around it: that ring was closed first.
        """
        cdef int cell
        if len(cells) != self.cells or self.depth or self.free_cells != self.cells:
            raise ValueError(f"a new board of {self.cells} cells is needed for {len(cells)} symbols")
        for cell, symbol in enumerate(cells):
            if symbol not in "+WBwb-":
                raise ValueError(f"{symbol!r} is not a cell of a Squatter board")
            if symbol in "WBwb":
                self.set_cell(cell, SYMBOLS.index(symbol))
        for cell, symbol in enumerate(cells):
            if symbol == "-":
                self.set_cell(cell, TAKEN_BY_WHITE if self.owner_of_captured(cell) == WHITE else TAKEN_BY_BLACK)
        self.settle()
        self.change_count = 0

    cdef int owner_of_captured(self, int cell):
        """The colour of the innermost ring around a captured cell, where captured pieces count as part of old rings."""
        white = self.area_within(cell, WHITE, True)
        black = self.area_within(cell, BLACK, True)
        if not white and not black:
            row, column = divmod(cell, self.size)
            raise ValueError(f"row {row}, column {column}: '-' found where neither colour encloses it, '+' expected")
        return WHITE if white and (not black or len(white) < len(black)) else BLACK

    cdef set area_within(self, int start, int colour, bint old_rings):
        """The cells that can be reached from `start` around the colour's pieces; empty if they reach the edge."""
        walls = {WHITE_PIECE + colour, CAPTURED_WHITE + colour} if old_rings else {WHITE_PIECE + colour}
        seen, waiting = {start}, [start]
        while waiting:
            cell = waiting.pop()
            if self.on_side[cell]:
                return set()
            for other in (cell - self.size, cell - 1, cell + 1, cell + self.size):
                if other not in seen and self.content[other] not in walls:
                    seen.add(other)
                    waiting.append(other)
        return seen

    cdef settle(self):
        """Capture what a board file left enclosed but unmarked, inner rings before outer ones."""
        while True:
            areas = []
            for cell in range(self.cells):
                for colour in (WHITE, BLACK):
                    if self.content[cell] in (FREE, BLACK_PIECE - colour):
                        area = self.area_within(cell, colour, False)
                        if area:
                            areas.append((len(area), colour, sorted(area)))
            if not areas:
                return
            _, colour, area = min(areas)
            for cell in area:
                self.capture(cell, colour)

    @property
    def symbols(self) -> str:
        """The board, row by row."""
        cdef int cell
        return "".join([SYMBOLS[self.content[cell]] for cell in range(self.cells)])

    @property
    def white_moves(self) -> bool:
        return self.turn == WHITE

    @property
    def captured_counts(self) -> tuple:
        """The cells captured by White and by Black."""
        return self.captured[WHITE], self.captured[BLACK]

    def view_for(self, bint white) -> None:
        """Evaluate and search from this colour's point of view."""
        cdef int viewer = WHITE if white else BLACK
        cdef int s
        for s in range(8):
            self.keys[s] ^= viewer_keys[self.viewer] ^ viewer_keys[viewer]
        self.viewer = viewer

    def pop(self) -> None:
        if self.depth == 0:
            raise IndexError("no move to take back")
        self.undo()

    cdef void set_cell(self, int cell, int content) noexcept nogil:
        """Change a cell and update all counts."""
        cdef int old = self.content[cell]
        cdef int s
        for s in range(self.symmetries):
            self.keys[s] ^= cell_keys[old][self.images[s][cell]] ^ cell_keys[content][self.images[s][cell]]
        self.count_cell(cell, old, -1)
        self.count_cell(cell, content, 1)
        self.content[cell] = content

    cdef void count_cell(self, int cell, int content, int change) noexcept nogil:
        if content == FREE:
            self.free_cells += change
        elif content <= BLACK_PIECE:
            if self.on_side[cell]:
                self.sides[content - WHITE_PIECE] += change
            if self.on_side[cell] == 3:
                self.corners[content - WHITE_PIECE] += change
        elif content == CAPTURED_BLACK or content == TAKEN_BY_WHITE:
            self.captured[WHITE] += change
        else:
            self.captured[BLACK] += change

    cdef void note(self, int cell, int content) noexcept nogil:
        self.changes[self.change_count].cell = cell
        self.changes[self.change_count].content = self.content[cell]
        self.change_count += 1
        self.set_cell(cell, content)

    cdef void capture(self, int cell, int by) noexcept nogil:
        """A cell inside a ring: free cells and enemy pieces change; cells captured earlier stay as they are."""
        if self.content[cell] == FREE:
            self.note(cell, TAKEN_BY_WHITE if by == WHITE else TAKEN_BY_BLACK)
        elif self.content[cell] == (BLACK_PIECE if by == WHITE else WHITE_PIECE):
            self.note(cell, CAPTURED_BLACK if by == WHITE else CAPTURED_WHITE)

    cdef void capture_enclosed(self, int by) noexcept nogil:
        """Flood-fill from the edge around the colour's pieces: cells not reached are captured. O(cells)."""
        cdef int wall = WHITE_PIECE + by
        cdef int head = 0
        cdef int tail = 0
        cdef int cell, i, other
        cdef int[4] steps
        steps[0], steps[1], steps[2], steps[3] = -self.size, -1, 1, self.size
        memset(self.open_air, 0, self.cells)
        for cell in range(self.cells):
            if self.on_side[cell] and self.content[cell] != wall:
                self.open_air[cell] = 1
                self.queue[tail] = cell
                tail += 1
        while head < tail:
            cell = self.queue[head]
            head += 1
            for i in range(4):
                other = cell + steps[i]
                if other < 0 or other >= self.cells or (self.on_side[cell] and self.on_side[other]):
                    continue  # edge cells are filled already, and only from one of them could a step leave its row
                if not self.open_air[other] and self.content[other] != wall:
                    self.open_air[other] = 1
                    self.queue[tail] = other
                    tail += 1
        for cell in range(self.cells):
            if not self.open_air[cell]:
                self.capture(cell, by)

    cdef bint may_close_a_ring(self, int cell) noexcept nogil:
        """Can the new piece close a ring? Then it has two neighbours of its colour, diagonals included."""
        cdef int row = cell // self.size
        cdef int column = cell % self.size
        cdef int wall = self.content[cell]
        cdef int found = 0
        cdef int r, c
        for r in range(max(0, row - 1), min(self.size, row + 2)):
            for c in range(max(0, column - 1), min(self.size, column + 2)):
                found += self.content[self.size * r + c] == wall
        return found > 2  # itself included

    cdef int moves(self, move_t* found) noexcept nogil:
        cdef int count = 0
        cdef int cell
        for cell in range(self.cells):
            if self.content[cell] == FREE:
                found[count] = cell + 1
                count += 1
        return count

    cdef bint make(self, move_t mv) noexcept nogil:
        cdef int cell = <int>mv - 1
        cdef int s
        self.starts[self.depth] = self.change_count
        self.depth += 1
        self.note(cell, WHITE_PIECE + self.turn)
        if self.may_close_a_ring(cell):
            self.capture_enclosed(self.turn)
        self.turn = 1 - self.turn
        for s in range(self.symmetries):
            self.keys[s] ^= black_key
        return True

    cdef void undo(self) noexcept nogil:
        cdef int s
        self.depth -= 1
        while self.change_count > self.starts[self.depth]:
            self.change_count -= 1
            self.set_cell(self.changes[self.change_count].cell, self.changes[self.change_count].content)
        self.turn = 1 - self.turn
        for s in range(self.symmetries):
            self.keys[s] ^= black_key

    cdef int evaluate(self) noexcept nogil:
        """The weighted sum for the viewer; for the other side it is negated."""
        cdef int me = self.viewer
        cdef int side_cells = max(1, 4 * (self.size - 1))
        cdef double total = (
            self.weights[0] * self.captured[me] / self.cells + self.weights[1] * self.captured[1 - me] / self.cells
            + self.weights[2] * self.sides[me] / side_cells + self.weights[3] * self.corners[me])
        if self.weights[4] != 0:
            total += self.weights[4] * (self.growing_rings(me) - self.growing_rings(1 - me)) / 16.0
        cdef double value = min(max(SCALE * total, -0.9 * (WIN // 2)), 0.9 * (WIN // 2))
        return <int>(value if self.turn == me else -value)

    cdef int growing_rings(self, int colour) noexcept nogil:
        """Sum over the inner cells that the colour can still enclose alone: the number of neighbours held, squared."""
        cdef int own = WHITE_PIECE + colour
        cdef int total = 0
        cdef int cell, i, held, content
        cdef int[4] steps
        steps[0], steps[1], steps[2], steps[3] = -self.size, -1, 1, self.size
        for cell in range(self.cells):
            if self.on_side[cell] or self.content[cell] == own or self.content[cell] > BLACK_PIECE:
                continue
            held = 0
            for i in range(4):
                content = self.content[cell + steps[i]]
                if content == own:
                    held += 1
                elif content != FREE:
                    held = 0
                    break
            total += held * held
        return total

    cdef bint terminal(self, bint stuck, int ply, int* value) noexcept nogil:
        """Over when no cell is free: a win is worth more than any evaluation, and more with a larger margin."""
        cdef int ahead = self.captured[self.turn] - self.captured[1 - self.turn]
        value[0] = 0 if ahead == 0 else ahead + (WIN // 2 if ahead > 0 else -(WIN // 2))
        return self.free_cells == 0

    cdef key_t key(self) noexcept nogil:
        return self.keys[0]

    cdef int symmetry(self, key_t* shared) noexcept nogil:
        """The smallest key of all symmetric positions."""
        cdef int least = 0
        cdef int s
        for s in range(1, self.symmetries):
            if self.keys[s] < self.keys[least]:
                least = s
        shared[0] = self.keys[least]
        return least

    cdef move_t turned(self, move_t mv, int symmetry, bint back) noexcept nogil:
        if mv == 0:
            return 0
        return 1 + <move_t>(self.sources[symmetry][mv - 1] if back else self.images[symmetry][mv - 1])

    cdef int slot(self, move_t mv) noexcept nogil:
        return <int>mv + 1024 * self.turn

    cdef bint has_space(self) noexcept nogil:
        return True
