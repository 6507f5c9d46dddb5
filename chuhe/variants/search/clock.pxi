# When to stop: the clock, the node limit, Ctrl-C.

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

cdef extern from "platform.h":
    int64_t now_us "chuhe_now"() noexcept nogil  # microseconds

cdef enum:
    POLL = 1023  # the clock is read every 1024 nodes
    SIGNALS = 65535  # and Python may raise a KeyboardInterrupt every 65536
    FIRST_LOOK = 20000  # nodes after which even a run that must be completed may be stopped


cdef inline double now() noexcept nogil:
    return now_us() * 1e-6


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
