"""Servers of Pulumi's protocols, in a process of their own as an engine expects them, or in this one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent import futures

import grpc


def serve(add: Callable[[grpc.Server], None]) -> None:
    """Serve what `add` puts on the server until the engine ends the process."""
    with serving(add) as (server, port), contextlib.suppress(KeyboardInterrupt):  # how an engine ends it after a failure
        print(port, flush=True)  # noqa: T201 - the engine reads the port from here
        server.wait_for_termination()


@contextlib.contextmanager
def serving(add: Callable[[grpc.Server], None]) -> Iterator[tuple[grpc.Server, int]]:
    """Give a server with what `add` puts on it, and its port."""
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    add(server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield server, port
    finally:
        server.stop(None)
