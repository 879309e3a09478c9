"""The available rules: Cutlist's own, and those of other installed packages."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.policy.gates import OWN, AnyRule
from cutlist.policy.rules import ObjectRule, StackRule
from cutlist.policy.rules.aks import cluster as aks_cluster
from cutlist.policy.rules.aks import network as aks_network
from cutlist.policy.rules.aks import rights as aks_rights
from cutlist.policy.rules.infrastructure import (
    charts,
    cluster,
    cluster_rights,
    identity,
    interruption,
    network,
    node_rights,
    queue_delivery,
    resource_policies,
    rights,
    role_trust,
    system_nodes,
    workload_identity,
)
from cutlist.policy.rules.node_classes import machines, public_nodes, selectors, user_data
from cutlist.policy.rules.nodepools import choice, launches, life, limits, own_controller, own_machines
from cutlist.policy.rules.objects import coverage, delivery, validity
from cutlist.policy.rules.plan import pools, totals, workloads

RULES_GROUP: Final = "cutlist.rules"
"""The entry point group in which other packages register lists of their own rules."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Rules about one subject."""

    title: str
    rules: tuple[ObjectRule | StackRule, ...]


def themes() -> tuple[Theme, ...]:
    """Return the rules by theme, each theme by id."""
    return tuple(Theme(title, tuple(sorted(rules, key=lambda r: r.id))) for title, rules in _THEMES)


_THEMES: Final = (
    ("Objects", (*validity.RULES, *delivery.RULES, *coverage.RULES)),
    ("NodePools", (*limits.RULES, *life.RULES, *choice.RULES, *own_machines.RULES, *own_controller.RULES)),
    ("What NodePools may launch", (*launches.RULES, *pools.RULES)),
    ("The plan", (*totals.RULES, *workloads.RULES)),
    ("Node classes", (*machines.RULES, *selectors.RULES, *public_nodes.RULES, *user_data.RULES)),
    ("Identity", (*identity.RULES, *role_trust.RULES, *rights.RULES, *resource_policies.RULES, *workload_identity.RULES)),
    ("Interruption", (*interruption.RULES, *queue_delivery.RULES)),
    ("The cluster", (*cluster.RULES, *system_nodes.RULES, *cluster_rights.RULES, *node_rights.RULES, *network.RULES)),
    ("Charts", charts.RULES),
    ("AKS", (*aks_cluster.RULES, *aks_rights.RULES, *aks_network.RULES)),
)

ALL: Final = tuple(rule for theme in themes() for rule in theme.rules)
"""Every rule of Cutlist's own."""


def known_rules() -> tuple[AnyRule, ...]:
    """Return Cutlist's own rules and those that other installed packages register.

    Raises InputError when one of these cannot be loaded, is not a rule, or has an id that another rule has: a rule that is
    silently not applied would be worse than no rule.
    """
    rules: list[AnyRule] = list(ALL)
    problems = Problems()
    for point in sorted(entry_points(group=RULES_GROUP), key=lambda p: p.name):
        place = Place(f"entry point {RULES_GROUP}:{point.name}")
        try:
            registered = list(point.load())
        except Exception as error:
            problems.add(place, f"cannot be loaded: {type(error).__name__}: {error}")
            continue
        for rule in registered:
            _take(rule, rules, place, problems)
    problems.raise_if_any()
    return tuple(rules)


def _take(rule: Any, rules: list[AnyRule], place: Place, problems: Problems) -> None:
    taken = {known.id for known in (*rules, *OWN)}
    if not isinstance(rule, ObjectRule | StackRule):
        problems.add(place, f"{rule!r} is not a rule", "what object_rule and stack_rule of cutlist.policy.rules make")
    elif rule.id in taken:
        problems.add(place, f"the id {rule.id} is taken", "an id of your own, such as MY-01")
    else:
        rules.append(rule)
