"""The objects that scenarios are made of, as Kubernetes writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.live.scenario import Object

ZONE: Final = "topology.kubernetes.io/zone"
HOSTNAME: Final = "kubernetes.io/hostname"
CAPACITY_TYPE: Final = "karpenter.sh/capacity-type"
INSTANCE_TYPE: Final = "node.kubernetes.io/instance-type"
ARCH: Final = "kubernetes.io/arch"
OS: Final = "kubernetes.io/os"
CPU: Final = "karpenter.kwok.sh/instance-cpu"
FAMILY: Final = "karpenter.kwok.sh/instance-family"
SIZE: Final = "karpenter.kwok.sh/instance-size"
RESERVATION: Final = "karpenter.kwok.sh/reservation-id"
"""The label that tells reservations apart. The KWOK provider has none; ours is set where it is built."""
ZONES: Final = ("test-zone-a", "test-zone-b", "test-zone-c", "test-zone-d")


def requirement(key: str, operator: str, *values: str, min_values: int | None = None) -> dict[str, Any]:
    """Return a requirement of a NodePool or an expression of an affinity."""
    return {
        "key": key,
        "operator": operator,
        **({"values": list(values)} if values else {}),
        **({"minValues": min_values} if min_values is not None else {}),
    }


LINUX: Final = (requirement(ARCH, "In", "amd64"), requirement(OS, "In", "linux"))
ON_DEMAND: Final = requirement(CAPACITY_TYPE, "In", "on-demand")
SPOT: Final = requirement(CAPACITY_TYPE, "In", "spot")
FOUR_CPU: Final = requirement(CPU, "In", "4")


def node_class(name: str = "default", **spec: Any) -> dict[str, Any]:
    """Return a KWOKNodeClass."""
    return {"apiVersion": "karpenter.kwok.sh/v1alpha1", "kind": "KWOKNodeClass", "metadata": {"name": name}, "spec": spec}


def node_pool(
    name: str = "default",
    *requirements: Object,
    platform: Sequence[Object] = LINUX,
    weight: int | None = None,
    limits: Mapping[str, str] | None = None,
    disruption: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
    replicas: int | None = None,
    **template: Any,
) -> dict[str, Any]:
    """Return a NodePool that consolidates never, unless `disruption` says otherwise; `template` is members of its
    `spec.template.spec`, such as taints and expireAfter."""
    spec: dict[str, Any] = {
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "default"},
                "requirements": [*platform, *requirements],
                "expireAfter": "Never",
                **template,
            }
        },
        "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "Never", **(disruption or {})},
    }
    if labels:
        spec["template"]["metadata"] = {"labels": dict(labels)}
    optional = {"weight": weight, "limits": limits, "replicas": replicas}
    spec |= {member: value for member, value in optional.items() if value is not None}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}


def consolidating_pool(
    name: str = "default",
    *requirements: Object,
    budgets: Sequence[Object] = ({"nodes": "100%"},),
    policy: str = "WhenEmptyOrUnderutilized",
    after: str = "0s",
    **more: Any,
) -> dict[str, Any]:
    """Return a NodePool that consolidates at once and within these budgets; `more` as in `node_pool`."""
    disruption = {"consolidateAfter": after, "consolidationPolicy": policy, "budgets": list(budgets)}
    return node_pool(name, *requirements, disruption=disruption, **more)


def pod_spec(
    cpu: str = "1",
    memory: str = "1Gi",
    *,
    requests: Mapping[str, str] | None = None,
    limits: Mapping[str, str] | None = None,
    ports: Sequence[Object] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return the spec of a pod with one container; `more` is members of the spec."""
    resources: dict[str, Any] = {"requests": {"cpu": cpu, "memory": memory} if requests is None else dict(requests)}
    if limits:
        resources["limits"] = dict(limits)
    container: dict[str, Any] = {"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": resources}
    if ports:
        container["ports"] = list(ports)
    return {"terminationGracePeriodSeconds": 0, "containers": [container], **more}


def workload(
    kind: str,
    name: str,
    replicas: int | None,
    pod: Object,
    *,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    namespace: str = "default",
    **spec: Any,
) -> dict[str, Any]:
    """Return a Deployment, a StatefulSet or a DaemonSet whose pods have the label app=NAME; `spec` is members of its spec."""
    metadata: dict[str, Any] = {"labels": {"app": name, **(labels or {})}}
    if annotations:
        metadata["annotations"] = dict(annotations)
    body: dict[str, Any] = {
        "selector": {"matchLabels": {"app": name}},
        "template": {"metadata": metadata, "spec": dict(pod)},
        **({} if replicas is None else {"replicas": replicas}),
        **({"serviceName": name, "podManagementPolicy": "Parallel"} if kind == "StatefulSet" else {}),
        **spec,
    }
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": body}


def deployment(
    name: str,
    replicas: int,
    cpu: str = "1",
    memory: str = "1Gi",
    *,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    namespace: str = "default",
    **pod: Any,
) -> dict[str, Any]:
    """Return a Deployment; `pod` as in `pod_spec`."""
    spec = pod_spec(cpu, memory, **pod)
    return workload("Deployment", name, replicas, spec, labels=labels, annotations=annotations, namespace=namespace)


def stateful_set(name: str, replicas: int, cpu: str = "1", memory: str = "1Gi", **pod: Any) -> dict[str, Any]:
    """Return a StatefulSet; `pod` as in `pod_spec`."""
    return workload("StatefulSet", name, replicas, pod_spec(cpu, memory, **pod))


def daemon_set(name: str, cpu: str = "100m", memory: str = "128Mi", **pod: Any) -> dict[str, Any]:
    """Return a DaemonSet; `pod` as in `pod_spec`."""
    return workload("DaemonSet", name, None, pod_spec(cpu, memory, **pod))


def selector(app: str) -> dict[str, Any]:
    """Return a label selector of the pods of a workload."""
    return {"matchLabels": {"app": app}}


def spread(key: str, app: str, skew: int = 1, when: str = "DoNotSchedule", **more: Any) -> dict[str, Any]:
    """Return a topology spread constraint."""
    return {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": selector(app), **more}


def node_affinity(*expressions: Object, preferred: Sequence[tuple[int, Sequence[Object]]] = ()) -> dict[str, Any]:
    """Return an affinity with one required term and any number of preferences, each a weight and its expressions."""
    affinity: dict[str, Any] = {}
    if expressions:
        terms = [{"matchExpressions": list(expressions)}]
        affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
    if preferred:
        affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
            {"weight": weight, "preference": {"matchExpressions": list(term)}} for weight, term in preferred
        ]
    return {"nodeAffinity": affinity}


def pod_affinity(app: str, key: str = ZONE, *, anti: bool = False, weight: int | None = None, **term: Any) -> dict[str, Any]:
    """Return a pod affinity, or anti-affinity, towards a workload: required, or preferred where it has a weight; `term` is
    members of its term."""
    rule: dict[str, Any] = {"topologyKey": key, "labelSelector": selector(app), **term}
    if weight is None:
        rules = {"requiredDuringSchedulingIgnoredDuringExecution": [rule]}
    else:
        rules = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": weight, "podAffinityTerm": rule}]}
    return {"podAntiAffinity" if anti else "podAffinity": rules}


def pod_anti_affinity(app: str, key: str = HOSTNAME, *, weight: int | None = None, **term: Any) -> dict[str, Any]:
    """Return a pod anti-affinity towards a workload, one pod a node unless `key` says otherwise."""
    return pod_affinity(app, key, anti=True, weight=weight, **term)


def toleration(key: str, **more: Any) -> dict[str, Any]:
    """Return a toleration of every taint with a key."""
    return {"key": key, "operator": "Exists", **more}


def taint(key: str, value: str | None = None, effect: str = "NoSchedule") -> dict[str, Any]:
    """Return a taint."""
    return {"key": key, **({} if value is None else {"value": value}), "effect": effect}


def pod_disruption_budget(name: str, app: str, **spec: Any) -> dict[str, Any]:
    """Return a PodDisruptionBudget of a workload; `spec` is maxUnavailable or minAvailable."""
    metadata = {"name": name, "namespace": "default"}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata,
        "spec": {"selector": selector(app), **spec},
    }


def priority_class(name: str, value: int) -> dict[str, Any]:
    """Return a PriorityClass."""
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}


def namespace(name: str, **labels: str) -> dict[str, Any]:
    """Return a Namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def node_overlay(name: str, *requirements: Object, weight: int | None = None, **spec: Any) -> dict[str, Any]:
    """Return a NodeOverlay; `spec` is price, priceAdjustment or capacity."""
    body = {"requirements": list(requirements), **({} if weight is None else {"weight": weight}), **spec}
    return {"apiVersion": "karpenter.sh/v1alpha1", "kind": "NodeOverlay", "metadata": {"name": name}, "spec": body}


def capacity_buffer(name: str, **spec: Any) -> dict[str, Any]:
    """Return a CapacityBuffer; `spec` is podTemplateRef or scalableRef, replicas, percentage and limits."""
    return _namespaced("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", name, spec=spec)


def pod_template(name: str, pod: Object, **labels: str) -> dict[str, Any]:
    """Return a PodTemplate."""
    return _namespaced("v1", "PodTemplate", name, template={"metadata": {"labels": labels}, "spec": pod})


def _namespaced(api_version: str, kind: str, name: str, **members: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "default"}, **members}


def container(name: str, cpu: str, memory: str, **more: Any) -> dict[str, Any]:
    """Return a further container of a pod; `more` is members of it, such as restartPolicy."""
    requests = {"cpu": cpu, "memory": memory}
    return {"name": name, "image": "registry.k8s.io/pause:3.10", "resources": {"requests": requests}, **more}


def bare_pod(name: str, cpu: str = "1", memory: str = "1Gi", **pod: Any) -> dict[str, Any]:
    """Return a pod without a controller; `pod` as in `pod_spec`."""
    metadata = {"name": name, "namespace": "default", "labels": {"app": name}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": pod_spec(cpu, memory, **pod)}


def job(name: str, completions: int, cpu: str = "1", memory: str = "1Gi", **pod: Any) -> dict[str, Any]:
    """Return a Job whose pods run all at once; `pod` as in `pod_spec`."""
    template = {"metadata": {"labels": {"app": name}}, "spec": {**pod_spec(cpu, memory, **pod), "restartPolicy": "Never"}}
    spec = {"completions": completions, "parallelism": completions, "template": template}
    return _namespaced("batch/v1", "Job", name, spec=spec)


def runtime_class(name: str, **more: Any) -> dict[str, Any]:
    """Return a RuntimeClass; `more` is overhead and scheduling."""
    return {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": name}, "handler": name, **more}


def node_affinity_terms(*terms: Sequence[Object]) -> dict[str, Any]:
    """Return a node affinity with several required terms, any of which will do."""
    expressions = [{"matchExpressions": list(term)} for term in terms]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": expressions}}}


def offering(
    zone: str, capacity_type: str, price: float, *, reservation: str | None = None, capacity: int = 0
) -> dict[str, Any]:
    """Return an offering of an instance type, in the form of the KWOK provider's file."""
    requirements = [requirement(CAPACITY_TYPE, "In", capacity_type), requirement(ZONE, "In", zone)]
    if reservation is not None:
        requirements.append(requirement(RESERVATION, "In", reservation))
    return {"Price": price, "Available": True, "ReservationCapacity": capacity, "Requirements": requirements}


def instance_type(name: str, cpu: str, memory: str, *offerings: Object, slices: Sequence[Object] = ()) -> dict[str, Any]:
    """Return an instance type, in the form of the KWOK provider's file; `slices` are templates, in the oracle's form, of the
    ResourceSlices that drivers publish on its nodes."""
    devices = {"dynamicResources": {"resourceSliceTemplates": list(slices)}} if slices else {}
    return {
        **devices,
        "name": name,
        "architecture": "amd64",
        "operatingSystems": ["linux"],
        "resources": {"cpu": cpu, "memory": memory, "ephemeral-storage": "20Gi", "pods": "64"},
        "offerings": list(offerings),
    }
