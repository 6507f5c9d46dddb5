/* The trainer's arithmetic: forward, backward and Adam over plain float arrays.
 *
 * A position is a Record: its pieces as features from Red's view (piece * 90 + square; pieces 0-6 Red's, 7-13 Black's).
 * Each side sees the board from its own end, and mirrored when its king is right of the middle file, so that both
 * halves share weights. The rows of w1 come in sets: a view uses the set for the number of rooks, knights and cannons
 * that its opponent has left. The parameters are one array: w1 [sets][1260][hidden], b1 [hidden],
 * w2 [buckets][2 * hidden] (the mover's half first), b2 [buckets].
 *
 * The same body is compiled three times: for any machine, and for AVX2 with FMA and AVX-512 where the compiler supports
 * them.
 */
#ifndef CHUHE_TRAINER_KERNELS_H
#define CHUHE_TRAINER_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TRAIN_FEATURES 1260
#define TRAIN_SLOTS 32
#define TRAIN_COUNTS 7 /* a side has 0 to 6 rooks, knights and cannons */
#define TRAIN_MAX_HIDDEN 1024
#define TRAIN_NONE 0xFFFF

#if defined(__GNUC__)
#define TRAIN_INLINE static inline __attribute__((always_inline))
#define TRAIN_RESTRICT __restrict__
#else
#define TRAIN_INLINE static __inline
#define TRAIN_RESTRICT __restrict
#endif

typedef struct {
    uint16_t feature[TRAIN_SLOTS]; /* TRAIN_NONE: no more pieces */
    int16_t score;                 /* of the search, for the mover */
    uint8_t result;                /* for the mover: 0 lost, 1 drawn, 2 won */
    uint8_t side;                  /* 0: Red moves */
    uint8_t flags;
    uint8_t since;
    uint16_t ply;
} TrainRecord;

typedef struct {
    int hidden;
    int buckets;
    int sets;
    uint8_t set_of[TRAIN_COUNTS]; /* by the opponent's rooks, knights and cannons */
    float slope; /* expected result per centipawn */
    float blend; /* share of the game's result in the target */
    uint16_t view[2][2][TRAIN_FEATURES]; /* [side][mirrored][feature, Red's view] -> row of w1 */
} TrainShape;

typedef struct {
    double target_loss;
    double result_loss;
} TrainLoss;

static void train_shape_init(TrainShape* s) {
    int side, mirrored, feature;
    for (side = 0; side < 2; side++)
        for (mirrored = 0; mirrored < 2; mirrored++)
            for (feature = 0; feature < TRAIN_FEATURES; feature++) {
                int piece = feature / 90, rank = feature % 90 / 9, file = feature % 9;
                if (side) {
                    piece = (piece + 7) % 14;
                    rank = 9 - rank;
                }
                if (mirrored) file = 8 - file;
                s->view[side][mirrored][feature] = (uint16_t)(piece * 90 + rank * 9 + file);
            }
}

/* the number of weights in w1 */
TRAIN_INLINE int64_t train_rows_size(const TrainShape* s) { return (int64_t)s->sets * TRAIN_FEATURES * s->hidden; }

static int64_t train_parameters(const TrainShape* s) {
    return train_rows_size(s) + s->hidden + (int64_t)s->buckets * 2 * s->hidden + s->buckets;
}

/* How many rooks, knights and cannons each side has left, 6 at most. */
static void train_attackers(const TrainRecord* r, int* attackers) {
    int i;
    attackers[0] = attackers[1] = 0;
    for (i = 0; i < TRAIN_SLOTS && r->feature[i] != TRAIN_NONE; i++) {
        int piece = r->feature[i] / 90, side = piece >= 7, kind = piece - 7 * side;
        if (kind >= 3 && kind <= 5 && attackers[side] < TRAIN_COUNTS - 1) attackers[side]++;
    }
}

/* The output bucket, by the rooks, knights and cannons of both sides. */
static int train_bucket(const int* attackers, int buckets) { return (attackers[0] + attackers[1]) * buckets / 13; }

/* Rows of w1 for one side's view; returns their number. `flip` decides if the king is on the middle file. */
static int train_rows(const TrainShape* s, const TrainRecord* r, const int* attackers, int side, int flip, uint16_t* rows) {
    int i, mirrored = flip, count = 0, first = s->set_of[attackers[side ^ 1]] * TRAIN_FEATURES;
    for (i = 0; i < TRAIN_SLOTS && r->feature[i] != TRAIN_NONE; i++) {
        int piece = r->feature[i] / 90, file = r->feature[i] % 9;
        if (piece == 7 * side && file != 4) mirrored = file > 4;
    }
    for (i = 0; i < TRAIN_SLOTS && r->feature[i] != TRAIN_NONE; i++)
        rows[count++] = (uint16_t)(first + s->view[side][mirrored][r->feature[i]]);
    return count;
}

TRAIN_INLINE float train_forward(const TrainShape* s, const float* p, const uint16_t rows[2][TRAIN_SLOTS],
                                 const int* count, int bucket, float* TRAIN_RESTRICT acc) {
    const int hidden = s->hidden;
    const float* b1 = p + train_rows_size(s);
    const float* w2 = b1 + hidden + (int64_t)bucket * 2 * hidden;
    const float* b2 = b1 + hidden + (int64_t)s->buckets * 2 * hidden;
    float sum = 0.0f;
    int view, i, j;
    for (view = 0; view < 2; view++) {
        float* TRAIN_RESTRICT a = acc + view * hidden;
        memcpy(a, b1, hidden * sizeof(float));
        for (i = 0; i + 1 < count[view]; i += 2) {
            const float* TRAIN_RESTRICT row = p + (int64_t)rows[view][i] * hidden;
            const float* TRAIN_RESTRICT next = p + (int64_t)rows[view][i + 1] * hidden;
            for (j = 0; j < hidden; j++) a[j] += row[j] + next[j];
        }
        if (i < count[view]) {
            const float* TRAIN_RESTRICT row = p + (int64_t)rows[view][i] * hidden;
            for (j = 0; j < hidden; j++) a[j] += row[j];
        }
        for (j = 0; j < hidden; j++) {
            float v = a[j] < 0.0f ? 0.0f : a[j] > 1.0f ? 1.0f : a[j];
            sum += v * v * w2[view * hidden + j];
        }
    }
    return sum + b2[bucket];
}

TRAIN_INLINE void train_slice_body(const TrainShape* s, const float* p, float* g, const TrainRecord* records,
                                   const int64_t* order, const uint8_t* flips, int64_t n, TrainLoss* loss) {
    const int hidden = s->hidden;
    float acc[2 * TRAIN_MAX_HIDDEN], delta[2 * TRAIN_MAX_HIDDEN];
    const float* w2_all = p + train_rows_size(s) + hidden;
    float* gb1 = g + train_rows_size(s);
    float* gw2_all = gb1 + hidden;
    float* gb2 = gw2_all + (int64_t)s->buckets * 2 * hidden;
    int64_t at;
    for (at = 0; at < n; at++) {
        const TrainRecord* r = &records[order[at]];
        uint16_t rows[2][TRAIN_SLOTS];
        int count[2], attackers[2], view, i, j, bucket;
        float out, won, target, error, slope;
        train_attackers(r, attackers);
        bucket = train_bucket(attackers, s->buckets);
        for (view = 0; view < 2; view++)
            count[view] = train_rows(s, r, attackers, r->side ^ view, flips[at] & 1, rows[view]);
        out = train_forward(s, p, (const uint16_t(*)[TRAIN_SLOTS])rows, count, bucket, acc);
        won = 1.0f / (1.0f + expf(-out));
        target = s->blend * 0.5f * r->result + (1.0f - s->blend) / (1.0f + expf(-s->slope * r->score));
        error = won - target;
        loss->target_loss += (double)error * error;
        loss->result_loss += (double)(won - 0.5f * r->result) * (won - 0.5f * r->result);
        if (!g) continue;
        slope = 2.0f * error * won * (1.0f - won);
        gb2[bucket] += slope;
        for (view = 0; view < 2; view++) {
            const float* TRAIN_RESTRICT a = acc + view * hidden;
            const float* TRAIN_RESTRICT w2 = w2_all + (int64_t)bucket * 2 * hidden + view * hidden;
            float* TRAIN_RESTRICT gw2 = gw2_all + (int64_t)bucket * 2 * hidden + view * hidden;
            float* TRAIN_RESTRICT d = delta + view * hidden;
            for (j = 0; j < hidden; j++) {
                float v = a[j] < 0.0f ? 0.0f : a[j] > 1.0f ? 1.0f : a[j];
                float inside = (a[j] > 0.0f && a[j] < 1.0f) ? 2.0f : 0.0f;
                gw2[j] += slope * v * v;
                d[j] = slope * w2[j] * v * inside;
            }
            for (j = 0; j < hidden; j++) gb1[j] += d[j];
            for (i = 0; i < count[view]; i++) {
                float* TRAIN_RESTRICT row = g + (int64_t)rows[view][i] * hidden;
                for (j = 0; j < hidden; j++) row[j] += d[j];
            }
        }
    }
}

TRAIN_INLINE void train_adam_body(float* TRAIN_RESTRICT p, float* TRAIN_RESTRICT m, float* TRAIN_RESTRICT v,
                                  float* const* g, int threads, int64_t first, int64_t end, float scale, float rate,
                                  float correct1, float correct2, float bound, float keep) {
    int64_t i;
    int t;
    for (t = 1; t < threads; t++) {
        float* TRAIN_RESTRICT sum = g[0];
        float* TRAIN_RESTRICT more = g[t];
        for (i = first; i < end; i++) sum[i] += more[i];
        memset(more + first, 0, (end - first) * sizeof(float));
    }
    {
        float* TRAIN_RESTRICT sum = g[0];
        for (i = first; i < end; i++) {
            float d = sum[i] * scale, x;
            m[i] = 0.9f * m[i] + 0.1f * d;
            v[i] = 0.999f * v[i] + 0.001f * d * d;
            x = p[i] * keep - rate * (m[i] * correct1) / (sqrtf(v[i] * correct2) + 1e-8f);
            p[i] = x > bound ? bound : x < -bound ? -bound : x;
        }
        memset(sum + first, 0, (end - first) * sizeof(float));
    }
}

TRAIN_INLINE void train_outputs_body(const TrainShape* s, const float* p, const TrainRecord* records, int64_t n, float* out) {
    float acc[2 * TRAIN_MAX_HIDDEN];
    int64_t at;
    for (at = 0; at < n; at++) {
        uint16_t rows[2][TRAIN_SLOTS];
        int count[2], attackers[2], view;
        train_attackers(&records[at], attackers);
        for (view = 0; view < 2; view++)
            count[view] = train_rows(s, &records[at], attackers, records[at].side ^ view, 0, rows[view]);
        out[at] = train_forward(s, p, (const uint16_t(*)[TRAIN_SLOTS])rows, count, train_bucket(attackers, s->buckets), acc);
    }
}

#define TRAIN_WRAPPERS(suffix, attribute)                                                                                     \
    attribute static void train_slice_##suffix(const TrainShape* s, const float* p, float* g, const TrainRecord* records,     \
                                               const int64_t* order, const uint8_t* flips, int64_t n, TrainLoss* loss) {      \
        train_slice_body(s, p, g, records, order, flips, n, loss);                                                            \
    }                                                                                                                         \
    attribute static void train_adam_##suffix(float* p, float* m, float* v, float* const* g, int threads, int64_t first,      \
                                              int64_t end, float scale, float rate, float c1, float c2, float bound,          \
                                              float keep) {                                                                   \
        train_adam_body(p, m, v, g, threads, first, end, scale, rate, c1, c2, bound, keep);                                   \
    }                                                                                                                         \
    attribute static void train_outputs_##suffix(const TrainShape* s, const float* p, const TrainRecord* records, int64_t n,  \
                                                 float* out) {                                                                \
        train_outputs_body(s, p, records, n, out);                                                                            \
    }

TRAIN_WRAPPERS(plain, )

#if defined(__GNUC__) && defined(__x86_64__)
TRAIN_WRAPPERS(avx2, __attribute__((target("avx2,fma"))))
TRAIN_WRAPPERS(avx512, __attribute__((target("avx512f,fma,prefer-vector-width=512"))))
#define TRAIN_CALL(name, arguments)                                                                      \
    do {                                                                                                 \
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma")) name##_avx512 arguments; \
        else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) name##_avx2 arguments; \
        else name##_plain arguments;                                                                     \
    } while (0)
#else
#define TRAIN_CALL(name, arguments) name##_plain arguments
#endif

static void train_slice(const TrainShape* s, const float* p, float* g, const TrainRecord* records, const int64_t* order,
                        const uint8_t* flips, int64_t n, TrainLoss* loss) {
    TRAIN_CALL(train_slice, (s, p, g, records, order, flips, n, loss));
}

static void train_adam(float* p, float* m, float* v, float* const* g, int threads, int64_t first, int64_t end, float scale,
                       float rate, float correct1, float correct2, float bound, float keep) {
    TRAIN_CALL(train_adam, (p, m, v, g, threads, first, end, scale, rate, correct1, correct2, bound, keep));
}

static void train_outputs(const TrainShape* s, const float* p, const TrainRecord* records, int64_t n, float* out) {
    TRAIN_CALL(train_outputs, (s, p, records, n, out));
}

#endif
