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

/* Positions are taken in groups of neighbours, most of them from one game. A neighbour's accumulator is the one before
 * it plus and minus the rows that differ, and a row's gradient is a difference of two running sums of deltas. So a
 * position costs a handful of rows instead of fifty. */
enum { TRAIN_GROUP = 4 };

typedef struct {
    uint16_t rows[MAX_PIECES], plus[MAX_PIECES], minus[MAX_PIECES];
    int count, pluses, minuses;
    int fresh; /* the accumulator is the sum of all rows, which are then `plus`; nothing of the one before is used */
} TrainInput;

typedef struct {
    TrainInput input[TRAIN_GROUP][2]; /* [position][color] */
    int bucket[TRAIN_GROUP];
    float acc[TRAIN_GROUP][2][MAX_NEURONS]; /* the sums, later the deltas, of each color */
    uint8_t mark[ATTACKER_COUNTS * FEATURES]; /* all 0 between uses */
} TrainGroup;

/* How the rows differ from those of the neighbour before, if there is one. */
static void train_differences(TrainInput* now, const TrainInput* before, uint8_t* mark) {
    int i;
    now->pluses = now->minuses = 0;
    if (before) {
        for (i = 0; i < before->count; i++) mark[before->rows[i]] = 1;
        for (i = 0; i < now->count; i++) {
            if (!mark[now->rows[i]]) now->plus[now->pluses++] = now->rows[i];
            mark[now->rows[i]] = 0;
        }
        for (i = 0; i < before->count; i++) {
            if (mark[before->rows[i]]) now->minus[now->minuses++] = before->rows[i];
            mark[before->rows[i]] = 0;
        }
    }
    now->fresh = !before || now->pluses + now->minuses >= now->count;
    if (now->fresh) {
        memcpy(now->plus, now->rows, sizeof(now->plus));
        now->pluses = now->count;
        now->minuses = 0;
    }
}

/* out = from + the rows `plus` - the rows `minus` */
TRAIN_INLINE void train_accumulate(float* TRAIN_RESTRICT out, const float* TRAIN_RESTRICT from, const float* weights,
                                   const TrainInput* input, int hidden) {
    int i, j;
    memcpy(out, from, hidden * sizeof(float));
    for (i = 0; i + 1 < input->pluses; i += 2) {
        const float* TRAIN_RESTRICT row = weights + (int64_t)input->plus[i] * hidden;
        const float* TRAIN_RESTRICT next = weights + (int64_t)input->plus[i + 1] * hidden;
        for (j = 0; j < hidden; j++) out[j] += row[j] + next[j];
    }
    if (i < input->pluses) {
        const float* TRAIN_RESTRICT row = weights + (int64_t)input->plus[i] * hidden;
        for (j = 0; j < hidden; j++) out[j] += row[j];
    }
    for (i = 0; i < input->minuses; i++) {
        const float* TRAIN_RESTRICT row = weights + (int64_t)input->minus[i] * hidden;
        for (j = 0; j < hidden; j++) out[j] -= row[j];
    }
}

/* The accumulators of a group, of both colors. */
TRAIN_INLINE void train_accumulators(const TrainShape* s, const float* p, const Record* records, const int64_t* order,
                                     const uint8_t* flips, int size, TrainGroup* group) {
    int t, color;
    for (t = 0; t < size; t++) {
        const Record* r = &records[order ? order[t] : t];
        uint32_t counts[2];
        train_counts(r, counts);
        group->bucket[t] = output_bucket(counts[0], counts[1], s->buckets);
        for (color = 0; color < 2; color++) {
            TrainInput* input = &group->input[t][color];
            input->count = train_rows(s, r, counts, color, flips ? flips[t] & 1 : 0, input->rows);
            train_differences(input, t ? &group->input[t - 1][color] : NULL, group->mark);
            train_accumulate(group->acc[t][color],
                             input->fresh ? p + train_feature_weights(s) : group->acc[t - 1][color], p, input, s->hidden);
        }
    }
}

TRAIN_INLINE float train_output(const TrainShape* s, const float* p, const TrainGroup* group, int t, int mover) {
    const float* b1 = p + train_feature_weights(s);
    const float* w2 = b1 + s->hidden + (int64_t)group->bucket[t] * 2 * s->hidden;
    const float* b2 = b1 + s->hidden + (int64_t)s->buckets * 2 * s->hidden;
    float sum = 0.0f;
    int half, j;
    for (half = 0; half < 2; half++) {
        const float* TRAIN_RESTRICT a = group->acc[t][mover ^ half];
        for (j = 0; j < s->hidden; j++) {
            float v = a[j] < 0.0f ? 0.0f : a[j] > 1.0f ? 1.0f : a[j];
            sum += v * v * w2[half * s->hidden + j];
        }
    }
    return sum + b2[group->bucket[t]];
}

/* The deltas of the group's accumulators become gradients of their rows. */
TRAIN_INLINE void train_spread(const TrainShape* s, float* g, int size, TrainGroup* group) {
    const int hidden = s->hidden;
    float* TRAIN_RESTRICT gb1 = g + train_feature_weights(s);
    int t, color, i, j;
    for (color = 0; color < 2; color++)
        for (t = size - 1; t >= 0; t--) {
            const TrainInput* input = &group->input[t][color];
            const float* TRAIN_RESTRICT d = group->acc[t][color];
            for (i = 0; i < input->pluses; i++) {
                float* TRAIN_RESTRICT row = g + (int64_t)input->plus[i] * hidden;
                for (j = 0; j < hidden; j++) row[j] += d[j];
            }
            for (i = 0; i < input->minuses; i++) {
                float* TRAIN_RESTRICT row = g + (int64_t)input->minus[i] * hidden;
                for (j = 0; j < hidden; j++) row[j] -= d[j];
            }
            if (input->fresh) {
                for (j = 0; j < hidden; j++) gb1[j] += d[j];
            } else {
                float* TRAIN_RESTRICT before = group->acc[t - 1][color];
                for (j = 0; j < hidden; j++) before[j] += d[j];
            }
        }
}

TRAIN_INLINE void train_slice_body(const TrainShape* s, const float* p, float* g, const Record* records,
                                   const int64_t* order, const uint8_t* flips, int64_t n, float blend, TrainLoss* loss) {
    const int hidden = s->hidden;
    const int64_t outputs = train_feature_weights(s) + hidden;
    TrainGroup group;
    int64_t at;
    int t, half, j;
    memset(group.mark, 0, sizeof(group.mark));
    for (at = 0; at < n; at += TRAIN_GROUP) {
        int size = n - at < TRAIN_GROUP ? (int)(n - at) : TRAIN_GROUP;
        train_accumulators(s, p, records, order + at, flips + at, size, &group);
        for (t = 0; t < size; t++) {
            const Record* r = &records[order[at + t]];
            float won = 1.0f / (1.0f + expf(-train_output(s, p, &group, t, r->side)));
            float target = blend * 0.5f * r->result + (1.0f - blend) / (1.0f + expf(-s->slope * r->score));
            float error = won - target, slope = 2.0f * error * won * (1.0f - won);
            loss->target_loss += (double)error * error;
            loss->result_loss += (double)(won - 0.5f * r->result) * (won - 0.5f * r->result);
            if (!g) continue;
            g[outputs + (int64_t)s->buckets * 2 * hidden + group.bucket[t]] += slope;
            for (half = 0; half < 2; half++) {
                int64_t first = outputs + (int64_t)group.bucket[t] * 2 * hidden + half * hidden;
                const float* TRAIN_RESTRICT w2 = p + first;
                float* TRAIN_RESTRICT gw2 = g + first;
                float* TRAIN_RESTRICT a = group.acc[t][r->side ^ half];
                for (j = 0; j < hidden; j++) {
                    float v = a[j] < 0.0f ? 0.0f : a[j] > 1.0f ? 1.0f : a[j];
                    float inside = (a[j] > 0.0f && a[j] < 1.0f) ? 2.0f : 0.0f;
                    gw2[j] += slope * v * v;
                    a[j] = slope * w2[j] * v * inside;
                }
            }
        }
        if (g) train_spread(s, g, size, &group);
    }
}

enum { ADAM_BLOCK = 512 };

/* One block at a time, so that it stays in the cache. A block that no gradient has ever reached only decays. */
TRAIN_INLINE void train_adam_body(float* TRAIN_RESTRICT p, float* TRAIN_RESTRICT m, float* TRAIN_RESTRICT v,
                                  float* const* g, int threads, int64_t first, int64_t end, float scale, float rate,
                                  float correct1, float correct2, float bound, float keep) {
    int64_t i, at;
    int t;
    for (at = first; at < end; at += ADAM_BLOCK) {
        int64_t stop = at + ADAM_BLOCK < end ? at + ADAM_BLOCK : end;
        float* TRAIN_RESTRICT sum = g[0];
        float reached = 0.0f;
        for (t = 1; t < threads; t++) {
            float* TRAIN_RESTRICT more = g[t];
            for (i = at; i < stop; i++) sum[i] += more[i];
            memset(more + at, 0, (stop - at) * sizeof(float));
        }
        for (i = at; i < stop; i++) reached += v[i] + fabsf(sum[i]);
        if (reached == 0.0f) {
            for (i = at; i < stop; i++) p[i] *= keep;
            continue;
        }
        for (i = at; i < stop; i++) {
            float d = sum[i] * scale, x;
            m[i] = 0.9f * m[i] + 0.1f * d;
            v[i] = 0.999f * v[i] + 0.001f * d * d;
            x = p[i] * keep - rate * (m[i] * correct1) / (sqrtf(v[i] * correct2) + 1e-8f);
            p[i] = x > bound ? bound : x < -bound ? -bound : x;
        }
        memset(sum + at, 0, (stop - at) * sizeof(float));
    }
}

TRAIN_INLINE void train_outputs_body(const TrainShape* s, const float* p, const Record* records, int64_t n, float* out) {
    TrainGroup group;
    int64_t at;
    int t;
    memset(group.mark, 0, sizeof(group.mark));
    for (at = 0; at < n; at += TRAIN_GROUP) {
        int size = n - at < TRAIN_GROUP ? (int)(n - at) : TRAIN_GROUP;
        train_accumulators(s, p, records + at, NULL, NULL, size, &group);
        for (t = 0; t < size; t++) out[at + t] = train_output(s, p, &group, t, records[at + t].side);
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
