"""Node groups of a ClusterConfig of eksctl, with the defaults of eksctl."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.documents.members import mapping, text
from cutlist.planning.beside.declared import EKSCTL, SELF_MANAGED
from cutlist.planning.beside.resources import AUTOSCALED, Named
from cutlist.planning.beside.values import integer, is_true, items, labels, texts, whole

_TYPE: Final = "m5.large"
_NODES: Final = 2


def groups_of_config(config: Mapping[str, Any]) -> Iterator[Named]:
    """Yield the name and the spec of each node group: of `managedNodeGroups`, and of `nodeGroups`, which eksctl manages by an
    Auto Scaling group."""
    for member, kind in (("managedNodeGroups", EKSCTL), ("nodeGroups", SELF_MANAGED)):
        for group in items(config.get(member)):
            if name := text(group.get("name")):
                yield name, whole(_spec(group, kind, mapping(config.get("metadata"))))


def _spec(group: Mapping[str, Any], kind: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    minimum, desired, maximum = (integer(group.get(key)) for key in ("minSize", "desiredCapacity", "maxSize"))
    distribution = mapping(group.get("instancesDistribution"))
    named = [*texts(group.get("instanceTypes")), *texts(distribution.get("instanceTypes")), text(group.get("instanceType"))]
    types = [name for name in named if name and name != "mixed"]
    add_ons = mapping(mapping(group.get("iam")).get("withAddonPolicies"))
    sizes = [size for size in (desired, minimum) if size is not None]
    only_spot = integer(distribution.get("onDemandPercentageAboveBaseCapacity")) == 0 and not integer(
        distribution.get("onDemandBaseCapacity")
    )
    cluster = text(metadata.get("name"))
    own = {"alpha.eksctl.io/cluster-name": cluster} if cluster else {}
    return {
        "kind": kind,
        "labels": {**own, "alpha.eksctl.io/nodegroup-name": text(group.get("name")), **labels(group.get("labels"))},
        "taints": _taints(group.get("taints")),
        "instanceTypes": types or ([] if group.get("instanceSelector") else [_TYPE]),
        "capacityType": SPOT if is_true(group.get("spot")) or only_spot else ON_DEMAND,
        "min": minimum,
        "desired": sizes[0] if sizes else min(_NODES, maximum) if maximum is not None else _NODES,
        "max": maximum,
        "autoscaled": is_true(add_ons.get("autoScaler")) or AUTOSCALED in mapping(group.get("tags")) or None,
        "zones": texts(group.get("availabilityZones")),
    }


def _taints(written: Any) -> list[dict[str, str]]:
    """Return taints, which are a list as in manifests, or a mapping from key to `value:effect`."""
    if isinstance(written, Mapping):
        parts = ((str(key), text(value).rpartition(":")) for key, value in written.items())
        return [{"key": key, "value": value, "effect": effect} for key, (value, _, effect) in parts]
    return [{key: text(taint.get(key)) for key in ("key", "value", "effect")} for taint in items(written)]
