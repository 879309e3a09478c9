"""The pods of a plan that stay pending: why, and what would help."""

from __future__ import annotations

import re

from cutlist.core.errors import nearest
from cutlist.core.labels import LabelRegistry
from cutlist.core.notes import Note
from cutlist.planning.gangs import held_back_pods
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome
from cutlist.planning.pending_reasons import PendingReasons
from cutlist.planning.remedies.spelling import same_name

_LABEL = re.compile("^(?:using )?label (\\S+) is (?:not allowed|restricted)")
_LIST_OF_LABELS = "; specify a well known label: ["


def pending_pods(
    inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome
) -> tuple[tuple[PendingPods, ...], tuple[Note, ...]]:
    """Return the pending pods of a controller, those with the same reason next to each other, and a note on those for which
    nobody looked what would help."""
    pending: list[PendingPods] = []
    notes: tuple[Note, ...] = ()
    if outcome.result.unplaced:
        reasons = PendingReasons.of(inputs, ready, outcome)
        pending += reasons.entries()
        notes = reasons.notes()
    for number, why in outcome.result.ignored.items():
        batch = ready.batches[number]
        if batch.count:
            pending.append(PendingPods(batch.name, batch.count, _skipped(why, ready.passes.registry), skipped=True))
    pending += held_back_pods(inputs.workloads)
    return tuple(sorted(pending, key=lambda p: (p.reason, p.workload, p.count))), notes


def _skipped(why: str, registry: LabelRegistry) -> str:
    """Return why Karpenter skips a pod, without the list of all labels that it might have used, but with the one that is meant:
    of the same name in another domain, or spelled nearly like it."""
    short, key, near = why.partition(_LIST_OF_LABELS)[0], _LABEL.search(why), ""
    if key is not None:
        near = next(iter(same_name(key[1], registry.well_known)), "") or nearest(key[1], sorted(registry.well_known))
    return f"Karpenter skips it: {short}{f'; did you mean {near}?' if near else ''}"
