"""An API server on loopback that knows lists only: pages, refusals, slow and odd answers, and who asked for what."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs, urlsplit

import yaml

from tests.infrastructure.aws_servers import SHUTDOWN_POLL

TOKEN = "the-token"  # noqa: S105 - of the server below
_MARK = "page-"


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    limit: int | None
    after: str
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass
class ApiServer:
    """`objects` by path such as `/apis/karpenter.sh/v1/nodepools`; a path that it lacks is not there.

    `refused` gives the statuses of the next answers of a path, the last of them for good; `odd` a body instead of a list.
    """

    objects: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    refused: dict[str, list[int]] = field(default_factory=dict)
    odd: dict[str, bytes] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)
    needs_token: bool = True
    expires: bool = False
    asked: list[Asked] = field(default_factory=list)

    def answer(self, method: str, target: str, headers: Mapping[str, str]) -> tuple[int, str, bytes]:
        """Status, content type and body."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        limit, after = int(query["limit"]) if "limit" in query else None, query.get("continue", "")
        self.asked.append(Asked(method, parts.path, limit, after, headers))
        if self.needs_token and headers.get("Authorization") != f"Bearer {TOKEN}":
            return status(401, "Unauthorized")
        time.sleep(self.slow.get(parts.path, 0))
        statuses = self.refused.get(parts.path, [])
        if statuses:
            code = statuses.pop(0) if len(statuses) > 1 else statuses[0]
            if code != 200:
                return status(code, f"refused with {code}")
        if parts.path in self.odd:
            return 200, "text/html", self.odd[parts.path]
        if resources := self._resources(parts.path):
            return 200, "application/json", json.dumps({"kind": "APIResourceList", "resources": resources}).encode()
        if parts.path not in self.objects:
            return 404, "text/plain; charset=utf-8", b"404 page not found\n"
        if after and self.expires:
            return status(410, "The provided continue parameter is too old")
        return 200, "application/json", json.dumps(_page(self.objects[parts.path], limit, after)).encode()

    def _resources(self, path: str) -> list[dict[str, str]]:
        """Return the kinds of a group and version: those that may not be listed too."""
        paths = (PurePosixPath(served) for served in sorted({*self.objects, *self.refused}))
        return [{"name": served.name} for served in paths if str(served.parent) == path]


def status(code: int, message: str) -> tuple[int, str, bytes]:
    """Return what the API server says instead of an answer."""
    body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "code": code}
    return code, "application/json", json.dumps(body).encode()


def _page(objects: list[dict[str, Any]], limit: int | None, after: str) -> dict[str, Any]:
    start = int(after.removeprefix(_MARK)) if after else 0
    end = len(objects) if limit is None else start + limit
    more = {"continue": f"{_MARK}{end}", "remainingItemCount": len(objects) - end} if end < len(objects) else {}
    # Items of a list do not say what they are.
    items = [{name: member for name, member in one.items() if name not in ("apiVersion", "kind")} for one in objects[start:end]]
    return {"kind": "SomeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1", **more}, "items": items}


@contextmanager
def serving(api: ApiServer, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Yield the address at which the server answers: by HTTPS where `tls` has its certificate."""

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            headers = {name.title(): ", ".join(self.headers.get_all(name, ())) for name in self.headers}
            code, kind, body = api.answer(self.command, self.path, headers)
            try:
                self.send_response(code)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # whoever asked did not wait

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign] # a client that does not trust it hangs up
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, args=(SHUTDOWN_POLL,), daemon=True)
    thread.start()
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def kubeconfig(folder: Path, server: str, cluster: Mapping[str, Any] | None = None, **user: Any) -> Path:
    """Return a kubeconfig with the contexts `demo`, which is the current one, and two that lead nowhere.

    `cluster` is what its cluster has beside the server, `user` what its user has, by default a token.
    """
    file = folder / "kubeconfig"
    file.write_text(
        yaml.safe_dump(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "demo",
                "clusters": [{"name": "demo", "cluster": {"server": server, **(cluster or {})}}],
                "contexts": [
                    {"name": "demo", "context": {"cluster": "demo", "user": "me"}},
                    {"name": "homeless", "context": {"cluster": "gone", "user": "me"}},
                    {"name": "nobody", "context": {"cluster": "demo", "user": "gone"}},
                ],
                "users": [{"name": "me", "user": user or {"token": TOKEN}}],
            }
        )
    )
    return file
