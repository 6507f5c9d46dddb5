"""The other games: chess, English draughts and Squatter, on one small search.

`_search` holds the search and the interface `GameState`; `_chess`, `_draughts` and `_squatter` each implement it.
The xiangqi core does not depend on them, and nothing here is imported unless another game is used.
"""
