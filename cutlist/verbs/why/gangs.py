"""Why the pods of a gang wait for each other, or that all of them run or have a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods, Plan
from cutlist.planning.model.gangs import PlannedGang
from cutlist.report.estimates import Money
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.gang_words import gang_line
from cutlist.verbs.subjects import Subject
from cutlist.verbs.why.reason import Fact, Why


def why_gang(inputs: PlanInputs, subject: Subject) -> Why:
    """Return why the pods of a gang wait, and what helps the first that has no place; of several gangs of one object the
    incomplete ones decide."""
    planned = plan(inputs)
    gangs = [gang for gang in planned.gangs if gang.gang == subject.workload or gang.gang.startswith(f"{subject.workload}/")]
    incomplete = [gang for gang in gangs if not gang.complete]
    pending = _pending(planned, incomplete)
    first = pending[0] if pending and not any(gang.held_back for gang in incomplete) else None
    sentence = _sentence(subject, gangs, incomplete) + (f"; {first.workload}: {first.reason}" if first else "")
    name = subject.name if subject.namespace in ("", "default") else f"{subject.namespace}/{subject.name}"
    facts = tuple(_facts(planned, gangs, pending))
    remedy = first.remedy if first else ""
    return Why(inputs.catalog.region, subject.of, name, sentence, bool(incomplete), remedy, facts=facts)


def _sentence(subject: Subject, gangs: Sequence[PlannedGang], incomplete: Sequence[PlannedGang]) -> str:
    if not gangs:
        return f"{subject.full_name} has no pods in the input, or needs no more than one of them at once"
    if not incomplete:
        every = "each of its gangs is complete" if len(gangs) > 1 else "is complete"
        return f"{subject.full_name} {every}: {'; '.join(gang.in_words for gang in gangs)}"
    gang = incomplete[0]
    waits = "binds none of its pods yet" if gang.binds_together else "admits its pods together"
    return f"{gang.gang} is incomplete, and {gang.scheduler} {waits}: {gang.in_words}"


def _pending(planned: Plan, gangs: Sequence[PlannedGang]) -> list[PendingPods]:
    workloads = {workload for gang in gangs for workload in gang.workloads}
    return [pods for pods in planned.pending if pods.workload in workloads]


def _facts(planned: Plan, gangs: Sequence[PlannedGang], pending: Sequence[PendingPods]) -> Iterator[Fact]:
    for gang in gangs:
        nodes = Money.of_totals(planned.totals, "*" if planned.has_estimates else "").part(gang.price_per_hour or 0.0)
        yield Fact("gang", f"{gang_line(gang, nodes)} ({gang.scheduler})")
        yield Fact("pods", f"{gang.pods:,} of {', '.join(gang.workloads)}")
    for pods in pending:
        yield Fact("waits", f"{pods.count:,} of {pods.workload}: {pods.reason}")
