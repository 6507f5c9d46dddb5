# Reading and writing FEN. An invalid FEN raises a FenError that names the fault and its place.

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

cdef str LETTERS = "KABNRCP"
cdef dict LETTER_KIND = {"K": 0, "A": 1, "B": 2, "E": 2, "N": 3, "H": 3, "R": 4, "C": 5, "P": 6}
cdef tuple KIND_COUNT = (1, 2, 2, 2, 2, 2, 5)
cdef tuple KIND_FIRST = (S_KING, S_ADVISOR, S_BISHOP, S_KNIGHT, S_ROOK, S_CANNON, S_PAWN)


cdef str square_name(int file, int rank):
    return "abcdefghi"[file] + str(rank)


cdef object side_message(Side side):
    return Message("side.black" if side else "side.red")


cdef object kind_message(Side side, Kind kind):
    cdef str letter = LETTERS[kind]
    return Message("kind." + (letter.lower() if side else letter))


cdef bint may_stand(Side side, Kind kind, int file, int rank):
    cdef int own = rank if side == 0 else 9 - rank
    if kind == K_KING:
        return 3 <= file <= 5 and own <= 2
    if kind == K_ADVISOR:
        return 3 <= file <= 5 and own <= 2 and (file + own) % 2 == 1
    if kind == K_BISHOP:
        return (own in (0, 4) and file in (2, 6)) or (own == 2 and file in (0, 4, 8))
    return True


cdef object cannot_stand(Side side, Kind kind, int file, int rank):
    owner, piece, where = side_message(side), kind_message(side, kind), Point(9 * rank + file)
    if kind in (K_KING, K_ADVISOR) and not in_palace(file, rank):
        return FenError(Message("fen.outside-palace", side=owner, kind=piece, point=where))
    if kind == K_BISHOP and (rank > 4) == (side == 0):
        return FenError(Message("fen.across-river", side=owner, kind=piece, point=where))
    return FenError(Message("fen.cannot-stand", side=owner, kind=piece, point=where))


cdef object place_piece(Pos* p, list count, Side side, Kind kind, int file, int rank):
    # puts a piece on the board; the FenError if it cannot stand there. `count`: the pieces so far
    cdef int already = count[side][kind]
    if not may_stand(side, kind, file, rank):
        return cannot_stand(side, kind, file, rank)
    if already == KIND_COUNT[kind]:
        owner, piece, where = side_message(side), kind_message(side, kind), Point(9 * rank + file)
        return FenError(Message("fen.too-many", side=owner, kind=piece, most=KIND_COUNT[kind], point=where))
    count[side][kind] = already + 1
    put(p, base_of(side) + <int>KIND_FIRST[kind] + already, (rank + 3) * 16 + file + 3)
    return None


cdef list missing_kings(Pos* p):
    return [FenError(Message("fen.no-king", side=side_message(side), kind=kind_message(side, K_KING)))
            for side in range(2) if not p.sq[base_of(side)]]


cdef list king_faults(Pos* p):
    # what is wrong with the way the kings stand, with the side to move set
    cdef list faults = []
    if (p.sq[16] ^ p.sq[32]) & 15 == 0 and not between(p, p.sq[16], p.sq[32]):
        faults.append(FenError(Message("fen.kings-face", file=File(file_of(p.sq[16])))))
    elif king_attacked(p, p.side ^ 1):
        faults.append(FenError(Message("fen.other-in-check", other=side_message(p.side ^ 1),
                                       side=side_message(p.side))))
    return faults


cdef list placement_faults(dict pieces, int side):
    # why no such position can occur, as FenErrors; `pieces` by square, `side` to move
    cdef Pos p
    cdef list faults = [], count = [[0] * 7, [0] * 7]
    p.states = NULL
    clear(&p)
    p.side = side
    for square in sorted(pieces):
        piece = pieces[square]
        fault = place_piece(&p, count, piece.colour, piece.kind, square % 9, square // 9)
        if fault is not None:
            faults.append(fault)
    without = missing_kings(&p)
    return faults + (without or king_faults(&p))


cdef object place_rows(Pos* p, str rows):
    cdef list parts = rows.split("/")
    cdef int rank, file, digits
    cdef list count = [[0] * 7, [0] * 7]
    if len(parts) != 10:
        raise FenError(Message("fen.rows", count=len(parts), text=shown(rows, 100)))
    for index, part in enumerate(parts):
        rank = 9 - index
        file = 0
        for letter in part:
            if "0" <= letter <= "9":
                digits = ord(letter) - 48
                if digits == 0:
                    raise FenError(Message("fen.zero", row=index + 1, rank=rank, text=shown(part)))
                file += digits
                if file > 9:
                    raise FenError(Message("fen.wide", row=index + 1, rank=rank, text=shown(part)))
                continue
            if letter.upper() not in LETTER_KIND or not letter.isascii():
                raise FenError(Message("fen.letter", row=index + 1, rank=rank, text=shown(letter)))
            if file >= 9:
                raise FenError(Message("fen.wide", row=index + 1, rank=rank, text=shown(part)))
            fault = place_piece(p, count, 0 if letter.isupper() else 1, LETTER_KIND[letter.upper()], file, rank)
            if fault is not None:
                raise fault
            file += 1
        if file < 9:
            raise FenError(Message("fen.narrow", row=index + 1, rank=rank, count=file, text=shown(part)))
    for fault in missing_kings(p):
        raise fault


cdef int fen_number(str text, object what, int least, int most) except -1:
    if not (text.isascii() and text.isdigit()) or len(text) > 6 or not least <= int(text) <= most:
        raise FenError(Message("fen.number", what=what, least=least, most=most, text=shown(text)))
    return int(text)


cdef int parse_fen(Pos* p, str fen) except -1:
    # fills p and returns the full-move number. If it raises, p is not valid.
    cdef list fields = fen.split()
    cdef int full = 1
    clear(p)
    if not fields:
        raise FenError(Message("fen.empty"))
    if len(fields) > 6:
        raise FenError(Message("fen.fields", count=len(fields), text=shown(fen, 200)))
    place_rows(p, fields[0])
    if len(fields) > 1:
        if fields[1] not in ("w", "r", "b"):
            raise FenError(Message("fen.side", text=shown(fields[1])))
        if fields[1] == "b":
            p.side = 1
            p.key ^= ZOBRIST_BLACK
    for index in range(2, min(4, len(fields))):
        if fields[index] != "-":
            raise FenError(Message("fen.dash", field=index + 1, text=shown(fields[index])))
    if len(fields) > 4:
        p.half_move_clock = fen_number(fields[4], Message("fen.halfmove-clock"), 0, 9999)
    if len(fields) > 5:
        full = max(1, fen_number(fields[5], Message("fen.move-number"), 0, 99999))
    for fault in king_faults(p):
        raise fault
    p.in_check = king_attacked(p, p.side)
    return full


cdef str symbol_of(Slot pc):
    cdef str letter = LETTERS[KIND[pc]]
    return letter if side_of(pc) == 0 else letter.lower()


cdef str board_fen(Pos* p):
    return rows_of([symbol_of(p.board[to256(square)]) if p.board[to256(square)] else "" for square in range(90)])


def placement(pieces):
    """The first field of a FEN, from the pieces by square.

    >>> placement({4: Piece.from_symbol("K"), 85: Piece.from_symbol("k")})
    '4k4/9/9/9/9/9/9/9/9/4K4'
    """
    return rows_of([str(pieces.get(square, "")) for square in range(90)])


cdef str rows_of(list letters):
    cdef list rows = []
    cdef int rank, file, empty
    for rank in range(9, -1, -1):
        row = ""
        empty = 0
        for file in range(9):
            letter = letters[9 * rank + file]
            if not letter:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)
