# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class Alias(pulumi.CustomResource):
    arn: pulumi.Output[str]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    region: pulumi.Output[str]
    target_key_arn: pulumi.Output[str]
    target_key_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        target_key_id: pulumi.Input[str],
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...) -> None: ...

class Key(pulumi.CustomResource):
    arn: pulumi.Output[str]
    bypass_policy_lockout_safety_check: pulumi.Output[Optional[bool]]
    custom_key_store_id: pulumi.Output[Optional[str]]
    customer_master_key_spec: pulumi.Output[Optional[str]]
    deletion_window_in_days: pulumi.Output[Optional[int]]
    description: pulumi.Output[str]
    enable_key_rotation: pulumi.Output[Optional[bool]]
    is_enabled: pulumi.Output[Optional[bool]]
    key_id: pulumi.Output[str]
    key_usage: pulumi.Output[Optional[str]]
    multi_region: pulumi.Output[bool]
    policy: pulumi.Output[str]
    region: pulumi.Output[str]
    rotation_period_in_days: pulumi.Output[int]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    xks_key_id: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        bypass_policy_lockout_safety_check: pulumi.Input[Optional[bool]] = ...,
        custom_key_store_id: pulumi.Input[Optional[str]] = ...,
        customer_master_key_spec: pulumi.Input[Optional[str]] = ...,
        deletion_window_in_days: pulumi.Input[Optional[int]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        enable_key_rotation: pulumi.Input[Optional[bool]] = ...,
        is_enabled: pulumi.Input[Optional[bool]] = ...,
        key_usage: pulumi.Input[Optional[str]] = ...,
        multi_region: pulumi.Input[Optional[bool]] = ...,
        policy: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        rotation_period_in_days: pulumi.Input[Optional[int]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        xks_key_id: pulumi.Input[Optional[str]] = ...) -> None: ...
