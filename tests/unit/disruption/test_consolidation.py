"""Whether candidates can go, and what comes for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, RESERVED, SPOT, ZONE
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.disruption.candidates import candidates
from cutlist.disruption.command import Command
from cutlist.disruption.consolidation import ENOUGH_TYPES, ConsolidationOption, NoChange, decide, without_same_type
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.simulation import Simulator
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.state.statenode import StateNode
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, TYPES, cluster, node, pool, runs, sold
from tests.unit.scheduling.builders import REGISTRY, label, pod

BOTH = (SPOT, ON_DEMAND)
GATE = FeatureGates(spot_to_spot=True)
RESERVATION = "example.com/reservation"
WITH_RESERVATIONS = REGISTRY.extended(well_known=[RESERVATION], reservation_id=RESERVATION)


def decided(*nodes: StateNode, staying: Sequence[StateNode] = (), **fields) -> Command | ConsolidationOption | NoChange:
    """Return what is decided of some nodes, with others that stay."""
    state = cluster(*nodes, *staying, **fields)
    by_name = candidates(state).by_name
    return decide([by_name[m.name] for m in nodes], Simulator(state))


def types(of: Command | ConsolidationOption | NoChange | None) -> list[str]:
    """The types of an option, cheapest first."""
    assert isinstance(of, ConsolidationOption), of
    return [of.instance_types.types[i].name for i in of.types]


def bought_as(of: Command | ConsolidationOption | NoChange) -> list[str]:
    """How the replacement may be bought."""
    assert isinstance(of, ConsolidationOption), of
    return sorted(of.requirements[CAPACITY_TYPE].values)


def refused(of: Command | ConsolidationOption | NoChange) -> str:
    assert isinstance(of, NoChange), of
    return of.text


# --- ends


def test_nodes_whose_pods_fit_elsewhere_are_deleted():
    """Whatever they cost: nobody asks for a price."""
    # D-44
    free = sold("free", 4, 0.0)
    decision = decided(node("a", runs(), of=free), staying=[node("b")], types=[*TYPES, free])
    assert isinstance(decision, Command)
    assert decision.decision == "delete"
    assert decision.savings == 0


def test_two_new_nodes_are_too_many():
    """Though they would cost less together."""
    # D-45
    huge = sold("huge", 16, 100.0)
    apart = node("a", runs("x", "8"), runs("y", "8"), of=huge)
    assert refused(decided(apart)) == "Can't remove without creating 2 candidates"


def test_a_pod_that_fits_nowhere_keeps_the_node():
    """With the reason of each pod."""
    lost = runs("lost", of=pod("1", "128Mi", node_selector={ZONE: "zone-z"}))
    assert refused(decided(node("a", lost))).startswith("Not all pods would schedule, default/lost => ")


def test_of_many_pods_that_fit_nowhere_five_are_named():
    """And the others counted."""
    lost = [runs(f"lost-{i}", of=pod("100m", "1Mi", node_selector={ZONE: "zone-z"})) for i in range(7)]
    text = refused(decided(node("a", *lost)))
    assert text.count("=>") == 5
    assert text.endswith(" and 2 other(s)")


def test_without_a_pool_there_is_no_decision():
    """Nothing can be simulated."""
    decision = decided(node("a", runs()), pools=[pool(replicas=1)])
    assert decision == NoChange(error="creating scheduler, no nodepools found")


# --- prices


def test_a_replacement_is_strictly_cheaper():
    """The same price is no reason to move."""
    # D-46
    assert types(decided(node("a", runs(), of=MEDIUM))) == ["small"]
    assert refused(decided(node("a", runs(), of=SMALL))) == "Can't replace with a cheaper node"


def test_several_nodes_are_compared_with_what_they_cost_together():
    """Two for two dollars each, and a large one for four is not cheaper, one for three is."""
    # D-46
    pair = node("a", runs("x", "3")), node("b", runs("y", "3"))
    assert refused(decided(*pair)) == "Can't replace with a cheaper node"
    assert types(decided(*pair, types=[*TYPES, sold("three", 8, 3.0)])) == ["three"]


def at(prices: dict[tuple[str, str], float | None], name: str = "x", cpu: int = 4) -> InstanceType:
    """A type with a price by zone and capacity type; None for an offering that cannot be had."""
    base = sold(name, cpu, 1.0, 1.0)
    offers = tuple(
        Offering(Requirements([label(ZONE, zone), label(CAPACITY_TYPE, kind)]), price or 9.0, price is not None)
        for (zone, kind), price in prices.items()
    )
    kinds = label(CAPACITY_TYPE, *{kind for _, kind in prices})
    wanted = Requirements([*(r for r in base.requirements.values() if r.key != CAPACITY_TYPE), kinds])
    return replace(base, offerings=offers, requirements=wanted)


def test_a_type_is_judged_by_its_dearest_zone():
    """Of the capacity type that would be tried first: spot, though on demand and another zone cost less."""
    # D-47
    moody = at({("zone-a", SPOT): 0.5, ("zone-b", SPOT): 2.1, ("zone-a", ON_DEMAND): 1.0}, "moody")
    steady = at({("zone-a", SPOT): 0.7, ("zone-b", SPOT): 0.8, ("zone-a", ON_DEMAND): 2.0}, "steady")
    decision = decided(node("a", runs("x", "3")), types=[MEDIUM, moody, steady], pools=[pool(kinds=BOTH)])
    assert types(decision) == ["steady", "medium"]


def test_without_spot_to_be_had_on_demand_counts():
    """An offering that cannot be had is none."""
    # D-47
    gone = at({("zone-a", SPOT): None, ("zone-a", ON_DEMAND): 1.5, ("zone-b", ON_DEMAND): 1.9}, "gone")
    decision = decided(node("a", runs("x", "3")), types=[MEDIUM, gone], pools=[pool(kinds=BOTH)])
    assert "gone" in types(decision)
    dear = at({("zone-a", SPOT): None, ("zone-a", ON_DEMAND): 1.5, ("zone-b", ON_DEMAND): 2.1}, "dear")
    assert "dear" not in types(decided(node("a", runs("x", "3")), types=[MEDIUM, dear], pools=[pool(kinds=BOTH)]))


def test_on_demand_is_replaced_by_spot_where_both_are_allowed():
    """And by nothing else: a launch without spot has to fail."""
    # D-48
    decision = decided(node("a", runs("x", "3")), pools=[pool(kinds=BOTH)])
    assert bought_as(decision) == [SPOT]
    assert types(decision) == ["medium", "large"]
    assert bought_as(decided(node("a", runs(), of=LARGE))) == [ON_DEMAND]


# --- spot to spot


def market(count: int, of: float = 0.1) -> list[InstanceType]:
    """So many spot types, each cheaper than the candidate's `medium` at 0.8."""
    return [MEDIUM, *(sold(f"t-{i:02d}", 4, 5.0, of + i / 100) for i in range(count))]


def spot_node(name: str = "a", **fields) -> StateNode:
    return node(name, runs(f"{name}-web", "3"), kind=SPOT, **fields)


def test_spot_is_not_replaced_by_spot_without_the_gate():
    """Also where on demand would cost less."""
    # D-49
    cheap = sold("cheap", 4, 0.1)
    decision = decided(spot_node(), types=[*market(20), cheap], pools=[pool(kinds=BOTH)])
    assert refused(decision) == "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node"


def test_spot_is_deleted_without_the_gate():
    """When its pods fit elsewhere."""
    # D-49
    assert isinstance(decided(spot_node(), staying=[node("b")], pools=[pool(kinds=BOTH)]), Command)


def test_spot_in_a_pool_of_on_demand_is_replaced_like_anything_else():
    """What may be bought decides, not what was bought."""
    cheap = sold("cheap", 4, 0.1)
    assert types(decided(spot_node(), types=[*TYPES, cheap])) == ["cheap"]


@pytest.mark.parametrize("cheaper", [12, 14])
def test_too_few_cheaper_types_keep_a_spot_node(cheaper):
    """The next day it would move again."""
    # D-50
    decision = decided(spot_node(), types=market(cheaper), pools=[pool(kinds=[SPOT])], feature_gates=GATE)
    assert refused(decision) == (
        "SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, "
        f"got {cheaper}"
    )


def test_a_spot_node_is_replaced_with_just_fifteen_types():
    """The cheapest of those that cost less."""
    # D-50
    decision = decided(spot_node(), types=market(20), pools=[pool(kinds=BOTH)], feature_gates=GATE)
    assert types(decision) == [f"t-{i:02d}" for i in range(ENOUGH_TYPES)]
    assert bought_as(decision) == [SPOT]
    assert len(types(decided(spot_node(), types=market(15), pools=[pool(kinds=BOTH)], feature_gates=GATE))) == 15


def test_more_than_fifteen_types_are_kept_where_min_values_need_them():
    """The shortest list that has them."""
    # D-50
    flexible = pool(kinds=BOTH, requirements=[Expression(INSTANCE_TYPE, "Exists", (), 18)])
    decision = decided(spot_node(), types=market(25), pools=[flexible], feature_gates=GATE)
    assert len(types(decision)) == 18


def test_several_spot_nodes_need_no_fifteen_types():
    """The list is neither counted nor cut; the gate is asked for."""
    # D-51
    pair = spot_node("a"), spot_node("b")
    few = [*market(0), sold("big", 8, 5.0, 0.9)]
    assert types(decided(*pair, types=few, pools=[pool(kinds=BOTH)], feature_gates=GATE)) == ["big"]
    assert refused(decided(*pair, types=few, pools=[pool(kinds=BOTH)])).startswith("SpotToSpotConsolidation is disabled")
    many = [MEDIUM, *(sold(f"b-{i:02d}", 8, 5.0, 0.5 + i / 100) for i in range(20))]
    assert len(types(decided(*pair, types=many, pools=[pool(kinds=BOTH)], feature_gates=GATE))) == 20


def test_one_node_on_demand_among_spot_makes_it_an_ordinary_replacement():
    """No gate is asked for."""
    # D-52
    pair = spot_node("a"), node("b", runs("x", "3"))
    decision = decided(*pair, types=[MEDIUM, sold("big", 8, 5.0, 0.9)], pools=[pool(kinds=BOTH)])
    assert types(decision) == ["big"]
    assert bought_as(decision) == [SPOT]


def test_a_spot_node_moves_to_a_reservation_without_the_gate():
    """What is paid for already costs next to nothing."""
    # D-53
    reserved = sold("kept", 4, 2.0)
    offer = Requirements([label(ZONE, "zone-a"), label(CAPACITY_TYPE, RESERVED), label(RESERVATION, "r-1")])
    kinds = Requirements(
        [
            *(r for r in reserved.requirements.values() if r.key != CAPACITY_TYPE),
            label(CAPACITY_TYPE, ON_DEMAND, RESERVED),
            label(RESERVATION, "r-1"),
        ]
    )
    kept = replace(reserved, requirements=kinds, offerings=(*reserved.offerings, Offering(offer, 0.0000002, True, 1)))
    decision = decided(
        spot_node(),
        types=[MEDIUM, kept],
        pools=[pool(kinds=[SPOT, RESERVED])],
        registry=WITH_RESERVATIONS,
    )
    assert types(decision) == ["kept"]
    assert bought_as(decision) == [RESERVED]


# --- minValues and the same type


@pytest.mark.parametrize("strict", [True, False])
def test_min_values_hold_for_what_is_cheaper(strict):
    """However lenient scheduling is."""
    # D-54
    flexible = pool(requirements=[Expression(INSTANCE_TYPE, "Exists", (), 2)])
    decision = decided(node("a", runs(), of=MEDIUM), pools=[flexible], options=SchedulerOptions(strict_min_values=strict))
    assert refused(decision) == (
        "Filtering by price: minValues requirement is not met for label(s) (label(s)=[node.kubernetes.io/instance-type])"
    )


def test_min_values_do_not_matter_where_nothing_is_cheaper():
    """Karpenter counts type by type: without a type no value is missing."""
    # D-54, S-78
    flexible = pool(requirements=[Expression(INSTANCE_TYPE, "Exists", (), 2)])
    assert refused(decided(node("a", runs(), of=SMALL), pools=[flexible])) == "Can't replace with a cheaper node"


def cut(*nodes: StateNode, **fields) -> ConsolidationOption | None:
    state = cluster(*nodes, **fields)
    by_name = candidates(state).by_name
    listed = [by_name[m.name] for m in nodes]
    option = decide(listed, Simulator(state))
    assert isinstance(option, ConsolidationOption), option
    return without_same_type(option, listed)


def test_several_nodes_are_not_replaced_by_one_that_could_have_stayed():
    """What comes has to cost less than the cheapest type that they share with it."""
    # D-61
    trio = node("a", runs("x"), of=LARGE), node("b", runs("y"), of=LARGE), node("c", runs("z", "500m"), of=MEDIUM)
    tiny = sold("tiny", 4, 0.5)
    assert types(cut(*trio, types=[tiny, MEDIUM, LARGE])) == ["tiny"]
    assert cut(*trio, types=[MEDIUM, LARGE]) is None


def test_types_that_no_candidate_has_are_not_cut():
    """Nothing could have stayed."""
    # D-61
    pair = node("a", runs("x"), of=LARGE), node("b", runs("y"), of=LARGE)
    assert types(cut(*pair, types=[SMALL, MEDIUM, LARGE])) == ["small", "medium"]
