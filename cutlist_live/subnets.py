"""The subnets that a cluster's objects name, as the account has them: blocks and free addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from cutlist.core.errors import InputError, Place
from cutlist.core.labels import REGION as REGION_LABEL
from cutlist.core.labels import ZONE
from cutlist.documents.members import entries, mapping
from cutlist.planning.known_subnets import KIND
from cutlist.settings.snapshot import SUBNETS
from cutlist_live.account import Account

_CLASSES: Final = ("EC2NodeClass", "NodeClass")
_MOST: Final = 200
"""The most values of a filter of EC2."""


def with_subnets(account: Account, objects: Iterable[Mapping[str, Any]], now: datetime) -> dict[str, Any]:
    """Return a document of kind Subnets with those that node classes found and ENIConfigs name.

    Raises InputError where no object names a subnet or a node tells the region, AccountError or RegionError for what the
    account refuses.
    """
    objects = tuple(objects)
    ids, region = sorted(set(_ids(objects))), _region(objects)
    place = Place("cluster")
    if not ids:
        text = f"no node class has found a subnet, and no ENIConfig names one, so {SUBNETS.flag} has nothing to look up"
        raise InputError.one(place, text, "an EC2NodeClass that is ready")
    if not region:
        raise InputError.one(place, f"no node has the label {REGION_LABEL}, so the region is not known", "a node that runs")
    account.check_region(region)
    found = [
        subnet
        for start in range(0, len(ids), _MOST)
        for subnet in account.ec2(
            region, "describe_subnets", "Subnets", Filters=[{"Name": "subnet-id", "Values": ids[start : start + _MOST]}]
        )
    ]
    if not found:
        raise InputError.one(
            place, f"the account has none of the subnets {', '.join(ids)} in {region}", "the cluster's account"
        )
    ordered = sorted(found, key=lambda subnet: str(subnet["SubnetId"]))
    return {
        "apiVersion": "cutlist/v1",
        "kind": KIND,
        "metadata": {"name": region},
        "asOf": now.date().isoformat(),
        "subnets": [
            {
                "id": subnet["SubnetId"],
                "zone": subnet["AvailabilityZone"],
                "cidr": subnet["CidrBlock"],
                "free": subnet["AvailableIpAddressCount"],
            }
            for subnet in ordered
        ],
    }


def _ids(objects: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for manifest in objects:
        if manifest.get("kind") in _CLASSES:
            found = map(mapping, entries(mapping(manifest.get("status")).get("subnets")))
            yield from (str(subnet["id"]) for subnet in found if subnet.get("id"))
        elif manifest.get("kind") == "ENIConfig":
            subnet = mapping(manifest.get("spec")).get("subnet")
            if isinstance(subnet, str) and subnet:
                yield subnet


def _region(objects: Iterable[Mapping[str, Any]]) -> str:
    """Return the region of the first node that has one as a label, or in the name of its zone."""
    for manifest in objects:
        if manifest.get("kind") == "Node":
            labels = mapping(mapping(manifest.get("metadata")).get("labels"))
            zone = labels.get(ZONE)
            region = labels.get(REGION_LABEL) or (zone[:-1] if isinstance(zone, str) else "")
            if isinstance(region, str) and region:
                return region
    return ""
