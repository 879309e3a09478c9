"""Kinds that place pods, that shape them, that place pods in ways unknown to Cutlist, and that do not matter.

A kind is identified by its API group and name, in any version: `Job` of `batch` and of `batch.volcano.sh` are different
kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import nearest

Kind = tuple[str, str]  # API group ("" for the core), kind

OWN_GROUP: Final = "cutlist"
"""The group of documents for Cutlist itself, which never reach a cluster."""

_READ: Final[Mapping[str, tuple[str, ...]]] = {
    "": (
        "Pod",
        "ReplicationController",
        "Namespace",
        "LimitRange",
        "ResourceQuota",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "Node",
    ),
    "apps": ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"),
    "extensions": ("Deployment", "DaemonSet", "ReplicaSet"),
    "batch": ("Job", "CronJob"),
    "autoscaling": ("HorizontalPodAutoscaler",),
    "keda.sh": ("ScaledObject",),
    "autoscaling.k8s.io": ("VerticalPodAutoscaler",),
    "policy": ("PodDisruptionBudget",),
    "scheduling.k8s.io": ("PriorityClass",),
    "node.k8s.io": ("RuntimeClass",),
    "storage.k8s.io": ("StorageClass",),
    "kustomize.config.k8s.io": ("Kustomization", "Component"),
}
OF_NODES: Final = frozenset(
    {
        *(("resource.k8s.io", kind) for kind in ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")),
        ("karpenter.sh", "NodeClaim"),
        ("storage.k8s.io", "CSINode"),
        ("crd.k8s.amazonaws.com", "ENIConfig"),
        ("vpcresources.k8s.aws", "CNINode"),
        ("cilium.io", "CiliumNode"),
    }
)
"""The kinds that describe existing nodes, their network and devices; the state of a cluster is read from them."""
READ: Final = frozenset((group, kind) for group, kinds in _READ.items() for kind in kinds)

_OTHER_MEANS: Final[Mapping[str, tuple[str, ...]]] = {
    "actions.github.com": ("AutoscalingRunnerSet", "EphemeralRunnerSet"),
    "agones.dev": ("Fleet", "GameServer", "GameServerSet"),
    "apps.kruise.io": ("CloneSet", "StatefulSet", "DaemonSet", "BroadcastJob", "AdvancedCronJob", "UnitedDeployment"),
    "apps.openshift.io": ("DeploymentConfig",),
    "argoproj.io": ("Rollout", "Workflow", "CronWorkflow", "Application", "ApplicationSet"),
    "batch.volcano.sh": ("Job", "CronJob"),
    "flink.apache.org": ("FlinkDeployment", "FlinkSessionJob"),
    "helm.toolkit.fluxcd.io": ("HelmRelease",),
    "jobset.x-k8s.io": ("JobSet",),
    **{f"{kind.lower()}.k8s.elastic.co": (kind,) for kind in ("Agent", "Beat", "Elasticsearch", "Kibana", "Logstash")},
    "kafka.strimzi.io": ("Kafka", "KafkaNodePool", "KafkaConnect", "KafkaBridge", "KafkaMirrorMaker2"),
    "keda.sh": ("ScaledJob",),
    "kubeflow.org": ("TFJob", "PyTorchJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "Notebook"),
    "kubevirt.io": ("VirtualMachine", "VirtualMachineInstance", "VirtualMachineInstanceReplicaSet"),
    "pool.kubevirt.io": ("VirtualMachinePool",),
    "kustomize.toolkit.fluxcd.io": ("Kustomization",),
    "leaderworkerset.x-k8s.io": ("LeaderWorkerSet",),
    "monitoring.coreos.com": ("Prometheus", "PrometheusAgent", "Alertmanager", "ThanosRuler"),
    "opentelemetry.io": ("OpenTelemetryCollector",),
    "postgresql.cnpg.io": ("Cluster", "Pooler"),
    "acid.zalan.do": ("postgresql",),
    "rabbitmq.com": ("RabbitmqCluster",),
    "ray.io": ("RayCluster", "RayJob", "RayService"),
    "serving.knative.dev": ("Service", "Configuration"),
    "serving.kserve.io": ("InferenceService", "InferenceGraph", "LLMInferenceService"),
    "sparkoperator.k8s.io": ("SparkApplication", "ScheduledSparkApplication"),
    "tekton.dev": ("TaskRun", "PipelineRun"),
    "trainer.kubeflow.org": ("TrainJob",),
    "workload.codeflare.dev": ("AppWrapper",),
}
_OF_STEPS: Final = (
    "which of its steps run together, or what they request, depends on results, parameters, conditions or templates that are "
    "not written in it"
)
_OF_GUEST: Final = (
    "KubeVirt adds memory to that of the guest, how much depends on its version, and its pods request devices.kubevirt.io/kvm, "
    "which no instance type has unless a NodeOverlay adds it"
)
_WITH_RACK: Final = ("KafkaConnect", "KafkaMirrorMaker2", "KafkaBridge")
_MACHINES: Final = ("VirtualMachine", "VirtualMachineInstance", "VirtualMachineInstanceReplicaSet")
WHY_NOT_COUNTED: Final[Mapping[Kind, str]] = {
    **dict.fromkeys([("argoproj.io", "Workflow"), ("argoproj.io", "CronWorkflow")], _OF_STEPS),
    **dict.fromkeys([("tekton.dev", "TaskRun"), ("tekton.dev", "PipelineRun")], _OF_STEPS),
    ("argoproj.io", "Rollout"): "the workload whose template it takes is not in the input",
    ("flink.apache.org", "FlinkDeployment"): (
        "its task managers are as many as the parallelism of its jobs needs when they run, or its roles write no resources"
    ),
    ("flink.apache.org", "FlinkSessionJob"): "its task managers are as many as the parallelism of its jobs needs when they run",
    ("kafka.strimzi.io", "Kafka"): (
        "the brokers of KafkaNodePools are counted with these; besides, only an entity operator alone is counted"
    ),
    ("kafka.strimzi.io", "KafkaNodePool"): "it writes no resources, so those of its Kafka count",
    **dict.fromkeys([("kafka.strimzi.io", kind) for kind in _WITH_RACK], "its rack adds rules of where its pods run"),
    **dict.fromkeys([("kubevirt.io", kind) for kind in _MACHINES], _OF_GUEST),
    ("pool.kubevirt.io", "VirtualMachinePool"): _OF_GUEST,
    ("serving.kserve.io", "InferenceService"): "what its model does not write is of a runtime or of the installation",
    ("trainer.kubeflow.org", "TrainJob"): "the runtime that it names is not in the input, or the job patches it",
}
"""Why pods of some kinds are never counted, or not for an object that leaves too much open."""

_OTHER: Final = frozenset((group, kind) for group, kinds in _OTHER_MEANS.items() for kind in kinds)

# All kinds of the groups in which a misspelt kind would silently lose a workload.
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "": (
        *_READ[""],
        *("Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "List", "PodTemplate", "Secret", "Service"),
        *("ServiceAccount", "Status"),
    ),
    "apps": (*_READ["apps"], "ControllerRevision"),
    "batch": _READ["batch"],
    "scheduling.k8s.io": ("CompositePodGroup", "PodGroup", "PriorityClass", "Workload"),
    "resource.k8s.io": (
        *("DeviceClass", "DeviceTaintRule", "ResourceClaim", "ResourceClaimTemplate", "ResourcePoolStatusRequest"),
        "ResourceSlice",
    ),
}

_BUILT_IN_SUFFIX: Final = ".k8s.io"
_BUILT_IN: Final = ("", "apps", "batch", "autoscaling", "policy", "extensions")
_NO_TEMPLATE: Final = ("metadata", "status")
_DEPTH: Final = 9  # how far below the object a pod template is searched; deeper than in any kind in use


def kind_of(manifest: Mapping[str, Any]) -> Kind:
    """Return API group and kind of a manifest."""
    version = str(manifest.get("apiVersion") or "")
    group = version.rsplit("/", 1)[0] if "/" in version else ""
    return group, str(manifest.get("kind") or "")


def is_built_in(group: str) -> bool:
    """Tell whether a group is one of Kubernetes itself."""
    return group in _BUILT_IN or group.endswith(_BUILT_IN_SUFFIX)


def misspelt(kind: Kind) -> str | None:
    """Return the kind or apiVersion that was probably meant by a kind that its group lacks, "" if none is close; None for other
    kinds."""
    group, name = kind
    if group not in _KINDS or name in _KINDS[group] or name.removesuffix("List") in _KINDS[group]:
        return None
    elsewhere = next((other for other, kinds in _KINDS.items() if name in kinds), None)
    if elsewhere is not None:
        return f"apiVersion: {elsewhere}/v1" if elsewhere else "apiVersion: v1"
    return nearest(name, _KINDS[group])


def places_pods_by_other_means(manifest: Mapping[str, Any]) -> bool:
    """Tell whether an object of another kind creates pods, judged by its kind, a pod template in it, or what pods request."""
    kind = kind_of(manifest)
    if kind in _OTHER:
        return True
    group = kind[0]
    if kind in READ or is_built_in(group):  # Kubernetes' own kinds are all known
        return False
    own = {member: value for member, value in manifest.items() if member not in _NO_TEMPLATE}
    return _has_pod_template(own, _DEPTH)


def _requests(resources: Any) -> bool:
    """Tell whether resources are those of a container: an amount of processors or of memory."""
    requests = resources.get("requests") if isinstance(resources, dict) else None
    return isinstance(requests, dict) and any(isinstance(requests.get(name), str | int | float) for name in ("cpu", "memory"))


def _has_pod_template(value: Any, depth: int) -> bool:
    if depth and isinstance(value, dict):
        containers = value.get("containers")
        if isinstance(containers, list) and any(isinstance(c, dict) and ("name" in c or "image" in c) for c in containers):
            return True
        if _requests(value.get("resources")):  # as operators of databases take them
            return True
        return any(_has_pod_template(member, depth - 1) for member in value.values())
    return bool(depth) and isinstance(value, list) and any(_has_pod_template(member, depth - 1) for member in value)
