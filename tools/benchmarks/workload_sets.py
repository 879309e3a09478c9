"""Sets of workloads for the search for NodePools: seven kinds, each made from a number, so that anybody has the same ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs

REGION: Final = "us-west-2"
ZONES: Final = ("us-west-2a", "us-west-2b", "us-west-2c")
Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """What one pod requests: cpu in millicores, memory in MiB, GPUs."""

    cpu: int
    memory: int
    gpus: int = 0

    @property
    def requests(self) -> dict[str, str]:
        """Return the requests as a manifest has them."""
        gpus = {"nvidia.com/gpu": str(self.gpus)} if self.gpus else {}
        return {"cpu": f"{self.cpu}m", "memory": f"{self.memory}Mi", **gpus}


def web(random: Random) -> Shape:
    """Return a pod of a service: small, two to four GiB for a core."""
    cpu = random.choice((100, 200, 250, 500, 500, 1000))
    return Shape(cpu, int(cpu * random.uniform(1.5, 4.5)))


def batch(random: Random) -> Shape:
    """Return a pod of a job: whole cores, little memory."""
    cpu = random.choice((1000, 2000, 4000, 4000, 8000))
    return Shape(cpu, int(cpu * random.uniform(1.0, 2.2)))


def gpu(random: Random) -> Shape:
    """Return a pod with accelerators, four to eight cores for each."""
    gpus = random.choice((1, 1, 1, 2, 4))
    return Shape(gpus * random.choice((3500, 5000, 7000)), gpus * random.choice((12_000, 20_000, 28_000)), gpus)


def memory_heavy(random: Random) -> Shape:
    """Return a pod of a cache or database."""
    cpu = random.choice((500, 1000, 2000, 4000))
    return Shape(cpu, int(cpu * random.uniform(5.5, 8.5)))


def mixed(random: Random) -> Shape:
    """Return a pod of any of these but accelerators, or one of unlike shape."""
    if random.random() < 0.25:
        return Shape(50 * random.randint(1, 80), 64 * random.randint(1, 256))
    return random.choice((web, batch, memory_heavy))(random)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of set: the pods of a Deployment, its replicas, how many Deployments and DaemonSets there are, and its spread."""

    shape: Callable[[Random], Shape]
    deployments: tuple[int, int]
    replicas: tuple[int, int]
    daemons: int = 2
    spread: bool = False
    categories: tuple[str, ...] = ("c", "m", "r")


KINDS: Final[Mapping[str, Kind]] = {
    "web": Kind(web, (10, 60), (3, 30)),
    "batch": Kind(batch, (4, 15), (5, 40)),
    "gpu": Kind(gpu, (3, 8), (2, 8), categories=("g", "p")),
    "memory": Kind(memory_heavy, (6, 25), (2, 12)),
    "mixed": Kind(mixed, (10, 90), (2, 30)),
    "daemons": Kind(web, (10, 40), (3, 20), daemons=12),
    "spread": Kind(web, (8, 30), (3, 18), spread=True),
}


def workload_set(kind: str, number: int) -> PlanInputs:
    """Return a set of a kind under the NodePool of Karpenter's getting-started page, on demand."""
    return read_inputs([], region=REGION, zones=ZONES, manifests=set_manifests(kind, number))


def set_manifests(kind: str, number: int) -> list[Manifest]:
    """Return the objects of a set of a kind.

    Every second one has four times the replicas, every fourth one eight times.
    """
    scale = (1, 4, 1, 8)[number % 4]
    random, of = Random(f"{kind} {number}"), KINDS[kind]  # noqa: S311 - the same sets on every run, not secrets
    deployments = [
        deployment(n, of.shape(random), random.randint(*of.replicas) * scale, spread=of.spread)
        for n in range(random.randint(*of.deployments))
    ]
    daemons = [_daemon(n, Shape(random.choice((20, 50, 100)), random.choice((64, 128, 256)))) for n in range(of.daemons)]
    return [node_class(), node_pool(of.categories), *deployments, *daemons]


def five_thousand_pods() -> PlanInputs:
    """Return 5,000 mixed pods in 200 Deployments."""
    random = Random("5000 mixed pods")  # noqa: S311 - the same set on every run, not a secret
    return inputs_of([deployment(n, mixed(random), 25) for n in range(200)], ("c", "m", "r"))


def inputs_of(workloads: list[Manifest], categories: tuple[str, ...], most_cores: int | None = None) -> PlanInputs:
    """Return workloads under the NodePool of the getting-started page, for machines of some categories and sizes."""
    pool = node_pool(categories, most_cores)
    return read_inputs([], region=REGION, zones=ZONES, manifests=[node_class(), pool, *workloads])


def node_pool(categories: tuple[str, ...], most_cores: int | None = None) -> Manifest:
    """Return the NodePool of Karpenter's getting-started page."""
    requirements = [
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
        {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
        {"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": list(categories)},
        {"key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["2"]},
    ]
    if most_cores is not None:
        cores = {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Lt", "values": [str(most_cores + 1)]}
        requirements.append(cores)
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    template = {"spec": {"nodeClassRef": reference, "requirements": requirements}}
    metadata = {"name": "default"}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata, "spec": {"template": template}}


def node_class() -> Manifest:
    """Return a node class without anything that matters to prices."""
    discovery = [{"tags": {"karpenter.sh/discovery": "demo"}}]
    spec = {
        "role": "KarpenterNodeRole-demo",
        "amiSelectorTerms": [{"alias": "al2023@latest"}],
        "subnetSelectorTerms": discovery,
        "securityGroupSelectorTerms": discovery,
    }
    return {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": spec}


def deployment(number: int, shape: Shape, replicas: int, *, spread: bool = False) -> Manifest:
    """Return the Deployment `app-NUMBER`, spread over zones if asked for."""
    labels = {"app": f"app-{number}"}
    spec = _pod(shape)
    if spread:
        spec["topologySpreadConstraints"] = [
            {
                "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {"matchLabels": labels},
            }
        ]
    return _controller("Deployment", labels, spec, replicas=replicas)


def _daemon(number: int, shape: Shape) -> Manifest:
    return _controller("DaemonSet", {"app": f"agent-{number}"}, {**_pod(shape), "tolerations": [{"operator": "Exists"}]})


def _pod(shape: Shape) -> Manifest:
    resources: Manifest = {"requests": shape.requests}
    if shape.gpus:
        resources["limits"] = {"nvidia.com/gpu": str(shape.gpus)}
    return {"containers": [{"name": "main", "image": "example.com/app", "resources": resources}]}


def _controller(kind: str, labels: dict[str, str], spec: Manifest, **more: int) -> Manifest:
    template = {"metadata": {"labels": labels}, "spec": spec}
    whole = {**more, "selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": labels["app"]}, "spec": whole}
