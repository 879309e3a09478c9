"""Nodes attach a limited number of volumes, which Karpenter learns once they run: what a plan becomes."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.planning.attaching import attachable
from cutlist.planning.model import Plan
from cutlist.planning.planned_cluster import with_plan
from cutlist.scheduling.queue import PodBatch
from cutlist.state.volumes import PodVolumes
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from cutlist.workloads.pods import Pod
from tests.examples import examples
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

EBS = "ebs.csi.aws.com"
M5 = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.8xlarge')}]")
GP3 = """
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: disk}
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
"""
SHARED = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: shared}
spec: {accessModes: [ReadWriteMany], storageClassName: disk, resources: {requests: {storage: 1Gi}}}
"""


def stateful(replicas: int, volumes: int = 1, name: str = "db", extra: str = "") -> str:
    """A StatefulSet whose pods have some claims each, and request little."""
    spec = "{accessModes: [ReadWriteOnce], storageClassName: disk, resources: {requests: {storage: 1Gi}}}"
    templates = ", ".join(f"{{metadata: {{name: d{n}}}, spec: {spec}}}" for n in range(volumes))
    return f"""
apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: {name}}}
spec:
  serviceName: {name}
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{{extra}containers: [{{name: c, image: x, resources: {{requests: {{cpu: 100m, memory: 100Mi}}}}}}]}}
  volumeClaimTemplates: [{templates}]
"""


def pods_on(planned: Plan) -> list[dict[str, int]]:
    """The pods of each node, those of the first nodes first."""
    return [{s.workload: s.count for s in node.pods} for node in planned.nodes for _ in range(node.count)]


def test_pods_whose_volumes_do_not_fit_get_further_nodes() -> None:
    """Karpenter plans one node for sixty pods with a volume each; 26 of them attach theirs."""
    # VL-2, VL-6
    planned = plan_of(M5, GP3, stateful(60))
    assert pods_on(planned) == [{"statefulset/db": 26}, {"statefulset/db": 26}, {"statefulset/db": 8}]
    assert planned.totals.price_per_hour == pytest.approx(3 * (planned.nodes[0].price_with_disks or 0))
    assert (planned.passes, planned.totals.pending) == (3, 0)
    (note,) = [n.text for n in planned.warnings if n.code == "attach-limits"]
    assert note == (
        "Karpenter first plans 1 node of m5.8xlarge for 60 pods of statefulset/db; "
        f"such a node attaches 26 volumes of {EBS}, so 34 pods wait, and the plan becomes 3 nodes"
    )


def test_every_view_says_that_pods_waited_for_attach_limits() -> None:
    """The passes of the plan name what the pods waited for."""
    planned = plan_of(M5, GP3, stateful(60))
    assert "3: 34 pods waited for attach limits" in render_plan(planned)
    assert "3 passes: 34 pods waited for attach limits" in plan_markdown(planned)
    assert "attach-limits" in {note["code"] for note in planned.to_dict()["warnings"]}


def test_as_many_volumes_as_a_node_attaches_need_no_second_pass() -> None:
    """At the limit, nothing changes and nothing is said."""
    # VL-6
    planned = plan_of(M5, GP3, stateful(26))
    assert (planned.passes, planned.totals.nodes) == (1, 1)
    assert "attach-limits" not in {n.code for n in planned.warnings}


def test_a_claim_that_pods_share_is_attached_once() -> None:
    """Sixty pods of one volume are on one node."""
    # S-65
    using = "volumes: [{name: d, persistentVolumeClaim: {claimName: shared}}]"
    assert plan_of(M5, GP3, SHARED, deployment(replicas=60, cpu="100m", memory="1Mi", extra=using)).totals.nodes == 1


def test_pods_without_volumes_stay_with_those_that_attach_theirs() -> None:
    """Only what has volumes waits."""
    # VL-6
    planned = plan_of(M5, GP3, stateful(30), deployment(replicas=50, cpu="50m", memory="1Mi"))
    assert Counter(pods_on(planned)[0]) == {"statefulset/db": 26, "deployment/web": 50}
    assert pods_on(planned)[1:] == [{"statefulset/db": 4}]


def test_a_pod_with_more_volumes_than_its_node_attaches_stays_pending() -> None:
    """No node would ever hold it, and no empty node is planned for it."""
    # VL-7
    planned = plan_of(M5, GP3, stateful(3, volumes=27), deployment(replicas=1))
    assert [(p.workload, p.count) for p in planned.pending] == [("statefulset/db", 3)]
    assert f"the pod has 27 volumes of {EBS}, and m5.8xlarge" in planned.pending[0].reason
    assert pods_on(planned) == [{"deployment/web": 1}]


def test_classes_of_other_drivers_have_no_limit() -> None:
    """Shared file systems are not attached to a machine."""
    efs = GP3.replace(EBS, "efs.csi.aws.com")
    assert plan_of(M5, efs, stateful(60)).totals.nodes == 1


def test_the_data_disks_of_an_azure_size_are_limited_too() -> None:
    """A size of eight vCPUs takes sixteen."""
    # VL-5
    disk = GP3.replace(EBS, "disk.csi.azure.com")
    planned = azure_manifests.plan_of(azure_manifests.pool(azure_manifests.D8), disk, stateful(20))
    assert [node.instance_type for node in planned.nodes] == ["Standard_D8_v4"] * 2
    assert sorted(n["statefulset/db"] for n in pods_on(planned)) == [4, 16]


def test_the_nodes_of_a_plan_attach_no_more_once_they_run() -> None:
    """The cluster that a plan describes has its limits, so consolidation does not undo it."""
    # S-64, VL-6
    inputs = inputs_of(M5, GP3, stateful(60))
    nodes = with_plan(inputs, plan(inputs), 0).cluster.nodes
    assert [(n.attach_limits, len(n.attached)) for n in nodes] == [({EBS: 26}, 26), ({EBS: 26}, 26), ({EBS: 26}, 8)]


def test_pods_of_higher_priority_attach_theirs_first() -> None:
    """The kube-scheduler takes them first, whatever their order in the input."""
    # VL-6
    batches = [PodBatch("low", Pod(priority=0)), PodBatch("high", Pod(priority=5))]
    own = PodVolumes(own=((EBS, 1),))
    assert attachable({0: 3, 1: 3}, batches, {0: own, 1: own}, {EBS: 4}) == {0: 1, 1: 3}


@examples(3)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 4), st.sets(st.sampled_from("abc"))), min_size=1, max_size=4),
    st.integers(0, 8),
)
def test_no_node_attaches_more_than_its_limit_and_none_less_than_it_could(
    pods: list[tuple[int, int, set[str]]], limit: int
) -> None:
    """What is held back of the first batch would exceed the limit; all that is bound keeps it."""
    # S-64, S-65, VL-6
    batches = [PodBatch(str(n), Pod()) for n in range(len(pods))]
    volumes = {
        n: PodVolumes(attached=frozenset((EBS, name) for name in shared), own=((EBS, each),) if each else ())
        for n, (_, each, shared) in enumerate(pods)
    }
    fitting = attachable({n: count for n, (count, _, _) in enumerate(pods)}, batches, volumes, {EBS: limit})
    shared = frozenset().union(*(volumes[n].attached for n in fitting))
    used = len(shared) + sum(count * pods[n][1] for n, count in fitting.items())
    assert used <= limit
    count, each, names = pods[0]
    left = limit - len(names)
    could = count if not each else min(count, left // each)
    assert fitting.get(0, 0) == (could if left >= 0 else 0)


@examples(0.6)
@given(st.integers(1, 90), st.integers(1, 5))
def test_volumes_alone_decide_how_many_nodes_pods_need_that_request_little(replicas: int, each: int) -> None:
    """As many pods a node as their volumes fit into its limit."""
    # VL-6
    planned = plan_of(M5, GP3, stateful(replicas, volumes=each))
    assert planned.totals.nodes == math.ceil(replicas / (26 // each))
    assert planned.totals.pods == replicas
