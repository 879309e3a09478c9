"""YAML in which all text is quoted, so that every reader takes it for text."""

from __future__ import annotations

from typing import Any

import yaml


class _Quoting(yaml.SafeDumper):
    """PyYAML leaves 08 and 0E0 bare, which kubectl reads as numbers."""


_Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


def quoted(value: Any, **style: Any) -> str:
    """Return the value as YAML."""
    return yaml.dump(value, Dumper=_Quoting, **style)
