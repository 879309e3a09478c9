"""Nothing that stands in a file makes the reader fall over: it is read, or it is a message."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Place, Problems
from cutlist.documents.document import Document
from cutlist.workloads.read import read_workloads
from tests.examples import examples

EXPRESSION = {"key": "k", "operator": "In", "values": ["v"]}
TERM = {"topologyKey": "z", "labelSelector": {"matchLabels": {"a": "b"}, "matchExpressions": [EXPRESSION]}, "namespaces": ["x"]}
SCALED = {"kind": "Deployment", "name": "web"}
RANGE = {"type": "Container", "default": {"cpu": 1}, "min": {"cpu": 1}, "max": {"cpu": "2"}}
REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
PODS = {REQUIRED: [{**TERM, "matchLabelKeys": ["app"]}], PREFERRED: [{"weight": 1, "podAffinityTerm": TERM}]}
TERMS = {"nodeSelectorTerms": [{"matchExpressions": [EXPRESSION], "matchFields": [EXPRESSION]}]}
CONTAINER = {
    "name": "a",
    "image": "i",
    "restartPolicy": "Always",
    "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": 2, "memory": "1Gi"}, "claims": [{"name": "g"}]},
    "ports": [{"containerPort": 80, "hostPort": 80, "protocol": "TCP", "hostIP": "1.2.3.4"}],
}
SPEC = {
    "containers": [CONTAINER],
    "initContainers": [CONTAINER],
    "nodeSelector": {"a": "b"},
    "affinity": {
        "nodeAffinity": {REQUIRED: TERMS, PREFERRED: [{"weight": 1, "preference": {"matchExpressions": [EXPRESSION]}}]},
        "podAffinity": PODS,
        "podAntiAffinity": PODS,
    },
    "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}],
    "topologySpreadConstraints": [
        {"topologyKey": "z", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
    ],
    "volumes": [
        {"name": "v", "persistentVolumeClaim": {"claimName": "c"}},
        {"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": {"storageClassName": "s"}}}},
    ],
    "resources": {"requests": {"cpu": 1}, "limits": {"cpu": 1}},
    "priorityClassName": "high",
    "runtimeClassName": "kata",
    "hostNetwork": True,
    "overhead": {"cpu": 1},
    "schedulingGates": [{"name": "g"}],
    "resourceClaims": [{"name": "g"}],
}
TEMPLATE = {"metadata": {"labels": {"app": "web"}, "annotations": {"a": "b"}}, "spec": SPEC}


def made(version: str, kind: str, **parts: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "web", "namespace": "default", "annotations": {"helm.sh/hook": "pre-install"}}
    if kind in ("Pod", "Job", "ReplicaSet"):
        metadata["ownerReferences"] = [{"kind": "ReplicaSet", "name": "web-1", "controller": True}]
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **parts}


OBJECTS = [
    made("apps/v1", "Deployment", spec={"replicas": 2, "template": TEMPLATE, "selector": {"matchLabels": {"app": "web"}}}),
    made(
        "apps/v1",
        "StatefulSet",
        spec={
            "replicas": 3,
            "template": TEMPLATE,
            "ordinals": {"start": 1},
            "volumeClaimTemplates": [{"metadata": {"name": "v"}, "spec": {"storageClassName": "s"}}],
        },
    ),
    made("apps/v1", "DaemonSet", spec={"template": TEMPLATE}),
    made("apps/v1", "ReplicaSet", spec={"template": TEMPLATE}),
    made(
        "batch/v1",
        "Job",
        spec={"parallelism": 2, "completions": 3, "template": TEMPLATE},
        status={"succeeded": 1, "conditions": [{"type": "Complete", "status": "False"}]},
    ),
    made("batch/v1", "CronJob", spec={"suspend": False, "jobTemplate": {"spec": {"template": TEMPLATE}}}),
    made(
        "v1",
        "Pod",
        spec={**SPEC, "nodeName": "n"},
        status={"phase": "Running", "containerStatuses": [{"name": "a", "resources": {"requests": {"cpu": "1"}}}]},
    ),
    made(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        spec={"minReplicas": 1, "maxReplicas": 2, "scaleTargetRef": SCALED},
    ),
    made("keda.sh/v1alpha1", "ScaledObject", spec={"minReplicaCount": 1, "maxReplicaCount": 2, "scaleTargetRef": SCALED}),
    made(
        "autoscaling.k8s.io/v1",
        "VerticalPodAutoscaler",
        spec={"targetRef": {"kind": "Deployment", "name": "web"}, "updatePolicy": {"updateMode": "Auto"}},
    ),
    made("v1", "Namespace"),
    made(
        "v1",
        "LimitRange",
        spec={"limits": [RANGE]},
    ),
    made("v1", "ResourceQuota", spec={"hard": {"requests.cpu": "1", "pods": 1}}),
    made("scheduling.k8s.io/v1", "PriorityClass", value=5, globalDefault=True),
    made(
        "node.k8s.io/v1",
        "RuntimeClass",
        overhead={"podFixed": {"cpu": "1"}},
        scheduling={"nodeSelector": {"a": "c"}, "tolerations": [{"key": "k"}]},
    ),
    made("policy/v1", "PodDisruptionBudget", spec={"minAvailable": 1, "selector": {"matchExpressions": [EXPRESSION]}}),
    made("storage.k8s.io/v1", "StorageClass", allowedTopologies=[{"matchLabelExpressions": [{"key": "z", "values": ["a"]}]}]),
    made("v1", "PersistentVolumeClaim", spec={"storageClassName": "s", "volumeName": "v"}, status={"phase": "Bound"}),
    made("v1", "PersistentVolume", spec={"csi": {"driver": "d"}, "nodeAffinity": {"required": TERMS}}),
    made("argoproj.io/v1alpha1", "Rollout", spec={"template": TEMPLATE}),
    made("v1", "Node", spec={}),
    made(
        "flink.apache.org/v1beta1",
        "FlinkDeployment",
        spec={
            "flinkConfiguration": {"taskmanager.numberOfTaskSlots": "2"},
            "podTemplate": TEMPLATE,
            "jobManager": {"replicas": 1, "resource": {"cpu": 1, "memory": "2048m"}},
            "taskManager": {"resource": {"cpu": 1, "memory": "2g"}},
            "job": {"parallelism": 3, "state": "running"},
        },
    ),
    made(
        "kafka.strimzi.io/v1beta2",
        "Kafka",
        spec={
            "kafka": {},
            "entityOperator": {
                "template": {"pod": {"tolerations": [{"key": "k"}]}},
                "topicOperator": {"resources": {"requests": {"cpu": "1"}}},
                "userOperator": {},
            },
        },
    ),
    made(
        "serving.kserve.io/v1beta1",
        "InferenceService",
        spec={
            "predictor": {"minReplicas": 1, "containers": [{"name": "a", "resources": {"limits": {"cpu": "1"}}}]},
            "transformer": {"model": {"resources": {"requests": {"cpu": "1"}}}, "nodeSelector": {"a": "b"}},
        },
    ),
]
JUNK = [None, "", "junk", 0, -1, 2**70, 1.5, True, [], [None], ["x"], [[]], {}, {"x": None}, {"name": 1}]


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from paths(member, (*at, key))


PATHS = [(i, path) for i, thing in enumerate(OBJECTS) for path in paths(thing) if path not in (("kind",), ("apiVersion",))]


def outcome(objects: list[Any]) -> list[str]:
    problems = Problems()
    read_workloads([Document(Place("app.yaml", i), data, {}) for i, data in enumerate(objects)], problems)
    return [str(p) for p in problems.found]


def test_all_objects_are_right_as_they_stand():
    """Else the property below would show little."""
    assert outcome(copy.deepcopy(OBJECTS)) == []


@pytest.mark.slow
@examples(1.5)
@given(st.sampled_from(PATHS), st.sampled_from(JUNK), st.booleans())
def test_junk_anywhere_is_read_or_reported(where: tuple[int, tuple[Any, ...]], junk: Any, gone: bool):
    """A value of the wrong kind, or one that is missing, is never an exception: what is said of it names the file."""
    index, path = where
    objects = copy.deepcopy(OBJECTS)
    at = objects[index]
    for key in path[:-1]:
        at = at[key]
    if gone:
        del at[path[-1]]
    else:
        at[path[-1]] = junk
    assert all(message.startswith("app.yaml") for message in outcome(objects))
