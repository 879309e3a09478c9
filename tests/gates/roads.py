"""Machines and rights by other roads than the usual ones, and what is graver than the rest of a rule."""

from __future__ import annotations

import json
from typing import Any, Final

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.plans import change, planned
from tests.gates.sources import ADMINISTRATOR, ANYBODY, OWNER, SUBSCRIPTION, azapi, text
from tests.gates.trick import Trick, Wanted, manifest, registered

START: Final = {"profile": "start"}
STATES: Final = "aws:sfn/stateMachine:StateMachine"
SCHEDULE, TARGET = "aws:scheduler/schedule:Schedule", "aws:appautoscaling/target:Target"
ASSIGNMENT, DEFINITION = "azure-native:authorization:RoleAssignment", "azure-native:authorization:RoleDefinition"
ROLES: Final = "/providers/Microsoft.Authorization/roleDefinitions"
CLUSTER_ADMIN, VM, OPERATOR = (
    f"{ROLES}/{guid}"
    for guid in (
        "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
        "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
        "f1a07417-d97a-45cb-824c-7a7467783830",
    )
)
GLOBAL_ADMINISTRATOR: Final = "62e90394-69f5-4237-9190-012177145e10"
DIRECTORY: Final = "azuread:index/directoryRoleAssignment:DirectoryRoleAssignment"
RUN_COMMAND: Final = "Microsoft.Compute/virtualMachines/runCommand/action"
GROUP: Final = f"{SUBSCRIPTION}/resourceGroups/nodes"


def launched(call: str, **request: Any) -> tuple[Resource, ...]:
    """Return a schedule that calls an operation of AWS."""
    target = {"arn": f"arn:aws:scheduler:::aws-sdk:{call}", "roleArn": "r", "input": json.dumps(request)}
    return (registered(SCHEDULE, scheduleExpression="rate(1 minutes)", target=target),)


def stated(call: str, **request: Any) -> tuple[Resource, ...]:
    """Return a state machine that calls an operation of AWS in one of several states."""
    task = {"Type": "Task", "Resource": f"arn:aws:states:::aws-sdk:{call}", "Parameters": request, "End": True}
    states = {"All": {"Type": "Map", "ItemProcessor": {"StartAt": "A", "States": {"A": task}}, "End": True}}
    return (registered(STATES, roleArn="r", definition=json.dumps({"StartAt": "All", "States": states})),)


def machine_set(kind: str = "MachineDeployment", group: str = "cluster.x-k8s.io/v1beta1", **spec: Any) -> tuple[Resource, ...]:
    """Return machines of the Cluster API."""
    text = json.dumps({"apiVersion": group, "kind": kind, "metadata": {"name": "m"}, "spec": {"clusterName": "c", **spec}})
    return (manifest(text),)


def one(type_: str, **inputs: Any) -> tuple[Resource, ...]:
    return (registered(type_, **inputs),)


def assigned(role: str, scope: str = SUBSCRIPTION, **more: Any) -> tuple[Resource, ...]:
    return one(ASSIGNMENT, roleDefinitionId=role, scope=scope, **more)


def account(name: str, key: str = "eks.amazonaws.com/role-arn") -> tuple[Resource, ...]:
    """Return a service account with the annotation of a role."""
    metadata = {"name": name, "annotations": {key: "arn:aws:iam::111122223333:role/web"}}
    return (manifest(json.dumps({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})),)


VARIANTS: Final = [{"instanceType": "ml.p5.48xlarge", "initialInstanceCount": 2}]
MACHINES: Final[dict[str, tuple[Resource, ...]]] = {
    "a dedicated host": one("aws:ec2/dedicatedHost:DedicatedHost", instanceFamily="m7i"),
    "a fleet of GameLift": one("aws:gamelift/fleet:Fleet", ec2InstanceType="c5.24xlarge"),
    "an endpoint of SageMaker": one("aws:sagemaker/endpointConfiguration:EndpointConfiguration", productionVariants=VARIANTS),
    "a notebook of SageMaker": one("aws:sagemaker/notebookInstance:NotebookInstance", instanceType="ml.p5.48xlarge"),
    "a cluster of SageMaker": one("aws-native:sagemaker:Cluster", instanceGroups=[{"instanceCount": 21}]),
    "a spot fleet": one("aws:ec2/spotFleetRequest:SpotFleetRequest", targetCapacity=21),
    "a target of a spot fleet": one(TARGET, serviceNamespace="ec2", scalableDimension="ec2:x", maxCapacity=21),
    "a planned target of a spot fleet": one(
        "aws:appautoscaling/scheduledAction:ScheduledAction",
        serviceNamespace="ec2",
        scalableTargetAction={"minCapacity": 21, "maxCapacity": 21},
    ),
    "a schedule of one machine with accelerators": launched("ec2:runInstances", InstanceType="p5.48xlarge", MaxCount=1),
    "a schedule of many machines": launched("ec2:runInstances", InstanceType="t3.micro", MaxCount=21),
    "a schedule of a larger group": launched("autoscaling:updateAutoScalingGroup", AutoScalingGroupName="x", MaxSize=21),
    "a size of a group": launched("autoscaling:setDesiredCapacity", DesiredCapacity=21),
    "a state of one machine with accelerators": stated("ec2:runInstances", InstanceType="p5.48xlarge", MaxCount=1),
    "a state of a larger group": stated("autoscaling:updateAutoScalingGroup", AutoScalingGroupName="x", MaxSize=21),
    "a MachineDeployment": machine_set(replicas=21),
    "a MachinePool": machine_set("MachinePool", replicas=21),
    "a MachineSet of OpenShift": machine_set("MachineSet", "machine.openshift.io/v1beta1", replicas=21),
    "a group of the Cluster API": machine_set(
        "AWSMachinePool", "infrastructure.cluster.x-k8s.io/v1beta2", minSize=1, maxSize=21
    ),
    "a template of the Cluster API": machine_set(
        "AWSMachineTemplate",
        "infrastructure.cluster.x-k8s.io/v1beta2",
        template={"spec": {"instanceType": "p5.48xlarge"}},
    ),
    "machines of Batch": one(
        "aws:batch/computeEnvironment:ComputeEnvironment", computeResources={"maxVcpus": 64 * 20 + 1, "instanceTypes": ["c7i"]}
    ),
    "machines with many processors": one(
        "aws:ec2/fleet:Fleet", x={"instanceRequirements": {"vcpuCount": {"min": 65}, "memoryMib": {"min": 1}}}
    ),
    "a scale set's size": one("azure-native:compute:VirtualMachineScaleSet", sku={"name": "Standard_M416ms_v2"}),
    "a dedicated host of Azure": one("azure-native:compute:DedicatedHost", sku={"name": "DSv3-Type3"}),
    "a dedicated host of Azure in a plan": planned(change("azurerm_dedicated_host", sku_name="DSv3-Type3")),
    "a group of kOps": machine_set("InstanceGroup", "kops.k8s.io/v1alpha2", maxSize=21),
    "a machine of kOps": machine_set("InstanceGroup", "kops.k8s.io/v1alpha2", machineType="p5.48xlarge"),
    "workers of Gardener": machine_set("Shoot", "core.gardener.cloud/v1beta1", provider={"workers": [{"maximum": 21}]}),
    "a pool of Batch of Azure": planned(
        change("azurerm_batch_pool", vm_size="Standard_D2s_v5", fixed_scale=[{"target_dedicated_nodes": 21}])
    ),
    "many machines of azapi": azapi("Microsoft.Compute/virtualMachineScaleSets", sku={"name": "x", "capacity": 21}),
}
FEW: Final[dict[str, tuple[Resource, ...]]] = {
    "a target of a service": one(TARGET, serviceNamespace="ecs", scalableDimension="ecs:service:DesiredCount", maxCapacity=500),
    "a schedule of a function": launched("lambda:invoke", FunctionName="x", MaxCount=500),
    "a state of few machines": stated("ec2:runInstances", InstanceType="t3.micro", MaxCount=20),
    "a state of a function": stated("lambda:invoke", FunctionName="x", MaxCount=500),
    "a schedule of few machines": launched("ec2:runInstances", InstanceType="t3.micro", MaxCount=20),
    "a small MachineDeployment": machine_set(replicas=20),
    "a machine's name": one("azure-native:compute:VirtualMachine", name="Standard_M416ms_v2", x={"name": "p5.48xlarge"}),
    "all processors that are allowed": one(
        "aws:batch/computeEnvironment:ComputeEnvironment", computeResources={"maxVcpus": 64 * 20}
    ),
    "machines with as many processors as are allowed": one(
        "aws:ec2/fleet:Fleet", x={"instanceRequirements": {"vcpuCount": {"min": 64}}}
    ),
    "a host by its type alone": one("aws:ec2/dedicatedHost:DedicatedHost", instanceType="m7i.large"),
}
GRAVE: Final[dict[str, tuple[tuple[Resource, ...], str]]] = {
    "more than ten times as many machines": (machine_set(replicas=201), "NP-18"),
    "more than ten times as many processors": (
        one("aws:batch/computeEnvironment:ComputeEnvironment", computeResources={"maxVcpus": 64 * 20 * 10 + 1}),
        "NP-18",
    ),
    "Contributor of a subscription": (assigned(f"{ROLES}/b24988ac-6180-42a0-ab88-20f7382dd24c"), "AK-08"),
    "an administrator of the directory": (one(DIRECTORY, roleId=GLOBAL_ADMINISTRATOR), "AK-08"),
}
LESS_GRAVE: Final[dict[str, tuple[tuple[Resource, ...], str]]] = {
    "ten times as many machines": (machine_set(replicas=200), "NP-18"),
    "ten times as many processors": (
        one("aws:batch/computeEnvironment:ComputeEnvironment", computeResources={"maxVcpus": 64 * 20 * 10}),
        "NP-18",
    ),
    "one machine with accelerators": (one("aws:ec2/instance:Instance", instanceType="p5.48xlarge"), "NP-18"),
    "all virtual machines of a subscription": (assigned(VM), "AK-08"),
    "an administrator of the cluster": (assigned(CLUSTER_ADMIN, GROUP), "AK-08"),
}
RIGHTS: Final[dict[str, tuple[Resource, ...]]] = {
    "all virtual machines of a subscription": assigned(VM),
    "all identities of a subscription": assigned(OPERATOR),
    "a workload that is the cluster's administrator": assigned(CLUSTER_ADMIN, GROUP, principalType="ServicePrincipal"),
    "somebody who is the cluster's administrator": assigned(CLUSTER_ADMIN, GROUP),
    "Owner in a subscription with an id": assigned(OWNER, GROUP),
    "Owner on request": one(
        "azure-native:authorization:RoleEligibilityScheduleRequest", roleDefinitionId=OWNER, scope=GROUP, principalType="User"
    ),
    "Owner for some hours": one(
        "azure-native:authorization:RoleAssignmentScheduleRequest", roleDefinitionId=OWNER, scope=GROUP
    ),
    "an administrator of the directory": one(DIRECTORY, roleId=GLOBAL_ADMINISTRATOR),
    "an application that gives itself permissions": one(
        "azuread:index/appRoleAssignment:AppRoleAssignment", appRoleId="06b708a9-e830-4db3-a914-8e69da51d44f"
    ),
    "commands on every machine": one(DEFINITION, permissions=[{"actions": [RUN_COMMAND]}], scope=SUBSCRIPTION),
    "commands on every machine, wherever": one(DEFINITION, permissions=[{"actions": [RUN_COMMAND]}]),
    "commands on every machine of one of two scopes": one(
        DEFINITION, permissions=[{"actions": [RUN_COMMAND]}], assignableScopes=[GROUP, SUBSCRIPTION]
    ),
}
NARROW: Final[dict[str, tuple[Resource, ...]]] = {
    "virtual machines of a group": assigned(VM, GROUP),
    "identities of a group": assigned(OPERATOR, GROUP),
    "people who are the cluster's administrators": assigned(CLUSTER_ADMIN, GROUP, principalType="Group"),
    "a reader of the directory": one(DIRECTORY, roleId="88d8e3e3-8f55-4a1e-953a-9b9898b8876b"),
    "a role of the directory without an id": one(DIRECTORY, roleId="Reader"),
    "commands on the machines of a group": one(DEFINITION, permissions=[{"actions": [RUN_COMMAND]}], assignableScopes=[GROUP]),
    "everything of machines but for one danger": one(
        DEFINITION,
        permissions=[{"actions": ["Microsoft.Authorization/*"], "notActions": ["Microsoft.Authorization/*"]}],
    ),
}

TRICKS = (
    *(Trick(f"machines by {name}", resources, "NP-18") for name, resources in MACHINES.items()),
    *(Trick(f"no machines by {name}", resources, "NP-18", Wanted.PASSES) for name, resources in FEW.items()),
    Trick(
        "a capacity block",
        one("aws:ec2/capacityBlockReservation:CapacityBlockReservation", capacityBlockOfferingId="cb-1"),
        "NP-18",
        Wanted.OPEN,
    ),
    Trick(
        "a pool of Batch by a formula",
        one("azure:batch/pool:Pool", autoScale={"formula": "$TargetDedicatedNodes=500"}),
        "NP-18",
        Wanted.OPEN,
    ),
    Trick(
        "a pool of Batch by a formula, native",
        one("azure-native:batch:Pool", scaleSettings={"autoScale": {"formula": "$n=5"}}),
        "NP-18",
        Wanted.OPEN,
    ),
    Trick(
        "a warm pool of 500 machines",
        one("aws:autoscaling/group:Group", maxSize=5, warmPool={"maxGroupPreparedCapacity": 500}),
        "NP-18",
    ),
    Trick("a size as a number with an exponent", one("aws:autoscaling/group:Group", maxSize="5e2"), "NP-18"),
    *(Trick(f"rights by {name}", resources, "AK-08") for name, resources in RIGHTS.items()),
    *(Trick(f"no rights by {name}", resources, "AK-08", Wanted.PASSES) for name, resources in NARROW.items()),
    *(Trick(f"{name}, at once", resources, rule, gates=START) for name, (resources, rule) in GRAVE.items()),
    *(Trick(f"{name}, later", r, rule, Wanted.REPORTED, START) for name, (r, rule) in LESS_GRAVE.items()),
    Trick(
        "a role by a provider of Terraform that a program uses",
        one("awscc:index/iamRole:IamRole", managedPolicyArns=[ADMINISTRATOR], assumeRolePolicyDocument=text(ANYBODY)),
        "IF-21",
    ),
    Trick(
        "Owner by a provider of Terraform that a program uses",
        one(
            "azapi:index/resource:Resource",
            type="Microsoft.Authorization/roleAssignments@2022-04-01",
            body={"properties": {"roleDefinitionId": OWNER}},
        ),
        "AK-08",
    ),
    Trick(
        "Owner by another provider of Terraform that a program uses",
        one("azurerm:index/roleAssignment:RoleAssignment", roleDefinitionName="Owner", scope=GROUP),
        "AK-08",
    ),
    Trick(
        "an unknown type of a provider of Terraform that a program uses",
        one("azurerm:index/lighthouseAssignment:LighthouseAssignment"),
        "OB-05",
        Wanted.REPORTED,
    ),
    Trick("a role for every pod without an account", account("default"), "IF-27"),
    Trick("an identity for every pod without an account", account("default", "azure.workload.identity/client-id"), "IF-27"),
    Trick("a role for one account", account("web"), "IF-27", Wanted.PASSES),
    Trick("an annotation of the default account", account("default", "example.com/x"), "IF-27", Wanted.PASSES),
    Trick("an association for any account", one("aws-native:eks:PodIdentityAssociation", serviceAccount="*"), "IF-27"),
    Trick("a schedule that changes rights", launched("iam:attachRolePolicy"), "OB-03", Wanted.REPORTED),
    Trick("a state that changes rights", stated("iam:attachRolePolicy"), "OB-03", Wanted.REPORTED),
    Trick("a state that describes machines", stated("ec2:describeInstances"), "OB-03", Wanted.PASSES),
    Trick("a state machine that only an update knows", one(STATES, definition=UNKNOWN), "NP-18", Wanted.OPEN),
    Trick("a schedule that changes the cluster", launched("eks:updateClusterConfig"), "OB-03", Wanted.REPORTED),
    Trick("a schedule that stops machines", launched("ec2:stopInstances"), "OB-03", Wanted.PASSES),
    Trick("a schedule that sends a message", launched("sqs:sendMessage"), "OB-03", Wanted.PASSES),
    Trick("a schedule with a queue", one(SCHEDULE, target={"arn": "arn:aws:sqs:us-west-2:1:x"}), "OB-03", Wanted.PASSES),
)
