# How a game ends: repetition under the law, the move limit, no attackers left. Facts only; engine/position.py puts them
# into words.

cdef enum:
    LAW_WXF = 0
    LAW_CHECKS = 1
    LAW_NONE = 2

cdef enum:
    # how a game ends, as stored in a file
    END_CHECKMATE = 0
    END_STALEMATE = 1
    END_CHECK = 2  # `loser` checks with every move
    END_CHASE = 3  # `loser` chases `victims` with every move
    END_REPETITION = 4
    END_MOVE_LIMIT = 5
    END_MATERIAL = 6
    END_AGREED = 7
    END_LENGTH = 8
    END_NONE = 255

GAME_REASONS = ("checkmate", "stalemate", "perpetual check", "perpetual chase", "repetition", "move limit",
                "insufficient material", "agreed", "length")  # the names of these numbers

cdef struct Verdict:
    int ending
    int loser  # -1: none, the game is drawn
    u32 victims  # slots of the other side, bit 0 its king


cdef inline int recurrence(Pos* p, int times) noexcept nogil:
    # how many plies ago the position stood on the board `times` occurrences before this one; 0: it did not
    cdef int back
    if p.reversible_plies < 4 or not p.seen[p.key & (SEEN_SIZE - 1)]:
        return 0
    for back in range(4, p.reversible_plies + 1, 2):
        if p.states[p.ply - back].key == p.key:
            times -= 1
            if times == 0:
                return back
    return 0


cdef int first_occurrence(Pos* p) noexcept nogil:
    # how many plies ago the position first occurred since the last capture; 0 if it did not
    cdef int back
    for back in range(p.reversible_plies - (p.reversible_plies & 1), 3, -2):
        if p.states[p.ply - back].key == p.key:
            return back
    return 0


cdef int judged_cycle(Pos* p, Ply root_ply, int occurrences) noexcept nogil:
    # The plies that decide whether the game ends here; 0: it does not. From the root on the first recurrence is enough:
    # who could play the cycle once can play it again. Of the game's history the law's count decides, over all moves
    # since the first occurrence: a side that chases one piece and then another does not chase perpetually.
    cdef int back
    if p.reversible_plies < 4 or not p.seen[p.key & (SEEN_SIZE - 1)]:
        return 0
    if recurrence(p, occurrences - 1):
        return first_occurrence(p)
    back = recurrence(p, 1)
    return back if back <= p.ply - root_ply else 0


cdef bint can_retake(Pos* p, Square sq, Side side) noexcept nogil:
    # does `side` have a legal capture on sq? p.side is `side`
    cdef u64 slots = attackers(p, side, sq)
    cdef Slot pc
    for pc in range(base_of(side), base_of(side) + 16):
        if slots >> pc & 1 and safe_after(p, move_of(p.sq[pc], sq)):
            return True
    return False


cdef bint is_threat(Pos* p, Slot attacker, Slot victim, bint before) noexcept nogil:
    # The capture is legal, and p.side is the attacker's side: would it be a chase?
    # before: the question is about the position before the move. There a protector counts only if it attacks the
    # victim's point directly, not through the attacker: a move cannot remove a protection that did not exist.
    cdef int a = KIND[attacker], v = KIND[victim], side = p.side, sq = p.sq[victim]
    cdef u16 mv = move_of(p.sq[attacker], sq)
    # A protector is not disabled by a check: its side answers the check first, and can retake afterwards.
    cdef bint protected_, takes_back, checked = p.in_check and not before
    if v == K_ROOK and (a == K_KNIGHT or a == K_CANNON):
        return True
    if (a == K_ADVISOR or a == K_BISHOP) and (v == K_ROOK or v == K_KNIGHT or v == K_CANNON):
        return True
    if a == v and reaches(p, victim, sq, p.sq[attacker]):
        p.side ^= 1
        takes_back = checked or safe_after(p, move_of(sq, p.sq[attacker]))
        p.side = side
        if takes_back:
            return False
    if before and not attackers(p, side ^ 1, sq):
        return True
    do_move(p, mv)
    protected_ = attackers(p, side ^ 1, sq) != 0 if checked else can_retake(p, sq, side ^ 1)
    undo_move(p)
    return not protected_


cdef void threats(Pos* p, Side side, bint before, u16* found) noexcept nogil:
    # for each attacker (by its index within the side), the victims that it could take, as bits.
    # A side in check before its move could capture nothing, but what it attacks still counts as an old threat.
    cdef int a, v, attacker, victim, mine = base_of(side), foe = base_of(side ^ 1), turn = p.side
    cdef bint lenient = before and p.in_check
    p.side = side
    for a in range(1, S_PAWN):
        found[a] = 0
        attacker = mine + a
        if not p.sq[attacker]:
            continue
        for v in range(1, 16):
            victim = foe + v
            if not p.sq[victim] or not reaches(p, attacker, p.sq[attacker], p.sq[victim]):
                continue
            if v >= S_PAWN and HOME[p.sq[victim]] == 1 + (side ^ 1):
                continue  # a pawn on its own half
            if not lenient and not safe_after(p, move_of(p.sq[attacker], p.sq[victim])):
                continue
            if is_threat(p, attacker, victim, before):
                found[a] |= 1 << v
    p.side = turn


cdef u32 chased_by_last(Pos* p) noexcept nogil:
    # the pieces newly threatened by the last move; leaves p one ply back
    cdef u16[S_PAWN] after
    cdef u16[S_PAWN] before
    cdef int side = p.side ^ 1, a
    cdef u32 found = 0
    threats(p, side, False, after)
    undo_move(p)
    for a in range(1, S_PAWN):
        found |= after[a]
    if not found:
        return 0
    threats(p, side, True, before)
    found = 0
    for a in range(1, S_PAWN):
        found |= after[a] & ~before[a]
    return found


cdef void judge(Pos* p, int back, int law, Verdict* verdict) noexcept nogil:
    # the last `back` plies are one cycle or several; each side's moves are judged separately, over all of them
    cdef Pos walk
    cdef int i, side
    cdef bint[2] checking = [True, True]
    cdef u32[2] chased = [0xFFFF, 0xFFFF]
    verdict.ending = END_REPETITION
    verdict.loser = -1
    verdict.victims = 0
    for i in range(back):  # this side moved i plies ago
        side = p.side ^ 1 ^ (i & 1)
        if not (p.in_check if i == 0 else p.states[p.ply - i].in_check):
            checking[side] = False
    if checking[0] or checking[1]:
        if checking[0] != checking[1]:
            verdict.ending = END_CHECK
            verdict.loser = 0 if checking[0] else 1
        return
    if law == LAW_CHECKS:
        return
    memcpy(&walk, p, sizeof(Pos))
    for i in range(back):
        side = walk.side ^ 1
        if chased[side]:
            chased[side] &= walk_back(&walk)
        else:
            undo_move(&walk)
        if not chased[0] and not chased[1]:
            break
    if (chased[0] != 0) != (chased[1] != 0):
        verdict.ending = END_CHASE
        verdict.loser = 0 if chased[0] else 1
        verdict.victims = chased[verdict.loser]


cdef u32 walk_back(Pos* walk) noexcept nogil:
    # the trial moves of chased_by_last() overwrite history entries that are still needed
    cdef StateInfo kept = walk.states[walk.ply]
    cdef StateInfo last = walk.states[walk.ply - 1]
    cdef u32 found = chased_by_last(walk)
    walk.states[walk.ply] = last
    walk.states[walk.ply + 1] = kept
    return found


cdef bint no_attackers(Pos* p) noexcept nogil:
    return (p.count[0] | p.count[1]) < ONE[K_KNIGHT]


cdef inline int rule_ending(Pos* p, int law, int occurrences, Ply root_ply, int move_limit, bint material,
                            Verdict* verdict) noexcept nogil:
    # END_NONE, or how the game has ended, other than by mate. Repetition: judged_cycle(). `move_limit` is in plies, 0
    # for none; `material`: is the game drawn without attackers?
    cdef int back = judged_cycle(p, root_ply, occurrences) if law != LAW_NONE else 0
    if back:
        judge(p, back, law, verdict)
        return verdict.ending
    verdict.loser = -1
    if material and p.phase == 0 and no_attackers(p):
        return END_MATERIAL
    if move_limit and p.half_move_clock >= move_limit and (not p.in_check or has_legal(p)):
        return END_MOVE_LIMIT
    return END_NONE


cdef int game_ending(Pos* p, int law, int occurrences, int move_limit, bint material,
                     Verdict* verdict) noexcept nogil:
    # the same for a game, outside of a search, with checkmate and stalemate
    if has_legal(p):
        return rule_ending(p, law, occurrences, p.ply, move_limit, material, verdict)
    verdict.loser = p.side
    return END_CHECKMATE if p.in_check else END_STALEMATE
