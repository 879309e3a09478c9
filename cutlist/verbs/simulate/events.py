"""Outside events for a simulated cluster, read from files and checked against the inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.catalog.regions import is_azure
from cutlist.core.errors import Problems, nearest
from cutlist.core.setting import Advice
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.disruption_gates import NODE_REPAIR
from cutlist.settings.planning import FILES
from cutlist.settings.simulate import CLUSTER
from cutlist.simulation import outside_events
from cutlist.simulation.demand.event_files import WrittenEvent, read_event_file
from cutlist.simulation.events import SECOND, Event
from cutlist.simulation.outside import READY
from cutlist.simulation.shortages import ANY
from cutlist.verbs.simulate.demand import DemandOverTime
from cutlist.verbs.simulate.edits import EditedInputs, applied, changed_workloads, edited, new_workloads, without_pools
from cutlist.workloads.written import workload_of

_SCALED_LATER: Final = Advice.of(("workloads that ", FILES, " or ", CLUSTER, " have, with 0 replicas until then"))
_IMAGE_DRIFT: Final = {False: "AMIDrift", True: "ImageDrift"}
"""What the providers of AWS and of Azure call it when a node has another image than its class finds."""


@dataclass(frozen=True, slots=True)
class OutsideEvents:
    """Events in order of time, and the inputs after each edit of NodePools, numbered from 1. `notes` say what has no effect."""

    events: tuple[Event, ...] = ()
    edits: tuple[EditedInputs, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def plain(self) -> OutsideEvents:
        """Return the same without the parts on which nothing depends."""
        plain = (replace(edit, inputs=replace(edit.inputs, source="", warnings=())) for edit in self.edits)
        return OutsideEvents(self.events, tuple(plain))


def read_outside_events(
    inputs: PlanInputs,
    files: Iterable[str],
    demand: DemandOverTime,
    gates: FeatureGates,
    span: tuple[float, int],
    problems: Problems,
) -> OutsideEvents:
    """Return the events of some files. `span` is the start in seconds since 1970 and the length in milliseconds.

    Added to `problems` are mistakes of the files, and names that the inputs do not have.
    """
    written = [event for path in files for event in read_event_file(path, problems)]
    reading = _Reading(inputs, demand, *span, problems)
    reading.take(written)
    return OutsideEvents(tuple(reading.events), tuple(reading.edits), tuple(reading.notes(written, gates)))


@dataclass(slots=True)
class _Reading:
    """The events read so far; `inputs` are those after the last edit."""

    inputs: PlanInputs
    demand: DemandOverTime
    start: float
    until: int
    problems: Problems
    events: list[Event] = field(default_factory=list)
    edits: list[EditedInputs] = field(default_factory=list)
    late: int = 0

    def take(self, written: Iterable[WrittenEvent]) -> None:
        """Read events in order of time."""
        timed = [(self._at(event), number, event) for number, event in enumerate(written)]
        for at, _, event in sorted(timed, key=lambda entry: entry[:2]):
            if at < 0:
                self.problems.add(event.place("at"), "it is before the start of the simulation", "times from the start on")
            self.late += at >= self.until
            self.events += self._read(event, max(at, 0))

    def notes(self, written: Iterable[WrittenEvent], gates: FeatureGates) -> Iterator[str]:
        """Yield what has no effect."""
        if self.late:
            yield f"{self.late:,} events are after the end" if self.late > 1 else "1 event is after the end"
        if not gates.node_repair and any(event.kind == "NodesFailed" for event in written):
            yield f"the feature gate NodeRepair is off: Karpenter replaces no unhealthy nodes ({NODE_REPAIR.flag})"

    def _at(self, event: WrittenEvent) -> int:
        return round((event.at if event.is_relative else event.at - self.start) * SECOND)

    def _read(self, event: WrittenEvent, at: int) -> Iterator[Event]:
        match event.kind:
            case "Applied" | "NodePoolsDeleted":
                yield from self._edit(event, at)
            case "ImageReleased":
                self._check_pools(event, "nodePools", event.names("nodePools"))
                yield outside_events.ImageReleased(at, event.names("nodePools"), _IMAGE_DRIFT[is_azure(self.inputs.catalog)])
            case "Restarted":
                if self._is_known(event, ("Deployment", "StatefulSet")):
                    yield outside_events.TemplateChanged(at, event.members["workload"], str(at))
            case "Scaled":
                if self._is_known(event, ()):
                    yield outside_events.ReplicasSet(at, event.members["workload"], event.members["replicas"])
            case "JobStarted":
                yield from self._job(event, at)
            case "NodesInterrupted" | "NodesFailed" | "CapacityLost":
                yield self._trouble(event, at)

    def _edit(self, event: WrittenEvent, at: int) -> Iterator[Event]:
        before, problems = self.inputs, len(self.problems.found)
        if event.kind == "Applied":
            self.inputs = applied(before, event, self.problems)
            for document in new_workloads(before, self.inputs):
                text = f"{workload_of(document)} is not in the input"
                self.problems.add(document.place, text, _SCALED_LATER)
        else:
            self._check_pools(event, "nodePools", event.names("nodePools"))
            self.inputs = without_pools(before, event.names("nodePools"), self.problems)
        if len(self.problems.found) > problems:
            return
        self.edits.append(edited(before, self.inputs, event, self.problems))
        yield outside_events.ClusterEdited(at, len(self.edits))
        yield from changed_workloads(before, self.inputs, at)

    def _trouble(self, event: WrittenEvent, at: int) -> Event:
        get, lasts = event.members.get, event.lasts
        self._check_pools(event, "nodePool", filter(None, [get("nodePool", "")]))
        self._check("zone", event, [zone.name for zone in self.inputs.catalog.zones])
        self._check("instanceType", event, self.inputs.catalog.machines)
        if event.kind == "NodesInterrupted":
            return outside_events.NodesInterrupted(at, event.choice)
        if event.kind == "NodesFailed":
            cloud = self.inputs.cloud
            policies = (*cloud.repair_policies, *cloud.disruption_repair_policies)
            self._check("condition", event, sorted({READY, *(policy.condition for policy in policies)}))
            return outside_events.NodesFailed(
                at, event.choice, get("condition", ""), get("status", ""), get("reason", ""), lasts
            )
        return outside_events.CapacityLost(
            at, get("instanceType", ANY), get("zone", ANY), get("capacityType", ANY), at + (lasts or 0)
        )

    def _job(self, event: WrittenEvent, at: int) -> Iterator[Event]:
        workload = event.members["workload"]
        terms = {timed.job.workload: timed.job.terms for timed in self.demand.jobs}
        terms |= {timed.cron.workload: timed.cron.terms for timed in self.demand.cron_jobs}
        if workload in terms:
            yield outside_events.JobStarted(at, workload, terms[workload], self.demand.duration_of(workload))
        else:
            near = nearest(workload, terms)
            text = f"{workload} is not a Job or CronJob of the input that has work to do"
            self.problems.add(event.place("workload"), text, ", ".join(sorted(terms)), near)

    def _is_known(self, event: WrittenEvent, kinds: tuple[str, ...]) -> bool:
        workload = event.members["workload"]
        groups = [g for g in self.inputs.workloads.groups if g.kind not in ("Job", "CronJob", "Pod")]
        known = sorted({g.workload for g in groups if not kinds or g.kind in kinds})
        if workload in known:
            return True
        self.problems.add(
            event.place("workload"), f"{workload} is not in the input", ", ".join(known), nearest(workload, known)
        )
        return False

    def _check(self, member: str, event: WrittenEvent, known: Iterable[str]) -> None:
        name, names = event.members.get(member, ""), list(known)
        if name and name not in names:
            allowed = ", ".join(names) if len(names) < 20 else ""
            self.problems.add(event.place(member), f"{name!r} is not a known {member}", allowed, nearest(name, names))

    def _check_pools(self, event: WrittenEvent, member: str, pools: Iterable[str]) -> None:
        known = [pool.name for pool in self.inputs.node_pools]
        for pool in pools:
            if pool not in known:
                text = f"NodePool {pool} is not in the input"
                self.problems.add(event.place(member), text, ", ".join(known), nearest(pool, known))
