"""What AKS itself runs on every node: assumed where the input has none of it, which is noted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.quantity import MEBI, MILLI, merge
from cutlist.planning.azure.daemons import own_daemons, with_own_daemons
from cutlist.planning.azure.figures import AksFigures
from cutlist.providers.azure.settings import AzureSettings
from cutlist.workloads.read import Workloads
from tests.unit.planning import manifests
from tests.unit.planning.azure_manifests import D8, codes, daemon, plan_of, pool, text_of, the_node
from tests.unit.planning.manifests import deployment

CODE = "aks-daemonsets"
LABELLED = "{kubernetes.azure.com/ebpf-dataplane: cilium}"
SETTINGS = st.builds(
    AzureSettings,
    network_plugin=st.sampled_from(["azure", "none"]),
    network_plugin_mode=st.sampled_from(["overlay", ""]),
    network_dataplane=st.sampled_from(["cilium", "azure"]),
)


def taken(labels: str = "{}", reported: dict[str, Any] | None = None, region: str = "japaneast") -> tuple[int, int]:
    """Milli-cores and MiB of a node beside its one pod of 1 core and 1 GiB."""
    requests = the_node(plan_of(pool(D8, labels=labels), deployment(cpu="1"), reported=reported, region=region)).requests
    return requests["cpu"] // MILLI - 1000, requests["memory"] // MEBI - 1024


def test_a_plan_without_any_daemonset_counts_those_of_aks():
    """Room for them is kept on each node, and the plan says which they are, what they take, and how to say otherwise."""
    planned = plan_of(pool(D8), deployment(cpu="1"))
    assert taken() == (250, 470)
    said = text_of(planned.assumptions, CODE)
    for part in ("azure-cns", "csi-azurefile-node", "AKS 1.30 to 1.32", "at most 250m and 570Mi", "aks.daemonSets: given"):
        assert part in said
    assert "no-daemonsets" not in codes(planned.assumptions)


def test_cilium_counts_for_nodepools_with_its_label_alone():  # Z-36
    """As in Karpenter, which looks at the template and not at what the node will carry."""
    assert taken(LABELLED) == (250, 570)


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ({"networkDataplane": "azure"}, (350, 470)),
        ({"networkDataplane": "azure", "networkPluginMode": ""}, (310, 220)),
        ({"networkPlugin": "none", "networkPluginMode": ""}, (210, 170)),
    ],
)
def test_the_network_decides_which_they_are(network, expected):
    """Without Cilium there is a kube-proxy; only an overlay hands out addresses by an agent; a CNI of one's own has neither."""
    assert taken(LABELLED, network) == expected


def test_one_of_them_in_the_input_stands_for_all():
    """A snapshot has them all, and nothing is added to what a cluster really runs."""
    planned = plan_of(pool(D8), deployment(cpu="1"), daemon("200m"))
    assert the_node(planned).requests["cpu"] == 1200 * MILLI
    assert CODE not in codes(planned.assumptions)


def test_a_cilium_of_one_s_own_is_none_of_them():
    """With a CNI that is brought along AKS has none, whatever the name."""
    mine = daemon("200m").replace("cloud-node-manager", "cilium")
    planned = plan_of(pool(D8), deployment(cpu="1"), mine, reported={"networkPlugin": "none", "networkPluginMode": ""})
    assert the_node(planned).requests["cpu"] == 1410 * MILLI
    assert CODE in codes(planned.assumptions)


def test_a_daemonset_of_one_s_own_comes_on_top():
    mine = daemon("200m").replace("cloud-node-manager", "mine")
    planned = plan_of(pool(D8), deployment(cpu="1"), mine)
    assert the_node(planned).requests["cpu"] == 1450 * MILLI
    assert CODE in codes(planned.assumptions)


def test_a_user_may_say_that_all_are_given():
    """The old warning is back then: nothing takes room."""
    planned = plan_of(pool(D8), deployment(cpu="1"), reported={"daemonSets": "given"})
    assert the_node(planned).requests["cpu"] == 1000 * MILLI
    assert CODE not in codes(planned.assumptions)
    assert "no-daemonsets" in codes(planned.assumptions)


def test_they_run_whatever_the_taints():
    tainted = pool(D8, extra="taints: [{key: a, effect: NoSchedule}]")
    node = the_node(plan_of(tainted, deployment(cpu="1", extra="tolerations: [{operator: Exists}]")))
    assert node.requests["cpu"] == 1250 * MILLI


def test_no_cluster_of_another_cloud_has_them():
    assert CODE not in codes(manifests.plan_of(manifests.pool(), deployment()).assumptions)


@given(SETTINGS)
def test_every_network_has_the_same_core_and_one_proxy_of_services(settings):
    names = [one.name for one in own_daemons(settings)]
    assert names == sorted(set(names))
    assert {"cloud-node-manager", "csi-azuredisk-node", "csi-azurefile-node"} <= set(names)
    assert len({"cilium", "kube-proxy"} & set(names)) == 1


@given(SETTINGS)
def test_adding_them_twice_is_adding_them_once(settings):
    figures = AksFigures(settings)
    once = with_own_daemons(Workloads(), figures)
    assert with_own_daemons(once, figures) == once
    assert merge(*(d.pod.requests for d in once.daemons))["pods"] == len(once.daemons) * 10**9
