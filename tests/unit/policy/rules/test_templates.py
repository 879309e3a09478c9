"""What templates of CloudFormation and objects of operators come to, as resources that the rules know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cutlist.documents.cloudformation.short_forms import parse_template
from cutlist.policy.rules import UNKNOWN, Resource
from cutlist.policy.rules.expansion.cloudformation import resources_of_stack, unseen_in
from cutlist.policy.rules.expansion.expansion import expanded

STACK = "aws:cloudformation/stack:Stack"
QUEUE = {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": {"Fn::Sub": "${AWS::StackName}-q"}}}


def member(value: Any, **parameters: Any) -> Any:
    """Return what a member of a resource comes to, beside a queue and parameters."""
    it = {"Type": "AWS::KMS::Key", "Properties": {"Description": value}}
    declared = {name: {"Type": "String", "Default": default} for name, default in parameters.items()}
    text = json.dumps({"Parameters": declared, "Resources": {"It": it, "Queue": QUEUE}})
    [key] = [r for r in resources_of_stack(Resource(STACK, "s", {"templateBody": text}, urn="urn:s")) if r.name == "It"]
    return key.data.get("description")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ({"Ref": "AWS::Partition"}, "aws"),
        ({"Ref": "Size"}, "5"),
        ({"Ref": "Queue"}, "stack-q"),
        ({"Ref": "AWS::NoValue"}, None),
        ({"Ref": "Nobody"}, UNKNOWN),
        ({"Fn::GetAtt": ["Queue", "Arn"]}, "arn:aws:sqs:us-east-1:000000000000:stack-q"),
        ({"Fn::GetAtt": ["Queue", "QueueName"]}, "stack-q"),
        ({"Fn::Sub": "a-${Size}-${!aws:username}"}, "a-5-${aws:username}"),
        ({"Fn::Sub": ["${x}/${Queue.Arn}", {"x": {"Ref": "Size"}}]}, "5/arn:aws:sqs:us-east-1:000000000000:stack-q"),
        ({"Fn::Sub": "${Nobody.Arn}"}, UNKNOWN),
        ({"Fn::Join": [":", ["iam", {"Ref": "Size"}]]}, "iam:5"),
        ({"Fn::Join": [":", ["iam", {"Fn::ImportValue": "x"}]]}, UNKNOWN),
        ({"Fn::Split": [",", "a,b"]}, ["a", "b"]),
        ({"Fn::Base64": "text"}, "text"),
        ({"Fn::If": ["Prod", "a", {"Ref": "AWS::NoValue"}]}, "a"),
        ({"Fn::If": ["Prod", "a", "b"]}, UNKNOWN),
        ([{"Fn::If": ["Prod", "a", {"Fn::If": ["Dev", "b", {"Ref": "AWS::NoValue"}]}]}, "c"], ["a", "b", "c"]),
        ("{{resolve:ssm:/account}}", UNKNOWN),
    ],
)
def test_functions_are_resolved_as_far_as_they_are_known(written: Any, value: Any):
    assert member(written, Size="5") == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: b",
        "Resources: [a]",
        '{"Resources": ',
        "a: &x [1]\nResources: {A: *x}",
        "[" * 5000,
        '{"Resources": ' + '{"a":' * 5000,
        "Resources: {a: " + "[" * 2000,
        "Resources: {? [a] : b}\n? {c: d}\n: e",
    ],
)
def test_a_text_that_is_no_template_has_none(text: str):
    assert parse_template(text) is None
    assert list(resources_of_stack(Resource(STACK, "s", {"templateBody": text}))) == []
    assert unseen_in(Resource(STACK, "s", {"templateBody": text})) == "what its template makes"


@pytest.mark.parametrize(
    "resources",
    [
        {"A": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": {"Ref": "A"}}}},
        {
            "A": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": {"Fn::GetAtt": ["B", "Arn"]}}},
            "B": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": {"Fn::Sub": "${A}${A}"}}},
        },
        {"A": {"Type": "AWS::IAM::Role", "Properties": {1: 2, "Tags": [{None: {}}], "Policies": {"Ref": 5}}}},
        {"A": {"Type": ["AWS::IAM::Role"], "Properties": []}, "B": None, "C": {"Type": "AWS::IAM::Role"}},
        {"A": {"Type": "AWS::IAM::Role", "Properties": {"Path": {"Fn::Sub": ["${x}" * 900, {"x": {"Fn::Sub": "y" * 900}}]}}}},
    ],
    ids=["its own name", "names in a circle", "odd keys", "odd types", "texts in texts"],
)
def test_odd_templates_have_an_end(resources: dict[str, Any]):
    for resource in resources_of_stack(
        Resource("aws-native:cloudformation:Stack", "s", {"templateBody": {"Resources": resources}})
    ):
        assert all(isinstance(key, str) for key in resource.data)
        assert resource.data.get("path") in (None, UNKNOWN)


def test_short_forms_and_dates_of_yaml_are_read_as_cloudformation_reads_them():
    template = parse_template("Resources:\n  A: {Type: !Sub x, Version: 2012-10-17, Arn: !GetAtt A.B.C, If: !If [a, b, c]}\n")
    assert template == {
        "Resources": {
            "A": {
                "Type": {"Fn::Sub": "x"},
                "Version": "2012-10-17",
                "Arn": {"Fn::GetAtt": ["A", "B.C"]},
                "If": {"Fn::If": ["a", "b", "c"]},
            }
        }
    }


def test_a_resource_has_its_place_in_the_template_and_what_it_refers_to():
    rule = {"Type": "AWS::EC2::SecurityGroupIngress", "Properties": {"GroupId": {"Ref": "Web"}, "IpProtocol": "tcp"}}
    text = json.dumps({"Resources": {"Rule": rule, "Web": {"Type": "AWS::EC2::SecurityGroup"}}})
    rule_of_web, web = resources_of_stack(Resource(STACK, "s", {"templateBody": text}, urn="urn:s"))
    assert rule_of_web.data == {"groupId": "Web", "ipProtocol": "tcp"}
    assert rule_of_web.references["groupId"] == (web.urn,)
    assert (
        rule_of_web.at("ipProtocol").violation("a", "b", "c").place.path == "templateBody.Resources.Rule.Properties.ipProtocol"
    )


def test_a_reference_of_crossplane_names_the_object_that_another_makes():
    def made(kind: str, members: dict[str, Any]) -> Resource:
        manifest = {"apiVersion": "ec2.aws.upbound.io/v1beta1", "kind": kind, "metadata": {"name": "web"}}
        outer = Resource(f"kubernetes:{manifest['apiVersion']}:{kind}", "web", {**manifest, "spec": {"forProvider": members}})
        return list(expanded(outer))[-1]

    group, rule = made("SecurityGroup", {}), made("SecurityGroupRule", {"securityGroupIdRef": {"name": "web"}})
    assert rule.type == "aws:ec2/securityGroupRule:SecurityGroupRule"
    assert rule.references["securityGroupId"] == (group.urn,)
