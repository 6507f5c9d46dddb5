/* The contract of training data and network: what a position is as a record, and what the network sees of it.
 *
 * The core (network.pxi, game_records.pxi) and the trainer (trainer_kernels.h) include this file; numpy's view of a
 * record is built from the offsets here. A piece is 7 * side + kind, a square 9 * rank + file, a feature 90 * piece + square.
 */
#ifndef CHUHE_NET_FEATURES_H
#define CHUHE_NET_FEATURES_H

#include <stddef.h>
#include <stdint.h>

enum {
    KINDS = 7, /* king, advisor, bishop, knight, rook, cannon, pawn */
    SQUARES = 90,
    MIDDLE_FILE = 4,
    FEATURES = 2 * KINDS * SQUARES,
    MAX_PIECES = 32,
    NO_FEATURE = 0xFFFF, /* in a record: no more pieces */
    SIDE_ATTACKERS = 6, /* rooks, knights and cannons that a side has at most */
    ATTACKER_COUNTS = SIDE_ATTACKERS + 1, /* of one side: 0 to 6 */
    MAX_BUCKETS = 2 * SIDE_ATTACKERS + 1, /* output buckets: at most one for each count of both sides, 0 to 12 */
    NEURON_STEP = 32, /* the number of neurons is a multiple of this: the widest vector of 16-bit integers */
    MAX_NEURONS = 1024
};

/* Training data */

enum {
    RECORD_CHECK = 1, /* the mover is in check */
    RECORD_CAPTURE = 2, /* the move played is a capture */
    RECORD_RECURS = 4, /* the position occurred before in the game */
    RECORD_MATE = 8, /* the score is a mate */
    RECORD_RULE = 16, /* the score is a win or a loss by the law of repetition */
    RECORD_STRAY = 32 /* a random move follows later, so the result says little about this position */
};

/* Scores in files of games, whatever the search's own constants are */
enum {
    DATA_NO_SCORE = -32768, /* the move was random, not searched */
    DATA_MATE = 30000, /* a mate in n plies is DATA_MATE - n */
    DATA_MATE_BOUND = 29000,
    DATA_RULE = 28000, /* a win by the law of repetition in n plies is DATA_RULE - n */
    DATA_RULE_BOUND = 27744
};

/* a scored position of a game; score and result are the mover's */
typedef struct {
    uint16_t features[MAX_PIECES]; /* of all pieces, from Red's side; NO_FEATURE after the last */
    int16_t score; /* of the search, in centipawns */
    uint8_t result; /* 0 lost, 1 drawn, 2 won */
    uint8_t side; /* the mover: 0 Red, 1 Black */
    uint8_t flags;
    uint8_t half_move_clock; /* plies without a capture, as the move limit counts them; 255 means 255 or more */
    uint16_t ply; /* from the start of the game, the opening included */
} Record;

/* What a stored game begins with (docs/data.md). Its FEN, its moves and its scores follow; all numbers are little-endian,
 * as on every machine that the core runs on. */
typedef struct {
    uint32_t number;
    uint8_t result; /* for Red: 0 lost, 1 drawn, 2 won */
    uint8_t reason;
    uint8_t flags;
    uint8_t fen; /* its length; 0: the start position */
    uint16_t opening; /* plies without scores */
    uint16_t plies; /* after the opening */
} GameHead;

#define GAME_HEAD_FORMAT "<IBBBBHH" /* the same for Python's struct */

enum { GAME_PLAYED_ON = 1, GAME_STRAYED = 2 }; /* flags of a game: never resigned; has a random move in the middle */

/* a game in a block, once its positions are records */
typedef struct {
    uint32_t number;
    uint32_t first; /* its first record in the block */
    uint32_t count; /* its records */
    uint8_t result; /* for Red: 0 lost, 1 drawn, 2 won */
    uint8_t reason;
    uint8_t flags;
    uint8_t spare;
} GameRow;

/* a struct's fields for numpy.dtype: names, types, offsets */
typedef struct {
    const char* name;
    const char* type;
    int count; /* 0: a single number */
    int offset;
} Field;

static const Field RECORD_FIELDS[] = {
    {"features", "<u2", MAX_PIECES, offsetof(Record, features)},
    {"score", "<i2", 0, offsetof(Record, score)},
    {"result", "u1", 0, offsetof(Record, result)},
    {"side", "u1", 0, offsetof(Record, side)},
    {"flags", "u1", 0, offsetof(Record, flags)},
    {"half_move_clock", "u1", 0, offsetof(Record, half_move_clock)},
    {"ply", "<u2", 0, offsetof(Record, ply)},
    {NULL, NULL, 0, sizeof(Record)},
};

static const Field GAME_ROW_FIELDS[] = {
    {"number", "<u4", 0, offsetof(GameRow, number)},
    {"first", "<u4", 0, offsetof(GameRow, first)},
    {"count", "<u4", 0, offsetof(GameRow, count)},
    {"result", "u1", 0, offsetof(GameRow, result)},
    {"reason", "u1", 0, offsetof(GameRow, reason)},
    {"flags", "u1", 0, offsetof(GameRow, flags)},
    {"spare", "u1", 0, offsetof(GameRow, spare)},
    {NULL, NULL, 0, sizeof(GameRow)},
};

/* The network's inputs. Each side sees the board from its own end, and mirrored if its king stands right of the middle
 * file, so that both sides and both wings share their weights. */

static inline int king_mirrors(int file) { return file > MIDDLE_FILE; }

static inline int seen_square(int side, int mirrored, int square) {
    int rank = square / 9, file = square % 9;
    return (side ? 9 - rank : rank) * 9 + (mirrored ? 8 - file : file);
}

static inline int seen_piece(int side, int piece) {
    return !side ? piece : piece < KINDS ? piece + KINDS : piece - KINDS;
}

/* Rooks, knights and cannons of a side. `counts` holds four bits for each kind. */
static inline int attackers_of(uint32_t counts) {
    int found = (int)((counts >> 12 & 15) + (counts >> 16 & 15) + (counts >> 20 & 15));
    return found < SIDE_ATTACKERS ? found : SIDE_ATTACKERS;
}

/* The input bucket of a side: which feature weights its accumulator sums, by the attackers of its opponent. */
static inline int input_bucket(const uint8_t* bucket_of, uint32_t opponent_counts) {
    return bucket_of[attackers_of(opponent_counts)];
}

/* The output bucket: which output weights are used, by the attackers of both sides. */
static inline int output_bucket(uint32_t red_counts, uint32_t black_counts, int buckets) {
    return (attackers_of(red_counts) + attackers_of(black_counts)) * buckets / MAX_BUCKETS;
}

/* The network's numbers. A neuron is clipped to its limit, a power of two, then shifted so that the limit becomes
 * 2^NEURON_BITS and its square 2^SQUARE_BITS. */

enum {
    MAX_LIMIT_BITS = 14,
    NEURON_BITS = 15,
    SQUARE_BITS = 13,
    MAX_FACTOR = 1 << 27 /* from the output's sum to centipawns, times 2^32: their product fits 64 bits, the score 32 */
};

/* Can no sum of squares times output weights overflow 32 bits? Each half of the output weights (one accumulator, one
 * bucket) is summed in lanes. SSE2 has the fewest, four; a lane takes two neighbouring neurons of every eight. */
static inline int output_fits(const int16_t* weights, int hidden, int halves) {
    int half, i;
    for (half = 0; half < halves; half++) {
        int64_t lane[4] = {0, 0, 0, 0};
        for (i = 0; i < hidden; i++) {
            int weight = weights[half * hidden + i];
            lane[i % 8 / 2] += weight < 0 ? -weight : weight;
        }
        for (i = 0; i < 4; i++)
            if (lane[i] << SQUARE_BITS > INT32_MAX) return 0;
    }
    return 1;
}

#endif
