"""Runs a program in YAML: its configuration, variables, resources and outputs, each when something first needs it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pulumi

from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.documents.document import Document
from cutlist.documents.files import file_text
from cutlist.documents.text.yaml import parse as parse_yaml
from pulumi_cutlist.lookups.asking import asked_at
from pulumi_cutlist.yaml_program.options import resource_options
from pulumi_cutlist.yaml_program.references import REFERENCES, Reference, ReferenceMistake, parts_of, references_in, texts_in
from pulumi_cutlist.yaml_program.resources import Made, is_own, make, make_own, own_type, read
from pulumi_cutlist.yaml_program.tokens import ResourceType, UnknownType, resource_type
from pulumi_cutlist.yaml_program.values import Mistaken, Values, site_of

_FILES: Final = ("Main.yaml", "Pulumi.yaml")
_SETTINGS: Final = "pulumi"
_OF_RESOURCE: Final = ("type", "name", "defaultProvider", "properties", "options", "get")
_SECTIONS: Final = ("resources", "variables", "outputs")
_ALL: Final = "cannot be evaluated offline"
_TOO_DEEP: Final = "is nested too deeply"
_IN_ORDER: Final = "variables and resources in the order in which they need each other"


def run_yaml(folder: Path) -> None:
    """Register what the program in a folder has. Raises InputError with all its mistakes."""
    path = next((folder / name for name in _FILES if (folder / name).is_file()), folder / _FILES[-1])
    problems = Problems()
    program = _Program(_document(path, problems), problems)
    problems.raise_if_any()
    try:
        program.check()
        problems.raise_if_any()
        program.run()
    except RecursionError:
        problems.add(program.document.place, _TOO_DEEP, _IN_ORDER)
    problems.raise_if_any()


def _document(path: Path, problems: Problems) -> Document:
    text = file_text(path, problems)
    root = Path(pulumi.get_root_directory() or Path.cwd())
    shown = str(path.relative_to(root) if path.is_relative_to(root) else path)
    parsed = next((of for of in parse_yaml(text or "", shown, problems) if isinstance(of.value, dict)), None)
    if parsed is None:
        problems.add(Place(shown), "is not a program: a mapping with resources", "resources, variables, outputs")
        return Document(Place(shown), {}, {})
    return Document(Place(shown, 1, 1), parsed.value, parsed.lines)


@dataclass(slots=True)
class _Program:
    document: Document
    problems: Problems
    references: dict[str, list[tuple[str, Reference]]] = field(default_factory=dict)
    """Where each name is referred to, and what of it."""
    types: dict[str, ResourceType] = field(default_factory=dict)
    made: dict[str, Made] = field(default_factory=dict)
    computed: dict[str, Any] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    not_evaluated: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def values(self) -> Values:
        """Return what computes values by the names of this program."""
        return Values(self.document, self.problems, self._named, self._invoke_options, self.not_evaluated)

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a section of the program; an empty one for one that is no mapping, which `check` notes."""
        section = self.document.data.get(name)
        return section if isinstance(section, Mapping) else {}

    def check(self) -> None:
        """Note what is wrong with the program as it is written: its sections, types, properties, names, and circles."""
        for name in _SECTIONS:
            if self.document.data.get(name) is not None and not isinstance(self.document.data[name], Mapping):
                self.problems.add(self.document.at(name), f"{name} is not a mapping")
        if self.document.data.get("components"):
            place = self.document.at("components")
            self.problems.add(place, f"components that a program in YAML defines {_ALL}", "`pulumi preview`")
        names = {*self.section("resources"), *self.section("variables"), *self._config(), _SETTINGS}
        for name in _SECTIONS:
            for path, text in texts_in(self.section(name), name):
                try:
                    parts_of(text)
                except ReferenceMistake as mistake:
                    self.problems.add(self.document.at(path), str(mistake), REFERENCES)
            for path, reference in references_in(self.section(name), name):
                self.references.setdefault(reference.root, []).append((path, reference))
                if reference.root not in names:
                    near = nearest(reference.root, sorted(names))
                    self.problems.add(self.document.at(path), f"${{{reference}}} names nothing of the program", nearest=near)
        for name, resource in self.section("resources").items():
            self._check_resource(name, resource, f"resources.{name}")
        for circle in self._circles():
            place = self.document.at(
                f"resources.{circle[0]}" if circle[0] in self.section("resources") else f"variables.{circle[0]}"
            )
            self.problems.add(place, f"waits for itself: {' -> '.join([*circle, circle[0]])}")

    def _check_resource(self, name: str, resource: Any, path: str) -> None:
        if not isinstance(resource, Mapping) or not isinstance(resource.get("type"), str):
            self.problems.add(self.document.at(path), "a resource without a type", "type: aws:s3:Bucket, for example")
            return
        self._check_parts(resource, path)
        try:
            found = resource_type(resource["type"])
            found = own_type(found) if is_own(found) else found
        except UnknownType as unknown:
            self.problems.add(self.document.at(f"{path}.type"), str(unknown), unknown.allowed, unknown.nearest)
            return
        self.types[name] = found
        self._check_names(name, found, resource.get("properties"), path)

    def _check_parts(self, resource: Mapping[str, Any], path: str) -> None:
        """Note keys that a resource cannot have, and parts that are no mappings."""
        for key in resource:
            if key not in _OF_RESOURCE:
                near = nearest(str(key), _OF_RESOURCE)
                self.problems.add(self.document.at(f"{path}.{key}"), f"unknown key {key!r}", ", ".join(_OF_RESOURCE), near)
        get = resource.get("get") or {}
        parts = {key: resource.get(key) for key in ("properties", "options", "get")}
        parts["get.state"] = get.get("state") if isinstance(get, Mapping) else None
        for key, part in parts.items():
            if not isinstance(part or {}, Mapping):
                self.problems.add(self.document.at(f"{path}.{key}"), f"{key} is not a mapping")

    def _check_names(self, name: str, found: ResourceType, properties: Any, path: str) -> None:
        """Note properties and outputs that a type does not have, as far as these are known."""
        if found.inputs is not None and isinstance(properties, Mapping):
            for key in properties.keys() - found.inputs:
                message = f"{found.token} has no property {key!r}"
                near = nearest(str(key), sorted(found.inputs))
                self.problems.add(self.document.at(f"{path}.properties.{key}"), message, nearest=near)
        for at, reference in self.references.get(name, ()) if found.outputs is not None else ():
            step = reference.steps[0] if reference.steps else "id"
            known = {*(found.outputs or ()), "id", "urn"}
            if step not in known:
                near = nearest(str(step), sorted(known))
                self.problems.add(self.document.at(at), f"{found.token} has no output {step!r}", nearest=near)

    def _circles(self) -> list[list[str]]:
        """Return the circles of names that wait for each other, each once, from its first name."""
        waits = {
            name: list(dict.fromkeys(reference.root for _, reference in references_in(value, "")))
            for section in ("resources", "variables")
            for name, value in self.section(section).items()
        }
        circles: list[list[str]] = []
        done: set[str] = set()

        def visit(name: str, path: list[str]) -> None:
            if name in path:
                circles.append(path[path.index(name) :])
            elif name not in done and name in waits:
                for other in waits[name]:
                    visit(other, [*path, name])
                done.add(name)

        for name in waits:
            visit(name, [])
        return circles

    def _config(self) -> dict[str, Any]:
        """Return the configuration of the project as values, by key."""
        declared = {**self.section("configuration"), **self.section("config")}
        config, prefix = pulumi.Config(), f"{pulumi.get_project()}:"
        keys = [key.removeprefix(prefix) for key in (*map(str, declared), *_received()) if ":" not in key.removeprefix(prefix)]
        values: dict[str, Any] = {}
        for key in dict.fromkeys(keys):
            written = config.get(key)
            of = declared.get(key, declared.get(f"{prefix}{key}"))
            default = of.get("default", of.get("value")) if isinstance(of, Mapping) else of
            value = default if written is None else _typed(written, of.get("type") if isinstance(of, Mapping) else None)
            values[key] = pulumi.Output.secret(value) if pulumi.runtime.config.is_config_secret(f"{prefix}{key}") else value
        return values

    def run(self) -> None:
        """Register everything, and the outputs last."""
        for name, resource in self.section("resources").items():
            if resource.get("defaultProvider") is True:
                self._resource(name)
        for name in self.section("resources"):
            self._quietly(self._resource, name)
        for name in self.section("variables"):
            self._quietly(self._variable, name)
        for name, value in self.section("outputs").items():
            self._quietly(lambda name=name, value=value: pulumi.export(name, self.values.of(value, f"outputs.{name}")))
        for _, line, function in self.not_evaluated:
            pulumi.log.warn(f"{self.document.place.source}:{line}: {function} {_ALL}: what it gives is unknown here")

    @staticmethod
    def _quietly(work: Any, *arguments: Any) -> None:
        """Do something whose mistakes are noted."""
        with contextlib.suppress(Mistaken):
            work(*arguments)

    def _named(self, reference: Reference) -> tuple[Any, tuple[str | int, ...]]:
        name, steps = reference.root, reference.steps
        if name in self.section("resources"):
            made = self._resource(name)
            if steps and isinstance(steps[0], str):
                return made.output(steps[0]), steps[1:]
            return made.resource, steps
        if name in self.section("variables"):
            return self._variable(name), steps
        if name == _SETTINGS:
            return _settings(), steps
        return self._config()[name], steps

    def _variable(self, name: str) -> Any:
        if name not in self.computed:
            self.computed[name] = self._once(name, lambda: self.values.of(self.section("variables")[name], f"variables.{name}"))
        return self.computed[name]

    def _resource(self, name: str) -> Made:
        if name not in self.made:
            path = f"resources.{name}"
            with asked_at(*site_of(self.document.at(path))):
                self.made[name] = self._once(name, lambda: self._make(name, self.section("resources")[name], path))
        return self.made[name]

    def _once(self, name: str, work: Any) -> Any:
        """Do something for a name, unless it has failed before, which is noted then."""
        if name in self.failed:
            raise Mistaken(name)
        try:
            return work()
        except Mistaken:
            self.failed.add(name)
            raise

    def _make(self, name: str, resource: Mapping[str, Any], path: str) -> Made:
        type_, values = self.types[name], self.values
        options = resource_options(resource.get("options") or {}, f"{path}.options", values)
        if options.provider is None and (provider := self._default_provider(type_, name)) is not None:
            options = pulumi.ResourceOptions.merge(options, pulumi.ResourceOptions(provider=provider))
        properties = values.of(resource.get("properties") or {}, f"{path}.properties")
        called = str(resource.get("name") or name)
        if is_own(type_):
            try:
                return make_own(type_, called, properties, options, lambda below: self._at_property(path, below))
            except InputError as error:
                self.problems.extend(error.problems)
                raise Mistaken(name) from None
        if "get" in resource:
            get = resource["get"] if isinstance(resource["get"], Mapping) else {}
            state = values.of(get.get("state") or {}, f"{path}.get.state")
            id_ = values.of(get.get("id"), f"{path}.get.id")
            outputs = self._used(name)
            return read(type_, called, id_, state, options, outputs, self.document.at(f"{path}.get"))
        return make(type_, called, properties, options, self._used(name))

    def _at_property(self, path: str, below: str) -> Place:
        return self.document.at(f"{path}.properties.{below}" if below else f"{path}.properties")

    def _used(self, name: str) -> list[str]:
        """Return the outputs of a resource that the program names."""
        return sorted({str(reference.steps[0]) for _, reference in self.references.get(name, ()) if reference.steps})

    def _default_provider(self, type_: ResourceType, name: str) -> pulumi.ProviderResource | None:
        """Return the program's default provider of a package, unless it is being made."""
        for other, resource in self.section("resources").items():
            is_default = resource.get("defaultProvider") is True and other != name
            if is_default and self.types[other].package == type_.package:
                made = self._resource(other).resource
                return made if isinstance(made, pulumi.ProviderResource) else None
        return None

    def _invoke_options(self, token: str, written: Mapping[str, Any], path: str) -> pulumi.InvokeOutputOptions:
        options = resource_options(written, path, self.values)
        provider = options.provider or self._default_provider(ResourceType(token), "")
        return pulumi.InvokeOutputOptions(
            parent=options.parent, provider=provider, version=options.version, depends_on=options.depends_on
        )


def _settings() -> dict[str, Any]:
    return {
        "cwd": os.getcwd(),
        "organization": pulumi.get_organization(),
        "project": pulumi.get_project(),
        "rootDirectory": pulumi.get_root_directory(),
        "stack": pulumi.get_stack(),
    }


def _received() -> list[str]:
    from pulumi.runtime.config import CONFIG, get_config_env

    return [*get_config_env(), *CONFIG.get()]


def _typed(written: str, type_: Any) -> Any:
    """Return a configuration value, which arrives as text, in its declared type; other than texts where none is declared."""
    if str(type_).lower() == "string":
        return written
    try:
        value = json.loads(written)
    except (json.JSONDecodeError, RecursionError):
        return written
    return written if type_ is None and isinstance(value, int | float) and not isinstance(value, bool) else value
