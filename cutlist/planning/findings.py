"""All that is odd about NodePools and node classes before any pod is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cutlist.api import NodeClass, kind_of
from cutlist.core.notes import Note
from cutlist.planning.allowed import allowed_by
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_findings import pool_findings
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.provisioner import takes_part

# What is good to know and goes as its author thinks, as far as anybody can tell.
ADVICE: Final = frozenset(
    ("image-drivers", "images-move", "quota", "some-without-image", "too-small-for-daemons", "windows-version")
)


def findings(inputs: PlanInputs, tables: InstanceTypeIndexes, classes: Mapping[str, NodeClass]) -> list[Note]:
    """What NodePools that take part and their classes come to. `tables` and `classes` are by NodePool."""
    pools = [p for p in inputs.node_pools if takes_part(p)]
    cloud = inputs.cloud
    daemons = [d.pod for d in inputs.workloads.daemons]
    found: list[Note] = []
    for allowed in allowed_by(pools, tables, classes):
        region, strict = inputs.catalog.region, inputs.options.strict_min_values
        found += [*cloud.pool_findings(allowed), *pool_findings(allowed, region, daemons, strict_min_values=strict)]
    used = {(kind_of(c), c.name): c for c in classes.values()}
    return found + [note for key in sorted(used) for note in cloud.class_findings(used[key])]


def warnings_in(notes: Iterable[Note]) -> list[Note]:
    """Those that something will go otherwise for than its author thinks."""
    return [note for note in notes if note.code not in ADVICE]


def advice_in(notes: Iterable[Note]) -> list[Note]:
    """The others."""
    return [note for note in notes if note.code in ADVICE]
