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
include "core/tunables.pxi"  # the tunable numbers, written by the build
include "core/evaluate.pxi"  # the hand-crafted evaluation
include "core/network.pxi"  # the network
include "core/ending_index.pxi"  # endings: positions as numbers
include "core/ending_file.pxi"  # endings: one value out of a file
include "core/ending_probe.pxi"  # endings: all tables, by material
include "core/memory.pxi"  # large blocks, on huge pages where there are any
include "core/table.pxi"  # the transposition table
include "core/history.pxi"  # what the search has learned about moves
include "core/picker.pxi"  # moves in stages, best first
include "core/worker.pxi"  # one thread of a search
include "core/ending_search.pxi"  # what an endgame table is to the search
include "core/quiesce.pxi"  # the horizon
include "core/search.pxi"  # alpha-beta
include "core/iterate.pxi"  # the root

from engine.errors import FenError, IllegalMoveError, InvalidMoveError  # no-cython-lint: the rooms below use them

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
init_history_tables()
init_network()
apply_tunables()
init_reductions()

include "core/python.pxi"  # Move, Piece, Board: what Python sees
include "core/games.pxi"  # games as data: every position of a game as a record
include "core/selfplay.pxi"  # whole games against itself
include "core/nets.pxi"  # Network: what Python sees of the network
include "core/mapping.pxi"  # a file as memory
include "core/ending_tables.pxi"  # EndgameTables: what Python sees of the endings
include "core/searcher.pxi"  # Searcher: what Python sees of the search
include "core/gradient.pxi"  # what the evaluation is made of, for the tuner
include "core/styles.pxi"  # the evaluation and search of two older programs
