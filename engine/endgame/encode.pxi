# From codes to blocks of symbols, and from symbols to bits. In between, Python computes the code lengths.


cdef inline int64_t blocks_of(int64_t size) noexcept nogil:
    return (size + BLOCK - 1) >> BLOCK_BITS


cdef int block_symbols(const u16* codes, int count, u16* out) noexcept nogil:
    # a code, then how often it is repeated, in powers of two. Illegal entries may hold any code
    cdef int i = 0, n = 0, run, k, value = 0
    while i < count and codes[i] == CODE_ILLEGAL:
        i += 1
    if i < count:
        value = codes[i]
    i = 0
    while i < count:
        if codes[i] != CODE_ILLEGAL:
            value = codes[i]
        out[n] = value
        n += 1
        i += 1
        run = i
        while i < count and (codes[i] == value or codes[i] == CODE_ILLEGAL):
            i += 1
        run = i - run
        for k in range(BLOCK_BITS, -1, -1):
            if run >> k & 1:
                out[n] = RUN + k
                n += 1
    return n


cdef void count_symbols(const u16* codes, int64_t size, u64* counts) noexcept nogil:
    cdef u16[BLOCK] symbols
    cdef int64_t block, at
    cdef int i, n
    for block in range(blocks_of(size)):
        at = block << BLOCK_BITS
        n = block_symbols(codes + at, <int>min(<int64_t>BLOCK, size - at), symbols)
        for i in range(n):
            counts[symbols[i]] += 1


cdef u64 write_blocks(const u16* codes, int64_t size, const u32* bits_of, const u8* length_of, u32* starts, u16* sums,
                      u8* data) noexcept nogil:
    # fills starts (one more than the number of blocks), sums and data; returns the size of data in bytes
    cdef u16[BLOCK] symbols
    cdef int64_t block, at
    cdef u64 used = 0, bits
    cdef int i, n, have
    for block in range(blocks_of(size)):
        at = block << BLOCK_BITS
        starts[block] = <u32>used
        n = block_symbols(codes + at, <int>min(<int64_t>BLOCK, size - at), symbols)
        bits = 0
        have = 0
        for i in range(n):
            bits = bits << length_of[symbols[i]] | bits_of[symbols[i]]
            have += length_of[symbols[i]]
            while have >= 8:
                have -= 8
                data[used] = <u8>(bits >> have)
                used += 1
        if have:
            data[used] = <u8>(bits << (8 - have))
            used += 1
        sums[block] = sum_of(data + starts[block], <u32>(used - starts[block]))
    starts[blocks_of(size)] = <u32>used
    return used


cdef bint read_blocks(const Section* section, int64_t size, u16* codes) noexcept nogil:
    # decode the whole section; False if it is damaged
    cdef BitReader reader
    cdef int64_t block, at
    cdef int symbol, run, last, n, count
    for block in range(blocks_of(size)):
        at = block << BLOCK_BITS
        if not open_block(&reader, section, block):
            return False
        count = <int>min(<int64_t>BLOCK, size - at)
        n = last = 0
        while n < count:
            symbol = next_symbol(&reader, &section.book)
            if symbol < 0:
                return False
            run = 1
            if symbol < RUN:
                last = symbol
            else:
                run = 1 << (symbol - RUN)
            if n + run > count:
                return False
            while run:
                codes[at + n] = last
                n += 1
                run -= 1
    return True
