"""Types of resources that no rule knows and that could matter (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.policy.rules.expansion.azure import AZAPI, GENERIC, resources_of_azure
from cutlist.policy.rules.expansion.cloudformation import SINGLE_TYPES, resources_of_stack
from cutlist.policy.rules.expansion.operators import resources_of_operator
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.profile import Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.types.other_providers import PREFIXES
from cutlist.policy.rules.types.silent import is_open, shown_type

_KNOWN: Final = texts("known", (), "Types that you have reviewed, as their source names them, such as aws_ssm_association.")
_SHOWN: Final = 3
_ANY: Final = (*AZAPI, GENERIC, *SINGLE_TYPES)
"""Types that make a resource of any other type, which is judged where it is known."""


@stack_rule(
    "OB-05",
    "Every type that could matter is judged",
    Severity.ADVISORY,
    protects="rights, machines and commands in resources of a type that no rule knows",
    looks_at=(
        *("aws:*", "aws-native:*", "azure:*", "azure-native:*", "azuread:*", "opentofu:*", "argocd:*", "flux:*"),
        "kubernetes:*",
        *PREFIXES,
    ),
    source="aws-infrastructure 11.2",
    parameters=(_KNOWN,),
)
def judged_types(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Report each type of AWS, Azure, Kubernetes and what delivers to it that no rule knows, once, with its resources; of other
    providers those whose names are about machines, rights or what runs.

    Types that cannot matter, such as records of DNS, are passed over."""
    for token, of_type in resources.by_type.items():
        type_ = shown_type(token)
        unjudged = [resource for resource in of_type if _is_unjudged(resource)]
        if token in _ANY:
            yield from (resource.root.cannot_tell("of which type it is, or all that it has") for resource in unjudged)
        elif unjudged and type_ not in settings[_KNOWN.name]:
            names = [resource.name for resource in unjudged]
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            text = f"not judged: {type_} ({', '.join(names[:_SHOWN])}{more})"
            allowed, advice = f"types that rules know, or its name in {_KNOWN.name}", f"review it, and add it to {_KNOWN.name}"
            yield unjudged[0].root.violation(text, allowed, advice)


def _is_unjudged(resource: Resource) -> bool:
    if resource.type in _ANY:
        return all(next(made_by(resource), None) is None for made_by in (resources_of_azure, resources_of_stack))
    return is_open(resource.type) and next(resources_of_operator(resource), None) is None


RULES = (judged_types,)
