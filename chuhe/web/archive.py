"""Games that are no longer played: finished or abandoned, one file each, with what a list shows of them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from chuhe.files.reading import read_input
from chuhe.files.writing import write_file
from chuhe.text.message import Message
from chuhe.web.messages import RequestError
from chuhe.web.outgoing import GameEntry
from chuhe.web.stored_room import ENTRY, load_json


class Archive:
    """Entries are read when a list is first wanted. A damaged file is named and left unchanged."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory / "archive"
        self._entries: dict[str, GameEntry] | None = None
        self.damaged: list[str] = []  # files that could not be read

    @property
    def entries(self) -> dict[str, GameEntry]:
        """What a list shows, by the game's identity; the newest comes last."""
        if self._entries is None:
            found = {}
            for path in self.directory.glob("*.json"):
                try:
                    found[path.stem] = cast(GameEntry, {**ENTRY(self._read(path.stem)["entry"]), "id": path.stem})
                except (ValueError, KeyError, TypeError, OSError, RecursionError):
                    self.damaged.append(path.name)
            self._entries = dict(sorted(found.items(), key=lambda item: item[1]["date"]))
        return self._entries

    def add(self, entry: GameEntry, game: Mapping[str, Any]) -> str:
        """Keeps a game; returns its identity. OSError if it cannot be written."""
        identity = secrets.token_hex(6)
        now = datetime.now().isoformat(" ", "seconds")
        dated: GameEntry = {**entry, "id": identity, "date": now}
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._write(identity, dated, game)
        self.entries[identity] = dated
        return identity

    def game(self, identity: str) -> dict[str, Any]:
        """A game as it was given to `add`."""
        self._find(identity)
        try:
            return dict(self._read(identity)["game"])
        except (ValueError, KeyError, TypeError, OSError, RecursionError):
            raise RequestError(Message("web.damaged-game")) from None

    def rename(self, identity: str, title: str) -> None:
        entry: GameEntry = {**self._find(identity), "title": title}
        self._write(identity, entry, self.game(identity))
        self.entries[identity] = entry

    def delete(self, identities: Iterable[str]) -> None:
        for identity in identities:
            self._find(identity)
            self._path(identity).unlink(missing_ok=True)
            del self.entries[identity]

    def _find(self, identity: str) -> GameEntry:
        try:
            return self.entries[identity]
        except KeyError:
            raise RequestError(Message("web.no-such-game")) from None

    def _path(self, identity: str) -> Path:
        return self.directory / f"{identity}.json"

    def _read(self, identity: str) -> Any:
        return load_json(read_input(self._path(identity)))

    def _write(self, identity: str, entry: GameEntry, game: Mapping[str, Any]) -> None:
        text = json.dumps({"entry": entry, "game": game}, ensure_ascii=False, separators=(",", ":"))
        write_file(self._path(identity), text, private=True)
