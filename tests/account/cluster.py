"""Rows of EKS and of zonal shift."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from cutlist import catalog
from cutlist.infrastructure.control_plane import (
    AUTOSHIFT,
    IP_FAMILIES,
    LOG_TYPES,
    PUBLIC_RANGES,
    SECURITY_GROUPS,
    SUPPORT_TYPES,
    TIERS,
    AuthenticationMode,
)
from cutlist.infrastructure.system_capacity import NODES
from cutlist.infrastructure.versions import known_kubernetes
from tests.account.checks import Check, arn, at_least, at_most, between, block, id_of, matches, one_of, text
from tests.account.identity import ACCOUNT, KEY
from tests.account.rows import Limit, Row
from tests.account.sources import ARC_API, EC2_IDS, EKS_API, EKS_GUIDE, EKS_QUOTAS, PULUMI_AWS
from tests.account.tags import tags
from tests.account.values import UNKNOWN

_NAME: Final = matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _, beginning with a letter or digit", 100)
_CLUSTER: Final = Limit("clusterName", _NAME, EKS_API)
_ROLE: Final = arn("iam", r"role/\S+", "the ARN of a role, with its path")
_PRINCIPAL: Final = Limit("principalArn", arn("iam", r"(role|user)/\S+", "the ARN of a role or user, with its path"), EKS_API)
_SUBNETS: Final = Limit("subnetIds[]", id_of("subnet"), EC2_IDS)
_ISSUER: Final = "https://oidc.eks.{region}.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
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
_NAMESPACE: Final = matches(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", "the name of a namespace", 63)
_SERVICE_ACCOUNT: Final = matches(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", "the name of a service account", 253)
_LABEL: Final = matches(r"([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?", "a label of Kubernetes")
_POLICY: Final = arn("eks", r"cluster-access-policy/[A-Za-z]+", "the ARN of one of EKS's access policies")


def _auto_mode(inputs: Mapping[str, Any]) -> bool:
    compute = inputs.get("computeConfig") or {}
    network, storage = inputs.get("kubernetesNetworkConfig") or {}, inputs.get("storageConfig") or {}
    switches = {
        bool(compute.get("enabled")),
        bool((network.get("elasticLoadBalancing") or {}).get("enabled")),
        bool((storage.get("blockStorage") or {}).get("enabled")),
    }
    return len(switches) == 1 and bool(compute.get("nodePools")) == (compute.get("nodeRoleArn") is not None)


def _endpoint(inputs: Mapping[str, Any]) -> bool:
    config = inputs.get("vpcConfig")
    if config in (None, UNKNOWN):
        return True
    public = config.get("endpointPublicAccess", True)
    return (public or bool(config.get("endpointPrivateAccess"))) and (public or not config.get("publicAccessCidrs"))


def _sizes(inputs: Mapping[str, Any]) -> bool:
    sizes = inputs.get("scalingConfig") or {}
    order = [sizes.get(size) for size in ("minSize", "desiredSize", "maxSize")]
    return None in order or UNKNOWN in order or order[0] <= order[1] <= order[2]


def _template(inputs: Mapping[str, Any]) -> bool:
    return not inputs.get("launchTemplate") or not (inputs.get("diskSize") or inputs.get("remoteAccess"))


def _named(inputs: Mapping[str, Any]) -> bool:
    return not (inputs.get("nodeGroupName") and inputs.get("nodeGroupNamePrefix"))


def _architectures(inputs: Mapping[str, Any]) -> bool:
    types, images = inputs.get("instanceTypes"), inputs.get("amiType")
    if not isinstance(types, list) or not isinstance(images, str) or images == "CUSTOM":
        return True
    machines, wanted = catalog.all_machines(), "arm64" if "ARM_64" in images else "x86_64"
    return all(wanted in machines[name].architectures for name in types if name in machines)


def _is_json(value: Any) -> bool:
    try:
        return isinstance(json.loads(value), dict)
    except ValueError:
        return False


def _of_one_way(inputs: Mapping[str, Any]) -> bool:
    return not (inputs.get("podIdentityAssociations") and inputs.get("serviceAccountRoleArn"))


def _selectors(value: Any) -> bool:
    return all(len(selector.get("labels") or {}) <= 5 for selector in value)


def _entry(inputs: Mapping[str, Any]) -> bool:
    return inputs.get("type", "STANDARD") == "STANDARD" or not (inputs.get("userName") or inputs.get("kubernetesGroups"))


ROWS: Final = (
    Row(
        "aws:eks/cluster:Cluster",
        (
            Limit("name", _NAME, EKS_API),
            Limit("version", one_of(*known_kubernetes()), EKS_GUIDE),
            Limit("roleArn", _ROLE, EKS_API),
            Limit("accessConfig.authenticationMode", one_of(*AuthenticationMode), EKS_API),
            Limit("vpcConfig.subnetIds", at_least(2, "subnets, in two zones"), EKS_GUIDE),
            Limit("vpcConfig.subnetIds[]", id_of("subnet"), EC2_IDS),
            Limit("vpcConfig.securityGroupIds", at_most(SECURITY_GROUPS, "security groups"), EKS_QUOTAS),
            Limit("vpcConfig.securityGroupIds[]", id_of("sg"), EC2_IDS),
            Limit("vpcConfig.publicAccessCidrs", at_most(PUBLIC_RANGES, "ranges"), EKS_QUOTAS),
            Limit("", Check("an endpoint, and ranges for a public one alone", _endpoint), EKS_GUIDE),
            Limit("kubernetesNetworkConfig.ipFamily", one_of(*IP_FAMILIES), EKS_API),
            Limit("kubernetesNetworkConfig.serviceIpv4Cidr", block(12, 24), EKS_API),
            Limit("enabledClusterLogTypes[]", one_of(*LOG_TYPES), EKS_API),
            Limit("encryptionConfig.provider.keyArn", KEY, EKS_API),
            Limit("upgradePolicy.supportType", one_of(*SUPPORT_TYPES), EKS_API),
            Limit("controlPlaneScalingConfig.tier", one_of(*TIERS), EKS_API),
            Limit("computeConfig.nodePools[]", one_of("general-purpose", "system"), EKS_GUIDE),
            Limit("computeConfig.nodeRoleArn", _ROLE, EKS_API),
            Limit(
                "", Check("all three switches of Auto Mode alike, and pools with a role for their nodes", _auto_mode), EKS_GUIDE
            ),
            *tags(),
        ),
        frozenset(
            {
                *("name", "roleArn", "bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions"),
                *("kubernetesNetworkConfig.ipFamily", "kubernetesNetworkConfig.serviceIpv4Cidr", "outpostConfig"),
                "encryptionConfig",
            }
        ),
        id="{named}",
        computed={
            "arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:cluster/{{named}}",
            "endpoint": "https://0123456789ABCDEF.gr7.{region}.eks.amazonaws.com",
            "certificateAuthority": {"data": "c3RhbmQtaW4="},
            "identities": [{"oidcs": [{"issuer": _ISSUER}]}],
            "vpcConfig": {"clusterSecurityGroupId": "sg-{name}", "vpcId": "vpc-{name}"},
            "platformVersion": "eks.1",
            "status": "ACTIVE",
        },
        autonamed=("name", 100),
    ),
    Row(
        "aws:eks/nodeGroup:NodeGroup",
        (
            _CLUSTER,
            Limit("nodeGroupName", matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _", 63), EKS_API),
            Limit("nodeGroupNamePrefix", matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _", 37), PULUMI_AWS),
            Limit("", Check("a name or the beginning of one, not both", _named), PULUMI_AWS),
            Limit("nodeRoleArn", _ROLE, EKS_API),
            Limit("subnetIds", at_least(1, "subnets"), EKS_API),
            _SUBNETS,
            Limit("amiType", one_of(*_AMI_TYPES), EKS_API),
            Limit("capacityType", one_of("ON_DEMAND", "SPOT", "CAPACITY_BLOCK"), EKS_API),
            Limit("instanceTypes", at_most(20, "types"), EKS_GUIDE),
            Limit("instanceTypes[]", matches(r"[a-z0-9-]+\.[a-z0-9-]+", "the name of an instance type"), EKS_API),
            Limit("", Check("instance types of the architecture of the images", _architectures), EKS_GUIDE),
            Limit("scalingConfig.minSize", between(0, NODES), EKS_QUOTAS),
            Limit("scalingConfig.maxSize", between(1, NODES), EKS_QUOTAS),
            Limit("scalingConfig.desiredSize", between(0, NODES), EKS_QUOTAS),
            Limit("", Check("sizes in order: minimum, desired, maximum", _sizes), EKS_API),
            Limit("labels{}", _LABEL, EKS_API),
            Limit("taints[].key", text(63, 1), EKS_API),
            Limit("taints[].value", text(63), EKS_API),
            Limit("taints[].effect", one_of("NO_SCHEDULE", "NO_EXECUTE", "PREFER_NO_SCHEDULE"), EKS_API),
            Limit("launchTemplate.id", id_of("lt"), EC2_IDS),
            Limit("launchTemplate.version", matches(r"[1-9][0-9]*|\$Latest|\$Default", "the number of a version"), EKS_API),
            Limit("", Check("the disk and the access in the launch template alone", _template), EKS_GUIDE),
            Limit("updateConfig.maxUnavailable", between(1, 100), EKS_API),
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
        "aws:eks/addon:Addon",
        (
            _CLUSTER,
            Limit("addonName", matches(r"[a-z0-9][a-z0-9_-]*", "lower-case letters, digits, - and _", 100), EKS_API),
            Limit("addonVersion", matches(r"v\d+\.\d+\.\d+-eksbuild\.\d+", "a version such as v1.20.1-eksbuild.1"), EKS_GUIDE),
            Limit("configurationValues", Check("a JSON object", _is_json), EKS_API),
            Limit("resolveConflictsOnCreate", one_of("OVERWRITE", "NONE"), PULUMI_AWS),
            Limit("resolveConflictsOnUpdate", one_of("OVERWRITE", "NONE", "PRESERVE"), PULUMI_AWS),
            Limit("serviceAccountRoleArn", _ROLE, EKS_API),
            Limit("podIdentityAssociations[].roleArn", _ROLE, EKS_API),
            Limit("podIdentityAssociations[].serviceAccount", _SERVICE_ACCOUNT, EKS_API),
            Limit("", Check("a role by Pod Identity or by OIDC, not both", _of_one_way), EKS_GUIDE),
            *tags(),
        ),
        frozenset({"addonName", "clusterName", "namespaceConfig"}),
        id="{clusterName}:{addonName}",
        computed={"arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:addon/{{clusterName}}/{{addonName}}/0"},
    ),
    Row(
        "aws:eks/accessEntry:AccessEntry",
        (
            _CLUSTER,
            _PRINCIPAL,
            Limit("type", one_of("STANDARD", "EC2", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX"), EKS_API),
            Limit(
                "kubernetesGroups[]",
                matches(r"(?!system:|eks:|aws:|amazon:|iam:).+", "a group that is not reserved"),
                EKS_GUIDE,
            ),
            Limit("", Check("groups and a user for type STANDARD alone", _entry), EKS_GUIDE),
            *tags(),
        ),
        frozenset({"clusterName", "principalArn", "type"}),
        id="{clusterName}:{principalArn}",
        computed={"accessEntryArn": f"arn:aws:eks:{{region}}:{ACCOUNT}:access-entry/{{clusterName}}/{{name}}"},
    ),
    Row(
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
        (
            _CLUSTER,
            _PRINCIPAL,
            Limit("policyArn", _POLICY, EKS_API),
            Limit("accessScope.type", one_of("cluster", "namespace"), EKS_API),
        ),
        frozenset({"accessScope", "clusterName", "policyArn", "principalArn"}),
        id="{clusterName}#{principalArn}#{policyArn}",
    ),
    Row(
        "aws:eks/podIdentityAssociation:PodIdentityAssociation",
        (
            _CLUSTER,
            Limit("namespace", _NAMESPACE, EKS_API),
            Limit("serviceAccount", _SERVICE_ACCOUNT, EKS_API),
            Limit("roleArn", _ROLE, EKS_API),
            Limit("targetRoleArn", _ROLE, EKS_API),
            *tags(),
        ),
        frozenset({"clusterName", "namespace", "serviceAccount"}),
        id="a-{name}",
        computed={
            "associationId": "a-{name}",
            "associationArn": f"arn:aws:eks:{{region}}:{ACCOUNT}:podidentityassociation/{{clusterName}}/a-{{name}}",
        },
    ),
    Row(
        "aws:eks/fargateProfile:FargateProfile",
        (
            _CLUSTER,
            Limit(
                "fargateProfileName",
                matches(r"(?!eks-)[0-9A-Za-z][\w-]*", "letters, digits, - and _, not beginning with eks-", 100),
                EKS_GUIDE,
            ),
            Limit("podExecutionRoleArn", _ROLE, EKS_API),
            Limit("subnetIds", at_least(1, "private subnets"), EKS_GUIDE),
            _SUBNETS,
            Limit("selectors", at_most(5, "selectors"), EKS_QUOTAS),
            Limit("selectors", Check("at most 5 labels in a selector", _selectors), EKS_QUOTAS),
            Limit("selectors[].namespace", _NAMESPACE, EKS_API),
            *tags(),
        ),
        frozenset({"clusterName", "fargateProfileName", "podExecutionRoleArn", "selectors", "subnetIds"}),
        id="{clusterName}:{fargateProfileName}",
        computed={"arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:fargateprofile/{{clusterName}}/{{fargateProfileName}}/0"},
    ),
    Row(
        "eks:index:Cluster",
        (Limit("name", _NAME, EKS_API), Limit("version", one_of(*known_kubernetes()), EKS_GUIDE), *tags()),
        frozenset({"name"}),
    ),
    Row(
        "aws:arczonalshift/zonalAutoshiftConfiguration:ZonalAutoshiftConfiguration",
        (
            Limit("resourceArn", matches(r"arn:aws[a-z-]*:\S+", "an ARN", 1_024, shortest=8), ARC_API),
            Limit("zonalAutoshiftStatus", one_of(*AUTOSHIFT), ARC_API),
        ),
        frozenset({"resourceArn"}),
        id="{resourceArn}",
    ),
)
