"""Clusters and choices that the tests of documents share."""

from __future__ import annotations

from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.choices import STRICT, USUAL, Choices, Feature
from cutlist.infrastructure.names import ClusterFacts

V1_14 = Minor(1, 14)
V1_15 = Minor(1, 15)
REGIONS = (
    "us-west-2",
    "cn-northwest-1",
    "us-gov-west-1",
    "us-iso-east-1",
    "us-isob-east-1",
    "eu-isoe-west-1",
    "eusc-de-east-1",
)


def cluster(name: str = "shop", region: str = "us-west-2", **more: object) -> ClusterFacts:
    return ClusterFacts(name, region, "111122223333", **more)


def everything(facts: ClusterFacts, *, strict: bool = False) -> Choices:
    """Choices with every permission that there is."""
    return Choices(
        node_roles=(facts.role_arn(facts.node_role or ""),),
        queue=facts.arn("sqs", facts.queue or ""),
        queue_key=facts.arn("kms", "key/of-queue"),
        volume_keys=(facts.arn("kms", "key/of-volumes"),),
        image_parameters=(facts.arn("ssm", "parameter/images/shop"),),
        features=USUAL | {Feature.ZONAL_SHIFT, Feature.REBOOT_FOR_REPAIR} | (STRICT if strict else set()),
    )
