"""Label values in NodePools that no known machine has, or none in the region: each is a warning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from cutlist.api.written import WrittenPool, WrittenValues
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import Problems, nearest
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, AZURE_GROUP, REGION, ZONE
from cutlist.core.notes import Note
from cutlist.providers.lint.aws import AwsLabelValues
from cutlist.providers.lint.azure import AzureLabelValues
from cutlist.providers.lint.label_values import LabelValues

UNKNOWN_VALUE: Final = "not-a-value"
"""The code of the note on a value of no known machine or zone."""
_MOST_NAMED: Final = 100
"""How many unknown values of one requirement are named."""
_CLOUDS: Final = {AWS_GROUP: "AWS", AUTO_GROUP: "AWS", AZURE_GROUP: "Azure"}


def unknown_values(pools: Iterable[WrittenPool], catalog: AnyRegion, problems: Problems) -> list[Note]:
    """Return warnings about `In` values of NodePools that no known machine or zone has, or none in the region.

    Karpenter accepts and ignores such values, and the catalogue may be older than they are, so they are not mistakes. A
    NodePool for another cloud than the region's is one; it is added to `problems`, and not checked further.
    """
    labels = _labels_in(catalog)
    warnings: list[Note] = []
    for pool in pools:
        if not _is_elsewhere(pool, catalog, problems):
            warnings += _unknown_values(pool, labels, catalog.region, problems)
    return warnings


def values_unknown_anywhere(pools: Iterable[WrittenPool], problems: Problems) -> list[Note]:
    """Return warnings about `In` values of NodePools that no known machine or zone of their cloud has in any region."""
    by_cloud: dict[str, list[WrittenPool]] = {}
    for pool in pools:
        by_cloud.setdefault(_CLOUDS.get(pool.node_class[0], ""), []).append(pool)
    warnings: list[Note] = []
    for cloud, of_cloud in by_cloud.items():
        zones = {value for pool in of_cloud for r in pool.requirements if r.key == ZONE for value in r.values}
        if cloud:
            labels = _labels_anywhere(cloud, zones)
            for pool in of_cloud:
                warnings += _unknown_values(pool, labels, "", problems)
    return warnings


def _labels_in(catalog: AnyRegion) -> LabelValues:
    if is_azure(catalog):
        return AzureLabelValues.of(catalog)
    return AwsLabelValues.of(catalog)


def _labels_anywhere(cloud: str, zones: Iterable[str]) -> LabelValues:
    if cloud == "Azure":
        return AzureLabelValues.anywhere(zones)
    return AwsLabelValues.anywhere(zones)


def is_of_cloud(pool: WrittenPool, catalog: AnyRegion) -> bool:
    """Tell whether a NodePool is for the cloud of a region, or for an unknown cloud."""
    here = "Azure" if is_azure(catalog) else "AWS"
    return _CLOUDS.get(pool.node_class[0], here) == here


def _is_elsewhere(pool: WrittenPool, catalog: AnyRegion, problems: Problems) -> bool:
    """Tell whether a NodePool is for another cloud than the region's, and add that to `problems`."""
    if is_of_cloud(pool, catalog):
        return False
    group, kind, _ = pool.node_class
    here, wanted = "Azure" if is_azure(catalog) else "AWS", _CLOUDS[group]
    text = f"NodePool {pool.name} is for {wanted}, by its {kind}, and {catalog.region} is of {here}"
    problems.add(pool.node_class_place, text, f"a region of {wanted}, or the files of each cloud by themselves")
    return True


def _unknown_values(pool: WrittenPool, labels: LabelValues, region: str, problems: Problems) -> list[Note]:
    warnings = labels.never_launched(pool)
    for wanted in pool.requirements:
        labels.check_key(pool, wanted, problems)
        if wanted.operator == "In":
            warnings += _unknown_of(pool.name, wanted, labels, region)
    return warnings


def _unknown_of(pool: str, wanted: WrittenValues, labels: LabelValues, region: str) -> Iterator[Note]:
    """Yield warnings about the values of a requirement; of very many that are unknown the rest is counted."""
    found: list[_Unknown] = []
    for number, value in enumerate(wanted.values):
        if (of := _unknown_value(wanted.key, value, labels, region)) is not None:
            found.append(of)
        if len(found) >= _MOST_NAMED:
            left = len(wanted.values) - number - 1
            text = f"NodePool {pool}: {left:,} more values of {wanted.key} are not looked up, since so many are unknown"
            yield from (*_together(pool, found), Note(UNKNOWN_VALUE, text))
            return
    yield from _together(pool, found)


class _Unknown(NamedTuple):
    """A value that no machine or zone has, with the beginning and the end of the sentence about it, and what was meant."""

    value: str
    code: str
    begins: str
    ends: str = ""
    near: str = ""


def _unknown_value(key: str, value: str, labels: LabelValues, region: str) -> _Unknown | None:
    """Return a value that no known machine or zone has, or none in the region. Without a region, all count."""
    if key in labels.fixed:
        known = labels.fixed[key]
        if not known or value in known:
            return None
        ends = f", only {', '.join(sorted(known))}" if region or key not in (REGION, ZONE) else ""
        near = _of_another_key(value, labels) or nearest(value, sorted(known)) or _named_in_full(value, known)
        return _Unknown(value, UNKNOWN_VALUE, f"{region or 'no known region'} has {'no ' if region else ''}{key}", ends, near)
    nearest_of_a_machine = _nearest_of_a_machine(key, value, labels)
    if nearest_of_a_machine is not None:
        why = labels.why_unknown(key, value)
        return _Unknown(
            value,
            UNKNOWN_VALUE,
            f"no known {labels.machine} has {key}",
            f": {why}" if why else "",
            "" if why else labels.meant(key, value) or nearest_of_a_machine,
        )
    if key in labels.in_region and value not in labels.in_region[key]:
        return _Unknown(value, "not-in-region", f"no machine of {region} has {key}")
    return None


def _together(pool: str, found: Sequence[_Unknown]) -> Iterator[Note]:
    """Yield a warning for all values of a requirement about which the same is to be said."""
    alike: dict[tuple[str, str, str], list[_Unknown]] = {}
    for of in found:
        alike.setdefault((of.code, of.begins, of.ends), []).append(of)
    for (code, begins, ends), values in alike.items():
        meant = list(dict.fromkeys(of.near for of in values if of.near))
        hint = f"; did you mean {_either(meant)}?" if meant else ""
        yield Note(code, f"NodePool {pool}: {begins} {_either([of.value for of in values])}{ends}{hint}")


def _either(names: Sequence[str]) -> str:
    return " or ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _nearest_of_a_machine(key: str, value: str, labels: LabelValues) -> str | None:
    """Return None for a value that some machine has, and for labels that machines do not have; else the nearest value."""
    known = labels.in_any_region.get(key)
    if known is None:
        return labels.hardware.nearest_value(key, value)
    return None if value in known else nearest(value, sorted(known))


def _of_another_key(value: str, labels: LabelValues) -> str:
    """Return the label that has a value which another one was given, with the value, as a zone's name given as its id."""
    return next((f"{key} {value}" for key, known in labels.fixed.items() if value in known), "")


def _named_in_full(value: str, known: Iterable[str]) -> str:
    """Return the only known value that ends with this one, as `northeurope-1` does with `1` and `us-west-2a` with `a`."""
    ended = [name for name in known if value and name.endswith(value)]
    return ended[0] if len(ended) == 1 else ""
