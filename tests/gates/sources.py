"""One table for every source: the same trick in each, and what the rule about it says.

`python -m tests.gates.sources` writes the table of `tests/gates/README.md` again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.plans import change, configured, later, planned
from tests.gates.trick import Trick, Wanted, manifest, registered

Cells = Mapping[str, tuple[Resource, ...]]
PAGE: Final = Path(__file__).resolve().parent / "README.md"
BEGIN: Final = "<!-- what each source shows: python -m tests.gates.sources -->"
END: Final = "<!-- end -->"
CLASSIC, NATIVE, TOFU, CONTROL = "Pulumi classic", "Pulumi native", "OpenTofu", "awscc and azapi"
TEMPLATE, GENERIC, OPERATOR, CROSSPLANE = "templates", "generic resources", "ACK and ASO", "Crossplane"
SOURCES: Final = (CLASSIC, NATIVE, TOFU, CONTROL, TEMPLATE, GENERIC, OPERATOR, CROSSPLANE)
EVERYTHING: Final = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
MACHINES: Final = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}
ANYBODY: Final = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}]}
SENDING: Final = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}],
}
ADMINISTRATOR: Final = "arn:aws:iam::aws:policy/AdministratorAccess"
SUBSCRIPTION: Final = "/subscriptions/00000000-0000-0000-0000-000000000000"
OWNER: Final = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
ISSUER: Final = "https://westeurope.oic.prod-aks.azure.com/a/b/"
AUDIENCE: Final = "api://AzureADTokenExchange"
DEFAULT: Final = "system:serviceaccount:shop:default"
POOL: Final = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: endless}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
"""
PATCH: Final = """kubectl patch nodepool general --type=json -p '[{"op":"remove","path":"/spec/limits"}]'"""


def text(data: Any) -> str:
    return json.dumps(data)


def stack(type_: str, **properties: Any) -> tuple[Resource, ...]:
    """Return a stack of CloudFormation with one resource."""
    body = {"Resources": {"Trick": {"Type": type_, "Properties": properties}}}
    return (registered("aws:cloudformation/stack:Stack", templateBody=text(body)),)


def controlled(type_: str, **properties: Any) -> tuple[Resource, ...]:
    """Return a resource of Cloud Control."""
    return (registered("aws:cloudcontrol/resource:Resource", typeName=type_, desiredState=text(properties)),)


def deployed(type_: str, **properties: Any) -> tuple[Resource, ...]:
    """Return a deployment of an ARM template with one resource."""
    template = {"resources": [{"type": type_, "apiVersion": "2024-01-01", "name": "trick", "properties": properties}]}
    return (registered("azure-native:resources:Deployment", properties={"mode": "Incremental", "template": template}),)


def generic(namespace: str, type_: str, parent: str = "", /, **properties: Any) -> tuple[Resource, ...]:
    """Return a resource of any type of Azure."""
    inputs = {"resourceProviderNamespace": namespace, "resourceType": type_, "parentResourcePath": parent}
    return (registered("azure-native:resources:Resource", **inputs, properties=properties),)


def azapi(type_: str, /, **properties: Any) -> tuple[Resource, ...]:
    """Return a plan with a resource of azapi."""
    made = change("azapi_resource", type=f"{type_}@2024-01-01", name="trick")
    known = {name: value for name, value in properties.items() if value is not UNKNOWN}
    made["change"]["after"]["body"] = {"properties": known}
    made["change"]["after_unknown"] = {"body": {"properties": dict.fromkeys(properties.keys() - known.keys(), True)}}
    return planned(made)


def made_by(api_version: str, kind: str, /, **spec: Any) -> tuple[Resource, ...]:
    """Return an object of an operator."""
    data = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "trick"}, "spec": spec}
    return (Resource(f"kubernetes:{api_version}:{kind}", "trick", data),)


def crossplane(group: str, kind: str, /, **members: Any) -> tuple[Resource, ...]:
    """Return an object of Crossplane's providers."""
    return made_by(f"{group}.upbound.io/v1beta1", kind, forProvider=members)


_POOLS: Final = [{"name": "system", "mode": "System", "count": 1000, "vmSize": "Standard_D4s_v5"}]
_AUTO: Final = {"nodeProvisioningProfile": {"mode": "Auto"}, "agentPoolProfiles": _POOLS}
_GROUP: Final = {"min_size": 1, "max_size": 500, "desired_size": 1}
_SIZES: Final = {"minSize": 1, "maxSize": 500, "desiredSize": 1}
_IN: Final = {"access": "Allow", "direction": "Inbound", "priority": 100, "protocol": "Tcp"}
_SSH: Final = {**_IN, "sourceAddressPrefix": "*", "sourcePortRange": "*", "destinationPortRange": "22"}
_TOFU_SSH: Final = {
    "access": "Allow",
    "direction": "Inbound",
    "priority": 100,
    "protocol": "Tcp",
    "source_address_prefix": "*",
    "source_port_range": "*",
    "destination_port_range": "22",
    "destination_address_prefix": "*",
    "name": "ssh",
}
TABLE: Final[Mapping[str, tuple[str, Cells]]] = {
    "a role that may do everything": (
        "IF-21",
        {
            CLASSIC: (
                registered(
                    "aws:iam/role:Role",
                    assumeRolePolicy=text(MACHINES),
                    inlinePolicies=[{"name": "all", "policy": text(EVERYTHING)}],
                ),
            ),
            NATIVE: (
                registered(
                    "aws-native:iam:Role",
                    assumeRolePolicyDocument=MACHINES,
                    policies=[{"policyName": "all", "policyDocument": EVERYTHING}],
                ),
            ),
            TOFU: planned(
                change(
                    "aws_iam_role",
                    name="trick",
                    assume_role_policy=text(MACHINES),
                    inline_policy=[{"name": "all", "policy": text(EVERYTHING)}],
                )
            ),
            CONTROL: planned(
                change(
                    "awscc_iam_role",
                    role_name="trick",
                    assume_role_policy_document=text(MACHINES),
                    policies=[{"policy_name": "all", "policy_document": text(EVERYTHING)}],
                )
            ),
            TEMPLATE: stack(
                "AWS::IAM::Role",
                AssumeRolePolicyDocument=MACHINES,
                Policies=[{"PolicyName": "all", "PolicyDocument": EVERYTHING}],
            ),
            GENERIC: controlled(
                "AWS::IAM::Role",
                AssumeRolePolicyDocument=MACHINES,
                Policies=[{"PolicyName": "all", "PolicyDocument": EVERYTHING}],
            ),
            OPERATOR: made_by(
                "iam.services.k8s.aws/v1alpha1",
                "Role",
                name="trick",
                assumeRolePolicyDocument=text(MACHINES),
                inlinePolicies={"all": text(EVERYTHING)},
            ),
            CROSSPLANE: crossplane(
                "iam.aws", "Role", assumeRolePolicy=text(MACHINES), inlinePolicy=[{"name": "all", "policy": text(EVERYTHING)}]
            ),
        },
    ),
    "an administrator's policy, attached": (
        "IF-21",
        {
            CLASSIC: (registered("aws:iam/rolePolicyAttachment:RolePolicyAttachment", role="apps", policyArn=ADMINISTRATOR),),
            NATIVE: (registered("aws-native:iam:Role", assumeRolePolicyDocument=MACHINES, managedPolicyArns=[ADMINISTRATOR]),),
            TOFU: planned(change("aws_iam_role_policy_attachment", role="apps", policy_arn=ADMINISTRATOR)),
            CONTROL: planned(
                change("awscc_iam_role", assume_role_policy_document=text(MACHINES), managed_policy_arns=[ADMINISTRATOR])
            ),
            TEMPLATE: stack("AWS::IAM::Role", AssumeRolePolicyDocument=MACHINES, ManagedPolicyArns=[ADMINISTRATOR]),
            GENERIC: controlled("AWS::IAM::Role", AssumeRolePolicyDocument=MACHINES, ManagedPolicyArns=[ADMINISTRATOR]),
            OPERATOR: made_by(
                "iam.services.k8s.aws/v1alpha1", "Role", assumeRolePolicyDocument=text(MACHINES), policies=[ADMINISTRATOR]
            ),
            CROSSPLANE: crossplane("iam.aws", "RolePolicyAttachment", role="apps", policyArn=ADMINISTRATOR),
        },
    ),
    "a role that trusts everybody": (
        "IF-03",
        {
            CLASSIC: (registered("aws:iam/role:Role", assumeRolePolicy=text(ANYBODY)),),
            NATIVE: (registered("aws-native:iam:Role", assumeRolePolicyDocument=ANYBODY),),
            TOFU: planned(change("aws_iam_role", assume_role_policy=text(ANYBODY))),
            CONTROL: planned(change("awscc_iam_role", assume_role_policy_document=text(ANYBODY))),
            TEMPLATE: stack("AWS::IAM::Role", AssumeRolePolicyDocument=ANYBODY),
            GENERIC: controlled("AWS::IAM::Role", AssumeRolePolicyDocument=ANYBODY),
            OPERATOR: made_by("iam.services.k8s.aws/v1alpha1", "Role", assumeRolePolicyDocument=text(ANYBODY)),
            CROSSPLANE: crossplane("iam.aws", "Role", assumeRolePolicy=text(ANYBODY)),
        },
    ),
    "a queue that everybody writes to": (
        "IF-04",
        {
            CLASSIC: (registered("aws:sqs/queue:Queue", sqsManagedSseEnabled=True, policy=text(SENDING)),),
            NATIVE: (registered("aws-native:sqs:QueuePolicy", queues=["q"], policyDocument=SENDING),),
            TOFU: planned(change("aws_sqs_queue_policy", queue_url="q", policy=text(SENDING))),
            CONTROL: planned(change("awscc_sqs_queue_policy", queues=["q"], policy_document=text(SENDING))),
            TEMPLATE: stack("AWS::SQS::QueuePolicy", Queues=["q"], PolicyDocument=SENDING),
            GENERIC: controlled("AWS::SQS::QueuePolicy", Queues=["q"], PolicyDocument=SENDING),
            OPERATOR: made_by("sqs.services.k8s.aws/v1alpha1", "Queue", queueName="q", policy=text(SENDING)),
            CROSSPLANE: crossplane("sqs.aws", "QueuePolicy", queueUrl="q", policy=text(SENDING)),
        },
    ),
    "a security group that is open to the internet": (
        "IF-22",
        {
            CLASSIC: (
                registered(
                    "aws:ec2/securityGroup:SecurityGroup",
                    ingress=[{"protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": ["0.0.0.0/0"]}],
                ),
            ),
            NATIVE: (
                registered(
                    "aws-native:ec2:SecurityGroup",
                    securityGroupIngress=[{"ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "cidrIp": "0.0.0.0/0"}],
                ),
            ),
            TOFU: planned(
                change(
                    "aws_security_group",
                    ingress=[{"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]}],
                )
            ),
            CONTROL: planned(
                change(
                    "awscc_ec2_security_group_ingress",
                    ip_protocol="tcp",
                    from_port=22,
                    to_port=22,
                    cidr_ip="0.0.0.0/0",
                    group_id="sg-1",
                )
            ),
            TEMPLATE: stack(
                "AWS::EC2::SecurityGroup",
                SecurityGroupIngress=[{"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "CidrIp": "0.0.0.0/0"}],
            ),
            GENERIC: controlled(
                "AWS::EC2::SecurityGroup",
                SecurityGroupIngress=[{"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "CidrIp": "0.0.0.0/0"}],
            ),
            OPERATOR: made_by(
                "ec2.services.k8s.aws/v1alpha1",
                "SecurityGroup",
                ingressRules=[{"ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "ipRanges": [{"cidrIP": "0.0.0.0/0"}]}],
            ),
            CROSSPLANE: crossplane(
                "ec2.aws",
                "SecurityGroupRule",
                type="ingress",
                protocol="tcp",
                fromPort=22,
                toPort=22,
                cidrBlocks=["0.0.0.0/0"],
            ),
        },
    ),
    "a cluster of EKS whose API is open": (
        "IF-07",
        {
            CLASSIC: (registered("aws:eks/cluster:Cluster", vpcConfig={"endpointPublicAccess": True}),),
            NATIVE: (registered("aws-native:eks:Cluster", resourcesVpcConfig={"endpointPublicAccess": True}),),
            TOFU: planned(change("aws_eks_cluster", vpc_config=[{"endpoint_public_access": True}])),
            CONTROL: planned(change("awscc_eks_cluster", resources_vpc_config={"endpoint_public_access": True})),
            TEMPLATE: stack("AWS::EKS::Cluster", ResourcesVpcConfig={"EndpointPublicAccess": True}),
            GENERIC: controlled("AWS::EKS::Cluster", ResourcesVpcConfig={"EndpointPublicAccess": True}),
            OPERATOR: made_by("eks.services.k8s.aws/v1alpha1", "Cluster", resourcesVPCConfig={"endpointPublicAccess": True}),
            CROSSPLANE: crossplane("eks.aws", "Cluster", vpcConfig=[{"endpointPublicAccess": True}]),
        },
    ),
    "a group of 500 nodes": (
        "NP-18",
        {
            CLASSIC: (registered("aws:eks/nodeGroup:NodeGroup", scalingConfig=_SIZES),),
            NATIVE: (registered("aws-native:eks:Nodegroup", scalingConfig=_SIZES),),
            TOFU: planned(change("aws_eks_node_group", scaling_config=[_GROUP])),
            CONTROL: planned(change("awscc_eks_nodegroup", scaling_config=_GROUP)),
            TEMPLATE: stack("AWS::EKS::Nodegroup", ScalingConfig={"MinSize": 1, "MaxSize": 500}),
            GENERIC: controlled("AWS::EKS::Nodegroup", ScalingConfig={"MinSize": 1, "MaxSize": 500}),
            OPERATOR: made_by("eks.services.k8s.aws/v1alpha1", "Nodegroup", scalingConfig=_SIZES),
            CROSSPLANE: crossplane("eks.aws", "NodeGroup", scalingConfig=[_SIZES]),
        },
    ),
    "a machine with accelerators": (
        "NP-18",
        {
            CLASSIC: (registered("aws:ec2/instance:Instance", instanceType="p5.48xlarge"),),
            NATIVE: (registered("aws-native:ec2:Instance", instanceType="p5.48xlarge"),),
            TOFU: planned(change("aws_instance", instance_type="p5.48xlarge")),
            CONTROL: planned(change("awscc_ec2_instance", instance_type="p5.48xlarge")),
            TEMPLATE: stack("AWS::EC2::Instance", InstanceType="p5.48xlarge"),
            GENERIC: controlled("AWS::EC2::Instance", InstanceType="p5.48xlarge"),
            OPERATOR: made_by("ec2.services.k8s.aws/v1alpha1", "Instance", instanceType="p5.48xlarge"),
            CROSSPLANE: crossplane("ec2.aws", "Instance", instanceType="p5.48xlarge"),
        },
    ),
    "a server of one's own": (
        "NP-18",
        {
            CLASSIC: (registered("aws:ec2/dedicatedHost:DedicatedHost", instanceFamily="u-24tb1"),),
            NATIVE: (registered("aws-native:ec2:Host", instanceFamily="u-24tb1"),),
            TOFU: planned(change("aws_ec2_host", instance_family="u-24tb1")),
            CONTROL: planned(change("awscc_ec2_host", instance_family="u-24tb1")),
            TEMPLATE: stack("AWS::EC2::Host", InstanceFamily="u-24tb1"),
            GENERIC: controlled("AWS::EC2::Host", InstanceFamily="u-24tb1"),
            CROSSPLANE: crossplane("ec2.aws", "Host", instanceFamily="u-24tb1"),
        },
    ),
    "Pod Identity for the default account": (
        "IF-27",
        {
            CLASSIC: (registered("aws:eks/podIdentityAssociation:PodIdentityAssociation", serviceAccount="default"),),
            NATIVE: (registered("aws-native:eks:PodIdentityAssociation", serviceAccount="default"),),
            TOFU: planned(change("aws_eks_pod_identity_association", service_account="default")),
            CONTROL: planned(change("awscc_eks_pod_identity_association", service_account="default")),
            TEMPLATE: stack("AWS::EKS::PodIdentityAssociation", ServiceAccount="default"),
            GENERIC: controlled("AWS::EKS::PodIdentityAssociation", ServiceAccount="default"),
            OPERATOR: made_by("eks.services.k8s.aws/v1alpha1", "PodIdentityAssociation", serviceAccount="default"),
            CROSSPLANE: crossplane("eks.aws", "PodIdentityAssociation", serviceAccount="default"),
        },
    ),
    "Owner of a group of resources": (
        "AK-08",
        {
            CLASSIC: (registered("azure:authorization/assignment:Assignment", roleDefinitionId=OWNER, scope="/x"),),
            NATIVE: (registered("azure-native:authorization:RoleAssignment", roleDefinitionId=OWNER, scope="/x"),),
            TOFU: planned(change("azurerm_role_assignment", role_definition_name="Owner", scope="/x")),
            CONTROL: azapi("Microsoft.Authorization/roleAssignments", roleDefinitionId=OWNER),
            TEMPLATE: deployed("Microsoft.Authorization/roleAssignments", roleDefinitionId=OWNER),
            GENERIC: generic("Microsoft.Authorization", "roleAssignments", roleDefinitionId=OWNER),
            OPERATOR: made_by(
                "authorization.azure.com/v1api20220401", "RoleAssignment", roleDefinitionReference={"armId": OWNER}
            ),
            CROSSPLANE: crossplane("authorization.azure", "RoleAssignment", roleDefinitionId=OWNER, scope="/x"),
        },
    ),
    "Owner on request": (
        "AK-08",
        {
            CLASSIC: (
                registered(
                    "azure:pim/eligibleRoleAssignment:EligibleRoleAssignment", roleDefinitionId=OWNER, scope=SUBSCRIPTION
                ),
            ),
            NATIVE: (
                registered(
                    "azure-native:authorization:RoleEligibilityScheduleRequest", roleDefinitionId=OWNER, scope=SUBSCRIPTION
                ),
            ),
            TOFU: planned(change("azurerm_pim_eligible_role_assignment", role_definition_id=OWNER, scope=SUBSCRIPTION)),
            CONTROL: azapi("Microsoft.Authorization/roleEligibilityScheduleRequests", roleDefinitionId=OWNER),
            TEMPLATE: deployed("Microsoft.Authorization/roleEligibilityScheduleRequests", roleDefinitionId=OWNER),
            GENERIC: generic("Microsoft.Authorization", "roleEligibilityScheduleRequests", roleDefinitionId=OWNER),
        },
    ),
    "a role of Azure that may do everything": (
        "AK-08",
        {
            CLASSIC: (registered("azure:authorization/roleDefinition:RoleDefinition", permissions=[{"actions": ["*"]}]),),
            NATIVE: (registered("azure-native:authorization:RoleDefinition", permissions=[{"actions": ["*"]}]),),
            TOFU: planned(
                change("azurerm_role_definition", permissions=[{"actions": ["*"], "not_actions": []}], scope=SUBSCRIPTION)
            ),
            CONTROL: azapi("Microsoft.Authorization/roleDefinitions", permissions=[{"actions": ["*"]}]),
            TEMPLATE: deployed("Microsoft.Authorization/roleDefinitions", permissions=[{"actions": ["*"]}]),
            GENERIC: generic("Microsoft.Authorization", "roleDefinitions", permissions=[{"actions": ["*"]}]),
            OPERATOR: made_by("authorization.azure.com/v1api20220401", "RoleDefinition", permissions=[{"actions": ["*"]}]),
            CROSSPLANE: crossplane("authorization.azure", "RoleDefinition", permissions=[{"actions": ["*"]}]),
        },
    ),
    "a credential for the default account": (
        "AK-10",
        {
            CLASSIC: (
                registered(
                    "azure:armmsi/federatedIdentityCredential:FederatedIdentityCredential",
                    issuer=ISSUER,
                    subject=DEFAULT,
                    audience=AUDIENCE,
                ),
            ),
            NATIVE: (
                registered(
                    "azure-native:managedidentity:FederatedIdentityCredential",
                    issuer=ISSUER,
                    subject=DEFAULT,
                    audiences=[AUDIENCE],
                ),
            ),
            TOFU: planned(change("azurerm_federated_identity_credential", issuer=ISSUER, subject=DEFAULT, audience=[AUDIENCE])),
            CONTROL: azapi(
                "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
                issuer=ISSUER,
                subject=DEFAULT,
                audiences=[AUDIENCE],
            ),
            TEMPLATE: deployed(
                "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
                issuer=ISSUER,
                subject=DEFAULT,
                audiences=[AUDIENCE],
            ),
            GENERIC: generic(
                "Microsoft.ManagedIdentity",
                "federatedIdentityCredentials",
                "userAssignedIdentities/shop",
                issuer=ISSUER,
                subject=DEFAULT,
                audiences=[AUDIENCE],
            ),
            OPERATOR: made_by(
                "managedidentity.azure.com/v1api20230131",
                "FederatedIdentityCredential",
                issuer=ISSUER,
                subject=DEFAULT,
                audiences=[AUDIENCE],
            ),
            CROSSPLANE: crossplane(
                "managedidentity.azure",
                "FederatedIdentityCredential",
                issuer=ISSUER,
                subject=DEFAULT,
                audience=[AUDIENCE],
            ),
        },
    ),
    "a cluster of AKS whose API is open": (
        "AK-03",
        {
            CLASSIC: (
                registered(
                    "azure:containerservice/kubernetesCluster:KubernetesCluster",
                    defaultNodePool={"name": "system", "nodeCount": 2, "vmSize": "Standard_D4s_v5"},
                ),
            ),
            NATIVE: (registered("azure-native:containerservice:ManagedCluster", **_AUTO),),
            TOFU: planned(
                change(
                    "azurerm_kubernetes_cluster",
                    default_node_pool=[{"name": "system", "node_count": 2, "vm_size": "Standard_D4s_v5"}],
                )
            ),
            CONTROL: azapi("Microsoft.ContainerService/managedClusters", **_AUTO),
            TEMPLATE: deployed("Microsoft.ContainerService/managedClusters", **_AUTO),
            GENERIC: generic("Microsoft.ContainerService", "managedClusters", **_AUTO),
            OPERATOR: made_by("containerservice.azure.com/v1api20240901", "ManagedCluster", **_AUTO),
            CROSSPLANE: crossplane(
                "containerservice.azure", "KubernetesCluster", defaultNodePool=[{"name": "s", "nodeCount": 2}]
            ),
        },
    ),
    "a cluster of AKS with 1,000 nodes": (
        "NP-18",
        {
            CLASSIC: (
                registered(
                    "azure:containerservice/kubernetesCluster:KubernetesCluster",
                    defaultNodePool={"name": "system", "nodeCount": 1000, "vmSize": "Standard_D4s_v5"},
                ),
            ),
            NATIVE: (registered("azure-native:containerservice:ManagedCluster", **_AUTO),),
            TOFU: planned(
                change(
                    "azurerm_kubernetes_cluster",
                    default_node_pool=[{"name": "system", "node_count": 1000, "vm_size": "Standard_D4s_v5"}],
                )
            ),
            CONTROL: azapi("Microsoft.ContainerService/managedClusters", **_AUTO),
            TEMPLATE: deployed("Microsoft.ContainerService/managedClusters", **_AUTO),
            GENERIC: generic("Microsoft.ContainerService", "managedClusters", **_AUTO),
            OPERATOR: made_by("containerservice.azure.com/v1api20240901", "ManagedCluster", **_AUTO),
            CROSSPLANE: crossplane(
                "containerservice.azure", "KubernetesCluster", defaultNodePool=[{"name": "s", "nodeCount": 1000}]
            ),
        },
    ),
    "a network of Azure that is open to the internet": (
        "AK-09",
        {
            CLASSIC: (registered("azure:network/networkSecurityGroup:NetworkSecurityGroup", securityRules=[_SSH]),),
            NATIVE: (registered("azure-native:network:NetworkSecurityGroup", securityRules=[_SSH]),),
            TOFU: planned(change("azurerm_network_security_group", security_rule=[_TOFU_SSH])),
            CONTROL: azapi("Microsoft.Network/networkSecurityGroups", securityRules=[{"name": "ssh", "properties": _SSH}]),
            TEMPLATE: deployed("Microsoft.Network/networkSecurityGroups", securityRules=[{"name": "ssh", "properties": _SSH}]),
            GENERIC: generic("Microsoft.Network", "networkSecurityGroups", securityRules=[{"name": "ssh", "properties": _SSH}]),
            OPERATOR: made_by("network.azure.com/v1api20201101", "NetworkSecurityGroupsSecurityRule", **_SSH),
            CROSSPLANE: crossplane("network.azure", "SecurityRule", networkSecurityGroupName="g", **_SSH),
        },
    ),
    "a vault that one identity owns": (
        "AK-11",
        {
            CLASSIC: (registered("azure:keyvault/accessPolicy:AccessPolicy", objectId="p", secretPermissions=["All"]),),
            NATIVE: (registered("azure-native:keyvault:AccessPolicy", policy={"permissions": {"secrets": ["all"]}}),),
            TOFU: planned(change("azurerm_key_vault_access_policy", object_id="p", secret_permissions=["All"])),
            CONTROL: azapi("Microsoft.KeyVault/vaults", accessPolicies=[{"permissions": {"secrets": ["all"]}}]),
            TEMPLATE: deployed("Microsoft.KeyVault/vaults", accessPolicies=[{"permissions": {"secrets": ["all"]}}]),
            GENERIC: generic("Microsoft.KeyVault", "vaults", accessPolicies=[{"permissions": {"secrets": ["all"]}}]),
            OPERATOR: made_by(
                "keyvault.azure.com/v1api20230701",
                "Vault",
                properties={"accessPolicies": [{"permissions": {"secrets": ["all"]}}]},
            ),
            CROSSPLANE: crossplane("keyvault.azure", "AccessPolicy", objectId="p", secretPermissions=["All"]),
        },
    ),
    "a NodePool without limits": (
        "NP-01",
        {
            CLASSIC: (manifest(POOL),),
            NATIVE: (registered("kubernetes:yaml/v2:ConfigGroup", yaml=POOL),),
            TOFU: planned(change("kubectl_manifest", yaml_body=POOL)),
            TEMPLATE: (registered("aws:cloudformation/stack:Stack", templateBody=text({"Resources": {"P": {"Body": POOL}}})),),
            OPERATOR: made_by("kubernetes.crossplane.io/v1alpha2", "Object", forProvider={"manifest": manifest(POOL).data}),
        },
    ),
    "a command that patches a NodePool": (
        "OB-04",
        {
            CLASSIC: (registered("command:local:Command", create=PATCH),),
            NATIVE: (registered("azure-native:resources:AzureCliScript", scriptContent=PATCH),),
            TOFU: planned(change("null_resource"), configuration=configured("null_resource", PATCH)),
            CONTROL: planned(change("azurerm_resource_deployment_script_azure_cli", script_content=PATCH)),
            TEMPLATE: deployed("Microsoft.Resources/deploymentScripts", scriptContent=PATCH),
            GENERIC: generic("Microsoft.Resources", "deploymentScripts", scriptContent=PATCH),
        },
    ),
    "a policy that only an update knows": (
        "IF-21",
        {
            CLASSIC: (registered("aws:iam/rolePolicy:RolePolicy", role="apps", policy=UNKNOWN),),
            NATIVE: (registered("aws-native:iam:RolePolicy", roleName="apps", policyDocument=UNKNOWN),),
            TOFU: planned(later(change("aws_iam_role_policy", role="apps"), "policy")),
            CONTROL: planned(later(change("awscc_iam_role_policy", role_name="apps"), "policy_document")),
            TEMPLATE: stack("AWS::IAM::RolePolicy", RoleName="apps", PolicyDocument={"Ref": "Elsewhere"}),
            GENERIC: controlled("AWS::IAM::RolePolicy", RoleName="apps", PolicyDocument={"Ref": "Elsewhere"}),
            CROSSPLANE: crossplane("iam.aws", "RolePolicyAttachment", role="apps", policyArnSelector={"matchLabels": {}}),
        },
    ),
    "a role of Azure that only an update knows": (
        "AK-08",
        {
            CLASSIC: (registered("azure:authorization/assignment:Assignment", roleDefinitionId=UNKNOWN),),
            NATIVE: (registered("azure-native:authorization:RoleAssignment", roleDefinitionId=UNKNOWN),),
            TOFU: planned(later(change("azurerm_role_assignment", scope="/x"), "role_definition_id")),
            CONTROL: azapi("Microsoft.Authorization/roleAssignments", roleDefinitionId=UNKNOWN),
            TEMPLATE: deployed("Microsoft.Authorization/roleAssignments", roleDefinitionId="[parameters('role')]"),
            GENERIC: generic("Microsoft.Authorization", "roleAssignments", roleDefinitionId=UNKNOWN),
            CROSSPLANE: crossplane("authorization.azure", "RoleAssignment", roleDefinitionIdSelector={"matchLabels": {}}),
        },
    ),
    "a command that only an update knows": (
        "OB-04",
        {
            CLASSIC: (registered("command:local:Command", create=UNKNOWN),),
            TOFU: planned(later(change("shell_script"), "create")),
        },
    ),
    "what comes from git": (
        "OB-03",
        {
            CLASSIC: (registered("argocd:index/application:Application", spec={}),),
            NATIVE: (registered("azure-native:kubernetesconfiguration:FluxConfiguration"),),
            TOFU: planned(change("argocd_application", spec=[{"source": [{"repo_url": "https://git.example.com/x"}]}])),
            CONTROL: azapi("Microsoft.KubernetesConfiguration/fluxConfigurations", sourceKind="GitRepository"),
            TEMPLATE: deployed("Microsoft.KubernetesConfiguration/fluxConfigurations", sourceKind="GitRepository"),
            GENERIC: generic("Microsoft.KubernetesConfiguration", "fluxConfigurations", sourceKind="GitRepository"),
            OPERATOR: made_by("argoproj.io/v1alpha1", "Application", source={"repoURL": "https://git.example.com/x"}),
            CROSSPLANE: made_by("helm.crossplane.io/v1beta1", "Release", forProvider={"chart": {"name": "x"}}),
        },
    ),
    "a type that no rule knows": (
        "OB-05",
        {
            CLASSIC: (registered("aws:ssm/association:Association"),),
            NATIVE: (registered("aws-native:ssm:Association"),),
            TOFU: planned(change("azurerm_lighthouse_assignment", scope=SUBSCRIPTION)),
            CONTROL: azapi("Microsoft.ManagedServices/registrationAssignments", scope=SUBSCRIPTION),
            TEMPLATE: stack("AWS::SSM::Association", Name="AWS-RunShellScript"),
            GENERIC: controlled("AWS::SSM::Association", Name="AWS-RunShellScript"),
            OPERATOR: made_by("ssm.services.k8s.aws/v1alpha1", "Document", name="x"),
            CROSSPLANE: crossplane("ssm.aws", "Association", name="AWS-RunShellScript"),
        },
    ),
}
"""The rule about each trick, and the trick by source."""
_OF_AN_UPDATE: Final = "that only an update knows"
_ADVISORY: Final = ("OB-03", "OB-05")
_WORDS: Final = {Wanted.STOPS: "stopped", Wanted.OPEN: "open", Wanted.REPORTED: "advice", Wanted.PASSES: "not seen"}


def rows() -> Iterator[Trick]:
    """Yield each trick in each source, to be judged alike."""
    for name, (rule, cells) in TABLE.items():
        wanted = Wanted.REPORTED if rule in _ADVISORY else Wanted.STOPS
        wanted = Wanted.OPEN if name.endswith(_OF_AN_UPDATE) else wanted
        yield from (Trick(f"{name}: {source}", subjects, rule, wanted) for source, subjects in cells.items())


def cell(subjects: tuple[Resource, ...], rule: str) -> str:
    """Return in a word how a rule speaks of a trick."""
    said = {wanted for id_, wanted in Trick("", subjects).offline() if id_ == rule}
    return _WORDS[next((wanted for wanted in (Wanted.STOPS, Wanted.REPORTED, Wanted.OPEN) if wanted in said), Wanted.PASSES)]


def table() -> str:
    """Return the table of what each source shows, as Markdown."""
    lines = [f"| trick | rule | {' | '.join(SOURCES)} |", f"|---|---|{'---|' * len(SOURCES)}"]
    for name, (rule, cells) in TABLE.items():
        words = [cell(cells[source], rule) if source in cells else "" for source in SOURCES]
        lines.append(f"| {name} | {rule} | {' | '.join(words)} |".replace("|  |", "| |"))
    return "\n".join(lines)


TRICKS = tuple(rows())


def main() -> None:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
