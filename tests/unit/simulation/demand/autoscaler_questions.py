"""Autoscalers with a course of metrics, and the replicas that the controller of Kubernetes 1.35.1 set (oracle/kubernetes).

`questions` writes them as lines of JSON for the program, `write` keeps its answers beside this file.
"""

from __future__ import annotations

import json
import lzma
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ANSWERS = Path(__file__).with_name("autoscaler_answers.json.xz")
COUNT = 240
STEPS = 40


def recorded() -> list[dict[str, Any]]:
    """Each question with the replicas after each of its steps."""
    return json.loads(lzma.decompress(ANSWERS.read_bytes()))


def questions() -> Iterator[dict[str, Any]]:
    for number in range(COUNT):
        yield _question(number, random.Random(number))  # noqa: S311


def _question(number: int, draw: random.Random) -> dict[str, Any]:
    least = draw.choice((1, 1, 2, 5))
    metrics = [_metric(draw) for _ in range(draw.choice((1, 1, 1, 2)))]
    if draw.random() < 0.1 and any(m["type"] in ("Object", "External") for m in metrics):
        least = 0
    spec: dict[str, Any] = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        "minReplicas": least,
        "maxReplicas": least + draw.choice((3, 20, 100)),
        "metrics": metrics,
    }
    if draw.random() < 0.7:
        spec["behavior"] = {d: _rules(draw) for d in ("scaleUp", "scaleDown") if draw.random() < 0.8}
    requests = {"cpu": draw.choice(("250m", "1", "1500m")), "memory": draw.choice(("64Mi", "1Gi"))}
    replicas = draw.randint(0, 30) if draw.random() < 0.2 else draw.randint(max(1, least), spec["maxReplicas"])
    return {
        "name": str(number),
        "spec": spec,
        "requests": {} if draw.random() < 0.05 else requests,
        "replicas": replicas,
        "steps": list(_steps(draw, metrics, replicas)),
    }


def _metric(draw: random.Random) -> dict[str, Any]:
    kind = draw.choice(("Resource", "Resource", "Pods", "Object", "External"))
    value = draw.choice(("500m", "10", "100"))
    if kind == "Resource":
        name = draw.choice(("cpu", "memory"))
        target: dict[str, Any] = {"type": "Utilization", "averageUtilization": draw.choice((50, 80, 150))}
        if draw.random() < 0.3:
            target = {"type": "AverageValue", "averageValue": "500m" if name == "cpu" else "100Mi"}
        return {"type": kind, "resource": {"name": name, "target": target}}
    metric = {"name": draw.choice(("requests", "depth"))}
    if kind == "Pods":
        return {"type": kind, "pods": {"metric": metric, "target": {"type": "AverageValue", "averageValue": value}}}
    by_pod = draw.random() < 0.5
    target = {"type": "AverageValue", "averageValue": value} if by_pod else {"type": "Value", "value": value}
    if kind == "External":
        return {"type": kind, "external": {"metric": metric, "target": target}}
    described = {"apiVersion": "v1", "kind": "Service", "name": "web"}
    return {"type": kind, "object": {"metric": metric, "describedObject": described, "target": target}}


def _rules(draw: random.Random) -> dict[str, Any]:
    rules: dict[str, Any] = {}
    if draw.random() < 0.6:
        rules["stabilizationWindowSeconds"] = draw.choice((0, 15, 60, 120, 300))
    if draw.random() < 0.7:
        rules["policies"] = [
            {
                "type": draw.choice(("Pods", "Percent")),
                "value": draw.choice((1, 4, 10, 50, 100)),
                "periodSeconds": draw.choice((15, 30, 60, 180)),
            }
            for _ in range(draw.choice((1, 2, 3)))
        ]
    if draw.random() < 0.5:
        rules["selectPolicy"] = draw.choice(("Max", "Max", "Min", "Min", "Disabled"))
    if draw.random() < 0.2:
        rules["tolerance"] = draw.choice(("0", "50m", "0.3"))
    return rules


def _steps(draw: random.Random, metrics: list[dict[str, Any]], replicas: int) -> Iterator[dict[str, Any]]:
    names = {_name(next(source for key, source in metric.items() if key != "type")) for metric in metrics}
    at, load = 0, draw.uniform(0.2, 2)
    pods = max(1, replicas)
    for _ in range(STEPS):
        load = min(4, max(0, load * draw.choice((0.7, 0.95, 1, 1, 1.04, 1.4))))
        if draw.random() < 0.3:
            pods = max(0, pods + draw.randint(-2, 3))
        unready, missing = (draw.randint(0, 3) if draw.random() < 0.2 else 0 for _ in range(2))
        ready = max(0, pods - unready - missing)
        usage = {name: round(load * max(1, ready) * _typical(name)) for name in sorted(names) if draw.random() < 0.97}
        yield {"at": at, "ready": ready, "unready": unready, "missing": missing, "usage": usage}
        at += 15_000 if draw.random() < 0.9 else draw.choice((15_007, 29_993, 75_000))


def _name(source: dict[str, Any]) -> str:
    return source["name"] if "name" in source else source["metric"]["name"]


def _typical(name: str) -> int:
    return {"cpu": 700, "memory": 100 * 2**20 * 1000, "requests": 40_000, "depth": 900}[name]


if __name__ == "__main__":
    if sys.argv[1:] == ["questions"]:
        for each in questions():
            sys.stdout.write(json.dumps(each) + "\n")
    else:
        answers = {a["name"]: a["replicas"] for a in map(json.loads, filter(lambda line: line.startswith("{"), sys.stdin))}
        text = json.dumps([{**each, "answer": answers[each["name"]]} for each in questions()], separators=(",", ":"))
        ANSWERS.write_bytes(lzma.compress(text.encode(), preset=9))
