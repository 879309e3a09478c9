"""Plans on top of what a cluster holds already."""

from __future__ import annotations

from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

LARGE = f"[{ON_DEMAND}, {TYPES.format('m5.2xlarge')}]"

STORAGE = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: {storageClassName: gp3, volumeName: pv-1, accessModes: [ReadWriteOnce]}
status: {phase: Bound}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1}
spec:
  csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}
  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions: [{key: topology.ebs.csi.aws.com/zone, operator: In, values: [us-west-2c]}]
"""


def node(name: str = "node-a", cpu: str = "4", extra: str = "", zone: str = "us-west-2a") -> str:
    return f"""
apiVersion: v1
kind: Node
metadata:
  name: {name}
  labels: {{kubernetes.io/hostname: {name}, topology.kubernetes.io/zone: {zone}, kubernetes.io/arch: amd64}}
spec: {{{extra}}}
status:
  capacity: {{cpu: "{cpu}", memory: 16Gi, pods: "58"}}
  allocatable: {{cpu: "{cpu}", memory: 16Gi, pods: "58"}}
"""


def running(name: str, node_name: str, cpu: str = "1") -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, labels: {{app: old}}}}
spec:
  nodeName: {node_name}
  containers: [{{name: main, image: img, resources: {{requests: {{cpu: "{cpu}"}}}}}}]
status: {{phase: Running}}
"""


def removed_node() -> tuple[str, str]:
    """A NodeClaim that is being deleted, and its node."""
    claim = """
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata:
  name: general-a
  deletionTimestamp: "2026-01-05T12:00:00Z"
  labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: m5.xlarge}
spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}, requirements: []}
status: {providerID: "aws:///us-west-2a/i-a"}
"""
    labels = "labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: m5.xlarge, "
    return claim, node(extra='providerID: "aws:///us-west-2a/i-a"').replace("labels: {", labels)


def test_pods_go_to_nodes_that_exist_before_new_ones_are_opened() -> None:
    """What fits on a node stays off the bill."""
    # S-49, K-147
    planned = plan_of(pool(requirements=LARGE), node(), running("old", "node-a"), deployment(replicas=4))
    ((filled,), (new,)) = planned.existing, planned.nodes
    assert (filled.name, [(s.workload, s.count) for s in filled.pods]) == ("node-a", [("deployment/web", 3)])
    assert sum(s.count for s in new.pods) == 1
    assert planned.totals.pods == 4


def test_a_tainted_node_takes_nobody_who_does_not_tolerate_it() -> None:
    """Nodes outside of Karpenter keep their taints."""
    # S-58
    planned = plan_of(pool(requirements=LARGE), node(extra="taints: [{key: a, effect: NoSchedule}]"), deployment())
    assert not planned.existing


# K-176
def test_a_node_that_is_being_deleted_is_no_room() -> None:
    """It takes no pod, though it would have room; the pod that runs on it gets a new node as well."""
    planned = plan_of(pool(requirements=LARGE), *removed_node(), running("old", "node-a"), deployment(replicas=2))
    assert planned.existing == ()
    assert {(s.workload, s.count) for n in planned.nodes for s in n.pods} == {("deployment/web", 2), ("pod/old", 1)}


def test_volumes_keep_pods_in_their_zone() -> None:
    """A bound claim's zone narrows the node, and nothing is assumed about it."""
    # S-116
    user = deployment(extra="volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]")
    planned = plan_of(pool(requirements=LARGE), STORAGE, user)
    assert planned.nodes[0].zones == ("us-west-2c",)
    assert not {"volume-claims", "storage-classes"} & {n.code for n in planned.assumptions}


def test_a_pod_of_a_node_that_is_removed_follows_its_volume() -> None:
    """It is placed again in the zone of its bound claim, as Karpenter does."""
    user = running("old", "node-a").replace(
        "spec:", "spec:\n  volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]", 1
    )
    planned = plan_of(pool(requirements=LARGE), STORAGE, *removed_node(), user)
    assert planned.nodes[0].zones == ("us-west-2c",)


def test_a_claim_that_is_not_in_the_input_is_assumed_and_named() -> None:
    """Files rarely hold the cluster's storage: the plan says what it takes for granted."""
    planned = plan_of(
        pool(requirements=LARGE), deployment(extra="volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]")
    )
    assert not planned.pending
    assert any(n.code == "volume-claims" and "default/data" in n.text for n in planned.assumptions)


def test_a_snapshot_is_read_before_it_is_planned_on() -> None:
    """A malformed amount of a node is reported with its path."""
    import pytest

    from cutlist.core.errors import InputError

    with pytest.raises(InputError, match=r"status\.capacity\.cpu"):
        inputs_of(pool(), node(cpu="4 cores"))
    with pytest.raises(InputError, match=r"metadata: is missing"):
        inputs_of(pool(), "{apiVersion: karpenter.sh/v1, kind: NodeClaim}")
