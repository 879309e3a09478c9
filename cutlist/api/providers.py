"""Which provider an object is for, told by the group of its node class, and what that provider registers."""

from __future__ import annotations

from typing import Final

from cutlist.core.labels import AUTO, AUTO_GROUP, AWS, AWS_GROUP, AZURE, AZURE_GROUP, CORE, LabelRegistry

_REGISTRIES: Final = {AWS_GROUP: AWS, AUTO_GROUP: AUTO, AZURE_GROUP: AZURE}


def registry_of(group: str) -> LabelRegistry:
    """What is known about label keys under the provider of a group of node classes; the core's of an unknown one."""
    return _REGISTRIES.get(group, CORE)
