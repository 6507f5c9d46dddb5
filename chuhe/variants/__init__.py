"""The other games (chess, English draughts, Squatter) and two older programs (S0, S1), each whole in one folder.

`search` holds the search that the games share. The xiangqi core does not depend on anything here, and nothing here is
imported unless another game is used.
"""
