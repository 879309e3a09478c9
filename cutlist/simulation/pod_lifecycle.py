"""What happens to pods that run: they become ready, complete or stop, and their workload and their node notice."""

from __future__ import annotations

from cutlist.simulation.controllers import Controllers
from cutlist.simulation.cron_jobs import CronJobs
from cutlist.simulation.draining import Draining
from cutlist.simulation.events import PodCompleted, PodReady, PodStopped
from cutlist.simulation.world import World


class PodLifecycle:
    """The pods of a simulation from their start to their end."""

    __slots__ = ("_controllers", "_cron_jobs", "_draining", "_world")

    def __init__(self, world: World, controllers: Controllers, cron_jobs: CronJobs, draining: Draining) -> None:
        self._world = world
        self._controllers = controllers
        self._cron_jobs = cron_jobs
        self._draining = draining

    def ready(self, event: PodReady) -> None:
        """Count a pod as ready; one of a Job runs for its duration from now on."""
        world = self._world
        pod = world.cluster.pods.get(event.pod)
        # A pod of a StatefulSet comes back under its name: the number of the start tells the two apart.
        if pod is None or pod.terminating or world.starts.get(event.pod) != event.start:
            return
        world.now_ready(event.pod)
        self._controllers.ready(event.pod)
        duration = self._controllers.duration_of(event.pod)
        if duration is not None:
            world.push(PodCompleted(world.now + duration, event.pod, event.start))

    def completed(self, event: PodCompleted) -> None:
        """Remove a pod of a Job that has succeeded."""
        world = self._world
        pod = world.cluster.pods.get(event.pod)
        if pod is not None and not pod.terminating and world.starts.get(event.pod) == event.start:
            self._controllers.succeeded(event.pod)
            world.cluster.complete(event.pod)
            self._remove(event.pod)

    def stopped(self, event: PodStopped) -> None:
        """Remove a pod whose containers have ended."""
        if event.pod in self._world.cluster.pods:
            self._remove(event.pod)

    def _remove(self, key: str) -> None:
        """Remove a pod that has ended, and let its workload and its node notice."""
        # In this order: the controller must know that the pod is lost before it is asked for another one, and the node last.
        workload = self._controllers.lost(key)
        self._world.forget_pod(key)
        node = self._world.remove_pod(key).node
        self._controllers.ended(key, workload)
        self._controllers.reconcile(workload)
        self._cron_jobs.start_due(workload)
        self._draining.pod_gone(node)
