"""A cluster behind lightkube: complete lists of paginated answers, read-only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx2
import msgspec
from lightkube.core.exceptions import ConfigError
from lightkube.generic_resource import GenericGlobalResource, create_api_info

from cutlist.core.errors import InputError
from cutlist_live.cluster_failures import BUSY, DENIED, GONE, MISSING, of_configuration, of_connection, of_status
from cutlist_live.connection import Connection
from cutlist_live.errors import NotListedError
from cutlist_live.kinds import SnapshotKind
from cutlist_live.kubeconfig_entries import ClusterContext
from cutlist_live.progress import Watcher

PAGE: Final = 500  # objects per answer, as many as kubectl requests
_PAUSES: Final = (1.0, 3.0)  # seconds before the second and the third attempt on a busy server
_OF_CREDENTIALS: Final = (ConfigError, OSError)
_NO_LIST: Final = (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError)


class ClusterClient:
    """Calls the API server of a kubeconfig's cluster. It only ever lists. `pause` waits for some seconds."""

    def __init__(
        self, context: ClusterContext, watcher: Watcher | None = None, pause: Callable[[float], object] = time.sleep
    ) -> None:
        self._context = context
        self._watcher = watcher or Watcher()
        self._pause = pause
        self._server = context.cluster.server
        try:
            self._connection = Connection(context)
        except (*_OF_CREDENTIALS, *_NO_LIST) as error:
            raise of_configuration(context.place, error) from error

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def all_of(self, kind: SnapshotKind) -> tuple[str, list[dict[str, Any]]]:
        """Return the first served version of a kind, and all its objects in all namespaces.

        Raises NotListedError for a kind that may not be listed or does not exist, InputError for errors that stop everything.
        """
        for version in kind.versions[:-1]:
            try:
                return version, self._listed(kind, version)
            except NotListedError as error:
                if error.status != MISSING:
                    raise
        return kind.versions[-1], self._listed(kind, kind.versions[-1])

    def _listed(self, kind: SnapshotKind, version: str) -> list[dict[str, Any]]:
        self._watcher.asking(self._context.name, kind.plural)
        pauses = iter(_PAUSES)
        page: int | None = PAGE
        while True:
            try:
                return list(self._items(kind, version, page))
            except httpx2.HTTPStatusError as error:
                code = error.response.status_code
                if code == GONE and page is not None:
                    page = None  # the list expired while it was read page by page: now all of it at once, as kubectl does
                    continue
                wait = next(pauses, None) if code in BUSY else None
                if wait is None:
                    raise self._refused(kind, version, error) from error
                self._pause(wait)
            except (httpx2.TransportError, *_OF_CREDENTIALS, *_NO_LIST) as error:
                raise self._failed(kind, error) from error

    def _items(self, kind: SnapshotKind, version: str, page: int | None) -> Iterator[dict[str, Any]]:
        resource = _resource(kind, version)
        for number, item in enumerate(self._connection.api.list(resource, chunk_size=page), 1):
            if number % PAGE == 0:
                self._watcher.answered(PAGE)
            if not isinstance(item.get("metadata"), dict):
                raise ValueError("an entry has no metadata")
            yield item

    def _refused(self, kind: SnapshotKind, version: str, error: httpx2.HTTPStatusError) -> NotListedError | InputError:
        """Return the exception for an error status. What is denied and does not exist is missing."""
        refusal = of_status(self._server, kind.resource, error)
        is_denied = isinstance(refusal, NotListedError) and refusal.status == DENIED
        if is_denied and not self._connection.is_served(kind.api_version(version), kind.plural):
            return NotListedError(kind.resource, MISSING)
        return refusal

    def _failed(self, kind: SnapshotKind, error: Exception) -> InputError:
        """Return the exception for an answer that is missing or not a list, or for credentials that cannot be read."""
        if isinstance(error, _OF_CREDENTIALS):
            return of_configuration(self._context.place, error)
        return of_connection(self._server, kind.resource, error)


def _resource(kind: SnapshotKind, version: str) -> type[GenericGlobalResource]:
    """Return the kind as lightkube's class. Lists over all namespaces have the same path as those of unnamespaced kinds."""
    info = create_api_info(kind.group, version, kind.kind, kind.plural, ["list"])
    return type(kind.kind, (GenericGlobalResource,), {"_api_info": info})
