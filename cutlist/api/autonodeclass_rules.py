"""The NodeClass of EKS Auto Mode as a kind, with its rules (spec: api-objects 4.1).

Most texts of that CRD are unpublished; if EC2NodeClass has the same rule, its words and its CEL are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.api import node_class_rules
from cutlist.api.autonodeclass_fields import AutoNodeClassFields
from cutlist.api.ec2nodeclass_fields import PATTERNS_IN_WORDS
from cutlist.api.findings import Finding, Hints
from cutlist.api.rule_table import Breach, Breaches, Part, Row, Rule
from cutlist.api.selector_rules import any_of, mixed_anywhere, selector_tags, wildcards
from cutlist.api.validation import Manifest, ObjectKind
from cutlist.core.labels import AUTO_GROUP, MANAGED_BY

MANAGED_CLASS: Final = "default"
MANAGED_BY_EKS: Final = "eks"

_RESTRICTED_TAGS: Final = tuple(
    (tag, f"self.all(k, k != '{tag}')")
    for tag in (
        "karpenter.sh/provisioner-name",
        "karpenter.sh/nodepool",
        "karpenter.sh/nodeclaim",
        "karpenter.sh/managed-by",
        f"{AUTO_GROUP}/nodeclass",
    )
)
_CLUSTER_TAGS: Final = "kubernetes.io/cluster/"
_NETWORKING: Final = "spec.advancedNetworking"
_INTERFACES: Final = f"{_NETWORKING}.networkInterfaces"
_RESERVATIONS: Final = "spec.capacityReservationSelectorTerms"
_POD_TERMS: Final = ("podSubnetSelectorTerms", "podSecurityGroupSelectorTerms")


def _together(field: str, other: str) -> Rule:
    alone = lambda self: [Breach((field,))] if field in self and other not in self else []  # noqa: E731
    return Rule("spec", f"must be set together with {other}", f"!has(self.{field}) || has(self.{other})", alone)


def _two_identities(self: Part) -> Breaches:
    return [Breach()] if "role" in self and "instanceProfile" in self else []


def _public_and_many(self: Part) -> Breaches:
    many = len(self.get("networkInterfaces") or ()) > 1
    return [Breach(("associatePublicIPAddress",))] if many and "associatePublicIPAddress" in self else []


def _counted_twice(self: Part) -> Breaches:
    return [Breach()] if {"secondaryIPv4Count", "secondaryIPv4PrefixCount"} <= set(self) else []


def _counted_elsewhere(self: Part) -> Breaches:
    counted = {"secondaryIPv4Count", "secondaryIPv4PrefixCount"} & set(self)
    return [Breach()] if counted and (self["networkCardIndex"] != 0 or self["interfaceType"] == "efa-only") else []


def _repeated(self: Sequence[Part]) -> Iterator[Breach]:
    places: set[tuple[int, int]] = set()
    for index, interface in enumerate(self):
        place = (interface["networkCardIndex"], interface["deviceIndex"])
        if place in places:
            yield Breach((index,))
        places.add(place)


_INTERFACE_RULES: Final = (
    Rule(_NETWORKING, "cannot be set with more than one network interface", "", _public_and_many),
    node_class_rules.primary_interface(_INTERFACES),
    Rule(
        f"{_INTERFACES}[]",
        "'secondaryIPv4Count' and 'secondaryIPv4PrefixCount' are mutually exclusive",
        "!(has(self.secondaryIPv4Count) && has(self.secondaryIPv4PrefixCount))",
        _counted_twice,
    ),
    Rule(
        f"{_INTERFACES}[]",
        "addresses can be counted on an interface of network card 0 only, and never on an efa-only one",
        "",
        _counted_elsewhere,
    ),
    Rule(_INTERFACES, "networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs", "", _repeated),
)

# The table of the user guide requires one of the two, and its examples have neither: a class without both passes (V-106).
_EITHER_IDENTITY: Final = Rule(
    "spec",
    "'role' and 'instanceProfile' are mutually exclusive",
    "!(has(self.role) && has(self.instanceProfile))",
    _two_identities,
)

RULES: Final[tuple[Row, ...]] = (
    _EITHER_IDENTITY,
    *node_class_rules.NAME_RULES,
    *node_class_rules.NETWORK_TERM_RULES,
    _together(*_POD_TERMS),
    _together(*reversed(_POD_TERMS)),
    *node_class_rules.subnet_term_rules(f"spec.{_POD_TERMS[0]}"),
    *node_class_rules.group_term_rules(f"spec.{_POD_TERMS[1]}", ("tags", "id")),
    any_of(_RESERVATIONS, ("tags", "id")),
    mixed_anywhere(
        _RESERVATIONS,
        "'id' is mutually exclusive, cannot be set with a combination of other fields in a capacity reservation selector term",
        "id",
        ("tags", "owner"),
    ),
    selector_tags(f"{_RESERVATIONS}[].tags"),
    *node_class_rules.PLACEMENT_RULES,
    *_INTERFACE_RULES,
    *node_class_rules.tag_rules(_RESTRICTED_TAGS, _CLUSTER_TAGS),
)


_COMPUTE: Final = "spec.advancedCompute"


def _compute_lint(spec: Part) -> Iterator[Finding]:
    """Yield what no schema of `advancedCompute` could accept: parts that are not objects, and pods that are not a number."""
    compute = spec.get("advancedCompute") or {}
    for name in ("kubelet", "kernel"):
        if not isinstance(compute.get(name, {}), Mapping):
            yield Finding(f"{_COMPUTE}.{name}", f"{compute[name]!r} is not an object", "an object")
    kubelet = compute.get("kubelet")
    most = kubelet.get("maxPods", 1) if isinstance(kubelet, Mapping) else 1
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        yield Finding(f"{_COMPUTE}.kubelet.maxPods", f"{most!r} is not a number of pods", "1 or more; a node has 110 at most")


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    """Yield the findings that only Cutlist reports: the name that EKS uses itself, a role's ARN, and terms that match too
    much."""
    metadata, spec = stored["metadata"], stored["spec"]
    if metadata.get("name") == MANAGED_CLASS and (metadata.get("labels") or {}).get(MANAGED_BY) != MANAGED_BY_EKS:
        text = "'default' is the class that EKS makes and deletes with its built-in NodePools"
        yield Finding("metadata.name", text, "a name of your own")
    yield from node_class_rules.role_lint(spec)
    yield from _compute_lint(spec)
    yield from node_class_rules.network_term_lint(spec)
    for field in _POD_TERMS:
        yield from wildcards(f"spec.{field}", spec.get(field) or (), ("tags", "id"))
    yield from wildcards(_RESERVATIONS, spec.get("capacityReservationSelectorTerms") or (), ("tags", "id"))


_MANAGED: Final = "Auto Mode manages this"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        **{
            f"spec.{name}": _MANAGED
            for name in (
                "amiFamily",
                "amiSelectorTerms",
                "userData",
                "metadataOptions",
                "instanceStorePolicy",
                "detailedMonitoring",
                "context",
            )
        },
        "spec.blockDeviceMappings": f"{_MANAGED}; set the size of the data volume in spec.ephemeralStorage",
        "spec.ipPrefixCount": f"{_MANAGED}; count prefixes in spec.advancedNetworking.networkInterfaces",
        "spec.kubelet": f"{_MANAGED}; some settings of the kubelet are in spec.advancedCompute.kubelet",
        "spec.associatePublicIPAddress": "here it is spec.advancedNetworking.associatePublicIPAddress",
        "spec.networkInterfaces": "here it is spec.advancedNetworking.networkInterfaces",
        "spec.capacityReservationSelectorTerms.ownerID": "here it is owner",
    },
)


AUTO_NODE_CLASS: Final = ObjectKind(AutoNodeClassFields, HINTS, lambda _: RULES, lint=_lint)
