/* What differs between compilers and systems: the clock, atomic values, bits, prefetching, thread priority.
 *
 * CHUHE_MSVC selects the intrinsics of Microsoft's compiler; all others have GCC's builtins. The clock and priorities
 * depend on the system alone. With -DCHUHE_MSVC=1, mingw compiles Microsoft's branch too, so that a test can run it.
 */
#ifndef CHUHE_PLATFORM_H
#define CHUHE_PLATFORM_H

#include <stdint.h>

#if !defined(CHUHE_MSVC)
#if defined(_MSC_VER) && !defined(__clang__)
#define CHUHE_MSVC 1
#else
#define CHUHE_MSVC 0
#endif
#endif

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

/* microseconds; divided in two steps, because the product of a long uptime overflows */
static int64_t chuhe_now(void) {
    LARGE_INTEGER frequency, count;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&count);
    return count.QuadPart / frequency.QuadPart * 1000000 + count.QuadPart % frequency.QuadPart * 1000000 / frequency.QuadPart;
}
static void chuhe_give_way(void) { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_LOWEST); }
#else
#include <time.h>
static int64_t chuhe_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
#if defined(__linux__)
#include <sys/resource.h>
static void chuhe_give_way(void) { (void)setpriority(PRIO_PROCESS, 0, 19); } /* on Linux: of this thread only */
#else
static void chuhe_give_way(void) {}
#endif
#endif

#if CHUHE_MSVC
#include <intrin.h>
#include <stdlib.h>
#define chuhe_load(x) (*(volatile int*)(x))
#define chuhe_save(x, v) (*(volatile int*)(x) = (v))
#define chuhe_observe(x) ((int)_InterlockedOr((volatile long*)(x), 0))
#define chuhe_publish(x, v) ((void)_InterlockedExchange((volatile long*)(x), (v)))
#define chuhe_load16(x) (*(volatile uint16_t*)(x))
#define chuhe_save16(x, v) (*(volatile uint16_t*)(x) = (v))
#define chuhe_load8(x) (*(volatile uint8_t*)(x))
#define chuhe_less8(x) ((uint8_t)(_InterlockedExchangeAdd8((volatile char*)(x), -1) - 1))
static int chuhe_ctz(uint32_t x) {
    unsigned long i;
    _BitScanForward(&i, x);
    return (int)i;
}
static int chuhe_lowest(uint64_t x) {
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
}
/* not __popcnt64: old processors and ARM do not have it */
static int chuhe_count(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
    return (int)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
}
#define chuhe_swap _byteswap_uint64
#if defined(_M_ARM64) || defined(_M_ARM64EC)
#define chuhe_prefetch(p) __prefetch((const void*)(p))
#else
#include <xmmintrin.h>
#define chuhe_prefetch(p) _mm_prefetch((const char*)(p), _MM_HINT_T0)
#endif
#else
#define chuhe_load(x) __atomic_load_n((x), __ATOMIC_RELAXED)
#define chuhe_save(x, v) __atomic_store_n((x), (v), __ATOMIC_RELAXED)
#define chuhe_observe(x) __atomic_load_n((x), __ATOMIC_ACQUIRE)
#define chuhe_publish(x, v) __atomic_store_n((x), (v), __ATOMIC_RELEASE)
#define chuhe_load16(x) __atomic_load_n((x), __ATOMIC_RELAXED)
#define chuhe_save16(x, v) __atomic_store_n((x), (v), __ATOMIC_RELAXED)
#define chuhe_load8(x) __atomic_load_n((x), __ATOMIC_RELAXED)
#define chuhe_less8(x) __atomic_sub_fetch((x), 1, __ATOMIC_RELAXED)
#define chuhe_ctz(x) __builtin_ctz(x)
#define chuhe_lowest(x) __builtin_ctzll(x)
#define chuhe_count(x) __builtin_popcountll(x)
#define chuhe_swap(x) __builtin_bswap64(x)
/* The empty asm is what keeps it: GCC takes a function that only prefetches for one without effects, and removes its
   calls. */
#define chuhe_prefetch(p) do { __builtin_prefetch(p); __asm__ volatile(""); } while (0)
#endif

#endif
