# Games as data: games are stored one after the other in a block of memory (layout: docs/data.md) and replayed, so that
# every scored position becomes one record of fixed size. No Python object per position, no GIL.

cdef extern from "net_features.h":
    enum:
        MAX_PIECES
        NO_FEATURE
        RECORD_CHECK
        RECORD_CAPTURE
        RECORD_RECURS
        RECORD_MATE
        RECORD_RULE
        RECORD_STRAY
        DATA_NO_SCORE
        DATA_MATE
        DATA_MATE_BOUND
        DATA_RULE
        DATA_RULE_BOUND
    ctypedef struct Record:
        u16* features
        int16_t score
        u8 result
        u8 side
        u8 flags
        u8 half_move_clock
        u16 ply
    ctypedef struct GameRow:
        u32 number
        u32 first
        u32 count
        u8 result
        u8 reason
        u8 flags
        u8 spare
    ctypedef struct Field:
        const char* name
        const char* type
        int count
        int offset
    const Field* RECORD_FIELDS
    const Field* GAME_ROW_FIELDS
    ctypedef struct GameHead:
        u32 number
        u8 result
        u8 reason
        u8 flags
        u8 fen
        u16 opening
        u16 plies
    const char* GAME_HEAD_FORMAT
    enum:
        GAME_PLAYED_ON
        GAME_STRAYED

cdef enum:
    # errors in a game
    BAD_NONE = 0
    BAD_END = 1  # the data end inside the game
    BAD_RESULT = 2
    BAD_FEN = 3
    BAD_MOVE = 4
    BAD_COUNT = 5  # more games or positions than were announced
    BAD_MEMORY = 6

cdef struct Walk:
    # the state of reading games
    const u8* at
    const u8* end
    Pos pos
    int capacity  # of pos.states
    Record* record
    Record* last_record
    Ply ply  # of the move that is being read
    u16 move  # as stored


cdef inline int word(const u8* at) noexcept nogil:
    return at[0] | at[1] << 8


cdef inline u16 unpack_move(int packed) noexcept nogil:
    # from | to << 7; 0 if it cannot be a move
    cdef int src = packed & 127, dst = packed >> 7
    return move_of(to256(src), to256(dst)) if src < 90 and dst < 90 else 0


cdef inline int pack_move(u16 mv) noexcept nogil:
    return INDEX[mv & 255] | INDEX[mv >> 8] << 7


cdef void fill_record(Pos* p, Record* r, Score score, int result, u16 mv) noexcept nogil:
    cdef int pc, n = 0, size = score if score >= 0 else -score
    for pc in range(16, 48):
        r.features[n] = PIECE[pc] * SQUARES + INDEX[p.sq[pc]]
        n += p.sq[pc] != 0
        if n == MAX_PIECES:
            break
    for n in range(n, MAX_PIECES):
        r.features[n] = NO_FEATURE
    r.score = score
    r.side = p.side
    r.result = 2 - result if p.side else result
    r.half_move_clock = p.half_move_clock if p.half_move_clock < 255 else 255
    r.ply = p.ply if p.ply < 0xFFFF else 0xFFFF
    r.flags = RECORD_CHECK if p.in_check else 0
    if p.board[mv >> 8]:
        r.flags |= RECORD_CAPTURE
    if recurrence(p, 1):
        r.flags |= RECORD_RECURS
    if size >= DATA_MATE_BOUND:
        r.flags |= RECORD_MATE
    elif size >= DATA_RULE_BOUND:
        r.flags |= RECORD_RULE


cdef int set_start(Pos* p, const u8* fen, int length) noexcept with gil:
    # BAD_NONE or BAD_FEN
    try:
        parse_fen(p, fen[:length].decode("ascii"))
    except ValueError:
        return BAD_FEN
    return BAD_NONE


cdef u16 legal_packed(Pos* p, int packed) noexcept nogil:
    # the move, or 0 if it is not legal
    cdef u16 mv = unpack_move(packed)
    return mv if is_pseudo_legal(p, mv) and safe_after(p, mv) else 0


cdef inline void play_on(Walk* w, u16 mv) noexcept nogil:
    make(&w.pos, mv, attacked_after(&w.pos, mv, w.pos.side ^ 1))
    w.ply += 1


cdef int walk_game(Walk* w, Pos* start, GameRow* row) noexcept nogil:
    # reads one game and advances to the next; returns BAD_NONE or the error
    cdef const u8* moves
    cdef const u8* scores
    cdef StateInfo* states
    cdef GameHead head
    cdef int i, bad, score, stray = -1
    cdef u16 mv
    cdef Py_ssize_t size
    w.ply = 0
    if w.end - w.at < <Py_ssize_t>sizeof(GameHead):
        return BAD_END
    memcpy(&head, w.at, sizeof(GameHead))
    row.number = head.number
    row.result = head.result
    row.reason = head.reason
    row.flags = head.flags
    row.spare = 0
    row.count = 0
    size = sizeof(GameHead) + head.fen + 2 * head.opening + 4 * head.plies
    if w.end - w.at < size:
        return BAD_END
    if row.result > 2:
        return BAD_RESULT
    if head.opening + head.plies + 4 > w.capacity:
        states = <StateInfo*>realloc(w.pos.states, (head.opening + head.plies + 4) * sizeof(StateInfo))
        if states == NULL:
            return BAD_MEMORY
        w.pos.states = states
        w.capacity = head.opening + head.plies + 4
    if head.fen:
        bad = set_start(&w.pos, w.at + sizeof(GameHead), head.fen)
        if bad:
            return bad
    else:
        states = w.pos.states
        w.pos = start[0]
        w.pos.states = states
    moves = w.at + sizeof(GameHead) + head.fen
    scores = moves + 2 * (head.opening + head.plies)
    for i in range(head.opening):
        w.move = word(moves + 2 * i)
        mv = legal_packed(&w.pos, w.move)
        if not mv:
            return BAD_MOVE
        play_on(w, mv)
    moves += 2 * head.opening
    for i in range(head.plies):
        if word(scores + 2 * i) == <u16>DATA_NO_SCORE:
            stray = i
    for i in range(head.plies):
        w.move = word(moves + 2 * i)
        mv = legal_packed(&w.pos, w.move)
        if not mv:
            return BAD_MOVE
        score = <int16_t>word(scores + 2 * i)
        if score != DATA_NO_SCORE:
            if w.record == w.last_record:
                return BAD_COUNT
            fill_record(&w.pos, w.record, score, row.result, mv)
            if i < stray:
                w.record.flags |= RECORD_STRAY
            w.record += 1
            row.count += 1
        play_on(w, mv)
    w.at += size
    return BAD_NONE


cdef str packed_name(int packed):
    cdef int src = packed & 127, dst = packed >> 7
    if src >= 90 or dst >= 90:
        return f"the number {packed}"
    return square_name(src % 9, src // 9) + square_name(dst % 9, dst // 9)


def expand_games(bytes payload not None, Py_ssize_t games, Py_ssize_t positions):
    """The positions of a block's games: two bytearrays, of 72-byte `Record`s and 16-byte `GameRow`s.

    Every move is checked for legality. ValueError names the game and the bad move, or says that the block does not hold
    the announced numbers of games and scored positions. Releases the GIL.
    """
    cdef Walk w
    cdef Board start = Board()
    cdef int bad = BAD_NONE
    cdef Py_ssize_t game = 0
    if not 0 <= games <= len(payload) // <Py_ssize_t>sizeof(GameHead) or not 0 <= positions <= len(payload) // 4:
        raise ValueError(f"{len(payload)} bytes are too few (games: {games}, positions: {positions})")
    cdef bytearray records = bytearray(positions * sizeof(Record))
    cdef bytearray rows = bytearray(games * sizeof(GameRow))
    cdef Record* first = <Record*><char*>records
    cdef GameRow* row = <GameRow*><char*>rows
    w.at = payload
    w.end = w.at + len(payload)
    w.capacity = 512
    w.record = first
    w.last_record = first + positions
    w.pos.states = <StateInfo*>malloc(w.capacity * sizeof(StateInfo))
    if w.pos.states == NULL:
        raise MemoryError("no memory for the games")
    with nogil:
        for game in range(games):
            row[game].first = <u32>(w.record - first)
            bad = walk_game(&w, &start.pos, &row[game])
            if bad:
                break
    free(w.pos.states)
    if bad == BAD_MEMORY:
        raise MemoryError("no memory for the games")
    if bad:
        name = f"game {row[game].number}" if bad != BAD_END else f"game {game + 1} of the block"
        raise ValueError(f"{name}: " + {
            BAD_END: "the data end inside it",
            BAD_RESULT: f"{row[game].result} is not a result",
            BAD_FEN: "its start position cannot be read",
            BAD_MOVE: f"ply {w.ply + 1}, {packed_name(w.move)}, is not a legal move",
            BAD_COUNT: "the block has more positions than announced",
        }[bad])
    if w.at != w.end or w.record != w.last_record:
        raise ValueError(f"the block does not match its header (games: {games}, positions: {positions})")
    return records, rows


cdef dict layout(const Field* field):
    fields = {"names": [], "formats": [], "offsets": []}
    while field.name != NULL:
        fields["names"].append(field.name.decode())
        fields["formats"].append((field.type.decode(), (field.count,)) if field.count else field.type.decode())
        fields["offsets"].append(field.offset)
        field += 1
    fields["itemsize"] = field.offset
    return fields


NO_SCORE = DATA_NO_SCORE  # the score of a move that was not searched
GAME_HEAD = GAME_HEAD_FORMAT.decode()
PLAYED_ON, STRAYED = GAME_PLAYED_ON, GAME_STRAYED


def record_layout():
    """The fields of a `Record` and of a `GameRow`, each as an argument for numpy.dtype."""
    return layout(RECORD_FIELDS), layout(GAME_ROW_FIELDS)


def record_flags():
    """The bits of `Record.flags`, by name."""
    return {"check": RECORD_CHECK, "capture": RECORD_CAPTURE, "recurs": RECORD_RECURS, "mate": RECORD_MATE,
            "rule": RECORD_RULE, "stray": RECORD_STRAY}
