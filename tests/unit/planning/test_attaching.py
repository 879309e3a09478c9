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
    assert "3: 34 pods waited because of the volumes that a node attaches" in render_plan(planned)
    assert "Launched in 3 rounds: 34 pods waited because of the volumes that a node attaches" in plan_markdown(planned)
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


def spread(planned: Plan) -> list[int]:
    """How many pods of the StatefulSet each node has, the most first."""
    return sorted((pods["statefulset/db"] for pods in pods_on(planned)), reverse=True)


ADD_ON = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: demo, region: us-west-2}
addons: [{name: aws-ebs-csi-driver, configurationValues: '{"node": {"volumeAttachLimit": 10}}'}]
"""
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ebs, namespace: kube-system}
spec:
  chart: {spec: {chart: aws-ebs-csi-driver}}
  values: {node: {reservedVolumeAttachments: 7}}
"""
ACK = """
apiVersion: eks.services.k8s.aws/v1alpha1
kind: Addon
metadata: {name: ebs}
spec: {name: aws-ebs-csi-driver, configurationValues: "node:\\n  volumeAttachLimit: 12\\n"}
"""
FIGURES = """
apiVersion: cutlist/v1
kind: Figures
volumes: {attachLimit: 15}
"""


def driver(arguments: str, name: str = "ebs-csi-node", extra: str = "", container: str = "ebs-plugin") -> str:
    """The DaemonSet of a CSI driver with some arguments."""
    return f"""
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: {name}, namespace: kube-system}}
spec:
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{{extra}containers: [{{name: {container}, image: x, args: [node, {arguments}]}}]}}
"""


@pytest.mark.parametrize(
    ("written", "limit"),
    [
        (driver("--volume-attach-limit=20"), 20),
        (driver("--volume-attach-limit, '20'"), 20),
        (driver("--reserved-volume-attachments=3"), 24),
        (driver("--volume-attach-limit=-1"), 26),
        (ADD_ON, 10),
        (RELEASE, 20),
        (ACK, 12),
        (FIGURES, 15),
        (FIGURES + "---" + driver("--volume-attach-limit=20"), 15),
        (driver("--volume-attach-limit=20", container="other"), 26),
    ],
)
def test_what_the_installation_sets_wins_over_the_table(written: str, limit: int) -> None:
    """As arguments, as values of a chart, as the configuration of an add-on, or as a figure of one's own."""
    # VL-15
    planned = plan_of(M5, GP3, stateful(27), written)
    assert spread(planned) == [limit] * (27 // limit) + ([27 % limit] if 27 % limit else [])
    assert any(n.code == "attach-setting" for n in planned.assumptions) is (limit != 26)


def test_a_setting_of_some_nodes_counts_there_alone() -> None:
    """A further DaemonSet of the driver selects its nodes."""
    # VL-15
    other = pool("other", requirements=f"[{ON_DEMAND}, {TYPES.format('m5.8xlarge')}]", spec="weight: 50")
    few = driver("--volume-attach-limit=5", "ebs-csi-node-few", "nodeSelector: {karpenter.sh/nodepool: other}, ")
    planned = plan_of(M5, other, GP3, few, stateful(6))
    assert spread(planned) == [5, 1]
    assert spread(plan_of(M5, GP3, few, stateful(6))) == [6]


def test_a_driver_that_does_not_start_with_its_settings_is_a_warning() -> None:
    """EBS' driver refuses both."""
    # VL-15
    planned = plan_of(M5, GP3, stateful(1), driver("--volume-attach-limit=20, --reserved-volume-attachments=2"))
    (text,) = [n.text for n in planned.warnings if n.code == "attach-setting"]
    assert text.startswith("DaemonSet ebs-csi-node (")
    assert text.endswith("does not start with both a limit and reserved places for volumes; the plan follows the limit")
    assert spread(plan_of(M5, GP3, stateful(27), driver("--volume-attach-limit=20, --reserved-volume-attachments=2"))) == [
        20,
        7,
    ]


NODE = """
apiVersion: v1
kind: Node
metadata:
  name: n1
  labels:
    {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: m5.8xlarge, topology.kubernetes.io/zone: us-west-2a}
spec: {providerID: "aws:///us-west-2a/i-1", taints: [{key: full, effect: NoSchedule}]}
status: {capacity: {cpu: "32", memory: 120Gi, pods: "110"}, allocatable: {cpu: "31", memory: 110Gi, pods: "110"}}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n1}
spec: {drivers: [{name: ebs.csi.aws.com, nodeID: i-1, topologyKeys: [], allocatable: {count: 22}}]}
"""


def test_nodes_that_run_say_what_new_ones_of_their_type_attach() -> None:
    """Their CSINode counts interfaces too, which the table does not."""
    # VL-3, VL-16
    assert spread(plan_of(M5, GP3, stateful(27), NODE)) == [22, 5]
    assert spread(plan_of(M5, GP3, stateful(27), NODE, driver("--volume-attach-limit=20"))) == [20, 7]


def test_a_billion_pods_with_volumes_stop_after_the_first_pass():
    """Equal nodes attach the same, and a further pass would look at each of them; the pods that are left are not lost."""
    planned = plan_of(M5, GP3, stateful(10**9))
    assert planned.unfinished.startswith("stopped after 1 round; the next one would look at each of ")
    (waiting,) = planned.pending
    assert sum(node.count * share.count for node in planned.nodes for share in node.pods) + waiting.count == 10**9
    assert waiting.reason == "a further pass may give it a node, but the plan stopped before that"
