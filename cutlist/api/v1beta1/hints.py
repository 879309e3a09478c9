"""What is said to whoever writes fields into a v1beta1 object that it did not have."""

from __future__ import annotations

from typing import Final

from cutlist.api import ec2nodeclass_kind, nodepool_kind
from cutlist.api._findings import Hints
from cutlist.api.v1beta1.fields import PATTERNS_IN_WORDS

CONTAINER_RUNTIME: Final = "it was removed before v1beta1; containerd is the only runtime"
_NEWER: Final = "it came with v1, so an object that has it is meant as v1: write apiVersion: karpenter.sh/v1"
_OF_POOL: Final = nodepool_kind.HINTS.moved
_OF_CLASS: Final = ec2nodeclass_kind.HINTS.moved

NODE_POOL: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{path: text for path, text in _OF_POOL.items() if path.startswith(("spec.ttl", "spec.cons", "spec.provider"))},
        "spec.template.metadata.name": _OF_POOL["spec.template.metadata.name"],
        "spec.template.spec.kubelet.containerRuntime": CONTAINER_RUNTIME,
        "spec.template.spec.expireAfter": "in v1beta1 it is spec.disruption.expireAfter",
        "spec.template.spec.terminationGracePeriod": _NEWER,
        "spec.template.spec.nodeClassRef.group": "v1beta1 takes apiVersion, such as karpenter.k8s.aws/v1beta1",
        "spec.disruption.budgets.reasons": _NEWER,
        "spec.disruption.terminationGracePeriod": f"it is spec.template.spec.terminationGracePeriod, and {_NEWER}",
        "spec.replicas": _NEWER,
    },
)
NODE_CLAIM: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        "spec.kubelet.containerRuntime": CONTAINER_RUNTIME,
        "spec.expireAfter": _NEWER,
        "spec.terminationGracePeriod": _NEWER,
    },
)
EC2_NODE_CLASS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{path: text for path, text in _OF_CLASS.items() if path.endswith("Selector") or path == "spec.launchTemplate"},
        "spec.kubelet": "in v1beta1 the kubelet is set in the NodePool: spec.template.spec.kubelet",
        "spec.amiSelectorTerms.alias": "aliases came with v1; in v1beta1 spec.amiFamily alone means its newest images",
    },
)
