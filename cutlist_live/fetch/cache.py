"""The cache of what was fetched, by digest, in the user's folder for caches."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from cutlist.documents.delivery.fetching import Fetched, FetchError
from cutlist.documents.text.replacing import replace_file

VARIABLE: Final = "CUTLIST_CACHE"
_CONTENT: Final = "content"
_VERSION: Final = "1"


def cache_folder(environment: Mapping[str, str], home: str, platform: str = sys.platform) -> str:
    """Return where what was fetched is kept: in `$CUTLIST_CACHE`, else below the folder that the system has for caches."""
    if environment.get(VARIABLE):
        return os.path.abspath(environment[VARIABLE])
    if platform == "win32":
        own = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif platform == "darwin":
        own = environment.get("XDG_CACHE_HOME") or os.path.join(home, "Library", "Caches")
    else:
        own = environment.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(own, "cutlist", "fetched")


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of what was fetched: each content by its digest, and what each question was answered with last."""

    folder: str

    def content(self, digest: str, beside: str = "") -> str | None:
        """Return the folder of a content, or None if it is not in the cache. `beside` says what else it holds."""
        path = os.path.join(self._entry(digest, beside), _CONTENT)
        return path if os.path.isdir(path) else None

    @contextmanager
    def work(self) -> Iterator[str]:
        """Yield a temporary folder on the same disk."""
        try:
            os.makedirs(os.path.join(self.folder, "work"), mode=0o700, exist_ok=True)
            folder = tempfile.mkdtemp(dir=os.path.join(self.folder, "work"))
        except OSError as error:
            raise FetchError(
                f"the cache cannot be written: {error.strerror or error}", f"another folder in ${VARIABLE}"
            ) from None
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, digest: str, made: str, beside: str = "") -> str:
        """Move a complete content from a temporary folder into the cache, and return its folder there."""
        target = self._entry(digest, beside)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        whole = tempfile.mkdtemp(dir=os.path.dirname(made))
        os.rename(made, os.path.join(whole, _CONTENT))
        with contextlib.suppress(OSError):  # another run was first, with the same content
            os.rename(whole, target)
        content = self.content(digest, beside)
        if content is None:
            raise FetchError("the cache cannot be written", f"another folder in ${VARIABLE}")
        return content

    def answer(self, question: Mapping[str, str]) -> Fetched | None:
        """Return what a question was answered with last, if its content is here."""
        data: Any = None
        with contextlib.suppress(OSError, ValueError):
            data = json.loads(Path(self._question(question)).read_text("utf-8"))
        if not isinstance(data, dict) or not all(isinstance(data.get(name), str) for name in ("version", "digest")):
            return None
        content = self.content(data["digest"], question.get("with", ""))
        return None if content is None else Fetched(content, data["version"], data["digest"])

    def remember(self, question: Mapping[str, str], fetched: Fetched) -> None:
        """Keep what a question was answered with."""
        path = self._question(question)
        text = json.dumps({**question, "version": fetched.version, "digest": fetched.digest}, indent=1, sort_keys=True)
        with contextlib.suppress(OSError):  # the content is there, and only --offline without a lock needs the answer
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_file(path, text + "\n")

    def forget(self, digest: str) -> None:
        """Remove a content that a newer one has replaced."""
        shutil.rmtree(self._entry(digest, ""), ignore_errors=True)

    def _entry(self, digest: str, beside: str) -> str:
        kind, _, name = digest.partition(":")
        return os.path.join(self.folder, _VERSION, kind, f"{name}+{quote(beside, safe='')}" if beside else name)

    def _question(self, question: Mapping[str, str]) -> str:
        key = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
        return os.path.join(self.folder, _VERSION, "asked", f"{key}.json")
