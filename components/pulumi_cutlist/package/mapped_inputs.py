"""How inputs of a component in the spelling of other languages become those of its constructor (spec: pulumi 2.3)."""

from __future__ import annotations

from typing import Any

from pulumi.provider.experimental.analyzer import PropertyDefinition
from pulumi.provider.experimental.component import ComponentProvider


class MappedInputs(ComponentProvider):
    """The SDK's provider of components, which leaves out inputs that are not declared. This one keeps them."""

    def map_input_properties(
        self,
        inputs: Any,
        properties: dict[str, PropertyDefinition],
        mapping: dict[str, str],
        component_name: str,
        property_path: str,
    ) -> Any:
        """Return inputs by the names of Python, with those that are not declared: the component reports them, and the SDK would
        leave them out silently."""
        mapped = super().map_input_properties(inputs, properties, mapping, component_name, property_path)
        unknown = {key: value for key, value in inputs.items() if key not in properties and value is not None}
        return {**mapped, **unknown}
