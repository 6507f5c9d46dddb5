"""The commands at the prompt: one table, from which `help` and completion are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.time_control import MINUTE
from engine import START_FEN
from engine.notation import NOTATIONS, move_text, plain
from play import analysis, stepping
from play.board import STYLES, captured_line
from play.files import READABLE, WRITABLE, read_numbered, write_games
from play.game_clock import parse_clock
from play.opponents import EngineOpponent
from play.score_words import line_text, words_for_score
from play.seats import LEVELS, parse_seat
from play.xiangqi_game import COLOURS, GameError

if TYPE_CHECKING:
    from play.workspace import Workspace


@dataclass(frozen=True)
class Command:
    name: str
    usage: str  # what follows the name
    help: str
    handler: Callable[[Workspace, str], None]
    arguments: Callable[[Workspace, list[str]], Iterable[str]] | None = None  # Tab completions after these words
    files: tuple[str, ...] = ()  # suffixes of the files it takes


def find_command(word: str) -> Command | None:
    """The command with that name or unique prefix (at least three letters); `?` is help."""
    word = plain(word).lower()
    if word == "?":
        return COMMANDS["help"]
    if word in COMMANDS:
        return COMMANDS[word]
    found = [command for name, command in COMMANDS.items() if len(word) >= 3 and name.startswith(word)]
    return found[0] if len(found) == 1 else None


def _no_argument(name: str, argument: str) -> None:
    if argument:
        raise GameError(f"{name} takes nothing after it, not {argument!r}")


# --- looking


def _capture(workspace: Workspace, argument: str) -> None:
    _no_argument("capture", argument)
    workspace.say(captured_line(workspace.game.view(), workspace.preferences.board))


def _display(workspace: Workspace, argument: str) -> None:
    _no_argument("display", argument)
    workspace.show_board()


def _history(workspace: Workspace, argument: str) -> None:
    _no_argument("history", argument)
    turns = workspace.game.turns
    if not turns:
        workspace.say("No move has been played.")
        return
    rows: list[str] = []
    for turn in turns:
        text = turn.text(workspace.preferences.notation)
        if turn.colour == 0:
            rows.append(f"{turn.number:>3}. {text}")
        elif rows and rows[-1].startswith(f"{turn.number:>3}. "):
            rows[-1] += f"  {text}"
        else:
            rows.append(f"{turn.number:>3}. ...  {text}")
    workspace.page("\n".join(rows))


def _help(workspace: Workspace, argument: str) -> None:
    if argument:
        command = find_command(argument)
        if command is None:
            raise GameError(f"there is no command {argument!r}; help lists them all")
        workspace.say(f"{command.name} {command.usage}".rstrip() + f": {command.help}")
        return
    by_rows = workspace.preferences.points.by_rows
    ways = (
        "H8,H5 (rows A-J from Black's side, columns 1-9 from Red's left)"
        if by_rows
        else "h2e2, C2=5, 炮二平五, or H8,H5 (rows A-J, columns 1-9)"
    )
    lines = [f"Type a move: {ways}."]
    for topic, commands in TOPICS.items():
        lines.append(topic)
        lines += [f"  {f'{command.name} {command.usage}'.rstrip():<25} {command.help}" for command in commands]
    workspace.page("\n".join(lines))


def _moves(workspace: Workspace, argument: str) -> None:
    position, points = workspace.game.position, workspace.preferences.points
    wanted = argument.lower()
    moves = [move for move in workspace.game.playable_moves if points.move(move).lower().startswith(wanted)]
    if not moves:
        raise GameError(f"no legal move begins with {argument!r}" if argument else "there is no legal move")
    texts = [move_text(position, move, workspace.preferences.notation) for move in moves]
    workspace.say("\n".join("  ".join(texts[start : start + 8]) for start in range(0, len(texts), 8)))


def _fen(workspace: Workspace, argument: str) -> None:
    _no_argument("fen", argument)
    workspace.say(workspace.game.position.fen())


def _flip(workspace: Workspace, argument: str) -> None:
    _no_argument("flip", argument)
    workspace.preferences.black_at_bottom = not workspace.preferences.black_at_bottom
    workspace.show_board()


def _board(workspace: Workspace, argument: str) -> None:
    for style in STYLES:
        if style == argument:
            workspace.use_board(style)
            workspace.show_board()
            return
    raise GameError(f"boards are {', '.join(STYLES)}")


def _notation(workspace: Workspace, argument: str) -> None:
    for notation in NOTATIONS:
        if notation == argument:
            workspace.use_notation(notation)
            workspace.say(f"Moves are shown in {notation} notation.")
            return
    raise GameError(f"notations are {', '.join(NOTATIONS)}")


# --- the game


def _restart(workspace: Workspace, argument: str) -> None:
    _no_argument("restart", argument)
    workspace.game.start()
    workspace.paused = False
    workspace.show_board()


def _setup(workspace: Workspace, argument: str) -> None:
    if not argument:
        raise GameError("setup needs a position: setup FEN, or setup start")
    workspace.game.start(START_FEN if argument == "start" else argument)
    workspace.paused = True
    workspace.show_board()
    _offer_go(workspace)


def _offer_go(workspace: Workspace) -> None:
    player = workspace.game.opponent_to_move
    if player is not None and workspace.game.ending is None:
        workspace.say(f"{player.name} is to move: type go to let it play, or swap to change sides.")


def _undo(workspace: Workspace, argument: str) -> None:
    _no_argument("undo", argument)
    count = workspace.game.undo()
    workspace.paused = True
    workspace.say(f"Took back {count} move{'s' if count != 1 else ''}.")
    workspace.show_board()
    _offer_go(workspace)


def _redo(workspace: Workspace, argument: str) -> None:
    _no_argument("redo", argument)
    count = workspace.game.redo()
    workspace.paused = workspace.game.can_redo
    workspace.say(f"Played {count} move{'s' if count != 1 else ''} again.")
    workspace.show_board()


def _swap(workspace: Workspace, argument: str) -> None:
    _no_argument("swap", argument)
    workspace.game.swap()
    workspace.seats.reverse()
    workspace.paused = False
    names = [f"{COLOURS[colour]}: {workspace.game.player_name(colour)}" for colour in (0, 1)]
    workspace.say("Sides changed. " + ", ".join(names) + ".")


def _go(workspace: Workspace, argument: str) -> None:
    _no_argument("go", argument)
    if workspace.game.opponent_to_move is None:
        raise GameError("it is your move: type hint for advice, or swap to let the program play this side")
    workspace.paused = False


def _resign(workspace: Workspace, argument: str) -> None:
    _no_argument("resign", argument)
    workspace.game.resign()
    workspace.show_board()


def _draw(workspace: Workspace, argument: str) -> None:
    _no_argument("draw", argument)
    if workspace.game.offer_draw() is None:
        workspace.say("The offer is declined.")
    else:
        workspace.show_board()


def _clock(workspace: Workspace, argument: str) -> None:
    if argument:
        workspace.game.set_clock(None if argument == "off" else parse_clock(argument))
    clock = workspace.game.clock
    workspace.say(
        f"{clock}   ({clock.control.text(MINUTE)}, starts with the next move)" if clock else "There is no clock."
    )


def _quit(workspace: Workspace, argument: str) -> None:
    _no_argument("quit", argument)
    workspace.done = True


# --- players


def _level(workspace: Workspace, argument: str) -> None:
    if argument:
        if not argument.isdecimal() or int(argument) not in LEVELS:
            raise GameError(f"levels are {LEVELS[0]} (beginner) to {LEVELS[-1]} (full strength), not {argument!r}")
        if not workspace.change_strength(
            lambda strength: replace(strength, level=int(argument), style="engine", weights="", quiet_order="")
        ):
            raise GameError("Chuhe is not playing; type players human level:3 to play against it")
    levels = [f"{COLOURS[colour]}: {workspace.game.player_name(colour)}" for colour in (0, 1)]
    workspace.say(", ".join(levels))


def _players(workspace: Workspace, argument: str) -> None:
    if argument:
        words = argument.split(maxsplit=1)
        if len(words) != 2:
            raise GameError("players needs two players, Red first: players human level:3")
        strength = next((seat.strength for seat in workspace.seats if not seat.human), workspace.seats[0].strength)
        seats = [parse_seat(word, strength) for word in words]
        for colour, seat in enumerate(seats):
            workspace.seat(colour, seat)
        workspace.paused = False
    workspace.say(", ".join(f"{COLOURS[colour]}: {workspace.game.player_name(colour)}" for colour in (0, 1)))


# --- the coach


def _hint(workspace: Workspace, argument: str) -> None:
    _no_argument("hint", argument)
    position = workspace.game.position
    if workspace.game.ending is not None:
        raise GameError("the game is over")
    coach = workspace.coach
    limits = replace(workspace.search_limits(), ban_moves=workspace.game.forbidden_moves)
    best = workspace.waiting(lambda: coach.search(limits), coach.stop)
    if best.move is None:
        raise GameError("there is no legal move")
    line = line_text(position, best.pv or (best.move,), workspace.preferences.notation, 6)
    verdict = coach.verdict()
    words = verdict.words_for(position.turn) if verdict else words_for_score(best.score, position.turn)
    workspace.say(f"Hint: {line}  ({words})")


def _eval(workspace: Workspace, argument: str) -> None:
    _no_argument("eval", argument)
    judgements = [
        f"{judge.evaluation_table()}\n{words_for_score(judge.evaluate(), workspace.game.turn)}"
        for judge in workspace.judges()
    ]
    workspace.page("\n".join(judgements))


def _book(workspace: Workspace, argument: str) -> None:
    if argument in ("on", "off"):
        workspace.use_books(None, argument == "on")
    elif argument:
        workspace.use_books(argument, True)
    book = workspace.book
    state = "used" if workspace.preferences.use_book else "not used"
    if workspace.programs and not any(isinstance(player, EngineOpponent) for player in workspace.programs):
        state = "not used: the external engine has its own"
    if book is None:
        workspace.say("No book is open; book FILE opens one.")
        return
    choices = book.probe(workspace.game.position)
    total = sum(weight for _, weight in choices)
    texts = [
        f"{move_text(workspace.game.position, move, workspace.preferences.notation)} {100 * weight / total:.0f}%"
        for move, weight in choices
    ]
    workspace.say(f"Book of {len(book):,} moves, {state}. Here: {', '.join(texts) or 'nothing'}")


# --- files


def _comment(workspace: Workspace, argument: str) -> None:
    """A comment on the last move, or on the game before the first move; saved with the game."""
    node = workspace.game.node
    if argument:
        node.comment = " ".join(argument.split())
    workspace.say(node.comment or "There is no comment here.")


def _save(workspace: Workspace, argument: str) -> None:
    name = argument.removesuffix(" overwrite")
    if not name:
        raise GameError("save needs a file name: save game.pgn")
    path = Path(name.strip()).expanduser()
    if path.exists() and name == argument and path.resolve() not in workspace.saved_paths:
        raise GameError(f"{path} exists already: save {path} overwrite replaces it")
    notation = workspace.preferences.notation
    write_games(path, [workspace.game.record()], notation)
    workspace.saved_paths.add(path.resolve())
    workspace.say(f"Saved {path}.")


def _load(workspace: Workspace, argument: str) -> None:
    if not argument:
        raise GameError("load needs a file name: load game.pgn [NUMBER]")
    name, number = argument, 1
    words = argument.rsplit(maxsplit=1)
    if len(words) == 2 and words[1].isdecimal() and not Path(argument).exists():
        name, number = words[0], int(words[1])
    games, faults = read_numbered(Path(name).expanduser())
    count = len(games) + len(faults)
    if number in faults:
        raise faults[number]
    if number not in games:
        raise GameError(f"{name} has {count} game{'s' if count != 1 else ''}; there is no game {number}")
    workspace.game.load(games[number])
    workspace.paused = True
    workspace.say(f"Loaded game {number} of {count}.")
    workspace.show_board()
    _offer_go(workspace)


# --- Tab completion after a command


def _one_of(*words: str) -> Callable[[Workspace, list[str]], Iterable[str]]:
    return lambda workspace, before: () if before else words


def _own_squares(workspace: Workspace, before: list[str]) -> Iterable[str]:
    points = workspace.preferences.points
    return () if before else sorted({points.point(move.from_square) for move in workspace.game.playable_moves})


def _seats(workspace: Workspace, before: list[str]) -> Iterable[str]:
    words = ("human", "computer", "s0", "s1", "engine:", *(f"level:{level}" for level in LEVELS))
    return words if len(before) < 2 else ()


def _names(workspace: Workspace, before: list[str]) -> Iterable[str]:
    return () if before else COMMANDS


TOPICS = {  # in the order in which a newcomer needs them
    "The game": (
        Command("hint", "", "what our engine would play", _hint),
        Command("undo", "", "take back your last move", _undo),
        Command("redo", "", "replay the moves taken back", _redo),
        Command("restart", "", "a new game", _restart),
        Command("resign", "", "resign the game", _resign),
        Command("draw", "", "offer a draw", _draw),
        Command("quit", "", "leave", _quit),
    ),
    "Players": (
        Command("level", "[1-10]", "the program's strength, 1 beginner to 10 full", _level, _one_of(*map(str, LEVELS))),
        Command("swap", "", "change sides", _swap),
        Command("go", "", "let the program whose turn it is play on", _go),
        Command("players", "[RED BLACK]", "human, computer, level:N, s0, s1:NAME=N, engine:CMD", _players, _seats),
        Command("clock", "[10+5|20~30|off]", "minutes, + increment or ~ byoyomi in seconds", _clock, _one_of("off")),
    ),
    "Looking": (
        Command("display", "", "draw the board again", _display),
        Command("moves", "[SQUARE]", "the moves that can be played", _moves, _own_squares),
        Command("history", "", "the moves so far", _history),
        Command("capture", "", "the captured pieces", _capture),
        Command("fen", "", "the position as FEN", _fen),
        Command("flip", "", "turn the board around", _flip),
        Command("board", "NAME", "how the board is drawn; without NAME: list them", _board, _one_of(*STYLES)),
        Command("notation", "NAME", "how moves are shown; without NAME: list them", _notation, _one_of(*NOTATIONS)),
    ),
    "The coach": (
        Command("analyze", "[LINES] [SECONDS]", "show the best lines until a key is pressed", analysis.analyze),
        Command("eval", "", "the evaluation, term by term and in words", _eval),
        Command("book", "[on|off|FILES]", "the book's moves here; use it or not; open others", _book,
                _one_of("on", "off"), (".bin", ".dat")),
    ),
    "Files and positions": (
        Command("save", "FILE [overwrite]", "the game as PGN, or the position as FEN", _save, None, WRITABLE),
        Command("load", "FILE [NUMBER]", "a game: PGN, FEN, XQF, CBL, CBR or CBF", _load, None, READABLE),
        Command("comment", "[TEXT]", "a note on the last move, saved with the game", _comment),
        Command("setup", "FEN|start", "set up a position", _setup, _one_of("start")),
        Command("first", "", "step to the start of the game", stepping.first),
        Command("prev", "[MOVES]", "a move back; the game stays as it is", stepping.prev),
        Command("next", "[MOVES]", "a move on", stepping.next_),
        Command("last", "", "to the end of the game", stepping.last),
        Command("goto", "N or N...", "to Red's move N, or Black's", stepping.goto),
    ),
    "Help": (Command("help", "[COMMAND]", "this list; ? for short", _help, _names),),
}  # fmt: skip
COMMANDS = {command.name: command for commands in TOPICS.values() for command in commands}
