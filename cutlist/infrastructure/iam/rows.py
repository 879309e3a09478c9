"""The controller's permissions: one row per statement, for every known version (spec: aws-infrastructure 3.3 to 3.5).
Statements about resources that it creates and owns are in `ownership_rows`; here are those about services, reading and keys.
"""

from __future__ import annotations

from typing import Final

from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.choices import CallerResource, Feature
from cutlist.infrastructure.iam.documents import Condition, Operator
from cutlist.infrastructure.iam.ownership_rows import IAM_INTEGRATION, INSTANCE_PROFILES, NODE_LIFECYCLE
from cutlist.infrastructure.iam.table import Arn, Everything, Part, Reach, Row, TableAction, When, actions, equals

_V1_7: Final = Minor(1, 7)
_V1_11: Final = Minor(1, 11)
_V1_12: Final = Minor(1, 12)

OTHER_PARTS: Final = (
    Row(
        "C1",
        Part.EKS_INTEGRATION,
        "AllowAPIServerEndpointDiscovery",
        actions("eks:DescribeCluster"),
        (Reach(Arn("eks", "cluster/{cluster}")),),
        "endpoint, service addresses for the user data of AL2023, and whether zonal shift is registered",
    ),
    Row(
        "D1",
        Part.INTERRUPTION,
        "AllowInterruptionQueueActions",
        actions("sqs:GetQueueUrl", "sqs:ReceiveMessage", "sqs:DeleteMessage"),
        (Reach(CallerResource.QUEUE),),
        "warnings of interruptions are read and removed",
    ),
    Row(
        "D2",
        Part.INTERRUPTION,
        "AllowInterruptionQueueDecryption",
        actions("kms:Decrypt"),
        (Reach(CallerResource.QUEUE_KEY),),
        "reading from a queue that is encrypted with your own key",
    ),
    Row(
        "E1",
        Part.ZONAL_SHIFT,
        "AllowZonalShiftStatusReadOnly",
        actions("arc-zonal-shift:GetManagedResource"),
        (Reach(Everything()),),
        "which zones traffic was shifted away from; the service knows the cluster by the condition alone",
        (equals("arc-zonal-shift:ResourceIdentifier", "{cluster_arn}"),),
        When(_V1_12, Feature.ZONAL_SHIFT),
    ),
)

RESOURCE_DISCOVERY: Final = (
    Row(
        "F1",
        Part.RESOURCE_DISCOVERY,
        "AllowRegionalReadActions",
        (
            TableAction("ec2:DescribeCapacityReservations", When(needs=Feature.CAPACITY_RESERVATIONS)),
            TableAction("ec2:DescribeImages"),
            TableAction("ec2:DescribeInstances"),
            TableAction("ec2:DescribeInstanceStatus", When(_V1_12)),
            TableAction("ec2:DescribeInstanceTypeOfferings"),
            TableAction("ec2:DescribeInstanceTypes"),
            TableAction("ec2:DescribeLaunchTemplates"),
            TableAction("ec2:DescribePlacementGroups", When(_V1_11, Feature.PLACEMENT_GROUPS)),
            TableAction("ec2:DescribeSecurityGroups"),
            TableAction("ec2:DescribeSpotPriceHistory"),
            TableAction("ec2:DescribeSubnets"),
        ),
        (Reach(Everything()),),
        "what the region offers and what the cluster has; only the region can limit these calls, resources cannot",
        (equals("aws:RequestedRegion", "{region}"),),
    ),
    Row(
        "F2",
        Part.RESOURCE_DISCOVERY,
        "AllowSSMReadActions",
        actions("ssm:GetParameter"),
        (Reach(Arn("ssm", "parameter/aws/service/*", account="")),),
        "which image an alias stands for",
        when=When(needs=Feature.IMAGE_ALIASES),
    ),
    Row(
        "F2a",
        Part.RESOURCE_DISCOVERY,
        "AllowOwnSSMReadActions",
        actions("ssm:GetParameter"),
        (Reach(CallerResource.IMAGE_PARAMETERS),),
        "images whose ids are in your own SSM parameters",
    ),
    Row(
        "F3",
        Part.RESOURCE_DISCOVERY,
        "AllowPricingReadActions",
        actions("pricing:GetProducts"),
        (Reach(Everything()),),
        "prices; the list lies in other regions, so that no region can be asked for",
        when=When(needs=Feature.PRICE_LIST),
    ),
    Row(
        "F4",
        Part.RESOURCE_DISCOVERY,
        "AllowUnscopedInstanceProfileListAction",
        actions("iam:ListInstanceProfiles"),
        (Reach(Everything()),),
        "without it the deletion of a NodeClass never ends",
        when=When(_V1_7),
    ),
    Row(
        "F5",
        Part.RESOURCE_DISCOVERY,
        "AllowInstanceProfileReadActions",
        actions("iam:GetInstanceProfile"),
        INSTANCE_PROFILES,
        "whether a profile exists and has its role",
    ),
)

_BY_EC2: Final = equals("kms:ViaService", "ec2.{region}.amazonaws.com")
ENCRYPTION: Final = (
    Row(
        "K1",
        Part.ENCRYPTION,
        "AllowVolumeEncryption",
        actions("kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncrypt*"),
        (Reach(CallerResource.VOLUME_KEYS),),
        "volumes of nodes that are encrypted with your own key",
        (_BY_EC2,),
    ),
    Row(
        "K2",
        Part.ENCRYPTION,
        "AllowVolumeEncryptionGrants",
        actions("kms:CreateGrant"),
        (Reach(CallerResource.VOLUME_KEYS),),
        "EC2 goes on using that key for as long as the volume is attached",
        (_BY_EC2, Condition(Operator.BOOL, "kms:GrantIsForAWSResource", ("true",))),
    ),
)

ROWS: Final = (*NODE_LIFECYCLE, *IAM_INTEGRATION, *OTHER_PARTS, *RESOURCE_DISCOVERY, *ENCRYPTION)
