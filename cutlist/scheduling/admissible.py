"""Pods that Karpenter does not try at all (spec: scheduling 4.3, 11.1; S-41, S-123)."""

from __future__ import annotations

from cutlist.api.terms import term_problems
from cutlist.core.labels import NODEPOOL, LabelRegistry
from cutlist.core.requirements import Expression, Operator
from cutlist.workloads.pod_requirements import full_requirements
from cutlist.workloads.pods import Pod


def ignored_because(pod: Pod, registry: LabelRegistry) -> str | None:
    """Why Karpenter passes over a pending pod, before it looks at any NodePool; None when it does not.

    Preferred terms are not looked at, except that the heaviest may ask for no NodePool at all.
    """
    problems = [
        problem
        for expression in (*_selectors(pod), *(e for term in pod.required or () for e in term))
        for problem in term_problems(expression, registry)
    ]
    if pod.uses_match_fields:
        problems.append("node selector term with matchFields is not supported")
    if problems:
        return "; ".join(problems)
    nodepool = full_requirements(pod, registry).get(NODEPOOL)
    if nodepool is not None and nodepool.operator is Operator.DOES_NOT_EXIST:
        return f"configured to not run on a Karpenter provisioned node (requirement={nodepool})"
    return None


def _selectors(pod: Pod) -> list[Expression]:
    return [Expression(key, Operator.IN, (value,)) for key, value in pod.node_selector.items()]
