"""Single files of web servers, such as the manifests of a release that a kustomization names by their address."""

from __future__ import annotations

import hashlib
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

from cutlist.documents.delivery.fetching import Fetched, FetchError, FileSource
from cutlist_live.fetch.cache import Cache
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.programs import empty_folder
from cutlist_live.fetch.redirects import SameScheme
from cutlist_live.fetch.reference import without_credentials

_BLOCK: Final = 2**16
_SECONDS: Final = 30
_BUSY: Final = frozenset((429, 503))
_WAIT: Final = 5.0
_LONGEST_WAIT: Final = 30.0


@dataclass(frozen=True, slots=True)
class Web:
    """Web servers as single files are read from them, without any login."""

    limits: Limits

    def download(self, source: FileSource, cache: Cache) -> Fetched:
        """Return the folder of a file in the cache, by the digest of its content. Raises FetchError."""  # FE-15
        with cache.work() as work:
            folder = empty_folder(work, "files")
            path = os.path.join(folder, name_of(source))
            digest = f"sha256:{self._write(source, path)}"
            return Fetched(cache.keep(digest, folder), "", digest)

    def _write(self, source: FileSource, path: str, tries: int = 4) -> str:
        """Write a file, and return the SHA-256 of its content. A server that is busy is asked again, after the time that it
        names."""
        shown = without_credentials(source.url)
        by_hand = f"curl -L {shown}"
        opener = urllib.request.build_opener(SameScheme)
        try:
            with opener.open(source.url, timeout=_SECONDS) as answer, Path(path).open("wb") as file:
                return self._copy(answer, file, shown, by_hand)
        except urllib.error.HTTPError as error:
            if error.code not in _BUSY or tries == 1:
                raise FetchError(f"{shown} is answered with {error.code} {error.reason}", by_hand) from None
            wait = error.headers.get("Retry-After") or ""
        except (OSError, HTTPException) as error:
            raise FetchError(f"{shown} cannot be read: {getattr(error, 'reason', None) or error}", by_hand) from None
        time.sleep(min(float(wait) if wait.isdecimal() else _WAIT, _LONGEST_WAIT))
        return self._write(source, path, tries - 1)

    def _copy(self, answer: HTTPResponse, file: BinaryIO, shown: str, by_hand: str) -> str:
        """Write what a server sends, within the limits, and return its SHA-256. Raises FetchError if it is more, takes longer,
        or ends early."""
        found, start, size = hashlib.sha256(), time.monotonic(), 0
        while block := answer.read(_BLOCK):
            found.update(block)
            file.write(block)
            size += len(block)
            if size > self.limits.transferred:
                raise FetchError(f"{shown} has more than {self.limits.transferred // 2**20} MiB", by_hand)
            if time.monotonic() - start > self.limits.seconds:
                raise FetchError(f"{shown} takes longer than {self.limits.seconds:g} s", by_hand)
        announced = answer.headers.get("Content-Length")
        if announced is not None and announced.isdecimal() and size != int(announced):
            raise FetchError(f"{shown} ended after {size:,} of {int(announced):,} bytes", by_hand)
        return found.hexdigest()


def name_of(source: FileSource) -> str:
    """Return the name of a file as its address ends. Raises FetchError where that is no name of a file."""
    name = unquote(urlsplit(source.url).path.rpartition("/")[2])
    if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise FetchError(f"{without_credentials(source.url)} names no file", "an address that ends in the name of a file")
    return name
