"""Which pods of a new node can attach their volumes to it (VL-6, VL-7).

Karpenter does not know how many volumes a node attaches until the node runs and its CSINode says so. It puts pods on a new node
without regard to that; the kube-scheduler then binds as many as the node attaches, and the others wait for another pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.notes import Note
from cutlist.core.runs import Runs, in_runs
from cutlist.core.wording import counted, first_of
from cutlist.planning.pass_cluster import PassCluster, with_pods
from cutlist.scheduling.launched import Purchase
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import TooManyVolumes
from cutlist.scheduling.results import PlacedClaim, Results, UnschedulablePods
from cutlist.state.volumes import NO_VOLUMES, Attachment, PodVolumes

_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Pods of a new node that wait since their volumes are more than it attaches: numbers by batch. `nodes` are alike.

    `limits` are those of the node by CSI driver, as far as these pods use them; `planned` are all pods of the same batches that
    Karpenter put on the node.
    """

    instance_type: str
    limits: Mapping[str, int]
    pods: Mapping[int, int]
    planned: Mapping[int, int]
    nodes: int = 1


class Attaching:
    """Holds back the pods whose volumes a new node cannot attach: the kube-scheduler does not bind them (VL-6, VL-7).

    `never` are the batches of which no node attaches even one pod's volumes, with the NodePool and the refusal. Karpenter would
    launch one empty node after the other for them; here they stay pending.
    """

    def __init__(self, limits_of: Callable[[str, str], Mapping[str, int]] | None, cluster: PassCluster) -> None:
        self._limits_of = limits_of
        self._cluster = cluster
        self.held_back: list[HeldBack] = []
        self.never: dict[int, tuple[str, TooManyVolumes]] = {}

    def limits(self, claim: PlacedClaim, purchase: Purchase) -> Mapping[str, int]:
        """Return how many volumes the node of a claim attaches, by CSI driver."""
        return {} if self._limits_of is None else self._limits_of(claim.node_pool, purchase.type.name)

    def bound(
        self, results: Results, volumes: Mapping[int, PodVolumes], purchase: Callable[[PlacedClaim], Purchase]
    ) -> Results:
        """Return a pass with those pods on new nodes that are bound there; the others wait."""
        self.held_back = []
        claims = results.claims
        if volumes:
            bound = ((self._bound(claim, nodes, volumes, purchase), nodes) for claim, nodes in in_runs(claims))
            claims = Runs((claim, nodes) for claim, nodes in bound if claim is not None)
        waiting = ((batch, self._cluster.waiting(batch), refusal) for batch, refusal in sorted(self.never.items()))
        never = [UnschedulablePods(batch, count, (refusal,)) for batch, count, refusal in waiting if count]
        return replace(results, claims=claims, unplaced=(*results.unplaced, *never))

    def _bound(
        self, claim: PlacedClaim, nodes: int, volumes: Mapping[int, PodVolumes], purchase: Callable[[PlacedClaim], Purchase]
    ) -> PlacedClaim | None:
        """Return a claim of equal ones with the pods that are bound to its node, or None if no pod is: its node stays empty."""
        if not any(batch in volumes for batch in claim.pods):
            return claim
        bought = purchase(claim)
        limits, batches = self.limits(claim, bought), self._cluster.batches
        fitting = attachable(claim.pods, batches, volumes, limits)
        if fitting == claim.pods:
            return claim
        for batch in claim.pods:
            refusal = _beyond_node(volumes.get(batch, NO_VOLUMES), limits, bought.type.name)
            if refusal is not None:
                self.never[batch] = claim.node_pool, refusal
        held = {b: count - fitting.get(b, 0) for b, count in claim.pods.items() if b not in self.never}
        if any(held.values()):
            pods = {b: count for b, count in held.items() if count}
            drivers = {driver for b in pods for driver in volumes[b].drivers}
            used = {driver: limit for driver, limit in limits.items() if driver in drivers}
            self.held_back.append(HeldBack(bought.type.name, used, pods, {b: claim.pods[b] for b in pods}, nodes))
        return with_pods(claim, fitting, batches) if fitting else None


def attachable(
    pods: Mapping[int, int], batches: Sequence[PodBatch], volumes: Mapping[int, PodVolumes], limits: Mapping[str, int]
) -> dict[int, int]:
    """Return how many pods of each batch can attach their volumes to a node with these limits.

    The kube-scheduler takes those of the highest priority first; equal ones in the order of their batches.
    """
    attached: frozenset[Attachment] = frozenset()
    own: Counter[str] = Counter()
    fitting: dict[int, int] = {}
    for batch in sorted(pods, key=lambda b: (-batches[b].pod.priority, b)):
        of_pod = volumes.get(batch, NO_VOLUMES)
        shared = attached | of_pod.attached
        used = Counter(driver for driver, _ in shared)
        left = {driver: limit - used[driver] - own[driver] for driver, limit in limits.items()}
        needs = [(driver, count) for driver, count in of_pod.own if driver in limits]
        # Pods without volumes of a limited driver are not looked at, even on a node that has no attachment left.
        if any(left.get(driver, 0) < 0 for driver in of_pod.drivers):
            continue
        count = min([pods[batch], *(left[driver] // each for driver, each in needs)])
        if count:
            attached = shared
            own.update({driver: each * count for driver, each in needs})
            fitting[batch] = count
    return {batch: fitting[batch] for batch in pods if batch in fitting}


def _beyond_node(of_pod: PodVolumes, limits: Mapping[str, int], instance_type: str) -> TooManyVolumes | None:
    """Return why a node can never attach the volumes of one pod, or None if it can."""
    counts = Counter(driver for driver, _ in of_pod.attached) + Counter(dict(of_pod.own))
    over = ((driver, counts[driver], limit) for driver, limit in sorted(limits.items()) if counts[driver] > limit)
    return next((TooManyVolumes(driver, count, limit, instance_type) for driver, count, limit in over), None)


def held_back_notes(held_back: Sequence[HeldBack], batches: Sequence[PodBatch], nodes: int) -> Iterator[Note]:
    """Yield what happens to the nodes of the first pass, by type and limit. `nodes` are those of the whole plan."""
    alike: dict[tuple[str, tuple[tuple[str, int], ...]], list[HeldBack]] = {}
    for held in held_back:
        alike.setdefault((held.instance_type, tuple(sorted(held.limits.items()))), []).append(held)
    for (instance_type, limits), of_type in alike.items():
        names = list(dict.fromkeys(batches[b].name for held in of_type for b in held.pods))
        planned = sum(held.nodes * sum(held.planned.values()) for held in of_type)
        waiting = sum(held.nodes * sum(held.pods.values()) for held in of_type)
        first = sum(held.nodes for held in of_type)
        text = f"Karpenter first plans {counted(first, 'node')} of {instance_type} for {counted(planned, 'pod')} of"
        attached = " and ".join(f"{limit} volumes of {driver}" for driver, limit in limits)
        fits = f"such a node attaches {attached}, so {counted(waiting, 'pod')} wait"
        yield Note("attach-limits", f"{text} {first_of(names, _NAMED)}; {fits}, and the plan becomes {counted(nodes, 'node')}")
