"""Resources whose provider is code of this package, in the two ways in which an engine reaches that code (spec: pulumi 6.4).

In a program of Python they are dynamic resources: the engine runs the Python of the program, which has this package. For a
program in another language it would run a Python without this package. There, the package's own plugin, which makes the
components, also provides these resources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar, Final

import pulumi
from pulumi import dynamic

from pulumi_cutlist.private_names import pickler_restored

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


class OwnResource(dynamic.Resource):
    """A resource of the program's Python, or of the package's plugin where that makes it."""

    _kind: ClassVar[str]

    def __init_subclass__(cls, module: str = "", name: str = "Resource", **more: Any) -> None:
        super().__init_subclass__(module, name, **more)
        cls._kind = name

    def __init__(
        self, provider: dynamic.ResourceProvider, name: str, properties: Mapping[str, Any], opts: pulumi.ResourceOptions
    ) -> None:
        if not _IN_PLUGIN.get():
            with pickler_restored():
                super().__init__(provider, name, dict(properties), opts)
            return
        pulumi.CustomResource.__init__(self, f"{PACKAGE}:index:{self._kind}", name, dict(properties), opts)
