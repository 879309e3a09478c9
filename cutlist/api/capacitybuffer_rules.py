"""The CapacityBuffer as a kind: the rules of its CRD, and a check of Cutlist's (spec: api-objects 6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api.capacitybuffer_fields import CapacityBufferFields
from cutlist.api.findings import Finding, Hints
from cutlist.api.rule_table import Breach, Breaches, Row, Rule
from cutlist.api.validation import Manifest, ObjectKind


def _endless(self: Manifest) -> Breaches:
    return [Breach()] if "podTemplateRef" in self and not {"replicas", "limits"} & set(self) else []


def _two_references(self: Manifest) -> Breaches:
    return [Breach()] if "podTemplateRef" in self and "scalableRef" in self else []


RULES: Final[tuple[Row, ...]] = (
    Rule(
        "spec",
        "If podTemplateRef is set, replicas or limits must also be set",
        "!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)",
        _endless,
    ),
    Rule(
        "spec",
        "You must define either PodTemplateRef or ScalableRef, but not both",
        "!(has(self.podTemplateRef) && has(self.scalableRef))",
        _two_references,
    ),
)


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    """Yield the finding on a buffer without any pods (V-120)."""
    if not {"podTemplateRef", "scalableRef"} & set(stored["spec"]):
        yield Finding("spec", "has neither podTemplateRef nor scalableRef, so it reserves nothing", "one of them")


CAPACITY_BUFFER: Final = ObjectKind(CapacityBufferFields, Hints(), lambda _: RULES, lint=_lint, is_namespaced=True)
