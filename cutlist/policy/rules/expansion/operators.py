"""Resources that operators in a cluster make from objects: Crossplane's providers, ACK, Azure Service Operator.

Upbound's providers have the members of Pulumi's classic providers, since both are made from one schema; ACK's are those of
AWS's API, and those of Azure Service Operator are Azure's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules import tokens
from cutlist.policy.rules.aks.rights import ASSIGNMENT, FEDERATION
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.types.kinds import Fact
from cutlist.policy.rules.types.table import kind_of, token_of_operator

_CROSSPLANE: Final = re.compile(
    r"kubernetes:(?P<service>[a-z0-9]+\.(?:aws|azure))\.(?:m\.)?(?:upbound\.io|crossplane\.io)/\w+:(?P<kind>\w+)"
)
_ACK: Final = re.compile(r"kubernetes:(?P<service>[a-z0-9]+)\.services\.k8s\.aws/\w+:(?P<kind>\w+)")
_OF_AZURE: Final = re.compile(r"kubernetes:(?P<service>[a-z]+)\.azure\.com/\w+:(?P<kind>\w+)")
_RENAMED: Final[Mapping[str, str]] = {
    "inlinePolicy": "inlinePolicies",
    "assumeRolePolicyDocument": "assumeRolePolicy",
    "document": "policy",
    "roleName": "role",
    "userName": "user",
    "groupName": "group",
}
"""Members that Pulumi names otherwise than Crossplane's providers, the older ones among them."""
SINGLE: Final = frozenset(
    (
        *("vpcConfig", "accessConfig", "metadataOptions", "encryptionConfig", "provider", "scalingConfig", "ebs"),
        *("launchTemplate", "upgradePolicy", "computeConfig", "retryPolicy", "inputTransformer"),
    )
)
"""Members that are one value in Pulumi, and a list of one in the older versions of Crossplane's objects."""
_ALIKE: Final = (Fact.MACHINE, Fact.NODE_GROUP, Fact.TEMPLATE, Fact.CREDENTIAL)
"""What has the same members in ACK and in Cloud Control, as far as rules read them. Azure Service Operator has Azure's own."""
_SELECTOR: Final = "Selector"
"""How members end that find by labels what fills the member without it."""
_Members = dict[str, Any]


def resources_of_operator(outer: Resource) -> Iterator[Resource]:
    """Yield the resource of a cloud that an operator makes from an object; nothing for any other object."""
    for form, read in ((_CROSSPLANE, _of_crossplane), (_ACK, _by_reader), (_OF_AZURE, _by_reader)):
        match = form.fullmatch(outer.type)
        spec = outer.data.get("spec")
        if match is not None and isinstance(spec, Mapping):
            yield from read(outer, spec, match["service"], match["kind"])


def _of_crossplane(outer: Resource, spec: Mapping[str, Any], service: str, kind: str) -> Iterator[Resource]:
    written = [members for key in ("initProvider", "forProvider") if isinstance(members := spec.get(key), Mapping)]
    data: _Members = {}
    references: dict[str, tuple[str, ...]] = {}
    for members in written:
        for key, value in members.items():
            name, objects = _referred(str(key), value)
            if objects:
                data.setdefault(name, objects)
                references[name] = tuple(_urn(service, text) for text in ([objects] if isinstance(objects, str) else objects))
            else:
                data[name] = _flat(value, name)
    for name in [str(key) for members in written for key in members if str(key).endswith(_SELECTOR)]:
        member = name.removesuffix(_SELECTOR)
        data.setdefault(_RENAMED.get(member, member), UNKNOWN)
    module, _, cloud = service.partition(".")
    type_ = token_of_operator(service, kind) or f"{cloud}:{module}/{kind[:1].lower()}{kind[1:]}:{kind}"
    yield _made(outer, type_, data, "spec.forProvider", _urn(service, outer.name), references)


def _referred(key: str, value: Any) -> tuple[str, Any]:
    """Return the member that a reference fills, and the names of the objects it refers to; the member itself otherwise."""
    for end, plural in (("Refs", "s"), ("Ref", "")):
        if key.endswith(end):
            listed = value if isinstance(value, list) else [value]
            names = [name for item in listed if isinstance(item, Mapping) and isinstance(name := item.get("name"), str)]
            member = key.removesuffix(end) + plural
            return _RENAMED.get(member, member), names if plural else "".join(names[:1])
    return _RENAMED.get(key, key), None


def _flat(value: Any, name: str) -> Any:
    """Return a value with lists of one where Pulumi has one value, and with the members of policies in a list renamed."""
    if isinstance(value, list) and len(value) == 1 and name in SINGLE:
        value = value[0]
    if isinstance(value, Mapping):
        return {key: _flat(inner, str(key)) for key, inner in value.items()}
    return [_flat(item, "") for item in value] if isinstance(value, list) else value


def _by_reader(outer: Resource, spec: Mapping[str, Any], service: str, kind: str) -> Iterator[Resource]:
    """Yield what a reader makes of an object; without one, a resource of the native provider that has the same members."""
    reader = _READERS.get(f"{service}:{kind}")
    if reader is not None:
        type_, read = reader
        data = {key: value for key, value in read(spec).items() if value is not None}
        yield _made(outer, type_, data, "spec", _urn(service, outer.name), {})
        return
    native = f"{'azure' if '.azure.com/' in outer.type else 'aws'}-native:{service}:{kind}"
    known = kind_of(native)
    if known is not None and (native.startswith("azure") or known.fact in _ALIKE):
        yield _made(outer, native, dict(spec), "spec", _urn(service, outer.name), {})


def _made(
    outer: Resource, type_: str, data: _Members, path: str, urn: str, references: Mapping[str, tuple[str, ...]]
) -> Resource:
    def place(inner: str) -> Place:
        return outer.place(f"{path}.{inner}" if inner else path)

    return replace(outer, type=type_, data=data, place=place, urn=urn, references=references)


def _urn(service: str, name: str) -> str:
    """Return a URN for an object of an operator: other objects refer to it by its name alone."""
    return f"urn:operator:{service}:{name}"


def _principal(name: str) -> Callable[[Mapping[str, Any]], _Members]:
    def read(spec: Mapping[str, Any]) -> _Members:
        inline = spec.get("inlinePolicies")
        policies = inline.items() if isinstance(inline, Mapping) else ()
        return {
            name: spec.get("name"),
            "assumeRolePolicyDocument": spec.get("assumeRolePolicyDocument"),
            "managedPolicyArns": [*_listed(spec.get("policies")), *_names(spec.get("policyRefs"))] or None,
            "policies": [{"policyName": key, "policyDocument": text} for key, text in policies] or None,
            "permissionsBoundary": spec.get("permissionsBoundary"),
            "groups": _listed(spec.get("groups")) or None,
        }

    return read


def _policy(spec: Mapping[str, Any]) -> _Members:
    return {"name": spec.get("name"), "policy": spec.get("policyDocument")}


def _queue(spec: Mapping[str, Any]) -> _Members:
    return {
        "name": spec.get("queueName"),
        "policy": spec.get("policy"),
        "kmsMasterKeyId": spec.get("kmsMasterKeyID"),
        "sqsManagedSseEnabled": spec.get("sqsManagedSSEEnabled"),
        "delaySeconds": _number(spec.get("delaySeconds")),
        "messageRetentionSeconds": _number(spec.get("messageRetentionPeriod")),
        "maxMessageSize": _number(spec.get("maximumMessageSize")),
        "redrivePolicy": spec.get("redrivePolicy"),
    }


def _security_group(spec: Mapping[str, Any]) -> _Members:
    return {"name": spec.get("name"), "ingress": [_ingress(rule) for rule in _listed(spec.get("ingressRules"))]}


def _ingress(rule: Any) -> _Members:
    held = rule if isinstance(rule, Mapping) else {}
    return {
        "protocol": held.get("ipProtocol"),
        "fromPort": held.get("fromPort"),
        "toPort": held.get("toPort"),
        "cidrBlocks": _each(held.get("ipRanges"), "cidrIP"),
        "ipv6CidrBlocks": _each(held.get("ipv6Ranges"), "cidrIPv6"),
        "prefixListIds": _each(held.get("prefixListIDs"), "prefixListID"),
    }


def _cluster(spec: Mapping[str, Any]) -> _Members:
    network, logging = _held(spec, "resourcesVPCConfig"), _held(spec, "logging")
    setups = [setup for setup in _listed(logging.get("clusterLogging")) if isinstance(setup, Mapping) and setup.get("enabled")]
    return {
        "name": spec.get("name"),
        "version": spec.get("version"),
        "vpcConfig": {
            "endpointPublicAccess": network.get("endpointPublicAccess"),
            "publicAccessCidrs": network.get("publicAccessCIDRs"),
        },
        "accessConfig": spec.get("accessConfig"),
        "enabledClusterLogTypes": [text for setup in setups for text in _listed(setup.get("types"))],
        "encryptionConfig": next(iter(_listed(spec.get("encryptionConfig"))), None),
        "deletionProtection": spec.get("deletionProtection"),
    }


def _entry(spec: Mapping[str, Any]) -> _Members:
    policies = [{"policyArn": arn} for arn in _each(spec.get("accessPolicies"), "policyARN")]
    return {
        "principalArn": spec.get("principalARN"),
        "type": spec.get("type"),
        "kubernetesGroups": spec.get("kubernetesGroups"),
        "accessPolicies": policies or None,
    }


def _key(spec: Mapping[str, Any]) -> _Members:
    return {"policy": spec.get("policy")}


def _node_group(spec: Mapping[str, Any]) -> _Members:
    members = ("clusterName", "scalingConfig", "subnets", "instanceTypes", "labels", "taints", "amiType")
    return {member: spec.get(member) for member in members}


def _assignment(spec: Mapping[str, Any]) -> _Members:
    role, owner = _held(spec, "roleDefinitionReference"), _held(spec, "owner")
    return {
        "roleDefinitionId": role.get("armId"),
        "roleDefinitionName": role.get("wellKnownName"),
        "scope": owner.get("armId"),
        "condition": spec.get("condition"),
    }


def _security_rule(spec: Mapping[str, Any]) -> _Members:
    return {**spec, "networkSecurityGroupName": _held(spec, "owner").get("name")}


def _credential(spec: Mapping[str, Any]) -> _Members:
    return {name: spec.get(name) for name in ("subject", "issuer", "audiences")}


def _held(spec: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = spec.get(name)
    return value if isinstance(value, Mapping) else {}


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _each(value: Any, name: str) -> list[Any]:
    return [item[name] for item in _listed(value) if isinstance(item, Mapping) and name in item]


def _names(references: Any) -> list[Any]:
    """Return the names of the objects that references of ACK name."""
    return _each(_each(references, "from"), "name")


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


_READERS: Final[Mapping[str, tuple[str, Callable[[Mapping[str, Any]], _Members]]]] = {
    "iam:Role": (tokens.NATIVE_IAM_ROLE, _principal("roleName")),
    "iam:User": (tokens.NATIVE_IAM_USER, _principal("userName")),
    "iam:Group": (tokens.NATIVE_IAM_GROUP, _principal("groupName")),
    "iam:Policy": (tokens.IAM_POLICY, _policy),
    "sqs:Queue": (tokens.QUEUE, _queue),
    "kms:Key": ("aws:kms/key:Key", _key),
    "ec2:SecurityGroup": ("aws:ec2/securityGroup:SecurityGroup", _security_group),
    "eks:Cluster": (tokens.EKS_CLUSTER, _cluster),
    "eks:AccessEntry": ("aws-native:eks:AccessEntry", _entry),
    "eks:Nodegroup": (tokens.NATIVE_NODE_GROUP, _node_group),
    "authorization:RoleAssignment": (ASSIGNMENT, _assignment),
    "network:NetworkSecurityGroupsSecurityRule": ("azure-native:network:SecurityRule", _security_rule),
    "managedidentity:FederatedIdentityCredential": (FEDERATION, _credential),
}
"""The kinds of ACK and of Azure Service Operator that rules are about, as resources that the rules know."""
