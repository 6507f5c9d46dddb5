# The solver of the endings: retrograde analysis, and the writing of tables. The engine itself never loads it.
#
# It shares the rooms of the core that know the board and the law of moves, and the home of the endings' index.

include "core/types.pxi"  # the vocabulary
include "core/tables.pxi"  # tables that never change
include "core/zobrist.pxi"  # position keys, which the board keeps
include "core/board.pxi"  # put, make, undo
include "core/attack.pxi"  # check, attack, legality
include "core/movegen.pxi"  # move generation
include "core/memory.pxi"  # large blocks, on huge pages where there are any
include "core/ending_index.pxi"  # positions as numbers
include "core/ending_file.pxi"  # one value out of a file
include "endgame/solve.pxi"  # retrograde analysis
include "endgame/check.pxi"  # does every entry agree with its successors?
include "endgame/encode.pxi"  # blocks of Huffman codes

init_tables()

include "endgame/python.pxi"  # Solver: what Python sees
