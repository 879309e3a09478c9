"""Packs of policies as a language host runs them: it hears the stack's configuration, and starts the pack with it.

An engine that has a language host asks it to run a pack, and then sends the running pack the configuration of the
stack. Packs in Python read it from their environment while they start. So the real hosts stand between the two, and so
does this one: it starts the pack once the configuration is there, and hands everything else on as it is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent import futures
from threading import Event
from typing import Any, Final

import grpc
from pulumi.runtime.proto import analyzer_pb2, language_pb2

KIND: Final = "analyzer"
"""What an engine calls packs among the plugins that it has run."""
_FIRST: Final = {"/pulumirpc.Analyzer/Handshake", "/pulumirpc.Analyzer/ConfigureStack"}


class PolicyHost(grpc.GenericRpcHandler):
    """One pack, between an engine and the process that runs it."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._environment = dict(pair.split("=", 1) for pair in request.env)
        self._is_configured, self._is_started = Event(), Event()
        self._pack: grpc.Channel | None = None

    def run(self, context: grpc.ServicerContext) -> Iterator[language_pb2.RunPluginResponse]:
        """Serve the engine and run the pack until the engine ends the call; what the pack prints is the engine's."""
        server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), handlers=(self,))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield language_pb2.RunPluginResponse(stdout=f"{port}\n".encode())
        self._is_configured.wait()
        command = [sys.executable, "-u", "-m", "pulumi.policy", *self._request.args, self._request.info.program_directory]
        environment = {**os.environ, **self._environment}
        with subprocess.Popen(
            command, cwd=self._request.info.program_directory, env=environment, stdout=subprocess.PIPE
        ) as process:
            context.add_callback(process.terminate)
            lines = iter(process.stdout or ())
            self._pack = grpc.insecure_channel(f"127.0.0.1:{int(next(lines, b'0'))}")
            self._is_started.set()
            for line in lines:
                yield language_pb2.RunPluginResponse(stdout=line)
            yield language_pb2.RunPluginResponse(exitcode=process.wait())

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        """Return how a call is answered: what comes before the pack by this host, all the rest by the pack."""
        method = handler_call_details.method

        def answer(message: bytes, context: grpc.ServicerContext) -> bytes:
            if method in _FIRST:
                if method.endswith("ConfigureStack"):
                    self._configure(analyzer_pb2.AnalyzerStackConfigureRequest.FromString(message))
                return b""
            self._is_configured.set()
            self._is_started.wait()
            try:
                return self._pack.unary_unary(method)(message)
            except grpc.RpcError as error:
                context.abort(error.code(), error.details())
                raise

        return grpc.unary_unary_rpc_method_handler(answer)

    def _configure(self, stack: analyzer_pb2.AnalyzerStackConfigureRequest) -> None:
        self._environment |= {
            "PULUMI_ORGANIZATION": stack.organization,
            "PULUMI_PROJECT": stack.project,
            "PULUMI_STACK": stack.stack,
            "PULUMI_DRY_RUN": str(stack.dry_run).lower(),
            "PULUMI_CONFIG": json.dumps(dict(stack.config)),
        }
        self._is_configured.set()
