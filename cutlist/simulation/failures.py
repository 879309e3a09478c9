"""Spot interruptions: how often a cloud takes instances back, and when it takes which.

A table has a row for each rate: `instance_type,zone,monthly`. The type or the zone may be `*`; the row that says most counts.
`monthly` is the part of all instances that are interrupted within a month: a number such as `12%`, or a band as AWS' Spot
Instance Advisor shows it, `<5%`, `5-10%`, `10-15%`, `15-20%` or `>20%`, which counts as its middle, and the last as 25%. The
public JSON file of the Advisor is read too.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, Final

from cutlist.catalog.interruptions import BANDS, monthly_rate
from cutlist.core.errors import Place, Problems, names_near, nearest
from cutlist.core.labels import SPOT, WINDOWS
from cutlist.documents.files import file_text
from cutlist.simulation.events import DAY, Interrupted
from cutlist.simulation.world import World

_COLUMNS: Final = ("instance_type", "zone", "monthly")
_ANY: Final = "*"
_MONTH: Final = 30 * DAY
_PERCENT: Final = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?)%")
_PARTS: Final = ("ranges", "spot_advisor")
_SYSTEMS: Final[Mapping[str, str]] = {"Linux": "linux", "Windows": "windows"}


@dataclass(frozen=True, slots=True)
class InterruptionRates:
    """The fraction of the instances of a type in a zone that is interrupted within a month; `*` is any. Others never are.

    `windows` are rates of types that count for instances with Windows.
    """

    monthly: Mapping[tuple[str, str], float] = field(default_factory=dict)
    windows: Mapping[str, float] = field(default_factory=dict)

    def of(self, instance_type: str, zone: str, os: str = "") -> float:
        """Return the most specific rate for a type in a zone, with an OS as nodes name it."""
        if os == WINDOWS and (instance_type, zone) not in self.monthly and instance_type in self.windows:
            return self.windows[instance_type]
        keys = ((instance_type, zone), (instance_type, _ANY), (_ANY, zone), (_ANY, _ANY))
        return next((self.monthly[key] for key in keys if key in self.monthly), 0.0)

    def merged(self, other: InterruptionRates) -> InterruptionRates:
        """Return these rates with others, which replace those for the same type and zone."""
        return InterruptionRates({**self.monthly, **other.monthly}, {**self.windows, **other.windows})


class SpotInterruptions:
    """Decides for each spot instance when it is interrupted, by a rate that does not change over its life.

    The draw of an instance depends only on the seed and its name.
    """

    __slots__ = ("_rates", "_world")
    NOT_SAVED: Final = frozenset(("_rates",))

    def __init__(self, world: World, rates: InterruptionRates) -> None:
        self._world = world
        self._rates = rates

    def begin(self, nodes: Iterable[str]) -> None:
        """Decide for the instances that run at the start."""
        for name in nodes:
            self.launched(name)

    def launched(self, name: str) -> None:
        """Decide when an instance is interrupted that runs from now on, if it still does then."""
        world, life = self._world, self._world.ledger.lives.get(name)
        is_spot = life is not None and life.capacity_type == SPOT
        rate = self._rates.of(life.instance_type, life.zone, life.os) if life is not None and is_spot else 0.0
        if rate:
            # The rate at which the part that is interrupted within a month is exactly the one that was written.
            lives = world.settings.stream(f"interruption/{name}").expovariate(monthly_rate(rate) / _MONTH)
            if world.now + lives < world.settings.until:
                world.push(Interrupted(world.now + math.ceil(lives), name))


def read_interruption_rates(path: str, region: str, problems: Problems) -> InterruptionRates:
    """Return the rates of a table, or those of a region in the Advisor's file. Mistakes are added to `problems`."""
    text, before = file_text(path, problems), len(problems.found)
    if text is None:
        return InterruptionRates()
    rates = _advised(text, path, region, problems) if is_advice(text) else InterruptionRates(_table(text, path, problems))
    if not (rates.monthly or rates.windows) and len(problems.found) == before:
        problems.add_absence(Place(path), "contains no rate", f"rows of {', '.join(_COLUMNS)}")
    return rates


def _advised(text: str, path: str, region: str, problems: Problems) -> InterruptionRates:
    advice = list(read_advice(text, path, region, BANDS, problems))
    return InterruptionRates(
        {(each.instance_type, _ANY): BANDS[each.band] for each in advice if each.os != WINDOWS},
        {each.instance_type: BANDS[each.band] for each in advice if each.os == WINDOWS},
    )


def _table(text: str, path: str, problems: Problems) -> dict[tuple[str, str], float]:
    monthly: dict[tuple[str, str], float] = {}
    try:
        rows = csv.DictReader(StringIO(text, newline=""))
        names = [name.strip() for name in rows.fieldnames or ()]
        rows.fieldnames = names
        if sorted(names) != sorted(_COLUMNS):
            columns = f"has the columns {', '.join(names)}" if names else "has no columns"
            problems.add(Place(path, line=1), columns, ", ".join(_COLUMNS))
            return monthly
        for row in rows:
            _add_rate(row, Place(path, line=rows.line_num), monthly, problems)
    except csv.Error as error:
        problems.add(Place(path), f"is not a table: {error}", ", ".join(_COLUMNS))
    return monthly


def _add_rate(row: Mapping[str, str], place: Place, monthly: dict[tuple[str, str], float], problems: Problems) -> None:
    if None in row or None in row.values():
        problems.add(place, "is not a row of the table", ", ".join(_COLUMNS))
        return
    instance_type, zone, written = (row[name].strip() for name in _COLUMNS)
    for name, value in (("instance_type", instance_type), ("zone", zone)):
        if not value:
            problems.add(place, f"{name} is empty", f"a {name}, or {_ANY} for any")
    percent = _PERCENT.fullmatch(written)
    if written not in BANDS and percent is None:
        problems.add(place, f"{written!r} is not a rate", f"one of {', '.join(BANDS)}, or such as 12%, below 100%")
        return
    rate = BANDS[written] if percent is None else float(percent[1]) / 100
    if monthly.setdefault((instance_type, zone), rate) != rate:
        problems.add(place, f"{instance_type} in {zone} has another rate above")


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
    """Yield the bands of a region's types from the public file of AWS' Spot Instance Advisor. `bands` are those that are known.
    Mistakes are added to `problems`.

        https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json

    `ranges` has the bands, and `spot_advisor` has for each region, OS and type the number `r` of its band (read 2026-11-23).
    """
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
