"""Names of VPC endpoints for any service of AWS: short ones, and full ones as AWS lists them (spec: aws-infrastructure 1.9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cutlist.core.errors import Place, Problem, nearest
from cutlist.infrastructure.names import partition_of

_SERVICES: Final = """
access-analyzer account acm acm-pca airflow.api airflow.env airflow.ops appconfig appconfigdata application-autoscaling
appmesh appmesh-envoy-management apprunner appstream.api appsync-api aps aps-workspaces arc-zonal-shift athena auditmanager
autoscaling autoscaling-plans backup backup-gateway batch bedrock bedrock-agent bedrock-agent-runtime bedrock-runtime
cassandra cloudcontrolapi cloudformation cloudhsmv2 cloudtrail codeartifact.api codeartifact.repositories codebuild codecommit
codedeploy codepipeline codestar-connections.api cognito-idp comprehend config connect-campaigns databrew dataexchange
datasync datazone dms drs ds dynamodb ebs ec2 ec2messages ecr.api ecr.dkr ecs ecs-agent ecs-telemetry eks eks-auth elasticache
elasticbeanstalk elasticfilesystem elasticloadbalancing elasticmapreduce emr-containers emr-serverless emrwal.prod
entityresolution events execute-api firehose fis forecast frauddetector fsx git-codecommit glue grafana grafana-workspace
guardduty guardduty-data healthlake imagebuilder inspector2 iot.data iotsitewise.api iotsitewise.data kafka kafka-fips kendra
kinesis-firehose kinesis-streams kms kms-fips lakeformation lambda license-manager logs m2 macie2 mediaconnect memory-db
memorydb mgn monitoring network-firewall networkmonitor nimble notebook oidc omics opensearch organizations
payment-cryptography.controlplane personalize pinpoint pipes polly pricing.api profile proton qbusiness qldb.session ram rds
rds-data redshift redshift-data redshift-serverless rekognition resource-groups robomaker rolesanywhere route53resolver rum s3
s3-global.accesspoint s3-outposts s3express s3tables sagemaker.api sagemaker.featurestore-runtime sagemaker.runtime scheduler
secretsmanager securityhub servicecatalog servicecatalog-appregistry servicediscovery servicequotas sms sms-voice
snow-device-management sns sqs ssm ssm-contacts ssm-incidents ssm-quicksetup ssmmessages sso states storagegateway
streaming-rekognition sts swf sync-states synthetics tagging textract timestream-influxdb tnb transcribe transcribestreaming
transfer transfer.server translate trustedadvisor verifiedpermissions vpc-lattice wafv2 workspaces workspaces-web xray
"""
SERVICES: Final = frozenset(_SERVICES.split())
"""Short names of services with endpoints (VPC user guide, aws-services-privatelink-support). AWS adds some every month, so this
only says which names are misspelt."""
GATEWAYS: Final = ("s3", "dynamodb")
"""Services with an endpoint that is a route, and costs nothing."""
_SHORT: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*", re.ASCII)
_FULL: Final = re.compile(r"(?:com\.amazonaws|cn\.com\.amazonaws|aws)(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){2,}", re.ASCII)
_IN_REGION: Final = re.compile(r"(?:cn\.)?com\.amazonaws\.(?:vpce\.)?([a-z]{2,4}(?:-[a-z]+)+-[0-9]{1,2})\.", re.ASCII)
_CUSTOM: Final = re.compile(r"(?:cn\.)?com\.amazonaws\.vpce\.", re.ASCII)
_ALLOWED: Final = "a service such as secretsmanager, or a full name such as com.amazonaws.eu-west-1.secretsmanager"
_CHINA: Final = "aws-cn"


def is_full(name: str) -> bool:
    """Tell whether a name is one that AWS creates an endpoint with, and not a short one."""
    return _FULL.fullmatch(name) is not None


def is_of_others(name: str) -> bool:
    """Tell whether a full name is that of an endpoint service of another account, which has no private name of AWS."""
    return _CUSTOM.match(name) is not None


def short_name(name: str, region: str) -> str:
    """Return the short name of a service in its region; any other name as it is."""
    for prefix in (f"com.amazonaws.{region}.", f"cn.com.amazonaws.{region}."):
        if name.startswith(prefix) and name.removeprefix(prefix) in SERVICES:
            return name.removeprefix(prefix)
    return name


def name_problems(name: str, region: str, place: Place) -> Iterator[Problem]:
    """Yield a problem for a name that no endpoint of a region can have, and for a short one that is close to that of a known
    service: a full name is taken as it is."""
    if is_full(name):
        found = _IN_REGION.match(name)
        if found is not None and region and found[1] != region:
            yield Problem(place, f"{name} is an endpoint of {found[1]}, and the VPC is in {region}", f"a service of {region}")
    elif not _SHORT.fullmatch(name):
        yield Problem(place, f"{name!r} is not the name of an endpoint", _ALLOWED, nearest(name, SERVICES))
    elif name not in SERVICES and (near := nearest(name, SERVICES)):
        yield Problem(
            place, f"no service {name!r} is known", "a service; of a newer one than is known here the full name", near
        )


def full_name_problems(name: str, region: str, place: Place) -> Iterator[Problem]:
    """Yield a problem for a short name in China, where some services have another prefix than others."""
    if partition_of(region) == _CHINA and not is_full(name):
        full = f"com.amazonaws.{region}.{name}"
        yield Problem(place, f"how China calls {name} is not known", f"the full name: {full}, or cn.{full}")
