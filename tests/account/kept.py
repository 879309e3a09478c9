"""What a cloud keeps of what it is given, as its provider reads it back: what it fills in, in which order, in which spelling.

None of it may show as a change: what is filled in where a program says nothing is taken as it is, lists that are sets have no
order, and documents are compared by what they say (terraform-provider-aws, the schemas of its resources).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

ACCOUNT: Final = "111122223333"
_ANYBODY: Final = '{"Statement":[{"Action":"*","Effect":"Allow","Principal":"*","Resource":"*"}],"Version":"2008-10-17"}'


@dataclass(frozen=True, slots=True)
class Kept:
    """What comes back of a type of resource.

    `cloud` is what the cloud fills in, `provider` what the provider fills in before it asks the cloud, by path of what was left
    out: `a.b` in an object that was given without it. `sets` are paths of lists without order, `documents` those of policies,
    `spelled` what is written in another way.
    """

    cloud: Mapping[str, Any] = field(default_factory=dict)
    provider: Mapping[str, Any] = field(default_factory=dict)
    sets: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    spelled: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    def filled(self) -> Iterator[tuple[str, Any]]:
        """Yield everything that is filled in, by path."""
        yield from self.cloud.items()
        yield from self.provider.items()

    def same(self, path: str, value: Any) -> Any:
        """Return a value at a path as it compares with others: equal where the provider sees no change."""
        if path in self.sets and isinstance(value, list):
            return sorted((_sorted_keys(member) for member in value), key=repr)
        if path in self.spelled:
            return self.spelled[path](value)
        if isinstance(value, str) and value.startswith("{"):
            return _said(value) if path in self.documents else _parsed(value)
        return value

    def returned(self, path: str, value: Any) -> Any:
        """Return a value at a path as the cloud gives it back."""
        if path in self.sets and isinstance(value, list):
            return sorted(value, key=repr, reverse=True)
        if path in self.spelled:
            return self.spelled[path](value)
        if path in self.documents and isinstance(value, str) and value.startswith("{"):
            return json.dumps(_said(value), sort_keys=True)
        return value


def _sorted_keys(value: Any) -> Any:
    return dict(sorted(value.items())) if isinstance(value, Mapping) else value


def _parsed(document: str) -> Any:
    with contextlib.suppress(ValueError):
        return json.loads(document)
    return document


def _said(document: str) -> Any:
    """Return what a policy says, whatever its spelling: a list of one is its member, an account is its root."""
    return _normal(_parsed(document))


def _spread(document: Any) -> Any:
    return json.dumps(_parsed(document), sort_keys=True) if isinstance(document, str) else document


def _normal(value: Any, at: str = "") -> Any:
    if isinstance(value, Mapping):
        return {key: _normal(inner, key) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        members = [_normal(member, at) for member in value]
        if at == "Statement":
            return members
        return members[0] if len(members) == 1 else sorted(members, key=repr)
    if at == "AWS" and isinstance(value, str) and len(value) == 12 and value.isdigit():
        return f"arn:aws:iam::{value}:root"
    return str(value).lower() if isinstance(value, bool) else value


def _without_scheme(value: Any) -> Any:
    return value.removeprefix("https://") if isinstance(value, str) else value


_OF_SUBNETS: Final = {"assignIpv6AddressOnCreation": False, "enableDns64": False, "ipv6Native": False}
KEPT: Final[Mapping[str, Kept]] = {
    "aws:iam/role:Role": Kept(
        provider={"path": "/", "maxSessionDuration": 3_600, "forceDetachPolicies": False},
        documents=frozenset({"assumeRolePolicy"}),
    ),
    "aws:iam/policy:Policy": Kept(provider={"path": "/"}, documents=frozenset({"policy"})),
    "aws:iam/rolePolicy:RolePolicy": Kept(documents=frozenset({"policy"})),
    "aws:iam/instanceProfile:InstanceProfile": Kept(provider={"path": "/"}),
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": Kept(
        cloud={"thumbprintLists": ["9e99a48a9960b14926bb7f3b02e22da2b0ab7280"]},
        sets=frozenset({"clientIdLists"}),
        spelled={"url": _without_scheme},
    ),
    "aws:kms/key:Key": Kept(
        cloud={"multiRegion": False, "rotationPeriodInDays": 365},
        provider={
            "bypassPolicyLockoutSafetyCheck": False,
            "customerMasterKeySpec": "SYMMETRIC_DEFAULT",
            "isEnabled": True,
            "keyUsage": "ENCRYPT_DECRYPT",
        },
        documents=frozenset({"policy"}),
    ),
    "aws:eks/cluster:Cluster": Kept(
        cloud={
            "accessConfig": {"authenticationMode": "CONFIG_MAP"},
            "accessConfig.authenticationMode": "CONFIG_MAP",
            "controlPlaneScalingConfig": {"tier": "standard"},
            "kubernetesNetworkConfig.elasticLoadBalancing": {"enabled": False},
            "kubernetesNetworkConfig.ipFamily": "ipv4",
            "kubernetesNetworkConfig.serviceIpv4Cidr": "172.20.0.0/16",
            "upgradePolicy": {"supportType": "EXTENDED"},
            "vpcConfig.publicAccessCidrs": ["0.0.0.0/0"],
        },
        sets=frozenset(
            {
                *("enabledClusterLogTypes", "vpcConfig.subnetIds", "vpcConfig.securityGroupIds", "vpcConfig.publicAccessCidrs"),
                *("computeConfig.nodePools", "encryptionConfig.resources"),
            }
        ),
    ),
    "aws:eks/nodeGroup:NodeGroup": Kept(
        cloud={
            "amiType": "AL2023_x86_64_STANDARD",
            "capacityType": "ON_DEMAND",
            "launchTemplate.name": "template",
            "nodeRepairConfig": {"enabled": False},
            "releaseVersion": "1.49.0-1a2b3c4d",
            "updateConfig": {"maxUnavailable": 1},
        },
        sets=frozenset({"subnetIds", "taints"}),
    ),
    "aws:eks/addon:Addon": Kept(
        cloud={"addonVersion": "v1.0.0-eksbuild.1", "configurationValues": ""}, sets=frozenset({"podIdentityAssociations"})
    ),
    "aws:eks/accessEntry:AccessEntry": Kept(
        cloud={"kubernetesGroups": [], "userName": "arn:aws:sts::111122223333:assumed-role/name/{{SessionName}}"},
        provider={"type": "STANDARD"},
        sets=frozenset({"kubernetesGroups"}),
    ),
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": Kept(cloud={"disableSessionTags": False}),
    "aws:eks/fargateProfile:FargateProfile": Kept(sets=frozenset({"selectors", "subnetIds"})),
    "aws:ec2/vpc:Vpc": Kept(
        cloud={"enableNetworkAddressUsageMetrics": False},
        provider={"enableDnsSupport": True, "instanceTenancy": "default"},
    ),
    "aws:ec2/subnet:Subnet": Kept(
        cloud={"availabilityZoneId": "usw2-az1", "privateDnsHostnameTypeOnLaunch": "ip-name"},
        provider={**_OF_SUBNETS, "mapPublicIpOnLaunch": False},
    ),
    "aws:ec2/routeTable:RouteTable": Kept(cloud={"routes": [], "propagatingVgws": []}),
    "aws:ec2/eip:Eip": Kept(cloud={"networkBorderGroup": "us-west-2", "publicIpv4Pool": "amazon"}),
    "aws:ec2/natGateway:NatGateway": Kept(
        cloud={"availabilityMode": "zonal", "privateIp": "10.0.0.10", "secondaryPrivateIpAddressCount": 0},
        provider={"connectivityType": "public"},
    ),
    "aws:ec2/securityGroup:SecurityGroup": Kept(
        cloud={"egress": [], "ingress": []}, provider={"description": "Managed by Pulumi", "revokeRulesOnDelete": False}
    ),
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": Kept(sets=frozenset({"egress", "ingress"})),
    "aws:ec2/vpcEndpoint:VpcEndpoint": Kept(
        cloud={"ipAddressType": "ipv4", "policy": _ANYBODY, "privateDnsEnabled": False, "serviceRegion": "us-west-2"},
        provider={"vpcEndpointType": "Gateway"},
        sets=frozenset({"routeTableIds", "securityGroupIds", "subnetIds"}),
        documents=frozenset({"policy"}),
    ),
    "aws:ec2/launchTemplate:LaunchTemplate": Kept(
        cloud={
            "metadataOptions.httpEndpoint": "enabled",
            "metadataOptions.httpProtocolIpv6": "disabled",
            "metadataOptions.httpPutResponseHopLimit": 2,
            "metadataOptions.instanceMetadataTags": "disabled",
        },
    ),
    "aws:sqs/queue:Queue": Kept(
        cloud={"kmsDataKeyReusePeriodSeconds": 300, "policy": "", "redrivePolicy": "", "sqsManagedSseEnabled": False},
        provider={
            "contentBasedDeduplication": False,
            "delaySeconds": 0,
            "fifoQueue": False,
            "maxMessageSize": 262_144,
            "messageRetentionSeconds": 345_600,
            "receiveWaitTimeSeconds": 0,
            "visibilityTimeoutSeconds": 30,
        },
    ),
    "aws:sqs/queuePolicy:QueuePolicy": Kept(documents=frozenset({"policy"})),
    "aws:cloudwatch/eventRule:EventRule": Kept(
        provider={"eventBusName": "default", "forceDestroy": False}, spelled={"eventPattern": _spread}
    ),
    "aws:cloudwatch/eventTarget:EventTarget": Kept(
        cloud={"targetId": "terraform-20261122210000000000000001"}, provider={"eventBusName": "default", "forceDestroy": False}
    ),
    "aws:cloudwatch/logGroup:LogGroup": Kept(
        cloud={"deletionProtectionEnabled": False, "logGroupClass": "STANDARD"},
        provider={"retentionInDays": 0, "skipDestroy": False},
    ),
    "aws:cloudwatch/metricAlarm:MetricAlarm": Kept(
        cloud={"evaluateLowSampleCountPercentiles": ""},
        provider={"actionsEnabled": True, "treatMissingData": "missing"},
        sets=frozenset({"alarmActions", "insufficientDataActions", "okActions"}),
    ),
}
NOTHING: Final = Kept()


def kept(type_: str) -> Kept:
    """Return what comes back of a type of resource."""
    return KEPT.get(type_, NOTHING)


def read_back(type_: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a resource as its provider reads them from the cloud."""
    of_type = kept(type_)
    state = _returned(of_type, inputs, "")
    for path, value in of_type.filled():
        _fill(state, path.split("."), value)
    return state


def _returned(of_type: Kept, value: Any, at: str) -> Any:
    if isinstance(value, Mapping):
        return {key: _returned(of_type, inner, f"{at}.{key}" if at else key) for key, inner in value.items()}
    return of_type.returned(at, value)


def _fill(state: dict[str, Any], path: list[str], value: Any) -> None:
    first, *rest = path
    if not rest:
        state.setdefault(first, value)
    elif isinstance(inner := state.get(first), dict):
        _fill(inner, rest, value)


def refreshed(inputs: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a resource after a refresh: of each that the program gave, what the state has of it."""
    fresh = dict(inputs)
    for key in inputs.keys() & state.keys():
        value, now = inputs[key], state[key]
        fresh[key] = refreshed(value, now) if isinstance(value, Mapping) and isinstance(now, Mapping) else now
    return fresh


def changes(type_: str, olds: Mapping[str, Any], state: Mapping[str, Any], news: Mapping[str, Any]) -> set[str]:
    """Return the paths that a provider takes for changed: where the program asks for something else than the state has, or no
    longer for what it asked for before. What the cloud filled in and the program leaves out is not a change."""
    return set(_changed(kept(type_), olds, state, news, ""))


def _changed(of_type: Kept, old: Any, now: Any, new: Any, at: str) -> Iterator[str]:
    if isinstance(new, Mapping) and isinstance(now, Mapping):
        before = old if isinstance(old, Mapping) else {}
        for key in new.keys() | before.keys():
            path = f"{at}.{key}" if at else key
            yield from _changed(of_type, before.get(key), now.get(key), new.get(key), path)
    elif new is None:
        if old is not None and not any(path == at or path.startswith(f"{at}.") for path, _ in of_type.filled()):
            yield at
    elif of_type.same(at, now) != of_type.same(at, new):
        yield at
