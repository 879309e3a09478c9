"""The labels of an instance type under EKS Auto Mode: the machine's, by Auto Mode's keys (spec: api-objects 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cutlist.api.auto_label_rules import mapped_key
from cutlist.catalog import Machine
from cutlist.core import labels
from cutlist.core.labels import AUTO_GROUP, AWS_GROUP
from cutlist.core.requirements import Requirement, Requirements
from cutlist.providers.aws.labels import machine_labels
from cutlist.providers.label_terms import absent, is_in

NO_RESERVATION: Final = absent(*(f"{AUTO_GROUP}/capacity-reservation-{name}" for name in ("id", "type", "interruptible")))
_EVERYWHERE: Final = (
    is_in(labels.OS, "linux"),
    is_in(labels.COMPUTE_TYPE, "auto"),
    is_in(labels.MANAGED_BY, "eks"),
    is_in(labels.WINDOWS_BUILD),
)


@lru_cache(maxsize=8192)
def auto_labels(machine: Machine) -> tuple[Requirement, ...]:
    """What holds of the machine under any NodeClass. The tenancy has no key in Auto Mode."""
    own = (_mapped(r) for r in machine_labels(machine))
    return (*(r for r in own if r is not None), *_EVERYWHERE)


@lru_cache(maxsize=65536)
def requirements(machine: Machine, rest: Sequence[Requirement]) -> Requirements:
    """A machine's labels with those that a NodeClass adds."""
    return Requirements((*auto_labels(machine), *rest))


def _mapped(requirement: Requirement) -> Requirement | None:
    if labels.domain(requirement.key) != AWS_GROUP:
        return requirement
    key = mapped_key(requirement.key)
    return is_in(key, *sorted(requirement.values)) if key else None
