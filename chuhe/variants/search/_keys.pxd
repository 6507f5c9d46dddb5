# Random keys for the hashes of the small games.
from chuhe.variants.search._search cimport key_t


cdef inline key_t mixed(key_t* seed) noexcept:
    """The next number of a splitmix sequence."""
    cdef key_t z
    seed[0] += <key_t>0x9E3779B97F4A7C15
    z = seed[0]
    z = (z ^ (z >> 30)) * <key_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <key_t>0x94D049BB133111EB
    return z ^ (z >> 31)
