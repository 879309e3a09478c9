"""Random small clusters with a pod that waits, and what kube-scheduler 1.35.1 says of each node (oracle/kubernetes/scheduler).

`questions` writes them as lines of JSON for the program, `write` keeps its answers beside this file.
"""

from __future__ import annotations

import json
import lzma
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ANSWERS = Path(__file__).with_name("kube_scheduler_answers.json.xz")
SEEDS = range(1080, 1280)
HOSTNAME, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
KEYS = (HOSTNAME, ZONE, "rack")
APPS = ("web", "db", "cache")
SOFT, HARD = "ScheduleAnyway", "DoNotSchedule"
IGNORED = "IgnoredDuringExecution"
Object = dict[str, Any]


def recorded() -> list[Object]:
    """Each question with its answer."""
    return json.loads(lzma.decompress(ANSWERS.read_bytes()))


def questions() -> Iterator[Object]:
    for seed in SEEDS:
        yield _Drawn(random.Random(seed)).question(str(seed))  # noqa: S311


class _Drawn:
    """A cluster by chance. What a question is about is drawn first, so that each has few things at once."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.has_taints, self.has_rules, self.is_owned = (draw.random() < part for part in (0.4, 0.4, 0.5))
        self.has_spread, self.has_terms = not self.is_owned and draw.random() < 0.5, draw.random() < 0.5

    def question(self, name: str) -> Object:
        nodes = [self._node(f"node-{letter}") for letter in "abcdefgh"[: self.draw.randint(2, 8)]]
        pods = [
            self._pod(f"{node['metadata']['name']}-{number}", node["metadata"]["name"])
            for node in nodes
            for number in range(self.draw.choice((0, 1, 2, 4, 6)))
        ]
        waiting = self._pod("waiting")
        return {"name": name, "nodes": nodes, "pods": pods, "objects": list(self._objects()), "pod": waiting}

    def _node(self, name: str) -> Object:
        draw = self.draw
        cpu = draw.choice(("1930m", "2", "3920m", "7910m", "16"))
        memory = draw.choice(("3388360Ki", "7Gi", "14783012Ki", "31Gi", "60000000001"))
        size = {"cpu": cpu, "memory": memory, "pods": draw.choice(("3", "29", "58")), "ephemeral-storage": "20Gi"}
        labels = {HOSTNAME: name, ZONE: draw.choice("abc"), "rack": draw.choice("xy"), "size": draw.choice(("2", "8", "big"))}
        for key in labels if draw.random() < 0.2 else ():
            if draw.random() < 0.3:
                labels = {k: v for k, v in labels.items() if k != key}
        effects = ("NoSchedule", "NoExecute", "PreferNoSchedule", "PreferNoSchedule")
        taints = [{"key": key, "value": draw.choice("12"), "effect": draw.choice(effects)} for key in ("team", "old", "slow")]
        spec = {"providerID": f"example:///{name}"}
        chosen = [taint for taint in taints if draw.random() < 0.3] if self.has_taints else []
        return {
            "metadata": {"name": name, "labels": labels},
            "spec": {**spec, **({"taints": chosen} if chosen else {})},
            "status": {"capacity": size, "allocatable": size, "conditions": [{"type": "Ready", "status": "True"}]},
        }

    def _pod(self, name: str, node: str = "") -> Object:
        draw, app = self.draw, self.draw.choice(APPS)
        metadata: Object = {
            "name": name,
            "namespace": "default",
            "uid": name,
            "labels": {"app": app, "tier": draw.choice("12")},
        }
        if draw.random() < 0.1:
            metadata["namespace"] = "team"
        if self.is_owned:
            owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": app, "uid": app, "controller": True}
            metadata["ownerReferences"] = [owner]
        cpu, memory = draw.choice(("", "50m", "333m", "1")), draw.choice(("", "100Mi", "1Gi", "123456789"))
        requests = {k: v for k, v in (("cpu", cpu), ("memory", memory), ("ephemeral-storage", "1Gi")) if v}
        container: Object = {"name": "main", "image": "example.com/image", "resources": {"requests": requests}}
        if draw.random() < 0.1:
            container["resources"] = {}
        if draw.random() < 0.05:
            container["ports"] = [{"containerPort": 80, "hostPort": 80, "protocol": "TCP"}]
        spec: Object = {"containers": [container], **({"nodeName": node} if node else {})}
        if not node or draw.random() < 0.3:
            spec |= self._wishes(app)
        if node and draw.random() < 0.1:
            metadata |= {"deletionTimestamp": "2026-01-05T12:00:00Z", "deletionGracePeriodSeconds": 30}
        return {"metadata": metadata, "spec": spec, "status": {"phase": "Running" if node else "Pending"}}

    def _wishes(self, app: str) -> Object:
        """Return what a pod asks of its node, besides room."""
        draw, affinity = self.draw, {}
        wishes: Object = {}
        if self.has_taints:
            all_of = [{"key": "team", "operator": "Exists"}, {"key": "old", "value": "1", "effect": "PreferNoSchedule"}]
            wishes["tolerations"] = [t for t in all_of if draw.random() < 0.5]
        if self.has_spread:
            wishes["topologySpreadConstraints"] = [self._spread(app) for _ in range(draw.choice((1, 1, 2)))]
        if self.has_rules:
            affinity["nodeAffinity"] = self._node_affinity()
        if self.has_rules and draw.random() < 0.2:
            wishes["nodeSelector"] = {"rack": draw.choice("xy")}
        if self.has_terms:
            affinity |= {kind: self._pod_terms() for kind in ("podAffinity", "podAntiAffinity") if draw.random() < 0.6}
        return {**wishes, **({"affinity": affinity} if affinity else {})}

    def _spread(self, app: str) -> Object:
        draw = self.draw
        constraint: Object = {
            "topologyKey": draw.choice(KEYS),
            "maxSkew": draw.choice((1, 1, 2, 5)),
            "whenUnsatisfiable": draw.choice((SOFT, SOFT, HARD)),
            "labelSelector": self._selector(app),
        }
        if constraint["whenUnsatisfiable"] == HARD and draw.random() < 0.2:
            constraint["minDomains"] = draw.choice((1, 3))
        if draw.random() < 0.2:
            constraint["matchLabelKeys"] = ["tier"]
        for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            if draw.random() < 0.2:
                constraint[policy] = draw.choice(("Honor", "Ignore"))
        return constraint

    def _selector(self, app: str) -> Object:
        kind = self.draw.random()
        if kind < 0.1:
            return {}
        if kind < 0.3:
            return {"matchExpressions": [{"key": "tier", "operator": "In", "values": ["1"]}]}
        return {"matchLabels": {"app": app if kind < 0.7 else self.draw.choice(APPS)}}

    def _node_affinity(self) -> Object:
        draw = self.draw
        terms: Object = {}
        if draw.random() < 0.4:
            required = [self._node_term() for _ in range(draw.choice((1, 2)))]
            terms[f"requiredDuringScheduling{IGNORED}"] = {"nodeSelectorTerms": required}
        preferred = [{"weight": draw.randint(1, 100), "preference": self._node_term()} for _ in range(draw.choice((0, 1, 3)))]
        return {**terms, **({f"preferredDuringScheduling{IGNORED}": preferred} if preferred else {})}

    def _node_term(self) -> Object:
        draw = self.draw
        values = {"In": draw.sample("abcxy", 2), "NotIn": draw.sample("abcxy", 2), "Gt": ["4"], "Lt": ["4"]}
        expressions: list[Object] = []
        for _ in range(draw.choice((1, 1, 2))):
            operator = draw.choice(("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
            key = "size" if operator in ("Gt", "Lt") else draw.choice((ZONE, "rack", "size"))
            expression: Object = {"key": key, "operator": operator}
            expressions.append(expression if operator not in values else {**expression, "values": values[operator]})
        return {"matchExpressions": expressions} if draw.random() < 0.95 else {}

    def _pod_terms(self) -> Object:
        draw = self.draw
        preferred = [
            {"weight": draw.randint(1, 100), "podAffinityTerm": self._pod_term()} for _ in range(draw.choice((0, 1, 2)))
        ]
        terms: Object = {f"preferredDuringScheduling{IGNORED}": preferred} if preferred else {}
        if draw.random() < 0.2:
            terms[f"requiredDuringScheduling{IGNORED}"] = [self._pod_term()]
        return terms

    def _pod_term(self) -> Object:
        draw = self.draw
        term: Object = {"topologyKey": draw.choice(KEYS), "labelSelector": self._selector(draw.choice(APPS))}
        where: Sequence[Object] = ({}, {}, {"namespaces": ["team"]}, {"namespaceSelector": {"matchLabels": {"team": "red"}}})
        return {**term, **draw.choice(where)}

    def _objects(self) -> Iterator[Object]:
        for name, labels in (("default", {}), ("team", {"team": "red"})):
            yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
        for app in APPS if self.is_owned else ():
            selector = {"matchLabels": {"app": app}}
            metadata = {"name": app, "namespace": "default"}
            yield {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"selector": selector}}
        if self.draw.random() < 0.2:
            metadata = {"name": "all", "namespace": "default"}
            yield {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": {"tier": "1"}}}


if __name__ == "__main__":
    if sys.argv[1:] == ["questions"]:
        for each in questions():
            sys.stdout.write(json.dumps(each) + "\n")
    else:
        answers = {a["name"]: a for a in map(json.loads, sys.stdin)}
        said = [{**each, **{part: answers[each["name"]][part] for part in ("refused", "scores")}} for each in questions()]
        ANSWERS.write_bytes(lzma.compress(json.dumps(said, separators=(",", ":")).encode(), preset=9))
