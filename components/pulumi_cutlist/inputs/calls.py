"""Check how a program calls the constructor of a component: a name, one mapping of inputs, and Pulumi's options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import pulumi

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
        found = kind_of(name) if not isinstance(name, pulumi.Output) else "an Output"
        yield Problem(Place(path=kind), f"the name is not text: found {found}", way)
        return
    place = Place(path=f"{kind}/{name}")
    if not isinstance(args, Mapping):
        yield Problem(place, f"the inputs are not a mapping: found {kind_of(args)}", way)
    if opts is not None and not isinstance(opts, pulumi.ResourceOptions):
        yield Problem(place, f"the options are not pulumi.ResourceOptions: found {kind_of(opts)}", _options(opts))


def _options(opts: Any) -> str:
    """Return the options as they are written, for a mapping of their names."""
    names = list(opts) if isinstance(opts, Mapping) else []
    return f"pulumi.ResourceOptions({', '.join(f'{name}=...' for name in names) or 'protect=True'})"
