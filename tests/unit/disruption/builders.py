"""Small clusters to disrupt: nodes of three sizes with easy prices, what runs on them, and methods asked about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cutlist import Budget, Disruption, NodePool
from cutlist.core.labels import CAPACITY_TYPE, HOSTNAME, INITIALIZED, INSTANCE_TYPE, NODEPOOL, ON_DEMAND, SPOT, ZONE
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirement import Expression
from cutlist.disruption.candidates import Candidate, DisruptionClass, candidates
from cutlist.disruption.cluster_state import ClusterState, InstanceTypesByPool
from cutlist.disruption.command import Command
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.methods import Method, evaluate
from cutlist.providers.instance_types import InstanceType
from cutlist.state.pods import RunningPod
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, Condition, StateNode
from cutlist.workloads.objects import EvictionBudgets, PodDisruptionBudget
from cutlist.workloads.pods import Pod
from tests.unit.disruption.claims import NOON, UP, claim
from tests.unit.scheduling.builders import REGISTRY, pod
from tests.unit.scheduling.builders import machine as instance_type
from tests.unit.scheduling.builders import pool as node_pool


def sold(name: str, cpu: int, on_demand: float, spot: float | None = None, **fields: Any) -> InstanceType:
    """Return a type at these prices in three zones."""
    prices = {ON_DEMAND: on_demand, **({SPOT: spot} if spot is not None else {})}
    return instance_type(name, cpu, capacity_types=prices, **fields)


SMALL, MEDIUM, LARGE = sold("small", 2, 1.0, 0.4), sold("medium", 4, 2.0, 0.8), sold("large", 8, 4.0, 1.6)
TYPES = (SMALL, MEDIUM, LARGE)
ANYTHING_GOES = (Budget(nodes="100%"),)


def pool(
    name: str = "default",
    *,
    policy: str = "WhenEmptyOrUnderutilized",
    after: str = "0s",
    budgets: Sequence[Budget] = ANYTHING_GOES,
    kinds: Sequence[str] = (ON_DEMAND,),
    requirements: Sequence[Expression] = (),
    **fields: Any,
) -> NodePool:
    """Return a pool of on-demand nodes whose budgets hold nothing back."""
    disruption = Disruption(consolidation_policy=policy, consolidate_after=after, budgets=tuple(budgets))
    wanted = [Expression(CAPACITY_TYPE, "In", tuple(kinds)), *requirements]
    return node_pool(name, disruption=disruption, requirements=wanted, **fields)


def runs(name: str = "web", cpu: str = "1", *owners: str, of: Pod | None = None, **fields: Any) -> RunningPod:
    """Return a pod of one core that runs."""
    values = {"phase": "Running", "started": NOON - 3600, "uid": name, **fields}
    return RunningPod(name=name, pod=of or pod(cpu, "128Mi"), owners=frozenset(owners or ("ReplicaSet",)), **values)


def node(
    name: str = "a",
    *pods: RunningPod,
    of: InstanceType = MEDIUM,
    kind: str = ON_DEMAND,
    zone: str = "zone-a",
    pool: str = "default",
    conditions: Iterable[str] = (CONSOLIDATABLE,),
    labels: Mapping[str, str] | None = None,
    without: Iterable[str] = (),
    ready: str = "True",
    initialized: bool = True,
    removed: bool = False,
    annotations: Mapping[str, str] | None = None,
    **claimed: Any,
) -> StateNode:
    """Return an initialized, ready node with a claim that may be consolidated, and pods on it."""
    own = {NODEPOOL: pool, INSTANCE_TYPE: of.name, ZONE: zone, CAPACITY_TYPE: kind, HOSTNAME: name, **(labels or {})}
    own |= {INITIALIZED: "true"} if initialized else {}
    own = {k: v for k, v in own.items() if k not in without}
    here = tuple(replace(p, node=name) for p in pods)
    used = merge(*(p.pod.requests for p in here if not p.ended))
    state = SchedulingNode(
        name=name,
        node=name,
        labels=own,
        own_labels=own,
        initialized=initialized,
        removed=removed,
        capacity=of.capacity,
        available=subtract(of.capacity, used),
        daemon_requests=merge(*(p.pod.requests for p in here if "DaemonSet" in p.owners and not p.ended)),
    )
    all_conditions = {**UP, **{c: Condition("True", NOON - 60) for c in conditions}}
    return StateNode(
        state=state,
        claim=claim(name, labels=own, **{"conditions": all_conditions, **claimed}),
        annotations=annotations or {},
        conditions={"Ready": Condition(ready)},
        pods=here,
    )


def drifted(name: str = "a", *pods: RunningPod, since: float = NOON - 60, **fields: Any) -> StateNode:
    """Return a node that has drifted and is not consolidatable."""
    subject = node(name, *pods, conditions=(), **fields)
    assert subject.claim is not None
    return replace(
        subject, claim=replace(subject.claim, conditions={**subject.claim.conditions, DRIFTED: Condition("True", since)})
    )


def unmanaged(name: str, *pods: RunningPod, **fields: Any) -> StateNode:
    """Return a Node that is not Karpenter's."""
    return replace(node(name, *pods, without=(NODEPOOL, CAPACITY_TYPE), **fields), claim=None)


def full(name: str, **fields: Any) -> StateNode:
    """Return a node that nothing fits on any longer, and that is none of the candidates."""
    return node(name, runs(f"{name}-full", "4"), conditions=(), **fields)


def guard(allowed: int = 0, name: str = "guard", *, always: bool = False, **spec: Any) -> PodDisruptionBudget:
    """Return a PodDisruptionBudget on all pods of the namespace."""
    written: dict[str, Any] = {"selector": {}, **spec, **({"unhealthyPodEvictionPolicy": "AlwaysAllow"} if always else {})}
    return PodDisruptionBudget.read(
        {"metadata": {"name": name}, "spec": written, "status": {"disruptionsAllowed": allowed}},
    )


def guarded(*budgets: PodDisruptionBudget) -> EvictionBudgets:
    """Return what protects the pods of a cluster."""
    return EvictionBudgets.of(budgets)


def cluster(
    *nodes: StateNode, pools: Sequence[NodePool] | None = None, types: Sequence[InstanceType] = TYPES, **fields: Any
) -> ClusterState:
    """Return a cluster at noon."""
    listed = pools or [pool()]
    by_pool = InstanceTypesByPool({p.name: types for p in listed})
    values = {"now": NOON, "types": by_pool, "registry": REGISTRY, **fields}
    return ClusterState(nodes=sorted(nodes, key=lambda n: n.name), pools={p.name: p for p in listed}, **values)


# --- questions


def names(found: Iterable[Candidate]) -> list[str]:
    return [c.name for c in found]


def candidate_names(of: ClusterState, *, eventual: bool = False) -> list[str]:
    """Return the nodes that pass the generic checks."""
    return sorted(candidates(of, DisruptionClass.EVENTUAL if eventual else DisruptionClass.GRACEFUL).by_name)


def blocked(of: ClusterState, *, eventual: bool = False) -> dict[str, str]:
    """Return why others do not."""
    return dict(candidates(of, DisruptionClass.EVENTUAL if eventual else DisruptionClass.GRACEFUL).blocked)


def outcome_of(method: Method, of: ClusterState, later: ClusterState | None = None) -> MethodOutcome:
    """Return what a method would do."""
    return evaluate(method, MethodInputs.of(of, later))


def command(method: Method, of: ClusterState, later: ClusterState | None = None) -> Command:
    """Return the one command of a method."""
    (only,) = outcome_of(method, of, later).commands
    return only


def ended(method: Method, of: ClusterState, later: ClusterState | None = None) -> list[list[str]]:
    """Return the nodes that the commands of a method end, in their order."""
    return [names(c.candidates) for c in outcome_of(method, of, later).commands]


def skip_texts(method: Method, of: ClusterState) -> dict[str, str]:
    """By node why a method leaves it alone, where it tells."""
    return {s.node: s.text for s in outcome_of(method, of).skipped if s.event}


def launched(of: Command) -> list[list[str]]:
    """Return the types of each replacement, cheapest first."""
    return [[t.name for t in r.types] for r in of.replacements]
