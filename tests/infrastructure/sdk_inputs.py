"""What the SDKs say of a resource's inputs, and what of recorded inputs is not as they say."""

from __future__ import annotations

import collections.abc
import importlib
import inspect
import json
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pulumi
from pulumi import _types as pulumi_types
from pulumi_cutlist.recorded.policy_resources import plain
from pulumi_cutlist.recorded.recording import Registration

from cutlist.policy.rules import UNKNOWN
from tools.stubs.generate import used_symbols
from tools.stubs.sdk_source import Symbol

PROVIDER = "pulumi:providers:"
_PLAIN = {str: str, int: int, float: int | float, bool: bool}


def mistakes_of(registration: Registration) -> list[str]:
    """Return the recorded inputs of a resource that are unknown to its SDK or of another type, and what is missing."""
    arguments = argument_class(registration.type)
    inputs = plain(registration.inputs)
    if registration.type.startswith(PROVIDER):
        inputs = {key: _decoded(value, pulumi_types.input_type_types(arguments).get(key)) for key, value in inputs.items()}
    return [f"{registration.name}{mistake}" for mistake in mistakes(inputs, arguments)]


@cache
def argument_class(token: str) -> type:
    """Return the SDK's class of inputs for a type of resources. Raises LookupError for one that components do not make."""
    classes = _classes()
    if token not in classes and token.startswith("kubernetes:"):
        return _of_custom_resources()
    return classes[token]


def sdk_types() -> set[str]:
    """Return the types of resources that components make."""
    return set(_classes())


@cache
def _classes() -> dict[str, type]:
    constructed = [symbol for symbol, is_constructed in used_symbols().items() if is_constructed]
    resources = [member for member in map(_member, constructed) if inspect.isclass(member) and hasattr(member, "pulumi_type")]
    return {resource.pulumi_type: _arguments_of(resource) for resource in resources if issubclass(resource, pulumi.Resource)}


def _member(symbol: Symbol) -> Any:
    return getattr(importlib.import_module(symbol.module), symbol.name)


def _arguments_of(resource: type) -> type:
    module = importlib.import_module(resource.__module__)
    names = (f"{resource.__name__}InitArgs", f"{resource.__name__}Args")
    return next(getattr(module, name) for name in names if hasattr(module, name))


def _of_custom_resources() -> type:
    module = importlib.import_module("pulumi_kubernetes.apiextensions.CustomResource")
    arguments: type = module.CustomResourceArgs
    return arguments


def mistakes(value: Any, declared: Any, at: str = "") -> Iterator[str]:
    """Yield what is wrong with a value for a declared type, with its path; nothing of what only an update knows."""
    if value is UNKNOWN or declared in (Any, object, None):
        return
    if inspect.isclass(declared) and pulumi_types.is_input_type(declared):
        yield from _mapping(value, declared, at)
    elif get_origin(declared) in (Union, UnionType):
        yield from _union(value, [member for member in get_args(declared) if _is_value_type(member)], at)
    elif get_origin(declared) is Literal or (inspect.isclass(declared) and issubclass(declared, Enum)):
        allowed = [getattr(member, "value", member) for member in get_args(declared) or declared]
        if value not in allowed:
            yield f"{at}: {value!r} is not one of {allowed}"
    elif get_origin(declared) is collections.abc.Sequence:
        yield from _items(value, declared, at)
    elif get_origin(declared) is collections.abc.Mapping:
        if not isinstance(value, Mapping):
            yield f"{at}: {value!r} is not a mapping"
        else:
            for key, inner in value.items():
                yield from mistakes(inner, get_args(declared)[1], f"{at}.{key}")
    elif declared in _PLAIN and (not isinstance(value, _PLAIN[declared]) or isinstance(value, bool) is not (declared is bool)):
        yield f"{at}: {value!r} is not a {declared.__name__}"


def _mapping(value: Any, declared: type, at: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{at}: {value!r} is not a mapping"
        return
    types, names = pulumi_types.input_type_types(declared), pulumi_types.input_type_py_to_pulumi_names(declared)
    for key in value.keys() - types.keys():
        yield f"{at}.{key}: unknown"
    parameters = inspect.signature(declared.__init__).parameters
    for parameter in parameters.values():
        key = names.get(parameter.name)
        if key is not None and parameter.default is parameter.empty and value.get(key) is None:
            yield f"{at}.{key}: missing"
    for key in value.keys() & types.keys():
        if value[key] is not None:
            yield from mistakes(value[key], types[key], f"{at}.{key}")


def _items(value: Any, declared: Any, at: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{at}: {value!r} is not a list"
        return
    for index, inner in enumerate(value):
        yield from mistakes(inner, get_args(declared)[0], f"{at}[{index}]")


def _union(value: Any, members: list[Any], at: str) -> Iterator[str]:
    """Yield what is wrong for the member that the value fits best, when it fits none."""
    answers = [list(mistakes(value, member, at)) for member in members]
    yield from min(answers, key=len, default=[])


def _is_value_type(member: Any) -> bool:
    return member is not type(None) and get_origin(member) not in (collections.abc.Awaitable, pulumi.Output)


def _decoded(value: Any, declared: Any) -> Any:
    """Return an input of a provider, which goes over the wire as JSON in a text unless it is a text."""
    return json.loads(value) if isinstance(value, str) and declared is not str else value
