"""What is known from round to round of consolidation about pods, and about the candidates that they run on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.labels import LabelRegistry
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION
from cutlist.disruption.candidates_without_room import CandidatesWithoutRoom
from cutlist.disruption.pod_queues import NodeQueue
from cutlist.disruption.room_left import PodSize
from cutlist.scheduling.firstfit import has_only_positive_terms, is_plain, without_rules
from cutlist.scheduling.inputs import ignored_because
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.workloads.pods import Pod

MOST_SIZES: Final = 16
"""Pods of how many sizes room is counted in. More of them would prove a little more, and cost a look at all nodes each."""
VerdictKey = tuple[tuple[tuple[int, int, int], ...], float, str, Hashable]
"""What decides about a single candidate: the pods that are left over by kind, stranded or waiting, its price and capacity type,
and what is used of limits."""


@dataclass(slots=True)
class KnownPods:
    """What is known of pods from round to round: the kinds of plain ones, queues of nodes, verdicts on candidates.

    `fits` says which pods a machine might hold that is cheaper than a price, with or without spot. `without_room` has
    candidates with the room up to which they are hopeless.

    Pods of a kind go to the same nodes; the first one represents them. `repelling` are the pods that may ever be in the cluster
    and keep others away, `are_positive` says that all pods require labels only by values that they have. It holds for one
    context, and as long as NodePools and types are the same.
    """

    repelling: Sequence[Pod]
    are_positive: bool
    plain: dict[Pod, PodData | None] = field(default_factory=dict)
    bounds: dict[Pod, PodData | None] = field(default_factory=dict)
    kinds: dict[tuple[Hashable, ...], PodData] = field(default_factory=dict)
    ignored: dict[Pod, bool] = field(default_factory=dict)
    launched_for: dict[int, bool] = field(default_factory=dict)
    sizes: list[PodSize] = field(default_factory=list)
    queues: dict[str, NodeQueue] = field(default_factory=dict)
    verdicts: dict[VerdictKey, bool] = field(default_factory=dict)
    fits: dict[tuple[tuple[tuple[PodData, int], ...], float, bool], bool] = field(default_factory=dict)
    without_room: CandidatesWithoutRoom = field(default_factory=CandidatesWithoutRoom)

    @staticmethod
    def among(pods: Sequence[Pod]) -> KnownPods:
        """Begin with nothing known but all pods that may ever be in the cluster."""
        return KnownPods([pod for pod in pods if pod.anti_affinity], all(map(has_only_positive_terms, pods)))

    def forget(self, node: str) -> None:
        """Forget a node that is no longer there."""
        self.queues.pop(node, None)
        self.without_room.forget(node)

    def kind_of(self, pod: Pod, context: SchedulingContext) -> PodData | None:
        """Return the pod that represents a plain one, or None for a pod that is not plain beside all others."""
        if pod not in self.plain:
            self.plain[pod] = self._kind(pod, context) if is_plain(pod, self.repelling) else None
        return self.plain[pod]

    def bound_of(self, pod: Pod, context: SchedulingContext) -> PodData | None:
        """Return a plain pod that may go wherever a pod may go, its preferences relaxed or not, or None if none is known."""
        if pod not in self.bounds:
            # A negative term of any pod may define a key on a node, after which it takes pods that it refused before.
            bare = without_rules(pod) if self.are_positive else None
            if bare is not None and context.tolerates_prefer_no_schedule:
                bare = replace(bare, tolerations=(*bare.tolerations, PREFER_NO_SCHEDULE_TOLERATION))
            plain = None if context.tolerates_prefer_no_schedule else self.kind_of(pod, context)
            self.bounds[pod] = plain if plain is not None or bare is None else self._kind(bare, context)
        return self.bounds[pod]

    def is_ignored(self, pod: Pod, registry: LabelRegistry) -> bool:
        """Tell whether passes ignore a pod while it waits."""
        if pod not in self.ignored:
            self.ignored[pod] = ignored_because(pod, registry) is not None
        return self.ignored[pod]

    def has_claims_for(self, kind: PodData, context: SchedulingContext) -> bool:
        """Tell whether it is certain that pods of a kind that no node takes are put on claims."""
        known = self.launched_for.get(kind.number)
        if known is None:
            known = self.launched_for[kind.number] = context.has_claims_for(kind)
        return known

    def _kind(self, pod: Pod, context: SchedulingContext) -> PodData:
        data = context.data_of(pod)
        # Both forms of requests: those that the pass compares, and those that the queue sorts by.
        kind = self.kinds.setdefault((data.requests, pod.requests, pod.tolerations, data.requirements), data)
        if kind is data and len(self.sizes) < MOST_SIZES:
            self.sizes.append(PodSize.of(kind, context.resources))
        return kind
