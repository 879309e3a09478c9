"""Requirements and taints as Python writes them, such as `{"karpenter.k8s.aws/instance-generation": Gt(4)}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cutlist.api.nodeoverlay_fields import OverlayRequirement
from cutlist.api.nodepool_fields import RequirementFields, TaintFields
from cutlist.core.requirement import Expression, Operator
from cutlist.core.taints import Taint


@dataclass(frozen=True, slots=True)
class Constraint:
    """The values that a label may have, without the label's key."""

    operator: Operator
    values: tuple[str, ...] = ()
    min_values: int | None = None

    def on(self, key: str) -> Expression:
        """Return the requirement that a key meets this constraint."""
        return Expression(key, self.operator.value, self.values, self.min_values)


Requirement = str | Constraint | Iterable[str | Constraint]
"""One value, several values (any of them), an operator such as `Gt(4)`, or several operators that must all hold."""

RequirementsInput = Mapping[str, Requirement] | Sequence[Expression]


def In(values: Iterable[str], *, min_values: int | None = None) -> Constraint:  # noqa: N802 - named as in Kubernetes
    """Allow any of the values. `min_values` is how many different ones must remain possible at launch (1 to 50)."""
    return Constraint(Operator.IN, _texts(values), min_values)


def NotIn(values: Iterable[str], *, min_values: int | None = None) -> Constraint:  # noqa: N802
    """Allow none of the values; a node without the label fits as well."""
    return Constraint(Operator.NOT_IN, _texts(values), min_values)


def Exists(*, min_values: int | None = None) -> Constraint:  # noqa: N802
    """Allow any value, but require the label."""
    return Constraint(Operator.EXISTS, (), min_values)


def DoesNotExist() -> Constraint:  # noqa: N802
    """Require that the label is absent."""
    return Constraint(Operator.DOES_NOT_EXIST)


def Gt(bound: int, *, min_values: int | None = None) -> Constraint:  # noqa: N802
    """Allow a number larger than the bound."""
    return Constraint(Operator.GT, (str(bound),), min_values)


def Lt(bound: int, *, min_values: int | None = None) -> Constraint:  # noqa: N802
    """Allow a number smaller than the bound."""
    return Constraint(Operator.LT, (str(bound),), min_values)


def Gte(bound: int, *, min_values: int | None = None) -> Constraint:  # noqa: N802
    """Allow the bound or a larger number."""
    return Constraint(Operator.GTE, (str(bound),), min_values)


def Lte(bound: int, *, min_values: int | None = None) -> Constraint:  # noqa: N802
    """Allow the bound or a smaller number."""
    return Constraint(Operator.LTE, (str(bound),), min_values)


def expressions(requirements: RequirementsInput) -> list[Expression]:
    """Return the requirements as a manifest lists them, in the order given."""
    if not isinstance(requirements, Mapping):
        return list(requirements)
    return [expression for key, requirement in requirements.items() for expression in _of_key(key, requirement)]


def _of_key(key: str, requirement: Requirement) -> list[Expression]:
    # A bare number is not converted, so that it is refused with the quoted form, as in a manifest.
    members = list(requirement) if isinstance(requirement, Iterable) and not isinstance(requirement, str) else [requirement]
    constraints = [member.on(key) for member in members if isinstance(member, Constraint)]
    values = [member for member in members if not isinstance(member, Constraint)]
    return [*constraints, *([In(values).on(key)] if values or not constraints else [])]


def _texts(values: Iterable[str]) -> tuple[str, ...]:
    return (values,) if isinstance(values, str) else tuple(values)


def expression(r: RequirementFields | OverlayRequirement) -> Expression:
    """Return a requirement of the API as the core's value; overlays have no `minValues`."""
    return Expression(r.key, r.operator, tuple(r.values), r.min_values if isinstance(r, RequirementFields) else None)


def taint(t: TaintFields) -> Taint:
    """Return a taint of the API as the core's value."""
    return Taint(t.key, t.effect, t.value or "")


def written_taints(taints: Sequence[Taint] | None) -> list[Mapping[str, str]] | None:
    """Return taints as a manifest lists them, or None without taints. A taint of a manifest stays as it is."""
    return None if taints is None else [t.manifest() if isinstance(t, Taint) else t for t in taints]
