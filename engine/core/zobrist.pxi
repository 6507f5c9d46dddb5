# Zobrist keys, drawn from an RC4 key stream with a fixed seed: the same on every machine.

cdef u64[14][256] PIECE_KEYS  # [PIECE[pc]][sq]
cdef u64 ZOBRIST_BLACK  # applied when Black is to move


cdef struct Rc4:
    u8[256] s
    u8 x
    u8 y


cdef void rc4_seed(Rc4* stream, const u8* seed, int length) noexcept nogil:
    cdef int i
    cdef u8 j = 0, t
    for i in range(256):
        stream.s[i] = i
    for i in range(256):
        j = j + stream.s[i] + seed[i % length]
        t = stream.s[i]
        stream.s[i] = stream.s[j]
        stream.s[j] = t
    stream.x = stream.y = 0


cdef u64 rc4_u64(Rc4* stream) noexcept nogil:
    cdef u64 word = 0
    cdef int i
    cdef u8 t
    for i in range(8):
        stream.x = stream.x + 1
        stream.y = stream.y + stream.s[stream.x]
        t = stream.s[stream.x]
        stream.s[stream.x] = stream.s[stream.y]
        stream.s[stream.y] = t
        t = stream.s[stream.x] + stream.s[stream.y]
        word = word << 8 | stream.s[t]
    return word


cdef void init_zobrist() noexcept nogil:
    global ZOBRIST_BLACK  # otherwise Cython makes it a local
    cdef Rc4 stream
    cdef int side, kind, sq
    rc4_seed(&stream, <const u8*>b"Chuhe", 5)
    ZOBRIST_BLACK = rc4_u64(&stream)
    for side in range(2):
        for kind in range(7):
            for sq in range(256):
                if not HOME[sq]:
                    continue
                PIECE_KEYS[7 * side + kind][sq] = rc4_u64(&stream)
