"""The workloads of the seed scenarios, from their own manifests."""

from __future__ import annotations

import re

import pytest

from cutlist.core.errors import InputError
from cutlist.core.quantity import MEBI, NANO
from cutlist.core.taints import Toleration
from cutlist.workloads.read import Workloads
from tests.recorded import SCENARIOS
from tests.unit.workloads.reading import only


def seed(folder: str, *files: str) -> Workloads:
    return Workloads.read(*(SCENARIOS / folder / file for file in files))


def test_a_deployment_with_a_cpu_request():
    """Thirty pods of one cpu are one group of thirty."""
    # K-131
    group = only(seed("r3-karpenter-on-eks", "manifests/14-run1-deployment-inflate-30.yaml"))
    assert (group.count, group.pod.requests) == (30, {"cpu": NANO, "pods": NANO})


def test_a_deployment_with_a_memory_request_only():
    """No cpu is asked for, and none is made up."""
    # K-132 K-138 K-145
    group = only(seed("r2-eks-workshop", "manifests/05-deployment-inflate-5.yaml"))
    assert (group.workload, group.count) == ("other/deployment/inflate", 5)
    assert group.pod.requests == {"memory": 1024 * MEBI, "pods": NANO}
    assert group.pod.node_selector == {"type": "karpenter"}


def test_a_deployment_with_cpu_and_memory():
    """1.5Gi is 1536Mi."""
    # K-133
    group = only(seed("r3-karpenter-on-eks", "manifests/22-run2-deployment-inflate-5.yaml"))
    assert group.pod.requests == {"cpu": NANO, "memory": 1536 * MEBI, "pods": NANO}


def test_what_only_matters_to_a_kubelet_is_read_and_changes_nothing(tmp_path):
    """Pull policy and container ports are not mistakes, and a pod with them is like one without."""
    # K-146
    written = (SCENARIOS / "r1-eks-auto-mode/manifests/08-deployment-nginx-spot.yaml").read_text()
    without = re.sub(r"\n +imagePullPolicy: Always|\n +ports:\n +- containerPort: 80", "", written)
    (tmp_path / "without.yaml").write_text(without)
    assert len(without) < len(written) - 50
    group = only(seed("r1-eks-auto-mode", "manifests/08-deployment-nginx-spot.yaml"))
    assert group.pod == only(Workloads.read(tmp_path / "without.yaml")).pod
    assert group.pod.host_ports == frozenset()


@pytest.mark.parametrize(
    ("folder", "file"),
    [
        ("r2-eks-workshop", "manifests/04-deployment-inflate-0.yaml"),
        ("r3-karpenter-on-eks", "manifests/12-run1-deployment-inflate-0.yaml"),
    ],
)
def test_replicas_zero(folder: str, file: str):
    """A workload without pods."""
    # K-134
    assert only(seed(folder, file)).count == 0


def test_a_single_pod_without_requests():
    """It still takes a place among the pods of a node."""
    # K-135 K-136
    group = only(seed("r5-aks-nap", "manifests/04-pod-test.yaml"))
    assert (group.workload, group.count, group.pod.requests) == ("pod/test", 1, {"pods": NANO})


def test_the_kustomize_folder():
    """Its kustomization names the Deployment with no replicas; the other files of the folder are left out."""
    # K-137
    workloads = seed("r2-eks-workshop", "manifests")
    assert only(workloads).count == 0
    assert [note.code for note in workloads.notes] == ["kustomization", "no-replicas"]


def test_node_selectors():
    """On a NodePool, a capacity type, and an instance label."""
    # K-139 K-140 K-141
    auto = seed("r1-eks-auto-mode", "manifests/08-deployment-nginx-spot.yaml")
    assert only(auto).pod.node_selector["karpenter.sh/capacity-type"] == "spot"
    assert (
        "karpenter.sh/nodepool" in only(seed("r1-eks-auto-mode", "manifests/04-deployment-sample-app.yaml")).pod.node_selector
    )
    assert only(seed("r5-aks-nap", "manifests/07-pod-test-comp.yaml")).pod.node_selector == {
        "karpenter.azure.com/sku-memory": "131072"
    }


def test_a_toleration_for_critical_add_ons():
    """Exists, on the key alone."""
    # K-143
    group = only(seed("r1-eks-auto-mode", "manifests/04-deployment-sample-app.yaml"))
    assert Toleration("CriticalAddonsOnly", "Exists") in group.pod.tolerations


def test_daemon_sets():
    """Four of them ask for 150m together."""
    # K-148
    daemons = seed("r3-karpenter-on-eks", "manifests/daemonsets.yaml").daemons
    assert len(daemons) == 4
    assert sum(d.pod.requests.get("cpu", 0) for d in daemons) == 150 * NANO // 1000


def test_pods_of_live_nodes_are_bound():
    """The nodes of the managed group with what runs on them; nothing of it needs a place."""
    # K-147
    workloads = seed("r3-karpenter-on-eks", "live/system-nodes.yaml", "manifests/daemonsets.yaml")
    assert not workloads.groups
    assert len(workloads.bound) == 12
    assert not workloads.notes


def test_an_annotation_must_be_text():
    """A bare `true` is refused with the quoted form."""
    with pytest.raises(InputError, match='do-not-disrupt: true is not text; did you mean "true"'):
        seed("r4-legacy-api", "manifests/61b-deployment-do-not-disrupt-bare.yaml")
    quoted = seed("r4-legacy-api", "manifests/61-deployment-do-not-disrupt.yaml")
    assert only(quoted).annotations == {"karpenter.sh/do-not-disrupt": "true"}
