"""Whether a plan fits the subnets: what nodes take by the CNI's way, and when a subnet is full."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.embedded import load
from cutlist.core.errors import InputError
from cutlist.planning.model import Plan
from cutlist.providers.node_addresses import CUSTOM, OVERLAY, PREFIX, SECONDARY, NodeAddresses, aws_addresses, azure_addresses
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.examples import examples
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, inputs_of, plan_of, pool

MACHINES = load("us-west-2").machines
LARGE = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]")
APART = (
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
    "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}"
)


def subnet(name: str, zone: str, cidr: str, used: int = 0) -> dict[str, Any]:
    return {"name": name, "zone": zone, "cidr": cidr, "used": used}


A, B = subnet("a", "us-west-2a", "10.0.0.0/26", 20), subnet("b", "us-west-2b", "10.0.1.0/26")


def figures(*subnets: dict[str, Any], **more: Any) -> str:
    data = {"apiVersion": "cutlist/v1", "kind": "Figures", "addresses": {"subnets": list(subnets), **more}}
    return f"\n{json.dumps(data)}\n"


def planned(replicas: int, *subnets: dict[str, Any], **more: Any) -> Plan:
    """Nodes of m5.large with a pod each."""
    return plan_of(LARGE, deployment(replicas=replicas, extra=APART), figures(*subnets, **more))


@pytest.mark.parametrize(
    ("pods", "mode", "addresses"),
    [
        (3, SECONDARY, NodeAddresses(20)),  # one interface of ten for the pods, and one that is warm
        (20, SECONDARY, NodeAddresses(30)),  # no more than the three that the type has
        (3, PREFIX, NodeAddresses(1 + 2 * 16)),
        (110, PREFIX, NodeAddresses(1 + 8 * 16)),
        (3, CUSTOM, NodeAddresses(1, 20)),
        (20, CUSTOM, NodeAddresses(1, 20)),
        (20, OVERLAY, NodeAddresses(1)),
    ],
)
def test_a_node_takes_what_its_cni_takes(pods: int, mode: str, addresses: NodeAddresses) -> None:
    """An m5.large has three interfaces with ten addresses each."""
    # AD-2, AD-3, AD-4, AD-5
    assert aws_addresses(MACHINES["m5.large"], pods, mode) == addresses


def test_azure_takes_one_address_or_those_of_all_pods_at_once() -> None:
    """An overlay has addresses of its own; in the subnet of nodes each possible pod has one from the start."""
    # AD-5, AD-6
    assert azure_addresses(250, "overlay") == NodeAddresses(1)
    assert azure_addresses(30, "node-subnet") == NodeAddresses(31)


def test_nodes_are_spread_over_the_zones_with_a_subnet() -> None:
    """Each has a share, and what is in use counts."""
    # AD-1, AD-7
    uses = planned(4, A, B).subnets
    assert [(u.name, u.addresses, u.used, u.needed, u.nodes, u.verdict) for u in uses] == [
        ("a", 59, 20, 39, 2, "does not fit"),
        ("b", 59, 0, 40, 2, "fits"),
    ]
    assert uses[0].missing == 1
    assert uses[1].share == pytest.approx(40 / 59)


def test_of_two_subnets_of_a_zone_the_one_with_more_free_addresses_is_taken() -> None:
    """As EC2 does."""
    # AD-7
    uses = planned(1, A, subnet("wide", "us-west-2a", "10.0.2.0/24")).subnets
    assert [(u.name, u.needed) for u in uses] == [("a", 0), ("wide", 20)]


def test_nodes_without_any_address_are_counted() -> None:
    """However many they are: nobody looks at each. They take turns in the zones, so one has one more."""
    plan = plan_of(pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]", spec="replicas: 1000000001"), figures(A, B))
    a, b = plan.subnets
    assert (a.nodes, b.nodes) == (500_000_001, 500_000_000)
    assert a.needed + a.missing + b.needed + b.missing == 1_000_000_001 * (a.needed + a.missing) // a.nodes


def test_pods_of_custom_networking_take_their_own_subnets() -> None:
    """The node's subnet gives one address a node."""
    # AD-4
    uses = planned(2, B, cni="custom", podSubnets=[subnet("pods", "us-west-2b", "100.64.0.0/24")]).subnets
    assert [(u.name, u.needed, u.is_for_pods) for u in uses] == [("b", 2, False), ("pods", 40, True)]


def test_a_plan_that_does_not_fit_is_a_warning_in_every_form() -> None:
    """The subnet is named, with how many addresses are missing."""
    # AD-1
    made = planned(4, A, B)
    assert [n.text for n in made.warnings if n.code == "addresses"] == ["subnet a has 1 address too few for this plan"]
    assert "the plan does not fit 1 subnet: a" in render_plan(made)
    assert "- subnets: the plan does not fit 1 subnet" in plan_markdown(made)
    assert 'id="subnets"' in plan_html(made)
    assert Plan.from_dict(made.to_dict()) == made


def test_a_subnet_is_full_on_a_day_if_it_grows() -> None:
    """Without a first day it is a number of months."""
    # AD-9
    (use,) = planned(1, B, growth="10%", asOf="2026-11-29").subnets
    assert (use.full_in_months, use.full_on) == (11.4, "2027-11-09")
    (use,) = planned(1, B, growth="10%").subnets
    assert (use.full_in_months, use.full_on) == (11.4, "")
    (use,) = planned(1, B).subnets
    assert use.full_in_months is None


@pytest.mark.parametrize(("cni", "warned"), [("secondary", True), ("custom", True), ("prefix", False), ("overlay", False)])
def test_more_pods_than_addresses_are_a_warning_without_prefixes(cni: str, warned: bool) -> None:
    """A t3.medium has addresses for 17 pods, whatever maxPods says."""
    # AD-8
    small = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('t3.medium')}]")
    node_class = NODE_CLASS + "  kubelet: {maxPods: 110}\n"
    made = plan(inputs_of(small, deployment(replicas=1), figures(cni=cni), node_class=node_class))
    texts = [n.text for n in made.warnings if n.code == "max-pods-addresses"]
    assert bool(texts) is warned
    if warned:
        assert texts[0].startswith(
            "EC2NodeClass default has maxPods 110, and its nodes have addresses for fewer pods: t3.medium 17; "
        )


def test_a_node_class_within_its_addresses_is_not_warned_of() -> None:
    """At the limit, all pods have an address."""
    # AD-8
    small = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('t3.medium')}]")
    made = plan(inputs_of(small, deployment(replicas=1), node_class=NODE_CLASS + "  kubelet: {maxPods: 17}\n"))
    assert "max-pods-addresses" not in {n.code for n in made.warnings}


def test_on_aks_the_network_of_the_cluster_decides() -> None:
    """An overlay takes one address a node."""
    # AD-5
    made = azure_manifests.plan_of(
        azure_manifests.pool(azure_manifests.D8),
        deployment(replicas=1),
        figures({"name": "nodes", "cidr": "10.1.0.0/24"}),
    )
    assert [(u.needed, u.nodes) for u in made.subnets] == [(1, 1)]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"subnets": [{"cidr": "10.0.0.0/99"}]}, "is not an address block"),
        ({"subnets": [{"cidr": "10.0.0.0/24", "zone": "us-west-2x"}]}, "us-west-2 has no zone 'us-west-2x'"),
        (
            {"subnets": [{"cidr": "10.0.0.0/26", "used": 60}]},
            "60 addresses are in use, and 10.0.0.0/26 has 59 for interfaces: the cloud reserves 5",
        ),
        ({"cni": "vlan"}, "'vlan' is unknown"),
        ({"cni": "node-subnet"}, "'node-subnet' is not available in us-west-2"),
        ({"asOf": "2026-02-30"}, "'2026-02-30' is not a day"),
    ],
)
def test_mistakes_are_named_with_their_place(part: dict[str, Any], message: str) -> None:
    """Blocks, zones, numbers, ways and days are checked, each once."""
    document = json.dumps({"apiVersion": "cutlist/v1", "kind": "Figures", "addresses": part})
    with pytest.raises(InputError) as raised:
        inputs_of(LARGE, document)
    assert message in str(raised.value)
    assert len(raised.value.problems) == 1


@examples(2)
@given(st.integers(0, 250), st.sampled_from(["t3.medium", "m5.large", "m5.8xlarge", "c6a.2xlarge"]))
def test_more_pods_never_take_fewer_addresses(pods: int, machine: str) -> None:
    """And never more than the interfaces have."""
    # AD-2, AD-3, AD-4
    known = MACHINES[machine]
    interfaces, each = known.network_cards[known.default_card], known.ipv4_per_interface
    for mode, most in ((SECONDARY, interfaces * each), (PREFIX, interfaces * (1 + 16 * (each - 1)))):
        less, more = aws_addresses(known, pods, mode).node_subnet, aws_addresses(known, pods + 1, mode).node_subnet
        assert 0 < less <= more <= most
    assert aws_addresses(known, pods, SECONDARY).node_subnet >= min(math.ceil(pods / (each - 1)), interfaces) * each
