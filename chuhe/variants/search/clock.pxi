# When to stop: the clock, the node limit, Ctrl-C.

from cpython.exc cimport PyErr_CheckSignals

cdef extern from "platform.h":
    int64_t now_us "chuhe_now"() noexcept nogil  # microseconds
    # what another thread may change while a search runs
    int load "chuhe_load"(int* x) noexcept nogil
    void save "chuhe_save"(int* x, int value) noexcept nogil
    int64_t load64 "chuhe_load64"(int64_t* x) noexcept nogil
    void save64 "chuhe_save64"(int64_t* x, int64_t value) noexcept nogil

cdef enum:
    POLL = 1023  # the clock is read every 1024 nodes
    SIGNALS = 65535  # and Python may raise a KeyboardInterrupt every 65536
    FIRST_LOOK = 20000  # nodes after which even a run that must be completed may be stopped


cdef bint time_is_up(Search search) noexcept nogil:
    cdef int64_t deadline
    if search.whole and search.nodes < FIRST_LOOK:
        return search.stopped != 0
    if load(&search.asked) or (search.node_limit and search.nodes > search.node_limit):
        search.stopped = 1
    elif (search.nodes & POLL) == 0:
        deadline = load64(&search.deadline)
        if deadline and now_us() >= deadline:
            search.stopped = 1
    if (search.nodes & SIGNALS) == 0:
        with gil:
            hear_signals(search)
    return search.stopped != 0


cdef void hear_signals(Search search) noexcept:
    """Ctrl-C ends a search too."""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        search.error, search.stopped = error, 1
