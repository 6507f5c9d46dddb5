# Large blocks of zeroed memory, on huge pages where the system has them: the transposition table is accessed at random,
# and with small pages a TLB miss costs as much as reading the entry.

cdef extern from *:
    """
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
    #include <stdlib.h>
    static void* chuhe_acquire(size_t size) {  /* aligned to a cache line; the pointer to free is stored before it */
        char* raw = (char*)calloc(1, size + 128), *block;
        if (!raw) return NULL;
        block = raw + 128 - (size_t)raw % 64;
        ((void**)block)[-1] = raw;
        return block;
    }
    static void chuhe_release(void* block, size_t size) { (void)size; if (block) free(((void**)block)[-1]); }
    #endif
    """
    void* acquire "chuhe_acquire"(size_t size) noexcept nogil  # NULL: out of memory
    void release "chuhe_release"(void* block, size_t size) noexcept nogil
