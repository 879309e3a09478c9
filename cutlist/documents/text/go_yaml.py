"""YAML as Go's libraries write and read it: Helm, Argo CD and Flux go through such texts."""

from __future__ import annotations

from typing import Any, Final

import yaml

from cutlist.core.errors import Problems
from cutlist.documents.text.scalars import plain_in_go
from cutlist.documents.text.yaml import parse

_WIDTH: Final = 2**30
"""Lines are never broken."""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, _data: Any) -> bool:
        """Write a value again wherever it appears."""
        return True


def _text(dumper: Any, text: str) -> Any:
    style = "|" if "\n" in text else None if isinstance(plain_in_go(text), str) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def to_yaml(value: Any) -> str:
    """Return a value as YAML: members in alphabetical order, texts without quotes where that is possible."""
    return str(yaml.dump(value, Dumper=_Dumper, default_flow_style=False, width=_WIDTH, allow_unicode=True))


def from_yaml(text: str) -> Any:
    """Return the value of a text, in YAML 1.1: an unquoted `on` is a boolean. Raises ValueError if it cannot be read."""
    problems = Problems()
    values = [parsed.value for parsed in parse(text, "", problems, plain_in_go) if parsed.value is not None]
    if problems:
        raise ValueError(problems.found[0].message)
    return values[0] if values else None
