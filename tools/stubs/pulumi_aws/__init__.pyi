# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import arczonalshift as arczonalshift
from . import autoscaling as autoscaling
from . import cloudwatch as cloudwatch
from . import ec2 as ec2
from . import eks as eks
from . import iam as iam
from . import kms as kms
from . import sqs as sqs
from . import vpc as vpc

class GetCallerIdentityResult:
    account_id: str
    arn: str
    id: str
    user_id: str

class Provider(pulumi.ProviderResource):
    access_key: pulumi.Output[Optional[str]]
    custom_ca_bundle: pulumi.Output[Optional[str]]
    ec2_metadata_service_endpoint: pulumi.Output[Optional[str]]
    ec2_metadata_service_endpoint_mode: pulumi.Output[Optional[str]]
    http_proxy: pulumi.Output[Optional[str]]
    https_proxy: pulumi.Output[Optional[str]]
    no_proxy: pulumi.Output[Optional[str]]
    profile: pulumi.Output[Optional[str]]
    region: pulumi.Output[Optional[str]]
    retry_mode: pulumi.Output[Optional[str]]
    s3_us_east1_regional_endpoint: pulumi.Output[Optional[str]]
    secret_key: pulumi.Output[Optional[str]]
    sts_region: pulumi.Output[Optional[str]]
    tag_policy_compliance: pulumi.Output[Optional[str]]
    token: pulumi.Output[Optional[str]]

def get_caller_identity(id: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetCallerIdentityResult: ...
