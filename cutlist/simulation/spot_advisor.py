"""The public file of AWS' Spot Instance Advisor: in which band the interruptions of each type are, by region and OS.

    https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json

`ranges` has the bands, and `spot_advisor` has for each region, OS and type the number `r` of its band (read 2026-11-23).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place, Problems, names_near, nearest

_PARTS: Final = ("ranges", "spot_advisor")
_SYSTEMS: Final[Mapping[str, str]] = {"Linux": "linux", "Windows": "windows"}


@dataclass(frozen=True, slots=True)
class AdvisedBand:
    """The band of a type with an OS, as the labels of nodes name it: `5-10%`."""

    instance_type: str
    os: str
    band: str


def is_advice(text: str) -> bool:
    """Tell whether a text is JSON and no table."""
    return text.lstrip().startswith("{")


def read_advice(text: str, path: str, region: str, bands: Mapping[str, float], problems: Problems) -> Iterator[AdvisedBand]:
    """Yield the bands of a region's types. `bands` are those that are known. Mistakes are added to `problems`."""
    try:
        data: Any = json.loads(text)
        labels = {entry["index"]: entry["label"] for entry in data["ranges"]}
        by_region = {str(name): dict(systems) for name, systems in data["spot_advisor"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        problems.add(Place(path), "is not the file of the Spot Instance Advisor", f"JSON with {' and '.join(_PARTS)}")
        return
    if region not in by_region:
        text = f"has nothing about {region}"
        problems.add(Place(path, path="spot_advisor"), text, names_near(region, sorted(by_region)), nearest(region, by_region))
        return
    for system, types in by_region[region].items():
        place = Place(path, path=f"spot_advisor.{region}.{system}")
        if system not in _SYSTEMS or not isinstance(types, dict):
            problems.add(place, "is not an operating system with its types", ", ".join(_SYSTEMS))
            continue
        for name, entry in types.items():
            band = labels.get(entry.get("r")) if isinstance(entry, dict) and isinstance(entry.get("r"), int) else None
            if band in bands:
                yield AdvisedBand(str(name), _SYSTEMS[system], str(band))
            else:
                problems.add(Place(path, path=f"{place.path}.{name}"), f"{entry} names no band", ", ".join(bands))
