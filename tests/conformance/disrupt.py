"""Disruption scenarios answered by Cutlist, in the form of the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cutlist.api.durations import seconds
from cutlist.core.instants import instant
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory, InstanceTypesByPool
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.health_policy_errors import start_error
from cutlist.disruption.termination import deleted
from cutlist.state.cluster import Cluster
from cutlist.state.statenode import REBOOTING, NodeClaimState, StateNode, state_nodes
from tests.conformance.deletioncost import deletion_costs
from tests.conformance.disruption_controller import Controller, Phase
from tests.conformance.disruption_forms import evaluation, present
from tests.conformance.forceful import Forceful, conditions
from tests.conformance.provisionable import is_provisionable
from tests.conformance.reboot import BOUND
from tests.conformance.repair import repair_policies
from tests.conformance.scenario_file import Scenario


def answer(path: Path) -> dict[str, Any]:
    """Return the answer to one scenario file."""
    return DisruptionScenario(path).answer()


DELAY = "15s"
LEFT_OUT = {"delete", "after"}
"""Parts of expiry, repair and drain that an answer has only when there is something in them."""


class DisruptionScenario(Scenario):
    """A scenario file with settings of disruption, and what happens in it step by step."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.settings: dict[str, Any] = self.raw.get("disruption") or {}
        self.forceful = Forceful(self)
        self.claims = self.forceful.claims
        self.marked = {*(self.settings.get("marked") or ()), *(self.raw.get("markedForDeletion") or ())}
        self.nominated = {name: instant(at) or 0 for name, at in (self.settings.get("nominated") or {}).items()}
        self.controller = Controller(changed=self.now)

    def answer(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        cluster = self.cluster_state()
        if cluster.repairs and (error := start_error(cluster.repair_policies)):
            return {"synced": False, "first": "none", "methods": {}, "startError": error}
        if self.settings.get("computeConditions"):
            result |= {"hashes": self.forceful.hashes(), "conditions": self.judge()}
        parts = {"expire": "expiry", "repairPolicies": "repair", "drain": "drain"}
        if self.karpenter.does(Behaviour.REPAIR_IS_A_DISRUPTION_METHOD) and not self.uses_legacy_repair:
            del parts["repairPolicies"]
        for setting, part in parts.items():
            if self.settings.get(setting):
                answered = getattr(self.forceful, part)()
                result[part] = {name: v for name, v in answered.items() if v or name not in LEFT_OUT}
        if self.settings.get("reboot") is not None:
            result |= present(reboot=self.forceful.reboot())
        if self.settings.get("deletionCosts"):
            pods = [o for o in self.objects if o["kind"] == "Pod"]
            result |= present(deletionCosts=deletion_costs(cluster.overlaid(), pods))
        cluster = self.cluster_state()
        later = self.later() if "during" in self.settings else None
        result |= evaluation(MethodInputs.of(cluster, later), self.controller)
        return {**result, **present(steps=[self.step(step) for step in self.settings.get("steps") or ()])}

    @property
    def uses_legacy_repair(self) -> bool:
        return (self.raw.get("options") or {}).get("legacyNodeRepair", False)

    def judge(self) -> dict[str, Any]:
        """Let Karpenter set the conditions of all NodeClaims."""
        going = {m.claim.name: at for m in self.cluster_state().nodes if m.claim and (at := self.controller.ended.get(m.name))}
        known = {name: deleted(claim, going[name]) if name in going else claim for name, claim in self.claims.items()}
        self.claims = self.forceful.judged(known, self.now)
        return conditions(self.claims)

    def step(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer after one step."""
        if step.get("execute"):
            self.controller.loop(self.cluster_state())
            self.controller.work_queue(self.now)
        if step.get("replacements"):
            phase = {"deleted": Phase.GONE, "initialized": Phase.INITIALIZED}[step["replacements"]]
            self.controller.replacements_are(phase, self.now)
        self.now += seconds(step.get("advance", "0s")) or 0
        self.objects = changed(self.objects, step)
        for claim in (o for o in step.get("apply") or () if o["kind"] == "NodeClaim"):
            self.claims[claim["metadata"]["name"]] = NodeClaimState.read(claim)
            self.controller.rebooting.pop(claim["metadata"]["name"], None)
        if step.get("delete"):
            self.controller.notice(self.now)
        if step.get("queue"):
            self.controller.work_queue(self.now)
        judged = {"conditions": self.judge()} if step.get("computeConditions") else {}
        view = self.controller.view(self.cluster_state())
        result = evaluation(MethodInputs.of(view), self.controller)
        running = sorted(sorted(r.names) for r in self.controller.running)
        tainted = sorted(self.controller.tainted)
        return {**result, **judged, **present(running=running, tainted=tainted, **self.endings(view))}

    def endings(self, view: ClusterState) -> dict[str, Any]:
        """Return the NodeClaims that are rebooting, with the bounds of their drains, and the deadlines of those that end."""
        if not self.karpenter.does(Behaviour.REBOOTING_IS_A_STATE):
            return {}
        claims = [m.claim for m in view.nodes if m.claim is not None]
        return {
            "rebooting": {c.name: c.annotations.get(BOUND, "none") for c in claims if c.has(REBOOTING)},
            "deadlines": self.controller.deadlines(claims, view),
        }

    def later(self) -> ClusterState:
        """Return the cluster after the delay of validation."""
        during = self.settings["during"]
        names = ("objects", "now", "marked", "nominated", "entries", "pending", "claims")
        before = {name: getattr(self, name) for name in names}
        self.now += float(during.get("delay", DELAY).removesuffix("s"))
        self._take(during)
        self.marked = self.marked | set(during.get("marked") or ())
        self.nominated = {**self.nominated, **dict.fromkeys(during.get("nominated") or (), self.now)}
        claims = [o for o in during.get("apply") or () if o["kind"] == "NodeClaim"]
        self.claims = {**self.claims, **{o["metadata"]["name"]: NodeClaimState.read(o) for o in claims}}
        cluster = self.cluster_state()
        for name, value in before.items():
            setattr(self, name, value)
        return cluster

    def _take(self, change: Mapping[str, Any]) -> None:
        """Apply and delete objects; pods that waited may do so no longer, and others may wait now."""
        waiting = {identity({**pod, "kind": "Pod"}): (count, pod) for count, pod in self.entries}
        applied = {identity(o): o for o in change.get("apply") or ()}
        removed = {(d["kind"], d.get("namespace") or "default", d["name"]): d for d in change.get("delete") or ()}
        pending = {key: o for key, o in applied.items() if o["kind"] == "Pod" and is_provisionable(o)}
        kept = [entry for key, entry in waiting.items() if key not in removed and key not in applied]
        self.entries = [*kept, *((None, pod) for pod in pending.values())]
        self.pending = [entry for entry in self.entries if is_provisionable(entry[1])]
        others = [o for key, o in applied.items() if key not in pending]
        self.objects = changed(self.objects, {"apply": others, "delete": [d for k, d in removed.items() if k not in waiting]})

    def cluster_state(self) -> ClusterState:
        inputs = self.inputs()
        unbound = [{**pod, "kind": "Pod"} for _, pod in self.entries if not is_provisionable(pod)]
        snapshot = Cluster.read([*self.objects, *unbound], marked=self.marked, now=self.now, registry=self.registry)
        options = self.raw.get("options") or {}
        gates = options.get("featureGates") or {}
        return ClusterState(
            now=self.now,
            nodes=[self.judged(m) for m in state_nodes(snapshot)],
            pools={p.name: p for p in inputs.pools},
            types=InstanceTypesByPool(inputs.types),
            launching=snapshot.launching,
            pending=[self.batch(count, pod) for count, pod in self.pending],
            buffers=[buffer.batch for buffer in self.buffers],
            daemons=inputs.daemons,
            evictions=snapshot.budgets,
            storage=snapshot.storage,
            namespaces=inputs.namespaces,
            overlays=inputs.overlays,
            selectors=inputs.selectors,
            devices=self.devices,
            registry=inputs.registry,
            options=inputs.options,
            feature_gates=FeatureGates(
                spot_to_spot=gates.get("spotToSpotConsolidation", False),
                static_capacity=gates.get("staticCapacity", False),
                node_repair=gates.get("nodeRepair", bool(self.settings.get("repairPolicies"))),
                terminate_first_drift=gates.get("terminateFirstDrift", False),
                terminate_first_repair=gates.get("terminateFirstRepair", False),
                pod_deletion_cost_management=gates.get("podDeletionCostManagement", False),
                legacy_node_repair=options.get("legacyNodeRepair", False),
            ),
            controller_memory=ControllerMemory(
                self.nominated,
                frozenset(self.settings.get("queued") or ()),
                self.settings.get("bufferPods") or {},
                self.reboots(snapshot),
            ),
            repair_policies=repair_policies(self.settings.get("repairPolicies") or ()),
        )

    def reboots(self, snapshot: Cluster) -> dict[str, list[float]]:
        """Return when repair handed over reboots before, by NodeClaim."""
        listed = {node: [instant(at) or 0 for at in times] for node, times in (self.settings.get("reboots") or {}).items()}
        nodes = state_nodes(snapshot)
        return {m.claim.name: listed[m.state.node] for m in nodes if m.claim is not None and m.state.node in listed}

    def judged(self, node: StateNode) -> StateNode:
        claim = node.claim and self.claims.get(node.claim.name)
        return replace(node, claim=claim) if claim else node


def changed(objects: list[dict[str, Any]], change: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return objects after some were applied and others deleted."""
    by_identity = {identity(o): o for o in objects}
    by_identity |= {identity(o): o for o in change.get("apply") or ()}
    for gone in change.get("delete") or ():
        del by_identity[(gone["kind"], gone.get("namespace") or "default", gone["name"])]
    return list(by_identity.values())


def identity(manifest: Mapping[str, Any]) -> tuple[str, str, str]:
    metadata = manifest["metadata"]
    return manifest["kind"], metadata.get("namespace") or "default", metadata["name"]
