"""Rules of a company of its own: every NodePool says which team pays for it, and no team has too many pools."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.policy.rules import Finding, Resource, Resources, Severity, object_rule, stack_rule
from cutlist.policy.rules.parameters import count, text
from cutlist.policy.rules.tokens import NODE_POOL

LABEL = text("label", "acme.example/team", "The label of a pool's nodes that names its team.")
MOST = count("pools", 3, "The most NodePools of one team.")


@object_rule(
    "AC-01",
    "Every NodePool names its team",
    Severity.MANDATORY,
    protects="nodes that nobody pays for",
    looks_at=(NODE_POOL,),
    parameters=(LABEL,),
)
def has_team(pool: Resource, settings: Mapping[str, Any]) -> Iterator[Finding]:
    """The template labels nodes with a team. Values that only an update knows need no care here."""
    labels = pool.at("spec", "template", "metadata", "labels")
    if not labels.at(settings["label"]).text:
        yield labels.violation("no team", f"the label {settings['label']}", f"add {settings['label']}: web")


@stack_rule(
    "AC-02",
    "No team has too many NodePools",
    Severity.ADVISORY,
    protects="pools that nobody can tell apart",
    looks_at=(NODE_POOL,),
    parameters=(LABEL, MOST),
)
def few_pools(resources: Resources, settings: Mapping[str, Any]) -> Iterator[Finding]:
    """Pools are counted by team."""
    pools = resources.of_type(NODE_POOL)
    teams = [pool.at("spec", "template", "metadata", "labels", settings["label"]).text for pool in pools]
    for team, found in Counter(teams).items():
        if team and found > settings["pools"]:
            part = pools[teams.index(team)].root
            yield part.violation(f"{found} pools of {team}", f"at most {settings['pools']}", "join some of them")


RULES = (has_team, few_pools)
