"""What is refused in a NodeClass of EKS Auto Mode whose structure is right (spec: api-objects 4.1).

Most texts of that CRD are unpublished; where EC2NodeClass has the same rule its words are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from cutlist.api._findings import Finding
from cutlist.api.names import label_findings, name_findings
from cutlist.api.node_class_rules import identity, network_terms, placement_group, primary_interface, tags
from cutlist.api.selector_rules import alone, one_of, selector_tags, terms_findings
from cutlist.labels import AUTO_GROUP

if TYPE_CHECKING:
    from cutlist.api.autonodeclass import AutoNodeClass

MANAGED_CLASS: Final = "default"
MANAGED_BY_EKS: Final = "eks"

_RESTRICTED_TAGS: Final = (
    "karpenter.sh/provisioner-name",
    "karpenter.sh/nodepool",
    "karpenter.sh/nodeclaim",
    "karpenter.sh/managed-by",
    f"{AUTO_GROUP}/nodeclass",
)
_CLUSTER_TAGS: Final = "kubernetes.io/cluster/"

Rule = Callable[["AutoNodeClass"], Iterator[Finding]]


def rules(node_class: AutoNodeClass) -> list[Finding]:
    """Everything that the rules refuse: (path, message, what is allowed, the nearest right thing)."""
    return [finding for rule in RULES for finding in rule(node_class)]


def _name(c: AutoNodeClass) -> Iterator[Finding]:
    yield from name_findings("metadata.name", c.name)
    yield from label_findings("metadata.labels", c.labels)
    if c.name == MANAGED_CLASS and not c.is_managed:
        text = "'default' is the class that EKS makes and deletes with its built-in NodePools"
        yield Finding("metadata.name", text, "a name of your own")


def _bare_role(c: AutoNodeClass) -> Iterator[Finding]:
    if c.role is not None and "/" in c.role:
        yield Finding("spec.role", f"{c.role!r} is not a role's name", "the name alone, without ARN or path", _last(c.role))


def _last(role: str) -> str:
    return role.rpartition("/")[2]


def _pod_terms(c: AutoNodeClass) -> Iterator[Finding]:
    subnets, groups = "podSubnetSelectorTerms", "podSecurityGroupSelectorTerms"
    written = c.manifest()["spec"]
    for field, other in ((subnets, groups), (groups, subnets)):
        if field in written and other not in written:
            yield Finding(f"spec.{field}", f"must be set together with {other}")
    if subnets in written:
        path, terms = f"spec.{subnets}", c.pod_subnet_selector_terms
        yield from terms_findings(path, terms, ("tags", "id"), ("id",), "a subnet selector term")
    if groups in written:
        path, terms_of_groups = f"spec.{groups}", c.pod_security_group_selector_terms
        yield from terms_findings(path, terms_of_groups, ("tags", "id"), ("id",), "a security group selector term")


def _reservation_terms(c: AutoNodeClass) -> Iterator[Finding]:
    for index, term in enumerate(c.capacity_reservation_selector_terms):
        where = f"spec.capacityReservationSelectorTerms[{index}]"
        yield from one_of(where, term, ("tags", "id"))
        yield from selector_tags(f"{where}.tags", term.tags)
        yield from alone(where, term, "id", ("tags", "owner"), "a capacity reservation selector term")


def _interfaces(c: AutoNodeClass) -> Iterator[Finding]:
    networking, path = c.advanced_networking, "spec.advancedNetworking"
    interfaces = networking.network_interfaces
    if len(interfaces) > 1 and networking.associate_public_ip_address is not None:
        yield Finding(f"{path}.associatePublicIPAddress", "cannot be set with more than one network interface")
    yield from primary_interface(f"{path}.networkInterfaces", interfaces)
    seen: set[tuple[int, int]] = set()
    for index, interface in enumerate(interfaces):
        where = f"{path}.networkInterfaces[{index}]"
        given = sum(n is not None for n in (interface.secondary_ipv4_count, interface.secondary_ipv4_prefix_count))
        if given == 2:
            yield Finding(where, "'secondaryIPv4Count' and 'secondaryIPv4PrefixCount' are mutually exclusive")
        if given and (interface.network_card_index != 0 or interface.interface_type == "efa-only"):
            text = "addresses can be counted on an interface of network card 0 only, and never on an efa-only one"
            yield Finding(where, text)
        if (interface.network_card_index, interface.device_index) in seen:
            yield Finding(where, "networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs")
        seen.add((interface.network_card_index, interface.device_index))


def _tags(c: AutoNodeClass) -> Iterator[Finding]:
    yield from tags(c, _RESTRICTED_TAGS, _CLUSTER_TAGS)


RULES: Final[tuple[Rule, ...]] = (
    _name,
    identity,
    _bare_role,
    network_terms,
    _pod_terms,
    _reservation_terms,
    placement_group,
    _interfaces,
    _tags,
)
