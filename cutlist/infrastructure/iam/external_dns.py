"""The permissions of ExternalDNS: to change records of its zones, and to list all zones (spec: aws-infrastructure 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.infrastructure.iam.documents import EVERYTHING, INLINE_POLICIES_LIMIT, Document, Statement
from cutlist.infrastructure.names import ClusterFacts

STAND_IN: Final = "Z" + "0" * 31
"""A stand-in, as long as ids of hosted zones can be, for an id that only an update knows."""

_ID: Final = re.compile(r"Z[0-9A-Z]{1,31}", re.ASCII)
_NOT_OF_ID: Final = re.compile(r"[^0-9A-Z]+")
_LISTS: Final = tuple(f"route53:List{what}" for what in ("HostedZones", "ResourceRecordSets", "TagsForResources"))


def external_dns_document(facts: ClusterFacts, zones: Sequence[str]) -> Document:
    """Return a document that allows changes in the zones with these ids, or in every zone of the account for EVERYTHING.

    Reading has no such limit, since a zone is found by its name among all.
    """
    arns = tuple(facts.arn("route53", f"hostedzone/{zone}", region="", account="") for zone in zones)
    return Document(
        (
            Statement("ChangeRecordsOfZones", ("route53:ChangeResourceRecordSets",), arns),
            Statement("FindZonesAndRecords", _LISTS, EVERYTHING),
        )
    )


def check_zones(zones: Sequence[str], facts: ClusterFacts, place: Place, problems: Problems) -> None:
    """Report values that are not ids of hosted zones, an empty list, and more zones than a role's document can hold."""
    if not zones:
        problems.add(place, "no hosted zone is given", "ids of hosted zones, or everyZone for all of the account")
    for index, zone in enumerate(zones):
        problems.extend(_no_id(zone, place.item(index)))
    size = external_dns_document(facts, zones).size
    if size > INLINE_POLICIES_LIMIT:
        message = f"{len(zones)} zones make a document of {size} characters"
        problems.add(place, message, f"at most {INLINE_POLICIES_LIMIT} without whitespace: fewer zones, or everyZone")


def _no_id(zone: str, place: Place) -> Iterator[Problem]:
    if _ID.fullmatch(zone):
        return
    meant = next((part for part in _NOT_OF_ID.split(zone.upper())[::-1] if _ID.fullmatch(part)), "")
    yield Problem(
        place, f"{zone!r} is not the id of a hosted zone", "Z with capital letters and digits behind it, none by pattern", meant
    )
