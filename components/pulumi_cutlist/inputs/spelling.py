"""Inputs and outputs as stack files and programs in other languages spell them, and as components do."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NotRequired, get_args, get_origin, is_typeddict

import pulumi

from cutlist.core.wording import camel_case


def in_snake_case(args: Any, declared: Any, sections: Mapping[str, Any] | None = None) -> Any:
    """Return the same data with the declared spelling of every key that is declared; `sections` declares what is in inputs that
    are declared as any mapping. Whatever is not declared, such as names, labels and the values of a chart, stays as it is."""
    if get_origin(declared) is NotRequired:
        return in_snake_case(args, get_args(declared)[0])
    if is_typeddict(declared) and isinstance(args, Mapping):
        hints = {**declared.__annotations__, **(sections or {})}
        spelt = {camel_case(name): name for name in hints}
        named = {spelt.get(key, key): value for key, value in args.items()}
        return {key: in_snake_case(value, hints.get(key)) for key, value in named.items()}
    if get_origin(declared) is list and isinstance(args, list):
        return [in_snake_case(value, get_args(declared)[0]) for value in args]
    if get_origin(declared) is dict and isinstance(args, Mapping):
        return {key: in_snake_case(value, get_args(declared)[1]) for key, value in args.items()}
    return args


def outputs_of(component: pulumi.ComponentResource) -> dict[str, Any]:
    """Return the outputs that a component and what it derives from declare, by their names in other languages: the public
    annotations, as the component host reads them."""
    own = (part for part in reversed(type(component).__mro__) if part not in pulumi.ComponentResource.__mro__)
    declared = (name for part in own for name in inspect.get_annotations(part) if not name.startswith("_"))
    return {camel_case(name): getattr(component, name) for name in declared}
