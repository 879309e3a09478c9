"""Why a pod waits, where it runs, and why a node or a NodePool is as it is: one sentence for each name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.errors import InputError
from cutlist.disruption.forecast import DisruptionVerdict
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.history.answer import history
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.subjects import SubjectKind
from cutlist.verbs.why.answer import why
from cutlist.verbs.why.reason import Why
from tests.sample import POOLS, SHOP, SNAPSHOT, WORKLOADS
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

AMD64 = f"[{ON_DEMAND}, {{key: kubernetes.io/arch, operator: In, values: [amd64]}}, {TYPES.format('m5.large, m5.xlarge')}]"
HASH = "6b7f5c9d4"
CAUSES = (
    ("cpu: 64", ""),
    ("cpu: 1", "nodeSelector: {kubernetes.io/arch: arm64}"),
    ("cpu: 1", "nodeSelector: {topology.kubernetes.io/zone: us-west-2z}"),
    ("cpu: 1, nvidia.com/gpu: 1", ""),
    ("cpu: 1", ""),
)
"""What pods request and select: all but the last can have no node of the NodePool."""


def pod(number: int) -> str:
    """A pod of a Deployment that the input does not have, which waits."""
    requests, extra = CAUSES[number % len(CAUSES)]
    limits = "limits: {nvidia.com/gpu: 1}, " if "gpu" in requests else ""
    return f"""
apiVersion: v1
kind: Pod
metadata:
  name: app{number}-{HASH}-x2x7q
  namespace: shop
  ownerReferences: [{{apiVersion: apps/v1, kind: ReplicaSet, name: app{number}-{HASH}, uid: u{number}, controller: true}}]
spec:
  {extra}
  containers: [{{name: c, image: x, resources: {{{limits}requests: {{{requests}, memory: 1Gi}}}}}}]
status:
  phase: Pending
  conditions: [{{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/{number + 30} nodes are available"}}]
"""


def node(number: int) -> str:
    """A node of the NodePool with its NodeClaim; every third is empty, and every fourth has a pod that may not be moved."""
    labels = (
        "labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: m5.large, kubernetes.io/arch: amd64, "
        "karpenter.sh/capacity-type: on-demand, topology.kubernetes.io/zone: us-west-2a, kubernetes.io/os: linux, "
        f"karpenter.sh/registered: 'true', karpenter.sh/initialized: 'true', kubernetes.io/hostname: n{number}}}"
    )
    conditions = ", ".join(
        f"{{type: {kind}, status: 'True', reason: {kind}, lastTransitionTime: '2026-01-05T08:01:00Z'}}"
        for kind in ("Launched", "Registered", "Initialized", "Consolidatable")
    )
    amounts = "{cpu: 1930m, memory: 7Gi, pods: '29'}"
    ids = f"providerID: 'aws:///us-west-2a/i-{number}'"
    annotations = "annotations: {karpenter.sh/do-not-disrupt: 'true'}, " if number % 4 == 0 else ""
    running = f"""
---
apiVersion: v1
kind: Pod
metadata: {{name: run-{number}, {annotations}labels: {{app: run}}, creationTimestamp: '2026-01-05T08:05:00Z'}}
spec: {{nodeName: n{number}, containers: [{{name: c, image: x, resources: {{requests: {{cpu: 1500m, memory: 5Gi}}}}}}]}}
status: {{phase: Running, startTime: '2026-01-05T08:05:00Z'}}
"""
    return f"""
apiVersion: v1
kind: Node
metadata: {{name: n{number}, creationTimestamp: '2026-01-05T08:00:00Z', {labels}}}
spec: {{{ids}}}
status: {{capacity: {{cpu: 2, memory: 8Gi, pods: '29'}}, allocatable: {amounts}, conditions: [{{type: Ready, status: 'True'}}]}}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {{name: general-{number}, creationTimestamp: '2026-01-05T08:00:00Z', {labels}}}
spec: {{nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}, requirements: [], expireAfter: 720h}}
status:
  {ids}
  nodeName: n{number}
  capacity: {{cpu: 2, memory: 8Gi, pods: '29'}}
  allocatable: {amounts}
  conditions: [{conditions}]
{"" if number % 3 == 0 else running}"""


PODS = 20
NODES = 20


@pytest.fixture(scope="module")
def waiting() -> PlanInputs:
    return inputs_of(pool(requirements=AMD64), *map(pod, range(PODS)))


@pytest.fixture(scope="module")
def cluster() -> PlanInputs:
    return inputs_of(pool(requirements=AMD64), *map(node, range(NODES)))


@pytest.mark.parametrize("number", range(PODS))
def test_a_waiting_pod_is_answered_as_the_plan_has_it(waiting: PlanInputs, number: int) -> None:
    """By its name as kubectl prints it: the reason and the remedy of the plan, or the node that the plan has for it."""
    answer = why(waiting, f"app{number}-{HASH}-x2x7q")
    pending = {pods.workload: pods for pods in plan(waiting).pending}.get(f"shop/deployment/app{number}")
    assert (answer.kind, answer.name) == (SubjectKind.POD, f"shop/app{number}-{HASH}-x2x7q")
    assert answer.workload == f"shop/deployment/app{number}"
    assert answer.waits is (number % len(CAUSES) != len(CAUSES) - 1) is (pending is not None)
    if pending is None:
        assert "gets a new node: Karpenter launches" in answer.sentence
    else:
        assert answer.sentence == f"shop/pod/app{number}-{HASH}-x2x7q waits: {pending.reason}"
        assert answer.remedy == pending.remedy


@pytest.mark.parametrize("number", range(NODES))
def test_a_node_is_answered_as_the_forecast_has_it(cluster: PlanInputs, number: int) -> None:
    """The verdict of `disrupt` about that node, with the rule that spares it."""
    forecast = disrupt(cluster).forecast
    node = next(n for n in forecast.nodes if n.name == f"n{number}")
    answer = why(cluster, f"n{number}")
    assert (answer.kind, answer.name, answer.waits) == (SubjectKind.NODE, f"n{number}", False)
    if node.verdict is DisruptionVerdict.NEXT:
        assert answer.sentence.startswith(f"n{number} goes next: Karpenter deletes it")
    else:
        assert answer.sentence.startswith(f"n{number} stays")
        assert node.why in answer.sentence


@pytest.mark.parametrize(
    "name",
    [
        f"app1-{HASH}-x2x7q",
        f"pod/app1-{HASH}-x2x7q",
        f"po/app1-{HASH}-x2x7q",
        f"shop/app1-{HASH}-x2x7q",
        f"shop/pod/app1-{HASH}-x2x7q",
        f"app1-{HASH}",
        "deployment/app1",
        "deployment app1",
        f"pod app1-{HASH}-x2x7q",
        "deployment.apps/app1",
        "shop/deployment/app1",
        "shop/app1",
        "app1",
        f"app1-{HASH}-other".replace("other", "zzzzz"),
        "0/31 nodes are available",
        "Warning  FailedScheduling  pod/app1-6b7f5c9d4-x2x7q  0/9 nodes are available: 9 Insufficient cpu.",
    ],
)
def test_a_pod_has_many_names(waiting: PlanInputs, name: str) -> None:
    """With kind and namespace or without, by its workload, by its ReplicaSet, and by the message of its event."""
    answer = why(waiting, name)
    assert answer.workload == "shop/deployment/app1"
    assert "the pod wants kubernetes.io/arch In [arm64]" in answer.sentence


def test_the_namespace_may_be_an_option(waiting: PlanInputs) -> None:
    """In another namespace there is no such pod."""
    assert why(waiting, "app1", namespace="shop").workload == "shop/deployment/app1"
    with pytest.raises(InputError, match="no pod, workload, gang, node or NodePool of the input has this name"):
        why(waiting, "app1", namespace="other")
    with pytest.raises(InputError, match="in another namespace than other"):
        why(waiting, "shop/app1", namespace="other")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("apq1", "did you mean shop/deployment/app1"),
        ("nodepool/generl", "did you mean nodepool/general"),
        ("", "'' is not a name"),
        ("a/b/c/d", "'a/b/c/d' is not a name"),
    ],
)
def test_a_name_that_nothing_has_is_refused(waiting: PlanInputs, name: str, said: str) -> None:
    """With the nearest name of the input."""
    with pytest.raises(InputError) as caught:
        why(waiting, name)
    assert said in str(caught.value)


def test_a_name_of_several_things_is_refused_with_all_of_them() -> None:
    """A Deployment and a NodePool of the same name: the kind tells them apart."""
    inputs = inputs_of(pool("web", requirements=AMD64), deployment())
    with pytest.raises(InputError, match="is one of 2 names; allowed: deployment/web, nodepool/web"):
        why(inputs, "web")
    assert why(inputs, "nodepool/web").kind is SubjectKind.NODE_POOL


def test_an_input_without_pods_and_nodes_has_no_answer() -> None:
    """That is a mistake, whatever the name is."""
    with pytest.raises(InputError, match="no workload or node is in the input"):
        why(inputs_of(pool(requirements=AMD64)), "web")


def test_the_pool_that_was_meant_has_its_own_answer(waiting: PlanInputs) -> None:
    """What it launches, and how many waiting pods it does not take."""
    answer = why(waiting, "nodepool/general")
    nodes = plan(waiting).nodes
    launched = sum(n.count for n in nodes)
    assert answer.sentence.startswith(f"NodePool general launches {launched} node")
    assert "takes none of 16 waiting pods" in answer.sentence


def test_a_pod_that_runs_is_answered_with_its_node(cluster: PlanInputs) -> None:
    """And with what happens to the node."""
    answer = why(cluster, "run-4")
    assert answer.sentence.startswith("pod/run-4 runs on n4 since 2026-01-05 08:05:00Z; the node stays")
    assert "do-not-disrupt" in answer.sentence


def test_a_node_has_the_name_of_its_claim_too(cluster: PlanInputs) -> None:
    """As `kubectl get nodeclaims` prints it."""
    assert why(cluster, "nodeclaim/general-4").name == "n4"


def test_each_part_of_an_event_is_a_fact(waiting: PlanInputs) -> None:
    """With its number of nodes; the parts say which of the waiting pods it may be about."""
    event = (
        "0/7 nodes are available: 3 Insufficient nvidia.com/gpu, 4 node(s) had untolerated taint {team: a}. preemption: none"
    )
    answer = why(waiting, event)
    said = [(fact.title, fact.text) for fact in answer.facts[:2]]
    assert said == [
        ("3 nodes", "have too little nvidia.com/gpu left"),
        ("4 nodes", "have the taint team, which the pod does not tolerate"),
    ]
    assert {f.title for f in answer.facts[2:]} == {f"shop/deployment/app{n}" for n in range(PODS) if n % len(CAUSES) == 3}


def test_karpenters_own_words_lead_to_the_pod(waiting: PlanInputs) -> None:
    """The message that Karpenter writes names the requests."""
    (one,) = explain(inputs_of(pool(requirements=AMD64), deployment(cpu="64"), deployment("other")), "web")
    event = f'Failed to schedule pod, incompatible with nodepool "general", daemonset overhead={{}}, {one.answers[0].karpenter}'
    answer = why(inputs_of(pool(requirements=AMD64), deployment(cpu="64"), deployment("other", cpu="65")), event)
    assert (answer.workload, answer.waits) == ("deployment/web", True)


def test_an_event_that_fits_no_waiting_pod_says_so() -> None:
    """The pod of the input gets a node."""
    answer = why(inputs_of(pool(requirements=AMD64), deployment()), "0/3 nodes are available: 3 Insufficient cpu.")
    assert answer.sentence.startswith("no pod of the input waits")
    assert not answer.waits


def test_explain_knows_a_waiting_pod_by_its_name(waiting: PlanInputs) -> None:
    """Bare, or with its namespace or kind."""
    for name in (f"app1-{HASH}-x2x7q", f"shop/app1-{HASH}-x2x7q", f"pod/app1-{HASH}-x2x7q"):
        (one,) = explain(waiting, name)
        assert (one.workload, one.waiting) == ("shop/deployment/app1", 1)


def test_a_removed_node_is_found_in_karpenters_log() -> None:
    """The input no longer has it; the log says what removed it."""
    log = (SHOP / "karpenter.log").read_text()
    past = history(log)
    gone = past.stories[0].decision.nodes[0].name
    inputs = read_inputs([str(POOLS), str(WORKLOADS)], region="us-west-2")
    answer = why(inputs, gone, history=past)
    assert answer.sentence.startswith(f"{gone} is no longer in the cluster: ")
    assert past.stories[0].decision.decision in answer.sentence


def test_the_history_of_a_pool_names_launches_that_failed() -> None:
    """After the facts of the plan."""
    past = history((SHOP / "karpenter.log").read_text())
    inputs = read_inputs([str(POOLS), str(WORKLOADS)], region="us-west-2")
    failed = [launch for launch in past.failed if launch.node_pool == "general"]
    facts = [fact for fact in why(inputs, "nodepool/general", history=past).facts if fact.title == "failed launch"]
    assert len(facts) == min(len(failed), 5)


def test_the_sample_answers_its_nodes_like_disrupt() -> None:
    """Each node of the sample's snapshot."""
    inputs = read_inputs([str(POOLS), str(SNAPSHOT)], region="us-west-2")
    for node in disrupt(inputs).forecast.nodes:
        sentence = why(inputs, node.name).sentence
        assert ("goes next" in sentence) is (node.verdict is DisruptionVerdict.NEXT)
        assert node.verdict is DisruptionVerdict.NEXT or node.why in sentence


def test_a_node_of_another_pool_is_left_alone(cluster: PlanInputs) -> None:
    """Karpenter does not consider a node that it does not manage."""
    foreign = replace(cluster, node_pools=tuple(p for p in cluster.node_pools if p.name != "general"))
    answer: Why = why(foreign, "n1")
    assert answer.sentence.startswith("n1 stays")


def test_a_static_pool_says_that_it_is_static() -> None:
    """It launches no node for pods that wait."""
    inputs = inputs_of(pool("kept", AMD64, spec="replicas: 2"), pool("general", AMD64), deployment(cpu="64"))
    answer = why(inputs, "nodepool/kept")
    kept = "it is static and keeps 2 nodes (spec.replicas); it launches none for pending pods"
    assert answer.sentence == f"NodePool kept launches 2 nodes: {kept}"


def test_a_pool_without_types_says_which_requirement_leaves_it_none() -> None:
    """Pods wait, but it cannot launch anything for them."""
    reserved = "[{key: karpenter.sh/capacity-type, operator: In, values: [reserved]}]"
    answer = why(inputs_of(pool("reserved", reserved), pool("general", AMD64), deployment(cpu="64")), "nodepool/reserved")
    assert answer.sentence.startswith("NodePool reserved launches nothing for pods that wait: it allows no instance type")
    assert "none has karpenter.sh/capacity-type In [reserved]" in answer.sentence


def test_a_daemon_set_needs_no_node_of_its_own() -> None:
    """Its pods come with the nodes."""
    daemons = deployment("agent").replace("kind: Deployment", "kind: DaemonSet").replace("  replicas: 1\n", "")
    answer = why(inputs_of(pool(requirements=AMD64), daemons, deployment()), "ds/agent")
    assert answer.sentence.startswith("daemonset/agent runs on every node")
    assert answer.workload == "daemonset/agent"


def test_pods_of_one_workload_may_wait_in_part() -> None:
    """The limit leaves room for one node."""
    inputs = inputs_of(pool(requirements=AMD64, spec="limits: {cpu: 2}"), deployment(replicas=3, cpu="1500m"))
    answer = why(inputs, "web")
    assert answer.sentence.startswith("2 of 3 pods of deployment/web wait: NodePool general: every instance type")
    assert answer.remedy.startswith("raise the cpu limit of NodePool general by 4: the 2 pods that wait for it get a node")


def test_an_event_is_about_the_pod_that_its_text_names(waiting: PlanInputs) -> None:
    """Even if another pod of the input has the same message."""
    answer = why(waiting, f"pod/app2-{HASH}-x2x7q  0/31 nodes are available")
    assert (answer.name, answer.workload) == (f"shop/app2-{HASH}-x2x7q", "shop/deployment/app2")


def test_a_message_of_several_workloads_may_be_about_each() -> None:
    """Of those whose pods wait: the last one gets a node."""
    alike = [pod(number).replace(f"0/{number + 30} nodes", "0/9 nodes") for number in range(len(CAUSES))]
    answer = why(inputs_of(pool(requirements=AMD64), *alike), "0/9 nodes are available")
    assert answer.sentence.startswith("pods of 4 workloads wait, and the event may be about each")
    assert {fact.title for fact in answer.facts} == {f"shop/deployment/app{number}" for number in range(4)}


def test_the_pod_of_an_event_may_run_by_now(cluster: PlanInputs) -> None:
    """Its node is judged at the same instant as without the event: its claim has expired."""
    after_expiry = 1_780_000_000.0
    by_name = why(cluster, "run-1", now=after_expiry)
    assert "is removed now, regardless of budgets" in by_name.sentence
    assert why(cluster, "pod/run-1  0/9 nodes are available", now=after_expiry).sentence == by_name.sentence


def test_an_event_of_one_workload_is_not_about_its_pods_that_run(cluster: PlanInputs) -> None:
    """A StatefulSet sorts after its own pods."""
    sets = """
apiVersion: v1
kind: Pod
metadata:
  name: db-{number}
  ownerReferences: [{{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}}]
spec: {{{node}containers: [{{name: c, image: x, resources: {{requests: {{cpu: "{cpu}"}}}}}}]}}
status: {{phase: {phase}}}
"""
    documents = [sets.format(number=0, node="nodeName: n3, ", cpu=1, phase="Running")]
    documents += [sets.format(number=1, node="", cpu=64, phase="Pending")]
    answer = why(inputs_of(pool(requirements=AMD64), node(3), *documents), "0/9 nodes are available: 9 Insufficient cpu.")
    assert answer.waits
    assert answer.sentence.startswith("1 pod of statefulset/db waits: NodePool general: the pod needs 64 cpu")


def test_workloads_that_an_event_may_be_about_are_counted_once() -> None:
    """Two bare pods of one owner wait for different reasons."""
    owner = f"kind: ReplicaSet, name: app0-{HASH}"
    other = pod(1).replace(f"kind: ReplicaSet, name: app1-{HASH}", owner)
    answer = why(
        inputs_of(pool(requirements=AMD64), pod(0), other, pod(3)), "0/99 nodes are available: 9 node(s) were unschedulable."
    )
    assert answer.sentence.startswith("pods of 2 workloads wait, and the event may be about each: 9 nodes have been cordoned")
