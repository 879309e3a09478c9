"""Servers on loopback that stand for AWS: moto for EC2, a price list of known prices, and a front that throttles."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

GRACE: Final = 5.0  # seconds
PATIENCE: Final = 60.0  # seconds: on a machine at work the server takes its time
SHUTDOWN_POLL: Final = 0.02  # seconds: how long a server that is shut down may go on waiting for requests

_MOTO: Final = """
import functools
from moto import backends, server
from moto.core import responses
services = frozenset(backends.list_of_moto_modules())
backends.list_of_moto_modules = lambda: services
responses.method_names_from_class = functools.cache(responses.method_names_from_class)
server.main()
"""

Answer = Callable[[str, dict[str, str], bytes], tuple[int, str, bytes]]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Yield a server whose answers to GET and POST are what `answer(path, headers, body)` gives: status, content type, body."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, kind, content = answer(self.path, dict(self.headers), body)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST  # noqa: N815 - the server's name for it

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(SHUTDOWN_POLL,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def moto() -> Iterator[str]:
    """Yield a moto server in its own process.

    It has no images, which every reset would load again, and it looks once for the services that there are and for the methods
    of each: it does so at each request otherwise, and most of its time goes there.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", _MOTO, "-H", "127.0.0.1", "-p", str(port)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment["MOTO_EC2_LOAD_DEFAULT_AMIS"] = "false"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a process: by its own shutdown, or after a grace without, for it keeps nothing."""
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the moto server did not start")


class PriceList:
    """GetProducts in pages of 100 for known prices: `shared` of ordinary types, `dedicated` of metal ones, by region."""

    def __init__(self) -> None:
        self.shared: dict[str, float] = {}
        self.dedicated: dict[str, float] = {}
        self.pages = 0

    def __call__(self, _: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        assert headers["X-Amz-Target"] == "AWSPriceListService.GetProducts"
        data = json.loads(body)
        wanted = {f["Field"]: f["Value"] for f in data["Filters"]}
        metal = wanted["productFamily"] == "Compute Instance (bare metal)"
        assert wanted["tenancy"] == ("Dedicated" if metal else "Shared")
        products = [_product(name, price) for name, price in sorted((self.dedicated if metal else self.shared).items())]
        start = int(data.get("NextToken") or 0)
        answer = {"FormatVersion": "aws_v1", "PriceList": products[start : start + 100]}
        if start + 100 < len(products):
            answer["NextToken"] = str(start + 100)
        self.pages += 1
        return 200, "application/x-amz-json-1.1", json.dumps(answer).encode()


def _product(name: str, price: float) -> str:
    dimension = {"unit": "Hrs", "pricePerUnit": {"USD": f"{price:.10f}"}}
    terms = {"OnDemand": {"T": {"priceDimensions": {"T.D": dimension}}}}
    return json.dumps({"product": {"attributes": {"instanceType": name}}, "terms": terms})


class Front:
    """Hands requests on to a server, but answers the first `refusals` of an action with an error code."""

    def __init__(self, behind: str) -> None:
        self._behind = behind.removeprefix("http://")
        self.refusals: dict[str, int] = {}
        self.code, self.status = "RequestLimitExceeded", 503
        self.asked: list[str] = []

    def __call__(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        action = re.search(rb"Action=(\w+)", body).group(1).decode()  # type: ignore[union-attr]
        self.asked.append(action)
        if self.refusals.get(action, 0) > 0:
            self.refusals[action] -= 1
            errors = f"<Errors><Error><Code>{self.code}</Code><Message>no</Message></Error></Errors>"
            return self.status, "text/xml", f"<Response>{errors}<RequestID>1</RequestID></Response>".encode()
        connection = http.client.HTTPConnection(self._behind)
        passed = {k: v for k, v in headers.items() if k.lower() not in ("host", "connection", "accept-encoding")}
        connection.request("POST", path, body, {**passed, "Host": headers["Host"]})
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        return reply.status, reply.getheader("Content-Type", "text/xml"), content
