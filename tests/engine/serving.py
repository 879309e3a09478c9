"""A server of one of Pulumi's protocols, as an engine expects it of a process that it started."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent import futures

import grpc


def serve(add: Callable[[grpc.Server], None]) -> None:
    """Serve what `add` puts on the server until the engine ends the process."""
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    add(server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)  # noqa: T201 - the engine reads the port from here
    with contextlib.suppress(KeyboardInterrupt):  # how an engine ends it after a failure
        server.wait_for_termination()
