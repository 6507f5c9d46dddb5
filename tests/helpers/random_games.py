"""Random games with variations, comments, marks and tags, for round trips through file formats."""

from __future__ import annotations

import random

from random_play import play_at_random, random_position

from chuhe.engine import Position
from chuhe.engine.values import Result
from chuhe.records.game_record import GameRecord
from chuhe.records.game_tree import GameTree, Node

COMMENTS = (
    "good",
    "红方先手",
    "中炮對屏風馬，車一平二。",
    'said "no" [Red "x"]',
    "a || b [DhtmlXQ_movelist]0000[/DhtmlXQ_movelist] <br> \\u0041",
    "+0.35/12",
    "🀄 ×½ é",
    "马8进7; (not) 50%",
    "two\nlines { and } braces",
    '[Red "x"]',
)
MARKS = ("!", "?", "!!", "??", "!?", "?!")
NAMES = ("胡荣华", "Chuhe (level 10)", "柳大华 [湖北]", 'The "Fish"', "a" * 40, "許銀川\\")
TAGS = ("Event", "Site", "Date", "Round", "Red", "Black", "Title", "Opening", "ECO", "Annotator", "RedTeam")
RESULTS: tuple[Result, ...] = ("*", "1-0", "0-1", "1/2-1/2")


def random_tree(rng: random.Random, moves: int = 60, variations: int = 8) -> GameTree:
    """A game from the start or from some position with counters, with variations at any depth."""
    tree = GameTree(random_position(rng, rng.randrange(40)).fen() if rng.random() < 0.3 else Position().fen())
    _play(rng, tree, tree.root, rng.randrange(1, moves))
    vary(rng, tree, variations)
    decorate(rng, tree)
    return tree


def vary(rng: random.Random, tree: GameTree, most: int) -> None:
    """Add a number of variations, of variations too."""
    for _ in range(rng.randrange(most + 1)):
        _play(rng, tree, rng.choice(list(tree.nodes.values())), rng.randrange(1, 8))


def decorate(rng: random.Random, tree: GameTree) -> None:
    """Comments, marks, tags and a result."""
    for node in tree:
        if rng.random() < 0.2:
            node.comment = " ".join(rng.sample(COMMENTS, rng.randrange(1, 3)))
        if rng.random() < 0.1 and node.move is not None:
            node.mark = rng.choice(MARKS)
    tree.tags.update({tag: rng.choice(NAMES) for tag in rng.sample(TAGS, rng.randrange(len(TAGS)))})
    tree.result = rng.choice(RESULTS)


def random_record(rng: random.Random) -> GameRecord:
    return random_tree(rng).to_record()


def _play(rng: random.Random, tree: GameTree, node: Node, plies: int) -> None:
    for position in play_at_random(rng, plies, tree.position(node)):
        node = tree.add(node, position.move_stack[-1])
