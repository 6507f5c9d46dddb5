"""`chuhe play --variant chess|draughts|squatter`: a game in the terminal, a person against the computer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from chuhe.common.arguments import Given
from chuhe.common.command_line import Parser, fault_text, seconds, whole_number
from chuhe.engine.input_files import read_input
from chuhe.engine.safe_files import OutputError, check_output, write_file
from chuhe.engine.text_numbers import parse_whole
from chuhe.play.variant_games import GAMES, HIGHEST_LEVEL, MoveError, Setup, VariantGame
from chuhe.play.waiting import wait_for

SIDES: dict[str, tuple[int, ...]] = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}
HELP = """\
A move is typed as {example}. Commands:
  moves     the legal moves            undo      take back your last move and the answer to it
  display   the board                  swap      change sides
  history   the moves so far           restart   a new game
  go        let the computer move      quit      leave
  hint      what the computer advises  level N   plies it thinks ahead, 1 to 9; 10: all its time
  save FILE the game as text           Ctrl-C    while the computer thinks: move now"""


def arguments_parser(variant: str) -> argparse.ArgumentParser:
    parser = Parser(prog=f"chuhe play --variant {variant}", description=__doc__)
    game = GAMES[variant]
    first, second = game.sides
    parser.add_argument("--side", choices=tuple(SIDES), default="first",
                        help=f"what you play: first is {first}, second is {second}")  # fmt: skip
    parser.add_argument(
        "--time", type=seconds(), default=2.0, metavar="SECONDS", help="the computer's seconds per move"
    )
    parser.add_argument("--movetime", type=whole_number(1), help=argparse.SUPPRESS)  # its older name, in milliseconds
    parser.add_argument("--depth", type=whole_number(1), metavar="N", help="plies instead of a time")
    if game.takes_fen:
        parser.add_argument("--fen", default="", help="start from this position")
    else:
        parser.add_argument("--board", metavar="FILE", help="start from this board")
    if game.takes_size:
        parser.add_argument("--size", type=whole_number(1), default=6, metavar="N", help="the board's size")
    return parser


def main(variant: str, arguments: list[str]) -> int:
    """Play a game of `GAMES`."""
    parser = arguments_parser(variant)
    options = parser.parse_args(arguments)
    given = Given(parser, arguments)
    if options.depth:
        given.refuse("time movetime", "with --depth, which replaces it")
    if getattr(options, "board", None):
        given.refuse("size", "with --board, which gives the size")
    try:
        start = getattr(options, "fen", "")
        if getattr(options, "board", None):
            start = read_input(options.board).decode("utf-8", "replace")
        setup = Setup(
            options.movetime or max(1, round(options.time * 1000)),
            options.depth or 0,
            start,
            getattr(options, "size", 6),
        )
        game = GAMES[variant]
        table = VariantLoop(lambda: game(setup), SIDES[options.side])
    except (OSError, ValueError) as error:
        print(f"chuhe play: {fault_text(error)}", file=sys.stderr)
        return 2
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
                print(f"The game is over: {result}.")
                if not self._people:
                    return
            elif self.game.mover not in self._people:
                self._computer()
                continue
            try:
                text = input(f"{self.game.sides[self.game.mover]}> " if result is None else "over> ").strip()
            except EOFError:
                return
            if text.lower() in ("quit", "exit", "q"):
                return
            self.obey(text)

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
            print("The game is over. Type undo, restart or quit.")
        elif text:
            try:
                self.game.play(text)
            except MoveError as error:
                print(f"{error} (help lists the commands)")
            else:
                self._show()

    def _show(self) -> None:
        print(f"\n{self.game.board(self._people == {1})}\n", flush=True)

    def _computer(self) -> None:
        if self.game.result() is not None:
            return
        side = self.game.sides[self.game.mover]
        print(f"{side} plays {wait_for(self.game.think, self.game.hurry)}")
        self._show()

    def _hint(self) -> None:
        if self.game.result() is not None:
            print("The game is over.")
            return
        print("Thinking …", flush=True)
        print(f"Hint: {wait_for(self.game.hint, self.game.hurry)}")

    def _level(self, text: str) -> None:
        level = parse_whole(text, 1, HIGHEST_LEVEL)
        if level is None:
            print(f"Type level and a number from 1 to {HIGHEST_LEVEL}.")
            return
        self.game.set_level(level)
        print(f"Level {level} of {HIGHEST_LEVEL}.")

    def _save(self, name: str) -> None:
        if not name:
            print("Type save and the name of a file.")
            return
        path = Path(name).expanduser()
        try:
            check_output(path, ours=lambda head: path in self._saved)
            write_file(path, self.game.record())
        except OutputError as error:
            print(str(error).replace("; use --force to replace it", ""))
            return
        self._saved.add(path)
        print(f"Saved {path}.")

    def _help(self) -> None:
        print(HELP.format(example=self.game.example))

    def _history(self) -> None:
        pairs = [" ".join(self.game.history[i : i + 2]) for i in range(0, len(self.game.history), 2)]
        print("\n".join(f"{number}. {pair}" for number, pair in enumerate(pairs, 1)) or "no moves yet")

    def _undo(self) -> None:
        """Goes back to the person's previous move."""
        if not self.game.history:
            print("There is no move to take back.")
            return
        self.game.take_back()
        while self.game.history and self.game.mover not in self._people:
            self.game.take_back()
        self._show()

    def _swap(self) -> None:
        if len(self._people) == 1:
            self._people = {1 - side for side in self._people}
            self.game.swap_sides()
        print(f"You play {' and '.join(self.game.sides[side] for side in sorted(self._people)) or 'nobody'} now.")

    def _restart(self) -> None:
        self.game = self._make_game()
        self._show()
