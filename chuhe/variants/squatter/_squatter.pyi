"""The compiled Squatter board."""

from collections.abc import Sequence

from chuhe.variants.search._search import GameState

LARGEST_SIZE: int
SYMBOLS: str

class Squatter(GameState):
    def __init__(
        self,
        size: int,
        weights: Sequence[float],
        white_moves: bool = True,
        white_views: bool = True,
        symmetries: int = 4,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def symmetries(self) -> int: ...
    @property
    def symbols(self) -> str: ...
    @property
    def white_moves(self) -> bool: ...
    @property
    def captured_counts(self) -> tuple[int, int]: ...
    def load(self, cells: str) -> None: ...
    def view_for(self, white: bool) -> None: ...
