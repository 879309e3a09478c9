"""Pods without a node, with the reason that matters and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.planning.model import PendingPods
from cutlist.planning.passes import Outcome
from cutlist.planning.reasons import advice, main_reason, sentence
from cutlist.scheduling.queue import PodBatch


def pending_pods(outcome: Outcome, batches: Sequence[PodBatch]) -> tuple[PendingPods, ...]:
    """What stays pending, pods with one reason next to each other."""
    found: list[PendingPods] = []
    for unplaced in outcome.result.unplaced:
        reason = main_reason(unplaced.refusals)
        if unplaced.dropped:
            reason = "its node was given up: after the cut to 600 instance types minValues no longer holds"
        by_pool = tuple((pool, sentence(refusal)) for pool, refusal in unplaced.refusals)
        helps = next(iter(outcome.remedies.get(unplaced.batch, ())), None)
        remedy = "" if helps is None else advice(helps)
        found.append(PendingPods(batches[unplaced.batch].name, unplaced.count, reason, by_pool, remedy))
    for number, why in outcome.result.ignored.items():
        found.append(PendingPods(batches[number].name, batches[number].count, f"Karpenter passes it over: {why}"))
    return tuple(sorted(found, key=lambda p: (p.reason, p.workload, p.count)))
