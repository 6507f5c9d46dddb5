"""The commands at the prompt: one table, from which `help` and completion are made."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chuhe.coach.score_words import line_text, words_for_score
from chuhe.common.time_control import MINUTE
from chuhe.engine import START_FEN, Position
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import CHINESE_NOTATIONS, NOTATIONS, language_of, move_text, plain
from chuhe.play import analysis, stepping
from chuhe.play.board import BOARD_LOOKS, CHINESE_SAMPLE, captured_line
from chuhe.play.game_clock import parse_clock
from chuhe.play.opponents import EngineOpponent
from chuhe.play.screen import can_show
from chuhe.play.seats import parse_seat
from chuhe.play.xiangqi_game import GameError
from chuhe.records.files import READABLE, WRITABLE, read_numbered, write_games
from chuhe.records.openings import with_opening
from chuhe.text.message import Message, shown
from chuhe.text.numbers import parse_whole

if TYPE_CHECKING:
    from chuhe.play.workspace import Workspace


@dataclass(frozen=True)
class TypedCommand:
    name: str
    usage: str  # what follows the name
    handler: Callable[[Workspace, str], None]
    arguments: Callable[[Workspace, list[str]], Iterable[str]] | None = None  # Tab completions after these words
    files: tuple[str, ...] = ()  # suffixes of the files it takes

    @property
    def help(self) -> Message:
        """What it does."""
        return Message(f"command.{self.name}")


# other words for a command: common ones, and what a Chinese player types, in both scripts
OTHER_WORDS = {
    "?": "help", "q": "quit", "exit": "quit", "new": "restart",
    "帮助": "help", "幫助": "help", "提示": "hint", "悔棋": "undo", "重走": "redo", "新局": "restart",
    "认输": "resign", "認輸": "resign", "提和": "draw", "退出": "quit", "级别": "level", "級別": "level",
    "换边": "swap", "換邊": "swap", "分析": "analyze", "棋盘": "display", "棋盤": "display", "翻转": "flip",
    "翻轉": "flip", "着法": "moves", "著法": "moves", "棋谱": "history", "棋譜": "history", "保存": "save",
    "儲存": "save", "打开": "load", "打開": "load", "摆局": "setup", "擺局": "setup", "开局库": "book",
    "開局庫": "book",
}  # fmt: skip


def find_command(word: str) -> TypedCommand | None:
    """The command with that name or unique prefix (at least three letters), or one of `OTHER_WORDS`."""
    word = plain(word).lower()
    word = OTHER_WORDS.get(word, word)
    if word in COMMANDS:
        return COMMANDS[word]
    found = [command for name, command in COMMANDS.items() if len(word) >= 3 and name.startswith(word)]
    return found[0] if len(found) == 1 else None


def _no_argument(name: str, argument: str) -> None:
    if argument:
        raise GameError(Message("play.takes-nothing", name=name, text=shown(argument)))


# --- looking


def _capture(workspace: Workspace, argument: str) -> None:
    _no_argument("capture", argument)
    workspace.say(
        workspace.worded(captured_line(workspace.game.view(), workspace.preferences.board, workspace.simplified))
    )


def _display(workspace: Workspace, argument: str) -> None:
    _no_argument("display", argument)
    workspace.show_board()


def _history(workspace: Workspace, argument: str) -> None:
    _no_argument("history", argument)
    turns = workspace.game.turns
    if not turns:
        workspace.tell("play.no-moves")
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
            raise GameError(Message("play.no-command", text=shown(argument)))
        workspace.say(f"{command.name} {command.usage}".rstrip() + f": {workspace.worded(command.help)}")
        return
    by_rows = workspace.preferences.points.by_rows
    lines = [workspace.worded(Message("play.how-to-move-rows" if by_rows else "play.how-to-move"))]
    for topic, commands in TOPICS.items():
        lines.append(workspace.worded(Message(f"topic.{topic}")))
        lines += [
            f"  {f'{command.name} {command.usage}'.rstrip():<25} {workspace.worded(command.help)}"
            for command in commands
        ]
    workspace.page("\n".join(lines))


def _moves(workspace: Workspace, argument: str) -> None:
    position, points = workspace.game.position, workspace.preferences.points
    wanted = argument.lower()
    moves = [move for move in workspace.game.playable_moves if points.move(move).lower().startswith(wanted)]
    if not moves:
        raise GameError(
            Message("play.no-such-move", text=shown(argument)) if argument else Message("play.no-legal-move")
        )
    texts = [move_text(position, move, workspace.preferences.notation) for move in moves]
    workspace.say("\n".join("  ".join(texts[start : start + 8]) for start in range(0, len(texts), 8)))


def _fen(workspace: Workspace, argument: str) -> None:
    _no_argument("fen", argument)
    workspace.say(workspace.game.position.fen())


def _flip(workspace: Workspace, argument: str) -> None:
    _no_argument("flip", argument)
    workspace.preferences.black_at_bottom = not workspace.preferences.black_at_bottom
    workspace.show_board()


def _check_shown(chinese: bool) -> None:
    if chinese and not can_show(CHINESE_SAMPLE):
        raise GameError(Message("play.no-chinese", encoding=sys.stdout.encoding))


def _board(workspace: Workspace, argument: str) -> None:
    for look in BOARD_LOOKS:
        if look == argument:
            _check_shown(look != "ascii")
            workspace.use_board(look)
            workspace.show_board()
            return
    raise GameError(Message("play.boards", names=", ".join(BOARD_LOOKS)))


def _notation(workspace: Workspace, argument: str) -> None:
    for notation in NOTATIONS:
        if notation == argument:
            _check_shown(notation in CHINESE_NOTATIONS)
            workspace.use_notation(notation)
            workspace.tell("play.notation-is", notation=notation)
            return
    raise GameError(Message("play.notations", names=", ".join(NOTATIONS)))


# --- the game


def _restart(workspace: Workspace, argument: str) -> None:
    _no_argument("restart", argument)
    if not workspace.may_discard("restart"):
        return
    workspace.game.start()
    workspace.paused = False
    workspace.show_board()


def _setup(workspace: Workspace, argument: str) -> None:
    if not argument:
        raise GameError(Message("play.setup-needs"))
    fen = START_FEN if argument == "start" else argument
    Position(fen)  # a FenError comes before any question
    if not workspace.may_discard(f"setup {argument}"):
        return
    workspace.game.start(fen)
    workspace.paused = True
    workspace.show_board()
    _offer_go(workspace)


def _offer_go(workspace: Workspace) -> None:
    player = workspace.game.opponent_to_move
    if player is not None and workspace.game.ending is None:
        workspace.tell("play.offer-go", player=player.label)


def _undo(workspace: Workspace, argument: str) -> None:
    _no_argument("undo", argument)
    count = workspace.game.undo()
    workspace.paused = True
    workspace.tell("play.took-back", count=count) if count else workspace.tell("play.goes-on")
    workspace.show_board()
    _offer_go(workspace)


def _redo(workspace: Workspace, argument: str) -> None:
    _no_argument("redo", argument)
    count = workspace.game.redo()
    workspace.paused = workspace.game.can_redo
    workspace.tell("play.played-again", count=count)
    workspace.show_board()


def _swap(workspace: Workspace, argument: str) -> None:
    _no_argument("swap", argument)
    workspace.game.swap()
    workspace.seats.reverse()
    workspace.paused = False
    red, black = (workspace.game.player_label(colour) for colour in (0, 1))
    workspace.tell("play.swapped", red=red, black=black)


def _go(workspace: Workspace, argument: str) -> None:
    _no_argument("go", argument)
    if workspace.game.opponent_to_move is None:
        raise GameError(Message("play.your-move"))
    workspace.paused = False


def _resign(workspace: Workspace, argument: str) -> None:
    _no_argument("resign", argument)
    workspace.game.resign()
    workspace.show_board()


def _draw(workspace: Workspace, argument: str) -> None:
    _no_argument("draw", argument)
    if workspace.game.offer_draw() is None:
        workspace.tell("play.draw-declined")
    else:
        workspace.show_board()


def _clock(workspace: Workspace, argument: str) -> None:
    if argument:
        workspace.game.set_clock(None if argument == "off" else parse_clock(argument))
    clock = workspace.game.clock
    if clock is None:
        workspace.tell("play.no-clock")
    else:
        workspace.tell("play.clock", clock=clock.message, control=clock.control.text(MINUTE))


def _quit(workspace: Workspace, argument: str) -> None:
    _no_argument("quit", argument)
    workspace.done = workspace.may_discard("quit")


# --- players


def _level(workspace: Workspace, argument: str) -> None:
    if argument:
        level = parse_whole(argument, LEVELS[0], LEVELS[-1])
        if level is None:
            raise GameError(Message("play.levels", least=LEVELS[0], most=LEVELS[-1], text=shown(argument)))
        if not workspace.change_strength(
            lambda strength: replace(strength, level=level, style="engine", weights="", quiet_order="")
        ):
            raise GameError(Message("play.not-playing"))
    _say_players(workspace)


def _say_players(workspace: Workspace) -> None:
    red, black = (workspace.game.player_label(colour) for colour in (0, 1))
    workspace.tell("play.players", red=red, black=black)


def _players(workspace: Workspace, argument: str) -> None:
    if argument:
        words = argument.split(maxsplit=1)
        if len(words) != 2:
            raise GameError(Message("play.players-needs"))
        strength = next((seat.strength for seat in workspace.seats if not seat.human), workspace.seats[0].strength)
        seats = [parse_seat(word, strength) for word in words]
        for colour, seat in enumerate(seats):
            workspace.seat(colour, seat)
        workspace.paused = False
    _say_players(workspace)


# --- the coach


def _hint(workspace: Workspace, argument: str) -> None:
    _no_argument("hint", argument)
    position = workspace.game.position
    if workspace.game.ending is not None:
        raise GameError(Message("play.game-is-over"))
    coach = workspace.coach
    limits = replace(workspace.search_limits(), ban_moves=workspace.game.forbidden_moves)
    workspace.screen.status(workspace.worded(Message("play.thinking")))
    try:
        best = workspace.waiting(lambda stop: coach.search(limits, stop=stop))
    finally:
        workspace.screen.status("")
    if best.move is None:
        raise GameError(Message("play.no-legal-move"))
    line = line_text(position, best.pv or (best.move,), workspace.preferences.notation, 6)
    verdict = coach.verdict()
    words = verdict.message(position.turn) if verdict else words_for_score(best.score, position.turn)
    workspace.tell("play.hint", line=line, words=words)
    analysis.say_merit(workspace, best)


def _eval(workspace: Workspace, argument: str) -> None:
    _no_argument("eval", argument)
    lines = []
    for judge in workspace.judges():
        words = workspace.worded(words_for_score(judge.evaluate(), workspace.game.turn))
        lines += [judge.evaluation_table(workspace.preferences.language), words]
    workspace.page("\n".join(lines))


def _book(workspace: Workspace, argument: str) -> None:
    word, _, rest = argument.partition(" ")
    if argument in ("on", "off"):
        workspace.use_books(argument == "on")
    elif word in ("red", "black") and rest:
        workspace.use_books(True, **{word: rest})
    elif argument:
        workspace.use_books(True, both=argument)
    book = workspace.book
    state = Message("play.book-used" if workspace.preferences.use_book else "play.book-unused")
    if workspace.programs and not any(isinstance(player, EngineOpponent) for player in workspace.programs):
        state = Message("play.book-external")
    if not len(book):
        workspace.tell("play.no-book")
        return
    choices = book.probe(workspace.game.position)
    total = sum(weight for _, weight in choices)
    texts = [
        f"{move_text(workspace.game.position, move, workspace.preferences.notation)} {100 * weight / total:.0f}%"
        for move, weight in choices
    ]
    here = ", ".join(texts) or Message("play.book-nothing")
    workspace.tell("play.book-here", count=f"{len(book):,}", state=state, moves=here)


# --- files


def _comment(workspace: Workspace, argument: str) -> None:
    """A comment on the last move, or on the game before the first move; saved with the game."""
    node = workspace.game.node
    if argument:
        node.comment = " ".join(argument.split())
    if node.comment:
        workspace.say(node.comment)
    else:
        workspace.tell("play.no-comment")


def _save(workspace: Workspace, argument: str) -> None:
    name = argument.removesuffix(" overwrite")
    if not name:
        raise GameError(Message("play.save-needs"))
    path = Path(name.strip()).expanduser()
    if path.exists() and name == argument and path.resolve() not in workspace.saved_paths:
        raise GameError(Message("play.save-exists", path=str(path)))
    notation = workspace.preferences.notation
    record = with_opening(workspace.game.record(language_of(notation)), notation)
    write_games(path, [record], notation, overwrite=True)
    workspace.saved_paths.add(path.resolve())
    if path.suffix.lower() != ".fen":  # which has a position, not the game
        workspace.note_saved()
    workspace.tell("play.saved", path=str(path))


def _load(workspace: Workspace, argument: str) -> None:
    if not argument:
        raise GameError(Message("play.load-needs"))
    name, number = argument, 1
    words = argument.rsplit(maxsplit=1)
    if len(words) == 2 and not os.path.exists(argument):  # unlike Path.exists, it takes a name that is too long
        found = parse_whole(words[1])
        name, number = (argument, 1) if found is None else (words[0], found)
    games, faults = read_numbered(Path(name).expanduser(), keep_broken=True)
    count = len(games.keys() | faults.keys())
    if number in faults and number not in games:
        raise faults[number]
    if number not in games:
        raise GameError(Message("file.no-such-game", path=name, count=count, number=number))
    if not workspace.may_discard(f"load {argument}"):
        return
    workspace.game.load(games[number])
    workspace.note_saved()
    workspace.paused = True
    workspace.tell("play.loaded", number=number, count=count)
    fault = games[number].fault
    if fault is not None:
        workspace.tell("play.broken-game", fault=fault)
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
    "game": (
        TypedCommand("hint", "", _hint),
        TypedCommand("undo", "", _undo),
        TypedCommand("redo", "", _redo),
        TypedCommand("restart", "", _restart),
        TypedCommand("resign", "", _resign),
        TypedCommand("draw", "", _draw),
        TypedCommand("quit", "", _quit),
    ),
    "players": (
        TypedCommand("level", f"[{LEVELS[0]}-{LEVELS[-1]}]", _level, _one_of(*map(str, LEVELS))),
        TypedCommand("swap", "", _swap),
        TypedCommand("go", "", _go),
        TypedCommand("players", "[RED BLACK]", _players, _seats),
        TypedCommand("clock", "[10+5|20~30|off]", _clock, _one_of("off")),
    ),
    "looking": (
        TypedCommand("display", "", _display),
        TypedCommand("moves", "[SQUARE]", _moves, _own_squares),
        TypedCommand("history", "", _history),
        TypedCommand("capture", "", _capture),
        TypedCommand("fen", "", _fen),
        TypedCommand("flip", "", _flip),
        TypedCommand("board", "NAME", _board, _one_of(*BOARD_LOOKS)),
        TypedCommand("notation", "NAME", _notation, _one_of(*NOTATIONS)),
    ),
    "coach": (
        TypedCommand("analyze", "[LINES] [SECONDS]", analysis.analyze),
        TypedCommand("eval", "", _eval),
        TypedCommand("book", "[on|off|FILES]", _book,
                _one_of("on", "off", "red", "black"), (".bin", ".obk", ".dat")),
    ),
    "files": (
        TypedCommand("save", "FILE [overwrite]", _save, None, WRITABLE),
        TypedCommand("load", "FILE [NUMBER]", _load, None, READABLE),
        TypedCommand("comment", "[TEXT]", _comment),
        TypedCommand("setup", "FEN|start", _setup, _one_of("start")),
        TypedCommand("first", "", stepping.first),
        TypedCommand("prev", "[MOVES]", stepping.prev),
        TypedCommand("next", "[MOVES]", stepping.next_),
        TypedCommand("last", "", stepping.last),
        TypedCommand("goto", "N or N...", stepping.goto),
    ),
    "help": (TypedCommand("help", "[COMMAND]", _help, _names),),
}  # fmt: skip
COMMANDS = {command.name: command for commands in TOPICS.values() for command in commands}
