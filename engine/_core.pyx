# Chuhe's compiled core: one translation unit, so that the C compiler inlines across the rooms.

include "core/types.pxi"  # the vocabulary: squares, slots, moves, the position
include "core/tables.pxi"  # tables that never change
include "core/zobrist.pxi"  # position keys
include "core/board.pxi"  # put, make, undo
include "core/attack.pxi"  # check, attack, legality
include "core/movegen.pxi"  # move generation
include "core/perft.pxi"  # counting the move tree
include "core/see.pxi"  # static exchange evaluation
include "core/law.pxi"  # repetition by the law

from engine.errors import FenError, IllegalMoveError, InvalidMoveError

include "core/fen.pxi"  # FEN in and out

RED = 0
BLACK = 1
KING = K_KING
ADVISOR = K_ADVISOR
BISHOP = K_BISHOP
KNIGHT = K_KNIGHT
ROOK = K_ROOK
CANNON = K_CANNON
PAWN = K_PAWN

init_tables()
init_zobrist()

include "core/python.pxi"  # Move, Piece, Board: what Python sees
