"""The lock: a file with what was asked for, and the version and digest that came, so that the next run gets the same."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import InputError, Place
from cutlist.documents.delivery.fetching import Fetched
from cutlist.documents.text.replacing import replace_file

LOCK_NAME: Final = "cutlist.lock"
_FORM: Final = 1
_DIGEST: Final = re.compile(r"sha(1|256):[0-9a-f]{40,64}")
_ABOUT: Final = ("chart", "repository", "git", "artifact", "file", "asked", "with")

_Key = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Locked:
    """A version, and the digest of its content."""

    version: str
    digest: str


@dataclass(slots=True)
class Lock:
    """The entries of a lock file, which is written at once when one is added. It holds no credentials, and no path of the
    machine.

    A run reads only what it asks for, so entries of others stay.
    """

    path: str
    _entries: dict[_Key, Locked] = field(default_factory=dict)

    @staticmethod
    def of(path: str) -> Lock:
        """Return the lock in a file, empty if there is none. Raises InputError for a file that is not a lock."""
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
        except FileNotFoundError:
            return Lock(path)
        except (OSError, ValueError) as error:
            raise InputError.one(Place(path), f"cannot be read as a lock: {error}", _ALLOWED) from None
        listed = data.get("fetched") if isinstance(data, dict) else None
        if not isinstance(listed, list) or data.get("version") != _FORM:
            raise InputError.one(Place(path), "is not a lock of this form", _ALLOWED)
        lock = Lock(path)
        for index, entry in enumerate(listed):
            lock._take(entry, Place(path, path=f"fetched[{index}]"))
        return lock

    def _take(self, entry: Any, place: Place) -> None:
        is_entry = isinstance(entry, dict) and all(isinstance(text, str) for text in entry.values())
        if not is_entry or not _DIGEST.fullmatch(entry.get("digest", "")) or "version" not in entry or "asked" not in entry:
            raise InputError.one(place, "is not an entry of a lock", "what was asked for, a version and a digest")
        self._entries[_key(entry)] = Locked(entry["version"], entry["digest"])

    def entry(self, question: Mapping[str, str]) -> Locked | None:
        """Return what a question was answered with when the lock was written."""
        return self._entries.get(_key(question))

    def add(self, question: Mapping[str, str], fetched: Fetched) -> None:
        """Add an answer, and write the file. Raises InputError if it cannot be written."""
        self._entries[_key(question)] = Locked(fetched.version, fetched.digest)
        try:
            replace_file(self.path, self._text())
        except OSError as error:
            raise InputError.one(Place(self.path), f"the lock cannot be written: {error.strerror or error}") from None

    def _text(self) -> str:
        entries = [
            {**dict(key), "version": locked.version, "digest": locked.digest} for key, locked in sorted(self._entries.items())
        ]
        return json.dumps({"version": _FORM, "fetched": entries}, indent=2) + "\n"


_ALLOWED: Final = "what Cutlist wrote; without the file, it is written again"


def _key(entry: Mapping[str, str]) -> _Key:
    return tuple((name, entry[name]) for name in _ABOUT if name in entry)


def lock_path(beside: str) -> str:
    """Return the lock beside a file, or in a folder."""
    folder = beside if os.path.isdir(beside) else os.path.dirname(beside)
    return os.path.join(folder, LOCK_NAME)
