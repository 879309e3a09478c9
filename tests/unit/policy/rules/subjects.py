"""Subjects that keep every rule, and ways to change one thing about them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cutlist.infrastructure.system_capacity import SYSTEM_LABEL
from cutlist.policy.rules import UNKNOWN, Options, Resource
from cutlist.policy.rules import tokens as t
from cutlist.policy.rules.aks.cluster import CLASSIC_POOL

ACCOUNT = "111122223333"
QUEUE_ARN = f"arn:aws:sqs:us-west-2:{ACCOUNT}:demo"
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def put(subject: Resource, path: str, value: Any) -> Resource:
    """Return the subject with another value at a path such as `spec.limits.cpu` or `items[0].name`."""
    data = copy.deepcopy(dict(subject.data))
    *way, last = _steps(path)
    here: Any = data
    for step in way:
        here = here[step] if isinstance(step, int) else here.setdefault(step, {})
    here[last] = value
    return replace(subject, data=data)


def drop(subject: Resource, path: str) -> Resource:
    """Return the subject without a member."""
    data = copy.deepcopy(dict(subject.data))
    *way, last = _steps(path)
    here: Any = data
    for step in way:
        here = here[step]
    del here[last]
    return replace(subject, data=data)


def unknown(subject: Resource, path: str) -> Resource:
    """Return the subject with a value that only an update will know."""
    return put(subject, path, UNKNOWN)


def in_zone(zone: str, **members: Any) -> Resource:
    """Return a node group for the system's pods with one node, in one zone."""
    data = {**NODE_GROUP.data, "scalingConfig": {"minSize": 1, "desiredSize": 1, "maxSize": 2}, "subnetIds": [f"subnet-{zone}"]}
    return Resource(t.NODE_GROUP, f"system-{zone}", {**data, **members})


def named(subject: Resource, name: str) -> Resource:
    """Return the subject under another name."""
    made = put(subject, "metadata.name", name) if subject.is_kubernetes else subject
    return replace(made, name=name)


def document(subject: Resource, member: str, change: Mapping[str, Any], statement: int = 0) -> Resource:
    """Return the subject with an IAM document of which one statement has other members; None takes one out."""
    data = json.loads(subject.data[member])
    one = {**data["Statement"][statement], **change}
    data["Statement"][statement] = {key: value for key, value in one.items() if value is not None}
    return put(subject, member, json.dumps(data))


def _steps(path: str) -> list[str | int]:
    return [int(number) if number else word for word, number in _STEP.findall(path)]


def _requirement(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


POOL = Resource(
    t.NODE_POOL,
    "general",
    {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "general"},
        "spec": {
            "template": {
                "metadata": {"labels": {"example.com/team": "shop"}},
                "spec": {
                    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                    "requirements": [
                        _requirement("kubernetes.io/arch", "In", "amd64"),
                        _requirement("karpenter.sh/capacity-type", "In", "on-demand"),
                    ],
                    "expireAfter": "336h",
                    "terminationGracePeriod": "1h",
                },
            },
            "limits": {"cpu": "100", "memory": "400Gi"},
            "disruption": {
                "consolidationPolicy": "WhenEmptyOrUnderutilized",
                "consolidateAfter": "1m",
                "budgets": [{"nodes": "10%"}],
            },
        },
    },
)
CAPACITY = "spec.template.spec.requirements[1].values"
SPOT_POOL = put(POOL, CAPACITY, ["spot", "on-demand"])
STATIC_POOL = put(put(POOL, "spec.replicas", 3), "spec.limits", {"nodes": "5"})

CLASS = Resource(
    t.EC2_NODE_CLASS,
    "default",
    {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": "default"},
        "spec": {
            "role": "KarpenterNodeRole-demo",
            "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
            "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
            "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
            "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1},
            "blockDeviceMappings": [
                {"deviceName": "/dev/xvda", "ebs": {"volumeSize": "50Gi", "volumeType": "gp3", "encrypted": True}}
            ],
            "tags": {"cost-center": "shop"},
        },
        "status": {"subnets": [{"id": "subnet-1", "zone": "us-west-2a"}, {"id": "subnet-2", "zone": "us-west-2b"}]},
    },
)
AKS_CLASS = Resource(
    t.AKS_NODE_CLASS,
    "default",
    {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "default"},
        "spec": {"security": {"encryptionAtHost": True}},
    },
)
CLAIM = Resource(
    t.NODE_CLAIM,
    "spare",
    {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": "spare"},
        "spec": {
            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
            "requirements": [],
        },
    },
)
CLAIM_OF_POOL = put(
    put(CLAIM, "metadata", {"name": "spare", "uid": "b7", "creationTimestamp": "2026-05-01T00:00:00Z"}),
    "metadata.ownerReferences",
    [{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "name": "general", "uid": "a1"}],
)
NODE = Resource(t.NODE, "ip-10-0-0-1", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "ip-10-0-0-1"}})
GROUP = Resource("kubernetes:yaml/v2:ConfigGroup", "pools", {"yaml": "apiVersion: v1\nkind: ConfigMap\n"})
PLAN = Resource(
    t.NODE_PLAN,
    "nodes",
    {
        "region": "us-west-2",
        "measures": {
            "nodes": 6,
            "vcpus": 24.0,
            "newNodes": 4,
            "spotNodes": 2,
            "zones": {"us-west-2a": 2, "us-west-2b": 2},
            "pricePerHour": 1.0,
            "unpricedNodes": 0,
            "pending": {},
            "pools": {
                "general": {
                    "types": 40,
                    "families": 6,
                    "categories": ["c", "m"],
                    "oldestGeneration": 6,
                    "zones": ["us-west-2a", "us-west-2b"],
                    "spotTypes": 20,
                    "onDemandTypes": 40,
                    "unpricedTypes": 0,
                    "mostPerHour": 10.0,
                    "mostBy": "limit cpu 100",
                    "general": True,
                    "missedMinValues": [],
                    "drainSeconds": 3600,
                    "graceSeconds": 30,
                    "graceOf": "deployment/web",
                }
            },
            "held": [],
            "before": 0.9,
        },
    },
)
GENERAL = "measures.pools.general"


def priority_class(name: str, value: int) -> Resource:
    """Return a PriorityClass."""
    return Resource("kubernetes:scheduling.k8s.io/v1:PriorityClass", name, {"value": value})


def plan_of(*pools: str) -> Resource:
    """Return the plan with NodePools of these names, all alike."""
    return put(PLAN, "measures.pools", dict.fromkeys(pools, PLAN.data["measures"]["pools"]["general"]))


RELEASE = Resource(
    t.RELEASE,
    "karpenter",
    {
        "chart": "oci://public.ecr.aws/karpenter/karpenter",
        "version": "1.14.1",
        "values": {"settings": {"clusterName": "demo", "interruptionQueue": "demo"}},
    },
)
CRDS = Resource(t.RELEASE, "karpenter-crd", {"chart": "oci://public.ecr.aws/karpenter/karpenter-crd", "version": "1.14.1"})
CLUSTER = Resource(
    t.EKS_CLUSTER,
    "demo",
    {
        "version": "1.34",
        "vpcConfig": {"endpointPublicAccess": True, "endpointPrivateAccess": True, "publicAccessCidrs": ["203.0.113.0/24"]},
        "accessConfig": {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
        "enabledClusterLogTypes": ["api", "audit", "authenticator"],
        "deletionProtection": True,
        "encryptionConfig": {"resources": ["secrets"], "provider": {"keyArn": "arn:aws:kms:us-west-2:1:key/a"}},
        "zonalShiftConfig": {"enabled": True},
    },
)
NODE_GROUP = Resource(
    t.NODE_GROUP,
    "system",
    {
        "scalingConfig": {"minSize": 2, "desiredSize": 2, "maxSize": 4},
        "subnetIds": ["subnet-1", "subnet-2"],
        "taints": [{"key": "CriticalAddonsOnly", "value": "true", "effect": "NO_SCHEDULE"}],
    },
)
SYSTEM_GROUP = replace(NODE_GROUP, data={**NODE_GROUP.data, "labels": dict((SYSTEM_LABEL,))})
SMALL_GROUP = Resource(
    t.NODE_GROUP, "batch", {"scalingConfig": {"minSize": 0, "desiredSize": 0, "maxSize": 4}, "subnetIds": ["subnet-1"]}
)
GPU_TAINTS = [{"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}]
SOFT_TAINTS = [{"key": "team", "value": "web", "effect": "PREFER_NO_SCHEDULE"}]
FARGATE = Resource(t.FARGATE_PROFILE, "karpenter", {"selectors": [{"namespace": "kube-system"}]})
INSTANCE = Resource("aws:ec2/instance:Instance", "bastion", {"instanceType": "t3.micro"})
LAUNCH_TEMPLATE = Resource(
    t.LAUNCH_TEMPLATE,
    "system",
    {
        "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1},
        "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"encrypted": "true"}}],
    },
)
KEY = Resource(
    "aws:kms/key:Key",
    "volumes",
    {
        "policy": json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
                        "Action": "kms:*",
                        "Resource": "*",
                    },
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/KarpenterNodeRole-demo"},
                        "Action": ["kms:Decrypt", "kms:CreateGrant"],
                        "Resource": "*",
                    },
                ],
            }
        )
    },
)
ENTRY = Resource(
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    "view",
    {
        "clusterName": "demo",
        "principalArn": f"arn:aws:iam::{ACCOUNT}:role/KarpenterNodeRole-demo",
        "policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy",
    },
)
AUTH = Resource(
    "kubernetes:v1:ConfigMap",
    "aws-auth",
    {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "aws-auth", "namespace": "kube-system"},
        "data": {"mapRoles": "[{rolearn: nodes, username: 'system:node:{{EC2PrivateDNSName}}', groups: [system:nodes"},
    },
)
SECURITY_GROUP = Resource(
    "aws:ec2/securityGroup:SecurityGroup",
    "nodes",
    {"ingress": [{"protocol": "tcp", "fromPort": 22, "toPort": 443, "cidrBlocks": ["203.0.113.0/24", "10.0.0.0/8"]}]},
)
BY_LIST = Resource(
    "aws:ec2/securityGroup:SecurityGroup",
    "nodes",
    {"ingress": [{"protocol": "tcp", "fromPort": 22, "toPort": 22, "prefixListIds": [UNKNOWN]}]},
    references={"prefixListIds": ("urn:all",)},
)
LIST_OF_ALL = Resource(
    "aws:ec2/managedPrefixList:ManagedPrefixList", "all", {"entries": [{"cidr": "0.0.0.0/0"}]}, urn="urn:all"
)
ENTRY_OF_ALL = Resource(
    "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry", "all", {"prefixListId": "pl-2", "cidr": "0.0.0.0/0"}
)
LOG_GROUP = Resource(t.LOG_GROUP, "logs", {"name": "/aws/eks/demo/cluster", "retentionInDays": 90})


def _document(*statements: Mapping[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


POLICY = Resource(
    t.IAM_POLICY,
    "controller",
    {
        "policy": _document(
            {
                "Effect": "Allow",
                "Action": "iam:PassRole",
                "Resource": f"arn:aws:iam::{ACCOUNT}:role/KarpenterNodeRole-demo",
                "Condition": {"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}},
            },
            {
                "Effect": "Allow",
                "Action": ["ec2:TerminateInstances"],
                "Resource": "arn:aws:ec2:us-west-2:*:instance/*",
                "Condition": {"StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/demo": "owned"}},
            },
        )
    },
)
ROLE = Resource(
    t.IAM_ROLE,
    "controller",
    {
        "name": "KarpenterController-demo",
        "assumeRolePolicy": _document(
            {
                "Effect": "Allow",
                "Principal": {"Service": "pods.eks.amazonaws.com"},
                "Action": ["sts:AssumeRole", "sts:TagSession"],
                "Condition": {
                    "StringEquals": {"aws:SourceAccount": ACCOUNT},
                    "ArnEquals": {"aws:SourceArn": f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/demo"},
                },
            }
        ),
    },
)
NODE_ROLE = Resource(
    t.IAM_ROLE,
    "nodes",
    {
        "name": "KarpenterNodeRole-demo",
        "assumeRolePolicy": _document(
            {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ),
    },
)
ATTACHMENT = Resource(
    t.IAM_ATTACHMENT,
    "nodes-worker",
    {"role": "KarpenterNodeRole-demo", "policyArn": "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"},
)
QUEUE = Resource(t.QUEUE, "demo", {"name": "demo", "sqsManagedSseEnabled": True})
QUEUE_POLICY = Resource(
    t.QUEUE_POLICY,
    "demo",
    {
        "policy": _document(
            {
                "Effect": "Allow",
                "Principal": {"Service": "events.amazonaws.com"},
                "Action": "sqs:SendMessage",
                "Resource": QUEUE_ARN,
                "Condition": {"ArnEquals": {"aws:SourceArn": [f"arn:aws:events:us-west-2:{ACCOUNT}:rule/demo"]}},
            },
            {
                "Effect": "Deny",
                "Principal": "*",
                "Action": "sqs:*",
                "Resource": QUEUE_ARN,
                "Condition": {"Bool": {"aws:SecureTransport": "false"}},
            },
        )
    },
)


def event_rule(detail_type: str) -> Resource:
    """Return a rule of the bus for one kind of event."""
    source = "aws.health" if "Health" in detail_type else "aws.ec2"
    pattern = json.dumps({"source": [source], "detail-type": [detail_type]})
    return Resource(t.EVENT_RULE, detail_type.lower().replace(" ", "-"), {"eventPattern": pattern})


ORDERS = Resource(t.QUEUE, "orders", {"name": "orders", "messageRetentionSeconds": 60})
OF_ORDERS = f"arn:aws:sqs:us-west-2:{ACCOUNT}:orders"
NIGHTLY = Resource(t.EVENT_RULE, "nightly", {"name": "nightly", "scheduleExpression": "rate(1 day)"})
NIGHTLY_TARGET = Resource("aws:cloudwatch/eventTarget:EventTarget", "nightly", {"rule": "nightly", "arn": OF_ORDERS})
NATIVE_RULE = Resource(
    t.NATIVE_EVENT_RULE,
    "spot",
    {"eventPattern": {"detail-type": ["EC2 Spot Instance Interruption Warning"]}, "targets": [{"arn": OF_ORDERS}]},
)

ADMINS = Resource(
    t.CLUSTER_ROLE,
    "karpenter-admin",
    {
        "metadata": {"name": "karpenter-admin"},
        "rules": [{"apiGroups": ["karpenter.sh"], "resources": ["nodepools"], "verbs": ["create", "get"]}],
    },
)
BINDING = Resource(
    t.CLUSTER_ROLE_BINDING,
    "karpenter-admin",
    {
        "metadata": {"name": "karpenter-admin"},
        "roleRef": {"kind": "ClusterRole", "name": "karpenter-admin"},
        "subjects": [{"kind": "Group", "name": "system:masters"}],
    },
)
AKS = Resource(
    t.AKS_CLUSTER,
    "demo",
    {
        "nodeProvisioningProfile": {"mode": "Auto", "defaultNodePools": "None"},
        "networkProfile": {"networkPlugin": "azure", "networkPolicy": "cilium", "loadBalancerSku": "standard"},
        "agentPoolProfiles": [
            {"name": "system", "mode": "System", "count": 3, "nodeTaints": ["CriticalAddonsOnly=true:NoSchedule"]}
        ],
        "apiServerAccessProfile": {"authorizedIPRanges": ["203.0.113.0/24"]},
        "disableLocalAccounts": True,
    },
)
AKS_POOL = Resource(t.AKS_POOL, "batch", {"resourceName": "demo", "mode": "User", "count": 1, "osType": "Linux"})
AKS_CLASSIC_POOL = Resource(CLASSIC_POOL, "batch", {"nodeCount": 1, "osType": "Linux"})
ROLES = "/subscriptions/0/providers/Microsoft.Authorization/roleDefinitions"
ROLE_ASSIGNMENT = Resource(
    "azure-native:authorization:RoleAssignment",
    "network",
    {
        "principalType": "ServicePrincipal",
        "roleDefinitionId": f"{ROLES}/4d97b98b-1d4f-4787-a291-c67834d212e7",
        "scope": "/subscriptions/0/resourceGroups/nodes",
    },
)
NETWORK_GROUP = Resource(
    "azure-native:network:NetworkSecurityGroup",
    "nodes",
    {
        "securityRules": [
            {
                "access": "Allow",
                "direction": "Inbound",
                "priority": 200,
                "protocol": "Tcp",
                "sourceAddressPrefix": "Internet",
                "destinationPortRange": "443",
            }
        ]
    },
)
NETWORK_RULE = Resource(
    "azure-native:network:SecurityRule",
    "ssh",
    {
        "networkSecurityGroupName": "nodes",
        "resourceGroupName": "shop",
        "access": "Allow",
        "direction": "Inbound",
        "priority": 300,
        "protocol": "Tcp",
        "sourceAddressPrefix": "*",
        "destinationPortRange": "22",
    },
)
FEDERATED = Resource(
    "azure-native:managedidentity:FederatedIdentityCredential",
    "shop",
    {
        "issuer": "https://westeurope.oic.prod-aks.azure.com/a/b/",
        "subject": "system:serviceaccount:shop:web",
        "audiences": ["api://AzureADTokenExchange"],
    },
)
VAULT = Resource("azure-native:keyvault:Vault", "shop", {"properties": {"networkAcls": {"defaultAction": "Deny"}}})
ASSOCIATION = Resource(
    "aws:eks/podIdentityAssociation:PodIdentityAssociation", "web", {"namespace": "shop", "serviceAccount": "web"}
)
SERVICE_ACCOUNT = Resource(
    "kubernetes:v1:ServiceAccount",
    "web",
    {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "web", "annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/web"}},
    },
)
METADATA_DEFAULTS = Resource(
    "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults",
    "defaults",
    {"httpTokens": "required", "httpPutResponseHopLimit": 1},
)
WINDOW = Resource(
    t.AKS_MAINTENANCE,
    "images",
    {"configName": "aksManagedNodeOSUpgradeSchedule", "maintenanceWindow": {"durationHours": 4}},
)
PROTECTED = Options(protect=True)
