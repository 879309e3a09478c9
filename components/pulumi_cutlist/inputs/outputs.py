"""The outputs of a component: its public annotations, as the component host reads them."""

from __future__ import annotations

import inspect
from typing import Any

import pulumi

from cutlist.core.wording import camel_case


def outputs_of(component: pulumi.ComponentResource) -> dict[str, Any]:
    """Return the outputs that a component and what it derives from declare, by their names in other languages."""
    own = (part for part in reversed(type(component).__mro__) if part not in pulumi.ComponentResource.__mro__)
    declared = (name for part in own for name in inspect.get_annotations(part) if not name.startswith("_"))
    return {camel_case(name): getattr(component, name) for name in declared}
