"""What rules read: resources and objects in one form, including values that are not known yet (known only after an update).

An object from a file, an object that a Pulumi program registers and an AWS resource are all a `Resource`: a type token, a name
and plain data. A rule walks the data as `Part`s; if it reads a value that is known only after an update, `NotKnownError` ends
its walk, and its findings so far are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from cutlist.core.errors import CutlistError, Place
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.shapes import join
from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules.findings import CannotTell, Violation
from cutlist.policy.rules.profile import Grade

_KUBERNETES: Final = "kubernetes:"
_NUMBER: Final = re.compile(r"[0-9]{1,18}|[0-9]{1,9}(?:\.[0-9]{1,9})?(?:[eE][+]?[0-9]{1,2})?")


class NotKnownError(CutlistError):
    """A rule read a value that is not known; `finding` reports that for its resource."""

    def __init__(self, part: Part, path: str) -> None:
        super().__init__(f"{path} is {UNKNOWN.value}")
        self.finding = Part(part.resource, path, None).cannot_tell(str(self))


def nowhere(path: str) -> Place:
    """Return a place that is in no file."""
    return Place(path=path)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a Pulumi resource that rules examine."""

    retain_on_delete: bool = False
    deleted_with: str = ""
    protect: bool = False
    ignore_changes: tuple[str, ...] = ()
    replace_on_changes: tuple[str, ...] = ()


NO_OPTIONS: Final = Options()


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource or an object: `type` as Pulumi names its type, such as `kubernetes:karpenter.sh/v1:NodePool`.

    `name` is the object's own name, for other resources the name in the program. `data` has the inputs under their names in the
    API. `karpenter` is the one that objects of Karpenter are for; `feature_gates` are those of its AWS provider that are on.
    `references` has by input the URNs of the resources whose outputs are in it; `secrets` are the texts that an engine marks as
    secret, which no message shows.
    """

    type: str
    name: str
    data: Mapping[str, Any] = field(hash=False)
    place: Callable[[str], Place] = field(default=nowhere, compare=False)
    options: Options = NO_OPTIONS
    urn: str = ""
    karpenter: Baseline = DEFAULT
    feature_gates: frozenset[str] = frozenset()
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False, compare=False)
    secrets: frozenset[str] = field(default=frozenset(), repr=False, compare=False)

    @property
    def label(self) -> str:
        """Return kind and name, as people and exemptions write them: `NodePool/general`, `Queue/karpenter`."""
        return f"{self.type.rpartition(':')[2]}/{self.name}"

    @property
    def is_kubernetes(self) -> bool:
        """Tell whether it is an object of Kubernetes, and its data a manifest."""
        return self.type.startswith(_KUBERNETES)

    @property
    def root(self) -> Part:
        """Return all of the data."""
        return Part(self, "", self.data)

    def at(self, *keys: str) -> Part:
        """Return the part under some keys."""
        return self.root.at(*keys)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a resource's data and its path. An absent value is a part as well, with None."""

    resource: Resource
    path: str
    data: Any

    def at(self, *keys: str) -> Part:
        """Return the part under some keys, one below the other. Raises NotKnownError when a value on the way is unknown."""
        here = self
        for key in keys:
            value = here.value
            below = value.get(key) if isinstance(value, Mapping) else None
            here = Part(here.resource, join(here.path, key), below)
        return here

    @property
    def value(self) -> Any:
        """Return the data itself. Raises NotKnownError when it is unknown."""
        if self.data is UNKNOWN:
            raise NotKnownError(self, self.path)
        return self.data

    @property
    def is_there(self) -> bool:
        """Tell whether anything is written here, or will be after an update."""
        return self.data is not None

    @property
    def text(self) -> str:
        """Return the text; empty for any other value."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def number(self) -> float | None:
        """Return the number; outside of Kubernetes also one that is written as text, as providers and templates accept it:
        500, 5e2. None for any other value, and for infinities and NaN."""
        value = self.value
        if isinstance(value, str) and _NUMBER.fullmatch(value) and not self.resource.is_kubernetes:
            return int(value) if value.isdigit() else float(value)
        is_number = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
        return value if is_number and not isinstance(value, bool) else None

    @property
    def is_on(self) -> bool:
        """Tell whether a switch is on; Pulumi's providers write some switches as text."""
        return self.value in (True, "true")

    def items(self) -> Iterator[Part]:
        """Yield the items of a list; none for any other value."""
        listed = self.value if isinstance(self.value, list | tuple) else ()
        return (Part(self.resource, f"{self.path}[{index}]", item) for index, item in enumerate(listed))

    def members(self) -> dict[str, Part]:
        """Return the members of a mapping by key; none for any other value."""
        held = self.value if isinstance(self.value, Mapping) else {}
        return {str(key): Part(self.resource, join(self.path, str(key)), held[key]) for key in held}

    def texts(self) -> tuple[str, ...]:
        """Return the texts of a list, or a single text as one."""
        return (self.text,) if self.text else tuple(item.text for item in self.items())

    def document(self) -> Mapping[str, Any]:
        """Return a mapping, which may be written as a text of JSON; empty for any other value."""
        try:
            data = json.loads(self.text) if self.text else self.value
        except (ValueError, RecursionError):
            return {}
        return data if isinstance(data, Mapping) else {}

    def whole(self) -> Any:
        """Return the data with everything inside it. Raises NotKnownError when any of it is unknown."""
        unknown = next(unknown_paths(self.data, self.path), None)
        if unknown is not None:
            raise NotKnownError(self, unknown)
        return self.data

    def violation(self, found: str, allowed: str, advice: str, about: str = "", grade: Grade | None = None) -> Violation:
        """Return the violation that this part causes; `grade` is how grave it is, if less than its rule."""
        label = about or self.resource.label
        return Violation(label, self.resource.place(self.path), self.path, found, allowed, advice, grade)

    def cannot_tell(self, unknown: str, about: str = "") -> CannotTell:
        """Return the finding that it is undetermined whether this part breaks the rule, because of something unknown."""
        return CannotTell(about or self.resource.label, self.resource.place(self.path), self.path, unknown)


def unknown_paths(data: Any, path: str) -> Iterator[str]:
    """Yield the paths of all values in data that are known only after an update."""
    if data is UNKNOWN:
        yield path
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from unknown_paths(value, join(path, str(key)))
    elif isinstance(data, list | tuple):
        for index, value in enumerate(data):
            yield from unknown_paths(value, f"{path}[{index}]")


def known_texts(data: Any) -> list[str]:
    """Return every text in data, keys of mappings included."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, Mapping):
        return [text for key, value in data.items() for text in (str(key), *known_texts(value))]
    return [text for item in data for text in known_texts(item)] if isinstance(data, list | tuple) else []


def unshared(data: Any) -> Any:
    """Return a copy in which no two places share a mapping or list, so that parts shared by YAML anchors can be changed
    separately."""
    if isinstance(data, Mapping):
        return {key: unshared(value) for key, value in data.items()}
    return [unshared(value) for value in data] if isinstance(data, list | tuple) else data
