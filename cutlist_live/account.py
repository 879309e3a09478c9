"""An AWS account behind boto3: clients that retry, and complete answers of paginated calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from cutlist.catalog.embedded import locations
from cutlist.catalog.embedded import regions as embedded_regions
from cutlist.core.errors import InputError, Place, names_near, nearest
from cutlist.settings.accounts import PROFILE
from cutlist.settings.catalog import CLOUD, REGIONS
from cutlist_live.errors import RegionError, UnacceptedError
from cutlist_live.failures import Call, not_enabled
from cutlist_live.prices import has_price_list, price_list_region
from cutlist_live.progress import Watcher

# `standard` backs off exponentially with jitter, up to 20 s between attempts, both on throttling and on lost connections.
_CONFIG: Final = Config(
    retries={"mode": "standard", "max_attempts": 8}, connect_timeout=10, read_timeout=60, user_agent_extra="cutlist"
)
_HOME: Final = {"cn": "cn-north-1", "us-gov": "us-gov-west-1"}  # the region of each partition that can answer for the others


class Account:
    """Calls the API. `session` is a boto3 session; clients are made when first needed."""

    def __init__(self, session: boto3.Session, watcher: Watcher | None = None) -> None:
        self._session = session
        self._watcher = watcher or Watcher()
        self._clients: dict[tuple[str, str], Any] = {}

    @staticmethod
    def of_profile(profile: str | None, watcher: Watcher) -> Account:
        """Return the account of a profile, else of the environment. Raises InputError for a profile that does not exist."""
        try:
            return Account(boto3.Session(profile_name=profile), watcher)
        except BotoCoreError as error:
            raise InputError.one(Place.of(PROFILE), f"the AWS configuration cannot be used: {error}") from None

    def client(self, service: str, region: str) -> Any:
        """Return the client of a service in a region, the same one at every call."""
        key = (service, region)
        if key not in self._clients:
            self._clients[key] = self._session.client(service, region_name=region, config=_CONFIG)
        return self._clients[key]

    def known_regions(self) -> frozenset[str]:
        """Return every region that the SDK or the embedded catalogue knows."""
        partitions = self._session.get_available_partitions()
        named = (self._session.get_available_regions("ec2", partition_name=p) for p in partitions)
        return frozenset(embedded_regions()).union(*named)

    def check_region(self, region: str) -> None:
        """Raise InputError for an unknown region before a host that does not exist is called."""
        known = self.known_regions()
        if region not in known:
            names = sorted(known)
            is_of_azure = f"; it is a location of Azure, which is read with {CLOUD.flag} azure" if region in locations() else ""
            text = f"region {region!r} is not known to AWS{is_of_azure}"
            raise InputError.one(Place.of(REGIONS), text, names_near(region, names), nearest(region, names))

    def ec2(self, region: str, operation: str, key: str, **arguments: Any) -> list[Any]:
        """Return all entries of an EC2 answer. Raises AccountError or RegionError."""
        return self._all("ec2", region, region, operation, key, arguments)

    def products(self, region: str, filters: Sequence[Mapping[str, str]]) -> list[Any]:
        """Return all products of the price list of EC2 that match, none where accounts reach no list. Raises AccountError or
        RegionError."""
        if not has_price_list(region):
            return []
        arguments = {"ServiceCode": "AmazonEC2", "Filters": list(filters)}
        return self._all("pricing", region, price_list_region(region), "get_products", "PriceList", arguments)

    def service_products(self, region: str, service: str, narrow: tuple[str, str]) -> list[Any]:
        """Return the products of a service in a region's price list that match. Raises AccountError or RegionError."""
        wanted = (("regionCode", region), narrow)
        filters = [{"Type": "TERM_MATCH", "Field": field, "Value": value} for field, value in wanted]
        arguments = {"ServiceCode": service, "Filters": filters}
        return self._all("pricing", region, price_list_region(region), "get_products", "PriceList", arguments)

    def _all(
        self, service: str, region: str, endpoint: str, operation: str, key: str, arguments: Mapping[str, Any]
    ) -> list[Any]:
        action = f"{service}:{''.join(word.capitalize() for word in operation.split('_'))}"
        self._watcher.asking(region, action)
        items: list[Any] = []
        try:
            client = self.client(service, endpoint)
            for page in _pages(client, operation, arguments):
                items += page.get(key, [])
                self._watcher.answered(len(page.get(key, [])))
        except (ClientError, BotoCoreError) as error:
            raise self._because(Call(region, action).failed(error), region) from error
        return items

    def _because(self, failure: Exception, region: str) -> Exception:
        """Return the exception that distinguishes wrong keys from a disabled region: EC2 answers both alike, and the
        partition's home region decides."""
        if not isinstance(failure, UnacceptedError):
            return failure
        home = next((home for prefix, home in _HOME.items() if region.startswith(prefix + "-")), "us-east-1")
        try:
            answer = self.client("ec2", home).describe_regions(RegionNames=[region], AllRegions=True)
        except (ClientError, BotoCoreError):
            return failure
        states = {entry.get("OptInStatus") for entry in answer.get("Regions", [])}
        return RegionError(not_enabled(region)) if "not-opted-in" in states else failure


def _pages(client: Any, operation: str, arguments: Mapping[str, Any]) -> Any:
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**arguments)
    return [getattr(client, operation)(**arguments)]
