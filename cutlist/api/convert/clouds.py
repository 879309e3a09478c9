"""The node class that a v1beta1 reference means if it has no more than a name (spec: azure 2.7; Z-72).

The labels of the object decide, then the classes of the input, then the other objects of the input.

AKS makes the class `default` itself, so the input of an AKS user rarely has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.api.written import class_group_of, class_reference
from cutlist.core.labels import AKS_GROUP, AUTO_GROUP, AWS_GROUP, AZURE_GROUP, INSTANCE_TYPE, REGION, ZONE, domain

EC2: Final = (AWS_GROUP, "EC2NodeClass")
AKS: Final = (AZURE_GROUP, "AKSNodeClass")
Kind = tuple[str, str]
"""A group and a kind of node classes."""
_GROUP_OF_KIND: Final = {kind: group for group, kind in (EC2, AKS)}
_KIND_OF_GROUP: Final = dict((EC2, AKS))
_DOMAINS: Final[Mapping[str, Kind]] = {
    AWS_GROUP: EC2,
    AUTO_GROUP: EC2,
    "k8s.aws": EC2,
    "vpc.amazonaws.com": EC2,
    AZURE_GROUP: AKS,
    AKS_GROUP: AKS,
}
_ON_AWS: Final = r"[a-z]{2,3}(-[a-z]+)+-\d+"
_VALUES: Final[Mapping[str, tuple[tuple[re.Pattern[str], Kind], ...]]] = {
    INSTANCE_TYPE: (
        (re.compile(r"(Standard|Basic)_\w[\w-]*"), AKS),
        (re.compile(r"[a-z][a-z0-9-]*\.(\d+x|x)?(nano|micro|small|medium|large|metal)(-\d+xl)?"), EC2),
    ),
    ZONE: ((re.compile(r"[a-z]+\d?-\d"), AKS), (re.compile(_ON_AWS + r"(-[a-z]+-\d+)?[a-z]"), EC2)),
    REGION: ((re.compile(r"[a-z]+\d?"), AKS), (re.compile(_ON_AWS), EC2)),
}


@dataclass(frozen=True, slots=True)
class MeantClass:
    """The group, kind and name of the class that a reference means, and why. `is_open` says that nothing in the input decides
    it."""

    group: str
    kind: str
    name: str
    why: str = ""
    is_open: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the group, kind and name."""
        return self.group, self.kind, self.name


@dataclass(frozen=True, slots=True)
class ClassesOfInput:
    """What the input as a whole says: the names of its classes by group and kind, and the clouds of its objects. `here` are the
    classes of the region that is planned for, if that is known."""

    names: Mapping[Kind, frozenset[str]] = field(default_factory=dict)
    clouds: frozenset[Kind] = frozenset()
    here: Kind | None = None

    @staticmethod
    def of(objects: Iterable[Mapping[str, Any]], here: Kind | None = None) -> ClassesOfInput:
        """Return what the objects of an input say, of whatever version they are: its classes by their names, and the others by
        their labels and references."""
        names: dict[Kind, set[str]] = {EC2: set(), AKS: set()}
        clouds: set[Kind] = set()
        for manifest in objects:
            kind = manifest.get("kind")
            own = next((each for each in names if each[1] == kind), None)
            if own is not None:
                names[own].add(str((manifest.get("metadata") or {}).get("name")))
                clouds.add(own)
            else:
                clouds |= {cloud for cloud, _ in _signs(manifest)} | _written(manifest)
        return ClassesOfInput({key: frozenset(value) for key, value in names.items()}, frozenset(clouds), here)

    def meant(self, written: Mapping[str, Any], manifest: Mapping[str, Any]) -> MeantClass:
        """Return the class that a reference of an object means. Karpenter on AWS filled in what was not written, so where
        nothing decides, it is an EC2NodeClass, and the user has to look."""
        name = str(written.get("name", ""))
        group, kind = str(written.get("apiVersion") or "").partition("/")[0], str(written.get("kind") or "")
        if group or kind:
            return MeantClass(group or _GROUP_OF_KIND.get(kind, AWS_GROUP), kind or _KIND_OF_GROUP.get(group, EC2[1]), name)
        signs = dict(_signs(manifest))
        if len(signs) == 1:
            ((cloud, sign),) = signs.items()
            return MeantClass(*cloud, name, f"{sign} is of {_PLACES[cloud]}")
        named = [each for each in (EC2, AKS) if name in self.names.get(each, ())]
        if len(named) == 1:
            return MeantClass(*named[0], name, f"the input has the {named[0][1]} {name}")
        if len(self.clouds) == 1:
            (cloud,) = self.clouds
            return MeantClass(*cloud, name, f"the other objects of the input are for {_PLACES[cloud]}")
        if self.here is not None:
            return MeantClass(*self.here, name, f"the region is one of {_PLACES[self.here]}")
        return MeantClass(*EC2, name, is_open=True)


_PLACES: Final[Mapping[Kind, str]] = {EC2: "AWS", AKS: "Azure"}


def _written(manifest: Mapping[str, Any]) -> set[Kind]:
    """Return the cloud that the reference of a NodePool or NodeClaim names, if it does."""
    group, kind = class_group_of(manifest), class_reference(manifest).get("kind")
    found = (group, _KIND_OF_GROUP.get(group, "")), (_GROUP_OF_KIND.get(str(kind), ""), kind)
    return {each for each in (EC2, AKS) if each in found}


def _signs(manifest: Mapping[str, Any]) -> Iterator[tuple[Kind, str]]:
    """Yield the cloud of each label that an object has or asks for, with the label, in the order in which they stand."""
    for key, values in _labels(manifest):
        where = domain(key)
        for suffix, cloud in _DOMAINS.items():
            if where == suffix or where.endswith(f".{suffix}"):
                yield cloud, key
        for pattern, cloud in _VALUES.get(key, ()):
            for value in values:
                if pattern.fullmatch(value):
                    yield cloud, f"{key} {value}"


def _labels(manifest: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the keys of labels, annotations, selectors, taints and requirements of an object, with their values."""
    waiting: list[Any] = [manifest.get("metadata"), manifest.get("spec")]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            if isinstance(here.get("key"), str):
                values = here.get("values")
                yield here["key"], tuple(v for v in values if isinstance(v, str)) if isinstance(values, list) else ()
            for name in ("labels", "annotations", "nodeSelector"):
                if isinstance(here.get(name), Mapping):
                    yield from ((key, (value,) if isinstance(value, str) else ()) for key, value in here[name].items())
            waiting += reversed([value for value in here.values() if isinstance(value, Mapping | list)])
        elif isinstance(here, list):
            waiting += reversed(here)
