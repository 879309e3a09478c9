"""The resources that a program registered, as rules read them: plain data under wire names, with unknown values marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pulumi.output import Unknown

from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.secrecy import HIDDEN, leaf_texts
from cutlist.documents.parsing import parse_values
from cutlist.policy.rules import UNKNOWN, Options, Resource
from pulumi_cutlist.program.manifest_calls import with_objects_of_files
from pulumi_cutlist.wire import with_whole_numbers

if TYPE_CHECKING:
    from pathlib import Path

    from cutlist.planning.inputs import PlanInputs
    from pulumi_cutlist.recorded.recording import Recording, Registration

_KUBERNETES: Final = "kubernetes:"
_KINDS: Final = ("apiVersion", "kind")
# How the wire marks a secret (Pulumi's protocol): a mapping with this member, and the value beside it.
_SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
_MARKED: Final = "1b47061264138c4ac30d75fd1eb44270"


def recorded_resources(recording: Recording, inputs: Iterable[PlanInputs] = (), root: Path | None = None) -> list[Resource]:
    """Return every resource of a recording. Objects of Kubernetes that came from the files of a plan keep their place there.

    All are for the Karpenter of the plans. Files that resources name are read where they are below `root`, the program's
    folder.
    """
    plans = tuple(inputs)
    objects = (written for of_plan in plans for written in (*of_plan.node_pools, *of_plan.node_classes))
    places = {(written.KIND, written.name): written.at for written in objects}
    karpenter = next((of_plan.options.karpenter for of_plan in plans), DEFAULT)
    gates = next((of_plan.figures.settings.feature_gates for of_plan in plans), frozenset())
    unmarked = {text for r in recording.resources.values() for text in (r.name, *unmarked_texts(r.inputs))}
    resources = [
        replace(_resource(registration, places), secrets=frozenset(marked_texts(registration.inputs)) - unmarked)
        for registration in recording.resources.values()
    ]
    if root is not None:
        resources = [with_objects_of_files(resource, root) for resource in resources]
    return [replace(resource, karpenter=karpenter, feature_gates=gates) for resource in resources]


def plain(value: Any) -> Any:
    """Return data of the wire as rules read it: secrets by their value, unknown values as UNKNOWN, 10 for 10.0."""
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) == _MARKED:
            return plain(value.get("value"))
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return with_whole_numbers(value)


def without_secrets(value: Any) -> Any:
    """Return data of the wire with a word in place of each value that is marked as secret."""
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) == _MARKED:
            return HIDDEN
        return {key: without_secrets(inner) for key, inner in value.items()}
    return [without_secrets(inner) for inner in value] if isinstance(value, list | tuple) else value


def unmarked(value: Any) -> Any:
    """Return data of the wire without the members that are marked as secret; None for a whole value that is."""
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) == _MARKED:
            return None
        return {key: kept for key, inner in value.items() if (kept := unmarked(inner)) is not None}
    return [unmarked(inner) for inner in value] if isinstance(value, list | tuple) else with_whole_numbers(value)


def marked_texts(value: Any) -> Iterator[str]:
    """Yield the texts in data of the wire that are marked as secret, and those that a marked document of JSON or YAML holds.

    The SDK marks the whole mapping that a secret is in, so ordinary texts are among them; these also occur unmarked elsewhere.
    """
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) == _MARKED:
            for text in leaf_texts(plain(value.get("value"))):
                yield text
                yield from _texts_inside(text)
        else:
            for inner in value.values():
                yield from marked_texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from marked_texts(inner)


def unmarked_texts(value: Any) -> Iterator[str]:
    """Yield the texts in data of the wire that are not marked."""
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) != _MARKED:
            for inner in value.values():
                yield from unmarked_texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from unmarked_texts(inner)
    elif isinstance(value, str):
        yield value


def _texts_inside(text: str) -> Iterator[str]:
    """Yield the texts of a document that a text holds, as JSON or in lines of YAML, except what says of which kind it is."""
    if "\n" in text or text.startswith(("{", "[")):
        for value in parse_values(text, "", Problems()):
            yield from _of_no_kind(value)


def _of_no_kind(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _KINDS:
                yield from _of_no_kind(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _of_no_kind(inner)
    else:
        yield from leaf_texts(value)


def object_name(type_: str, name: str, data: Mapping[str, Any]) -> str:
    """Return the name of an object of Kubernetes as the cluster has it, for others the name in the program."""
    metadata = data.get("metadata") if type_.startswith(_KUBERNETES) else None
    own = metadata.get("name") if isinstance(metadata, Mapping) else None
    return own if isinstance(own, str) else name


def _resource(registration: Registration, places: Mapping[tuple[str, str], Callable[[str], Place]]) -> Resource:
    data, request = plain(registration.inputs), registration.request
    name = object_name(registration.type, registration.name, data)
    place = places.get((registration.type.rpartition(":")[2], name)) if registration.type.startswith(_KUBERNETES) else None
    options = Options(
        bool(request.retainOnDelete),
        request.deletedWith,
        bool(request.protect),
        tuple(request.ignoreChanges),
        tuple(request.replaceOnChanges),
    )
    references = {key: tuple(dependencies.urns) for key, dependencies in request.propertyDependencies.items()}
    resource = Resource(
        registration.type,
        name,
        data,
        options=options,
        urn=registration.urn,
        references=references,
    )
    return resource if place is None else replace(resource, place=place)
