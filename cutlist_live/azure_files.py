"""Azure's answers from files that somebody saved: no SDK and no credentials are needed to read them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cutlist.core.errors import InputError, Place
from cutlist_live.azure_sizes import Record

SKUS: Final = "skus.json"
USAGE: Final = "usage.json"
PRICES: Final = "prices.json"
_MADE_BY: Final = {
    SKUS: "az vm list-skus --location LOCATION --all -o json",
    USAGE: "az vm list-usage --location LOCATION -o json",
    PRICES: "the pages of https://prices.azure.com/api/retail/prices as a list, or one of them",
}


@dataclass(frozen=True, slots=True)
class SavedAnswers:
    """A folder with `skus.json`, `usage.json` and `prices.json`; of the last two each may be missing."""

    folder: Path

    def skus(self, location: str) -> list[Record]:  # noqa: ARG002 - who reads them picks those of the location
        """Records of the SKU service. InputError for a missing or unreadable file."""
        return self._read(SKUS)

    def usage(self, location: str) -> list[Record]:  # noqa: ARG002 - the file is of one location
        """Quotas; none without the file."""
        return self._read(USAGE) if (self.folder / USAGE).exists() else []

    def prices(self, location: str) -> list[Record]:  # noqa: ARG002 - who reads them picks those of the location
        """Rows of the price list; none without the file."""
        if not (self.folder / PRICES).exists():
            return []
        return [row for page in self._read(PRICES) for row in page.get("Items", [page])]

    def _read(self, name: str) -> list[Record]:
        path = self.folder / name
        try:
            found: Any = json.loads(path.read_text("utf-8"))
        except OSError as problem:
            text = f"the file cannot be read: {problem.strerror or problem}"
            raise InputError.one(Place(str(path)), text, f"what comes from: {_MADE_BY[name]}") from None
        except ValueError as problem:
            raise InputError.one(Place(str(path)), f"this is no JSON: {problem}", _MADE_BY[name]) from None
        rows = [found] if isinstance(found, dict) else found
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise InputError.one(Place(str(path)), "this is no list of objects", _MADE_BY[name])
        return rows
