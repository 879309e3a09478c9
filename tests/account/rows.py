"""A row of the table: one type of resource, its limits, and what its provider does with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.account.checks import Check
from tests.account.sources import Source
from tests.account.values import UNKNOWN

_RANDOM: Final = 8
"""Number of characters that Pulumi adds to a name that it makes: a hyphen and seven digits."""
_DIGITS: Final = "20261122210000000000000001"
"""What the provider of AWS adds to the beginning of a name: 26 digits."""
_PLACE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Limit:
    """What is accepted at a path of the inputs. `a.b` is a member, `a[]` each of a list, `a{}` each key of a mapping.
    Without a path it is about all the inputs together, of which some may be UNKNOWN."""

    path: str
    check: Check
    source: Source


@dataclass(frozen=True, slots=True)
class Row:
    """A type of resource.

    `replaces` are the paths whose change makes the provider replace it, `once` those that may be added in place and
    then stay. `id` is the form of its id: `{name}` is the name in the program, `{named}` that in the account,
    anything else an input. `computed` are outputs that the cloud adds, in the same form, with the `{id}` too.
    `autonamed` is the input that Pulumi fills where it is left out, with the longest name that it makes. `moves` are
    computed numbers that each update raises by one.
    """

    type: str
    limits: tuple[Limit, ...] = ()
    replaces: frozenset[str] = frozenset()
    id: str = "{name}"
    computed: Mapping[str, Any] = field(default_factory=dict)
    autonamed: tuple[str, int] | None = None
    moves: frozenset[str] = frozenset()
    once: frozenset[str] = frozenset()

    def is_replaced(self, path: str, olds: Mapping[str, Any]) -> bool:
        """Tell whether a change at a path makes the provider replace a resource with these inputs."""
        within = any(path == other or path.startswith(f"{other}.") for other in self.replaces)
        return within or (path in self.once and any(values_at(olds, path)))

    def id_of(self, name: str, inputs: Mapping[str, Any]) -> str:
        """Return the id that a resource gets."""
        return self._filled(self.id, name, inputs, "")

    def outputs(self, name: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the cloud adds to the inputs of a resource: computed outputs, and the name where Pulumi makes it."""
        id_ = self.id_of(name, inputs)
        added = {key: self._filled(value, name, inputs, id_) for key, value in self.computed.items()}
        return {**({self.autonamed[0]: self.named(name, inputs)} if self.autonamed else {}), **added}

    def named(self, name: str, inputs: Mapping[str, Any]) -> str:
        """Return the name in the account: the one that is given, or what Pulumi or the provider makes of another."""
        key = self.autonamed[0] if self.autonamed else "name"
        prefix = inputs.get(f"{key}Prefix")
        return inputs.get(key) or (f"{prefix}{_DIGITS}" if prefix else f"{name}-{_DIGITS[:7]}")

    def _filled(self, value: Any, name: str, inputs: Mapping[str, Any], id_: str) -> Any:
        if isinstance(value, Mapping):
            return {key: self._filled(inner, name, inputs, id_) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._filled(inner, name, inputs, id_) for inner in value]
        if not isinstance(value, str):
            return value
        known = {"region": "us-west-2", **inputs, "name": name, "named": self.named(name, inputs), "id": id_}
        return _PLACE.sub(lambda place: str(known.get(place[1]) or "unknown"), value)

    def refusals(self, name: str, inputs: Mapping[str, Any]) -> Iterator[str]:
        """Yield what the service would refuse of inputs, which are plain data with UNKNOWN for what an update knows."""
        for limit in self.limits:
            for path, value in values_at(inputs, limit.path) if limit.path else [("", inputs)]:
                if not limit.check.accepts(value):
                    shown = repr(value) if len(repr(value)) < 100 else f"{repr(value)[:97]}..."
                    yield f"{path or 'inputs'}: {shown} is not accepted: {limit.check.says} ({limit.source.name})"
        if self.autonamed and inputs.get(self.autonamed[0]) is None and not inputs.get(f"{self.autonamed[0]}Prefix"):
            longest = self.autonamed[1]
            if len(name) + _RANDOM > longest:
                yield f"{self.autonamed[0]}: {name!r} and {_RANDOM} characters are longer than {longest} (Pulumi auto-naming)"


def values_at(value: Any, path: str, at: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the known values at a path of inputs, each with where it is."""
    if value is None or value is UNKNOWN:
        return
    if not path:
        if not is_partly_unknown(value):
            yield at, value
        return
    if path.startswith("[]"):
        for index, inner in enumerate(value if isinstance(value, list) else ()):
            yield from values_at(inner, path[2:].removeprefix("."), f"{at}[{index}]")
    elif path.startswith("{}"):
        for key in value if isinstance(value, Mapping) else ():
            yield f"{at}.{key}", key
    elif isinstance(value, Mapping):
        ends = [end for end in (path.find(mark) for mark in (".", "[", "{")) if end >= 0]
        key = path[: min(ends)] if ends else path
        rest = path[len(key) :].removeprefix(".")
        yield from values_at(value.get(key), rest, f"{at}.{key}" if at else key)


def is_partly_unknown(value: Any) -> bool:
    """Tell whether something in a value is known to an update alone."""
    if isinstance(value, Mapping):
        return any(map(is_partly_unknown, value.values()))
    return any(map(is_partly_unknown, value)) if isinstance(value, list) else value is UNKNOWN
