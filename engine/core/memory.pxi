# Large blocks of zeroed memory, on huge pages where the system has them: the transposition table is accessed at random,
# and with small pages a TLB miss costs as much as reading the entry.

cdef extern from "platform.h":
    void* acquire "chuhe_acquire"(size_t size) noexcept nogil  # NULL: out of memory
    void release "chuhe_release"(void* block, size_t size) noexcept nogil
