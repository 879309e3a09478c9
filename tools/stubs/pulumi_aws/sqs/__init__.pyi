# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_aws.iam

class PolicyDocumentArgsDict(TypedDict):
    statement: pulumi.Input[Sequence[pulumi.Input[pulumi_aws.iam.PolicyStatementArgsDict]]]
    version: pulumi.Input[Any]
    id: NotRequired[pulumi.Input[Optional[str]]]

class Queue(pulumi.CustomResource):
    arn: pulumi.Output[str]
    content_based_deduplication: pulumi.Output[Optional[bool]]
    deduplication_scope: pulumi.Output[str]
    delay_seconds: pulumi.Output[Optional[int]]
    fifo_queue: pulumi.Output[Optional[bool]]
    fifo_throughput_limit: pulumi.Output[str]
    kms_data_key_reuse_period_seconds: pulumi.Output[int]
    kms_master_key_id: pulumi.Output[Optional[str]]
    max_message_size: pulumi.Output[Optional[int]]
    message_retention_seconds: pulumi.Output[Optional[int]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    policy: pulumi.Output[str]
    receive_wait_time_seconds: pulumi.Output[Optional[int]]
    redrive_allow_policy: pulumi.Output[str]
    redrive_policy: pulumi.Output[str]
    region: pulumi.Output[str]
    sqs_managed_sse_enabled: pulumi.Output[bool]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    url: pulumi.Output[str]
    visibility_timeout_seconds: pulumi.Output[Optional[int]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        content_based_deduplication: pulumi.Input[Optional[bool]] = ...,
        deduplication_scope: pulumi.Input[Optional[str]] = ...,
        delay_seconds: pulumi.Input[Optional[int]] = ...,
        fifo_queue: pulumi.Input[Optional[bool]] = ...,
        fifo_throughput_limit: pulumi.Input[Optional[str]] = ...,
        kms_data_key_reuse_period_seconds: pulumi.Input[Optional[int]] = ...,
        kms_master_key_id: pulumi.Input[Optional[str]] = ...,
        max_message_size: pulumi.Input[Optional[int]] = ...,
        message_retention_seconds: pulumi.Input[Optional[int]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        policy: pulumi.Input[Optional[str]] = ...,
        receive_wait_time_seconds: pulumi.Input[Optional[int]] = ...,
        redrive_allow_policy: pulumi.Input[Optional[str]] = ...,
        redrive_policy: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        sqs_managed_sse_enabled: pulumi.Input[Optional[bool]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        visibility_timeout_seconds: pulumi.Input[Optional[int]] = ...) -> None: ...

class QueuePolicy(pulumi.CustomResource):
    policy: pulumi.Output[str]
    queue_url: pulumi.Output[str]
    region: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        policy: pulumi.Input[Union[str, PolicyDocumentArgsDict]],
        queue_url: pulumi.Input[str],
        region: pulumi.Input[Optional[str]] = ...) -> None: ...
