"""Commands of disruption that are being executed: nodes are removed once replacements are ready (spec: disruption 5, 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.methods import METHODS, Method
from cutlist.disruption.termination import with_deadline
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.results import PlacedClaim
from cutlist.simulation.draining import Draining
from cutlist.simulation.ledger import CommandRecord
from cutlist.simulation.nodes import cordoned, uncordoned
from cutlist.simulation.provisioning import Launcher
from cutlist.simulation.static_pools import StaticPools
from cutlist.simulation.world import World


@dataclass(frozen=True, slots=True)
class RunningCommand:
    """A command that is being executed: its nodes are removed once its replacements are ready."""

    number: int
    names: tuple[str, ...]
    replacements: tuple[str, ...]
    cause: str
    bounds: Mapping[str, float]


class CommandQueue:
    """The commands that wait for their replacements."""

    __slots__ = ("_draining", "_launcher", "_number", "_running", "_static", "_world")

    def __init__(self, world: World, launcher: Launcher, draining: Draining, static: StaticPools) -> None:
        self._world = world
        self._launcher = launcher
        self._draining = draining
        self._static = static
        self._number = 0
        self._running: list[RunningCommand] = []

    def start(self, method: Method, command: Command) -> bool:
        """Taint the nodes of a command and launch its replacements; without any its nodes are removed at once.

        Returns False if a replacement cannot be created because of its NodePool's limits: the nodes stay.
        """
        world, cluster = self._world, self._world.cluster
        names = tuple(c.name for c in command.candidates)
        # All of them before any node is tainted, and even if one fails: Karpenter creates what it can and leaves it.
        claims = [self._claim(replacement) for replacement in command.replacements]
        launched = tuple(name for claim in claims if claim is not None and (name := self._launcher.launch(claim)))
        if len(launched) < len(command.replacements):
            self.record(method, command, launched, "dropped: the limits of a NodePool are exceeded")
            return False
        self.record(method, command, launched, "executed")
        for name in names:
            node = cluster.nodes[name]
            # Only now: a command whose replacements cannot be created leaves its nodes alone.
            cluster.put(cordoned(node))
        if command.simulation is not None:
            cluster.nominated.update(dict.fromkeys(command.simulation.moves, world.instant))
        self._number += 1
        running = RunningCommand(self._number, names, launched, str(command.reason), dict(command.bounds))
        if not launched:
            self._finish(running)
        else:
            self._running.append(running)
            cluster.queued.update(names)
        return True

    def node_ready(self, name: str) -> None:
        """Remove the nodes of a command whose replacements are all ready now."""
        for running in [r for r in self._running if name in r.replacements]:
            nodes = self._world.cluster.nodes
            if all(r in nodes and nodes[r].initialized for r in running.replacements):
                self._running.remove(running)
                self._finish(running)

    def node_removed(self, name: str) -> None:
        """Let the commands fail that wait for a node which no longer exists: their own nodes stay."""
        for running in [r for r in self._running if name in r.replacements]:
            self._running.remove(running)
            for left in running.names:
                node = self._world.cluster.nodes.get(left)
                self._world.cluster.queued.discard(left)
                # A node that is being deleted for another cause keeps its taint.
                if node is not None and (node.claim is None or node.claim.deleted is None):
                    self._world.cluster.put(uncordoned(node))

    def _finish(self, running: RunningCommand) -> None:
        """Remove the nodes of a command."""
        cluster = self._world.cluster
        for name in running.names:
            cluster.queued.discard(name)
            bound, node = running.bounds.get(name), cluster.nodes.get(name)
            # Before the drain, which reads the deadline from the claim.
            if bound is not None and node is not None and node.claim is not None:
                cluster.put(replace(node, claim=with_deadline(node.claim, self._world.instant + bound)))
            self._draining.begin(name, running.cause)

    def record(self, method: Method, command: Command, launched: tuple[str, ...], outcome: str) -> None:
        """Record a command, with what has happened to it."""
        names = tuple(c.name for c in command.candidates)
        record = CommandRecord(
            self._world.now, METHODS[method], str(command.reason), command.decision, names, launched, command.savings, outcome
        )
        self._world.ledger.commands.append(record)

    def _claim(self, replacement: Replacement) -> PlacedClaim | None:
        """Return a replacement as the NodeClaim that is launched for it; None where its static NodePool may launch nothing."""
        if not replacement.types:
            return self._static.claim(replacement.node_pool)
        options = InstanceTypeOptions(replacement.types, replacement.prices)
        return PlacedClaim(replacement.node_pool, {}, replacement.requirements, dict(replacement.requests or {}), options)
