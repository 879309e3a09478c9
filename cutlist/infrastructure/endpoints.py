"""The VPC endpoints that a cluster without internet access needs, each with its reason (spec: aws-infrastructure 1.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.inputs import one_of
from cutlist.infrastructure.names import partition_of

GATEWAY: Final = "s3"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint by its short name, such as `ecr.api`; `why` says what fails without it.

    `cn_prefix` says whether China calls the service `cn.com.amazonaws...`, which it does for some services only.
    """

    name: str
    why: str
    required: bool = True
    cn_prefix: bool = True

    @property
    def is_gateway(self) -> bool:
        """Tell whether it is a route and not an interface: the one for S3, which costs nothing."""
        return self.name == GATEWAY

    def service_name(self, region: str) -> str:
        """Return the name that a VPC endpoint is created with; in China some services have another prefix."""
        prefix = "cn.com.amazonaws" if self.cn_prefix and partition_of(region) == "aws-cn" else "com.amazonaws"
        return f"{prefix}.{region}.{self.name}"


ENDPOINTS: Final = (
    Endpoint("ec2", "Karpenter launches nodes and finds subnets, groups and images"),
    Endpoint("ecr.api", "nodes log in to image registries"),
    Endpoint("ecr.dkr", "nodes pull images"),
    Endpoint(GATEWAY, "nodes pull the layers of images", cn_prefix=False),
    Endpoint("sts", "pods get credentials with IRSA"),
    Endpoint("eks", "Karpenter reads the cluster's endpoint and version"),
    Endpoint("eks-auth", "pods get credentials with Pod Identity", cn_prefix=False),
    Endpoint("ssm", "Karpenter finds the image of an alias", cn_prefix=False),
    Endpoint("sqs", "Karpenter hears of interruptions"),
    Endpoint("arc-zonal-shift", "Karpenter hears of zonal shifts", required=False, cn_prefix=False),
    Endpoint("elasticloadbalancing", "the load balancer controller makes load balancers", required=False, cn_prefix=False),
    Endpoint("kms", "pods use keys", required=False, cn_prefix=False),
    Endpoint("logs", "pods write to CloudWatch", required=False, cn_prefix=False),
)
BY_NAME: Final[Mapping[str, Endpoint]] = {endpoint.name: endpoint for endpoint in ENDPOINTS}
REQUIRED: Final = tuple(endpoint for endpoint in ENDPOINTS if endpoint.required)


def missing_endpoints(present: Iterable[str]) -> tuple[Endpoint, ...]:
    """Return the endpoints that a cluster without internet still lacks, given the short names of the existing ones."""
    existing = set(present)
    return tuple(endpoint for endpoint in REQUIRED if endpoint.name not in existing)


def check_names(names: Iterable[str], path: str, problems: Problems) -> None:
    """Report names that are not names of endpoints."""
    for index, name in enumerate(names):
        problems.extend(one_of(name, BY_NAME, Place(path=f"{path}[{index}]")))


def check_complete(names: Iterable[str], path: str, problems: Problems) -> None:
    """Report, in one problem, all endpoints that a network without internet access lacks."""
    lacking = missing_endpoints(names)
    if lacking:
        names_and_reasons = ", ".join(f"{endpoint.name} ({endpoint.why})" for endpoint in lacking)
        problems.add(Place(path=path), f"without internet access these endpoints are missing: {names_and_reasons}")
