"""Connections to an API server, made as kubectl makes them from a kubeconfig's entries."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.request import getproxies, proxy_bypass

import httpx2
from lightkube import Client
from lightkube.config.client_adapter import Client as HttpClient
from lightkube.config.client_adapter import ConnectionParams, verify_cluster
from lightkube.config.kubeconfig import SingleConfig
from lightkube.config.models import Context

from cutlist.core.errors import InputError
from cutlist_live.cluster_failures import MISSING
from cutlist_live.exec_credentials import signed_in
from cutlist_live.kubeconfig_entries import ClusterContext, UserEntry

TIMEOUT: Final = httpx2.Timeout(60, connect=10)
"""Seconds without a byte, and until a connection is there."""
_PROXIES: Final = ("http", "https", "socks5")


class Connection:
    """A connection to the server of a context, with the credentials of its user, by the proxy that its entry names."""

    def __init__(self, context: ClusterContext) -> None:
        """Raise InputError, FileNotFoundError for a file that an entry names, and what lightkube and ssl raise for entries that
        cannot be used."""
        for path in context.files:
            Path(path).stat()
        context = signed_in(context)
        config = SingleConfig(context.name, Context(cluster=context.name), context.cluster, context.user)
        transport = _Transport(context, config)
        self.api: Final = Client(config, timeout=TIMEOUT, transport=transport)
        """The objects of the server."""
        self._http = HttpClient(config, ConnectionParams(timeout=TIMEOUT, transport=transport))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.api.close()
        self._http.close()

    def is_served(self, api_version: str, plural: str) -> bool:
        """Tell whether the server has a kind; True when it does not answer that either.

        A list of a kind that does not exist is denied to whoever has no right to it. Discovery says to everybody who is signed
        in which kinds exist.
        """
        try:
            answer = self._http.get(f"/{'apis' if '/' in api_version else 'api'}/{api_version}")
            if answer.status_code == MISSING:
                return False
            return any(resource["name"] == plural for resource in answer.raise_for_status().json()["resources"])
        except (httpx2.HTTPError, ValueError, KeyError, TypeError):
            return True


class _Transport(httpx2.BaseTransport):
    """Sends calls with the name that the server's certificate has, and on behalf of whom the user's entry says."""

    def __init__(self, context: ClusterContext, config: SingleConfig) -> None:
        verify = verify_cluster(context.cluster, context.user, config.abs_file)
        self._connections = httpx2.HTTPTransport(verify=verify, proxy=_proxy(context))
        self._headers = _impersonation(context.user)
        name = context.cluster.tls_server_name
        self._extensions = {"sni_hostname": name} if name else {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers = httpx2.Headers([*request.headers.multi_items(), *self._headers])
        request.extensions = {**request.extensions, **self._extensions}
        return self._connections.handle_request(request)

    def close(self) -> None:
        self._connections.close()


def _impersonation(user: UserEntry) -> list[tuple[str, str]]:
    single = (("Impersonate-User", user.as_user), ("Impersonate-Uid", user.as_uid))
    return [*((name, value) for name, value in single if value), *(("Impersonate-Group", group) for group in user.as_groups)]


def _proxy(context: ClusterContext) -> str | None:
    """Return the proxy of the entry, else that of the environment, unless `NO_PROXY` has the server."""
    url = context.cluster.proxy_url
    if url and url.partition("://")[0] not in _PROXIES:
        raise InputError.one(context.place, f"proxy-url is {url!r}", ", ".join(f"{scheme}://..." for scheme in _PROXIES))
    if url:
        return url
    server = httpx2.URL(context.cluster.server)
    proxies = getproxies()
    proxy = proxies.get(server.scheme) or proxies.get("all")
    return None if proxy is None or proxy_bypass(server.host) else proxy
