"""Azure's retail price list, read page by page without an SDK."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from cutlist.core.errors import Place, Problem
from cutlist_live.azure_prices import API_VERSION, price_filter, service_filters
from cutlist_live.azure_sizes import Record
from cutlist_live.errors import RegionError
from cutlist_live.public.endpoints import PAGES, PublicFiles, shown

_PATH: Final = "/api/retail/prices"


@dataclass(frozen=True, slots=True)
class PublicRetailPrices:
    """The retail price list at an address."""

    files: PublicFiles
    address: str

    def prices(self, location: str) -> list[Record]:
        """Return all rows for machines in a location. Raises RegionError."""
        return list(self._rows(location, price_filter(location)))

    def service_prices(self, location: str) -> list[Record]:
        """Return all rows for disks, gateways and other services in a location. Raises RegionError."""
        return [row for wanted in service_filters(location) for row in self._rows(location, wanted)]

    def _rows(self, location: str, wanted: str) -> Iterator[Record]:
        query = urlencode({"api-version": API_VERSION, "$filter": wanted}, quote_via=quote)
        asked: set[str] = set()
        while query and query not in asked:
            asked.add(query)
            if len(asked) > PAGES:
                raise RegionError(Problem(Place(location), f"{shown(self.address)} has more than {PAGES} pages of prices"))
            page = self.files.json(f"{self.address.rstrip('/')}{_PATH}?{query}", location)
            rows = page.get("Items") if isinstance(page, dict) else None
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise RegionError(Problem(Place(location), f"{shown(self.address)} answers with no list of prices"))
            yield from rows
            query = urlsplit(str(page.get("NextPageLink") or "")).query  # the page is asked of the address that was chosen
