"""Roles, queues, networks and clusters that a template of CloudFormation makes."""

from __future__ import annotations

import json
from typing import Any, Final

from cutlist.policy.rules import UNKNOWN, Resource
from tests.gates.principals import ACCOUNT
from tests.gates.trick import Trick, Wanted, registered

STACK: Final = "aws:cloudformation/stack:Stack"
NATIVE: Final = "aws-native:cloudformation:Stack"
EC2: Final = {"Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}]}
ADMINISTRATOR: Final = "arn:aws:iam::aws:policy/AdministratorAccess"
EVERYTHING: Final = {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}
ADMIN: Final = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "iam:*", "Resource": "*"}]}
BUCKET: Final = {"Bucket": {"Type": "AWS::S3::Bucket"}}
READ: Final = {"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": {"Fn::Sub": "${Bucket.Arn}/*"}}]}


def stack(resources: dict[str, Any], type_: str = STACK, parameters: dict[str, Any] | None = None, **more: Any) -> Resource:
    """Return a stack of CloudFormation with a template as JSON."""
    given = {} if parameters is None else {"parameters": parameters}
    return registered(type_, "shop", templateBody=json.dumps({"Resources": resources, **more}), **given)


def one(kind: str, **members: Any) -> dict[str, Any]:
    """Return the resources of a template with one of a kind."""
    return {"It": {"Type": f"AWS::{kind}", "Properties": members}}


def inline(document: Any) -> dict[str, Any]:
    """Return a role with a document in it."""
    return one("IAM::Role", AssumeRolePolicyDocument=EC2, Policies=[{"PolicyName": "p", "PolicyDocument": document}])


IN_YAML: Final = """
Parameters:
  Who: {Type: String, Default: "*"}
Resources:
  Reader:
    Type: AWS::IAM::Role
    Properties:
      RoleName: !Sub "${AWS::StackName}-reader"
      AssumeRolePolicyDocument:
        Version: 2012-10-17
        Statement:
          - Effect: Allow
            Principal: {AWS: !Ref Who}
            Action: sts:AssumeRole
"""
IN_PIECES: Final = {
    "Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": EC2}},
    "Policy": {
        "Type": "AWS::IAM::Policy",
        "Properties": {"PolicyName": "p", "Roles": [{"Ref": "Role"}], "PolicyDocument": ADMIN},
    },
}
SSH: Final = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22}
IN_HALVES: Final = {
    "Web": {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "web"}},
    **{
        f"Half{number}": {
            "Type": "AWS::EC2::SecurityGroupIngress",
            "Properties": {"GroupId": {"Fn::GetAtt": ["Web", "GroupId"]}, "CidrIp": cidr, **SSH},
        }
        for number, cidr in enumerate(("20.0.0.0/8", "40.0.0.0/8"))
    },
}
CONDITIONAL: Final = {
    "Statement": [
        {"Fn::If": ["Prod", READ["Statement"][0], {"Effect": "Allow", "Action": "iam:CreateAccessKey", "Resource": "*"}]}
    ]
}
STOPPED: dict[str, tuple[str, Resource]] = {
    "a role that everybody assumes": ("IF-03", registered(STACK, templateBody=IN_YAML)),
    "a role with every right": ("IF-21", stack(inline(ADMIN))),
    "a role with a right under a condition of the template": (
        "IF-21",
        stack({**inline(CONDITIONAL), **BUCKET}),
    ),
    "a role with a right by a function": (
        "IF-21",
        stack(inline({"Statement": [{"Effect": "Allow", "Action": {"Fn::Join": [":", ["iam", "*"]]}, "Resource": "*"}]})),
    ),
    "a role with a right by a parameter": (
        "IF-21",
        stack(
            inline({"Statement": [{"Effect": "Allow", "Action": {"Ref": "Action"}, "Resource": "*"}]}),
            parameters={"Action": "iam:*"},
            Parameters={"Action": {"Type": "String", "Default": "s3:GetObject"}},
        ),
    ),
    "a role and its policy": ("IF-21", stack(IN_PIECES)),
    "AWS's administrators": (
        "IF-21",
        stack(one("IAM::Role", AssumeRolePolicyDocument=EC2, ManagedPolicyArns=[ADMINISTRATOR])),
    ),
    "a stack of Cloud Control": ("IF-21", stack(inline(ADMIN), NATIVE)),
    "a template as data": ("IF-21", registered(NATIVE, templateBody={"Resources": inline(ADMIN)})),
    "a set of stacks": ("IF-21", stack(inline(ADMIN), "aws:cloudformation/stackSet:StackSet")),
    "one resource of Cloud Control": (
        "IF-21",
        registered(
            "aws:cloudcontrol/resource:Resource",
            typeName="AWS::IAM::Role",
            desiredState=json.dumps(inline(ADMIN)["It"]["Properties"]),
        ),
    ),
    "a resource of no type of its own": (
        "IF-21",
        registered("aws-native:index:ExtensionResource", type="AWS::IAM::Role", properties=inline(ADMIN)["It"]["Properties"]),
    ),
    "a queue in plain text": ("IF-04", stack(one("SQS::Queue", SqsManagedSseEnabled=False))),
    "a queue for everybody": (
        "IF-04",
        stack(one("SQS::QueuePolicy", PolicyDocument={"Statement": [EVERYTHING]})),
    ),
    "an open group": ("IF-22", stack(one("EC2::SecurityGroup", SecurityGroupIngress=[{"CidrIp": "0.0.0.0/0", **SSH}]))),
    "a group that is open by two rules": ("IF-22", stack(IN_HALVES)),
    "an open cluster": ("IF-07", stack(one("EKS::Cluster", ResourcesVpcConfig={"EndpointPublicAccess": True}))),
    "a key for everybody": (
        "IF-23",
        stack(one("KMS::Key", KeyPolicy={"Statement": [EVERYTHING]})),
    ),
    "more hops as text": (
        "IF-09",
        stack(
            one(
                "EC2::LaunchTemplate",
                LaunchTemplateData={"MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": "2"}},
            )
        ),
    ),
    "an anonymous kubelet": (
        "NC-12",
        stack(
            one(
                "EC2::LaunchTemplate",
                LaunchTemplateData={
                    "UserData": {"Fn::Base64": {"Fn::Sub": "bootstrap.sh ${AWS::StackName} --anonymous-auth=true"}},
                    "MetadataOptions": {"HttpTokens": "required"},
                },
            )
        ),
    ),
    "a function that reads the queue": (
        "IF-25",
        stack(
            {
                "Queue": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "karpenter", "SqsManagedSseEnabled": True}},
                "Reader": {
                    "Type": "AWS::Lambda::EventSourceMapping",
                    "Properties": {"EventSourceArn": {"Fn::GetAtt": ["Queue", "Arn"]}},
                },
            }
        ),
    ),
    "nodes in a public subnet": (
        "NC-11",
        stack(
            {
                "Subnet": {"Type": "AWS::EC2::Subnet", "Properties": {"MapPublicIpOnLaunch": True}},
                "Nodes": {"Type": "AWS::EKS::Nodegroup", "Properties": {"Subnets": [{"Ref": "Subnet"}]}},
            }
        ),
    ),
    "large machines": ("NP-18", stack(one("EC2::Instance", InstanceType="p5.48xlarge"))),
}
UNSEEN: dict[str, Resource] = {
    "a template elsewhere": registered(STACK, templateUrl="https://s3.amazonaws.com/bucket/template.yaml"),
    "a text that is not a template": registered(STACK, templateBody="Resources: [a, b]"),
    "macros": stack(one("Serverless::Function"), Transform="AWS::Serverless-2016-10-31"),
    "programs of its own": stack({"It": {"Type": "Custom::Admin", "Properties": {"ServiceToken": "arn"}}}),
    "a stack in a stack": stack(one("CloudFormation::Stack", TemplateURL="https://s3.amazonaws.com/bucket/template.yaml")),
    "a deployment of Azure": registered(
        "azure-native:resources:Deployment", properties={"mode": "Incremental", "template": {}}
    ),
}
OWN_ACCOUNT: Final = {
    "Key": {
        "Type": "AWS::KMS::Key",
        "Properties": {
            "KeyPolicy": {
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:root"}},
                        "Action": "kms:*",
                        "Resource": "*",
                    }
                ]
            }
        },
    },
    "Other": {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "PolicyDocument": {
                "Statement": [
                    {"Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:us-west-2:{ACCOUNT}:accesspoint/a"}
                ]
            }
        },
    },
}
QUEUE: Final = {
    "Queue": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "demo", "SqsManagedSseEnabled": True}},
    "Rule": {
        "Type": "AWS::Events::Rule",
        "Properties": {
            "EventPattern": {"source": ["aws.ec2"]},
            "Targets": [{"Id": "q", "Arn": {"Fn::GetAtt": ["Queue", "Arn"]}}],
        },
    },
    "Policy": {
        "Type": "AWS::SQS::QueuePolicy",
        "Properties": {
            "Queues": [{"Ref": "Queue"}],
            "PolicyDocument": {
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"Service": "events.amazonaws.com"},
                        "Action": "sqs:SendMessage",
                        "Resource": {"Fn::GetAtt": ["Queue", "Arn"]},
                        "Condition": {"ArnEquals": {"aws:SourceArn": {"Fn::GetAtt": ["Rule", "Arn"]}}},
                    },
                    {
                        "Effect": "Deny",
                        "Principal": "*",
                        "Action": "sqs:*",
                        "Resource": {"Fn::GetAtt": ["Queue", "Arn"]},
                        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                    },
                ]
            },
        },
    },
}
ORDINARY: dict[str, Resource] = {
    "a role that reads a bucket": stack({**inline(READ), **BUCKET}),
    "a key of the account": stack(OWN_ACCOUNT),
    "a queue of warnings": stack(QUEUE),
    "a bucket": stack(BUCKET),
}

TRICKS = (
    *(Trick(f"a stack with {name}", (resource,), rule) for name, (rule, resource) in STOPPED.items()),
    *(Trick(f"not looked at: {name}", (resource,), "OB-03", Wanted.REPORTED) for name, resource in UNSEEN.items()),
    Trick("rights that only an update knows", (stack(inline({"Fn::ImportValue": "x"})),), "IF-21", Wanted.OPEN),
    Trick("a template that only an update knows", (registered(STACK, templateBody=UNKNOWN),), "OB-03", Wanted.REPORTED),
    *(Trick(f"an ordinary stack with {name}", (resource,), wanted=Wanted.PASSES) for name, resource in ORDINARY.items()),
)
