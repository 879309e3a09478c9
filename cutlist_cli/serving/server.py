"""A server that shows the page of a board to browsers on this machine only, at the loopback address, read-only.

Requests under another host name than the loopback's are refused, so that no foreign page can read ours through a name that
resolves to this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Condition, Lock, Timer
from typing import Any, Final

from cutlist.core.errors import InputError, Place
from cutlist.settings.serve import PORT

HOST: Final = "127.0.0.1"
_NAMES: Final = (HOST, "localhost")
_PATIENCE: Final = 15.0  # seconds between two signs of life to a waiting browser
_SLOW: Final = 10.0  # seconds for a whole request, and for each part of an answer
_HANGING_UP: Final = 1.0  # seconds until a connection on which the server hung up has ended
MOST_CONNECTIONS: Final = 64
"""Connections at the same time; each has a thread."""
_ALWAYS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Board:
    """The current page, shared by threads: one replaces it, others read it and wait for the next.

    A page is named by its hash, so an equal page is not a change.
    """

    def __init__(self, page: str) -> None:
        self._changed = Condition()
        self._page = page

    @property
    def page(self) -> str:
        """Return the current page."""
        with self._changed:
            return self._page

    @property
    def name(self) -> str:
        """Return the name of the current page."""
        return _digest(self.page)

    def show(self, page: str) -> None:
        """Replace the page, and wake the threads that wait for it."""
        with self._changed:
            self._page = page
            self._changed.notify_all()

    def other_than(self, name: str, seconds: float) -> str:
        """Return the name of the current page as soon as it differs from this one; this one when none comes in time."""
        with self._changed:
            self._changed.wait_for(lambda: _digest(self._page) != name, timeout=seconds)
            return _digest(self._page)


def _digest(page: str) -> str:
    return hashlib.sha256(page.encode()).hexdigest()[:16]


class PageServer(ThreadingHTTPServer):
    """A server that answers `/` with the page of the board, and `/changes` with the name of each new page."""

    daemon_threads = True
    request_queue_size = 256  # a connection that finds no place in the queue is tried again only after a second

    def __init__(self, board: Board, port: int = 0, most: int = MOST_CONNECTIONS) -> None:
        """Start listening; port 0 means any free port, `most` is the number of connections at the same time.

        Raises InputError when the port is taken.
        """
        self.board = board
        self._connections = BoundedSemaphore(most)
        self._lock = Lock()
        self._open: dict[Any, bool] = {}
        try:
            super().__init__((HOST, port), _RequestHandler)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError.one(Place.of(PORT), f"cannot listen on port {port}: {reason}", "0 for any that is free") from None

    @property
    def address(self) -> str:
        """Return the address at which a browser finds the page."""
        return f"http://{HOST}:{self.server_port}/"

    def is_ours(self, host: str) -> bool:
        """Tell whether a host name in a request means this server."""
        name, _, port = host.partition(":")
        return name in _NAMES and port == str(self.server_port)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a separate thread. A connection beyond the maximum takes the place of one that has asked for nothing yet,
        else of the one that has been open for longest: a browser asks again for pages, and idle connections keep nobody out.
        """
        if not self._connections.acquire(blocking=False):
            self._hang_up_on_one()
            if not self._connections.acquire(timeout=_HANGING_UP):
                self.shutdown_request(request)
                return
        with self._lock:
            self._open[request] = True
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._end(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and let another connection in."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._end(request)

    def has_asked(self, request: Any) -> None:
        """Note that a connection has sent its request."""
        with self._lock:
            self._open[request] = False

    def _hang_up_on_one(self) -> None:
        with self._lock:
            idle = next((request for request, is_idle in self._open.items() if is_idle), next(iter(self._open), None))
            if idle is not None:
                self._open.pop(idle)
        with contextlib.suppress(OSError):
            if idle is not None:
                idle.shutdown(socket.SHUT_RDWR)

    def _end(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        self._connections.release()

    def handle_error(self, *_: Any) -> None:
        """Ignore a browser that disconnects."""


class _RequestHandler(BaseHTTPRequestHandler):
    timeout = _SLOW  # of each read and each write: a request that does not come, or a page that nobody takes
    server: PageServer
    server_version = "cutlist"
    sys_version = ""

    def setup(self) -> None:
        """Give the whole request some seconds, even if it arrives slowly."""
        super().setup()
        self._deadline = Timer(_SLOW, self._hang_up)
        self._deadline.daemon = True
        self._deadline.start()

    def finish(self) -> None:
        """End the connection."""
        self._deadline.cancel()
        super().finish()

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)

    def do_GET(self) -> None:
        """Answer a request. What follows its head is never read."""
        self._deadline.cancel()
        self.server.has_asked(self.connection)
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
        """Send the name of the page and of each later one, as server-sent events, until the browser disconnects."""
        self._begin(HTTPStatus.OK, "text/event-stream", {})
        name = ""
        while True:
            new_name = self.server.board.other_than(name, _PATIENCE)
            self.wfile.write(b": still here\n\n" if new_name == name else f"data: {new_name}\n\n".encode())
            self.wfile.flush()
            name = new_name

    def _refuse(self, status: HTTPStatus) -> None:
        self._begin(status, "text/plain; charset=utf-8", {"Content-Length": "0"})

    def _begin(self, status: HTTPStatus, kind: str, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **_ALWAYS, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Keep requests out of the terminal."""
