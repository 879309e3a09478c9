"""Which provider look-ups ask that are made before their component is registered: the one that its options give it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import pulumi

_OPTIONS: Final[ContextVar[pulumi.ResourceOptions | None]] = ContextVar("options", default=None)


@contextmanager
def asking_with(opts: pulumi.ResourceOptions | None) -> Iterator[None]:
    """Let look-ups in the block ask the providers of these options."""
    token = _OPTIONS.set(opts)
    try:
        yield
    finally:
        _OPTIONS.reset(token)


def asking(package: str) -> pulumi.InvokeOptions:
    """Return the options by which a look-up asks the provider of a package that the component being made has."""
    opts = _OPTIONS.get()
    if opts is None:
        return pulumi.InvokeOptions()
    several = opts.providers.values() if isinstance(opts.providers, Mapping) else opts.providers or ()
    given = (one for one in (*several, opts.provider) if one is not None and one.package == package)
    return pulumi.InvokeOptions(parent=opts.parent, provider=next(given, None))
