"""One round through the account: look, decide, act, and keep a record that is whole wherever the round ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.infrastructure.teardown.leftovers import Kind, Leftover
from cutlist.infrastructure.teardown.report import Finding, Result, Stop, SweepReport
from cutlist.infrastructure.teardown.steps import POLL_SECONDS
from cutlist.infrastructure.teardown.world import ClusterState, World
from cutlist_live.errors import AccountError, RegionError
from cutlist_live.sweep.access import Connect
from cutlist_live.sweep.beyond import Beyond
from cutlist_live.sweep.calls import Calls, FailedCallError
from cutlist_live.sweep.guards import Guards, RefusedError
from cutlist_live.sweep.inventory import Inventory
from cutlist_live.sweep.request import Scope, SweepRequest

Act = Callable[[Sequence[Leftover]], list[Finding]]
"""Does something about leftovers of one kind, and says what became of each."""

_LOOKS: Final = 4  # EC2 goes on naming for a moment what is deleted


@dataclass(slots=True)
class Round:
    """One round. `findings` and `unseen` grow as it goes; see SweepReport for what they are."""

    request: SweepRequest
    calls: Calls
    connect: Connect
    world: World | None = None
    findings: list[Finding] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def report(self, work: Callable[[], None]) -> SweepReport:
        """Do the work and say how far it came."""
        stop, why = None, ""
        try:
            work()
        except RefusedError as error:
            stop, why = Stop.REFUSED, str(error)
        except FailedCallError as error:
            stop, why = Stop.DENIED if error.is_denied else Stop.FAILED, str(error)
        except (AccountError, RegionError) as error:
            stop, why = Stop.FAILED, str(error)
        state = self.world.state if self.world else None
        return SweepReport(
            self.request.facts, state, self.calls.clock.now(), tuple(self.findings), tuple(self.unseen), stop, why
        )

    def go(self, act: Act) -> None:
        """Look at everything in the order of the steps, and act on what may go. Raises RefusedError, FailedCallError."""
        guards = Guards(self.request.facts, self.calls, self.connect)
        guards.check_account()
        world, why = guards.world()
        if self.request.is_forced and world.state is ClusterState.UNREACHABLE:
            world = World(ClusterState.GONE, world.now)
        self.world = world
        for leftovers in self._stages(world):
            self._settle(world, leftovers, act)
        if self.request.scope is Scope.ALL and world.state in (ClusterState.GONE, ClusterState.DELETING):
            self._beyond(act)
        if world.state is ClusterState.UNREACHABLE:
            raise RefusedError(f"the cluster exists, but what it uses is not known: {why}")

    def verify(self) -> None:
        """Look again. What was removed and is still there, and what appeared meanwhile, has failed. Raises FailedCallError."""
        world = self.world
        if world is None:
            return
        settled = {f.leftover.id for f in self.findings if f.result is not Result.REMOVED}
        for look in range(_LOOKS):
            there = [one for stage in self._stages(world) for one in stage if one.id not in settled]
            left = {one.id: one for one in there if not world.reason_to_keep(one)}
            if not left:
                return
            if look < _LOOKS - 1:
                self.calls.clock.pause(POLL_SECONDS)
        self.findings = [
            replace(f, result=Result.FAILED, reason="it is still there") if left.pop(f.leftover.id, None) else f
            for f in self.findings
        ]
        self.findings += [Finding(one, Result.FAILED, "it appeared during the sweep") for one in left.values()]

    def _stages(self, world: World) -> Iterator[tuple[Leftover, ...]]:
        """What there is, kind by kind: each is looked for when the kinds before it are settled."""
        inventory = Inventory(self.request.facts, self.calls, self.request.vpc, self.request.prices)
        instances = inventory.instances()
        if self.request.scope is Scope.ALL:
            self._check_ceiling(world, instances.there)
            yield instances.there
            yield inventory.templates()
            yield inventory.profiles()
        yield inventory.interfaces(instances.ids)

    def _check_ceiling(self, world: World, instances: Sequence[Leftover]) -> None:
        going = [one for one in instances if not world.reason_to_keep(one)]
        ceiling = self.request.ceiling
        if len(going) > ceiling:
            self.findings += [Finding(one, Result.KEPT, "there are too many") for one in going]
            raise RefusedError(f"{len(going)} instances would be terminated; at most {ceiling} are, unless more are allowed")

    def _settle(self, world: World, leftovers: Iterable[Leftover], act: Act) -> None:
        going = []
        for one in leftovers:
            if reason := world.reason_to_keep(one):
                self.findings.append(Finding(one, Result.KEPT, reason))
            else:
                going.append(one)
        self.findings += act(going)

    def _beyond(self, act: Act) -> None:
        """What others left. It may hold data, so it is only shown, but for kinds of volumes that were asked for."""
        inventory = Inventory(self.request.facts, self.calls, None, {})
        beyond = Beyond(self.request.facts, self.calls)
        for look in (inventory.volumes, beyond.balancers, beyond.log_groups):
            try:
                found = list(look())
            except FailedCallError as error:
                self.unseen.append(str(error))
                continue
            for kind in Kind:
                of_kind = [one for one in found if one.kind is kind]
                wanted = kind in self.request.volumes
                self.findings += act(of_kind) if wanted else [Finding(one, Result.REPORTED) for one in of_kind]
