"""Sources that are fetched: charts, and repositories and artifacts as checkouts, or the reason why there is none."""

from __future__ import annotations

from cutlist.documents.delivery.checkout import Checkout, plain_address
from cutlist.documents.delivery.fetching import ArtifactSource, ChartSource, Fetcher, FetchError, GitSource, Source


class NotFetched(Exception):
    """A source is not here; the text says why, and what to try. If `is_elsewhere` is set, nobody may fetch it."""

    def __init__(self, text: str, *, is_elsewhere: bool = False) -> None:
        super().__init__(text)
        self.is_elsewhere = is_elsewhere


def chart_from(source: ChartSource, fetcher: Fetcher | None) -> Checkout:
    """Return the folder of a chart, with nothing around it. Raises NotFetched."""
    return Checkout(folder_of(source, fetcher), frozenset())


def checkout_from(source: GitSource | ArtifactSource, fetcher: Fetcher | None) -> Checkout:
    """Return the files of a repository or artifact, as the checkout that its own objects are in. Raises NotFetched."""
    return Checkout(folder_of(source, fetcher), frozenset((plain_address(source.url),)))


def folder_of(source: Source, fetcher: Fetcher | None) -> str:
    """Return the folder of a source, which must not be changed. Raises NotFetched."""
    if fetcher is None:
        raise NotFetched(f"its source, {source.shown}, is elsewhere", is_elsewhere=True)
    try:
        return fetcher.fetch(source).folder
    except FetchError as error:
        by_hand = f"; try: {error.allowed}" if error.allowed else ""
        raise NotFetched(f"its source, {source.shown}, cannot be fetched: {error}{by_hand}") from None
