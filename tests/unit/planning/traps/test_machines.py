"""Tests of architectures, numbers of pods, resources and zones that the NodePools do not have for the pods of the input."""

from __future__ import annotations

import re
from pathlib import Path

from cutlist.planning.traps.architectures import NOT_CHOSEN, NOWHERE, OTHER_LIST
from cutlist.planning.traps.pod_limits import FULL_OF_PODS, NO_PODS_LEFT, NOT_OFFERED
from cutlist.planning.traps.volume_zones import NO_NODE_THERE
from tests.unit.planning.manifests import NODE_CLASS, TYPES
from tests.unit.planning.traps.inputs import AMD64, M5, deployment, planned, pool, requirement, validated

BOTH = requirement("karpenter.k8s.aws/instance-category", "c", "m", "r")
FAMILY = "karpenter.k8s.aws/instance-family"
ARM_PODS = "nodeSelector: {kubernetes.io/arch: arm64}"
AMD_PODS = "nodeSelector: {kubernetes.io/arch: amd64}"


def test_a_nodepool_that_launches_either_architecture_names_the_pods_that_choose_none(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, pool(requirements=f"[{BOTH}]"), deployment(), deployment("api", spec=AMD_PODS))[NOT_CHOSEN]
    assert "launches arm64 as well as amd64, and deployment/web does not say which one" in said
    assert "add {key: kubernetes.io/arch, operator: In, values: [amd64]}" in said


def test_a_nodepool_is_no_trap_if_it_or_every_pod_chooses_an_architecture(tmp_path: Path) -> None:
    both = requirement("kubernetes.io/arch", "amd64", "arm64")
    assert NOT_CHOSEN not in validated(tmp_path, pool(requirements=f"[{BOTH}, {both}]"), deployment())
    assert NOT_CHOSEN not in validated(tmp_path, pool(requirements=f"[{BOTH}]"), deployment(spec=AMD_PODS))
    assert NOT_CHOSEN not in validated(tmp_path, pool(requirements=f"[{M5}]"), deployment())


def test_pods_that_a_taint_keeps_out_do_not_make_a_trap(tmp_path: Path) -> None:
    tainted = pool(requirements=f"[{BOTH}]", extra="taints: [{key: arm, effect: NoSchedule}]")
    assert NOT_CHOSEN not in validated(tmp_path, tainted, pool("other", f"[{M5}]"), deployment())


def test_a_listed_family_of_the_other_architecture_is_named(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, pool(requirements=f"[{AMD64}, {requirement(FAMILY, 'm7g', 'm7i')}]"))[OTHER_LIST]
    assert f"{FAMILY} m7g has arm64 alone" in said
    assert "so it never launches these" in said


def test_a_list_of_only_the_other_architecture_launches_nothing(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, pool(requirements=f"[{AMD64}, {TYPES.format('m7g.large, c7g.large')}]"))[OTHER_LIST]
    assert "have arm64 alone" in said
    assert "so it launches nothing" in said


def test_pods_that_want_an_architecture_that_no_nodepool_has_are_named(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, pool(requirements=f"[{requirement(FAMILY, 'm7g')}]"), deployment(spec=AMD_PODS))[NOWHERE]
    assert "deployment/web" in said
    assert "what NodePool general allows has arm64 alone" in said
    assert NOWHERE not in validated(tmp_path, pool(requirements=f"[{requirement(FAMILY, 'm7g')}]"), deployment(spec=ARM_PODS))


def with_kubelet(text: str) -> str:
    return NODE_CLASS.replace("metadata: {name: default}", "metadata: {name: own}") + f"  kubelet: {text}\n"


def own_pool(requirements: str) -> str:
    return pool(requirements=requirements).replace("name: default}", "name: own}")


def test_nodes_that_the_number_of_pods_fills_while_they_idle_name_the_limit(tmp_path: Path) -> None:
    small = deployment(requests="{cpu: 50m, memory: 64Mi}", replicas=40)
    crowded = (with_kubelet("{maxPods: 8}"), own_pool(f"[{TYPES.format('m5.4xlarge')}]"), small)
    (said,) = planned(tmp_path, *crowded)[FULL_OF_PODS]
    assert said.startswith("NodePool general: 5 nodes are full with 8 pods while at most 3% of their cpu and memory")
    assert "raise spec.kubelet.maxPods 8" in said


def test_nodes_that_are_full_of_cpu_too_are_no_trap(tmp_path: Path) -> None:
    busy = deployment(requests="{cpu: 1500m, memory: 1Gi}", replicas=40)
    crowded = (with_kubelet("{maxPods: 8}"), own_pool(f"[{TYPES.format('m5.4xlarge')}]"), busy)
    assert FULL_OF_PODS not in planned(tmp_path, *crowded)


def daemon(name: str) -> str:
    return deployment(name).replace("Deployment", "DaemonSet").replace("  replicas: 2\n", "")


def test_a_number_of_pods_that_daemonsets_use_up_is_named(tmp_path: Path) -> None:
    crowded = (with_kubelet("{maxPods: 2}"), own_pool(f"[{M5}]"), daemon("logs"), daemon("proxy"), deployment())
    (said,) = validated(tmp_path, *crowded)[NO_PODS_LEFT]
    assert "EC2NodeClass own: spec.kubelet.maxPods 2" in said
    assert "raise it above 2" in said


def test_pods_that_ask_for_an_interface_that_no_allowed_type_has_are_named(tmp_path: Path) -> None:
    eni = deployment(requests='{cpu: 1, memory: 1Gi, vpc.amazonaws.com/pod-eni: "1"}')
    eni = eni.replace("requests:", 'limits: {vpc.amazonaws.com/pod-eni: "1"}, requests:')
    (said,) = validated(tmp_path, pool(requirements=f"[{TYPES.format('t3.large')}]"), eni)[NOT_OFFERED]
    assert said.startswith("deployment/web asks for 1 vpc.amazonaws.com/pod-eni; instance types of NodePool general have none")
    efa = eni.replace("pod-eni", "efa")
    (of_efa,) = validated(tmp_path, pool(requirements=f"[{TYPES.format('m5.large')}]"), efa)[NOT_OFFERED]
    assert re.search("such as (c|m|r|hpc)[0-9][a-z]+[.]", of_efa)  # p5.4xlarge has fewer cores, and a GPU
    assert NOT_OFFERED not in validated(tmp_path, pool(requirements=f"[{TYPES.format('m5.large')}]"), eni)


VOLUME = """
apiVersion: v1
kind: PersistentVolume
metadata: {name: data}
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: gp3
  csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2c]}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], storageClassName: gp3, volumeName: data, resources: {requests: {storage: 10Gi}}}
"""
USES = "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"


def test_a_volume_in_a_zone_without_nodes_is_named_with_the_zones_that_have_some(tmp_path: Path) -> None:
    elsewhere = pool(requirements=f"[{M5}, {requirement('topology.kubernetes.io/zone', 'us-west-2a', 'us-west-2b')}]")
    expected = "deployment/web uses PersistentVolume data in us-west-2c, where NodePool general launches no node"
    for said in (validated, planned):
        (text,) = said(tmp_path, elsewhere, VOLUME, deployment(spec=USES))[NO_NODE_THERE]
        assert text.startswith(f"{expected} (us-west-2a, us-west-2b)")


def test_the_subnets_of_a_class_decide_where_its_nodes_are(tmp_path: Path) -> None:
    subnets = "status: {subnets: [{id: subnet-1, zone: us-west-2a, zoneID: usw2-az1}]}\n"
    of_class = (with_kubelet("{maxPods: 50}") + subnets, own_pool(f"[{M5}]"), VOLUME, deployment(spec=USES))
    (said,) = validated(tmp_path, *of_class)[NO_NODE_THERE]
    assert said.startswith(
        "deployment/web uses PersistentVolume data in us-west-2c, where NodePool general launches no node (us-west-2a)"
    )


def test_a_volume_in_a_zone_with_nodes_is_no_trap(tmp_path: Path) -> None:
    here = pool(requirements=f"[{M5}, {requirement('topology.kubernetes.io/zone', 'us-west-2c')}]")
    assert NO_NODE_THERE not in validated(tmp_path, here, VOLUME, deployment(spec=USES))
    assert NO_NODE_THERE not in validated(tmp_path, pool(requirements=f"[{M5}]"), VOLUME, deployment(spec=USES))


def test_a_class_of_volumes_whose_topology_no_nodepool_has_is_named(tmp_path: Path) -> None:
    storage_class = """
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: gp3}
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [us-west-2d]}]}]
"""
    claim = VOLUME.partition("---")[2].replace(", volumeName: data", "")
    here = pool(requirements=f"[{M5}, {requirement('topology.kubernetes.io/zone', 'us-west-2a')}]")
    (said,) = validated(tmp_path, here, storage_class, claim, deployment(spec=USES))[NO_NODE_THERE]
    assert said.startswith("deployment/web uses StorageClass gp3 in us-west-2d")


def test_a_plan_says_once_that_daemonsets_use_up_the_number_of_pods(tmp_path: Path) -> None:
    crowded = (with_kubelet("{maxPods: 1}"), own_pool(f"[{M5}]"), daemon("logs"), daemon("proxy"), deployment())
    said = planned(tmp_path, *crowded)
    assert len(said[NO_PODS_LEFT]) == 1
    assert "no-room-for-daemons" not in said
