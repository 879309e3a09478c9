"""The structure of a NodeOverlay, `karpenter.sh/v1alpha1` (spec: api-objects 6.1)."""

from __future__ import annotations

from typing import Annotated, Final

from cutlist.api.fields import Field, StringConstraints
from cutlist.api.model import Amount, Condition, Int32, Items, Metadata, Model, Observed, help_text
from cutlist.api.nodepool_fields import RequirementKey, RequirementOperator, RequirementValues

API_VERSION: Final = "karpenter.sh/v1alpha1"
KIND: Final = "NodeOverlay"
_PRICE: Final = r"^\d+(\.\d+)?$"
_ADJUSTMENT: Final = r"^(([+-]{1}(\d*\.?\d+))|(\+{1}\d*\.?\d+%)|(^(-\d{1,2}(\.\d+)?%)$)|(-100%))$"

PATTERNS_IN_WORDS: Final = {
    _PRICE: "a price in USD per hour such as 0.25",
    _ADJUSTMENT: "an amount with its sign such as +0.5 or -0.02, or a percentage such as +15% or -10%, down to -100%",
}


class OverlayRequirement(Model):
    """One entry of `requirements`: as in a NodePool, but without `minValues`."""

    key: RequirementKey
    operator: RequirementOperator
    values: RequirementValues = ()


class NodeOverlaySpec(Model):
    """The instance types that it applies to, and the assumptions about them."""

    requirements: Annotated[Items[OverlayRequirement], Field(max_length=100), help_text("Which instance types are meant.")]
    price: Annotated[
        Annotated[str, StringConstraints(pattern=_PRICE)] | None, help_text("USD per hour, in place of the price of the cloud.")
    ] = None
    price_adjustment: Annotated[
        Annotated[str, StringConstraints(pattern=_ADJUSTMENT)] | None,
        help_text("Added to the price, with its sign: +0.5, -0.02, +15%, -10%."),
    ] = None
    capacity: Annotated[dict[str, Amount], help_text("Extended resources that the nodes will have.")] = Field(
        default_factory=dict
    )
    weight: Annotated[
        Annotated[Int32, Field(ge=1, le=10_000)] | None,
        help_text("Of several overlays the one with the higher weight counts, 1 to 10000."),
    ] = None


class NodeOverlayStatus(Observed):
    """The conditions that the controller reports."""

    conditions: Items[Condition] = ()


class NodeOverlayFields(Model):
    """A whole NodeOverlay as a manifest has it."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: NodeOverlaySpec
    status: NodeOverlayStatus = Field(default_factory=NodeOverlayStatus)
