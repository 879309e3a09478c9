"""Limits of NodePools inside a pass: a claim reserves the largest machine it may become (spec 5.6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.bits import bits
from cutlist.core.quantity import amounts
from cutlist.core.taints import HostPort
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.refusals import LimitsExceeded, NodesExhausted, joined
from cutlist.scheduling.requirement_space import EMPTY
from tests.examples import examples
from tests.unit.scheduling.builders import EIGHT, MACHINES, REGISTRY, TWO, machine, names, only, pending, pod, pool, run


def test_a_claim_reserves_its_largest_type():
    """Under 10 cpus the first claim keeps all types and reserves 8, so the second may be the 2-cpu type only."""
    # S-67
    apart = pod(host_ports=frozenset((HostPort("0.0.0.0", 80, "TCP"),)))  # noqa: S104
    first, second = run((apart, 2), pools=[pool(limits={"cpu": 10})]).claims
    assert (names(first), names(second)) == (["two", "four", "eight"], ["two"])


def test_pods_beyond_the_limit_stay_pending():
    """When no type is small enough any longer, the rest waits, and the pool says which limit it met."""
    # S-67
    result = run((pod("8"), 3), pools=[pool(limits={"cpu": 17})])
    assert (len(result.claims), pending(result)) == (2, 1)
    ((_, refusal),) = result.unplaced[0].refusals
    assert isinstance(refusal, LimitsExceeded)
    assert refusal.remaining == amounts({"cpu": "1"})


def template(**remaining: str) -> NodeClaimTemplate:
    """A template of the three machines whose limits leave so much."""
    table = InstanceTypeIndex(MACHINES, REGISTRY.well_known)
    return NodeClaimTemplate(0, pool(), table, table.everything, EMPTY, remaining=amounts(remaining))


@pytest.mark.parametrize(
    ("left", "types"), [("-1", []), ("0", []), ("2", ["two"]), ("7999m", ["two", "four"]), ("8", ["two", "four", "eight"])]
)
def test_the_remainder_of_a_limit_bounds_the_types(left: str, types: list[str]):
    """A remainder below zero is smaller than any type, as use above the limit leaves it."""
    # S-67, S-68
    mask = template(cpu=left).within_limits()
    assert [MACHINES[i].name for i in bits(mask)] == types


def test_what_a_claim_may_become_is_spent():
    """The largest machine of those a claim has is taken off the limits."""
    # S-67
    pool_of_ten = template(cpu="10", memory="100Gi")
    pool_of_ten.spend(0b011)
    assert pool_of_ten.remaining == amounts({"cpu": "6", "memory": "84Gi"})


@given(
    st.fixed_dictionaries({}, optional={"cpu": st.integers(1, 90), "memory": st.integers(1, 200).map("{}Gi".format)}),
    st.lists(st.tuples(st.sampled_from(["500m", "1", "3", "7"]), st.integers(1, 40)), min_size=1, max_size=3),
)
@examples(0.5)
def test_claims_that_open_together_are_those_that_open_one_by_one(limits, batches):
    """As many open at once as find the same types within the limits."""
    # S-67

    def claims() -> list[tuple[list[str], dict[int, int]]]:
        return [
            (names(of), dict(of.pods)) for of in run(*((pod(cpu), n) for cpu, n in batches), pools=[pool(limits=limits)]).claims
        ]

    together = claims()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NodeClaimTemplate, "equal_claims", lambda *_: 1)
        assert claims() == together


def test_a_limit_for_a_billion_pods_opens_equal_claims_at_once(monkeypatch):
    # S-67
    opened = []
    spend = NodeClaimTemplate.spend
    monkeypatch.setattr(NodeClaimTemplate, "spend", lambda of, *spent: opened.append(spent) or spend(of, *spent))
    result = run((pod("1"), 10**9), pools=[pool(limits={"cpu": 8 * 10**6 + 6})])
    assert (len(result.claims), pending(result)) == (10**6 + 2, 10**9 - 8 * 10**6 - 6)
    assert len(opened) < 5


def test_no_nodes_left_blocks():
    """A limit of nodes that is used up refuses a pod."""
    # S-69
    ((_, refusal),) = run(pod(), pools=[pool(limits={"nodes": 0})]).unplaced[0].refusals
    assert isinstance(refusal, NodesExhausted)


def test_the_text_on_a_limit_names_its_pool():
    """As Karpenter's errors do, pool by pool."""
    # S-67, S-69
    pools = [pool("a", limits={"nodes": 0}), pool("b", limits={"cpu": 1})]
    (unplaced,) = run(pod("2"), pools=pools).unplaced
    assert joined(unplaced.refusals) == (
        "all available instance types exceed limits for nodepool (NodePool=b); "
        "node limits have been exhausted for nodepool (NodePool=a)"
    )


@pytest.mark.parametrize(("left", "blocks"), [("0", True), ("1", False), ("-1", False)])
def test_only_a_remainder_of_no_nodes_blocks(left: str, blocks: bool):
    """Exactly none left blocks, fewer than none does not."""
    # S-69
    assert template(nodes=left).exhausted is blocks


def test_one_node_left_does_not_stop_two_claims_of_a_pass():
    """The limit of nodes is not counted down inside a pass."""
    # S-69
    assert len(run((pod("8"), 2), pools=[pool(limits={"nodes": 1})]).claims) == 2


def test_a_limit_of_a_resource_that_a_type_lacks_does_not_block_it():
    """A limit on GPUs does not concern machines without."""
    # S-70
    gpu = machine("gpu", 2, capacity={"example.com/gpu": "4"})
    assert names(only(run(pod(), types=[TWO, gpu, EIGHT], pools=[pool(limits={"example.com/gpu": 1})]))) == ["two", "eight"]


def test_limits_count_capacity_and_not_what_pods_may_use():
    """What the system keeps for itself counts as well."""
    # S-67
    reserving = machine("two", 2, overhead={"cpu": "500m"})
    assert run(pod(), types=[reserving], pools=[pool(limits={"cpu": "1900m"})]).claims == ()


def test_another_pool_takes_what_the_limit_refuses():
    """A pool at its limit gives way to the next."""
    # S-67
    assert only(run(pod("8"), pools=[pool("b", limits={"cpu": 4}), pool("a")])).node_pool == "a"
