"""Objects put into a real API server as they are written, with their status, and taken out of it again."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from tests.live.api import NOT_FOUND, Api, ApiError
from tests.live.custom_resources import Paths
from tests.live.processes import wait_for

_MERGE: Final = "application/merge-patch+json"
_AT_ONCE: Final = {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0, "propagationPolicy": "Background"}
_SECONDS: Final = 60


def read(*files: Path) -> list[dict[str, Any]]:
    """Return the objects of files of YAML."""
    return [manifest for file in files for manifest in yaml.safe_load_all(file.read_text("utf-8")) if manifest]


class Stored:
    """The objects that a check has put into a cluster."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._paths = Paths(api)
        self._stored: list[str] = []

    def put(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Store an object, and its status if it has one. Returns what is stored."""
        written = copy.deepcopy(dict(manifest))
        status = written.pop("status", None)
        path = self._paths.of(written, written["metadata"]["name"])
        stored: dict[str, Any] = self.api.call("POST", self._paths.of(written), written)
        self._stored.append(path)
        if status:
            stored = self.api.call("PATCH", f"{path}/status", {"status": status}, _MERGE)
        return stored

    def put_all(self, manifests: Iterable[Mapping[str, Any]]) -> None:
        """Store objects in their order."""
        for manifest in manifests:
            self.put(manifest)

    def change(self, manifest: Mapping[str, Any], patch: Mapping[str, Any]) -> None:
        """Change a stored object by a merge patch."""
        self.api.call("PATCH", self._paths.of(manifest, manifest["metadata"]["name"]), patch, _MERGE)

    def get(self, manifest: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return a stored object, or None if it does not exist any longer."""
        try:
            stored: dict[str, Any] = self.api.call("GET", self._paths.of(manifest, manifest["metadata"]["name"]))
        except ApiError as error:
            if error.code == NOT_FOUND:
                return None
            raise
        return stored

    def delete(self, manifest: Mapping[str, Any], **options: Any) -> None:
        """Delete a stored object. One with finalizers stays until somebody removes them."""
        body = {"apiVersion": "v1", "kind": "DeleteOptions", **options}
        self.api.call("DELETE", self._paths.of(manifest, manifest["metadata"]["name"]), body)

    def close(self) -> None:
        """Delete what is left, whatever holds it."""
        for path in reversed(self._stored):
            with contextlib.suppress(ApiError):
                self.api.call("DELETE", path, _AT_ONCE)
            with contextlib.suppress(ApiError):
                self.api.call("PATCH", path, {"metadata": {"finalizers": None}}, _MERGE)
        for path in self._stored:
            wait_for(f"{path} to be deleted", lambda path=path: self._is_deleted(path), _SECONDS)

    def _is_deleted(self, path: str) -> bool:
        try:
            self.api.call("GET", path)
        except ApiError as error:
            return error.code == NOT_FOUND
        return False
