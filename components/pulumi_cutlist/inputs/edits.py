"""What an update changes of a cluster's NodePools and node classes, as an engine's state and the program have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi

Manifest = Mapping[str, Any]


@dataclass(slots=True)
class ObjectEdits:
    """The objects of one cluster that an update changes, by URN, as they were; `registered` are the URNs of all, known once an
    engine has said how each changes. `versions` are the cluster's Kubernetes before and after, where that changes."""

    before: dict[str, Manifest] = field(default_factory=dict)
    registered: list[pulumi.Output[str]] = field(default_factory=list)
    versions: tuple[str, str] | None = None

    def of_object(self, name: str) -> pulumi.ResourceOptions:
        """Return the options of an object's resource under which an engine says what it changes of it, in previews too. The
        name is one that no other hook of the stack has."""

        def note(change: pulumi.ResourceHookArgs) -> None:
            if change.old_inputs is not None:
                self.before[change.urn] = change.old_inputs

        return _before_update(f"{name}-edit", note)

    def of_version(self, name: str, *path: str) -> pulumi.ResourceOptions:
        """Return the options of a cluster's component, whose inputs have the version of Kubernetes at a path."""

        def note(change: pulumi.ResourceHookArgs) -> None:
            before, after = (_text(inputs, path) for inputs in (change.old_inputs, change.new_inputs))
            if before and after and before != after:
                self.versions = before, after

        return _before_update(f"{name}-version", note)


def _before_update(name: str, note: Any) -> pulumi.ResourceOptions:
    hook = pulumi.ResourceHook(name, note, pulumi.ResourceHookOptions(on_dry_run=True))
    return pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(before_update=[hook]))


def _text(inputs: Mapping[str, Any] | None, path: tuple[str, ...]) -> str:
    value: Any = inputs
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""
