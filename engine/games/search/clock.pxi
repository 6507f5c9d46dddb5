# When to stop: the clock, the node limit, Ctrl-C.

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double chuhe_now(void) { return GetTickCount64() / 1000.0; }
    #else
    #include <time.h>
    static double chuhe_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec + t.tv_nsec * 1e-9;
    }
    #endif
    """
    double now "chuhe_now"() noexcept nogil

cdef enum:
    POLL = 1023  # the clock is read every 1024 nodes
    SIGNALS = 65535  # and Python may raise a KeyboardInterrupt every 65536
    FIRST_LOOK = 20000  # nodes after which even a run that must be completed may be stopped


cdef bint time_is_up(Search search) noexcept nogil:
    if search.whole and search.nodes < FIRST_LOOK:
        return search.stopped != 0
    if search.asked or (search.node_limit and search.nodes > search.node_limit):
        search.stopped = 1
    elif (search.nodes & POLL) == 0 and search.deadline > 0 and now() >= search.deadline:
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
