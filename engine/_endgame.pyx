# The endgame solver: retrograde analysis, and writing tables. The engine itself never loads it.
#
# It includes the core's files for the board and move generation, and the endgame index.

include "core/types.pxi"  # the vocabulary
include "core/lookup.pxi"  # constant tables
include "core/zobrist.pxi"  # position keys, needed by the board
include "core/board.pxi"  # put, make, undo
include "core/attack.pxi"  # check, attack, legality
include "core/movegen.pxi"  # move generation
include "core/memory.pxi"  # large blocks, on huge pages where available
include "core/tablebase_index.pxi"  # positions as numbers
include "core/tablebase_file.pxi"  # read one value from a file
include "endgame/solve.pxi"  # retrograde analysis
include "endgame/check.pxi"  # does every entry agree with its successors?
include "endgame/encode.pxi"  # blocks of Huffman codes

init_lookup()

include "endgame/python.pxi"  # Solver: the Python interface
