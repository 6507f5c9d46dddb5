# The trace: every move visited and every cut-off, stored or passed on as it grows.

from libc.stdlib cimport realloc

cdef enum:  # events
    VISIT = 0
    CUT = 1
    SKIP = 2

cdef enum:
    BLOCK = 4096  # events passed on at once when a trace is streamed


cdef tuple event_tuple(Search search, uint64_t number):
    cdef Event* event = &search.trail[number]
    kind = ("visit", "cut", "skip")[event.kind]
    return kind, event.ply, event.mv, event.alpha, event.beta, event.value, bool(event.leaf)


cdef void hand_on(Search search) noexcept:
    """Pass all events to the sink but keep the numbering, which moves still being searched refer to."""
    cdef uint64_t i
    try:
        for i in range(search.event_count):
            search.sink(event_tuple(search, i))
    except BaseException as error:
        search.error, search.stopped, search.streaming = error, 1, False
    search.event_base += search.event_count
    search.event_count = 0


cdef long long record(Search search, int kind, int ply, move_t mv, int alpha, int beta) noexcept nogil:
    """The number of the new event, or -1 if there is no trace."""
    cdef Event* event
    if not search.tracing or search.stopped:
        return -1
    if search.event_count == search.event_capacity:
        if search.streaming and search.event_count:
            with gil:
                hand_on(search)
        elif not make_room(search):
            return -1
    event = &search.trail[search.event_count]
    event.mv, event.alpha, event.beta, event.ply = mv, alpha, beta, ply
    event.kind, event.value, event.leaf = kind, 0, False
    search.event_count += 1
    return search.event_base + search.event_count - 1


cdef bint make_room(Search search) noexcept nogil:
    cdef uint64_t capacity = 2 * search.event_capacity + BLOCK
    cdef Event* grown = <Event*>realloc(search.trail, capacity * sizeof(Event))
    if not grown:
        search.stopped = 1
        with gil:
            search.error = MemoryError("no memory for the trace")
        return False
    search.trail, search.event_capacity = grown, capacity
    return True
