"""The NodePools of a new project, with their node class: general machines for each environment, with limits and budgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.wording import counted
from pulumi_cutlist.starter.choices import StarterChoices

IMAGES: Final = "al2023@v20260625"
"""The images of new EC2NodeClasses: a release that has an image for KUBERNETES in the table of `cutlist.catalog.images`."""


@dataclass(frozen=True, slots=True)
class Environment:
    """One environment of a new project. `cpu` and `memory_gib` limit all nodes of its NodePool together, `per_month` is what
    they may cost at these limits in USD, and `per_hour` what the plan may cost. `cidr` is the range of its VPC."""

    name: str
    is_production: bool
    cpu: int
    memory_gib: int
    capacity_types: str
    replicas: int
    per_hour: int
    per_month: int
    cidr: str


DEV: Final = Environment("dev", False, 64, 256, "spot, on-demand", 2, 2, 15_000, "10.10.0.0/16")
PROD: Final = Environment("prod", True, 256, 1024, "on-demand", 6, 10, 60_000, "10.20.0.0/16")
ENVIRONMENTS: Final = (DEV, PROD)


def node_pools(choices: StarterChoices, environment: Environment) -> str:
    """Return the manifests of an environment's NodePool and of the class of its nodes."""
    documents = [_pool(choices, environment), *_node_class(choices, environment)]
    head = f"# The nodes of {environment.name}: one NodePool of general machines.\n"
    return head + "---\n".join(documents)


def _pool(choices: StarterChoices, environment: Environment) -> str:
    group, kind = _class_of(choices)
    return f"""\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: general
spec:
  template:
    spec:
      nodeClassRef: {{group: {group}, kind: {kind}, name: {"default" if choices.is_auto_mode else "general"}}}
      requirements:
{_machines(choices)}\
        - {{key: karpenter.sh/capacity-type, operator: In, values: [{environment.capacity_types}]}}
        - {{key: kubernetes.io/arch, operator: In, values: [amd64]}}
        - {{key: kubernetes.io/os, operator: In, values: [linux]}}
      expireAfter: {"480h" if environment.is_production and choices.is_auto_mode else "336h"}
      terminationGracePeriod: 24h
  limits: {{cpu: "{environment.cpu}", memory: {environment.memory_gib}Gi}}
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: {"5m" if environment.is_production else "1m"}
    budgets:
      - nodes: 10%
"""


def _class_of(choices: StarterChoices) -> tuple[str, str]:
    if choices.is_on_azure:
        return "karpenter.azure.com", "AKSNodeClass"
    return ("eks.amazonaws.com", "NodeClass") if choices.is_auto_mode else ("karpenter.k8s.aws", "EC2NodeClass")


def _machines(choices: StarterChoices) -> str:
    """Return the requirements on machines: general ones of late generations, so small that losing one does not hurt."""
    if choices.is_on_azure:
        return """\
        - {key: karpenter.azure.com/sku-family, operator: In, values: [D, E]}
        - {key: karpenter.azure.com/sku-version, operator: Gt, values: ["4"]}
        - {key: karpenter.azure.com/sku-cpu, operator: Lt, values: ["17"]}
"""
    prefix = "eks.amazonaws.com" if choices.is_auto_mode else "karpenter.k8s.aws"
    return f"""\
        - {{key: {prefix}/instance-category, operator: In, values: [c, m, r]}}
        - {{key: {prefix}/instance-generation, operator: Gt, values: ["4"]}}
        - {{key: {prefix}/instance-cpu, operator: Lt, values: ["17"]}}
"""


def _node_class(choices: StarterChoices, environment: Environment) -> list[str]:
    """Return the manifest of the node class; none in Auto Mode, where EKS creates the class named default."""
    if choices.is_auto_mode:
        return []
    cluster = cluster_name(choices, environment)
    tags = f"{{environment: {environment.name}, project: {choices.name}}}"
    if choices.is_on_azure:
        return [
            f"""\
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata:
  name: general
spec:
  imageFamily: Ubuntu2204
  osDiskSizeGB: 128
  tags: {tags}
"""
        ]
    return [
        f"""\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: general
spec:
  role: KarpenterNodeRole-{cluster}
  amiSelectorTerms:
    - alias: {IMAGES}
  subnetSelectorTerms:
    - tags: {{karpenter.sh/discovery: {cluster}}}
  securityGroupSelectorTerms:
    - tags: {{karpenter.sh/discovery: {cluster}}}
  blockDeviceMappings:
    - deviceName: /dev/xvda
      ebs: {{volumeSize: 50Gi, volumeType: gp3, encrypted: true, deleteOnTermination: true}}
  metadataOptions:
    httpEndpoint: enabled
    httpTokens: required
    httpPutResponseHopLimit: 1
  tags: {tags}
"""
    ]


def cluster_name(choices: StarterChoices, environment: Environment) -> str:
    """Return the name of an environment's cluster."""
    return f"{choices.name}-{environment.name}"


def workloads(environment: Environment) -> str:
    """Return a sample of workloads, to be replaced by the team's own."""
    pods = counted(environment.replicas, "pod")
    return f"""\
# A sample of {pods}, so that there is a plan. Replace it by your own manifests, or name their folder in the stack's file.
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: web, labels: {{app: web}}}}
spec:
  replicas: {environment.replicas}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: {{matchLabels: {{app: web}}}}
      containers:
        - name: web
          image: registry.example.com/web:1.0.0
          ports: [{{containerPort: 8080}}]
          resources:
            requests: {{cpu: 500m, memory: 1Gi}}
            limits: {{memory: 1Gi}}
"""
