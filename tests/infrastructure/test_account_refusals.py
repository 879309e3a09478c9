"""Wrong inputs that a real account refuses, each refused by the table: one resource at a time, and several together."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode

from tests.account import stack
from tests.account.table import refusals
from tests.infrastructure.projects import STACKS, recorded

pytestmark = pytest.mark.xdist_group("stacks")  # one worker records them and imports the SDKs

ROLE, POLICY, KEY = "aws:iam/role:Role", "aws:iam/policy:Policy", "aws:kms/key:Key"
CLUSTER, GROUP, ADDON = "aws:eks/cluster:Cluster", "aws:eks/nodeGroup:NodeGroup", "aws:eks/addon:Addon"
ENTRY, ACCESS = "aws:eks/accessEntry:AccessEntry", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
TEMPLATE, ENDPOINT, SUBNET = "aws:ec2/launchTemplate:LaunchTemplate", "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2/subnet:Subnet"
NAT, RULE = "aws:ec2/natGateway:NatGateway", "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
QUEUE, QUEUE_POLICY, TARGET = "aws:sqs/queue:Queue", "aws:sqs/queuePolicy:QueuePolicy", "aws:cloudwatch/eventTarget:EventTarget"
EVENTS, ALARM, LOGS = (
    "aws:cloudwatch/eventRule:EventRule",
    "aws:cloudwatch/metricAlarm:MetricAlarm",
    "aws:cloudwatch/logGroup:LogGroup",
)
OIDC, FARGATE = "aws:iam/openIdConnectProvider:OpenIdConnectProvider", "aws:eks/fargateProfile:FargateProfile"
POD, VPC = "aws:eks/podIdentityAssociation:PodIdentityAssociation", "aws:ec2/vpc:Vpc"
ACCOUNT = "arn:aws:iam::111122223333"


def document(**statement: Any) -> str:
    """Return a policy of one statement."""
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})


def trust(service: str, *actions: str) -> str:
    """Return the trust of a role in a service."""
    return document(Principal={"Service": service}, Action=list(actions or ("sts:AssumeRole",)))


def network(**config: Any) -> dict[str, Any]:
    """Return inputs of a cluster about its addresses."""
    return {"kubernetesNetworkConfig": config}


def disk(**ebs: Any) -> dict[str, Any]:
    """Return inputs of a launch template with one disk."""
    return {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": ebs}]}


AUTO = {"computeConfig": {"enabled": True}, "storageConfig": {"blockStorage": {"enabled": True}}}
AUTO |= network(elasticLoadBalancing={"enabled": True})
WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "tags that differ in case": (ROLE, {"tags": {"Team": "a", "team": "b"}}, "case of their letters"),
    "a tag of AWS in capitals": (KEY, {"tags": {"AWS:team": "web"}}, "begin with aws:"),
    "a tag key that is too long": (QUEUE, {"tags": {"k" * 129: "web"}}, "1 to 128"),
    "a tag value that is too long": (SUBNET, {"tags": {"team": "v" * 257}}, "at most 256"),
    "a description in other letters": (ROLE, {"description": "Узлы"}, "Latin-1"),
    "a session of half an hour": (ROLE, {"maxSessionDuration": 1_800}, "3,600"),
    "a trust that allows more": (ROLE, {"assumeRolePolicy": trust("ec2.amazonaws.com", "ec2:RunInstances")}, "assume a role"),
    "a boundary in a region": (ROLE, {"permissionsBoundary": "arn:aws:iam:eu-west-1:111122223333:policy/a"}, "ARN of a policy"),
    "a boundary that is a role": (ROLE, {"permissionsBoundary": f"{ACCOUNT}:role/a"}, "ARN of a policy"),
    "a policy without resources": (POLICY, {"policy": document(Action="ec2:*")}, "with actions and resources"),
    "a policy with principals": (POLICY, {"policy": document(Action="ec2:*", Resource="*", Principal="*")}, "with actions"),
    "a policy of an action without a service": (
        POLICY,
        {"policy": document(Action="RunInstances", Resource="*")},
        "with actions",
    ),
    "a policy that is too long": (POLICY, {"policy": document(Action="ec2:*", Resource=["*" * 9] * 700)}, "6,144"),
    "an issuer without TLS": (OIDC, {"url": "http://oidc.eks.eu-west-1.amazonaws.com/id/A"}, "https URL"),
    "six thumbprints": (OIDC, {"thumbprintLists": ["a" * 40] * 6}, "at most 5"),
    "a thumbprint of SHA-256": (OIDC, {"thumbprintLists": ["a" * 64]}, "40 hexadecimal"),
    "a key that goes in a day": (KEY, {"deletionWindowInDays": 1}, "7 to 30"),
    "a key that rotates each month": (KEY, {"rotationPeriodInDays": 30}, "90 to"),
    "a key that nobody manages": (KEY, {"policy": document(Principal="*", Action="kms:Encrypt", Resource="*")}, "may change"),
    "an alias without its beginning": ("aws:kms/alias:Alias", {"name": "eks/shop"}, "alias/"),
    "a name with a dot": (CLUSTER, {"name": "shop.example"}, "letters, digits"),
    "a name of 101 letters": (CLUSTER, {"name": "n" * 101}, "at most 100"),
    "a version in three parts": (CLUSTER, {"version": "1.34.1"}, "1.34"),
    "private callers of a public API": (CLUSTER, {"vpcConfig": {"publicAccessCidrs": ["10.0.0.0/8"]}}, "public addresses"),
    "an address in a range of callers": (CLUSTER, {"vpcConfig": {"publicAccessCidrs": ["203.0.113.7/24"]}}, "by its first"),
    "services in public addresses": (CLUSTER, network(serviceIpv4Cidr="8.8.0.0/16"), "private IPv4 block"),
    "services in a block that is too large": (CLUSTER, network(serviceIpv4Cidr="10.0.0.0/8"), "/12 to /24"),
    "a range of services with IPv6": (CLUSTER, network(ipFamily="ipv6", serviceIpv4Cidr="172.20.0.0/16"), "IPv4 alone"),
    "nodes at home in public addresses": (
        *(CLUSTER, {"remoteNetworkConfig": {"remoteNodeNetworks": {"cidrs": ["203.0.113.0/24"]}}}),
        "private IPv4 block",
    ),
    "encrypted ConfigMaps": (CLUSTER, {"encryptionConfig": {"resources": ["configmaps"]}}, "secrets"),
    "a key of another region": (
        *(
            CLUSTER,
            {
                "region": "eu-west-1",
                "encryptionConfig": {"provider": {"keyArn": "arn:aws:kms:us-east-1:111122223333:key/a"}},
            },
        ),
        "region of the cluster",
    ),
    "logs of the kubelet": (CLUSTER, {"enabledClusterLogTypes": ["kubelet"]}, "scheduler"),
    "Auto Mode without access entries": (
        *(CLUSTER, {**AUTO, "bootstrapSelfManagedAddons": False, "accessConfig": {"authenticationMode": "CONFIG_MAP"}}),
        "access entries",
    ),
    "Auto Mode with add-ons of EKS's choice": (
        *(CLUSTER, {**AUTO, "accessConfig": {"authenticationMode": "API"}}),
        "without self-managed add-ons",
    ),
    "a label of Kubernetes's own": (GROUP, {"labels": {"kubernetes.io/role": "web"}}, "without the prefixes"),
    "a label of EKS's own": (GROUP, {"labels": {"eks.amazonaws.com/nodegroup": "web"}}, "without the prefixes"),
    "a label without a value": (GROUP, {"labels": {"team": ""}}, "1 to 63"),
    "a label value with a slash": (GROUP, {"labels": {"team": "web/shop"}}, "1 to 63"),
    "a taint in the spelling of Kubernetes": (GROUP, {"taints": [{"key": "a", "effect": "NoSchedule"}]}, "NO_SCHEDULE"),
    "51 taints": (GROUP, {"taints": [{"key": f"t{n}", "effect": "NO_SCHEDULE"} for n in range(51)]}, "at most 50"),
    "a disk of nothing": (GROUP, {"diskSize": 0}, "1 to 65,536"),
    "a type that does not exist": (GROUP, {"instanceTypes": ["m7g.tiny"]}, "an instance type of EC2's"),
    "21 types": (GROUP, {"instanceTypes": ["m7g.large"] * 21}, "at most 20"),
    "Amazon Linux 2 for 1.33": (GROUP, {"amiType": "AL2_x86_64", "version": "1.33"}, "beyond 1.32"),
    "images of ARM for the default type": (GROUP, {"amiType": "AL2023_ARM_64_STANDARD"}, "t3.medium"),
    "a release of another version": (
        *(GROUP, {"amiType": "AL2023_x86_64_STANDARD", "version": "1.34", "releaseVersion": "1.33.1-20251112"}),
        "of the version",
    ),
    "a release of other images": (
        *(GROUP, {"amiType": "BOTTLEROCKET_x86_64", "version": "1.34", "releaseVersion": "1.34.1-20251112"}),
        "of the images",
    ),
    "a number and a percentage": (
        *(GROUP, {"updateConfig": {"maxUnavailable": 1, "maxUnavailablePercentage": 33}}),
        "or a percentage",
    ),
    "a template by id and by name": (
        *(GROUP, {"launchTemplate": {"id": "lt-1", "name": "nodes", "version": "1"}}),
        "or its name",
    ),
    "capacity in small letters": (GROUP, {"capacityType": "spot"}, "SPOT"),
    "no node at most": (GROUP, {"scalingConfig": {"maxSize": 0}}, "1 to 450"),
    "an add-on by its title": (ADDON, {"addonName": "CoreDNS"}, "lower-case"),
    "a service account with two roles": (
        *(ADDON, {"podIdentityAssociations": [{"serviceAccount": "a"}, {"serviceAccount": "a"}]}),
        "a service account once",
    ),
    "the root of an account": (ENTRY, {"principalArn": f"{ACCOUNT}:root"}, "role or user"),
    "a role of a service": (
        *(ENTRY, {"principalArn": f"{ACCOUNT}:role/aws-service-role/eks.amazonaws.com/AWSServiceRoleForAmazonEKS"}),
        "role or user",
    ),
    "masters": (ENTRY, {"kubernetesGroups": ["system:masters"]}, "not reserved"),
    "a user of the system": (ENTRY, {"userName": "system:admin"}, "not reserved"),
    "a policy of IAM for access": (ACCESS, {"policyArn": "arn:aws:iam::aws:policy/AdministratorAccess"}, "access policies"),
    "an access policy that is not there": (
        *(ACCESS, {"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSOwnerPolicy"}),
        "access policies",
    ),
    "a scope without namespaces": (ACCESS, {"accessScope": {"type": "namespace"}}, "namespaces for"),
    "a namespace with a space": (POD, {"namespace": "kube system"}, "name of a namespace"),
    "six selectors": (FARGATE, {"selectors": [{"namespace": "a"}] * 6}, "at most 5 selectors"),
    "a zone of another region": (SUBNET, {"region": "us-west-2", "availabilityZone": "us-east-1a"}, "zone of the region"),
    "a gateway to ECR": (ENDPOINT, {"serviceName": "com.amazonaws.eu-west-1.ecr.api"}, "S3 or DynamoDB"),
    "a service of another region": (
        *(ENDPOINT, {"region": "eu-west-1", "serviceName": "com.amazonaws.us-east-1.s3"}),
        "of the region",
    ),
    "a public gateway without an address": (NAT, {"subnetId": "subnet-a"}, "address for a public"),
    "a protocol in capitals": (
        *(RULE, {"ipProtocol": "TCP", "fromPort": 443, "toPort": 443, "cidrIpv4": "10.0.0.0/8"}),
        "tcp, udp",
    ),
    "ports in the wrong order": (
        *(RULE, {"ipProtocol": "tcp", "fromPort": 443, "toPort": 80, "cidrIpv4": "10.0.0.0/8"}),
        "in this order",
    ),
    "user data as text": (TEMPLATE, {"userData": "#!/bin/bash"}, "base64"),
    "user data of 16 KiB and a byte": (TEMPLATE, {"userData": base64.b64encode(b"x" * 16_385).decode()}, "16,384"),
    "the speed of a gp2": (TEMPLATE, disk(volumeType="gp2", iops=3_000), "type of volume"),
    "an io2 without a speed": (TEMPLATE, disk(volumeType="io2"), "type of volume"),
    "a gp3 that is too fast": (TEMPLATE, disk(volumeType="gp3", throughput=2_001), "type of volume"),
    "a key for a plain disk": (TEMPLATE, disk(encrypted="false", kmsKeyId=f"{ACCOUNT}:key/a"), "encrypted volumes"),
    "one device twice": (TEMPLATE, {"blockDeviceMappings": [{"deviceName": "/dev/xvda"}] * 2}, "a device once"),
    "tags of instances twice": (TEMPLATE, {"tagSpecifications": [{"resourceType": "instance"}] * 2}, "once"),
    "a hop too far": (TEMPLATE, {"metadataOptions": {"httpPutResponseHopLimit": 65}}, "1 to 64"),
    "a name of a FIFO queue": (QUEUE, {"name": "jobs.fifo"}, "FIFO queue alone"),
    "a FIFO queue by another name": (QUEUE, {"name": "jobs", "fifoQueue": True}, "FIFO queue alone"),
    "messages of 2 MiB": (QUEUE, {"maxMessageSize": 2 * 1_048_576}, "1,048,576"),
    "hidden for a day": (QUEUE, {"visibilityTimeoutSeconds": 86_400}, "43,200"),
    "eight actions on a queue": (
        *(QUEUE_POLICY, {"policy": document(Principal="*", Action=[f"sqs:A{n}" for n in range(8)], Resource="*")}),
        "7 actions",
    ),
    "a rule about nothing": (EVENTS, {"name": "rule"}, "pattern or a schedule"),
    "a queue in another region": (
        *(TARGET, {"region": "eu-west-1", "arn": "arn:aws:sqs:us-east-1:111122223333:jobs"}),
        "region of the resource",
    ),
    "a topic in another region": (
        *(ALARM, {"region": "eu-west-1", "alarmActions": ["arn:aws:sns:us-east-1:111122223333:ops"]}),
        "region of the resource",
    ),
    "two days in minutes": (ALARM, {"period": 60, "evaluationPeriods": 2_880}, "a day at most"),
    "a period of 45 seconds": (ALARM, {"period": 45}, "multiple of 60"),
    "logs with an alias for a key": (LOGS, {"kmsKeyId": "alias/logs"}, "ARN of a key"),
}


@pytest.mark.parametrize(("type_", "inputs", "says"), WRONG.values(), ids=list(WRONG))
def test_what_an_account_refuses_is_refused(type_, inputs, says):
    """Each with what is accepted in its place, and with the source."""
    lines = refusals(type_, "made", inputs)
    assert [line for line in lines if says in line and line.endswith(")")], lines


SUBNETS = [
    (SUBNET, n, {"vpcId": "vpc-a", "cidrBlock": f"10.0.{i}.0/24", "availabilityZone": z})
    for i, (n, z) in enumerate((("1", "eu-west-1a"), ("2", "eu-west-1b"), ("3", "eu-west-1b")))
]
A_VPC = (VPC, "a", {"cidrBlock": "10.0.0.0/16"})
TABLE, ROUTE = "aws:ec2/routeTable:RouteTable", "aws:ec2/route:Route"
ASSOCIATION = "aws:ec2/routeTableAssociation:RouteTableAssociation"
TOGETHER: dict[str, tuple[list[tuple[str, str, dict[str, Any]]], str]] = {
    "nodes whose role trusts EKS": (
        [
            (ROLE, "nodes", {"assumeRolePolicy": trust("eks.amazonaws.com")}),
            (GROUP, "g", {"nodeRoleArn": f"{ACCOUNT}:role/nodes"}),
        ],
        "ec2.amazonaws.com may not take on",
    ),
    "a cluster whose role trusts EC2": (
        [
            (ROLE, "x", {"name": "shop", "assumeRolePolicy": trust("ec2.amazonaws.com")}),
            (CLUSTER, "c", {"roleArn": f"{ACCOUNT}:role/shop"}),
        ],
        "eks.amazonaws.com may not take on",
    ),
    "Auto Mode without sessions that have tags": (
        [
            (ROLE, "shop", {"assumeRolePolicy": trust("eks.amazonaws.com")}),
            (CLUSTER, "c", {"roleArn": f"{ACCOUNT}:role/shop", "computeConfig": {"enabled": True}}),
        ],
        "sts:TagSession",
    ),
    "pods without sessions that have tags": (
        [
            (ROLE, "web", {"assumeRolePolicy": trust("pods.eks.amazonaws.com")}),
            (POD, "p", {"roleArn": f"{ACCOUNT}:role/web"}),
        ],
        "sts:TagSession",
    ),
    "pods on Fargate with a role of nodes": (
        [
            (ROLE, "nodes", {"assumeRolePolicy": trust("ec2.amazonaws.com")}),
            (FARGATE, "f", {"podExecutionRoleArn": f"{ACCOUNT}:role/nodes"}),
        ],
        "eks-fargate-pods.amazonaws.com may not",
    ),
    "subnets of another VPC": (
        [
            (SUBNET, "b", {"vpcId": "vpc-b", "cidrBlock": "10.1.0.0/24", "availabilityZone": "eu-west-1a"}),
            *SUBNETS[:2],
            (GROUP, "g", {"subnetIds": ["subnet-1", "subnet-b"]}),
        ],
        "of one VPC",
    ),
    "a group of another VPC": (
        [
            ("aws:ec2/securityGroup:SecurityGroup", "g", {"vpcId": "vpc-b"}),
            *SUBNETS[:2],
            (CLUSTER, "c", {"vpcConfig": {"subnetIds": ["subnet-1", "subnet-2"], "securityGroupIds": ["sg-g"]}}),
        ],
        "of one VPC",
    ),
    "a gateway of another VPC": (
        [
            ("aws:ec2/internetGateway:InternetGateway", "i", {"vpcId": "vpc-b"}),
            (TABLE, "t", {"vpcId": "vpc-a"}),
            (ROUTE, "r", {"routeTableId": "rtb-t", "gatewayId": "igw-i"}),
        ],
        "of one VPC",
    ),
    "an endpoint twice in a zone": (
        [A_VPC, *SUBNETS, (ENDPOINT, "e", {"vpcId": "vpc-a", "subnetIds": ["subnet-2", "subnet-3"]})],
        "one subnet of each zone",
    ),
    "private names without DNS": (
        [A_VPC, (ENDPOINT, "e", {"vpcId": "vpc-a", "privateDnsEnabled": True})],
        "DNS host names and support",
    ),
    "Fargate in a public subnet": (
        [
            A_VPC,
            *SUBNETS[:1],
            (ROUTE, "r", {"routeTableId": "rtb-t", "gatewayId": "igw-i"}),
            (ASSOCIATION, "x", {"subnetId": "subnet-1", "routeTableId": "rtb-t"}),
            (FARGATE, "f", {"subnetIds": ["subnet-1"]}),
        ],
        "Fargate in private subnets",
    ),
    "services in the VPC": (
        [A_VPC, (CLUSTER, "c", {"vpcConfig": {}, **network(serviceIpv4Cidr="10.0.0.0/20")})],
        "outside of the VPC",
    ),
    "a newer kube-proxy than the cluster": (
        [
            (CLUSTER, "c", {"name": "shop", "version": "1.34"}),
            (ADDON, "a", {"clusterName": "shop", "addonName": "kube-proxy", "addonVersion": "v1.35.3-eksbuild.2"}),
        ],
        "that EKS offers",
    ),
    "a CoreDNS of a later version": (
        [
            (CLUSTER, "c", {"name": "shop", "version": "1.34"}),
            (ADDON, "a", {"clusterName": "shop", "addonName": "coredns", "addonVersion": "v1.14.3-eksbuild.3"}),
        ],
        "that EKS offers",
    ),
    "a policy for nodes": (
        [
            (ENTRY, "e", {"clusterName": "c", "principalArn": "p", "type": "EC2_LINUX"}),
            (ACCESS, "a", {"clusterName": "c", "principalArn": "p"}),
        ],
        "types STANDARD and EC2",
    ),
}


@pytest.mark.parametrize(("resources", "says"), TOGETHER.values(), ids=list(TOGETHER))
def test_what_an_account_refuses_of_several_is_refused(resources, says):
    [line] = stack.refusals(resources)
    assert says in line


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", STACKS)
def test_roles_of_a_stack_are_held_against_who_uses_them(name):
    """Each use has its role among the resources of the stack, or an ARN that the stack was given."""
    resources = [(one.type, one.name, dict(one.inputs)) for one in recorded(name, Mode.UPDATE).resources.values()]
    roles = {one for type_, program, inputs in resources if type_ == ROLE for one in (program, inputs.get("name"))}
    uses = [inputs["nodeRoleArn"] for type_, _, inputs in resources if type_ == GROUP]
    assert {arn.rpartition("/")[2] for arn in uses} <= roles
