"""Plans and states in the form of `tofu show -json`, written by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

NODE_POOL: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "general"},
    "spec": {
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}],
                "expireAfter": "720h",
            }
        },
        "limits": {"cpu": "100"},
        "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "1m"},
    },
}
NODE_CLASS: dict[str, Any] = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "node",
        "amiSelectorTerms": [{"alias": "al2023@v20250101"}],
        "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "shop"}}],
        "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "shop"}}],
    },
}
DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 5,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]},
        },
    },
}


def change(
    address: str,
    after: Any,
    unknown: Any = None,
    sensitive: Any = None,
    actions: Sequence[str] = ("create",),
    **more: Any,
) -> dict[str, Any]:
    """Return an entry of `resource_changes`."""
    type_, name = address.partition("[")[0].split(".")[-2:]
    details = {"actions": list(actions), "after": after, "after_unknown": unknown or {}, "after_sensitive": sensitive or {}}
    return {"address": address, "mode": "managed", "type": type_, "name": name, "change": details, **more}


def kubectl(address: str, manifest: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return a `kubectl_manifest`, whose text its provider always marks as sensitive."""
    text = json.dumps(manifest)
    return change(address, {"yaml_body": text, "yaml_body_parsed": text}, {"id": True}, {"yaml_body": True}, **more)


def kubernetes(address: str, manifest: Any, unknown: Any = None, sensitive: Any = None) -> dict[str, Any]:
    """Return a `kubernetes_manifest`; `unknown` and `sensitive` are masks of the manifest."""
    marks = {"manifest": sensitive} if sensitive else {}
    return change(address, {"manifest": manifest}, {"manifest": unknown or {}, "object": True}, marks)


def plan(*changes: Mapping[str, Any], configuration: Any = None, **more: Any) -> str:
    """Return the JSON of a plan."""
    whole = {
        "format_version": "1.2",
        "terraform_version": "1.10.0",
        "planned_values": {"root_module": {}},
        "resource_changes": list(changes),
    }
    configured = {} if configuration is None else {"configuration": {"root_module": configuration}}
    return json.dumps({**whole, **configured, **more})


WHOLE = (
    kubectl("module.karpenter.kubectl_manifest.node_pool", NODE_POOL),
    kubernetes("module.karpenter.kubernetes_manifest.node_class", NODE_CLASS),
    kubernetes('kubernetes_manifest.app["web"]', DEPLOYMENT),
)
"""A NodePool, its node class and a Deployment."""
