"""Answer why: one sentence about a pod, a workload, a gang, a node, a NodePool or an event, and the facts behind it."""

from __future__ import annotations

from dataclasses import replace

from cutlist.core.errors import InputError, Place
from cutlist.planning.absences import WORKLOADS
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.services import running_services
from cutlist.verbs.cluster_state import at_instant
from cutlist.verbs.history.record import History
from cutlist.verbs.names import Name, subject_named
from cutlist.verbs.subjects import SubjectKind, subjects
from cutlist.verbs.validate.answer import kinds_of, listed_kinds
from cutlist.verbs.why.event_text import EventText
from cutlist.verbs.why.events import why_event
from cutlist.verbs.why.gangs import why_gang
from cutlist.verbs.why.nodes import why_node
from cutlist.verbs.why.past import NO_HISTORY, removed_node, with_history
from cutlist.verbs.why.pods import why_pods
from cutlist.verbs.why.pools import why_pool
from cutlist.verbs.why.reason import Why

__all__ = ["why"]


def why(inputs: PlanInputs, name: str, *, namespace: str = "", now: float | None = None, history: History = NO_HISTORY) -> Why:
    """Return why a pod waits or where it runs, and why a node or a NodePool is as it is, in one sentence with its facts.

    `name` is a pod as kubectl prints it, with or without kind and namespace, a workload, a PodGroup or a Workload of a gang, a
    node, a NodeClaim, a NodePool, or the text of an event of a pod that waits. The instant (seconds since 1970) is by default
    the newest in the inputs; `history` is what Karpenter did until then. Raises InputError, with the nearest names, for a name
    that nothing has.

    >>> from cutlist import read_inputs, why
    >>> inputs = read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2")
    >>> answer = why(inputs, "trainer")
    >>> answer.sentence.partition(" and ")[0]
    '1 pod of deployment/trainer waits: NodePool general: the pod needs 1 nvidia.com/gpu'
    """
    return replace(_why(inputs, name, namespace, now, history), services=running_services(inputs) or None)


def _why(inputs: PlanInputs, name: str, namespace: str, now: float | None, history: History) -> Why:
    known = subjects(inputs)
    if not inputs.has_workloads and not inputs.cluster.nodes:
        contents = listed_kinds(kinds_of(inputs.documents))
        raise InputError.one(
            Place(inputs.source), f"no workload or node is in the input, only {contents or 'nothing'}", WORKLOADS
        )
    inputs, instant = at_instant(inputs, now)
    event = EventText.read(name)
    if event is not None:
        return why_event(inputs, event, instant, history)
    of = Name.read(name, namespace)
    gone = removed_node(of, known, history, inputs.catalog.region)
    if gone is not None:
        return gone
    subject = subject_named(of, known)
    match subject.of:
        case SubjectKind.NODE:
            answer = why_node(inputs, subject, instant)
        case SubjectKind.NODE_POOL:
            answer = why_pool(inputs, subject, instant)
        case SubjectKind.GANG:
            answer = why_gang(inputs, subject)
        case _:
            pod = of.name if subject.of is SubjectKind.WORKLOAD and of.is_pod_of(subject) else ""
            answer = why_pods(inputs, subject, instant, pod)
    return with_history(answer, subject, history)
