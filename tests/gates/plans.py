"""Plans of OpenTofu as they are shown, and what the rules read of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.terraform.opentofu import documents_of
from cutlist.policy.rules import Resource
from cutlist.verbs.gate.answer import resources_of

VERSION: Final = {"format_version": "1.2", "terraform_version": "1.10.0"}
TODAY: Final = date(2026, 6, 1)


def change(type_: str, name: str = "trick", /, *, actions: Sequence[str] = ("create",), **values: Any) -> dict[str, Any]:
    """Return what a plan says of one resource, with the values that an apply gives it."""
    after = {"actions": list(actions), "before": None, "after": values, "after_unknown": {}, "after_sensitive": {}}
    return {"address": f"{type_}.{name}", "mode": "managed", "type": type_, "name": name, "change": after}


def later(made: dict[str, Any], *members: str) -> dict[str, Any]:
    """Return what a plan says of a resource of which only an apply knows some members."""
    known = {key: value for key, value in made["change"]["after"].items() if key not in members}
    return {**made, "change": {**made["change"], "after": known, "after_unknown": dict.fromkeys(members, True)}}


def plan(*changes: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """Return a plan of some changes; `members` are further ones of its JSON."""
    return {**VERSION, "planned_values": {"root_module": {}}, "resource_changes": list(changes), **members}


def planned(*changes: Mapping[str, Any], **members: Any) -> tuple[Resource, ...]:
    """Return the resources of a plan as rules read them. A mistake in the plan is an error of the test."""
    problems = Problems()
    documents = list(documents_of(json.loads(json.dumps(plan(*changes, **members))), "plan.json", problems))
    problems.raise_if_any()
    return tuple(resources_of(documents))


def configured(type_: str, *commands: str, name: str = "trick") -> dict[str, Any]:
    """Return the configuration of one resource with provisioners that run commands where OpenTofu runs."""
    provisioners = [{"type": "local-exec", "expressions": {"command": {"constant_value": text}}} for text in commands]
    block = {"address": f"{type_}.{name}", "mode": "managed", "type": type_, "name": name, "provisioners": provisioners}
    return {"root_module": {"resources": [block]}}
