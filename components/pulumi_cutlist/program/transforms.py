"""Transforms of resources, run as an engine runs them: called back in the program for every resource that is registered.

(spec: pulumi 3.4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pulumi.runtime.proto import resource_pb2

Invoke = Callable[[str, bytes], bytes]
"""Calls back a function of the program: its token and the request in, the answer out."""


@dataclass(slots=True)
class Transforms:
    """The transforms that a program has declared so far: of the stack, and of each resource for itself and what is below it."""

    invoke: Invoke
    of_stack: list[Any] = field(default_factory=list)
    of_resources: dict[str, tuple[str, tuple[Any, ...]]] = field(default_factory=dict)
    """Of each URN that of its parent and its own transforms."""

    def declare(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> None:
        """Note the transforms of a resource."""
        self.of_resources[urn] = request.parent, tuple(request.transforms)

    def apply(self, request: resource_pb2.RegisterResourceRequest) -> None:
        """Change a request as its own transforms, those of what it belongs to, and those of the stack say, in this order.

        What a transform raises ends the call, as it ends an update.
        """
        for callback in (*request.transforms, *self._above(request.parent), *self.of_stack):
            _apply(callback.token, request, self.invoke)

    def _above(self, urn: str) -> Iterator[Any]:
        while urn in self.of_resources:
            urn, callbacks = self.of_resources[urn]
            yield from callbacks


def _apply(token: str, request: resource_pb2.RegisterResourceRequest, invoke: Invoke) -> None:
    question = resource_pb2.TransformRequest(
        type=request.type,
        name=request.name,
        custom=request.custom,
        parent=request.parent,
        properties=request.object,
        options=resource_pb2.TransformResourceOptions(
            protect=request.protect,
            ignore_changes=request.ignoreChanges,
            replace_on_changes=request.replaceOnChanges,
            retain_on_delete=request.retainOnDelete,
            deleted_with=request.deletedWith,
            provider=request.provider,
            version=request.version,
        ),
    )
    answer = resource_pb2.TransformResponse.FromString(invoke(token, question.SerializeToString()))
    request.object.CopyFrom(answer.properties)
    if not answer.HasField("options"):
        return
    options = answer.options
    request.deletedWith = options.deleted_with
    for name, listed in (("ignoreChanges", options.ignore_changes), ("replaceOnChanges", options.replace_on_changes)):
        _set_list(getattr(request, name), listed)
    for name, written in (("protect", "protect"), ("retainOnDelete", "retain_on_delete")):
        if options.HasField(written):
            setattr(request, name, getattr(options, written))


def _set_list(held: Any, listed: Iterable[str]) -> None:
    del held[:]
    held.extend(listed)
