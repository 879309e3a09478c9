"""Redirects of servers: followed only where they lead to the same scheme or to TLS."""  # FE-12

from __future__ import annotations

import urllib.request
from email.message import Message
from typing import IO
from urllib.parse import urlsplit

from cutlist.documents.delivery.fetching import FetchError


class SameScheme(urllib.request.HTTPRedirectHandler):
    """Follows redirects within TLS only, or from plain HTTP to anything of HTTP, and takes no login elsewhere."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        """Return the request for a new address. Raises FetchError for one of another scheme."""
        before, after = urlsplit(req.full_url), urlsplit(newurl)
        if after.scheme != "https" and after.scheme != before.scheme:
            raise FetchError(f"{before.hostname} redirects to {after.scheme}://, which is not followed")
        request = super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
        if request is not None and after.netloc != before.netloc:
            request.remove_header("Authorization")
        return request
