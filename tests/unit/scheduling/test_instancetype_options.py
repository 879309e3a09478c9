"""The types that a claim lists."""

from __future__ import annotations

import pytest

from cutlist import NodePool
from cutlist.core.labels import CAPACITY_TYPE, ZONE
from cutlist.core.requirements import Requirements
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.instancetype_options import MAX_TYPES, InstanceTypeOptions, InstanceTypeOptionsCache
from cutlist.scheduling.provisioner import prepare
from tests.unit.scheduling.builders import REGISTRY, label, machine, pool


def template(*types):
    """The template of a pool that may launch these."""
    own: NodePool = pool()
    scheduler = prepare(SchedulerInputs([own], {own.name: types}, [], registry=REGISTRY))
    return scheduler.templates[0]


def listed(
    *types, wanted: Requirements | None = None, mask: int | None = None, options: InstanceTypeOptionsCache | None = None
) -> InstanceTypeOptions:
    of = template(*types)
    return (options or InstanceTypeOptionsCache()).of(
        of, wanted or Requirements(), of.instance_types.everything if mask is None else mask
    )


def names(of: InstanceTypeOptions) -> list[str]:
    return [t.name for t in of.types]


def test_the_cheapest_type_comes_first():
    """With its price beside it."""
    # S-119
    options = listed(machine("dear", 2, price=3.0), machine("cheap", 2, price=1.0), machine("mean", 2, price=2.0))
    assert names(options) == ["cheap", "mean", "dear"]
    assert options.prices == (1.0, 2.0, 3.0)


def test_among_equal_prices_the_name_decides():
    """Karpenter leaves it open."""
    assert names(listed(machine("b", 2, price=1.0), machine("a", 2, price=1.0))) == ["a", "b"]


def test_the_price_is_the_cheapest_that_can_be_had_as_wanted():
    """In the zone and capacity type that the claim allows."""
    spot = machine("s", 2, capacity_types={"spot": 0.5, "on-demand": 2.0})
    plain = machine("p", 2, price=1.0)
    assert listed(spot, plain).prices == (0.5, 1.0)
    on_demand = Requirements([label(CAPACITY_TYPE, "on-demand")])
    options = listed(spot, plain, wanted=on_demand)
    assert (names(options), options.prices) == (["p", "s"], (1.0, 2.0))


def test_types_without_a_price_come_last():
    """What is not sold as wanted has none."""
    elsewhere = machine("e", 2, price=0.1, zones=["zone-b"])
    options = listed(elsewhere, machine("p", 2, price=1.0), wanted=Requirements([label(ZONE, "zone-a")]))
    assert (names(options), options.prices) == (["p", "e"], (1.0, None))


def test_only_the_types_of_the_claim_are_listed():
    """Those in its mask."""
    of = [machine(f"t{i}", 2, price=float(i + 1)) for i in range(4)]
    assert names(listed(*of, mask=0b1010)) == ["t1", "t3"]


@pytest.mark.parametrize("tied", [0, 40])
def test_a_claim_lists_so_many_types_and_no_more(tied):
    """The cheapest; where the cut goes through a tie, some of those that tie."""
    # S-120
    prices = [float(i) for i in range(1, MAX_TYPES - tied // 2 + 1)]
    prices += [prices[-1] + 1] * tied + [1e6 + i for i in range(50)]
    of = [machine(f"t{i:04d}", 2, price=price) for i, price in enumerate(prices)]
    options = listed(*of)
    assert len(options.types) == MAX_TYPES
    assert list(options.prices) == sorted(prices)[:MAX_TYPES]


def test_claims_that_may_become_the_same_at_the_same_prices_share_a_list():
    """What they require besides makes no difference."""
    of, options = template(machine("a", 2), machine("b", 4)), InstanceTypeOptionsCache()
    first = options.of(of, Requirements(), 0b11)
    assert options.of(of, Requirements([label("team", "red")]), 0b11) is first
    assert options.of(of, Requirements(), 0b01) is not first
    assert options.of(of, Requirements([label(ZONE, "elsewhere")]), 0b11) is not first
