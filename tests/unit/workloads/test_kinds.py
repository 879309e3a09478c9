"""Which kinds count, which are passed over, and which are named because nobody here understands them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.workloads.kinds import places_pods_by_other_means
from tests.unit.workloads.reading import controller, notes, only, read


def custom(version: str, kind: str, spec: str = "{}") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: thing}}\nspec: {spec}"


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("argoproj.io/v1alpha1", "Rollout"),
        ("argoproj.io/v1alpha1", "Workflow"),
        ("tekton.dev/v1", "TaskRun"),
        ("sparkoperator.k8s.io/v1beta2", "SparkApplication"),
        ("serving.knative.dev/v1", "Service"),
        ("batch.volcano.sh/v1alpha1", "Job"),
        ("ray.io/v1", "RayCluster"),
        ("jobset.x-k8s.io/v1alpha2", "JobSet"),
        ("apps.openshift.io/v1", "DeploymentConfig"),
        ("kubeflow.org/v1", "PyTorchJob"),
        ("elasticsearch.k8s.elastic.co/v1", "Elasticsearch"),
    ],
)
def test_kinds_that_place_pods_by_other_means_are_named(version: str, kind: str):
    """The plan must not look whole without them."""
    workloads = read(custom(version, kind), controller())
    assert [(n.kind, n.name, n.place.source) for n in workloads.not_understood] == [(kind, "thing", "app.yaml")]
    assert only(workloads).name == "web"


def test_an_unknown_kind_with_a_pod_template_is_named():
    """However deep the template lies."""
    deep = "{groups: [{template: {spec: {containers: [{name: a, image: demo/a}]}}}]}"
    assert [n.kind for n in read(custom("example.org/v1", "Herd", deep)).not_understood] == ["Herd"]


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("v1", "Service"),
        ("v1", "ConfigMap"),
        ("v1", "PodTemplate"),
        ("apps/v1", "ControllerRevision"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole"),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
        ("example.org/v1", "Gadget"),
        ("karpenter.sh/v1", "NodePool"),
    ],
)
def test_kinds_that_place_no_pods_are_passed_over_and_counted(version: str, kind: str):
    """Most of what a chart renders is of this kind; what is not looked at is said once, with its number."""
    thing = custom(version, kind, "{template: {spec: {containers: []}}}")
    workloads = read(thing, thing.replace("thing", "other"))
    group = version.partition("/")[0]
    shown = f"{kind} ({group})" if group in ("example.org", "karpenter.sh") else kind
    assert replace(workloads, passed_over={}) == replace(read(), passed_over={})
    assert workloads.passed_over == {shown: 2}


@pytest.mark.parametrize(("version", "kind"), [("karpenter.sh/v1", "NodeClaim"), ("storage.k8s.io/v1", "CSINode")])
def test_objects_that_say_what_nodes_are_there_are_not_passed_over(version: str, kind: str):
    """The state of a cluster is read from them."""
    assert read(custom(version, kind, "{}")).passed_over == {}


def test_the_group_decides_not_the_name():
    """A Job of Volcano is not a Job of Kubernetes."""
    requests = {"spec": {"replicas": 9, "resources": {"requests": {"cpu": "3"}}}}
    assert places_pods_by_other_means({"apiVersion": "db.example.com/v1", "kind": "Database", **requests})
    claimed = {"spec": {"volumeClaim": {"resources": {"requests": {"storage": "9Gi"}}}}}
    assert not places_pods_by_other_means({"apiVersion": "db.example.com/v1", "kind": "Backup", **claimed})
    assert not places_pods_by_other_means({"apiVersion": "batch/v1", "kind": "Job"})
    assert places_pods_by_other_means({"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job"})


def test_old_versions_of_a_kind_are_read():
    """Files live longer than API versions."""
    assert only(read(controller().replace("apps/v1", "extensions/v1beta1"))).count == 1


def test_what_shapes_workloads_is_kept():
    """Volumes, classes, budgets and namespaces, each as a value of its own."""
    workloads = read(
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: a}}",
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {minAvailable: 50%, selector: {}}",
        """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: pv}
        spec:
          csi: {driver: ebs.csi.aws.com}
          nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
        """,
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: c, annotations: {pv.kubernetes.io/bind-completed: 'yes'}}
        spec: {volumeName: pv}
        status: {phase: Bound}
        """,
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: p\n"
        "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]",
    )
    assert workloads.namespaces == {"shop": {"team": "a", "kubernetes.io/metadata.name": "shop"}}
    assert [(b.name, b.min_available, b.max_unavailable) for b in workloads.budgets] == [("b", "50%", None)]
    (volume,), (claim,), (storage,) = workloads.volumes, workloads.claims, workloads.storage_classes
    assert (volume.driver, volume.local, [e.values for t in volume.terms for e in t]) == ("ebs.csi.aws.com", False, [("a",)])
    assert (claim.volume, claim.phase, claim.bind_completed, claim.deleting) == ("pv", "Bound", True, False)
    assert (storage.binding_mode, [e.values for t in storage.topologies for e in t]) == ("Immediate", [("a", "b")])
    assert len({volume, claim, storage}) == 3


def quota(hard: str, more: str = "") -> str:
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: compute}}\nspec: {{hard: {{{hard}}}{more}}}"


@pytest.mark.parametrize(
    ("hard", "text"),
    [
        (
            "requests.cpu: 1",
            "the pods of namespace default ask for 2500m cpu; ResourceQuota compute allows 1",
        ),
        (
            "cpu: 2",
            "the pods of namespace default ask for 2500m cpu; ResourceQuota compute allows 2",
        ),
        (
            "pods: 9",
            "the pods of namespace default are 10 pods; ResourceQuota compute allows 9",
        ),
    ],
)
def test_more_than_a_quota_allows_is_a_warning(hard: str, text: str):
    """The API server would stop in the middle."""
    assert notes(read(quota(hard), controller(spec="replicas: 10")))["resource-quota"] == [
        f"{text}, and pods beyond it are not created"
    ]


@pytest.mark.parametrize(
    "written",
    [quota("requests.cpu: 2500m, pods: 10, limits.cpu: 1"), quota("pods: 1", ", scopes: [Terminating]")],
)
def test_a_quota_that_is_kept_says_nothing(written: str):
    """Exactly as much as allowed, limits, and quotas for some pods only."""
    assert "resource-quota" not in notes(read(written, controller(spec="replicas: 10")))


def test_many_workloads_of_one_note_are_counted():
    """A note is one sentence, however many it concerns."""
    jobs = [controller("CronJob", f"job-{i}", "schedule: '@daily'") for i in range(5)]
    text = "counted as if one run were under way: cronjob/job-0, cronjob/job-1, cronjob/job-2 and 2 others"
    assert notes(read(*jobs))["cron-job-counted"] == [text]
