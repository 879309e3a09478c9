"""Node classes that NodePools refer to but that are not among the objects: they may be in Terraform, or another folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.built_in import BUILT_IN_CLASSES
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import REFERRED, NodeClass, Objects
from cutlist.core.errors import Place, Problem, Problems, nearest, problem_of
from cutlist.core.notes import Notes
from cutlist.core.setting import Advice
from cutlist.settings.planning import EXTERNAL_CLASSES

_EXTERNAL: Final = "external"
_IMAGE: Final = "al2023@v20260625"  # pinned, so that no finding is about unpinned images
_TAKEN: Final = {
    EC2NodeClass.KIND: "with images of AL2023, default disks and subnets in every zone",
    AutoNodeClass.KIND: "with default storage and subnets in every zone",
    AKSNodeClass.KIND: "with Azure's defaults",
}


@dataclass(frozen=True, slots=True)
class MissingClass:
    """A node class that a NodePool refers to but that is not among the objects; `others` are the present ones of its kind."""

    pool: str
    kind: str
    name: str
    place: Place
    others: tuple[str, ...]

    def problem(self, where: str = "the input", *, may_be_named: bool = False) -> Problem:
        """Return the reference as a mistake, with the class that was probably meant, or else `where` the class can be added,
        and that it may be named as one from elsewhere."""
        text = f"NodePool {self.pool} refers to the {self.kind} {self.name!r}, which is not in the input"
        named = (("name it with ", EXTERNAL_CLASSES),) if may_be_named else ()
        allowed = ", ".join(self.others) or Advice.of(f"add the {self.kind} to {where}", *named)
        return problem_of(self.place, text, allowed, nearest(self.name, self.others))

    def is_named(self, names: Collection[str]) -> bool:
        """Tell whether the class is among names such as `shared` or `EC2NodeClass/shared`."""
        return self.name in names or f"{self.kind}/{self.name}" in names


def missing_classes(objects: Objects) -> Iterator[MissingClass]:
    """Yield, for each NodePool, a node class that it refers to but that is not among the objects.

    A refused class counts as present, since its own mistakes are reported already, and so do the classes that EKS and AKS make.
    References to kinds of other clouds are not checked.
    """
    known = {(node_class.KIND, node_class.name) for node_class in (*objects.node_classes, *objects.aks_node_classes)}
    known |= objects.refused_classes | {(kind, name) for _, kind, name in BUILT_IN_CLASSES}
    for pool in objects.written_pools:
        group, kind, name = pool.node_class
        if (group, kind) in REFERRED and name and (kind, name) not in known:
            others = tuple(sorted(n for k, n in known if k == kind))
            yield MissingClass(pool.name, kind, name, pool.node_class_place, others)


def is_known_class(group: str, kind: str) -> bool:
    """Tell whether a NodePool's `nodeClassRef` is of a known kind of node class."""
    return (group, kind) in REFERRED


def unknown_class_problems(objects: Objects) -> Iterator[Problem]:
    """Yield a problem for each NodePool whose node class is of an unknown kind, such as one of another cloud.

    An API server accepts such a NodePool: it belongs to another provider's Karpenter, or its kind is misspelt.
    """
    kinds = {kind: group for group, kind in REFERRED}
    for pool in objects.written_pools:
        group, kind, name = pool.node_class
        if name and not is_known_class(group, kind):
            text = (
                f"NodePool {pool.name} refers to {kind} of {group or 'no group'}, a kind of node class that is not known here"
            )
            allowed = ", ".join(f"{kind} of {group}" for kind, group in kinds.items())
            yield Problem(pool.node_class_place, text, allowed, nearest(kind, kinds))


def check_references(objects: Objects, problems: Problems, where: str = "the input", *, may_be_named: bool = False) -> None:
    """Add a problem for each NodePool whose node class is not among the objects; `where` says where the class can be added."""
    problems.extend(missing.problem(where, may_be_named=may_be_named) for missing in missing_classes(objects))


def with_external_classes(objects: Objects, names: Collection[str], notes: Notes) -> Objects:
    """Return the objects with a class of defaults for each missing one of these names, and add a note on what is assumed about
    it.

    A name is `shared`, or `EC2NodeClass/shared` for a class of only that kind.
    """
    assumed: dict[tuple[str, str], NodeClass] = {}
    for missing in missing_classes(objects):
        if missing.is_named(names):
            assumed[missing.kind, missing.name] = _with_defaults(missing.kind, missing.name)
            notes.add("external-class", f"{missing.kind} {missing.name} is elsewhere, assumed to be one {_TAKEN[missing.kind]}")
    classes = assumed.values()
    return replace(
        objects,
        node_classes=(*objects.node_classes, *(c for c in classes if not isinstance(c, AKSNodeClass))),
        aks_node_classes=(*objects.aks_node_classes, *(c for c in classes if isinstance(c, AKSNodeClass))),
    )


def _with_defaults(kind: str, name: str) -> NodeClass:
    if kind == AKSNodeClass.KIND:
        return AKSNodeClass(name=name)
    if kind == AutoNodeClass.KIND:
        return AutoNodeClass(name=name, discovery=_EXTERNAL)
    return EC2NodeClass(name=name, role=_EXTERNAL, ami=_IMAGE, discovery=_EXTERNAL)
