"""The table of what an account would refuse: a row for each type, its facts as the published models have them, and that it
refuses."""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from pulumi import _types as pulumi_types
from pulumi_cutlist.aws.cluster.cluster import plan_cluster
from pulumi_cutlist.aws.identity.node_identity import plan_node_identity
from pulumi_cutlist.aws.karpenter.discovery import plan_discovery
from pulumi_cutlist.aws.karpenter.interruption import plan_interruption
from pulumi_cutlist.aws.network.network import plan_vpc
from pulumi_cutlist.kubernetes.charts_plan import plan_charts
from pulumi_cutlist.kubernetes.observability import plan_observability

from cutlist.core.errors import InputError
from tests.account import stack
from tests.account.page import page
from tests.account.rows import values_at
from tests.account.table import AWS, ROWS, refusals
from tests.account.values import UNKNOWN
from tests.infrastructure.sdk_inputs import argument_class, sdk_types
from tests.pinned import needs_pinned
from tests.recorded import PROJECT

pytestmark = pytest.mark.xdist_group("stacks")  # one worker records them and imports the SDKs

MODELS = {
    ("aws:iam/role:Role", "name"): ("iam", "CreateRole", "RoleName"),
    ("aws:iam/role:Role", "path"): ("iam", "CreateRole", "Path"),
    ("aws:iam/role:Role", "description"): ("iam", "CreateRole", "Description"),
    ("aws:iam/role:Role", "maxSessionDuration"): ("iam", "CreateRole", "MaxSessionDuration"),
    ("aws:iam/policy:Policy", "name"): ("iam", "CreatePolicy", "PolicyName"),
    ("aws:iam/rolePolicy:RolePolicy", "name"): ("iam", "PutRolePolicy", "PolicyName"),
    ("aws:iam/instanceProfile:InstanceProfile", "name"): ("iam", "CreateInstanceProfile", "InstanceProfileName"),
    ("aws:iam/openIdConnectProvider:OpenIdConnectProvider", "clientIdLists[]"): (
        *("iam", "CreateOpenIDConnectProvider"),
        "ClientIDList.*",
    ),
    ("aws:kms/key:Key", "description"): ("kms", "CreateKey", "Description"),
    ("aws:kms/key:Key", "rotationPeriodInDays"): ("kms", "EnableKeyRotation", "RotationPeriodInDays"),
    ("aws:kms/alias:Alias", "name"): ("kms", "CreateAlias", "AliasName"),
    ("aws:cloudwatch/eventRule:EventRule", "name"): ("events", "PutRule", "Name"),
    ("aws:cloudwatch/eventRule:EventRule", "description"): ("events", "PutRule", "Description"),
    ("aws:cloudwatch/eventRule:EventRule", "state"): ("events", "PutRule", "State"),
    ("aws:cloudwatch/eventTarget:EventTarget", "targetId"): ("events", "PutTargets", "Targets.*.Id"),
    ("aws:cloudwatch/eventTarget:EventTarget", "retryPolicy.maximumRetryAttempts"): (
        *("events", "PutTargets"),
        "Targets.*.RetryPolicy.MaximumRetryAttempts",
    ),
    ("aws:cloudwatch/eventTarget:EventTarget", "retryPolicy.maximumEventAgeInSeconds"): (
        *("events", "PutTargets"),
        "Targets.*.RetryPolicy.MaximumEventAgeInSeconds",
    ),
    ("aws:cloudwatch/logGroup:LogGroup", "name"): ("logs", "CreateLogGroup", "logGroupName"),
    ("aws:cloudwatch/metricAlarm:MetricAlarm", "name"): ("cloudwatch", "PutMetricAlarm", "AlarmName"),
    ("aws:cloudwatch/metricAlarm:MetricAlarm", "alarmDescription"): ("cloudwatch", "PutMetricAlarm", "AlarmDescription"),
    ("aws:cloudwatch/metricAlarm:MetricAlarm", "statistic"): ("cloudwatch", "PutMetricAlarm", "Statistic"),
    ("aws:eks/cluster:Cluster", "name"): ("eks", "CreateCluster", "name"),
    ("aws:eks/cluster:Cluster", "accessConfig.authenticationMode"): (
        *("eks", "CreateCluster"),
        "accessConfig.authenticationMode",
    ),
    ("aws:eks/cluster:Cluster", "kubernetesNetworkConfig.ipFamily"): (
        *("eks", "CreateCluster"),
        "kubernetesNetworkConfig.ipFamily",
    ),
    ("aws:eks/cluster:Cluster", "enabledClusterLogTypes[]"): ("eks", "CreateCluster", "logging.clusterLogging.*.types.*"),
    ("aws:eks/cluster:Cluster", "upgradePolicy.supportType"): ("eks", "CreateCluster", "upgradePolicy.supportType"),
    ("aws:eks/cluster:Cluster", "controlPlaneScalingConfig.tier"): ("eks", "CreateCluster", "controlPlaneScalingConfig.tier"),
    ("aws:eks/nodeGroup:NodeGroup", "capacityType"): ("eks", "CreateNodegroup", "capacityType"),
    ("aws:eks/nodeGroup:NodeGroup", "taints[].key"): ("eks", "CreateNodegroup", "taints.*.key"),
    ("aws:eks/nodeGroup:NodeGroup", "taints[].value"): ("eks", "CreateNodegroup", "taints.*.value"),
    ("aws:eks/nodeGroup:NodeGroup", "taints[].effect"): ("eks", "CreateNodegroup", "taints.*.effect"),
    ("aws:eks/accessPolicyAssociation:AccessPolicyAssociation", "accessScope.type"): (
        *("eks", "AssociateAccessPolicy"),
        "accessScope.type",
    ),
}
"""Limits that botocore's models of the services have too, by service, operation and member."""

CREATED_ONLY = {
    "aws:cloudwatch/eventRule:EventRule": "AWS::Events::Rule",
    "aws:cloudwatch/logGroup:LogGroup": "AWS::Logs::LogGroup",
    "aws:cloudwatch/metricAlarm:MetricAlarm": "AWS::CloudWatch::Alarm",
    "aws:ec2/launchTemplate:LaunchTemplate": "AWS::EC2::LaunchTemplate",
    "aws:ec2/routeTable:RouteTable": "AWS::EC2::RouteTable",
    "aws:ec2/securityGroup:SecurityGroup": "AWS::EC2::SecurityGroup",
    "aws:ec2/subnet:Subnet": "AWS::EC2::Subnet",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "AWS::EC2::VPCEndpoint",
    "aws:eks/accessEntry:AccessEntry": "AWS::EKS::AccessEntry",
    "aws:eks/addon:Addon": "AWS::EKS::Addon",
    "aws:eks/fargateProfile:FargateProfile": "AWS::EKS::FargateProfile",
    "aws:eks/nodeGroup:NodeGroup": "AWS::EKS::Nodegroup",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": "AWS::EKS::PodIdentityAssociation",
    "aws:iam/instanceProfile:InstanceProfile": "AWS::IAM::InstanceProfile",
    "aws:iam/role:Role": "AWS::IAM::Role",
    "aws:sqs/queue:Queue": "AWS::SQS::Queue",
}
OTHER_NAMES = {
    "securityGroupName": "name",
    "groupDescription": "description",
    "groupName": "name",
    "logGroupName": "name",
    "alarmName": "name",
    "launchTemplateName": "name",
    "instanceProfileName": "name",
    "roleName": "name",
    "queueName": "name",
    "nodegroupName": "nodeGroupName",
    "nodeRole": "nodeRoleArn",
    "subnets": "subnetIds",
}
"""Members of CloudFormation's schemas under the names of Pulumi's."""

ROLE, ARN = "aws:iam/role:Role", "arn:aws:iam::111122223333:role/nodes"
TRUST = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"


def document(*statements: dict[str, Any]) -> str:
    """Return a policy document."""
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


MISTAKES: dict[str, tuple[str, dict[str, Any], str]] = {
    "name too long": (ROLE, {"name": "n" * 65}, "name"),
    "name with a slash": (ROLE, {"name": "nodes/system"}, "name"),
    "path without its end": (ROLE, {"path": "/team"}, "path"),
    "trust in a resource": (ROLE, {"assumeRolePolicy": document({**TRUST, "Resource": "*"})}, "assumeRolePolicy"),
    "trust in nobody": (
        ROLE,
        {"assumeRolePolicy": document({"Effect": "Allow", "Action": "sts:AssumeRole"})},
        "assumeRolePolicy",
    ),
    "trust that is too long": (
        *(ROLE, {"assumeRolePolicy": document(*({**TRUST, "Sid": f"Pods{'x' * 40}{n}"} for n in range(20)))}),
        "assumeRolePolicy",
    ),
    "another version of the grammar": (
        ROLE,
        {"assumeRolePolicy": json.dumps({"Version": "1", "Statement": TRUST})},
        "assumeRole",
    ),
    "a condition of no operator": (
        *(ROLE, {"assumeRolePolicy": document({**TRUST, "Condition": {"StringIs": {"aws:PrincipalTag/a": "b"}}})}),
        "assumeRolePolicy",
    ),
    "no document": (ROLE, {"assumeRolePolicy": "{}"}, "assumeRolePolicy"),
    "None in a document": (ROLE, {"permissionsBoundary": "arn:aws:iam::111122223333:policy/None"}, "permissionsBoundary"),
    "tag of AWS": (ROLE, {"tags": {"aws:team": "web"}}, "tags"),
    "too many tags": (ROLE, {"tags": {f"t{n}": "" for n in range(51)}}, "tags"),
    "long value of a tag": (ROLE, {"tags": {"team": "w" * 257}}, "tags"),
    "value of a tag": (ROLE, {"tags": {"team": "web\n"}}, "tags"),
    "name of a role in place of its ARN": ("aws:eks/cluster:Cluster", {"roleArn": "shop"}, "roleArn"),
    "version that EKS has not": ("aws:eks/cluster:Cluster", {"version": "1.12"}, "version"),
    "one subnet": ("aws:eks/cluster:Cluster", {"vpcConfig": {"subnetIds": ["subnet-1"]}}, "vpcConfig.subnetIds"),
    "a VPC for a subnet": ("aws:eks/cluster:Cluster", {"vpcConfig": {"subnetIds": ["subnet-1", "vpc-1"]}}, "subnetIds[1]"),
    "no endpoint": ("aws:eks/cluster:Cluster", {"vpcConfig": {"endpointPublicAccess": False}}, "inputs"),
    "half of Auto Mode": ("aws:eks/cluster:Cluster", {"computeConfig": {"enabled": True}}, "inputs"),
    "services in a block that is too small": (
        *("aws:eks/cluster:Cluster", {"kubernetesNetworkConfig": {"serviceIpv4Cidr": "10.0.0.0/28"}}),
        "serviceIpv4Cidr",
    ),
    "version of a launch template": (
        "aws:eks/nodeGroup:NodeGroup",
        {"launchTemplate": {"id": "lt-1", "version": "None"}},
        "version",
    ),
    "beginning of a name that is too long": (
        "aws:eks/nodeGroup:NodeGroup",
        {"nodeGroupNamePrefix": "n" * 38},
        "nodeGroupNamePrefix",
    ),
    "sizes out of order": (
        *("aws:eks/nodeGroup:NodeGroup", {"scalingConfig": {"minSize": 3, "desiredSize": 2, "maxSize": 3}}),
        "inputs",
    ),
    "another architecture": (
        *("aws:eks/nodeGroup:NodeGroup", {"amiType": "BOTTLEROCKET_ARM_64", "instanceTypes": ["m7i.large"]}),
        "inputs",
    ),
    "two disks": ("aws:eks/nodeGroup:NodeGroup", {"launchTemplate": {"id": "lt-1"}, "diskSize": 20}, "inputs"),
    "version of an add-on": ("aws:eks/addon:Addon", {"addonVersion": "1.20.1"}, "addonVersion"),
    "settings that are no JSON": ("aws:eks/addon:Addon", {"configurationValues": "replicas: 2"}, "configurationValues"),
    "session for a role": (
        *("aws:eks/accessEntry:AccessEntry", {"principalArn": "arn:aws:sts::111122223333:assumed-role/Deployer/ci"}),
        "principalArn",
    ),
    "groups of nodes": ("aws:eks/accessEntry:AccessEntry", {"type": "EC2", "kubernetesGroups": ["a"]}, "inputs"),
    "name that EKS reserves": (
        "aws:eks/fargateProfile:FargateProfile",
        {"fargateProfileName": "eks-web"},
        "fargateProfileName",
    ),
    "subnet that is too small": ("aws:ec2/subnet:Subnet", {"cidrBlock": "10.0.0.0/29"}, "cidrBlock"),
    "VPC that is too large": ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.0/8"}, "cidrBlock"),
    "block that does not begin there": ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.1/16"}, "cidrBlock"),
    "route to nowhere": ("aws:ec2/route:Route", {"routeTableId": "rtb-1", "destinationCidrBlock": "0.0.0.0/0"}, "inputs"),
    "rule of two sources": (
        *(RULE, {"cidrIpv4": "10.0.0.0/8", "referencedSecurityGroupId": "sg-1", "ipProtocol": "-1"}),
        "inputs",
    ),
    "ports of all traffic": (RULE, {"cidrIpv4": "10.0.0.0/8", "ipProtocol": "-1", "fromPort": 1, "toPort": 2}, "inputs"),
    "group for a gateway": (
        *("aws:ec2/vpcEndpoint:VpcEndpoint", {"vpcEndpointType": "Gateway", "securityGroupIds": ["sg-1"]}),
        "inputs",
    ),
    "description with an umlaut": ("aws:ec2/securityGroup:SecurityGroup", {"description": "Knöten"}, "description"),
    "group named like an id": ("aws:ec2/securityGroup:SecurityGroup", {"name": "sg-web"}, "name"),
    "tag on an ARN": ("aws:ec2/tag:Tag", {"resourceId": ARN, "key": "a", "value": "b"}, "resourceId"),
    "queue with a dot": ("aws:sqs/queue:Queue", {"name": "web.jobs"}, "name"),
    "messages for a month": ("aws:sqs/queue:Queue", {"messageRetentionSeconds": 30 * 24 * 3600}, "messageRetentionSeconds"),
    "encrypted twice": ("aws:sqs/queue:Queue", {"sqsManagedSseEnabled": True, "kmsMasterKeyId": "alias/a"}, "inputs"),
    "pattern without lists": ("aws:cloudwatch/eventRule:EventRule", {"eventPattern": '{"source": "aws.ec2"}'}, "eventPattern"),
    "logs for 91 days": ("aws:cloudwatch/logGroup:LogGroup", {"retentionInDays": 91}, "retentionInDays"),
    "six actions": ("aws:cloudwatch/metricAlarm:MetricAlarm", {"alarmActions": ["arn:aws:sns:::a"] * 6}, "alarmActions"),
    "alias of AWS": ("aws:kms/alias:Alias", {"name": "alias/aws/eks"}, "name"),
    "name that Pulumi cannot make": ("aws:cloudwatch/eventRule:EventRule", {}, "name"),
    "pool with a long name": (
        *(
            "azure-native:containerservice:ManagedCluster",
            {"agentPoolProfiles": [{"name": "systempool-one", "mode": "System"}]},
        ),
        "agentPoolProfiles[0].name",
    ),
    "no system pool": (
        "azure-native:containerservice:ManagedCluster",
        {"agentPoolProfiles": [{"name": "web"}]},
        "agentPoolProfiles",
    ),
    "label of Kubernetes": ("kubernetes:core/v1:Namespace", {"metadata": {"labels": {"team": "web team"}}}, "metadata.labels"),
    "name of a release": ("kubernetes:helm.sh/v3:Release", {"name": "Karpenter"}, "name"),
    "moving version of a chart": ("kubernetes:helm.sh/v3:Release", {"name": "karpenter", "version": ">=1.0.0"}, "version"),
    "a type that nobody looked up": ("aws:s3/bucket:Bucket", {}, "no row of the table"),
}
LONG = "n" * 60
"""A name in a program to which Pulumi cannot add its digits everywhere."""


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(("type_", "inputs", "path"), MISTAKES.values(), ids=list(MISTAKES))
def test_a_mistake_is_refused_with_its_path(type_, inputs, path):
    """One mistake is one line, which begins with the name in the program."""
    name = LONG if "Pulumi" in path or not inputs else "made"
    lines = refusals(type_, name, inputs)
    assert [line for line in lines if line.startswith(f"{name}: ") and path in line], lines
    assert len({line.partition(" is not")[0] for line in lines}) <= 2, lines


def test_tags_have_letters_of_any_script():
    assert refusals(ROLE, "made", {"tags": {"größe": "中 +1"}}) == []


def test_what_an_update_knows_is_not_refused_before():
    assert refusals(ROLE, "made", {"name": UNKNOWN, "assumeRolePolicy": UNKNOWN, "tags": {"a": UNKNOWN}}) == []


def test_every_type_that_components_make_has_a_row():
    kubernetes = {type_ for type_ in sdk_types() if type_.startswith("kubernetes:")}
    assert sorted(sdk_types() - kubernetes - ROWS.keys()) == []


OF_NO_CLASS = (
    "kubernetes:helm.sh/v4:Chart",
    *(f"pulumi:providers:{package}" for package in ("aws", "azure-native", "eks", "pulumi-python")),
)
"""Types of rows that are not classes of an SDK which components make. The classes themselves are imported when tests
run: each worker collects all tests, and one runs these."""


def test_every_row_is_of_a_class_of_an_sdk():
    assert [type_ for type_ in ROWS if type_.startswith(OF_NO_CLASS) == (type_ in sdk_types())] == []


@pytest.mark.parametrize(
    "row", [row for row in ROWS.values() if not row.type.startswith(OF_NO_CLASS)], ids=lambda row: row.type
)
def test_paths_of_a_row_are_inputs_of_its_sdk(row):
    """Of limits and of what replaces alike: at least the first member of a path is an input."""
    known = pulumi_types.input_type_types(argument_class(row.type)).keys()
    paths = {*(limit.path for limit in row.limits), *row.replaces, *([row.autonamed[0]] if row.autonamed else [])} - {""}
    assert {first for path in paths if (first := path.partition(".")[0].rstrip("[]{}")) not in known} == set()


@cache
def model(service: str) -> Any:
    """Return botocore's model of a service."""
    return botocore.session.get_session().get_service_model(service)


@needs_pinned("botocore")
@pytest.mark.parametrize(("type_", "path"), MODELS, ids=[f"{type_.rpartition(':')[2]}-{path}" for type_, path in MODELS])
def test_limits_are_those_of_the_published_models(type_, path):
    """Of lengths and ranges the last that is accepted and the first that is not; of enumerations every member."""
    service, operation, member = MODELS[type_, path]
    shape = model(service).operation_model(operation).input_shape
    for part in member.split("."):
        shape = shape.member if part == "*" else shape.members[part]
    checks = [limit.check for limit in ROWS[type_].limits if limit.path == path]

    def accepts(value: Any) -> bool:
        return all(check.accepts(value) for check in checks)

    if shape.type_name == "integer":
        limits = [shape.metadata[end] for end in ("min", "max") if end in shape.metadata]
        assert all(map(accepts, limits))
        assert not any(accepts(end) for end in (shape.metadata.get("min", 0) - 1, shape.metadata.get("max", 10**9) + 1))
    elif "enum" in shape.metadata:
        assert all(map(accepts, shape.metadata["enum"]))
        assert not accepts("another")
    else:
        begin = {"Path": "/", "AliasName": "alias/"}.get(member.rpartition(".")[2], "")
        end = "/" if begin == "/" else ""
        longest = shape.metadata["max"] - len(begin) - len(end)
        assert accepts(f"{begin}{'n' * longest}{end}")
        assert not accepts(f"{begin}{'n' * (longest + 1)}{end}")


@cache
def schema_of(resource: str) -> Any:
    """Return CloudFormation's schema of a resource, as cfn-lint has it."""
    data = Path(distribution("cfn-lint").locate_file("cfnlint/data/schemas"))  # its import would bring in an algebra system
    names = json.loads((data / "providers" / "us-east-1.json").read_text())
    return json.loads((data / "resources" / f"{names[resource]}.json").read_text())


@needs_pinned("cfn-lint")
@pytest.mark.parametrize(("type_", "resource"), CREATED_ONLY.items(), ids=list(CREATED_ONLY.values()))
def test_what_only_a_creation_sets_is_replaced(type_, resource):
    """What a service cannot change in place, by CloudFormation's schema, replaces here too, where Pulumi's resource has it."""
    known = pulumi_types.input_type_types(argument_class(type_)).keys()
    members = [pointer.split("/")[2] for pointer in schema_of(resource)["createOnlyProperties"] if pointer.count("/") == 2]
    names = {OTHER_NAMES.get(name, name) for name in (member[0].lower() + member[1:] for member in members)}
    assert {name for name in names & known if name not in ROWS[type_].replaces} == set()


@pytest.mark.parametrize(
    ("path", "olds", "replaced"),
    [
        ("encryptionConfig", {}, False),
        ("encryptionConfig", {"encryptionConfig": {"resources": ["secrets"]}}, True),
        ("computeConfig.nodeRoleArn", {"computeConfig": {"enabled": True}}, False),
        ("computeConfig.nodeRoleArn", {"computeConfig": {"nodeRoleArn": ARN}}, True),
        ("kubernetesNetworkConfig.ipFamily", {}, True),
        ("kubernetesNetworkConfig.elasticLoadBalancing.enabled", {}, False),
    ],
)
def test_what_is_added_in_place_and_then_stays_is_replaced_where_it_ends(path, olds, replaced):
    """By the provider's own schema of a cluster."""
    assert ROWS["aws:eks/cluster:Cluster"].is_replaced(path, olds) is replaced


def test_everything_of_a_region_is_replaced_elsewhere():
    """Rows need not say so: the stand-in replaces what changes its region."""
    assert all("region" not in row.replaces for row in AWS)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("a", [("a", {"b": [1, None], "c": 2})]),
        ("a.b[]", [("a.b[0]", 1)]),
        ("a{}", [("a.b", "b"), ("a.c", "c")]),
        ("a.c", [("a.c", 2)]),
        ("x.y", []),
    ],
)
def test_values_are_found_by_path(path, values):
    assert list(values_at({"a": {"b": [1, None], "c": 2}}, path)) == values


def subnet(name: str, block: str) -> tuple[str, str, dict[str, Any]]:
    """Return a subnet."""
    return "aws:ec2/subnet:Subnet", name, {"vpcId": "vpc-a", "cidrBlock": block, "availabilityZone": "eu-west-1a"}


VPC = ("aws:ec2/vpc:Vpc", "a", {"cidrBlock": "10.0.0.0/16"})
ATTACHED = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
TOGETHER: dict[str, tuple[list[tuple[str, str, dict[str, Any]]], str]] = {
    "eleven policies": (
        [(ATTACHED, f"p{n}", {"role": "nodes", "policyArn": f"{n}"}) for n in range(11)],
        "10 managed policies",
    ),
    "one name twice": ([(ROLE, "a", {"name": "Nodes"}), (ROLE, "b", {"name": "nodes"})], "one role of a name"),
    "inline policies": (
        [("aws:iam/rolePolicy:RolePolicy", f"p{n}", {"role": "nodes", "policy": "x" * 6_000}) for n in range(2)],
        "10,240 characters together",
    ),
    "six addresses": ([("aws:ec2/eip:Eip", f"a{n}", {"domain": "vpc"}) for n in range(6)], "5 Elastic IP addresses"),
    "overlap": ([VPC, subnet("a", "10.0.0.0/24"), subnet("b", "10.0.0.0/20")], "apart from each other"),
    "outside": ([VPC, subnet("a", "10.1.0.0/24")], "inside of the block"),
    "one zone": (
        [
            *(subnet(n, f"10.0.{n}.0/24") for n in "12"),
            ("aws:eks/cluster:Cluster", "c", {"vpcConfig": {"subnetIds": ["subnet-1", "subnet-2"]}}),
        ],
        "two zones",
    ),
    "tag of two owners": (
        [VPC, subnet("a", "10.0.0.0/24"), ("aws:ec2/tag:Tag", "t", {"resourceId": "subnet-a", "key": "k", "value": "v"})],
        "no tag resource",
    ),
    "rules alike": ([(RULE, n, {"securityGroupId": "sg-1", "cidrIpv4": "10.0.0.0/8"}) for n in "ab"], "no two rules"),
    "two associations": (
        [
            (
                "aws:eks/podIdentityAssociation:PodIdentityAssociation",
                n,
                {"clusterName": "c", "namespace": "n", "serviceAccount": "s"},
            )
            for n in "ab"
        ],
        "one association for a service account",
    ),
}


@pytest.mark.parametrize(("resources", "says"), TOGETHER.values(), ids=list(TOGETHER))
def test_a_mistake_of_several_resources_is_refused(resources, says):
    [line] = stack.refusals(resources)
    assert says in line


def test_the_page_is_what_the_table_says():
    """`python -m tests.account.page > tests/account/README.md` regenerates it."""
    assert (PROJECT / "tests" / "account" / "README.md").read_text() == page()


def test_sources_say_when_they_were_read():
    limits = [limit for row in ROWS.values() for limit in row.limits]
    assert all(date.fromisoformat(limit.source.read) and limit.source.url.startswith("https://") for limit in limits)


OF_CLUSTER = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "111122223333"}
WARNINGS = {**OF_CLUSTER, "karpenter_version": "1.14.1"}
PLANE = {**OF_CLUSTER, "version": "1.34", "subnet_ids": ["subnet-a", "subnet-b"], "zones": ["eu-west-1a", "eu-west-1b"]}
ADMINS = {"me": ARN}
INPUTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "six actions": (
        plan_interruption,
        {**WARNINGS, "alarm_actions": ["arn:aws:sns:eu-west-1:111122223333:a"] * 6},
        "alarmActions",
    ),
    "a topic of another region": (
        plan_interruption,
        {**WARNINGS, "alarm_actions": ["arn:aws:sns:us-east-1:111122223333:a"]},
        "alarmActions[0]",
    ),
    "a key of another region": (
        plan_interruption,
        {**WARNINGS, "encryption": "given-key", "kms_key_arn": "arn:aws:kms:us-east-1:111122223333:key/a"},
        "kmsKeyArn",
    ),
    "an alias for the logs": (
        plan_cluster,
        {"control_plane": {**PLANE, "admins": ADMINS, "log_key_arn": "alias/logs"}},
        "controlPlane.logKeyArn",
    ),
    "tags that differ in case": (plan_interruption, {**WARNINGS, "tags": {"Team": "a", "team": "b"}}, "tags.team"),
    "no ARN": (plan_interruption, {**WARNINGS, "alarm_actions": ["ops"]}, "alarmActions[0]"),
    "tag of AWS": (plan_interruption, {**WARNINGS, "tags": {"aws:team": "web"}}, "tags.aws:team"),
    "name of a policy": (plan_node_identity, {**OF_CLUSTER, "extra_policy_arns": ["AmazonSSM"]}, "extraPolicyArns[0]"),
    "name of a boundary": (plan_node_identity, {**OF_CLUSTER, "permissions_boundary": "limits"}, "permissionsBoundary"),
    "path with a space": (plan_node_identity, {**OF_CLUSTER, "path": "/our team/"}, "path"),
    "tag of a network": (plan_vpc, {"cluster_name": "shop", "region": "eu-west-1", "own": {}, "tags": {"a": "b;c"}}, "tags.a"),
    "namespace of pods on Fargate": (
        plan_cluster,
        {"control_plane": {**PLANE, "admins": ADMINS}, "fargate": {"namespace": "Web"}, "identity": "irsa"},
        "fargate.namespace",
    ),
    "namespace with a dot": (
        plan_charts,
        {"karpenter_version": "1.14.1", "cluster_name": "shop", "namespace": "a.b"},
        "namespace",
    ),
    "service account in capitals": (
        plan_charts,
        {"karpenter_version": "1.14.1", "cluster_name": "shop", "service_account": "Karpenter"},
        "serviceAccount",
    ),
    "namespace of series": (
        plan_observability,
        {"karpenter_version": "1.14.1", "cluster_name": "shop", "grafana_password": "x", "namespace": "n" * 64},
        "namespace",
    ),
    "rules of a group": (
        plan_discovery,
        {
            "cluster_name": "shop",
            "cluster_security_group_id": "sg-1",
            "subnet_ids": ["subnet-a"],
            "dedicated_group": {"vpc_id": "vpc-1", "webhook_ports": list(range(9000, 9056))},
        },
        "dedicatedGroup.webhookPorts",
    ),
}


@pytest.mark.parametrize(("plan", "inputs", "place"), INPUTS.values(), ids=list(INPUTS))
def test_a_component_refuses_what_the_account_would(plan, inputs, place):
    """Before anything is registered, where the input is written, with what is allowed."""
    with pytest.raises(InputError) as refused:
        plan(inputs)
    assert [problem.place.path for problem in refused.value.problems] == [place]
    assert all(problem.allowed for problem in refused.value.problems)
