"""Shows the page of a board on this machine alone: to its own browsers, at the loopback address, for reading only.

Who asks by another name than the loopback's is refused, so that no page from elsewhere can read ours through a name of its own
that leads here.
"""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from cutlist.core.errors import InputError, Place
from cutlist_cli.serving.board import Board

HOST: Final = "127.0.0.1"
_NAMES: Final = (HOST, "localhost")
_PATIENCE: Final = 15.0  # seconds between two signs of life to a browser that waits
_ALWAYS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class PageServer(ThreadingHTTPServer):
    """Answers `/` with the page of the board, and `/changes` with the name of each page that is put up, as they come."""

    daemon_threads = True

    def __init__(self, board: Board, port: int = 0) -> None:
        """Listens at once; port 0 stands for any that is free. Raises InputError when the port is taken."""
        self.board = board
        try:
            super().__init__((HOST, port), _Reader)
        except OSError as error:
            said = error.strerror or str(error)
            raise InputError.one(
                Place(path="--port"), f"cannot listen on port {port}: {said}", "0 for any that is free"
            ) from None

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://{HOST}:{self.server_port}/"

    def is_ours(self, host: str) -> bool:
        """Whether a browser that names this host means us."""
        name, _, port = host.partition(":")
        return name in _NAMES and port == str(self.server_port)

    def handle_error(self, *_: Any) -> None:
        """A browser that goes away is no news."""


class _Reader(BaseHTTPRequestHandler):
    server: PageServer
    server_version = "cutlist"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer a browser."""
        if not self.server.is_ours(self.headers.get("Host", "")):
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif self.path == "/":
            self._page()
        elif self.path == "/changes":
            self._changes()
        else:
            self._refuse(HTTPStatus.NOT_FOUND)

    def _page(self) -> None:
        page = self.server.board.page.encode()
        self._begin(HTTPStatus.OK, "text/html; charset=utf-8", {"Content-Length": str(len(page))})
        self.wfile.write(page)

    def _changes(self) -> None:
        """The name of the page that is shown and of each that follows, as server-sent events, until the browser goes away."""
        self._begin(HTTPStatus.OK, "text/event-stream", {})
        name = ""
        while True:
            now = self.server.board.other_than(name, _PATIENCE)
            self.wfile.write(b": still here\n\n" if now == name else f"data: {now}\n\n".encode())
            self.wfile.flush()
            name = now

    def _refuse(self, status: HTTPStatus) -> None:
        self._begin(status, "text/plain; charset=utf-8", {"Content-Length": "0"})

    def _begin(self, status: HTTPStatus, kind: str, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **_ALWAYS, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Requests are not told to the terminal."""
