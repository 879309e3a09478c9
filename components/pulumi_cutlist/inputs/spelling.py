"""Inputs as stack files and programs in other languages spell them, in the spelling that components read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, get_args, get_origin, is_typeddict

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
