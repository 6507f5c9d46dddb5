"""Let an engine judge every remark of the coach on a set of games, and print those that it refutes.

    python tests/tools/check_remarks.py GAMES… [--engine fairy-stockfish] [--engine-nodes 1000000] [--nodes 30000]
        [--memory DIRECTORY] [--concurrency N]

GAMES are files of games as `chuhe analyze` reads them. The games are reviewed with --nodes a search; the engine then
searches, with an empty hash table each time, the positions after the move that was played and after the better one.
With --memory an interrupted check goes on, and another version of the coach asks again only what is new. A mistake of
which only the refuting line is shown has no remark.
Scores are the engine's own, in its centipawns, for the side that made the mistake. A remark is refuted if

  repeats          the law does not end the line shown as a loss; no engine is asked
  all others       the better move is not better than the move that was played by WORTH_MORE; scores beyond DECIDED are
                   the same, and so are two mates for the same side
  allows mate in n after the move and the reply shown, the engine finds no mate in n - 1 moves or fewer
  mates in n       after the better move, the engine finds no mate in n moves or fewer
  loses            the reply shown keeps less than KEPT of what the move costs, and REPLY less than all; or, along the
                   engine's line after it, the material is at no quiet point of the next four moves down by what is
                   named, less a pawn
  wins             along the engine's line after the better move, the material is at no quiet point of the first four
                   moves up by what is named, less a pawn
  threatens mate   if the other side passes, the engine finds no mate in so many moves
  holds the draw   the engine's score of the better move is below -DRAWN or above WON

A quiet point is one where neither the last move nor the next one of the engine's line is a capture.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from chuhe.bench.spread import add_worker_options, own_engine, spread, workers_of
from chuhe.coach.judgement import GRADES, Judgement, PositionSearch, judge_game
from chuhe.coach.material import WORTH
from chuhe.coach.mistakes import Remark
from chuhe.coach.wording import mistake_words
from chuhe.commands.analyze import engine_search
from chuhe.engine import BestMove, Limits, Move, Position, Score, Settings
from chuhe.files.writing import write_file
from chuhe.protocol.client import Client
from chuhe.records.files import read_games
from chuhe.records.game_record import GameRecord

WORTH_MORE, REPLY, DRAWN, WON, DECIDED = 50, 100, 60, 250, 1500  # centipawns of the engine
KEPT = 2 / 3
PAWN_WORTH = 120
QUIET_WITHIN = 8  # plies
SAVE_EVERY = 50  # answers


class Memory:
    """What searches of one game have said, kept in a file: an interrupted check goes on where it stopped."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[str, tuple[str, list[str]]] = {}
        self.unsaved = 0
        if path is not None and path.exists():
            self.known = json.loads(path.read_text())

    def get(self, key: str) -> tuple[Score, list[Move]] | None:
        if key not in self.known:
            return None
        text, line = self.known[key]
        score = Score(mate=int(text[1:])) if text.startswith("#") else Score(cp=int(text))
        return score, [Move.from_iccs(move) for move in line]

    def put(self, key: str, score: Score, line: Sequence[Move]) -> None:
        text = f"#{score.mate}" if score.mate is not None else str(score.cp)
        self.known[key] = (text, [move.iccs for move in line])
        self.unsaved += 1
        if self.unsaved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        if self.path is not None:
            write_file(self.path, json.dumps(self.known))
        self.unsaved = 0


class Referee:
    """An engine that is asked only what its memory does not know."""

    def __init__(self, client: Client, name: str, nodes: int, memory: Memory) -> None:
        self.client, self.name, self.nodes, self.memory = client, name, nodes, memory

    async def after(self, position: Position, moves: tuple[Move, ...]) -> tuple[Score, list[Move]]:
        """The score after these moves, for the side to move before them, and the line that follows."""
        game = position.copy()
        for move in moves:
            game.push(move)
        score, line = await self.search(game)
        return score if len(moves) % 2 == 0 else -score, line

    async def continued(self, position: Position, moves: tuple[Move, ...], line: list[Move]) -> list[Move]:
        """A line after these moves that the engine's hash table has cut short, searched on."""
        game = position.copy()
        for move in (*moves, *line):
            game.push(move)
        while line and len(line) < QUIET_WITHIN and game.outcome() is None:
            further = (await self.search(game))[1]
            if not further:
                break
            for move in further:
                game.push(move)
            line = [*line, *further]
        return line

    async def search(self, game: Position) -> tuple[Score, list[Move]]:
        outcome = game.outcome()
        if outcome is not None:
            return Score(cp=0) if outcome.result == "1/2-1/2" else Score(mate=0), []
        key = f"{self.name} {self.nodes} {game.fen()}"
        answer = self.memory.get(key)
        if answer is None:
            await self.client.new_game()
            found = await self.client.search(game, Limits(nodes=self.nodes))  # with its history: it may recur
            answer = found.score or Score(cp=0), list(found.pv)
            self.memory.put(key, *answer)
        return answer


def remembered(search: PositionSearch, nodes: int, memory: Memory) -> PositionSearch:
    """The review's search; what it has said before is taken from the memory."""

    def search_once(position: Position, times: int = 1) -> BestMove:
        key = f"review {nodes * times} {position.fen()}"
        answer = memory.get(key)
        if answer is None:
            found = search(position, times)
            answer = found.score, list(found.pv or ((found.move,) if found.move else ()))
            memory.put(key, *answer)
        score, line = answer
        return BestMove(line[0] if line else None, None, score, 0, nodes * times, 0, tuple(line))

    return search_once


def value(score: Score) -> int:
    if score.mate is not None:
        return DECIDED if score.mate > 0 else -DECIDED
    return max(-DECIDED, min(DECIDED, score.cp or 0))


def material(position: Position, colour: int) -> int:
    return sum(WORTH[piece.kind] * (1 if piece.colour == colour else -1) for piece in position.pieces().values())


def quiet_balances(position: Position, shown: tuple[Move, ...], line: list[Move]) -> list[int]:
    """What the first mover has gained at the quiet points of the moves shown and the engine's line after them."""
    game, mover, found = position.copy(), position.turn, []
    start, moves = material(position, mover), [*shown, *line]
    for index, move in enumerate(moves[: len(shown) + QUIET_WITHIN]):
        captured = game.is_capture(move)
        game.push(move)
        last = index + 1 == len(moves)
        if index + 1 >= len(shown) and not captured and (last or not game.is_capture(moves[index + 1])):
            found.append(material(game, mover) - start)
    if moves:
        found.append(material(game, mover) - start)
    return found


def lost_by_law(position: Position, line: tuple[Move, ...]) -> bool:
    """Whether the law ends this line as a loss for its first mover."""
    game = position.copy()
    for move in line:
        game.push(move)
    outcome = game.outcome()
    return outcome is not None and outcome.result == ("0-1" if position.turn == 0 else "1-0")


async def refutation(position: Position, played: Move, judgement: Judgement, remark: Remark, referee: Referee) -> str:
    """Why the engine does not agree; empty if it does."""
    if remark.code == "repeats":
        return "" if lost_by_law(position, remark.line) else "the law does not end the line as a loss"
    better = judgement.best_line[0]
    good, good_line = await referee.after(position, (better,))
    bad, _ = await referee.after(position, (played,))
    if value(good) - value(bad) < WORTH_MORE:
        return f"{better} {good} is not better than {played} {bad}"
    named = sum(WORTH[piece.kind] for piece in remark.pieces) - sum(WORTH[piece.kind] for piece in remark.given)
    if remark.code == "allows_mate":
        score, _ = await referee.after(position, remark.line[:2])
        if score.mate is None or score.mate > 0 or -score.mate > remark.moves - 1:
            return f"no mate in {remark.moves}: {score}"
    elif remark.code == "mates":
        if good.mate is None or good.mate < 0 or good.mate > remark.moves - 1:
            return f"no mate in {remark.moves}: {good}"
    elif remark.code in ("loses", "leaves", "allows_attack", "allows_capture"):
        score, line = await referee.after(position, remark.line[:2])
        missing = value(score) - value(bad)
        if missing > REPLY and missing > (1 - KEPT) * (value(good) - value(bad)):
            return f"{remark.line[1]} {score} does not punish it, {bad} does"
        if remark.code.startswith("allows"):
            return ""
        line = await referee.continued(position, remark.line[:2], line)
        least = min(quiet_balances(position, remark.line[:2], line))
        if least > -named + PAWN_WORTH:
            return f"it loses {-least / 100}, not {named / 100}: {' '.join(move.iccs for move in line[:8])}"
    elif remark.code == "wins":
        good_line = await referee.continued(position, (better,), good_line)
        most = max(quiet_balances(position, (better,), good_line))
        if most < named - PAWN_WORTH:
            return f"it wins {most / 100}, not {named / 100}: {' '.join(move.iccs for move in good_line[:8])}"
    elif remark.code in ("threatens_mate", "allows_threat"):
        game = position.copy()
        for move in remark.line[: remark.shown]:
            game.push(move)
        game.push_null()
        score, _ = await referee.search(Position(game.fen()))
        if score.mate is None or not 0 < score.mate <= remark.moves:
            return f"no mate in {remark.moves} is threatened: {score}"
    elif remark.code == "holds_draw" and not -DRAWN <= value(good) <= WON:
        return f"no draw: {good}"
    return ""


@dataclass
class Findings:
    """What was counted in some games."""

    moves: int = 0
    marks: Counter[str] = field(default_factory=Counter)
    spoken: Counter[str] = field(default_factory=Counter)  # of the marked moves, those with a remark
    said: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    motifs: int = 0
    changed: int = 0  # marks that three times the nodes change
    lines: list[str] = field(default_factory=list)  # to print

    def add(self, other: Findings) -> None:
        for name in ("moves", "motifs", "changed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("marks", "spoken", "said", "wrong"):
            getattr(self, name).update(getattr(other, name))


def check_game(options: argparse.Namespace, game: tuple[str, GameRecord]) -> Findings:
    """The findings of one game; runs in any process."""
    return asyncio.run(_check_game(options, *game))


async def _check_game(options: argparse.Namespace, name: str, record: GameRecord) -> Findings:
    memory = Memory(options.memory and options.memory / f"{name.replace(' ', '-')}.json")
    client = await Client.start(options.engine, options.protocol, options={"Threads": 1, "Hash": 64})
    referee = Referee(client, options.engine, options.engine_nodes, memory)

    def review(nodes: int) -> list[Judgement]:
        search = engine_search(own_engine(Settings(hash_mb=32)), Limits(nodes=nodes))
        return judge_game(record, remembered(search, nodes, memory))

    judgements = review(options.nodes)
    found, position = Findings(len(judgements)), Position(record.fen)
    if options.stability:
        again = review(3 * options.nodes)
        found.changed = sum(one.grade != other.grade for one, other in zip(judgements, again, strict=True))
    for move, judgement in zip(record.plain_moves, judgements, strict=True):
        grade = judgement.grade[1]
        remarks = [remark for remark in judgement.remarks if remark.code != "answered"]  # only a line
        found.marks[grade] += 1
        found.spoken[grade] += bool(remarks)
        for remark, message in zip(remarks, mistake_words(position, remarks, options.notation), strict=True):
            found.said[remark.code] += 1
            found.motifs += bool(remark.motif)
            fault = await refutation(position, move, judgement, remark, referee) if options.engine_nodes else ""
            found.wrong[remark.code] += bool(fault)
            if fault or options.all:
                said = f"{name}: {position.fen()} {move} {grade} {judgement.points_lost:.0f}\n  {message.text()}"
                found.lines.append(f"{said}\n  {fault}" if fault else said)
        if options.silent and grade in ("blunder", "mistake") and not remarks:
            lines = [" ".join(m.iccs for m in line[:8]) for line in (judgement.reply_line, judgement.best_line)]
            found.lines.append(f"silent: {position.fen()} {move} {grade} {judgement.best} {judgement.after}\n  {lines}")
        position.push(move)
    await client.quit()
    memory.save()
    return found


def check(options: argparse.Namespace) -> int:
    if options.memory:
        options.memory.mkdir(parents=True, exist_ok=True)
    records = [
        (f"{path.parent.name}/{path.name} {number}".replace("/", "-"), record)
        for path in options.games
        for number, record in enumerate(read_games(path), start=1)
    ][: options.count or None]
    whole = Findings()
    with spread(partial(check_game, options), records, workers_of(options)) as results:
        for found in results:
            print(*found.lines, sep="\n", end="\n" if found.lines else "", flush=True)
            whole.add(found)
    marks = ", ".join(f"{name} {whole.marks[name] / len(records):.1f}" for _, _, name in GRADES)
    print(f"{len(records)} games, {whole.moves} moves; marks a game: {marks}")
    if options.stability:
        print(f"  {whole.changed} marks change with three times the nodes ({whole.changed / whole.moves:.1%})")
    for _, _, name in GRADES:
        count, share = whole.marks[name], whole.spoken[name] / max(1, whole.marks[name])
        print(f"  {name}: {count} ({count / whole.moves:.1%} of the moves), {share:.0%} with a remark")
    for code, count in whole.said.most_common():
        print(f"  {code}: {count}, {whole.wrong[code]} refuted")
    said, wrong = whole.said.total(), whole.wrong.total()
    print(f"{said} remarks, {whole.motifs} with the name of a mate or tactic")
    print(f"  {wrong} refuted ({wrong / max(1, said):.1%}) by {options.engine}, {options.engine_nodes} nodes")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", metavar="GAMES", nargs="+", type=Path)
    parser.add_argument("--engine", default="fairy-stockfish", help="a UCI or UCCI engine")
    parser.add_argument("--protocol", default="uci1", choices=("auto", "ucci", "uci", "uci1"))
    parser.add_argument("--engine-nodes", type=int, default=1_000_000, help="a search; 0: only count what is said")
    parser.add_argument("--nodes", type=int, default=30_000, help="a search of the review")
    parser.add_argument("--count", type=int, default=0, help="so many games; 0: all")
    parser.add_argument("--memory", type=Path, help="a directory that keeps all answers; the check can be resumed")
    parser.add_argument("--stability", action="store_true", help="also review with three times the nodes")
    parser.add_argument("--all", action="store_true", help="print every remark")
    parser.add_argument("--notation", default="iccs")
    parser.add_argument("--silent", action="store_true", help="also print the mistakes without a remark")
    add_worker_options(parser)
    return check(parser.parse_args())


if __name__ == "__main__":
    raise SystemExit(main())
