"""Requirements and taints between their form in manifests and the values that the core works with."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.api.nodeoverlay_fields import OverlayRequirement
from cutlist.api.nodepool_fields import RequirementFields, TaintFields
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint


def expression(r: RequirementFields | OverlayRequirement) -> Expression:
    """A requirement as it is worked with; overlays have no `minValues`."""
    return Expression(r.key, r.operator, tuple(r.values), r.min_values if isinstance(r, RequirementFields) else None)


def taint(t: TaintFields) -> Taint:
    """A taint as it is worked with."""
    return Taint(t.key, t.effect, t.value or "")


def written_taints(taints: Sequence[Taint] | None) -> list[dict[str, str]] | None:
    """Taints as a manifest lists them; None for none given."""
    return None if taints is None else [t.manifest() for t in taints]
