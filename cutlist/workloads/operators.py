"""Kinds of well-known operators, one row each: where a kind has its pod templates, and how many pods it runs of each. A new
kind needs a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.workloads.autoscalers import KEDA_MAXIMUM
from cutlist.workloads.pod_kinds import Added, PodKind, PodSet
from cutlist.workloads.pods import FrozenDict

_NO_REQUESTS: Final[Mapping[str, str]] = FrozenDict()


def _replicated(group: str, *kinds: str, template: str = "spec.template", claims: str = "") -> list[PodKind]:
    pods = PodSet((template,), {"spec.replicas": 1}, claims=claims)
    return [PodKind(group, kind, (pods,)) for kind in kinds]


def _training(kind: str, member: str) -> PodKind:
    suspended = ("spec.runPolicy.suspend",)
    pods = PodSet(("template",), {"replicas": 1}, each=f"spec.{member}", name="", suspended=suspended)
    return PodKind("kubeflow.org", kind, (pods,))


def _ray(at: str, *, suspended: tuple[str, ...], unless: str = "") -> tuple[PodSet, ...]:
    """Return the sets of a Ray cluster whose spec is at a path: its head, and the groups of its workers."""
    autoscaler = Added(
        "autoscaler", {"cpu": "500m", "memory": "512Mi"}, f"{at}.enableInTreeAutoscaling", f"{at}.autoscalerOptions.resources"
    )
    return (
        PodSet((f"{at}.headGroupSpec.template",), role="head", suspended=suspended, unless=unless, adds=(autoscaler,)),
        PodSet(
            ("template",),
            {"replicas": 0, "numOfHosts": 1},
            each=f"{at}.workerGroupSpecs",
            name="groupName",
            at_least="minReplicas",
            at_most="maxReplicas",
            suspended=("suspend", *(f"/{path}" for path in suspended)),
            unless=unless,
        ),
    )


_RELOADER: Final = (
    Added("config-reloader", {"cpu": "10m", "memory": "50Mi"}),
    Added("init-config-reloader", {"cpu": "10m", "memory": "50Mi"}, is_init=True),
)


def _monitoring(kind: str, count: Mapping[str, int], requests: Mapping[str, str] = _NO_REQUESTS) -> PodKind:
    """Return a kind of the Prometheus operator, which adds a container that reloads the configuration."""
    pods = PodSet(count=count, pod="spec", adds=_RELOADER, requests=requests, claim="spec.storage.volumeClaimTemplate")
    return PodKind("monitoring.coreos.com", kind, (pods,))


_POSTGRES_TERMS: Final = ("nodeAffinity", "additionalPodAffinity", "additionalPodAntiAffinity")


_POSTGRES_PARTS: Final = (
    *("spec.plugins", "spec.walStorage", "spec.tablespaces", "spec.storage.pvcTemplate"),
    "metadata.annotations['cnpg.io/hibernation']!off",
)


def _postgres() -> PodKind:
    """Return the Cluster of CloudNativePG, whose instances prefer not to share a node.

    Its `affinity` has its own form, with members that change the pods. Its init container requests the same as the server, and
    its webhook makes `preferred` the default type.
    """
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"cnpg.io/cluster": "{name}"}}}
    apart = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "podAffinityTerm": term}]}
    defaults = {"topologyKey": "kubernetes.io/hostname", "podAntiAffinityType": "preferred", "enablePodAntiAffinity": "true"}
    placing = (*(f"{name}!{word}" for name, word in defaults.items()), *_POSTGRES_TERMS)
    pods = PodSet(
        count={"spec.instances": 1},
        pod="spec",
        fields={name: f"spec.affinity.{name}" for name in ("nodeSelector", "tolerations")} | {"affinity": ""},
        labels={"cnpg.io/cluster": "{name}"},
        sets={"affinity": {"podAntiAffinity": apart}},
        undecided=(*(f"spec.affinity.{name}" for name in placing), *_POSTGRES_PARTS),
        storage_class="spec.storage.storageClass",
    )
    return PodKind("postgresql.cnpg.io", "Cluster", (pods,))


def _rabbitmq() -> PodKind:
    """Return the RabbitmqCluster, whose servers prefer to be spread over zones."""
    spread = {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "{name}"}},
    }
    pods = PodSet(
        count={"spec.replicas": 1},
        pod="spec",
        labels={
            "app.kubernetes.io/name": "{name}",
            "app.kubernetes.io/component": "rabbitmq",
            "app.kubernetes.io/part-of": "rabbitmq",
        },
        sets={"topologySpreadConstraints": [spread]},
        adds=(Added("setup-container", {"cpu": "20m", "memory": "64Mi"}, is_init=True),),
        default_requests={"cpu": "1000m", "memory": "2Gi"},
        storage_class="spec.persistence.storageClassName",
        undecided=(
            *("spec.override.statefulSet", "spec.secretBackend", "spec.persistence.storage=0", "spec.persistence.storage=0gi"),
            "metadata.annotations['rabbitmq.com/disable-default-topology-spread-constraints']",
            "metadata.labels['rabbitmq.com/pauseReconciliation']=true",
        ),
    )
    return PodKind("rabbitmq.com", "RabbitmqCluster", (pods,))


def _elasticsearch() -> PodKind:
    """Return the Elasticsearch of ECK, whose pods prefer not to share a node."""
    label = "elasticsearch.k8s.elastic.co/cluster-name"
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {label: "{name}"}}}
    apart = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "podAffinityTerm": term}]}
    pods = PodSet(
        ("podTemplate",),
        {"count": 0},
        each="spec.nodeSets",
        labels={label: "{name}"},
        sets={"affinity": {"podAntiAffinity": apart}},
        adds=(Added("elastic-internal-init-filesystem", {"cpu": "100m", "memory": "50Mi"}, is_init=True),),
        main="elasticsearch",
        default_requests={"memory": "2Gi"},
        claims="volumeClaimTemplates",
        claimed="elasticsearch-data",
        undecided=("resources", "zoneAwareness", "/spec.monitoring"),
    )
    return PodKind("elasticsearch.k8s.elastic.co", "Elasticsearch", (pods,))


def _kafka(kind: str, replicas: int, *undecided: str, remark: str = "") -> PodKind:
    """Return a kind of Strimzi, whose pods are placed only by their template."""
    placing = ("affinity", "tolerations", "topologySpreadConstraints", "priorityClassName")
    pods = PodSet(
        count={"spec.replicas": replicas},
        pod="spec",
        fields={name: f"spec.template.pod.{name}" for name in placing},
        labels={"strimzi.io/pool-name" if kind == "KafkaNodePool" else "strimzi.io/cluster": "{name}"},
        undecided=undecided,
    )
    return PodKind("kafka.strimzi.io", kind, (pods,), remark)


_SHARDED: Final = {"spec.replicas": 1, "spec.shards": 1}


_SDK_SERVER: Final = (Added("agones-gameserver-sidecar", {"cpu": "30m"}),)


_SIZE: Final = "spec.leaderWorkerTemplate.size"
_WORKER: Final = "spec.leaderWorkerTemplate.workerTemplate"
_MIN_SCALE: Final = "spec.template.metadata.annotations['autoscaling.knative.dev/min-scale']"


_OLD_MIN_SCALE: Final = "spec.template.metadata.annotations['autoscaling.knative.dev/minScale']"


_SUBMITTER: Final = {"cpu": "500m", "memory": "200Mi"}


OPERATORS: Final = (
    *_replicated("argoproj.io", "Rollout"),
    *_replicated("apps.openshift.io", "DeploymentConfig"),
    *_replicated("apps.kruise.io", "CloneSet", "StatefulSet", claims="spec.volumeClaimTemplates"),
    PodKind("apps.kruise.io", "DaemonSet", (PodSet(("spec.template",), is_daemon=True),)),
    PodKind(
        "jobset.x-k8s.io",
        "JobSet",
        (
            PodSet(
                ("template.spec.template",),
                {"template.spec.parallelism": 1, "replicas": 1},
                each="spec.replicatedJobs",
                at_most="template.spec.completions",
                suspended=("/spec.suspend",),
            ),
        ),
    ),
    PodKind(
        "leaderworkerset.x-k8s.io",
        "LeaderWorkerSet",
        (
            PodSet(("spec.leaderWorkerTemplate.leaderTemplate", _WORKER), {"spec.replicas": 1}, role="leader"),
            PodSet((_WORKER,), {"spec.replicas": 1, _SIZE: 1}, role="worker", less={_SIZE: 1}),
        ),
    ),
    PodKind("ray.io", "RayCluster", _ray("spec", suspended=("spec.suspend",))),
    PodKind("ray.io", "RayService", _ray("spec.rayClusterConfig", suspended=("spec.suspend",))),
    PodKind(
        "ray.io",
        "RayJob",
        (
            *_ray("spec.rayClusterSpec", suspended=("spec.suspend",), unless="spec.clusterSelector"),
            PodSet(
                ("spec.submitterPodTemplate",),
                role="submitter",
                pod="spec.submitter",
                requests=_SUBMITTER,
                suspended=("spec.suspend",),
                unless="spec.submissionMode!K8sJobMode",
            ),
        ),
    ),
    PodKind(
        "serving.knative.dev",
        "Service",
        (PodSet(("spec.template",), {f"{_MIN_SCALE}|{_OLD_MIN_SCALE}": 0}, adds=(Added("queue-proxy", {"cpu": "25m"}),)),),
        "planned at its minimum scale, and requests may bring more pods",
    ),
    _monitoring("Prometheus", _SHARDED),
    _monitoring("PrometheusAgent", _SHARDED),
    _monitoring("Alertmanager", {"spec.replicas": 1}, {"memory": "200Mi"}),
    _monitoring("ThanosRuler", {"spec.replicas": 1}),
    _training("PyTorchJob", "pytorchReplicaSpecs"),
    _training("TFJob", "tfReplicaSpecs"),
    _training("MPIJob", "mpiReplicaSpecs"),
    _training("XGBoostJob", "xgbReplicaSpecs"),
    _training("PaddleJob", "paddleReplicaSpecs"),
    _training("JAXJob", "jaxReplicaSpecs"),
    PodKind("kubeflow.org", "Notebook", (PodSet(("spec.template",)),)),
    PodKind("batch.volcano.sh", "Job", (PodSet(("template",), {"replicas": 0}, each="spec.tasks"),)),
    PodKind(
        "keda.sh",
        "ScaledJob",
        (
            PodSet(
                ("spec.jobTargetRef.template",),
                {"spec.jobTargetRef.parallelism": 1, "spec.minReplicaCount": 0},
                at_most="spec.jobTargetRef.completions",
                up_to={"spec.minReplicaCount": ("spec.maxReplicaCount", KEDA_MAXIMUM)},
                suspended=("spec.jobTargetRef.suspend",),
            ),
        ),
    ),
    PodKind(
        "actions.github.com",
        "AutoscalingRunnerSet",
        (PodSet(("spec.template",), {"spec.minRunners": 0}, up_to={"spec.minRunners": ("spec.maxRunners", None)}),),
        "planned at its least number of runners, and jobs may bring more",
    ),
    _postgres(),
    _rabbitmq(),
    _elasticsearch(),
    _kafka("KafkaConnect", 3, "spec.rack"),
    _kafka("KafkaMirrorMaker2", 3, "spec.rack"),
    _kafka("KafkaBridge", 1, "spec.rack"),
    _kafka("KafkaNodePool", 0, "-spec.resources", remark="planned without their volumes"),
    *(
        PodKind("agones.dev", kind, (PodSet(("spec.template.spec.template",), {"spec.replicas": 0}, adds=_SDK_SERVER),))
        for kind in ("Fleet", "GameServerSet")
    ),
    PodKind("agones.dev", "GameServer", (PodSet(("spec.template",), adds=_SDK_SERVER),)),
)
