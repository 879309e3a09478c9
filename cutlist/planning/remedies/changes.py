"""The single changes that may give pending pods a node, as values."""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.core.taints import Taint


@dataclass(frozen=True, slots=True)
class RaiseLimit:
    """Limits of the NodePool are raised, each by so much of a resource, in nano-units.

    `pods` is how many waiting pods get a node then, those of other workloads included, and `price` how much more all nodes cost
    per hour, in the currency of the catalogue, None if that is not known; `is_estimated` says that a part of it is.
    """

    node_pool: str
    by: tuple[tuple[str, int], ...]
    pods: int
    price: float | None
    is_estimated: bool


@dataclass(frozen=True, slots=True)
class RaiseReplicas:
    """A static NodePool keeps this many nodes. `limit` is its limit on nodes where that has to be raised too, else None."""

    node_pool: str
    to: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class MoveToStartup:
    """Taints of the NodePool that an agent removes once it runs become `startupTaints`."""

    node_pool: str
    taints: tuple[Taint, ...]


@dataclass(frozen=True, slots=True)
class Tolerate:
    """The pods tolerate these taints of the NodePool."""

    node_pool: str
    taints: tuple[Taint, ...]


@dataclass(frozen=True, slots=True)
class Allow:
    """The NodePool allows these values of a label too. One that the cloud `manages` cannot be edited: another takes its
    place."""

    node_pool: str
    key: str
    values: tuple[str, ...]
    managed: bool


@dataclass(frozen=True, slots=True)
class Widen:
    """The NodePool drops its requirements on one label, which leave it no instance type."""

    node_pool: str
    key: str


@dataclass(frozen=True, slots=True)
class Correct:
    """The NodePool has other values of a label in place of some that no instance type has, spelled nearly like them."""

    node_pool: str
    key: str
    values: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequireOther:
    """The pods require a value of another label, or another value, spelled nearly like the one that they require."""

    node_pool: str
    key: str
    value: str
    other_key: str
    other: str


@dataclass(frozen=True, slots=True)
class Drop:
    """The pods drop their requirements on one label. Where `allow` has values, it is enough as well that the NodePool allows
    these."""

    node_pool: str
    key: str
    allow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestOther:
    """The pods request as much of one of `others`, which instance types of the NodePool have, instead of a resource."""

    node_pool: str
    resource: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequestDevices:
    """The pods request a device of this resource in their limits instead of claiming it."""

    node_pool: str
    resource: str


@dataclass(frozen=True, slots=True)
class EnlargeDisk:
    """The node class of the NodePool has a disk of `size`, or uses the local disks of the instance types (`raid0`).

    Each of the two is enough; `size` is empty where no disk is. `device` is the disk that counts, where classes name it.
    """

    node_pool: str
    node_class: str
    raid0: bool
    size: str
    device: str


@dataclass(frozen=True, slots=True)
class FewerHugePages:
    """A NodeOverlay gives the NodePool's nodes only this much of a size of huge pages, in nano-units, so memory is left."""

    node_pool: str
    overlay: str
    resource: str
    to: int


@dataclass(frozen=True, slots=True)
class AddOverlay:
    """A NodeOverlay gives the NodePool's nodes this much of a resource that Karpenter does not know of, in nano-units."""

    node_pool: str
    resource: str
    amount: int


@dataclass(frozen=True, slots=True)
class CountShares:
    """A NodeOverlay gives the NodePool's nodes what a device plugin makes of each GPU, as a ConfigMap of the input says."""

    node_pool: str
    source: str
    of_each: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Shrink:
    """The pods request at most this much of a resource, in nano-units.

    Where `replicas` is not 0, it is enough as well to share each GPU so many times, and to say so in a NodeOverlay; where
    `larger` is not None, it is enough that the NodePool allows larger types.
    """

    node_pool: str
    resource: str
    to: int
    replicas: int = 0
    larger: Allow | None = None


@dataclass(frozen=True, slots=True)
class Loosen:
    """The pods drop their topology rules of some kinds, in words; without any, all of them."""

    node_pool: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveVolume:
    """The volumes of these claims can be used elsewhere."""

    node_pool: str
    claims: tuple[str, ...]


OfPool = RaiseLimit | RaiseReplicas | MoveToStartup | Allow | Widen | Correct
"""Changes of the NodePool itself."""
OfOthers = (
    Tolerate
    | RequireOther
    | Drop
    | RequestOther
    | RequestDevices
    | CountShares
    | EnlargeDisk
    | FewerHugePages
    | AddOverlay
    | Shrink
    | Loosen
    | MoveVolume
)
"""Changes of the pods, of a node class or of a NodeOverlay, after which the pods fit the NodePool."""
Remedy = OfPool | OfOthers
