"""What happens to a live cluster: it is emptied, objects are put in, and it is waited for until nothing changes any longer."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.live.api import CONFLICT, NOT_FOUND, Api, ApiError
from tests.live.processes import StartError, Stillness, wait_for
from tests.live.scenario import Change, Delete, Object, Patch, PatchNodes, Pause, Scale, Scenario, SetNodeCondition
from tests.live.scenarios.builders import node_class

_WITH_PODS: Final = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")
_WORKLOADS: Final = (*_WITH_PODS, "CronJob")
_OTHERS: Final = (
    "PodDisruptionBudget",
    "PodTemplate",
    "PriorityClass",
    "RuntimeClass",
    "CapacityBuffer",
    "NodeOverlay",
    "NodePool",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "StorageClass",
    "CSIDriver",
    "LimitRange",
    "ResourceQuota",
    "VolumeAttachment",
    "CSINode",
    "ResourceClaimTemplate",
    "ResourceClaim",
    "DeviceClass",
    "ResourceSlice",
)
_SYSTEM: Final = re.compile(r"(kube-|system-).*|default|karpenter")
_LAST: Final = ("NodeClaim", "Node", "NodePool", "ResourceClaim", "ResourceSlice")
"""What may be there after its deletion: it has finalizers, or is made again while a node is there."""
_DELAY: Final = "45s"
"""How late nodes join, in a scenario whose nodes do."""
_QUIET: Final = 30.0
"""Seconds without a change after which a cluster with pods that nothing places counts as settled."""


class LiveCluster:
    """A cluster as scenarios see it."""

    def __init__(self, api: Api) -> None:
        self.api = api

    def empty(self) -> None:
        """Remove everything that scenarios put in, nodes too, and wait until it is removed."""
        for kind in (*_WORKLOADS, *_OTHERS):
            for item in self._items(kind):
                if not _SYSTEM.fullmatch(item["metadata"]["name"]) or kind == "NodePool":
                    self._delete(item, propagationPolicy="Background")
        wait_for("an empty cluster", self._is_empty, 120, 0.3)
        for item in self.api.items("Namespace"):
            if not _SYSTEM.fullmatch(item["metadata"]["name"]):
                self._delete(item)
        self.api.delete_all("Event")
        self.api.delete("KWOKNodeClass", "default")
        wait_for("the node class", lambda: self._created(node_class()), 60)

    def prepare(self, scenario: Scenario) -> None:
        """Empty the cluster, and put in everything that is there before the change that a scenario is about."""
        self.empty()
        self.put(scenario.objects)
        self.wait_for_pools()
        self.wait_for_volumes()
        if scenario.nodes_join_late:
            self.api.patch("KWOKNodeClass", "default", {"spec": {"nodeRegistrationDelay": _DELAY}})
        for phase in scenario.phases:
            self.put(phase)
            if scenario.nodes_join_late:
                self.wait_for_pods()
                self.wait_for_launches()
            else:
                self.settle()

    def put(self, changes: Sequence[Change]) -> None:
        """Let these things happen, one after the other."""
        for change in changes:
            match change:
                case Scale(kind, name, replicas, namespace):
                    self.api.patch(kind, name, {"spec": {"replicas": replicas}}, namespace)
                case Patch(kind, name, patch, namespace, subresource):
                    self.api.patch(kind, name, patch, namespace, subresource)
                case Delete(kind, name, namespace):
                    self.api.delete(kind, name, namespace)
                case Pause(seconds):
                    time.sleep(seconds)
                case PatchNodes(app, patch, kind, subresource):
                    for name in self._nodes_of(app, kind):
                        self.api.patch(kind, name, patch, subresource=subresource)
                case SetNodeCondition():
                    self._set_condition(change)
                case _:
                    self._put_object(change)

    def settle(self, quiet: float = _QUIET) -> None:
        """Wait until all pods run and all nodes are initialised, or nothing has changed for so many seconds."""
        stillness = Stillness()

        def is_settled() -> bool:
            pods = self._all_pods()
            if pods is None:
                return False
            claims = self.api.items("NodeClaim")
            if all(_runs(pod) for pod in pods) and all(has_condition(claim, "Initialized") for claim in claims):
                return True
            state = {pod["metadata"]["uid"]: (pod["spec"].get("nodeName"), _runs(pod)) for pod in pods}, len(claims)
            return stillness.of(state) > quiet

        wait_for("a settled cluster", is_settled, 180 + 10 * quiet, 0.4)

    def wait_for_pods(self) -> None:
        """Wait until all workloads have their pods, and kube-scheduler has placed each or found no place for it."""
        wait_for("all pods", lambda: self._all_pods() is not None, 180, 0.3)

    def wait_for_launches(self) -> None:
        """Wait until every NodeClaim is launched."""
        wait_for("launched NodeClaims", lambda: all_have(self.api.items("NodeClaim"), "Launched"), 90)

    def wait_for_pools(self) -> None:
        """Wait until every NodePool and every NodeOverlay is ready, or known not to be."""

        def are_judged() -> bool:
            items = [*self.api.items("NodePool"), *self._items("NodeOverlay")]
            return all(has_condition(item, "Ready") or has_condition(item, "Ready", "False") for item in items)

        wait_for("ready NodePools", are_judged, 60)

    def wait_for_volumes(self) -> None:
        """Wait until every claim that names its volume is bound to it."""

        def are_bound() -> bool:
            claims = [claim for claim in self._items("PersistentVolumeClaim") if claim["spec"].get("volumeName")]
            return all(claim["status"].get("phase") == "Bound" for claim in claims)

        wait_for("bound volumes", are_bound, 60)

    def pods(self) -> list[dict[str, Any]]:
        """Return all pods."""
        return self.api.items("Pod")

    def _items(self, kind: str) -> list[dict[str, Any]]:
        try:
            return self.api.items(kind)
        except ApiError as error:
            if error.code == NOT_FOUND:  # a kind of another Karpenter
                return []
            raise

    def _delete(self, item: Object, **options: Any) -> None:
        self.api.delete(item["kind"], item["metadata"]["name"], item["metadata"].get("namespace"), **options)

    def _is_empty(self) -> bool:
        for pod in self.pods():
            self._delete(pod, gracePeriodSeconds=0)
        left = [item for kind in _LAST for item in self._items(kind)]
        for item in left:
            if not item["metadata"].get("deletionTimestamp"):
                self._delete(item)
        return not left and not self.pods() and not self.api.items("ReplicaSet")

    def _created(self, manifest: Object) -> bool:
        try:
            self.api.create(manifest)
        except ApiError as error:
            if error.code != CONFLICT:
                raise
            return False
        return True

    def _put_object(self, manifest: Object) -> None:
        if manifest["kind"] == "Namespace":
            name = manifest["metadata"]["name"]
            wait_for(f"the namespace {name}", lambda: self._created(manifest), 60)
            wait_for(f"the service account of {name}", lambda: self._has_account(name), 30)
            return
        status = manifest.get("status")
        try:
            self.api.create(manifest)
        except ApiError as error:
            if error.code != CONFLICT:
                raise StartError(f"{manifest['kind']} {manifest['metadata']['name']}: {error}") from error
            self.api.apply(manifest)
        if status:
            metadata = manifest["metadata"]
            self.api.patch(manifest["kind"], metadata["name"], {"status": status}, metadata.get("namespace"), "status")

    def _has_account(self, namespace: str) -> bool:
        return any(account["metadata"]["namespace"] == namespace for account in self.api.items("ServiceAccount"))

    def _nodes_of(self, app: str, kind: str = "Node") -> list[str]:
        """Return the names of the nodes, or of the NodeClaims, that hold pods of an app."""
        pods = [pod for pod in self.pods() if (pod["metadata"].get("labels") or {}).get("app") == app]
        names = sorted({pod["spec"]["nodeName"] for pod in pods if pod["spec"].get("nodeName")})
        if not names:
            raise StartError(f"no node holds a pod of {app}")
        if kind == "Node":
            return names
        claims = self.api.items("NodeClaim")
        return sorted(claim["metadata"]["name"] for claim in claims if claim["status"].get("nodeName") in names)

    def _set_condition(self, change: SetNodeCondition) -> None:
        at = (datetime.now(UTC) - timedelta(seconds=change.seconds_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
        condition = {"type": change.type, "status": change.status, "reason": "Scenario", "message": ""}
        condition |= {"lastHeartbeatTime": at, "lastTransitionTime": at}
        for name in self._nodes_of(change.app):
            conditions = self.api.get("Node", name)["status"].get("conditions") or []
            others = [each for each in conditions if each["type"] != change.type]
            self.api.patch("Node", name, {"status": {"conditions": [*others, condition]}}, subresource="status")

    def _all_pods(self) -> list[dict[str, Any]] | None:
        """Return all pods, or None while one is ending or neither placed nor refused, or a workload has not made all of its.

        The workloads are looked at first: pods that are made afterwards are then no surprise.
        """
        if not all(_has_its_pods(item) for kind in _WITH_PODS for item in self._items(kind)):
            return None
        pods = self.pods()
        return pods if all(_is_judged(pod) and not pod["metadata"].get("deletionTimestamp") for pod in pods) else None


def _is_judged(pod: Mapping[str, Any]) -> bool:
    conditions = pod["status"].get("conditions") or []
    is_looked_at = any(condition["type"] == "PodScheduled" for condition in conditions) and _has_its_claims(pod)
    return bool(pod["spec"].get("nodeName")) or is_looked_at


def _has_its_claims(pod: Mapping[str, Any]) -> bool:
    """Tell whether the claims of a pod's templates are made."""
    wanted = {claim["name"] for claim in pod["spec"].get("resourceClaims") or () if "resourceClaimTemplateName" in claim}
    return wanted <= {claim["name"] for claim in pod["status"].get("resourceClaimStatuses") or ()}


def _runs(pod: Mapping[str, Any]) -> bool:
    return bool(pod["spec"].get("nodeName")) and pod["status"].get("phase") == "Running"


def _has_its_pods(workload: Mapping[str, Any]) -> bool:
    """Tell whether a workload's controller has seen it and made all of its pods, or as many as it may."""
    spec, status = workload["spec"], workload.get("status") or {}
    if workload["kind"] == "Job":
        made = sum(status.get(state, 0) for state in ("active", "succeeded", "failed"))
        return bool(made >= min(spec.get("parallelism", 1), spec.get("completions", 1)))
    if status.get("observedGeneration", 0) < workload["metadata"].get("generation", 0):
        return False
    if has_condition(workload, "ReplicaFailure"):
        return True
    if workload["kind"] == "DaemonSet":
        return bool(status.get("currentNumberScheduled") == status.get("desiredNumberScheduled"))
    return bool(status.get("replicas", 0) == spec.get("replicas", 1))


def has_condition(item: Mapping[str, Any], kind: str, status: str = "True") -> bool:
    """Tell whether an object has a condition with a status."""
    conditions = (item.get("status") or {}).get("conditions") or []
    return any(condition["type"] == kind and condition["status"] == status for condition in conditions)


def all_have(items: Sequence[Mapping[str, Any]], kind: str) -> bool:
    """Tell whether there are objects, and all of them have a condition."""
    return bool(items) and all(has_condition(item, kind) for item in items)
