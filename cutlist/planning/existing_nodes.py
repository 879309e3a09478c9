"""Why nodes that are there do not take a pod: for each the first of taints, labels, room and ports that stands in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from cutlist.core.labels import LabelRegistry
from cutlist.core.quantity import amount_text
from cutlist.core.requirements import Requirements
from cutlist.core.taints import untolerated
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

TAKES: Final = ""


def refusing_nodes(nodes: Iterable[SchedulingNode], pod: Pod, registry: LabelRegistry) -> tuple[tuple[str, int], ...]:
    """The reasons of nodes, as they are before any pod is placed, with how many have each; the most frequent first.

    Topology rules and volumes are not looked at: a node without a reason may refuse the pod all the same, and is left out.
    """
    forms = [(form, strict_requirements(form, registry)) for form in _alternatives(pod)]
    reasons = ([_reason(node, form, wanted, registry) for form, wanted in forms] for node in nodes if node.in_pass)
    found = Counter(TAKES if TAKES in said else said[0] for said in reasons)
    del found[TAKES]
    return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _alternatives(pod: Pod) -> list[Pod]:
    """The pod with each of its required node affinity terms alone."""
    terms = pod.required or ()
    return [replace(pod, required=(term,)) for term in terms] if len(terms) > 1 else [pod]


def _reason(node: SchedulingNode, pod: Pod, wanted: Requirements, registry: LabelRegistry) -> str:
    taints = untolerated(node.taints, pod.tolerations)
    if taints:
        return f"the pod does not tolerate {', '.join(map(str, taints))}"
    held = Requirements.of_labels(node.labels, registry)
    if not held.compatible(wanted):
        return f"its labels are not what the pod asks of {', '.join(sorted(_keys(held, wanted)))}"
    short = sorted(r for r, amount in pod.requests.items() if amount > node.available.get(r, 0))
    if short:
        return f"there is no room for {', '.join(f'{amount_text(r, pod.requests[r])} {r}' for r in short)}"
    if any(mine.conflicts(there) for mine in pod.host_ports for there in node.ports):
        return "its host port is taken"
    return TAKES


def _keys(held: Requirements, wanted: Requirements) -> list[str]:
    """The labels that do not agree one by one."""
    return [key for key in wanted if not held.compatible(Requirements((wanted[key],)))]
