"""Small inputs for plans, written as a user writes them."""

from __future__ import annotations

from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan

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


C5 = "{key: node.kubernetes.io/instance-type, operator: In, values: [c5.large]}"


def auto_pool(requirements: str = f"[{C5}]", name: str = "auto", node_class: str = "default", spec: str = "") -> str:
    """Return a NodePool of EKS Auto Mode; `spec` goes beside the template."""
    return f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  {spec}
  template:
    spec:
      nodeClassRef: {{group: eks.amazonaws.com, kind: NodeClass, name: {node_class}}}
      requirements: {requirements}
"""


AUTO_CLASS = """
apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: own}
spec:
  role: NodeRole
  subnetSelectorTerms: [{tags: {team: a}}]
  securityGroupSelectorTerms: [{tags: {team: a}}]
"""


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


def overlay(spec: str, name: str = "cheap") -> str:
    """Return a NodeOverlay with a spec."""
    return f"\napiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {{name: {name}}}\nspec: {spec}\n"


def buffer(spec: str) -> str:
    """Return the CapacityBuffer spare with a spec."""
    return f"\napiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {{name: spare}}\nspec: {spec}\n"


def pod_template(name: str, cpu: str) -> str:
    """Return a PodTemplate of one container."""
    spec = f'{{containers: [{{name: main, resources: {{requests: {{cpu: "{cpu}"}}}}}}]}}'
    return f"\napiVersion: v1\nkind: PodTemplate\nmetadata: {{name: {name}}}\ntemplate: {{spec: {spec}}}\n"


def inputs_of(
    *documents: str,
    region: str = "us-west-2",
    zones: tuple[str, ...] = (),
    node_class: str = NODE_CLASS,
    karpenter: str = DEFAULT.choice,
) -> PlanInputs:
    """Return the inputs that these documents make, the node class among them."""
    text = "\n---\n".join((node_class, *documents))
    return read_inputs(["-"], region=region, zones=zones, stdin=text, karpenter=karpenter)


def plan_of(*documents: str, region: str = "us-west-2", zones: tuple[str, ...] = ()) -> Plan:
    """Return the plan of these documents."""
    return plan(inputs_of(*documents, region=region, zones=zones))
