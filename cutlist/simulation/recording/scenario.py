"""A conformance scenario (tools/oracle/core/FORMAT.md): a cluster at an instant, what changes in it until another one, and the
instance types and the provider that it refers to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from cutlist.api.durations import NEVER, in_go
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.labels import LabelRegistry
from cutlist.disruption.cluster_state import ClusterState
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.node_repair import RepairAction, RepairPolicy
from cutlist.scheduling.queue import PodBatch
from cutlist.simulation.recording.node_manifests import node_manifests
from cutlist.simulation.recording.pod_manifests import (
    Manifest,
    amounts_text,
    expressions_manifest,
    owner_kind,
    pod_manifest,
    present,
    running_pod_manifest,
    spread_manifest,
)
from cutlist.state.pods import RunningPod
from cutlist.state.volumes import Storage
from cutlist.workloads.default_selectors import SelectorSources
from cutlist.workloads.objects import EvictionBudgets, PersistentVolumeClaim
from cutlist.workloads.pods import Pod

PROVIDER: Final = "recorded"
"""The name under which a recording registers its provider."""
_FIRST: Final = BASELINES[0]
_REMOVED: Final = ("Pod", "Node", "NodeClaim")
"""The kinds of objects that a scenario can remove. Of others that end with a node nothing depends."""
_WAITS: Final = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
Instant = tuple[ClusterState, Iterable[RunningPod]]
"""A cluster and its pods without a node."""
_Identity = tuple[str, str, str]


def scenario_form(state: ClusterState, pending: Iterable[RunningPod], types: Mapping[str, str], name: str) -> Manifest:
    """Return a scenario without settings of disruption. `types` gives the file with the instance types of each NodePool."""
    karpenter = {} if state.karpenter == _FIRST else {"karpenter": str(state.karpenter.release)}
    return {
        "name": name,
        "about": f"recorded by cutlist simulate with Karpenter {state.karpenter.release}",
        **karpenter,
        "now": precise_text(state.now),
        "provider": PROVIDER,
        "options": _options(state),
        "instanceTypesByNodePool": dict(types),
        "nodePools": [pool.manifest() for pool in state.pools.values()],
        "objects": list(objects_of(state)),
        "pods": [{"pod": running_pod_manifest(pod)} for pod in pending],
    }


def precise_text(at: float) -> str:
    """Return an instant with its milliseconds, if it has some: a clock has them, and objects do not."""
    whole, milliseconds = divmod(round(at * 1000), 1000)
    text = datetime.fromtimestamp(whole, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{milliseconds:03d}Z" if milliseconds else f"{text}Z"


def marked_nodes(state: ClusterState) -> list[str]:
    """Return the nodes that Karpenter is about to remove, and whose objects do not say so yet."""
    return [n.name for n in state.nodes if n.state.removed and n.claim is not None and n.claim.deleted is None]


def disruption_settings(state: ClusterState) -> Manifest:
    """Return what Karpenter remembers, and what its provider says about repair."""
    memory = state.controller_memory
    return present(
        nominated={n.name: precise_text(memory.nominated[n.name]) for n in state.nodes if state.nominated(n)},
        marked=marked_nodes(state),
        queued=sorted(memory.queued),
        bufferPods=dict(memory.buffered),
        repairPolicies=[_repair_policy(p) for p in state.repair_policies] if state.feature_gates.node_repair else (),
    )


def _options(state: ClusterState) -> Manifest:
    options, gates = state.options, state.feature_gates
    later = {
        "terminateFirstDrift": gates.terminate_first_drift,
        "terminateFirstRepair": gates.terminate_first_repair,
        "podDeletionCostManagement": gates.pod_deletion_cost_management,
    }
    return {
        "preferencePolicy": "Respect" if options.respect_preferences else "Ignore",
        "minValuesPolicy": "Strict" if options.strict_min_values else "BestEffort",
        "featureGates": {
            "reservedCapacity": options.reserved_capacity,
            # Overlays are applied to the types already, so the recorded Karpenter must not apply them again.
            "nodeOverlay": False,
            "spotToSpotConsolidation": gates.spot_to_spot,
            "staticCapacity": gates.static_capacity,
            "capacityBuffer": bool(state.buffers),
            **{name: is_on for name, is_on in later.items() if is_on},
        },
        **({"legacyNodeRepair": True} if gates.legacy_node_repair else {}),
        **present(schedulerConfig=_scheduler_config(state)),
    }


def _scheduler_config(state: ClusterState) -> Manifest:
    constraints = [spread_manifest(c) for c in state.options.default_spread]
    return {"podTopologySpread": {"defaultConstraints": constraints}} if constraints else {}


def _repair_policy(policy: RepairPolicy) -> Manifest:
    bound = policy.termination_grace_period
    return {
        "type": policy.condition,
        "status": policy.status,
        "toleration": in_go(f"{policy.toleration:.0f}s"),
        **present(
            reasonRegex=policy.reason_regex,
            terminationGracePeriod=None if bound is None else in_go(f"{bound:.0f}s"),
            priority=policy.priority or None,
            action=None if policy.action == RepairAction.REPLACE else str(policy.action),
        ),
    }


# --- objects


def objects_of(state: ClusterState) -> Iterator[Manifest]:
    """Yield the objects of a cluster, but for pods that wait."""
    for name, labels in state.namespaces.items():
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **present(labels=dict(labels))}}
    yield from (_daemon_set(number, pod) for number, pod in enumerate(state.daemons))
    yield from _budgets(state.evictions)
    yield from _storage(state.storage)
    if state.options.default_spread:
        yield from _selector_sources(state.selectors)
    for batch in state.buffers:
        yield from _buffer(batch)
    yield from map(_launching, state.launching)
    for node in state.nodes:
        yield from node_manifests(node, state.pools)
    yield from (running_pod_manifest(pod) for node in state.nodes for pod in node.pods)


def _launching(name: str) -> Manifest:
    """Return a NodeClaim without an instance. Nothing but its existence counts."""
    reference = {"group": "example.com", "kind": "ExampleNodeClass", "name": "default"}
    spec = {"expireAfter": NEVER, "requirements": [], "nodeClassRef": reference}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": name}, "spec": spec, "status": {}}


def _daemon_set(number: int, pod: Pod) -> Manifest:
    name = f"recorded-{number}"
    template = pod_manifest(pod, name)
    labels = {"recorded": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": pod.namespace},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    }


def _budgets(evictions: EvictionBudgets) -> Iterator[Manifest]:
    for budgets in evictions.by_namespace.values():
        for budget in budgets:
            metadata = {**(budget.raw.get("metadata") or {}), "name": budget.name, "namespace": budget.namespace}
            yield {**budget.raw, "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata}


def _storage(storage: Storage) -> Iterator[Manifest]:
    yield from map(_volume_claim, storage.claims.values())
    yield from ({**v.raw, "apiVersion": "v1", "kind": "PersistentVolume"} for v in storage.volumes.values())
    yield from ({**c.raw, "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass"} for c in storage.classes.values())


def _volume_claim(claim: PersistentVolumeClaim) -> Manifest:
    spec = dict(claim.raw.get("spec") or {})
    if claim.storage_class is not None:
        spec["storageClassName"] = claim.storage_class
    return {**claim.raw, "apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": spec}


def _selector_sources(sources: SelectorSources) -> Iterator[Manifest]:
    """Yield objects from which the same selectors are deduced."""
    for namespace, selectors in sources.services.items():
        for number, labels in enumerate(selectors):
            yield _object("v1", "Service", namespace, f"recorded-{number:06d}", dict(labels))
    for (namespace, owner), labels in sources.labels.items():
        yield _object(owner.api_version, owner.kind, namespace, owner.name, dict(labels))
    for (namespace, owner), expressions in sources.expressions.items():
        selector = {"matchExpressions": expressions_manifest(expressions)}
        yield _object(owner.api_version, owner_kind(owner.kind), namespace, owner.name, selector)


def _object(api_version: str, kind: str, namespace: str, name: str, selector: Manifest) -> Manifest:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": {"selector": selector}}


def _buffer(batch: PodBatch) -> Iterator[Manifest]:
    """Yield a CapacityBuffer that keeps these virtual pods, and their template."""
    name, namespace = batch.name.removeprefix("capacity-buffer-"), batch.pod.namespace
    ready = {"type": "ReadyForProvisioning", "status": "True", "reason": "Ready", "message": ""}
    reference = {"name": f"recorded-{name}"}
    yield {
        "apiVersion": "autoscaling.x-k8s.io/v1beta1",
        "kind": "CapacityBuffer",
        "metadata": {"name": name, "namespace": namespace, "uid": batch.uid.removesuffix("-1")},
        "spec": {"podTemplateRef": reference, "replicas": batch.count},
        "status": {"podTemplateRef": reference, "replicas": batch.count, "conditions": [ready]},
    }
    template = pod_manifest(batch.pod, name)
    metadata = {**reference, "namespace": namespace}
    yield {"apiVersion": "v1", "kind": "PodTemplate", "metadata": metadata, "template": template}


def changes_between(before: Instant, after: Instant) -> Manifest | None:
    """Return what happens between two instants, such as a command and its validation, or None if a scenario cannot say it."""
    if not _can_be_said(before[0], after[0]):
        return None
    old, new = (dict(_by_identity(*instant)) for instant in (before, after))
    memory, later = before[0].controller_memory, after[0].controller_memory
    deleted = [identity for identity in old if identity not in new and identity[0] in _REMOVED]
    return present(
        delay=f"{after[0].now - before[0].now:.3f}s",
        apply=[manifest for identity, manifest in new.items() if old.get(identity) != manifest],
        delete=[{"kind": kind, **present(namespace=namespace), "name": name} for kind, namespace, name in deleted],
        nominated=sorted(n for n, at in later.nominated.items() if memory.nominated.get(n) != at),
        marked=sorted(set(marked_nodes(after[0])) - set(marked_nodes(before[0]))),
    )


def _can_be_said(before: ClusterState, after: ClusterState) -> bool:
    """Tell whether nothing has changed but objects, nominations and marks: no NodePool, no buffer, no command that failed."""
    is_same = before.pools is after.pools and before.types is after.types and before.buffers == after.buffers
    memory, later = before.controller_memory, after.controller_memory
    staying = {node.name for node in after.nodes if not node.state.removed}
    return is_same and memory.buffered == later.buffered and not (memory.queued - later.queued) & staying


def _by_identity(state: ClusterState, pending: Iterable[RunningPod]) -> Iterator[tuple[_Identity, Manifest]]:
    for manifest in (*objects_of(state), *map(_waiting, pending)):
        metadata = manifest["metadata"]
        yield (manifest["kind"], metadata.get("namespace", ""), metadata["name"]), manifest


def _waiting(pod: RunningPod) -> Manifest:
    """Return a pod that kube-scheduler has found no node for."""
    manifest = running_pod_manifest(pod)
    return {**manifest, "status": {"phase": "Pending", **manifest.get("status", {}), "conditions": [_WAITS]}}


def types_form(types: Iterable[InstanceType]) -> list[dict[str, Any]]:
    """Return instance types as a scenario has them. A price that is unknown is null."""
    return [
        {
            "name": t.name,
            "requirements": expressions_manifest(t.requirements.expressions()),
            "capacity": amounts_text(t.capacity),
            **_overhead("overhead", t.overhead),
            "offerings": [_offering_form(o) for o in t.offerings],
            **present(volumeAttachmentLimits=dict(t.attach_limits)),
        }
        for t in types
    ]


def _offering_form(offering: Offering) -> dict[str, Any]:
    price = offering.price
    return {
        "requirements": expressions_manifest(offering.requirements.expressions()),
        "price": None if price is None or math.isnan(price) else price,
        "available": offering.available,
        **present(reservationCapacity=offering.reservation_capacity or None),
        **present(capacityOverride=amounts_text(offering.capacity_override)),
        **_overhead("overheadOverride", offering.overhead_override),
    }


def _overhead(name: str, amounts: Mapping[str, int]) -> dict[str, Any]:
    """Return all overhead as that of the kubelet: nothing depends on its kinds."""
    return {name: {"kubeReserved": amounts_text(amounts)}} if amounts else {}


def provider_form(registry: LabelRegistry) -> dict[str, Any]:
    """Return what a provider registers about labels and resources."""
    return present(
        wellKnownLabels=sorted(registry.well_known),
        restrictedLabelDomains=sorted(registry.restricted_domains),
        normalizedLabels=dict(sorted(registry.normalized.items())),
        wellKnownResources=sorted(registry.well_known_resources),
        wellKnownValues={key: sorted(values) for key, values in sorted(registry.well_known_values.items())},
        reservationIDLabel=registry.reservation_id,
    )
