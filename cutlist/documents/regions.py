"""The region that objects speak of: that of a ClusterConfig of eksctl, and those of the zones that NodePools allow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.core.labels import REGION, ZONE
from cutlist.documents.document import Document

_CLUSTER_CONFIG: Final = ("eksctl.io", "ClusterConfig")
_AWS_ZONE: Final = re.compile(r"([a-z]{2}(?:-[a-z]+)+-\d)(?:-[a-z]+-\d)?[a-z]")
_AZURE_ZONE: Final = re.compile(r"([a-z]+\d?)-\d")
_IN: Final = "In"


def region_of(documents: Iterable[Document]) -> str:
    """Return the only region that objects speak of; empty if there is none, or several."""
    regions = {region for document in documents for region in _regions(document)}
    return regions.pop() if len(regions) == 1 else ""


def _regions(document: Document) -> Iterator[str]:
    if (document.api_version.partition("/")[0], document.kind) == _CLUSTER_CONFIG:
        region = _mapping(document.data.get("metadata")).get("region")
        yield from (region,) if isinstance(region, str) else ()
    elif document.kind == "NodePool":
        template = _mapping(_mapping(document.data.get("spec")).get("template"))
        for requirement in map(_mapping, _list(_mapping(template.get("spec")).get("requirements"))):
            if requirement.get("operator") == _IN:
                yield from _named(requirement.get("key"), _list(requirement.get("values")))


def _named(key: Any, values: Sequence[Any]) -> Iterator[str]:
    """Yield the regions of the values of a requirement."""
    for value in (value for value in values if isinstance(value, str)):
        if key == REGION:
            yield value
        elif key == ZONE and (zone := _AWS_ZONE.fullmatch(value) or _AZURE_ZONE.fullmatch(value)):
            yield zone[1]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
