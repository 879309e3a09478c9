"""A server of git repositories over HTTPS on this machine: git's own program behind a small server.

A proxy leads to it, so that a repository has an address with a host and without a port: at one with a port `pulumi package add`
panics.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import trustme

HOST: Final = "git.example.com"


class _Handler(BaseHTTPRequestHandler):
    """Passes each request to git's program, by the rules of CGI."""

    folder: Path

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def _answer(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        variables = {
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(["git", "http-backend"], input=body, env={**os.environ, **variables}, capture_output=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Proxy(BaseHTTPRequestHandler):
    """Leads every connection to the server on this machine, whatever its host."""

    port: int

    def do_CONNECT(self) -> None:
        self.send_response(200)
        self.end_headers()
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            threading.Thread(target=_copy, args=(server, self.connection), daemon=True).start()
            _copy(self.connection, server)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Send on what comes, until either side ends."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)


@contextlib.contextmanager
def git_server(folder: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Serve the repositories in a folder; give their address, and the variables under which programs find and trust it."""
    authority = trustme.CA()
    bundle = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    with contextlib.ExitStack() as servers:
        server = servers.enter_context(_serving(type("Handler", (_Handler,), {"folder": folder}), context))
        proxy = servers.enter_context(_serving(type("Proxy", (_Proxy,), {"port": server})))
        variables = {"SSL_CERT_FILE": str(bundle), "HTTPS_PROXY": f"http://127.0.0.1:{proxy}"}
        yield f"https://{HOST}", variables


@contextlib.contextmanager
def _serving(handler: type[BaseHTTPRequestHandler], context: ssl.SSLContext | None = None) -> Iterator[int]:
    """Serve in the background, and give the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
