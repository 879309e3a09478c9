"""What the API server's rules refuse in an EC2NodeClass whose structure is right, and what would crash the controller (spec 3).

Pure functions from a class to findings. Messages are the fixed ones of the CRD where there is one; paths point at the element.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from cutlist.api._findings import Finding
from cutlist.api.kubelet_rules import kubelet_findings
from cutlist.api.names import label_findings, name_findings
from cutlist.api.node_class_rules import identity, network_terms, placement_group, primary_interface, tags
from cutlist.api.selector_rules import alone, one_of, selector_tags
from cutlist.errors import nearest
from cutlist.labels import LabelRegistry

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass

ALIAS_FAMILIES: Final = {
    "al2": "AL2",
    "al2023": "AL2023",
    "bottlerocket": "Bottlerocket",
    "windows2019": "Windows2019",
    "windows2022": "Windows2022",
    "windows2025": "Windows2025",
}
"""The family that an alias names."""

_ALIAS: Final = re.compile(r"[a-zA-Z0-9]+@.+")
_RESTRICTED_TAGS: Final = (
    "eks:eks-cluster-name",
    "karpenter.sh/nodepool",
    "karpenter.sh/nodeclaim",
    "karpenter.k8s.aws/ec2nodeclass",
)
_CLUSTER_TAGS: Final = "kubernetes.io/cluster"
_AMI_TERMS: Final = "spec.amiSelectorTerms"

Rule = Callable[["EC2NodeClass"], Iterator[Finding]]


def rules(node_class: EC2NodeClass, registry: LabelRegistry) -> list[Finding]:  # noqa: ARG001 - the same shape for every kind
    """Everything that the rules refuse: (path, message, what is allowed, the nearest right thing)."""
    return [finding for rule in RULES for finding in rule(node_class)]


def _name(c: EC2NodeClass) -> Iterator[Finding]:
    yield from name_findings("metadata.name", c.name)
    yield from label_findings("metadata.labels", c.labels)


def _ami_terms(c: EC2NodeClass) -> Iterator[Finding]:
    for index, term in enumerate(c.ami_selector_terms):
        path = f"{_AMI_TERMS}[{index}]"
        yield from one_of(path, term, ("tags", "id", "name", "alias", "ssmParameter"))
        yield from selector_tags(f"{path}.tags", term.tags)
        yield from alone(path, term, "id", ("alias", "tags", "name", "owner"), "amiSelectorTerms")
        yield from alone(path, term, "alias", ("id", "tags", "name", "owner", "ssm_parameter"), "amiSelectorTerms")
        if term.alias is not None:
            yield from _alias(f"{path}.alias", term.alias)
            if len(c.ami_selector_terms) > 1:
                text = "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms"
                yield Finding(f"{path}.alias", text)


def _alias(path: str, alias: str) -> Iterator[Finding]:
    family, _, version = alias.partition("@")
    if not _ALIAS.fullmatch(alias) or "@" in version:
        near = f"{family}@latest" if family in ALIAS_FAMILIES and not version else ""
        text = f"'alias' is improperly formatted, must match the format 'family@version', found {alias!r}"
        yield Finding(path, text, nearest=near)
    elif family not in ALIAS_FAMILIES:
        near = nearest(family.lower(), ALIAS_FAMILIES)
        text = f"family is not supported, must be one of the following: {', '.join(map(repr, ALIAS_FAMILIES))}"
        yield Finding(path, text, nearest=f"{near}@{version}" if near else "")
    elif family.startswith("windows") and version != "latest":
        yield Finding(path, "windows families may only specify version 'latest'", nearest=f"{family}@latest")


def _ami_family(c: EC2NodeClass) -> Iterator[Finding]:
    if c.alias is None:
        if c.ami_family is None and c.ami_selector_terms:
            yield Finding("spec", "must specify amiFamily if amiSelectorTerms does not contain an alias")
        return
    family = ALIAS_FAMILIES.get(c.alias.partition("@")[0])
    if family is not None and c.ami_family not in (None, "Custom", family):
        article = "an" if family.startswith("AL") else "a"
        text = f"if set, amiFamily must be '{family}' or 'Custom' when using {article} {family} alias"
        yield Finding("spec.amiFamily", text, nearest=family)


def _reservation_terms(c: EC2NodeClass) -> Iterator[Finding]:
    path = "spec.capacityReservationSelectorTerms"
    if not c.capacity_reservation_selector_terms and "capacityReservationSelectorTerms" in c.manifest()["spec"]:
        yield Finding(path, "is empty; leave it out instead")
    for index, term in enumerate(c.capacity_reservation_selector_terms):
        where = f"{path}[{index}]"
        yield from one_of(where, term, ("tags", "id", "instanceMatchCriteria"))
        yield from selector_tags(f"{where}.tags", term.tags)
        if term.id is not None and (term.tags, term.owner_id, term.instance_match_criteria) != (None, None, None):
            text = "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term"
            yield Finding(where, text)


def _tags(c: EC2NodeClass) -> Iterator[Finding]:
    yield from tags(c, _RESTRICTED_TAGS, _CLUSTER_TAGS)


def _kubelet(c: EC2NodeClass) -> Iterator[Finding]:
    if c.kubelet is not None:
        yield from kubelet_findings("spec.kubelet", c.kubelet)


def _block_devices(c: EC2NodeClass) -> Iterator[Finding]:
    path = "spec.blockDeviceMappings"
    if sum(mapping.root_volume for mapping in c.block_device_mappings) > 1:
        yield Finding(path, "must have only one blockDeviceMappings with rootVolume")
    for index, mapping in enumerate(c.block_device_mappings):
        where, ebs = f"{path}[{index}].ebs", mapping.ebs
        if ebs.volume_size is None and ebs.snapshot_id is None:
            yield Finding(where, "snapshotID or volumeSize must be defined", nearest="volumeSize: 20Gi")
        if ebs.volume_initialization_rate is not None and not ebs.snapshot_id:
            yield Finding(where, "snapshotID must be set when volumeInitializationRate is set")


def _network_interfaces(c: EC2NodeClass) -> Iterator[Finding]:
    interfaces, path = c.network_interfaces, "spec.networkInterfaces"
    yield from primary_interface(path, interfaces)
    places = Counter((i.network_card_index, i.device_index) for i in interfaces)
    efa = Counter(i.network_card_index for i in interfaces if i.interface_type == "efa-only")
    if any(count > 1 for count in (*places.values(), *efa.values())):
        text = "networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs"
        yield Finding(path, f"{text}, and can have at most one efa device per network card")


def _connection_tracking(c: EC2NodeClass) -> Iterator[Finding]:
    tracking = c.connection_tracking
    if (
        tracking is not None
        and (tracking.tcp_established_timeout, tracking.udp_stream_timeout, tracking.udp_timeout) == (None,) * 3
    ):
        text = "at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set"
        yield Finding("spec.connectionTracking", text)


RULES: Final[tuple[Rule, ...]] = (
    _name,
    identity,
    _ami_terms,
    _ami_family,
    network_terms,
    _reservation_terms,
    placement_group,
    _tags,
    _kubelet,
    _block_devices,
    _network_interfaces,
    _connection_tracking,
)
