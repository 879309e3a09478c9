"""Pods in the form that a bound reads: what one of them requests, and where it may run at all. A bound stays valid without some
rules, but an added rule makes it wrong. So pods are read as Karpenter treats them after it has relaxed everything that it may:
without preferences, with any of their required terms, tolerating PreferNoSchedule, and of rules about other pods only with what
`placement_rules` proves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION, Taint, Toleration, untolerated
from cutlist.optimization.placement_rules import ZoneSpreads, most_on_a_node
from cutlist.scheduling.dynamicresources.device_amounts import TemplateKey, templates_of
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.state.volumes import NO_VOLUMES


@dataclass(frozen=True, slots=True)
class Demand:
    """Pods that request the same and may run on the same nodes.

    `requests` are those of one pod in nano-units, `pods` included. A node suits it if the node meets one of `ways` and its
    taints are tolerated. `on_a_node` is how many a node holds at most by rules of these pods, None for any number, and
    `in_each_zone` how many there are in each zone that a spread counts at least. `claims` are the templates of
    the claims of each pod.
    """

    requests: tuple[tuple[str, int], ...]
    ways: tuple[Requirements, ...]
    tolerations: tuple[Toleration, ...]
    count: int
    on_a_node: int | None = None
    in_each_zone: int = 0
    claims: tuple[TemplateKey, ...] = ()

    def tolerates(self, taints: Sequence[Taint]) -> bool:
        """Tell whether the pods may run on nodes with these taints."""
        return not untolerated(taints, self.tolerations)


def placed_demands(inputs: SchedulerInputs, pending: Mapping[str, int], zones: Sequence[str] = ()) -> tuple[Demand, ...]:
    """Return the pods of all batches except those that stay pending, given as numbers by workload. It is not known which of a
    workload's batches they belong to, so each batch loses that many. `zones` are those that a spread counts.
    """
    counts = {n: max(0, batch.count - pending.get(batch.name, 0)) for n, batch in enumerate(inputs.batches)}
    return demands(inputs, counts, zones)


def demands(inputs: SchedulerInputs, counts: Mapping[int, int], zones: Sequence[str] = ()) -> tuple[Demand, ...]:
    """Return numbers of pods by batch as demands, each kind of pod once, in the order of the batches."""
    # Batches of the same pods are one demand: a programme's size grows with the number of demands. Each of them may have its
    # most on the same node.
    kinds: dict[tuple[object, ...], Demand] = {}
    spreads = ZoneSpreads(inputs, zones)
    for number in sorted(counts):
        if not counts[number]:
            continue
        of_batch = _demand(inputs, number, counts[number], spreads)
        key = (of_batch.requests, of_batch.ways, of_batch.tolerations, of_batch.on_a_node is None, of_batch.claims)
        kinds[key] = _joined(kinds[key], of_batch) if key in kinds else of_batch
    return tuple(kinds.values())


def _joined(one: Demand, other: Demand) -> Demand:
    """Return the pods of two batches that request the same as one demand."""
    most = None if one.on_a_node is None or other.on_a_node is None else one.on_a_node + other.on_a_node
    return replace(one, count=one.count + other.count, on_a_node=most, in_each_zone=one.in_each_zone + other.in_each_zone)


def _demand(inputs: SchedulerInputs, number: int, count: int, spreads: ZoneSpreads) -> Demand:
    """Return this many pods of a batch as a demand."""
    pod, volumes = inputs.batches[number].pod, inputs.volumes.get(number, NO_VOLUMES)
    selected = Requirements.of_labels(pod.node_selector, inputs.registry)
    # Any term will do, since relaxing drops all but one of them; a bound has to allow every outcome.
    terms = [selected & Requirements.of_expressions(term, inputs.registry) for term in pod.required or ((),)]
    ways = tuple(dict.fromkeys(term & volume for term in terms for volume in volumes.alternatives or (Requirements(),)))
    requests = tuple(sorted((name, amount) for name, amount in pod.requests.items() if amount > 0))
    return Demand(
        requests,
        ways,
        (*pod.tolerations, PREFER_NO_SCHEDULE_TOLERATION),
        count,
        most_on_a_node(pod, inputs.namespaces),
        spreads.least(number, count, ways),
        templates_of(pod),
    )
