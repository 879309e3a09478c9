"""The VPC endpoints that a cluster without internet access needs, each with its reason (spec: aws-infrastructure 1.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.endpoint_names import (
    GATEWAYS,
    full_name_problems,
    is_full,
    is_of_others,
    name_problems,
    short_name,
)
from cutlist.infrastructure.names import partition_of

GATEWAY: Final = "s3"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint by its short name, such as `ecr.api`, or by the full one of a service that has no other here; `why` says what
    fails without it.

    `cn_prefix` says whether China calls the service `cn.com.amazonaws...`, which it does for some services only.
    """

    name: str
    why: str
    required: bool = True
    cn_prefix: bool = True

    @property
    def is_gateway(self) -> bool:
        """Tell whether it is a route and not an interface: those for S3 and DynamoDB, which cost nothing."""
        return self.name in GATEWAYS

    @property
    def has_private_name(self) -> bool:
        """Tell whether the names of a service of AWS lead to it in its VPC."""
        return not is_of_others(self.name)

    def service_name(self, region: str) -> str:
        """Return the name that a VPC endpoint is created with; in China some services have another prefix."""
        if is_full(self.name):
            return self.name
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


def endpoint_of(name: str, region: str) -> Endpoint:
    """Return the endpoint of a service by its short or its full name."""
    short = short_name(name, region)
    known = short if short in GATEWAYS else name
    return BY_NAME.get(short) or Endpoint(known, "pods use it", required=False, cn_prefix=False)


def check_names(names: Iterable[str], path: str, problems: Problems, region: str) -> None:
    """Report names that endpoints of a region cannot have."""
    first: dict[str, str] = {}
    for index, name in enumerate(names):
        place, short = Place(path=f"{path}[{index}]"), short_name(name, region)
        problems.extend(name_problems(name, region, place))
        if short not in BY_NAME and short not in GATEWAYS:
            problems.extend(full_name_problems(name, region, place))
        if first.setdefault(short, place.path) != place.path:
            problems.add(place, f"{name} is listed already as {first[short]}", "each endpoint once")


def check_complete(names: Iterable[str], path: str, problems: Problems) -> None:
    """Report, in one problem, all endpoints that a network without internet access lacks."""
    lacking = missing_endpoints(names)
    if lacking:
        names_and_reasons = ", ".join(f"{endpoint.name} ({endpoint.why})" for endpoint in lacking)
        problems.add(Place(path=path), f"without internet access these endpoints are missing: {names_and_reasons}")
