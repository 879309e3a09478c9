"""Label values in NodePools that no machine has: a slip of the pen is an error, a machine sold elsewhere a warning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.api import WrittenPool
from cutlist.catalog import AnyRegion, is_azure
from cutlist.core.errors import Problems, nearest
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP, AZURE_GROUP
from cutlist.core.notes import Note
from cutlist.providers.lint.aws import AwsWords
from cutlist.providers.lint.azure import AzureWords
from cutlist.providers.lint.words import Words

_CLOUDS: Final = {AWS_GROUP: "AWS", AUTO_GROUP: "AWS", AZURE_GROUP: "Azure"}


def unknown_values(pools: Iterable[WrittenPool], catalog: AnyRegion, problems: Problems) -> list[Note]:
    """Check `In` values of NodePools against what exists; mistakes go to `problems`, the rest comes back as warnings.

    A NodePool for another cloud than the region's is a mistake, and no other is looked for in it.
    """
    words: Words = AzureWords(catalog) if is_azure(catalog) else AwsWords(catalog)
    warnings: list[Note] = []
    for pool in pools:
        if not _is_elsewhere(pool, catalog, problems):
            warnings += _unknown_values(pool, words, catalog.region, problems)
    return warnings


def _is_elsewhere(pool: WrittenPool, catalog: AnyRegion, problems: Problems) -> bool:
    group, kind, _ = pool.node_class
    here = "Azure" if is_azure(catalog) else "AWS"
    wanted = _CLOUDS.get(group, here)
    if wanted == here:
        return False
    text = f"NodePool {pool.name} is for {wanted}, by its {kind}, and {catalog.region} is of {here}"
    problems.add(pool.node_class_place, text, f"a region of {wanted}, or the files of each cloud by themselves")
    return True


def _unknown_values(pool: WrittenPool, words: Words, region: str, problems: Problems) -> list[Note]:
    warnings = words.never_launched(pool)
    for wanted in pool.requirements:
        words.check_key(pool, wanted, problems)
        known = words.fixed.get(wanted.key) or words.everywhere.get(wanted.key)
        for value in wanted.values if wanted.operator == "In" else ():
            if known is not None and value not in known:
                allowed = ", ".join(sorted(known)) if wanted.key in words.fixed else f"a value that some {words.machine} has"
                problems.add(wanted.place, f"{wanted.key} is never {value!r}", allowed, nearest(value, sorted(known)))
            elif (odd := words.hardware.odd(wanted.key, value)) is not None:
                hint = f"; did you mean {odd}?" if odd else ""
                text = f"NodePool {pool.name}: no {words.machine} has {wanted.key} {value}{hint}"
                warnings.append(Note("not-a-value", text))
            elif wanted.key in words.here and value not in words.here[wanted.key]:
                text = f"NodePool {pool.name}: no machine of {region} has {wanted.key} {value}"
                warnings.append(Note("not-in-region", text))
    return warnings
