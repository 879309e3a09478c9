"""The table of types: every type that a rule names is in it, all names lead to it, and the rest is open or silent."""

from __future__ import annotations

from collections import Counter

import pytest

from cutlist.policy.registry import ALL
from cutlist.policy.rules.expansion.azure import AZAPI, CLASSIC, GENERIC, TEMPLATES
from cutlist.policy.rules.expansion.cloudformation import SINGLE_TYPES, STACKS
from cutlist.policy.rules.objects.coverage import judged_types
from cutlist.policy.rules.types.silent import is_open
from cutlist.policy.rules.types.table import KINDS, kind_of, native_of, token_of_operator, token_of_terraform

_OWN = ("kubernetes:", "cutlist:")


def test_every_type_that_a_rule_names_is_in_the_table():
    named = {token for rule in ALL for token in rule.looks_at if not token.startswith(_OWN) and not token.endswith("*")}
    assert {token for token in named if kind_of(token) is None} == set()


def test_every_type_in_the_table_is_judged():
    """By a rule, or by what it makes; else it would be known and nobody would look at it."""
    opened = {*CLASSIC, *TEMPLATES, *AZAPI, GENERIC, *STACKS, *SINGLE_TYPES}
    rules = [rule for rule in ALL if rule is not judged_types]
    tokens = [token for kind in KINDS for token in kind.tokens if token not in opened]
    assert [token for token in tokens if not any(rule.applies(token) for rule in rules)] == []


def test_every_name_is_that_of_one_kind():
    tokens = Counter(token for kind in KINDS for token in kind.tokens)
    terraform = Counter(name for kind in KINDS for name, _ in kind.terraform_names())
    assert [name for name, times in (tokens + terraform).items() if times > 1] == []


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("aws_iam_role", "aws:iam/role:Role"),
        ("aws_instance", "aws:ec2/instance:Instance"),
        ("aws_ec2_host", "aws:ec2/dedicatedHost:DedicatedHost"),
        ("awscc_iam_role", "aws-native:iam:Role"),
        ("awscc_ec2_ec2_fleet", "aws-native:ec2:Ec2Fleet"),
        ("awscc_autoscaling_auto_scaling_group", "aws-native:autoscaling:AutoScalingGroup"),
        ("azurerm_role_assignment", "azure:authorization/assignment:Assignment"),
        ("local_exec", "command:local:Command"),
        ("aws_vpc", None),
    ],
)
def test_a_type_of_terraform_has_the_name_of_pulumi(name: str, token: str | None):
    assert token_of_terraform(name) == token


def test_types_of_clouds_and_of_operators_have_names_of_pulumi():
    """Azure's names have no case of their own."""
    assert native_of("AWS::EC2::EC2Fleet") == "aws-native:ec2:Ec2Fleet"
    assert native_of("microsoft.authorization/ROLEASSIGNMENTS") == "azure-native:authorization:RoleAssignment"
    assert native_of("AWS::Route53::RecordSet") is None
    assert token_of_operator("network.azure", "SecurityGroup") == "azure:network/networkSecurityGroup:NetworkSecurityGroup"
    assert token_of_operator("iam.aws", "Role") is None


@pytest.mark.parametrize(
    "token",
    [
        "aws:ssm/association:Association",
        "aws-native:ssm:Association",
        "opentofu:index:awscc_ssm_association",
        "opentofu:index:azurerm_lighthouse_assignment",
        "opentofu:index:kubernetes_labels",
        "opentofu:index:Microsoft.ManagedServices/registrationAssignments",
        "azure:automation/runBook:RunBook",
        "kubernetes:ssm.services.k8s.aws/v1alpha1:Document",
        "aws:lambda/capacityProvider:CapacityProvider",
        "aws:iam/accessKey:AccessKey",
        "azuread:index/groupMember:GroupMember",
        "opentofu:index:azurerm_monitor_autoscale_setting",
        "azure-native:insights:AutoscaleSetting",
        "opentofu:index:google_container_node_pool",
        "opentofu:index:google_service_account_key",
        "opentofu:index:oci_identity_policy",
        "opentofu:index:spotinst_ocean_aws",
        "opentofu:index:newcloud_server",
        "gcp:container/nodePool:NodePool",
        "google-native:container/v1:NodePool",
        "oci:Core/instance:Instance",
    ],
)
def test_a_type_that_could_matter_is_open(token: str):
    assert is_open(token)


@pytest.mark.parametrize(
    "token",
    [
        "aws:iam/role:Role",
        "aws:route53/record:Record",
        "aws-native:route53:RecordSet",
        "opentofu:index:awscc_route53_record_set",
        "opentofu:index:aws_route53_record",
        "aws:ec2/vpc:Vpc",
        "aws:lambda/function:Function",
        "opentofu:index:azurerm_dns_a_record",
        "opentofu:index:Microsoft.Storage/storageAccounts",
        "opentofu:index:random_pet",
        "datadog:index/monitor:Monitor",
        "opentofu:index:google_dns_record_set",
        "opentofu:index:github_membership",
        "opentofu:index:shell_script",
        "gcp:dns/recordSet:RecordSet",
        "acme:platform:Cluster",
        "kubernetes:apps/v1:Deployment",
        "kubernetes:s3.services.k8s.aws/v1alpha1:Bucket",
    ],
)
def test_a_type_that_is_known_or_cannot_matter_is_silent(token: str):
    assert not is_open(token)
