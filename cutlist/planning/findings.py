"""All that is odd about NodePools and node classes before any pod is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.api import EC2NodeClass, NodeClass
from cutlist.planned import Note
from cutlist.planning.allowed import allowed_by
from cutlist.planning.class_findings import class_findings, image_findings
from cutlist.planning.given import PlanInputs
from cutlist.planning.pool_findings import pool_findings
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.scheduler import takes_part

# What is good to know and goes as its author thinks, as far as anybody can tell.
ADVICE: Final = frozenset(("image-drivers", "images-move", "some-without-image", "too-small-for-daemons", "windows-version"))


def findings(inputs: PlanInputs, types: Mapping[str, Sequence[InstanceType]], classes: Mapping[str, NodeClass]) -> list[Note]:
    """What NodePools that take part and their classes come to. `types` and `classes` are by NodePool."""
    pools = [p for p in inputs.node_pools if takes_part(p)]
    daemons = [d.pod for d in inputs.workloads.daemons]
    found: list[Note] = []
    for allowed in allowed_by(pools, types, classes):
        found += pool_findings(allowed, inputs.clouds, daemons, strict_min_values=inputs.options.strict_min_values)
        found += image_findings(allowed)
    used = {c.name: c for c in classes.values() if isinstance(c, EC2NodeClass)}
    return found + [note for name in sorted(used) for note in class_findings(used[name])]


def warnings_in(notes: Iterable[Note]) -> list[Note]:
    """Those that something will go otherwise for than its author thinks."""
    return [note for note in notes if note.code not in ADVICE]


def advice_in(notes: Iterable[Note]) -> list[Note]:
    """The others."""
    return [note for note in notes if note.code in ADVICE]
