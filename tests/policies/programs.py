"""A program with something for most rules to find, and what only an update knows."""

from __future__ import annotations

from pathlib import Path

from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

POOLS = """
apiVersion: v1
kind: List
items:
  - apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata: {name: general}
    spec:
      template:
        spec:
          nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
          requirements:
            - {key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}
            - {key: kubernetes.io/arch, operator: In, values: [amd64]}
          expireAfter: Never
          terminationGracePeriod: 1m
      limits: {cpu: 20k}
      disruption: {consolidateAfter: 0s, budgets: [{nodes: "0"}]}
  - apiVersion: karpenter.k8s.aws/v1
    kind: EC2NodeClass
    metadata: {name: default}
    spec:
      role: nodes
      amiSelectorTerms: [{alias: al2023@latest}]
      subnetSelectorTerms: [{tags: {Name: "*"}}]
      securityGroupSelectorTerms: [{id: sg-1}]
      metadataOptions: {httpTokens: optional, httpPutResponseHopLimit: 2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {karpenter.sh/do-not-disrupt: "true"}}
    spec:
      terminationGracePeriodSeconds: 120
      containers: [{name: main, image: web, resources: {requests: {cpu: "1", memory: 1Gi}}}]
"""

PROGRAM = """
import json
from pathlib import Path

import pulumi
import pulumi_aws as aws
from pulumi_kubernetes.apiextensions import CustomResource, CustomResourcePatch
from pulumi_kubernetes.helm.v3 import Release
from pulumi_cutlist.plan import NodePlan

from cutlist.documents.collecting import read_documents

FILE = Path(__file__).with_name("pools.yaml")
made = {}
for document in read_documents([FILE]):
    if document.kind != "Deployment":
        made[document.kind] = CustomResource(
            document.name.lower() + document.kind.lower(),
            api_version=document.api_version,
            kind=document.kind,
            metadata=document.data["metadata"],
            spec=document.data["spec"],
        )
NodePlan("nodes", {"region": "us-west-2", "sources": [str(FILE)]})

queue = aws.sqs.Queue("demo", name="demo", sqs_managed_sse_enabled=False)
aws.sqs.QueuePolicy("demo", queue_url=queue.url, policy=queue.arn.apply(lambda arn: json.dumps({"Statement": []})))
Release("karpenter", chart="oci://public.ecr.aws/karpenter/karpenter", version="1.14", values={"settings": {
    "clusterName": "demo", "interruptionQueue": queue.name, "disableDryRun": True}})
cluster = aws.eks.Cluster("demo", role_arn="arn:aws:iam::111122223333:role/cluster", version="1.34",
    vpc_config={"subnet_ids": ["subnet-1"], "endpoint_public_access": True},
    access_config={"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": False})
STATEMENT = {"Effect": "Allow", "Action": "iam:PassRole", "Resource": "*"}
aws.iam.Policy("controller", policy=json.dumps({"Version": "2012-10-17", "Statement": [STATEMENT]}))
aws.iam.RolePolicy("unknown", role="nodes", policy=cluster.arn.apply(lambda arn: json.dumps({"Statement": []})))
TEMPLATE = {"spec": {"nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
    "requirements": []}}
ENDLESS = {"template": TEMPLATE, "limits": {"cpu": "20k"}}
CustomResourcePatch("patched", api_version="karpenter.sh/v1", kind="NodePool", metadata={"name": "patched"}, spec=ENDLESS)
pulumi.CustomResource("kubernetes:apiextensions.k8s.io:CustomResource", "any", {
    "apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "any"}, "spec": ENDLESS})
secret = pulumi.Output.secret("s3cret")
ROLES = {"Effect": "Allow", "Action": "iam:PassRole", "Resource": "arn:aws:iam::111122223333:role/marked-as-secret-*"}
aws.iam.Policy("marked", policy=pulumi.Output.secret(json.dumps({"Version": "2012-10-17", "Statement": [ROLES]})))
CustomResource("tagged", api_version="karpenter.k8s.aws/v1", kind="EC2NodeClass", metadata={"name": "tagged"}, spec={
    "role": "nodes", "amiSelectorTerms": [{"alias": "al2023@v20260625"}], "subnetSelectorTerms": [{"id": "subnet-1"}],
    "securityGroupSelectorTerms": [{"id": "sg-1"}], "tags": {"cost-center": "shop", "owner": secret}})
"""


def recorded(folder: Path) -> Recording:
    """Return the program, run in a folder."""
    (folder / "pools.yaml").write_text(POOLS)
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "Pulumi.yaml").write_text("name: cutlist\nruntime: python\n")
    return Program(folder, folder, "cutlist", "dev").run(Mode.PREVIEW)
