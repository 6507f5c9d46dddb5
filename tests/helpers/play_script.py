"""A whole game that uses every command, for the terminal tests: what is typed, and the expected answers.

Black is the S0 style at one ply, which is deterministic; Red's moves mate it. They are typed in every notation.
"""

from __future__ import annotations

from pathlib import Path

FLAGS = ["--black", "s0", "--depth", "1", "--time", "0.2", "--no-book"]


def script(directory: Path) -> list[tuple[str, str]]:
    """(line, regular expression of its answer)"""
    saved, position = directory / "game.pgn", directory / "position.fen"
    return [
        ("?", r"炮二平五.*take back your last move"),
        ("help", r"炮二平五.*take back your last move"),
        ("help undo", r"undo: take back your last move"),
        ("b0d1", r"b0d1: .*(leg|block|taken|own)"),
        ("nonsense", r"'nonsense' is not a move.*\? for help"),
        ("undoo", r"did you mean undo\?"),
        ("马八进七", r"1\. H8\+7 \(b0c2\).*S0 program: depth 1.*1\.\.\. .*Red to move"),
        ("J9,J8", r"2\. R1=2 \(i0h0\).*2\.\.\. .*Red to move"),
        ("Ｃ８＋７", r"3\. C8\+7 \(b2b9\).*3\.\.\. .*Red to move"),
        ("capture", r"Red lost: .*Black lost: .*馬"),
        ("comment a bold capture", r"a bold capture"),
        ("undo", r"Took back 2 moves.*Red to move"),
        ("redo", r"Played 2 moves again.*Red to move"),
        ("history", r"1\. H8\+7 .*3\. C8\+7"),
        ("display", r"楚 河.*Red to move"),
        ("fen", r"\S+/\S+ w - - \d+ 4"),
        ("moves h0", r"R2\+"),
        ("moves e5", r"no legal move begins with 'e5'"),
        ("notation chinese", r"chinese notation"),
        ("notation klingon", r"notations are iccs, wxf"),
        ("notation wxf", r"wxf notation"),
        ("board classic", r"A  .*\(將\).*~~河界~~.*J .*<帥>"),
        ("board ascii", r"K---A---B.*Red to move"),
        ("board sand", r"boards are unicode, ascii, classic"),
        ("board unicode", r"楚 河.*Red to move"),
        ("flip", r"i   h   g"),
        ("flip", r"a   b   c"),
        ("hint", r"Hint: \S+.*(better|even|winning|mates)"),
        ("eval", r"(?i)strength.*for Red"),
        ("analyze 2 0.3", r"depth \d+, .* for Red.*depth \d+, .* for Red.*Best: "),
        ("analyze 2 soon", r"number of seconds, not 'soon'"),
        ("analyze many", r"analyze shows 1 to 20 lines, not 'many'"),
        ("first", r"Red to move.*6 moves ahead"),
        ("next 2", r"1\.\.\. .*4 moves ahead"),
        ("goto 3", r"3\. C8\+7 .*1 move ahead"),
        ("prev", r"2\.\.\. .*2 moves ahead"),
        ("goto 9", r"Red has no move 9; the game has 3 moves"),
        ("last", r"3\.\.\. .*Red to move\."),
        ("next", r"this is the end of the game"),
        ("clock 10+5", r"Red 10:00   Black 10:00"),
        ("clock noon", r"is not a clock; .*MINUTES"),
        ("clock off", r"There is no clock"),
        (f"save {saved}", r"Saved .*game\.pgn"),
        (f"save {position}", r"Saved .*position\.fen"),
        ("restart", r"Red to move"),
        (f"load {position}", r"Loaded game 1 of 1"),
        (f"load {saved}", r"Loaded game 1 of 1.*Red to move"),
        (f"load {directory / 'missing.pgn'}", r"No such file"),
        ("players", r"Red: human, Black: the S0 program"),
        ("players human human", r"Red: human, Black: human"),
        ("swap", r"Sides changed"),
        ("go", r"it is your move"),
        ("draw", r"Game over: 1/2-1/2"),
        ("undo", r"The game goes on.*Red to move"),
        ("undo", r"Took back 1 move\b.*Black to move"),
        ("resign", r"Game over: 1-0 \(Black resigns\)"),
        (f"load {saved}", r"Red to move"),
        ("players human s0", r"Red: human, Black: the S0 program"),
        ("level", r"Black: the S0 program"),
        ("level 12", r"levels are 1 .* to 10"),
        ("level 3", r"Black: Chuhe \(level 3\)"),
        ("players human s0", r"Black: the S0 program"),
        ("draw", r"(declined|Game over)"),
        ("setup nonsense", r"(?i)fen|rank|row|board"),
        ("setup 3k5/1R7/R8/9/9/9/9/9/9/5K3 w", r"Red to move"),
        ("a7a9", r"Game over: 1-0 \(Black is checkmated\)"),
        ("a9a8", r"the game is over"),
        ("book on", r"(?i)book"),
        ("book off", r"(?i)book"),
        ("book /nowhere", r"cannot read the book"),
        ("setup start", r"Red to move"),
        *((move, r"\.\.\. .*Red to move") for move in WINNING_MOVES[:-1]),
        (WINNING_MOVES[-1], r"Game over: 1-0 \(Black is checkmated\)"),
        ("history", r"14\. R"),
        ("quit", r""),
    ]


WINNING_MOVES = "b0c2 i0h0 b2b9 a0b0 e0d0 b0b7 d0e0 b7d7 d7d9 h2e2 h0h8 d9e9 h8f8 e9d9".split()
