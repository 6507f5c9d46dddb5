/* What differs between compilers and systems: the clock, atomic values, bits, prefetching, thread priority,
 * large blocks of memory, memory-mapped files.
 *
 * CHUHE_MSVC selects the intrinsics of Microsoft's compiler; all others have GCC's builtins. The clock and priorities
 * depend on the system alone. With -DCHUHE_MSVC=1, mingw compiles Microsoft's branch too, so that a test can run it.
 */
#ifndef CHUHE_PLATFORM_H
#define CHUHE_PLATFORM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
#define chuhe_load(x) (*(volatile int*)(x))
#define chuhe_save(x, v) (*(volatile int*)(x) = (v))
#define chuhe_observe(x) ((int)_InterlockedOr((volatile long*)(x), 0))
#define chuhe_publish(x, v) ((void)_InterlockedExchange((volatile long*)(x), (v)))
#define chuhe_load64(x) (*(volatile int64_t*)(x))
#define chuhe_save64(x, v) (*(volatile int64_t*)(x) = (v))
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
#define chuhe_load64(x) __atomic_load_n((x), __ATOMIC_RELAXED)
#define chuhe_save64(x, v) __atomic_store_n((x), (v), __ATOMIC_RELAXED)
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

/* reads that happen exactly once, of memory that others may change */
#define chuhe_read_once_16(p) (*(const volatile uint16_t*)(p))
#define chuhe_read_once_32(p) (*(const volatile uint32_t*)(p))

/* large zeroed blocks, on huge pages where the system has them (memory.pxi) */
#if defined(__linux__)
#include <sys/mman.h>
#define CHUHE_HUGE ((size_t)2 << 20)
static size_t chuhe_rounded(size_t size) { return (size + CHUHE_HUGE - 1) & ~(CHUHE_HUGE - 1); }
static void* chuhe_acquire(size_t size) {
    size_t whole = chuhe_rounded(size), head;
    char* raw = (char*)mmap(NULL, whole + CHUHE_HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == (char*)MAP_FAILED) return NULL;
    head = (CHUHE_HUGE - (size_t)raw % CHUHE_HUGE) % CHUHE_HUGE;
    if (head) munmap(raw, head);
    if (CHUHE_HUGE - head) munmap(raw + head + whole, CHUHE_HUGE - head);
#ifdef MADV_HUGEPAGE
    madvise(raw + head, whole, MADV_HUGEPAGE);
#endif
    return raw + head;
}
static void chuhe_release(void* block, size_t size) { if (block) munmap(block, chuhe_rounded(size)); }
#else
static void* chuhe_acquire(size_t size) {  /* aligned to a cache line; the pointer to free is stored before it */
    char* raw = (char*)calloc(1, size + 128), *block;
    if (!raw) return NULL;
    block = raw + 128 - (size_t)raw % 64;
    ((void**)block)[-1] = raw;
    return block;
}
static void chuhe_release(void* block, size_t size) { (void)size; if (block) free(((void**)block)[-1]); }
#endif

/* read-only memory-mapped files, whose lost pages read as zeros (mapping.pxi) */
#if defined(_WIN32)
static void* chuhe_map(const char* path, size_t* size) {  /* the path is UTF-8, as os.fsencode gives it */
    void* data = NULL; LARGE_INTEGER length; HANDLE mapping, file;
    int units = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
    wchar_t* wide = (wchar_t*)malloc((units ? units : 1) * sizeof(wchar_t));
    if (!wide) return NULL;
    wide[0] = 0;
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, units);
    file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       OPEN_EXISTING, 0, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    if (GetFileSizeEx(file, &length) && length.QuadPart > 0) {
        mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
        if (mapping) { data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0); CloseHandle(mapping); }
        *size = (size_t)length.QuadPart;
    }
    CloseHandle(file);
    return data;
}
static void chuhe_unmap(void* data, size_t size) { (void)size; if (data) UnmapViewOfFile(data); }
static int chuhe_guard(void* data, size_t size) { (void)data; (void)size; return 1; }
static void chuhe_unguard(void* data) { (void)data; }
#else
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
static void* chuhe_map(const char* path, size_t* size) {
    void* data = MAP_FAILED; struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    if (fstat(file, &info) == 0 && info.st_size > 0) {
        *size = (size_t)info.st_size;
        data = mmap(NULL, *size, PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    return data == MAP_FAILED ? NULL : data;
}
static void chuhe_unmap(void* data, size_t size) { if (data) munmap(data, size); }

/* the mapped areas; entries are reused, never freed, so that the handler may walk the list at any time */
typedef struct ChuheArea { char* start; size_t size; struct ChuheArea* next; } ChuheArea;
static ChuheArea* chuhe_areas = NULL;
static struct sigaction chuhe_previous;

static void chuhe_on_bus_error(int number, siginfo_t* info, void* context) {
    char* at = (char*)info->si_addr;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ChuheArea* area;
    (void)number; (void)context;
    for (area = chuhe_areas; area; area = area->next)
        if (area->size && at >= area->start && at < area->start + area->size) {
            char* start = at - (size_t)at % page;
            if (mmap(start, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == start) return;
            break;
        }
    sigaction(SIGBUS, &chuhe_previous, NULL);  /* not ours: the previous handler sees it */
}
static int chuhe_guard(void* data, size_t size) {  /* with the GIL; 0: no memory */
    ChuheArea* area = chuhe_areas;
    while (area && area->size) area = area->next;
    if (!area) {
        if (!chuhe_areas) {
            struct sigaction action;
            memset(&action, 0, sizeof action);
            action.sa_sigaction = chuhe_on_bus_error;
            action.sa_flags = SA_SIGINFO | SA_ONSTACK;
            sigemptyset(&action.sa_mask);
            sigaction(SIGBUS, &action, &chuhe_previous);
        }
        area = (ChuheArea*)calloc(1, sizeof *area);
        if (!area) return 0;
        area->next = chuhe_areas;
        __atomic_store_n(&chuhe_areas, area, __ATOMIC_RELEASE);
    }
    area->start = (char*)data;
    __atomic_store_n(&area->size, size, __ATOMIC_RELEASE);
    return 1;
}
static void chuhe_unguard(void* data) {
    ChuheArea* area;
    for (area = chuhe_areas; area; area = area->next)
        if (area->size && area->start == (char*)data) __atomic_store_n(&area->size, 0, __ATOMIC_RELEASE);
}
#endif

#endif
