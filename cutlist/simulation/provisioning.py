"""Karpenter's provisioner: it gathers pending pods in a window, runs a pass of the scheduler, and launches the new claims.

(spec: scheduling 4.2 to 4.4, 10.1; disruption 1.1, 1.8). While pods wait or nodes are being removed it looks again every ten
seconds; a look at a cluster that has not changed since the last one has the same result, so only its nominations are renewed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.catalog.prices import usd
from cutlist.catalog.ranges import deviation_of
from cutlist.core.labels import CAPACITY_TYPE, INITIALIZED, INSTANCE_TYPE, OS, REGISTERED, ZONE
from cutlist.core.requirements import Requirements
from cutlist.planning.meant_pools import MeantPools
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.launched import Purchase, launched
from cutlist.scheduling.node_terms import expected_by_daemon
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim, Results, finalise
from cutlist.simulation.events import SECOND, BatchClosed, InstanceLaunched, LaunchFailed, NodeExpired, NodeReady
from cutlist.simulation.ledger import CommandRecord, NodeLife
from cutlist.simulation.nodes import with_pods
from cutlist.simulation.offerings import Offerings
from cutlist.simulation.pass_inputs import pass_inputs
from cutlist.simulation.pods import batched, key_of
from cutlist.simulation.world import World
from cutlist.state.pods import RUNNING, RunningPod, moves, with_copied_labels
from cutlist.state.scheduling_node import NODES
from cutlist.state.statenode import CLAIM_INITIALIZED, LAUNCHED, Condition, NodeClaimState, StateNode
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.owners import HASH_LETTERS

AGAIN: Final = 10 * SECOND
"""Number of milliseconds after which a pod that still waits, or a node that is still being removed, calls for another pass."""
_UNSYNCED: Final = 1 * SECOND
_SUFFIX: Final = 5


class Provisioner:
    """Decides which nodes pending pods need, and launches them."""

    __slots__ = ("_as_of", "_closes", "_first", "_is_open", "_launcher", "_nominated", "_window", "_world")

    def __init__(self, world: World, launcher: Launcher) -> None:
        self._world = world
        self._launcher = launcher
        self._window = 0
        self._first: int | None = None
        self._closes: int | None = None
        self._is_open = False
        self._as_of = -1
        self._nominated: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Tell whether a pass is coming."""
        return self._is_open

    def trigger(self) -> None:
        """Open the batching window for a pod that waits, or keep it open for longer."""
        settings, now = self._world.settings, self._world.now
        if self._first is None:
            self._first = now
        # Each pod extends the window, up to its longest.
        closes = min(now + settings.batch_idle, self._first + settings.batch_max)
        if closes != self._closes:
            self._window, self._closes, self._is_open = self._window + 1, closes, True
            self._world.push(BatchClosed(closes, self._window))

    def close(self, event: BatchClosed) -> None:
        """Run a pass if the window of this number closes now."""
        # An event that was queued is not taken back. A window that was extended has another number, and its earlier end is
        # ignored.
        if event.window != self._window:
            return
        cluster = self._world.cluster
        self._first = self._closes = None
        self._is_open = False
        # Karpenter runs no pass while a NodeClaim has no provider id yet (spec: scheduling 4.1).
        if cluster.launching:
            self._again(_UNSYNCED)
            return
        has_pods = bool(cluster.pending or cluster.has_leaving)
        if has_pods or cluster.base.buffers:
            # The same pass on the same cluster would find nothing for the same pods. Only its nominations begin again.
            if cluster.changes != self._as_of:
                self._run()
            cluster.nominated.update(dict.fromkeys((n for n in self._nominated if n in cluster.nodes), self._world.instant))
            if has_pods:
                self._again(AGAIN)

    def is_idle(self, event: BatchClosed) -> bool:
        """Tell whether the end of a window changes nothing but the instant of the next one: pods wait for which the last pass
        found nothing, the cluster is as it was, and no node stays nominated."""
        cluster = self._world.cluster
        is_next = event.window == self._window and self._first is None and not cluster.launching
        has_pods = bool(cluster.pending or cluster.has_leaving)
        return is_next and has_pods and cluster.changes == self._as_of and not any(n in cluster.nodes for n in self._nominated)

    def postpone(self, event: BatchClosed, at: int) -> None:
        """Let an idle window end at a later instant or soon after it: when it would have ended again."""
        windows = -(-(at - event.at) // AGAIN)
        self._world.push(BatchClosed(event.at + windows * AGAIN, event.window))

    def notice(self) -> None:
        """Check again whether buffers have room, if something has changed since the last pass."""
        cluster = self._world.cluster
        if cluster.base.buffers and not self._is_open and cluster.changes != self._as_of:
            self.trigger()

    def _again(self, delay: int) -> None:
        """Check again after a while, unless a pod opens the window before."""
        self._window, self._is_open = self._window + 1, True
        self._world.push(BatchClosed(self._world.now + delay, self._window))

    def _run(self) -> None:
        cluster = self._world.cluster
        state = cluster.state()
        waiting = batched(cluster.marked)
        moving = [p for n in cluster.leaving(state) for p in n.pods if moves(p, state.evictions, state.now)]
        # Pods that move stay single, as in Karpenter's list: each has its own age in the queue.
        groups = [*waiting, *((batch, pods) for p in moving for batch, pods in batched([p]))]
        moved = frozenset(range(len(waiting), len(groups)))
        groups += [(batch, []) for batch in state.buffers]
        leaving = frozenset(p.uid for p in moving)
        passed = pass_inputs(state, groups)
        inputs = replace(passed, daemons=state.daemons, moving=moved, overlays=state.overlays, leaving=leaving)
        context = cluster.context(state)
        scheduler = context.new_scheduler(inputs)
        scheduler.solve()
        lists = context.instance_type_options
        results = finalise(scheduler, strict_min_values=state.options.strict_min_values, instance_type_options=lists)
        self._note_refusals(inputs, context, groups[: len(waiting)], results)
        number = self._world.next_decision()
        if self._world.recorder.is_on:
            self._world.recorder.note_pass(number, state, groups, len(waiting), results)
        placed = dict(results.existing)
        placed |= {name: claim.pods for claim in results.claims if (name := self._launcher.launch(claim))}
        if names := [name for name in placed if name not in results.existing]:
            record = CommandRecord(self._world.now, "provisioning", "pods wait", "launch", (), tuple(names))
            self._world.ledger.commands.append(record)
        virtual = frozenset(range(len(groups) - len(state.buffers), len(groups)))
        self._nominated = tuple(name for name, counts in placed.items() if counts.keys() - virtual)
        buffered = {n: sum(count for b, count in counts.items() if b in virtual) for n, counts in sorted(placed.items())}
        cluster.keep_buffered({name: count for name, count in buffered.items() if count})
        self._as_of = cluster.changes

    def _note_refusals(
        self,
        inputs: SchedulerInputs,
        context: SchedulingContext,
        waiting: Sequence[tuple[PodBatch, Sequence[RunningPod]]],
        results: Results,
    ) -> None:
        """Record why a pass has no node for workloads whose pods wait."""
        cluster, refusals = self._world.cluster, self._world.ledger.refusals
        meant = MeantPools(inputs, context.instance_types.__getitem__)
        for unplaced in results.unplaced:
            if unplaced.batch < len(waiting):
                batch, pods = waiting[unplaced.batch]
                reason = meant.reason(batch.pod, unplaced.refusals)
                workloads = {cluster.workload_of.get(key_of(pod), "") for pod in pods}
                refusals.update({name: cluster.gangs.why_waiting(name, reason) for name in workloads})


class Launcher:
    """Turns NodeClaims into nodes: at first only claimed, then with an instance, then ready."""

    __slots__ = ("_daemons", "_offerings", "_random", "_world")
    NOT_SAVED: Final = frozenset(("_daemons",))

    def __init__(self, world: World, daemons: Sequence[DaemonSet], offerings: Offerings) -> None:
        registry = world.cluster.base.registry
        ignored = world.cluster.base.options.ignore_dra_requests
        self._world = world
        self._daemons = expected_by_daemon(daemons, registry, ignore_dra_requests=ignored)
        self._offerings = offerings
        self._random: Random = world.settings.stream("names")

    def launch(self, claim: PlacedClaim) -> str:
        """Create a NodeClaim, and return its name; empty if its NodePool was deleted or has exceeded its limits."""
        world, cluster = self._world, self._world.cluster
        pool = cluster.base.pools.get(claim.node_pool)
        if pool is None or self._exceeds(pool):
            return ""
        bought, is_sold = self._offerings.purchase(claim)
        name = self._name(pool.name)
        # The pods come later, through kube-scheduler, which may put them elsewhere.
        bare = replace(claim, pods={})
        state = launched(name, bare, pool.taints, (), cluster.base.registry, bought)
        labels = {k: v for k, v in state.labels.items() if k not in (REGISTERED, INITIALIZED)}
        state = replace(state, node="", labels=labels, own_labels={}, own_taints=(), initialized=False)
        hashes = {key: pool.pool_annotations[key] for key in (HASH, HASH_VERSION) if key in pool.pool_annotations}
        created = NodeClaimState(
            name=name,
            labels=labels,
            annotations={**pool.annotations, **hashes},
            created=cluster.stamp,
            expire_after=pool.expire_after,
            termination_grace_period=pool.termination_grace_period,
        )
        cluster.launching.add(name)
        cluster.put(StateNode(state, created))
        offering = bought.offering
        price = offering.cost
        disks = usd(cluster.base.disk_price_by(pool.name, labels.get(INSTANCE_TYPE, ""))) or 0.0
        life = NodeLife(
            name,
            pool.name,
            labels.get(INSTANCE_TYPE, ""),
            labels.get(ZONE, ""),
            labels.get(CAPACITY_TYPE, ""),
            # NaN differs from itself, and would make every sum of money NaN.
            (price if price is not None and price == price else 0.0) + disks,
            world.now + world.settings.launch,
            os=labels.get(OS, ""),
            **deviation_of(offering.paid)._asdict(),
        )
        world.planned_lives[name] = life
        if is_sold:
            self._offerings.launched(bought)
            world.push(InstanceLaunched(life.started, name))
        else:
            world.push(LaunchFailed(life.started, name))
        return name

    def predicted(self, claim: PlacedClaim) -> Purchase:
        """Return what a NodeClaim is launched as, if the cloud has it."""
        return self._offerings.present.purchases(claim)

    def launch_failed(self, name: str) -> None:
        """Record that there is no instance for a NodeClaim."""
        record = CommandRecord(self._world.now, "launch", "InsufficientCapacity", "no capacity", (name,), ())
        self._world.ledger.commands.append(record)

    def instance_launched(self, name: str) -> None:
        """Give a NodeClaim its instance, which costs money from now on."""
        world, cluster = self._world, self._world.cluster
        life = world.planned_lives.pop(name)
        node = cluster.nodes[name]
        cluster.launching.discard(name)
        claim = _with_condition(node.claim, LAUNCHED, cluster.stamp)
        cluster.put(replace(node, claim=replace(claim, provider_id=f"simulated:///{name}")))
        world.ledger.node_started(life)
        world.push(NodeReady(world.now + world.settings.startup - world.settings.launch, name))

    def ready(self, name: str) -> None:
        """Make a node registered, initialized and ready, with its daemons on it."""
        world, cluster = self._world, self._world.cluster
        node = cluster.nodes.get(name)
        if node is None or node.claim is None:
            return
        labels = {**node.state.labels, REGISTERED: "true", INITIALIZED: "true"}
        taints = node.state.taints
        state = replace(
            node.state, node=name, labels=labels, own_labels=labels, taints=taints, own_taints=taints, initialized=True
        )
        limits = self._offerings.present.attach_limits(node.pool, node.instance_type)
        state = replace(state, attach_limits=limits) if limits else state
        claim = _with_condition(node.claim, CLAIM_INITIALIZED, cluster.stamp)
        claim = replace(claim, labels={**claim.labels, REGISTERED: "true", INITIALIZED: "true"})
        ready = {"Ready": Condition("True", cluster.stamp)}
        fresh = StateNode(state, claim, node.annotations, ready, (), cluster.stamp)
        daemons = self._daemons_on(fresh)
        cluster.devices.node_ready(fresh)
        cluster.put(with_pods(fresh, daemons, added=daemons))
        world.ledger.room(sum(d.pod.requests.get("cpu", 0) for d in daemons), fresh.state.available.get("cpu", 0))
        for daemon in daemons:
            cluster.pods[key_of(daemon)] = daemon
        cluster.judge([name], world.own_drift)
        if claim.lifetime is not None:
            # Age counts from the creation of the claim, not from when its node was ready.
            ends = round((claim.created + claim.lifetime - world.settings.start) * SECOND)
            world.push(NodeExpired(max(world.now, ends), name))

    def _daemons_on(self, node: StateNode) -> list[RunningPod]:
        held = Requirements.of_labels(node.state.own_labels, self._world.cluster.base.registry)
        on_node = (d for d, expected in self._daemons if expected.on(held, node.state.own_taints))
        return [_daemon(d, node, self._world.cluster.stamp) for d in on_node]

    def _exceeds(self, pool: NodePool) -> bool:
        """Tell whether a pool's nodes use more than its limits already: Karpenter then creates no NodeClaim."""
        if not pool.limits:
            return False
        own = [n.state for n in self._world.cluster.nodes.values() if n.pool == pool.name]
        used = {r: sum(n.capacity.get(r, 0) for n in own) for r in pool.limits if r != NODES}
        return any(amount > pool.limits[r].nanos for r, amount in used.items())

    def _name(self, pool: str) -> str:
        while True:
            name = f"{pool}-{''.join(self._random.choice(HASH_LETTERS) for _ in range(_SUFFIX))}"
            # A name is never used twice in a run, since records refer to nodes by name.
            if name not in self._world.cluster.nodes and name not in self._world.ledger.lives:
                return name


def _with_condition(claim: NodeClaimState | None, name: str, now: float) -> NodeClaimState:
    assert claim is not None  # noqa: S101 - the node of a launched claim
    return replace(claim, conditions={**claim.conditions, name: Condition("True", now)})


def _daemon(daemon: DaemonSet, node: StateNode, now: float) -> RunningPod:
    name = f"{daemon.name}-{node.name}"
    return RunningPod(
        name=name,
        pod=with_copied_labels(daemon.pod, node.state.own_labels),
        node=node.name,
        uid=f"{daemon.workload}/{name}",
        created=now,
        phase=RUNNING,
        owners=frozenset(("DaemonSet",)),
        started=now,
        grace=daemon.grace,
    )
