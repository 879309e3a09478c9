"""Label values in NodePools that no machine has: a typing mistake is an error, a machine that is sold elsewhere a warning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.api import WrittenPool
from cutlist.api.written import WrittenValues
from cutlist.catalog import AnyRegion, is_azure
from cutlist.core.errors import Problems, nearest
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, AZURE_GROUP
from cutlist.core.notes import Note
from cutlist.providers.lint.aws import AwsLabelValues
from cutlist.providers.lint.azure import AzureLabelValues
from cutlist.providers.lint.label_values import LabelValues

_CLOUDS: Final = {AWS_GROUP: "AWS", AUTO_GROUP: "AWS", AZURE_GROUP: "Azure"}


def unknown_values(pools: Iterable[WrittenPool], catalog: AnyRegion, problems: Problems) -> list[Note]:
    """Check `In` values of NodePools against what exists; mistakes go to `problems`, the rest comes back as warnings.

    A NodePool for another cloud than the region's is a mistake, and no other is looked for in it.
    """
    labels: LabelValues = AzureLabelValues(catalog) if is_azure(catalog) else AwsLabelValues(catalog)
    warnings: list[Note] = []
    for pool in pools:
        if not _is_elsewhere(pool, catalog, problems):
            warnings += _unknown_values(pool, labels, catalog.region, problems)
    return warnings


def _is_elsewhere(pool: WrittenPool, catalog: AnyRegion, problems: Problems) -> bool:
    """Note a NodePool for another cloud than the region's, and tell whether it is one."""
    group, kind, _ = pool.node_class
    here = "Azure" if is_azure(catalog) else "AWS"
    wanted = _CLOUDS.get(group, here)
    if wanted == here:
        return False
    text = f"NodePool {pool.name} is for {wanted}, by its {kind}, and {catalog.region} is of {here}"
    problems.add(pool.node_class_place, text, f"a region of {wanted}, or the files of each cloud by themselves")
    return True


def _unknown_values(pool: WrittenPool, labels: LabelValues, region: str, problems: Problems) -> list[Note]:
    warnings = labels.never_launched(pool)
    for wanted in pool.requirements:
        labels.check_key(pool, wanted, problems)
        for value in wanted.values if wanted.operator == "In" else ():
            warnings += _unknown_value(pool.name, wanted, value, labels, region, problems)
    return warnings


def _unknown_value(
    pool: str, wanted: WrittenValues, value: str, labels: LabelValues, region: str, problems: Problems
) -> Iterator[Note]:
    """Note a value that cannot be as a mistake; yield a warning for one that no machine has, or none of the region."""
    key = wanted.key
    known = labels.fixed.get(key) or labels.in_any_region.get(key)
    if known is not None and value not in known:
        allowed = ", ".join(sorted(known)) if key in labels.fixed else f"a value that some {labels.machine} has"
        problems.add(wanted.place, f"{key} is never {value!r}", allowed, nearest(value, sorted(known)))
    elif (near := labels.hardware.nearest_value(key, value)) is not None:
        hint = f"; did you mean {near}?" if near else ""
        yield Note("not-a-value", f"NodePool {pool}: no {labels.machine} has {key} {value}{hint}")
    elif key in labels.in_region and value not in labels.in_region[key]:
        yield Note("not-in-region", f"NodePool {pool}: no machine of {region} has {key} {value}")
