"""Rows of managed node groups and of Fargate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.catalog import embedded
from cutlist.infrastructure.system_capacity import NODES
from cutlist.infrastructure.versions import known_kubernetes
from tests.account.checks import Check, at_least, at_most, between, id_of, matches, one_of, text
from tests.account.cluster import CLUSTER, NAMESPACE, ROLE
from tests.account.identity import ACCOUNT
from tests.account.rows import Limit, Row
from tests.account.sources import EC2_IDS, EKS_API, EKS_GUIDE, EKS_LABELS, EKS_QUOTAS, PULUMI_AWS
from tests.account.tags import tags
from tests.account.values import UNKNOWN

_SUBNETS: Final = Limit("subnetIds[]", id_of("subnet"), EC2_IDS)
_AMI_TYPES: Final = (
    *("AL2_x86_64", "AL2_x86_64_GPU", "AL2_ARM_64", "CUSTOM", "BOTTLEROCKET_ARM_64", "BOTTLEROCKET_x86_64"),
    *("BOTTLEROCKET_ARM_64_FIPS", "BOTTLEROCKET_x86_64_FIPS", "BOTTLEROCKET_ARM_64_NVIDIA", "BOTTLEROCKET_x86_64_NVIDIA"),
    *(
        "AL2023_x86_64_STANDARD",
        "AL2023_ARM_64_STANDARD",
        "AL2023_x86_64_NEURON",
        "AL2023_x86_64_NVIDIA",
        "AL2023_ARM_64_NVIDIA",
    ),
)
_LABEL: Final = matches(
    r"(?!(kubernetes\.io|k8s\.io|eks\.amazonaws\.com)/)([a-z0-9.-]{1,61}/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?",
    "a label without the prefixes kubernetes.io/, k8s.io/ and eks.amazonaws.com/",
    63,
)
_LABEL_VALUE: Final = matches(r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?", "", 63)


def _sizes(inputs: Mapping[str, Any]) -> bool:
    sizes = inputs.get("scalingConfig") or {}
    order = [sizes.get(size) for size in ("minSize", "desiredSize", "maxSize")]
    return None in order or UNKNOWN in order or order[0] <= order[1] <= order[2]


def _label_values(labels: Any) -> bool:
    return all(map(_LABEL_VALUE.accepts, labels.values()))


def _unavailable(config: Mapping[str, Any]) -> bool:
    return sum(config.get(member) is not None for member in ("maxUnavailable", "maxUnavailablePercentage")) == 1


def _one_template(template: Mapping[str, Any]) -> bool:
    return sum(template.get(member) is not None for member in ("id", "name")) == 1


def _images_of_version(inputs: Mapping[str, Any]) -> bool:
    version, images = inputs.get("version"), inputs.get("amiType")
    known = isinstance(version, str) and isinstance(images, str) and images.startswith("AL2_")
    return not known or tuple(map(int, version.split("."))) <= (1, 32)


def _release_of_version(inputs: Mapping[str, Any]) -> bool:
    """Tell whether a release is of the images: releases of Amazon Linux begin with the version of Kubernetes."""
    version, images, release = (inputs.get(member) for member in ("version", "amiType", "releaseVersion"))
    if not (isinstance(version, str) and isinstance(images, str) and isinstance(release, str)) or images == "CUSTOM":
        return True
    return release.startswith(f"{version}.") != images.startswith("BOTTLEROCKET")


def _default_type(inputs: Mapping[str, Any]) -> bool:
    """Tell whether images fit t3.medium, where no instance type is given."""
    return bool(inputs.get("instanceTypes") or inputs.get("launchTemplate")) or "ARM_64" not in str(inputs.get("amiType"))


def _template(inputs: Mapping[str, Any]) -> bool:
    return not inputs.get("launchTemplate") or not (inputs.get("diskSize") or inputs.get("remoteAccess"))


def _named(inputs: Mapping[str, Any]) -> bool:
    return not (inputs.get("nodeGroupName") and inputs.get("nodeGroupNamePrefix"))


def _architectures(inputs: Mapping[str, Any]) -> bool:
    types, images = inputs.get("instanceTypes"), inputs.get("amiType")
    if not isinstance(types, list) or not isinstance(images, str) or images == "CUSTOM":
        return True
    machines, wanted = embedded.all_machines(), "arm64" if "ARM_64" in images else "x86_64"
    return all(wanted in machines[name].architectures for name in types if name in machines)


def _selectors(value: Any) -> bool:
    return all(len(selector.get("labels") or {}) <= 5 for selector in value)


ROWS: Final = (
    Row(
        "aws:eks/nodeGroup:NodeGroup",
        (
            CLUSTER,
            Limit("nodeGroupName", matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _", 63), EKS_API),
            Limit("nodeGroupNamePrefix", matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _", 37), PULUMI_AWS),
            Limit("", Check("a name or the beginning of one, not both", _named), PULUMI_AWS),
            Limit("nodeRoleArn", ROLE, EKS_API),
            Limit("subnetIds", at_least(1, "subnets"), EKS_API),
            _SUBNETS,
            Limit("amiType", one_of(*_AMI_TYPES), EKS_API),
            Limit("capacityType", one_of("ON_DEMAND", "SPOT", "CAPACITY_BLOCK"), EKS_API),
            Limit("instanceTypes", at_most(20, "types"), EKS_GUIDE),
            Limit("instanceTypes[]", Check("an instance type of EC2's", lambda name: name in embedded.all_machines()), EKS_API),
            Limit("", Check("instance types of the architecture of the images", _architectures), EKS_GUIDE),
            Limit("scalingConfig.minSize", between(0, NODES), EKS_QUOTAS),
            Limit("scalingConfig.maxSize", between(1, NODES), EKS_QUOTAS),
            Limit("scalingConfig.desiredSize", between(0, NODES), EKS_QUOTAS),
            Limit("", Check("sizes in order: minimum, desired, maximum", _sizes), EKS_API),
            Limit("labels{}", _LABEL, EKS_LABELS),
            Limit("labels", Check("label values of 1 to 63 letters, digits and - _ .", _label_values), EKS_API),
            Limit("taints", at_most(50, "taints"), EKS_API),
            Limit("taints[].key", text(63, 1), EKS_API),
            Limit("taints[].value", text(63), EKS_API),
            Limit("taints[].effect", one_of("NO_SCHEDULE", "NO_EXECUTE", "PREFER_NO_SCHEDULE"), EKS_API),
            Limit("launchTemplate.id", id_of("lt"), EC2_IDS),
            Limit("launchTemplate.version", matches(r"[1-9][0-9]*|\$Latest|\$Default", "the number of a version"), EKS_API),
            Limit("launchTemplate", Check("the id of a launch template or its name", _one_template), EKS_API),
            Limit("diskSize", between(1, 65_536), EKS_API),
            Limit("", Check("no images of Amazon Linux 2 beyond 1.32", _images_of_version), EKS_GUIDE),
            Limit("", Check("a release of the images and of the version", _release_of_version), EKS_API),
            Limit("", Check("instance types for images of ARM: the default is t3.medium", _default_type), EKS_API),
            Limit("", Check("the disk and the access in the launch template alone", _template), EKS_GUIDE),
            Limit("updateConfig.maxUnavailable", between(1, 100), EKS_API),
            Limit("updateConfig", Check("a number or a percentage of unavailable nodes", _unavailable), EKS_API),
            Limit("version", one_of(*known_kubernetes()), EKS_GUIDE),
            Limit("releaseVersion", matches(r"\d+\.\d+\.\d+-\w+", "the release of an image"), EKS_API),
            *tags(),
        ),
        frozenset(
            {
                *(
                    "amiType",
                    "capacityType",
                    "clusterName",
                    "diskSize",
                    "instanceTypes",
                    "nodeGroupName",
                    "nodeGroupNamePrefix",
                ),
                *("nodeRoleArn", "remoteAccess", "subnetIds", "launchTemplate.id", "launchTemplate.name"),
            }
        ),
        id="{clusterName}:{name}",
        computed={
            "arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:nodegroup/{{clusterName}}/{{name}}/0",
            "resources": [{"autoscalingGroups": [{"name": "eks-{name}"}]}],
            "status": "ACTIVE",
        },
        autonamed=("nodeGroupName", 63),
    ),
    Row(
        "aws:eks/fargateProfile:FargateProfile",
        (
            CLUSTER,
            Limit(
                "fargateProfileName",
                matches(r"(?!eks-)[0-9A-Za-z][\w-]*", "letters, digits, - and _, not beginning with eks-", 100),
                EKS_GUIDE,
            ),
            Limit("podExecutionRoleArn", ROLE, EKS_API),
            Limit("subnetIds", at_least(1, "private subnets"), EKS_GUIDE),
            _SUBNETS,
            Limit("selectors", at_most(5, "selectors"), EKS_QUOTAS),
            Limit("selectors", Check("at most 5 labels in a selector", _selectors), EKS_QUOTAS),
            Limit("selectors[].namespace", NAMESPACE, EKS_API),
            *tags(),
        ),
        frozenset({"clusterName", "fargateProfileName", "podExecutionRoleArn", "selectors", "subnetIds"}),
        id="{clusterName}:{fargateProfileName}",
        computed={"arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:fargateprofile/{{clusterName}}/{{fargateProfileName}}/0"},
    ),
)
