"""The parts of a disruption answer that need no simulation: conditions, hashes, expiry, repair and drain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from cutlist import NodePool
from cutlist.api.durations import in_go
from cutlist.api.nodepool_hash import HASH, HASH_VERSION, stored_template_hash
from cutlist.core.annotations import TERMINATION_TIMESTAMP
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.conditions import Surroundings, judged, with_pod_event
from cutlist.disruption.node_repair import repair
from cutlist.disruption.termination import deadline, expires_at
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, Condition, NodeClaimState, StateNode, state_nodes
from tests.conformance.drain import drain
from tests.conformance.reboot import Condition as RebootCondition
from tests.conformance.reboot import Reboot
from tests.conformance.repair import length as length_of
from tests.conformance.repair import repair_policies
from tests.conformance.scenario_file import Scenario, with_class

Manifest = Mapping[str, Any]


class Forceful:
    """A disruption scenario before its methods are asked."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.settings: dict[str, Any] = scenario.raw.get("disruption") or {}
        self.now = scenario.now

    @cached_property
    def nodes(self) -> tuple[StateNode, ...]:
        return state_nodes(self.scenario.cluster)

    @cached_property
    def node_of(self) -> dict[str, str]:
        """Return the Node of each NodeClaim, by names."""
        objects = self.scenario.objects
        return {o["metadata"]["name"]: (o.get("status") or {}).get("nodeName", "") for o in objects if o["kind"] == "NodeClaim"}

    @cached_property
    def claims(self) -> dict[str, NodeClaimState]:
        """Return the NodeClaims by name, also those that have no node yet, after the scenario's pod events and stamps."""
        listed = [NodeClaimState.read(o) for o in self.scenario.objects if o["kind"] == "NodeClaim"]
        hashes = {p["metadata"]["name"]: template_hash(p) for p in self.settings.get("previousNodePools", [])}
        version = self.scenario.karpenter.node_pool_hash
        claims = {c.name: stamped(c, hashes.get(c.labels.get(NODEPOOL, "")), version) for c in listed}
        for reference in self.settings.get("podEvents", []):
            pod = self.pod(reference)
            for node in self.nodes:
                if node.claim is not None and node.state.node == pod.node and is_event(None, pod):
                    claims[node.claim.name] = with_pod_event(claims[node.claim.name], self.now)
        return claims

    def pod(self, reference: str) -> RunningPod:
        return next(p for p in self.scenario.cluster.pods if f"{p.pod.namespace}/{p.name}" == reference)

    @cached_property
    def around(self) -> Surroundings:
        """Return what conditions are judged by."""
        stamped_pools = map(self.stamped_pool, self.scenario.raw["nodePools"])
        pools = {p.name: p for p in (NodePool.from_manifest(m, self.scenario.karpenter) for m in stamped_pools)}
        types = {n: self.scenario.types_of(n) for n in pools}
        return Surroundings(pools, types, self.scenario.registry, self.settings.get("providerDrift") or {})

    def stamped_pool(self, pool: Manifest) -> dict[str, Any]:
        full = with_class(pool)
        if not (self.settings.get("previousNodePools") or self.settings.get("stampPools")):
            return full
        own = {HASH: template_hash(stored(full)), HASH_VERSION: self.scenario.karpenter.node_pool_hash}
        metadata = full["metadata"]
        return {**full, "metadata": {**metadata, "annotations": {**(metadata.get("annotations") or {}), **own}}}

    def hashes(self) -> dict[str, str]:
        return {p["metadata"]["name"]: template_hash(stored(with_class(p))) for p in self.scenario.raw["nodePools"]}

    def judged(self, claims: Mapping[str, NodeClaimState], now: float) -> dict[str, NodeClaimState]:
        return {name: judged(claim, self.around, now, node=self.node_of[name]) for name, claim in claims.items()}

    def expiry(self) -> dict[str, Any]:
        result = expiry(self.claims.values(), self.now)
        return {"deleted": list(result.now), "after": {name: length(at - self.now) for name, at in result.later.items()}}

    def repair(self) -> dict[str, Any]:
        policies = repair_policies(self.settings["repairPolicies"])
        outcome = repair(self.nodes, policies, self.now)
        going = (m.claim for m in self.nodes if m.has_node and m.claim is not None and m.claim.deleted is not None)
        deleted = {*outcome.now, *(c.name for c in going if TERMINATION_TIMESTAMP in c.annotations)}
        pool_of = {m.state.node: m.claim.labels.get(NODEPOOL) for m in self.nodes if m.claim is not None}
        known = {None, *(p["metadata"]["name"] for p in self.scenario.raw["nodePools"])}  # of others nobody hears
        blocked = {node: text for node, text in outcome.blocked.items() if pool_of[node] in known}
        events = [{"object": f"Node/{n}", "reason": "NodeRepairBlocked", "message": text} for n, text in blocked.items()]
        out = {"deleted": sorted(deleted), "after": {name: length(at - self.now) for name, at in outcome.later.items()}}
        return {**out, **({"events": events} if events else {})}

    def reboot(self) -> dict[str, Any]:
        """Return the state of each NodeClaim that reboots after each run of the controller, in a world of its own."""
        settings = self.settings["reboot"]
        listed = self.scenario.objects
        pods = [RunningPod.read(o) for o in listed if o["kind"] == "Pod"]
        answers: dict[str, Any] = {}
        for claim in (o for o in listed if o["kind"] == "NodeClaim"):
            condition = RebootCondition.of(claim, "Rebooting")
            if condition is None or condition.status != "True":
                continue
            instance = (claim.get("status") or {}).get("providerID")
            nodes = (o for o in listed if o["kind"] == "Node" and instance)
            node = next((o for o in nodes if (o.get("spec") or {}).get("providerID") == instance), None)
            name = (node or {"metadata": {"name": ""}})["metadata"]["name"]
            answer = (settings.get("provider") or {}).get(self.node_of[claim["metadata"]["name"]], "ok")
            world = Reboot.of(claim, node, [p for p in pods if name and p.node == name], answer, self.now)
            runs = []
            for wait in settings.get("waits") or ["0s"]:
                world.now += length_of(wait)
                runs.append(world.run())
            answers[claim["metadata"]["name"]] = runs
        return answers

    def drain(self) -> dict[str, Any]:
        node = next(m for m in self.nodes if m.state.node == self.settings["drain"]["node"])
        result = drain(node.pods, deadline(node.claim), self.now, self.scenario.karpenter)
        return {
            "evict": sorted(map(key, result.evict)),
            "delete": {key(d.pod): d.grace for d in result.delete},
            "message": result.message,
        }


def conditions(claims: Mapping[str, NodeClaimState]) -> dict[str, Any]:
    """Return what claims say of themselves, in the form of the vectors."""
    return {name: condition(claim) for name, claim in claims.items()}


def condition(claim: NodeClaimState) -> dict[str, Any]:
    drifted = claim.conditions.get(DRIFTED, Condition("False")) if claim.has(DRIFTED) else None
    out = {"consolidatable": claim.has(CONSOLIDATABLE), "drifted": drifted.reason if drifted else ""}
    if claim.last_pod_event is None:
        return out
    return {**out, "lastPodEventTime": datetime.fromtimestamp(claim.last_pod_event, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}


def stamped(claim: NodeClaimState, pool_hash: str | None, version: str) -> NodeClaimState:
    if pool_hash is None:
        return claim
    return replace(claim, annotations={**claim.annotations, HASH: pool_hash, HASH_VERSION: version})


def template_hash(pool: Manifest) -> str:
    """Return the hash of a pool as it is given, without any default."""
    return stored_template_hash(pool["spec"]["template"])


def stored(pool: Manifest) -> dict[str, Any]:
    """Return a pool as the oracle's API server stores it: with the default of Karpenter, and what is empty is lost."""
    template = pool["spec"]["template"]
    metadata = {k: v for k, v in (template.get("metadata") or {}).items() if v}
    spec = {"expireAfter": "720h", **{k: v for k, v in template["spec"].items() if v}}
    return {**pool, "spec": {**pool["spec"], "template": {"metadata": metadata, "spec": spec}}}


def key(pod: RunningPod) -> str:
    return f"{pod.pod.namespace}/{pod.name}"


def length(duration: float) -> str:
    return in_go(f"{duration:.3f}s")


@dataclass(frozen=True, slots=True)
class Expiry:
    """Claims by name: those that expire now, and of the others that ever do, when. Instants are in seconds since 1970."""

    now: tuple[str, ...] = ()
    later: Mapping[str, float] = field(default_factory=dict)


def expiry(claims: Iterable[NodeClaimState], now: float) -> Expiry:
    """Return which claims Karpenter deletes now for their age. Nothing holds it back: no budget, no annotation, no
    nomination."""
    due: list[str] = []
    later: dict[str, float] = {}
    for claim in claims:
        at = expires_at(claim)
        if at is None or claim.deleted is not None:
            continue
        if now >= at:
            due.append(claim.name)
        else:
            later[claim.name] = at
    return Expiry(tuple(sorted(due)), later)


def is_event(before: RunningPod | None, after: RunningPod) -> bool:
    """Tell whether a change of a pod moves the clock of its node: it was bound, ran to its end or began to terminate.

    `before` is None for a pod that was not known, as all are after a restart of the controller. Pods of DaemonSets never count;
    nor does the disappearance of a pod.
    """
    if not after.node or "DaemonSet" in after.owners:
        return False
    if before is None or not before.node:
        return True
    return (after.ended and not before.ended) or (after.terminating and not before.terminating)
