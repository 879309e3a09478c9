"""Check how a program calls the constructor of a component: a name, one mapping of inputs, and Pulumi's options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import pulumi

from cutlist.api.objects import ApiObject
from cutlist.core.errors import InputError, Place, Problem
from cutlist.core.shapes import kind_of

_WAY: Final = '{}("NAME", {{"INPUT": ...}}, opts): a name, one mapping of inputs, and options if there are any'


def require_call(construct: Callable[..., None], kind: str, values: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise InputError with every mistake in the arguments of a component's constructor, which Python would report as a fault
    inside of it. `kind` is the name of the component's class."""
    if problems := list(_mistakes(inspect.signature(construct), kind, values, named)):
        raise InputError(problems)


def _mistakes(signature: inspect.Signature, kind: str, values: Sequence[Any], named: Mapping[str, Any]) -> Iterator[Problem]:
    way = _WAY.format(kind)
    if unknown := [name for name in named if name not in signature.parameters]:
        yield Problem(Place(path=kind), f"inputs are not keyword arguments: {', '.join(unknown)}", way)
        return
    try:
        given = signature.bind(None, *values, **named).arguments
    except TypeError as error:
        yield Problem(Place(path=kind), str(error), way)
        return
    name, args, opts = given["name"], given["args"], given.get("opts")
    if not isinstance(name, str) or not name:
        yield Problem(Place(path=kind), f"the name is not text: found {called(name)}", way)
        return
    place = Place(path=f"{kind}/{name}")
    if not isinstance(args, Mapping):
        yield Problem(place, f"the inputs are not a mapping: found {called(args)}", way)
    if opts is not None and not isinstance(opts, pulumi.ResourceOptions):
        yield Problem(place, f"the options are not pulumi.ResourceOptions: found {called(opts)}", _options(opts))


def called(value: Any) -> str:
    """Return what a value is, in the words of messages: an object of Karpenter's by its name, another one by its type."""
    if isinstance(value, ApiObject):
        return f"the {value.KIND} {value.manifest()['metadata']['name']}"
    if value is None or isinstance(value, str | int | float | bytes | Mapping | list | tuple):
        return kind_of(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def _options(opts: Any) -> str:
    """Return the options as they are written, for a mapping of their names."""
    names = list(opts) if isinstance(opts, Mapping) else []
    return f"pulumi.ResourceOptions({', '.join(f'{name}=...' for name in names) or 'protect=True'})"
