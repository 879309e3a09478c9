"""Machines that a program makes by itself, beside those of NodePools (spec: aws-infrastructure H8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.rule import Settings, Severity, object_rule
from cutlist.policy.rules.tokens import LAUNCH_TEMPLATE, NODE_GROUP, OWN_MACHINES

_VCPUS: Final = count("vcpus", 64, "The most processors of one machine beside NodePools.")
_MACHINES: Final = count("machines", 20, "The most machines of one group beside NodePools.")
_TYPES: Final = frozenset(("instanceType", "instanceTypes"))
_COUNTS: Final = frozenset(("maxSize", "desiredCapacity", "desiredSize", "totalTargetCapacity", "targetCapacity"))
_ACCELERATED: Final = re.compile(r"(p|g|trn|inf|dl|vt|f|u|hpc)[0-9-]")
_SIZE: Final = re.compile(r"([0-9]*)xlarge")
_PER_XLARGE: Final = 4


@object_rule(
    "NP-18",
    "Machines beside NodePools are few and small",
    Severity.MANDATORY,
    protects="instances, groups and fleets that are written by hand: machines beyond every limit, budget and plan",
    looks_at=(*OWN_MACHINES, NODE_GROUP, LAUNCH_TEMPLATE),
    source="aws-infrastructure H8",
    parameters=(_VCPUS, _MACHINES),
)
def few_and_small(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the types of machines and the sizes of groups, wherever a resource has them."""
    for key, part in _members(resource.root):
        if key in _TYPES:
            yield from _too_large(part, settings[_VCPUS.name])
        elif key in _COUNTS:
            number = part.number if part.number is not None else _whole(part.text)
            if number is not None and number > settings[_MACHINES.name]:
                advice = "let a NodePool make them, with a limit"
                yield part.violation(f"up to {number:g} machines", f"at most {settings[_MACHINES.name]}", advice)


def _too_large(written: Part, most: int) -> Iterator[Finding]:
    for type_ in written.texts():
        processors = _processors(type_)
        if _ACCELERATED.match(type_) or processors is None or processors > most:
            text = f"a machine of type {type_}"
            yield written.violation(text, f"without accelerators, at most {most} processors", "let a NodePool make it")


def _processors(type_: str) -> int | None:
    """Return the processors that a type's size stands for; None for bare metal."""
    size = type_.partition(".")[2]
    if size.startswith("metal"):
        return None
    match = _SIZE.match(size)
    return int(match[1] or 1) * _PER_XLARGE if match else 0


def _members(part: Part) -> Iterator[tuple[str, Part]]:
    """Yield every member at any depth, with its key."""
    held: Any = part.data
    below = part.members() if isinstance(held, Mapping) else {}
    yield from below.items()
    for inner in (*below.values(), *(part.items() if isinstance(held, list | tuple) else ())):
        if isinstance(inner.data, Mapping | list | tuple):
            yield from _members(inner)


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None


RULES = (few_and_small,)
