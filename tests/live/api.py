"""A client of the API server of a live cluster, by kinds."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx2

from tests.live.scenario import Object

NOT_FOUND: Final = 404
CONFLICT: Final = 409
_BUSY: Final = 429
_ATTEMPTS: Final = 40
_MERGE: Final = "application/merge-patch+json"
_APPLY: Final = "application/apply-patch+yaml"


class Kind(NamedTuple):
    """Where the API server has the objects of a kind."""

    api_version: str
    plural: str
    is_namespaced: bool = False


KINDS: Final = {
    "Pod": Kind("v1", "pods", True),
    "Node": Kind("v1", "nodes"),
    "Namespace": Kind("v1", "namespaces"),
    "Event": Kind("v1", "events", True),
    "PersistentVolumeClaim": Kind("v1", "persistentvolumeclaims", True),
    "PersistentVolume": Kind("v1", "persistentvolumes"),
    "PodTemplate": Kind("v1", "podtemplates", True),
    "ReplicationController": Kind("v1", "replicationcontrollers", True),
    "Service": Kind("v1", "services", True),
    "LimitRange": Kind("v1", "limitranges", True),
    "ResourceQuota": Kind("v1", "resourcequotas", True),
    "ConfigMap": Kind("v1", "configmaps", True),
    "Secret": Kind("v1", "secrets", True),
    "ServiceAccount": Kind("v1", "serviceaccounts", True),
    "Deployment": Kind("apps/v1", "deployments", True),
    "ReplicaSet": Kind("apps/v1", "replicasets", True),
    "StatefulSet": Kind("apps/v1", "statefulsets", True),
    "DaemonSet": Kind("apps/v1", "daemonsets", True),
    "Job": Kind("batch/v1", "jobs", True),
    "CronJob": Kind("batch/v1", "cronjobs", True),
    "PodDisruptionBudget": Kind("policy/v1", "poddisruptionbudgets", True),
    "StorageClass": Kind("storage.k8s.io/v1", "storageclasses"),
    "CSIDriver": Kind("storage.k8s.io/v1", "csidrivers"),
    "CSINode": Kind("storage.k8s.io/v1", "csinodes"),
    "VolumeAttachment": Kind("storage.k8s.io/v1", "volumeattachments"),
    "PriorityClass": Kind("scheduling.k8s.io/v1", "priorityclasses"),
    "DeviceClass": Kind("resource.k8s.io/v1", "deviceclasses"),
    "ResourceSlice": Kind("resource.k8s.io/v1", "resourceslices"),
    "ResourceClaim": Kind("resource.k8s.io/v1", "resourceclaims", True),
    "ResourceClaimTemplate": Kind("resource.k8s.io/v1", "resourceclaimtemplates", True),
    "RuntimeClass": Kind("node.k8s.io/v1", "runtimeclasses"),
    "ClusterRole": Kind("rbac.authorization.k8s.io/v1", "clusterroles"),
    "ClusterRoleBinding": Kind("rbac.authorization.k8s.io/v1", "clusterrolebindings"),
    "CustomResourceDefinition": Kind("apiextensions.k8s.io/v1", "customresourcedefinitions"),
    "NodePool": Kind("karpenter.sh/v1", "nodepools"),
    "NodeClaim": Kind("karpenter.sh/v1", "nodeclaims"),
    "NodeOverlay": Kind("karpenter.sh/v1alpha1", "nodeoverlays"),
    "CapacityBuffer": Kind("autoscaling.x-k8s.io/v1beta1", "capacitybuffers", True),
    "KWOKNodeClass": Kind("karpenter.kwok.sh/v1alpha1", "kwoknodeclasses"),
    "EC2NodeClass": Kind("karpenter.k8s.aws/v1", "ec2nodeclasses"),
}


class ApiError(Exception):
    """An answer of the API server that is an error; `code` is its HTTP status, `status` its Status object."""

    def __init__(self, code: int, status: Any) -> None:
        self.code = code
        self.status = status
        super().__init__(f"{code}: {status.get('message') if isinstance(status, dict) else status}")


class Api:
    """Calls an API server on this machine as the owner of a token."""

    def __init__(self, server: str, authority: Path, token: str) -> None:
        self.warnings: list[str] = []
        """What the server warned of in its last answer."""
        context = ssl.create_default_context(cafile=str(authority))
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._client = httpx2.Client(base_url=server, verify=context, headers=headers, timeout=60, trust_env=False)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def call(self, method: str, path: str, body: Object | None = None, content_type: str = "application/json") -> Any:
        """Return the answer to a request. Raises ApiError for an error, httpx2.TransportError where there is no answer.

        A server that makes ready for a new kind asks to come again: that is done for what only reads.
        """
        content = None if body is None else json.dumps(body)
        headers = {"Content-Type": content_type} if content else {}
        response = self._client.request(method, path, content=content, headers=headers)
        for _ in range(_ATTEMPTS if method == "GET" else 0):
            if response.status_code != _BUSY:
                break
            time.sleep(0.5)
            response = self._client.request(method, path, content=content, headers=headers)
        self.warnings = response.headers.get_list("warning")
        try:
            answer = response.json()
        except ValueError:
            answer = response.text
        if response.is_error:
            raise ApiError(response.status_code, answer)
        return answer

    def items(self, kind: str, query: str = "") -> list[dict[str, Any]]:
        """Return all objects of a kind in all namespaces, each with its apiVersion and kind."""
        answer = self.call("GET", path_of(kind, everywhere=True) + query)
        return [{"apiVersion": KINDS[kind].api_version, "kind": kind, **item} for item in answer["items"]]

    def watched(self, kind: str) -> Iterator[dict[str, Any]]:
        """Yield the objects of a kind, first all there are, then each that changes, as long as the server sends them."""
        answer = self.call("GET", path_of(kind, everywhere=True))
        yield from answer["items"]
        version = answer["metadata"]["resourceVersion"]
        path = f"{path_of(kind, everywhere=True)}?watch=1&resourceVersion={version}"
        with self._client.stream("GET", path, timeout=None) as response:
            for line in response.iter_lines():
                event = json.loads(line)
                if event["type"] == "ERROR":  # the server has forgotten this version
                    return
                if event["type"] != "DELETED":
                    yield event["object"]

    def get(self, kind: str, name: str, namespace: str | None = None) -> dict[str, Any]:
        """Return an object. Raises ApiError where it does not exist."""
        answer: dict[str, Any] = self.call("GET", path_of(kind, name, namespace))
        return answer

    def create(self, manifest: Object, query: str = "") -> dict[str, Any]:
        """Create an object, and return it as it is stored."""
        path = path_of(manifest["kind"], namespace=manifest["metadata"].get("namespace"))
        answer: dict[str, Any] = self.call("POST", path + query, manifest)
        return answer

    def apply(self, manifest: Object, manager: str = "live") -> dict[str, Any]:
        """Apply an object on the server, overriding other managers, and return it as it is stored."""
        metadata = manifest["metadata"]
        path = path_of(manifest["kind"], metadata["name"], metadata.get("namespace"))
        answer: dict[str, Any] = self.call("PATCH", f"{path}?fieldManager={manager}&force=true", manifest, _APPLY)
        return answer

    def patch(self, kind: str, name: str, patch: Object, namespace: str | None = None, subresource: str = "") -> dict[str, Any]:
        """Change an object by a merge patch, and return it as it is stored."""
        path = path_of(kind, name, namespace) + (f"/{subresource}" if subresource else "")
        answer: dict[str, Any] = self.call("PATCH", path, patch, _MERGE)
        return answer

    def delete(self, kind: str, name: str, namespace: str | None = None, **options: Any) -> None:
        """Delete an object, if it exists."""
        body = {"apiVersion": "v1", "kind": "DeleteOptions", **options}
        try:
            self.call("DELETE", path_of(kind, name, namespace), body)
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise

    def delete_all(self, kind: str, namespace: str = "default", **options: Any) -> None:
        """Delete all objects of a kind in a namespace, or in the cluster for a kind that has none."""
        self.call("DELETE", path_of(kind, namespace=namespace), {"apiVersion": "v1", "kind": "DeleteOptions", **options})


def path_of(kind: str, name: str | None = None, namespace: str | None = None, everywhere: bool = False) -> str:
    """Return the path of an object, or of the objects of a kind in a namespace or `everywhere`."""
    api_version, plural, is_namespaced = KINDS[kind]
    base = f"/api/{api_version}" if "/" not in api_version else f"/apis/{api_version}"
    folder = f"/namespaces/{namespace or 'default'}" if is_namespaced and not everywhere else ""
    return f"{base}{folder}/{plural}" + (f"/{name}" if name else "")
