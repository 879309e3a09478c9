"""Rights over the cluster that nodes have: entries of access, and the ConfigMap aws-auth (spec: aws-infrastructure IF-24)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.text.yaml import parse as parse_yaml
from cutlist.policy.rules.access.principals import ROLES
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.cluster_rights import ADMINISTRATORS
from cutlist.policy.rules.infrastructure.role_trust import is_of_nodes
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import CLUSTER_ROLE_BINDING, EKS_COMPONENT

_ASSOCIATION: Final = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
_ENTRY: Final = "aws:eks/accessEntry:AccessEntry"
_NATIVE_ENTRY: Final = "aws-native:eks:AccessEntry"
_CONFIG_MAPS: Final = tuple(f"kubernetes:{group}v1:ConfigMap{patch}" for group in ("", "core/") for patch in ("", "Patch"))
_ENTRIES: Final = (_ENTRY, _NATIVE_ENTRY, EKS_COMPONENT)
_ROLES_OF_COMPONENT: Final = ("instanceRole", "instanceRoles")
_OF_NODES: Final = ("EC2", "EC2_LINUX", "EC2_WINDOWS", "HYBRID_LINUX", "FARGATE_LINUX", "HYPERPOD_LINUX")
_POWERFUL: Final = ("AmazonEKSClusterAdminPolicy", "AmazonEKSAdminPolicy", "AmazonEKSEditPolicy", "AmazonEKSAdminViewPolicy")
"""Policies of EKS that write objects of others, or read every secret."""
_MASTERS: Final = "system:masters"
_GROUPS_OF_NODES: Final = ("system:nodes", "system:bootstrappers", "system:node-proxier")
_USER_OF_NODES: Final = "system:node:"
_GROUPS_THAT_NODES_NEED: Final = "system:bootstrappers and system:nodes"
_TAKE_OUT: Final = f"remove {_MASTERS}"
_AWS_AUTH: Final = "aws-auth"
_MAPS: Final = ("mapRoles", "mapUsers")


@stack_rule(
    "IF-24",
    "Nodes are not administrators of the cluster",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a pod that owns the cluster with its node's credentials",
    looks_at=(_ASSOCIATION, _ENTRY, _NATIVE_ENTRY, EKS_COMPONENT, *ROLES, CLUSTER_ROLE_BINDING, *_CONFIG_MAPS),
    source="aws-infrastructure IF-24, H9, H12",
    names=dict.fromkeys(_CONFIG_MAPS, _AWS_AUTH),
)
def nodes_are_no_administrators(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no role of nodes has an administrator's policy of EKS, or a group that is bound to an administrator's role.

    Nor may aws-auth make nodes masters.
    """
    nodes = _NodeRoles.among(resources)
    groups = _groups_of_administrators(resources)
    for resource in resources.of_type(_ASSOCIATION, _NATIVE_ENTRY, _ENTRY):
        try:
            if nodes.holds(resource.root):
                yield from _of_entry(resource.root, groups)
        except NotKnownError as unknown:
            yield unknown.finding
    for component in resources.of_type(EKS_COMPONENT):
        try:
            yield from _of_component(component, nodes, groups)
        except NotKnownError as unknown:
            yield unknown.finding
    for config in resources.of_type(*_CONFIG_MAPS):
        if config.name == _AWS_AUTH:
            yield from _of_config(config, nodes)


class _NodeRoles:
    """The roles of nodes: those that machines assume, and principals of entries for nodes."""

    def __init__(self, names: frozenset[str], urns: frozenset[str]) -> None:
        self._names, self._urns = names, urns

    @staticmethod
    def among(resources: Resources) -> _NodeRoles:
        """Return the roles of nodes among resources. A role whose trust is unknown is not among them."""
        names, urns = set[str](), set[str]()
        for role in resources.of_type(*ROLES):
            try:
                if is_of_nodes(role):
                    written = {text for key in ("name", "roleName") if isinstance(text := role.data.get(key), str)}
                    names |= written or {role.name}
                    urns.add(role.urn)
            except NotKnownError:
                continue
        for entry in (entry for resource in resources.of_type(*_ENTRIES) for entry in _entries(resource)):
            arn = entry.data.get("principalArn")
            if entry.data.get("type") in _OF_NODES:
                names |= {arn.rpartition("/")[2]} if isinstance(arn, str) else set()
                urns |= _urns_of(entry)
        for component in resources.of_type(EKS_COMPONENT):
            urns |= {urn for member in _ROLES_OF_COMPONENT for urn in component.references.get(member, ())}
        return _NodeRoles(frozenset(names), frozenset(urns - {""}))

    def holds(self, entry: Part) -> bool:
        """Tell whether an entry, or a policy of one, is for nodes."""
        arn = entry.data.get("principalArn")
        if arn is UNKNOWN:
            return bool(self._urns & _urns_of(entry))
        return self.named_by(arn)

    def named_by(self, arn: Any) -> bool:
        """Tell whether an ARN is that of a role of nodes."""
        return isinstance(arn, str) and arn.rpartition("/")[2] in self._names


def _entries(resource: Resource) -> Iterator[Part]:
    """Yield the entries of access that a resource is, or that a component makes."""
    if resource.type != EKS_COMPONENT:
        yield resource.root
        return
    written = resource.at("accessEntries")
    entries = written.members().values() if isinstance(written.data, Mapping) else ()
    yield from (entry for entry in entries if isinstance(entry.data, Mapping))


def _urns_of(entry: Part) -> set[str]:
    member = "accessEntries" if entry.path else "principalArn"
    return set(entry.resource.references.get(member, ()))


def _of_entry(entry: Part, groups: frozenset[str]) -> Iterator[Finding]:
    policies = entry.at("accessPolicies")
    listed = (*policies.items(), *policies.members().values()) if policies.is_there else (entry,)
    for policy in listed:
        name = policy.at("policyArn").text.rpartition("/")[2]
        if name in _POWERFUL:
            yield policy.at("policyArn").violation(f"{name} for nodes", "an access entry whose type is for nodes", "remove it")
    for part in entry.at("kubernetesGroups").items():
        if part.text in groups:
            yield part.violation(f"nodes are in the group {part.text}", "no group of administrators", "remove it")


def _of_component(component: Resource, nodes: _NodeRoles, groups: frozenset[str]) -> Iterator[Finding]:
    for entry in _entries(component):
        if nodes.holds(entry):
            yield from _of_entry(entry, groups)
    for mapping in (*component.at("roleMappings").items(), *component.at("userMappings").items()):
        if isinstance(mapping.data, Mapping) and _makes_nodes_administrators(mapping.data, nodes):
            yield _masters(mapping, mapping.data)


def _groups_of_administrators(resources: Resources) -> frozenset[str]:
    """Return the groups that bindings of the stack make administrators, system:masters among them."""
    groups = {_MASTERS}
    for binding in resources.of_type(CLUSTER_ROLE_BINDING):
        try:
            if binding.at("roleRef", "name").text in ADMINISTRATORS:
                groups |= {s.at("name").text for s in binding.at("subjects").items() if s.at("kind").text == "Group"}
        except NotKnownError:
            continue
    return frozenset(groups)


def _of_config(config: Resource, nodes: _NodeRoles) -> Iterator[Finding]:
    for key in _MAPS:
        part = config.at("data", key)
        if part.data is UNKNOWN:
            yield part.cannot_tell("who is an administrator: the map is known only after an update")
        elif isinstance(part.data, str):
            yield from (_masters(part, mapping) for mapping in _mappings(part) if _makes_nodes_administrators(mapping, nodes))


def _mappings(part: Part) -> Iterator[Mapping[str, Any]]:
    for document in parse_yaml(part.text, "", Problems()):
        yield from (item for item in document.value if isinstance(item, Mapping)) if isinstance(document.value, list) else ()


def _makes_nodes_administrators(mapping: Mapping[str, Any], nodes: _NodeRoles) -> bool:
    groups = mapping.get("groups")
    listed = [str(group) for group in groups] if isinstance(groups, list) else []
    is_of_nodes = str(mapping.get("username", "")).startswith(_USER_OF_NODES) or bool(set(_GROUPS_OF_NODES) & set(listed))
    return _MASTERS in listed and (is_of_nodes or nodes.named_by(mapping.get("rolearn") or mapping.get("roleArn")))


def _masters(part: Part, mapping: Mapping[str, Any]) -> Finding:
    who = mapping.get("rolearn") or mapping.get("userarn") or mapping.get("roleArn")
    return part.violation(
        f"{who if isinstance(who, str) else 'a role of nodes'} is in {_MASTERS}", _GROUPS_THAT_NODES_NEED, _TAKE_OUT
    )


RULES = (nodes_are_no_administrators,)
