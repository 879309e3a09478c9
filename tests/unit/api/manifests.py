"""Valid objects to begin with, and how a test says what is wrong with a changed one."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from cutlist import EC2NodeClass, NodePool
from cutlist.core.errors import InputError, Problem
from cutlist.core.karpenter.baselines import BASELINES

POOL: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "general"},
    "spec": {
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
            }
        }
    },
}

CLASS: dict[str, Any] = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "KarpenterNodeRole-demo",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
        "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
    },
}

REMOVED = object()
V1_14 = BASELINES[0]
"""Whose rules the pages on objects describe."""


def changed(manifest: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with some paths set, or taken out where the value is REMOVED."""
    copied = copy.deepcopy(manifest)
    for path, value in changes.items():
        *parents, last = path.split(".")
        holder = copied
        for parent in parents:
            holder = holder.setdefault(parent, {})
        if value is REMOVED:
            del holder[last]
        else:
            holder[last] = value
    return copied


def pool(changes: dict[str, Any] | None = None) -> NodePool:
    """Return the valid pool with some paths below `spec` changed, as Karpenter 1.14 has it."""
    return NodePool.from_manifest(changed(POOL, {f"spec.{path}": value for path, value in (changes or {}).items()}), V1_14)


def node_class(changes: dict[str, Any] | None = None) -> EC2NodeClass:
    """Return the valid class with some paths below `spec` changed, as Karpenter 1.14 has it."""
    return EC2NodeClass.from_manifest(changed(CLASS, {f"spec.{path}": value for path, value in (changes or {}).items()}), V1_14)


def pool_problems(changes: dict[str, Any]) -> list[str]:
    """Return what is wrong with the changed pool, each as `path: message`."""
    with pytest.raises(InputError) as error:
        pool(changes)
    return [said(p).removeprefix("NodePool/general spec.") for p in error.value.problems]


def class_problems(changes: dict[str, Any]) -> list[str]:
    """Return what is wrong with the changed class, each as `path: message`."""
    with pytest.raises(InputError) as error:
        node_class(changes)
    return [said(p).removeprefix("EC2NodeClass/default spec").removeprefix(".") for p in error.value.problems]


def said(problem: Problem) -> str:
    """Return a problem without the word on who refuses it."""
    return str(replace(problem, layer=""))
