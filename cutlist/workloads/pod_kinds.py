"""Kinds of others that keep pods, as a table: where each has its pod templates, and how many pods it keeps of each.

A new kind is a row. A document of kind `PodKinds` among the files adds rows of the user's own, which go before these:

    apiVersion: cutlist/v1
    kind: PodKinds
    kinds:
    - group: example.com
      kind: Cache
      pods: [{template: spec.template, count: {spec.replicas: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents import Document
from cutlist.workloads.kinds import Kind, kind_of
from cutlist.workloads.pods import FrozenDict
from cutlist.workloads.schema import Report, Rule, closed, integer, list_of, map_of, text

POD_KINDS: Final[Kind] = ("cutlist", "PodKinds")

_NONE: Final[Mapping[str, Any]] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Added:
    """A container that the operator adds, with what it requests; only where the object is true at `when`.

    `resources` is where the object says otherwise.
    """

    name: str
    requests: Mapping[str, str]
    when: str = ""
    resources: str = ""
    is_init: bool = False


@dataclass(frozen=True, slots=True)
class PodSet:
    """Pods of one template. Paths begin at the object, or at an entry of the list or mapping at `each`, one set an entry.

    `template` has the paths of the pod template, the first that is written counts. Where there is none, `pod` is the path of a
    mapping with fields of a pod and the `resources` of its container. The pods are as many as the product of `count`, which
    gives what each path stands for when it is not written; `less` is taken off a factor first, and `at_least` and `at_most` are
    paths of bounds of the first factor. Where one of `suspended` is true there are none; where `unless` is written there is no
    set at all, and `path!word` says so for every other word. `role` ends the name of the set; of an entry it is the text at
    `name`, or its key. Paths that begin with a slash begin at the object in any case, and `a|b` is the first that is written.

    `requests` are those of a container that has none of its own, `claim` and `claims` the paths of one claim template and of a
    list of them, `storage_class` the path of the class of a claim that the operator makes, and `is_daemon` says that every node
    gets a pod.

    `fields` are fields of the pod that are not written at `pod` but at a path of their own, none at all if it is empty.
    `labels` and `sets` are what the operator gives each pod, where `{name}` stands for the object's name. Where one of
    `undecided` is written, `path!word` with another word, `path=word` with this one, the pods are not those of the row, and the
    object is only named. `default_requests` are those of an object that writes no resources at all, and of the container
    `main`, which the operator adds to a template without it. `claimed` is the name of a claim that it adds unless a claim
    template or a volume has that name.
    """

    template: tuple[str, ...] = ()
    count: Mapping[str, int] = _NONE
    each: str = ""
    name: str = "name"
    role: str = ""
    pod: str = ""
    less: Mapping[str, int] = _NONE
    at_least: str = ""
    at_most: str = ""
    suspended: tuple[str, ...] = ()
    unless: str = ""
    adds: tuple[Added, ...] = ()
    requests: Mapping[str, str] = _NONE
    claim: str = ""
    claims: str = ""
    storage_class: str = ""
    is_daemon: bool = False
    fields: Mapping[str, str] = _NONE
    labels: Mapping[str, str] = _NONE
    sets: Mapping[str, Any] = _NONE
    undecided: tuple[str, ...] = ()
    default_requests: Mapping[str, str] = _NONE
    main: str = ""
    claimed: str = ""


@dataclass(frozen=True, slots=True)
class PodKind:
    """A kind with its sets of pods, and what has to be said of their number."""

    group: str
    kind: str
    sets: tuple[PodSet, ...]
    remark: str = ""


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


def _monitoring(kind: str, count: Mapping[str, int], requests: Mapping[str, str] = _NONE) -> PodKind:
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

    Its `affinity` is a mapping of its own, whose other members make other pods. Its init container asks for what the server
    does, and its webhook makes `preferred` the default type.
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
    """Return the Elasticsearch of ECK, whose nodes prefer not to share one of the cluster."""
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


_SHARDED: Final = {"spec.replicas": 1, "spec.shards": 1}
_SDK_SERVER: Final = (Added("agones-gameserver-sidecar", {"cpu": "30m"}),)
_SIZE: Final = "spec.leaderWorkerTemplate.size"
_WORKER: Final = "spec.leaderWorkerTemplate.workerTemplate"
_MIN_SCALE: Final = "spec.template.metadata.annotations['autoscaling.knative.dev/min-scale']"
_OLD_MIN_SCALE: Final = "spec.template.metadata.annotations['autoscaling.knative.dev/minScale']"
_SUBMITTER: Final = {"cpu": "500m", "memory": "200Mi"}

_BUILT_IN: Final = (
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
        "actions.github.com",
        "AutoscalingRunnerSet",
        (PodSet(("spec.template",), {"spec.minRunners": 0}),),
        "planned at its least number of runners, and jobs may bring more",
    ),
    _postgres(),
    _rabbitmq(),
    _elasticsearch(),
    *(
        PodKind("agones.dev", kind, (PodSet(("spec.template.spec.template",), {"spec.replicas": 0}, adds=_SDK_SERVER),))
        for kind in ("Fleet", "GameServerSet")
    ),
    PodKind("agones.dev", "GameServer", (PodSet(("spec.template",), adds=_SDK_SERVER),)),
)

_kinds: Final[Rule] = list_of(
    closed(
        {
            "group": text,
            "kind": text,
            "pods": list_of(
                closed(
                    optional={
                        "template": text,
                        "pod": text,
                        "count": map_of(integer(0)),
                        "each": text,
                        "name": text,
                        "role": text,
                        "suspended": text,
                    }
                ),
                at_least=1,
            ),
        }
    ),
    at_least=1,
)
_DOCUMENT: Final[Rule] = closed({"kinds": _kinds}, {"apiVersion": text, "kind": text})


def pod_kinds(documents: Iterable[Document], problems: Problems) -> Mapping[Kind, PodKind]:
    """Return the rows of the table by group and kind, those in documents of kind PodKinds first; mistakes go to `problems`."""
    rows = {(row.group, row.kind): row for row in _BUILT_IN}
    for document in documents:
        if kind_of(document.data) != POD_KINDS:
            continue
        before = len(problems.found)
        _DOCUMENT(document.data, "", Report(document, problems))
        for row in document.data["kinds"] if len(problems.found) == before else ():
            rows[row["group"], row["kind"]] = PodKind(row["group"], row["kind"], tuple(map(_own_set, row["pods"])))
    return rows


def _own_set(row: Mapping[str, Any]) -> PodSet:
    return PodSet(
        (row["template"],) if row.get("template") else (),
        dict(row.get("count") or {}),
        each=row.get("each") or "",
        name=row.get("name") or "name",
        role=row.get("role") or "",
        pod=row.get("pod") or "",
        suspended=(row["suspended"],) if row.get("suspended") else (),
    )
