"""What of an input shows how pods get addresses, and the subnets that an account has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cutlist.catalog.embedded import load
from cutlist.core.errors import InputError, Problems
from cutlist.documents.document import Document
from cutlist.documents.parsing import parse_documents
from cutlist.planning.pod_network import PodNetwork, pod_network
from cutlist.providers.node_addresses import (
    CUSTOM,
    CUSTOM_PREFIX,
    OVERLAY,
    PREFIX,
    SECONDARY,
    NodeAddresses,
    Warm,
    aws_addresses,
)
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

MACHINES = load("us-west-2").machines
LARGE = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]")
ENI_CONFIG = """
apiVersion: crd.k8s.amazonaws.com/v1alpha1
kind: ENIConfig
metadata: {name: us-west-2a}
spec: {subnet: subnet-pods}
"""


def read(text: str) -> list[Document]:
    problems = Problems()
    documents = list(parse_documents(text, "cluster.yaml", problems))
    problems.raise_if_any()
    return documents


def aws_node(**settings: str) -> str:
    env = json.dumps([{"name": name, "value": value} for name, value in settings.items()])
    return f"""
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: aws-node, namespace: kube-system}}
spec:
  selector: {{matchLabels: {{k8s-app: aws-node}}}}
  template:
    metadata: {{labels: {{k8s-app: aws-node}}}}
    spec: {{containers: [{{name: aws-node, image: x, env: {env}}}]}}
"""


def add_on(**settings: str) -> str:
    values = json.dumps({"env": settings})
    return f"""
apiVersion: eks.services.k8s.aws/v1alpha1
kind: Addon
metadata: {{name: cni}}
spec: {{name: vpc-cni, configurationValues: '{values}'}}
"""


@pytest.mark.parametrize(
    ("text", "mode", "warm"),
    [
        (aws_node(WARM_ENI_TARGET="1", ENABLE_PREFIX_DELEGATION="false"), SECONDARY, Warm()),
        (aws_node(ENABLE_PREFIX_DELEGATION="true", WARM_PREFIX_TARGET="2"), PREFIX, Warm(prefixes=2)),
        (aws_node(AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG="true"), CUSTOM, Warm()),
        (aws_node(AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG="true", ENABLE_PREFIX_DELEGATION="true"), CUSTOM_PREFIX, Warm()),
        (aws_node(ENABLE_IPv6="true", ENABLE_PREFIX_DELEGATION="true"), OVERLAY, Warm()),
        (add_on(WARM_IP_TARGET="2", MINIMUM_IP_TARGET="12"), SECONDARY, Warm(addresses=2, minimum=12)),
        (ENI_CONFIG, CUSTOM, Warm()),
        (
            "{apiVersion: vpcresources.k8s.aws/v1alpha1, kind: CNINode, metadata: {name: n}, "
            "spec: {features: [{name: CustomNetworking}]}}",
            CUSTOM,
            Warm(),
        ),
        (
            "{apiVersion: cilium.io/v2, kind: CiliumNode, metadata: {name: n}, spec: {eni: {instanceType: m5.large}}}",
            SECONDARY,
            Warm(),
        ),
        (
            "{apiVersion: cilium.io/v2, kind: CiliumNode, metadata: {name: n}, spec: {ipam: {podCIDRs: [10.1.0.0/24]}}}",
            OVERLAY,
            Warm(),
        ),
        (aws_node(AWS_VPC_K8S_CNI_LOGLEVEL="DEBUG"), "", Warm()),
    ],
)
def test_the_cluster_shows_how_its_pods_get_addresses(text: str, mode: str, warm: Warm) -> None:
    """Settings of the CNI, objects of custom networking, and what Cilium's nodes have."""
    # AD-10, AD-11
    network = pod_network(read(text), on_azure=False)
    assert (network.mode, network.warm) == (mode, warm)
    assert bool(network.sign) is bool(mode)


@pytest.mark.parametrize(
    ("labels", "spec", "mode"),
    [
        ({"kubernetes.azure.com/podnetwork-type": "overlay"}, {}, OVERLAY),
        ({}, {"podCIDR": "10.244.1.0/24"}, OVERLAY),
        ({}, {}, ""),
    ],
)
def test_nodes_of_aks_show_an_overlay(labels: dict[str, str], spec: dict[str, Any], mode: str) -> None:
    """By their labels, or by a block of pods; nothing follows from a node without either."""
    # AD-10
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": labels}, "spec": spec}
    assert pod_network(read(json.dumps(node)), on_azure=True).mode == mode
    assert pod_network(read(json.dumps(node)), on_azure=False) == PodNetwork()


@pytest.mark.parametrize(
    ("pods", "mode", "warm", "addresses"),
    [
        (3, SECONDARY, Warm(interfaces=0), NodeAddresses(10)),
        (3, SECONDARY, Warm(interfaces=2), NodeAddresses(30)),
        (3, SECONDARY, Warm(addresses=2), NodeAddresses(1 + 5)),
        (3, SECONDARY, Warm(addresses=2, minimum=12), NodeAddresses(2 + 12)),
        (26, SECONDARY, Warm(addresses=9), NodeAddresses(3 + 27)),  # as many as the type has
        (3, PREFIX, Warm(prefixes=0), NodeAddresses(1 + 16)),
        (15, PREFIX, Warm(addresses=5), NodeAddresses(1 + 32)),
        (3, CUSTOM_PREFIX, Warm(), NodeAddresses(1, 1 + 32)),
    ],
)
def test_a_node_takes_what_the_cni_keeps_ready(pods: int, mode: str, warm: Warm, addresses: NodeAddresses) -> None:
    """An m5.large has three interfaces with nine addresses for pods each."""
    # AD-11
    assert aws_addresses(MACHINES["m5.large"], pods, mode, warm) == addresses


def account(*subnets: tuple[str, str, str, int], as_of: str = "2026-11-29") -> str:
    listed = [{"id": id_, "zone": zone, "cidr": cidr, "free": free} for id_, zone, cidr, free in subnets]
    return "\n" + json.dumps({"apiVersion": "cutlist/v1", "kind": "Subnets", "asOf": as_of, "subnets": listed}) + "\n"


def status(*subnets: str) -> str:
    listed = ", ".join(f"{{id: {id_}, zone: us-west-2a, zoneID: usw2-az1}}" for id_ in subnets)
    return f"{NODE_CLASS}status: {{subnets: [{listed}]}}\n"


A, B = ("subnet-a", "us-west-2a", "10.0.0.0/26", 39), ("subnet-b", "us-west-2a", "10.0.1.0/24", 200)
GROWTH = "\n" + json.dumps({"apiVersion": "cutlist/v1", "kind": "Figures", "addresses": {"growth": "10%"}}) + "\n"


def test_a_snapshot_with_subnets_has_a_verdict_and_a_day() -> None:
    """The account's figures count from the day they were read, and growth is the user's."""
    # AD-1, AD-9, AD-12
    made = plan(
        inputs_of(
            LARGE, deployment(replicas=1), account(A), GROWTH, aws_node(WARM_ENI_TARGET="1"), node_class=status("subnet-a")
        )
    )
    (use,) = made.subnets
    assert (use.name, use.used, use.needed, use.verdict, use.full_on[:4]) == ("subnet-a", 20, 20, "fits", "2027")
    assert next(n.text for n in made.assumptions if n.code == "pod-network").startswith(
        "pods get addresses the way that DaemonSet aws-node ("
    )


def test_nodes_take_addresses_of_the_subnets_that_their_class_found() -> None:
    """Not of a larger one in the same zone."""
    # AD-12
    made = plan(inputs_of(LARGE, deployment(replicas=1), account(A, B), node_class=status("subnet-a")))
    assert {use.name: use.needed for use in made.subnets} == {"subnet-a": 20, "subnet-b": 0}


def test_pods_of_custom_networking_take_the_subnets_of_eniconfigs() -> None:
    """The node itself takes one address of its own subnet."""
    # AD-4, AD-12
    pods = ("subnet-pods", "us-west-2a", "100.64.0.0/24", 251)
    made = plan(inputs_of(LARGE, deployment(replicas=1), account(A, pods), ENI_CONFIG, node_class=status("subnet-a")))
    assert {use.name: (use.needed, use.is_for_pods) for use in made.subnets} == {
        "subnet-a": (1, False),
        "subnet-pods": (20, True),
    }


def test_unknown_blocks_are_named_with_how_to_give_them() -> None:
    """A class that found subnets says no more than their ids."""
    # AD-12
    made = plan(inputs_of(LARGE, deployment(replicas=1), node_class=status("subnet-a", "subnet-b")))
    (text,) = [n.text for n in made.assumptions if n.code == "addresses-unknown"]
    assert "subnet-a in us-west-2a" in text
    assert "`cutlist snapshot --subnets`" in text
    assert not [n for n in plan_of(LARGE, deployment(replicas=1)).assumptions if n.code == "addresses-unknown"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (account(("s", "us-west-2a", "10.0.0.0/26", 60)), "60 addresses are free"),
        (account(("s", "us-west-2a", "10.0.0/26", 6)), "is not an address block"),
        (account(A, as_of="2026-13-01"), "'2026-13-01' is not a day"),
        (account(A).replace('"free"', '"fre"'), "fre"),
    ],
)
def test_subnets_that_cannot_be_are_refused(document: str, message: str) -> None:
    """The error names the member."""
    with pytest.raises(InputError, match=message):
        inputs_of(LARGE, deployment(replicas=1), document)
