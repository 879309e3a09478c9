"""The decisions of passes and disruption methods in the form of conformance answers (tools/oracle/core/FORMAT.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cutlist.api.durations import in_go
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.evaluation import MethodOutcome
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.refusals import NOTHING_LEFT, joined
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.simulation.recording.pod_manifests import present

NO_POOLS: Final = "no dynamic nodepools found"
"""Karpenter's words for all pods of a pass in which no NodePool takes part (S-31). It writes no event."""
Form = dict[str, Any]


def full_name(namespace: str | None, name: str) -> str:
    """Return the name of a pod in answers of scheduling: with its namespace, unless that is `default`."""
    return name if namespace in (None, "default") else f"{namespace}/{name}"


class BatchNames:
    """The pods of batches by name. Those of one batch are alike, and are named in the order in which they are taken."""

    def __init__(self, names: Sequence[Sequence[str]]) -> None:
        self._left = [list(reversed(of_batch)) for of_batch in names]
        self._taken: dict[int, list[str]] = {}

    @staticmethod
    def of(batches: Sequence[PodBatch]) -> BatchNames:
        """Return names for the pods of batches; those of a larger one are numbered."""
        return BatchNames([_numbered(batch) for batch in batches])

    def take(self, pods: Mapping[int, int]) -> list[str]:
        """Return the next names of batches, so many of each."""
        names = []
        for batch, count in pods.items():
            for _ in range(count):
                names.append(self._left[batch].pop())
                self._taken.setdefault(batch, []).append(names[-1])
        return names

    def unplaced(self, batch: int) -> list[str]:
        """Return those of a batch that were not placed, or those that were placed where they cannot stay."""
        # Pods on a node that may never be ready were placed and are still an error.
        return self._left[batch] or self._taken.get(batch, [])


# --- passes


def pass_form(names: Sequence[Sequence[str]], results: Results, without: str = NOTHING_LEFT) -> Form:
    """Return the result of a pass. `names` are the pods of each batch; `without` is why pods wait that no NodePool was asked
    for."""
    left = BatchNames(names)
    existing = {node: sorted(left.take(pods)) for node, pods in results.existing.items()}
    claims = [claim_form(claim, left.take(claim.pods)) for claim in results.claims]
    errors: dict[str, str] = {}
    for unplaced in results.unplaced:
        pods = left.take({unplaced.batch: unplaced.count})
        errors.update(dict.fromkeys(pods, joined(unplaced.refusals, without=without)))
    ignored = {name: why for batch, why in results.ignored.items() for name in names[batch]}
    return {"claims": claims, "existing": existing, "errors": errors, "ignored": ignored}


def claim_form(claim: PlacedClaim, pods: Sequence[str]) -> Form:
    """Return a NodeClaim with the names of its pods."""
    return {
        "nodePool": claim.node_pool,
        "pods": sorted(pods),
        "requirements": [e.manifest() for e in claim.requirements.expressions()],
        "requests": {r: f"{a}n" for r, a in claim.requests.items()},
        "instanceTypes": [t.name for t in claim.candidates.types],
        "prices": list(claim.candidates.prices),
    }


# --- disruption


def outcome_form(outcome: MethodOutcome, names: Sequence[Sequence[str]] | None = None) -> Form:
    """Return candidates, commands and the error of a method. `names` are those of the pods that wait, by batch."""
    commands = commands_form(outcome.commands, names)
    return {"candidates": sorted(c.name for c in outcome.candidates), "commands": commands, **present(error=outcome.error)}


def commands_form(commands: Iterable[Command], names: Sequence[Sequence[str]] | None = None) -> list[Form]:
    """Return commands. `names` are those of the pods that wait, by batch."""
    return [command_form(c, None if names is None else _names_in(c, names)) for c in commands]


def command_form(command: Command, names: BatchNames | None = None) -> Form:
    """Return a command. Without `names` the pods of a batch are numbered."""
    simulation = command.simulation
    if names is None:
        names = BatchNames.of(simulation.batches if simulation is not None else ())
    moves = {node: names.take(pods) for node, pods in simulation.moves.items()} if simulation is not None else {}
    errors = simulation.errors if simulation is not None else {}
    return {
        "decision": command.decision,
        "reason": str(command.reason),
        "nodes": [c.name for c in command.candidates],
        "savings": command.savings,
        "text": command.text,
        **present(
            terminateFirst=command.terminate_first and str(command.terminate_first),
            bounds={node: in_go(f"{bound:.9f}s") for node, bound in command.bounds.items()},
            replacements=[replacement_form(r, names) for r in command.replacements],
            moves=moves,
            podErrors={name: text for batch, text in errors.items() for name in names.unplaced(batch)},
        ),
    }


def replacement_form(replacement: Replacement, names: BatchNames) -> Form:
    """Return a NodeClaim that a command creates."""
    return {
        "nodePool": replacement.node_pool,
        "pods": names.take(replacement.pods or {}),
        "requirements": [e.manifest() for e in replacement.requirements.expressions()],
        "requests": {r: f"{a}n" for r, a in (replacement.requests or {}).items()},
        "instanceTypes": [t.name for t in replacement.types],
        "prices": list(replacement.prices),
        "list": replacement.list,
    }


def _names_in(command: Command, waiting: Sequence[Sequence[str]]) -> BatchNames:
    """Return the names of the pods of a command's simulation: those that wait come first, then those of nodes."""
    if command.simulation is None:
        return BatchNames(())
    others = command.simulation.batches[len(waiting) :]
    return BatchNames([*waiting, *map(_numbered, others)])


def _numbered(batch: PodBatch) -> list[str]:
    namespace = batch.pod.namespace
    if batch.virtual:
        return [f"{namespace}/{name}" for name in virtual_names(batch)]
    name = f"{namespace}/{batch.name}"
    return [name] if batch.count == 1 else [f"{name}-{i}" for i in range(batch.count)]


def virtual_names(batch: PodBatch) -> list[str]:
    """Return the names that Karpenter gives the virtual pods of a CapacityBuffer, without their namespace."""
    return [f"{batch.name}-{number}" for number in range(1, batch.count + 1)]
