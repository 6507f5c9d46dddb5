"""Let an engine judge every remark of the coach on a set of games, and print those that it refutes.

    python tests/tools/check_remarks.py GAMES… [--engine fairy-stockfish] [--engine-nodes 1000000] [--nodes 30000]

GAMES are files of games as `chuhe analyze` reads them. The games are reviewed with --nodes a search; the engine then
searches, with an empty hash table each time, the positions after the move that was played and after the better one.
Scores are the engine's own, in its centipawns, for the side that made the mistake. A remark is refuted if

  every remark     the better move is not better than the move that was played by WORTH_MORE; scores beyond DECIDED are
                   the same, and so are two mates for the same side
  allows mate in n after the move and the reply shown, the engine finds no mate in n - 1 moves or fewer
  mates in n       after the better move, the engine finds no mate in n moves or fewer
  loses            the reply shown keeps less than KEPT of what the move costs, and REPLY less than all; or, along the
                   engine's line after it, the material is at no quiet point of the next four moves down by what is
                   named, less a pawn
  wins             along the engine's line after the better move, the material is at no quiet point of the first four
                   moves up by what is named, less a pawn
  threatens mate   if the other side passes, the engine finds no mate in so many moves
  holds the draw   the engine's score of the better move is outside ±DRAWN

A quiet point is one where neither the last move nor the next one of the engine's line is a capture.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from pathlib import Path

from chuhe.coach.judgement import GRADES, Judgement, judge_game
from chuhe.coach.material import WORTH
from chuhe.coach.mistakes import Remark
from chuhe.coach.wording import mistake_words
from chuhe.commands.analyze import engine_search
from chuhe.engine import Engine, Limits, Move, Position, Score, Settings
from chuhe.protocol.client import Client
from chuhe.records.files import read_games

WORTH_MORE, REPLY, DRAWN, DECIDED = 50, 100, 60, 1500  # centipawns of the engine
KEPT = 2 / 3
PAWN_WORTH = 120
QUIET_WITHIN = 8  # plies


class Referee:
    """An engine, with a memory of what it has said."""

    def __init__(self, client: Client, nodes: int, memory: Path | None) -> None:
        self.client, self.nodes, self.memory = client, nodes, memory
        self.known: dict[str, tuple[str, list[str]]] = {}
        if memory is not None and memory.exists():
            self.known = json.loads(memory.read_text())

    async def after(self, position: Position, moves: tuple[Move, ...]) -> tuple[Score, list[Move]]:
        """The score after these moves, for the side to move before them, and the line that follows."""
        game = position.copy()
        for move in moves:
            game.push(move)
        score, line = await self.search(game)
        return score if len(moves) % 2 == 0 else -score, line

    async def search(self, game: Position) -> tuple[Score, list[Move]]:
        outcome = game.outcome()
        if outcome is not None:
            if outcome.result == "1/2-1/2":
                return Score(cp=0), []
            return Score(mate=0), []
        key = f"{game.fen()} {self.nodes}"
        if key not in self.known:
            await self.client.new_game()
            found = await self.client.search(Position(game.fen()), Limits(nodes=self.nodes))
            score = found.score or Score(cp=0)
            text = f"#{score.mate}" if score.mate is not None else str(score.cp)
            self.known[key] = (text, [move.iccs for move in found.pv])
            if self.memory is not None and len(self.known) % 20 == 0:
                self.save()
        text, line = self.known[key]
        score = Score(mate=int(text[1:])) if text.startswith("#") else Score(cp=int(text))
        return score, [Move.from_iccs(move) for move in line]

    def save(self) -> None:
        if self.memory is not None:
            self.memory.write_text(json.dumps(self.known))


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


async def refutation(position: Position, played: Move, judgement: Judgement, remark: Remark, referee: Referee) -> str:
    """Why the engine does not agree; empty if it does."""
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
    elif remark.code in ("loses", "leaves", "allows_attack", "allows_capture", "allows_check"):
        score, line = await referee.after(position, remark.line[:2])
        missing = value(score) - value(bad)
        if missing > REPLY and missing > (1 - KEPT) * (value(good) - value(bad)):
            return f"{remark.line[1]} {score} does not punish it, {bad} does"
        if remark.code.startswith("allows"):
            return ""
        least = min(quiet_balances(position, remark.line[:2], line))
        if least > -named + PAWN_WORTH:
            return f"it loses {-least / 100}, not {named / 100}: {' '.join(move.iccs for move in line[:8])}"
    elif remark.code == "wins":
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
    elif remark.code == "holds_draw" and abs(value(good)) > DRAWN:
        return f"no draw: {good}"
    return ""


async def check(options: argparse.Namespace) -> int:
    client = await Client.start(options.engine, options.protocol, options={"Threads": 1, "Hash": 64})
    referee = Referee(client, options.engine_nodes, options.memory)
    engine = Engine(Settings(hash_mb=32))
    search = engine_search(engine, Limits(nodes=options.nodes))
    said: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    marks: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    moves = games = 0
    for path in options.games:
        for number, record in enumerate(read_games(path), start=1):
            if options.count and games == options.count:
                break
            games += 1
            engine.clear_hash()
            position = Position(record.fen)
            for move, judgement in zip(record.plain_moves, judge_game(record, search), strict=True):
                moves += 1
                name = judgement.grade[1]
                marks[name] += 1
                spoken[name] += bool(judgement.remarks)
                words = mistake_words(position, judgement.remarks, options.notation)
                for remark, message in zip(judgement.remarks, words, strict=True):
                    said[remark.code] += 1
                    fault = await refutation(position, move, judgement, remark, referee) if options.engine_nodes else ""
                    wrong[remark.code] += bool(fault)
                    if fault:
                        print(f"{path.name} {number}: {position.fen()} {move} {name}\n  {message.text()}\n  {fault}")
                if options.silent and name in ("blunder", "mistake") and not judgement.remarks:
                    lines = [" ".join(m.iccs for m in line[:8]) for line in (judgement.reply_line, judgement.best_line)]
                    print(f"silent: {position.fen()} {move} {name} {judgement.best} {judgement.after}\n  {lines}")
                position.push(move)
            referee.save()
    await client.quit()
    print(f"{games} games, {moves} moves")
    for _, _, name in GRADES:
        share = spoken[name] / max(1, marks[name])
        print(f"  {name}: {marks[name]} ({marks[name] / max(1, moves):.1%} of the moves), {share:.0%} with a remark")
    whole, bad = sum(said.values()), sum(wrong.values())
    for code, count in said.most_common():
        print(f"  {code}: {count}, {wrong[code]} refuted")
    print(
        f"{whole} remarks, {bad} refuted ({bad / max(1, whole):.1%}) by {options.engine}, {options.engine_nodes} nodes"
    )
    return 1 if bad else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", metavar="GAMES", nargs="+", type=Path)
    parser.add_argument("--engine", default="fairy-stockfish", help="a UCI or UCCI engine")
    parser.add_argument("--protocol", default="uci1", choices=("auto", "ucci", "uci", "uci1"))
    parser.add_argument("--engine-nodes", type=int, default=1_000_000, help="a search; 0: only count what is said")
    parser.add_argument("--nodes", type=int, default=30_000, help="a search of the review")
    parser.add_argument("--count", type=int, default=0, help="so many games; 0: all")
    parser.add_argument("--memory", type=Path, help="a file that keeps the engine's answers")
    parser.add_argument("--notation", default="iccs")
    parser.add_argument("--silent", action="store_true", help="also print the mistakes without a remark")
    return asyncio.run(check(parser.parse_args()))


if __name__ == "__main__":
    raise SystemExit(main())
