"""Round trips through the formats of other programs: PGN → UBB → PGN, PGN → XQF → PGN, OBK → ours → OBK.

    python tests/tools/round_trips.py [GAMES]

The games (500) are those of the bundled book with random variations, comments, marks and tags, and random games. Each
is written and read, and compared with what it was; XQF is also read by cchess. Ends with 1 if anything was lost.
"""

from __future__ import annotations

import random
import sys
import tempfile
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import cchess

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from random_games import decorate, random_tree, vary  # noqa: E402

from chuhe.records.books.book import Book, FileBook  # noqa: E402
from chuhe.records.books.pages import BookRecipe, pages_of_book, pages_of_games  # noqa: E402
from chuhe.records.books.writing import write_obk, write_own  # noqa: E402
from chuhe.records.files import read_games  # noqa: E402
from chuhe.records.game_record import GameRecord  # noqa: E402
from chuhe.records.game_tree import GameTree, Node  # noqa: E402
from chuhe.records.pgn import format_pgn, parse_pgn  # noqa: E402
from chuhe.records.steps import known_tags  # noqa: E402
from chuhe.records.ubb import format_ubb, parse_ubb  # noqa: E402
from chuhe.records.xqf import format_xqf, parse_xqf  # noqa: E402

SEED = 24
CCHESS_PLIES = 250  # it reads recursively


def games(count: int) -> list[GameRecord]:
    """Half of them from the start position by our engine, if there are as many; the others random."""
    rng = random.Random(SEED)
    played = [GameTree.from_record(game) for game in read_games(ROOT / "chuhe/web/data/book_games.pgn")]
    found = []
    for tree in played[: count // 2]:
        vary(rng, tree, 8)
        decorate(rng, tree)
        record = tree.to_record()
        found.append(replace(record, tags=known_tags(record)))  # a tag that says "?" is as good as none
    while len(found) < count:
        found.append(random_tree(rng).to_record())
    return found


def cchess_moves(children: list[Any]) -> list[Any]:
    return [[str(move), cchess_moves(move.get_children())] for move in children]


def our_moves(node: Node) -> list[Any]:
    return [[str(child.move), our_moves(child)] for child in node.children]


def check_games(records: list[GameRecord]) -> int:
    trees = [GameTree.from_record(record) for record in records]
    moves = sum(map(len, trees))
    comments = sum(bool(node.comment) for tree in trees for node in tree)
    branches = sum(max(0, len(node.children) - 1) for tree in trees for node in tree)
    print(f"{len(records)} games: {moves:,} moves, {branches:,} variations, {comments:,} comments")
    lost = {"PGN": 0, "UBB": 0, "XQF": 0, "XQF by cchess": 0}
    read_by_cchess = 0
    for record, tree in zip(records, trees, strict=True):
        (from_pgn,) = parse_pgn(format_pgn(record))
        lost["PGN"] += format_pgn(from_pgn) != format_pgn(record)
        (from_ubb,) = parse_ubb(format_ubb(from_pgn))
        lost["UBB"] += from_ubb != record
        data = format_xqf(from_pgn)
        lost["XQF"] += parse_xqf(data) != record
        if max(len(node.path()) for node in tree) < CCHESS_PLIES:
            with tempfile.NamedTemporaryFile(suffix=".xqf") as file:
                file.write(data)
                file.flush()
                with redirect_stdout(None):  # cchess prints
                    theirs = cchess_moves(cchess.read_from_xqf(file.name).get_children())
            read_by_cchess += 1
            lost["XQF by cchess"] += theirs != our_moves(tree.root)
    for name, count in lost.items():
        of = read_by_cchess if name == "XQF by cchess" else len(records)
        print(f"{name}: {of - count} of {of} the same")
    return sum(lost.values())


def contents(path: Path) -> dict[str, dict[str, int]]:
    book = Book.load(path)
    assert isinstance(book, FileBook)
    return {
        page.position.fen(): {str(move): entry.weight for move, entry in page.entries.items() if entry.weight}
        for page in pages_of_book(book)
    }


def check_books(records: list[GameRecord]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        first, own, second = (Path(folder) / name for name in ("first.obk", "own.bin", "second.obk"))
        rows = write_obk(first, pages_of_games(records, BookRecipe(plies=30)))
        book = Book.load(first)
        assert isinstance(book, FileBook)
        converted = write_own(own, pages_of_book(book))
        book = Book.load(own)
        assert isinstance(book, FileBook)
        back = write_obk(second, pages_of_book(book))
        same = contents(first) == contents(second)
    verdict = "the same" if same else "NOT the same"
    print(f"OBK → ours → OBK: {rows:,} rows, {converted:,} moves, {back:,} rows: {verdict}")
    return 0 if same and rows == converted == back else 1


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    records = games(count)
    lost = check_games(records)
    started = [record for record in records if record.fen == GameRecord().fen]
    return 1 if lost + check_books(started) else 0


if __name__ == "__main__":
    sys.exit(main())
