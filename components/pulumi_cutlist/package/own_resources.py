"""Resources whose provider is code of this package, in the two ways in which an engine reaches that code (spec: pulumi 6.4).

In a program of Python they are dynamic resources: the engine runs the Python of the program, which has this package. For a
program in another language it would run a Python without this package. There, the package's own plugin, which makes the
components, also provides these resources.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import pulumi
from pulumi import dynamic

PACKAGE: Final = "cutlist"

_IN_PLUGIN: Final = ContextVar("in_plugin", default=False)


@contextmanager
def provided_by_the_plugin() -> Iterator[None]:
    """Let the resources that are made in the block belong to the package's plugin."""
    token = _IN_PLUGIN.set(True)
    try:
        yield
    finally:
        _IN_PLUGIN.reset(token)


@contextmanager
def _pickler_restored() -> Iterator[None]:
    """Take back what Pulumi does to Python's pickler when it serializes a provider: each time it wraps the method that writes
    dictionaries again, and after some 400 resources in a process nothing can be pickled (pulumi 3.238)."""
    pickler: Any = pickle._Pickler
    methods = pickler._batch_setitems, pickler.save_dict
    try:
        yield
    finally:
        pickler._batch_setitems, pickler.save_dict = methods


class OwnResource(dynamic.Resource):
    """A resource of the program's Python, or of the package's plugin where that makes it."""

    def __init__(
        self, provider: dynamic.ResourceProvider, name: str, properties: Mapping[str, Any], opts: pulumi.ResourceOptions
    ) -> None:
        if not _IN_PLUGIN.get():
            with _pickler_restored():
                super().__init__(provider, name, dict(properties), opts)
            return
        kind = self._resource_type_name.rpartition(":")[2]
        pulumi.CustomResource.__init__(self, f"{PACKAGE}:index:{kind}", name, dict(properties), opts)
