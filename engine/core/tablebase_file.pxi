# Endgame table files: read one value from a mapped, compressed table, without the GIL and without a lock.
#
# A value is a code: 0 is a draw, n + 1 means that the game ends in n plies. If n is even the side to move loses, if it
# is odd the side to move wins. The codes for each side to move are split into blocks, each a Huffman stream of its own,
# so a probe decodes half a block on average. Symbols from RUN on repeat the last code: RUN + k repeats it 2^k times.
# Every block has a 16-bit checksum, so a damaged block is detected before its values are used. The file may change
# while it is mapped: a block is copied, and only its checked copy is decoded.

cdef enum:
    BLOCK_BITS = 9
    BLOCK = 1 << BLOCK_BITS
    RUN = 0xFF00
    LONGEST_CODE = 16  # bits
    READ_AHEAD = 8  # bytes after a block that the reader may load
    LONGEST_BLOCK = BLOCK * LONGEST_CODE // 8  # bytes
    CODE_ILLEGAL = 0xFFFF  # in memory only: in a file, such an entry repeats its neighbour
    DAMAGED = -2

cdef struct Codebook:
    # canonical Huffman codes, left-aligned for comparison: a code of length n is below limit[n]
    u32[LONGEST_CODE + 2] limit
    int32_t[LONGEST_CODE + 2] base  # added to a code, gives the index of its symbol
    const u16* symbols
    u32 count

cdef struct Section:
    # the table for one side to move
    Codebook book
    const u32* starts  # offsets of the blocks, and the end of the last
    const u16* sums
    const u8* data
    u64 size  # of the data, without the padding that follows it

cdef extern from "platform.h":
    u16 read_once_16 "chuhe_read_once_16"(const u16* place) noexcept nogil
    u32 read_once_32 "chuhe_read_once_32"(const u32* place) noexcept nogil


cdef inline u16 sum_of(const u8* data, u32 length) noexcept nogil:
    cdef u64 sum = length + 1, word
    while length >= 8:
        memcpy(&word, data, 8)
        sum = (sum ^ word) * <u64>0x9E3779B97F4A7C15
        sum ^= sum >> 29
        data += 8
        length -= 8
    word = 0
    memcpy(&word, data, length)
    sum = (sum ^ word) * <u64>0x9E3779B97F4A7C15
    return <u16>(sum >> 48)


cdef void set_codebook(Codebook* book, const u16* counts, const u16* symbols) noexcept nogil:
    # counts[n]: how many codes have n bits, 1 to LONGEST_CODE
    cdef u32 code = 0, number = 0
    cdef int n
    book.symbols = symbols
    book.limit[0] = 0
    for n in range(1, LONGEST_CODE + 1):
        book.base[n] = <int32_t>number - <int32_t>code
        code += counts[n]
        number += counts[n]
        book.limit[n] = code << (LONGEST_CODE - n)
        code <<= 1
    book.limit[LONGEST_CODE + 1] = 0xFFFFFFFF
    book.base[LONGEST_CODE + 1] = 0
    book.count = number


cdef int set_section(Section* section, int64_t positions, const u8[::1] counts, const u8[::1] symbols,
                     const u8[::1] starts, const u8[::1] sums, const u8[::1] data) except -1:
    # one side's section, as split by engine/endgame/table_file.py; ValueError if the sizes do not match
    cdef int64_t blocks = (positions + BLOCK - 1) >> BLOCK_BITS
    cdef u32 i
    if (counts.shape[0] != 2 * (LONGEST_CODE + 1) or symbols.shape[0] < 2 or starts.shape[0] != 4 * (blocks + 1)
            or sums.shape[0] != 2 * blocks or data.shape[0] < READ_AHEAD):
        raise ValueError("the section's sizes do not match the endgame")
    set_codebook(&section.book, <const u16*>&counts[0], <const u16*>&symbols[0])
    if 2 * section.book.count != symbols.shape[0]:
        raise ValueError("the code lengths do not match the symbols")
    for i in range(1, LONGEST_CODE + 1):
        if section.book.limit[i] > 1 << LONGEST_CODE:
            raise ValueError("the code book has too many codes")
    for i in range(section.book.count):
        if section.book.symbols[i] > RUN + BLOCK_BITS:
            raise ValueError("the code book has an invalid symbol")
    section.starts = <const u32*>&starts[0]
    section.sums = <const u16*>&sums[0]
    section.data = &data[0]
    section.size = data.shape[0] - READ_AHEAD
    return 0


cdef struct BitReader:
    # the bits of a block, most significant first
    u64 bits
    int have
    const u8* data
    const u8* stop
    u8[LONGEST_BLOCK + READ_AHEAD] block


cdef inline bint open_block(BitReader* reader, const Section* section, int64_t block) noexcept nogil:
    # False if the block does not match its checksum
    cdef u32 start = read_once_32(&section.starts[block]), end = read_once_32(&section.starts[block + 1])
    cdef u32 length = end - start
    if start > end or end > section.size or length > LONGEST_BLOCK:
        return False
    memcpy(reader.block, section.data + start, length)
    memset(reader.block + length, 0, READ_AHEAD)
    reader.bits = 0
    reader.have = 0
    reader.data = reader.block
    reader.stop = reader.block + length + READ_AHEAD
    return sum_of(reader.block, length) == read_once_16(&section.sums[block])


cdef inline int next_symbol(BitReader* reader, const Codebook* book) noexcept nogil:
    # the code, or DAMAGED
    cdef int length = 1
    cdef u32 head
    if reader.have < LONGEST_CODE:
        while reader.have <= 48:
            if reader.data >= reader.stop:
                return DAMAGED
            reader.bits |= <u64>reader.data[0] << (56 - reader.have)
            reader.data += 1
            reader.have += 8
    head = <u32>(reader.bits >> (64 - LONGEST_CODE))
    while head >= book.limit[length]:
        length += 1
    if length > LONGEST_CODE:
        return DAMAGED
    reader.bits <<= length
    reader.have -= length
    return book.symbols[<int32_t>(head >> (LONGEST_CODE - length)) + book.base[length]]


cdef int decode(const Section* section, int64_t index) noexcept nogil:
    # the code at an index, or DAMAGED
    cdef int wanted = index & (BLOCK - 1), reached = 0, symbol, last = 0
    cdef BitReader reader
    if not open_block(&reader, section, index >> BLOCK_BITS):
        return DAMAGED
    while reached <= wanted:
        symbol = next_symbol(&reader, &section.book)
        if symbol < 0:
            return DAMAGED
        if symbol < RUN:
            last = symbol
            reached += 1
        else:
            reached += 1 << (symbol - RUN)
    return last
