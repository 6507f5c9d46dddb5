# The constants of the chess evaluation, in centipawns, for the opening and for the endgame; set by hand.

cdef int[6] phase_of = [0, 1, 1, 2, 4, 0]
cdef int[6] exchange_values = [100, 320, 330, 500, 960, 10000]
cdef int[6] opening_values = [84, 335, 350, 475, 985, 0]
cdef int[6] endgame_values = [112, 300, 318, 540, 1000, 0]

# Piece-square tables: ranks 8 to 1 from the owner's side, files a to d; files e to h mirror them.
cdef int[6][8][4] opening_squares = [
    [  # pawn
        [0, 0, 0, 0], [60, 70, 62, 74], [8, 18, 30, 38], [-8, 4, 6, 22],
        [-16, -4, 6, 20], [-14, -2, -2, 4], [-18, 4, -6, -14], [0, 0, 0, 0]],
    [  # knight
        [-110, -48, -30, -20], [-40, -20, 26, 20], [-14, 30, 38, 52], [-2, 12, 24, 38],
        [-8, 6, 16, 20], [-20, -2, 12, 16], [-30, -24, -6, 2], [-70, -22, -28, -16]],
    [  # bishop
        [-24, -8, -40, -28], [-22, 6, 0, -6], [-6, 22, 28, 24], [-4, 4, 16, 32],
        [0, 8, 10, 26], [4, 16, 14, 12], [6, 18, 16, 4], [-20, -4, -12, -14]],
    [  # rook
        [20, 24, 20, 34], [18, 18, 38, 44], [-4, 16, 18, 26], [-18, -4, 10, 16],
        [-26, -16, -6, 2], [-32, -16, -10, -6], [-34, -14, -6, 0], [-16, -12, 4, 14]],
    [  # queen
        [-12, 4, 16, 26], [-12, -28, 4, 0], [-4, -4, 10, 16], [-16, -14, -8, -6],
        [-8, -10, -6, -6], [-10, 2, -4, -4], [-20, -4, 8, 6], [-10, -12, -8, 6]],
    [  # king
        [-40, -20, -30, -50], [-20, -10, -30, -40], [-20, 0, -20, -40], [-30, -20, -30, -50],
        [-40, -30, -40, -60], [-20, -18, -34, -50], [8, 10, -20, -44], [10, 34, 4, -14]],
]
cdef int[6][8][4] endgame_squares = [
    [  # pawn
        [0, 0, 0, 0], [110, 104, 96, 84], [66, 64, 52, 42], [24, 18, 8, 2],
        [10, 6, -2, -6], [2, 2, -4, 0], [6, 4, 4, 6], [0, 0, 0, 0]],
    [  # knight
        [-64, -40, -20, -22], [-26, -10, -16, -4], [-20, -12, 10, 10], [-14, 4, 18, 24],
        [-16, 0, 16, 24], [-22, -4, 0, 14], [-34, -18, -8, -4], [-36, -44, -20, -14]],
    [  # bishop
        [-12, -16, -8, -6], [-8, -2, 4, -6], [2, -4, 2, 2], [-2, 6, 10, 12],
        [-6, 2, 10, 14], [-8, 0, 8, 10], [-14, -12, -4, 2], [-18, -8, -14, -4]],
    [  # rook
        [12, 10, 14, 12], [10, 12, 8, 6], [6, 6, 4, 4], [4, 4, 8, 2],
        [2, 2, 4, 0], [-6, -2, -4, -4], [-8, -6, -2, -4], [-8, -2, 0, -2]],
    [  # queen
        [-4, 14, 18, 20], [-12, 16, 26, 36], [-12, 6, 12, 36], [6, 22, 24, 38],
        [-8, 20, 20, 34], [-10, -16, 10, 8], [-20, -22, -24, -14], [-28, -26, -24, -26]],
    [  # king
        [-60, -28, -14, -10], [-12, 14, 18, 18], [8, 24, 30, 22], [-4, 22, 28, 30],
        [-16, 4, 22, 28], [-18, 0, 12, 20], [-28, -10, 4, 10], [-50, -34, -20, -20]],
]

# By kind: each attacked square beyond `mobility_base` is worth this; squares next to the enemy king add danger.
cdef int[6] mobility_base = [0, 4, 6, 7, 13, 0]
cdef int[6] mobility_opening = [0, 5, 5, 3, 1, 0]
cdef int[6] mobility_endgame = [0, 4, 5, 5, 4, 0]
cdef int[6] danger_weight = [0, 2, 2, 3, 5, 0]

cdef int[8] passed_opening = [0, 2, 4, 10, 28, 60, 90, 0]  # by the pawn's rank, from its own side
cdef int[8] passed_endgame = [0, 12, 16, 38, 70, 120, 160, 0]

cdef enum:
    TEMPO = 14
    PAIR_OPENING = 26
    PAIR_ENDGAME = 52
    DOUBLED_OPENING = -6
    DOUBLED_ENDGAME = -20
    ISOLATED_OPENING = -12
    ISOLATED_ENDGAME = -12
    OPEN_FILE_OPENING = 28
    OPEN_FILE_ENDGAME = 8
    HALF_OPEN_OPENING = 12
    HALF_OPEN_ENDGAME = 8
    SHELTER = 9  # for each pawn close in front of the king
    BARE_FILE = 3  # danger for each file near the king without a pawn in front of it
    WEAK_SQUARE = 3  # danger for each square near the king that is attacked and not defended
    NO_QUEEN = 14  # subtracted from the danger without a queen
    DANGER_DIVISOR = 6
    DANGER_LIMIT = 600
    PAWN_THREAT_OPENING = 38  # a pawn attacks a piece
    PAWN_THREAT_ENDGAME = 28
    MINOR_THREAT_OPENING = 24  # a knight or bishop attacks a rook or queen
    MINOR_THREAT_ENDGAME = 20
    HANGING_OPENING = 16  # a piece is attacked and not defended
    HANGING_ENDGAME = 18
    PASSED_ENEMY_KING = 5  # for each rank beyond the third: the kings' distances from a passed pawn's next square
    PASSED_OWN_KING = 3
    EDGE = 12  # a bare king: for each step away from the centre, and for each step that the other king is closer
    NEARNESS = 5

cdef int[6] check_danger = [0, 9, 5, 9, 7, 0]  # by kind: a safe check is possible

cdef int opening_table[12][64]
cdef int endgame_table[12][64]


cdef void fill_tables() noexcept:
    cdef int kind, sq, file, rank
    for kind in range(6):
        for sq in range(64):
            file, rank = min(sq & 7, 7 - (sq & 7)), sq >> 3
            opening_table[kind][sq] = opening_values[kind] + opening_squares[kind][7 - rank][file]
            endgame_table[kind][sq] = endgame_values[kind] + endgame_squares[kind][7 - rank][file]
            opening_table[6 + kind][sq ^ 56] = opening_table[kind][sq]
            endgame_table[6 + kind][sq ^ 56] = endgame_table[kind][sq]
