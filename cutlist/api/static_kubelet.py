"""The kubelet settings of an EC2NodeClass that are the same for every instance type, read from an open map (spec: VA15-37)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutlist.api.ec2nodeclass_fields import Kubelet
from cutlist.api.kubelet_rules import RESERVATIONS
from cutlist.core.quantity import Quantity, is_quantity


def static_kubelet(settings: Mapping[str, Any]) -> Kubelet:
    """Return the settings that Karpenter reads, as far as they are amounts and counts.

    Expressions are left out, since their values depend on the instance type, and so are values of a wrong type, which the
    controller refuses anyway.
    """
    values = {name: _read(str(field.alias), settings.get(str(field.alias))) for name, field in Kubelet.model_fields.items()}
    return Kubelet.model_construct(**{name: value for name, value in values.items() if value is not None})


def _read(key: str, value: Any) -> Any:
    match value:
        case dict() if key in RESERVATIONS:
            return {k: Quantity.parse(text) for k, text in value.items() if isinstance(text, str) and is_quantity(text)}
        case dict():
            return {k: text for k, text in value.items() if isinstance(text, str)}
        case list():
            return tuple(value)
        case str():
            return None
    return value
