"""The state of a simulation: everything that its parts hold, except what they name as not saved.

A part is an object of a class of the simulation that changes as it runs. What it holds is written by a general rule, so what
is added to a part is saved too. Caches, and what follows from the inputs, are named in `NOT_SAVED` of the class; its
constructor makes them, or a method `restored`, where they depend on what was saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any, Final

from cutlist.core.identity import SameObject
from cutlist.providers.instance_types import InstanceType
from cutlist.simulation.checkpoint.objects import Classes, Plain, Reader, Writer, ways_to

_PACKAGE: Final = "cutlist.simulation."
_CLOSED: Final = (InstanceType,)


@dataclass(frozen=True, slots=True)
class SavedParts:
    """The state of a simulation: what each part holds, by its name such as `world.cluster.pods`, in plain JSON."""

    classes: Classes
    objects: list[list[Any]]
    state: dict[str, Plain]


def saved_parts(simulation: object, inputs: object) -> SavedParts:
    """Return the state of a simulation that runs on some inputs. Raises TypeError for what cannot be saved."""
    writer = Writer(ways_to(inputs, _CLOSED))
    state = {}
    for name, part, held in _held(simulation):
        try:
            state[name] = writer.write(getattr(part, held))
        except TypeError as error:
            raise TypeError(f"{name}: {error}; is it to be in NOT_SAVED?") from None
    return SavedParts(writer.classes, writer.entries, state)


def restore(simulation: object, saved: SavedParts, inputs: object) -> None:
    """Give the parts of a new simulation on the same inputs what was saved. Raises ValueError if it was saved with other
    inputs."""
    reader = Reader(saved.objects, saved.classes, inputs)
    places = {name: (part, held) for name, part, held in _held(simulation)}
    if places.keys() != saved.state.keys():
        raise ValueError(f"the state has other parts: {', '.join(sorted(places.keys() ^ saved.state.keys()))}")
    for name, (part, held) in places.items():
        setattr(part, held, reader.read(saved.state[name]))
    for part in {SameObject(part): part for part, _ in places.values()}.values():
        if hasattr(part, "restored"):
            part.restored()


def _held(simulation: object) -> Iterator[tuple[str, Any, str]]:
    """Yield what each part of a simulation holds: its name, the part, and the attribute."""
    known, parts = [simulation], [("", simulation)]
    while parts:
        path, part = parts.pop(0)
        for held in _attributes(part):
            value = getattr(part, held)
            if not _is_part(value):
                yield f"{path}{held}", part, held
            elif not any(value is other for other in known):
                known.append(value)
                parts.append((f"{path}{held}.", value))


def _is_part(value: object) -> bool:
    """Tell whether an object is a part: of a class of the simulation that is not a frozen value."""
    kind = type(value)
    if not kind.__module__.startswith(_PACKAGE) or isinstance(value, Enum):
        return False
    return hasattr(kind, "NOT_SAVED") or not is_dataclass(kind)


def _attributes(part: object) -> Iterator[str]:
    kind = type(part)
    not_saved: frozenset[str] = getattr(kind, "NOT_SAVED", frozenset())
    names = dict.fromkeys(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
    yield from sorted(names.keys() - not_saved)
