"""`chuhe play --variant chess|draughts|squatter`: a game in the terminal, a person against the computer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from chuhe.common.command_line import Parser, fault_text, report_fault, seconds, whole_number
from chuhe.common.waiting import wait_for
from chuhe.files.encoding import text_of
from chuhe.files.writing import OutputError, check_output, write_file
from chuhe.text.errors import UserError
from chuhe.text.message import LANGUAGES, Argument, Language, Message
from chuhe.text.numbers import parse_whole
from chuhe.text.system_language import Speaker
from chuhe.variants.chess.terminal import ChessGame
from chuhe.variants.draughts.terminal import DraughtsGame
from chuhe.variants.squatter.terminal import SquatterGame
from chuhe.variants.terminal_game import HIGHEST_LEVEL, MoveError, Setup, VariantGame

GAMES: dict[str, type[VariantGame]] = {game.name: game for game in (ChessGame, DraughtsGame, SquatterGame)}
SIDES: dict[str, tuple[int, ...]] = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}


def arguments_parser(variant: str, language: Language) -> argparse.ArgumentParser:
    say = Speaker(language)
    parser = Parser(
        prog=f"chuhe play --variant {variant}", description=say("variant-help.description"), language=language
    )
    game = GAMES[variant]
    first, second = (say(f"seat.{name}") for name in game.sides)
    side = say("variant-help.side", first=first, second=second)
    parser.add_argument("--side", choices=tuple(SIDES), default="first", help=side)
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--time", type=seconds(language), default=2.0, metavar="SECONDS", help=say("variant-help.time"))
    effort.add_argument("--movetime", type=whole_number(1), help=argparse.SUPPRESS)  # its older name, in milliseconds
    effort.add_argument("--depth", type=whole_number(1, language=language), help=say("variant-help.depth"))
    board = parser.add_mutually_exclusive_group()
    if game.takes_fen:
        board.add_argument("--fen", default="", help=say("play-help.fen"))
    else:
        board.add_argument("--board", metavar="FILE", help=say("variant-help.board"))
    if game.takes_size:
        board.add_argument("--size", type=whole_number(1, language=language), default=6, help=say("variant-help.size"))
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    return parser


def main(variant: str, arguments: list[str], language: Language) -> int:
    """Play a game of `GAMES`."""
    options = arguments_parser(variant, language).parse_args(arguments)
    try:
        start = getattr(options, "fen", "")
        if getattr(options, "board", None):
            start = text_of(options.board)
            if not start.strip():
                raise UserError(Message("file.at", path=options.board, fault=Message("file.empty")))
        setup = Setup(
            options.movetime or max(1, round(options.time * 1000)),
            options.depth or 0,
            start,
            getattr(options, "size", 6),
            language=language,
        )
        game = GAMES[variant]
        table = VariantLoop(lambda: game(setup), SIDES[options.side])
    except (OSError, ValueError) as error:
        return report_fault("play", error, language)
    try:
        table.run()
    except KeyboardInterrupt:
        print()
    return 0


class VariantLoop:
    """The loop: the computer moves for the sides that the person does not play."""

    def __init__(self, make_game: Callable[[], VariantGame], people: Iterable[int]) -> None:
        """`people` are the sides that a person plays."""
        self._make_game = make_game
        self.game = make_game()
        self._people = set(people)
        self._saved: set[Path] = set()
        self._kept: list[str] = []  # the moves that a file has
        self._warned: tuple[str, list[str]] | None = None  # the command that would have lost this game
        self._commands = {
            "help": self._help,
            "?": self._help,
            "moves": lambda: print("  ".join(self.game.moves())),
            "display": self._show,
            "history": self._history,
            "undo": self._undo,
            "swap": self._swap,
            "restart": self._restart,
            "new": self._restart,
            "hint": self._hint,
            "go": self._computer,
        }

    def run(self) -> None:
        self._show()
        while True:
            result = self.game.result()
            if result is not None:
                self._say("variant.over", result=result)
                if not self._people:
                    return
            elif self.game.mover not in self._people:
                self._computer()
                continue
            try:
                who = self.game.side(self.game.mover) if result is None else self.game.say("variant.over-prompt")
                text = input(f"{who}> ").strip()
            except EOFError:
                return
            warned = self._warned
            if text.lower() not in ("quit", "exit", "q"):
                self.obey(text)
            elif self._may_discard("quit"):
                return
            if self._warned is warned:  # a warning is for the next line only
                self._warned = None

    def obey(self, text: str) -> None:
        """A command or a move; for anything else, one line says what is wrong."""
        command = self._commands.get(text.lower())
        word, _, rest = text.partition(" ")
        if command is not None:
            command()
        elif word.lower() == "level":
            self._level(rest.strip())
        elif word.lower() == "save":
            self._save(rest.strip())
        elif text and self.game.result() is not None:
            self._say("variant.is-over")
        elif text:
            try:
                self.game.play(text)
            except MoveError as error:
                self._say("play.see-help", fault=error.message)
            else:
                self._show()

    def _say(self, code: str, /, **arguments: Argument) -> None:
        print(self.game.say(code, **arguments), flush=True)

    def _show(self) -> None:
        print(f"\n{self.game.board(self._people == {1})}\n", flush=True)

    def _computer(self) -> None:
        if self.game.result() is not None:
            return
        side = self.game.side(self.game.mover)
        self._say("variant.plays", side=side, move=wait_for(self.game.think))
        self._show()

    def _hint(self) -> None:
        if self.game.result() is not None:
            self._say("variant.is-over")
            return
        self._say("play.thinking")
        self._say("variant.hint", move=wait_for(self.game.hint))

    def _level(self, text: str) -> None:
        level = parse_whole(text, 1, HIGHEST_LEVEL)
        if level is None:
            self._say("variant.level-needs", most=HIGHEST_LEVEL)
            return
        self.game.set_level(level)
        self._say("variant.level", level=level, most=HIGHEST_LEVEL)

    def _save(self, name: str) -> None:
        if not name:
            self._say("variant.save-needs")
            return
        path = Path(name).expanduser()
        try:
            check_output(path, ours=lambda head: path in self._saved)
            write_file(path, self.game.record())
        except OutputError as error:
            taken = error.message.code == "file.exists-force"
            print(
                Message("variant.exists", path=str(path)).text(self.game.say.language)
                if taken
                else fault_text(error, self.game.say.language)
            )
            return
        self._saved.add(path)
        self._kept = list(self.game.history)
        self._say("play.saved", path=str(path))

    def _help(self) -> None:
        self._say("variant.help", example=self.game.example)

    def _history(self) -> None:
        pairs = [" ".join(self.game.history[i : i + 2]) for i in range(0, len(self.game.history), 2)]
        print(
            "\n".join(f"{number}. {pair}" for number, pair in enumerate(pairs, 1)) or self.game.say("variant.no-moves")
        )

    def _undo(self) -> None:
        """Goes back to the person's previous move."""
        if not self.game.history:
            self._say("variant.nothing-to-undo")
            return
        self.game.take_back()
        while self.game.history and self.game.mover not in self._people:
            self.game.take_back()
        self._show()

    def _swap(self) -> None:
        if len(self._people) == 1:
            self._people = {1 - side for side in self._people}
            self.game.swap_sides()
        sides = [self.game.side(side) for side in sorted(self._people)]
        if sides:
            self._say("variant.you-play", sides=sides)
        else:
            self._say("variant.you-watch")

    def _may_discard(self, command: str) -> bool:
        """May this command discard the game? At a terminal, an unsaved game only if it is typed twice in a row."""
        asked = command, list(self.game.history)
        if not sys.stdin.isatty() or self.game.history in ([], self._kept) or self._warned == asked:
            return True
        self._warned = asked
        self._say("play.not-saved", command=command)
        return False

    def _restart(self) -> None:
        if not self._may_discard("restart"):
            return
        self.game, self._kept = self._make_game(), []
        self._show()
