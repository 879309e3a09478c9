"""The NodeOverlay: what scheduling assumes about instance types instead of the cloud's data (spec: api-objects 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api.model import present
from cutlist.api.nodeoverlay_fields import API_VERSION, KIND, NodeOverlayStatus
from cutlist.api.nodeoverlay_rules import NODE_OVERLAY
from cutlist.api.objects import Source, SpecObject
from cutlist.api.operators import RequirementsInput, expression, expressions
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.quantity import Quantity
from cutlist.core.requirement import Expression


@dataclass(frozen=True, slots=True, init=False)
class NodeOverlay(SpecObject):
    """A price or additional capacity for the instance types that meet the requirements. Karpenter's gate NodeOverlay has to be
    on.

    `price` is in USD per hour, `price_adjustment` an amount or a percentage with its sign; both are text, as written. `weight`
    is 0 if absent; of several overlays, the one with the highest weight counts. Two overlays are equal when these values are.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _VALIDATED_AS: ClassVar = NODE_OVERLAY

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    requirements: tuple[Expression, ...]
    price: str | None
    price_adjustment: str | None
    capacity: dict[str, Quantity]
    weight: int
    deleting: bool
    status: NodeOverlayStatus
    _source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)
    _karpenter: Baseline = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        requirements: RequirementsInput = (),
        price: str | None = None,
        price_adjustment: str | None = None,
        capacity: Mapping[str, Quantity | str | int] | None = None,
        weight: int | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build an overlay. Raises InputError with every reason for which the API server or Karpenter would refuse it.

        - `requirements`: which types it applies to, by label key as in a NodePool, but without `min_values`.
        - `price`: USD per hour, such as `"0.25"`; or `price_adjustment`: `"+0.5"`, `"-0.02"`, `"+15%"`, down to `"-100%"`.
        - `capacity`: extended resources only, as in `{"example.com/device": 4}`.
        - `weight`: 1 to 10000.
        """
        spec = {
            "requirements": [e.manifest() for e in expressions(requirements)],
            **present(price=price, price_adjustment=price_adjustment, capacity=capacity, weight=weight),
        }
        self._build(name, labels, annotations, spec)

    def _attributes(self, fields: Any) -> dict[str, Any]:
        requirements = tuple(map(expression, fields.spec.requirements))
        return {**SpecObject._attributes(self, fields), "requirements": requirements, "weight": fields.spec.weight or 0}
