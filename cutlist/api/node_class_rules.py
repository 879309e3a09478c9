"""What is refused in every node class for AWS, Karpenter's and Auto Mode's alike (spec: api-objects 3.2, 4.1).

The words are those of Karpenter's CRD; most of Auto Mode's are unpublished.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cutlist.api._findings import Finding
from cutlist.api.selector_rules import one_of, terms_findings

if TYPE_CHECKING:
    from cutlist.api.autonodeclass import AutoNodeClass
    from cutlist.api.autonodeclass_fields import AutoNetworkInterface
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_fields import NetworkInterface

_PRIMARY = (0, 0, "interface")


def identity(c: EC2NodeClass | AutoNodeClass) -> Iterator[Finding]:
    """None or two of the ways to say who the nodes are, or an empty one."""
    if (c.role is None) == (c.instance_profile is None):
        yield Finding("spec", "must specify exactly one of ['role', 'instanceProfile']")
    if c.role == "":
        yield Finding("spec.role", "role cannot be empty")
    if c.instance_profile == "":
        yield Finding("spec.instanceProfile", "instanceProfile cannot be empty")


def network_terms(c: EC2NodeClass | AutoNodeClass) -> Iterator[Finding]:
    """Terms that find no subnet or security group, or mix an id with other fields."""
    subnet, group = "a subnet selector term", "a security group selector term"
    yield from terms_findings("spec.subnetSelectorTerms", c.subnet_selector_terms, ("tags", "id"), ("id",), subnet)
    by = ("tags", "id", "name")
    yield from terms_findings("spec.securityGroupSelectorTerms", c.security_group_selector_terms, by, ("id", "name"), group)


def placement_group(c: EC2NodeClass | AutoNodeClass) -> Iterator[Finding]:
    """A selector that names a placement group in no way or in two."""
    selector = c.placement_group_selector
    if selector is not None:
        yield from one_of("spec.placementGroupSelector", selector, ("name", "id"))
        if selector.name is not None and selector.id is not None:
            yield Finding("spec.placementGroupSelector", "'name' and 'id' are mutually exclusive")


def tags(c: EC2NodeClass | AutoNodeClass, restricted: tuple[str, ...], cluster: str) -> Iterator[Finding]:
    """Tags that the controller sets itself: the restricted ones and whatever begins with `cluster`."""
    for key in c.tags:
        path = f"spec.tags.{key}"
        if not key:
            yield Finding("spec.tags", "empty tag keys aren't supported")
        elif key in restricted:
            yield Finding(path, f"tag contains a restricted tag matching {key}")
        elif key.startswith(cluster):
            yield Finding(path, f"tag contains a restricted tag matching {cluster.rstrip('/')}/")


def primary_interface(path: str, interfaces: Sequence[NetworkInterface] | Sequence[AutoNetworkInterface]) -> Iterator[Finding]:
    """Interfaces of which none is the one that a node has to have."""
    if interfaces and _PRIMARY not in [(i.network_card_index, i.device_index, i.interface_type) for i in interfaces]:
        text = "networkInterfaces must include a primary interface with interfaceType='interface'"
        yield Finding(path, text, "one on network card 0 with device index 0")
