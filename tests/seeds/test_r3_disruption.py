"""R3, what Karpenter takes away again: its steps on the clusters of the document, with the prices of the seed's own file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.instants import instant
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.forecast import DisruptionVerdict, forecast
from cutlist.disruption.methods import Method
from cutlist.verbs.disrupt.answer import DisruptionForecast, disrupt
from tests.seeds.steps import Seed, with_prices

R3 = Seed("r3-karpenter-on-eks", "ap-northeast-2", "abc")


def found_at(step: str, *, spot_to_spot: bool = False, to_the_end: bool = False) -> DisruptionForecast:
    """The forecast of a step at the instant that its cluster file names."""
    inputs = with_prices(R3.inputs_of(step), R3.folder / "prices-ap-northeast-2.csv")
    (live,) = [f for f in R3.step(step)["inputs"] if f.startswith("live/run")]
    now = instant((R3.folder / live).read_text().split("now: ", 1)[1].split()[0])
    assert now is not None
    return disrupt(inputs, now, gates=FeatureGates(spot_to_spot), to_the_end=to_the_end)


# K-96 K-162 K-164
def test_a_node_whose_pod_fits_elsewhere_is_deleted():
    """Two nodes, five pods: the small node goes, its pod moves to the large one."""
    seen = found_at("4-run1-consolidate-split").forecast
    derived = R3.step("4-run1-consolidate-split")["derived"]
    (command,) = seen.commands
    assert (seen.method, command.decision, len(command.candidates[0].pods)) == (Method.SINGLE, "delete", 1)
    assert command.savings == pytest.approx(derived["savingsPerHour"])
    (other,) = [n for n in seen.nodes if n.pool and n.verdict is not DisruptionVerdict.NEXT]
    assert (other.verdict, other.why) == (DisruptionVerdict.STAYS, "Can't replace with a cheaper node")


# K-96 K-161
def test_a_node_without_pods_goes_as_empty():
    """After the Deployment is deleted the last node goes, and nothing is left."""
    seen = found_at("5-run1-delete-deployment", to_the_end=True)
    (command,) = seen.forecast.commands
    assert (seen.forecast.method, command.decision, command.candidates[0].pods) == (Method.EMPTINESS, "delete", ())
    assert command.savings == pytest.approx(R3.step("5-run1-delete-deployment")["derived"]["savingsPerHour"])
    assert seen.trajectory is not None
    assert [m for m in seen.trajectory.cluster.nodes if m.claim] == []


# K-98 K-161 K-177 K-178 K-179 D-56
def test_thirty_seconds_after_scaling_down_nothing_goes_and_a_minute_later_the_empty_node_does():
    """Within consolidateAfter the empty node is not a candidate and takes no pods; afterwards it goes."""
    early = found_at("8-run2-back-to-5-early", to_the_end=True)
    (reported,) = R3.step("8-run2-back-to-5-early")["v1_14"]["disruption"]["events"]
    assert early.forecast.commands == ()
    assert [n.why for n in early.forecast.nodes if n.name == reported["node"]] == [reported["message"]]
    assert any("consolidateAfter 1m ends" in n.why for n in early.forecast.nodes)
    assert early.trajectory is not None
    (step,) = early.trajectory.steps
    assert (step.method, 0 < step.at - early.forecast.now <= 60) == (Method.EMPTINESS, True)
    late = found_at("8b-run2-back-to-5-late").forecast
    assert (late.method, [str(c.reason) for c in late.commands]) == (Method.EMPTINESS, ["Empty"])


# K-96 K-163 K-168 D-80
def test_one_pod_left_gets_a_smaller_node():
    """The node is replaced; the list starts with the types of the recorded log line."""
    seen = found_at("9-run2-down-to-1").forecast
    (expected,) = R3.step("9-run2-down-to-1")["expect"]["disruption"]["replacements"]
    (command,) = seen.commands
    (replacement,) = command.replacements
    assert (seen.method, command.decision, replacement.capacity_type) == (Method.SINGLE, "replace", expected["capacityType"])
    assert [t.name for t in replacement.types[:5]] == expected["instanceTypesHead"]
    assert replacement.list.startswith(f"{', '.join(expected['instanceTypesHead'])} and ")
    # The release of the document cut the list to the 60 cheapest; since then up to 600 are kept.
    assert len(replacement.types) >= expected["listedTotal"]


# K-39 K-173 D-49 D-50
def test_a_spot_node_is_replaced_by_another_only_with_the_gate():
    """Gate off: said so. Gate on: exactly the 15 cheapest types."""
    (reported,) = R3.step("12-run3-one-pod-gate-off")["v1_14"]["disruption"]["events"]
    off = found_at("12-run3-one-pod-gate-off").forecast
    assert (off.commands, [n.why for n in off.nodes if n.pool]) == ((), [reported["message"]])
    derived = R3.step("13-run3-one-pod-gate-on")["derived"]
    on = found_at("13-run3-one-pod-gate-on", spot_to_spot=True).forecast
    (command,) = on.commands
    assert [t.name for t in command.replacements[0].types] == derived["fifteen"]
    assert command.replacements[0].list == R3.step("13-run3-one-pod-gate-on")["v1_14"]["list"]


def test_a_course_ends_where_nothing_more_would_be_done():
    """What is left at the end has a forecast of nothing."""
    trajectory = found_at("9-run2-down-to-1", to_the_end=True).trajectory
    assert trajectory is not None
    again = replace(trajectory.cluster, controller_memory=replace(trajectory.cluster.controller_memory, nominated={}))
    assert forecast(again).commands == ()
