"""The words that a person can type instead of a move: one table, from which `help` and completion are made."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench.time_control import MINUTE
from engine import START_FEN, BestMove, Info, Limits
from engine.notation import NOTATIONS, move_text
from play.board import STYLES, captured_line
from play.files import read_numbered, write_games
from play.game_clock import parse_clock
from play.opponents import EngineOpponent, thought_of
from play.score_words import line_text, words_for_score
from play.seats import parse_seat
from play.xiangqi_game import COLOURS, GameError

if TYPE_CHECKING:
    from engine.engine import Search
    from play.workspace import Workspace

LEVELS = range(1, 11)
PIPE_ANALYSIS_SECONDS = 3.0


@dataclass(frozen=True)
class Command:
    name: str
    usage: str  # what follows the name
    help: str
    handler: Callable[[Workspace, str], None]


def find_command(word: str) -> Command | None:
    """The command of that name, or the only one that begins so (three letters at least)."""
    word = word.lower()
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
    workspace.say("\n".join(rows))


def _help(workspace: Workspace, argument: str) -> None:
    if argument:
        command = find_command(argument)
        if command is None:
            raise GameError(f"there is no command {argument!r}; help lists them all")
        workspace.say(f"{command.name} {command.usage}".rstrip() + f": {command.help}")
        return
    rows = "H8,H5 (rows A-J from Black's side, columns 1-9 from Red's left)"
    ways = rows if workspace.preferences.points.by_rows else f"h2e2, C2=5, 炮二平五, or {rows}"
    lines = [f"A move: {ways}. Or one of:"]
    lines += [f"  {f'{command.name} {command.usage}'.rstrip():<30} {command.help}" for command in COMMANDS.values()]
    workspace.say("\n".join(lines))


def _moves(workspace: Workspace, argument: str) -> None:
    position, points = workspace.game.position, workspace.preferences.points
    wanted = argument.lower()
    moves = [move for move in position.legal_moves if points.move(move).lower().startswith(wanted)]
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
        workspace.say(f"{player.name} is to move: go lets it play, swap changes sides.")


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
        raise GameError("it is a person's move: hint gives advice, swap lets the program play this side")
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
            raise GameError("no program of ours is playing; players seats one")
    levels = [f"{COLOURS[colour]}: {workspace.game.player_name(colour)}" for colour in (0, 1)]
    workspace.say(", ".join(levels))


def _players(workspace: Workspace, argument: str) -> None:
    if argument:
        words = argument.split(maxsplit=1)
        if len(words) != 2:
            raise GameError("players needs two: players human level:3 (Red first)")
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
    best = workspace.waiting(lambda: coach.search(workspace.search_limits()), coach.stop)
    if best.move is None:
        raise GameError("there is no legal move")
    line = line_text(position, best.pv or (best.move,), workspace.preferences.notation, 6)
    verdict = coach.verdict()
    words = verdict.words_for(position.turn) if verdict else words_for_score(best.score, position.turn)
    workspace.say(f"Hint: {line}  ({words})")


def _eval(workspace: Workspace, argument: str) -> None:
    _no_argument("eval", argument)
    for judge in workspace.judges():
        workspace.say(judge.evaluation_table())
        workspace.say(words_for_score(judge.evaluate(), workspace.game.turn))


def _analyze(workspace: Workspace, argument: str) -> None:
    seconds = _seconds(argument) if argument else 0.0 if workspace.screen.interactive else PIPE_ANALYSIS_SECONDS
    if not workspace.game.position.legal_moves:
        raise GameError("there is no legal move to analyze")
    if workspace.screen.interactive and not seconds:
        workspace.say("Analyzing; press a key to stop.")
    coach = workspace.coach

    def on_info(info: Info) -> None:
        thought = thought_of(info)
        if thought is not None:
            workspace.say(workspace.thought_text(thought))

    def watch() -> None:
        end = time.monotonic() + seconds if seconds else float("inf")
        while time.monotonic() < end:
            if workspace.screen.wait_for_key(min(0.1, max(0.0, end - time.monotonic()))):
                return

    best = _search_while(workspace, coach.begin(Limits(infinite=True), on_info), coach.stop, watch)
    if best.move is not None:
        text = move_text(workspace.game.position, best.move, workspace.preferences.notation)
        workspace.say(f"Best: {text}, {words_for_score(best.score, workspace.game.turn)}")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise GameError(f"analyze takes a number of seconds, not {text!r}")
    return seconds


def _search_while(
    workspace: Workspace, search: Search, stop: Callable[[], None], watch: Callable[[], None]
) -> BestMove:
    """Runs an endless search in a thread until the watcher returns (or Ctrl-C), then stops it."""
    answer: list[BestMove] = []
    failure: list[BaseException] = []
    finished = threading.Event()

    def run() -> None:
        try:
            answer.append(search.run())
        except BaseException as error:
            failure.append(error)
        finally:
            finished.set()

    try:
        threading.Thread(target=run, daemon=True).start()
    except RuntimeError as error:
        search.cancel()
        raise GameError("no thread could be started for the analysis") from error
    try:
        watch()
    except KeyboardInterrupt:
        workspace.say("")
    finally:
        stop()
        finished.wait()
    if failure:
        raise failure[0]
    return answer[0]


def _book(workspace: Workspace, argument: str) -> None:
    if argument in ("on", "off"):
        workspace.use_books(None, argument == "on")
    elif argument:
        workspace.use_books(argument, True)
    book = workspace.book
    state = "used" if workspace.preferences.use_book else "not used"
    if workspace.programs and not any(isinstance(player, EngineOpponent) for player in workspace.programs):
        state = "not used: the other program has its own"
    if book is None:
        workspace.say("There is no book; book FILE opens one.")
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
    """What is said about the last move (before the first: about the game) is saved with it."""
    node = workspace.game.node
    if argument:
        node.comment = " ".join(argument.split())
    workspace.say(node.comment or "Nothing is noted here.")


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
        raise GameError(f"{name} holds {count} game{'s' if count != 1 else ''}, not a number {number}")
    workspace.game.load(games[number])
    workspace.paused = True
    workspace.say(f"Loaded game {number} of {count}.")
    workspace.show_board()
    _offer_go(workspace)


_TABLE = (
    Command("analyze", "[SECONDS]", "think aloud about the position, until a key is pressed", _analyze),
    Command("board", "unicode|ascii|classic", "how the board is drawn", _board),
    Command("book", "[on|off|FILES]", "what the opening book says here; use it or not; open others", _book),
    Command("capture", "", "the captured pieces", _capture),
    Command("clock", "[10+5|20~30|off]", "show or set the clock: minutes, +increment or ~byoyomi seconds", _clock),
    Command("comment", "[TEXT]", "a note on the last move, saved with the game; show it", _comment),
    Command("display", "", "draw the board again", _display),
    Command("draw", "", "offer a draw", _draw),
    Command("eval", "", "the evaluation, term by term and in words", _eval),
    Command("fen", "", "the position as FEN", _fen),
    Command("flip", "", "turn the board round", _flip),
    Command("go", "", "let the program whose turn it is play on", _go),
    Command("help", "[COMMAND]", "this list", _help),
    Command("hint", "", "what our engine would play", _hint),
    Command("history", "", "the moves so far", _history),
    Command("level", "[1-10]", "the program's strength, 1 beginner to 10 full", _level),
    Command("load", "FILE [NUMBER]", "a game from a PGN, FEN, XQF, CBL, CBR or CBF file", _load),
    Command("moves", "[SQUARE]", "the legal moves", _moves),
    Command("notation", "iccs|wxf|chinese|traditional|rows", "how moves are shown", _notation),
    Command(
        "players", "[RED BLACK]", "who plays: human, computer, level:N, s0, s1, s0:WEIGHTS or engine:COMMAND", _players
    ),
    Command("quit", "", "leave", _quit),
    Command("redo", "", "play the moves again that were taken back", _redo),
    Command("resign", "", "give up the game", _resign),
    Command("restart", "", "a new game", _restart),
    Command("save", "FILE [overwrite]", "the game as PGN, or the position as FEN", _save),
    Command("setup", "FEN|start", "set up a position", _setup),
    Command("swap", "", "change sides", _swap),
    Command("undo", "", "take back your last move", _undo),
)
COMMANDS = {command.name: command for command in _TABLE}
