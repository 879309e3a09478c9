"""Where Karpenter's own controller runs: not on nodes that it removes itself (spec: aws-infrastructure 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api.label_domains import registry_of
from cutlist.core.labels import NODEPOOL, LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE, Taint, Toleration, untolerated
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.pool_parts import expressions_of, requirements_of, taints_of, template_of
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import NODE_POOL, REPLICATED

_IMAGE: Final = "karpenter/controller"
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"


@stack_rule(
    "NP-23",
    "Karpenter does not run on its own nodes",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a controller that removes the node that it runs on, after which nothing launches nodes",
    looks_at=(NODE_POOL, *REPLICATED),
    source="aws-infrastructure 9",
)
def controller_elsewhere(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no NodePool takes the pods of a Deployment that runs Karpenter's controller, by its image."""
    pools = resources.of_type(NODE_POOL)
    for workload in resources.of_type(*REPLICATED):
        pod = workload.at("spec", "template", "spec")
        if not any(_IMAGE in container.at("image").text for container in pod.at("containers").items()):
            continue
        try:
            pool = next((pool for pool in pools if _takes(pool, pod)), None)
        except NotKnownError as unknown:
            yield pod.cannot_tell(f"whether a NodePool takes its pods: {unknown}")
            continue
        if pool is not None:
            advice = f"require {NODEPOOL} DoesNotExist in its node affinity, as Karpenter's chart does"
            text = f"its pods may run on nodes of {pool.label}"
            yield pod.at("affinity").violation(text, "nodes of a managed group, or Fargate", advice)


def _takes(pool: Resource, pod: Part) -> bool:
    """Tell whether nodes of a pool have the labels that pods ask for, and no taint that they do not tolerate."""
    taints = [Taint(*taint) for taint in sorted(taints_of(pool)) if taint[2] in (NO_SCHEDULE, NO_EXECUTE)]
    if untolerated(taints, [_toleration(written) for written in pod.at("tolerations").items()]):
        return False
    registry = registry_of(template_of(pool).at("nodeClassRef", "group").text)
    nodes = requirements_of(pool) & Requirements.of_labels({NODEPOOL: pool.name}, registry)
    return any(nodes.compatible(wanted, registry.well_known) for wanted in _alternatives(pod, registry))


def _toleration(written: Part) -> Toleration:
    return Toleration(*(written.at(member).text for member in ("key", "operator", "value", "effect")))


def _alternatives(pod: Part, registry: LabelRegistry) -> Iterator[Requirements]:
    """Yield what pods require of a node, by each term of their affinity."""
    selector = {key: part.text for key, part in pod.at("nodeSelector").members().items()}
    selected = Requirements.of_labels(selector, registry)
    terms = list(pod.at("affinity", "nodeAffinity", _REQUIRED, "nodeSelectorTerms").items())
    if not terms:
        yield selected
    for term in terms:
        yield selected & Requirements.of_expressions(expressions_of(term.at("matchExpressions")), registry)


RULES = (controller_elsewhere,)
