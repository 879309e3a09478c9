"""The rules that every node class for AWS has, Karpenter's and Auto Mode's alike (spec: api-objects 3.3, 3.5, 3.6, 4.1).

The texts are those of Karpenter's CRD; most of Auto Mode's are unpublished.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from cutlist.api import selector_rules
from cutlist.api.findings import Finding
from cutlist.api.rule_table import Breach, Breaches, Part, Rule

SUBNET_TERMS: Final = "spec.subnetSelectorTerms"
GROUP_TERMS: Final = "spec.securityGroupSelectorTerms"
_PLACEMENT: Final = "spec.placementGroupSelector"
_IN_SUBNET_TERM: Final = (
    "'id' is mutually exclusive, cannot be set with a combination of other fields in a subnet selector term"
)
_IN_GROUP_TERM: Final = (
    "is mutually exclusive, cannot be set with a combination of other fields in a security group selector term"
)
_PRIMARY: Final = (0, 0, "interface")


def _identities(self: Part) -> Breaches:
    return [Breach()] if ("role" in self) == ("instanceProfile" in self) else []


def _empty(self: str) -> Breaches:
    return [] if self else [Breach()]


NAME_RULES: Final = (
    Rule("spec.role", "role cannot be empty", "self != ''", _empty),
    Rule("spec.instanceProfile", "instanceProfile cannot be empty", "self != ''", _empty),
)
IDENTITY_RULES: Final = (
    Rule(
        "spec",
        "must specify exactly one of ['role', 'instanceProfile']",
        "(has(self.role) && !has(self.instanceProfile)) || (!has(self.role) && has(self.instanceProfile))",
        _identities,
    ),
    *NAME_RULES,
)


def subnet_term_rules(path: str) -> tuple[Rule, ...]:
    """Return the rules on terms that find subnets."""
    return (
        selector_rules.not_empty(path),
        selector_rules.any_of(path, ("tags", "id")),
        selector_rules.mixed_everywhere(path, _IN_SUBNET_TERM, "id", ("tags",)),
        selector_rules.selector_tags(f"{path}[].tags"),
    )


def group_term_rules(path: str, fields: Sequence[str] = ("tags", "id", "name")) -> tuple[Rule, ...]:
    """Return the rules on terms that find security groups."""
    single = [field for field in fields if field != "tags"]
    others = {field: [f for f in ("tags", "id", "name") if f in fields and f != field] for field in single}
    return (
        selector_rules.not_empty(path),
        selector_rules.any_of(path, fields),
        *(selector_rules.mixed_everywhere(path, f"'{field}' {_IN_GROUP_TERM}", field, others[field]) for field in single),
        selector_rules.selector_tags(f"{path}[].tags"),
    )


_SUBNET_RULES: Final = subnet_term_rules(SUBNET_TERMS)
_GROUP_RULES: Final = group_term_rules(GROUP_TERMS)
NETWORK_TERM_RULES: Final = (*_SUBNET_RULES, *_GROUP_RULES)


def network_term_lint(spec: Part) -> Iterator[Finding]:
    """Yield findings on terms that the rules accept although they match too much, or not what they seem to (spec 3.3)."""
    subnets, groups = spec.get("subnetSelectorTerms") or (), spec.get("securityGroupSelectorTerms") or ()
    yield from selector_rules.wildcards(SUBNET_TERMS, subnets, ("tags", "id"))
    yield from selector_rules.wildcards(GROUP_TERMS, groups, ("tags", "id", "name"))
    yield from selector_rules.mixed_somewhere(SUBNET_TERMS, _SUBNET_RULES, subnets, "id", ("tags",))
    yield from selector_rules.mixed_somewhere(GROUP_TERMS, _GROUP_RULES, groups, "id", ("tags", "name"))
    yield from selector_rules.mixed_somewhere(GROUP_TERMS, _GROUP_RULES, groups, "name", ("tags", "id"))


def role_lint(spec: Part) -> Iterator[Finding]:
    """Yield the finding on a role given by its ARN or with its path: the controller would recreate its instance profile
    forever."""
    role = spec.get("role", "")
    if "/" in role or role.startswith("arn:"):
        last = role.rpartition("/")[2]
        yield Finding("spec.role", f"{role!r} is not a role's name", "the name alone, without ARN or path", last)


def _nameless(self: Part) -> Breaches:
    return [] if "name" in self or "id" in self else [Breach()]


def _named_twice(self: Part) -> Breaches:
    return [Breach()] if "name" in self and "id" in self else []


PLACEMENT_RULES: Final = (
    Rule(_PLACEMENT, selector_rules.empty_term_text(("name", "id")), "has(self.name) || has(self.id)", _nameless),
    Rule(_PLACEMENT, "'name' and 'id' are mutually exclusive", "!(has(self.name) && has(self.id))", _named_twice),
)


def tag_rules(restricted: Sequence[tuple[str, str]], cluster: str) -> tuple[Rule, ...]:
    """Return the rules on tags that controllers set: the restricted ones, each with its CEL, and those that begin with
    `cluster`."""
    path = "spec.tags"
    return (
        Rule(path, "empty tag keys aren't supported", "self.all(k, k != '')", lambda self: [Breach()] if "" in self else []),
        *(Rule(path, f"tag contains a restricted tag matching {tag}", cel, partial(_tagged, tag)) for tag, cel in restricted),
        Rule(
            path,
            f"tag contains a restricted tag matching {cluster.rstrip('/')}/",
            f"self.all(k, !k.startsWith('{cluster}') )",
            lambda self: [Breach((key,)) for key in self if key.startswith(cluster)],
        ),
    )


def _tagged(tag: str, self: Part) -> Breaches:
    return [Breach((tag,))] if tag in self else []


def primary_interface(path: str) -> Rule:
    """Return the rule that exactly one of several interfaces is the primary one."""
    return Rule(
        path,
        "networkInterfaces must include a primary interface with interfaceType='interface'",
        "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')",
        _no_primary,
    )


def _no_primary(self: Sequence[Part]) -> Breaches:
    if not self or _PRIMARY in [(i["networkCardIndex"], i["deviceIndex"], i["interfaceType"]) for i in self]:
        return []
    return [Breach((), "", "one on network card 0 with device index 0")]
