"""What the kinds of workers share."""

from __future__ import annotations

from collections.abc import Callable

from chuhe.text.errors import UserError
from chuhe.text.message import Message

Tell = Callable[[Message], None]


class WorkError(UserError):
    """Work that cannot go on: no worker, no scheduler, or a piece that ends its workers."""
