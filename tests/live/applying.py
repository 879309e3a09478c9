"""A stand-in for Pulumi's provider for Kubernetes that applies objects to a real API server, for machines without the provider.

It does with objects what that provider does: server-side apply by the field manager that an annotation names, as a dry run in
the preview of an update, a wait for what another annotation names, deletion until the object no longer exists. What is not an
object, such as a release of a chart, is played as by every stand-in.
"""

# ruff: noqa: N802 - the methods are called what the protocol calls them

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from tests.engine.provider import DEFAULTS, StandIn, plain
from tests.live.api import NOT_FOUND, Api, ApiError
from tests.live.custom_resources import Paths
from tests.live.processes import StartError, wait_for

PACKAGE: Final = "kubernetes"
_APPLY: Final = "application/apply-patch+yaml"
_PREFIX: Final = "pulumi.com/"
_SECONDS: Final = 60


class Applying(StandIn):
    """The provider, on one API server whatever a program says."""

    def __init__(self, version: str, journal: Path, api: Api) -> None:
        super().__init__(PACKAGE, version, journal)
        self._api = api

    def Create(self, request: Any, context: Any) -> Any:
        manifest = plain(request.properties)
        if not request.preview and _is_object(manifest) and self._stored(manifest) is not None:
            context.abort(grpc.StatusCode.ALREADY_EXISTS, f"{manifest['kind']} {manifest['metadata']['name']} already exists")
        if not request.preview:
            self._applied(manifest, context)
        return super().Create(request, context)

    def Update(self, request: Any, context: Any) -> Any:
        self._applied(plain(request.news), context, "&dryRun=All" if request.preview else "")
        return super().Update(request, context)

    def Read(self, request: Any, context: Any) -> Any:
        manifest = plain(request.inputs)
        if _is_object(manifest) and self._stored(manifest) is None:
            return provider_pb2.ReadResponse()
        return super().Read(request, context)

    def Delete(self, request: Any, context: Any) -> Any:
        manifest = plain(request.properties)
        if _is_object(manifest):
            policy = _annotation(manifest, "deletionPropagationPolicy") or "foreground"
            options = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": policy.title()}
            self._called(context, lambda: self._api.call("DELETE", self._path(manifest), options))
            self._wait(context, manifest, "to be deleted", lambda: self._stored(manifest) is None)
        super().Delete(request, context)
        return empty_pb2.Empty()

    def _applied(self, manifest: Mapping[str, Any], context: Any, query: str = "") -> None:
        """Apply an object, and wait for what its annotations say; anything else is left alone."""
        if not _is_object(manifest):
            return
        body = {key: value for key, value in manifest.items() if key != DEFAULTS}
        force = _annotation(manifest, "patchForce") == "true"
        query = f"?fieldManager={_annotation(manifest, 'patchFieldManager')}&force={str(force).lower()}{query}"
        self._called(context, lambda: self._api.call("PATCH", self._path(manifest) + query, body, _APPLY))
        if (condition := _annotation(manifest, "waitFor")) and "dryRun" not in query:
            self._wait(context, manifest, f"to have {condition}", lambda: _has(self._stored(manifest), condition))

    def _called(self, context: Any, call: Callable[[], Any]) -> None:
        try:
            call()
        except ApiError as error:
            if error.code != NOT_FOUND:
                context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))

    def _wait(self, context: Any, manifest: Mapping[str, Any], what: str, condition: Callable[[], bool]) -> None:
        try:
            wait_for(f"{manifest['kind']} {manifest['metadata']['name']} {what}", condition, _SECONDS)
        except StartError as error:
            context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, str(error))

    def _path(self, manifest: Mapping[str, Any]) -> str:
        return Paths(self._api).of(manifest, manifest["metadata"]["name"])

    def _stored(self, manifest: Mapping[str, Any]) -> Mapping[str, Any] | None:
        try:
            stored: Mapping[str, Any] = self._api.call("GET", self._path(manifest))
        except ApiError as error:
            if error.code == NOT_FOUND:
                return None
            raise
        return stored


def _is_object(inputs: Mapping[str, Any]) -> bool:
    return {"apiVersion", "kind", "metadata"} <= inputs.keys()


def _annotation(manifest: Mapping[str, Any], name: str) -> str:
    return str((manifest["metadata"].get("annotations") or {}).get(_PREFIX + name, ""))


def _has(stored: Mapping[str, Any] | None, condition: str) -> bool:
    """Tell whether an object has a condition such as `condition=Ready`."""
    kind = condition.removeprefix("condition=")
    conditions = ((stored or {}).get("status") or {}).get("conditions") or []
    return any(each["type"] == kind and each["status"] == "True" for each in conditions)


def applying(version: str, journal: Path, api: Api) -> Callable[[grpc.Server], None]:
    """Return what puts the stand-in on a server."""
    return partial(provider_pb2_grpc.add_ResourceProviderServicer_to_server, Applying(version, journal, api))
