# Reading and writing FEN. An invalid FEN raises a FenError that names the fault and its place.

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

cdef str LETTERS = "KABNRCP"
cdef dict LETTER_KIND = {"K": 0, "A": 1, "B": 2, "E": 2, "N": 3, "H": 3, "R": 4, "C": 5, "P": 6}
cdef tuple KIND_NAMES = ("king", "advisor", "elephant", "knight", "rook", "cannon", "pawn")
cdef tuple KIND_COUNT = (1, 2, 2, 2, 2, 2, 5)
cdef tuple KIND_FIRST = (S_KING, S_ADVISOR, S_BISHOP, S_KNIGHT, S_ROOK, S_CANNON, S_PAWN)
cdef tuple SIDE_NAMES = ("Red", "Black")


cdef str square_name(int file, int rank):
    return "abcdefghi"[file] + str(rank)


cdef bint may_stand(int side, int kind, int file, int rank):
    cdef int own = rank if side == 0 else 9 - rank
    if kind == K_KING:
        return 3 <= file <= 5 and own <= 2
    if kind == K_ADVISOR:
        return 3 <= file <= 5 and own <= 2 and (file + own) % 2 == 1
    if kind == K_BISHOP:
        return (own in (0, 4) and file in (2, 6)) or (own == 2 and file in (0, 4, 8))
    return True


cdef str why_not(int side, int kind, int file, int rank):
    if kind in (K_KING, K_ADVISOR) and not in_palace(file, rank):
        return ": it is outside the palace"
    if kind == K_BISHOP and (rank > 4) == (side == 0):
        return ": it is across the river"
    return ""


cdef object place_rows(Pos* p, str rows):
    cdef list parts = rows.split("/")
    cdef int rank, file, kind, side, pc, digits
    cdef list count = [[0] * 7, [0] * 7]
    if len(parts) != 10:
        raise FenError(f"a board has 10 rows, this one has {len(parts)}: {rows[:100]!r}")
    for index, part in enumerate(parts):
        rank = 9 - index
        file = 0
        where = f"row {index + 1} (rank {rank})"
        for letter in part:
            if "0" <= letter <= "9":
                digits = ord(letter) - 48
                if digits == 0:
                    raise FenError(f"{where} has a 0 in {part[:40]!r}: empty points are counted from 1")
                file += digits
                if file > 9:
                    raise FenError(f"{where} is wider than 9 points: {part[:40]!r}")
                continue
            if letter.upper() not in LETTER_KIND or not letter.isascii():
                raise FenError(f"{where}: {letter!r} is not a piece; use KABNRCP (also E, H) and digits")
            if file >= 9:
                raise FenError(f"{where} is wider than 9 points: {part[:40]!r}")
            kind = LETTER_KIND[letter.upper()]
            side = 0 if letter.isupper() else 1
            if not may_stand(side, kind, file, rank):
                raise FenError(f"{SIDE_NAMES[side]}'s {KIND_NAMES[kind]} can never stand on {square_name(file, rank)}"
                               + why_not(side, kind, file, rank))
            if count[side][kind] == KIND_COUNT[kind]:
                plural = "s" if KIND_COUNT[kind] > 1 else ""
                raise FenError(f"{SIDE_NAMES[side]} has more than {KIND_COUNT[kind]} {KIND_NAMES[kind]}{plural}: "
                               f"one too many on {square_name(file, rank)}")
            pc = base_of(side) + <int>KIND_FIRST[kind] + <int>count[side][kind]
            count[side][kind] += 1
            put(p, pc, (rank + 3) * 16 + file + 3)
            file += 1
        if file < 9:
            raise FenError(f"{where} has only {file} of 9 points: {part[:40]!r}")
    for side in range(2):
        if not count[side][K_KING]:
            raise FenError(f"{SIDE_NAMES[side]} has no king")


cdef int fen_number(str text, str what, int least, int most) except -1:
    if not (text.isascii() and text.isdigit()) or len(text) > 6 or not least <= int(text) <= most:
        raise FenError(f"{what} must be a number from {least} to {most}, not {text[:40]!r}")
    return int(text)


cdef int parse_fen(Pos* p, str fen) except -1:
    # fills p and returns the full-move number. If it raises, p is not valid.
    cdef list fields = fen.split()
    cdef int full = 1
    clear(p)
    if not fields:
        raise FenError("the FEN is empty")
    if len(fields) > 6:
        raise FenError(f"a FEN has at most 6 fields, this one has {len(fields)}: {fen[:200]!r}")
    place_rows(p, fields[0])
    if len(fields) > 1:
        if fields[1] not in ("w", "r", "b"):
            raise FenError(f"the side to move is w, r or b, not {fields[1][:40]!r}")
        if fields[1] == "b":
            p.side = 1
            p.key ^= ZOBRIST_BLACK
    for index in range(2, min(4, len(fields))):
        if fields[index] != "-":
            raise FenError(f"field {index + 1} must be '-', not {fields[index][:40]!r}")
    if len(fields) > 4:
        p.idle = fen_number(fields[4], "the halfmove clock (field 5)", 0, 9999)
    if len(fields) > 5:
        full = max(1, fen_number(fields[5], "the move number (field 6)", 0, 99999))
    if (p.sq[16] ^ p.sq[32]) & 15 == 0 and not between(p, p.sq[16], p.sq[32]):
        raise FenError(f"the kings face each other on the {'abcdefghi'[file_of(p.sq[16])]} file")
    if king_attacked(p, p.side ^ 1):
        raise FenError(f"{SIDE_NAMES[p.side ^ 1]} is in check, but it is {SIDE_NAMES[p.side]}'s move")
    p.in_check = king_attacked(p, p.side)
    return full


cdef str symbol_of(int pc):
    cdef str letter = LETTERS[KIND[pc]]
    return letter if side_of(pc) == 0 else letter.lower()


cdef str board_fen(Pos* p):
    cdef list rows = []
    cdef int rank, file, pc, empty
    for rank in range(9, -1, -1):
        row = ""
        empty = 0
        for file in range(9):
            pc = p.board[(rank + 3) * 16 + file + 3]
            if not pc:
                empty += 1
                continue
            row += (str(empty) if empty else "") + symbol_of(pc)
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)
