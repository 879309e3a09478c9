"""Objects inside resources: members of lists, manifests that a program passes as text or data, wrapped or not, and resources of
AWS that a template or an operator makes.

A NodePool is judged even if it is in a list, in a list of lists, in the YAML of a ConfigGroup or behind the type of a patch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.parsing import parse_documents
from cutlist.policy.rules.expansion.azure import resources_of_azure
from cutlist.policy.rules.expansion.cloudformation import resources_of_stack
from cutlist.policy.rules.expansion.compositions import patched
from cutlist.policy.rules.expansion.operators import resources_of_operator
from cutlist.policy.rules.expansion.wrappings import is_opened, objects_in, wrapped
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.tokens import GROUPS, without_version
from cutlist.policy.rules.types.table import token_of_bridged

_LIST: Final = "List"
_CORE: Final = "core/"  # Pulumi's name for the group with the empty name


def expanded(resource: Resource) -> Iterator[Resource]:
    """Yield the resource and every object inside it, however deep."""
    waiting = [resource]
    while waiting:
        resource = _as_written(waiting.pop())
        yield resource
        waiting += reversed(list(_inside(resource)))


def holds_objects(token: str) -> bool:
    """Tell whether resources of a type may be, or hold, objects that the type does not name."""
    return is_opened(token) or token.endswith(_LIST)


def of_manifest(manifest: Mapping[str, Any], outer: Resource, path: str) -> Resource:
    """Return an object that another resource contains at a path."""
    metadata = manifest.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None

    def place(inner: str) -> Place:
        return outer.place(f"{path}.{inner}" if inner else path)

    kind = f"kubernetes:{manifest.get('apiVersion', '')}:{manifest.get('kind', '')}"
    own = name if isinstance(name, str) else outer.name
    return Resource(kind, own, manifest, place, outer.options, outer.urn, outer.karpenter, outer.feature_gates)


def texts_of(group: Resource) -> Iterator[Part]:
    """Yield the manifests that a group receives as text: one text, or a list of them; some may be unknown."""
    written = group.at("yaml")
    if isinstance(written.data, list | tuple):
        yield from written.items()
    elif written.is_there:
        yield written


def _as_written(resource: Resource) -> Resource:
    """Return the resource under the type that its own manifest names: a patch of a NodePool counts as the NodePool."""
    plain = token_of_bridged(resource.type) or without_version(resource.type)
    if plain != resource.type:
        return replace(resource, type=plain)
    version, kind = resource.data.get("apiVersion"), resource.data.get("kind")
    if not resource.is_kubernetes or not isinstance(version, str) or not isinstance(kind, str):
        return resource
    named = resource.type.replace(_CORE, "", 1)
    written = f"kubernetes:{version}:{kind}"
    return resource if named == written else replace(resource, type=written)


def _inside(outer: Resource) -> Iterator[Resource]:
    if outer.type in GROUPS:
        yield from _of_group(outer)
    elif outer.is_kubernetes and str(outer.data.get("kind", "")).endswith(_LIST):
        items = outer.data.get("items")
        for index, item in enumerate(items if isinstance(items, list | tuple) else ()):
            if isinstance(item, Mapping):
                yield _member(outer, index, item)
    for path, manifest in wrapped(patched(outer)):
        yield of_manifest(manifest, outer, path)
    yield from resources_of_stack(outer)
    yield from resources_of_operator(outer)
    yield from resources_of_azure(outer)


def _member(outer: Resource, index: int, item: Mapping[str, Any]) -> Resource:
    # The API leaves out apiVersion and kind of the items in a list of one kind.
    kind = str(outer.data.get("kind", "")).removesuffix(_LIST)
    typed = {"apiVersion": outer.data.get("apiVersion"), "kind": kind, **item} if kind else item
    return of_manifest(typed, outer, f"items[{index}]")


def _of_group(outer: Resource) -> Iterator[Resource]:
    objects = outer.data.get("objs")
    for index, manifest in enumerate(objects if isinstance(objects, list | tuple) else (objects,)):
        path = f"objs[{index}]"
        if isinstance(manifest, Mapping) and "kind" in manifest:
            yield of_manifest(manifest, outer, path)
        else:
            yield from (of_manifest(inner, outer, below) for below, inner in objects_in(manifest, path))
    for part in texts_of(outer):
        if isinstance(part.data, str):
            for document in parse_documents(part.data, "", Problems()):
                yield of_manifest(document.data, outer, part.path)
