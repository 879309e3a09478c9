"""What machines and networks around a cluster are open to, and what their roles may do in it."""

from __future__ import annotations

from typing import Any

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.escalation import role
from tests.gates.principals import ACCOUNT
from tests.gates.trick import Trick, Wanted, manifest, output, registered
from tests.unit.policy.rules import subjects as s

GROUP = "aws:ec2/securityGroup:SecurityGroup"
OLD, NEW = "aws:ec2/securityGroupRule:SecurityGroupRule", "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
NATIVE_GROUP, NATIVE_RULE = "aws-native:ec2:SecurityGroup", "aws-native:ec2:SecurityGroupIngress"
ENTRY, ASSOCIATION = "aws:eks/accessEntry:AccessEntry", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
ACCESS = "arn:aws:eks::aws:cluster-access-policy"
NODES = f"arn:aws:iam::{ACCOUNT}:role/apps"
PARTS = tuple(f"{n}.0.0.0/9" for n in range(20, 60)) + tuple(f"{n}.128.0.0/9" for n in range(20, 60))
CNI, SSM = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy", "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
LIST = registered("aws:ec2/managedPrefixList:ManagedPrefixList", "office", entries=[{"cidr": "203.0.113.0/24"}])

OPEN_LIST = s.put(LIST, "entries[0].cidr", "0.0.0.0/0")


def new(name: str, cidr: str, port: int = 22, last: int = 0, **more: Any) -> Resource:
    """Return a rule of a group by itself."""
    ports = {"fromPort": port, "toPort": last or port}
    return registered(NEW, name, securityGroupId="sg-1", ipProtocol="tcp", cidrIpv4=cidr, **ports, **more)


def old(name: str, *ranges: str, **more: Any) -> Resource:
    """Return an older rule of a group by itself."""
    rule = {"type": "ingress", "protocol": "tcp", "fromPort": 22, "toPort": 22, "securityGroupId": "sg-1", **more}
    return registered(OLD, name, cidrBlocks=list(ranges), **rule)


def listed(**rule: Any) -> tuple[Resource, ...]:
    """Return a group with one rule."""
    return (registered(GROUP, ingress=[{"protocol": "tcp", "fromPort": 22, "toPort": 22, **rule}]),)


def listed_by(prefixes: Resource) -> tuple[Resource, ...]:
    """Return a rule for a list of prefixes, which is the second resource of a row."""
    rule = registered(NEW, ipProtocol="tcp", fromPort=22, toPort=22, prefixListId="")
    return (output(rule, "prefixListId", prefixes, 1),)


def mapped(*groups: str, username: str = "system:node:{{EC2PrivateDNSName}}") -> tuple[Resource, ...]:
    """Return the ConfigMap of access with one role."""
    text = f'[{{rolearn: "{NODES}", username: "{username}", groups: {list(groups)}}}]'
    return (manifest(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: aws-auth}}\ndata:\n  mapRoles: |\n    {text}\n"),)


def associated(policy: str, principal: str = NODES) -> Resource:
    """Return an access policy for a principal."""
    return registered(ASSOCIATION, clusterName="demo", principalArn=principal, policyArn=f"{ACCESS}/{policy}")


OPEN_GROUPS: dict[str, tuple[Resource, ...]] = {
    "halves in two rules": (new("a", "0.0.0.0/1"), new("b", "128.0.0.0/1")),
    "many small rules": tuple(new(f"r{n}", cidr) for n, cidr in enumerate(PARTS)),
    "many small older rules": tuple(old(f"r{n}", cidr) for n, cidr in enumerate(PARTS)),
    "rules of both kinds": tuple((new if n % 2 else old)(f"r{n}", cidr) for n, cidr in enumerate(PARTS)),
    "rules with other ports each": tuple(new(f"r{n}", cidr, 22, 23 + n) for n, cidr in enumerate(PARTS)),
    "many rules of one group": (
        registered(GROUP, ingress=[{"protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": [c]} for c in PARTS]),
    ),
    "small rules of every protocol": tuple(
        registered(NEW, f"r{n}", securityGroupId="sg-1", ipProtocol="-1", cidrIpv4=cidr) for n, cidr in enumerate(PARTS)
    ),
    "IPv6 by half": listed(ipv6CidrBlocks=["2000::/4", "3000::/4"]),
    "all of IPv6 that is given out": listed(ipv6CidrBlocks=["2000::/3"]),
    "a /8 of IPv6": listed(ipv6CidrBlocks=["2600::/8"]),
    "IPv6 in a rule of its own": (registered(NEW, ipProtocol="tcp", fromPort=22, toPort=22, cidrIpv6="::/0"),),
    "aws-native's rule": (registered(NATIVE_RULE, ipProtocol="tcp", fromPort=22, toPort=22, cidrIp="0.0.0.0/0"),),
    "aws-native's rule of IPv6": (registered(NATIVE_RULE, ipProtocol="-1", cidrIpv6="::/0"),),
    "aws-native's group of IPv6": (
        registered(NATIVE_GROUP, securityGroupIngress=[{"ipProtocol": "6", "fromPort": 22, "toPort": 22, "cidrIpv6": "::/0"}]),
    ),
    "a range around a port of the web": listed(fromPort=79, toPort=80, cidrBlocks=["0.0.0.0/0"]),
    "ports of the web and between": listed(fromPort=80, toPort=443, cidrBlocks=["0.0.0.0/0"]),
    "ports as texts": listed(fromPort="22", toPort="22", cidrBlocks=["0.0.0.0/0"]),
    "a protocol by number": listed(protocol="17", fromPort=53, toPort=53, cidrBlocks=["0.0.0.0/0"]),
    "a port of the web beside another": listed(cidrBlocks=["0.0.0.0/0"], fromPort=443, toPort=444),
}
SHUT_GROUPS: dict[str, tuple[Resource, ...]] = {
    "two offices in two rules": (new("a", "203.0.113.0/24"), new("b", "198.51.100.0/24")),
    "another group": listed(securityGroups=["sg-2"]),
    "itself": listed(self=True, protocol="-1", fromPort=0, toPort=0),
    "a group in a rule of its own": (registered(NEW, ipProtocol="-1", referencedSecurityGroupId="sg-2"),),
    "the web in rules of their own": (new("a", "0.0.0.0/0", 80), new("b", "0.0.0.0/0", 443)),
    "halves for different ports": (new("a", "0.0.0.0/5", 443), new("b", "203.0.113.0/24", 22)),
    "a network of the cloud": listed(cidrBlocks=["10.0.0.0/16"], fromPort=0, toPort=65535),
    "private IPv6": listed(ipv6CidrBlocks=["fd00::/8"]),
    "an organisation's IPv6": listed(ipv6CidrBlocks=["2001:db8::/32"]),
    "a list for the web": listed(fromPort=443, toPort=443, prefixListIds=["pl-3b927c52"]),
    "what goes out by aws-native": (
        registered(NATIVE_GROUP, securityGroupEgress=[{"ipProtocol": "-1", "cidrIp": "0.0.0.0/0"}]),
    ),
    "access lists of subnets": (
        registered(
            "aws:ec2/networkAcl:NetworkAcl",
            ingress=[
                {"protocol": "-1", "ruleNo": 100, "action": "allow", "cidrBlock": "0.0.0.0/0", "fromPort": 0, "toPort": 0}
            ],
        ),
    ),
}
ADMINISTRATORS: dict[str, tuple[Resource, ...]] = {
    "the policy of administrators": (role(), associated("AmazonEKSClusterAdminPolicy")),
    "the policy of a namespace's administrators": (role(), associated("AmazonEKSAdminPolicy")),
    "the policy of editors": (role(), associated("AmazonEKSEditPolicy")),
    "the policy of those who see all secrets": (role(), associated("AmazonEKSAdminViewPolicy")),
    "a policy beside an entry for nodes": (
        registered(ENTRY, clusterName="demo", principalArn=NODES, type="EC2_LINUX"),
        associated("AmazonEKSClusterAdminPolicy"),
    ),
    "a policy in aws-native's entry": (
        role(),
        registered(
            "aws-native:eks:AccessEntry", principalArn=NODES, accessPolicies=[{"policyArn": f"{ACCESS}/AmazonEKSAdminPolicy"}]
        ),
    ),
    "a group of administrators": (
        role(),
        registered(ENTRY, clusterName="demo", principalArn=NODES, kubernetesGroups=["operators"]),
        manifest(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: operators}\n"
            "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n"
            "subjects: [{kind: Group, name: operators, apiGroup: rbac.authorization.k8s.io}]\n"
        ),
    ),
    "masters in aws-auth": mapped("system:nodes", "system:bootstrappers", "system:masters"),
    "masters by the user of a node": mapped("system:masters"),
    "masters by the group of nodes": mapped("system:nodes", "system:masters", username="nodes"),
}
TEMPLATE = registered(
    "aws-native:ec2:LaunchTemplate",
    launchTemplateData={
        "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1},
        "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"encrypted": True}}],
    },
)
NODE_GROUP = registered(
    "aws-native:eks:Nodegroup",
    scalingConfig={"minSize": 2, "desiredSize": 2, "maxSize": 3},
    subnets=["subnet-1", "subnet-2"],
    taints=[{"key": "CriticalAddonsOnly", "effect": "NO_SCHEDULE"}],
)
_DATA = "launchTemplateData"

TRICKS = (
    *(Trick(f"a group open by {name}", resources, "IF-22") for name, resources in OPEN_GROUPS.items()),
    *(Trick(f"a group for {name}", resources, wanted=Wanted.PASSES) for name, resources in SHUT_GROUPS.items()),
    Trick("a list that is not known", listed(prefixListIds=["pl-0123456789abcdef0"]), "IF-22", Wanted.OPEN),
    Trick(
        "a list in a rule of its own",
        (registered(NEW, ipProtocol="tcp", fromPort=22, toPort=22, prefixListId="pl-0123456789abcdef0"),),
        "IF-22",
        Wanted.OPEN,
    ),
    Trick(
        "a list in aws-native's rule",
        (registered(NATIVE_RULE, ipProtocol="-1", sourcePrefixListId="pl-0123456789abcdef0"),),
        "IF-22",
        Wanted.OPEN,
    ),
    Trick("a list that only an update knows", listed(prefixListIds=[UNKNOWN]), "IF-22", Wanted.OPEN),
    Trick("a list that the stack makes", (*listed_by(LIST), LIST), wanted=Wanted.PASSES),
    Trick("an open list that the stack makes", (*listed_by(OPEN_LIST), OPEN_LIST), "IF-22"),
    Trick("ranges that only an update knows", listed(cidrBlocks=UNKNOWN), "IF-22", Wanted.OPEN),
    *(Trick(f"nodes with {name}", resources, "IF-24") for name, resources in ADMINISTRATORS.items()),
    Trick("access that only an update knows", (s.put(mapped("a")[0], "data.mapRoles", UNKNOWN),), "IF-24", Wanted.OPEN),
    Trick("nodes in aws-auth", mapped("system:nodes", "system:bootstrappers"), wanted=Wanted.PASSES),
    Trick("people in aws-auth", mapped("system:masters", username="admin"), "IF-24", Wanted.PASSES),
    Trick(
        "administrators by entry",
        (role(), associated("AmazonEKSClusterAdminPolicy", f"arn:aws:iam::{ACCOUNT}:role/admins")),
        wanted=Wanted.PASSES,
    ),
    Trick("nodes by entry", (role(), registered(ENTRY, principalArn=NODES, type="EC2_LINUX")), wanted=Wanted.PASSES),
    Trick("nodes of Auto Mode", (role(), associated("AmazonEKSAutoNodePolicy")), wanted=Wanted.PASSES),
    Trick("the CNI's policy in a role's list", (role(managedPolicyArns=[CNI]),), "IF-11", Wanted.REPORTED),
    Trick(
        "the CNI's policy for several roles",
        (role(), registered("aws:iam/policyAttachment:PolicyAttachment", roles=["apps"], policyArn=CNI)),
        "IF-11",
        Wanted.REPORTED,
    ),
    Trick(
        "shells, and nothing else",
        (
            role(),
            registered(
                "aws:iam/rolePolicyAttachmentsExclusive:RolePolicyAttachmentsExclusive", roleName="apps", policyArns=[SSM]
            ),
        ),
        "IF-11",
        Wanted.REPORTED,
        {"rules": {"IF-11": {"shells": False}}},
    ),
    Trick(
        "shells for aws-native's role",
        (
            registered(
                "aws-native:iam:Role",
                roleName="apps",
                managedPolicyArns=[SSM],
                assumeRolePolicyDocument=role().data["assumeRolePolicy"],
            ),
        ),
        "IF-11",
        Wanted.REPORTED,
        {"rules": {"IF-11": {"shells": False}}},
    ),
    Trick("aws-native's nodes", (TEMPLATE, NODE_GROUP), wanted=Wanted.PASSES),
    Trick("aws-native's template without tokens", (s.drop(TEMPLATE, f"{_DATA}.metadataOptions"),), "IF-09"),
    Trick("aws-native's template with plain volumes", (s.put(TEMPLATE, f"{_DATA}.blockDeviceMappings[0].ebs", {}),), "IF-09"),
    Trick(
        "a template with public addresses",
        (s.put(TEMPLATE, f"{_DATA}.networkInterfaces", [{"associatePublicIpAddress": True}]),),
        "IF-09",
    ),
    Trick("aws-native's only node", (s.put(NODE_GROUP, "scalingConfig.minSize", 1),), "IF-09"),
    Trick("aws-native's nodes in one zone", (s.put(NODE_GROUP, "subnets", ["subnet-1"]),), "IF-09"),
    Trick("aws-native's nodes for everybody", (s.drop(NODE_GROUP, "taints"),), "IF-09"),
    Trick(
        "aws-native's logs forever",
        (registered("aws-native:logs:LogGroup", logGroupName="/aws/eks/demo/cluster"),),
        "IF-10",
        Wanted.REPORTED,
    ),
    Trick(
        "nodes with public addresses",
        (s.put(s.CLASS, "spec.associatePublicIPAddress", True),),
        "NC-06",
    ),
)
