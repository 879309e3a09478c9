"""The abilities in AWS's own policies that take over an account or a cluster, by policy name. The table `managed_policies.json`
has no documents: it has the actions of each policy with such an ability, and the names of all other policies, so that a name in
neither list is unknown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_ARN: Final = re.compile(r"arn:aws[a-z-]*:iam::aws:policy/(?:[^\s]*/)?(?P<name>[^/\s]+)")


@dataclass(frozen=True, slots=True)
class ManagedPolicies:
    """AWS's own policies: the actions of those that have a dangerous ability, and the names of the others."""

    dangerous: Mapping[str, tuple[str, ...]]
    others: frozenset[str]


@cache
def managed_policies() -> ManagedPolicies:
    """Return the table."""
    data = json.loads(files(__package__).joinpath("managed_policies.json").read_text("utf-8"))
    return ManagedPolicies({name: tuple(actions) for name, actions in data["dangerous"].items()}, frozenset(data["others"]))


def managed_name(arn: str) -> str:
    """Return the name of AWS's own policy in an ARN; empty for any other text."""
    match = _ARN.fullmatch(arn)
    return match["name"] if match else ""
