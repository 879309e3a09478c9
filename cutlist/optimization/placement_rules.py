"""What rules between pods prove about every packing: how many pods of a workload one node holds at most, and how many of them
are in each zone at least.

Only rules that Karpenter never relaxes count: required anti-affinity, and topology spread with DoNotSchedule. Of these only the
ones by which pods of a workload see each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.requirements import Requirements
from cutlist.planning.pass_inputs import PassInputs
from cutlist.scheduling.inputs import SchedulerInputs, takes_part
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.spread_rules import with_match_label_keys
from cutlist.scheduling.topology import namespaces_of
from cutlist.scheduling.topologydomaingroup import TopologyDomainGroups
from cutlist.workloads.pods import LabelSelector, Pod, SpreadConstraint


def most_on_a_node(pod: Pod, namespaces: Mapping[str, Mapping[str, str]]) -> int | None:
    """Return how many of such pods one node holds at most by their own rules on the hostname, None for any number. A new node
    is always possible, so the fewest pods on a node count as 0 (spec: scheduling 7.8)."""
    limits = [
        rule.max_skew
        for rule in pod.spread
        if rule.topology_key == HOSTNAME and _is_hard(rule) and _selects(with_match_label_keys(rule, pod), pod)
    ]
    limits += [
        1
        for term in pod.anti_affinity
        if term.topology_key == HOSTNAME
        and pod.namespace in namespaces_of(term, pod, namespaces)
        and _selects(term.selector, pod)
    ]
    return min(limits, default=None)


def spread_zones(ready: Sequence[PassInputs]) -> tuple[str, ...]:
    """Return the zones that a spread of pods counts, of one controller's NodePools; none if there are several controllers or
    nodes that exist, whose zones count too. Narrower types do not change them: Karpenter reads the zones of all types (spec:
    scheduling 7.3)."""
    if len(ready) != 1 or ready[0].passes.nodes or ready[0].passes.bound:
        return ()
    passes, known = ready[0].passes, ready[0].passes.registry.well_known
    pools = [pool for pool in passes.pools if takes_part(pool)]
    groups = TopologyDomainGroups(((p, ready[0].tables.of(p.name, known)) for p in pools), passes.registry)
    return tuple(sorted(groups.domains(ZONE, Pod(), honor_taints=False)))


class ZoneSpreads:
    """The fewest pods of each batch in each of the zones that a spread counts."""

    def __init__(self, inputs: SchedulerInputs, zones: Sequence[str]) -> None:
        self._batches, self._zones = inputs.batches, zones
        self._has_taints = any(pool.taints for pool in inputs.pools)
        self._by_label: dict[tuple[str, str], list[PodBatch]] = {}
        for batch in inputs.batches if zones else ():
            for label in batch.pod.labels.items():
                self._by_label.setdefault(label, []).append(batch)

    def least(self, number: int, count: int, ways: Sequence[Requirements]) -> int:
        """Return how many pods of a batch each zone has at least when this many have a node.

        With D zones, none of which has more than `maxSkew` pods beyond the emptiest, that one has at least a D-th of what is
        left when all others have `maxSkew` more.
        """
        batch, zones = self._batches[number], len(self._zones)
        if not zones or any(ZONE in way for way in ways):
            return 0
        leasts = [
            -(-(count - rule.max_skew * (zones - 1)) // zones) for rule in batch.pod.spread if self._is_simple(rule, batch)
        ]
        return max(0, *leasts) if leasts else 0

    def _is_simple(self, rule: SpreadConstraint, batch: PodBatch) -> bool:
        """Tell whether a rule spreads the pods of this batch, and no others, over all zones."""
        if rule.topology_key != ZONE or not _is_hard(rule) or (rule.min_domains or 0) > len(self._zones):
            return False
        if rule.node_taints_policy == "Honor" and self._has_taints:
            return False
        selector = with_match_label_keys(rule, batch.pod)
        if selector is None or not selector.match_labels or not selector.matches(batch.pod.labels):
            return False
        alike = self._by_label.get(selector.match_labels[0], ())
        return all(
            other is batch or other.pod.namespace != batch.pod.namespace or not selector.matches(other.pod.labels)
            for other in alike
        )


def _is_hard(rule: SpreadConstraint) -> bool:
    return rule.when_unsatisfiable == "DoNotSchedule"


def _selects(selector: LabelSelector | None, pod: Pod) -> bool:
    return selector is not None and selector.matches(pod.labels)
