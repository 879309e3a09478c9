"""The calls that Karpenter 1.14 makes to AWS, with the tags that it sends: documents and boundaries must allow them.

A call that touches several resources is one request for each of them, since IAM checks each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.iam.choices import Choices, Feature
from cutlist.infrastructure.iam.documents import Document
from cutlist.infrastructure.iam.evaluator import Request, decide
from cutlist.infrastructure.names import EKS_CLUSTER_TAG, ClusterFacts

_Context = Mapping[str, str | tuple[str, ...]]

_READS: Final = (
    "ec2:DescribeImages",
    "ec2:DescribeInstances",
    "ec2:DescribeInstanceStatus",
    "ec2:DescribeInstanceTypeOfferings",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeLaunchTemplates",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSpotPriceHistory",
    "ec2:DescribeSubnets",
)
_TAGGED_BY_FLEET: Final = ("fleet", "instance", "volume", "network-interface", "spot-instances-request")
_TAGGED_BY_INSTANCES: Final = ("instance", "volume", "network-interface")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the controller: its purpose, and the requests that IAM must allow for it."""

    purpose: str
    requests: tuple[Request, ...]


def calls(facts: ClusterFacts, choices: Choices) -> tuple[Call, ...]:
    """Return every call that the controller makes on a cluster with these choices."""
    return tuple(
        call
        for group in (_launches, _instances, _profiles, _reads, _services)
        for call in group(facts, choices)
        if call.requests
    )


def known_calls(facts: ClusterFacts, choices: Choices, unknown: Collection[str]) -> tuple[Call, ...]:
    """Return the controller's calls without requests for resources whose ARNs are not known yet."""
    narrowed = (
        Call(call.purpose, tuple(request for request in call.requests if request.resource not in unknown))
        for call in calls(facts, choices)
    )
    return tuple(call for call in narrowed if call.requests)


def refused_calls(documents: Sequence[Document], wanted: Iterable[Call], place: Place) -> Iterator[Problem]:
    """Yield a problem for each call that a permissions boundary does not allow: it is denied regardless of the controller's own
    documents."""
    for call in wanted:
        denied = sorted({request.action for request in call.requests if not decide(documents, request).allowed})
        if denied:
            allowed = "a boundary that allows everything the controller's documents do"
            yield Problem(place, f"the boundary denies {', '.join(denied)} for {call.purpose}", allowed)


def creation_tags(facts: ClusterFacts) -> dict[str, str]:
    """Return the tags of everything that the controller creates in EC2."""
    return {
        facts.owned_tag: "owned",
        EKS_CLUSTER_TAG: facts.cluster,
        "karpenter.sh/nodepool": "general",
        "karpenter.k8s.aws/ec2nodeclass": "default",
    }


def profile_tags(facts: ClusterFacts) -> dict[str, str]:
    """Return the tags of an instance profile."""
    return {
        facts.owned_tag: "owned",
        EKS_CLUSTER_TAG: facts.cluster,
        "karpenter.k8s.aws/ec2nodeclass": "default",
        "topology.kubernetes.io/region": facts.region,
    }


def requested(tags: Mapping[str, str]) -> dict[str, str | tuple[str, ...]]:
    """Return the condition context of a request that sets tags: each tag, and all their keys."""
    return {**{f"aws:RequestTag/{key}": value for key, value in tags.items()}, "aws:TagKeys": tuple(tags)}


def carried(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the condition context of a request on a resource with tags."""
    return {f"aws:ResourceTag/{key}": value for key, value in tags.items()}


def _launches(facts: ClusterFacts, choices: Choices) -> Iterator[Call]:
    template = _tagged(facts, "CreateLaunchTemplate", ("launch-template",))
    yield Call("making launch templates", tuple(template))
    used = tuple(_used(facts, choices, "ec2:CreateFleet"))
    yield Call("launching instances", (*_tagged(facts, "CreateFleet", _TAGGED_BY_FLEET), *used))
    used = tuple(_used(facts, choices, "ec2:RunInstances"))
    yield Call("trying a launch out", (*_tagged(facts, "RunInstances", _TAGGED_BY_INSTANCES), *used))
    passed: _Context = {"iam:PassedToService": "ec2.amazonaws.com"}
    yield Call("giving nodes their role", tuple(Request("iam:PassRole", role, passed) for role in choices.node_roles))


def _tagged(facts: ClusterFacts, action: str, kinds: Iterable[str]) -> Iterator[Request]:
    context = {**requested(creation_tags(facts)), "ec2:MetadataHttpTokens": "required"}
    for kind in kinds:
        arn = facts.arn("ec2", f"{kind}/one")
        yield Request(f"ec2:{action}", arn, context)
        yield Request("ec2:CreateTags", arn, {**context, "ec2:CreateAction": action})


def _used(facts: ClusterFacts, choices: Choices, action: str) -> Iterator[Request]:
    yield Request(action, facts.arn("ec2", "launch-template/lt-1"), carried(creation_tags(facts)))
    yield Request(action, facts.arn("ec2", "image/ami-1", account=""), {"ec2:Owner": "amazon"})
    yield Request(action, facts.arn("ec2", "snapshot/snap-1", account=""))
    discovery = choices.discovery
    tag = {discovery.key: discovery.value} if discovery else {"karpenter.sh/discovery": facts.cluster}
    for resource in ("security-group/sg-1", "subnet/subnet-1"):
        yield Request(action, facts.arn("ec2", resource), carried(tag))
    if Feature.CAPACITY_RESERVATIONS in choices.features:
        yield Request(action, facts.arn("ec2", "capacity-reservation/cr-1"))
    if Feature.PLACEMENT_GROUPS in choices.features:
        yield Request(action, facts.arn("ec2", "placement-group/spread"))


def _instances(facts: ClusterFacts, choices: Choices) -> Iterator[Call]:
    instance = facts.arn("ec2", "instance/i-1")
    owned = carried(creation_tags(facts))
    named = requested({"Name": "node", "karpenter.sh/nodeclaim": "general-x", EKS_CLUSTER_TAG: facts.cluster})
    yield Call("naming instances", (Request("ec2:CreateTags", instance, {**owned, **named}),))
    yield Call("ending instances", (Request("ec2:TerminateInstances", instance, owned),))
    if Feature.REBOOT_FOR_REPAIR in choices.features:
        yield Call("rebooting instances", (Request("ec2:RebootInstances", instance, owned),))
    template = facts.arn("ec2", "launch-template/lt-1")
    yield Call("removing launch templates", (Request("ec2:DeleteLaunchTemplate", template, owned),))
    yield from _encryption(facts, choices)


def _encryption(facts: ClusterFacts, choices: Choices) -> Iterator[Call]:
    by_ec2 = {"kms:ViaService": f"ec2.{facts.region}.amazonaws.com"}
    uses = ("Decrypt", "DescribeKey", "GenerateDataKeyWithoutPlaintext", "ReEncryptFrom", "ReEncryptTo")
    for key in choices.volume_keys:
        using = tuple(Request(f"kms:{use}", key, by_ec2) for use in uses)
        granting = Request("kms:CreateGrant", key, {**by_ec2, "kms:GrantIsForAWSResource": "true"})
        yield Call("encrypting volumes", (*using, granting))


def _profiles(facts: ClusterFacts, choices: Choices) -> Iterator[Call]:
    profile = facts.arn("iam", f"instance-profile/karpenter/{facts.region}/{facts.cluster}/uid/one", region="")
    yield Call(
        "finding instance profiles", (Request("iam:GetInstanceProfile", profile), Request("iam:ListInstanceProfiles", "*"))
    )
    if Feature.INSTANCE_PROFILES not in choices.features:
        return
    tags = profile_tags(facts)
    new, owned = requested(tags), carried(tags)
    yield Call("making instance profiles", (Request("iam:CreateInstanceProfile", profile, new),))
    yield Call("tagging instance profiles", (Request("iam:TagInstanceProfile", profile, {**new, **owned}),))
    changes = ("AddRoleToInstanceProfile", "RemoveRoleFromInstanceProfile", "DeleteInstanceProfile")
    yield Call("changing instance profiles", tuple(Request(f"iam:{change}", profile, owned) for change in changes))


def _reads(facts: ClusterFacts, choices: Choices) -> Iterator[Call]:
    here: _Context = {"aws:RequestedRegion": facts.region}
    yield Call("reading what exists", tuple(Request(action, "*", here) for action in _READS))
    if Feature.CAPACITY_RESERVATIONS in choices.features:
        yield Call("reading capacity reservations", (Request("ec2:DescribeCapacityReservations", "*", here),))
    if Feature.PLACEMENT_GROUPS in choices.features:
        yield Call("reading placement groups", (Request("ec2:DescribePlacementGroups", "*", here),))


def _services(facts: ClusterFacts, choices: Choices) -> Iterator[Call]:
    yield Call("reading the cluster", (Request("eks:DescribeCluster", facts.cluster_arn),))
    if Feature.IMAGE_ALIASES in choices.features:
        alias = facts.arn("ssm", "parameter/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/recommended", account="")
        yield Call("finding images by alias", (Request("ssm:GetParameter", alias),))
    yield Call("finding images by parameter", tuple(Request("ssm:GetParameter", arn) for arn in choices.image_parameters))
    if Feature.PRICE_LIST in choices.features:
        yield Call("reading prices", (Request("pricing:GetProducts", "*"),))
    if Feature.ZONAL_SHIFT in choices.features:
        scope: _Context = {"arc-zonal-shift:ResourceIdentifier": facts.cluster_arn}
        yield Call("reading zonal shifts", (Request("arc-zonal-shift:GetManagedResource", "*", scope),))
    if choices.queue:
        uses = ("GetQueueUrl", "ReceiveMessage", "DeleteMessage")
        yield Call("reading the queue", tuple(Request(f"sqs:{use}", choices.queue) for use in uses))
    if choices.queue_key:
        yield Call("decrypting messages", (Request("kms:Decrypt", choices.queue_key),))
