"""The region that the input itself names, where no region is given: that of its zones and nodes, or of its configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.catalog.embedded import chosen_regions
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import REGION as REGION_LABEL
from cutlist.core.labels import ZONE
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.documents.input_files import is_in
from cutlist.documents.regions import NamedRegion
from cutlist.planning.built_in_signs import labels_in
from cutlist.settings.planning import REGION, PlanSettings


def with_region_of_input(
    settings: PlanSettings,
    documents: Sequence[Document],
    configured: Callable[[], Sequence[NamedRegion]],
    notes: Notes,
    problems: Problems,
) -> PlanSettings:
    """Return the settings with the region that the objects name, or else that of `configured`, if none is set, and add a note
    on what names it. If they name none or several, the missing region is added to the problems, unless nothing was read: then
    that is what has to change first."""
    if settings["region"] is not None or (problems and not documents):
        return settings
    named = next(filter(None, _by_strength(settings, documents, configured)), ())
    if len(named) == 1:
        notes.add("named-region", f"the region {named[0].region} is that of {named[0].where}")
        return {**settings, "region": named[0].region}
    problems.add(Place.of(REGION), "no region is given", ", ".join(f"{each.region} of {each.where}" for each in named))
    return settings


def _by_strength(
    settings: PlanSettings, documents: Sequence[Document], configured: Callable[[], Iterable[NamedRegion]]
) -> Iterator[tuple[NamedRegion, ...]]:
    """Yield the regions that objects name, then those that the configuration names, as far as the catalogue has them."""
    try:
        known = frozenset(chosen_regions(settings["catalog"]))
    except InputError:
        return
    yield _each_once(_in_objects(documents, known))
    named = [each for each in configured() if each.region in known]
    yield _each_once(_around_pools(named, documents)) or _each_once(named)


def _around_pools(named: Iterable[NamedRegion], documents: Iterable[Document]) -> Iterator[NamedRegion]:
    """Yield the regions of configurations in whose folders NodePools are, as beside clusters for other purposes."""
    folders = {os.path.dirname(os.path.normpath(d.place.source)) for d in documents if d.kind == _POOL}
    for each in named:
        if each.folder and any(is_in(folder + os.sep, os.path.normpath(each.folder)) for folder in folders):
            yield each


def _each_once(named: Iterable[NamedRegion]) -> tuple[NamedRegion, ...]:
    by_region: dict[str, NamedRegion] = {}
    for each in named:
        by_region.setdefault(each.region, each)
    return tuple(by_region.values())


def _in_objects(documents: Iterable[Document], known: frozenset[str]) -> Iterator[NamedRegion]:
    """Yield the regions of the zones and regions that objects select or have as labels."""
    for document in documents:
        for key, value in labels_in(document.data):
            if key in _KEYS:
                for text in _texts(value):
                    region = _region_of(key, text, known)
                    if region:
                        what = f"{_KEYS[key]} {text} of {document.kind} {document.name}".rstrip()
                        yield NamedRegion(region, f"{what} ({document.place})")


_POOL: Final = "NodePool"
_KEYS: Final[Mapping[str, str]] = {ZONE: "zone", REGION_LABEL: "region"}


def _texts(value: Any) -> list[str]:
    return [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]


def _region_of(key: str, text: str, known: frozenset[str]) -> str:
    """Return the region of a zone, such as `us-east-1a` or `eastus-1`, or the region itself; empty for one that is unknown."""
    candidates = (text,) if key == REGION_LABEL else (text[:-1], text.rpartition("-")[0])
    return next((candidate for candidate in candidates if candidate in known), "")
