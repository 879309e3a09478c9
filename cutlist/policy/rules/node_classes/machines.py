"""How machines are made: disks, metadata service, identity, network (spec: aws-infrastructure 11.2, NC-01 to NC-10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from cutlist.api.ami_alias import family_of
from cutlist.api.kubelet_findings import kubelet_findings
from cutlist.core.labels import CAPACITY_TYPE, RESERVED
from cutlist.core.quantity import Quantity
from cutlist.infrastructure.names import RESERVED_TAGS
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import amount, count, texts
from cutlist.policy.rules.parts import NotKnownError, Resource, unshared
from cutlist.policy.rules.pool_parts import requirements_of, template_of
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import AUTO_NODE_CLASS, EC2_NODE_CLASS, NODE_CLASSES, NODE_POOL

_HOPS: Final = count("hops", 1, "The most hops that an answer of the metadata service may take; 2 reaches pods.")
_TYPES: Final = texts("types", ("gp3", "io1", "io2"), "Volume types that nodes may have.")
_ROOT: Final = count("rootGiB", 20, "The smallest root volume, in GiB.")
_TAGS: Final = texts(
    "required", (), "Tags that every node class carries, such as cost-center=shop; without =, any value will do."
)
_AWS_GATES: Final = texts(
    "awsFeatureGates", (), "Feature gates of the AWS provider that are on, such as NodeClassCEL, besides the stack's own."
)
_ROOTS: Final = ("/dev/xvda", "/dev/xvdb", "/dev/sda1", "/dev/sda")
"""The devices on which the images of Amazon and others keep the system, or, of Bottlerocket, everything else."""
_FEWEST_ZONES: Final = count("zones", 2, "The fewest zones with subnets.")


def with_imdsv2(node_class: Resource, settings: Settings) -> dict[str, Any]:
    """Return the object with tokens required by the metadata service, and a safe hop limit."""
    remedied: dict[str, Any] = unshared(node_class.data)
    options = remedied.setdefault("spec", {}).setdefault("metadataOptions", {})
    options["httpTokens"] = "required"
    hops = options.get("httpPutResponseHopLimit")
    if isinstance(hops, int | float) and hops > settings[_HOPS.name]:
        options["httpPutResponseHopLimit"] = settings[_HOPS.name]
    return remedied


def with_tags(node_class: Resource, settings: Settings) -> dict[str, Any]:
    """Return the object with the required tags whose value is given."""
    remedied: dict[str, Any] = unshared(node_class.data)
    for key, value in _required_tags(settings).items():
        if value and key not in remedied.get("spec", {}).get("tags", {}):
            remedied.setdefault("spec", {}).setdefault("tags", {})[key] = value
    return remedied


@object_rule(
    "NC-01",
    "The metadata service requires tokens and does not answer pods",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a pod that steals the node's credentials with a single request",
    looks_at=(EC2_NODE_CLASS,),
    source="aws-infrastructure NC-01, H1",
    parameters=(_HOPS,),
    remedy=with_imdsv2,
)
def imdsv2(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the metadata service requires tokens, unless it is disabled. Fields that are left out have Karpenter's
    default, which is safe."""
    options = node_class.at("spec", "metadataOptions")
    if options.at("httpEndpoint").text == "disabled":
        return
    tokens, hops = options.at("httpTokens"), options.at("httpPutResponseHopLimit")
    if tokens.is_there and tokens.text != "required":
        yield tokens.violation(f"httpTokens: {tokens.text}", "required", "write httpTokens: required")
    if hops.is_there and (hops.number or 0) > settings[_HOPS.name]:
        allowed = f"at most {settings[_HOPS.name]}"
        yield hops.violation(
            f"httpPutResponseHopLimit: {hops.value:g}", allowed, "lower it; pods get credentials by Pod Identity"
        )
    if options.at("httpProtocolIPv6").text == "enabled":
        yield options.at("httpProtocolIPv6").violation("the metadata service on IPv6", "disabled", "leave httpProtocolIPv6 out")


@object_rule(
    "NC-02",
    "Volumes are encrypted, fast, large enough, and deleted with the node",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="data at rest that anybody can read, volumes that are left behind, and disks that run full",
    hurt=("aws#1467", "aws#4017"),
    looks_at=(EC2_NODE_CLASS,),
    source="aws-infrastructure NC-02, H2",
    parameters=(_TYPES, _ROOT),
)
def volumes(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check each written mapping; without any, Karpenter's own volumes are encrypted gp3, and those of the family Custom come
    from the image (A-41), as does a root volume without a mapping."""
    mappings = list(node_class.at("spec", "blockDeviceMappings").items())
    if not mappings and node_class.at("spec", "amiFamily").text == "Custom":
        advice = "write blockDeviceMappings with encrypted: true and volumeType: gp3"
        yield node_class.at("spec", "amiFamily").violation("volumes as the image defines them", "blockDeviceMappings", advice)
    if mappings and not any(m.at("rootVolume").is_on or m.at("deviceName").text in _ROOTS for m in mappings):
        written, advice = node_class.at("spec", "blockDeviceMappings"), f"add a mapping for {_ROOTS[0]}"
        yield written.violation("a root volume as the image defines it", "a mapping for the root volume, too", advice)
    for mapping in mappings:
        ebs = mapping.at("ebs")
        if ebs.at("encrypted").value is not True:
            yield ebs.at("encrypted").violation("not encrypted", "encrypted: true", "write encrypted: true")
        kind = ebs.at("volumeType").text
        if kind not in settings[_TYPES.name]:
            allowed = ", ".join(settings[_TYPES.name])
            yield ebs.at("volumeType").violation(kind or "no volumeType, which is gp2", allowed, "write volumeType: gp3")
        if ebs.at("deleteOnTermination").value is False:
            advice = "leave deleteOnTermination out"
            yield ebs.at("deleteOnTermination").violation("is kept when its node is deleted", "deleted with its node", advice)
        size, least = amount(ebs.at("volumeSize").value), Quantity.parse(f"{settings[_ROOT.name]}Gi")
        is_root = mapping.at("rootVolume").value is True or len(mappings) == 1
        if is_root and size is not None and size < least:
            yield ebs.at("volumeSize").violation(f"a root volume of {size}", f"at least {least}", f"write volumeSize: {least}")


@object_rule(
    "NC-05",
    "Nodes have one role, given by its name",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="nodes that never join, because Karpenter or IAM mistakes an ARN or a path for another role's name",
    hurt=("tf-eks#2733",),
    looks_at=(EC2_NODE_CLASS, AUTO_NODE_CLASS),
    source="aws-infrastructure NC-05, 2.4",
)
def one_role(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that there is exactly one of `role` and `instanceProfile`, neither an ARN nor a path. A class of Auto Mode may
    have none (V-106)."""
    spec = node_class.at("spec")
    role, profile = spec.at("role"), spec.at("instanceProfile")
    if role.is_there == profile.is_there and (role.is_there or node_class.type != AUTO_NODE_CLASS):
        text = "both role and instanceProfile" if role.is_there else "neither role nor instanceProfile"
        yield spec.violation(text, "one of them", "write role, the name of the nodes' role")
    for member in (role, profile):
        if member.is_there and ("/" in member.text or member.text.startswith("arn:")):
            yield member.violation(member.text, "a name", f"write {member.text.rpartition('/')[2]}")


@object_rule(
    "NC-06",
    "Nodes are in private subnets of several zones",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="nodes that can be reached from the internet, and the loss of all nodes with one zone",
    looks_at=(EC2_NODE_CLASS, AUTO_NODE_CLASS),
    source="aws-infrastructure NC-06",
    parameters=(_FEWEST_ZONES,),
)
def private_zones(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that there are no public addresses, and that the subnets in the object's status, if any, are in enough zones."""
    for path in (("spec", "associatePublicIPAddress"), ("spec", "advancedNetworking", "associatePublicIPAddress")):
        if node_class.at(*path).value is True:
            yield node_class.at(*path).violation("public addresses", "none", "leave associatePublicIPAddress out")
    subnets = list(node_class.at("status", "subnets").items())
    zones = {subnet.at("zone").text for subnet in subnets}
    terms = node_class.at("spec", "subnetSelectorTerms")
    if not subnets:
        yield terms.cannot_tell("the subnets that the terms find, which are in the account")
    elif len(zones) < settings[_FEWEST_ZONES.name]:
        allowed = f"at least {settings[_FEWEST_ZONES.name]} zones"
        yield terms.violation(f"subnets in {', '.join(sorted(zones))} alone", allowed, "tag subnets in more zones")


@object_rule(
    "NC-07",
    "Node classes have the required cost tags, and none that Karpenter reserves",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="launches that fail on a reserved tag, and costs that nobody can assign",
    hurt=("aws/containers-roadmap#2487",),
    looks_at=NODE_CLASSES,
    source="aws-infrastructure NC-07",
    parameters=(_TAGS,),
    remedy=with_tags,
)
def tags(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that required tags are present, with the required value, and that reserved ones are not."""
    written = node_class.at("spec", "tags")
    members = written.members()
    for key, part in members.items():
        if key in RESERVED_TAGS or key.startswith("kubernetes.io/cluster/"):
            yield part.violation(f"the tag {key}", "tags that Karpenter does not set itself", "remove it")
    for key, value in _required_tags(settings).items():
        if key not in members:
            yield written.violation(f"no tag {key}", f"{key}: {value or 'any value'}", f"add {key}: {value or '...'}")
        elif value and members[key].text != value:
            yield members[key].violation(f"{key}: {members[key].text}", value, f"write {value}")


@stack_rule(
    "NC-08",
    "Pools with reserved capacity have a class that selects it",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="reserved capacity that you pay for and do not use: Karpenter uses only reservations that the class selects",
    hurt=("aws#8255",),
    looks_at=(NODE_POOL, EC2_NODE_CLASS, AUTO_NODE_CLASS),
    source="aws-infrastructure NC-08",
)
def reservations(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that a pool that allows `reserved` capacity refers to a class with reservation terms."""
    classes = {
        (str(node_class.data.get("kind")), node_class.name): node_class
        for node_class in resources.of_type(EC2_NODE_CLASS, AUTO_NODE_CLASS)
    }
    for pool in resources.of_type(NODE_POOL):
        try:
            yield from _without_reservation(pool, classes)
        except NotKnownError as unknown:
            yield pool.root.cannot_tell(str(unknown))


@object_rule(
    "NC-10",
    "Karpenter 1.15 accepts the class's kubelet settings",
    Severity.ADVISORY,
    protects="a class that works in 1.14, but is not ready and launches nothing after an upgrade to 1.15",
    looks_at=(EC2_NODE_CLASS,),
    source="karpenter-aws-1.15 VA15-2 to VA15-12, VA15-92",
    parameters=(_AWS_GATES,),
)
def ready_since_1_15(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the kubelet settings as the controller of 1.15 does; the API server no longer checks them."""
    members = {name: node_class.at("spec", name).whole() for name in ("kubelet", "amiFamily", "amiSelectorTerms")}
    spec = {name: value for name, value in members.items() if value is not None}
    stored = {"metadata": {"annotations": node_class.at("metadata", "annotations").whole() or {}}, "spec": spec}
    gates = node_class.feature_gates | frozenset(settings[_AWS_GATES.name])
    for finding in kubelet_findings(stored, family_of(spec), gates):
        at = replace(node_class.root, path=finding.path)
        advice = "write what the AMI family supports, or keep 1.14 for this class"
        yield at.violation(f"{finding.message} ({finding.statements})", "settings that the controller accepts", advice)


def _without_reservation(pool: Resource, classes: dict[tuple[str, str], Resource]) -> Iterator[Finding]:
    wanted = requirements_of(pool).get(CAPACITY_TYPE)
    if wanted is None or wanted.complement or not wanted.has(RESERVED):
        return
    reference = template_of(pool).at("nodeClassRef")
    node_class = classes.get((reference.at("kind").text, reference.at("name").text))
    if node_class is None:
        yield reference.cannot_tell("the node class, which is not among the objects")
    elif not list(node_class.at("spec", "capacityReservationSelectorTerms").items()):
        advice = "add capacityReservationSelectorTerms to it, by id or tags"
        yield reference.violation(f"{node_class.label} selects no reservation", "a class with reservation terms", advice)


def _required_tags(settings: Settings) -> dict[str, str]:
    """Return the required tags and their values, empty for any."""
    return {key: value for key, _, value in (tag.partition("=") for tag in settings[_TAGS.name])}


RULES = (imdsv2, volumes, one_role, private_zones, tags, reservations, ready_since_1_15)
