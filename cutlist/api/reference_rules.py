"""The rules on a reference to a node class, the same in NodePools and NodeClaims (spec: api-objects 1.2)."""

from __future__ import annotations

from cutlist.api.rule_table import Breach, Rule


def reference_rules(path: str) -> tuple[Rule, ...]:
    """No member of a reference may be empty."""
    return tuple(
        Rule(f"{path}.{member}", f"{member} may not be empty", "self != ''", lambda self: [Breach()] if self == "" else [])
        for member in ("group", "kind", "name")
    )
