# The interface of a game.

from chuhe.engine.errors import IllegalMoveError

cdef class GameState:
    """A game of two players for `Search`. A subclass overrides what it needs; values are for the side to move.

    moves       all pseudo-legal moves, in an order that is fixed for the position
    noisy       those that can change the static value a lot
    make, undo  make returns False, with nothing changed, if the move is not legal
    make_pass   null move; False if the game does not allow it or it would prove nothing
    evaluate    a static value, between -FAR_WIN and FAR_WIN
    terminal    is the game over, and with what value? `stuck`: the side to move has no legal move
    key         a hash of the position; symmetry: the hash shared by all its symmetric images, and which image it is
    turned      a move transformed to the symmetric image, or back
    weight      for move ordering: positive for a good capture, negative for a bad one, 0 for a quiet move
    slot        the index of a move in the history table
    checked     the side to move is in check, so a static value is meaningless
    has_space   there is space on the stack for a full search depth of moves
    """

    cdef int moves(self, move_t* found) noexcept nogil:
        return 0

    cdef int noisy(self, move_t* found) noexcept nogil:
        return 0

    cdef bint make(self, move_t mv) noexcept nogil:
        return False

    cdef void undo(self) noexcept nogil:
        pass

    cdef bint make_pass(self) noexcept nogil:
        return False

    cdef int evaluate(self) noexcept nogil:
        return 0

    cdef bint terminal(self, bint stuck, int ply, int* value) noexcept nogil:
        value[0] = 0
        return stuck

    cdef key_t key(self) noexcept nogil:
        return 0

    cdef int symmetry(self, key_t* shared) noexcept nogil:
        shared[0] = self.key()
        return 0

    cdef move_t turned(self, move_t mv, int symmetry, bint back) noexcept nogil:
        return mv

    cdef int weight(self, move_t mv) noexcept nogil:
        return 0

    cdef int slot(self, move_t mv) noexcept nogil:
        return 0

    cdef bint checked(self) noexcept nogil:
        return False

    cdef bint has_space(self) noexcept nogil:
        return False

    def legal_moves(self) -> list:
        """The legal moves as the search's move numbers, in the game's own order."""
        cdef move_t found[MAX_MOVES]
        cdef int count = self.moves(found)
        cdef int i
        legal = []
        for i in range(count):
            if self.make(found[i]):
                self.undo()
                legal.append(found[i])
        return legal

    def push(self, mv: int) -> None:
        """Play a move; IllegalMoveError if the position does not have it."""
        if mv not in self.legal_moves():
            raise IllegalMoveError(f"move number {mv} is not legal here")
        if not self.has_space():
            raise IllegalMoveError("the game is too long: no further move can be stored")
        self.make(mv)

    def static_value(self) -> int:
        return self.evaluate()

    def final_value(self, ply: int = 0) -> int | None:
        """The game's value for the side to move if it is over, else None."""
        cdef int value = 0
        if self.terminal(False, ply, &value):
            return value
        if not self.legal_moves() and self.terminal(True, ply, &value):
            return value
        return None

    @property
    def hash(self) -> int:
        return self.key()

    @property
    def shared_hash(self) -> int:
        """A key shared by a position and its symmetric images."""
        cdef key_t shared
        self.symmetry(&shared)
        return shared
