# Chuhe's compiled core: one translation unit, so that the C compiler inlines across its parts.

include "core/types.pxi"  # the vocabulary: squares, slots, moves, the position
include "core/lookup.pxi"  # lookup tables
include "core/zobrist.pxi"  # position keys
include "core/board.pxi"  # put, make, undo
include "core/attack.pxi"  # check, attack, legality
include "core/movegen.pxi"  # move generation
include "core/perft.pxi"  # counting the move tree
include "core/see.pxi"  # static exchange evaluation
include "core/law.pxi"  # repetition by the law
include "core/tunables.pxi"  # the tunable numbers, written by the build
include "core/params.pxi"  # the numbers of a Searcher, and what is computed from them
include "core/evaluate.pxi"  # the hand-crafted evaluation
include "core/network.pxi"  # the network
include "core/tablebase_index.pxi"  # tablebases: positions as numbers
include "core/tablebase_file.pxi"  # tablebases: read one value from a file
include "core/tablebase_probe.pxi"  # tablebases: all of them, by material
include "core/memory.pxi"  # large blocks, on huge pages where available
include "core/tt.pxi"  # the transposition table
include "core/history.pxi"  # move statistics of the search
include "core/worker.pxi"  # one thread of a search
include "core/picker.pxi"  # staged move ordering
include "core/tablebase_search.pxi"  # how the search uses tablebases
include "core/quiesce.pxi"  # quiescence search
include "core/search.pxi"  # alpha-beta
include "core/iterate.pxi"  # iterative deepening

from chuhe.engine.colour import BLACK, RED  # no-cython-lint: used by the includes below
from chuhe.text.message import File, Message, Point, shown  # no-cython-lint: used by the includes below
from chuhe.engine.errors import FenError, IllegalMoveError, InvalidMoveError  # no-cython-lint: used by the includes below

include "core/fen.pxi"  # reading and writing FEN

KING = K_KING
ADVISOR = K_ADVISOR
BISHOP = K_BISHOP
KNIGHT = K_KNIGHT
ROOK = K_ROOK
CANNON = K_CANNON
PAWN = K_PAWN

init_lookup()
init_zobrist()
init_history_lookup()
init_network()
init_params()

include "core/board_py.pxi"  # Move, Piece, Board: the Python interface
include "core/game_records.pxi"  # games as data: every position of a game as a record
include "core/selfplay.pxi"  # whole games against itself
include "core/network_py.pxi"  # Network: the Python interface to the network
include "core/mapping.pxi"  # memory-mapped files
include "core/tablebases_py.pxi"  # CoreTablebases: the Python interface to the tablebases
include "core/searcher.pxi"  # Searcher: the Python interface to the search
include "core/gradient.pxi"  # the evaluation's gradient, for the tuner
include "core/styles.pxi"  # the evaluation and search of two older programs
