"""Pods that several controllers place in the same pass: the kube-scheduler binds each once (spec: api-objects 8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cutlist.planning.pass_cluster import PassCluster, with_pods
from cutlist.scheduling.results import Results

_Pods = Mapping[int, int]


def bound_once(results: Sequence[Results], cluster: PassCluster) -> tuple[list[Results], set[int]]:
    """Return the results of the controllers' passes with each pod on one node, and the batches that several launched for.

    A pod goes to a node that exists, or else to a new one of the first controller that launches for its batch. If two use the
    same existing node, the second's pods wait for the next pass, which knows what is left of the node. Virtual pods keep no
    real pods waiting: they are placed again in the next pass.
    """
    on_existing, bound = _on_existing_nodes(results, cluster)
    once: list[Results] = []
    launched_for, several = set[int](), set[int]()
    for result, existing in zip(results, on_existing, strict=True):
        launches = {b for claim in result.claims for b in claim.pods}
        several |= launches & launched_for
        left = {b: 0 if b in launched_for else cluster.waiting(b) - bound[b] for b in launches}
        claims = tuple(with_pods(claim, _at_most(claim.pods, left), cluster.batches) for claim in result.claims)
        launched_for |= launches
        placed = {b for pods in (*existing.values(), *(claim.pods for claim in claims)) for b in pods}
        relaxed = {b: forms for b, forms in result.relaxed.items() if b in placed}
        once.append(replace(result, existing=existing, claims=claims, relaxed=relaxed))
    return once, several


def _on_existing_nodes(results: Sequence[Results], cluster: PassCluster) -> tuple[list[dict[str, _Pods]], Counter[int]]:
    """Return the pods that each controller puts on existing nodes, and how many of each batch all controllers put there."""
    bound: Counter[int] = Counter()
    used: set[str] = set()  # by real or virtual pods
    filled: set[str] = set()  # by real ones
    on_existing: list[dict[str, _Pods]] = []
    for result in results:
        kept: dict[str, _Pods] = {}
        left = {b: cluster.waiting(b) - bound[b] for pods in result.existing.values() for b in cluster.virtual(pods)}
        for name, pods in result.existing.items():
            real = {} if name in filled else {b: n for b, n in cluster.real(pods).items() if b not in bound}
            virtual = {} if name in used else _at_most(cluster.virtual(pods), left)
            if real or virtual:
                kept[name] = {b: real.get(b, virtual.get(b, 0)) for b in pods if b in real or b in virtual}
        on_existing.append(kept)
        for name, pods in kept.items():
            used.add(name)
            bound.update(pods)
            if cluster.real(pods):
                filled.add(name)
    return on_existing, bound


def _at_most(pods: _Pods, left: dict[int, int]) -> _Pods:
    """Return as many of the pods as are left of their batches, and count them off."""
    taken = {b: min(count, max(0, left[b])) for b, count in pods.items()}
    left.update({b: left[b] - count for b, count in taken.items()})
    return {b: count for b, count in taken.items() if count}
