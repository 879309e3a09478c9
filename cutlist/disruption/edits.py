"""The effect of an edit of a NodePool or a node class on existing nodes (spec: api-objects 9; disruption 7.2 to 7.4).

The hash itself determines which members of an object count: a member causes drift when the hash changes with it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, Final

from cutlist.api import aksnodeclass_hash as aks
from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import stored_template_hash
from cutlist.core.errors import Place
from cutlist.core.records import HIDDEN, Key, TextOrNull, computed
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.disruption.drift_reason import CoreDrift, Drift
from cutlist.providers.aws import node_class_hash as ec2

Stored = Mapping[str, Any]
Edited = NodePool | EC2NodeClass | AutoNodeClass | AKSNodeClass
Location = tuple[str, ...]

_TEMPLATE: Final = ("spec", "template")
_REQUIREMENTS: Final = (*_TEMPLATE, "spec", "requirements")
REQUIREMENTS: Final = ".".join(_REQUIREMENTS)
"""The path of a NodePool's requirements."""
_OF_POOLS: Final[tuple[Location, ...]] = ((*_TEMPLATE, "metadata"), (*_TEMPLATE, "spec"), ("spec",))
_OF_CLASSES: Final[tuple[Location, ...]] = (("spec",),)
_HASH_RULES: Final = {
    NodePool.KIND: CoreDrift.NODE_POOL,
    EC2NodeClass.KIND: Drift.NODE_CLASS,
    AKSNodeClass.KIND: Drift.NODE_CLASS,
}
_FOUND: Final = {
    "amiSelectorTerms": ("nodes that started from another image than the terms find now", Drift.AMI),
    "subnetSelectorTerms": ("nodes in subnets that the terms no longer find", Drift.SUBNET),
    "securityGroupSelectorTerms": ("all nodes, as soon as the terms find other groups", Drift.SECURITY_GROUP),
    "capacityReservationSelectorTerms": ("nodes in reservations that the terms no longer find", Drift.CAPACITY_RESERVATION),
}
"""Members of an EC2NodeClass that are compared by the resources that they match."""


class Reach(StrEnum):
    """The nodes that an edit causes to be replaced."""

    ALL = "all"
    SOME = "some"
    UNKNOWN = "unknown"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class MemberEdit:
    """A changed member: its path, which nodes drift because of it, and those in words unless it is all or none.

    `rule` is the reason for which Karpenter replaces them; `keys` are the keys of requirements that are narrower now.
    """

    path: str
    reach: Annotated[Reach, Key("nodes")]
    which: TextOrNull = ""
    rule: Annotated[str, HIDDEN] = ""
    keys: Annotated[tuple[str, ...], HIDDEN] = ()


@dataclass(frozen=True, slots=True)
class ObjectEdit:
    """An object that changed, with every changed member of its spec; metadata causes no drift and is ignored.

    `before` is the old spec.
    """

    kind: str
    name: str
    place: Annotated[Place, HIDDEN]
    members: tuple[MemberEdit, ...]
    before: Annotated[Stored, HIDDEN] = field(default_factory=dict, compare=False, repr=False)

    @property
    @computed(after="name")
    def reach(self) -> Annotated[Reach, Key("nodes")]:
        """Return the widest reach among its members."""
        return min((m.reach for m in self.members), key=list(Reach).index)


def edits(before: Iterable[Edited], after: Iterable[Edited]) -> list[ObjectEdit]:
    """Return the edits between objects of the same kind and name, by kind and name. New and removed objects do not count as
    edits."""
    old = {(o.KIND, o.name): o for o in before}
    both = [(old[key], new) for new in after if (key := (new.KIND, new.name)) in old]
    every = [ObjectEdit(new.KIND, new.name, new.at(""), tuple(_members(was, new)), was.stored()["spec"]) for was, new in both]
    return sorted((edit for edit in every if edit.members), key=lambda edit: (edit.kind, edit.name))


def _members(was: Edited, new: Edited) -> Iterator[MemberEdit]:
    old, now = was.stored(), new.stored()
    for location in _changed(old, now, _OF_POOLS if isinstance(new, NodePool) else _OF_CLASSES):
        path = ".".join(location)
        if isinstance(new, AutoNodeClass):
            yield MemberEdit(path, Reach.UNKNOWN, "EKS does not publish what counts")
        elif _counts(_hash_of(new), old, now, location):
            yield MemberEdit(path, Reach.ALL, rule=_HASH_RULES[new.KIND])
        elif location == _REQUIREMENTS and isinstance(was, NodePool) and isinstance(new, NodePool):
            yield _of_requirements(path, was, new)
        elif isinstance(new, EC2NodeClass) and location[-1] in _FOUND:
            which, rule = _FOUND[location[-1]]
            yield MemberEdit(path, Reach.SOME, f"{which} ({rule})", rule)
        else:
            yield MemberEdit(path, Reach.NONE)


def _changed(old: Stored, now: Stored, roots: Iterable[Location]) -> Iterator[Location]:
    """Yield the members of these parts that are not equal; a part inside another part is examined separately."""
    every = tuple(roots)
    for root in every:
        was, new = _part(old, root), _part(now, root)
        for key in sorted(was.keys() | new.keys()):
            if was.get(key) != new.get(key) and not any(part[: len(root) + 1] == (*root, key) for part in every):
                yield (*root, key)


def _hash_of(edited: Edited) -> Callable[[Stored], str]:
    if isinstance(edited, NodePool):
        return lambda stored: stored_template_hash(_part(stored, _TEMPLATE))
    if isinstance(edited, AKSNodeClass):
        return lambda stored: aks.stored_hash(stored["spec"])
    return lambda stored: ec2.stored_hash(stored["spec"], karpenter=edited.karpenter)


def _counts(hashed: Callable[[Stored], str], old: Stored, now: Stored, location: Location) -> bool:
    """Tell whether this member changes the hash: when it is put into the old object, or taken back in the new one.

    Both are checked, since two members may decide something together, as images and their family do.
    """
    if hashed(old) == hashed(now):
        return False
    # One member may count only beside another: alone in the old object it may change nothing.
    return hashed(_with(old, location, now)) != hashed(old) or hashed(_with(now, location, old)) != hashed(now)


def _with(stored: Stored, location: Location, other: Stored) -> dict[str, Any]:
    """Return the object with one member taken from another object."""
    first, *rest = location
    if rest:
        return {**stored, first: _with(stored.get(first) or {}, tuple(rest), other.get(first) or {})}
    left = {key: value for key, value in stored.items() if key != first}
    return {**left, first: other[first]} if first in other else left


def _part(stored: Stored, location: Location) -> Stored:
    for member in location:
        stored = stored.get(member) or {}
    return stored


def _of_requirements(path: str, was: NodePool, new: NodePool) -> MemberEdit:
    """Return the edit of requirements: nodes drift whose labels no longer meet them, so none do unless something was
    narrowed."""
    old = Requirements.of_expressions(was.requirements, was.registry)
    wanted = Requirements.of_expressions(new.requirements, new.registry)
    widened = {key for key in wanted if key in old and _allows_all(wanted[key], old[key])}
    narrowed = sorted(set(wanted) - widened)
    if not narrowed:
        return MemberEdit(path, Reach.NONE, "nothing that was allowed is forbidden now")
    which = f"nodes whose labels no longer meet {', '.join(narrowed)} ({CoreDrift.REQUIREMENTS})"
    return MemberEdit(path, Reach.SOME, which, CoreDrift.REQUIREMENTS, tuple(narrowed))


def _allows_all(new: Requirement, old: Requirement) -> bool:
    """Tell whether everything that met the old requirement meets the new one; a node may lack a label that is not required."""
    # A node without the label met the old requirement and does not meet the new one.
    if old.is_negative and not new.is_negative:
        return False
    before = replace(old, min_values=None)
    return before & replace(new, min_values=None) == before
