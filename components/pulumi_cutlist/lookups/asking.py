"""Notes where a program looks something up, and whether it goes on with a plain value or with an output.

The request that an engine gets says neither. So the functions of Pulumi's SDK by which all packages look up are wrapped while
a program runs, and the monitor asks here what the request that it gets belongs to.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pulumi
from pulumi.resource import DependencyResource

from cutlist.core.errors import Place
from pulumi_cutlist.private_names import result_shape
from pulumi_cutlist.program.modules import is_installed

_PLAIN: Final = ("invoke", "invoke_single", "invoke_async")
_OUTPUTS: Final = ("invoke_output", "invoke_output_single")
_METHODS: Final = ("call", "call_single")
_RESOURCES: Final = ("read_resource", "register_resource")
_MAIN: Final = "pulumi_cutlist.program.main_file"
"""What runs programs: frames above it are not theirs."""
Site = tuple[str, int]
"""A file of the program and a line in it."""


@dataclass(slots=True)
class ProgramCall:
    """A call of the SDK by a program. The monitor notes in `urns` the look-ups that have no answer, and `lacks_arguments` where
    the arguments are unknown, so that nothing is asked."""

    site: Site
    needs_value: bool = False
    shape: Any = "any"
    urns: list[str] = field(default_factory=list)
    lacks_arguments: bool = False


_NO_CALL: Final = ProgramCall(("", 0))
_call: ContextVar[ProgramCall] = ContextVar("call", default=_NO_CALL)
_asked: ContextVar[tuple[Site, Any] | None] = ContextVar("asked", default=None)


def current_call() -> ProgramCall:
    """Return the call that a request to the monitor belongs to."""
    return _call.get()


@contextlib.contextmanager
def asked_at(file: str, line: int, shape: Any = None) -> Iterator[None]:
    """Let look-ups of the block count as asked at a line of a program that is not in Python; for results of a shape, if any."""
    token = _asked.set(((file, line), shape))
    try:
        yield
    finally:
        _asked.reset(token)


def program_site() -> Site:
    """Return the innermost line of the program that is running; nothing where that is not known."""
    if (asked := _asked.get()) is not None:
        return asked[0]
    frame = inspect.currentframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if frame.f_globals.get("__name__") == _MAIN:
            break
        if not file.startswith("<") and not is_installed(file):
            return str(Path(file).resolve()), frame.f_lineno
        frame = frame.f_back
    return "", 0


def place_at(site: Site) -> Place:
    """Return a line of the program as a place, with the whole path of its file; no place where the line is not known."""
    file, line = site
    return Place(file, line=line) if file else Place()


@contextlib.contextmanager
def noted_calls() -> Iterator[None]:
    """Note the calls of the SDK's functions by which programs look up, while the block runs."""
    wrapped: list[tuple[Any, str, Callable[..., Any]]] = [
        *((pulumi.runtime, name, _plain) for name in _PLAIN),
        *((pulumi.runtime, name, _output) for name in _OUTPUTS),
        *((pulumi.runtime, name, _method) for name in _METHODS),
        *((pulumi.resource, name, _resource) for name in _RESOURCES),
    ]
    original = [(module, name, getattr(module, name)) for module, name, _ in wrapped]
    for (module, name, wrap), (_, _, function) in zip(wrapped, original, strict=True):
        setattr(module, name, wrap(function))
    try:
        yield
    finally:
        for module, name, function in original:
            setattr(module, name, function)


@contextlib.contextmanager
def _called(call: ProgramCall) -> Iterator[None]:
    token = _call.set(call)
    try:
        yield
    finally:
        _call.reset(token)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the SDK that returns a plain value, with its call noted."""

    @functools.wraps(function)
    def noted(tok: str, props: Any, opts: Any = None, typ: type | None = None, *more: Any, **named: Any) -> Any:
        with _called(ProgramCall(program_site(), needs_value=True, shape=result_shape(typ))):
            return function(tok, props, opts, typ, *more, **named)

    return noted


def _output(function: Callable[..., pulumi.Output[Any]]) -> Callable[..., pulumi.Output[Any]]:
    """Return a function of the SDK that returns an output, with its call noted.

    An output without an answer is unknown, and depends on the look-up, so that it is seen which resources lack it.
    """

    @functools.wraps(function)
    def noted(tok: str, props: Any, opts: Any = None, typ: type | None = None, *more: Any, **named: Any) -> Any:
        asked = _asked.get()
        call = ProgramCall(program_site(), shape=asked[1] if asked is not None and asked[1] is not None else result_shape(typ))
        with _called(call):
            return _with_look_ups(function(tok, props, opts, typ, *more, **named), call, props)

    return noted


def _method(function: Callable[..., pulumi.Output[Any]]) -> Callable[..., pulumi.Output[Any]]:
    """Return a function of the SDK that calls a method of a component, with its call noted."""

    @functools.wraps(function)
    def noted(tok: str, props: Any, *more: Any, **named: Any) -> Any:
        call = ProgramCall(program_site())
        with _called(call):
            return _with_look_ups(function(tok, props, *more, **named), call, props)

    return noted


def _resource(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the SDK that reads or registers a resource, with its call noted."""

    @functools.wraps(function)
    def noted(*arguments: Any, **named: Any) -> Any:
        with _called(ProgramCall(program_site())):
            return function(*arguments, **named)

    return noted


def _with_look_ups(output: pulumi.Output[Any], call: ProgramCall, props: Any) -> pulumi.Output[Any]:
    """Return the output of a call, unknown where it has no answer. It then depends on what it waits for: the look-up, and what
    the arguments depend on, which the SDK leaves out."""

    async def resources() -> set[pulumi.Resource]:
        found = await output.resources()
        if await is_known():
            return found
        return {*found, *await pulumi.Output.from_input(props).resources(), *map(DependencyResource, call.urns)}

    async def is_known() -> bool:
        known = await output.is_known()
        return known and not call.urns and not call.lacks_arguments

    async def value() -> Any:
        found = await output.future()
        return None if call.urns or call.lacks_arguments else found

    # Futures, not coroutines: of a call that fails only the first is waited for.
    return pulumi.Output(*map(asyncio.ensure_future, (resources(), value(), is_known(), output.is_secret())))
