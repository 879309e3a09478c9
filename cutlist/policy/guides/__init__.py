"""The guide to each rule: what it checks, why, an example that breaks it, what to write instead, what a repair does to nodes.

The texts are YAML files beside this module, one for each folder of rules, by id. Judging does not need them, so they are read
only for a rule's page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any, Final

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FOLDERS: Final = ("objects", "nodepools", "node_classes", "plan", "infrastructure", "aks")


class FixSafety(StrEnum):
    """What a repair does to nodes that run."""

    SAFE = "safe"
    REPLACES_NODES = "replaces nodes"
    NEEDS_JUDGEMENT = "needs judgement"


@dataclass(frozen=True, slots=True)
class Guide:
    """The guide to a rule. `example` breaks the rule under its defaults and `settings`, `instead` passes it.

    Both examples are YAML: Kubernetes objects, resources as a Pulumi program in YAML writes them, or the `measures` of a plan.
    """

    checks: str
    why: str
    example: str
    instead: str
    fix: FixSafety
    note: str
    settings: Mapping[str, Any]


def guides() -> dict[str, Guide]:
    """Return the guides to Cutlist's own rules, by id."""
    return {id_: _guide(members) for folder in _FOLDERS for id_, members in _read(folder).items()}


def _read(folder: str) -> dict[str, dict[str, Any]]:
    text = files(__package__).joinpath(f"{folder}.yaml").read_text("utf-8")
    members: dict[str, dict[str, Any]] = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
    return members


def _guide(members: dict[str, Any]) -> Guide:
    texts = {name: members.get(name, "").strip() for name in ("checks", "why", "example", "instead", "note")}
    return Guide(**texts, fix=FixSafety(members["fix"]), settings=members.get("settings", {}))
