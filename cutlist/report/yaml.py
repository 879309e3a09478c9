"""Answers as YAML: the same contents as their JSON, in the same order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import yaml

from cutlist.report.plain import no_command

_Dumper: Any = type("_Dumper", (getattr(yaml, "CSafeDumper", yaml.SafeDumper),), {})


def from_json(text: str) -> str:
    """Return the JSON text as YAML in ASCII, in which no build server finds a command. Ends in a newline."""
    return documents([json.loads(text)])


def documents(values: Iterable[Any]) -> str:
    """Return values as documents of YAML, as `from_json` does."""
    return no_command(yaml.dump_all(values, Dumper=_Dumper, sort_keys=False, width=120))


def _word(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Return a text as a scalar, in double quotes where its commands are to be spelled out: only there `\\x3a` is a colon."""
    style = '"' if no_command(text) != text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _word)
