"""Node classes that NodePools refer to but that are not among the objects: they may be in Terraform, or another folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.assumed_classes import AssumedClass, assumed_classes, class_name
from cutlist.api.built_in import BUILT_IN_CLASSES
from cutlist.api.read import REFERRED, NodeClass, Objects
from cutlist.core.errors import InputError, Place, Problem, Problems, nearest, problem_of
from cutlist.core.notes import Notes
from cutlist.core.records import HIDDEN, After, Key, TextOrNull, computed
from cutlist.core.setting import Advice
from cutlist.core.written_problems import WrittenPlace
from cutlist.settings.planning import EXTERNAL_CLASSES


@dataclass(frozen=True, slots=True)
class MissingClass:
    """A node class that a NodePool refers to but that is not among the objects.

    `others` are the present ones of its kind.
    """

    pool: Annotated[str, Key("nodePool"), After("name")]
    kind: str
    name: str
    place: WrittenPlace
    others: Annotated[tuple[str, ...], HIDDEN]

    @property
    @computed(after="place.line")
    def nearest(self) -> TextOrNull:
        """Return the class that was probably meant, or an empty text if none is near."""
        return nearest(self.name, self.others)

    def problem(self, where: str = "the input", *, may_be_named: bool = False, details: tuple[str, ...] = ()) -> Problem:
        """Return the reference as a mistake, with the class that was probably meant, or else `where` the class can be added,
        and that it may be named as one from elsewhere. `details` say what may hold it."""
        text = f"NodePool {self.pool} refers to the {self.kind} {self.name!r}, which is not in the input"
        named = (("name it with ", EXTERNAL_CLASSES, f" {self.name}"),) if may_be_named else ()
        allowed = ", ".join(self.others) or Advice.of(f"add the {self.kind} to {where}", *named)
        return problem_of(self.place, text, allowed, self.nearest, details=details)

    def is_named(self, names: Collection[str]) -> bool:
        """Tell whether the class is among names such as `shared` or `EC2NodeClass/shared`, with or without more about it."""
        return bool({self.name, f"{self.kind}/{self.name}"} & set(map(class_name, names)))


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


def check_references(
    objects: Objects,
    problems: Problems,
    where: str = "the input",
    *,
    may_be_named: bool = False,
    not_read: Callable[[str], tuple[str, ...]] = lambda _kind: (),
) -> None:
    """Add a problem for each NodePool whose node class is not among the objects; `where` says where the class can be added.

    `not_read` gives the sentences on what may hold a class of a kind and is not read. The first problem about a class has them.
    """
    said: set[tuple[str, str]] = set()
    for missing in missing_classes(objects):
        key = missing.kind, missing.name
        details = () if key in said or missing.others else not_read(missing.kind)
        problems.extend([missing.problem(where, may_be_named=may_be_named, details=details)])
        said.add(key)


def with_external_classes(objects: Objects, texts: Collection[str], problems: Problems, notes: Notes) -> Objects:
    """Return the objects with a class for each missing one that a text names, and add a note on what is assumed about it.

    A text names the class and may say more about it, as `cutlist.api.assumed_classes` reads it; mistakes in it are added to
    `problems`. A class of which no disk is said is among `assumed_disks`.
    """
    said = assumed_classes(texts, problems)
    classes: dict[tuple[str, str], NodeClass] = {}
    disks: dict[tuple[str, str], str] = {}
    for missing in missing_classes(objects):
        key = missing.kind, missing.name
        assumed = next((each for each in said if each.is_of(*key)), None)
        if assumed is None or key in classes:
            continue
        try:
            classes[key] = assumed.node_class(*key)
        except InputError as error:
            problems.extend(replace(p, place=Place.of(EXTERNAL_CLASSES)) for p in error.problems)
            classes[key] = AssumedClass(assumed.name).node_class(*key)  # so that nothing follows from the mistake
        if disk := assumed.default_disk(missing.kind):
            disks[key] = disk
        words = assumed.in_words(missing.kind)
        notes.add("external-class", f"{missing.kind} {missing.name} is elsewhere, assumed to be one with {words}")
    return replace(
        objects,
        node_classes=(*objects.node_classes, *(c for c in classes.values() if not isinstance(c, AKSNodeClass))),
        aks_node_classes=(*objects.aks_node_classes, *(c for c in classes.values() if isinstance(c, AKSNodeClass))),
        assumed_disks=disks,
    )
