"""The model of kinds of operators: a kind, its sets of pods, and the containers that the operator adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.workloads.pods import FrozenDict

_NONE: Final[Mapping[str, Any]] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Added:
    """A container that the operator adds, with its requests."""

    name: str
    requests: Mapping[str, str]
    when: str = ""
    """The path of a boolean: the container is added only if it is true; empty if it is always added."""
    resources: str = ""
    """The path of resources that replace `requests`."""
    is_init: bool = False


@dataclass(frozen=True, slots=True)
class PodSet:
    """Pods of one template.

    Paths begin at the object, or at an entry of `each`; one with a slash in front always begins at the object. `a|b` is the
    first of the two that is written.
    """

    template: tuple[str, ...] = ()
    """The paths of the pod template: the first that is written counts."""
    count: Mapping[str, int] = _NONE
    """The number of pods is the product of the numbers at these paths; a path's value here is its default."""
    each: str = ""
    """The path of a list or mapping with one set for each entry."""
    name: str = "name"
    """The path of an entry's role; the role is its key if this is empty."""
    role: str = ""
    """The end of the set's name."""
    pod: str = ""
    """The path of a mapping with fields of a pod and the `resources` of its container, if no template is written."""
    less: Mapping[str, int] = _NONE
    """Numbers that are subtracted from factors of `count`."""
    at_least: str = ""
    """The path of the lower bound of the first factor."""
    at_most: str = ""
    """The path of the upper bound of the first factor."""
    up_to: Mapping[str, tuple[str, int | None]] = _NONE
    """For a factor of `count`: the path of the most that the operator scales it to, and the default of that; None if there is
    no limit unless one is written."""
    suspended: tuple[str, ...] = ()
    """Paths: if one of them is true, there are no pods."""
    unless: str = ""
    """A path: if it is written, there is no set at all; with `path!word`, if another word is written."""
    adds: tuple[Added, ...] = ()
    """The containers that the operator adds."""
    requests: Mapping[str, str] = _NONE
    """The requests of a container that has none of its own."""
    claim: str = ""
    """The path of a claim template."""
    claims: str = ""
    """The path of a list of claim templates."""
    storage_class: str = ""
    """The path of the storage class of a claim that the operator makes."""
    is_daemon: bool = False
    """Whether every node gets a pod."""
    fields: Mapping[str, str] = _NONE
    """The paths of fields of the pod that are not written at `pod`; empty for a field that the pod does not have."""
    labels: Mapping[str, str] = _NONE
    """The labels that the operator gives each pod; `{name}` stands for the object's name."""
    sets: Mapping[str, Any] = _NONE
    """The fields that the operator gives each pod; `{name}` stands for the object's name."""
    undecided: tuple[str, ...] = ()
    """Paths, `path!word` (another word is written), `path=word` or `-path` (nothing is written): if one of them holds, the pods
    differ from this row, and the object is only named."""
    default_requests: Mapping[str, str] = _NONE
    """The requests of an object that writes no resources at all, and of a `main` container that the operator adds."""
    main: str = ""
    """The container that the operator adds to a template without it."""
    claimed: str = ""
    """The name of a claim that the operator adds unless a claim template or a volume has that name."""


@dataclass(frozen=True, slots=True)
class PodKind:
    """A kind with its sets of pods, and a remark on their number."""

    group: str
    kind: str
    sets: tuple[PodSet, ...]
    remark: str = ""
