"""What whoever updates a stack must be allowed to do, by the resources that its program registers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.answers.permissions import Permissions, permissions_of
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.offline import Recording, Registration

_FACTS: Final = ("cluster_name", "region", "account_id")
_STYLE: Final = "name_style"
_PROVIDERS: Final = "pulumi:providers:"
_DYNAMIC: Final = "pulumi-python:dynamic/"
_INDEX: Final = "cutlist:index:"


def permissions_of_stack(recording: Recording) -> tuple[Permissions, ...]:
    """Return a policy document for each cluster of AWS that a program registers components for, by name."""
    types = {_own_type(one.type) for one in recording.resources.values() if one.request.custom}
    types = {type_ for type_ in types if not type_.startswith(_PROVIDERS)}
    clusters: dict[tuple[str, str, str], ClusterFacts] = {}
    for facts in (facts for one in recording.resources.values() for facts in _facts(one)):
        key = (facts.cluster, facts.region, facts.account)
        if facts.name_style is NameStyle.AUTO or key not in clusters:
            clusters[key] = facts
    return tuple(permissions_of(clusters[key], types) for key in sorted(clusters))


def _facts(component: Registration) -> Iterator[ClusterFacts]:
    """Yield the cluster that a component is part of, unless only an update knows it."""
    inputs = component.inputs
    name, region, account = (inputs.get(key) for key in _FACTS)
    style = NameStyle.AUTO if inputs.get(_STYLE) == NameStyle.AUTO else NameStyle.KARPENTER
    if isinstance(name, str) and isinstance(region, str) and isinstance(account, str):
        yield ClusterFacts(name, region, account, name_style=style)


def _own_type(token: str) -> str:
    """Return the type under which the table of calls has it."""
    return token.removeprefix(_DYNAMIC).replace(_INDEX, "cutlist:")
