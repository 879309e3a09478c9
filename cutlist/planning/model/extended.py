"""Use of accelerators and other extended resources, which is shown wherever that of cpu and memory is.

Devices that pods claim are counted by the name of their driver, such as `gpu.nvidia.com`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from cutlist.core.quantity import amount_text

_ORDINARY: Final = ("cpu", "memory", "pods", "ephemeral-storage")
ACCELERATORS: Final = (
    *("nvidia.com/gpu", "amd.com/gpu", "habana.ai/gaudi"),
    *("aws.amazon.com/neuron", "aws.amazon.com/neuroncore"),
)
"""Resources that are shown where nodes have some, whether or not a pod requests any."""


class NodeAmounts(NamedTuple):
    """What a number of equal nodes have, and what pods request of each, in nano-units."""

    nodes: int
    requested: Mapping[str, int]
    allocatable: Mapping[str, int]


class Use(NamedTuple):
    """How much of a resource is requested, in nano-units, and how much there is."""

    requested: int
    allocatable: int

    @property
    def part(self) -> float | None:
        """Return the fraction that is requested, or None if the node has none of the resource."""
        return self.requested / self.allocatable if self.allocatable > 0 else None


def extended_use(nodes: Iterable[NodeAmounts]) -> dict[str, Use]:
    """Return the use of extended resources by name: of accelerators that nodes have, and of whatever else pods request."""
    use: dict[str, Use] = {}
    for node in nodes:
        wanted = {name for name, amount in node.requested.items() if amount and name not in _ORDINARY}
        # Where pods claim devices by driver, the device plugin's count of the same ones says nothing.
        shown = () if any(map(is_driver, wanted)) else ACCELERATORS
        for name in wanted | {name for name in shown if node.allocatable.get(name)}:
            requested, total = use.get(name, (0, 0))
            more = node.requested.get(name, 0) * node.nodes, node.allocatable.get(name, 0) * node.nodes
            use[name] = Use(requested + more[0], total + more[1])
    return dict(sorted(use.items()))


def is_driver(name: str) -> bool:
    """Tell whether a name among the amounts of a node is that of a driver, whose devices pods claim, and no resource."""
    return "/" not in name and "." in name


def use_in_words(use: Mapping[str, Use]) -> str:
    """Return the use of resources for readers: `nvidia.com/gpu 4 of 8`, or an empty string for no resources."""
    return ", ".join(f"{name} {amounts_in_words(name, used)}" for name, used in use.items())


def amounts_in_words(resource: str, use: Use) -> str:
    """Return the amounts of a resource's use: `4 of 8`."""
    return " of ".join(amount_text(resource, amount) for amount in use)
