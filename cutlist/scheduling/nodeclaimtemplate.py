"""NodePools in the form that scheduling uses (spec: scheduling 3.2 to 3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.bits import bits
from cutlist.core.labels import HOSTNAME, INITIALIZED, NODEPOOL, REGISTERED, LabelRegistry
from cutlist.core.quantity import merge
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION, HostPort, Taint, untolerated
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

# The hostname of a node that does not exist yet, as Karpenter begins it: the same for every claim, since claims are
# distinguished by hostname in topology counts and not in requirements.
PLACEHOLDER: Final = "hostname-placeholder"
_HOSTNAME_OF_CLAIM: Final = Requirement(HOSTNAME, False, frozenset((PLACEHOLDER,)))
_TRUE: Final = frozenset(("true",))
# These labels exist only so that DaemonSets that select on them are counted; they never reach a NodeClaim (S-33).
_LIFECYCLE: Final = (Requirement(REGISTERED, False, _TRUE), Requirement(INITIALIZED, False, _TRUE))


@dataclass(frozen=True, slots=True)
class DaemonOverheadGroup:
    """Types of a template on which the same daemon pods run, and the overhead of these.

    `overhead` is in nano-units and empty when no daemon runs there.
    """

    mask: int
    overhead: Mapping[str, int]
    ports: frozenset[HostPort]


@dataclass(slots=True, eq=False)
class NodeClaimTemplate:
    """A NodePool ready to open claims: the state of a new claim, and what its limits still allow.

    `requirements` is the number of a new claim's set; `remaining` is what is left of each limited resource, in nano-units.
    """

    index: int
    pool: NodePool
    instance_types: InstanceTypeIndex
    mask: int
    requirements: int
    groups: tuple[DaemonOverheadGroup, ...] = ()
    remaining: dict[str, int] = field(default_factory=dict)
    min_values_relaxed: bool = False
    _within: dict[tuple[object, ...], int] = field(default_factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """Return the name of the NodePool."""
        return self.pool.name

    @property
    def exhausted(self) -> bool:
        """Tell whether the limit on nodes is used up."""
        return nodes_used_up(self.remaining)

    def within_limits(self) -> int:
        """Return the types whose whole capacity still fits under every limit (S-67, S-68, S-70).

        No type does when there are more nodes than allowed: a type's capacity is 0 nodes, which is more than the negative rest.
        """
        known = (self.mask, *self.remaining.items())  # hundreds of pods ask before these change
        if known not in self._within:
            mask = self.mask if self.remaining.get(NODES, 0) >= 0 else 0
            for resource, left in self.remaining.items():
                if resource != NODES:
                    mask &= self.instance_types.within_capacity(resource, left)
            self._within = {known: mask}
        return self._within[known]

    def spend(self, mask: int, claims: int = 1) -> None:
        """Subtract new claims with these types from the limits: each may become the largest of them, so that much is
        subtracted."""
        for resource in self.remaining:
            if resource != NODES:
                self.remaining[resource] -= claims * self.instance_types.largest_capacity(resource, mask)

    def equal_claims(self, mask: int, most: int) -> int:
        """Return how many new claims with these types, up to that many, find the same types within the limits."""
        allowed = self.within_limits()
        for resource, left in self.remaining.items():
            each = 0 if resource == NODES else self.instance_types.largest_capacity(resource, mask)
            if each:
                most = min(most, 1 + (left - self.instance_types.largest_capacity(resource, allowed)) // each)
        return most


def nodes_used_up(remaining: Mapping[str, int]) -> bool:
    """Tell whether a limit on nodes is used up: only a rest of exactly 0 counts (S-69)."""
    # Below 0 every type exceeds the limit instead, which leads to another message.
    return remaining.get(NODES) == 0


def in_order(pools: Iterable[NodePool]) -> list[NodePool]:
    """Return NodePools in the order in which they are tried: higher weights first, then reverse alphabetical order (S-30)."""
    # Two stable sorts: names cannot be negated.
    return sorted(sorted(pools, key=lambda p: p.name, reverse=True), key=lambda p: -p.weight)


def template_labels(pool: NodePool) -> dict[str, str]:
    """Return the labels of the pool's nodes that do not depend on the instance type; Karpenter's own override others (spec
    3.4)."""
    ref = pool.node_class_ref
    return {**pool.labels, NODEPOOL: pool.name, f"{ref.group}/{ref.kind.lower()}": ref.name}


def pool_requirements(pool: NodePool, registry: LabelRegistry) -> Requirements:
    """Return what every node of the pool satisfies: its requirements and its labels (S-32)."""
    return Requirements.of_expressions(pool.requirements, registry) & Requirements.of_labels(template_labels(pool), registry)


def fresh_requirements(pool: NodePool, registry: LabelRegistry) -> Requirements:
    """Return the requirements of a claim of the pool before it has pods."""
    return pool_requirements(pool, registry) & Requirements((*_LIFECYCLE, _HOSTNAME_OF_CLAIM))


def prefilter(instance_types: InstanceTypeIndex, requirements: Requirements) -> int:
    """Return the types that a pool may launch at all: the labels are compatible and an offering is available (spec 3.5,
    S-42)."""
    mask = 0
    for layer, offered in zip(instance_types.layers, instance_types.offered(requirements), strict=True):
        mask |= offered & layer.alive
    return mask & instance_types.compatible(requirements)


class DaemonPods:
    """The DaemonSets of a pass. The search for the OR-term by which a daemon runs consumes terms, for all later searches too.

    That is how Karpenter does it (spec 3.7): a term that fails once is removed, except the last.
    """

    __slots__ = ("pods", "registry")

    def __init__(self, pods: Sequence[Pod], registry: LabelRegistry, *, ignore_dra_requests: bool = True) -> None:
        self.registry = registry
        self.pods = [
            replace(p, tolerations=(*p.tolerations, PREFER_NO_SCHEDULE_TOLERATION))
            for p in pods
            if not (ignore_dra_requests and p.uses_dynamic_resources)
        ]

    def running_on(self, template: NodeClaimTemplate, space: RequirementSpace) -> list[int]:
        """Return for each daemon the types of the template on which it would run."""
        return [self._types_for(n, template, space) for n in range(len(self.pods))]

    def _types_for(self, number: int, template: NodeClaimTemplate, space: RequirementSpace) -> int:
        if untolerated(template.pool.taints, self.pods[number].tolerations):
            return 0
        held, types, waiting = space.sets[template.requirements], 0, template.mask
        while waiting:
            wanted = strict_requirements(self.pods[number], self.registry)
            fits = template.instance_types.compatible(wanted) if held.compatible(wanted, space.well_known) else 0
            refused = waiting & ~fits
            terms = self.pods[number].required or ()
            if not refused or len(terms) <= 1:
                return types | waiting & fits
            # Karpenter asks type by type in this order. Types before the first refusal were asked with the term that is dropped
            # now, those from it on are asked with the next one.
            first_refused = refused & -refused
            types |= waiting & fits & (first_refused - 1)
            waiting &= ~(first_refused - 1)
            self.pods[number] = replace(self.pods[number], required=terms[1:])
        return types


def daemon_groups(template: NodeClaimTemplate, daemons: DaemonPods, space: RequirementSpace) -> tuple[DaemonOverheadGroup, ...]:
    """Return the template's types grouped by the set of daemons that would run on them (S-36)."""
    parts: dict[tuple[int, ...], int] = {(): template.mask}
    # Each daemon divides the parts so far. Empty parts are dropped, so there are never more than there are types.
    for number, runs_on in enumerate(daemons.running_on(template, space)):
        split: dict[tuple[int, ...], int] = {}
        for running, mask in parts.items():
            halves = ((running, mask & ~runs_on), ((*running, number), mask & runs_on))
            split.update({key: part for key, part in halves if part})
        parts = split
    groups = (
        DaemonOverheadGroup(
            mask,
            merge(*(daemons.pods[n].requests for n in running)) if running else {},
            frozenset(port for n in running for port in daemons.pods[n].host_ports),
        )
        for running, mask in parts.items()
    )
    return tuple(sorted(groups, key=lambda g: next(bits(g.mask))))


def tolerated(pod: Pod, taints: Sequence[Taint]) -> bool:
    """Tell whether a pod may run on nodes with these taints."""
    return not untolerated(taints, pod.tolerations)
