"""Pods in the form that a bound reads: what one of them requests, and where it may run at all. A bound stays valid without some
rules, but an added rule makes it wrong. So pods are read as Karpenter treats them after it has relaxed everything that it may:
without preferences, with any of their required terms, tolerating PreferNoSchedule, and without rules about other pods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION, Taint, Toleration, untolerated
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.state.volumes import NO_VOLUMES, PodVolumes
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class Demand:
    """Pods that request the same and may run on the same nodes.

    `requests` are those of one pod in nano-units, `pods` included. A node suits it if the node meets one of `ways` and its
    taints are tolerated.
    """

    requests: tuple[tuple[str, int], ...]
    ways: tuple[Requirements, ...]
    tolerations: tuple[Toleration, ...]
    count: int

    def tolerates(self, taints: Sequence[Taint]) -> bool:
        """Tell whether the pods may run on nodes with these taints."""
        return not untolerated(taints, self.tolerations)


def placed_demands(inputs: SchedulerInputs, pending: Mapping[str, int]) -> tuple[Demand, ...]:
    """Return the pods of all batches except those that stay pending, given as numbers by workload. It is not known which of a
    workload's batches they belong to, so each batch loses that many.
    """
    return demands(inputs, {n: max(0, batch.count - pending.get(batch.name, 0)) for n, batch in enumerate(inputs.batches)})


def demands(inputs: SchedulerInputs, counts: Mapping[int, int]) -> tuple[Demand, ...]:
    """Return numbers of pods by batch as demands, each kind of pod once, in the order of the batches."""
    # Batches of the same pods are one demand: a programme's size grows with the number of demands.
    totals: Counter[tuple[object, ...]] = Counter()
    kinds: dict[tuple[object, ...], Demand] = {}
    for number in sorted(counts):
        kind = _demand(inputs.batches[number].pod, inputs.volumes.get(number, NO_VOLUMES), inputs.registry)
        key = (kind.requests, kind.ways, kind.tolerations)
        kinds.setdefault(key, kind)
        totals[key] += counts[number]
    return tuple(
        Demand(kind.requests, kind.ways, kind.tolerations, totals[key]) for key, kind in kinds.items() if totals[key] > 0
    )


def _demand(pod: Pod, volumes: PodVolumes, registry: LabelRegistry) -> Demand:
    """Return a pod as a demand whose number is not set yet."""
    selected = Requirements.of_labels(pod.node_selector, registry)
    # Any term will do, since relaxing drops all but one of them; a bound has to allow every outcome.
    terms = [selected & Requirements.of_expressions(term, registry) for term in pod.required or ((),)]
    ways = [term & volume for term in terms for volume in volumes.alternatives or (Requirements(),)]
    requests = tuple(sorted((name, amount) for name, amount in pod.requests.items() if amount > 0))
    return Demand(requests, tuple(dict.fromkeys(ways)), (*pod.tolerations, PREFER_NO_SCHEDULE_TOLERATION), 0)
