"""A cluster from an instant on, event by event: demand changes, pods are placed, Karpenter launches and removes nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.catalog.prices import usd
from cutlist.catalog.ranges import deviation_of
from cutlist.core.labels import CAPACITY_TYPE, OS
from cutlist.simulation import events, outside_events
from cutlist.simulation.autoscalers import Autoscalers
from cutlist.simulation.checkpoint.parts import SavedParts, restore, saved_parts
from cutlist.simulation.command_queue import CommandQueue
from cutlist.simulation.controllers import Controllers
from cutlist.simulation.cron_jobs import CronJobs
from cutlist.simulation.demand.jobs import BATCH_KINDS, TimedJob
from cutlist.simulation.disrupting import Disruption
from cutlist.simulation.draining import EXPIRED, STOPPED, Draining
from cutlist.simulation.event_queue import EventQueue
from cutlist.simulation.failures import SpotInterruptions
from cutlist.simulation.gangs import SimulatedGangs
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.kubescheduler import KubeScheduler
from cutlist.simulation.ledger import Ledger, NodeLife
from cutlist.simulation.offerings import Offerings
from cutlist.simulation.outside import Outside
from cutlist.simulation.pod_lifecycle import PodLifecycle
from cutlist.simulation.pods import key_of, stays_with_node
from cutlist.simulation.provisioning import Launcher, Provisioner
from cutlist.simulation.recording.recorder import Sink
from cutlist.simulation.repairs import Repairs
from cutlist.simulation.result import SimulationResult, result_of
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.state import SimulatedCluster
from cutlist.simulation.static_pools import StaticPools
from cutlist.simulation.world import World
from cutlist.state.statenode import StateNode


class Simulation:
    """A simulation at its present instant. `run` continues to a later one.

    Demand is in order of time; it may have other events from outside, such as interruptions.
    """

    __slots__ = (
        "_autoscalers",
        "_begun_with",
        "_commands",
        "_controllers",
        "_cron_jobs",
        "_demand",
        "_disruption",
        "_draining",
        "_handlers",
        "_has_node",
        "_interruptions",
        "_launcher",
        "_offerings",
        "_outside",
        "_pods",
        "_provisioner",
        "_repairs",
        "_scheduler",
        "_static",
        "_taken",
        "_upcoming",
        "world",
    )
    NOT_SAVED: Final = frozenset(("_begun_with", "_demand", "_handlers"))

    def __init__(self, inputs: SimulationInputs, demand: Iterable[events.Event], settings: SimulationSettings) -> None:
        """Begin a run with what exists at its start."""
        self._assemble(inputs, demand, settings)
        self._upcoming = self._next_demand()
        self._begin(inputs)

    @classmethod
    def resumed(
        cls, inputs: SimulationInputs, demand: Iterable[events.Event], settings: SimulationSettings, saved: SavedParts
    ) -> Simulation:
        """Return a simulation that continues one with equal inputs, demand and settings. Raises ValueError for the state of
        other inputs.
        """
        simulation = cls.__new__(cls)
        simulation._assemble(inputs, demand, settings)
        # Both come from the state; these values only say of which kind they are.
        simulation._taken, simulation._upcoming = 0, None
        restore(simulation, saved, simulation._begun_with)
        return simulation

    def restored(self) -> None:
        """Skip the demand that was handled before."""
        # Demand may be made as it is read, so it is made again up to this point.
        for _ in range(self._taken):
            next(self._demand, None)

    def saved(self) -> SavedParts:
        """Return the present state, from which `resumed` continues."""
        return saved_parts(self, self._begun_with)

    def _assemble(self, inputs: SimulationInputs, demand: Iterable[events.Event], settings: SimulationSettings) -> None:
        self._begun_with = {"inputs": inputs, "demand": demand if isinstance(demand, Sequence) else ()}
        pods = [*(group.pod for group in inputs.groups), *(batch.pod for batch in inputs.cluster.buffers)]
        gangs = SimulatedGangs(inputs.gangs, inputs.groups)
        cluster = SimulatedCluster(inputs.cluster, inputs.workload_of, pods, inputs.at_once, gangs)
        self.world = World(settings, cluster, EventQueue(), Ledger())
        self._controllers = Controllers(self.world, inputs.groups, inputs.rollouts)
        self._autoscalers = Autoscalers(self.world, self._controllers, inputs.autoscalers, inputs.metrics)
        self._interruptions = SpotInterruptions(self.world, inputs.interruptions)
        self._cron_jobs = CronJobs(self.world, self._controllers, inputs.cron_jobs)
        self._scheduler = KubeScheduler(self.world, inputs.selectors)
        self._offerings = Offerings(self.world, inputs.all_editions, inputs.shortages)
        self._launcher = Launcher(self.world, inputs.daemons, self._offerings)
        self._provisioner = Provisioner(self.world, self._launcher)
        self._draining = Draining(self.world, self._controllers, self._scheduler)
        self._static = StaticPools(self.world, self._launcher, self._draining)
        self._commands = CommandQueue(self.world, self._launcher, self._draining, self._static)
        self._disruption = Disruption(self.world, self._commands)
        self._repairs = Repairs(self.world, self._draining)
        self._outside = Outside(self.world, self._offerings, self._scheduler, self._draining, self._repairs)
        self._pods = PodLifecycle(self.world, self._controllers, self._cron_jobs, self._draining)
        self._handlers = self._all_handlers()
        self._demand: Iterator[events.Event] = iter(demand)
        self._taken = 0
        self._has_node = False

    def _next_demand(self) -> events.Event | None:
        self._taken += 1
        return next(self._demand, None)

    # --- the beginning

    def _begin(self, inputs: SimulationInputs) -> None:
        """Adopt what runs, and let controllers create what their workloads lack."""
        world, cluster = self.world, self.world.cluster
        self._controllers.adopt(cluster.pods, cluster.workload_of)
        for node in list(cluster.nodes.values()):
            self._adopt(node)
        cluster.judge(list(cluster.nodes), world.own_drift)
        for group in inputs.groups:
            # Pods of Jobs come from their Jobs, below.
            if group.kind not in BATCH_KINDS:
                self._controllers.add_replicas(group.workload, group.count)
        self._begin_jobs(inputs.jobs)
        self._interruptions.begin(list(cluster.nodes))
        self._autoscalers.begin()
        self._cron_jobs.begin()
        self._disruption.begin()

    def _begin_jobs(self, jobs: Sequence[TimedJob]) -> None:
        """Start the Jobs of the input, or go on with them: their pods that run end as if they had run from their start on."""
        world = self.world
        for key in self._controllers.adopt_jobs(jobs):
            pod, duration = world.cluster.pods[key], self._controllers.duration_of(key) or 0
            ran = 0.0 if pod.started is None else world.settings.start - pod.started
            world.push(events.PodCompleted(max(0, duration - round(ran * events.SECOND)), key, 1))

    def _adopt(self, node: StateNode) -> None:
        """Count a node that runs already, and its pods."""
        world, state = self.world, self.world.cluster.base
        for pod in node.pods:
            world.ledger.pod_adopted(0 if stays_with_node(pod) else 1)
            if not stays_with_node(pod) and pod.active:
                world.starts[key_of(pod)] = 1
                world.now_ready(key_of(pod))
        requested = sum(p.pod.requests.get("cpu", 0) for p in node.pods if not p.ended)
        world.ledger.room(requested, node.state.available.get("cpu", 0) + requested)
        life = NodeLife(
            node.name,
            node.pool,
            node.instance_type,
            node.zone,
            node.state.labels.get(CAPACITY_TYPE, ""),
            state.bill_of(node) + (usd(state.disk_price_of(node)) or 0.0),
            0,
            os=node.state.labels.get(OS, ""),
            **deviation_of(state.paid_for(node))._asdict(),
        )
        world.ledger.node_started(life)
        if node.claim is not None and node.claim.lifetime is not None:
            ends = round((node.claim.created + node.claim.lifetime - world.settings.start) * events.SECOND)
            world.push(events.NodeExpired(max(0, ends), node.name))

    # --- the loop

    def run(self, until: int) -> None:
        """Handle all events before an instant, in milliseconds since the start."""
        world = self.world
        while True:
            # Demand may be long, or made as it is read, so one event of it is held at a time, and queued once nothing in the
            # queue is earlier.
            demanded = self._upcoming.at if self._upcoming is not None else until
            at = world.queue.next_at
            if self._upcoming is not None and demanded < until and (at is None or demanded <= at):
                world.push(self._upcoming)
                self._upcoming = self._next_demand()
                continue
            if at is None or at >= until:
                break
            event = world.queue.pop()
            # A cluster with a pod that nothing can place would otherwise wake up every ten seconds of the whole run.
            if isinstance(event, events.BatchClosed) and self._postponed(event, until):
                continue
            # Schedulers and Karpenter look when all that happens at an instant has happened, not between two events of it.
            if event.at > world.now:
                self._settle()
                world.ledger.advance(event.at)
                world.advance(event.at)
            self._handle(event)
            # The last event of the instant.
            if world.queue.next_at != world.now:
                self._settle()
        world.ledger.advance(until)
        world.advance(until)

    def _postponed(self, event: events.BatchClosed, until: int) -> bool:
        """Tell whether the end of a batching window, which would change nothing, has been postponed until something happens."""
        if event.at == self.world.now or not self._provisioner.is_idle(event):
            return False
        following = self.world.queue.next_at, self._upcoming.at if self._upcoming is not None else None, until
        horizon = min(at for at in following if at is not None)
        if horizon > event.at:
            self._provisioner.postpone(event, horizon)
        return horizon > event.at

    def _settle(self) -> None:
        """Let kube-scheduler place what it can, and Karpenter notice what it could not.

        With a further node kube-scheduler refuses a pod in other words, which Karpenter notices as if the pod were new.
        """
        world = self.world
        self._static.notice()
        if world.cluster.pending:
            self._scheduler.place()
            if self._has_node or any(key not in world.noticed for key in world.cluster.pending):
                world.noticed = set(world.cluster.pending)
                self._provisioner.trigger()
        self._has_node = False
        self._provisioner.notice()
        if world.cluster.has_leaving and not self._provisioner.is_open:
            self._provisioner.trigger()
        self._disruption.notice()

    def result(self) -> SimulationResult:
        """Return what has happened so far."""
        return result_of(self.world)

    # --- what each event does

    def _handle(self, event: events.Event) -> None:
        """Handle an event; one of a node that no longer exists is ignored."""
        node = getattr(event, "node", None)
        if node is None or node in self.world.cluster.nodes:
            self._handlers[type(event)](event)

    def _all_handlers(self) -> Mapping[type[events.Event], Callable[[Any], None]]:
        """Return the handler for each kind of event."""
        controllers, outside, pods = self._controllers, self._outside, self._pods
        return {
            outside_events.ReplicasSet: lambda event: controllers.set_replicas(event.workload, event.replicas),
            outside_events.JobStarted: controllers.start_job,
            outside_events.TemplateChanged: controllers.change_template,
            events.JobDue: lambda event: controllers.reconcile(event.workload),
            events.CronJobDue: self._cron_jobs.look,
            events.AutoscalersDue: lambda _: self._autoscalers.look(),
            outside_events.ImageReleased: outside.release_image,
            outside_events.ClusterEdited: outside.edit,
            outside_events.CapacityLost: self._offerings.lose,
            events.OfferingsDue: lambda _: self._offerings.look(),
            outside_events.NodesInterrupted: outside.interrupt_all,
            outside_events.NodesFailed: outside.fail,
            events.Interrupted: outside.interrupt,
            events.NodeRecovered: outside.recover,
            events.NodeUnreachableFor: outside.evict_from,
            events.RepairDue: lambda _: self._repairs.look(),
            events.PodReady: pods.ready,
            events.PodCompleted: pods.completed,
            events.PodStopped: pods.stopped,
            events.OrphansCollected: lambda _: self.world.cluster.notice_move(),
            events.InstanceLaunched: self._instance_launched,
            events.LaunchFailed: self._launch_failed,
            events.NodeReady: self._node_ready,
            events.NodeExpired: lambda event: self._draining.begin(event.node, EXPIRED),
            events.DrainDue: self._draining.look,
            events.InstanceStopped: self._instance_stopped,
            events.BatchClosed: self._provisioner.close,
            events.CommandDue: self._disruption.validate,
            events.RoundDue: self._disruption.round,
        }

    def _instance_launched(self, event: events.InstanceLaunched) -> None:
        self._launcher.instance_launched(event.node)
        self._interruptions.launched(event.node)

    def _launch_failed(self, event: events.LaunchFailed) -> None:
        self._launcher.launch_failed(event.node)
        self._draining.stop(event.node)
        self._commands.node_removed(event.node)

    def _node_ready(self, event: events.NodeReady) -> None:
        self._launcher.ready(event.node)
        self._has_node = True
        self._commands.node_ready(event.node)

    def _instance_stopped(self, event: events.InstanceStopped) -> None:
        self._offerings.ended(self.world.cluster.nodes[event.node])
        self._draining.stop(event.node, STOPPED)
        self._commands.node_removed(event.node)


def simulate(simulation: Simulation, until: int, record: Sink | None = None) -> SimulationResult:
    """Return what has happened once a simulation has gone on to an instant, in milliseconds since its start.

    `record` is given each pass and each round of disruption from now on. A round whose command waits for its validation then
    is part of the state, and is handed over as the run goes on; at the end of all its days it is handed over as it was decided.
    """
    world = simulation.world
    world.recorder.begin(record)
    simulation.run(until)
    if until >= world.settings.until:
        world.recorder.close()
    return simulation.result()
