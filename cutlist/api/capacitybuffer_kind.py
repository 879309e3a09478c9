"""The CapacityBuffer as a kind: its schema and rules (spec: api-objects 6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.api import capacitybuffer_rules
from cutlist.api._findings import Finding, Hints
from cutlist.api.capacitybuffer_fields import CapacityBufferFields
from cutlist.api.examination import Kind, Manifest


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    return capacitybuffer_rules.lint_findings(stored)


CAPACITY_BUFFER: Final = Kind(
    CapacityBufferFields, Hints(), lambda _: capacitybuffer_rules.RULES, lint=_lint, is_namespaced=True
)
