"""How many pods each controller stands for."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.quantity import NANO
from cutlist.workloads.pods import Volume
from tests.examples import examples
from tests.unit.workloads.reading import POD, controller, messages, notes, only, read


def hpa(low: str = "minReplicas: 2,", high: int = 10, target: str = "Deployment", name: str = "web") -> str:
    return f"""
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata: {{name: scale}}
        spec: {{{low} maxReplicas: {high}, scaleTargetRef: {{apiVersion: apps/v1, kind: {target}, name: {name}}}}}
    """


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"])
def test_replicas_are_the_count_and_one_when_open(kind: str):
    """Every replicated kind counts alike."""
    assert only(read(controller(kind, spec="replicas: 3"))).count == 3
    group = only(read(controller(kind)))
    assert (group.count, group.workload) == (1, f"{kind.lower()}/web")


def test_zero_replicas_are_a_group_without_pods():
    """The workload stays visible."""
    workloads = read(controller(spec="replicas: 0"))
    assert (only(workloads).count, workloads.pods) == (0, 0)


@examples(0.25)
@given(st.integers(1_000_000, 2**31 - 1))
def test_a_million_replicas_are_one_group(replicas: int):
    """Nothing is made once per pod: the answer is the same shape, and as quick as for one."""
    start = time.process_time()
    group = only(read(controller("StatefulSet", spec=f"replicas: {replicas}")))
    assert group.count == replicas
    assert group.pod == only(read(controller("StatefulSet"))).pod
    assert time.process_time() - start < 1


def test_pods_carry_the_namespace_of_their_controller():
    """Also where the template names another, which the API server overrides."""
    group = only(read(controller(metadata="namespace: shop")))
    assert (group.namespace, group.pod.namespace, group.workload) == ("shop", "shop", "shop/deployment/web")


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("", 1),
        ("parallelism: 4", 4),
        ("parallelism: 4\ncompletions: 3", 3),
        ("completions: 10", 1),
        ("parallelism: 2\ncompletions: 10\ncompletionMode: Indexed", 2),
        ("parallelism: 0", 0),
        ("parallelism: 4\nsuspend: true", 0),
    ],
)
def test_a_job_counts_the_pods_that_run_at_one_time(spec: str, count: int):
    """Its parallelism, but never more than there are completions; none while it is suspended."""
    assert only(read(controller("Job", "load", spec))).count == count


def test_a_finished_job_needs_nothing():
    """Live objects say how far they are."""
    done = controller("Job", spec="completions: 5\nparallelism: 5")
    assert only(read(done + "status: {succeeded: 3}\n")).count == 2
    assert only(read(done + "status: {conditions: [{type: Complete, status: 'True'}]}\n")).count == 0


def test_pods_of_a_job_carry_its_name():
    """Rules of affinity may select them by it."""
    assert only(read(controller("Job", "load"))).pod.labels["batch.kubernetes.io/job-name"] == "load"


def test_a_cron_job_counts_as_one_run_and_says_so():
    """A run may be under way at any time."""
    workloads = read(controller("CronJob", "nightly", "schedule: '0 3 * * *'"))
    assert (only(workloads).count, only(workloads).workload) == (1, "cronjob/nightly")
    assert notes(workloads) == {"cron-job-counted": ["counted as if one run were under way: cronjob/nightly"]}


def test_a_suspended_cron_job_has_no_pods():
    """It is named, so that nobody wonders."""
    workloads = read(controller("CronJob", "nightly", "schedule: '0 3 * * *'\nsuspend: true"))
    assert only(workloads).count == 0
    assert notes(workloads) == {"suspended": ["suspended, and counted without pods: cronjob/nightly"]}


def test_daemons_are_kept_apart():
    """They are overhead of nodes, not pods to place."""
    workloads = read(controller("DaemonSet", "agent", metadata="namespace: kube-system"))
    assert not workloads.groups
    assert [d.workload for d in workloads.daemons] == ["kube-system/daemonset/agent"]


@pytest.mark.parametrize(
    ("replicas", "count"), [("replicas: 1", 2), ("replicas: 5", 5), ("replicas: 50", 10), ("", 2), ("replicas: 0", 2)]
)
def test_an_autoscaler_holds_the_count_in_its_range(replicas: str, count: int):
    """What is written is brought into the range; open and zero mean the lower end."""
    group = only(read(controller(spec=replicas), hpa()))
    assert (group.count, group.range) == (count, (2, 10))


def test_an_autoscaler_is_noted_with_its_range():
    """The plan shows one moment of it."""
    text = "deployment/web is planned with 2 pods; HorizontalPodAutoscaler scale may make it 2 to 10"
    assert notes(read(controller(), hpa()))["autoscaled"] == [text]
    assert only(read(controller(), hpa(low=""))).range == (1, 10)


def test_an_autoscaler_without_its_target_is_noted():
    """Perhaps the name is a slip."""
    by_code = notes(read(controller(name="web"), hpa(name="wbe")))
    assert by_code["autoscaler-without-target"] == [
        "HorizontalPodAutoscaler scale scales deployment/wbe, which is not in the input"
    ]


def test_a_range_that_is_upside_down_is_a_mistake():
    """No number of replicas meets it."""
    (message,) = messages(controller(), hpa("minReplicas: 11,"))
    assert "spec.minReplicas: 11 is more than maxReplicas, which is 10" in message


def scaled_object(spec: str = "", metadata: str = "") -> str:
    return f"""
        apiVersion: keda.sh/v1alpha1
        kind: ScaledObject
        metadata: {{name: s{metadata}}}
        spec: {{scaleTargetRef: {{name: web}}{spec}}}
    """


@pytest.mark.parametrize(
    ("replicas", "spec", "count", "span"),
    [
        ("", "", 0, (0, 100)),
        ("replicas: 0", ", maxReplicaCount: 30", 0, (0, 30)),
        ("replicas: 0", ", minReplicaCount: 2, maxReplicaCount: 30", 2, (2, 30)),
        ("replicas: 5", ", minReplicaCount: 2, maxReplicaCount: 30", 5, (2, 30)),
        ("", ", minReplicaCount: 5, idleReplicaCount: 0", 0, (0, 100)),
    ],
)
def test_keda_scales_from_its_minimum_zero_replicas_included(replicas, spec, count, span):
    """C-34, C-35: what is written is brought into the range; open and zero mean the lower end."""
    group = only(read(controller(spec=replicas), scaled_object(spec)))
    assert (group.count, group.range) == (count, span)


def test_a_paused_scaled_object_holds_its_number():
    """C-35: the annotation is the number of replicas, whatever the range."""
    paused = scaled_object(", maxReplicaCount: 30", ", annotations: {autoscaling.keda.sh/paused-replicas: '4'}")
    group = only(read(controller(spec="replicas: 0"), paused))
    assert (group.count, group.range) == (4, (4, 4))


def test_a_workload_at_zero_is_noted_with_the_range_of_its_scaled_object():
    """The plan shows one moment of it."""
    text = "deployment/web is planned with 0 pods; ScaledObject s may make it 0 to 30"
    assert notes(read(controller(spec="replicas: 0"), scaled_object(", maxReplicaCount: 30")))["autoscaled"] == [text]


def test_a_zero_under_a_horizontal_autoscaler_counts_from_its_minimum_with_the_maximum_known():
    """The plan is for the workload at work; it says that the zero keeps the autoscaler from scaling until then (C-1)."""
    workloads = read(controller(spec="replicas: 0"), hpa())
    assert (only(workloads).count, only(workloads).range) == (2, (2, 10))
    (text,) = notes(workloads)["autoscaled"]
    assert text.startswith("deployment/web is planned with 2 pods; ")
    assert text.endswith("may make it 2 to 10 once it has a replica, since it leaves the written 0 as they are")


def test_a_zero_that_a_cluster_reports_stays():
    """C-1: the autoscaler of a running cluster leaves it as it is until somebody scales the workload."""
    stored = controller(spec="replicas: 0").rstrip() + "\nstatus: {replicas: 0}\n"
    workloads = read(stored, hpa())
    assert only(workloads).count == 0
    assert notes(workloads)["autoscaled"][0].startswith("deployment/web is planned with 0 pods; ")


def test_an_empty_status_is_not_a_report_of_a_cluster():
    """`kubectl create --dry-run=client -o yaml` writes one."""
    written = controller(spec="replicas: 0").rstrip() + "\nstatus: {}\n"
    assert only(read(written, hpa())).count == 2


def scaled_job(spec: str, job: str = "") -> str:
    return f"""
        apiVersion: keda.sh/v1alpha1
        kind: ScaledJob
        metadata: {{name: sweep}}
        spec:
          {spec}
          jobTargetRef:
            {job}
            template: {{metadata: {{labels: {{app: sweep}}}}, spec: {{{POD}, restartPolicy: Never}}}}
    """


@pytest.mark.parametrize(
    ("spec", "job", "count", "span"),
    [
        ("maxReplicaCount: 10", "", 0, (0, 10)),
        ("minReplicaCount: 2", "", 2, (2, 100)),
        ("{minReplicaCount: 2, maxReplicaCount: 10}", "parallelism: 3", 6, (6, 30)),
        ("{minReplicaCount: 1, maxReplicaCount: 4}", "{parallelism: 3, completions: 2}", 2, (2, 8)),
    ],
)
def test_a_scaled_job_counts_the_pods_of_its_least_jobs(spec, job, count, span):
    """C-36: each of its Jobs has the pods that run at one time, and there are as many Jobs as its minimum says."""
    lines = lambda text, indent: f"\n{' ' * indent}".join(text.strip("{}").split(", "))  # noqa: E731
    group = only(read(scaled_job(lines(spec, 10), lines(job, 12))))
    assert (group.workload, group.count, group.range) == ("scaledjob/sweep", count, span)
    assert group.pod.labels["app"] == "sweep"


CLAIM = """
volumeClaimTemplates:
- {metadata: {name: data}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
"""


def pvc(name: str) -> str:
    return f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: {name}}}\nspec: {{volumeName: pv}}"


def test_claim_templates_become_volumes_of_every_replica():
    """One shape for all of them, with a claim for each by its name."""
    group = only(read(controller("StatefulSet", "db", "replicas: 1000000" + CLAIM)))
    (volume,) = group.pod.volumes
    assert volume == Volume("data", storage_class="fast", per_replica=True, storage=2**30 * NANO)
    assert volume.claim_of(group.pod_name(7)) == "data-db-7"


def test_replicas_whose_claims_exist_stand_apart():
    """A claim that is bound to a zone makes its replica another shape; the others stay together."""
    workloads = read(controller("StatefulSet", "db", "replicas: 1000000" + CLAIM), pvc("data-db-1"), pvc("data-db-2000000"))
    parts = [(g.first, g.count, g.pod.volumes[0].per_replica) for g in workloads.groups]
    assert parts == [(0, 1, True), (1, 1, False), (2, 999_998, True)]
    assert workloads.groups[1].pod.volumes == (Volume("data-db-1"),)
    assert workloads.groups[1].pod_name(0) == "db-1"


def test_ordinals_may_start_elsewhere():
    """Names and claims follow the start."""
    group = only(read(controller("StatefulSet", "db", "replicas: 2\nordinals: {start: 5}" + CLAIM)))
    assert [group.pod_name(i) for i in range(group.count)] == ["db-5", "db-6"]


def test_a_claim_template_stands_in_for_a_volume_of_its_name():
    """As the StatefulSet controller has it."""
    pod = "volumes: [{name: data, persistentVolumeClaim: {claimName: other}}]\ncontainers: [{name: a}]"
    group = only(read(controller("StatefulSet", "db", CLAIM, pod)))
    assert [v.claim for v in group.pod.volumes] == ["data"]


def test_the_default_storage_class_is_filled_in():
    """For claims, claim templates and ephemeral volumes that name none; an empty name asks for none."""
    default = """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: gp3, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}
        provisioner: ebs.csi.aws.com
        volumeBindingMode: WaitForFirstConsumer
    """
    claims = "volumeClaimTemplates: [{metadata: {name: a}, spec: {}}, {metadata: {name: b}, spec: {storageClassName: ''}}]"
    pod = "volumes: [{name: c, ephemeral: {volumeClaimTemplate: {spec: {}}}}]\ncontainers: [{name: a}]"
    claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: d}\nspec: {}"
    workloads = read(default, claim, controller("StatefulSet", "db", claims, pod))
    assert {v.claim: v.storage_class for v in only(workloads).pod.volumes} == {"a": "gp3", "b": "", "c": "gp3"}
    assert [c.storage_class for c in workloads.claims] == ["gp3"]


def test_only_hooks_that_run_with_a_release_count():
    """`helm template` prints test pods and clean-up jobs as well."""
    hook = "annotations: {helm.sh/hook: %s}"
    workloads = read(
        controller("Job", "migrate", metadata=hook % "'pre-install,pre-upgrade'"),
        controller("Job", "clean", metadata=hook % "post-delete"),
    )
    assert only(workloads).name == "migrate"
    assert notes(workloads)["helm-hook"] == ["left out, since a chart runs it only on test, deletion or rollback: job/clean"]


def test_scheduling_gates_are_noted():
    """Nothing is launched for a pod before its gates open."""
    assert "scheduling-gated" in notes(read(controller(pod="schedulingGates: [{name: queue}]\ncontainers: [{name: a}]")))


def test_a_vertical_autoscaler_is_noted_unless_it_only_advises():
    """Requests as written may not be those that come."""
    vpa = """
        apiVersion: autoscaling.k8s.io/v1
        kind: VerticalPodAutoscaler
        metadata: {name: v}
        spec: {targetRef: {kind: Deployment, name: web}, updatePolicy: {updateMode: Auto}}
    """
    assert "vertical-autoscaler" in notes(read(controller(), vpa))
    assert "vertical-autoscaler" not in notes(read(controller(), vpa.replace("Auto}", "'Off'}")))
