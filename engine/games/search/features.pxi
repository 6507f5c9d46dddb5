# The features of the search, one bit each, and the numbers that Python sees.

cdef enum:  # features
    F_PRUNE = 1  # the alpha-beta window
    F_TABLE = 2  # the table of positions seen
    F_SHARE = 4  # symmetric positions share one entry
    F_ORDER = 8  # table move, captures, killers, history first
    F_SCOUT = 16  # later moves get a null window first
    F_DEEPER = 32  # entries of deeper searches will do
    F_QUIESCE = 64  # captures are followed beyond the horizon
    F_FORWARD = 128  # pruning, reductions and extensions by judgement: no longer minimax

PRUNE, TABLE, SHARE, ORDER, SCOUT, DEEPER, QUIESCE, FORWARD = (1 << _bit for _bit in range(8))
MINIMAX = 0
ALPHA_BETA = PRUNE
EXACT_SEARCH = PRUNE | TABLE | SHARE | ORDER | SCOUT  # as fast as may be with minimax's value
EVERYTHING = 255
WIN_VALUE = WIN
FAR_WIN_VALUE = FAR_WIN
LONGEST_LINE = MAX_PLY
