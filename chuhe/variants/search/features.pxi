# The features of the search, one bit each, and the constants exported to Python.

cdef enum:  # features
    F_PRUNE = 1  # the alpha-beta window
    F_TABLE = 2  # the transposition table
    F_SHARE = 4  # symmetric positions share one entry
    F_ORDER = 8  # move ordering: tt move, captures, killers, history
    F_SCOUT = 16  # principal variation search: later moves get a null window first
    F_DEEPER = 32  # use entries of deeper searches
    F_QUIESCE = 64  # quiescence search
    F_FORWARD = 128  # forward pruning, reductions and extensions: no longer exact minimax

PRUNE, TABLE, SHARE, ORDER, SCOUT, DEEPER, QUIESCE, FORWARD = (1 << _bit for _bit in range(8))
MINIMAX = 0
ALPHA_BETA = PRUNE
EXACT_SEARCH = PRUNE | TABLE | SHARE | ORDER | SCOUT  # as fast as possible with the exact minimax value
EVERYTHING = 255
WIN_VALUE = WIN
FAR_WIN_VALUE = FAR_WIN
LONGEST_LINE = MAX_PLY
