"""Kinds of others that keep pods: how many, of which template, and what their operators add."""

from __future__ import annotations

import json

import pytest

from cutlist.core.quantity import amount_text
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pod_kind_table import pod_kinds
from cutlist.workloads.read import Workloads
from tests.unit.workloads.reading import controller, messages, notes, only, read

CONTAINERS = "containers: [{name: main, image: demo/web, resources: {requests: {cpu: 250m, memory: 1Gi}}}]"
TEMPLATE = f"{{metadata: {{labels: {{app: web}}}}, spec: {{{CONTAINERS}}}}}"


def of(version: str, kind: str, spec: str, metadata: str = "name: web") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{{metadata}}}\nspec: {spec}"


def counts(workloads: Workloads) -> dict[str, int]:
    return {group.workload: group.count for group in workloads.groups}


def sizes(group: PodGroup) -> dict[str, str]:
    return {name: amount_text(name, amount) for name, amount in group.pod.requests.items() if name != "pods"}


@pytest.mark.parametrize(
    ("version", "kind", "spec", "expected"),
    [
        ("argoproj.io/v1alpha1", "Rollout", f"{{replicas: 3, template: {TEMPLATE}}}", {"rollout/web": 3}),
        ("argoproj.io/v1alpha1", "Rollout", f"{{template: {TEMPLATE}}}", {"rollout/web": 1}),
        ("apps.openshift.io/v1", "DeploymentConfig", f"{{replicas: 2, template: {TEMPLATE}}}", {"deploymentconfig/web": 2}),
        ("apps.kruise.io/v1alpha1", "CloneSet", f"{{replicas: 5, template: {TEMPLATE}}}", {"cloneset/web": 5}),
        (
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            f"{{replicatedJobs: [{{name: a, replicas: 2, template: {{spec: {{parallelism: 4, template: {TEMPLATE}}}}}}}, "
            f"{{name: b, template: {{spec: {{parallelism: 4, completions: 3, template: {TEMPLATE}}}}}}}]}}",
            {"jobset/web-a": 8, "jobset/web-b": 3},
        ),
        (
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            f"{{suspend: true, replicatedJobs: [{{name: a, template: {{spec: {{template: {TEMPLATE}}}}}}}]}}",
            {"jobset/web-a": 0},
        ),
        (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            f"{{replicas: 2, leaderWorkerTemplate: {{size: 4, workerTemplate: {TEMPLATE}}}}}",
            {"leaderworkerset/web-leader": 2, "leaderworkerset/web-worker": 6},
        ),
        (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            f"{{leaderWorkerTemplate: {{leaderTemplate: {TEMPLATE}, workerTemplate: {TEMPLATE}}}}}",
            {"leaderworkerset/web-leader": 1, "leaderworkerset/web-worker": 0},
        ),
        (
            "ray.io/v1",
            "RayCluster",
            f"{{headGroupSpec: {{template: {TEMPLATE}}}, workerGroupSpecs: ["
            f"{{groupName: low, replicas: 1, minReplicas: 2, maxReplicas: 9, template: {TEMPLATE}}}, "
            f"{{groupName: high, replicas: 8, maxReplicas: 4, template: {TEMPLATE}}}, "
            f"{{groupName: hosts, replicas: 2, numOfHosts: 3, template: {TEMPLATE}}}, "
            f"{{groupName: off, replicas: 2, suspend: true, template: {TEMPLATE}}}, "
            f"{{groupName: none, template: {TEMPLATE}}}]}}",
            {
                "raycluster/web-head": 1,
                "raycluster/web-low": 2,
                "raycluster/web-high": 4,
                "raycluster/web-hosts": 6,
                "raycluster/web-off": 0,
                "raycluster/web-none": 0,
            },
        ),
        (
            "ray.io/v1",
            "RayService",
            f"{{rayClusterConfig: {{headGroupSpec: {{template: {TEMPLATE}}}}}}}",
            {"rayservice/web-head": 1},
        ),
        (
            "ray.io/v1",
            "RayJob",
            f"{{rayClusterSpec: {{headGroupSpec: {{template: {TEMPLATE}}}, "
            f"workerGroupSpecs: [{{groupName: a, replicas: 2, template: {TEMPLATE}}}]}}}}",
            {"rayjob/web-head": 1, "rayjob/web-a": 2, "rayjob/web-submitter": 1},
        ),
        ("ray.io/v1", "RayJob", "{clusterSelector: {ray.io/cluster: a}}", {"rayjob/web-submitter": 1}),
        (
            "ray.io/v1",
            "RayJob",
            f"{{submissionMode: HTTPMode, rayClusterSpec: {{headGroupSpec: {{template: {TEMPLATE}}}}}}}",
            {"rayjob/web-head": 1},
        ),
        (
            "serving.knative.dev/v1",
            "Service",
            f"{{template: {{metadata: {{annotations: {{autoscaling.knative.dev/min-scale: '2'}}}}, spec: {{{CONTAINERS}}}}}}}",
            {"service/web": 2},
        ),
        (
            "serving.knative.dev/v1",
            "Service",
            f"{{template: {{metadata: {{annotations: {{autoscaling.knative.dev/minScale: '1'}}}}, spec: {{{CONTAINERS}}}}}}}",
            {"service/web": 1},
        ),
        ("serving.knative.dev/v1", "Service", f"{{template: {{spec: {{{CONTAINERS}}}}}}}", {"service/web": 0}),
        ("monitoring.coreos.com/v1", "Prometheus", "{replicas: 2, shards: 3}", {"prometheus/web": 6}),
        ("monitoring.coreos.com/v1", "Alertmanager", "{}", {"alertmanager/web": 1}),
        (
            "kubeflow.org/v1",
            "PyTorchJob",
            f"{{pytorchReplicaSpecs: {{Master: {{template: {TEMPLATE}}}, Worker: {{replicas: 3, template: {TEMPLATE}}}}}}}",
            {"pytorchjob/web-master": 1, "pytorchjob/web-worker": 3},
        ),
        (
            "kubeflow.org/v2beta1",
            "MPIJob",
            f"{{mpiReplicaSpecs: {{Launcher: {{template: {TEMPLATE}}}, Worker: {{replicas: 2, template: {TEMPLATE}}}}}}}",
            {"mpijob/web-launcher": 1, "mpijob/web-worker": 2},
        ),
        (
            "kubeflow.org/v1",
            "TFJob",
            f"{{runPolicy: {{suspend: false}}, tfReplicaSpecs: {{PS: {{replicas: 2, template: {TEMPLATE}}}}}}}",
            {"tfjob/web-ps": 2},
        ),
        (
            "batch.volcano.sh/v1alpha1",
            "Job",
            f"{{tasks: [{{name: ps, replicas: 2, template: {TEMPLATE}}}, {{replicas: 3, template: {TEMPLATE}}}, "
            f"{{name: none, template: {TEMPLATE}}}]}}",
            {"job/web-ps": 2, "job/web-1": 3, "job/web-none": 0},
        ),
        (
            "actions.github.com/v1alpha1",
            "AutoscalingRunnerSet",
            f"{{minRunners: 2, template: {TEMPLATE}}}",
            {"autoscalingrunnerset/web": 2},
        ),
        ("agones.dev/v1", "Fleet", f"{{replicas: 4, template: {{spec: {{template: {TEMPLATE}}}}}}}", {"fleet/web": 4}),
    ],
)
def test_pods_are_as_many_as_the_spec_says(version: str, kind: str, spec: str, expected: dict[str, int]):
    """And each set has a group of its own."""
    workloads = read(of(version, kind, spec))
    assert counts(workloads) == expected
    assert workloads.not_understood == ()
    assert any("counted by what their spec says" in text for text in notes(workloads)["other-kind-counted"])


def test_a_rollout_takes_the_template_that_it_refers_to():
    """And the Deployment that it scales down has no pods."""
    reference = "{apiVersion: apps/v1, kind: Deployment, name: web, scaleDown: onsuccess}"
    rollout = of("argoproj.io/v1alpha1", "Rollout", f"{{replicas: 2, workloadRef: {reference}}}", "name: blue")
    workloads = read(rollout, controller(spec="replicas: 5"))
    assert counts(workloads) == {"rollout/blue": 2}
    assert notes(workloads)["scaled-down"] == ["scaled down by the Rollout that refers to them: deployment/web"]
    kept = read(rollout.replace("onsuccess", "never"), controller(spec="replicas: 5"))
    assert counts(kept) == {"rollout/blue": 2, "deployment/web": 5}


def test_a_rollout_whose_template_is_not_there_is_named():
    """It is not in the plan."""
    rollout = of("argoproj.io/v1alpha1", "Rollout", "{workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}}")
    assert [n.kind for n in read(rollout).not_understood] == ["Rollout"]


def test_an_autoscaler_scales_a_rollout():
    """As it does a Deployment."""
    scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"
    scaler += "spec: {minReplicas: 4, maxReplicas: 9, scaleTargetRef: {kind: Rollout, name: web}}"
    group = only(read(of("argoproj.io/v1alpha1", "Rollout", f"{{replicas: 2, template: {TEMPLATE}}}"), scaler))
    assert (group.count, group.range) == (4, (4, 9))


def owned(kind: str, name: str, owner: str) -> str:
    return f"""
        apiVersion: v1
        kind: {kind}
        metadata: {{name: {name}, ownerReferences: [{{kind: {owner}, name: web, controller: true}}]}}
        spec: {{nodeName: node, {CONTAINERS}}}"""


def test_pods_that_run_already_are_not_counted_twice():
    """Those of one set are taken off its number; an object with several sets leaves it to the pods that are there."""
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: node}"
    rollout = of("argoproj.io/v1alpha1", "Rollout", f"{{replicas: 3, template: {TEMPLATE}}}")
    behind = owned("Pod", "web-5d9-1", "ReplicaSet").replace("name: web,", "name: web-5d9,")
    (group,) = read(node, rollout, behind).groups
    assert (group.workload, group.count, group.bound) == ("rollout/web", 2, 1)
    ray = of("ray.io/v1", "RayCluster", f"{{headGroupSpec: {{template: {TEMPLATE}}}, workerGroupSpecs: []}}")
    two = ray.replace("workerGroupSpecs: []", f"workerGroupSpecs: [{{groupName: a, replicas: 2, template: {TEMPLATE}}}]")
    workloads = read(node, two, owned("Pod", "web-head", "RayCluster"))
    assert (workloads.groups, len(workloads.bound)) == ((), 1)
    assert "counted-by-owned" in notes(workloads)


@pytest.mark.parametrize(
    ("spec", "driver", "executor", "count"),
    [
        # Spark: 10%, at least 384 MiB; 40% beside Python and R
        ("{driver: {memory: 512m}, executor: {memory: 8g}}", ("1", "896Mi"), ("1", "9011Mi"), 1),
        ("{type: Python, driver: {memory: 2g}, executor: {memory: 8g}}", ("1", "2867Mi"), ("1", "11468Mi"), 1),
        ("{memoryOverheadFactor: '0.5', driver: {memory: 2g}, executor: {memory: 2g}}", ("1", "3Gi"), ("1", "3Gi"), 1),
        (
            "{driver: {memoryOverhead: 1g}, executor: {cores: 4, coreRequest: 500m, memoryOverhead: 512m, instances: 7}}",
            ("1", "2Gi"),
            ("500m", "1536Mi"),
            7,
        ),
        (
            "{sparkConf: {spark.driver.cores: '2', spark.executor.memory: 4g, spark.executor.instances: '3'}, driver: {}}",
            ("2", "1408Mi"),
            ("1", "4505Mi"),
            3,
        ),
        (
            "{driver: {}, executor: {instances: 2}, dynamicAllocation: {enabled: true, initialExecutors: 4, minExecutors: 3}}",
            ("1", "1408Mi"),
            ("1", "1408Mi"),
            4,
        ),
        ("{driver: {}, dynamicAllocation: {enabled: true}}", ("1", "1408Mi"), ("1", "1408Mi"), 0),
        (
            "{type: Python, sparkConf: {spark.executor.pyspark.memory: 1g, spark.memory.offHeap.enabled: 'true', "
            "spark.memory.offHeap.size: 2g}, driver: {}}",
            ("1", "1433Mi"),
            ("1", "4505Mi"),
            1,
        ),
    ],
)
def test_spark_pods_ask_for_cores_and_memory_with_its_overhead(spec: str, driver, executor, count: int):
    """By Spark's own rules."""
    first, second = read(of("sparkoperator.k8s.io/v1beta2", "SparkApplication", spec)).groups
    assert (first.workload, first.count, sizes(first)) == (
        "sparkapplication/web-driver",
        1,
        dict(zip(("cpu", "memory"), driver, strict=True)),
    )
    assert (second.count, sizes(second)) == (count, dict(zip(("cpu", "memory"), executor, strict=True)))


def test_spark_pods_have_what_the_spec_says_of_their_place():
    """Node selectors of both levels, tolerations, GPUs and sidecars; a scheduled application has the same in its template."""
    role = "{nodeSelector: {b: c}, tolerations: [{operator: Exists}], gpu: {name: nvidia.com/gpu, quantity: 2}, "
    role += "sidecars: [{name: s, image: s, resources: {requests: {cpu: 1}}}]}"
    spec = f"{{nodeSelector: {{a: b}}, driver: {{}}, executor: {role}}}"
    for kind, written in (
        ("SparkApplication", spec),
        ("ScheduledSparkApplication", f"{{schedule: '@daily', template: {spec}}}"),
    ):
        _, group = read(of("sparkoperator.k8s.io/v1beta2", kind, written)).groups
        assert (group.pod.node_selector, len(group.pod.tolerations)) == ({"a": "b", "b": "c"}, 1)
        assert (sizes(group)["cpu"], sizes(group)["nvidia.com/gpu"]) == ("2", "2")


@pytest.mark.parametrize(
    ("version", "kind", "spec", "expected"),
    [
        ("monitoring.coreos.com/v1", "Alertmanager", "{}", {"cpu": "10m", "memory": "250Mi"}),
        (
            "monitoring.coreos.com/v1",
            "Alertmanager",
            "{resources: {requests: {memory: 1Gi}}}",
            {"cpu": "10m", "memory": "1074Mi"},
        ),
        (
            "monitoring.coreos.com/v1",
            "Prometheus",
            "{resources: {requests: {cpu: 1}}, containers: [{name: config-reloader, resources: {requests: {cpu: 1}}}]}",
            {"cpu": "2", "memory": "50Mi"},
        ),
        (
            "serving.knative.dev/v1",
            "Service",
            f"{{template: {{spec: {{{CONTAINERS.replace('name: main, ', '')}}}}}}}",
            {"cpu": "275m", "memory": "1Gi"},
        ),
        ("agones.dev/v1", "GameServer", f"{{template: {TEMPLATE}}}", {"cpu": "280m", "memory": "1Gi"}),
    ],
)
def test_what_operators_add_asks_for_room_too(version: str, kind: str, spec: str, expected: dict[str, str]):
    """Sidecars and default requests, as their docs have them."""
    assert sizes(only(read(of(version, kind, spec)))) == expected


def test_the_head_of_a_ray_cluster_that_scales_itself_has_the_autoscaler():
    """With its own requests, or those that the spec gives it."""
    head = f"enableInTreeAutoscaling: true, headGroupSpec: {{template: {TEMPLATE}}}"
    assert sizes(only(read(of("ray.io/v1", "RayCluster", f"{{{head}}}"))))["cpu"] == "750m"
    own = "autoscalerOptions: {resources: {requests: {cpu: 100m}}}"
    assert sizes(only(read(of("ray.io/v1", "RayCluster", f"{{{head}, {own}}}"))))["cpu"] == "350m"


def test_a_daemon_of_another_kind_takes_room_on_every_node():
    """As a DaemonSet does."""
    workloads = read(of("apps.kruise.io/v1alpha1", "DaemonSet", f"{{template: {TEMPLATE}}}"))
    assert (workloads.groups, [d.workload for d in workloads.daemons]) == ((), ["daemonset/web"])


def test_claim_templates_are_volumes_of_each_replica():
    """Those of a list, and the one of Prometheus."""
    claims = "volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]"
    for version, kind, spec in (
        ("apps.kruise.io/v1beta1", "StatefulSet", f"{{replicas: 2, template: {TEMPLATE}, {claims}}}"),
        ("monitoring.coreos.com/v1", "Prometheus", "{replicas: 2, storage: {volumeClaimTemplate: {spec: {}}}}"),
    ):
        assert [v.per_replica for v in only(read(of(version, kind, spec))).pod.volumes] == [True]


OWN = "apiVersion: cutlist/v1\nkind: PodKinds\nkinds: [{group: example.com, kind: Cache, pods: [%s]}]"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("{template: spec.pod, count: {spec.size: 2}}", {"cache/web": 4}),
        ("{template: spec.pod, count: {spec.none: 3, spec.size: 1}}", {"cache/web": 12}),
        ("{template: spec.pod}", {"cache/web": 1}),
        ("{template: spec.pod, count: {spec.size: 1}, suspended: spec.off}", {"cache/web": 0}),
        ("{each: spec.shards, name: id, template: pod, count: {copies: 1}}", {"cache/web-a": 2, "cache/web-b": 1}),
        ("{pod: spec, role: all, count: {spec.size: 1}}", {"cache/web-all": 4}),
    ],
)
def test_a_user_adds_kinds(row: str, expected: dict[str, int]):
    """A row each, in a document among the files."""
    shards = f"[{{id: a, copies: 2, pod: {TEMPLATE}}}, {{id: b, pod: {TEMPLATE}}}]"
    cache = of("example.com/v1", "Cache", f"{{size: 4, off: true, pod: {TEMPLATE}, shards: {shards}}}")
    assert counts(read(OWN % row, cache)) == expected


def test_a_row_of_the_users_own_goes_before_the_built_in_one():
    """What a kind is in their cluster, they know better."""
    row = (OWN % "{template: spec.template}").replace("example.com", "argoproj.io").replace("Cache", "Rollout")
    rollout = of("argoproj.io/v1alpha1", "Rollout", f"{{replicas: 3, template: {TEMPLATE}}}")
    assert counts(read(row, rollout)) == {"rollout/web": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OWN % "{tempalte: a}", "kinds[0].pods[0].tempalte: is not a field here"),
        (OWN % "", "kinds[0].pods: is empty"),
        (OWN % "{count: {a: b}}", "kinds[0].pods[0].count.a: expected a whole number"),
        ("apiVersion: cutlist/v1\nkind: PodKinds", "kinds: is missing"),
        (
            of(
                "argoproj.io/v1alpha1",
                "Rollout",
                "{template: {spec: {containers: [{name: a, resources: {requests: {cpu: x}}}]}}}",
            ),
            "spec.template.spec.containers[0].resources.requests.cpu",
        ),
        (
            of("argoproj.io/v1alpha1", "Rollout", f"{{replicas: many, template: {TEMPLATE}}}"),
            "spec.replicas: expected a whole number, found 'many'",
        ),
        (of("monitoring.coreos.com/v1", "Prometheus", "{resources: {requests: {cpu: x}}}"), "app.yaml:4 spec: "),
        (
            of("sparkoperator.k8s.io/v1beta2", "SparkApplication", "{driver: {memory: lots}}"),
            "spec.driver.memory: 'lots' is not a size",
        ),
        (of("sparkoperator.k8s.io/v1beta2", "SparkApplication", "{driver: {coreRequest: x}}"), "spec.driver.cores"),
        (of("argoproj.io/v1alpha1", "Rollout", f"{{template: {TEMPLATE}}}", "labels: {}"), "metadata.name: is missing"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, said: str):
    """In rows and in objects of these kinds."""
    assert any(said in message for message in messages(text)), messages(text)


def test_one_name_twice_is_a_mistake_and_in_two_groups_none():
    """A Job of Volcano and one of Kubernetes are two things."""
    rollout = of("argoproj.io/v1alpha1", "Rollout", f"{{template: {TEMPLATE}}}")
    assert "Rollout web is in the input twice" in messages(rollout, rollout)[0]
    volcano = of("batch.volcano.sh/v1alpha1", "Job", f"{{tasks: [{{name: a, replicas: 1, template: {TEMPLATE}}}]}}")
    assert counts(read(volcano, controller("Job"))) == {"job/web": 1, "job/web-a": 1}


_POSTGRES = (
    "instances: 3, resources: {requests: {cpu: '1', memory: 2Gi}}, storage: {size: 10Gi, storageClass: gp3}, "
    "affinity: {nodeSelector: {disk: fast}, tolerations: [{key: db, operator: Exists}]%s}"
)


def _postgres(member: str = "enablePodAntiAffinity: true") -> str:
    return of("postgresql.cnpg.io/v1", "Cluster", "{" + _POSTGRES % f", {member}" + "}", "name: db")


def test_the_instances_of_a_postgres_cluster_ask_for_its_resources_and_prefer_nodes_of_their_own():
    """With the place that its own affinity names, and a claim each."""
    group = only(read(_postgres()))
    assert (group.workload, group.count) == ("cluster/db", 3)
    assert sizes(group) == {"cpu": "1", "memory": "2Gi"}
    pod = group.pod
    assert pod.node_selector == {"disk": "fast"}
    assert pod.labels["cnpg.io/cluster"] == "db"
    (apart,) = pod.preferred_anti_affinity
    assert (apart.topology_key, apart.weight, apart.selector.match_labels) == (
        "kubernetes.io/hostname",
        100,
        (("cnpg.io/cluster", "db"),),
    )
    assert pod.anti_affinity == ()
    assert [t.key for t in pod.tolerations] == ["db"]
    assert [v.storage_class for v in pod.volumes] == ["gp3"]


@pytest.mark.parametrize(
    "member", ["enablePodAntiAffinity: false", "podAntiAffinityType: required", "topologyKey: zone", "nodeAffinity: {}"]
)
def test_a_postgres_cluster_whose_pods_are_placed_otherwise_is_named(member: str):
    workloads = read(_postgres(member))
    assert workloads.groups == ()
    assert [thing.name for thing in workloads.not_understood] == ["db"]


def test_the_servers_of_a_rabbitmq_cluster_are_spread_over_zones_where_that_is_possible():
    """With the requests of the CRD, unless it has some, and a claim each."""
    group = only(
        read(of("rabbitmq.com/v1beta1", "RabbitmqCluster", "{replicas: 3, tolerations: [{operator: Exists}]}", "name: mq"))
    )
    assert (group.workload, group.count, sizes(group)) == ("rabbitmqcluster/mq", 3, {"cpu": "1", "memory": "2Gi"})
    (spread,) = group.pod.spread
    assert (spread.topology_key, spread.max_skew, spread.when_unsatisfiable) == (
        "topology.kubernetes.io/zone",
        1,
        "ScheduleAnyway",
    )
    assert spread.selector.match_labels == (("app.kubernetes.io/name", "mq"),)
    assert group.pod.labels["app.kubernetes.io/name"] == "mq"
    assert len(group.pod.tolerations) == len(group.pod.volumes) == 1


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ("{requests: {cpu: 10m, memory: 4Gi}}", {"cpu": "20m", "memory": "4Gi"}),
        ("{}", {"cpu": "20m", "memory": "64Mi"}),
    ],
)
def test_resources_of_a_rabbitmq_cluster_count_as_a_whole_and_its_init_container_too(resources: str, expected: dict[str, str]):
    group = only(read(of("rabbitmq.com/v1beta1", "RabbitmqCluster", f"{{resources: {resources}}}", "name: mq")))
    assert (group.count, sizes(group)) == (1, expected)


@pytest.mark.parametrize("spec", ["{override: {statefulSet: {}}}", "{persistence: {storage: 0Gi}}", "{secretBackend: {}}"])
def test_a_rabbitmq_cluster_with_other_pods_is_named(spec: str):
    workloads = read(of("rabbitmq.com/v1beta1", "RabbitmqCluster", spec, "name: mq"))
    assert workloads.groups == ()
    assert [thing.name for thing in workloads.not_understood] == ["mq"]


def _elastic(node_sets: str, more: str = "") -> str:
    spec = f"{{version: 8.15.0, nodeSets: [{node_sets}]{more}}}"
    return of("elasticsearch.k8s.elastic.co/v1", "Elasticsearch", spec, "name: logs")


def test_each_node_set_of_elasticsearch_has_the_container_of_the_operator_and_its_memory():
    """With the cpu of its init container, a claim each, and nodes of their own where that is possible."""
    data, masters = read(
        _elastic(
            "{name: masters, count: 3}, {name: data, count: 2, podTemplate: {spec: {nodeSelector: {a: b}, "
            "containers: [{name: elasticsearch, resources: {requests: {cpu: '2', memory: 8Gi}}}]}}}"
        )
    ).groups
    assert {group.workload: group.count for group in (masters, data)} == {
        "elasticsearch/logs-masters": 3,
        "elasticsearch/logs-data": 2,
    }
    assert sizes(masters) == {"cpu": "100m", "memory": "2Gi"}
    assert sizes(data) == {"cpu": "2", "memory": "8Gi"}
    assert data.pod.node_selector == {"a": "b"}
    for pod in (masters.pod, data.pod):
        assert pod.labels["elasticsearch.k8s.elastic.co/cluster-name"] == "logs"
        assert [term.topology_key for term in pod.preferred_anti_affinity] == ["kubernetes.io/hostname"]
        assert [volume.claim for volume in pod.volumes] == ["elasticsearch-data"]


@pytest.mark.parametrize(
    ("node_set", "claims", "terms"),
    [
        ("podTemplate: {spec: {affinity: {}}}", ["elasticsearch-data"], 0),
        ("podTemplate: {spec: {volumes: [{name: elasticsearch-data, emptyDir: {}}]}}", [], 1),
        (
            "volumeClaimTemplates: [{metadata: {name: elasticsearch-data}, spec: {storageClassName: gp3}}]",
            ["elasticsearch-data"],
            1,
        ),
    ],
)
def test_what_a_node_set_says_itself_goes_before_what_the_operator_adds(node_set: str, claims: list[str], terms: int):
    group = only(read(_elastic(f"{{name: a, count: 1, {node_set}}}")))
    assert [volume.claim for volume in group.pod.volumes] == claims
    assert len(group.pod.preferred_anti_affinity) == terms


@pytest.mark.parametrize(
    ("node_set", "more"),
    [("zoneAwareness: {}", ""), ("resources: {}", ""), ("count: 2", ", monitoring: {metrics: {}}")],
)
def test_an_elasticsearch_of_which_one_node_set_has_other_pods_is_named(node_set: str, more: str):
    workloads = read(_elastic(f"{{name: a, count: 1}}, {{name: b, {node_set}}}", more))
    assert workloads.groups == ()
    assert [thing.name for thing in workloads.not_understood] == ["logs"]


@pytest.mark.parametrize("kind", sorted({kind for _, kind in pod_kinds((), None)}))
def test_any_spec_is_read_or_refused(kind: str):
    """Texts, lists and nothing where mappings should be: never a traceback."""
    (group,) = {group for group, name in pod_kinds((), None) if name == kind}
    for spec in ("", "[]", "null", "text", "{template: [], replicas: {}}", "{template: {spec: {containers: [1]}}}"):
        messages(f"apiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: web}}\nspec: {spec}")


def test_workloads_without_replicas_are_named():
    """They are in the input, and not in the plan."""
    workloads = read(controller(spec="replicas: 0"), controller("StatefulSet", "db", "replicas: 0"), controller(name="on"))
    assert notes(workloads)["no-replicas"] == ["0 replicas, so there is no pod to plan for: deployment/web and statefulset/db"]


HELM = """
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: redis, namespace: cache}
    spec: {chart: {spec: {chart: redis, version: 18.x, sourceRef: {kind: HelmRepository, name: charts}}}, values: {a: 1}}"""


def repository(url: str) -> str:
    return of("source.toolkit.fluxcd.io/v1", "HelmRepository", json.dumps({"url": url}), "name: charts")


@pytest.mark.parametrize(
    ("texts", "command"),
    [
        (
            (HELM, repository("https://example.com/charts")),
            "cutlist plan -f FILES --helm --fetch",
        ),
        (
            (HELM, repository("oci://example.com/charts")),
            "cutlist plan -f FILES --helm --fetch",
        ),
        (
            (HELM,),
            "helm template redis redis --repo <address of HelmRepository charts> --version 18.x --namespace cache "
            "-f <its values>",
        ),
        (
            (
                of(
                    "argoproj.io/v1alpha1",
                    "Application",
                    "{source: {repoURL: 'https://example.com', chart: a, targetRevision: 1.0.0}}",
                ),
            ),
            "cutlist plan -f FILES --helm --fetch",
        ),
        (
            (of("argoproj.io/v1alpha1", "Application", "{sources: [{repoURL: 'https://example.com', path: a}]}"),),
            "argocd app manifests web --source git",
        ),
        ((of("argoproj.io/v1alpha1", "ApplicationSet", "{}"),), "argocd appset generate app.yaml"),
        (
            (of("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "{path: ./apps}"),),
            "flux build kustomization web --path ./apps --kustomization-file app.yaml --dry-run",
        ),
        (
            (of("helm.toolkit.fluxcd.io/v2", "HelmRelease", "[]"),),
            "helm template web <its chart> --repo <address of its source>",
        ),
    ],
)
def test_what_other_tools_render_is_named_with_the_command(texts: tuple[str, ...], command: str):
    """Its pods are not in the plan, and this is how they get there."""
    (thing,) = read(*texts).not_understood
    assert thing.command == command


STRIMZI = "kafka.strimzi.io/v1beta2"
RESOURCES = "resources: {requests: {cpu: 250m, memory: 1Gi}}"
MODEL = f"model: {{modelFormat: {{name: onnx}}, {RESOURCES}}}"
PREDICTOR = f"predictor: {{minReplicas: 2, {MODEL}, nodeSelector: {{a: b}}}}"
SERVING = "serving.kserve.io/v1beta1"
CUSTOM = f"predictor: {{containers: [{{{RESOURCES}}}]}}"
FLINK = "flink.apache.org/v1beta1"
ROLES = "jobManager: {resource: {cpu: 1, memory: 2048m}}, taskManager: {resource: {cpu: 2, memory: 4g}}"
MANAGER = {"cpu": "1", "memory": "2Gi"}
SELECTED = "flinkConfiguration: {kubernetes.taskmanager.node-selector: 'a:b'}"


@pytest.mark.parametrize(
    ("version", "kind", "spec", "expected"),
    [
        (STRIMZI, "KafkaConnect", f"{{{RESOURCES}}}", {"kafkaconnect/web": 3}),
        (STRIMZI, "KafkaMirrorMaker2", f"{{{RESOURCES}}}", {"kafkamirrormaker2/web": 3}),
        (STRIMZI, "KafkaBridge", f"{{replicas: 2, {RESOURCES}}}", {"kafkabridge/web": 2}),
        (STRIMZI, "KafkaNodePool", f"{{replicas: 5, {RESOURCES}}}", {"kafkanodepool/web": 5}),
        (SERVING, "InferenceService", f"{{{PREDICTOR}}}", {"inferenceservice/web-predictor": 2}),
        (
            SERVING,
            "InferenceService",
            f"{{predictor: {{containers: [{{{RESOURCES}}}]}}}}",
            {"inferenceservice/web-predictor": 1},
        ),
        (STRIMZI, "Kafka", f"{{entityOperator: {{userOperator: {{{RESOURCES}}}}}}}", {"kafka/web-entity-operator": 1}),
    ],
)
def test_pods_without_a_template_have_the_resources_that_are_written(version, kind, spec, expected):
    """The number of them is the operator's default where none is written."""
    workloads = read(of(version, kind, spec))
    assert counts(workloads) == expected
    assert sizes(only(workloads)) == {"cpu": "250m", "memory": "1Gi"}
    assert workloads.not_understood == ()


def test_pods_of_kafka_and_of_predictors_run_where_their_spec_says():
    pool = f"{{replicas: 1, {RESOURCES}, template: {{pod: {{tolerations: [{{key: a, operator: Exists}}]}}}}}}"
    assert [t.key for t in only(read(of(STRIMZI, "KafkaNodePool", pool))).pod.tolerations] == ["a"]
    assert only(read(of(SERVING, "InferenceService", f"{{{PREDICTOR}}}"))).pod.node_selector == {"a": "b"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("job: {parallelism: 5}, flinkConfiguration: {taskmanager.numberOfTaskSlots: '2'}", (1, 3)),
        ("job: {parallelism: 2}", (1, 2)),
        ("job: {parallelism: 2, state: suspended}", (0, 0)),
        ("mode: standalone", ()),
    ],
)
def test_flink_has_as_many_task_managers_as_its_parallelism_needs(more: str, expected: tuple[int, ...]):
    """Each has so many slots, 1 by default. A session cluster is named only; suspended, a job has no pods."""
    workloads = read(of(FLINK, "FlinkDeployment", f"{{{ROLES}, {more}}}"))
    assert tuple(counts(workloads).values()) == expected
    assert [sizes(group) for group in workloads.groups] == [MANAGER, {"cpu": "2", "memory": "4Gi"}][: len(expected)]


def test_flink_keeps_what_a_pod_template_adds():
    """Its own container has the resources of its role; those of other containers come on top."""
    sidecar = "podTemplate: {spec: {nodeSelector: {a: b}, containers: [{name: flink-main-container}, {name: log, RESOURCES}]}}"
    spec = f"{{{ROLES}, job: {{parallelism: 1}}, {sidecar.replace('RESOURCES', RESOURCES)}}}"
    manager, tasks = read(of(FLINK, "FlinkDeployment", spec)).groups
    assert sizes(manager) == {"cpu": "1250m", "memory": "3Gi"}
    assert tasks.pod.node_selector == {"a": "b"}


def test_wrong_numbers_and_sizes_of_flink_are_refused():
    wrong = ROLES.replace("2048m", "plenty")
    (size,) = messages(of(FLINK, "FlinkDeployment", f"{{{wrong}, job: {{parallelism: 1}}}}"))
    assert "is not a size of Flink's" in size
    (number,) = messages(of(FLINK, "FlinkDeployment", f"{{{ROLES}, job: {{parallelism: many}}}}"))
    assert "expected a whole number, found 'many'" in number


def test_a_transformer_has_pods_of_its_own():
    transformer = f"transformer: {{minReplicas: 3, containers: [{{name: kserve-container, {RESOURCES}}}]}}"
    workloads = read(of(SERVING, "InferenceService", f"{{{PREDICTOR}, {transformer}}}"))
    assert counts(workloads) == {"inferenceservice/web-predictor": 2, "inferenceservice/web-transformer": 3}


@pytest.mark.parametrize(
    ("version", "kind", "spec", "why"),
    [
        (
            "argoproj.io/v1alpha1",
            "Rollout",
            "{workloadRef: {kind: Deployment, name: web}}",
            "it takes is not in the input",
        ),
        (STRIMZI, "Kafka", "{kafka: {}}", "the brokers of KafkaNodePools are counted with these"),
        (STRIMZI, "Kafka", "{entityOperator: {topicOperator: {}}, cruiseControl: {}}", "only an entity operator alone"),
        (FLINK, "FlinkDeployment", f"{{{ROLES}}}", "as the parallelism of its jobs needs"),
        (FLINK, "FlinkDeployment", "{job: {parallelism: 2}}", "its roles write no resources"),
        (FLINK, "FlinkDeployment", f"{{{ROLES}, job: {{parallelism: 2}}, {SELECTED}}}", "as the parallelism"),
        (SERVING, "InferenceService", "{predictor: {containers: [{name: a}]}}", "of a runtime"),
        (STRIMZI, "Kafka", "{}", "the brokers of KafkaNodePools are counted with these"),
        (STRIMZI, "KafkaNodePool", "{replicas: 3}", "it writes no resources"),
        (STRIMZI, "KafkaConnect", f"{{{RESOURCES}, rack: {{topologyKey: zone}}}}", "its rack adds rules"),
        (SERVING, "InferenceService", "{predictor: {model: {modelFormat: {name: onnx}}}}", "of a runtime"),
        (SERVING, "InferenceService", f"{{{PREDICTOR}, transformer: {{}}}}", "of a runtime"),
        ("argoproj.io/v1alpha1", "CronWorkflow", "{}", "which of its steps run together"),
        ("tekton.dev/v1", "PipelineRun", "{}", "which of its steps run together"),
        ("flink.apache.org/v1beta1", "FlinkDeployment", "{}", "as the parallelism of its jobs needs"),
        ("kubevirt.io/v1", "VirtualMachine", "{}", "depends on its version"),
        ("pool.kubevirt.io/v1beta1", "VirtualMachinePool", "{}", "depends on its version"),
        ("trainer.kubeflow.org/v1alpha1", "TrainJob", "{}", "the runtime that it names is not in the input"),
    ],
)
def test_a_kind_that_is_not_counted_says_why(version, kind, spec, why):
    """It is named, whatever it writes."""
    workloads = read(of(version, kind, spec))
    (thing,) = workloads.not_understood
    assert (thing.kind, thing.name, workloads.groups) == (kind, "web", ())
    assert why in thing.why


def test_a_job_that_is_finished_is_listed():
    """No pod of it is planned, and nothing is passed over silently."""
    job = f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: load}}\nspec: {{template: {TEMPLATE}}}\n"
    finished = read(job + "status: {conditions: [{type: Complete, status: 'True'}]}")
    assert notes(finished)["no-pods-to-run"] == ["finished, or without a pod to run: job/load"]
    assert "no-pods-to-run" not in notes(read(job))


# --- TrainJobs and their runtimes


def runtime(spec: str, kind: str = "ClusterTrainingRuntime", name: str = "torch") -> str:
    return of("trainer.kubeflow.org/v1alpha1", kind, spec, f"name: {name}")


def train_job(spec: str = "", reference: str = "name: torch") -> str:
    return of("trainer.kubeflow.org/v1alpha1", "TrainJob", f"{{runtimeRef: {{{reference}}}, {spec}}}")


def job_of(name: str = "node", step: str = "trainer", more: str = "") -> str:
    labels = f"{{metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: {step}}}}}, " if step else "{"
    pods = "{spec: {containers: [{name: node, resources: {requests: {cpu: 250m, memory: 1Gi}}}]}}"
    return f"{{name: {name}, replicas: 2, template: {labels}spec: {{template: {pods}{more}}}}}}}"


def jobs_of(*jobs: str, policy: str = "mlPolicy: {numNodes: 3, torch: {}}, ") -> str:
    return f"{{{policy}template: {{spec: {{replicatedJobs: [{', '.join(jobs)}]}}}}}}"


@pytest.mark.parametrize(
    ("runtime_spec", "job", "expected"),
    [
        (jobs_of(job_of()), "", {"trainjob/web-node": 3}),
        (jobs_of(job_of()), "trainer: {numNodes: 5}", {"trainjob/web-node": 5}),
        (jobs_of(job_of()), "trainer: {numNodes: 5}, suspend: true", {"trainjob/web-node": 0}),
        (jobs_of(job_of(), policy="mlPolicy: {torch: {}}, "), "", {"trainjob/web-node": 1}),
        (jobs_of(job_of(more=", parallelism: 4"), policy=""), "", {"trainjob/web-node": 4}),
        (jobs_of(job_of(more=", parallelism: 4"), policy=""), "trainer: {numNodes: 5}", {"trainjob/web-node": 5}),
        (
            jobs_of(job_of("dataset-initializer", "dataset-initializer"), job_of("log", ""), job_of()),
            "trainer: {numNodes: 4}",
            {"trainjob/web-dataset-initializer": 1, "trainjob/web-log": 2, "trainjob/web-node": 4},
        ),
        (
            jobs_of(job_of(step=""), job_of("launcher"), policy="mlPolicy: {mpi: {runLauncherAsNode: true}}, "),
            "trainer: {numNodes: 4}",
            {"trainjob/web-node": 6, "trainjob/web-launcher": 1},
        ),
        (
            jobs_of(job_of(step=""), job_of("launcher"), policy="mlPolicy: {mpi: {}}, "),
            "trainer: {numNodes: 4}",
            {"trainjob/web-node": 8, "trainjob/web-launcher": 1},
        ),
    ],
)
def test_a_train_job_has_the_pods_of_its_runtime(runtime_spec: str, job: str, expected: dict[str, int]) -> None:
    """Its own number of nodes counts before that of the runtime; a job without a step has its replicas besides."""
    workloads = read(runtime(runtime_spec), train_job(job))
    assert counts(workloads) == expected
    assert workloads.not_understood == ()
    assert workloads.passed_over == {}


def test_a_train_job_replaces_single_amounts_of_its_runtime() -> None:
    """What it does not name stays."""
    more = "trainer: {resourcesPerNode: {requests: {cpu: 2}, limits: {nvidia.com/gpu: 1}}}"
    assert sizes(only(read(runtime(jobs_of(job_of())), train_job(more)))) == {
        "cpu": "2",
        "memory": "1Gi",
        "nvidia.com/gpu": "1",
    }


@pytest.mark.parametrize(
    "job",
    [
        train_job("", "name: other"),
        train_job("", "name: torch, kind: TrainingRuntime"),
        train_job("podTemplateOverrides: [{targetJobs: [{name: node}], spec: {nodeSelector: {a: b}}}]"),
        train_job("runtimePatches: [{manager: a.b/c, trainingRuntimeSpec: {}}]"),
    ],
)
def test_a_train_job_without_its_runtime_or_with_patches_is_named(job: str) -> None:
    workloads = read(runtime(jobs_of(job_of())), job)
    assert workloads.groups == ()
    ((unknown),) = workloads.not_understood
    assert (unknown.kind, "not in the input, or the job patches it" in unknown.why) == ("TrainJob", True)


def test_a_runtime_of_the_namespace_is_found_there_alone() -> None:
    own = runtime(jobs_of(job_of()), "TrainingRuntime")
    assert counts(read(own, train_job("", "name: torch, kind: TrainingRuntime"))) == {"trainjob/web-node": 3}


def test_a_runtime_without_a_job_is_among_what_nothing_looks_at() -> None:
    """It places no pods itself."""
    workloads = read(runtime(jobs_of(job_of())))
    assert workloads.not_understood == ()
    assert workloads.passed_over == {"ClusterTrainingRuntime (trainer.kubeflow.org)": 1}


def test_a_number_of_nodes_that_is_none_is_a_mistake() -> None:
    assert messages(runtime(jobs_of(job_of())), train_job("trainer: {numNodes: many}")) == [
        "app.yaml:9 (document 2) spec.trainer.numNodes: expected a whole number, found 'many'"
    ]
