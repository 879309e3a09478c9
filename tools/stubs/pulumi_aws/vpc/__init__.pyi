# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class SecurityGroupEgressRule(pulumi.CustomResource):
    arn: pulumi.Output[str]
    cidr_ipv4: pulumi.Output[Optional[str]]
    cidr_ipv6: pulumi.Output[Optional[str]]
    description: pulumi.Output[Optional[str]]
    from_port: pulumi.Output[Optional[int]]
    ip_protocol: pulumi.Output[str]
    prefix_list_id: pulumi.Output[Optional[str]]
    referenced_security_group_id: pulumi.Output[Optional[str]]
    region: pulumi.Output[str]
    security_group_id: pulumi.Output[str]
    security_group_rule_id: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    to_port: pulumi.Output[Optional[int]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        ip_protocol: pulumi.Input[str],
        security_group_id: pulumi.Input[str],
        cidr_ipv4: pulumi.Input[Optional[str]] = ...,
        cidr_ipv6: pulumi.Input[Optional[str]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        from_port: pulumi.Input[Optional[int]] = ...,
        prefix_list_id: pulumi.Input[Optional[str]] = ...,
        referenced_security_group_id: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        to_port: pulumi.Input[Optional[int]] = ...) -> None: ...

class SecurityGroupIngressRule(pulumi.CustomResource):
    arn: pulumi.Output[str]
    cidr_ipv4: pulumi.Output[Optional[str]]
    cidr_ipv6: pulumi.Output[Optional[str]]
    description: pulumi.Output[Optional[str]]
    from_port: pulumi.Output[Optional[int]]
    ip_protocol: pulumi.Output[str]
    prefix_list_id: pulumi.Output[Optional[str]]
    referenced_security_group_id: pulumi.Output[Optional[str]]
    region: pulumi.Output[str]
    security_group_id: pulumi.Output[str]
    security_group_rule_id: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    to_port: pulumi.Output[Optional[int]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        ip_protocol: pulumi.Input[str],
        security_group_id: pulumi.Input[str],
        cidr_ipv4: pulumi.Input[Optional[str]] = ...,
        cidr_ipv6: pulumi.Input[Optional[str]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        from_port: pulumi.Input[Optional[int]] = ...,
        prefix_list_id: pulumi.Input[Optional[str]] = ...,
        referenced_security_group_id: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        to_port: pulumi.Input[Optional[int]] = ...) -> None: ...
