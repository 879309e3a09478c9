"""What the API server's rules and Karpenter's own checks refuse in a NodePool whose structure is right (spec: api-objects 1).

Pure functions from a pool to findings. Messages are the fixed ones of the CRD where there is one; paths point at the element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from cutlist.api import durations, schedules
from cutlist.api._findings import Finding
from cutlist.api.label_rules import key_findings, known_value_findings
from cutlist.api.names import MAX_NAME, label_findings, label_value_findings, name_findings, qualified_findings
from cutlist.api.nodepool_fields import AUTO_TERMINATION_GRACE_PERIOD
from cutlist.labels import AUTO_GROUP, LabelRegistry
from cutlist.requirements import Expression, Operator, integer

if TYPE_CHECKING:
    from cutlist.api.nodepool import NodePool

_BOUNDS: Final = (Operator.GT, Operator.LT, Operator.GTE, Operator.LTE)
_AUTO_LIFETIME: Final = 21 * 24 * 3600
_REQUIREMENTS: Final = "spec.template.spec.requirements"
_LABELS: Final = "spec.template.metadata.labels"

Rule = Callable[["NodePool", LabelRegistry], Iterator[Finding]]


def rules(pool: NodePool, registry: LabelRegistry) -> list[Finding]:
    """Everything that the rules refuse: (path, message, what is allowed, the nearest right thing)."""
    return [finding for rule in RULES for finding in rule(pool, registry)]


def _name(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    yield from name_findings("metadata.name", pool.name)
    yield from label_findings("metadata.labels", pool.pool_labels)


def _node_class_ref(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    reference = pool.node_class_ref
    for member, value in (("group", reference.group), ("kind", reference.kind), ("name", reference.name)):
        if not value:
            yield Finding(f"spec.template.spec.nodeClassRef.{member}", f"{member} may not be empty")


def _labels(pool: NodePool, registry: LabelRegistry) -> Iterator[Finding]:
    for key in pool.labels:
        yield from key_findings(f"{_LABELS}.{key}", key, registry, "labels")


def _requirements(pool: NodePool, registry: LabelRegistry) -> Iterator[Finding]:
    for index, expression in enumerate(pool.requirements):
        path = f"{_REQUIREMENTS}[{index}]"
        yield from key_findings(f"{path}.key", expression.key, registry)
        yield from _expression(path, expression, registry)


def _expression(path: str, e: Expression, registry: LabelRegistry) -> Iterator[Finding]:
    if e.operator == Operator.IN:
        if not e.values:
            yield Finding(path, "requirements with operator 'In' must have a value defined")
        elif e.min_values is not None and len(e.values) < e.min_values:
            text = "requirements with 'minValues' must have at least that many values specified in the 'values' field"
            yield Finding(f"{path}.minValues", text, f"at most {len(e.values)}, or more values")
        yield from known_value_findings(f"{path}.values", e, registry)
    if e.operator in _BOUNDS and not _is_bound(e.values):
        text = "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value"
        yield Finding(f"{path}.values", f"{text}, found [{', '.join(e.values)}]", 'one value such as ["4"]')
        return
    for at, value in enumerate(e.values):
        yield from label_value_findings(f"{path}.values[{at}]", e.key, value)


def _is_bound(values: tuple[str, ...]) -> bool:
    number = integer(values[0]) if len(values) == 1 else None
    return number is not None and number >= 0


def _taints(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for field, taints in (("taints", pool.taints), ("startupTaints", pool.startup_taints)):
        for index, taint in enumerate(taints):
            path, pair = f"spec.template.spec.{field}[{index}]", (taint.key, taint.effect)
            yield from qualified_findings(f"{path}.key", taint.key)
            if len(taint.value) > MAX_NAME:
                yield Finding(f"{path}.value", f"has {len(taint.value)} characters", f"at most {MAX_NAME} characters")
            if pair in seen:
                text = f"duplicate taint Key/Effect pair {taint.key}={taint.effect}"
                yield Finding(path, text)
            seen.add(pair)


def _lifetimes(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    # The API server takes them, and then the controller cannot read the object (spec 0.2).
    for path, text in (
        ("spec.template.spec.expireAfter", pool.expire_after),
        ("spec.template.spec.terminationGracePeriod", pool.termination_grace_period),
        ("spec.disruption.consolidateAfter", pool.disruption.consolidate_after),
    ):
        length = durations.seconds(text) if text is not None else None
        if length is not None and length > durations.LONGEST:
            yield Finding(path, f"{text} is longer than a controller can read", f"at most {durations.LONGEST // 3600}h")


def _auto_mode_lifetime(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    if pool.node_class_ref.group != AUTO_GROUP:
        return
    life = durations.seconds(pool.expire_after)
    grace = durations.seconds(pool.termination_grace_period or AUTO_TERMINATION_GRACE_PERIOD) or 0
    if life is None or life + grace > _AUTO_LIFETIME:
        text = "the sum of expireAfter and terminationGracePeriod (defaulted to 24h) may not exceed 21 days"
        left = max(0, _AUTO_LIFETIME - grace) // 3600
        yield Finding("spec.template.spec", text, f"expireAfter up to {left}h")


def _limits(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    for resource, quantity in pool.limits.items():
        if quantity.nanos < 0:
            yield Finding(f"spec.limits.{resource}", f"a limit cannot be negative, found {quantity}", "0 or more")


def _static(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    if pool.replicas is None:
        return
    for resource in pool.limits:
        if resource != "nodes":
            yield Finding(f"spec.limits.{resource}", "only 'limits.nodes' is supported on static NodePools")
    if pool.weight:
        yield Finding("spec.weight", "'weight' is not supported on static NodePools")


def _budgets(pool: NodePool, _: LabelRegistry) -> Iterator[Finding]:
    for index, budget in enumerate(pool.disruption.budgets):
        path = f"spec.disruption.budgets[{index}]"
        if (budget.schedule is None) != (budget.duration is None):
            yield Finding(path, "'schedule' must be set with 'duration'")
        mistake = schedules.mistake(budget.schedule) if budget.schedule is not None else ""
        if mistake:
            yield Finding(f"{path}.schedule", f"{mistake}; Karpenter would allow no disruption of this pool at all")
        for reason, count in Counter(budget.reasons or ()).items():
            if count > 1:
                yield Finding(f"{path}.reasons", f"{reason} is listed {count} times")


RULES: Final[tuple[Rule, ...]] = (
    _name,
    _node_class_ref,
    _labels,
    _requirements,
    _taints,
    _lifetimes,
    _auto_mode_lifetime,
    _limits,
    _static,
    _budgets,
)
