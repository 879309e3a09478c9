"""Scheduling scenarios answered by Cutlist, in the form of the vectors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from cutlist.core.labels import INSTANCE_TYPE
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.refusals import NOTHING_LEFT, joined
from cutlist.scheduling.results import PlacedClaim, Results
from tests.conformance.nodeclaim import NodeClaim, NodeClaims
from tests.conformance.scenario_file import Scenario, StartError, full_name
from tests.one_pass import schedule

NO_POOLS: Final = "no dynamic nodepools found"
"""Karpenter's words for all pods of a pass in which no NodePool takes part (S-31). It writes no event."""


def answer(path: Path) -> dict[str, Any]:
    """Return the answer to one scenario file."""
    scenario = Scenario(path)
    try:
        inputs = scenario.inputs()
    except StartError as error:
        return {"claims": [], "existing": {}, "errors": {}, "startError": str(error)}
    pools = {p.name: p for p in inputs.pools}
    launch = NodeClaims(pools, inputs.registry, karpenter=scenario.karpenter) if scenario.raw.get("detail") else None
    without = NOTHING_LEFT if any(map(takes_part, inputs.pools)) else NO_POOLS
    return form(names_of(scenario), schedule(inputs), launch, without)


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
    """Return a result in the form of the vectors. Pods of one entry are alike: they are named in the order of claims; `without`
    is why pods stay pending that no NodePool was asked for."""
    left = [list(reversed(pods)) for pods in names]

    def take(batch: int, count: int) -> list[str]:
        return [left[batch].pop() for _ in range(count)]

    existing = {
        node: sorted(n for batch, count in pods.items() for n in take(batch, count)) for node, pods in result.existing.items()
    }
    claims = [claim_form(c, [n for batch, count in c.pods.items() for n in take(batch, count)]) for c in result.claims]
    if launch is not None:
        claims = [{**form, "launch": launch_form(launch.of(c))} for form, c in zip(claims, result.claims, strict=True)]
    errors = {}
    for unplaced in result.unplaced:
        errors.update(dict.fromkeys(take(unplaced.batch, unplaced.count), joined(unplaced.refusals, without=without)))
    ignored = {name: why for batch, why in result.ignored.items() for name in names[batch]}
    return {"claims": sorted(claims, key=lambda c: c["pods"][0]), "existing": existing, "errors": errors, "ignored": ignored}


def claim_form(claim: PlacedClaim, pods: list[str]) -> dict[str, Any]:
    return {
        "nodePool": claim.node_pool,
        "pods": sorted(pods),
        "requirements": [e.manifest() for e in claim.requirements.expressions()],
        "requests": {r: f"{a}n" for r, a in claim.requests.items()},
        "instanceTypes": [t.name for t in claim.candidates.types],
        "prices": list(claim.candidates.prices),
    }


def launch_form(claim: NodeClaim) -> dict[str, Any]:
    """Return what a NodeClaim says, without the long list of type names."""
    return {
        "labels": dict(claim.labels),
        "annotations": dict(claim.annotations),
        "requirements": [e.manifest() for e in claim.requirements if e.key != INSTANCE_TYPE],
        "taints": [asdict(t) for t in claim.taints],
        "startupTaints": [asdict(t) for t in claim.startup_taints],
    }
