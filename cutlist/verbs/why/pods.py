"""Why pods wait, where they are planned, or why those that run are where they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.wording import counted, first_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.explanation import Explanation
from cutlist.report.plain import instant as instant_text
from cutlist.state.pods import RunningPod
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.subjects import Subject, SubjectKind
from cutlist.verbs.why.nodes import node_sentence
from cutlist.verbs.why.reason import Fact, Why
from cutlist.verification.pod_workloads import PodWorkloads

_NAMED: Final = 5


def why_pods(inputs: PlanInputs, subject: Subject, now: float, named: str = "") -> Why:
    """Return why the pods of a workload, or one of them, wait or run where they do.

    `named` is the name of a pod that the inputs have only by its workload.
    """
    pod = subject.pod
    if pod is not None and (pod.node or pod.ended):
        return _why_running(inputs, subject, pod, now)
    daemon = next((d for d in inputs.workloads.daemons if d.workload == subject.workload), None)
    if daemon is not None:
        nodes = "every node whose taints it tolerates and whose labels it accepts"
        text = f"{subject.full_name} runs on {nodes}: Karpenter adds no node for it"
        return _why(inputs, subject, text)
    running = _running(inputs, subject.workload)
    if not any(g.count for g in inputs.workloads.groups if g.workload == subject.workload):
        return _why_all_run(inputs, subject, running)
    explanation = min(explain(inputs, subject.workload), key=lambda e: e.waiting)
    who = _who(subject, explanation, named)
    facts = (*_facts(explanation), *_where(running))
    gang = next((gang for gang in explanation.incomplete_gangs if gang.binds_together), None)
    if gang is not None and not gang.held_back:
        pending = explanation.pending[0] if explanation.pending else None
        verb = "waits" if named or pod is not None or explanation.pods == 1 else "wait"
        of_all = named or pod is not None or subject.of is SubjectKind.POD
        whose = who if of_all else f"{counted(explanation.pods, 'pod')} of {subject.workload}"
        short = f"; {pending.reason}" if pending is not None else ""
        sentence = f"{whose} {verb} for the gang {gang.gang}, of which {gang.scheduler} binds none yet: {gang.in_words}{short}"
        return _why(inputs, subject, sentence, facts, remedy=pending.remedy if pending else "", waits=True, named=named)
    if explanation.waiting:
        pending = explanation.pending[0]
        verb = "waits" if named or pod is not None or explanation.waiting == 1 else "wait"
        sentence = f"{who} {verb}: {pending.reason}"
        return _why(inputs, subject, sentence, facts, remedy=pending.remedy, waits=True, named=named)
    return _why(inputs, subject, f"{who} {_planned(explanation, bool(named) or pod is not None)}", facts, named=named)


def _why(
    inputs: PlanInputs,
    subject: Subject,
    sentence: str,
    facts: Sequence[Fact] = (),
    *,
    remedy: str = "",
    waits: bool = False,
    named: str = "",
) -> Why:
    kind = SubjectKind.POD if named else subject.of
    name = named or subject.name
    name = name if subject.namespace in ("", "default") else f"{subject.namespace}/{name}"
    return Why(inputs.catalog.region, kind, name, sentence, waits, remedy, subject.workload, tuple(facts))


def _why_running(inputs: PlanInputs, subject: Subject, pod: RunningPod, now: float) -> Why:
    if pod.ended:
        text = f"{subject.full_name} has ended ({pod.phase}) and needs no node"
        return _why(inputs, subject, text, [Fact("node", pod.node)] if pod.node else [])
    ends = ", and is being deleted" if pod.terminating else ""
    since = f" since {instant_text(pod.started)}" if pod.started is not None else ""
    of_node = node_sentence(inputs, pod.node, now)
    sentence = f"{subject.full_name} runs on {pod.node}{since}{ends}" + (f"; {of_node}" if of_node else "")
    others = [other for other in _running(inputs, subject.workload) if other is not pod]
    facts = [Fact("workload", subject.workload), *_where(others, "its other pods")]
    if pod.do_not_disrupt:
        facts.append(Fact("do-not-disrupt", f"its annotation says {pod.do_not_disrupt}, so Karpenter does not choose its node"))
    return _why(inputs, subject, sentence, facts)


def _why_all_run(inputs: PlanInputs, subject: Subject, running: Sequence[RunningPod]) -> Why:
    if not running:
        return _why(inputs, subject, f"{subject.full_name} has no pods that need a node")
    nodes = len({pod.node for pod in running})
    do = "runs" if len(running) == 1 else "run"
    text = f"no pod of {subject.full_name} waits: {counted(len(running), 'pod')} {do} on {counted(nodes, 'node')}"
    return _why(inputs, subject, text, list(_where(running)))


def _running(inputs: PlanInputs, workload: str) -> list[RunningPod]:
    of = PodWorkloads([g.workload for g in inputs.workloads.groups])
    return [pod for pod in inputs.cluster.pods if pod.node and not pod.ended and of.of(pod) == workload]


def _who(subject: Subject, explanation: Explanation, named: str) -> str:
    """Return the subject of the sentence: the pod by its name, or how many pods of the workload."""
    if named or subject.pod is not None:
        name = named or subject.name
        return f"pod/{name}" if subject.namespace in ("", "default") else f"{subject.namespace}/pod/{name}"
    count = explanation.waiting or explanation.pods
    of = f" of {explanation.pods:,}" if explanation.waiting and explanation.waiting < explanation.pods else ""
    if subject.of is SubjectKind.POD:
        return subject.full_name
    return f"{count:,}{of} {'pod' if (explanation.pods if of else count) == 1 else 'pods'} of {subject.workload}"


def _planned(explanation: Explanation, is_one: bool) -> str:
    """Return where pods that do not wait get their nodes."""
    some = is_one or explanation.pods == 1
    ways = []
    if explanation.on_existing:
        names = first_of([name for name, _ in explanation.existing], 2)
        ways.append(f"{'finds' if some else 'find'} room on {names}")
    if explanation.on_new_nodes:
        kinds = Counter[str]()
        for node in explanation.nodes:
            kinds[f"{node.instance_type} of NodePool {node.node_pool}"] += node.count
        launched = first_of([f"{count} {kind}" for kind, count in kinds.items()], 2)
        ways.append(f"{'gets' if some else 'get'} a new node: Karpenter launches {launched}")
    return ", and others ".join(ways) or "needs no node"


def _facts(explanation: Explanation) -> Iterator[Fact]:
    """Yield what decides: the answer of each NodePool, existing nodes, what was given up."""
    yield from (Fact("gang", f"{gang.gang} of {gang.scheduler}: {gang.in_words}") for gang in explanation.gangs)
    yield Fact(
        "workload", f"{explanation.workload}, {counted(explanation.pods, 'pod')}, {explanation.waiting:,} without a node"
    )
    reported = {pending.remedy for pending in explanation.pending}
    for answer in explanation.answers:
        if answer.took:
            yield Fact(f"NodePool {answer.node_pool}", f"takes {counted(answer.took, 'pod')}")
        elif answer.refusal:
            helps = f" (helps: {answer.remedy})" if answer.remedy and answer.remedy not in reported else ""
            yield Fact(f"NodePool {answer.node_pool}", f"{answer.refusal}{helps}")
    asked = {answer.node_pool for answer in explanation.answers}
    for pending in explanation.pending:
        yield from (Fact(f"NodePool {pool}", text) for pool, text in pending.by_node_pool if pool and pool not in asked)
    for name, pods in explanation.existing[:_NAMED]:
        yield Fact(name, f"takes {counted(pods, 'pod')}")
    for reason, nodes in explanation.refusing[:_NAMED]:
        yield Fact(f"{counted(nodes, 'existing node')}", reason)
    for given_up in explanation.given_up[:_NAMED]:
        yield Fact("given up", given_up.what)
    for text in explanation.spot:
        yield Fact("without spot", text)


def _where(running: Sequence[RunningPod], title: str = "running") -> Iterator[Fact]:
    """Yield on which nodes pods run."""
    if running:
        counts = Counter(pod.node for pod in running)
        named = [f"{node} ({count})" for node, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
        yield Fact(title, f"{counted(len(running), 'pod')} on {first_of(named, _NAMED)}")
