/* Which vector instructions may be used here: those of the processor (cpuid) whose registers the system saves (xgetbv).
 *
 * Our own test, because GCC's builtin needs a run-time library that clang-cl and others do not link, and Microsoft's
 * compiler has none. CHUHE_X86 is 1 if the compiler can produce all of them, function by function (CHUHE_TARGET).
 */
#ifndef CHUHE_CPU_FEATURES_H
#define CHUHE_CPU_FEATURES_H

#include "platform.h"

#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define CHUHE_X86 1
#include <immintrin.h>
#if defined(__GNUC__) || defined(__clang__)
#define CHUHE_TARGET(features) __attribute__((target(features)))
#else
#define CHUHE_TARGET(features) /* Microsoft's compiler accepts every intrinsic everywhere */
#endif
#if CHUHE_MSVC
#include <intrin.h>
#define CHUHE_CPUID(leaf, r) __cpuidex((int*)(r), (leaf), 0)
CHUHE_TARGET("xsave") static uint32_t chuhe_saved_registers(void) { return (uint32_t)_xgetbv(0); }
#else
#include <cpuid.h>
#define CHUHE_CPUID(leaf, r) __cpuid_count((leaf), 0, (r)[0], (r)[1], (r)[2], (r)[3])
static uint32_t chuhe_saved_registers(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}
#endif
#else
#define CHUHE_X86 0
#endif

/* every 64-bit ARM processor has NEON */
#if defined(__aarch64__) || defined(_M_ARM64)
#define CHUHE_NEON 1
#else
#define CHUHE_NEON 0
#endif

enum { CHUHE_AVX2 = 1, CHUHE_FMA = 2, CHUHE_AVX512F = 4, CHUHE_AVX512BW = 8 };

static int chuhe_detect_features(void) {
    int found = 0;
#if CHUHE_X86
    uint32_t r[4], basic, saved;
    CHUHE_CPUID(0, r);
    if (r[0] < 7) return 0;
    CHUHE_CPUID(1, r);
    basic = r[2];
    if (!(basic >> 27 & 1)) return 0; /* OSXSAVE: without it, xgetbv is an illegal instruction */
    saved = chuhe_saved_registers();
    if ((saved & 0x06) != 0x06) return 0; /* the lower and upper halves of the AVX registers */
    CHUHE_CPUID(7, r);
    if (basic >> 28 & r[1] >> 5 & 1) found |= CHUHE_AVX2; /* AVX and AVX2 */
    if (basic >> 28 & basic >> 12 & 1) found |= CHUHE_FMA;
    if ((saved & 0xE6) == 0xE6) { /* also the mask registers and both parts of the AVX-512 registers */
        if (r[1] >> 16 & 1) found |= CHUHE_AVX512F;
        if (r[1] >> 16 & r[1] >> 30 & 1) found |= CHUHE_AVX512BW;
    }
#endif
    return found;
}

/* the instruction sets, as a sum of the above */
static int chuhe_cpu_features(void) {
    static int known = -1; /* cpuid is slow in virtual machines; threads that race here write the same value */
    if (known < 0) known = chuhe_detect_features();
    return known;
}

#endif
