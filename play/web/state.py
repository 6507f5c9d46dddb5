"""A room as sent to the page: plain data made from the game and its tree. No side effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import Engine, Law, Move, Position
from engine._core import evaluation_terms, static_evaluation
from engine.book import Book
from engine.game_tree import GameTree, Node
from engine.notation import NOTATIONS, Notation, move_text
from engine.values import Score
from play.judgement import Judgement, clamped
from play.score_words import words_for_score
from play.view import view_of
from play.web.opinions import opinions
from play.xiangqi_game import XiangqiGame, turn_of

LINE_PLIES = 14  # shown of an engine's line


@dataclass
class Texts:
    """The moves of a tree as text, each computed once."""

    rows: dict[int, list[Any]] = field(default_factory=dict)

    def of(self, tree: GameTree) -> dict[int, list[Any]]:
        """By node: the move in every notation, its number, and whether it gives check."""
        position = Position(tree.fen)
        path: list[Node] = []
        for node in tree:
            if node.parent is None or node.id in self.rows:
                continue
            while path and path[-1] is not node.parent:
                path.pop()
                position.pop()
            missing = node.path()[len(path) : -1]
            for step in missing:
                assert step.move is not None
                position.push(step.move)
            path += missing
            assert node.move is not None
            turn = turn_of(position, node.move)
            position.push(node.move)
            path.append(node)
            self.rows[node.id] = [*(turn.texts[name] for name in NOTATIONS), turn.number, position.is_check()]
        return self.rows


def tree_json(tree: GameTree, texts: Texts, judged: Mapping[int, Judgement]) -> dict[str, Any]:
    """The whole tree: parents before children, children in order."""
    words = texts.of(tree)
    nodes = []
    for node in tree:
        row: dict[str, Any] = {"id": node.id, "parent": node.parent.id if node.parent else None}
        if node.move is not None:
            *moves, number, check = words[node.id]
            row |= {"move": node.move.iccs, "texts": moves, "number": number}
            if check:
                row["check"] = True
        if node.comment:
            row["comment"] = node.comment
        if node.mark:
            row["mark"] = node.mark
        if node.id in judged:
            row["judged"] = judgement_json(judged[node.id])
        nodes.append(row)
    return {"fen": tree.fen, "tags": tree.tags, "nodes": nodes}


def judgement_json(judgement: Judgement) -> dict[str, Any]:
    return {
        "score": str(judgement.for_red),
        "value": clamped(judgement.for_red),
        "loss": judgement.loss,
        "grade": judgement.grade[1],
        "depth": judgement.depth,
        "best": judgement.best_line[0].iccs if judgement.best_line else None,
    }


def cursor_json(tree: GameTree, node: Node, law: Law, engine: Engine) -> dict[str, Any]:
    """The position shown: the position itself, its legal moves and its evaluation."""
    position = tree.position(node)
    outcome = position.outcome(law)
    view = view_of(tree, node)
    return {
        "node": node.id,
        "fen": position.fen(),
        "turn": view.turn,
        "check": view.checked_king,
        "captured": "".join(view.captured),
        "moves": [] if outcome and not position.has_legal_moves() else [move.iccs for move in position.legal_moves],
        "outcome": {"result": outcome.result, "text": outcome.text} if outcome else None,
        "evaluation": {**evaluation_json(position), "opinions": opinions(engine, position)},
    }


def evaluation_json(position: Position) -> dict[str, Any]:
    """The evaluation's terms for Red and Black, middle game and endgame; and their sum, also in words."""
    score = Score(cp=static_evaluation(position))
    return {
        "terms": [list(row) for row in evaluation_terms(position)],
        "score": str(score if position.turn == 0 else -score),
        "words": words_for_score(score, position.turn),
    }


def line_json(position: Position, moves: tuple[Move, ...], notations: set[Notation]) -> dict[str, Any]:
    """An engine's line, in the notations that are in use."""
    board = position.copy()
    played: list[str] = []
    texts: dict[str, list[str]] = {notation: [] for notation in notations}
    for move in moves[:LINE_PLIES]:
        if not board.is_legal(move):
            break
        for notation in notations:
            texts[notation].append(move_text(board, move, notation))
        played.append(move.iccs)
        board.push(move)
    return {"moves": played, "texts": texts}


def score_json(score: Score, turn: int) -> dict[str, Any]:
    """For Red: as text, and as centipawns within ±10 pawns for the bar."""
    for_red = score if turn == 0 else -score
    return {"score": str(for_red), "value": clamped(for_red)}


def book_json(book: Book | None, results: Mapping[str, list[int]], position: Position) -> list[dict[str, Any]]:
    """The book's moves here with their weights, and the results of the games it was built from."""
    choices = book.probe(position) if book is not None else []
    total = sum(weight for _, weight in choices)
    rows = [
        {
            "move": move.iccs,
            "texts": [move_text(position, move, notation) for notation in NOTATIONS],
            "weight": weight,
            "share": round(100 * weight / total, 1),
            "results": results.get(move.iccs),
        }
        for move, weight in choices
    ]
    known = {row["move"] for row in rows}
    for text, result in results.items():
        move = Move.from_iccs(text)
        if text not in known and position.is_legal(move):
            texts = [move_text(position, move, notation) for notation in NOTATIONS]
            rows.append({"move": text, "texts": texts, "weight": 0, "share": 0.0, "results": result})
    return rows


def clock_json(game: XiangqiGame) -> dict[str, Any] | None:
    if game.clock is None:
        return None
    red, black = game.clock.stocks()
    return {"red": red, "black": black, "running": game.clock.running, "byoyomi": game.clock.control.byoyomi}
