/* The trainer's arithmetic: forward, backward and Adam over plain float arrays.
 *
 * net_features.h defines the records and the features. The parameters are one array: feature weights
 * [input buckets][features][hidden], feature bias [hidden], output weights [buckets][2 * hidden] (the mover's half
 * first), output bias [buckets].
 *
 * The same body is compiled three times: for any machine, and for AVX2 with FMA and AVX-512 where the compiler supports
 * them.
 */
#ifndef CHUHE_TRAINER_KERNELS_H
#define CHUHE_TRAINER_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cpu_features.h"
#include "net_features.h"

#if defined(__GNUC__)
#define TRAIN_INLINE static inline __attribute__((always_inline))
#define TRAIN_RESTRICT __restrict__
#else
#define TRAIN_INLINE static __inline
#define TRAIN_RESTRICT __restrict
#endif

typedef struct {
    int hidden;
    int buckets;       /* output buckets */
    int input_buckets;
    uint8_t bucket_of[ATTACKER_COUNTS]; /* the input bucket, by the opponent's rooks, knights and cannons */
    float slope; /* expected result per centipawn */
    uint16_t seen[2][2][FEATURES]; /* [side][mirrored][feature of a record] -> the feature as that side sees it */
} TrainShape;

typedef struct {
    double target_loss;
    double result_loss;
} TrainLoss;

static void train_shape_init(TrainShape* s) {
    int side, mirrored, feature;
    for (side = 0; side < 2; side++)
        for (mirrored = 0; mirrored < 2; mirrored++)
            for (feature = 0; feature < FEATURES; feature++)
                s->seen[side][mirrored][feature] = (uint16_t)(seen_piece(side, feature / SQUARES) * SQUARES +
                                                              seen_square(side, mirrored, feature % SQUARES));
}

/* the number of feature weights */
TRAIN_INLINE int64_t train_feature_weights(const TrainShape* s) {
    return (int64_t)s->input_buckets * FEATURES * s->hidden;
}

static int64_t train_parameters(const TrainShape* s) {
    return train_feature_weights(s) + s->hidden + (int64_t)s->buckets * 2 * s->hidden + s->buckets;
}

/* The pieces of each side, four bits for each kind. */
static void train_counts(const Record* r, uint32_t* counts) {
    int i;
    counts[0] = counts[1] = 0;
    for (i = 0; i < MAX_PIECES && r->features[i] != NO_FEATURE; i++) {
        int piece = r->features[i] / SQUARES;
        counts[piece >= KINDS] += 1u << 4 * (piece % KINDS);
    }
}

/* The rows of the feature weights that a side's accumulator sums; returns their number. `flip` decides if the king is
 * on the middle file. */
static int train_rows(const TrainShape* s, const Record* r, const uint32_t* counts, int side, int flip, uint16_t* rows) {
    int i, mirrored = flip, count = 0, first = input_bucket(s->bucket_of, counts[side ^ 1]) * FEATURES;
    for (i = 0; i < MAX_PIECES && r->features[i] != NO_FEATURE; i++) {
        int piece = r->features[i] / SQUARES, file = r->features[i] % 9;
        if (piece == KINDS * side && file != MIDDLE_FILE) mirrored = king_mirrors(file);
    }
    for (i = 0; i < MAX_PIECES && r->features[i] != NO_FEATURE; i++)
        rows[count++] = (uint16_t)(first + s->seen[side][mirrored][r->features[i]]);
    return count;
}

TRAIN_INLINE float train_forward(const TrainShape* s, const float* p, const uint16_t rows[2][MAX_PIECES],
                                 const int* count, int bucket, float* TRAIN_RESTRICT acc) {
    const int hidden = s->hidden;
    const float* b1 = p + train_feature_weights(s);
    const float* w2 = b1 + hidden + (int64_t)bucket * 2 * hidden;
    const float* b2 = b1 + hidden + (int64_t)s->buckets * 2 * hidden;
    float sum = 0.0f;
    int half, i, j;
    for (half = 0; half < 2; half++) {
        float* TRAIN_RESTRICT a = acc + half * hidden;
        memcpy(a, b1, hidden * sizeof(float));
        for (i = 0; i + 1 < count[half]; i += 2) {
            const float* TRAIN_RESTRICT row = p + (int64_t)rows[half][i] * hidden;
            const float* TRAIN_RESTRICT next = p + (int64_t)rows[half][i + 1] * hidden;
            for (j = 0; j < hidden; j++) a[j] += row[j] + next[j];
        }
        if (i < count[half]) {
            const float* TRAIN_RESTRICT row = p + (int64_t)rows[half][i] * hidden;
            for (j = 0; j < hidden; j++) a[j] += row[j];
        }
        for (j = 0; j < hidden; j++) {
            float v = a[j] < 0.0f ? 0.0f : a[j] > 1.0f ? 1.0f : a[j];
            sum += v * v * w2[half * hidden + j];
        }
    }
    return sum + b2[bucket];
}

TRAIN_INLINE void train_slice_body(const TrainShape* s, const float* p, float* g, const Record* records,
                                   const int64_t* order, const uint8_t* flips, int64_t n, float blend, TrainLoss* loss) {
    const int hidden = s->hidden;
    float acc[2 * MAX_NEURONS], delta[2 * MAX_NEURONS];
    const float* w2_all = p + train_feature_weights(s) + hidden;
    float* gb1 = g + train_feature_weights(s);
    float* gw2_all = gb1 + hidden;
    float* gb2 = gw2_all + (int64_t)s->buckets * 2 * hidden;
    int64_t at;
    for (at = 0; at < n; at++) {
        const Record* r = &records[order[at]];
        uint16_t rows[2][MAX_PIECES];
        uint32_t counts[2];
        int count[2], half, i, j, bucket;
        float out, won, target, error, slope;
        train_counts(r, counts);
        bucket = output_bucket(counts[0], counts[1], s->buckets);
        for (half = 0; half < 2; half++)
            count[half] = train_rows(s, r, counts, r->side ^ half, flips[at] & 1, rows[half]);
        out = train_forward(s, p, (const uint16_t(*)[MAX_PIECES])rows, count, bucket, acc);
        won = 1.0f / (1.0f + expf(-out));
        target = blend * 0.5f * r->result + (1.0f - blend) / (1.0f + expf(-s->slope * r->score));
        error = won - target;
        loss->target_loss += (double)error * error;
        loss->result_loss += (double)(won - 0.5f * r->result) * (won - 0.5f * r->result);
        if (!g) continue;
        slope = 2.0f * error * won * (1.0f - won);
        gb2[bucket] += slope;
        for (half = 0; half < 2; half++) {
            const float* TRAIN_RESTRICT a = acc + half * hidden;
            const float* TRAIN_RESTRICT w2 = w2_all + (int64_t)bucket * 2 * hidden + half * hidden;
            float* TRAIN_RESTRICT gw2 = gw2_all + (int64_t)bucket * 2 * hidden + half * hidden;
            float* TRAIN_RESTRICT d = delta + half * hidden;
            for (j = 0; j < hidden; j++) {
                float v = a[j] < 0.0f ? 0.0f : a[j] > 1.0f ? 1.0f : a[j];
                float inside = (a[j] > 0.0f && a[j] < 1.0f) ? 2.0f : 0.0f;
                gw2[j] += slope * v * v;
                d[j] = slope * w2[j] * v * inside;
            }
            for (j = 0; j < hidden; j++) gb1[j] += d[j];
            for (i = 0; i < count[half]; i++) {
                float* TRAIN_RESTRICT row = g + (int64_t)rows[half][i] * hidden;
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

TRAIN_INLINE void train_outputs_body(const TrainShape* s, const float* p, const Record* records, int64_t n, float* out) {
    float acc[2 * MAX_NEURONS];
    int64_t at;
    for (at = 0; at < n; at++) {
        uint16_t rows[2][MAX_PIECES];
        uint32_t counts[2];
        int count[2], half, bucket;
        train_counts(&records[at], counts);
        bucket = output_bucket(counts[0], counts[1], s->buckets);
        for (half = 0; half < 2; half++)
            count[half] = train_rows(s, &records[at], counts, records[at].side ^ half, 0, rows[half]);
        out[at] = train_forward(s, p, (const uint16_t(*)[MAX_PIECES])rows, count, bucket, acc);
    }
}

#define TRAIN_WRAPPERS(suffix, attribute)                                                                                     \
    attribute static void train_slice_##suffix(const TrainShape* s, const float* p, float* g, const Record* records,     \
                                               const int64_t* order, const uint8_t* flips, int64_t n, float blend,            \
                                               TrainLoss* loss) {                                                             \
        train_slice_body(s, p, g, records, order, flips, n, blend, loss);                                                            \
    }                                                                                                                         \
    attribute static void train_adam_##suffix(float* p, float* m, float* v, float* const* g, int threads, int64_t first,      \
                                              int64_t end, float scale, float rate, float c1, float c2, float bound,          \
                                              float keep) {                                                                   \
        train_adam_body(p, m, v, g, threads, first, end, scale, rate, c1, c2, bound, keep);                                   \
    }                                                                                                                         \
    attribute static void train_outputs_##suffix(const TrainShape* s, const float* p, const Record* records, int64_t n,  \
                                                 float* out) {                                                                \
        train_outputs_body(s, p, records, n, out);                                                                            \
    }

TRAIN_WRAPPERS(plain, )

#if CHUHE_X86 && !CHUHE_MSVC /* Microsoft's compiler vectorises loops for one instruction set per file only */
TRAIN_WRAPPERS(avx2, CHUHE_TARGET("avx2,fma"))
#if defined(__clang__) /* it would ignore the whole list for a word that it does not know */
TRAIN_WRAPPERS(avx512, CHUHE_TARGET("avx512f,fma"))
#else
TRAIN_WRAPPERS(avx512, CHUHE_TARGET("avx512f,fma,prefer-vector-width=512"))
#endif
#define TRAIN_CALL(name, arguments)                                                         \
    do {                                                                                    \
        int features = chuhe_cpu_features();                                                \
        if (features & CHUHE_AVX512F && features & CHUHE_FMA) name##_avx512 arguments;      \
        else if (features & CHUHE_AVX2 && features & CHUHE_FMA) name##_avx2 arguments;      \
        else name##_plain arguments;                                                        \
    } while (0)
#else
#define TRAIN_CALL(name, arguments) name##_plain arguments
#endif

static void train_slice(const TrainShape* s, const float* p, float* g, const Record* records, const int64_t* order,
                        const uint8_t* flips, int64_t n, float blend, TrainLoss* loss) {
    TRAIN_CALL(train_slice, (s, p, g, records, order, flips, n, blend, loss));
}

static void train_adam(float* p, float* m, float* v, float* const* g, int threads, int64_t first, int64_t end, float scale,
                       float rate, float correct1, float correct2, float bound, float keep) {
    TRAIN_CALL(train_adam, (p, m, v, g, threads, first, end, scale, rate, correct1, correct2, bound, keep));
}

static void train_outputs(const TrainShape* s, const float* p, const Record* records, int64_t n, float* out) {
    TRAIN_CALL(train_outputs, (s, p, records, n, out));
}

#endif
