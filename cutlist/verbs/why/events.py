"""The text of an event of a pod that waits: what it says, and which waiting pods it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.wording import counted
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PendingPods
from cutlist.verbs.explain.answer import explain_each
from cutlist.verbs.history.answer import History
from cutlist.verbs.names import Name, subject_named, subjects_named
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.subjects import Subject, SubjectKind, subjects
from cutlist.verbs.why.past import with_history
from cutlist.verbs.why.pods import why_pods
from cutlist.verbs.why.reason import Fact, Why
from cutlist.workloads.pods import Pod

_AVAILABLE: Final = re.compile(r"(\d+)/(\d+) nodes are available(?:: (.*?))?(?:\.(?:\s|$)|$)", re.DOTALL)
_MARKS: Final = ("failed to schedule pod", "incompatible with nodepool", "no instance type", "did not tolerate taint")
_LIMITS: Final = ("exceed limits", "node limits have been exhausted", "filtered out all available instance types")
_POD: Final = re.compile(r"\bpod/([a-z0-9][-a-z0-9.]*(?:/[a-z0-9][-a-z0-9.]*)?)")
_PART: Final = re.compile(r"(?:^|, )(\d+) ")
_REQUESTED: Final = re.compile(r"resources[ =](\{[^}]*\})")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words of the kube-scheduler about some nodes: what they say, and whether they can be about a pod."""

    pattern: re.Pattern[str]
    says: str
    is_about: Callable[[Pod, re.Match[str]], bool]


def _phrase(pattern: str, says: str, is_about: Callable[[Pod, re.Match[str]], bool]) -> _Phrase:
    return _Phrase(re.compile(pattern), says, is_about)


def _selects(pod: Pod, _: re.Match[str]) -> bool:
    return bool(pod.node_selector or pod.required)


def _any(_: Pod, __: re.Match[str]) -> bool:
    return True


_PHRASES: Final[Sequence[_Phrase]] = (
    _phrase(r"^Insufficient (\S+)", "too little {0} left", lambda pod, m: bool(pod.requests.get(m[1]))),
    _phrase(
        r"untolerated taint\(?s?\)? \{(\S+?):? ?(\S*?)\}",
        "the taint {0}, which the pod does not tolerate",
        lambda pod, m: all(t.key not in ("", m[1]) or t.operator in ("Lt", "Gt") for t in pod.tolerations),
    ),
    _phrase(r"untolerated taint", "a taint that the pod does not tolerate", _any),
    _phrase(r"node affinity/selector", "other labels than the pod requires", _selects),
    _phrase(r"topology spread", "more of the pods already than its spread allows", lambda pod, _: bool(pod.spread)),
    _phrase(r"anti-affinity", "pods that its anti-affinity keeps away from", _any),
    _phrase(r"pod affinity", "none of the pods that its affinity wants", lambda pod, _: bool(pod.affinity)),
    _phrase(r"volume node affinity|available volume zone", "no access to its volumes", lambda pod, _: bool(pod.volumes)),
    _phrase(r"max volume count", "too many volumes attached", lambda pod, _: bool(pod.volumes)),
    _phrase(r"free ports", "its host ports in use", lambda pod, _: bool(pod.host_ports)),
    _phrase(r"^Too many pods", "no room for another pod", _any),
    _phrase(r"unschedulable", "been cordoned", _any),
    _phrase(r"allocate all claims|ResourceClaim", "no free device for its claims", lambda pod, _: pod.uses_dynamic_resources),
)


@dataclass(frozen=True, slots=True)
class EventText:
    """The message of an event: the parts of the kube-scheduler's, each with its number of nodes, or Karpenter's words.

    `pod` is the name that the text has in front, as `kubectl get events` prints it, else empty.
    """

    text: str
    nodes: int = 0
    parts: tuple[tuple[int, str], ...] = ()
    pod: str = ""

    @staticmethod
    def read(text: str) -> EventText | None:
        """Return the event that a text is, or None for a name."""
        words = " ".join(text.split())
        of_scheduler, lower = _AVAILABLE.search(words), words.lower()
        if of_scheduler is None and (" " not in words or not any(mark in lower for mark in (*_MARKS, *_LIMITS))):
            return None
        named = _POD.search(words)
        pod = named[1] if named is not None else ""
        if of_scheduler is None:
            return EventText(words, pod=pod)
        _, *parts = _PART.split(of_scheduler[3] or "")
        numbered = tuple((int(count), said.strip(" ,")) for count, said in zip(parts[::2], parts[1::2], strict=True))
        return EventText(words, int(of_scheduler[2]), numbered, pod)

    def facts(self) -> Iterator[Fact]:
        """Yield what the parts of the text say, each with its number of nodes."""
        for count, said in self.parts:
            match = next(((p, m) for p in _PHRASES if (m := p.pattern.search(said))), None)
            words = said if match is None else f"has {match[0].says.format(*match[1].groups())}"
            plural = words if count == 1 else words.replace("has ", "have ", 1) if match is not None else words
            yield Fact(counted(count, "node"), plural)

    def is_about(self, pod: Pod) -> bool:
        """Tell whether the kube-scheduler may say this of a pod."""
        found = ((p, m) for _, said in self.parts for p in _PHRASES if (m := p.pattern.search(said)))
        return all(phrase.is_about(pod, match) for phrase, match in found)


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
    pending = tuple(waiting for waiting in pending if waiting.workload in about)
    if len({waiting.workload for waiting in pending}) == 1:
        subject = next(s for s in known if s.workload == pending[0].workload)
        answer = _of_subject(inputs, event, subject, now, history)
        return replace(answer, kind=SubjectKind.EVENT, name=event.text)
    said = "; ".join(f"{fact.title} {fact.text}" for fact in event.facts()) or event.text
    if not pending:
        sentence = f"no pod of the input waits for what the event says: {said}"
        return Why(inputs.catalog.region, SubjectKind.EVENT, event.text, sentence, facts=tuple(event.facts()))
    sentence = f"pods of {counted(len(pending), 'workload')} wait, and the event may be about each: {said}"
    facts = (*event.facts(), *(Fact(waiting.workload, _with_help(waiting)) for waiting in pending))
    return Why(inputs.catalog.region, SubjectKind.EVENT, event.text, sentence, waits=True, facts=facts)


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
        if any(_same(a.karpenter, event.text) for explanation in of_workload for a in explanation.answers if a.karpenter)
    }


def _same(karpenter: str, text: str) -> bool:
    """Tell whether a text has Karpenter's words about a NodePool, and the same requests where it names some."""
    mine, theirs = _REQUESTED.search(karpenter), _REQUESTED.search(text)
    if mine is not None and theirs is not None:
        return mine[1].replace(" ", "") == theirs[1].replace(" ", "")
    return karpenter.partition(",")[0] in text


def _with_message(inputs: PlanInputs, event: EventText) -> Iterator[str]:
    """Yield the pods of the input whose condition, or whose event in the input, has this message."""
    for document in inputs.documents:
        data: Any = document.data
        metadata = data.get("metadata") or {}
        if document.kind == "Pod" and any(
            _is(event, c.get("message")) for c in (data.get("status") or {}).get("conditions") or ()
        ):
            yield f"{metadata.get('namespace') or 'default'}/pod/{metadata['name']}"
        of = data.get("involvedObject") or data.get("regarding") or {}
        if document.kind == "Event" and of.get("kind") == "Pod" and _is(event, data.get("message") or data.get("note")):
            yield f"{of.get('namespace') or 'default'}/pod/{of.get('name')}"


def _is(event: EventText, message: Any) -> bool:
    return isinstance(message, str) and bool(message) and " ".join(message.split()) in event.text
