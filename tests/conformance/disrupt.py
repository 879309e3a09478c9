"""Disruption scenarios answered by Cutlist, in the form of the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cutlist.disruption.balanced import totals
from cutlist.disruption.budgets import remaining
from cutlist.disruption.candidates import Reason
from cutlist.disruption.commands import Command, Replacement
from cutlist.disruption.machines import machines
from cutlist.disruption.methods import Method, Outcome, Question, ask
from cutlist.disruption.world import Gates, Memory, World
from cutlist.scheduling.cluster import Cluster
from cutlist.scheduling.running_pods import instant, is_provisionable
from tests.conformance.schedule import Scenario


def answer(path: Path) -> dict[str, Any]:
    """The answer to one scenario file."""
    return DisruptionScenario(path).answer()


class DisruptionScenario(Scenario):
    """A scenario file with settings of disruption."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.settings: dict[str, Any] = self.raw.get("disruption") or {}
        self.world = self.world_of(self.objects, self.now, self.settings.get("marked") or ())

    def world_of(self, objects: list[dict[str, Any]], now: float, marked: Any) -> World:
        inputs = self.inputs()
        unbound = [{**pod, "kind": "Pod"} for _, pod in self.entries if not is_provisionable(pod)]
        cluster = Cluster.read([*objects, *unbound], marked=marked, now=now, registry=self.registry)
        gates = (self.raw.get("options") or {}).get("featureGates") or {}
        nominated = {name: instant(at) or 0 for name, at in (self.settings.get("nominated") or {}).items()}
        return World(
            now=now,
            machines=machines(cluster),
            pools={p.name: p for p in inputs.pools},
            types=inputs.types,
            pending=[self.batch(count, pod) for count, pod in self.pending],
            daemons=inputs.daemons,
            evictions=cluster.budgets,
            storage=cluster.storage,
            namespaces=inputs.namespaces,
            overlays=inputs.overlays,
            registry=inputs.registry,
            options=inputs.options,
            gates=Gates(gates.get("spotToSpotConsolidation", False), gates.get("staticCapacity", False)),
            memory=Memory(nominated, frozenset(self.settings.get("queued") or ()), self.settings.get("bufferPods") or {}),
        )

    def later(self) -> World | None:
        """The world after the delay of validation."""
        during = self.settings.get("during")
        if not during:
            return None
        return self.world

    def answer(self) -> dict[str, Any]:
        return evaluation(self.world, self.later())


def evaluation(world: World, later: World | None) -> dict[str, Any]:
    """Every method asked on its own, and what they rest on."""
    question = Question.of(world, later)
    outcomes = {method: ask(method, question) for method in Method}
    judged = {**question.graceful.found, **question.eventual.found}
    chosen = {c.name for outcome in outcomes.values() for c in outcome.candidates}
    balanced = totals(world, question.graceful.found)
    return {
        "synced": world.synced,
        "first": first(outcomes, world),
        "methods": {str(method): outcome_form(outcome) for method, outcome in outcomes.items()},
        "nodes": {
            name: {
                "nodePool": c.pool.name,
                "price": c.price,
                "rescheduleCost": c.cost,
                "lifetimeWeightedCost": c.lifetime_weighted_cost,
            }
            for name, c in judged.items()
            if name in chosen
        },
        **present(
            blocked={
                name: blocked
                for name, checked in (("graceful", question.graceful), ("eventual", question.eventual))
                if (blocked := {object_of(n, world): text for n, text in checked.blocked.items() if text})
            },
            balanced={n: {"totalCost": t.price, "totalDisruptionCost": t.disruption} for n, t in balanced.items()},
        ),
        "budgets": {name: {str(reason): remaining(world, reason).by_pool[name] for reason in Reason} for name in world.pools},
    }


def present(**members: Any) -> dict[str, Any]:
    return {name: member for name, member in members.items() if member}


def object_of(name: str, world: World) -> str:
    machine = next(m for m in world.machines if m.name == name)
    return f"Node/{machine.state.node}" if machine.has_node else f"NodeClaim/{name}"


def first(outcomes: Mapping[Method, Outcome], world: World) -> str:
    """The method that the loop would execute."""
    for method, outcome in outcomes.items():
        if not world.synced:
            break
        if outcome.error:
            return "error"
        if outcome.commands:
            return str(method)
    return "none"


def outcome_form(outcome: Outcome) -> dict[str, Any]:
    events = [{"object": f"Node/{s.machine}", "reason": s.event, "message": s.text} for s in outcome.spared]
    events += [{"object": about, "reason": reason, "message": text} for about, reason, text in outcome.notes]
    return {
        "candidates": sorted(c.name for c in outcome.candidates),
        "commands": [command_form(c) for c in outcome.commands],
        **present(events=events, error=outcome.error),
    }


def command_form(command: Command) -> dict[str, Any]:
    simulation = command.simulation
    names = Named(simulation.batches) if simulation is not None else Named([])
    moves = {name: names.take(pods) for name, pods in simulation.moves.items()} if simulation is not None else {}
    errors = simulation.errors if simulation is not None else {}
    return {
        "decision": command.decision,
        "reason": str(command.reason),
        "nodes": [c.name for c in command.candidates],
        "savings": command.savings,
        "text": command.text,
        **present(
            replacements=[replacement_form(r, names) for r in command.replacements],
            moves=moves,
            podErrors={name: text for batch, text in errors.items() for name in names.left(batch)},
        ),
    }


def replacement_form(replacement: Replacement, names: Named) -> dict[str, Any]:
    return {
        "nodePool": replacement.node_pool,
        "pods": names.take(replacement.pods or {}),
        "requirements": [e.manifest() for e in replacement.requirements.expressions()],
        "requests": {r: f"{a}n" for r, a in (replacement.requests or {}).items()},
        "instanceTypes": [t.name for t in replacement.types],
        "prices": list(replacement.prices),
        "list": replacement.list,
    }


class Named:
    """The pods of batches by name. Pods of one batch are alike and named in order."""

    def __init__(self, batches: Any) -> None:
        self.names = []
        for batch in batches:
            name = f"{batch.pod.namespace}/{batch.name}"
            whole = [name] if batch.count == 1 else [f"{name}-{i}" for i in range(batch.count)]
            self.names.append(list(reversed(whole)))

    def take(self, pods: Mapping[int, int]) -> list[str]:
        return [self.names[batch].pop() for batch, count in pods.items() for _ in range(count)]

    def left(self, batch: int) -> list[str]:
        return self.names[batch]
