"""The CRDs of a live API server: installed in place of others, made lax for a moment, and where their objects are."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tests.live.api import NOT_FOUND, Api, ApiError
from tests.live.processes import wait_for

_CRD: Final = "CustomResourceDefinition"
_SECONDS: Final = 60
_PAUSE: Final = 0.05
_ANYTHING: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_DRY: Final = "?dryRun=All"


class Paths:
    """Where an API server has the objects of each kind, as it says itself."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._resources: dict[str, dict[str, Mapping[str, Any]]] = {}

    def of(self, manifest: Mapping[str, Any], name: str = "") -> str:
        """Return the path of the objects of a kind, or of one of them. Raises ApiError for what the server does not have."""
        version = manifest["apiVersion"]
        base = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if base not in self._resources:
            served = self._api.call("GET", base)["resources"]
            self._resources[base] = {resource["kind"]: resource for resource in served if "/" not in resource["name"]}
        resource = self._resources[base].get(manifest["kind"])
        if resource is None:
            raise ApiError(NOT_FOUND, f"no kind {manifest['kind']} in {version}")
        namespace = manifest["metadata"].get("namespace") or "default"
        folder = f"/namespaces/{namespace}" if resource["namespaced"] else ""
        return f"{base}{folder}/{resource['name']}" + (f"/{name}" if name else "")


def install(api: Api, crds: Sequence[Mapping[str, Any]]) -> None:
    """Replace all CRDs with these, and wait until their objects are served. Objects of the others are deleted."""
    for crd in api.items(_CRD):
        api.delete(_CRD, crd["metadata"]["name"])
    wait_for("the CRDs of before to be gone", lambda: not api.items(_CRD), _SECONDS, _PAUSE)
    for crd in crds:
        api.create(crd)
    for crd in crds:
        for path in _paths(crd):
            wait_for(f"{path} to be served", lambda path=path: _is_served(api, path), _SECONDS, _PAUSE)


@contextlib.contextmanager
def lax(api: Api, manifest: Mapping[str, Any]) -> Iterator[None]:
    """Let the CRD of an object accept anything for some time. The object is one that it refuses otherwise."""
    crd = next(crd for crd in api.items(_CRD) if crd["spec"]["names"]["kind"] == manifest["kind"])
    name, path = crd["metadata"]["name"], Paths(api).of(manifest)
    anything = copy.deepcopy(crd["spec"]["versions"])
    for version in anything:
        version["schema"] = {"openAPIV3Schema": _ANYTHING}
    api.patch(_CRD, name, {"spec": {"versions": anything}})
    wait_for(f"{name} to accept anything", lambda: _accepts(api, path, manifest), _SECONDS, _PAUSE)
    try:
        yield
    finally:
        api.patch(_CRD, name, {"spec": {"versions": crd["spec"]["versions"]}})
        other = {**manifest, "metadata": {**manifest["metadata"], "name": "other"}}
        wait_for(f"{name} to be strict again", lambda: not _accepts(api, path, other), _SECONDS, _PAUSE)


def _accepts(api: Api, path: str, manifest: Mapping[str, Any]) -> bool:
    try:
        api.call("POST", path + _DRY, manifest)
    except ApiError:
        return False
    return True


def _paths(crd: Mapping[str, Any]) -> list[str]:
    spec = crd["spec"]
    return [f"/apis/{spec['group']}/{v['name']}/{spec['names']['plural']}" for v in spec["versions"] if v["served"]]


def _is_served(api: Api, path: str) -> bool:
    try:
        api.call("GET", path)
    except ApiError:
        return False
    return True
