"""How inputs of a component in the spelling of other languages become those of its constructor (spec: pulumi 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pulumi
from pulumi.errors import InputPropertyError
from pulumi.provider.experimental.analyzer import PropertyDefinition
from pulumi.provider.experimental.component import ComponentProvider


class MappedInputs(ComponentProvider):
    """The SDK's provider of components, which refuses the first input that is missing or has another form, and leaves out
    inputs that are not declared. This one passes all on: the component reports every mistake, in its own words. `misspelt` are
    the paths of inputs in the spelling of Python, which only the component itself knows, with the names that they have."""

    def __init__(self, components: list[type[pulumi.ComponentResource]], name: str, version: str = "0.0.0") -> None:
        super().__init__(components, name, version=version)
        self.misspelt: Final[dict[str, str]] = {}

    def map_input_properties(
        self,
        inputs: Any,
        properties: dict[str, PropertyDefinition],
        mapping: dict[str, str],
        component_name: str,
        property_path: str,
    ) -> Any:
        """Return inputs by the names of Python; as they are where they are not what is declared."""
        if not isinstance(inputs, Mapping):
            return inputs
        mapped: dict[str, Any] = {}
        named = {python: key for key, python in mapping.items()}
        for key, value in inputs.items():
            if value is None:
                continue
            if key not in properties and key in named:
                self.misspelt[f"{property_path}.{key}" if property_path else key] = named[key]
            name = mapping[key] if key in properties else key
            mapped[name] = value
            if key in properties:
                declared = {key: replace(properties[key], optional=True)}
                try:
                    found = super().map_input_properties({key: value}, declared, mapping, component_name, property_path)
                except InputPropertyError:
                    continue  # of an enumeration or a number, which keeps the value that is given
                # The SDK has an empty mapping in place of what is not a mapping.
                mapped[name] = found[name] if found[name] or isinstance(value, Mapping) else value
        return mapped
