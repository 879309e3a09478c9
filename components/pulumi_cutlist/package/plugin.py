"""The package's plugin: it makes components for programs in other languages, and provides the resources that they have of its
own (spec: pulumi 2.3, 6.4)."""

# ruff: noqa: N802 - the methods are called what the protocol calls them

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import metadata, version
from typing import Any, Final, TypeVar

import grpc
import grpc.aio
import pulumi
from google.protobuf import empty_pb2, struct_pb2
from grpc.aio import ServicerContext as Context
from pulumi import dynamic
from pulumi.errors import InputPropertiesError, InputPropertyErrorDetails
from pulumi.provider import ConstructResult
from pulumi.provider.server import ComponentInitError, ProviderServicer
from pulumi.runtime import rpc
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from cutlist.core.errors import InputError, Place, Problem
from pulumi_cutlist.inputs.program_words import written_in_camel_case
from pulumi_cutlist.node_plans.matching import KNOWN, Known
from pulumi_cutlist.package.components import COMPONENTS, SDK_OF_AWS, is_installed
from pulumi_cutlist.package.mapped_inputs import MappedInputs
from pulumi_cutlist.package.own_resources import PACKAGE, provided_by_the_plugin
from pulumi_cutlist.package.schema import published_schema
from pulumi_cutlist.package.version import semantic_version


def _providers() -> Mapping[str, type[dynamic.ResourceProvider]]:
    """Return what provides the package's own resources. All are of components for AWS, which need its SDK."""
    if not is_installed(SDK_OF_AWS):
        return {}
    from pulumi_cutlist.aws.at_delete import DrainAtDelete, SweepAtDelete  # with the SDK of AWS
    from pulumi_cutlist.aws.service_linked_role import ServiceLinkedRoleProvider

    return {
        f"{PACKAGE}:index:Drain": DrainAtDelete,
        f"{PACKAGE}:index:EnsuredServiceLinkedRole": ServiceLinkedRoleProvider,
        f"{PACKAGE}:index:Sweep": SweepAtDelete,
    }


PROVIDERS: Final = _providers()
"""What provides the package's own resources, by type."""

_MEMBER: Final = re.compile(r"[.\[]")
_DIFF: Final = provider_pb2.DiffResponse
_MESSAGE_BYTES: Final = 400 * 1024 * 1024  # what the SDKs and the engine allow each other

_REGISTRATIONS: Final = 64
"""How many resources components register at a time. Each has a thread until the engine has made it, minutes in a cloud."""
_WORKERS: Final = ThreadPoolExecutor(16, "own-resource")
"""Threads for the package's own resources. Registrations have others, since they wait for what is done here."""

T = TypeVar("T")


class Package(MappedInputs):
    """All components of the package."""

    def __init__(self) -> None:
        super().__init__(list(COMPONENTS), PACKAGE, version=semantic_version(version(PACKAGE)))
        self.schema = json.dumps(published_schema(json.loads(self.schema or "{}"), metadata(PACKAGE), COMPONENTS))

    def construct(
        self, name: str, resource_type: str, inputs: Mapping[str, Any], options: pulumi.ResourceOptions | None = None
    ) -> ConstructResult:
        """Make a component, whose own resources this plugin provides. Raises InputPropertiesError with every mistake in the
        inputs, which an engine shows without the code that found them."""
        with provided_by_the_plugin(), written_in_camel_case():
            try:
                return super().construct(name, resource_type, inputs, options)
            except ComponentInitError as error:
                if isinstance(error.inner, InputError):
                    raise refused(name, error.inner, inputs) from None
                raise


def refused(name: str, error: InputError, inputs: Mapping[str, Any]) -> InputPropertiesError:
    """Return the error of a component's inputs as an engine understands it: each mistake under its path."""
    mistakes = error.problems
    return InputPropertiesError(
        f"{name} has {len(mistakes)} mistake{'s' if len(mistakes) > 1 else ''} in its inputs",
        [_refused(problem, inputs) for problem in mistakes],
    )


def _refused(problem: Problem, inputs: Mapping[str, Any]) -> InputPropertyErrorDetails:
    """Return a mistake under its path from the inputs on: in a manifest, whose source is the input that has it
    (`nodePools[0]`), or in a file, which an input lists."""
    place = problem.place
    if _MEMBER.split(place.source)[0] in inputs:
        path = f"{place.source}.{place.path}" if place.path else place.source
        return {"property_path": path, "reason": str(replace(problem, place=Place()))}
    if place.source and (listed := _listed(place.source, inputs)):
        return {"property_path": listed, "reason": str(problem)}
    return {"property_path": place.path, "reason": str(replace(problem, place=Place(place.source)))}


def _listed(file: str, inputs: Mapping[str, Any]) -> str:
    """Return the item of an input that is a file, or a folder around it; empty without one."""
    for name, value in inputs.items():
        for index, item in enumerate(value if isinstance(value, list) else ()):
            if isinstance(item, str) and item and (file == item or file.startswith(f"{item.rstrip('/')}/")):
                return f"{name}[{index}]"
    return ""


class PluginServicer(ProviderServicer):
    """Components, as the SDK serves them, and the package's own resources."""

    async def Check(self, request: provider_pb2.CheckRequest, _: Context) -> provider_pb2.CheckResponse:
        """Accept the inputs: a component has checked them."""
        return provider_pb2.CheckResponse(inputs=request.news)

    async def Diff(self, request: provider_pb2.DiffRequest, context: Context) -> provider_pb2.DiffResponse:
        """Return what a change of the inputs means."""
        olds, news = _properties(request.old_inputs), _properties(request.news)
        result = await _called(lambda: PROVIDERS[request.type]().diff(request.id, olds, news), context)
        changes = _DIFF.DIFF_SOME if result.changes else _DIFF.DIFF_NONE
        return _DIFF(changes=changes, replaces=result.replaces or [])

    async def Create(self, request: provider_pb2.CreateRequest, context: Context) -> provider_pb2.CreateResponse:
        """Make a resource."""
        properties = _properties(request.properties)
        result = await _called(lambda: PROVIDERS[request.type]().create(properties), context)
        return provider_pb2.CreateResponse(id=result.id, properties=await _struct(result.outs))

    async def Read(self, request: provider_pb2.ReadRequest, context: Context) -> provider_pb2.ReadResponse:
        """Return the resource as it is; without an id where it does not exist."""
        properties = _properties(request.properties)
        result = await _called(lambda: PROVIDERS[request.type]().read(request.id, properties), context)
        return provider_pb2.ReadResponse(id=result.id or "", properties=await _struct(result.outs), inputs=request.inputs)

    async def Update(self, request: provider_pb2.UpdateRequest, context: Context) -> provider_pb2.UpdateResponse:
        """Change a resource in place."""
        olds, news = _properties(request.olds), _properties(request.news)
        result = await _called(lambda: PROVIDERS[request.type]().update(request.id, olds, news), context)
        return provider_pb2.UpdateResponse(properties=await _struct(result.outs))

    async def Delete(self, request: provider_pb2.DeleteRequest, context: Context) -> empty_pb2.Empty:
        """Do what a resource does when it is deleted; when that fails, it stays in the stack."""
        properties = _properties(request.properties)
        await _called(lambda: PROVIDERS[request.type]().delete(request.id, properties), context)
        return empty_pb2.Empty()


async def _called(work: Callable[[], T], context: Context) -> T:
    """Return what a provider answers, asked in a separate thread since it may wait for nodes. Its mistakes become the engine's
    message unchanged."""
    try:
        return await asyncio.get_running_loop().run_in_executor(_WORKERS, work)
    except Exception as error:
        await context.abort(grpc.StatusCode.UNKNOWN, str(error) or type(error).__name__)
        raise


def _properties(data: struct_pb2.Struct) -> dict[str, Any]:
    properties = rpc.deserialize_properties(data, keep_unknowns=True)
    return {key: rpc.unwrap_rpc_secret(value) for key, value in properties.items()}


async def _struct(properties: Mapping[str, Any] | None) -> struct_pb2.Struct:
    return await rpc.serialize_properties(dict(properties or {}), {})


async def _serve(engine: str) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_REGISTRATIONS, "registration"))
    limits = [("grpc.max_receive_message_length", _MESSAGE_BYTES), ("grpc.max_send_message_length", _MESSAGE_BYTES)]
    server = grpc.aio.server(options=limits)
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(PluginServicer(Package(), [], engine), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")  # the engine reads the port from here
    sys.stdout.flush()
    await server.wait_for_termination()


def main() -> None:
    """Serve until the engine ends the process."""
    parser = argparse.ArgumentParser(description="The plugin of the package, started by an engine.")
    parser.add_argument("engine", help="the engine's address")
    arguments, _ = parser.parse_known_args()
    KNOWN.set(Known(at_once=True))  # an engine starts a plugin for one program
    with contextlib.suppress(KeyboardInterrupt):  # how an engine ends it after a failure
        asyncio.run(_serve(arguments.engine))
