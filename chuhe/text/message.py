"""What is said to a person: a code with arguments, which every language turns into its own sentence.

The tables of the languages are in `chuhe.text.languages`. They are loaded when a text is needed, not before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from chuhe.text.points import PointNames

Language = Literal["en", "zh-Hans", "zh-Hant"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


class Point(int):
    """A point of the board, by its square; the reader's notation names it."""

    __slots__ = ()


class File(int):
    """The file of a square."""

    __slots__ = ()


class PointMove(tuple[int, int]):
    """A move by its two points: ``PointMove((25, 22))``."""

    __slots__ = ()


Argument: TypeAlias = "str | int | float | Point | File | PointMove | Message | Sequence[Argument]"


class Message:
    """A code of the tables, and the values for the places in its text.

    code: which sentence it is, in every language.
    arguments: the values, by name.

    >>> str(Message("move.no-piece", point=Point(4)))
    'there is no piece on e0'
    """

    __slots__ = ("arguments", "code")

    def __init__(self, code: str, /, **arguments: Argument) -> None:
        self.code = code
        self.arguments: Mapping[str, Argument] = arguments

    def text(self, language: Language = "en", points: PointNames | None = None) -> str:
        """The sentence in a language; points are named as ICCS does unless `points` says otherwise."""
        from chuhe.text.languages import render

        return render(self, language, points)

    def to_json(self) -> dict[str, Any]:
        """As `from_json` reads it and as the web page gets it."""
        if not self.arguments:
            return {"code": self.code}
        return {"code": self.code, "args": {name: _to_json(value) for name, value in self.arguments.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Message:
        """Raises ValueError, KeyError or TypeError for data that `to_json` did not write."""
        return cls(str(data["code"]), **{str(name): _from_json(value) for name, value in data.get("args", {}).items()})

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Message({self.code!r}, {', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.code, self.arguments) == (other.code, other.arguments)

    def __hash__(self) -> int:
        return hash(self.code)


def shown(text: str, limit: int = 40) -> str:
    """A text of a user for a message: printable, and not too long for a line.

    >>> shown("e4\\n"), shown("x" * 50, 10)
    ('e4\\\\n', 'xxxxxxx...')
    """
    return printable(text if len(text) <= limit else text[: limit - 3] + "...")


def printable(text: str) -> str:
    """A text without characters that a terminal would obey."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def verbatim(text: str) -> Message:
    """A text that no table has: a name, or the words of another program."""
    return Message("verbatim", text=text)


def message_of(error: BaseException) -> Message:
    """The message of an error."""
    known = getattr(error, "message", None)
    if isinstance(known, Message):
        return known
    if isinstance(error, OSError):
        return os_message(error)
    return verbatim(str(error) or type(error).__name__)


# the system's errors that a user meets; the tables have them by name
_OS_FAULTS = "ENOENT EACCES EPERM ENOSPC EDQUOT EROFS EISDIR ENOTDIR EEXIST ENAMETOOLONG ELOOP EMFILE EIO EFBIG".split()


def os_message(error: OSError) -> Message:
    """Why the system refused something."""
    import errno

    name = errno.errorcode.get(error.errno or 0, "")
    return Message(f"os.{name}") if name in _OS_FAULTS else verbatim(error.strerror or str(error))


def _to_json(value: Argument) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Point):
        return {"point": int(value)}
    if isinstance(value, File):
        return {"file": int(value)}
    if isinstance(value, PointMove):
        return {"move": list(value)}
    if isinstance(value, (str, int, float)):
        return value
    return [_to_json(part) for part in value]


def _from_json(value: Any) -> Argument:
    if isinstance(value, Mapping):
        if "point" in value:
            return Point(int(value["point"]))
        if "file" in value:
            return File(int(value["file"]))
        if "move" in value:
            start, end = map(int, value["move"])
            return PointMove((start, end))
        return Message.from_json(value)
    if isinstance(value, list):
        return [_from_json(part) for part in value]
    if isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{value!r} cannot be an argument of a message")
