"""Templates of CloudFormation as plain data: JSON, or YAML with the short forms of functions such as `!Sub`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import yaml

_LONGEST: Final = 2**20
"""Bytes that CloudFormation takes of a template (AWS's page "CloudFormation quotas", November 2026)."""
_PLAIN: Final = ("Ref", "Condition")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Reads the functions of templates as mappings, and refuses aliases, which CloudFormation does not take."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)


def _function(loader: Any, suffix: str, node: Any) -> dict[str, Any]:
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in _PLAIN else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _function)
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":timestamp", ":merge"))]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


@lru_cache(maxsize=64)
def parse_template(text: str) -> Mapping[str, Any] | None:
    """Return a template as data, which nobody may change; None for a text that is none."""
    if len(text) > _LONGEST:
        return None
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else yaml.load(text, Loader=_Loader)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None
    return data if isinstance(data, Mapping) and isinstance(data.get("Resources"), Mapping) else None
