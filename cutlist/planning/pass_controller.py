"""One controller in the passes of a plan: it schedules, and its new claims become nodes of the cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.api.nodepool import NodePool
from cutlist.core.identity import SameObject
from cutlist.core.runs import Runs, in_runs
from cutlist.planning.attaching import Attaching, HeldBack
from cutlist.planning.late_volumes import BatchVolumes
from cutlist.planning.launched_nodes import Launcher
from cutlist.planning.pass_cluster import PassCluster, with_pods
from cutlist.planning.static_nodes import only_existing_nodes
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.dynamicresources.allocation import ClaimAllocation, GivenDevices
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.launched import Purchase, cheapest_purchase, without_reserved
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.results import PlacedClaim, Results, accepted, finalise
from cutlist.scheduling.scheduler import Scheduler
from cutlist.state.full_nodes import launched_name
from cutlist.state.scheduling_node import NODES
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class Controller:
    """One controller of a cluster: the inputs of its passes, what its claims become, and how its pods' volumes bind.

    The nodes of `static` claims exist before the first pass. Without `purchases` a claim becomes its cheapest type. Claims
    that bind with their pods are bound in `volumes`. `tables` are those of the types of the inputs. `attach_limits` returns how
    many volumes a NodePool's node of a type attaches, by CSI driver; without it, nodes attach any number.
    """

    inputs: SchedulerInputs
    tables: InstanceTypeIndexes
    purchases: Callable[[PlacedClaim], Purchase] | None = None
    volumes: BatchVolumes | None = None
    static: Sequence[PlacedClaim] = ()
    attach_limits: Callable[[str, str], Mapping[str, int]] | None = None


class PassController:
    """A controller from pass to pass: the claims that it launched, and the types that it may still buy.

    Its static claims are launched at once. `run` makes a pass, and `take` carries out what the pass decided.
    """

    def __init__(self, controller: Controller, cluster: PassCluster) -> None:
        self._inputs = controller.inputs
        self._purchases = controller.purchases
        self._late = controller.volumes
        self._cluster = cluster
        self._passes = _Passes(controller.tables)
        self._launcher = Launcher(controller.inputs, cluster)
        self._options = _SharedOptions()
        self._types = controller.inputs.types
        self._volumes = controller.inputs.volumes
        self._claims: list[_Claims] = []
        self._relaxed: dict[int, Counter[Pod]] = {}
        self._ignored: Mapping[int, str] | None = None
        # Nodes that earlier passes left have such names too.
        self._next = len(cluster.nodes) + sum(len(of.numbers) for of in cluster.full)
        self._attaching = Attaching(controller.attach_limits, cluster)
        self._devices: dict[str, tuple[GivenDevices, ...]] = {}
        self._launch(controller.static)

    @property
    def has_waiting(self) -> bool:
        """Tell whether a pass has anything to place: pods without a node, or virtual ones."""
        return any(map(self._waiting, range(len(self._cluster.batches))))

    def run(self) -> Results:
        """Run a pass over the cluster as it is. Pods that the first pass ignored are left out of all others."""
        results = accepted(self._passes.run(self._inputs_of_pass()))
        results = replace(results, claims=self._options.of(results.claims))
        if self._ignored is None:
            self._ignored = results.ignored
        return self._attaching.bound(results, self._volumes, self._purchase)

    @property
    def held_back(self) -> Sequence[HeldBack]:
        """Return the pods that the last pass launched a node for, and that their volumes keep waiting."""
        return self._attaching.held_back

    def run_without_virtual_pods(self) -> Results:
        """Run a pass over only the existing nodes, as if there were no CapacityBuffers; it opens no nodes."""
        virtual = {b for b, batch in enumerate(self._cluster.batches) if batch.virtual}
        pools = list(map(_without_further_nodes, self._inputs.pools))
        return self._passes.run_apart(replace(self._inputs_of_pass(without=virtual), pools=pools))

    @property
    def inputs(self) -> SchedulerInputs:
        """Return the inputs of its first pass."""
        return self._inputs

    def run_beside(self, batches: Sequence[int]) -> Mapping[str, Mapping[int, int]]:
        """Return where the kube-scheduler puts the waiting pods of batches, by node: on existing ones only, by the same rules
        for these."""
        counts = {b: self._cluster.waiting(b) for b in batches}
        of_batches = [replace(batch, count=counts.get(b, 0)) for b, batch in enumerate(self._inputs.batches)]
        existing = replace(self._inputs_of_pass(), batches=of_batches, moving=frozenset(batches))
        idle = only_existing_nodes(existing)
        tables = InstanceTypeIndexes(idle.types, idle.options.karpenter)
        return _solved(SchedulingContext(idle, tables), idle)[1].existing

    def listed_of(self, last: Results) -> int:
        """Return how many of the nodes that a pass opens the next one would look at: those that are not full."""
        return sum(count for claim, count in in_runs(last.claims) if not self._is_counted(claim, count))

    def take(self, last: Results) -> Mapping[str, Mapping[int, int]]:
        """Launch the nodes of a pass and put its real pods where it placed them; return the pods that nodes got, by name. Nodes
        that are full are left out."""
        for name, placed in last.existing.items():
            self._cluster.fill(name, self._cluster.real(placed), self._volumes)
        launched = self._launch(last.claims)
        self._give(last, launched)
        for batch, forms in last.relaxed.items():
            if self._cluster.batches[batch].virtual:
                self._relaxed[batch] = Counter(forms)
            else:
                self._relaxed.setdefault(batch, Counter()).update(forms)
        return {**last.existing, **{name: claim.pods for name, claim in launched.items()}}

    def bind_volumes(self, on_nodes: Mapping[str, Mapping[int, int]]) -> None:
        """Bind claims of pods that got a node; one that pods of several zones share in the first of these."""
        if self._late is None or not self._volumes:
            return
        zones: dict[int, str] = {}
        for name, pods in on_nodes.items():
            zone = self._cluster.zone_of(name)
            zones.update((b, min(zone, zones.get(b, zone))) for b in self._cluster.real(pods) if b in self._volumes)
        self._volumes = self._late.bind(zones) or self._volumes

    def result(self, last: Results) -> Results:
        """Return one result over all passes, of which this is the last; the pods that it left pending stay pending."""
        if not self._cluster.has_changed:
            return last
        claims, on = Runs(run for of in self._claims for run in self._runs_of(of)), self._cluster.pods_on
        existing = {node.name: pods for node in self._inputs.nodes if (pods := on(node.name))}
        devices = {name: given for name in existing if (given := self._given_on(name))}
        relaxed = {batch: Counter(forms) for batch, forms in self._relaxed.items()}
        return replace(last, claims=claims, existing=existing, ignored=self._ignored or {}, relaxed=relaxed, devices=devices)

    def _runs_of(self, claims: _Claims) -> Iterator[tuple[PlacedClaim, int]]:
        """Yield claims with the pods and devices that their nodes have, each with how many equal ones follow it."""
        of, batches = claims.of, self._cluster.batches
        if claims.are_full:
            yield of, len(claims.numbers)
            return
        for name in (launched_name(of.node_pool, number) for number in claims.numbers):
            yield replace(with_pods(of, self._cluster.pods_on(name), batches), devices=self._given_on(name)), 1

    def _give(self, last: Results, launched: Mapping[str, PlacedClaim]) -> None:
        """Remember which devices a pass gave to real pods: later ones do not give them again."""
        given = {name: claim.devices for name, claim in launched.items()} | dict(last.devices)
        for name, allocations in given.items():
            bought = self._purchase(launched[name]).type.name if name in launched else ""
            real = [a for a in allocations if not self._cluster.batches[a.batch].virtual]
            more = tuple(GivenDevices(name, bought or next(iter(a.devices), ""), a) for a in real)
            self._devices[name] = (*self._devices.get(name, ()), *more)

    def _given_on(self, name: str) -> tuple[ClaimAllocation, ...]:
        return tuple(given.allocation for given in self._devices.get(name, ()))

    def left(self) -> Controller:
        """Return the controller with the cluster as the passes left it: asked again, it places nothing."""
        tables = self._passes.tables_of(self._types)
        return Controller(self._inputs_of_pass(), tables, self._purchases)

    def _launch(self, claims: Sequence[PlacedClaim]) -> dict[str, PlacedClaim]:
        """Launch the nodes of claims, with their pods on them; return the claims by the names of their nodes, without those of
        full nodes, which are counted."""
        launched: dict[str, PlacedClaim] = {}
        purchases: list[tuple[Purchase, int]] = []
        for claim, count in in_runs(claims):
            purchase = self._purchase(claim)
            purchases.append((purchase, count))
            limits, are_full = self._attaching.limits(claim, purchase), self._is_counted(claim, count)
            numbers = range(self._next, self._next + count)
            self._next = numbers.stop
            self._claims.append(_Claims(numbers, claim, are_full))
            if are_full:
                self._launcher.count(numbers, claim, purchase, limits)
                continue
            for number in numbers:
                name = launched_name(claim.node_pool, number)
                launched[name] = claim
                self._launcher.launch(name, claim, purchase, limits, self._volumes)
        self._types = without_reserved(self._types, purchases, self._inputs.registry)
        return launched

    def _is_counted(self, claim: PlacedClaim, count: int) -> bool:
        """Tell whether it is enough to count the nodes of so many equal claims."""
        return count > 1 and self._launcher.is_full(claim, self._purchase(claim))

    def _inputs_of_pass(self, without: Container[int] = ()) -> SchedulerInputs:
        counts = [0 if b in without else self._waiting(b) for b in range(len(self._inputs.batches))]
        batches = [
            batch if batch.count == count else replace(batch, count=count)
            for batch, count in zip(self._inputs.batches, counts, strict=True)
        ]
        nodes, bound, full = self._cluster.nodes, self._cluster.bound, self._cluster.full
        given = tuple(given for of_node in self._devices.values() for given in of_node)
        now = replace(self._inputs, batches=batches, nodes=nodes, bound=bound, full=full)
        return replace(now, types=self._types, volumes=self._volumes, given=given)

    def _waiting(self, batch: int) -> int:
        is_left_out = (self._ignored and batch in self._ignored) or batch in self._attaching.never
        return 0 if is_left_out else self._cluster.waiting(batch)

    def _purchase(self, claim: PlacedClaim) -> Purchase:
        if self._purchases is None:
            return cheapest_purchase(claim, self._inputs.registry)
        return self._purchases(claim)


@dataclass(frozen=True, slots=True)
class _Claims:
    """Equal claims that were launched one after the other, by number; `are_full` if their nodes are counted."""

    numbers: range
    of: PlacedClaim
    are_full: bool


class _SharedOptions:
    """Lists of instance types that claims of all passes share where they are equal."""

    def __init__(self) -> None:
        self._by_value: dict[Hashable, InstanceTypeOptions] = {}
        self._by_identity: dict[SameObject, InstanceTypeOptions] = {}

    def of(self, claims: Sequence[PlacedClaim]) -> Runs[PlacedClaim]:
        """Return claims that share equal lists of types with those of earlier passes."""
        return Runs((self._with_shared(claim), count) for claim, count in in_runs(claims))

    def _with_shared(self, claim: PlacedClaim) -> PlacedClaim:
        shared = self._shared(claim.candidates)
        return claim if shared is claim.candidates else replace(claim, candidates=shared)

    def _shared(self, candidates: InstanceTypeOptions) -> InstanceTypeOptions:
        cached = self._by_identity.get(SameObject(candidates))
        if cached is None:
            value = (tuple(map(SameObject, candidates.types)), candidates.prices)
            cached = self._by_identity[SameObject(candidates)] = self._by_value.setdefault(value, candidates)
        return cached


class _Passes:
    """Runs pass after pass; what a pass changes is added to what the earlier ones computed, where that is possible."""

    scheduler: Scheduler

    def __init__(self, tables: InstanceTypeIndexes) -> None:
        self._tables = tables
        self._context: SchedulingContext | None = None

    def run(self, inputs: SchedulerInputs) -> Results:
        """Run one pass; `scheduler` is its scheduler from then on."""
        self.scheduler, results = _solved(self._extended(inputs), inputs)
        return results

    def run_apart(self, inputs: SchedulerInputs) -> Results:
        """Run a pass on which no later pass builds."""
        return _solved(SchedulingContext(inputs, self._tables), inputs)[1]

    def tables_of(self, types: Mapping[str, Sequence[InstanceType]]) -> InstanceTypeIndexes:
        """Return the indexes of the types of the last pass, or new ones for other types."""
        if types is self._tables.types:
            return self._tables
        return InstanceTypeIndexes(types, self._tables.karpenter)

    def _extended(self, inputs: SchedulerInputs) -> SchedulingContext:
        if self._context is not None and self._context.is_extended_by(inputs):
            self._context.extend(inputs)
            return self._context
        if inputs.types is not self._tables.types:
            self._tables = InstanceTypeIndexes(inputs.types, inputs.options.karpenter)
        self._context = SchedulingContext(inputs, self._tables)
        return self._context


def _without_further_nodes(pool: NodePool) -> NodePool:
    # The NodePool stays: its zones are domains and its taints count for preferences. It only launches nothing.
    manifest = pool.manifest()
    spec = manifest["spec"]
    return NodePool.from_manifest({**manifest, "spec": {**spec, "limits": {**(spec.get("limits") or {}), NODES: "0"}}})


def _solved(context: SchedulingContext, inputs: SchedulerInputs) -> tuple[Scheduler, Results]:
    scheduler = context.new_scheduler(inputs)
    scheduler.solve()
    strict, options = inputs.options.strict_min_values, context.instance_type_options
    return scheduler, finalise(scheduler, strict_min_values=strict, instance_type_options=options)
