"""Scenarios with devices answered by Cutlist, in the form of the vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cutlist.core.labels import HOSTNAME
from cutlist.core.quantity import amount_text
from cutlist.disruption.simulation import Simulator
from cutlist.scheduling.dynamicresources.allocation import ClaimAllocation
from cutlist.scheduling.provisioner import prepare
from cutlist.scheduling.refusals import PassEnded
from cutlist.scheduling.results import PlacedClaim
from cutlist.simulation.recording.answers import BatchNames, claim_form, full_name, pass_form
from cutlist.state.initialization import missing_driver
from tests.conformance.disrupt import DisruptionScenario
from tests.conformance.nodeclaim import requested_drivers
from tests.conformance.scenario_file import StartError
from tests.conformance.schedule import launch_form, launcher, names_of, start_error, without_pools
from tests.one_pass import schedule

Form = dict[str, Any]


def answer(path: Path) -> Form:
    """Return the answer to one scenario file."""
    scenario = DisruptionScenario(path)
    try:
        inputs = scenario.inputs()
    except StartError as error:
        return start_error(error)
    if scenario.raw.get("candidates"):
        return _without_candidates(scenario, prepare(inputs).ignored)
    results = schedule(inputs)
    # Of pods that are left when a pass ends early Karpenter says nothing.
    said = [u for u in results.unplaced if not any(isinstance(refusal, PassEnded) for _, refusal in u.refusals)]
    decided = pass_form(names_of(scenario), replace(results, unplaced=tuple(said)), without_pools(inputs))
    answered = _with_devices(decided, results.claims, results.devices, scenario)
    if launch := launcher(scenario, inputs):
        for formed, claim in zip(answered["claims"], results.claims, strict=True):
            formed["launch"] = launch_form(launch.of(claim))
    if scenario.raw.get("initialize"):
        answered["initialized"] = _initialized(scenario)
    return answered


def _without_candidates(scenario: DisruptionScenario, ignored: Mapping[int, str]) -> Form:
    cluster = scenario.cluster_state()
    removed = [n for n in cluster.nodes if n.state.node in scenario.raw["candidates"]]
    simulated = Simulator(cluster).without(removed, resting=False)
    waiting = names_of(scenario)[: len(cluster.pending) + len(cluster.buffers)]
    others = ([full_name(b.pod.namespace, b.name)] for b in simulated.batches[len(waiting) :])
    names = [*waiting, *others]
    left = BatchNames(names)
    claims = [claim_form(claim, left.take(claim.pods)) for claim in simulated.claims]
    moved = {(node, b): left.take({b: n}) for node, pods in simulated.moves.items() for b, n in pods.items()}
    started = {n.name for n in cluster.nodes if n.state.initialized}
    # Pods on a node that may never be ready are placed and have an error; Cutlist has one text for a batch.
    waits = [(b, name) for (node, b), names in moved.items() if node not in started for name in names]
    placed = Counter(dict.fromkeys(simulated.errors, 0))
    for pods in (*(claim.pods for claim in simulated.claims), *simulated.moves.values()):
        placed.update(pods)
    failed = [(b, name) for b in simulated.errors for name in names[b][placed[b] :]]
    decided = {
        "claims": claims,
        "existing": {node: sorted(name for (at, _), of in moved.items() if at == node for name in of) for node, _ in moved},
        "errors": {name: simulated.errors[b] for b, name in (*failed, *waits) if b in simulated.errors},
        "ignored": {name: why for batch, why in ignored.items() for name in waiting[batch]},
    }
    return _with_devices(decided, simulated.claims, simulated.devices, scenario)


def _with_devices(
    decided: Form,
    claims: Sequence[PlacedClaim],
    on_nodes: Mapping[str, Iterable[ClaimAllocation]],
    scenario: DisruptionScenario,
) -> Form:
    """Return what was decided with the devices of ResourceClaims."""
    devices: Form = {}
    for number, (claim, formed) in enumerate(zip(claims, decided["claims"], strict=True)):
        if drivers := requested_drivers(claim):
            formed["drivers"] = drivers
        devices |= _devices(claim.devices, scenario, {"claimOf": min(formed["pods"])}, f"claim {number}")
    for node, given in on_nodes.items():
        devices |= _devices(given, scenario, {"node": node}, f"node {node}")
    return {**decided, "devices": devices}


def _devices(given: Iterable[ClaimAllocation], scenario: DisruptionScenario, where: Form, place: str) -> Form:
    devices: Form = {}
    numbers: Counter[str] = Counter()
    for allocation in given:
        name = _name(allocation, scenario)
        if not allocation.claim.shared:
            numbers[name] += 1
            name = f"{name} {numbers[name]} on {place}"
        requirements = [e.manifest() for e in allocation.together.without(HOSTNAME).expressions()]
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
    pod = scenario.pending[allocation.batch][1]["metadata"]
    return full_name(pod.get("namespace"), f"{pod['name']}-{claim.of_pod}")


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
