"""Twelve sets like those in public repositories: a few NodePools as teams write them, with limits, taints and autoscalers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tools.benchmarks.workload_sets import (
    REGION,
    ZONES,
    Manifest,
    Shape,
    batch,
    deployment,
    gpu,
    memory_heavy,
    mixed,
    node_class,
    web,
)

AZURE: Final = "eastus"
_AWS: Final = "karpenter.k8s.aws"
_AUTO: Final = "eks.amazonaws.com"
_AKS: Final = "karpenter.azure.com"
_ON_DEMAND: Final = ("on-demand",)
_BOTH: Final = ("spot", "on-demand")
_TIMES: Final = 7


@dataclass(frozen=True, slots=True)
class PublicSet:
    """Objects as a team has them, with the region and its zones; `karpenter` is a release if it is not the newest."""

    name: str
    manifests: tuple[Manifest, ...]
    region: str = REGION
    zones: tuple[str, ...] = ZONES
    karpenter: str | None = None


def public_sets() -> list[PublicSet]:
    """Return the sets, the same on every run."""
    small, mixed_apps, web_apps = _apps("small", 12, web, 1, 4), _apps("limits", 20, mixed, 2, 12), _apps("cpu", 15, web, 3, 15)
    two, whole = _apps("two", 18, mixed, 2, 10), _apps("nodes", 9, batch, 2, 12)
    auto, aks = _apps("auto", 12, web, 3, 12), _apps("aks", 14, mixed, 2, 9)
    scaled, spread, daemons, weighted = (
        _scaled("autoscalers", 12),
        _spread(),
        _with_daemons(),
        _apps("weights", 14, mixed, 2, 8),
    )
    of_cpu = {"cpu": _limits(web_apps)["cpu"]}
    return [
        PublicSet("small spot", (_class(), _burstable(), *small)),
        PublicSet("limits", (_class(), _pool(limits=_limits(mixed_apps)), *mixed_apps)),
        PublicSet("limit of cpu alone", (_class(), _pool(limits=of_cpu, kinds=_ON_DEMAND), *web_apps)),
        PublicSet("autoscalers", (_class(), _pool(limits=_limits(scaled)), *scaled)),
        PublicSet("spot beside on-demand", (_class(), *_two(_limits(two)), *two)),
        PublicSet("tainted accelerators", (_class(), *_accelerators())),
        PublicSet("spread over zones", (_class(), _pool(limits=_limits(spread), kinds=_ON_DEMAND), *spread)),
        PublicSet("limit of nodes", (_class(), _pool(limits={**_limits(whole), "nodes": "60"}), *whole)),
        PublicSet("many daemons", (_class(), _pool(limits=_limits(daemons), kinds=_ON_DEMAND), *daemons)),
        PublicSet("static and weights", (_class(), *_weighted(_limits(weighted)), *weighted)),
        PublicSet("Auto Mode", (_auto_class(), _pool(_AUTO, "NodeClass", node_class="own", limits=_limits(auto)), *auto)),
        PublicSet("AKS", (_aks_class(), _aks_pool(_limits(aks)), *aks), AZURE, (), "1.14"),
    ]


def _limits(objects: Sequence[Manifest]) -> dict[str, str]:
    """Return limits of about six times the nodes that Deployments need."""
    cpu, memory = 0, 0
    for each in objects:
        if each["kind"] == "Deployment":
            requests = each["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"]
            cpu += each["spec"]["replicas"] * int(requests["cpu"].removesuffix("m"))
            memory += each["spec"]["replicas"] * int(requests["memory"].removesuffix("Mi"))
    return {"cpu": str(cpu * _TIMES // 1000 + _TIMES), "memory": f"{memory * _TIMES // 1024 + 4 * _TIMES}Gi"}


def _class() -> Manifest:
    spec = {**node_class()["spec"], "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "50Gi"}}]}
    return {**node_class(), "spec": spec}


def _auto_class() -> Manifest:
    selectors = [{"tags": {"team": "a"}}]
    spec = {"role": "NodeRole", "subnetSelectorTerms": selectors, "securityGroupSelectorTerms": selectors}
    return {"apiVersion": f"{_AUTO}/v1", "kind": "NodeClass", "metadata": {"name": "own"}, "spec": spec}


def _aks_class() -> Manifest:
    return {"apiVersion": f"{_AKS}/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "default"}, "spec": {}}


def _is_in(key: str, *values: str) -> Manifest:
    return {"key": key, "operator": "In", "values": list(values)}


def _pool(
    group: str = _AWS,
    kind: str = "EC2NodeClass",
    *,
    name: str = "default",
    limits: Mapping[str, str] | None = None,
    kinds: Sequence[str] = _BOTH,
    requirements: Sequence[Manifest] | None = None,
    node_class: str = "default",
    **more: Any,
) -> Manifest:
    """Return a NodePool as production rules want it; `more` goes beside its template, `taints` into it."""
    prefix = f"{group}/sku-" if group == _AKS else f"{group}/instance-"
    own = requirements
    if own is None:
        own = [_is_in(f"{prefix}family", "D", "E")] if group == _AKS else [
            _is_in(f"{prefix}category", "c", "m", "r"),
            {"key": f"{prefix}generation", "operator": "Gt", "values": ["4"]},
        ]  # fmt: skip
    wanted = [_is_in("kubernetes.io/arch", "amd64"), _is_in("karpenter.sh/capacity-type", *kinds), *own]
    taints = {"taints": more.pop("taints")} if "taints" in more else {}
    spec = {
        "nodeClassRef": {"group": group, "kind": kind, "name": node_class},
        "expireAfter": "336h",
        "terminationGracePeriod": "24h",
        "requirements": wanted,
        **taints,
    }
    whole = {"template": {"spec": spec}, **({"limits": dict(limits)} if limits else {}), **more}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": whole}


def _burstable() -> Manifest:
    types = [_is_in("node.kubernetes.io/instance-type", "t3.medium", "t3.large", "t3a.medium", "t3a.large")]
    return _pool(limits={"cpu": "100", "memory": "160Gi"}, kinds=("spot",), requirements=types)


def _aks_pool(limits: Mapping[str, str]) -> Manifest:
    return _pool(_AKS, "AKSNodeClass", limits=limits, kinds=_ON_DEMAND)


def _apps(seed: str, count: int, shape: Any, least: int, most: int) -> list[Manifest]:
    random = Random(seed)  # noqa: S311 - the same sets on every run, not secrets
    return [deployment(n, shape(random), random.randint(least, most)) for n in range(count)]


def _scaled(seed: str, count: int) -> list[Manifest]:
    found: list[Manifest] = []
    for number, app in enumerate(_apps(seed, count, web, 2, 6)):
        name, replicas = app["metadata"]["name"], app["spec"]["replicas"]
        target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
        spec = {"scaleTargetRef": target, "minReplicas": 1, "maxReplicas": replicas * (2 + number % 3)}
        scaler = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": name}, "spec": spec}
        found += [app, scaler]
    return found


def _two(limits: Mapping[str, str]) -> list[Manifest]:
    spot = _pool(name="spot", kinds=("spot",), limits=limits, weight=20)
    return [spot, _pool(name="steady", kinds=_ON_DEMAND, limits=limits, weight=10)]


def _with_pod(app: Manifest, **fields: Any) -> Manifest:
    template = app["spec"]["template"]
    return {**app, "spec": {**app["spec"], "template": {**template, "spec": {**template["spec"], **fields}}}}


def _accelerators() -> list[Manifest]:
    taints = [{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}]
    accelerated = [
        _is_in(f"{_AWS}/instance-category", "g"),
        {"key": f"{_AWS}/instance-generation", "operator": "Gt", "values": ["3"]},
    ]
    random = Random("accelerators")  # noqa: S311 - the same sets on every run, not secrets
    tolerations = [{"key": "nvidia.com/gpu", "operator": "Exists"}]
    served = [
        _with_pod(deployment(100 + n, Shape(3000, 12_000, 1) if n else gpu(random), 1 + n % 3), tolerations=tolerations)
        for n in range(4)
    ]
    gpus = _pool(name="gpu", kinds=_ON_DEMAND, requirements=accelerated, limits={"nvidia.com/gpu": "40"}, taints=taints)
    beside = _apps("beside accelerators", 10, web, 2, 8)
    return [_pool(limits=_limits(beside)), gpus, *served, *beside]


def _spread() -> list[Manifest]:
    random = Random("spread")  # noqa: S311 - the same sets on every run, not secrets
    return [deployment(n, web(random), 3 * random.randint(1, 6), spread=True) for n in range(14)]


def _with_daemons() -> list[Manifest]:
    found = _apps("daemons", 10, memory_heavy, 2, 8)
    for number in range(8):
        app = deployment(200 + number, Shape(100, 256), 1)
        spec = {key: value for key, value in app["spec"].items() if key != "replicas"}
        found.append({**_with_pod({**app, "spec": spec}, tolerations=[{"operator": "Exists"}]), "kind": "DaemonSet"})
    disk = {"requests": {"cpu": "500m", "memory": "1024Mi", "ephemeral-storage": "12Gi"}}
    container = {"name": "main", "image": "example.com/app", "resources": disk}
    return [*found, _with_pod(deployment(300, Shape(500, 1024), 6), containers=[container])]


def _weighted(limits: Mapping[str, str]) -> list[Manifest]:
    one = [_is_in(f"{_AWS}/instance-family", "m6i"), _is_in(f"{_AWS}/instance-size", "xlarge")]
    static = _pool(name="base", kinds=_ON_DEMAND, replicas=2, limits={"nodes": "4"}, requirements=one)
    return [static, _pool(limits=limits, weight=5), _pool(name="fallback", kinds=_ON_DEMAND, limits=limits)]
