"""How long each view of a plan takes, beside the plan itself: `python -m benchmarks views`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, Final

from cutlist.inputs import read
from cutlist.plan import PlanInputs, allowed_types, plan
from cutlist.planned import Plan
from cutlist.report import yaml
from cutlist.report.csv import plan_csv
from cutlist.report.html.plan_page import plan_html
from cutlist.report.markdown import plan_markdown
from cutlist.report.text import render_plan

_WORKLOADS: Final = 500
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
    """Print the time and the size of every view of a plan for so many pods, medians of so many runs."""
    inputs = inputs_of(pods)
    made = plan(inputs)
    types = allowed_types(inputs)
    views: dict[str, Callable[[], str]] = {
        "text": lambda: render_plan(made, 120),
        "Markdown": lambda: plan_markdown(made),
        "HTML": lambda: plan_html(made, types),
        "CSV": lambda: plan_csv(made),
        "JSON": made.to_json,
        "YAML": lambda: yaml.from_json(made.to_json()),
    }
    planning = _seconds(lambda: plan(inputs), runs)
    print(f"{made.totals.pods:,} pods on {made.totals.nodes:,} nodes, {len(made.nodes):,} rows; planned in {planning:.3f} s\n")
    print("| view | seconds | part of planning | size |\n|---|---|---|---|")
    for name, view in views.items():
        view()  # templates are compiled at their first use
        seconds = _seconds(view, runs)
        print(f"| {name} | {seconds:.3f} s | {seconds / planning:.0%} | {len(view()) / 1000:,.0f} kB |")
    return 0


def inputs_of(pods: int) -> PlanInputs:
    """Deployments of six sizes of cpu and memory in 40 namespaces, a third of them spread over zones, and one open NodePool."""
    return read(["-"], region="us-west-2", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": [*_objects(pods)]}))


def _objects(pods: int) -> Iterator[dict[str, Any]]:
    yield _object("karpenter.k8s.aws/v1", "EC2NodeClass", "default", _CLASS)
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    yield _object(
        "karpenter.sh/v1", "NodePool", "open", {"template": {"spec": {"nodeClassRef": reference, "requirements": []}}}
    )
    for number in range(min(pods, _WORKLOADS)):
        yield _deployment(number, pods // min(pods, _WORKLOADS))


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
    return _object("apps/v1", "Deployment", f"service-{number}", spec, namespace=f"team-{number % _NAMESPACES}")


def _object(version: str, kind: str, name: str, spec: dict[str, Any], **metadata: str) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def _seconds(what: Callable[[], str | Plan], runs: int) -> float:
    """The median time of some runs, of this processor for this process."""
    found = []
    for _ in range(runs):
        start = time.process_time()
        what()
        found.append(time.process_time() - start)
    return median(found)
