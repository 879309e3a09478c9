"""A subscription of Azure behind its SDK: complete answers of paginated calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol
from urllib.parse import quote, urlencode

from azure.core import PipelineClient
from azure.core.exceptions import (
    AzureError,
    ClientAuthenticationError,
    HttpResponseError,
    ServiceRequestError,
    ServiceResponseError,
)
from azure.core.pipeline.policies import RedirectPolicy, RetryPolicy
from azure.core.rest import HttpRequest, HttpResponse
from azure.identity import DefaultAzureCredential
from azure.mgmt.compute import ComputeManagementClient

from cutlist.core.errors import InputError, Place, Problem
from cutlist.settings.accounts import SUBSCRIPTION
from cutlist_live.azure_prices import API_VERSION, price_filter, service_filters
from cutlist_live.azure_sizes import Record
from cutlist_live.errors import AccountError, DeniedError, RegionError
from cutlist_live.progress import Watcher

PRICE_LIST: Final = "https://prices.azure.com"
SUBSCRIPTION_VARIABLE: Final = "AZURE_SUBSCRIPTION_ID"
_DENIED: Final = 403
_THROTTLED: Final = 429


class SkuOperations(Protocol):
    """The calls of the SKU service that are used."""

    def list(self, *, filter: str) -> Iterable[Any]:  # noqa: A002 - the SDK's name
        """Return the records that a filter leaves, in pages that are read as they are needed."""
        ...


class UsageOperations(Protocol):
    """The calls of the quota service that are used."""

    def list(self, location: str) -> Iterable[Any]:
        """Return the quotas of a location, in pages that are read as they are needed."""
        ...


class ComputeClient(Protocol):
    """The part of the SDK's `ComputeManagementClient` that is used; the type check does not follow its 800 models."""

    @property
    def resource_skus(self) -> SkuOperations:
        """Return the SKU service."""
        ...

    @property
    def usage(self) -> UsageOperations:
        """Return the quota service."""
        ...


class RetailPriceList:
    """Calls the retail price list, which needs no sign-in.

    The client retries on its own, with growing pauses, and waits as long as a throttling answer demands.
    """

    def __init__(self, prices: PipelineClient[HttpRequest, HttpResponse], watcher: Watcher | None = None) -> None:
        self._prices = prices
        self._watcher = watcher or Watcher()

    @staticmethod
    def public(watcher: Watcher) -> RetailPriceList:
        """Return the price list that Azure publishes."""
        return RetailPriceList(_price_client(), watcher)

    def prices(self, location: str) -> list[Record]:
        """Return all rows of the retail price list for machines in a location."""
        return self._listed(location, price_filter(location))

    def service_prices(self, location: str) -> list[Record]:
        """Return all rows of the retail price list for disks, gateways and other services in a location."""
        return [row for wanted in service_filters(location) for row in self._listed(location, wanted)]

    def _listed(self, location: str, wanted: str) -> list[Record]:
        return self._all(location, "the retail price list", lambda: self._pages_of_prices(wanted))

    def _pages_of_prices(self, wanted: str) -> Iterator[Record]:
        query = urlencode({"api-version": API_VERSION, "$filter": wanted}, quote_via=quote)
        link: str | None = self._prices.format_url(f"/api/retail/prices?{query}")
        while link:
            response = self._prices.send_request(HttpRequest("GET", link))
            response.raise_for_status()
            page = response.json()
            yield from page.get("Items") or ()
            link = page.get("NextPageLink")

    def _all(self, location: str, what: str, ask: Callable[[], Iterable[Any]]) -> list[Record]:
        self._watcher.asking(location, what)
        records: list[Record] = []
        try:
            for record in ask():
                records.append(record if isinstance(record, dict) else record.as_dict())
                self._watcher.answered(1)
        except AzureError as error:
            raise _failed(location, what, error) from error
        return records


class Subscription(RetailPriceList):
    """Calls the APIs. `compute` is the SDK's client for a subscription, `prices` that for the price list, which needs no
    sign-in.

    Both retry on their own, with growing pauses, and wait as long as a throttling answer demands.
    """

    def __init__(
        self, compute: ComputeClient, prices: PipelineClient[HttpRequest, HttpResponse], watcher: Watcher | None = None
    ) -> None:
        super().__init__(prices, watcher)
        self._compute = compute

    @staticmethod
    def of(subscription: str | None, watcher: Watcher) -> Subscription:
        """Return a subscription by its id, else that of the environment, with the credentials that Azure's tools find."""
        subscription_id = subscription or os.environ.get(SUBSCRIPTION_VARIABLE, "")
        if not subscription_id:
            text = f"no subscription is given, and none is in ${SUBSCRIPTION_VARIABLE}"
            raise InputError.one(Place.of(SUBSCRIPTION), text, "the id of one; `az account show` prints it")
        compute = ComputeManagementClient(DefaultAzureCredential(), subscription_id)
        return Subscription(compute, _price_client(), watcher)

    def skus(self, location: str) -> list[Record]:
        """Return all records of the SKU service for a location."""
        wanted = f"location eq '{location}'"
        return self._all(location, "Microsoft.Compute/skus/read", lambda: self._compute.resource_skus.list(filter=wanted))

    def usage(self, location: str) -> list[Record]:
        """Return all quotas of a location."""
        return self._all(location, "Microsoft.Compute/locations/usages/read", lambda: self._compute.usage.list(location))


def _price_client() -> PipelineClient[HttpRequest, HttpResponse]:
    return PipelineClient(PRICE_LIST, policies=[RedirectPolicy(), RetryPolicy()])


def _failed(location: str, what: str, error: AzureError) -> AccountError | RegionError:
    message = " ".join(str(error.message or error).split())
    place = Place(location)
    if isinstance(error, ClientAuthenticationError):
        return AccountError(
            Problem(place, f"no usable credentials: {message}; sign in with `az login`, then repeat the command")
        )
    if isinstance(error, (ServiceRequestError, ServiceResponseError)):
        return RegionError(Problem(place, f"the API cannot be reached: {message}"))
    status = error.status_code if isinstance(error, HttpResponseError) else None
    if status == _DENIED:
        text = f"the credentials do not allow {what}; docs/prices.md has the role"
        return DeniedError(Problem(place, text))
    if status == _THROTTLED:
        text = f"Azure throttled {what}; wait some minutes, then repeat the command for this location"
        return RegionError(Problem(place, text))
    return RegionError(Problem(place, f"{what} failed ({status or 'no answer'}): {message}"))
