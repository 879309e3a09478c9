"""A private API is reached by whoever updates the stack, or the call is refused."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.protection import HOW_TO_LIFT
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.joined_program import ADOPTED, ADOPTED_VPC, NEW, OBJECTS, WHERE, joined

JOINED: dict[str, dict[str, Any]] = {"KarpenterCluster": {**NEW, **OBJECTS}, "AutoModeCluster": NEW}
PUBLIC = {"public_access_cidrs": ["203.0.113.0/24"]}
WAYS: list[dict[str, Any]] = [PUBLIC, *({"reachable_from": way} for way in ("vpn", "inside", "two-steps"))]

pytestmark = pytest.mark.parametrize(("component", "given"), JOINED.items(), ids=JOINED)


def refusals(component: str, given: dict[str, Any]) -> list[str]:
    with pytest.raises(InputError) as error:
        joined(component, given)
    return [str(problem) for problem in error.value.problems]


def of_cluster(recording: Recording) -> list[str]:
    """What is made in the cluster: objects, charts, and the components of these."""
    inside = ("kubernetes:", "cutlist:index:NodeConfiguration", "cutlist:index:KarpenterCharts", "cutlist:index:DrainGate")
    return [one.type for one in recording.resources.values() if one.type.startswith(inside)]


@pytest.mark.parametrize("network", [{}, {"network": ADOPTED_VPC}], ids=["own", "adopted"])
def test_production_without_a_way_in_is_refused_and_told_the_ways(component, given, network):
    [message] = refusals(component, {**given, **network, "production": True})
    assert message.startswith("reachable_from: production's API is private")
    assert all(way in message for way in ("public_access_cidrs", "two-steps", "inside", "vpn"))


def test_production_may_be_named_in_the_section_of_the_control_plane(component, given):
    """Nothing that decides is overlooked there."""
    section = {"production": True}
    assert len(refusals(component, {**given, "control_plane": section})) == 1
    assert joined(component, {**given, "control_plane": {**section, **PUBLIC}}).resources


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: str(next(iter(way.values()))))
def test_each_way_in_suffices(component, given, way):
    recording = joined(component, {**given, **way, "production": True})
    assert [log.message for log in recording.logs if log.severity == "warning"] == []


def test_an_unknown_way_in_is_refused(component, given):
    [message] = refusals(component, {**given, "reachable_from": "two-step"})
    assert message == "reachable_from: unknown value 'two-step'; allowed: vpn, inside, two-steps; did you mean two-steps?"


def test_what_is_reached_from_outside_takes_one_step(component, given):
    [message] = refusals(component, {**given, **PUBLIC, "reachable_from": "two-steps"})
    assert "the API is reached from public_access_cidrs" in message


def test_a_cluster_of_development_is_warned(component, given):
    """In a VPC that was there, whoever updates may be inside."""
    [log] = [log for log in joined(component, given).logs if log.severity == "warning"]
    assert log.message.startswith("reachable_from: the API is private, inside a VPC that the same update makes, and no input")
    adopted = joined(component, {**given, "network": ADOPTED_VPC})
    assert [log for log in adopted.logs if log.severity == "warning"] == []


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_the_first_step_makes_everything_but_what_is_in_the_cluster(component, given, mode):
    """The second adds that, and changes nothing of the first."""
    first, second = (
        joined(component, {**given, "production": True, "reachable_from": step}, mode) for step in ("two-steps", "inside")
    )
    assert of_cluster(first) == []
    assert of_cluster(second)
    assert [log for log in first.logs if log.severity == "warning"] == []
    common = [urn for urn, one in first.resources.items() if one.type != f"cutlist:index:{component}"]
    assert [urn for urn in common if first.resources[urn].request.object != second.resources[urn].request.object] == []
    late = [one.type for urn, one in second.resources.items() if urn not in first.resources]
    assert [type_ for type_ in late if type_.startswith("aws:")] == []


def test_the_first_step_says_that_nothing_is_in_the_cluster(component, given):
    recording = joined(component, {**given, "reachable_from": "two-steps"})
    [urn] = [one.urn for one in recording.of_type(f"cutlist:index:{component}")]
    assert recording.outputs[urn]["nodePoolNames"] == []
    assert recording.outputs[urn].get("karpenterVersion", "") == ""


def test_the_way_back_to_the_first_step_would_delete_what_is_protected(component, given):
    """The protection is only in the second step: an engine refuses to take it out of the program."""
    steps = [joined(component, {**given, "production": True, "reachable_from": s}) for s in ("inside", "two-steps")]
    inside, first = ({one.name for one in step.resources.values() if one.request.protect} for step in steps)
    assert f"shop-protection{HOW_TO_LIFT}" in inside - first
    assert f"shop-cluster-protection{HOW_TO_LIFT}" in inside & first


def test_an_adopted_cluster_has_its_own_way_in(component, given):
    if component == "KarpenterCluster":
        adopted = {**WHERE, **OBJECTS, "kubernetes_version": "1.34", "network": ADOPTED_VPC, "adopted_cluster": ADOPTED}
        [message] = refusals(component, {**adopted, "reachable_from": "inside"})
        assert message.startswith("reachable_from: applies to a new cluster")
