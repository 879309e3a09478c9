"""Turn texts into documents: YAML and JSON, lists split into objects; and objects given as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.document import Document, LinesBelow
from cutlist.documents.files import PACKED
from cutlist.documents.terraform.opentofu import SHOW, documents_of, is_show_json, is_state_file
from cutlist.documents.text import json, yaml

OBJECT: Final = "a mapping with apiVersion and kind"


def parse_documents(text: str, source: str, problems: Problems) -> tuple[Document, ...]:
    """Return the objects in a text of YAML or JSON; `source` is its name in messages."""
    return tuple(_objects(text, source, problems))


def given_documents(values: Sequence[Any], source: str, problems: Problems) -> tuple[Document, ...]:
    """Return objects given as data; messages name them by `source` and position, such as `manifests[0]`."""
    places = (Place(f"{source}[{index}]") for index in range(len(values)))
    return tuple(
        document for place, value in zip(places, values, strict=True) for document in _flattened(place, value, {}, problems)
    )


def parse_values(text: str, source: str, problems: Problems | None = None) -> tuple[Any, ...]:
    """Return the values of the readable documents of a text, lists of objects unchanged, None for an empty document.

    Problems are added to `problems`, if given.
    """
    return tuple(value for _, value, _ in _values(text, source, Problems() if problems is None else problems))


def _objects(text: str, source: str, problems: Problems) -> Iterator[Document]:
    for number, value, lines in _values(text, source, problems):
        if is_show_json(value):
            problems.inputs.append(value)
            yield from documents_of(value, source, problems)
        elif is_state_file(value):
            problems.add(Place(source), "is a state as OpenTofu stores it, which only OpenTofu and Terraform read", SHOW)
        elif value is not None:
            yield from _flattened(Place(source, number, lines.get("", 0) if number > 1 else 1), value, lines, problems)


def _values(text: str, source: str, problems: Problems) -> Iterator[tuple[int, Any, Mapping[str, int]]]:
    if source.removesuffix(PACKED).endswith(".json"):
        parsed = json.parse(text, source, problems)
        if parsed is not None:
            yield 1, *parsed
        return
    if text.lstrip().startswith("{"):
        parsed = json.parse(text, source, Problems())  # flow YAML begins like this too, so a failure is not reported yet
        if parsed is not None:
            yield 1, *parsed
            return
    for node in yaml.parse(text, source, problems):
        yield node.number, node.value, node.lines


def _as_written(value: Any) -> str:
    return {None: "null", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) else repr(value)


def _flattened(
    place: Place, value: Any, lines: Mapping[str, int], problems: Problems, member: tuple[str | int, ...] = ()
) -> Iterator[Document]:
    where = place.at("", lines.get("", 0))
    if value in ({}, []):
        problems.add_absence(where, f"is not a Kubernetes object but an empty {'mapping' if value == {} else 'list'}", OBJECT)
        return
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else f"the text {value!r}" if isinstance(value, str) else _as_written(value)
        problems.add(where, f"is not a Kubernetes object but {kind[:60]}", OBJECT)
        return
    document = Document(where, value, lines, member)
    if not member:
        problems.inputs.append(value)
    missing = [name for name in ("apiVersion", "kind") if not isinstance(value.get(name), str) or not value[name]]
    if missing:
        problems.add(where, f"is not a Kubernetes object: it has no {' and no '.join(missing)}")
    elif _is_list(document, value):
        for index, item in enumerate(value.get("items") or ()):
            below = LinesBelow(lines, f"items[{index}]")
            yield from _flattened(place, _typed(item, document), below, problems, (*member, "items", index))
    else:
        yield document


def _is_list(document: Document, value: Mapping[str, Any]) -> bool:
    # The API writes a list without items as null; a foreign kind may be called ...List without being one.
    items = value.get("items")
    return document.kind.endswith("List") and (isinstance(items, list) or (document.kind == "List" and items is None))


def _typed(item: Any, of: Document) -> Any:
    # The API leaves out apiVersion and kind of the items in a list of one kind (DeploymentList).
    kind = of.kind.removesuffix("List")
    return {"apiVersion": of.api_version, "kind": kind, **item} if kind and isinstance(item, dict) else item
