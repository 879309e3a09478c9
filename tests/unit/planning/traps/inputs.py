"""Small inputs with traps, and what validation and plans say about them."""

from __future__ import annotations

from pathlib import Path

from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.validate.answer import validate
from tests.unit.planning.manifests import NODE_CLASS, TYPES, pool

AMD64 = "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
M5 = TYPES.format("m5.xlarge")


def requirement(key: str, *values: str, operator: str = "In") -> str:
    """Return a requirement of a NodePool as a manifest writes it."""
    return f"{{key: {key}, operator: {operator}, values: [{', '.join(values)}]}}"


def deployment(
    name: str = "web", requests: str = "{cpu: 1, memory: 1Gi}", spec: str = "", meta: str = "{}", replicas: int = 2
) -> str:
    """Return a Deployment; `spec` goes into the pod's spec, `meta` are labels and annotations of its pods."""
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}, annotations: {meta}}}
    spec:
      containers: [{{name: app, image: app:1, resources: {{requests: {requests}}}}}]
      {spec}
"""


def validated(tmp_path: Path, *manifests: str) -> dict[str, list[str]]:
    """Return the warnings of validation by code. The inputs have no mistake."""
    checked = validate([_written(tmp_path, manifests)])
    assert checked.problems == ()
    by_code: dict[str, list[str]] = {}
    for note in checked.warnings:
        by_code.setdefault(note.code, []).append(note.text)
    return by_code


def planned(tmp_path: Path, *manifests: str) -> dict[str, list[str]]:
    """Return the warnings of a plan in us-west-2 by code."""
    by_code: dict[str, list[str]] = {}
    for note in plan(read_inputs([_written(tmp_path, manifests)], region="us-west-2")).warnings:
        by_code.setdefault(note.code, []).append(note.text)
    return by_code


def _written(tmp_path: Path, manifests: tuple[str, ...]) -> Path:
    file = tmp_path / "input.yaml"
    file.write_text("\n---\n".join((NODE_CLASS, *manifests)))
    return file


__all__ = ["AMD64", "M5", "NODE_CLASS", "deployment", "planned", "pool", "requirement", "validated"]
