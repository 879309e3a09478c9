"""Persistent volumes: zones of volumes that exist and of those that are yet to be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.live.scenario import Object, Scenario
from tests.live.scenarios.builders import (
    FOUR_CPU,
    HOSTNAME,
    ZONE,
    deployment,
    node_pool,
    requirement,
    spread,
    stateful_set,
)

_DRIVER: Final = "disk.csi.example.com"


def _storage_class(name: str, *zones: str, mode: str = "WaitForFirstConsumer") -> dict[str, Any]:
    topologies = [{"matchLabelExpressions": [{"key": ZONE, "values": [zone]}]} for zone in zones]
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": _DRIVER,
        "volumeBindingMode": mode,
        **({"allowedTopologies": topologies} if topologies else {}),
    }


def _volume(name: str, *terms: Sequence[Object], source: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a PersistentVolume that nodes of any of the terms can use, for the claim of its name."""
    affinity = {"required": {"nodeSelectorTerms": [{"matchExpressions": list(term)} for term in terms]}}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "capacity": {"storage": "10Gi"},
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "made",
            "claimRef": {"namespace": "default", "name": name},
            "nodeAffinity": affinity,
            **(source or {"csi": {"driver": _DRIVER, "volumeHandle": name}}),
        },
    }


def _claim(name: str, storage_class: str = "made", *, volume: str | None = None) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "10Gi"}},
        "storageClassName": storage_class,
    }
    if volume:
        spec["volumeName"] = volume
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}


def _bound(name: str, *terms: Sequence[Object], source: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return a volume and the claim that is bound to it."""
    return [_volume(name, *terms, source=source), _claim(name, volume=name)]


def _mounts(*claims: str) -> list[dict[str, Any]]:
    return [{"name": f"v{number}", "persistentVolumeClaim": {"claimName": name}} for number, name in enumerate(claims)]


def _ephemeral(storage_class: str) -> list[dict[str, Any]]:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": storage_class}
    return [{"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": spec}}}]


def _template(storage_class: str) -> dict[str, Any]:
    return {"metadata": {"name": "data"}, "spec": _claim("data", storage_class)["spec"]}


def _with_templates(workload: dict[str, Any], *storage_classes: str) -> dict[str, Any]:
    """Return a StatefulSet whose pods have a claim of their own."""
    return {**workload, "spec": {**workload["spec"], "volumeClaimTemplates": [_template(name) for name in storage_classes]}}


def _in_zone(*zones: str) -> list[Object]:
    return [requirement(ZONE, "In", *(f"test-zone-{zone}" for zone in zones))]


SCENARIOS: Final = (
    Scenario(
        "volumes-bound",
        "pods follow their volumes into two zones",
        [_storage_class("made"), *_bound("data-a", _in_zone("a")), *_bound("data-c", _in_zone("c")), node_pool()],
        [
            deployment("a", 1, "1", volumes=_mounts("data-a")),
            deployment("c", 1, "900m", volumes=_mounts("data-c")),
            deployment("free", 1, "800m"),
        ],
    ),
    Scenario(
        "volumes-two-of-a-pod",
        "two volumes of one pod: zones in common, and none",
        [
            _storage_class("made"),
            *_bound("wide", _in_zone("a", "b")),
            *_bound("narrow", _in_zone("b", "c")),
            *_bound("far", _in_zone("d")),
            node_pool(),
        ],
        [
            deployment("common", 1, "1", volumes=_mounts("wide", "narrow")),
            deployment("apart", 1, "900m", volumes=_mounts("wide", "far")),
        ],
    ),
    Scenario(
        "volumes-terms",
        "a volume with two terms: the first that works is taken",
        [_storage_class("made"), *_bound("either", _in_zone("a"), _in_zone("b")), node_pool("default", *_in_zone("b", "c"))],
        [deployment("a", 1, volumes=_mounts("either"))],
    ),
    Scenario(
        "volumes-not-made-yet",
        "a storage class that waits for a pod and allows two zones",
        [_storage_class("zonal", "test-zone-b", "test-zone-c"), _claim("data", "zonal"), node_pool()],
        [deployment("a", 1, volumes=_mounts("data")), deployment("b", 1, "2")],
    ),
    Scenario(
        "volumes-anywhere",
        "a storage class that waits for a pod and allows every zone",
        [_storage_class("anywhere"), _claim("data", "anywhere"), node_pool()],
        [deployment("a", 1, volumes=_mounts("data"))],
    ),
    Scenario(
        "volumes-not-bound",
        "claims that are not bound and wait for nobody, or have no class: their pods are refused",
        [
            _storage_class("immediate", mode="Immediate"),
            _claim("waiting", "immediate"),
            _claim("unknown", "no-such-class"),
            node_pool(),
        ],
        [
            deployment("waits", 1, volumes=_mounts("waiting")),
            deployment("classless", 1, "900m", volumes=_mounts("unknown")),
            deployment("missing", 1, "800m", volumes=_mounts("no-such-claim")),
            deployment("fine", 1, "700m"),
        ],
    ),
    Scenario(
        "volumes-stateful-set",
        "a StatefulSet with a claim a pod, spread over the zones of its class",
        [_storage_class("zonal", "test-zone-b", "test-zone-c"), node_pool()],
        [_with_templates(stateful_set("db", 3, topologySpreadConstraints=[spread(ZONE, "db")]), "zonal")],
    ),
    Scenario(
        "volumes-ephemeral",
        "generic ephemeral volumes",
        [_storage_class("zonal", "test-zone-d"), node_pool()],
        [deployment("scratch", 2, volumes=_ephemeral("zonal")), deployment("free", 1, "300m")],
    ),
    Scenario(
        "volumes-local",
        "a local volume names a node that no longer exists: its hostname is left out, its zone is not",
        [
            _storage_class("made"),
            *_bound(
                "disk",
                [requirement(HOSTNAME, "In", "old-node"), *_in_zone("c")],
                source={"local": {"path": "/data"}},
            ),
            *_bound("attached", [requirement(HOSTNAME, "In", "old-node")]),
            node_pool(),
        ],
        [deployment("local", 1, volumes=_mounts("disk")), deployment("attached", 1, "900m", volumes=_mounts("attached"))],
    ),
    Scenario(
        "volumes-beside-running-nodes",
        "a volume in the zone of a node that has room, and one elsewhere",
        [
            _storage_class("made"),
            *_bound("here", _in_zone("a")),
            *_bound("there", _in_zone("b")),
            node_pool("default", FOUR_CPU),
        ],
        [deployment("here", 1, volumes=_mounts("here")), deployment("there", 1, "900m", volumes=_mounts("there"))],
        phases=[[deployment("web", 1, "1", nodeSelector={ZONE: "test-zone-a"})]],
    ),
    Scenario(
        "volumes-spread",
        "a volume narrows the zone but not the least count of a spread",
        [_storage_class("made"), *_bound("data", _in_zone("a")), node_pool()],
        [
            deployment("web", 2, "900m", topologySpreadConstraints=[spread(ZONE, "web")]),
            deployment(
                "data", 1, "1", labels={"tier": "x"}, volumes=_mounts("data"), topologySpreadConstraints=[spread(ZONE, "web")]
            ),
        ],
    ),
)
