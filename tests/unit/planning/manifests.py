"""Small inputs for plans, written as a user writes them."""

from __future__ import annotations

from cutlist.answers.plan import plan
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs

NODE_CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-demo
  amiSelectorTerms: [{alias: al2023@v20260625}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
"""


def pool(name: str = "general", requirements: str = "[]", extra: str = "", spec: str = "") -> str:
    """Return a NodePool; `extra` goes into the template's spec, `spec` beside the template."""
    return f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  {spec}
  template:
    spec:
      nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}}
      requirements: {requirements}
      {extra}
"""


ON_DEMAND = "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}"
TYPES = "{{key: node.kubernetes.io/instance-type, operator: In, values: [{}]}}"


def deployment(name: str = "web", replicas: int = 1, cpu: str = "1", memory: str = "1Gi", extra: str = "") -> str:
    """Return a Deployment of one container; `extra` goes into the pod's spec."""
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      {extra}
      containers: [{{name: main, image: img, resources: {{requests: {{cpu: "{cpu}", memory: {memory}}}}}}}]
"""


def inputs_of(
    *documents: str, region: str = "us-west-2", zones: tuple[str, ...] = (), node_class: str = NODE_CLASS
) -> PlanInputs:
    """Return the inputs that these documents make, the node class among them."""
    return read_inputs(["-"], region=region, zones=zones, stdin="\n---\n".join((node_class, *documents)))


def plan_of(*documents: str, region: str = "us-west-2", zones: tuple[str, ...] = ()) -> Plan:
    """Return the plan of these documents."""
    return plan(inputs_of(*documents, region=region, zones=zones))
