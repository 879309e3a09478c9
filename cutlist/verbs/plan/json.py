"""A plan as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from cutlist.planning.model import Plan


def plan_json(plan: Plan) -> str:
    """Return the plan as indented JSON that ends in a newline; `Plan.from_dict` reads it back."""
    return plan.to_json()
