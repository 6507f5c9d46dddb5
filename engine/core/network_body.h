/* The network's loops for one instruction set. network_kernels.h includes this file once for each, with the operations
 * on a vector of 16-bit integers defined: VEC, LANES, LOAD, STORE, ADD, SUB, CLIP, SQUARE, VEC32, ZERO32, DOT, TOTAL.
 */

/* out = in + plus - minus (- minus2): a move, or a capture */
TARGET static void NAME(update)(int16_t* out, const int16_t* in, const int16_t* plus, const int16_t* minus,
                                const int16_t* minus2, int n) {
    int i;
    if (minus2)
        for (i = 0; i < n; i += LANES)
            STORE(out + i, SUB(SUB(ADD(LOAD(in + i), LOAD(plus + i)), LOAD(minus + i)), LOAD(minus2 + i)));
    else
        for (i = 0; i < n; i += LANES) STORE(out + i, SUB(ADD(LOAD(in + i), LOAD(plus + i)), LOAD(minus + i)));
}

TARGET static void NAME(add)(int16_t* out, const int16_t* plus, int n) {
    int i;
    for (i = 0; i < n; i += LANES) STORE(out + i, ADD(LOAD(out + i), LOAD(plus + i)));
}

TARGET static void NAME(take)(int16_t* out, const int16_t* minus, int n) {
    int i;
    for (i = 0; i < n; i += LANES) STORE(out + i, SUB(LOAD(out + i), LOAD(minus + i)));
}

/* the sum of clipped and squared neurons times their weights; squares are scaled to 0 to 2^13. The quantiser makes sure
 * that 32 bits hold a lane's sum. */
TARGET static int64_t NAME(output)(const int16_t* mine, const int16_t* theirs, const int16_t* weights, int n, int limit,
                                   int shift) {
    VEC32 one = ZERO32, two = ZERO32;
    int i;
    for (i = 0; i < n; i += LANES) {
        one = ADD32(one, DOT(SQUARE(CLIP(LOAD(mine + i), limit), shift), LOAD(weights + i)));
        two = ADD32(two, DOT(SQUARE(CLIP(LOAD(theirs + i), limit), shift), LOAD(weights + n + i)));
    }
    return TOTAL(one) + TOTAL(two);
}

/* ready for the next instruction set */
#undef ADD
#undef ADD32
#undef CLIP
#undef DOT
#undef LANES
#undef LOAD
#undef NAME
#undef SHIFTED
#undef SQUARE
#undef STORE
#undef SUB
#undef TARGET
#undef TOTAL
#undef VEC
#undef VEC32
#undef ZERO32
