"""The EC2NodeClass as a kind: the rules of its CRD, and further checks of the controller and of Cutlist (spec: 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any, Final

from cutlist.api import node_class_rules
from cutlist.api.ami_alias import family_of
from cutlist.api.ami_rules import AMI_FIELDS, AMI_RULES, AMI_TERMS
from cutlist.api.ec2nodeclass_fields import PATTERNS_IN_WORDS, EC2NodeClassFields, OpenEC2NodeClassFields
from cutlist.api.findings import Finding, Hints, Reported, Stage
from cutlist.api.kubelet_findings import kubelet_findings
from cutlist.api.kubelet_rules import kubelet_rules
from cutlist.api.rule_table import Breach, Breaches, Part, Row, Rule
from cutlist.api.schema import Schema, member_edit, naming_formats
from cutlist.api.selector_rules import any_of, mixed_everywhere, selector_tags, wildcards
from cutlist.api.validation import Manifest, ObjectKind, Since, with_edit
from cutlist.core.errors import Layer
from cutlist.core.karpenter.behaviours import Behaviour

RESERVATION_TERMS: Final = "spec.capacityReservationSelectorTerms"
RESERVATION_FIELDS: Final = ("tags", "id", "instanceMatchCriteria")
MAPPINGS: Final = "spec.blockDeviceMappings"

_INTERFACES: Final = "spec.networkInterfaces"
_RESTRICTED_TAGS: Final = (
    ("eks:eks-cluster-name", "self.all(k, k !='eks:eks-cluster-name')"),
    ("karpenter.sh/nodepool", "self.all(k, k != 'karpenter.sh/nodepool')"),
    ("karpenter.sh/nodeclaim", "self.all(k, k !='karpenter.sh/nodeclaim')"),
    ("karpenter.k8s.aws/ec2nodeclass", "self.all(k, k !='karpenter.k8s.aws/ec2nodeclass')"),
)
_CLUSTER_TAGS: Final = "kubernetes.io/cluster"


_RESERVATION_RULES: Final = (
    any_of(RESERVATION_TERMS, RESERVATION_FIELDS),
    mixed_everywhere(
        RESERVATION_TERMS,
        "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
        "id",
        ("tags", "ownerID", "instanceMatchCriteria"),
        when_empty="is empty; leave it out instead",
    ),
    selector_tags(f"{RESERVATION_TERMS}[].tags"),
)


def _roots(self: Sequence[Part]) -> Breaches:
    return [Breach()] if sum(mapping.get("rootVolume") is True for mapping in self) > 1 else []


def _sizeless(self: Part) -> Breaches:
    return [] if "snapshotID" in self or "volumeSize" in self else [Breach(nearest="volumeSize: 20Gi")]


def _rate_alone(self: Part) -> Breaches:
    return [Breach()] if "volumeInitializationRate" in self and not self.get("snapshotID") else []


DISK_RULES: Final = (
    Rule(
        MAPPINGS,
        "must have only one blockDeviceMappings with rootVolume",
        "self.filter(x, has(x.rootVolume)?x.rootVolume==true:false).size() <= 1",
        _roots,
    ),
    Rule(
        f"{MAPPINGS}[].ebs",
        "snapshotID or volumeSize must be defined",
        "has(self.snapshotID) || has(self.volumeSize)",
        _sizeless,
    ),
)
_RATE_RULES: Final = (
    Rule(
        f"{MAPPINGS}[].ebs",
        "snapshotID must be set when volumeInitializationRate is set",
        "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
        _rate_alone,
    ),
)


def _colliding(self: Sequence[Part]) -> Breaches:
    places = Counter((i["networkCardIndex"], i["deviceIndex"]) for i in self)
    efa = Counter(i["networkCardIndex"] for i in self if i["interfaceType"] == "efa-only")
    return [Breach()] if any(count > 1 for count in (*places.values(), *efa.values())) else []


def _tracks_nothing(self: Part) -> Breaches:
    return [] if any(name in self for name in ("tcpEstablishedTimeout", "udpStreamTimeout", "udpTimeout")) else [Breach()]


_NETWORK_RULES: Final = (
    node_class_rules.primary_interface(_INTERFACES),
    Rule(
        _INTERFACES,
        "networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, "
        "and can have at most one efa device per network card",
        "self.all(x, self.filter(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex).size() == 1 && "
        "(x.interfaceType != 'efa-only' || "
        "self.filter(y, x.networkCardIndex == y.networkCardIndex && y.interfaceType == 'efa-only').size() == 1))",
        _colliding,
    ),
    Rule(
        "spec.connectionTracking",
        "at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set",
        "has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)",
        _tracks_nothing,
    ),
)

_KUBELET_RULES: Final = kubelet_rules("spec.kubelet")
RULES: Final[tuple[Row, ...]] = (
    *node_class_rules.IDENTITY_RULES,
    *AMI_RULES,
    *node_class_rules.NETWORK_TERM_RULES,
    *_RESERVATION_RULES,
    *node_class_rules.PLACEMENT_RULES,
    *node_class_rules.tag_rules(_RESTRICTED_TAGS, _CLUSTER_TAGS),
    *_KUBELET_RULES,
    *DISK_RULES,
    *_RATE_RULES,
    *_NETWORK_RULES,
)
_OPEN_RULES: Final = tuple(row for row in RULES if row not in _KUBELET_RULES)
"""The rules of a class whose kubelet may contain any field: the controller checks it, and no rule does."""

_ALONE: Final = "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms"
_MIXED: Final = "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term"


def _runtime(stored: Manifest, _: str) -> Iterator[Finding]:
    """Yield the findings on an alias that makes the controller end its own process (V-76)."""
    for index, term in enumerate(_spec(stored).get("amiSelectorTerms") or ()):
        alias = term.get("alias")
        if alias is not None and alias.count("@") != 1:
            reported = Reported("", f'failed to parse AMI alias "{alias}", invalid format', Stage.RUNTIME)
            text = f"'alias' is improperly formatted, must match the format 'family@version', found {alias!r}"
            yield Finding(f"{AMI_TERMS}[{index}].alias", text, layer=Layer.RUNTIME, reported=(reported,))


def _lint(stored: Manifest, _: str) -> Iterator[Finding]:
    """Yield the findings that only Cutlist reports."""
    spec = _spec(stored)
    yield from node_class_rules.role_lint(spec)
    yield from wildcards(AMI_TERMS, spec.get("amiSelectorTerms") or (), AMI_FIELDS)
    for index, term in enumerate(spec.get("amiSelectorTerms") or ()):
        if "alias" in term and "ssmParameter" in term:
            yield Finding(f"{AMI_TERMS}[{index}]", _ALONE)
    yield from node_class_rules.network_term_lint(spec)
    reservations = spec.get("capacityReservationSelectorTerms") or ()
    yield from wildcards(RESERVATION_TERMS, reservations, RESERVATION_FIELDS)
    crowded = [i for i, t in enumerate(reservations) if "id" in t and {"tags", "ownerID", "instanceMatchCriteria"} & set(t)]
    if len(crowded) < len(reservations):
        yield from (Finding(f"{RESERVATION_TERMS}[{i}]", _MIXED) for i in crowded)


def _spec(stored: Manifest) -> Part:
    spec: Part = stored.get("spec") or {}
    return spec


_AUTO_MODE: Final = "it belongs to the NodeClass of EKS Auto Mode, not to an EC2NodeClass"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        "spec.amiSelector": "today it is the list spec.amiSelectorTerms",
        "spec.subnetSelector": "today it is the list spec.subnetSelectorTerms",
        "spec.securityGroupSelector": "today it is the list spec.securityGroupSelectorTerms",
        "spec.launchTemplate": "your own launch templates were removed; use userData, blockDeviceMappings and selectors",
        "spec.kubelet.containerRuntime": "it was removed before v1beta1; containerd is the only runtime",
        "spec.enclaveOptions": "Karpenter knows it since 1.15",
        "spec.ephemeralStorage": _AUTO_MODE,
        "spec.networkPolicy": _AUTO_MODE,
        "spec.networkPolicyEventLogs": _AUTO_MODE,
        "spec.snatPolicy": _AUTO_MODE,
    },
)


def _without_enclaves(schema: Schema) -> Schema:
    members = {name: member for name, member in schema["properties"].items() if name != "enclaveOptions"}
    return {**schema, "properties": members}


_ENCLAVES_UNKNOWN: Final = member_edit("spec", _without_enclaves)


def _with_enclaves(kind: ObjectKind, _: frozenset[str]) -> ObjectKind:
    return replace(kind, edits=tuple(edit for edit in kind.edits if edit is not _ENCLAVES_UNKNOWN))


def _opened(kind: ObjectKind, gates: frozenset[str]) -> ObjectKind:
    """Return the kind with a kubelet that holds any field, which the controller checks and no rule does (VA15-1, VA15-2)."""
    runtime = partial(_open_runtime, gates)
    return replace(kind, model=OpenEC2NodeClassFields, rows=lambda _: _OPEN_RULES, runtime=runtime, filled=_filled)


def _filled(manifest: Manifest, _: str) -> Manifest:
    """Return the object with whole numbers of the kubelet as such: the API server stores 1.0 as 1."""
    spec = manifest.get("spec")
    if not isinstance(spec, dict) or "kubelet" not in spec:
        return manifest
    return {**manifest, "spec": {**spec, "kubelet": _with_whole_numbers(spec["kubelet"])}}


_INT64: Final = range(-(2**63), 2**63)
_WRITTEN_IN_FULL: Final = 10**21


def _with_whole_numbers(value: Any) -> Any:
    match value:
        case dict():
            return {key: _with_whole_numbers(member) for key, member in value.items()}
        case list():
            return [_with_whole_numbers(member) for member in value]
        case float() if value.is_integer():
            return int(value)
        case int() if value not in _INT64:  # stored as a fraction, with as few digits as distinguish it
            return int(Decimal(repr(float(value)))) if abs(value) < _WRITTEN_IN_FULL else float(value)
    return value


def _open_runtime(gates: frozenset[str], stored: Manifest, group: str) -> Iterator[Finding]:
    """Yield the findings on an alias, or else those of the first check of the controller that fails (VA15-12)."""
    aliases = list(_runtime(stored, group))
    yield from aliases
    if not aliases:
        yield from kubelet_findings(stored, family_of(_spec(stored)), gates)


EC2_NODE_CLASS: Final = ObjectKind(
    EC2NodeClassFields,
    HINTS,
    lambda _: RULES,
    runtime=_runtime,
    lint=_lint,
    edits=(_ENCLAVES_UNKNOWN,),
    since=(
        Since(Behaviour.API_SERVER_NAMES_FORMATS, with_edit(naming_formats)),
        Since(Behaviour.ENCLAVES_ARE_AN_OPTION, _with_enclaves),
        Since(Behaviour.KUBELET_IS_OPEN, _opened),
    ),
)
