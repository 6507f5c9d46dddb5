"""The other games: chess, English draughts and Squatter, on one small search.

`_search` holds the search and the interface `GameState`; `_chess`, `_draughts` and `_squatter` each implement it.
The xiangqi core knows nothing of them, and nothing here is imported unless another game is asked for.
"""
