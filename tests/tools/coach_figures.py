"""Figures on the coach: how many mates get a name, what is said of random mistakes, how long it takes.

    python tests/tools/coach_figures.py mates GAMES [--games N] [--show N]
    python tests/tools/coach_figures.py mistakes GAMES [--count N] [--nodes N] [--show N]

A mistake is a random legal move that loses at least 1.5 pawns against the best one. Every remark is checked by searches
ten times as long: a mate must be there and be no longer, a piece must still cost or bring at least a pawn.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from chuhe.bench.learning.game_files import read_games
from chuhe.bench.learning.game_format import Game
from chuhe.coach.judgement import clamped
from chuhe.coach.mates import named_mates
from chuhe.coach.mistakes import Remark, explain_mistake
from chuhe.coach.threats import engine_mates
from chuhe.coach.wording import mistake_words
from chuhe.engine import BestMove, Engine, Limits, Move, Position, Settings

LOSS, STILL = 150, 100  # centipawns


def moves_of(game: Game) -> list[Move]:
    return [*game.opening, *(move for move, _ in game.plies)]


def mates(path: Path, games: int, show: int, seed: int) -> None:
    names: Counter[str] = Counter()
    total = unnamed = 0
    spent, found = 0.0, []
    for number, game in enumerate(read_games([path]), start=1):
        if number > games:
            break
        position = game.start()
        for move in moves_of(game):
            position.push(move)
        if position.has_legal_moves():
            continue
        began = time.process_time()
        facts = named_mates(position)
        spent += time.process_time() - began
        total += 1
        unnamed += not facts
        names.update(fact.code for fact in facts)
        if facts:
            found.append((position, facts))
    print(f"{games} games, {total} mates, {total - unnamed} named; {1000 * spent / max(1, total):.2f} ms each")
    for code, count in names.most_common():
        print(f"  {count:>5} {code}")
    for position, facts in random.Random(seed).sample(found, min(show, len(found))):
        print(f"\n{position}\n" + "\n".join(fact.text() for fact in facts))


def mistakes(path: Path, count: int, nodes: int, show: int, seed: int) -> None:
    judge = Judge(nodes)
    said: Counter[str] = Counter()
    refuted, spent, longest = 0, 0.0, 0.0
    for number, (position, played) in enumerate(random_mistakes(path, judge, count, seed), start=1):
        best, reply = judge.search(position), judge.after(position, played)
        began = time.process_time()
        remarks = explain_mistake(
            position, played, reply.pv, best.pv, best.score, -reply.score, engine_mates(judge.engine)
        )
        taken = time.process_time() - began
        spent, longest = spent + taken, max(longest, taken)
        said.update(remark.code for remark in remarks)
        said["silent"] += not remarks
        wrong = [remark.code for remark in remarks if not judge.holds(position, played, remark)]
        refuted += bool(wrong)
        if number <= show or wrong:
            words = " ".join(str(message) for message in mistake_words(position, remarks, "iccs"))
            verdict = f"REFUTED {wrong}" if wrong else ""
            print(f"{position.fen()} {played} {best.score} {-reply.score} | {words} {verdict}".rstrip())
    print(f"{count} mistakes: {dict(said)}; {refuted} with a remark that a search ten times as long refutes")
    print(f"{1000 * spent / count:.1f} ms for an explanation, at most {1000 * longest:.1f}")


class Judge:
    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.engine = Engine(Settings(hash_mb=16, use_tables=False))

    def search(self, position: Position, times: int = 1, only: Move | None = None) -> BestMove:
        self.engine.clear_hash()
        self.engine.set_position(position)
        return self.engine.search(Limits(nodes=times * self.nodes, search_moves=(only,) if only else ()))

    def after(self, position: Position, move: Move, times: int = 1) -> BestMove:
        following = position.copy()
        following.push(move)
        return self.search(following, times)

    def holds(self, position: Position, played: Move, remark: Remark) -> bool:
        """Whether a search ten times as long says the same."""
        if remark.code == "allows_mate":
            mate = self.after(position, played, 10).score.mate
            return mate is not None and 0 < mate <= remark.moves
        if remark.code == "mates":
            mate = self.search(position, 10, remark.line[0]).score.mate
            return mate is not None and 0 < mate <= remark.moves
        if remark.code == "threatens_mate":
            return True  # the mate has been played out
        bad = -self.after(position, played, 10).score
        good = self.search(position, 10, None if remark.code == "loses_piece" else remark.line[0]).score
        return good.as_centipawns() - bad.as_centipawns() >= STILL


def random_mistakes(path: Path, judge: Judge, count: int, seed: int) -> Iterator[tuple[Position, Move]]:
    """Random moves in random positions of the games that lose enough, one a game."""
    rng = random.Random(seed)
    for game in read_games([path]):
        moves = moves_of(game)
        if len(moves) < 20 or rng.random() < 0.8:
            continue
        position = game.start()
        for move in moves[: rng.randrange(6, len(moves) - 4)]:
            position.push(move)
        played = rng.choice(position.legal_moves)
        best = judge.search(position)
        following = position.copy()
        following.push(played)
        if following.outcome() is not None or best.move == played:
            continue
        if clamped(best.score) - clamped(-judge.search(following).score) >= LOSS:
            yield position, played
            count -= 1
            if not count:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("mates", "mistakes"))
    parser.add_argument("games_file", metavar="GAMES", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--seed", type=int, default=25)
    options = parser.parse_args()
    if options.what == "mates":
        mates(options.games_file, options.games, options.show, options.seed)
    else:
        mistakes(options.games_file, options.count, options.nodes, options.show, options.seed)


if __name__ == "__main__":
    main()
