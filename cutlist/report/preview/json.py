"""A stack's resources, their costs and its plans as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.infrastructure.costs import Bill
from cutlist.planning.model import Plan

VERSION: Final = 1


@dataclass(frozen=True, slots=True, order=True)
class ShownResource:
    """A resource by its URN, with its type token, its name and the URN of its parent; that is empty for the stack alone."""

    urn: str
    type: str
    name: str
    parent: str


def preview_json(resources: Iterable[ShownResource], exports: Mapping[str, Any], bill: Bill, plans: Iterable[Plan]) -> str:
    """All of it as indented JSON that ends in a newline; `exports` are what JSON has a form for, by name."""
    data = {
        "version": VERSION,
        "resources": [{"urn": r.urn, "type": r.type, "name": r.name, "parent": r.parent} for r in sorted(resources)],
        "exports": exports,
        "costs": bill.to_dict(),
        "plans": [plan.to_dict() for plan in plans],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
