"""The variant that a session plays, by the name of its game."""

from __future__ import annotations

from chuhe.engine.values import XIANGQI
from chuhe.protocol.variants import Variant, only_xiangqi


def make_variant(game: str) -> Variant:
    """The variant for a game of `UCI_VARIANTS`; ValueError if something that it needs is not installed or compiled."""
    if game == XIANGQI:
        return only_xiangqi(game)
    try:
        from chuhe.variants.chess.session import ChessVariant
    except ImportError as error:
        from chuhe.common.extras import explain_missing  # not needed at the start

        raise ValueError(explain_missing("the game of chess", error) or str(error)) from error
    return ChessVariant()
