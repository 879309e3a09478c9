"""All rules by theme, in the order in which pages and reports have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.policy.rules import (
    azure,
    charts,
    cluster,
    identity,
    interruption,
    node_classes,
    objects,
    plan_pools,
    plan_totals,
    pool_choice,
    pool_life,
    pool_limits,
)
from cutlist.policy.rules.rule import ObjectRule, StackRule


@dataclass(frozen=True, slots=True)
class Theme:
    """Rules about one thing."""

    title: str
    rules: tuple[ObjectRule | StackRule, ...]


def themes() -> tuple[Theme, ...]:
    """The rules by theme, each theme by id."""
    return tuple(Theme(title, tuple(sorted(rules, key=lambda r: r.id))) for title, rules in _THEMES)


_THEMES: Final = (
    ("Objects", objects.RULES),
    ("NodePools", (*pool_limits.RULES, *pool_life.RULES, *pool_choice.RULES)),
    ("What NodePools may launch", plan_pools.RULES),
    ("The plan", plan_totals.RULES),
    ("Node classes", node_classes.RULES),
    ("Identity", identity.RULES),
    ("Interruption", interruption.RULES),
    ("The cluster", cluster.RULES),
    ("Charts", charts.RULES),
    ("AKS", azure.RULES),
)

ALL: Final = tuple(rule for theme in themes() for rule in theme.rules)
"""Every rule of Cutlist's own."""
