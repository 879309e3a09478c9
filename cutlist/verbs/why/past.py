"""What Karpenter did to a pod's launch or a node before, by its log or events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from cutlist.core.wording import first_of
from cutlist.logs import Decision, Story
from cutlist.report.plain import instant as instant_text
from cutlist.verbs.history.record import History
from cutlist.verbs.history.words import new_nodes_text
from cutlist.verbs.names import Name
from cutlist.verbs.subjects import Subject, SubjectKind
from cutlist.verbs.why.reason import Fact, Why

NO_HISTORY: Final = History((), 0)
_NAMED: Final = 5


def with_history(answer: Why, subject: Subject, history: History) -> Why:
    """Return an answer with what the history says about its subject, after its other facts."""
    return replace(answer, facts=(*answer.facts, *_facts(subject, history)))


def removed_node(name: Name, known: Sequence[Subject], history: History, region: str) -> Why | None:
    """Return what removed a node that the inputs do not have, or None if the history does not know it either."""
    if name.kind not in ("", "node", "nodeclaim") or any(name.fits(subject) for subject in known):
        return None
    story = next((s for s in reversed(history.stories) if _ended(s, name.name)), None)
    if story is None:
        return None
    facts = tuple(Fact("history", _command(s.decision)) for s in history.stories if _ended(s, name.name))
    steps = next(ending.steps for ending in story.endings if name.name in (ending.node.name, ending.node.claim))
    last = f"; last: {steps[-1].what}" if steps else ""
    sentence = f"{name.name} is no longer in the cluster: {_command(story.decision)}{last}"
    return Why(region, SubjectKind.NODE, name.name, sentence, facts=facts)


def _facts(subject: Subject, history: History) -> Iterator[Fact]:
    match subject.of:
        case SubjectKind.NODE:
            names = {subject.name, subject.claim} - {""}
            stories = [s for s in history.stories if any(_ended(s, name) for name in names)]
            yield from (Fact("history", _command(story.decision)) for story in stories[-_NAMED:])
        case SubjectKind.NODE_POOL:
            failed = [f for f in history.failed if f.node_pool == subject.name]
            yield from (Fact("failed launch", f"{instant_text(f.at)}: {f.message}") for f in failed[-_NAMED:])
        case SubjectKind.POD | SubjectKind.WORKLOAD:
            own = [f for f in history.failed if any(_is_of(pod, subject) for pod in f.pods)]
            yield from (Fact("failed launch", f"{instant_text(f.at)}, {f.claim}: {f.message}") for f in own[-_NAMED:])


def _is_of(pod: str, subject: Subject) -> bool:
    namespace, _, name = pod.rpartition("/")
    if namespace not in ("", subject.namespace or "default"):
        return False
    return name == subject.name or Name(name, name).is_pod_of(subject)


def _ended(story: Story, name: str) -> bool:
    return any(name in (node.name, node.claim) for node in story.decision.nodes)


def _command(decision: Decision) -> str:
    """Return a command with when and why."""
    new = f", launching {first_of([new_nodes_text(n) for n in decision.new], 2)}" if decision.new else ""
    return f"{instant_text(decision.at)}: {decision.decision} ({decision.reason}){new}"
