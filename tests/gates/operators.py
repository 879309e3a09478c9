"""Roles, queues, networks and clusters that an operator in the cluster makes from an object."""

from __future__ import annotations

import json
from typing import Any, Final

from cutlist.policy.rules import Resource
from tests.gates.templates import ADMIN, ADMINISTRATOR, EC2, inline
from tests.gates.trick import Trick, Wanted, manifest, registered

CROSSPLANE: Final = """
apiVersion: iam.aws{m}.upbound.io/v1beta1
kind: {kind}
metadata: {{name: {name}}}
spec:
  forProvider: {members}
"""


def upbound(kind: str, members: Any, service: str = "iam", name: str = "apps", m: str = "") -> Resource:
    """Return an object of Crossplane's provider for AWS."""
    text = CROSSPLANE.format(kind=kind, members=json.dumps(members), name=name, m=m).replace("iam.aws", f"{service}.aws")
    return manifest(text)


def ack(kind: str, spec: Any, service: str = "iam") -> Resource:
    """Return an object of ACK."""
    head = f"apiVersion: {service}.services.k8s.aws/v1alpha1\nkind: {kind}\nmetadata: {{name: apps}}\n"
    return manifest(f"{head}spec: {json.dumps(spec)}\n")


EVERYBODY: Final = json.dumps({"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]})
ADMIN_TEXT: Final = json.dumps(ADMIN)
EC2_TEXT: Final = json.dumps(EC2)
CROSSPLANES_ROLE: Final = upbound("Role", {"assumeRolePolicy": EC2_TEXT})
CROSSPLANES_ATTACHMENT: Final = upbound("RolePolicyAttachment", {"role": "apps", "policyArn": ADMINISTRATOR})
PATCHED: Final = [
    {"type": "PatchSet", "patchSetName": "common"},
    {"fromFieldPath": "spec.tags", "toFieldPath": 'spec.forProvider.tags["a.b"]'},
    {"type": "ToCompositeFieldPath", "fromFieldPath": "spec.forProvider.name", "toFieldPath": "spec.forProvider.path"},
]
COMMON: Final = [{"name": "common", "patches": [{"fromFieldPath": "spec.text", "toFieldPath": "spec.forProvider.policy"}]}]


def composition(base: Resource, is_pipeline: bool = True) -> Resource:
    """Return a composition of one object, whose policy a set of patches writes."""
    templates = {"patchSets": COMMON, "resources": [{"base": dict(base.data), "patches": PATCHED}]}
    return registered(
        "kubernetes:apiextensions.crossplane.io/v1:Composition",
        apiVersion="apiextensions.crossplane.io/v1",
        kind="Composition",
        metadata={"name": "apps"},
        spec={"pipeline": [{"step": "a"}, {"input": templates}]} if is_pipeline else templates,
    )


OBJECTS: dict[str, tuple[str, tuple[Resource, ...]]] = {
    "Crossplane's role for everybody": ("IF-03", (upbound("Role", {"assumeRolePolicy": EVERYBODY}),)),
    "a role of a namespace for everybody": ("IF-03", (upbound("Role", {"assumeRolePolicy": EVERYBODY}, m=".m"),)),
    "Crossplane's role with every right": (
        "IF-21",
        (upbound("Role", {"assumeRolePolicy": EC2_TEXT, "inlinePolicy": [{"name": "p", "policy": ADMIN_TEXT}]}),),
    ),
    "Crossplane's policy of a role": (
        "IF-21",
        (
            upbound("Role", {"assumeRolePolicy": EC2_TEXT}),
            upbound("RolePolicy", {"policy": ADMIN_TEXT, "roleRef": {"name": "apps"}}),
        ),
    ),
    "Crossplane's attachment": (
        "IF-21",
        (CROSSPLANES_ATTACHMENT,),
    ),
    "Crossplane's rule": (
        "IF-22",
        (
            upbound(
                "SecurityGroupRule",
                {"type": "ingress", "protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": ["0.0.0.0/0"]},
                "ec2",
            ),
        ),
    ),
    "Crossplane's cluster": (
        "IF-07",
        (upbound("Cluster", {"vpcConfig": [{"endpointPublicAccess": True, "publicAccessCidrs": ["0.0.0.0/0"]}]}, "eks"),),
    ),
    "a stack of Crossplane": (
        "IF-21",
        (upbound("Stack", {"templateBody": json.dumps({"Resources": inline(ADMIN)})}, "cloudformation"),),
    ),
    "ACK's role for everybody": ("IF-03", (ack("Role", {"name": "apps", "assumeRolePolicyDocument": EVERYBODY}),)),
    "ACK's role with every right": (
        "IF-21",
        (ack("Role", {"name": "a", "assumeRolePolicyDocument": EC2_TEXT, "inlinePolicies": {"p": ADMIN_TEXT}}),),
    ),
    "ACK's role with AWS's policy": (
        "IF-21",
        (
            ack(
                "Role",
                {"assumeRolePolicyDocument": EC2_TEXT, "policies": [ADMINISTRATOR]},
            ),
        ),
    ),
    "ACK's policy": ("IF-21", (ack("Policy", {"name": "p", "policyDocument": ADMIN_TEXT}),)),
    "ACK's queue": ("IF-04", (ack("Queue", {"queueName": "q", "sqsManagedSSEEnabled": "false"}, "sqs"),)),
    "ACK's group": (
        "IF-22",
        (
            ack(
                "SecurityGroup",
                {"ingressRules": [{"ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "ipRanges": [{"cidrIP": "0.0.0.0/0"}]}]},
                "ec2",
            ),
        ),
    ),
    "ACK's cluster": ("IF-07", (ack("Cluster", {"resourcesVPCConfig": {"endpointPublicAccess": True}}, "eks"),)),
    "a policy in a Composition that a patch may overwrite": (
        "IF-21",
        (composition(upbound("Policy", {"policy": ADMIN_TEXT})),),
    ),
    "a role in a Composition": (
        "IF-21",
        (
            registered(
                "kubernetes:apiextensions.crossplane.io/v1:Composition",
                apiVersion="apiextensions.crossplane.io/v1",
                kind="Composition",
                metadata={"name": "apps"},
                spec={"pipeline": [{"input": {"resources": [{"base": dict(CROSSPLANES_ATTACHMENT.data)}]}}]},
            ),
        ),
    ),
    "ACK's role in a ConfigMap": (
        "IF-03",
        (
            registered(
                "kubernetes:core/v1:ConfigMap",
                data={"role.yaml": json.dumps(dict(ack("Role", {"assumeRolePolicyDocument": EVERYBODY}).data))},
            ),
        ),
    ),
}
OWNER_GUID: Final = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
SSH_OF_AZURE: Final = {
    "access": "Allow",
    "direction": "Inbound",
    "priority": 100,
    "protocol": "Tcp",
    "sourceAddressPrefix": "Internet",
    "destinationPortRange": "22",
}


def azure(kind: str, spec: Any, group: str) -> Resource:
    """Return an object of an operator for Azure."""
    return manifest(f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: apps}}\nspec: {json.dumps(spec)}\n")


OBJECTS_OF_AZURE: dict[str, tuple[str, Resource]] = {
    "an owner by Azure's operator": (
        "AK-08",
        azure(
            "RoleAssignment",
            {"owner": {"armId": "/subscriptions/0"}, "roleDefinitionReference": {"armId": f"/x/roleDefinitions/{OWNER_GUID}"}},
            "authorization.azure.com/v1api20220401",
        ),
    ),
    "an owner by name": (
        "AK-08",
        azure(
            "RoleAssignment",
            {"roleDefinitionReference": {"wellKnownName": "Owner"}},
            "authorization.azure.com/v1api20220401",
        ),
    ),
    "a rule by Azure's operator": (
        "AK-09",
        azure("NetworkSecurityGroupsSecurityRule", {"owner": {"name": "g"}, **SSH_OF_AZURE}, "network.azure.com/v1api20201101"),
    ),
    "a credential by Azure's operator": (
        "AK-10",
        azure(
            "FederatedIdentityCredential",
            {"subject": "system:serviceaccount:*", "issuer": "https://a", "audiences": ["api://AzureADTokenExchange"]},
            "managedidentity.azure.com/v1api20230131",
        ),
    ),
    "an owner by Crossplane": (
        "AK-08",
        azure(
            "RoleAssignment",
            {"forProvider": {"roleDefinitionName": "Owner", "scope": "/subscriptions/0"}},
            "authorization.azure.upbound.io/v1beta1",
        ),
    ),
    "a rule by Crossplane": (
        "AK-09",
        azure("SecurityRule", {"forProvider": SSH_OF_AZURE}, "network.azure.upbound.io/v1beta1"),
    ),
    "an owner of the classic provider": (
        "AK-08",
        registered("azure:authorization/assignment:Assignment", roleDefinitionName="Owner", scope="/subscriptions/0"),
    ),
    "a contributor of the classic provider": (
        "AK-08",
        registered("azure:authorization/assignment:Assignment", roleDefinitionName="Contributor", scope="/subscriptions/0"),
    ),
    "a role of the classic provider": (
        "AK-08",
        registered(
            "azure:authorization/roleDefinition:RoleDefinition",
            permissions=[{"actions": ["Microsoft.Authorization/roleAssignments/write"]}],
        ),
    ),
}
OPEN: dict[str, tuple[str, Resource]] = {
    "a policy that a patch writes": ("IF-01", composition(upbound("Policy", {}))),
    "a policy that a patch writes, without a pipeline": ("IF-21", composition(upbound("Policy", {}), is_pipeline=False)),
    "a policy that a selector finds": (
        "IF-11",
        upbound("RolePolicyAttachment", {"role": "apps", "policyArnSelector": {"matchControllerRef": True}}),
    ),
}
ORDINARY: dict[str, Resource] = {
    "Crossplane's role": CROSSPLANES_ROLE,
    "a reader of the classic provider": registered(
        "azure:authorization/assignment:Assignment", roleDefinitionName="Reader", scope="/subscriptions/0"
    ),
    "a puller by Azure's operator": azure(
        "RoleAssignment", {"roleDefinitionReference": {"wellKnownName": "AcrPull"}}, "authorization.azure.com/v1api20220401"
    ),
    "ACK's bucket": ack("Bucket", {"name": "shop"}, "s3"),
}

TRICKS = (
    *(Trick(name, resources, rule) for name, (rule, resources) in OBJECTS.items()),
    *(Trick(name, (resource,), rule) for name, (rule, resource) in OBJECTS_OF_AZURE.items()),
    *(Trick(name, (resource,), rule, Wanted.OPEN) for name, (rule, resource) in OPEN.items()),
    *(Trick(f"ordinary: {name}", (resource,), wanted=Wanted.PASSES) for name, resource in ORDINARY.items()),
)
