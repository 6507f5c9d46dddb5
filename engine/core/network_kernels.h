/* The network's inner loops, in 16-bit integers, once for each instruction set that the compiler supports.
 *
 * All variants give the same numbers bit for bit: integer sums do not depend on their order. The best one is
 * chosen at start-up; without any, the plain loops run, which compilers auto-vectorise.
 * The number of neurons is a multiple of 32, and every row begins on a 64-byte boundary.
 */
#ifndef CHUHE_NETWORK_KERNELS_H
#define CHUHE_NETWORK_KERNELS_H

#include <stdint.h>

#include "cpu_features.h"

typedef struct {
    const char* name;
    void (*update)(int16_t* out, const int16_t* in, const int16_t* plus, const int16_t* minus, const int16_t* minus2, int n);
    void (*add)(int16_t* out, const int16_t* plus, int n);
    void (*take)(int16_t* out, const int16_t* minus, int n);
    int64_t (*output)(const int16_t* mine, const int16_t* theirs, const int16_t* weights, int n, int limit, int shift);
} NetworkKernels;

/* plain C: neurons wrap as in the vector versions; the output's sums never do, see output_fits() */
static void network_update_plain(int16_t* out, const int16_t* in, const int16_t* plus, const int16_t* minus,
                                 const int16_t* minus2, int n) {
    int i;
    if (minus2)
        for (i = 0; i < n; i++) out[i] = (int16_t)(in[i] + plus[i] - minus[i] - minus2[i]);
    else
        for (i = 0; i < n; i++) out[i] = (int16_t)(in[i] + plus[i] - minus[i]);
}

static void network_add_plain(int16_t* out, const int16_t* plus, int n) {
    int i;
    for (i = 0; i < n; i++) out[i] = (int16_t)(out[i] + plus[i]);
}

static void network_take_plain(int16_t* out, const int16_t* minus, int n) {
    int i;
    for (i = 0; i < n; i++) out[i] = (int16_t)(out[i] - minus[i]);
}

static int64_t network_half_plain(const int16_t* accumulator, const int16_t* weights, int n, int limit, int shift) {
    int64_t sum = 0;
    int i;
    for (i = 0; i < n; i++) {
        uint32_t clipped = (uint32_t)(accumulator[i] < 0 ? 0 : accumulator[i] > limit ? limit : accumulator[i]) << shift;
        sum += (int32_t)(clipped * (clipped >> 1) >> 16) * weights[i];
    }
    return sum;
}

static int64_t network_output_plain(const int16_t* mine, const int16_t* theirs, const int16_t* weights, int n, int limit,
                                    int shift) {
    return network_half_plain(mine, weights, n, limit, shift) + network_half_plain(theirs, weights + n, n, limit, shift);
}

#if CHUHE_X86

#define NAME(function) network_##function##_sse2
#define TARGET
#define VEC __m128i
#define VEC32 __m128i
#define LANES 8
#define LOAD(p) _mm_load_si128((const __m128i*)(p))
#define STORE(p, v) _mm_store_si128((__m128i*)(p), v)
#define ADD _mm_add_epi16
#define SUB _mm_sub_epi16
#define CLIP(v, limit) _mm_min_epi16(_mm_max_epi16(v, _mm_setzero_si128()), _mm_set1_epi16((short)(limit)))
#define SHIFTED(v, shift) _mm_sll_epi16(v, _mm_cvtsi32_si128(shift))
#define SQUARE(v, shift) _mm_mulhi_epu16(SHIFTED(v, shift), SHIFTED(v, (shift) - 1))
#define DOT _mm_madd_epi16
#define ADD32 _mm_add_epi32
#define ZERO32 _mm_setzero_si128()
#define TOTAL network_total_sse2
static inline int64_t network_total_sse2(__m128i v) {
    int32_t lane[4];
    _mm_storeu_si128((__m128i*)lane, v);
    return (int64_t)lane[0] + lane[1] + lane[2] + lane[3];
}
#include "network_body.h"

#define NAME(function) network_##function##_avx2
#define TARGET CHUHE_TARGET("avx2")
#define VEC __m256i
#define VEC32 __m256i
#define LANES 16
#define LOAD(p) _mm256_load_si256((const __m256i*)(p))
#define STORE(p, v) _mm256_store_si256((__m256i*)(p), v)
#define ADD _mm256_add_epi16
#define SUB _mm256_sub_epi16
#define CLIP(v, limit) _mm256_min_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()), _mm256_set1_epi16((short)(limit)))
#define SHIFTED(v, shift) _mm256_sll_epi16(v, _mm_cvtsi32_si128(shift))
#define SQUARE(v, shift) _mm256_mulhi_epu16(SHIFTED(v, shift), SHIFTED(v, (shift) - 1))
#define DOT _mm256_madd_epi16
#define ADD32 _mm256_add_epi32
#define ZERO32 _mm256_setzero_si256()
#define TOTAL network_total_avx2
TARGET static inline int64_t network_total_avx2(__m256i v) {
    __m256i wide = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(v)),
                                    _mm256_cvtepi32_epi64(_mm256_extracti128_si256(v, 1)));
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}
#include "network_body.h"

#define NAME(function) network_##function##_avx512
#define TARGET CHUHE_TARGET("avx512f,avx512bw")
#define VEC __m512i
#define VEC32 __m512i
#define LANES 32
#define LOAD(p) _mm512_load_si512((const void*)(p))
#define STORE(p, v) _mm512_store_si512((void*)(p), v)
#define ADD _mm512_add_epi16
#define SUB _mm512_sub_epi16
#define CLIP(v, limit) _mm512_min_epi16(_mm512_max_epi16(v, _mm512_setzero_si512()), _mm512_set1_epi16((short)(limit)))
#define SHIFTED(v, shift) _mm512_sll_epi16(v, _mm_cvtsi32_si128(shift))
#define SQUARE(v, shift) _mm512_mulhi_epu16(SHIFTED(v, shift), SHIFTED(v, (shift) - 1))
#define DOT _mm512_madd_epi16
#define ADD32 _mm512_add_epi32
#define ZERO32 _mm512_setzero_si512()
#define TOTAL network_total_avx512
TARGET static inline int64_t network_total_avx512(__m512i v) {
    return _mm512_reduce_add_epi64(_mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(v)),
                                                    _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(v, 1))));
}
#include "network_body.h"

#elif CHUHE_NEON
#include <arm_neon.h>

/* the upper halves of unsigned products: _mm_mulhi_epu16 */
static inline int16x8_t network_square_neon(int16x8_t v, int shift) {
    uint16x8_t a = vreinterpretq_u16_s16(vshlq_s16(v, vdupq_n_s16((int16_t)shift)));
    uint16x8_t b = vreinterpretq_u16_s16(vshlq_s16(v, vdupq_n_s16((int16_t)(shift - 1))));
    return vreinterpretq_s16_u16(vcombine_u16(vshrn_n_u32(vmull_u16(vget_low_u16(a), vget_low_u16(b)), 16),
                                              vshrn_n_u32(vmull_high_u16(a, b), 16)));
}
/* the sums of neighbouring products, in the same lanes as _mm_madd_epi16: output_fits() counts on that */
static inline int32x4_t network_dot_neon(int16x8_t a, int16x8_t b) {
    return vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
}

#define NAME(function) network_##function##_neon
#define TARGET
#define VEC int16x8_t
#define VEC32 int32x4_t
#define LANES 8
#define LOAD(p) vld1q_s16(p)
#define STORE(p, v) vst1q_s16(p, v)
#define ADD vaddq_s16
#define SUB vsubq_s16
#define CLIP(v, limit) vminq_s16(vmaxq_s16(v, vdupq_n_s16(0)), vdupq_n_s16((int16_t)(limit)))
#define SQUARE network_square_neon
#define DOT network_dot_neon
#define ADD32 vaddq_s32
#define ZERO32 vdupq_n_s32(0)
#define TOTAL vaddlvq_s32
#include "network_body.h"
#endif

#define NETWORK_PATH(name) \
    {#name, network_update_##name, network_add_##name, network_take_##name, network_output_##name}

/* best first */
static const NetworkKernels NETWORK_PATHS[] = {
#if CHUHE_X86
    NETWORK_PATH(avx512), NETWORK_PATH(avx2), NETWORK_PATH(sse2),
#elif CHUHE_NEON
    NETWORK_PATH(neon),
#endif
    NETWORK_PATH(plain),
};

#define NETWORK_PATH_COUNT ((int)(sizeof(NETWORK_PATHS) / sizeof(NETWORK_PATHS[0])))

static int network_path_runs(int path) {
#if CHUHE_X86
    if (path == 0) return (chuhe_cpu_features() & CHUHE_AVX512BW) != 0;
    if (path == 1) return (chuhe_cpu_features() & CHUHE_AVX2) != 0;
#endif
    return path >= 0 && path < NETWORK_PATH_COUNT;
}

#endif
