"""A room as sent to the page: plain data made from the game and its tree. No side effects."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import cast

from chuhe.coach.judgement import Judgement, clamped
from chuhe.coach.mistakes import explain_best
from chuhe.coach.score_words import words_for_score
from chuhe.coach.wording import merit_words, mistake_words
from chuhe.engine import RED, START_FEN, Engine, Law, Move, Outcome, Position
from chuhe.engine._core import evaluation_terms, static_evaluation
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.engine.score_scale import shown
from chuhe.engine.values import Score
from chuhe.play.view import view_of
from chuhe.play.xiangqi_game import Ending, XiangqiGame, turn_of
from chuhe.records.books.book import Book, BookError
from chuhe.records.game_tree import GameTree, Node
from chuhe.records.openings import opening_name
from chuhe.records.pgn import GLYPHS
from chuhe.text.message import Message
from chuhe.web.opinions import opinions
from chuhe.web.outgoing import (
    BookMove,
    ClockData,
    Cursor,
    EndingData,
    EvaluationData,
    Grade,
    Judged,
    MessageData,
    NodeData,
    Scored,
    TreeData,
)

LINE_PLIES = 14  # shown of an engine's line


def message_json(message: Message) -> MessageData:
    return cast(MessageData, message.to_json())


@dataclass(frozen=True)
class MoveTexts:
    """A move of a tree as text, in the order of NOTATIONS."""

    texts: list[str]
    number: int
    check: bool


@dataclass
class Texts:
    """The moves of a tree as text, each computed once."""

    rows: dict[int, MoveTexts] = field(default_factory=dict)

    def of(self, tree: GameTree) -> dict[int, MoveTexts]:
        """By node."""
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
            texts = [turn.texts[name] for name in NOTATIONS]
            self.rows[node.id] = MoveTexts(texts, turn.number, position.is_check())
        return self.rows


def tree_json(tree: GameTree, texts: Texts, judged: Mapping[int, Judgement]) -> TreeData:
    """The whole tree: parents before children, children in order."""
    words = texts.of(tree)
    nodes = []
    for node in tree:
        row: NodeData = {"id": node.id, "parent": node.parent.id if node.parent else None}
        if node.move is not None:
            made = words[node.id]
            row |= {"move": node.move.iccs, "texts": made.texts, "number": made.number}
            if made.check:
                row["check"] = True
        if node.comment:
            row["comment"] = node.comment
        if node.mark:
            row["mark"] = node.mark
        if node.nags:
            row["glyphs"] = " ".join(GLYPHS.get(number, f"${number}") for number in node.nags)
        if node.id in judged:
            assert node.parent is not None
            row["judged"] = judgement_json(judged[node.id], tree.position(node.parent))
        nodes.append(row)
    return {"fen": tree.fen, "tags": dict(tree.tags), "nodes": nodes}


def judgement_json(judgement: Judgement, position: Position) -> Judged:
    """A judgement of a move from this position; on a mistake, with what is proven of it."""
    delivered = judgement.after.mate == 1 and not judgement.reply_line  # the game ended with this move
    data: Judged = {
        "score": ("#" if judgement.colour == RED else "#−") if delivered else str(judgement.for_red),
        "value": clamped(judgement.for_red),
        "loss": judgement.loss,
        "grade": cast(Grade, judgement.grade[1]),
        "accuracy": judgement.accuracy,
        "depth": judgement.depth,
        "best": judgement.best_line[0].iccs if judgement.best_line else None,
    }
    if judgement.remarks:
        data["remarks"] = {
            notation: [message_json(message) for message in mistake_words(position, judgement.remarks, notation)]
            for notation in NOTATIONS
        }
        data["squares"] = sorted({square for remark in judgement.remarks for square in remark.squares})
    return data


def opening_json(tree: GameTree, node: Node) -> MessageData | None:
    """The name of the opening that leads to a node, if it has one."""
    moves = (step.move for step in node.path() if step.move is not None)
    opening = opening_name(moves) if tree.fen == START_FEN else None
    return message_json(opening) if opening else None


def cursor_json(tree: GameTree, node: Node, law: Law, engine: Engine) -> Cursor:
    """The position shown: the position itself, its legal moves and its evaluation."""
    position = tree.position(node)
    outcome = position.outcome(law)
    view = view_of(tree, node)
    return {
        "node": node.id,
        "fen": position.fen(),
        "turn": view.turn,
        "check": view.checked_king,
        "moves": [] if outcome and not position.has_legal_moves() else [move.iccs for move in position.legal_moves],
        "outcome": ending_json(outcome) if outcome else None,
        "opening": opening_json(tree, node),
        "evaluation": evaluation_json(position, engine),
    }


def ending_json(ending: Ending | Outcome) -> EndingData:
    return {"result": ending.result, "message": message_json(ending.message)}


def term_name(name: str) -> Message:
    """The name of an evaluation term, `king safety`, for people."""
    return Message(f"term.{name.replace(' ', '-')}")


def evaluation_json(position: Position, engine: Engine) -> EvaluationData:
    """The evaluation's terms for Red and Black, middle game and endgame; and their sum, also in words."""
    score = Score(cp=shown(static_evaluation(position)))
    return {
        "terms": [
            {"name": message_json(term_name(name)), "red": red, "black": black}
            for name, *values in evaluation_terms(position)
            for red, black in [(values[:2], values[2:])]
        ],
        "score": str(score if position.turn == 0 else -score),
        "words": message_json(words_for_score(score, position.turn)),
        "opinions": opinions(engine, position),
    }


def line_json(
    position: Position, moves: tuple[Move, ...], notations: AbstractSet[Notation]
) -> tuple[list[str], dict[Notation, list[str]]]:
    """An engine's line as ICCS, and as text in the notations that are in use."""
    board = position.copy()
    played: list[str] = []
    texts: dict[Notation, list[str]] = {notation: [] for notation in notations}
    for move in moves[:LINE_PLIES]:
        if not board.is_legal(move):
            break
        for notation in notations:
            texts[notation].append(move_text(board, move, notation))
        played.append(move.iccs)
        board.push(move)
    return played, texts


def merit_json(
    position: Position, line: tuple[Move, ...], score: Score, notations: AbstractSet[Notation]
) -> dict[Notation, MessageData]:
    """What the best move does, in the notations that are in use; empty if its line proves nothing."""
    remark = explain_best(position, line, score)
    if remark is None:
        return {}
    return {notation: message_json(merit_words(position, remark, notation)) for notation in notations}


def score_json(score: Score, turn: int) -> Scored:
    """For Red: as text, and as centipawns within ±10 pawns for the bar."""
    for_red = score if turn == 0 else -score
    return {"score": str(for_red), "value": clamped(for_red)}


def book_json(book: Book | None, results: Mapping[str, list[int]], position: Position) -> list[BookMove]:
    """The book's moves here with their weights, and the results of the games it was built from."""
    try:
        choices = book.probe(position) if book is not None else []
    except BookError:  # the file has become unreadable: as if it had no move here
        choices = []
    total = sum(weight for _, weight in choices)
    rows: list[BookMove] = [
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


def clock_json(game: XiangqiGame) -> ClockData | None:
    if game.clock is None:
        return None
    red, black = game.clock.stocks()
    return {"red": red, "black": black, "running": game.clock.running, "byoyomi": game.clock.control.byoyomi}
