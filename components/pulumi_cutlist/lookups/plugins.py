"""Plugins of providers, asked without an engine: started, configured, and asked for the results of functions and the states of
resources (spec: pulumi 8.2)."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, provider_pb2, provider_pb2_grpc

from pulumi_cutlist.errors import AccountError
from pulumi_cutlist.wire import plain_data, struct_of

_BYTES: Final = 400 * 1024 * 1024
_SECONDS: Final = 120.0
_VERSION: Final = re.compile(r"-v(\d+)\.(\d+)\.(\d+)(.*)$")


@dataclass(slots=True)
class Plugins:
    """The plugins that were started, by package and configuration; `close` ends them."""

    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _engine: str = ""
    _started: dict[str, provider_pb2_grpc.ResourceProviderStub] = field(default_factory=dict)

    def close(self) -> None:
        """End all plugins."""
        self._stack.close()

    def invoke(self, package: str, config: Mapping[str, Any], token: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a function. Raises AccountError with what the provider says."""
        stub = self._plugin(package, config)
        with _said(token):
            response = stub.Invoke(provider_pb2.InvokeRequest(tok=token, args=struct_of(arguments)), timeout=_SECONDS)
        if response.failures:
            raise AccountError("; ".join(f"{failure.reason} ({failure.property})" for failure in response.failures))
        return plain_data(getattr(response, "return"))

    def read(self, package: str, config: Mapping[str, Any], type_: str, id_: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the state of a resource. Raises AccountError for one that does not exist, or with what the provider says."""
        stub = self._plugin(package, config)
        urn = f"urn:pulumi:preview::look-ups::{type_}::{id_}"
        with _said(f"{type_} {id_}"):
            request = provider_pb2.ReadRequest(id=id_, urn=urn, properties=struct_of(inputs), inputs=struct_of(inputs))
            response = stub.Read(request, timeout=_SECONDS)
        if not response.id:
            raise AccountError(f"there is no {type_} {id_}")
        return plain_data(response.properties)

    def _plugin(self, package: str, config: Mapping[str, Any]) -> provider_pb2_grpc.ResourceProviderStub:
        key = json.dumps([package, config], sort_keys=True, default=str)
        if key not in self._started:
            self._started[key] = self._configured(package, config)
        return self._started[key]

    def _configured(self, package: str, config: Mapping[str, Any]) -> provider_pb2_grpc.ResourceProviderStub:
        process = self._stack.enter_context(_process([str(executable_of(package)), self._engine_address()]))
        address = f"127.0.0.1:{_port(process, package)}"
        limits = [("grpc.max_receive_message_length", _BYTES), ("grpc.max_send_message_length", _BYTES)]
        channel = self._stack.enter_context(grpc.insecure_channel(address, options=limits))
        stub = provider_pb2_grpc.ResourceProviderStub(channel)
        given = {name: value for name, value in config.items() if value not in (None, "")}
        urn = f"urn:pulumi:preview::look-ups::pulumi:providers:{package}::default"
        with _said(f"the configuration of {package}"):
            checked = stub.CheckConfig(provider_pb2.CheckRequest(urn=urn, news=struct_of(given)), timeout=_SECONDS)
            if checked.failures:
                raise AccountError("; ".join(failure.reason for failure in checked.failures))
            variables = {f"{package}:config:{name}": str(value) for name, value in given.items()}
            request = provider_pb2.ConfigureRequest(
                variables=variables, args=checked.inputs, acceptSecrets=True, acceptResources=True
            )
            stub.Configure(request, timeout=_SECONDS)
        return stub

    def _engine_address(self) -> str:
        """Return the address of what stands in for an engine, to which plugins log."""
        if not self._engine:
            server = grpc.server(ThreadPoolExecutor(2, "engine"))
            engine_pb2_grpc.add_EngineServicer_to_server(_Engine(), server)
            port = server.add_insecure_port("127.0.0.1:0")
            server.start()
            self._stack.callback(server.stop, None)
            self._engine = f"127.0.0.1:{port}"
        return self._engine


class _Engine(engine_pb2_grpc.EngineServicer):
    """Hears what plugins log, and leaves it: their refusals arrive as such."""

    def Log(self, _request: engine_pb2.LogRequest, _context: Any) -> empty_pb2.Empty:  # noqa: N802
        """Leave a message."""
        return empty_pb2.Empty()


def executable_of(package: str) -> Path:
    """Return the plugin of a package: of the version of its SDK, else the newest that is installed.

    Raises AccountError without one.
    """
    home = Path(os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi")
    name = f"pulumi-resource-{package}"
    found = {path.parent.name: path for path in home.glob(f"plugins/resource-{package}-v*/{name}")}
    wanted = _sdk_version(package)
    if (exact := found.get(f"resource-{package}-v{wanted}")) is not None:
        return exact
    versions = {_VERSION.search(folder): path for folder, path in found.items()}
    if newest := max((tuple(map(int, m.groups()[:3])), str(path)) for m, path in versions.items() if m) if versions else None:
        return Path(newest[1])
    if (on_path := shutil.which(name)) is not None:
        return Path(on_path)
    raise AccountError(f"the plugin of {package} is not installed: pulumi plugin install resource {package} {wanted}".strip())


def _sdk_version(package: str) -> str:
    spec = find_spec(f"pulumi_{package.replace('-', '_')}")
    file = Path(spec.origin).with_name("pulumi-plugin.json") if spec is not None and spec.origin else None
    return str(json.loads(file.read_text()).get("version") or "") if file is not None and file.is_file() else ""


@contextlib.contextmanager
def _process(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    # The plugin that the user has installed for this package.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
        if process.stdout is not None:
            process.stdout.close()


def _port(process: subprocess.Popen[str], package: str) -> int:
    """Return the port that a plugin prints as its first line."""
    line = process.stdout.readline().strip() if process.stdout is not None else ""
    if not line.isdigit():
        raise AccountError(f"the plugin of {package} does not start")
    return int(line)


@contextlib.contextmanager
def _said(what: str) -> Iterator[None]:
    """Raise what a plugin says as an AccountError."""
    try:
        yield
    except grpc.RpcError as error:
        details = getattr(error, "details", lambda: "")() or str(error)
        raise AccountError(f"{what}: {' '.join(details.split())}") from error
