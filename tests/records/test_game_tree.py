from dataclasses import replace

import pytest

from chuhe.engine import IllegalMoveError, Move
from chuhe.records.game_tree import GameTree, Node, TreeError
from chuhe.records.pgn import format_pgn, parse_pgn

TEXT = "{start} 1. h2e2! ({why not} 1. c3c4 g6g5 (1... b7g7 2. b2e2) 2. b0c2) 1... h9g7 {good} 2. h0g2 *"


def move(text: str) -> Move:
    return Move.from_iccs(text)


def grown(*lines: str) -> GameTree:
    tree = GameTree()
    for line in lines:
        tree.add_line(tree.root, map(move, line.split()))
    return tree


def moves(nodes: list[Node]) -> str:
    return " ".join(str(node.move) for node in nodes)


def test_a_game_with_nested_variations_becomes_a_tree_and_back() -> None:
    (record,) = parse_pgn(TEXT)
    tree = GameTree.from_record(record)
    assert len(tree) == 8
    assert moves(tree.main_line()) == "h2e2 h9g7 h0g2"
    assert tree.root.comment == "start"
    assert tree.to_record() == record
    (again,) = parse_pgn(format_pgn(tree.to_record(), "chinese"))
    assert replace(again, tags={}) == record


def test_a_move_that_is_there_is_not_made_twice() -> None:
    tree = grown("h2e2 h9g7", "h2e2 b9c7")
    assert len(tree) == 3
    assert tree.add(tree.root, move("h2e2")) is tree.root.children[0]
    with pytest.raises(IllegalMoveError, match="same side"):
        tree.add(tree.root, move("a0a3"))
    assert len(tree) == 3


def test_a_move_can_be_added_as_the_main_line() -> None:
    tree = grown("h2e2 h9g7")
    tree.add(tree.root.children[0], move("b9c7"), as_main=True)
    assert moves(tree.main_line()) == "h2e2 b9c7"
    assert moves(tree.root.children[0].children) == "b9c7 h9g7"


def test_promoting_lifts_the_variation_of_a_node_where_it_branches_off() -> None:
    tree = grown("h2e2 h9g7 h0g2", "h2e2 b9c7 h0g2", "c3c4")
    deep = tree.root.children[0].children[1].children[0]
    tree.promote(deep)
    assert moves(tree.main_line()) == "h2e2 b9c7 h0g2"
    with pytest.raises(TreeError, match="main line already"):
        tree.promote(deep)
    tree.promote(tree.root.children[1])
    assert moves(tree.main_line()) == "c3c4"


def test_deleting_takes_everything_below() -> None:
    tree = grown("h2e2 h9g7 h0g2", "h2e2 b9c7")
    gone = tree.root.children[0].children[0]
    assert tree.delete(gone) is tree.root.children[0]
    assert len(tree) == 2
    assert moves(tree.main_line()) == "h2e2 b9c7"
    with pytest.raises(TreeError, match="no move number"):
        tree[gone.id]
    with pytest.raises(TreeError, match="cannot be deleted"):
        tree.delete(tree.root)


def test_positions_know_their_history() -> None:
    tree = grown("h2e2 h9g7")
    position = tree.position(tree.end())
    assert [str(played) for played in position.move_stack] == ["h2e2", "h9g7"]
    assert tree.end().is_below(tree.root)
    assert not tree.root.is_below(tree.end())


def test_numbers_survive_being_kept() -> None:
    tree = GameTree.from_record(parse_pgn(TEXT)[0])
    tree.delete(tree.root.children[1].children[0])
    again = GameTree.from_json(tree.to_json())
    assert again.to_json() == tree.to_json()
    assert {node.id: str(node.move) for node in again} == {node.id: str(node.move) for node in tree}
    assert again.add(again.root, move("a3a4")).id not in tree.nodes


def test_damaged_data_are_refused() -> None:
    data = grown("h2e2").to_json()
    data["nodes"][1][2] = "h2h9"
    data["nodes"].append([7, 1, "a0a9", "", ""])
    with pytest.raises(ValueError, match="a0a9"):
        GameTree.from_json(data)
