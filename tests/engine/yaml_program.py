"""A program in YAML, registered as its language registers it: variables, references to outputs, providers, outputs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pulumi
import yaml

_REFERENCE: Final = re.compile(r"\$\{(\w+)(?:\.(\w+))?\}")


class Remote(pulumi.ComponentResource):
    """A component of a package as a program in another language has it: the engine asks the package to construct it."""

    def __init__(self, token: str, name: str, inputs: Mapping[str, Any], outputs: list[str], **options: Any) -> None:
        super().__init__(token, name, {**inputs, **dict.fromkeys(outputs)}, pulumi.ResourceOptions(**options), remote=True)


def register(data: Mapping[str, Any]) -> None:
    """Register what a program's data has, in the order in which it is written."""
    used: dict[str, list[str]] = {}
    for name, output in _REFERENCE.findall(str([data["resources"], data.get("outputs")])):
        used.setdefault(name, []).extend([output] if output else [])
    resources: dict[str, pulumi.Resource] = {}

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [filled(inner) for inner in value]
        whole = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        if whole is None:
            return value
        name, output = whole.groups()
        return getattr(resources[name], output) if name in resources else filled(data["variables"][name])

    for name, resource in data["resources"].items():
        package, _, kind = resource["type"].partition(":")
        resources[name] = Remote(f"{package}:index:{kind}", name, filled(resource["properties"]), used.get(name, []))
    for name, value in (data.get("outputs") or {}).items():
        pulumi.export(name, filled(value))


if __name__ == "__main__":
    register(yaml.safe_load(Path("Pulumi.yaml").read_text()))
