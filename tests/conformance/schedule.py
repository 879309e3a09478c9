"""Scheduling scenarios answered by Cutlist, in the form of the vectors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from cutlist.core.labels import INSTANCE_TYPE
from cutlist.scheduling.inputs import SchedulerInputs, takes_part
from cutlist.scheduling.refusals import NOTHING_LEFT
from cutlist.scheduling.results import Results
from cutlist.simulation.recording.answers import NO_POOLS, full_name, pass_form
from tests.conformance.nodeclaim import NodeClaim, NodeClaims
from tests.conformance.scenario_file import Scenario, StartError
from tests.one_pass import schedule


def answer(path: Path) -> dict[str, Any]:
    """Return the answer to one scenario file."""
    scenario = Scenario(path)
    try:
        inputs = scenario.inputs()
    except StartError as error:
        return start_error(error)
    return form(names_of(scenario), schedule(inputs), launcher(scenario, inputs), without_pools(inputs))


def start_error(error: StartError) -> dict[str, Any]:
    """Return the answer of a Karpenter that does not start."""
    return {"claims": [], "existing": {}, "errors": {}, "startError": str(error)}


def launcher(scenario: Scenario, inputs: SchedulerInputs) -> NodeClaims | None:
    """Return what makes the NodeClaims of a scenario that asks for them."""
    pools = {p.name: p for p in inputs.pools}
    return NodeClaims(pools, inputs.registry, karpenter=scenario.karpenter) if scenario.raw.get("detail") else None


def without_pools(inputs: SchedulerInputs) -> str:
    """Return why pods stay pending that no NodePool was asked for."""
    return NOTHING_LEFT if any(map(takes_part, inputs.pools)) else NO_POOLS


def names_of(scenario: Scenario) -> list[list[str]]:
    """Return the pods of each batch."""
    out = []
    for count, pod in scenario.pending:
        name = full_name(pod["metadata"].get("namespace"), pod["metadata"].get("name", ""))
        out.append([name] if count is None else [f"{name}-{i}" for i in range(count)])
    moving = ([full_name(p.pod.namespace, p.name)] for p in scenario.cluster.moving)
    buffers = ([f"capacity-buffer-{b.name}-{i}" for i in range(1, b.replicas + 1)] for b in scenario.buffers)
    return [*out, *buffers, *moving]


def form(
    names: list[list[str]], result: Results, launch: NodeClaims | None = None, without: str = NOTHING_LEFT
) -> dict[str, Any]:
    """Return a result in the form of the vectors, with what its NodeClaims say if `launch` makes them. Pods of one entry are
    alike: they are named in the order of claims; `without` is why pods stay pending that no NodePool was asked for."""
    decided = pass_form(names, result, without)
    claims = decided["claims"]
    if launch is not None:
        claims = [{**form, "launch": launch_form(launch.of(c))} for form, c in zip(claims, result.claims, strict=True)]
    return {**decided, "claims": sorted(claims, key=lambda c: c["pods"][0])}


def launch_form(claim: NodeClaim) -> dict[str, Any]:
    """Return what a NodeClaim says, without the long list of type names."""
    return {
        "labels": dict(claim.labels),
        "annotations": dict(claim.annotations),
        "requirements": [e.manifest() for e in claim.requirements if e.key != INSTANCE_TYPE],
        "taints": [asdict(t) for t in claim.taints],
        "startupTaints": [asdict(t) for t in claim.startup_taints],
    }
