"""The addresses that public prices are read from, and the reading of their files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import Place, Problem
from cutlist.documents.delivery.fetching import FetchError, FileSource
from cutlist_live.errors import RegionError
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.reference import without_credentials
from cutlist_live.progress import Watcher

PAGES: Final = 1000
"""How many pages of a list are read at most: one has 100 rows, and a location some thousands."""
_OF_CHINA: Final = ("cn-", "https://pricing.cn-north-1.amazonaws.com.cn/offers/v1.0/cn")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the public files are. `price_list` is above the folders of services; None is that of the region's partition."""

    spot_advisor: str
    skypilot: str
    azure: str
    price_list: str | None = None

    def of_service(self, service: str, region: str) -> str:
        """Return the address of the price list of a service of AWS in a region."""
        prefix, china = _OF_CHINA
        general = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws"
        base = self.price_list or (china if region.startswith(prefix) else general)
        return f"{base.rstrip('/')}/{service}/current/{region}/index.csv"


@dataclass(slots=True)
class PublicFiles:
    """Reads files by their address, each once in a run, within the limits of fetching.

    `watcher` takes note of them. Nothing of an older content stays in the cache when an address has a newer one: price lists
    are large.
    """

    fetcher: ToolFetcher
    watcher: Watcher = field(default_factory=Watcher)
    _parsed: dict[str, Any] = field(default_factory=dict)

    def path(self, address: str, region: str) -> Path:
        """Return the file of an address. Raises RegionError saying why it cannot be read."""
        self.watcher.asking(region, shown(address))
        try:
            source = FileSource(address)
            before = self.fetcher.cached(source)
            fetched = self.fetcher.fetch(source)
            if before is not None and before.digest != fetched.digest:
                self.fetcher.cache.forget(before.digest)
            (path,) = Path(fetched.folder).iterdir()
        except FetchError as error:
            raise RegionError(Problem(Place(region), str(error), error.allowed)) from None
        return path

    def json(self, address: str, region: str) -> Any:
        """Return the content of a file with JSON. Raises RegionError."""
        if address not in self._parsed:
            path = self.path(address, region)
            try:
                self._parsed[address] = json.loads(path.read_bytes())
            except (ValueError, RecursionError) as error:
                raise RegionError(Problem(Place(region), f"{shown(address)} is not JSON: {error}")) from None
        return self._parsed[address]

    def rows(self, address: str, region: str, needed: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Yield these columns of the rows of a file with CSV; lines before its header are left out. Raises RegionError."""
        path = self.path(address, region)
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                lines = csv.reader(file, strict=True)
                header = next((line for line in lines if needed[0] in line), [])
                if missing := [column for column in needed if column not in header]:
                    text = f"{shown(address)} has no column {', '.join(missing)}"
                    raise RegionError(Problem(Place(region), text))
                cells = itemgetter(*(header.index(column) for column in needed))
                for line in lines:
                    if len(line) != len(header):
                        raise ValueError(f"line {lines.line_num} has {len(line)} cells, the header {len(header)}")
                    yield cells(line)
        except (csv.Error, ValueError) as error:  # a line that ends early, or bytes that are not UTF-8
            raise RegionError(Problem(Place(region), f"{shown(address)} cannot be read as CSV: {error}")) from None


def shown(address: str) -> str:
    """Return an address as messages name it: without credentials and query."""
    return without_credentials(address)
