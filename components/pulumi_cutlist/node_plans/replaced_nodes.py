"""Which nodes an update replaces, among the messages of its preview on an engine: from what its state has of NodePools, node
classes and the cluster's version."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pulumi

import cutlist
from cutlist.api.read import NODE_OBJECTS, NodeClass
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.disruption.edits import Edited
from cutlist.verbs.diff.replaced import NodeObjects, Upgrade, replaced
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.wire import with_whole_numbers

_KINDS: Final[Mapping[str, Any]] = {kind.KIND: kind for kind in NODE_OBJECTS}


@dataclass(frozen=True, slots=True)
class OwnObjects:
    """The objects of a component, of whose nodes nothing is known."""

    node_pools: tuple[cutlist.NodePool, ...] = ()
    node_classes: tuple[NodeClass, ...] = ()


def log_replaced(
    edits: ObjectEdits,
    objects: Callable[[], NodeObjects],
    component: pulumi.Resource,
    before: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Show, once all objects of a component are registered, which nodes their edits replace. `objects` returns them as the
    program has them, which may be the inputs of a plan with workloads or a snapshot. `before` are objects as a snapshot has
    them, which counts more than what an engine's state has."""
    if edits.registered:
        pulumi.Output.all(*edits.registered).apply(lambda _: _log(edits, objects, component, before))


def _log(
    edits: ObjectEdits,
    objects: Callable[[], NodeObjects],
    component: pulumi.Resource,
    before: Sequence[Mapping[str, Any]],
) -> None:
    upgrade = None if edits.versions is None else Upgrade(*edits.versions)
    if not edits.before and upgrade is None and not before:
        return
    after = objects()
    was = list(_objects(before or edits.before.values(), after))
    lines = replaced(was, after, time.time(), upgrade)
    if lines:
        pulumi.log.info("\n  ".join([f"This replaces nodes: {lines[0]}", *lines[1:]]), resource=component)


def _objects(manifests: Iterable[Mapping[str, Any]], after: NodeObjects) -> Iterator[Edited]:
    """Yield the objects as they were. One that this Karpenter would refuse says nothing about its nodes."""
    karpenter = next((of.karpenter for of in (*after.node_pools, *after.node_classes)), DEFAULT)
    for manifest in manifests:
        kind = _KINDS.get(str(manifest.get("kind")))
        if kind is not None:
            with contextlib.suppress(InputError):
                yield kind.from_manifest(_written(manifest), karpenter)


def _written(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of an object's resource, without what only its provider reads."""
    members = {key: with_whole_numbers(manifest.get(key)) for key in ("apiVersion", "kind", "spec")}
    return {**members, "metadata": {"name": (manifest.get("metadata") or {}).get("name", "")}}
