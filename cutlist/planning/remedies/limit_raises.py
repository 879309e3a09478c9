"""By how much a limit of a NodePool has to be raised for one more node."""

from __future__ import annotations

from collections.abc import Iterator

from cutlist.core.bits import bits
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.state.scheduling_node import NODES


class LimitRaises:
    """The types of a template that exactly one limit rules out, those with the smallest necessary raise first. They depend on
    what the limits leave and not on a pod, so all pending pods share them.
    """

    __slots__ = ("_raises",)

    def __init__(self, template: NodeClaimTemplate) -> None:
        """Compare the capacity of each type with what each limit leaves now."""
        self._raises = sorted(_raises(template))

    def least(self, mask: int) -> tuple[int, str] | None:
        """Return the smallest raise after which one of some types is admitted, in nano-units, and its resource; None if none
        is."""
        return next(((by, resource) for by, resource, number in self._raises if mask >> number & 1), None)


def _raises(template: NodeClaimTemplate) -> Iterator[tuple[int, str, int]]:
    limited = [(resource, left) for resource, left in template.remaining.items() if resource != NODES]
    types = template.instance_types.types
    for number in bits(template.mask):
        capacity = types[number].capacity
        missing = [(capacity[resource] - left, resource) for resource, left in limited if capacity.get(resource, 0) > left]
        # Where two limits stand in the way, raising one helps nobody, and the remedy names a single change.
        if len(missing) == 1:
            yield (*missing[0], number)
