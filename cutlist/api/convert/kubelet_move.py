"""The move of the kubelet from NodePools to their EC2NodeClass (spec: api-objects 7.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutlist.api.convert.changes import ConversionChange
from cutlist.api.convert.edits import Edit, Remove, Set
from cutlist.api.convert.nodepool import SPEC

Kubelet = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PoolKubelet:
    """A pool of a class, with the path and the value of its kubelet, None without one."""

    pool: str
    kubelet: Kubelet | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A class in the form that some pools need: its name, its kubelet (None for none), and those pools."""

    name: str
    kubelet: Kubelet | None
    pools: tuple[str, ...]


def variants(node_class: str, own: Kubelet | None, pools: Sequence[PoolKubelet]) -> tuple[Variant, ...]:
    """Return the classes that replace a class: itself, or one class for each kubelet of its pools. The kubelet of a pool takes
    precedence over that of the class, as in Karpenter 1.0. Pools that need the class unchanged keep it; every other kubelet
    gets a class `<class>-<pool>`, named after the first of its pools by name.
    """
    groups: dict[str, tuple[Kubelet | None, list[str]]] = {}
    for moved in sorted(pools, key=lambda p: p.pool):
        kubelet = own if moved.kubelet is None else moved.kubelet or None
        groups.setdefault(json.dumps(kubelet, sort_keys=True), (kubelet, []))[1].append(moved.pool)
    if len(groups) < 2:
        kubelet, members = next(iter(groups.values()), (own, []))
        return (Variant(node_class, kubelet, tuple(members)),)
    named = [Variant(node_class if k == own else f"{node_class}-{m[0]}", k, tuple(m)) for k, m in groups.values()]
    return tuple(sorted(named, key=lambda v: v.name != node_class))


def changes_of_pool(moved: PoolKubelet, node_class: str, variant: Variant) -> Iterator[ConversionChange]:
    """Yield the changes to a pool of a class, which now gets its kubelet from a variant."""
    where = ".".join((*SPEC, "kubelet"))
    edits: tuple[Edit, ...] = (Remove((*SPEC, "kubelet")),) if moved.path == where else ()
    if moved.kubelet:
        text = f"the kubelet is set in the node class now: it moves to EC2NodeClass {variant.name}"
        yield ConversionChange("carried over", text, moved.path, f"EC2NodeClass {variant.name}: spec.kubelet", edits=edits)
    elif moved.kubelet is not None:
        yield ConversionChange("carried over", "an empty kubelet is left out", moved.path, edits=edits)
    if variant.name != node_class:
        path = (*SPEC, "nodeClassRef", "name")
        text = f"the class is {variant.name} now, made for this kubelet; a pool with another class gets new nodes"
        yield ConversionChange("changes meaning", text, ".".join(path), ".".join(path), edits=(Set(path, variant.name),))


def changes_of_class(node_class: str, own: Kubelet | None, variants: Sequence[Variant]) -> Iterator[ConversionChange]:
    """Yield the messages about a class that receives kubelets."""
    if len(variants) > 1:
        listed = ", ".join(f"{v.name} for NodePool {', '.join(v.pools)}" for v in variants)
        text = f"its pools have different kubelets, so there is a class for each: {listed}"
        is_gone = all(v.name != node_class for v in variants)
        advice = f"delete EC2NodeClass {node_class} from the cluster after its last node was removed" if is_gone else ""
        yield ConversionChange("changes meaning", text, "metadata.name", "metadata.name", advice)
    elif own and variants[0].kubelet != own:
        text = "the kubelet of the pools takes the place of the one the class had, as it won over it in Karpenter 1.0"
        yield ConversionChange("changes meaning", text, "spec.kubelet", "spec.kubelet")
    if len(variants) == 1 and variants[0].kubelet != own:
        text = "the kubelet is part of the class's hash: Karpenter sees drift and replaces all nodes of the class"
        advice = "apply it when that suits; the budgets of the pools limit how many nodes go at a time"
        yield ConversionChange("changes meaning", text, "", "spec.kubelet", advice)


def edits_of_class(variant: Variant, own: Kubelet | None) -> Iterator[Edit]:
    """Yield the edits that turn a class into one of its variants."""
    yield Set(("metadata", "name"), variant.name)
    if variant.kubelet is not None:
        yield Set(("spec", "kubelet"), dict(variant.kubelet))
    elif own is not None:
        yield Remove(("spec", "kubelet"))
