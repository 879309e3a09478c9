"""Templates of CloudFormation as plain data: JSON, or YAML with the short forms of functions such as `!Sub`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import yaml

_LONGEST: Final = 51_200
"""Characters that CloudFormation takes of a template in a request (AWS's page "CloudFormation quotas", November 2026)."""
_DEEPEST: Final = 100
_PLAIN: Final = ("Ref", "Condition")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Reads the functions of templates as mappings."""


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
    """Return a template as data, which callers must not change, or None for a text that is not a template, has aliases or is
    nested too deeply: CloudFormation refuses these as well.
    """
    return None if len(text) > _LONGEST else parse_large_template(text)


def parse_large_template(text: str) -> Mapping[str, Any] | None:
    """Return the same for a template that may be as large as those that are uploaded first."""
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else _of_yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None
    return data if isinstance(data, Mapping) and isinstance(data.get("Resources"), Mapping) else None


def _of_yaml(text: str) -> Any:
    """Return the data of a YAML text. Raises ValueError for a text that would take disproportionate memory or depth."""
    depth = 0
    for event in yaml.parse(text, Loader=_Base):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("an alias")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
