"""One round through the account: look, decide, act, and keep a record that is complete wherever the round ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from cutlist.catalog.embedded import load, regions
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.cluster_state import ClusterState, ObservedCluster
from cutlist.infrastructure.teardown.leftovers import Leftover, LeftoverKind
from cutlist.infrastructure.teardown.report import Result, Stop, Stopped, SweepReport, SweptLeftover
from cutlist.infrastructure.teardown.steps import POLL_SECONDS
from cutlist.settings.sweep import CEILING
from cutlist_live.errors import AccountError, FailedCallError, RefusedError, RegionError
from cutlist_live.sweep.access import Connect
from cutlist_live.sweep.calls import Calls, Clients, Clock
from cutlist_live.sweep.guards import Guards
from cutlist_live.sweep.inventory import Inventory
from cutlist_live.sweep.removal import Rehearsal, Removal


class Scope(StrEnum):
    """The extent of a sweep: everything that Karpenter leaves, or only the idle interfaces, again after the cluster."""

    ALL = "all"
    INTERFACES = "interfaces"


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What to sweep. `vpc` narrows the search for interfaces to one network.

    `ceiling` is the number of instances above which nothing is removed. `is_forced` sweeps a cluster whose API does not answer
    as if it were deleted. `volumes` are the kinds of volumes to delete as well; other volumes are only reported. `prices` are
    USD per hour by instance type.
    """

    facts: ClusterFacts
    vpc: str | None = None
    scope: Scope = Scope.ALL
    ceiling: int = CEILING
    is_forced: bool = False
    volumes: frozenset[LeftoverKind] = frozenset()
    prices: Mapping[str, float] = field(default_factory=dict)


Act = Callable[[Sequence[Leftover]], list[SweptLeftover]]
"""Does something with leftovers of one kind, and returns the result of each."""

_LOOKS: Final = 4  # EC2 still lists deleted resources for a moment


@dataclass(slots=True)
class Round:
    """A round. `findings` and `unseen` grow as it proceeds; see SweepReport for their meaning."""

    request: SweepRequest
    calls: Calls
    connect: Connect
    world: ObservedCluster | None = None
    findings: list[SweptLeftover] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def report(self, work: Callable[[], None]) -> SweepReport:
        """Do the work and report how far it got."""
        stopped = None
        try:
            work()
        except RefusedError as error:
            stopped = Stopped(Stop.REFUSED, str(error))
        except FailedCallError as error:
            stopped = Stopped(Stop.DENIED if error.is_denied else Stop.FAILED, str(error))
        except (AccountError, RegionError) as error:
            stopped = Stopped(Stop.FAILED, str(error))
        state = self.world.state if self.world else None
        now = self.calls.clock.now()
        return SweepReport(self.request.facts, state, now, tuple(self.findings), tuple(self.unseen), stopped)

    def go(self, act: Act) -> None:
        """Examine everything in the order of the steps, and act on what may be removed. Raises RefusedError,
        FailedCallError."""
        guards = Guards(self.request.facts, self.calls, self.connect)
        guards.check_account()
        world, why = guards.world()
        if self.request.is_forced and world.state is ClusterState.UNREACHABLE:
            world = ObservedCluster(ClusterState.GONE, world.now)
        self.world = world
        for leftovers in self._stages(world):
            self._settle(world, leftovers, act)
        if self.request.scope is Scope.ALL and world.state in (ClusterState.GONE, ClusterState.DELETING):
            self._beyond(act)
        if world.state is ClusterState.UNREACHABLE:
            raise RefusedError(f"the cluster exists, but what it uses is not known: {why}")

    def verify(self) -> None:
        """Look again. Removed resources that still exist, and new ones, count as failed. Raises FailedCallError."""
        world = self.world
        if world is None:
            return
        settled = {f.leftover.id for f in self.findings if f.result is not Result.REMOVED}
        for look in range(_LOOKS):
            remaining = [leftover for stage in self._stages(world) for leftover in stage if leftover.id not in settled]
            left = {leftover.id: leftover for leftover in remaining if not world.reason_to_keep(leftover)}
            if not left:
                return
            if look < _LOOKS - 1:
                self.calls.clock.pause(POLL_SECONDS)
        self.findings = [
            replace(f, result=Result.FAILED, reason="it is still there") if left.pop(f.leftover.id, None) else f
            for f in self.findings
        ]
        self.findings += [SweptLeftover(leftover, Result.FAILED, "it appeared during the sweep") for leftover in left.values()]

    def _stages(self, world: ObservedCluster) -> Iterator[tuple[Leftover, ...]]:
        """Yield the leftovers, kind by kind: each kind is searched when the kinds before it are settled."""
        inventory = Inventory(self.request.facts, self.calls, self.request.vpc, self.request.prices)
        instances = inventory.instances()
        if self.request.scope is Scope.ALL:
            self._check_ceiling(world, instances.leftovers)
            yield instances.leftovers
            yield inventory.templates()
            yield inventory.profiles()
        yield inventory.interfaces(instances.ids)

    def _check_ceiling(self, world: ObservedCluster, instances: Sequence[Leftover]) -> None:
        going = [leftover for leftover in instances if not world.reason_to_keep(leftover)]
        ceiling = self.request.ceiling
        if len(going) > ceiling:
            self.findings += [SweptLeftover(leftover, Result.KEPT, "there are too many") for leftover in going]
            raise RefusedError(f"{len(going)} instances would be terminated; at most {ceiling} are, unless more are allowed")

    def _settle(self, world: ObservedCluster, leftovers: Iterable[Leftover], act: Act) -> None:
        going = []
        for leftover in leftovers:
            if reason := world.reason_to_keep(leftover):
                self.findings.append(SweptLeftover(leftover, Result.KEPT, reason))
            else:
                going.append(leftover)
        self.findings += act(going)

    def _beyond(self, act: Act) -> None:
        """Report what others left. It may hold data, so it is only shown, except for requested kinds of volumes."""
        inventory = Inventory(self.request.facts, self.calls, None, {})
        for look in (inventory.volumes, inventory.balancers, inventory.log_groups):
            try:
                leftovers = list(look())
            except FailedCallError as error:
                self.unseen.append(str(error))
                continue
            for kind in LeftoverKind:
                of_kind = [leftover for leftover in leftovers if leftover.kind is kind]
                wanted = kind in self.request.volumes
                self.findings += act(of_kind) if wanted else [SweptLeftover(leftover, Result.REPORTED) for leftover in of_kind]


def hourly_prices(region: str) -> dict[str, float]:
    """Return on-demand prices in USD per hour by instance type; none for a region that the catalogue lacks."""
    if region not in regions():
        return {}
    priced = load(region).on_demand.items()
    return {machine: price.usd_per_hour for machine, price in priced if price.currency == "USD"}


@dataclass(frozen=True, slots=True)
class Sweep:
    """Sweeps one cluster. `clients` returns the clients of the account, `connect` opens a running cluster's API."""

    request: SweepRequest
    clients: Clients
    connect: Connect
    clock: Clock = field(default_factory=Clock)

    def rehearse(self) -> SweepReport:
        """Return what would be removed. Nothing is written; for EC2's writes it is checked whether they are permitted."""
        sweep_round = self._round()
        return sweep_round.report(lambda: sweep_round.go(Rehearsal(sweep_round.calls)))

    def run(self) -> SweepReport:
        """Remove what is left over, then check that it is deleted."""
        sweep_round = self._round()

        def work() -> None:
            sweep_round.go(Removal(sweep_round.calls))
            sweep_round.verify()

        return sweep_round.report(work)

    def _round(self) -> Round:
        calls = Calls(self.clients, self.request.facts.region, self.clock)
        return Round(self.request, calls, self.connect)
