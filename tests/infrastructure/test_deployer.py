"""The permissions of whoever runs an update: enough for every resource of every stack, and no more than they need."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pulumi_cutlist.recorded.recording import Recording, Registration
from pulumi_cutlist.stack.preview import preview

from cutlist.infrastructure.iam.deployer import CREATES_LINKED_ROLES, deployer_document
from cutlist.infrastructure.iam.deployer_calls import CALLS, actions_of
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT
from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist_cli import main
from tests.documentation import section

ROOT = Path(__file__).resolve().parents[2]
STACKS = ("auto", "dev", "private", "prod", "staging")
OF_CHILD = {
    "AccessEntry": "access-entry",
    "AccessPolicyAssociation": "access-entry",
    "Addon": "addon",
    "NodeGroup": "nodegroup",
}
OF_IAM = {"Policy": "policy", "InstanceProfile": "instance-profile"}
UNNAMED = "*"


@pytest.fixture(scope="module", params=STACKS)
def recording(request: pytest.FixtureRequest) -> Recording:
    return preview(ROOT, request.param).recording


def facts_of(recording: Recording) -> ClusterFacts:
    inputs = next(
        one.inputs for one in recording.resources.values() if one.type.endswith(("KarpenterCluster", "AutoModeCluster"))
    )
    return ClusterFacts(inputs["cluster_name"], inputs["region"], inputs["account_id"])


def in_account(recording: Recording) -> list[Registration]:
    """What an account has of a stack, by a provider of AWS or by the package's own."""
    own = ("aws:", "pulumi-python:dynamic/cutlist:", "cutlist:index:")
    return [one for one in recording.resources.values() if one.request.custom and one.type.startswith(own)]


def type_of(resource: Registration) -> str:
    return resource.type.replace("pulumi-python:dynamic/", "").replace("cutlist:index:", "cutlist:")


def arn_of(action: str, resource: Registration, facts: ClusterFacts) -> str:
    """The resource that a call is about, by the name that it gets in the account."""
    inputs, (service, _, _) = resource.inputs, action.partition(":")
    name = next((inputs[key] for key in ("name", "role", "rule") if isinstance(inputs.get(key), str)), f"x-{facts.cluster}-x")
    match service:
        case "iam" if action == CREATES_LINKED_ROLES or name.startswith("AWSServiceRole"):
            return facts.role_arn("AWSServiceRoleForX", "/aws-service-role/x.amazonaws.com/")
        case "iam":
            kind = "role" if "Role" in action else OF_IAM.get(resource.type.rpartition(":")[2], "role")
            return facts.arn("iam", f"{kind}{inputs.get('path') or '/'}{name}", region="")
        case "eks":
            child = OF_CHILD.get(resource.type.rpartition(":")[2], "podidentityassociation")
            on_cluster = resource.type.endswith(":Cluster") or action.startswith("eks:Create") or "Cluster" in action
            return facts.cluster_arn if on_cluster else facts.arn("eks", f"{child}/{facts.cluster}/x/0")
        case "sqs":
            return facts.arn("sqs", name)
        case "events":
            return facts.arn("events", f"rule/{name}")
        case "logs":
            return facts.arn("logs", f"log-group:{name}")
        case "cloudwatch":
            return facts.arn("cloudwatch", f"alarm:{name}")
    return UNNAMED


def requests(recording: Recording, facts: ClusterFacts) -> Iterator[tuple[Registration, Request]]:
    for resource in in_account(recording):
        for action in CALLS[type_of(resource)].actions:
            context = {"aws:RequestedRegion": facts.region, "iam:PassedToService": "eks.amazonaws.com"}
            yield resource, Request(action, arn_of(action, resource, facts), context)


def test_each_call_for_each_resource_of_each_stack_is_allowed(recording: Recording):
    facts = facts_of(recording)
    document = deployer_document(facts)
    denied = {(one.type, r.action, r.resource) for one, r in requests(recording, facts) if not decide([document], r).allowed}
    assert denied == set()


def test_a_document_for_one_stack_is_enough_for_it(recording: Recording):
    """Without what only other stacks have."""
    facts = facts_of(recording)
    document = deployer_document(facts, {type_of(one) for one in in_account(recording)})
    assert all(decide([document], request).allowed for _, request in requests(recording, facts))
    assert document.size <= deployer_document(facts).size


@pytest.mark.parametrize("cluster", ["shop", "s" * 100])
def test_it_is_one_managed_policy(cluster: str):
    assert deployer_document(ClusterFacts(cluster, "ap-southeast-1", "111122223333")).size <= MANAGED_POLICY_LIMIT


def test_every_resource_that_components_make_has_its_calls():
    """Whatever options a stack has."""
    sources = "".join(path.read_text() for path in (ROOT / "components" / "pulumi_cutlist" / "aws").rglob("*.py"))
    made = {(module, name) for module, name in re.findall(r"\baws\.(\w+)\.([A-Z]\w+)\(", sources)}
    known = {(type_.split(":")[1].split("/")[0], type_.rpartition(":")[2]) for type_ in CALLS if type_.startswith("aws:")}
    assert made == known


@pytest.mark.parametrize("action", ["iam:DeleteRole", "iam:PassRole", "eks:DeleteCluster", "sqs:DeleteQueue"])
def test_another_clusters_resources_are_out_of_reach(action: str):
    facts, other = (ClusterFacts(name, "eu-west-1", "111122223333") for name in ("shop", "bank"))
    arns = {"iam": other.role_arn(str(other.node_role)), "eks": other.cluster_arn, "sqs": other.arn("sqs", str(other.queue))}
    request = Request(action, arns[action.partition(":")[0]], {"iam:PassedToService": "eks.amazonaws.com"})
    assert not decide([deployer_document(facts)], request).allowed


def test_names_that_are_pulumis_are_allowed_whatever_they_are():
    """With the style auto they do not contain the cluster's."""
    auto = ClusterFacts("shop", "eu-west-1", "111122223333", name_style=NameStyle.AUTO)
    for action, arn in (
        ("iam:CreateRole", auto.role_arn("eks-node-role-0f5c1d2")),
        ("sqs:CreateQueue", auto.arn("sqs", "eks-interruption-queue-0f5c1d2")),
        ("events:PutRule", auto.arn("events", "rule/eks-spot-0f5c1d2")),
        ("cloudwatch:PutMetricAlarm", auto.arn("cloudwatch", "alarm:eks-age-0f5c1d2")),
    ):
        assert decide([deployer_document(auto)], Request(action, arn, {})).allowed
    assert not decide([deployer_document(auto)], Request("eks:DeleteCluster", auto.arn("eks", "cluster/bank"), {})).allowed


def test_another_region_is_out_of_reach():
    facts = ClusterFacts("shop", "eu-west-1", "111122223333")
    request = Request("ec2:TerminateInstances", "*", {"aws:RequestedRegion": "us-east-1"})
    assert not decide([deployer_document(facts)], request).allowed


def test_a_type_without_a_call_would_be_noticed():
    """The table names no type without actions, and the document lacks what is taken out of the table."""
    assert all(calls.actions for calls in CALLS.values())
    facts = ClusterFacts("shop", "eu-west-1", "111122223333")
    without = deployer_document(facts, [type_ for type_ in CALLS if "sqs" not in type_])
    assert not any(action.startswith("sqs:") for statement in without for action in statement.actions)
    assert "sqs:CreateQueue" in actions_of(CALLS)
    assert json.loads(without.text())["Version"] == "2012-10-17"


PAGE = section("karpenter-cluster.md", "Permissions")


def test_the_page_prints_the_document_of_a_cluster():
    """The command on it prints what IAM takes."""
    command = re.findall(r"^\$ cutlist (permissions .*) > policy.json$", PAGE, re.MULTILINE)[0]
    printed = CliRunner().invoke(main, shlex.split(command)).stdout
    assert json.loads(printed) == deployer_document(ClusterFacts("shop", "eu-west-1", "111122223333")).as_data()


def test_the_page_names_each_statement():
    document = deployer_document(ClusterFacts("shop", "eu-west-1", "111122223333"))
    assert {statement.sid for statement in document} == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
