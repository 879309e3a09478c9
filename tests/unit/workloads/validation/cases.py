"""Cases by statement of docs/spec/workloads.md: an object of a kind and what is changed in it.

What an API server says of each is recorded in `answers.json`; `python -m tests.unit.workloads.validation.record` tells how to
ask again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tests.unit.workloads.validation.device_cases import DEVICES, Table
from tests.unit.workloads.validation.objects import changed
from tests.unit.workloads.validation.recent_cases import RECENT


class Case(NamedTuple):
    """An object, and the statement that decides what is said of it."""

    name: str
    statement: str
    manifest: dict[str, Any]


C: Final = "spec/containers/0"
T: Final = "spec/template/spec"
TC: Final = "spec/template/spec/containers/0"
A: Final = "spec/affinity"
REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
NODES: Final = f"{A}/nodeAffinity/{REQUIRED}"
SECOND: Final = {"name": "second", "image": "x"}
GPU: Final = "nvidia.com/gpu"
SPREAD: Final = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
HTTP: Final = {"httpGet": {"port": 80}}
DATA: Final = {"name": "data", "emptyDir": {}}
MOUNT: Final = {"name": "data", "mountPath": "/data"}


def _terms(**expression: Any) -> Mapping[str, Any]:
    return {NODES: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}


def _fields(**field: Any) -> Mapping[str, Any]:
    return {NODES: {"nodeSelectorTerms": [{"matchFields": [field]}]}}


def _near(**term: Any) -> Mapping[str, Any]:
    return {f"{A}/podAffinity": {REQUIRED: [{"topologyKey": "zone", "labelSelector": {}, **term}]}}


def _volume(**source: Any) -> Mapping[str, Any]:
    return {"spec/volumes": [{"name": "data", **source}]}


def _mounted(volume: Mapping[str, Any] = DATA, **mount: Any) -> Mapping[str, Any]:
    return {"spec/volumes": [volume], f"{C}/volumeMounts": [{**MOUNT, **mount}]}


def _projected(**source: Any) -> Mapping[str, Any]:
    return {"spec/serviceAccountName": "web", **_volume(projected={"sources": [source]})}


def _indexed(**spec: Any) -> Mapping[str, Any]:
    return {"spec/completionMode": "Indexed", "spec/completions": 3, **{f"spec/{name}": value for name, value in spec.items()}}


def _failures(**rule: Any) -> Mapping[str, Any]:
    return {"spec/podFailurePolicy": {"rules": [{"action": "FailJob", **rule}]}}


def _metric(**metric: Any) -> Mapping[str, Any]:
    return {"spec/metrics": [metric]}


P, D, J = "Pod", "Deployment", "Job"

STRUCTURE: Final[Table] = {
    "W-1": {
        "unknown field of a pod": (D, {f"{T}/nodeSelectors": {"a": "b"}}),
        "misspelt securityContext": (D, {f"{TC}/securityContext": {"runAsNonroot": True}}),
        "field of another kind": ("DaemonSet", {"spec/replicas": 2}),
        "resources of a pod template": (D, {f"{T}/securitycontext": {}}),
        "unknown field of metadata": (D, {"metadata/label": {"a": "b"}}),
        "unknown field of a toleration": (P, {"spec/tolerations": [{"Key": "a", "operator": "Exists"}]}),
        "any status": (D, {"status": {}}),
    },
    "W-2": {
        "text as replicas": (D, {"spec/replicas": "2"}),
        "number as label": (P, {"spec/nodeSelector": {"a": 5}}),
        "boolean as environment": (P, {f"{C}/env": [{"name": "A", "value": True}]}),
        "text as boolean": (P, {"spec/hostNetwork": "true"}),
        "mapping as list": (P, {f"{C}/ports": {"containerPort": 80}}),
        "text as mapping": (P, {"spec/nodeSelector": "a=b"}),
        "text as list": (P, {f"{C}/command": "sh -c date"}),
        "no time": (P, {"metadata/creationTimestamp": "yesterday"}),
    },
    "W-3": {
        "null selector of nodes": (P, {"spec/nodeSelector": None}),
        "null labels": (P, {"metadata/labels": None}),
        "null toleration": (P, {"spec/tolerations": [None]}),
        "null pull secret": (P, {"spec/imagePullSecrets": [None]}),
        "null containers": (P, {"spec/containers": None}),
    },
    "W-4": {
        "fraction of a replica": (D, {"spec/replicas": 1.5}),
        "replicas beyond 32 bits": (D, {"spec/replicas": 3_000_000_000}),
        "grace of 64 bits": (P, {"spec/terminationGracePeriodSeconds": 3_000_000_000}),
        "fraction as port": (P, {f"{C}/livenessProbe": {"httpGet": {"port": 80.5}}}),
    },
    "W-5": {
        "no quantity": (P, {f"{C}/resources": {"requests": {"cpu": "1 core"}}}),
        "number as quantity": (P, {f"{C}/resources": {"requests": {"cpu": 1.5}}}),
        "boolean as quantity": (P, {f"{C}/resources": {"requests": {"cpu": True}}}),
        "unit that does not exist": (P, {f"{C}/resources": {"requests": {"memory": "1GB"}}}),
        "empty quantity": (P, {f"{C}/resources": {"requests": {"cpu": ""}}}),
    },
}

METADATA: Final[Table] = {
    "W-8": {
        "no name": (D, {"metadata/name": ...}),
        "upper-case name": (D, {"metadata/name": "Web"}),
        "name with underscore": ("PersistentVolumeClaim", {"metadata/name": "my_data"}),
        "name with dot": (D, {"metadata/name": "web.v1"}),
        "name of 254 characters": (D, {"metadata/name": "x" * 254}),
        "generated name": (J, {"metadata": {"generateName": "run-"}}),
        "wrong generated name": (J, {"metadata": {"generateName": "Run_"}}),
        "namespace with dot": (P, {"metadata/namespace": "a.b"}),
        "namespace of a class": ("StorageClass", {"metadata/namespace": "team"}),
    },
    "W-9": {
        "dot in the name of a StatefulSet": ("StatefulSet", {"metadata/name": "web.v1"}),
        "dot in the name of a Namespace": ("Namespace", {"metadata/name": "a.b"}),
        "upper-case name of a budget": ("PodDisruptionBudget", {"metadata/name": "Web"}),
        "slash in the name of a budget": ("PodDisruptionBudget", {"metadata/name": "a/b"}),
        "CronJob of 53 characters": ("CronJob", {"metadata/name": "x" * 53}),
        "CronJob of 52 characters": ("CronJob", {"metadata/name": "x" * 52}),
    },
    "W-10": {
        "label with a space": (D, {"metadata/labels": {"team": "not a label"}}),
        "label key with two slashes": (D, {"metadata/labels": {"a/b/c": "x"}}),
        "label key in upper case": (D, {"metadata/labels": {"Example.com/Team": "x"}}),
        "label of 64 characters": (P, {"metadata/labels": {"team": "x" * 64}}),
        "empty label": (P, {"metadata/labels": {"team": ""}}),
        "label of a template with a space": (D, {"spec/template/metadata/labels": {"app": "web", "a": "b c"}}),
        "selector of nodes with a space": (P, {"spec/nodeSelector": {"a": "not a label!"}}),
        "selector of nodes with a wrong key": (P, {"spec/nodeSelector": {"a/b/c": "x"}}),
    },
    "W-11": {
        "annotation key with a space": (P, {"metadata/annotations": {"a b": "x"}}),
        "annotation key in upper case": (P, {"metadata/annotations": {"Example.com/Team": "x"}}),
        "annotations beyond 256 KiB": (P, {"metadata/annotations": {"a": "x" * 262_144}}),
        "annotation of a template": (D, {"spec/template/metadata/annotations": {"a b": "x"}}),
        "deletion cost of text": (P, {"metadata/annotations": {"controller.kubernetes.io/pod-deletion-cost": "high"}}),
        "deletion cost": (P, {"metadata/annotations": {"controller.kubernetes.io/pod-deletion-cost": "-5"}}),
    },
    "W-12": {
        "finalizer without domain": (P, {"metadata/finalizers": ["cleanup"]}),
        "finalizer": (P, {"metadata/finalizers": ["example.com/cleanup"]}),
        "owner without uid": (P, {"metadata/ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a"}]}),
        "two controllers": (
            P,
            {
                "metadata/ownerReferences": [
                    {"apiVersion": "v1", "kind": "A", "name": n, "uid": n, "controller": True} for n in "ab"
                ]
            },
        ),
    },
}

RESOURCES: Final[Table] = {
    "W-13": {
        "resource cpus": (D, {f"{TC}/resources": {"requests": {"cpus": "1"}}}),
        "resource storage": (P, {f"{C}/resources": {"requests": {"storage": "1Gi"}}}),
        "resource pods": (P, {f"{C}/resources": {"requests": {"pods": "1"}}}),
        "resource with two slashes": (P, {f"{C}/resources": {"limits": {"a/b/c": "1"}}}),
        "quota's name of a resource": (P, {f"{C}/resources": {"limits": {"requests.example.com/gpu": "1"}}}),
        "native resource with a domain": (P, {f"{C}/resources": {"requests": {"devices.kubernetes.io/kvm": "1"}}}),
    },
    "W-14": {
        "negative request": (P, {f"{C}/resources": {"requests": {"cpu": "-1"}}}),
        "fraction of a GPU": (P, {f"{C}/resources": {"limits": {GPU: "500m"}}}),
        "fraction of a core": (P, {f"{C}/resources": {"limits": {"cpu": "1.5"}}}),
    },
    "W-15": {
        "request above limit": (P, {f"{C}/resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "500m"}}}),
        "GPU request without limit": (D, {f"{TC}/resources": {"requests": {GPU: "1"}}}),
        "GPU request below limit": (P, {f"{C}/resources": {"requests": {GPU: "1"}, "limits": {GPU: "2"}}}),
        "GPU request as limit": (P, {f"{C}/resources": {"requests": {GPU: "1"}, "limits": {GPU: "1"}}}),
        "GPU limit alone": (P, {f"{C}/resources": {"limits": {GPU: "1"}}}),
        "request of an init container above limit": (
            P,
            {"spec/initContainers": [{**SECOND, "resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "1Gi"}}}]},
        ),
    },
    "W-16": {
        "huge pages without memory": (P, {f"{C}/resources": {"limits": {"hugepages-2Mi": "4Mi"}}}),
        "huge pages": (P, {f"{C}/resources": {"limits": {"hugepages-2Mi": "4Mi", "memory": "1Gi"}}}),
        "half a huge page": (P, {f"{C}/resources": {"limits": {"hugepages-2Mi": "3Mi", "memory": "1Gi"}}}),
        "huge pages without size": (P, {f"{C}/resources": {"limits": {"hugepages-big": "4Mi", "memory": "1Gi"}}}),
    },
    "W-17": {
        "claim that the pod does not have": (P, {f"{C}/resources": {"claims": [{"name": "gpu"}]}}),
        "claim of the pod": (
            P,
            {
                "spec/resourceClaims": [{"name": "gpu", "resourceClaimName": "a"}],
                f"{C}/resources": {"claims": [{"name": "gpu"}]},
            },
        ),
        "claim twice": (
            P,
            {
                "spec/resourceClaims": [{"name": "gpu", "resourceClaimName": "a"}],
                f"{C}/resources": {"claims": [{"name": "gpu"}, {"name": "gpu"}]},
            },
        ),
    },
    "W-18": {
        "resources of a pod": (P, {"spec/resources": {"requests": {"cpu": "2"}}, f"{C}/resources": {"requests": {"cpu": "1"}}}),
        "pod below its containers": (
            P,
            {"spec/resources": {"requests": {"cpu": "1"}}, f"{C}/resources": {"requests": {"cpu": "2"}}},
        ),
        "limit above the pod's": (
            P,
            {"spec/resources": {"limits": {"memory": "1Gi"}}, f"{C}/resources": {"limits": {"memory": "2Gi"}}},
        ),
        "GPU of a pod as a whole": (P, {"spec/resources": {"limits": {GPU: "1"}}}),
    },
}

SCHEDULING: Final[Table] = {
    "W-19": {
        "unknown operator of a selector": (
            D,
            {
                "spec/selector": {
                    "matchLabels": {"app": "web"},
                    "matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}],
                }
            },
        ),
        "In without values": (
            "PodDisruptionBudget",
            {"spec/selector": {"matchExpressions": [{"key": "app", "operator": "In"}]}},
        ),
        "Exists with values": (
            "PodDisruptionBudget",
            {"spec/selector": {"matchExpressions": [{"key": "app", "operator": "Exists", "values": ["a"]}]}},
        ),
        "value that no label has": (
            "PodDisruptionBudget",
            {"spec/selector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["a b"]}]}},
        ),
        "key that no label has": (
            "PodDisruptionBudget",
            {"spec/selector": {"matchExpressions": [{"key": "a b", "operator": "Exists"}]}},
        ),
    },
    "W-20": {
        "no terms": (P, {NODES: {"nodeSelectorTerms": []}}),
        "empty term": (P, {NODES: {"nodeSelectorTerms": [{}]}}),
        "operator Gte": (P, _terms(key="a", operator="Gte", values=["1"])),
        "node In without values": (P, _terms(key="a", operator="In")),
        "node Exists with values": (P, _terms(key="a", operator="Exists", values=["b"])),
        "Gt with two values": (P, _terms(key="a", operator="Gt", values=["1", "2"])),
        "node key with a space": (P, _terms(key="a b", operator="Exists")),
        "field of a node": (P, _fields(key="metadata.name", operator="In", values=["node-1"])),
        "field that nodes do not have": (P, _fields(key="spec.taints", operator="In", values=["a"])),
        "field with two values": (P, _fields(key="metadata.name", operator="In", values=["a", "b"])),
        "field that exists": (P, _fields(key="metadata.name", operator="Exists")),
    },
    "W-21": {
        "Gt with text": (P, _terms(key="a", operator="Gt", values=["x"])),
        "required value that no label has": (P, _terms(key="a", operator="In", values=["b c"])),
        "preferred value that no label has": (
            P,
            {
                f"{A}/nodeAffinity/{PREFERRED}": [
                    {"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]}}
                ]
            },
        ),
    },
    "W-22": {
        "weight 0": (P, {f"{A}/nodeAffinity/{PREFERRED}": [{"weight": 0, "preference": {}}]}),
        "weight 101": (
            P,
            {f"{A}/podAffinity/{PREFERRED}": [{"weight": 101, "podAffinityTerm": {"topologyKey": "zone"}}]},
        ),
        "weight 100": (
            P,
            {f"{A}/podAntiAffinity/{PREFERRED}": [{"weight": 100, "podAffinityTerm": {"topologyKey": "zone"}}]},
        ),
    },
    "W-23": {
        "no topology key": (P, {f"{A}/podAntiAffinity": {REQUIRED: [{"labelSelector": {}}]}}),
        "topology key with a space": (P, _near(topologyKey="a b")),
        "namespace in upper case": (P, _near(namespaces=["Team"])),
        "matchLabelKeys without selector": (P, _near(labelSelector=None, matchLabelKeys=["a"])),
        "key matched and mismatched": (P, _near(matchLabelKeys=["a"], mismatchLabelKeys=["a"])),
        "unknown operator near pods": (P, _near(labelSelector={"matchExpressions": [{"key": "a", "operator": "Like"}]})),
        "value near pods that no label has": (
            P,
            _near(namespaceSelector={"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]}),
        ),
        "matchLabelKeys": (P, _near(matchLabelKeys=["pod-template-hash"])),
    },
    "W-24": {
        "toleration with operator In": (P, {"spec/tolerations": [{"key": "a", "operator": "In"}]}),
        "value with Exists": (P, {"spec/tolerations": [{"key": "a", "operator": "Exists", "value": "b"}]}),
        "unknown effect": (P, {"spec/tolerations": [{"key": "a", "operator": "Exists", "effect": "NoScheduled"}]}),
        "operator Lt": (P, {"spec/tolerations": [{"key": "a", "operator": "Lt", "value": "5", "effect": "NoSchedule"}]}),
        "empty key with Equal": (P, {"spec/tolerations": [{"operator": "Equal", "value": "b"}]}),
        "every taint": (P, {"spec/tolerations": [{"operator": "Exists"}]}),
        "seconds with NoSchedule": (
            P,
            {"spec/tolerations": [{"key": "a", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 5}]},
        ),
        "value that no taint has": (P, {"spec/tolerations": [{"key": "a", "value": "b c"}]}),
        "key that no taint has": (P, {"spec/tolerations": [{"key": "a b", "operator": "Exists"}]}),
    },
    "W-25": {
        "skew 0": (P, {"spec/topologySpreadConstraints": [{**SPREAD, "maxSkew": 0}]}),
        "no skew": (P, {"spec/topologySpreadConstraints": [{"topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule"}]}),
        "no key of a spread": (P, {"spec/topologySpreadConstraints": [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]}),
        "unknown action": (P, {"spec/topologySpreadConstraints": [{**SPREAD, "whenUnsatisfiable": "Never"}]}),
        "the same spread twice": (D, {f"{T}/topologySpreadConstraints": [SPREAD, SPREAD]}),
        "one key, two actions": (
            P,
            {"spec/topologySpreadConstraints": [SPREAD, {**SPREAD, "whenUnsatisfiable": "ScheduleAnyway"}]},
        ),
        "minDomains 0": (P, {"spec/topologySpreadConstraints": [{**SPREAD, "minDomains": 0}]}),
        "minDomains with ScheduleAnyway": (
            P,
            {"spec/topologySpreadConstraints": [{**SPREAD, "minDomains": 2, "whenUnsatisfiable": "ScheduleAnyway"}]},
        ),
        "unknown policy": (P, {"spec/topologySpreadConstraints": [{**SPREAD, "nodeTaintsPolicy": "Heed"}]}),
        "label keys of a spread without selector": (
            P,
            {"spec/topologySpreadConstraints": [{**SPREAD, "matchLabelKeys": ["a"]}]},
        ),
        "selector of a spread": (
            P,
            {"spec/topologySpreadConstraints": [{**SPREAD, "labelSelector": {"matchLabels": {"a": "b c"}}}]},
        ),
    },
}

CONTAINERS: Final[Table] = {
    "W-26": {
        "no containers": (P, {"spec/containers": []}),
        "upper-case container": (P, {f"{C}/name": "Main"}),
        "container without name": (P, {f"{C}/name": ...}),
        "two containers of a name": (P, {"spec/containers/1": {**SECOND, "name": "main"}}),
        "init container of the same name": (P, {"spec/initContainers": [{**SECOND, "name": "main"}]}),
        "container with dot": (P, {f"{C}/name": "a.b"}),
    },
    "W-27": {
        "no image": (D, {f"{TC}/image": ...}),
        "empty image": (P, {f"{C}/image": ""}),
        "unknown pull policy": (P, {f"{C}/imagePullPolicy": "Sometimes"}),
        "unknown message policy": (P, {f"{C}/terminationMessagePolicy": "Log"}),
    },
    "W-28": {
        "port 0": (P, {f"{C}/ports": [{"containerPort": 0}]}),
        "port 70000": (P, {f"{C}/ports": [{"containerPort": 70000}]}),
        "host port 70000": (P, {f"{C}/ports": [{"containerPort": 80, "hostPort": 70000}]}),
        "unknown protocol": (P, {f"{C}/ports": [{"containerPort": 80, "protocol": "HTTP"}]}),
        "port name in upper case": (P, {f"{C}/ports": [{"containerPort": 80, "name": "HTTP"}]}),
        "port name of 16 characters": (P, {f"{C}/ports": [{"containerPort": 80, "name": "a" * 16}]}),
        "port name of digits": (P, {f"{C}/ports": [{"containerPort": 80, "name": "8080"}]}),
        "port name twice": (
            P,
            {f"{C}/ports": [{"containerPort": 80, "name": "web"}, {"containerPort": 81, "name": "web"}]},
        ),
        "port twice": (P, {f"{C}/ports": [{"containerPort": 80}, {"containerPort": 80}]}),
    },
    "W-29": {
        "host port twice": (P, {f"{C}/ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}]}),
        "host port of two protocols": (
            P,
            {
                f"{C}/ports": [
                    {"containerPort": 80, "hostPort": 80},
                    {"containerPort": 81, "hostPort": 80, "protocol": "UDP"},
                ]
            },
        ),
        "host port of two containers": (
            P,
            {
                f"{C}/ports": [{"containerPort": 80, "hostPort": 80}],
                "spec/containers/1": {**SECOND, "ports": [{"containerPort": 81, "hostPort": 80}]},
            },
        ),
        "other port of the host's network": (
            P,
            {"spec/hostNetwork": True, f"{C}/ports": [{"containerPort": 80, "hostPort": 81}]},
        ),
        "one port of two containers on the host's network": (
            P,
            {
                "spec/hostNetwork": True,
                f"{C}/ports": [{"containerPort": 80}],
                "spec/containers/1": {**SECOND, "ports": [{"containerPort": 80}]},
            },
        ),
        "one port of a template's containers on the host's network": (
            D,
            {
                f"{T}/hostNetwork": True,
                f"{TC}/ports": [{"containerPort": 80}],
                f"{T}/containers/1": {**SECOND, "ports": [{"containerPort": 80}]},
            },
        ),
        "port of the host's network": (D, {f"{T}/hostNetwork": True, f"{TC}/ports": [{"containerPort": 80}]}),
    },
    "W-30": {
        "variable without name": (P, {f"{C}/env": [{"value": "a"}]}),
        "variable with =": (P, {f"{C}/env": [{"name": "A=B", "value": "a"}]}),
        "variable with a space": (P, {f"{C}/env": [{"name": "A B", "value": "a"}]}),
        "value and valueFrom": (
            P,
            {f"{C}/env": [{"name": "A", "value": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]},
        ),
        "two sources": (
            P,
            {
                f"{C}/env": [
                    {
                        "name": "A",
                        "valueFrom": {
                            "secretKeyRef": {"name": "s", "key": "k"},
                            "configMapKeyRef": {"name": "s", "key": "k"},
                        },
                    }
                ]
            },
        ),
        "no source": (P, {f"{C}/env": [{"name": "A", "valueFrom": {}}]}),
        "key with a space": (P, {f"{C}/env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "a b"}}}]}),
        "no key": (P, {f"{C}/env": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "s"}}}]}),
        "variable twice": (P, {f"{C}/env": [{"name": "A", "value": "a"}, {"name": "A", "value": "b"}]}),
    },
    "W-31": {
        "no ConfigMap and no Secret": (P, {f"{C}/envFrom": [{"prefix": "A_"}]}),
        "ConfigMap and Secret": (P, {f"{C}/envFrom": [{"configMapRef": {"name": "a"}, "secretRef": {"name": "b"}}]}),
        "ConfigMap without name": (P, {f"{C}/envFrom": [{"configMapRef": {}}]}),
        "Secret in upper case": (P, {f"{C}/envFrom": [{"secretRef": {"name": "Db"}}]}),
    },
    "W-32": {
        "field of a pod": (P, {f"{C}/env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}]}),
        "field that pods do not have": (
            P,
            {f"{C}/env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.replicas"}}}]},
        ),
        "label of a pod": (
            P,
            {f"{C}/env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}}]},
        ),
        "all labels": (P, {f"{C}/env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels"}}}]}),
        "resource that containers do not have": (
            P,
            {f"{C}/env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "cpu"}}}]},
        ),
        "divisor of 3": (
            P,
            {f"{C}/env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "3"}}}]},
        ),
    },
    "W-33": {
        "mount": (P, _mounted()),
        "mount of nothing": (P, {f"{C}/volumeMounts": [MOUNT]}),
        "mount without path": (P, {"spec/volumes": [DATA], f"{C}/volumeMounts": [{"name": "data"}]}),
        "one path twice": (P, {"spec/volumes": [DATA], f"{C}/volumeMounts": [MOUNT, MOUNT]}),
        "absolute subPath": (P, _mounted(subPath="/a")),
        "subPath with ..": (P, _mounted(subPath="a/../b")),
        "subPath and subPathExpr": (P, _mounted(subPath="a", subPathExpr="b")),
        "unknown propagation": (P, _mounted(mountPropagation="Both")),
        "bidirectional without privilege": (P, _mounted(mountPropagation="Bidirectional")),
        "recursive without readOnly": (P, _mounted(recursiveReadOnly="Enabled")),
        "mount of a StatefulSet's claim": ("StatefulSet", {f"{TC}/volumeMounts": [MOUNT]}),
    },
    "W-34": {
        "device": (
            P,
            {
                "spec/volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "a"}}],
                f"{C}/volumeDevices": [{"name": "data", "devicePath": "/dev/a"}],
            },
        ),
        "device of an emptyDir": (
            P,
            {"spec/volumes": [DATA], f"{C}/volumeDevices": [{"name": "data", "devicePath": "/dev/a"}]},
        ),
        "device of nothing": (P, {f"{C}/volumeDevices": [{"name": "data", "devicePath": "/dev/a"}]}),
        "device without path": (
            P,
            {
                "spec/volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "a"}}],
                f"{C}/volumeDevices": [{"name": "data"}],
            },
        ),
    },
    "W-35": {
        "probe without handler": (P, {f"{C}/livenessProbe": {"periodSeconds": 5}}),
        "probe with two handlers": (P, {f"{C}/livenessProbe": {**HTTP, "exec": {"command": ["a"]}}}),
        "probe of a port by name": (P, {f"{C}/readinessProbe": {"tcpSocket": {"port": "http"}}}),
        "probe of port 0": (P, {f"{C}/readinessProbe": {"tcpSocket": {"port": 0}}}),
        "probe of a wrong port name": (P, {f"{C}/readinessProbe": {"httpGet": {"port": "a b"}}}),
        "negative period": (P, {f"{C}/readinessProbe": {**HTTP, "periodSeconds": -1}}),
        "liveness after two successes": (P, {f"{C}/livenessProbe": {**HTTP, "successThreshold": 2}}),
        "readiness after two successes": (P, {f"{C}/readinessProbe": {**HTTP, "successThreshold": 2}}),
        "grace of a readiness probe": (P, {f"{C}/readinessProbe": {**HTTP, "terminationGracePeriodSeconds": 5}}),
        "command without words": (P, {f"{C}/startupProbe": {"exec": {}}}),
        "unknown scheme": (P, {f"{C}/livenessProbe": {"httpGet": {"port": 80, "scheme": "https"}}}),
        "header with a space": (
            P,
            {f"{C}/livenessProbe": {"httpGet": {"port": 80, "httpHeaders": [{"name": "a b", "value": "c"}]}}},
        ),
        "gRPC": (P, {f"{C}/livenessProbe": {"grpc": {"port": 50051}}}),
    },
    "W-36": {
        "sleep beyond the grace": (P, {f"{C}/lifecycle": {"preStop": {"sleep": {"seconds": 31}}}}),
        "sleep as long as the grace": (P, {f"{C}/lifecycle": {"preStop": {"sleep": {"seconds": 30}}}}),
        "hook without handler": (P, {f"{C}/lifecycle": {"postStart": {}}}),
    },
    "W-37": {
        "probe of an init container": (P, {"spec/initContainers": [{**SECOND, "livenessProbe": HTTP}]}),
        "probe of a sidecar": (P, {"spec/initContainers": [{**SECOND, "restartPolicy": "Always", "livenessProbe": HTTP}]}),
        "hook of an init container": (
            P,
            {"spec/initContainers": [{**SECOND, "lifecycle": {"preStop": {"exec": {"command": ["a"]}}}}]},
        ),
        "port of an init container and another": (
            P,
            {
                f"{C}/ports": [{"containerPort": 80, "hostPort": 80}],
                "spec/initContainers": [{**SECOND, "ports": [{"containerPort": 80, "hostPort": 80}]}],
            },
        ),
    },
    "W-38": {
        "ephemeral container of a template": (D, {f"{T}/ephemeralContainers": [SECOND]}),
        "ephemeral container of a pod": (P, {"spec/ephemeralContainers": [SECOND]}),
        "ephemeral container with ports": (P, {"spec/ephemeralContainers": [{**SECOND, "ports": [{"containerPort": 80}]}]}),
        "ephemeral container of a target": (P, {"spec/ephemeralContainers": [{**SECOND, "targetContainerName": "other"}]}),
    },
    "W-39": {
        "unknown restart policy of a container": (P, {f"{C}/restartPolicy": "Sometimes"}),
        "restart rules without policy": (
            P,
            {f"{C}/restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]},
        ),
        "restart rules of a sidecar": (
            P,
            {
                "spec/initContainers": [
                    {
                        **SECOND,
                        "restartPolicy": "Always",
                        "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}],
                    }
                ]
            },
        ),
        "resize of GPUs": (P, {f"{C}/resizePolicy": [{"resourceName": GPU, "restartPolicy": "NotRequired"}]}),
        "resize twice": (P, {f"{C}/resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}] * 2}),
    },
}

SECURITY: Final[Table] = {
    "W-40": {
        "negative user": (P, {f"{C}/securityContext": {"runAsUser": -1}}),
        "group beyond 31 bits": (P, {"spec/securityContext": {"fsGroup": 2**31}}),
        "supplemental group": (P, {"spec/securityContext": {"supplementalGroups": [-5]}}),
        "escalation and privilege": (P, {f"{C}/securityContext": {"privileged": True, "allowPrivilegeEscalation": False}}),
        "escalation and CAP_SYS_ADMIN": (
            P,
            {f"{C}/securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"add": ["CAP_SYS_ADMIN"]}}},
        ),
        "unknown procMount": (P, {f"{C}/securityContext": {"procMount": "Bare"}}),
        "unmasked procMount": (P, {f"{C}/securityContext": {"procMount": "Unmasked"}}),
        "unknown change policy": (P, {"spec/securityContext": {"fsGroupChangePolicy": "Never"}}),
        "shared processes of the host": (P, {"spec/hostPID": True, "spec/shareProcessNamespace": True}),
    },
    "W-41": {
        "unknown seccomp profile": (P, {"spec/securityContext": {"seccompProfile": {"type": "runtime/default"}}}),
        "local profile without file": (P, {f"{C}/securityContext": {"seccompProfile": {"type": "Localhost"}}}),
        "file of another profile": (
            P,
            {f"{C}/securityContext": {"seccompProfile": {"type": "RuntimeDefault", "localhostProfile": "a"}}},
        ),
        "absolute profile": (P, {f"{C}/securityContext": {"seccompProfile": {"type": "Localhost", "localhostProfile": "/a"}}}),
        "AppArmor without type": (P, {f"{C}/securityContext": {"appArmorProfile": {}}}),
    },
    "W-42": {
        "sysctl": (P, {"spec/securityContext": {"sysctls": [{"name": "net.core.somaxconn", "value": "1"}]}}),
        "sysctl in upper case": (P, {"spec/securityContext": {"sysctls": [{"name": "Net.core", "value": "1"}]}}),
        "sysctl twice": (P, {"spec/securityContext": {"sysctls": [{"name": "net.a", "value": "1"}] * 2}}),
        "sysctl of the host's network": (
            P,
            {"spec/hostNetwork": True, "spec/securityContext": {"sysctls": [{"name": "net.core.somaxconn", "value": "1"}]}},
        ),
    },
    "W-43": {
        "unknown system": (P, {"spec/os": {"name": "macos"}}),
        "user on Windows": (P, {"spec/os": {"name": "windows"}, "spec/securityContext": {"runAsUser": 5}}),
        "privilege on Windows": (P, {"spec/os": {"name": "windows"}, f"{C}/securityContext": {"privileged": True}}),
        "processes of the host on Windows": (P, {"spec/os": {"name": "windows"}, "spec/hostPID": True}),
        "options of Windows on Linux": (
            P,
            {"spec/os": {"name": "linux"}, f"{C}/securityContext": {"windowsOptions": {"runAsUserName": "a"}}},
        ),
        "resources of a pod on Windows": (P, {"spec/os": {"name": "windows"}, "spec/resources": {"limits": {"cpu": "1"}}}),
    },
    "W-44": {
        "own users and the host's processes": (P, {"spec/hostUsers": False, "spec/hostPID": True}),
        "own users and the host's network": (P, {"spec/hostUsers": False, "spec/hostNetwork": True}),
        "host process without network": (P, {f"{C}/securityContext": {"windowsOptions": {"hostProcess": True}}}),
        "one host process of two": (
            P,
            {
                "spec/hostNetwork": True,
                f"{C}/securityContext": {"windowsOptions": {"hostProcess": True}},
                "spec/containers/1": SECOND,
            },
        ),
    },
}

VOLUMES: Final[Table] = {
    "W-45": {
        "volume in upper case": (P, _volume(name="Data", emptyDir={})),
        "volume without source": (P, {"spec/volumes": [{"name": "data"}]}),
        "volume with two sources": (P, _volume(emptyDir={}, hostPath={"path": "/a"})),
        "two volumes of a name": (P, {"spec/volumes": [DATA, DATA]}),
        "mount of a wrong volume": (P, _mounted({"name": "data", "configMap": {}})),
    },
    "W-46": {
        "claim without name": (P, _volume(persistentVolumeClaim={})),
        "ConfigMap of a volume without name": (P, _volume(configMap={})),
        "secret by the wrong name": (P, _volume(secret={"name": "a"})),
        "unknown type of a hostPath": (P, _volume(hostPath={"path": "/a", "type": "Folder"})),
        "hostPath with ..": (P, _volume(hostPath={"path": "/a/../b"})),
        "relative path of NFS": (P, _volume(nfs={"server": "a", "path": "b"})),
        "CSI without driver": (P, _volume(csi={})),
        "negative emptyDir": (P, _volume(emptyDir={"sizeLimit": "-1Gi"})),
    },
    "W-47": {
        "mode 1000": (P, _volume(configMap={"name": "a", "defaultMode": 0o1000})),
        "file outside of the volume": (P, _volume(secret={"secretName": "a", "items": [{"key": "b", "path": "../c"}]})),
        "file without key": (P, _volume(secret={"secretName": "a", "items": [{"path": "c"}]})),
        "field in a file": (P, _volume(downwardAPI={"items": [{"path": "a", "fieldRef": {"fieldPath": "metadata.labels"}}]})),
        "file without field": (P, _volume(downwardAPI={"items": [{"path": "a"}]})),
        "resource in a file without container": (
            P,
            _volume(downwardAPI={"items": [{"path": "a", "resourceFieldRef": {"resource": "limits.cpu"}}]}),
        ),
    },
    "W-48": {
        "token": (P, _projected(serviceAccountToken={"path": "token"})),
        "token of five minutes": (P, _projected(serviceAccountToken={"path": "token", "expirationSeconds": 300})),
        "token without path": (P, _projected(serviceAccountToken={})),
        "two sources of a projection": (P, _projected(secret={"name": "a"}, configMap={"name": "b"})),
        "one path of two files": (
            P,
            _projected(secret={"name": "a", "items": [{"key": "b", "path": "c"}, {"key": "d", "path": "c"}]}),
        ),
    },
    "W-49": {
        "ephemeral claim without modes": (
            P,
            _volume(ephemeral={"volumeClaimTemplate": {"spec": {"resources": {"requests": {"storage": "1Gi"}}}}}),
        ),
        "ephemeral claim with a name": (
            P,
            _volume(
                ephemeral={
                    "volumeClaimTemplate": {
                        "metadata": {"name": "a"},
                        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
                    }
                }
            ),
        ),
        "claim that the pod makes": (
            P,
            {
                "spec/volumes": [
                    {
                        "name": "own",
                        "ephemeral": {
                            "volumeClaimTemplate": {
                                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
                            }
                        },
                    },
                    {"name": "data", "persistentVolumeClaim": {"claimName": "web-own"}},
                ]
            },
        ),
    },
}

PODS: Final[Table] = {
    "W-50": {
        "unknown restart policy": (P, {"spec/restartPolicy": "Sometimes"}),
        "unknown DNS policy": (P, {"spec/dnsPolicy": "Cluster"}),
        "DNS policy None without servers": (P, {"spec/dnsPolicy": "None"}),
        "four name servers": (P, {"spec/dnsConfig": {"nameservers": [f"10.0.0.{n}" for n in range(4)]}}),
        "name server by name": (P, {"spec/dnsConfig": {"nameservers": ["dns.example.com"]}}),
        "search with a space": (P, {"spec/dnsConfig": {"searches": ["a b"]}}),
        "search from the root": (P, {"spec/dnsConfig": {"searches": ["."]}}),
        "unknown preemption policy": (P, {"spec/preemptionPolicy": "Always"}),
    },
    "W-51": {
        "deadline 0": (P, {"spec/activeDeadlineSeconds": 0}),
        "grace 0": (P, {"spec/terminationGracePeriodSeconds": 0}),
        "negative grace": (P, {"spec/terminationGracePeriodSeconds": -1}),
    },
    "W-52": {
        "hostname with dot": (P, {"spec/hostname": "a.b"}),
        "hostname of a StatefulSet": ("StatefulSet", {f"{T}/hostname": "a.b"}),
        "service account in upper case": (P, {"spec/serviceAccountName": "Web"}),
        "priority class in upper case": (P, {"spec/priorityClassName": "High"}),
        "node with a space": (P, {"spec/nodeName": "a b"}),
        "empty runtime class": (P, {"spec/runtimeClassName": ""}),
        "alias of no address": (P, {"spec/hostAliases": [{"ip": "localhost", "hostnames": ["a"]}]}),
        "hostname override of the host": (P, {"spec/hostnameOverride": "a", "spec/hostNetwork": True}),
    },
    "W-53": {
        "readiness gate with a space": (P, {"spec/readinessGates": [{"conditionType": "a b"}]}),
        "scheduling gate twice": (P, {"spec/schedulingGates": [{"name": "example.com/a"}] * 2}),
        "scheduling gate with a space": (P, {"spec/schedulingGates": [{"name": "a b"}]}),
    },
    "W-54": {
        "claim of nothing": (P, {"spec/resourceClaims": [{"name": "gpu"}]}),
        "claim by name and template": (
            P,
            {"spec/resourceClaims": [{"name": "gpu", "resourceClaimName": "a", "resourceClaimTemplateName": "b"}]},
        ),
        "two claims of a name": (P, {"spec/resourceClaims": [{"name": "gpu", "resourceClaimName": "a"}] * 2}),
    },
    "W-55": {
        "negative overhead": (P, {"spec/overhead": {"cpu": "-1"}}),
        "overhead of cpus": (P, {"spec/overhead": {"cpus": "1"}}),
    },
    "W-56": {
        "image with a space": (P, {f"{C}/image": " nginx"}),
        "image of a template with a space": (D, {f"{TC}/image": " nginx"}),
        "token without account": (P, _volume(projected={"sources": [{"serviceAccountToken": {"path": "token"}}]})),
        "node and gate": (P, {"spec/nodeName": "a", "spec/schedulingGates": [{"name": "a"}]}),
    },
    "W-57": {
        "label of a PodTemplate": ("PodTemplate", {"template/metadata/labels": {"a": "b c"}}),
        "image of a PodTemplate": ("PodTemplate", {"template/spec/containers/0/image": ...}),
    },
}

CONTROLLERS: Final[Table] = {
    "W-58": {
        "no selector": (D, {"spec/selector": ...}),
        "other selector": (D, {"spec/selector": {"matchLabels": {"app": "other"}}}),
        "empty selector": (D, {"spec/selector": {}}),
        "selector that no label has": (D, {"spec/selector": {"matchLabels": {"app": "a b"}}}),
        "selector by expression": (
            "ReplicaSet",
            {"spec/selector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["web", "api"]}]}},
        ),
        "selector by another expression": (
            "ReplicaSet",
            {"spec/selector": {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}},
        ),
        "template without labels": (D, {"spec/template/metadata": ...}),
        "other selector of a DaemonSet": ("DaemonSet", {"spec/selector": {"matchLabels": {"app": "other"}}}),
        "no selector of a DaemonSet": ("DaemonSet", {"spec/selector": ...}),
        "no selector of a StatefulSet": ("StatefulSet", {"spec/selector": ...}),
        "no template": (D, {"spec/template": ...}),
    },
    "W-59": {
        "Deployment that restarts never": (D, {f"{T}/restartPolicy": "Never"}),
        "DaemonSet that restarts on failure": ("DaemonSet", {f"{T}/restartPolicy": "OnFailure"}),
        "Deployment with a deadline": (D, {f"{T}/activeDeadlineSeconds": 5}),
    },
    "W-60": {
        "negative replicas": (D, {"spec/replicas": -1}),
        "no replicas": (D, {"spec/replicas": 0}),
        "negative history": (D, {"spec/revisionHistoryLimit": -1}),
        "deadline as long as readiness": (D, {"spec/minReadySeconds": 60, "spec/progressDeadlineSeconds": 60}),
        "readiness beyond the default deadline": (D, {"spec/minReadySeconds": 700}),
    },
    "W-61": {
        "unknown strategy": (D, {"spec/strategy": {"type": "BlueGreen"}}),
        "neither surge nor missing": (D, {"spec/strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}}),
        "neither by percent": (D, {"spec/strategy": {"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": 0}}}),
        "missing above 100%": (D, {"spec/strategy": {"rollingUpdate": {"maxUnavailable": "150%"}}}),
        "surge above 100%": (D, {"spec/strategy": {"rollingUpdate": {"maxSurge": "150%"}}}),
        "surge of text": (D, {"spec/strategy": {"rollingUpdate": {"maxSurge": "some"}}}),
        "negative surge": (D, {"spec/strategy": {"rollingUpdate": {"maxSurge": -1}}}),
        "recreate with bounds": (D, {"spec/strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}}),
    },
    "W-62": {
        "surge of a DaemonSet": ("DaemonSet", {"spec/updateStrategy": {"rollingUpdate": {"maxSurge": 1}}}),
        "surge alone": ("DaemonSet", {"spec/updateStrategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}}),
        "none missing": ("DaemonSet", {"spec/updateStrategy": {"rollingUpdate": {"maxUnavailable": 0}}}),
        "unknown strategy of a DaemonSet": ("DaemonSet", {"spec/updateStrategy": {"type": "Recreate"}}),
    },
    "W-63": {
        "unknown management": ("StatefulSet", {"spec/podManagementPolicy": "Ordered"}),
        "negative partition": ("StatefulSet", {"spec/updateStrategy": {"rollingUpdate": {"partition": -1}}}),
        "none unavailable": ("StatefulSet", {"spec/updateStrategy": {"rollingUpdate": {"maxUnavailable": 0}}}),
        "bounds with OnDelete": (
            "StatefulSet",
            {"spec/updateStrategy": {"type": "OnDelete", "rollingUpdate": {"partition": 1}}},
        ),
        "unknown strategy of a StatefulSet": ("StatefulSet", {"spec/updateStrategy": {"type": "Rolling"}}),
        "unknown retention": ("StatefulSet", {"spec/persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Keep"}}),
        "claim without modes": ("StatefulSet", {"spec/volumeClaimTemplates/0/spec/accessModes": ...}),
        "claim without storage": ("StatefulSet", {"spec/volumeClaimTemplates/0/spec/resources": ...}),
        "service in upper case": ("StatefulSet", {"spec/serviceName": "Web"}),
        "no service": ("StatefulSet", {"spec/serviceName": ...}),
    },
    "W-64": {
        "no selector of a ReplicationController": ("ReplicationController", {"spec/selector": ...}),
        "other selector of a ReplicationController": ("ReplicationController", {"spec/selector": {"app": "other"}}),
        "no template of a ReplicationController": ("ReplicationController", {"spec/template": ...}),
    },
}

JOBS: Final[Table] = {
    "W-65": {
        "Job that restarts always": (J, {f"{T}/restartPolicy": "Always"}),
        "Job without restart policy": (J, {f"{T}/restartPolicy": ...}),
        "Job that restarts on failure": (J, {f"{T}/restartPolicy": "OnFailure"}),
        "negative parallelism": (J, {"spec/parallelism": -1}),
        "negative completions": (J, {"spec/completions": -1}),
        "negative retries": (J, {"spec/backoffLimit": -1}),
        "no completions": (J, {"spec/completions": 0}),
        "manager without domain": (J, {"spec/managedBy": "me"}),
    },
    "W-66": {
        "unknown mode": (J, {"spec/completionMode": "Counted"}),
        "indexed": (J, _indexed()),
        "indexed without completions": (J, {"spec/completionMode": "Indexed", "spec/parallelism": 2}),
        "retries by index without indexes": (J, {"spec/backoffLimitPerIndex": 1}),
        "more failures than completions": (J, _indexed(backoffLimitPerIndex=1, maxFailedIndexes=5)),
        "failures without retries": (J, _indexed(maxFailedIndexes=1)),
        "indexed with a dot": (J, {**_indexed(), "metadata/name": "a.b"}),
    },
    "W-67": {
        "failure policy": (J, _failures(onExitCodes={"operator": "In", "values": [1, 2]})),
        "failure policy that restarts": (
            J,
            {**_failures(onExitCodes={"operator": "In", "values": [1]}), f"{T}/restartPolicy": "OnFailure"},
        ),
        "unknown action of a failure": (J, _failures(action="Stop", onExitCodes={"operator": "In", "values": [1]})),
        "rule without condition": (J, _failures()),
        "exit code 0": (J, _failures(onExitCodes={"operator": "In", "values": [0]})),
        "codes out of order": (J, _failures(onExitCodes={"operator": "In", "values": [2, 1]})),
        "codes twice": (J, _failures(onExitCodes={"operator": "In", "values": [1, 1]})),
        "codes of no container": (J, _failures(onExitCodes={"containerName": "other", "operator": "In", "values": [1]})),
        "failure of an index": (J, _failures(action="FailIndex", onExitCodes={"operator": "In", "values": [1]})),
    },
    "W-68": {
        "success without indexes": (J, {"spec/successPolicy": {"rules": [{"succeededCount": 1}]}}),
        "success of more than all": (J, _indexed(successPolicy={"rules": [{"succeededCount": 9}]})),
        "success without rules": (J, _indexed(successPolicy={"rules": []})),
        "unknown replacement": (J, {"spec/podReplacementPolicy": "Never"}),
    },
    "W-69": {
        "selector of a Job": (J, {"spec/selector": {"matchLabels": {"app": "web"}}}),
        "own selector": (
            J,
            {
                "spec/manualSelector": True,
                "spec/selector": {"matchLabels": {"app": "web"}},
                "spec/template/metadata": {"labels": {"app": "web"}},
            },
        ),
        "own selector that does not match": (J, {"spec/manualSelector": True, "spec/selector": {"matchLabels": {"a": "b"}}}),
        "Job of 64 characters": (J, {"metadata/name": "x" * 64}),
    },
    "W-70": {
        "no schedule": ("CronJob", {"spec/schedule": ...}),
        "schedule of four fields": ("CronJob", {"spec/schedule": "* * * *"}),
        "minute 60": ("CronJob", {"spec/schedule": "60 * * * *"}),
        "schedule by name": ("CronJob", {"spec/schedule": "@daily"}),
        "schedule by interval": ("CronJob", {"spec/schedule": "@every 1h30m"}),
        "schedule with a time zone": ("CronJob", {"spec/schedule": "TZ=UTC 0 0 * * *"}),
        "time zone": ("CronJob", {"spec/timeZone": "Europe/Berlin"}),
        "no time zone": ("CronJob", {"spec/timeZone": "Berlin"}),
        "unknown concurrency": ("CronJob", {"spec/concurrencyPolicy": "Skip"}),
        "negative history of a CronJob": ("CronJob", {"spec/failedJobsHistoryLimit": -1}),
        "CronJob that restarts always": ("CronJob", {"spec/jobTemplate/spec/template/spec/restartPolicy": "Always"}),
        "selector of a CronJob": ("CronJob", {"spec/jobTemplate/spec/selector": {}}),
    },
}

OTHERS: Final[Table] = {
    "W-71": {
        "both bounds": ("PodDisruptionBudget", {"spec/maxUnavailable": 1}),
        "budget above 100%": ("PodDisruptionBudget", {"spec/minAvailable": "150%"}),
        "budget of text": ("PodDisruptionBudget", {"spec/minAvailable": "half"}),
        "negative budget": ("PodDisruptionBudget", {"spec/minAvailable": -1}),
        "budget by percent": ("PodDisruptionBudget", {"spec/minAvailable": "50%"}),
        "unknown eviction policy": ("PodDisruptionBudget", {"spec/unhealthyPodEvictionPolicy": "Never"}),
        "budget of all pods": ("PodDisruptionBudget", {"spec/selector": {}}),
    },
    "W-72": {
        "priority above a billion": ("PriorityClass", {"value": 2_000_000_000}),
        "reserved name": ("PriorityClass", {"metadata/name": "system-mine"}),
        "class of the system": ("PriorityClass", {"metadata/name": "system-node-critical", "value": 2_000_001_000}),
        "unknown preemption": ("PriorityClass", {"preemptionPolicy": "Always"}),
    },
    "W-73": {
        "no handler": ("RuntimeClass", {"handler": ...}),
        "handler in upper case": ("RuntimeClass", {"handler": "Kata"}),
        "negative overhead of a class": ("RuntimeClass", {"overhead": {"podFixed": {"cpu": "-1"}}}),
        "toleration twice": ("RuntimeClass", {"scheduling": {"tolerations": [{"key": "a", "operator": "Exists"}] * 2}}),
    },
    "W-74": {
        "unknown type of limits": ("LimitRange", {"spec/limits/0/type": "Node"}),
        "type twice": ("LimitRange", {"spec/limits/1": {"type": "Container", "max": {"cpu": "4"}}}),
        "min above max": ("LimitRange", {"spec/limits/0/min": {"cpu": "5"}}),
        "default above max": ("LimitRange", {"spec/limits/0/default": {"cpu": "5"}}),
        "request above default": (
            "LimitRange",
            {"spec/limits/0/default": {"cpu": "1"}, "spec/limits/0/defaultRequest": {"cpu": "2"}},
        ),
        "default of pods": ("LimitRange", {"spec/limits/0": {"type": "Pod", "default": {"cpu": "1"}}}),
        "limits of claims": ("LimitRange", {"spec/limits/0": {"type": "PersistentVolumeClaim", "max": {"cpu": "1"}}}),
        "ratio below 1": ("LimitRange", {"spec/limits/0/maxLimitRequestRatio": {"cpu": "500m"}}),
        "ratio above the bounds": (
            "LimitRange",
            {"spec/limits/0/min": {"cpu": "2"}, "spec/limits/0/maxLimitRequestRatio": {"cpu": "3"}},
        ),
        "limit of cpus": ("LimitRange", {"spec/limits/0/max": {"cpus": "1"}}),
    },
    "W-75": {
        "quota of cpus": ("ResourceQuota", {"spec/hard": {"cpus": "1"}}),
        "negative quota": ("ResourceQuota", {"spec/hard": {"cpu": "-1"}}),
        "half a pod": ("ResourceQuota", {"spec/hard": {"pods": "500m"}}),
        "count of objects": ("ResourceQuota", {"spec/hard": {"count/deployments.apps": "5"}}),
        "unknown scope": ("ResourceQuota", {"spec/scopes": ["Spot"]}),
        "scopes that exclude each other": (
            "ResourceQuota",
            {"spec/hard": {"pods": "1"}, "spec/scopes": ["BestEffort", "NotBestEffort"]},
        ),
        "scope selector": (
            "ResourceQuota",
            {
                "spec/scopeSelector": {
                    "matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]
                }
            },
        ),
        "scope selector without values": (
            "ResourceQuota",
            {"spec/scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In"}]}},
        ),
    },
    "W-76": {
        "no access mode": ("PersistentVolumeClaim", {"spec/accessModes": []}),
        "unknown access mode": ("PersistentVolumeClaim", {"spec/accessModes": ["ReadWrite"]}),
        "no storage": ("PersistentVolumeClaim", {"spec/resources": {}}),
        "storage 0": ("PersistentVolumeClaim", {"spec/resources": {"requests": {"storage": "0"}}}),
        "unknown volume mode": ("PersistentVolumeClaim", {"spec/volumeMode": "File"}),
        "one pod and others": ("PersistentVolumeClaim", {"spec/accessModes": ["ReadWriteOncePod", "ReadWriteOnce"]}),
        "class in upper case": ("PersistentVolumeClaim", {"spec/storageClassName": "GP3"}),
        "source without group": ("PersistentVolumeClaim", {"spec/dataSourceRef": {"kind": "VolumeSnapshot", "name": "a"}}),
    },
    "W-77": {
        "no capacity": ("PersistentVolume", {"spec/capacity": ...}),
        "volume of no source": ("PersistentVolume", {"spec/csi": ...}),
        "volume of two sources": ("PersistentVolume", {"spec/hostPath": {"path": "/a"}}),
        "no handle": ("PersistentVolume", {"spec/csi/volumeHandle": ...}),
        "unknown reclaim policy": ("PersistentVolume", {"spec/persistentVolumeReclaimPolicy": "Keep"}),
        "affinity without terms": ("PersistentVolume", {"spec/nodeAffinity": {"required": {"nodeSelectorTerms": []}}}),
        "local volume without affinity": ("PersistentVolume", {"spec/csi": ..., "spec/local": {"path": "/a"}}),
    },
    "W-78": {
        "no provisioner": ("StorageClass", {"provisioner": ...}),
        "unknown binding mode": ("StorageClass", {"volumeBindingMode": "Later"}),
        "class that recycles": ("StorageClass", {"reclaimPolicy": "Recycle"}),
        "topology without values": (
            "StorageClass",
            {"allowedTopologies": [{"matchLabelExpressions": [{"key": "a", "values": []}]}]},
        ),
        "topology value twice": (
            "StorageClass",
            {"allowedTopologies": [{"matchLabelExpressions": [{"key": "a", "values": ["b", "b"]}]}]},
        ),
    },
    "W-79": {
        "least above most": ("HorizontalPodAutoscaler", {"spec/minReplicas": 6}),
        "least 0": ("HorizontalPodAutoscaler", {"spec/minReplicas": 0}),
        "no maximum": ("HorizontalPodAutoscaler", {"spec/maxReplicas": ...}),
        "target without name": ("HorizontalPodAutoscaler", {"spec/scaleTargetRef/name": ...}),
        "target without group": ("HorizontalPodAutoscaler", {"spec/scaleTargetRef/apiVersion": "v1"}),
        "metric of another type": ("HorizontalPodAutoscaler", {"spec/metrics/0/type": "Pods"}),
        "unknown metric": ("HorizontalPodAutoscaler", {"spec/metrics/0/type": "Cpu"}),
        "utilization 0": ("HorizontalPodAutoscaler", {"spec/metrics/0/resource/target/averageUtilization": 0}),
        "target of a metric without amount": (
            "HorizontalPodAutoscaler",
            {"spec/metrics/0/resource/target": {"type": "Utilization"}},
        ),
        "no policies": ("HorizontalPodAutoscaler", {"spec/behavior": {"scaleUp": {"policies": []}}}),
        "window of a day": ("HorizontalPodAutoscaler", {"spec/behavior": {"scaleDown": {"stabilizationWindowSeconds": 86400}}}),
        "autoscaler of v1": (
            "HorizontalPodAutoscaler",
            {"apiVersion": "autoscaling/v1", "spec/metrics": ..., "spec/targetCPUUtilizationPercentage": 50},
        ),
        "metrics in v1": ("HorizontalPodAutoscaler", {"apiVersion": "autoscaling/v1"}),
    },
    "W-80": {
        "Namespace of 64 characters": ("Namespace", {"metadata/name": "x" * 64}),
        "finalizer of a Namespace": ("Namespace", {"spec/finalizers": ["kubernetes"]}),
        "finalizer of a Namespace without domain": ("Namespace", {"spec/finalizers": ["cleanup"]}),
    },
    "W-81": {
        "Service of a digit": ("Service", {"metadata/name": "1st"}),
        "Service with a dot": ("Service", {"metadata/name": "a.b"}),
        "unknown type of a Service": ("Service", {"spec/type": "Ingress"}),
        "no ports of a Service": ("Service", {"spec/ports": []}),
        "headless without ports": ("Service", {"spec/clusterIP": "None", "spec/ports": []}),
        "headless balancer": ("Service", {"spec/clusterIP": "None", "spec/type": "LoadBalancer"}),
        "two ports without names": ("Service", {"spec/ports": [{"port": 80}, {"port": 81}]}),
        "two ports of a name": ("Service", {"spec/ports": [{"port": 80, "name": "a"}, {"port": 81, "name": "a"}]}),
        "one port twice": ("Service", {"spec/ports": [{"port": 80, "name": "a"}, {"port": 80, "name": "b"}]}),
        "port 0 of a Service": ("Service", {"spec/ports": [{"port": 0}]}),
        "target by name": ("Service", {"spec/ports": [{"port": 80, "targetPort": "http"}]}),
        "target in upper case": ("Service", {"spec/ports": [{"port": 80, "targetPort": "HTTP"}]}),
        "node port of ClusterIP": ("Service", {"spec/ports": [{"port": 80, "nodePort": 30080}]}),
        "selector of a Service": ("Service", {"spec/selector": {"app": "a b"}}),
        "name outside": ("Service", {"spec": {"type": "ExternalName", "externalName": "db.example.com"}}),
        "no name outside": ("Service", {"spec": {"type": "ExternalName"}}),
        "address of text": ("Service", {"spec/clusterIP": "ten"}),
        "external address of text": ("Service", {"spec/externalIPs": ["ten"]}),
        "ranges without balancer": ("Service", {"spec/loadBalancerSourceRanges": ["10.0.0.0/8"]}),
        "range of text": ("Service", {"spec/type": "LoadBalancer", "spec/loadBalancerSourceRanges": ["ten"]}),
        "annotated range of text": (
            "Service",
            {
                "spec/type": "LoadBalancer",
                "metadata/annotations": {"service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, ten"},
            },
        ),
        "annotated ranges without balancer": (
            "Service",
            {"metadata/annotations": {"service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8"}},
        ),
        "policy without a way in": ("Service", {"spec/externalTrafficPolicy": "Local"}),
        "local policy": ("Service", {"spec/type": "LoadBalancer", "spec/externalTrafficPolicy": "Local"}),
        "unknown policy of traffic": ("Service", {"spec/type": "NodePort", "spec/externalTrafficPolicy": "Near"}),
        "unknown affinity": ("Service", {"spec/sessionAffinity": "Cookie"}),
        "affinity of two days": (
            "Service",
            {"spec/sessionAffinity": "ClientIP", "spec/sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 172_800}}},
        ),
    },
}

_OF_PODS: Final = (STRUCTURE, METADATA, RESOURCES, SCHEDULING, CONTAINERS, SECURITY, VOLUMES, PODS)
TABLES: Final = (*_OF_PODS, CONTROLLERS, JOBS, OTHERS, DEVICES, RECENT)
CASES: Final = tuple(
    Case(name, statement, changed(kind, changes))
    for table in TABLES
    for statement, rows in table.items()
    for name, (kind, changes) in rows.items()
)
