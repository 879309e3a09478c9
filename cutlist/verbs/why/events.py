"""Why the pod of an event waits: which waiting pods its text is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from cutlist.core.wording import counted
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods
from cutlist.verbs.explain.answer import explain_each
from cutlist.verbs.history.record import History
from cutlist.verbs.names import Name, subject_named, subjects_named
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.subjects import Subject, SubjectKind, subjects
from cutlist.verbs.why.event_text import EventText
from cutlist.verbs.why.past import with_history
from cutlist.verbs.why.pods import why_pods
from cutlist.verbs.why.reason import Fact, Why


def why_event(inputs: PlanInputs, event: EventText, now: float, history: History) -> Why:
    """Return why the pod of an event waits: by its name in the text, by the same message in the input, or else by what the
    text says of it."""
    known = subjects(inputs)
    if event.pod:
        name = Name.read(event.pod)
        return _of_subject(inputs, event, subject_named(name, known), now, history, name.name)
    alike: dict[str, tuple[Subject, str]] = {}
    for name in map(Name.read, _with_message(inputs, event)):
        for subject in subjects_named(name, known):
            alike.setdefault(subject.workload, (subject, name.name))
    if len(alike) == 1:
        ((subject, pod),) = alike.values()
        return _of_subject(inputs, event, subject, now, history, pod)
    pending = plan(inputs).pending
    about = alike or _may_be_about(inputs, event, {waiting.workload for waiting in pending})
    return _of_waiting(inputs, event, [w for w in pending if w.workload in about], now, history)


def _of_waiting(inputs: PlanInputs, event: EventText, pending: Sequence[PendingPods], now: float, history: History) -> Why:
    """Return what an event says that may be about some waiting pods, and why they wait."""
    workloads = list(dict.fromkeys(waiting.workload for waiting in pending))
    if len(workloads) == 1:
        of_workload = [subject for subject in subjects(inputs) if subject.workload == workloads[0]]
        subject = next((s for s in of_workload if s.of is SubjectKind.WORKLOAD), of_workload[0])  # not a pod that runs
        return replace(_of_subject(inputs, event, subject, now, history), kind=SubjectKind.EVENT, name=event.text)
    said = "; ".join(f"{fact.title} {fact.text}" for fact in event.facts()) or event.text
    sentence = f"no pod of the input waits for what the event says: {said}"
    if workloads:
        sentence = f"pods of {counted(len(workloads), 'workload')} wait, and the event may be about each: {said}"
    facts = (*event.facts(), *(Fact(waiting.workload, _with_help(waiting)) for waiting in pending))
    return Why(inputs.catalog.region, SubjectKind.EVENT, event.text, sentence, waits=bool(workloads), facts=facts)


def _of_subject(inputs: PlanInputs, event: EventText, subject: Subject, now: float, history: History, pod: str = "") -> Why:
    """Return why the pods of a thing wait, after what the event says; `pod` is the name of the one that it is about."""
    answer = with_history(why_pods(inputs, subject, now, pod), subject, history)
    return replace(answer, facts=(*event.facts(), *answer.facts))


def _with_help(pods: PendingPods) -> str:
    helps = f" (helps: {pods.remedy})" if pods.remedy else ""
    return f"{counted(pods.count, 'pod')}: {pods.reason}{helps}"


def _may_be_about(inputs: PlanInputs, event: EventText, workloads: Collection[str]) -> set[str]:
    """Return those of some waiting workloads that an event may be about, by what it says."""
    if event.parts or event.nodes:
        groups = (group for group in inputs.workloads.groups if group.workload in workloads)
        return {group.workload for group in groups if event.is_about(group.pod)}
    return {
        workload
        for workload, of_workload in explain_each(inputs, workloads).items()
        if any(event.has_refusal(a.karpenter) for explanation in of_workload for a in explanation.answers if a.karpenter)
    }


def _with_message(inputs: PlanInputs, event: EventText) -> Iterator[str]:
    """Yield the pods of the input whose condition, or whose event in the input, has this message."""
    for document in inputs.documents:
        data: Any = document.data
        metadata = data.get("metadata") or {}
        if document.kind == "Pod" and any(
            event.has(c.get("message") or "") for c in (data.get("status") or {}).get("conditions") or ()
        ):
            yield f"{metadata.get('namespace') or 'default'}/pod/{metadata['name']}"
        of = data.get("involvedObject") or data.get("regarding") or {}
        if document.kind == "Event" and of.get("kind") == "Pod" and event.has(data.get("message") or data.get("note") or ""):
            yield f"{of.get('namespace') or 'default'}/pod/{of.get('name')}"
