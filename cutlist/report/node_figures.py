"""The figures that all tables of nodes share, wherever their nodes come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar

from cutlist.planning.model import amount_text_exact
from cutlist.report.columns import Figure, Figures, named, only_csv
from cutlist.report.plain import short_name

T = TypeVar("T")
_Amounts = Callable[[T], Mapping[str, int]]


class _Machine(Protocol):
    """What a node is; what is unknown of it is empty."""

    @property
    def pool(self) -> str: ...
    @property
    def instance_type(self) -> str: ...
    @property
    def capacity_type(self) -> str: ...
    @property
    def zone(self) -> str: ...


class _Node(_Machine, Protocol):
    """A node of a cluster."""

    @property
    def name(self) -> str: ...


NODE: Final[Figure[_Node]] = Figure(
    "node", lambda n: short_name(n.name), "left", 12, "", "node", lambda n: n.name, is_name=True, page_class="k"
)
POOL: Final[Figure[_Machine]] = named("NodePool", lambda n: n.pool, "node_pool")
TYPE: Final[Figure[_Machine]] = named("instance type", lambda n: n.instance_type, "instance_type")
CAPACITY: Final[Figure[_Machine]] = named("capacity", lambda n: n.capacity_type, "capacity_type", page_class="k")
ZONE: Final[Figure[_Machine]] = named("zone", lambda n: n.zone, "zone", page_class="k")


def exact_amounts(requested: _Amounts[T], allocatable: _Amounts[T]) -> Figures[T]:
    """Return the columns of CSV with the cpu and memory that are requested and that there are."""

    def amount(resource: str, kind: str, of: _Amounts[T]) -> Figure[T]:
        return only_csv(f"{resource}_{kind}", lambda row: amount_text_exact(resource, of(row).get(resource, 0)))

    kinds = (("requested", requested), ("allocatable", allocatable))
    return tuple(amount(resource, kind, of) for resource in ("cpu", "memory") for kind, of in kinds)
