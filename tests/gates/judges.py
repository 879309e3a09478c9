"""Documents and members by which a change would lower its own bill: they count beside the gates, or in a snapshot."""

from __future__ import annotations

import copy
from typing import Any

from tests.gates.trick import Trick, Wanted
from tests.gates.workloads import COUNTED, FOR_A_JOB, LIMITED, TEMPLATE, of, with_pool

WEB = COUNTED["a Deployment"]
ROLLOUT = COUNTED["a Rollout"]


def put(manifest: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return an object with members of its metadata."""
    changed = copy.deepcopy(manifest)
    changed["metadata"].update(members)
    return changed


def within(manifest: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return an object with a value at a path."""
    changed = copy.deepcopy(manifest)
    *above, last = path.split(".")
    data = changed
    for part in above:
        data = data.setdefault(part, {})
    data[last] = value
    return changed


JOB = of("batch/v1", "Job", {"parallelism": 9, "completions": 9, "template": FOR_A_JOB})
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": TEMPLATE["spec"]}
BIG = {"cpu": "900", "memory": "900Gi", "pods": "900"}
LABELS = {
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/os": "linux",
    "kubernetes.io/hostname": "fake",
    "node.kubernetes.io/instance-type": "m7i.4xlarge",
    "topology.kubernetes.io/zone": "us-west-2a",
}
MANAGED = {"karpenter.sh/nodepool": "general", "karpenter.sh/registered": "true", "karpenter.sh/initialized": "true"}


def node(labels: dict[str, str], **metadata: Any) -> dict[str, Any]:
    """Return a node with room for everything."""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "fake", "labels": labels, **metadata},
        "spec": {"providerID": "aws:///us-west-2a/i-0"},
        "status": {"allocatable": BIG, "capacity": BIG, "conditions": [{"type": "Ready", "status": "True"}]},
    }


CLAIM = of(
    "karpenter.sh/v1",
    "NodeClaim",
    {"requirements": [], "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}},
    status={"allocatable": BIG, "capacity": BIG, "providerID": "aws:///us-west-2a/i-0", "nodeName": "fake"},
)
SERVERS = {"uid": "5f0c0c44-0000-4000-8000-000000000000", "creationTimestamp": "2026-01-05T08:00:00Z"}
OWNER = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "s", "controller": True, "uid": "u"}
OF_POOL = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "name": "general", "uid": "u"}
EMPTY = of(
    "apps/v1", "StatefulSet", {"replicas": 0, "serviceName": "s", "selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}
)
EMPTY["metadata"]["name"] = "s"
FINISHED = {"succeeded": 9, "completionTime": "2026-01-01T00:00:00Z", "conditions": [{"type": "Complete", "status": "True"}]}
LIVE: dict[str, tuple[dict[str, Any], ...]] = {
    "a Deployment that is being deleted": (put(WEB, deletionTimestamp="2020-01-01T00:00:00Z"),),
    "a Rollout that is being deleted": (put(ROLLOUT, deletionTimestamp="2020-01-01T00:00:00Z"),),
    "a Deployment of a StatefulSet without pods": (put(WEB, ownerReferences=[OWNER]), EMPTY),
    "a Job that has succeeded": ({**JOB, "status": FINISHED},),
    "a Job that has failed": ({**JOB, "status": {"conditions": [{"type": "Failed", "status": "True"}]}},),
    "a pod that has finished": ({**POD, "status": {"phase": "Succeeded"}},),
    "a pod that runs somewhere": (within(POD, "spec.nodeName", "somewhere"),),
    "a pod that runs on a node of the change": (within(POD, "spec.nodeName", "fake"), node(LABELS)),
    "a node of Karpenter with room": (WEB, node({**LABELS, **MANAGED})),
    "a node of others with room": (WEB, node(LABELS)),
    "a node with what the API server writes, beside others without": (WEB, node({**LABELS, **MANAGED}, **SERVERS)),
    "a NodeClaim with room": (WEB, CLAIM),
    "a Deployment whose template names a node": (within(WEB, "spec.template.spec.nodeName", "somewhere"),),
    "a list with a node": (
        WEB,
        {"apiVersion": "v1", "kind": "List", "items": [node({**LABELS, **MANAGED})]},
    ),
}
"""What a change may say, and only a cluster knows."""

TRICKS = (
    *(Trick(name, rule="PL-01", files=with_pool(*objects), gates=LIMITED) for name, objects in LIVE.items()),
    *(
        Trick(f"{name}, named", rule="GT-11", files=with_pool(*objects), wanted=Wanted.REPORTED)
        for name, objects in LIVE.items()
    ),
    *(
        Trick(f"a NodeClaim {name}", rule="NP-17", files=with_pool(written))
        for name, written in {
            "as somebody writes it": {key: value for key, value in CLAIM.items() if key != "status"},
            "as if it ran": CLAIM,
            "with what the API server writes": put(CLAIM, ownerReferences=[OF_POOL], **SERVERS),
        }.items()
    ),
    Trick(
        "a Deployment that calls itself a chart's test",
        rule="GT-06",
        files=with_pool(put(WEB, annotations={"helm.sh/hook": "test"})),
        wanted=Wanted.REPORTED,
    ),
    Trick("a Deployment as people write it", rule="GT-11", files=with_pool(WEB), wanted=Wanted.PASSES),
    Trick(
        "Figures that no gates say where to keep",
        rule="GT-10",
        files=with_pool(WEB, {"apiVersion": "cutlist/v1", "kind": "Figures", "prices": {"onDemandDiscount": "99%"}}),
        wanted=Wanted.REPORTED,
    ),
)
