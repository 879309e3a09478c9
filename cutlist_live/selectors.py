"""`cutlist catalog resolve`: what the selectors of an EC2NodeClass match in the account (spec: AWS 7.2, 7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from cutlist import EC2NodeClass
from cutlist.api.read import read_objects
from cutlist.core.errors import InputError, Place, Problems
from cutlist.documents.document import Document
from cutlist_live.account import Account
from cutlist_live.errors import AccountError, RegionError

_BLOCK_ENDS: Final = timedelta(minutes=40)  # from this long before its end a capacity block accepts no nodes


@dataclass(frozen=True, slots=True)
class Resolved:
    """A manifest with its status, and the number of matches."""

    manifest: Mapping[str, Any]
    name: str
    subnets: int
    reservations: int


def resolve(
    account: Account, region: str, documents: Sequence[Document], now: datetime, *, allow_empty: bool = False
) -> tuple[Resolved, ...]:
    """Return the EC2NodeClasses among the documents, each with the subnets and capacity reservations that it selects in a
    region.

    Raises InputError for classes that cannot be read, for a class that finds no subnet, for whatever the account refuses, and
    where there is no class, unless that is allowed.
    """
    problems = Problems(allow_empty=allow_empty)
    read = read_objects(documents, problems)
    classes = [c for c in read.node_classes if isinstance(c, EC2NodeClass)]
    if not classes and not problems:
        where = Place(", ".join(sorted({d.place.source for d in documents})))
        problems.add_absence(where, "no EC2NodeClass is in the input", "at least one EC2NodeClass")
    problems.raise_if_any()
    account.check_region(region)
    resolved = [_resolved(account, region, node_class, now, problems) for node_class in sorted(classes, key=lambda c: c.name)]
    problems.raise_if_any()
    return tuple(resolved)


def _resolved(account: Account, region: str, node_class: EC2NodeClass, now: datetime, problems: Problems) -> Resolved:
    manifest = node_class.manifest()
    try:
        subnets = _subnets(account, region, manifest["spec"].get("subnetSelectorTerms", ()))
        reservations = _reservations(account, region, manifest["spec"].get("capacityReservationSelectorTerms", ()), now)
    except AccountError as error:
        raise InputError([*problems.found, error.problem]) from error
    except RegionError as error:
        problems.extend([] if error.problem in problems.found else [error.problem])
        return Resolved(manifest, node_class.name, 0, 0)
    if not subnets:
        text = f"no subnet of {region} is selected by EC2NodeClass {node_class.name}"
        problems.add(node_class.at("spec.subnetSelectorTerms"), text)
    status = {**manifest.get("status", {}), "subnets": subnets}
    if reservations:
        status["capacityReservations"] = reservations
    return Resolved({**manifest, "status": status}, node_class.name, len(subnets), len(reservations))


def _subnets(account: Account, region: str, terms: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    subnets: dict[str, dict[str, Any]] = {}
    for term in terms:
        filters = [_filter("subnet-id", term["id"])] if "id" in term else _tag_filters(term)
        for subnet in account.ec2(region, "describe_subnets", "Subnets", Filters=filters):
            subnets[subnet["SubnetId"]] = subnet
    ordered = sorted(subnets.values(), key=lambda s: (-s.get("AvailableIpAddressCount", 0), s["SubnetId"]))
    return [{"id": s["SubnetId"], "zone": s["AvailabilityZone"], "zoneID": s.get("AvailabilityZoneId", "")} for s in ordered]


def _reservations(account: Account, region: str, terms: Iterable[Mapping[str, Any]], now: datetime) -> list[dict[str, Any]]:
    reservations: dict[str, dict[str, Any]] = {}
    for term in terms:
        arguments: dict[str, Any] = {"Filters": [_filter("state", "active"), *_reservation_filters(term)]}
        if "id" in term:
            arguments["CapacityReservationIds"] = [term["id"]]
        for entry in account.ec2(region, "describe_capacity_reservations", "CapacityReservations", **arguments):
            if entry.get("EndDate") is None or entry["EndDate"] > now:
                reservations[entry["CapacityReservationId"]] = entry
    return [_reservation(reservations[key], now) for key in sorted(reservations)]


def _reservation_filters(term: Mapping[str, Any]) -> list[dict[str, Any]]:
    filters = _tag_filters(term)
    if "ownerID" in term:
        filters.append(_filter("owner-id", term["ownerID"]))
    if "instanceMatchCriteria" in term:
        filters.append(_filter("instance-match-criteria", term["instanceMatchCriteria"]))
    return filters


def _reservation(entry: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    kind = entry.get("ReservationType") or "default"
    end = entry.get("EndDate")
    expiring = kind == "capacity-block" and end is not None and end - now <= _BLOCK_ENDS
    status = {
        "id": entry["CapacityReservationId"],
        "availabilityZone": entry["AvailabilityZone"],
        "instanceType": entry["InstanceType"],
        "ownerID": entry.get("OwnerId", ""),
        "instanceMatchCriteria": entry.get("InstanceMatchCriteria", ""),
        "interruptible": bool(entry.get("Interruptible", False)),
        "reservationType": kind,
        "state": "expiring" if expiring else "active",
        "availableInstanceCount": entry.get("AvailableInstanceCount", 0),  # the controller keeps this number to itself
    }
    return status if end is None else {**status, "endTime": end.strftime("%Y-%m-%dT%H:%M:%SZ")}


def _tag_filters(term: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the filters for a term's tags; a tag with any value is matched by its key, and patterns in values are EC2's
    own."""
    tags = (term.get("tags") or {}).items()
    return [_filter("tag-key", key) if value == "*" else _filter(f"tag:{key}", value) for key, value in tags]


def _filter(name: str, value: str) -> dict[str, Any]:
    return {"Name": name, "Values": [value]}
