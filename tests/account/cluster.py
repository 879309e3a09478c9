"""Rows of EKS and of zonal shift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

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
from cutlist.infrastructure.versions import known_kubernetes
from tests.account.checks import PUBLIC_BLOCK, Check, arn, at_least, at_most, iam_arn, id_of, matches, one_of, private_block
from tests.account.identity import ACCOUNT, KEY
from tests.account.rows import Limit, Row
from tests.account.sources import ARC_API, EC2_IDS, EKS_API, EKS_GUIDE, EKS_POLICIES, EKS_QUOTAS
from tests.account.tags import tags
from tests.account.values import UNKNOWN

CLUSTER_NAME: Final = matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _, beginning with a letter or digit", 100)
CLUSTER: Final = Limit("clusterName", CLUSTER_NAME, EKS_API)
ROLE: Final = iam_arn(r"role/\S+", "the ARN of a role, with its path")
_ISSUER: Final = "https://oidc.eks.{region}.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
NAMESPACE: Final = matches(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", "the name of a namespace", 63)
SERVICE_ACCOUNT: Final = matches(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", "the name of a service account", 253)
_POLICIES: Final = (
    *("AmazonEKSAdminPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSClusterAdminPolicy", "AmazonEKSEditPolicy"),
    *("AmazonEKSViewPolicy", "AmazonEKSAutoNodePolicy", "AmazonEKSSecretReaderPolicy"),
)
_POLICY: Final = arn("eks", f"cluster-access-policy/({'|'.join(_POLICIES)})", "the ARN of one of EKS's access policies")
_PRINCIPAL: Final = Limit(
    "principalArn", iam_arn(r"(role/(?!aws-service-role/)|user/)\S+", "the ARN of a role or user, with its path"), EKS_API
)
_OWN_NAME: Final = matches(r"(?!system:|eks:|aws:|amazon:|iam:).+", "a name that is not reserved")


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


def _auto_mode_access(inputs: Mapping[str, Any]) -> bool:
    """Tell whether a cluster in Auto Mode has access entries and no add-ons of EKS's own choice."""
    if not (inputs.get("computeConfig") or {}).get("enabled"):
        return True
    mode = (inputs.get("accessConfig") or {}).get("authenticationMode", "CONFIG_MAP")
    return mode in ("API", "API_AND_CONFIG_MAP", UNKNOWN) and inputs.get("bootstrapSelfManagedAddons", True) is False


def _families(inputs: Mapping[str, Any]) -> bool:
    network = inputs.get("kubernetesNetworkConfig") or {}
    return network.get("ipFamily") != "ipv6" or network.get("serviceIpv4Cidr") is None


def _key_region(inputs: Mapping[str, Any]) -> bool:
    key = ((inputs.get("encryptionConfig") or {}).get("provider") or {}).get("keyArn")
    region = inputs.get("region")
    return not isinstance(key, str) or not isinstance(region, str) or key.split(":")[3] == region


def _scope(inputs: Mapping[str, Any]) -> bool:
    scope = inputs.get("accessScope") or {}
    return bool(scope.get("namespaces")) == (scope.get("type") == "namespace")


def _capability(inputs: Mapping[str, Any]) -> bool:
    return (inputs.get("type") == "ARGOCD") == bool(inputs.get("configuration"))


def _entry(inputs: Mapping[str, Any]) -> bool:
    return inputs.get("type", "STANDARD") == "STANDARD" or not (inputs.get("userName") or inputs.get("kubernetesGroups"))


ROWS: Final = (
    Row(
        "aws:eks/cluster:Cluster",
        (
            Limit("name", CLUSTER_NAME, EKS_API),
            Limit("version", one_of(*known_kubernetes()), EKS_GUIDE),
            Limit("roleArn", ROLE, EKS_API),
            Limit("accessConfig.authenticationMode", one_of(*AuthenticationMode), EKS_API),
            Limit("vpcConfig.subnetIds", at_least(2, "subnets, in two zones"), EKS_GUIDE),
            Limit("vpcConfig.subnetIds[]", id_of("subnet"), EC2_IDS),
            Limit("vpcConfig.securityGroupIds", at_most(SECURITY_GROUPS, "security groups"), EKS_QUOTAS),
            Limit("vpcConfig.securityGroupIds[]", id_of("sg"), EC2_IDS),
            Limit("vpcConfig.publicAccessCidrs", at_most(PUBLIC_RANGES, "ranges"), EKS_QUOTAS),
            Limit("vpcConfig.publicAccessCidrs[]", PUBLIC_BLOCK, EKS_GUIDE),
            Limit("", Check("an endpoint, and ranges for a public one alone", _endpoint), EKS_GUIDE),
            Limit("kubernetesNetworkConfig.ipFamily", one_of(*IP_FAMILIES), EKS_API),
            Limit("kubernetesNetworkConfig.serviceIpv4Cidr", private_block(12, 24), EKS_API),
            Limit("", Check("a range of services in clusters of IPv4 alone", _families), EKS_API),
            Limit("remoteNetworkConfig.remoteNodeNetworks.cidrs[]", private_block(0, 32), EKS_API),
            Limit("remoteNetworkConfig.remotePodNetworks.cidrs[]", private_block(0, 32), EKS_API),
            Limit("enabledClusterLogTypes[]", one_of(*LOG_TYPES), EKS_API),
            Limit("encryptionConfig.provider.keyArn", KEY, EKS_API),
            Limit("encryptionConfig.resources[]", one_of("secrets"), EKS_API),
            Limit("", Check("a key of the region of the cluster", _key_region), EKS_API),
            Limit("upgradePolicy.supportType", one_of(*SUPPORT_TYPES), EKS_API),
            Limit("controlPlaneScalingConfig.tier", one_of(*TIERS), EKS_API),
            Limit("computeConfig.nodePools[]", one_of("general-purpose", "system"), EKS_GUIDE),
            Limit("computeConfig.nodeRoleArn", ROLE, EKS_API),
            Limit(
                "", Check("all three switches of Auto Mode alike, and pools with a role for their nodes", _auto_mode), EKS_GUIDE
            ),
            Limit("", Check("Auto Mode with access entries and without self-managed add-ons", _auto_mode_access), EKS_GUIDE),
            *tags(),
        ),
        frozenset(
            {
                *("name", "roleArn", "bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions"),
                *("kubernetesNetworkConfig.ipFamily", "kubernetesNetworkConfig.serviceIpv4Cidr", "outpostConfig"),
            }
        ),
        once=frozenset({"computeConfig.nodeRoleArn", "encryptionConfig"}),
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
        "aws:eks/accessEntry:AccessEntry",
        (
            CLUSTER,
            _PRINCIPAL,
            Limit("type", one_of("STANDARD", "EC2", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX"), EKS_API),
            Limit("kubernetesGroups[]", _OWN_NAME, EKS_GUIDE),
            Limit("userName", _OWN_NAME, EKS_GUIDE),
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
            CLUSTER,
            _PRINCIPAL,
            Limit("policyArn", _POLICY, EKS_POLICIES),
            Limit("accessScope.type", one_of("cluster", "namespace"), EKS_API),
            Limit("", Check("namespaces for the scope namespace alone", _scope), EKS_API),
        ),
        frozenset({"accessScope", "clusterName", "policyArn", "principalArn"}),
        id="{clusterName}#{principalArn}#{policyArn}",
    ),
    Row(
        "aws:eks/capability:Capability",
        (
            CLUSTER,
            Limit("capabilityName", matches(r"[0-9A-Za-z][\w-]*", "letters, digits, - and _", 100), EKS_API),
            Limit("type", one_of("ACK", "ARGOCD", "KRO"), EKS_API),
            Limit("roleArn", ROLE, EKS_API),
            Limit("deletePropagationPolicy", one_of("RETAIN"), EKS_API),
            Limit(
                "configuration.argoCd.awsIdc.idcInstanceArn",
                matches(r"arn:aws[a-z-]*:sso:::instance/(sso)?ins-[a-zA-Z0-9-.]{16}", "the ARN of an instance"),
                EKS_API,
            ),
            Limit("configuration.argoCd.namespace", NAMESPACE, EKS_API),
            Limit("configuration.argoCd.rbacRoleMappings[].role", one_of("ADMIN", "EDITOR", "VIEWER"), EKS_API),
            Limit("configuration.argoCd.rbacRoleMappings[].identities[].type", one_of("SSO_USER", "SSO_GROUP"), EKS_API),
            Limit("", Check("a configuration for Argo CD, which needs it, alone", _capability), EKS_API),
            *tags(),
        ),
        frozenset({"capabilityName", "clusterName", "type"}),
        id="{clusterName},{capabilityName}",
        computed={"arn": f"arn:aws:eks:{{region}}:{ACCOUNT}:capability/{{clusterName}}/{{type}}/{{capabilityName}}/0"},
    ),
    Row(
        "aws:eks/podIdentityAssociation:PodIdentityAssociation",
        (
            CLUSTER,
            Limit("namespace", NAMESPACE, EKS_API),
            Limit("serviceAccount", SERVICE_ACCOUNT, EKS_API),
            Limit("roleArn", ROLE, EKS_API),
            Limit("targetRoleArn", ROLE, EKS_API),
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
        "eks:index:Cluster",
        (Limit("name", CLUSTER_NAME, EKS_API), Limit("version", one_of(*known_kubernetes()), EKS_GUIDE), *tags()),
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
