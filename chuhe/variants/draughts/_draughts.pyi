"""The compiled board of English draughts."""

from chuhe.variants.search._search import GameState

class Draughts(GameState):
    def __init__(
        self,
        cells: str,
        alice_moves: bool = True,
        multi_jump: bool = False,
        draws: bool = False,
        quick_wins: bool = False,
    ) -> None: ...
    @property
    def cells(self) -> str: ...
    @property
    def alice_moves(self) -> bool: ...
    @property
    def multi_jump(self) -> bool: ...
    @property
    def draws(self) -> bool: ...
    @property
    def material(self) -> int: ...
    def path(self, mv: int) -> tuple[tuple[int, int], ...]: ...
