"""Servers on 127.0.0.1: a repository of charts, a registry and repositories of git, and what was asked of them."""

from __future__ import annotations

import base64
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.fetch.charts import sha256

_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_CHART = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
_GIT = re.compile(r"/git/[^/]+\.git/(?:info/refs|git-upload-pack)")


@dataclass
class Answer:
    """What a server answers a path with; `seconds` later, if that is said."""

    data: bytes
    kind: str = "application/octet-stream"
    status: int = 200
    location: str = ""
    seconds: float = 0


@dataclass
class Remote:
    """Everything that is served. `asked` are the paths that were asked for, `login` the one that is needed, if any;
    `challenge` asks for the token `abc`."""

    address: str = ""
    files: dict[str, Answer] = field(default_factory=dict)
    entries: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=dict)
    repositories: Path | None = None
    login: str = ""
    challenge: str = ""
    asked: list[str] = field(default_factory=list)

    @property
    def charts(self) -> str:
        """The address of the repository of charts."""
        return f"http://{self.address}/charts"

    @property
    def registry(self) -> str:
        """The address of the registry."""
        return f"oci://{self.address}/charts"

    def git(self, name: str) -> str:
        """Return the address of a repository of git."""
        return f"http://{self.address}/git/{name}.git"

    def add_chart(self, name: str, version: str, data: bytes, url: str = "") -> None:
        """Serve a chart in the repository and in the registry; the repository may name another address for it."""
        file = f"{name}-{version}.tgz"
        self.files[f"/charts/{file}"] = Answer(data)
        entry = {"apiVersion": "v2", "name": name, "version": version, "urls": [url or file]}
        self.entries.setdefault(name, []).append(entry)
        index = {"apiVersion": "v1", "entries": self.entries, "generated": "2026-01-01T00:00:00Z"}
        self.files["/charts/index.yaml"] = Answer(json.dumps(index).encode())
        self.add_artifact(f"charts/{name}", version, data, _CHART, "application/vnd.cncf.helm.config.v1+json")

    def add_artifact(self, path: str, tag: str, data: bytes, kind: str, config_kind: str = "application/vnd.x+json") -> str:
        """Serve an artifact with one layer in the registry, and return the digest of its manifest."""
        config = json.dumps({"name": path.rpartition("/")[2], "version": tag, "apiVersion": "v2"}).encode()
        layer = {"mediaType": kind, "digest": sha256(data), "size": len(data)}
        about = {"mediaType": config_kind, "digest": sha256(config), "size": len(config)}
        manifest = json.dumps({"schemaVersion": 2, "mediaType": _MANIFEST, "config": about, "layers": [layer]}).encode()
        for reference in (tag, sha256(manifest)):
            self.files[f"/v2/{path}/manifests/{reference}"] = Answer(manifest, _MANIFEST)
        for blob in (config, data):
            self.files[f"/v2/{path}/blobs/{sha256(blob)}"] = Answer(blob)
        tags = self.tags.setdefault(path, [])
        tags += [] if tag in tags else [tag]
        listed = json.dumps({"name": path, "tags": tags}).encode()
        self.files[f"/v2/{path}/tags/list"] = Answer(listed, "application/json")
        self.files["/v2/"] = Answer(b"{}", "application/json")
        return sha256(manifest)


class _Server(http.server.ThreadingHTTPServer):
    """Serves each connection in a thread, which may outlast the test that connected."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Print what went wrong, which is not that a client hung up: one that waited for too long does."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serving(remote: Remote) -> Iterator[Remote]:
    """Serve what is remote while the block runs."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            remote.asked.append(path)
            if (
                remote.login
                and self.headers.get("Authorization") != f"Basic {base64.b64encode(remote.login.encode()).decode()}"
            ):
                self._answer(Answer(b"", status=401), {"WWW-Authenticate": 'Basic realm="here"'})
            elif remote.challenge and path != "/token" and self.headers.get("Authorization") != "Bearer abc":
                self._answer(Answer(b"", status=401), {"WWW-Authenticate": remote.challenge})
            elif _GIT.fullmatch(path) and remote.repositories is not None:
                self._git(path, query)
            else:
                self._answer(remote.files.get(path) or Answer(b'{"errors":[]}', "application/json", status=404))

        def do_POST(self) -> None:
            self.do_GET()

        def do_HEAD(self) -> None:
            self.do_GET()

        def _answer(self, answer: Answer, headers: Mapping[str, str] | None = None) -> None:
            time.sleep(answer.seconds)
            self.send_response(answer.status)
            own = {"Content-Type": answer.kind, "Content-Length": str(len(answer.data)), **(headers or {})}
            own |= {"Location": answer.location} if answer.location else {}
            own |= {"Docker-Content-Digest": sha256(answer.data)} if self.path.startswith("/v2/") else {}
            for name, value in own.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.data)

        def _git(self, path: str, query: str) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            environment = {
                **os.environ,
                "GIT_PROJECT_ROOT": str(remote.repositories),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path.removeprefix("/git"),
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(length),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            }
            body = self.rfile.read(length)
            done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=True)
            head, _, data = done.stdout.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
            status = int(headers.pop("Status", "200").split()[0])
            self._answer(Answer(data, headers.pop("Content-Type", "text/plain"), status), headers)

        def log_message(self, *args: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    remote.address = f"127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield remote
    finally:
        server.shutdown()
        server.server_close()
