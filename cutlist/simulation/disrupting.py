"""Karpenter's disruption controller over time: its rounds, and the validation of commands (spec: disruption 4, 5).

A round evaluates the methods in their order and acts on the first that has a command, then begins again at once. If none has
one, it sleeps ten seconds. A round is skipped if nothing has changed since the last one without a command, neither the cluster
nor anything that changes with time: it would have the same result, and the pace stays that of Karpenter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.api.budget_windows import next_change
from cutlist.disruption.candidates import Candidates, DisruptionClass, candidates
from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.conditions import settled_at
from cutlist.disruption.consolidation import is_consolidatable
from cutlist.disruption.emptiness import is_empty
from cutlist.disruption.evaluation import NO_CANDIDATES, MethodInputs, MethodOutcome
from cutlist.disruption.health_policy import matcher_of
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.methods import METHODS, Method, evaluate, methods_of
from cutlist.disruption.validation import ValidatedCommand, still_consolidates, still_empty
from cutlist.simulation.command_queue import CommandQueue
from cutlist.simulation.events import MINUTE, SECOND, CommandDue, RoundDue
from cutlist.simulation.pods import batched
from cutlist.simulation.world import World

_IDLE: Final = 10 * SECOND
_UNSYNCED: Final = 1 * SECOND
_VALIDATION: Final = 15 * SECOND
_LEAST_PAUSE: Final = 5
_MOST_DOUBLED: Final = 18
_LONGEST_PAUSE: Final = 1000 * SECOND
"""Between rounds after errors in a row controller-runtime pauses for 5 ms, and each time twice as long, up to 1,000 s (4.1)."""
_FORGOTTEN: Final = 300.0
"""Number of seconds after which Karpenter looks again although it has seen no change (spec 4.2)."""
_VALIDATED: Final = frozenset({Method.EMPTINESS, Method.MULTI, Method.SINGLE})
_REMEMBERED: Final = frozenset({Method.MULTI, Method.SINGLE})
_TIMEOUTS: Final = {Method.MULTI: 1 * MINUTE, Method.SINGLE: 3 * MINUTE}


class Disruption:
    """The disruption controller of a simulation."""

    __slots__ = (
        "_commands",
        "_decided",
        "_due",
        "_evaluated",
        "_failed",
        "_idle_since",
        "_judged",
        "_looked",
        "_number",
        "_remembered",
        "_unsettled",
        "_world",
    )

    def __init__(self, world: World, commands: CommandQueue) -> None:
        self._world = world
        self._commands = commands
        self._due: int | None = None
        self._idle_since: int | None = None
        self._looked = -1
        self._evaluated: dict[Method, int] = {}
        self._remembered: dict[Method, float] = {}
        self._decided: tuple[int, Method, Command, int] | None = None
        self._number = 0
        self._failed = 0
        self._judged = 0
        self._unsettled: dict[str, float] = {}

    # --- pace

    def begin(self) -> None:
        """Let the first round begin now."""
        self._next(self._world.now)

    def notice(self) -> None:
        """Record that something has happened: the next round of an idle controller looks at it."""
        if self._idle_since is not None and self._world.cluster.changes != self._looked:
            self._wake(self._world.now)

    def _wake(self, at: int) -> None:
        """Let the first round at or after an instant, of those that are ten seconds apart, take place."""
        assert self._idle_since is not None  # noqa: S101 - the caller has looked
        # Rounds that were skipped would have happened every ten seconds, so the next one keeps their rhythm.
        rounds = max(1, -(-(at - self._idle_since) // _IDLE))
        due = self._idle_since + rounds * _IDLE
        if self._due is None or due < self._due:
            self._next(due, idle=True)

    def _next(self, at: int, *, idle: bool = False) -> None:
        if not idle:
            self._idle_since = None
        self._due = at
        self._world.push(RoundDue(at))

    def _sleep(self, state: ClusterState, since: int) -> None:
        """Sleep until something changes, by itself or because of time."""
        self._idle_since, self._due, self._failed = since, None, 0
        self._looked = self._world.cluster.changes
        now, instant = self._world.now, self._world.instant
        later = min((ms for at in self._changes(state) if (ms := round((at - instant) * SECOND)) > 0), default=None)
        if later is not None:
            self._wake(now + later)

    def _changes(self, state: ClusterState) -> Iterator[float]:
        """Yield when time alone may change what a round finds, in seconds since 1970."""
        yield from self._unsettled.values()
        yield from (at + NOMINATED_FOR for at in self._world.cluster.nominated.values())
        held = (p for name in self._world.cluster.known_candidates.held for p in self._world.cluster.nodes[name].pods)
        yield from (at for p in held if p.do_not_disrupt and (at := p.held_until) is not None and at > state.now)
        for pool in state.pools.values():
            change = next_change(pool, state.now) if pool.disruption.budgets else None
            if change is not None:
                yield change
        if state.repairs:
            matcher = matcher_of(state.repair_policies)
            yield from (m.eligible_at for n in state.nodes for m in matcher.matches(n.conditions, n.created, n.rebooted))
        # A method that was passed over because of its memory looks again when the memory ends.
        if any(self._evaluated.get(method) != self._number for method in _REMEMBERED):
            yield self._world.cluster.moved + _FORGOTTEN

    # --- a round

    def round(self, event: RoundDue) -> None:
        """Run a round if it is due now."""
        # An event that was queued is not taken back; the round it was for was moved.
        if event.at != self._due:
            return
        self._due = None
        if self._world.cluster.launching:
            self._next(self._world.now + _UNSYNCED)
            return
        self._idle_since = None
        self._number += 1
        self._judge()
        self._look(list(methods_of(self._world.cluster.base)))

    def _judge(self) -> None:
        """Set the conditions of NodeClaims whose pods have changed, or whose `consolidateAfter` is over."""
        cluster = self._world.cluster
        names = {name for name in cluster.touched[self._judged :] if name in cluster.nodes}
        # Their pods have not changed, but their `consolidateAfter` has ended.
        names |= {name for name, at in self._unsettled.items() if at <= cluster.now and name in cluster.nodes}
        self._judged = len(cluster.touched)
        cluster.judge(sorted(names), self._world.own_drift)
        self._unsettled = {n: at for n, at in self._unsettled.items() if at > cluster.now and n in cluster.nodes}
        for name in names:
            node, pool = cluster.nodes[name], cluster.base.pools.get(cluster.nodes[name].pool)
            at = settled_at(node.claim, pool) if node.claim is not None and pool is not None else None
            if at is not None and at > cluster.now:
                self._unsettled[name] = at

    def _look(self, methods: Sequence[Method]) -> None:
        """Look at methods in their order; what they decide is recorded at once, unless it has to be validated first."""
        self._methods(methods)
        if self._decided is None:
            self._world.recorder.close()

    def _methods(self, methods: Sequence[Method]) -> None:
        """Look at methods in their order, until one has a command."""
        world, cluster = self._world, self._world.cluster
        state = cluster.state()
        inputs = self._inputs(state)
        # As Karpenter does, a look after so long counts as a change of the cluster itself (spec 4.2).
        if cluster.now - cluster.moved >= _FORGOTTEN:
            cluster.moved = cluster.now
        took = number = 0
        for method in methods:
            if method in _REMEMBERED and self._remembered.get(method) == cluster.moved:
                continue
            outcome = evaluate(method, inputs)
            # Only a round that evaluates something gets a number.
            number = number or world.next_decision()
            if world.recorder.is_on:
                world.recorder.note_method(number, state, batched(cluster.marked), method, outcome)
            self._evaluated[method] = self._number
            took += self._cost(method, outcome, inputs)
            if outcome.error:
                break
            # The round waits here, as Karpenter does: no other method is looked at before the command is confirmed or dropped.
            if outcome.commands and method in _VALIDATED:
                self._decided = (self._number, method, outcome.commands[0], cluster.changes)
                world.push(CommandDue(world.now + took + _VALIDATION, self._number))
                return
            if outcome.commands:
                started = [self._commands.start(method, command) for command in outcome.commands]
                # One millisecond at least, or a round without cost would follow itself at the same instant forever.
                self._next(world.now + max(took, 1, self._pause(is_error=not all(started))))
                return
            # Karpenter remembers that it found nothing only if no budget kept a candidate out, and nothing was left undone
            # (spec 4.2).
            if method in _REMEMBERED and outcome.candidates and not outcome.constrained and not outcome.unfinished:
                self._remembered[method] = cluster.moved
        self._sleep(state, world.now + took)

    def _inputs(self, state: ClusterState) -> MethodInputs:
        simulator, known = self._world.cluster.simulator(state), self._known(state)
        graceful, eventual = (known.of(state, of) for of in (DisruptionClass.GRACEFUL, DisruptionClass.EVENTUAL))
        repairable: Candidates = candidates(state, DisruptionClass.REPAIR) if state.repairs else NO_CANDIDATES
        prospects = self._world.cluster.prospects(state)
        return MethodInputs(state, graceful, eventual, simulator, simulator, graceful, repairable, prospects, known)

    def _known(self, state: ClusterState) -> KnownCandidates:
        """Return what is known of candidates; with buffers nothing is known from earlier rounds."""
        cluster = self._world.cluster
        if state.buffers:
            cluster.known_candidates = KnownCandidates()
        return cluster.known_candidates

    def _cost(self, method: Method, outcome: MethodOutcome, inputs: MethodInputs) -> int:
        """Return how long Karpenter needs for a search, in milliseconds, and count those that reach their timeout."""
        timeout = _TIMEOUTS.get(method)
        count = len(outcome.candidates)
        if timeout is None or not count:
            return 0
        assert inputs.known is not None  # noqa: S101 - those of a simulation are kept
        cost, nodes = self._world.settings.cost, len(inputs.cluster.nodes)
        pods = inputs.known.pods_of_accepted(is_consolidatable, DisruptionClass.GRACEFUL, inputs.cluster) // count
        if method is Method.MULTI:
            most = min(count - 1, 100)
            # A bisection simulates as often as the number has binary digits, with half of the candidates on average.
            took = most.bit_length() * cost.of(nodes, pods * max(1, most // 2))
        else:
            took = outcome.tried * cost.of(nodes, pods)
        if took > timeout:
            self._world.ledger.timeouts[METHODS[method]] += 1
        return min(took, timeout)

    # --- commands

    def validate(self, event: CommandDue) -> None:
        """Check a command that was decided 15 seconds ago, and start it or go on with the methods after its own."""
        if self._decided is None or self._decided[0] != event.number:
            return
        _, method, command, changes = self._decided
        self._decided = None
        self._judge()
        verdict = self._verdict(method, command)
        if self._world.recorder.waits:
            cluster = self._world.cluster
            self._world.recorder.note_validation(cluster.state(), list(cluster.marked), method, verdict.command)
        if verdict.command is not None:
            is_started = self._commands.start(method, verdict.command)
            self._next(self._world.now + self._pause(is_error=not is_started))
            return
        self._commands.record(method, command, (), f"dropped: {verdict.failure}")
        order = list(methods_of(self._world.cluster.base))
        self._look(order[order.index(method) + 1 :])
        if self._idle_since is not None:
            self._looked = changes  # methods before this one have not seen what happened since

    def _verdict(self, method: Method, command: Command) -> ValidatedCommand:
        state = self._world.cluster.state()
        present = self._known(state).of(state)
        if method is Method.EMPTINESS:
            return still_empty(command, state, present, is_empty)
        return still_consolidates(command, self._world.cluster.simulator(state), present, is_consolidatable)

    def _pause(self, *, is_error: bool) -> int:
        """Return how long the controller waits until the next round, in milliseconds: for longer with each error in a row."""
        self._failed = self._failed + 1 if is_error else 0
        return min(_LEAST_PAUSE << min(self._failed - 1, _MOST_DOUBLED), _LONGEST_PAUSE) if is_error else 0
