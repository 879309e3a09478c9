"""The resources of a program in YAML: those of providers, components that other processes make, and Cutlist's own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

import pulumi
from pulumi.provider.experimental.analyzer import Analyzer, ComponentDefinition

from cutlist.core.errors import InputError, Place, Problem, nearest
from cutlist.core.setting import Edge
from cutlist.settings.words import spelled
from pulumi_cutlist.inputs.program_words import is_listed_input, written_in_camel_case
from pulumi_cutlist.lookups.asking import asked_at
from pulumi_cutlist.package.mapped_inputs import MappedInputs
from pulumi_cutlist.package.own_resources import PACKAGE, provided_by_the_plugin
from pulumi_cutlist.private_names import plain_where_known
from pulumi_cutlist.yaml_program.tokens import ResourceType, UnknownType
from pulumi_cutlist.yaml_program.values import site_of, unknown_output

_MODULES: Final = ("pulumi_cutlist.plan", "pulumi_cutlist.kubernetes", "pulumi_cutlist.aws", "pulumi_cutlist.azure")
_PROVIDER: Final = "pulumi:providers:"
_REFERENCE: Final = "pulumi:pulumi:StackReference"


@dataclass(frozen=True, slots=True)
class Made:
    """A resource that is registered, and how its outputs are found: those of Cutlist's components by their own names."""

    resource: pulumi.Resource
    outputs: Mapping[str, Any] = field(default_factory=dict)

    def output(self, name: str) -> Any:
        """Return an output by its name; one that is unknown for another."""
        if name in self.outputs:
            return self.outputs[name]
        if name == "urn" or (name == "id" and isinstance(self.resource, pulumi.CustomResource)):
            return getattr(self.resource, name)
        return self.resource.__dict__.get(name, unknown_output())


class _Custom(pulumi.CustomResource):
    """A resource of a provider, under the names of the wire."""

    def __init__(self, token: str, name: str, properties: Mapping[str, Any], opts: pulumi.ResourceOptions) -> None:
        super().__init__(token, name, dict(properties), opts)


def make(
    type_: ResourceType, name: str, properties: Mapping[str, Any], options: pulumi.ResourceOptions, outputs: Sequence[str]
) -> Made:
    """Register a resource. `outputs` are those that the program names."""
    if type_.token == _REFERENCE:
        return Made(pulumi.StackReference(name, properties.get("name"), options))
    if type_.token.startswith(_PROVIDER):
        return Made(pulumi.ProviderResource(type_.package, name, dict(properties), options))
    whole = {**dict.fromkeys(key for key in outputs if key not in ("id", "urn")), **properties}
    if type_.is_component:
        return Made(pulumi.ComponentResource(type_.token, name, whole, options, remote=True))
    return Made(_Custom(type_.token, name, whole, options))


def read(
    type_: ResourceType,
    name: str,
    id_: Any,
    state: Mapping[str, Any],
    options: pulumi.ResourceOptions,
    outputs: Sequence[str],
    place: Place,
) -> Made:
    """Read a resource that exists already, at a place of the program."""
    known = pulumi.ResourceOptions.merge(options, pulumi.ResourceOptions(id=id_))
    whole = {**dict.fromkeys(key for key in outputs if key not in ("id", "urn")), **state}
    with asked_at(*site_of(place)):
        return Made(_Custom(type_.token, name, whole, known))


def is_own(type_: ResourceType) -> bool:
    """Tell whether a type is a component of Cutlist, which is made here."""
    return type_.package == PACKAGE and not type_.token.startswith(_PROVIDER)


def make_own(
    type_: ResourceType,
    name: str,
    properties: Mapping[str, Any],
    options: pulumi.ResourceOptions,
    at: Callable[[str], Place],
) -> Made:
    """Make a component of Cutlist as its plugin does. `at` returns where a path in its properties is written.

    Raises InputError with all mistakes in the properties.
    """
    component, definition = _defined(type_.token)
    provider = MappedInputs([component], PACKAGE)
    construct: Any = component
    inputs = provider.map_inputs(plain_where_known(dict(properties)), definition)
    mistakes = [Problem(at(path), f"unknown input {_last(path)!r}", nearest=near) for path, near in provider.misspelt.items()]
    try:
        with provided_by_the_plugin(), written_in_camel_case():
            made = construct(name, inputs, options)
    except InputError as error:
        mistakes += [_placed(problem, at) for problem in spelled(error.problems, Edge.COMPONENT)]
    if mistakes:
        raise InputError(mistakes)
    return Made(made, provider.get_state(made, definition))


def own_type(type_: ResourceType) -> ResourceType:
    """Return the type of a component of Cutlist with the names of its outputs; its inputs are checked when it is made. Raises
    UnknownType for one that there is not."""
    _, definition = _defined(type_.token)
    return replace(type_, outputs=frozenset(definition.outputs))


@lru_cache(maxsize=16)
def _defined(token: str) -> tuple[type[pulumi.ComponentResource], ComponentDefinition]:
    """Return a component by its token, and what inputs and outputs it has. Raises UnknownType for one that there is not."""
    component = _component(token.rpartition(":")[2])
    if component is None:
        near = nearest(token, [f"{PACKAGE}:index:{name}" for name in _names()])
        raise UnknownType(f"no component {token!r} in package {PACKAGE}", near.replace(":index", ""))
    return component, Analyzer(PACKAGE).analyze([component])["component_definitions"][component.__name__]


def _placed(problem: Problem, at: Callable[[str], Place]) -> Problem:
    """Return a mistake in an input where the program has it: also one in an object that an input lists."""
    source = problem.place.source
    if not source:
        return replace(problem, place=at(problem.place.path))
    if not is_listed_input(source):
        return problem
    place = at(source)
    return replace(problem, place=replace(place, path=f"{place.path} {problem.place.path}".strip()))


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _names() -> Iterator[str]:
    """Yield the names of the components, of clouds whose SDK is installed."""
    for module in _MODULES:
        with contextlib.suppress(ModuleNotFoundError):
            yield from (name for name in dir(import_module(module)) if _component(name) is not None)


def _component(name: str) -> type[pulumi.ComponentResource] | None:
    """Return a component by its name; of clouds whose SDK is installed."""
    for module in _MODULES:
        try:
            found = getattr(import_module(module), name, None)
        except ModuleNotFoundError:
            continue
        if isinstance(found, type) and issubclass(found, pulumi.ComponentResource):
            return found
    return None
