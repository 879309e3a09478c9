"""Small clusters over time: workloads with easy numbers on machines of the disruption tests, and looks inside a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.launched import cheapest_purchase
from cutlist.simulation.events import HOUR, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.simulation import Simulation
from cutlist.state.pods import RunningPod
from cutlist.workloads.groups import DaemonSet, PodGroup
from tests.unit.disruption.builders import cluster, runs
from tests.unit.disruption.claims import NOON
from tests.unit.scheduling.builders import REGISTRY, pod


def group(name: str = "web", count: int = 0, cpu: str = "1", kind: str = "Deployment", **fields: Any) -> PodGroup:
    """Return a workload whose pods are labelled with its name."""
    own = {k: fields.pop(k) for k in ("annotations", "grace") if k in fields}
    template = pod(cpu, "128Mi", labels={"app": name}, **fields)
    return PodGroup(name, "default", kind, count, template, **own)


def replica(of: PodGroup, number: int = 0, **fields: Any) -> RunningPod:
    """Return a pod of a workload that runs."""
    return runs(f"{of.name}-{number}", of=of.pod, uid=f"{of.name}-{number}", created=NOON - 3600, **fields)


def inputs(*groups: PodGroup, of: ClusterState | None = None, daemons: Sequence[DaemonSet] = ()) -> SimulationInputs:
    """Return a cluster, by default an empty one with a NodePool of easy prices; pods are their workloads' by name."""
    state = of or cluster(daemons=[d.pod for d in daemons])
    running = [p for n in state.nodes for p in n.pods]
    return SimulationInputs(
        state,
        groups,
        daemons,
        lambda claim: cheapest_purchase(claim, REGISTRY),
        {f"default/{p.name}": f"deployment/{p.name.rpartition('-')[0]}" for p in running},
    )


def settings(hours: float = 1, **fields: Any) -> SimulationSettings:
    return SimulationSettings(NOON, until=round(hours * HOUR), **fields)


def simulation(of: SimulationInputs, demand: Iterable[Event] = (), hours: float = 1, **fields: Any) -> Simulation:
    """Return a simulation that has run."""
    run = Simulation(of, demand, settings(hours, **fields))
    run.run(run.world.settings.until)
    return run


class Watched(Simulation):
    """A simulation that lets somebody look whenever an instant is over."""

    look: Callable[[Simulation], None]

    def _settle(self) -> None:
        super()._settle()
        self.look(self)


def commands(of: Simulation) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what Karpenter did, but for launches for pods that wait: method, decision, nodes."""
    return [(c.method, c.decision, c.nodes) for c in of.result().commands if c.decision != "launch"]
