"""A cluster from an instant on, event by event: demand changes, pods are placed, Karpenter launches and removes nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE
from cutlist.core.values import dataclass
from cutlist.disruption.cluster_state import ClusterState
from cutlist.simulation.autoscalers import Autoscalers
from cutlist.simulation.checkpoint.parts import SavedParts, restore, saved_parts
from cutlist.simulation.controllers import Controllers
from cutlist.simulation.cron_jobs import CronJobs, TimedCronJob
from cutlist.simulation.demand.autoscaling import HorizontalAutoscaler
from cutlist.simulation.demand.curves import DemandCurves
from cutlist.simulation.demand.jobs import BATCH_KINDS, TimedJob
from cutlist.simulation.demand.rollouts import Rollout
from cutlist.simulation.disrupting import Disruption
from cutlist.simulation.draining import EXPIRED, INTERRUPTED, STOPPED, Draining
from cutlist.simulation.events import (
    SECOND,
    AutoscalersDue,
    BatchClosed,
    CommandDue,
    CronJobDue,
    DrainDue,
    Event,
    EventQueue,
    InstanceLaunched,
    InstanceStopped,
    Interrupted,
    JobDue,
    JobStarted,
    NodeExpired,
    NodeReady,
    OrphansCollected,
    PodCompleted,
    PodReady,
    PodStopped,
    ReplicasSet,
    RoundDue,
    TemplateChanged,
)
from cutlist.simulation.failures import InterruptionRates, SpotInterruptions
from cutlist.simulation.kubescheduler import KubeScheduler
from cutlist.simulation.ledger import Ledger, NodeLife
from cutlist.simulation.provisioning import Launcher, Provisioner, Purchases
from cutlist.simulation.recording.recorder import Recorder
from cutlist.simulation.result import SimulationResult, result_of
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.state import SimulatedCluster, key_of, stays_with_node
from cutlist.simulation.world import World
from cutlist.state.statenode import StateNode
from cutlist.workloads.groups import DaemonSet, PodGroup


@dataclass(frozen=True, slots=True)
class SimulationInputs:
    """What a simulation begins with: the cluster, with its NodeOverlays applied, and everything that may run in it.

    `groups` are the workloads; those that `demand` does not mention keep their count. `workload_of` gives the workload of each
    pod that runs, by `namespace/name`. `purchases` say what NodeClaims become. `metrics` are the curves that the autoscalers
    look at, and `rollouts` how workloads take over a new template, by their names.
    """

    cluster: ClusterState
    groups: Sequence[PodGroup]
    daemons: Sequence[DaemonSet]
    purchases: Purchases
    workload_of: Mapping[str, str] = field(default_factory=dict)
    autoscalers: Sequence[HorizontalAutoscaler] = ()
    metrics: DemandCurves = field(default_factory=DemandCurves)
    cron_jobs: Sequence[TimedCronJob] = ()
    jobs: Sequence[TimedJob] = ()
    rollouts: Mapping[str, Rollout] = field(default_factory=dict)
    interruptions: InterruptionRates = field(default_factory=InterruptionRates)


def simulate(
    inputs: SimulationInputs, demand: Iterable[Event], settings: SimulationSettings, recorder: Recorder | None = None
) -> SimulationResult:
    """Return what happens to a cluster from the start of the settings to their end.

    `demand` is in order of time; it may have other events from outside, such as interruptions. A `recorder` is given each pass
    and each round of disruption.
    """
    simulation = Simulation(inputs, demand, settings)
    simulation.world.recorder = recorder
    simulation.run(settings.until)
    if recorder is not None:
        recorder.close()
    return simulation.result()


class Simulation:
    """A simulation at its present instant. `run` goes on to a later one."""

    __slots__ = (
        "_autoscalers",
        "_begun_with",
        "_controllers",
        "_cron_jobs",
        "_demand",
        "_disruption",
        "_draining",
        "_has_node",
        "_interruptions",
        "_launcher",
        "_provisioner",
        "_scheduler",
        "_taken",
        "_upcoming",
        "world",
    )
    NOT_SAVED: Final = frozenset(("_begun_with", "_demand"))

    def __init__(self, inputs: SimulationInputs, demand: Iterable[Event], settings: SimulationSettings) -> None:
        """Begin a run: take over what there is at its start."""
        self._assemble(inputs, demand, settings)
        self._upcoming = self._next_demand()
        self._begin(inputs)

    @classmethod
    def resumed(
        cls, inputs: SimulationInputs, demand: Iterable[Event], settings: SimulationSettings, saved: SavedParts
    ) -> Simulation:
        """Return a simulation that goes on where one with equal inputs, demand and settings was saved.

        Raises ValueError where the state is of other inputs.
        """
        simulation = cls.__new__(cls)
        simulation._assemble(inputs, demand, settings)
        simulation._taken, simulation._upcoming = 0, None
        restore(simulation, saved, simulation._begun_with)
        return simulation

    def restored(self) -> None:
        """Pass over the demand that was taken before."""
        for _ in range(self._taken):
            next(self._demand, None)

    def saved(self) -> SavedParts:
        """Return the present state, with which `resumed` goes on."""
        return saved_parts(self, self._begun_with)

    def _assemble(self, inputs: SimulationInputs, demand: Iterable[Event], settings: SimulationSettings) -> None:
        self._begun_with = {"inputs": inputs, "demand": demand if isinstance(demand, Sequence) else ()}
        pods = [group.pod for group in inputs.groups]
        cluster = SimulatedCluster(inputs.cluster, inputs.workload_of, pods)
        self.world = World(settings, cluster, EventQueue(), Ledger())
        self._controllers = Controllers(self.world, inputs.groups, inputs.rollouts)
        self._autoscalers = Autoscalers(self.world, self._controllers, inputs.autoscalers, inputs.metrics)
        self._interruptions = SpotInterruptions(self.world, inputs.interruptions)
        self._cron_jobs = CronJobs(self.world, self._controllers, inputs.cron_jobs)
        self._scheduler = KubeScheduler(self.world)
        self._launcher = Launcher(self.world, inputs.daemons, inputs.purchases)
        self._provisioner = Provisioner(self.world, self._launcher)
        self._draining = Draining(self.world, self._controllers, self._scheduler)
        self._disruption = Disruption(self.world, self._launcher, self._draining)
        self._demand: Iterator[Event] = iter(demand)
        self._taken = 0
        self._has_node = False

    def _next_demand(self) -> Event | None:
        self._taken += 1
        return next(self._demand, None)

    # --- the beginning

    def _begin(self, inputs: SimulationInputs) -> None:
        """Take over what runs, and let controllers make what their workloads lack."""
        world, cluster = self.world, self.world.cluster
        self._controllers.adopt(cluster.pods, cluster.workload_of)
        for node in list(cluster.nodes.values()):
            self._adopt(node)
        cluster.judge(list(cluster.nodes), world.own_drift)
        for group in inputs.groups:
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
            world.push(PodCompleted(max(0, duration - round(ran * SECOND)), key, 1))

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
            state.bill_of(node) + (state.disk_price_of(node) or 0.0),
            0,
        )
        world.ledger.node_started(life)
        if node.claim is not None and node.claim.lifetime is not None:
            ends = round((node.claim.created + node.claim.lifetime - world.settings.start) * SECOND)
            world.push(NodeExpired(max(0, ends), node.name))

    # --- the loop

    def run(self, until: int) -> None:
        """Let everything happen that happens before an instant, in milliseconds since the start."""
        world = self.world
        while True:
            demanded = self._upcoming.at if self._upcoming is not None else until
            at = world.queue.next_at
            if self._upcoming is not None and demanded < until and (at is None or demanded <= at):
                world.push(self._upcoming)
                self._upcoming = self._next_demand()
                continue
            if at is None or at >= until:
                break
            event = world.queue.pop()
            if event.at > world.now:
                self._settle()
                world.ledger.advance(event.at)
                world.advance(event.at)
            self._handle(event)
            if world.queue.next_at != world.now:
                self._settle()
        world.ledger.advance(until)
        world.advance(until)

    def _settle(self) -> None:
        """Let kube-scheduler place what it can, and Karpenter notice what it could not.

        With a further node kube-scheduler refuses a pod in other words, which Karpenter notices as if the pod were new.
        """
        world = self.world
        if world.cluster.pending:
            self._scheduler.place()
            if self._has_node or any(key not in world.noticed for key in world.cluster.pending):
                world.noticed = set(world.cluster.pending)
                self._provisioner.trigger()
        self._has_node = False
        if world.cluster.has_leaving and not self._provisioner.is_open:
            self._provisioner.trigger()
        self._disruption.notice()

    def result(self) -> SimulationResult:
        """Return what has happened so far."""
        return result_of(self.world)

    # --- what each event does

    def _handle(self, event: Event) -> None:
        match event:
            case ReplicasSet():
                self._controllers.set_replicas(event.workload, event.replicas)
            case JobStarted():
                self._controllers.start_job(event)
            case TemplateChanged():
                self._controllers.change_template(event)
            case PodReady() | PodCompleted() | PodStopped() | OrphansCollected():
                self._handle_pod(event)
            case InstanceLaunched() | NodeReady() | NodeExpired() | DrainDue() | Interrupted() | InstanceStopped():
                self._handle_node(event)
            case AutoscalersDue():
                self._autoscalers.look()
            case CronJobDue():
                self._cron_jobs.look(event)
            case JobDue():
                self._controllers.reconcile(event.workload)
            case BatchClosed():
                self._provisioner.close(event)
            case CommandDue():
                self._disruption.validate(event)
            case RoundDue():
                self._disruption.round(event)

    def _handle_node(
        self, event: InstanceLaunched | NodeReady | NodeExpired | DrainDue | Interrupted | InstanceStopped
    ) -> None:
        if event.node not in self.world.cluster.nodes:
            return
        match event:
            case InstanceLaunched():
                self._launcher.instance_launched(event.node)
                self._interruptions.launched(event.node)
            case NodeReady():
                self._launcher.ready(event.node)
                self._has_node = True
                self._disruption.node_ready(event.node)
            case NodeExpired():
                self._draining.begin(event.node, EXPIRED)
            case DrainDue():
                self._draining.look(event)
            case Interrupted():
                self._draining.begin(event.node, INTERRUPTED)
                self.world.push(InstanceStopped(self.world.now + self.world.settings.interruption_notice, event.node))
            case InstanceStopped():
                self._draining.stop(event.node, STOPPED)
                self._disruption.node_removed(event.node)

    def _handle_pod(self, event: PodReady | PodCompleted | PodStopped | OrphansCollected) -> None:
        match event:
            case PodReady():
                self._pod_ready(event)
            case PodCompleted():
                self._pod_completed(event)
            case PodStopped():
                self._pod_stopped(event)
            case OrphansCollected():
                self.world.cluster.notice_move()

    def _pod_ready(self, event: PodReady) -> None:
        world = self.world
        pod = world.cluster.pods.get(event.pod)
        if pod is None or pod.terminating or world.starts.get(event.pod) != event.start:
            return
        world.now_ready(event.pod)
        self._controllers.ready(event.pod)
        duration = self._controllers.duration_of(event.pod)
        if duration is not None:
            world.push(PodCompleted(world.now + duration, event.pod, event.start))

    def _pod_completed(self, event: PodCompleted) -> None:
        world = self.world
        pod = world.cluster.pods.get(event.pod)
        if pod is not None and not pod.terminating and world.starts.get(event.pod) == event.start:
            self._controllers.succeeded(event.pod)
            self._remove(event.pod)

    def _pod_stopped(self, event: PodStopped) -> None:
        if event.pod in self.world.cluster.pods:
            self._remove(event.pod)

    def _remove(self, key: str) -> None:
        """Remove a pod that has ended, and let its workload and its node notice."""
        workload = self._controllers.lost(key)
        self.world.forget_pod(key)
        node = self.world.remove_pod(key).node
        self._controllers.ended(key, workload)
        self._controllers.reconcile(workload)
        self._cron_jobs.start_due(workload)
        self._draining.pod_gone(node)
