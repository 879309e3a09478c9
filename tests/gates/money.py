"""Prices that NodeOverlays lower, budgets and sizes that a plan exceeds."""

from __future__ import annotations

from typing import Any

import yaml

from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

FEW_TYPES = {
    "key": "node.kubernetes.io/instance-type",
    "operator": "In",
    "values": ["m5a.xlarge", "m7i.4xlarge", "c7i.xlarge", "c7i.8xlarge", "r7i.2xlarge", "x2idn.16xlarge"],
}
REQUIREMENTS = "spec.template.spec.requirements"
POOL = s.put(s.POOL, REQUIREMENTS, [*s.POOL.data["spec"]["template"]["spec"]["requirements"], FEW_TYPES])


def overlaid(**price: Any) -> str:
    """Return a NodePool, its class, a workload, and an overlay with this price, as YAML."""
    overlay = {
        "apiVersion": "karpenter.sh/v1alpha1",
        "kind": "NodeOverlay",
        "metadata": {"name": "cheap"},
        "spec": {
            "requirements": [{"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["p", "m", "x"]}],
            **price,
        },
    }
    workload = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "a", "image": "a", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]},
            },
        },
    }
    node_class = s.drop(s.CLASS, "status").data
    return yaml.safe_dump_all([dict(POOL.data), dict(node_class), overlay, workload])


def limited_by_an_overlay() -> str:
    """Return a NodePool whose only limit is on what an overlay says that each machine has, next to nothing, as YAML."""
    pool, *others = yaml.safe_load_all(overlaid(capacity={"example.com/licences": "1"}, requirements=[]))
    pool["spec"]["limits"] = {"example.com/licences": 100000}
    return yaml.safe_dump_all([pool, *others])


LOWERED: dict[str, dict[str, Any]] = {
    "to a tenth": {"priceAdjustment": "-90%"},
    "to nothing": {"priceAdjustment": "-100%"},
    "by an amount": {"priceAdjustment": "-50"},
    "by a price": {"price": "0.0001"},
    "to nothing by a price": {"price": "0"},
}
MEANT: dict[str, list[dict[str, Any]]] = {
    "all prices": [],
    "on-demand prices": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}],
    "prices of one type": [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m5a.xlarge"]}],
    "prices of one zone": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-west-2a"]}],
    "prices of a NodePool": [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["general"]}],
}
COSTS = f"{s.GENERAL}.mostPerHour"

TRICKS = (
    *(Trick(f"prices lowered {name}", rule="NP-19", files=overlaid(**price)) for name, price in LOWERED.items()),
    Trick("a discount", rule="NP-19", wanted=Wanted.PASSES, files=overlaid(priceAdjustment="-15%")),
    Trick("a surcharge", rule="NP-19", wanted=Wanted.PASSES, files=overlaid(priceAdjustment="+20%")),
    Trick(
        "a budget that an overlay seems to keep",
        rule="NP-02",
        files=overlaid(priceAdjustment="-100%"),
        gates={"rules": {"NP-02": {"perMonth": 1000}, "NP-19": "off"}},
    ),
    Trick(
        "a share that an overlay seems to keep",
        rule="PL-07",
        files=overlaid(price="0"),
        wanted=Wanted.REPORTED,
        gates={"rules": {"PL-07": {"perMonth": 1000}, "NP-19": "off"}},
    ),
    *(
        Trick(
            f"prices lowered {name} do not keep the ceiling",
            rule="PL-01",
            files=overlaid(**price),
            gates={"rules": {"PL-01": {"perHour": 0.1}, "NP-19": "off"}},
        )
        for name, price in LOWERED.items()
    ),
    *(
        Trick(
            f"{what} lowered to nothing do not keep the {'budget' if rule == 'NP-02' else 'share'}",
            rule=rule,
            files=overlaid(requirements=requirements, price="0"),
            wanted=Wanted.STOPS if rule == "NP-02" else Wanted.REPORTED,
            gates={"rules": {rule: {"perMonth": 1000}, "NP-19": "off"}},
        )
        for what, requirements in MEANT.items()
        for rule in ("NP-02",)
    ),
    *(
        Trick(f"{what} lowered to nothing", rule="NP-19", files=overlaid(requirements=requirements, price="0"))
        for what, requirements in MEANT.items()
    ),
    Trick(
        "a custom resource of an overlay that limits nothing",
        rule="NP-02",
        files=limited_by_an_overlay(),
        gates={"rules": {"NP-02": {"perMonth": 1000}, "NP-01": "off"}},
    ),
    Trick("two pools beyond the budget", (s.plan_of("a", "b"),), "NP-02", gates={"rules": {"NP-02": {"perMonth": 7500}}}),
    Trick("one pool without an end", (s.put(s.PLAN, COSTS, None),), "NP-02", gates={"rules": {"NP-02": {"perMonth": 7500}}}),
    Trick("a plan without figures", (s.drop(s.PLAN, "measures"),), "PL-00"),
    Trick("no budget at all", (s.PLAN,), "NP-02", Wanted.OPEN),
    Trick("a price beyond the ceiling", (s.PLAN,), "PL-01", gates={"rules": {"PL-01": {"perHour": 0.5}}}),
    Trick("nodes beyond the ceiling", (s.PLAN,), "PL-02", gates={"rules": {"PL-02": {"nodes": 5}}}),
    Trick("pods without a node", (s.put(s.PLAN, "measures.pending", {"job/a": "no GPU"}),), "PL-03"),
    Trick("a bill within its budget", (s.PLAN,), "NP-02", Wanted.PASSES, {"rules": {"NP-02": {"perMonth": 8000}}}),
)
