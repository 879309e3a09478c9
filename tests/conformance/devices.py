"""Scenarios with devices answered by Cutlist, in the form of the vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cutlist.core.quantity import amount_text
from cutlist.disruption.simulation import Simulator
from cutlist.scheduling.dynamicresources.allocator import ClaimAllocation
from cutlist.scheduling.refusals import NOTHING_LEFT
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.simulation.recording.answers import pass_form
from cutlist.state.initialization import missing_driver
from tests.conformance.disrupt import DisruptionScenario
from tests.conformance.schedule import names_of
from tests.one_pass import schedule

Form = dict[str, Any]


def answer(path: Path) -> Form:
    """Return the answer to one scenario file."""
    scenario = DisruptionScenario(path)
    if scenario.raw.get("candidates"):
        return _without_candidates(scenario)
    answered = form(names_of(scenario), schedule(scenario.inputs()), scenario)
    if scenario.raw.get("initialize"):
        answered["initialized"] = _initialized(scenario)
    return answered


def form(names: Sequence[Sequence[str]], results: Results, scenario: DisruptionScenario) -> Form:
    """Return the result of a pass with the devices of its claims."""
    decided = pass_form(names, results, NOTHING_LEFT)
    devices: Form = {}
    for number, (claim, formed) in enumerate(zip(results.claims, decided["claims"], strict=True)):
        if drivers := drivers_of(claim):
            formed["drivers"] = drivers
        devices |= _devices(claim.devices, scenario, {"claimOf": min(formed["pods"])}, f"claim {number}")
    for node, given in results.devices.items():
        devices |= _devices(given, scenario, {"node": node}, f"node {node}")
    return {**decided, "devices": devices}


def drivers_of(claim: PlacedClaim) -> list[str]:
    """Return the drivers of the devices of a NodeClaim (R-61)."""
    found = {d.offered.id.driver for allocation in claim.devices for by in allocation.devices.values() for d in by}
    return sorted(found)


def _without_candidates(scenario: DisruptionScenario) -> Form:
    cluster = scenario.cluster_state()
    removed = [n for n in cluster.nodes if n.state.node in scenario.raw["candidates"]]
    simulated = Simulator(cluster).without(removed, resting=False)
    names = [[batch.name] for batch in simulated.batches]
    results = Results(simulated.claims, (), existing=simulated.moves, devices=simulated.devices)
    errors = {names[batch][0]: text for batch, text in simulated.errors.items()}
    return {**form(names, results, scenario), "errors": errors}


def _devices(given: Iterable[ClaimAllocation], scenario: DisruptionScenario, where: Form, place: str) -> Form:
    devices: Form = {}
    numbers: Counter[str] = Counter()
    for allocation in given:
        name = _name(allocation, scenario)
        if not allocation.claim.shared:
            numbers[name] += 1
            name = f"{name} {numbers[name]} on {place}"
        requirements = [e.manifest() for e in allocation.together.expressions()]
        devices[name] = {
            **where,
            **({"nodeLocal": True} if allocation.of_type else {}),
            **({"requirements": requirements} if requirements else {}),
            "devices": {name: [_device(d) for d in by] for name, by in allocation.devices.items()},
        }
    return devices


def _name(allocation: ClaimAllocation, scenario: DisruptionScenario) -> str:
    claim = allocation.claim
    if claim.shared:
        return claim.name if claim.namespace == "default" else f"{claim.namespace}/{claim.name}"
    return f"{scenario.pending[allocation.batch][1]['metadata']['name']}-{claim.of_pod}"


def _device(result: Any) -> Form:
    device = result.offered.id
    consumed = {name: amount_text(name, amount) for name, amount in (result.consumed or {}).items()}
    return {
        "request": result.request,
        "driver": device.driver,
        "pool": device.pool,
        "device": device.device,
        **({"template": True} if result.offered.of_type else {}),
        **({"consumed": consumed} if consumed else {}),
    }


def _initialized(scenario: DisruptionScenario) -> Mapping[str, str]:
    """Return for each NodeClaim whether it is initialized, with the reason if it is not."""
    if (scenario.raw.get("options") or {}).get("ignoreDRARequests", True):
        return {o["metadata"]["name"]: "True" for o in scenario.objects if o["kind"] == "NodeClaim"}
    states = {}
    for claim in (o for o in scenario.objects if o["kind"] == "NodeClaim"):
        metadata = claim["metadata"]
        driver = missing_driver(metadata.get("annotations") or {}, claim["status"]["nodeName"], scenario.devices.slices)
        words = f'DRA driver "{driver}" has not published a complete resource pool'
        states[metadata["name"]] = "True" if driver is None else f"Unknown DRADriverPoolsNotPublished: {words}"
    return states
