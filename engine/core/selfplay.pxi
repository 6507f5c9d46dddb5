# Whole games of a worker against itself, without the GIL: a random opening, a search for every move, the law, and the
# game as bytes (core/game_records.pxi). A game depends only on its number, the rules and the worker's settings.

cdef struct CoreRules:
    # the same fields as in engine/values.py, where they are explained
    u64 seed
    u64 nodes
    u64 most_nodes
    int opening_least
    int opening_most
    int balance
    int give_up_score
    int give_up_plies
    int draw_score
    int draw_plies
    int draw_from
    int longest
    int play_on
    int stray
    int odds

cdef enum:
    OPENING_ATTEMPTS = 1000  # attempts at a balanced opening before giving up
    STRAY_FIRST = 4  # plies after the opening before a random move may follow
    STRAY_LAST = 80
    ODDS_LEAST = 2  # pieces that are missing in a game at odds
    ODDS_MOST = 9

cdef struct CoreGame:
    # a game being played
    GameHead head
    Pos start
    int positions  # plies with a score
    u64 nodes
    u16* moves  # packed; the opening's moves come first
    int16_t* scores  # of the plies after the opening


cdef inline u64 draw_number(u64* state) noexcept nogil:
    # splitmix64
    cdef u64 z
    state[0] += <u64>0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ z >> 30) * <u64>0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * <u64>0x94D049BB133111EB
    return z ^ z >> 31


cdef inline int draw_below(u64* state, int count) noexcept nogil:
    return <int>((draw_number(state) >> 32) * <u64>count >> 32)


cdef int ending(Worker* w, u8* result) noexcept nogil:
    # how the game has ended under the law, judged at the first recurrence; END_NONE if it has not
    cdef Verdict verdict
    cdef int reason = game_ending(&w.pos, w.settings.law, w.settings.occurrences, w.settings.move_limit, True, &verdict)
    result[0] = 1 if verdict.loser < 0 else 2 if verdict.loser else 0
    return reason


cdef void think(Worker* w, CoreRules* rules, CoreGame* game) noexcept nogil:
    # search the worker's position; the first root move is the answer
    cdef u16[MAX_MOVES] moves
    cdef Control* c = w.control
    w.tt.age += AGE_STEP
    c.stop = 0
    c.began = c.clock = now_us()
    c.limits.nodes = rules.most_nodes
    c.node_goal = rules.nodes
    begin_search(w, moves, generate_legal(&w.pos, moves))
    iterate(w)
    game.nodes += w.nodes


cdef inline void advance(Worker* w, CoreGame* game, u16 mv) noexcept nogil:
    game.moves[w.pos.ply] = pack_move(mv)
    make(&w.pos, mv, attacked_after(&w.pos, mv, w.pos.side ^ 1))


cdef bint stray_move(Worker* w, CoreGame* game, u64* rng) noexcept nogil:
    # a random legal move; False if there is none
    cdef u16[MAX_MOVES] moves
    cdef int count = generate_legal(&w.pos, moves)
    if count:
        advance(w, game, moves[draw_below(rng, count)])
    return count > 0


cdef void set_up(Worker* w, const Pos* start) noexcept nogil:
    cdef StateInfo* states = w.pos.states
    w.pos = start[0]
    w.pos.states = states


cdef void take_off_some(Pos* p, const Pos* full, u64* rng) noexcept nogil:
    # a position without some of the pieces, but with both kings, which do not face each other
    cdef StateInfo* states = p.states
    cdef u64 missing
    cdef Slot pc
    cdef int i
    while True:
        missing = 0
        for i in range(ODDS_LEAST + draw_below(rng, ODDS_MOST - ODDS_LEAST + 1)):
            missing |= <u64>1 << 17 + 16 * draw_below(rng, 2) + draw_below(rng, 15)
        clear(p)
        p.states = states
        for pc in range(16, 48):
            if full.sq[pc] and not missing >> pc & 1:
                put(p, pc, full.sq[pc])
        if between(p, p.sq[16], p.sq[32]):
            return


cdef bint open_game(Worker* w, const Pos* start, CoreRules* rules, CoreGame* game, u64* rng) noexcept nogil:
    # random moves to a position that a search finds balanced; False if there is none
    cdef int attempt, i
    cdef bint odds = draw_below(rng, 1000) < rules.odds if rules.odds else False
    cdef u8 result
    game.head.fen = odds  # until packed_game() writes the FEN and its length
    game.start = start[0]
    for attempt in range(OPENING_ATTEMPTS):
        if odds:
            take_off_some(&game.start, start, rng)
        set_up(w, &game.start)
        for i in range(rules.opening_least + draw_below(rng, rules.opening_most - rules.opening_least + 1)):
            if not stray_move(w, game, rng):
                break
        if ending(w, &result) != END_NONE:
            continue
        think(w, rules, game)
        if load(&w.control.asked):
            return False
        if -rules.balance <= w.root[0].score <= rules.balance:
            game.head.opening = w.pos.ply
            return True
    return False


cdef inline Score data_score(Score score) noexcept nogil:
    # a search score in the data's units, in which mates and wins by the law have numbers of their own
    cdef int size = abs(score), sign = -1 if score < 0 else 1
    if size >= MATE_BOUND:
        return sign * (size - MATE + DATA_MATE)
    if size >= RULE_BOUND:
        return sign * (size - RULE + DATA_RULE)
    return score


cdef struct Scorecard:
    # the recent scores, for adjudication
    int ahead  # consecutive plies with a winning score: positive for Red, negative for Black
    int level  # consecutive plies with a score near 0


cdef void note_score(Scorecard* card, CoreRules* rules, Score score, Side side) noexcept nogil:
    cdef int red = -score if side else score
    if red >= rules.give_up_score:
        card.ahead = max(card.ahead, 0) + 1
    elif red <= -rules.give_up_score:
        card.ahead = min(card.ahead, 0) - 1
    else:
        card.ahead = 0
    card.level = card.level + 1 if -rules.draw_score <= score <= rules.draw_score else 0


cdef int adjudged(Scorecard* card, CoreRules* rules, CoreGame* game, Ply ply) noexcept nogil:
    # END_NONE, or how the game is adjudicated: by its scores or its length
    if rules.give_up_plies and not game.head.flags & GAME_PLAYED_ON and abs(card.ahead) >= rules.give_up_plies:
        game.head.result = 2 if card.ahead > 0 else 0
        return END_AGREED
    game.head.result = 1
    if rules.draw_plies and card.level >= rules.draw_plies and ply >= rules.draw_from:
        return END_AGREED
    return END_LENGTH if ply >= rules.longest else END_NONE


cdef bint play_game(Worker* w, Pos* start, CoreRules* rules, CoreGame* game) noexcept nogil:
    # False if there was no opening, or the game was stopped
    cdef u64 rng = rules.seed
    cdef Scorecard card = Scorecard(0, 0)
    cdef int stray = -1
    rng = draw_number(&rng) ^ game.head.number * <u64>0xD1342543DE82EF95
    game.head.flags = GAME_PLAYED_ON if draw_below(&rng, 1000) < rules.play_on else 0
    if draw_below(&rng, 1000) < rules.stray:
        stray = STRAY_FIRST + draw_below(&rng, STRAY_LAST - STRAY_FIRST)
    game.head.plies = game.positions = game.nodes = 0
    if not open_game(w, start, rules, game, &rng):
        return False
    while True:
        game.head.reason = ending(w, &game.head.result)
        if game.head.reason == END_NONE:
            game.head.reason = adjudged(&card, rules, game, w.pos.ply)
        if game.head.reason != END_NONE:
            return True
        if game.head.plies == stray:
            game.head.flags |= GAME_STRAYED
            game.scores[game.head.plies] = DATA_NO_SCORE
            stray_move(w, game, &rng)
            card.ahead = card.level = 0
        else:
            think(w, rules, game)
            if load(&w.control.asked):
                return False
            game.scores[game.head.plies] = data_score(w.root[0].score)
            game.positions += 1
            note_score(&card, rules, w.root[0].score, w.pos.side)
            advance(w, game, w.root[0].mv)
        game.head.plies += 1


cdef bint rescore_game(Worker* w, Pos* start, CoreRules* rules, CoreGame* game) noexcept nogil:
    # replay a game and replace its scores; False if a move is not legal (w.pos is where), or the search was stopped
    cdef int i
    cdef u16 mv
    set_up(w, start)
    for i in range(game.head.opening + game.head.plies):
        mv = legal_packed(&w.pos, game.moves[i])
        if not mv:
            return False
        if i >= game.head.opening and game.scores[i - game.head.opening] != DATA_NO_SCORE:
            think(w, rules, game)
            if load(&w.control.asked):
                return False
            game.scores[i - game.head.opening] = data_score(w.root[0].score)
            game.positions += 1
        advance(w, game, mv)
    return True


cdef bytes packed_game(CoreGame* game):
    # the layout that walk_game() reads
    cdef int count = game.head.opening + game.head.plies
    cdef bytes fen = f"{board_fen(&game.start)} w - - 0 1".encode() if game.head.fen else b""
    game.head.fen = len(fen)
    return ((<char*>&game.head)[:sizeof(GameHead)] + fen + (<char*>game.moves)[:2 * count]
            + (<char*>game.scores)[:2 * game.head.plies])
