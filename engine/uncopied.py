"""Objects that own memory of the compiled core: two of them with the same memory would crash."""

from __future__ import annotations

import copyreg
from typing import Any, NoReturn, SupportsIndex


def refuse_copy(thing: object) -> NoReturn:
    raise TypeError(f"{type(thing).__name__} cannot be copied or pickled: create another one")


class Uncopied:
    """A base class: `copy.copy`, `copy.deepcopy` and `pickle` raise a TypeError with the class's name."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy(self)


def refuse_copies(compiled: type[Any]) -> None:
    """The same for a compiled class."""
    copyreg.pickle(compiled, refuse_copy)
