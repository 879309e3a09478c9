"""Small inputs for plans on AKS, written as a user writes them, and what is read off their plans."""

from __future__ import annotations

from typing import Any

from cutlist.core.notes import Note
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan

CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: default}
spec: {}
"""
D8 = "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_D8_v4]}"
ON_DEMAND = "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}"
KEYS = "karpenter.azure.com"


def pool(*requirements: str, name: str = "general", labels: str = "{}", extra: str = "") -> str:
    return f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  template:
    metadata: {{labels: {labels}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: default}}
      requirements: [{", ".join(requirements)}]
      {extra}
"""


def figures(**aks: Any) -> dict[str, Any]:
    return {"apiVersion": "cutlist/v1", "kind": "Figures", "aks": aks}


def inputs_of(*documents: str, reported: dict[str, Any] | None = None, region: str = "japaneast", **more: Any) -> PlanInputs:
    texts = documents if any("AKSNodeClass\n" in d for d in documents) else (CLASS, *documents)
    return read_inputs(
        ["-"], region=region, stdin="\n---\n".join(texts), manifests=[figures(**reported)] if reported else [], **more
    )


def plan_of(*documents: str, **more: Any) -> Plan:
    return plan(inputs_of(*documents, **more))


def the_node(made: Plan) -> PlannedNode:
    assert made.pending == ()
    (node,) = made.nodes
    return node


def codes(notes: tuple[Note, ...]) -> set[str]:
    return {note.code for note in notes}


def text_of(notes: tuple[Note, ...], code: str) -> str:
    (found,) = [note.text for note in notes if note.code == code]
    return found


def daemon(cpu: str) -> str:
    """Return a DaemonSet as AKS has its own: for Linux nodes of a cluster."""
    return f"""
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: cloud-node-manager, namespace: kube-system}}
spec:
  selector: {{matchLabels: {{app: cnm}}}}
  template:
    metadata: {{labels: {{app: cnm}}}}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - {{key: kubernetes.azure.com/cluster, operator: Exists}}
                  - {{key: kubernetes.io/os, operator: In, values: [linux]}}
      containers: [{{name: a, image: b, resources: {{requests: {{cpu: {cpu}, memory: 50Mi}}}}}}]
"""
