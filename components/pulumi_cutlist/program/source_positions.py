"""Registrations without the call stacks that the SDK adds to each: an engine shows them, and no recorder reads them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from pulumi.runtime import resource
from pulumi.runtime.proto import source_pb2

_STACK_TRACE: Final = "_get_stack_trace"


@contextlib.contextmanager
def without_positions() -> Iterator[None]:
    """Let programs register resources without call stacks while the block runs, which saves a tenth of the process's time. The
    SDK has no switch for them. If its function has another name, it adds them as usual.
    """
    module: Any = resource
    original = getattr(module, _STACK_TRACE, None)
    if original is None:
        yield
        return
    setattr(module, _STACK_TRACE, source_pb2.StackTrace)
    try:
        yield
    finally:
        setattr(module, _STACK_TRACE, original)
