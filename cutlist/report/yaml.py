"""Answers as YAML: the same contents as their JSON, in the same order."""

from __future__ import annotations

import json

import yaml


def from_json(text: str) -> str:
    """Return the JSON text as YAML in ASCII. Ends in a newline."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    shown: str = yaml.dump(json.loads(text), Dumper=dumper, sort_keys=False, width=120)
    return shown
