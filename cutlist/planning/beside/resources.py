"""Node groups as resources of Terraform and OpenTofu, and as calls of a module."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.documents.members import mapping, text
from cutlist.documents.terraform.opentofu import EKS_MODULE
from cutlist.planning.beside.declared import AKS, EKS, SELF_MANAGED, Spec
from cutlist.planning.beside.values import block, integer, is_true, items, labels, texts, whole

DEFAULT_TYPE: Final = ["t3.medium"]
"""The type of a managed node group that names none, neither itself nor by its launch template."""
AUTOSCALED: Final = "k8s.io/cluster-autoscaler/enabled"
"""The tag by which Cluster Autoscaler finds the groups that it manages."""
_SPOT_TAINT: Final = {"key": "kubernetes.azure.com/scalesetpriority", "value": "spot", "effect": "NoSchedule"}
_CRITICAL: Final = {"key": "CriticalAddonsOnly", "value": "true", "effect": "NoSchedule"}
_TAINT: Final = re.compile(r"([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)")
_EFFECTS: Final = {"NO_SCHEDULE": "NoSchedule", "PREFER_NO_SCHEDULE": "PreferNoSchedule", "NO_EXECUTE": "NoExecute"}
_KUBELET: Final = re.compile(r"--(node-labels|register-with-taints)=([^\s'\"]+)")
_SELF_MANAGED_TYPE: Final = "m6i.large"
Named = tuple[str, Spec]


def groups_of(type_: str, values: Mapping[str, Any]) -> list[Named]:
    """Return the name and the spec of each node group that a resource, or a call of a module, makes."""
    reader = _READERS.get(type_)
    return [(name, spec) for name, spec in reader(values) if name] if reader is not None else []


def _of_eks(values: Mapping[str, Any]) -> Iterator[Named]:
    """Yield a managed node group; a prefix stands for a name of which EKS decides the end."""
    scaling = block(values.get("scaling_config"))
    types = texts(values.get("instance_types"))
    is_unknown = bool(values.get("launch_template")) or isinstance(values.get("instance_types"), str)
    name = text(values.get("node_group_name")) or text(values.get("node_group_name_prefix")).rstrip("-")
    spec = {
        "kind": EKS,
        "labels": labels(values.get("labels")),
        "taints": _taints(items(values.get("taint"))),
        "instanceTypes": types or ([] if is_unknown else DEFAULT_TYPE),
        "capacityType": _capacity(values.get("capacity_type")),
        "min": integer(scaling.get("min_size")),
        "desired": integer(scaling.get("desired_size")),
        "max": integer(scaling.get("max_size")),
        "autoscaled": AUTOSCALED in mapping(values.get("tags")) or None,
    }
    yield name, whole(spec)


def _of_module(values: Mapping[str, Any]) -> Iterator[Named]:
    """Yield the groups of a call of terraform-aws-modules/eks: a group's own settings override the defaults."""
    for member, kind in (("eks_managed_node_groups", EKS), ("self_managed_node_groups", SELF_MANAGED)):
        defaults = mapping(values.get(f"{member.removesuffix('s')}_defaults"))
        for key, written in mapping(values.get(member)).items():
            group = {**defaults, **mapping(written)}
            kubelet = _of_kubelet(text(group.get("bootstrap_extra_args")))
            own = [text(group.get("instance_type")) or _SELF_MANAGED_TYPE] if kind == SELF_MANAGED else DEFAULT_TYPE
            spec = {
                "kind": kind,
                "labels": {**labels(group.get("labels")), **labels(kubelet.get("labels"))},
                "taints": [*_taints(items(group.get("taints"))), *kubelet.get("taints", [])],
                "instanceTypes": texts(group.get("instance_types")) or own,
                "capacityType": _capacity(group.get("capacity_type")),
                "min": integer(group.get("min_size", 1)),
                "desired": integer(group.get("desired_size", 1)),
                "max": integer(group.get("max_size", 3)),
                "autoscaled": AUTOSCALED in mapping(group.get("tags")) or None,
            }
            yield text(group.get("name")) or str(key), whole(spec)


def _of_kubelet(arguments: str) -> dict[str, Any]:
    """Return the labels and taints that arguments of the kubelet set."""
    written = dict(_KUBELET.findall(arguments))
    pairs = (pair.partition("=") for pair in written.get("node-labels", "").split(",") if pair)
    return {
        "labels": {key: value for key, _, value in pairs},
        "taints": _written_taints(written.get("register-with-taints", "").split(",")),
    }


def _of_aks_cluster(values: Mapping[str, Any]) -> Iterator[Named]:
    """Yield the default pool of a cluster, which is always one for system pods."""
    pool = block(values.get("default_node_pool"))
    spec = _aks_pool(pool, "System")
    critical = [_CRITICAL] if is_true(pool.get("only_critical_addons_enabled")) else []
    yield text(pool.get("name")), whole({**spec, "taints": [*spec["taints"], *critical]})


def _of_aks_pool(values: Mapping[str, Any]) -> Iterator[Named]:
    yield text(values.get("name")), whole(_aks_pool(values, text(values.get("mode")) or "User"))


def _aks_pool(pool: Mapping[str, Any], mode: str) -> dict[str, Any]:
    size, is_spot = text(pool.get("vm_size")), text(pool.get("priority")) == "Spot"
    scaled = is_true(pool.get("auto_scaling_enabled")) or is_true(pool.get("enable_auto_scaling"))
    return {
        "kind": AKS,
        "labels": {"kubernetes.azure.com/mode": mode.lower(), **labels(pool.get("node_labels"))},
        "taints": [*_written_taints(texts(pool.get("node_taints"))), *([_SPOT_TAINT] if is_spot else [])],
        "instanceTypes": [size] if size else [],
        "capacityType": SPOT if is_spot else ON_DEMAND,
        "min": integer(pool.get("min_count")),
        "desired": integer(pool.get("node_count")),
        "max": integer(pool.get("max_count")),
        "autoscaled": scaled or None,
    }


def _capacity(value: Any) -> str:
    return SPOT if text(value).upper() == "SPOT" else ON_DEMAND


def _taints(written: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return taints in the form of manifests; EKS writes their effects in capitals."""
    effects = ((taint, text(taint.get("effect"))) for taint in written if text(taint.get("key")))
    return [{**{k: text(t.get(k)) for k in ("key", "value")}, "effect": _EFFECTS.get(effect, effect)} for t, effect in effects]


def _written_taints(written: Iterable[str]) -> list[dict[str, str]]:
    """Return the taints of texts such as `dedicated=gpu:NoSchedule`."""
    matches = (_TAINT.fullmatch(taint) for taint in written)
    return [{"key": match[1], "value": match[2] or "", "effect": match[3]} for match in matches if match]


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[Named]]]] = {
    "aws_eks_node_group": _of_eks,
    "azurerm_kubernetes_cluster": _of_aks_cluster,
    "azurerm_kubernetes_cluster_node_pool": _of_aks_pool,
    EKS_MODULE: _of_module,
}
