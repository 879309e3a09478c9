"""Gangs: what pods and objects say of them, how many pods they need, and which mistakes are reported (GA-1 to GA-19)."""

from __future__ import annotations

import pytest

from cutlist.workloads.gangs.counting import held_back
from cutlist.workloads.read import Workloads
from tests.unit.workloads.reading import messages, notes, read

POD = "{containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]%s}"
GROUPED = POD % ", schedulingGroup: {podGroupName: train}"


def pod_group(policy: str = "{gang: {minCount: 6}}", version: str = "scheduling.k8s.io/v1alpha2", name: str = "train") -> str:
    return f"apiVersion: {version}\nkind: PodGroup\nmetadata: {{name: {name}}}\nspec: {{schedulingPolicy: {policy}}}"


def members(minimum: str, version: str) -> str:
    return f"apiVersion: {version}\nkind: PodGroup\nmetadata: {{name: train}}\nspec: {{minMember: {minimum}}}"


def deployment(name: str = "train", replicas: int = 6, spec: str = GROUPED, labels: str = "", annotations: str = "") -> str:
    metadata = f"{{labels: {{app: {name}, {labels}}}, annotations: {{{annotations}}}}}"
    return (
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{replicas: {replicas}, "
        f"selector: {{matchLabels: {{app: {name}}}}}, template: {{metadata: {metadata}, spec: {spec}}}}}"
    )


def thing(version: str, kind: str, spec: str, metadata: str = "") -> str:
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: train, {metadata}}}\nspec: {spec}"


def gangs(workloads: Workloads) -> dict[str, tuple[str, int]]:
    """Return the scheduler and the minimum of each gang."""
    return {gang.id.shown: (gang.id.scheduler.name, gang.minimum) for gang in workloads.gangs}


@pytest.mark.parametrize("version", ["scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/v1beta1"])
def test_pods_of_several_controllers_are_one_gang_of_their_pod_group(version: str):
    """GA-1, GA-3."""
    found = read(pod_group(version=version), deployment(replicas=2), deployment("server", 4))
    assert gangs(found) == {"podgroup/train": ("kube-scheduler", 6)}
    assert {group.workload for group in found.groups if group.gang is not None} == {"deployment/train", "deployment/server"}


def test_a_basic_policy_makes_no_gang():
    """GA-2."""
    found = read(pod_group("{basic: {}}"), deployment())
    assert not found.gangs
    assert not notes(found).get("pod-group-not-given")


def test_a_pod_group_that_is_missing_or_that_no_pod_is_in_is_named():
    """GA-4: nothing is assumed of a group that a controller may make later."""
    assert "podgroup/train is not in the input" in notes(read(deployment()))["pod-group-not-given"][0]
    assert "deployment/train" in notes(read(deployment()))["pod-group-not-given"][0]
    assert "podgroup/train" in notes(read(pod_group(), deployment(spec=POD % "")))["gang-without-pods"][0]
    elsewhere = pod_group().replace("name: train", "name: train, namespace: ml")
    assert "pod-group-not-given" in notes(read(elsewhere, deployment()))


def test_a_workload_of_kubernetes_1_35_is_a_gang_for_each_replica_key():
    """GA-9."""
    workload = thing(
        "scheduling.k8s.io/v1alpha1",
        "Workload",
        "{podGroups: [{name: workers, policy: {gang: {minCount: 3}}}, {name: driver, policy: {basic: {}}}]}",
    )
    reference = ", workloadRef: {name: train, podGroup: %s}"
    keyed = ", workloadRef: {name: train, podGroup: workers, podGroupReplicaKey: '%s'}"
    found = read(
        workload,
        deployment("a", 3, POD % (keyed % "1")),
        deployment("b", 2, POD % (keyed % "2")),
        deployment("c", 1, POD % (reference % "driver")),
    )
    assert gangs(found) == {
        "workload/train/workers/1": ("kube-scheduler", 3),
        "workload/train/workers/2": ("kube-scheduler", 3),
    }
    assert {gang.shown for gang in held_back(found.gangs, found.groups, found.bound)} == {"workload/train/workers/2"}


@pytest.mark.parametrize(("policy", "needed"), [("{gang: {minCount: 2}}", 2), ("{gang: {}}", 4)])
def test_a_job_of_kubernetes_1_37_needs_its_parallelism_or_what_it_says(policy: str, needed: int):
    """GA-10."""
    job = thing(
        "batch/v1", "Job", f"{{parallelism: 4, scheduling: {{schedulingPolicy: {policy}}}, template: {{spec: {POD % ''}}}}}"
    )
    assert gangs(read(job)) == {"job/train": ("kube-scheduler", needed)}


@pytest.mark.parametrize(
    ("label", "annotation", "group", "scheduler"),
    [
        ("scheduling.x-k8s.io/pod-group: train", "", "scheduling.x-k8s.io/v1alpha1", "the coscheduling plugin"),
        ("pod-group.scheduling.sigs.k8s.io: train", "", "scheduling.x-k8s.io/v1alpha1", "the coscheduling plugin"),
        ("", "scheduling.k8s.io/group-name: train", "scheduling.volcano.sh/v1beta1", "Volcano"),
        ("", "scheduling.volcano.sh/group-name: train", "scheduling.volcano.sh/v1beta1", "Volcano"),
    ],
)
def test_labels_and_annotations_name_groups_of_other_schedulers(label: str, annotation: str, group: str, scheduler: str):
    """GA-11, GA-13; GA-12: such a gang with too few pods is not held back."""
    found = read(members("9", group), deployment(spec=POD % "", labels=label, annotations=annotation))
    assert gangs(found) == {"podgroup/train": (scheduler, 9)}
    assert not held_back(found.gangs, found.groups, found.bound)


@pytest.mark.parametrize(
    ("written", "needed"),
    [("minAvailable: 3,", 3), ("minAvailable: 0,", 5), ("", 5)],
)
def test_a_volcano_job_needs_its_minimum_or_that_of_its_tasks(written: str, needed: int):
    """GA-14: a task without a minimum needs all its replicas."""
    template = f"template: {{spec: {POD % ''}}}"
    tasks = f"[{{name: ps, replicas: 1, {template}}}, {{name: worker, replicas: 8, minAvailable: 4, {template}}}]"
    found = read(thing("batch.volcano.sh/v1alpha1", "Job", f"{{{written} tasks: {tasks}}}"))
    assert gangs(found) == {"job/train": ("Volcano", needed)}
    assert sum(group.count for group in found.groups) == 9


@pytest.mark.parametrize(("policy", "needed"), [("{minAvailable: 2}", 2), ("{}", 4)])
def test_a_training_job_with_a_scheduling_policy_is_a_gang(policy: str, needed: int):
    """GA-16."""
    role = f"{{replicas: %d, template: {{spec: {POD % ''}}}}}"
    roles = f"{{Master: {role % 1}, Worker: {role % 3}}}"
    job = thing("kubeflow.org/v1", "PyTorchJob", f"{{runPolicy: {{schedulingPolicy: {policy}}}, pytorchReplicaSpecs: {roles}}}")
    assert [minimum for _, minimum in gangs(read(job)).values()] == [needed]
    assert not read(thing("kubeflow.org/v1", "PyTorchJob", f"{{pytorchReplicaSpecs: {roles}}}")).gangs


def test_a_train_job_is_a_gang_if_its_runtime_has_a_policy():
    """GA-16."""
    step = "metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}"
    jobs = f"[{{name: node, template: {{{step}, spec: {{template: {{spec: {POD % ''}}}}}}}}}]"
    runtime = (
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: torch}\n"
        f"spec: {{%s template: {{spec: {{replicatedJobs: {jobs}}}}}}}"
    )
    job = thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "{runtimeRef: {name: torch}, trainer: {numNodes: 4}}")
    assert [gang.minimum for gang in read(job, runtime % "podGroupPolicy: {coscheduling: {}},").gangs] == [4]
    assert not read(job, runtime % "").gangs


@pytest.mark.parametrize(
    ("labels", "autoscaling", "needed"),
    [
        ("ray.io/gang-scheduling-enabled: 'true'", "", 5),
        ("ray.io/scheduler-name: volcano", "enableInTreeAutoscaling: true,", 3),
        ("ray.io/scheduler-name: yunikorn", "", 0),
    ],
)
def test_a_ray_cluster_is_a_gang_if_its_labels_say_so(labels: str, autoscaling: str, needed: int):
    """GA-16: with Ray's autoscaler, the least number of workers counts."""
    template = f"template: {{spec: {POD % ''}}}"
    groups = f"[{{groupName: gpu, replicas: 2, minReplicas: 1, numOfHosts: 2, {template}}}]"
    spec = f"{{{autoscaling} headGroupSpec: {{{template}}}, workerGroupSpecs: {groups}}}"
    found = read(thing("ray.io/v1", "RayCluster", spec, f"labels: {{{labels}}}"))
    assert [gang.minimum for gang in found.gangs] == ([needed] if needed else [])


QUEUED = "labels: {kueue.x-k8s.io/queue-name: team}"


@pytest.mark.parametrize(("annotations", "needed"), [("", 4), ("kueue.x-k8s.io/job-min-parallelism: '2'", 2)])
def test_kueue_admits_a_job_as_a_whole_although_it_is_written_as_suspended(annotations: str, needed: int):
    """GA-17."""
    metadata = f"{QUEUED}, annotations: {{{annotations}}}"
    found = read(thing("batch/v1", "Job", f"{{parallelism: 4, suspend: true, template: {{spec: {POD % ''}}}}}", metadata))
    assert gangs(found) == {"job/train": ("Kueue", needed)}
    assert found.pods == 4
    assert "counted as admitted: job/train" in notes(found)["kueue-admitted"][0]


def test_a_suspended_job_of_a_cluster_waits_for_its_quota():
    """GA-17: Kueue has not admitted it yet."""
    job = thing(
        "batch/v1", "Job", f"{{parallelism: 4, suspend: true, template: {{spec: {POD % ''}}}}}\nstatus: {{active: 0}}", QUEUED
    )
    assert read(job).pods == 0


def test_kueue_admits_the_pods_of_a_deployment_one_by_one():
    """GA-18."""
    assert not read(deployment(spec=POD % "").replace("name: train}", f"name: train, {QUEUED}}}", 1)).gangs


def queued_pod(name: str, total: str = "'3'", group: str = "train") -> str:
    annotation = f"kueue.x-k8s.io/pod-group-total-count: {total}" if total else ""
    metadata = f"{{name: {name}, labels: {{kueue.x-k8s.io/pod-group-name: {group}}}, annotations: {{{annotation}}}}}"
    return f"apiVersion: v1\nkind: Pod\nmetadata: {metadata}\nspec: {POD % ''}"


def test_pods_of_kueue_wait_until_as_many_exist_as_they_say():
    """GA-18, GA-19."""
    found = read(queued_pod("a"), queued_pod("b"))
    assert gangs(found) == {"podgroup/train": ("Kueue", 3)}
    assert len(held_back(found.gangs, found.groups, found.bound)) == 1
    found = read(queued_pod("a"), queued_pod("b"), queued_pod("c"))
    assert not held_back(found.gangs, found.groups, found.bound)


def test_pods_without_an_owner_that_are_alike_stay_in_their_gangs():
    """Two gangs of equal pods of one absent controller are not merged."""
    owner = "ownerReferences: [{apiVersion: v1, kind: Set, name: s, uid: u, controller: true}]"
    one, two = (queued_pod(g, group=g).replace("{name:", f"{{{owner}, name:", 1) for g in "ab")
    assert set(gangs(read(one, two))) == {"podgroup/a", "podgroup/b"}


def test_pods_with_a_node_count_towards_the_minimum():
    """GA-6."""
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n}"
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {GROUPED[:-1]}, nodeName: n}}"
    found = read(pod_group(), node, pod, deployment(replicas=5))
    assert not held_back(found.gangs, found.groups, found.bound)
    found = read(pod_group(), node, pod, deployment(replicas=4))
    assert len(held_back(found.gangs, found.groups, found.bound)) == 1


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        (pod_group("{gang: {minCount: six}}"), "spec.schedulingPolicy.gang.minCount", "expected a whole number, found 'six'"),
        (pod_group("{gang: {minCount: 0}}"), "spec.schedulingPolicy.gang.minCount", "0 is out of range"),
        (pod_group("{gang: {}}"), "spec.schedulingPolicy.gang.minCount", "is missing"),
        (pod_group("{}"), "spec.schedulingPolicy", "neither basic nor gang is written"),
        (pod_group("{basic: {}, gang: {minCount: 1}}"), "spec.schedulingPolicy", "both basic and gang are written"),
        (pod_group("gang"), "spec.schedulingPolicy", "expected a mapping"),
        (members("-1", "scheduling.x-k8s.io/v1alpha1"), "spec.minMember", "-1 is out of range"),
        (members("'3'", "scheduling.volcano.sh/v1beta1"), "spec.minMember", "expected a whole number"),
        (
            thing("scheduling.k8s.io/v1alpha1", "Workload", "{podGroups: [{name: w, policy: {gang: {minCount: 1.5}}}]}"),
            "spec.podGroups[0].policy.gang.minCount",
            "expected a whole number",
        ),
        (
            thing("batch.volcano.sh/v1alpha1", "Job", f"{{minAvailable: many, tasks: [{{template: {{spec: {POD % ''}}}}}]}}"),
            "spec.minAvailable",
            "expected a whole number",
        ),
        (queued_pod("a", "many"), "pod-group-total-count", "'many' is not a number of pods"),
        (queued_pod("a", ""), "pod-group-total-count", "is missing"),
        (deployment(spec=POD % ", schedulingGroup: train"), "spec.template.spec.schedulingGroup", "expected a mapping"),
        (deployment(spec=POD % ", schedulingGroup: {podGroupName: 3}"), "podGroupName", "3 is not text"),
        (
            thing(
                "batch/v1",
                "Job",
                f"{{template: {{spec: {POD % ''}}}}}",
                f"{QUEUED}, annotations: {{kueue.x-k8s.io/job-min-parallelism: some}}",
            ),
            "job-min-parallelism",
            "'some' is not a number of pods",
        ),
    ],
)
def test_a_malformed_field_is_reported_with_its_path(text: str, path: str, message: str):
    """GA-1."""
    found = messages(text)
    assert len(found) == 1, found
    assert "app.yaml" in found[0]
    assert path in found[0]
    assert message in found[0]


def test_two_pod_groups_of_one_name_are_reported_unless_their_schedulers_differ():
    assert "is in the input twice" in messages(pod_group(), pod_group())[0]
    assert not messages(pod_group(), members("3", "scheduling.volcano.sh/v1beta1"))
