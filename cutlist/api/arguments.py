"""The arguments of objects that are written in Python: mistakes in them are mistakes in input, with object and argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

from cutlist.core.errors import InputError, Place, Problem, Problems, names_near, nearest
from cutlist.core.requirement import Expression
from cutlist.core.shapes import kind_of
from cutlist.core.taints import Taint

Constructor = TypeVar("Constructor", bound="Any")


class ArgumentError(InputError, TypeError):
    """Raised for arguments that a constructor does not have, or lacks."""


def check_arguments(kind: str, given: Mapping[str, Any], known: Sequence[str], required: Iterable[str]) -> None:
    """Raise ArgumentError with every unknown argument of an object of a kind, and with every required one that is missing."""
    place = object_place(kind, given.get("name"))
    problems = [
        Problem(place.at(name), f"unknown argument {name!r}", names_near(name, sorted(known), 40), nearest(name, known))
        for name in given
        if name not in known
    ]
    problems += [Problem(place.at(name), "is missing", f"the argument {name}") for name in required if name not in given]
    if problems:
        raise ArgumentError(problems)


def checked_arguments(construct: Constructor) -> Constructor:
    """Return a constructor that takes keyword arguments only, and reports those that it does not have as mistakes in input."""
    parameters = list(signature(construct).parameters.values())[1:]
    known = [parameter.name for parameter in parameters]
    required = [parameter.name for parameter in parameters if parameter.default is Parameter.empty]

    @wraps(construct)
    def constructor(self: Any, **arguments: Any) -> None:
        check_arguments(self.KIND, arguments, known, required)
        construct(self, **arguments)

    return cast("Constructor", constructor)


def object_place(kind: str, name: object) -> Place:
    """Return the place of an object that is written in Python."""
    return Place(f"{kind}/{name}" if isinstance(name, str) and name else kind)


def check_taints(taints: Any, place: Place, problems: Problems) -> None:
    """Note what is given as taints but is not a list of them."""
    if taints is None:
        return
    if isinstance(taints, str) or not isinstance(taints, Iterable):
        problems.add(place, f"expected a list of taints, found {kind_of(taints)}", "[Taint(...)]", _suggested(taints, "[{}]"))
        return
    for index, taint in enumerate(taints):
        if not isinstance(taint, Taint | Mapping):
            allowed = 'such as Taint(key="dedicated", value="web", effect="NoSchedule")'
            problems.add(place.item(index), f"expected a taint, found {kind_of(taint)}", allowed, _suggested(taint))


def check_requirements(requirements: Any, place: Place, problems: Problems) -> None:
    """Note what is given as requirements but cannot be read as such."""
    way = 'such as {"karpenter.sh/capacity-type": ["spot"]}, or a list of Expression'
    if isinstance(requirements, Mapping):
        for key, value in requirements.items():
            if isinstance(value, Mapping):
                found = f"expected a value, a list of values or an operator, found {kind_of(value)}"
                problems.add(place.member(str(key)), found, 'such as ["spot"] or Gt(4)')
        return
    if isinstance(requirements, str) or not isinstance(requirements, Iterable):
        problems.add(place, f"expected requirements by their keys, found {kind_of(requirements)}", way)
        return
    for index, requirement in enumerate(requirements):
        if not isinstance(requirement, Expression):
            problems.add(place.item(index), f"expected a requirement, found {kind_of(requirement)}", way)


def check_limits(limits: Any, place: Place, problems: Problems) -> None:
    """Note limits that would vanish: an API server drops what is null."""
    for resource, amount in limits.items() if isinstance(limits, Mapping) else ():
        if amount is None:
            problems.add(place.member(str(resource)), "found nothing where a quantity is needed", 'such as 1000 or "1000Gi"')


def _suggested(text: Any, form: str = "{}") -> str:
    """Return the taint that a text such as `dedicated=web:NoSchedule` is for; empty for another value."""
    if not isinstance(text, str) or ":" not in text:
        return ""
    mark, _, effect = text.rpartition(":")
    key, _, value = mark.partition("=")
    of_value = f", value={value!r}" if value else ""
    return form.format(f"Taint(key={key!r}{of_value}, effect={effect!r})")
