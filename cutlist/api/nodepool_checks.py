"""What Karpenter or we refuse in a NodePool that the API server takes (spec: api-objects 1.3 to 1.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.api import schedules
from cutlist.api._findings import Finding
from cutlist.api.nodepool_rules import TEMPLATE
from cutlist.api.requirement_checks import label_findings, requirement_findings, taint_findings
from cutlist.core.errors import QuantityError
from cutlist.core.labels import LabelRegistry
from cutlist.core.quantity import Quantity

Manifest = Mapping[str, Any]


def runtime_findings(stored: Manifest, registry: LabelRegistry) -> Iterator[Finding]:
    """What makes the pool not ready."""
    template = stored["spec"]["template"]
    labels = (template.get("metadata") or {}).get("labels") or {}
    yield from label_findings("spec.template.metadata.labels", labels, registry)
    yield from requirement_findings(f"{TEMPLATE}.requirements", template["spec"]["requirements"], registry)
    yield from taint_findings(TEMPLATE, template["spec"])


def lint_findings(stored: Manifest) -> Iterator[Finding]:
    """What only we refuse: limits below zero, and schedules that no controller can read."""
    spec = stored["spec"]
    for resource, amount in (spec.get("limits") or {}).items():
        if _is_negative(amount):
            yield Finding(f"spec.limits.{resource}", f"a limit cannot be negative, found {amount}", "0 or more")
    for index, budget in enumerate(spec["disruption"]["budgets"]):
        mistake = schedules.mistake(budget["schedule"]) if "schedule" in budget else ""
        if mistake:
            text = f"{mistake}; Karpenter would allow no disruption of this pool at all"
            yield Finding(f"spec.disruption.budgets[{index}].schedule", text)


def _is_negative(amount: str | int) -> bool:
    try:
        return Quantity.parse(amount).nanos < 0
    except QuantityError:
        return False
