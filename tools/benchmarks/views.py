"""The time that each view of a plan takes, compared with planning or JSON: `python -m tools.benchmarks views`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan, PoolTypes
from cutlist.planning.read_inputs import read_inputs
from cutlist.report import yaml
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from cutlist.verbs.types.answer import types
from tests.unit.report.plan.large import large_plan
from tools.benchmarks.timing import median_seconds

_PODS_EACH: Final = 20  # pods on a node of the hardest plan
WORKLOADS: Final = 500
_NAMESPACES: Final = 40
_CORES: Final = (100, 250, 500, 750, 1000, 1500)  # thousandths
_MEMORY: Final = (128, 256, 512, 1024, 2048, 3000)  # MiB
_CLASS: Final = {
    "role": "nodes",
    "amiSelectorTerms": [{"alias": "al2023@latest"}],
    "subnetSelectorTerms": [{"id": "subnet-1"}],
    "securityGroupSelectorTerms": [{"id": "sg-1"}],
}


def report(pods: int, runs: int) -> int:
    """Print the time and the size of every view of a plan for a number of pods, as medians; then of the hardest plan of that
    size, whose nodes are all different."""
    inputs = inputs_of(pods)
    planned, planning = plan(inputs), median_seconds(lambda: plan(inputs), runs)
    print(f"{_what(planned)}; planned in {planning:.3f} s\n")
    documents = {"JSON": planned.to_json, "YAML": lambda: yaml.from_json(planned.to_json())}
    _table({**_views(planned, types(inputs)), **documents}, "planning", planning, runs)
    hard = large_plan(nodes=max(1, pods // _PODS_EACH), pods_each=_PODS_EACH)
    writing = median_seconds(hard.to_json, runs)
    print(f"\n{_what(hard)}, no two alike; written as JSON in {writing:.3f} s\n")
    _table(_views(hard, ()), "JSON", writing, runs)
    return 0


def _what(planned: Plan) -> str:
    return f"{planned.totals.pods:,} pods on {planned.totals.nodes:,} nodes, {len(planned.nodes):,} rows"


def _views(planned: Plan, types: Sequence[PoolTypes]) -> dict[str, Callable[[], str]]:
    """Return the views that people read."""
    return {
        "text": lambda: render_plan(planned, 120),
        "Markdown": lambda: plan_markdown(planned),
        "HTML": lambda: plan_html(planned, types),
        "CSV": lambda: plan_csv(planned),
    }


def _table(views: Mapping[str, Callable[[], str]], reference: str, seconds: float, runs: int) -> None:
    """Print a row for each view, with its time as a fraction of the reference's."""
    print(f"| view | seconds | part of {reference} | size |\n|---|---|---|---|")
    for name, view in views.items():
        took = median_seconds(view, runs)
        print(f"| {name} | {took:.3f} s | {took / seconds:.0%} | {len(view()) / 1000:,.0f} kB |")


def inputs_of(pods: int) -> PlanInputs:
    """Return Deployments of six sizes of cpu and memory in 40 namespaces, a third of them spread over zones, and one open
    NodePool."""
    return read_inputs(
        ["-"], region="us-west-2", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": [*objects(pods)]})
    )


def objects(pods: int) -> Iterator[dict[str, Any]]:
    """Yield these objects: the NodePool with its node class, then the Deployments."""
    yield object_of("karpenter.k8s.aws/v1", "EC2NodeClass", "default", _CLASS)
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    yield object_of(
        "karpenter.sh/v1", "NodePool", "open", {"template": {"spec": {"nodeClassRef": reference, "requirements": []}}}
    )
    for number in range(min(pods, WORKLOADS)):
        yield _deployment(number, pods // min(pods, WORKLOADS))


def _deployment(number: int, replicas: int) -> dict[str, Any]:
    labels = {"app": f"service-{number}"}
    cores, memory = _CORES[number % len(_CORES)], _MEMORY[number // len(_CORES) % len(_MEMORY)]
    spread = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"}
    pod = {
        "containers": [
            {"name": "app", "image": "app", "resources": {"requests": {"cpu": f"{cores}m", "memory": f"{memory}Mi"}}}
        ],
        "topologySpreadConstraints": [] if number % 3 else [{**spread, "labelSelector": {"matchLabels": labels}}],
    }
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    return object_of("apps/v1", "Deployment", f"service-{number}", spec, namespace=f"team-{number % _NAMESPACES}")


def object_of(version: str, kind: str, name: str, spec: dict[str, Any], **metadata: str) -> dict[str, Any]:
    """Return an object of Kubernetes."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}
