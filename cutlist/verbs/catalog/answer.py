"""The changes between two catalogues, region by region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from cutlist.catalog.comparison import Comparison, compare
from cutlist.catalog.embedded import chosen_regions, load_chosen
from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import InputError, Place, Problems, names_near, nearest
from cutlist.core.records import about
from cutlist.settings.planning import REGION

EMBEDDED: Final = "embedded"
"""Names the catalogue that comes with Cutlist."""


CatalogChanges: TypeAlias = Annotated[
    tuple[Comparison, ...], about("What is different between two catalogues, region by region.")
]


@dataclass(frozen=True, slots=True)
class CatalogDiff:
    """The changes between two catalogues, and how many entries of each kind a reader sees, 0 for all."""

    comparisons: CatalogChanges
    limit: int = 0


def compare_catalogs(old: str, new: str, wanted: Sequence[str]) -> CatalogChanges:
    """Return the changes between two catalogues, each a folder or `embedded`, in these regions, by default in all that both
    have.

    Raises InputError for a folder without a catalogue, and for a region that one of them lacks.
    """
    problems = Problems()
    old_regions, new_regions = (_regions(name, problems) for name in (old, new))
    problems.raise_if_any()
    both = sorted(set(old_regions) & set(new_regions))
    for region in wanted:
        if region not in both:
            text = f"region {region!r} is not in both catalogues"
            problems.add(Place.of(REGION), text, names_near(region, both), nearest(region, both))
    if not both:
        problems.add(Place(path=f"{old} {new}"), "the catalogues have no region in common")
    problems.raise_if_any()
    return tuple(compare(_load(old, region), _load(new, region)) for region in dict.fromkeys(wanted or both))


def _regions(name: str, problems: Problems) -> tuple[str, ...]:
    """Return the regions of a catalogue; none, with the problems added, if it cannot be read."""
    try:
        return chosen_regions(None if name == EMBEDDED else name)
    except InputError as error:
        problems.extend(error.problems)
        return ()


def _load(name: str, region: str) -> AnyRegion:
    return load_chosen(None if name == EMBEDDED else name, region)
