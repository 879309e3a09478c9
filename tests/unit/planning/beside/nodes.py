"""Nodes of node groups, as a cluster has them."""

from __future__ import annotations


def node(name: str, labels: str, cpu: str = "2") -> str:
    """Return a Node with labels in flow form."""
    shown = f"kubernetes.io/hostname: {name}, kubernetes.io/arch: amd64, node.kubernetes.io/instance-type: m5.large, {labels}"
    return f"""
apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{{shown}}}}}
spec: {{providerID: "aws:///us-west-2a/i-{name}"}}
status:
  capacity: {{cpu: "{cpu}", memory: 8Gi, pods: "29"}}
  allocatable: {{cpu: "{cpu}", memory: 8Gi, pods: "29"}}
"""
