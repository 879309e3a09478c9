"""The document of the identity that updates a cluster: the calls of its resources, limited to the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from cutlist.infrastructure.iam.deployer_calls import CALLS, actions_of
from cutlist.infrastructure.iam.documents import EVERYTHING, Condition, Document, Operator, Statement
from cutlist.infrastructure.names import ClusterFacts, NameStyle

_NAME: Final = 24  # characters of a cluster's name that remain in names after every service's limit
_SERVICES: Final = ("capabilities.eks", "ec2", "eks", "eks-fargate-pods", "events", "monitoring", "pods.eks")
_READS: Final = ("Describe", "Get", "List")
CREATES_LINKED_ROLES: Final = "iam:CreateServiceLinkedRole"
_PASSES: Final = "iam:PassRole"


def deployer_document(facts: ClusterFacts, types: Iterable[str] = CALLS, passes: Iterable[str] = ()) -> Document:
    """Return the permissions of the identity that creates, changes and deletes one cluster, as far as resources of these types
    need them.

    IAM and EKS, queues, rules, logs and alarms are limited to names derived from the cluster's; the network and keys, which
    have no names, to the region. If Pulumi chooses the names (the style auto), IAM, queues, rules and alarms of any name are
    included. `passes` are ARNs of existing roles that the cluster's resources get.
    """
    actions = actions_of(types)
    existing = tuple(sorted(arn for arn in set(passes) if not is_named_after(facts, arn)))
    return Document(tuple(_statements(facts, actions, existing)))


def is_named_after(facts: ClusterFacts, role_arn: str) -> bool:
    """Tell whether a role has a name that is derived from the cluster's."""
    return fnmatchcase(role_arn, _role(facts))


def _statements(facts: ClusterFacts, actions: tuple[str, ...], existing: tuple[str, ...]) -> Iterator[Statement]:
    in_region = (Condition(Operator.STRING_EQUALS, "aws:RequestedRegion", (facts.region,)),)
    own = _resources(facts)
    special = {_PASSES, CREATES_LINKED_ROLES}
    unnamed = [action for action in actions if action.partition(":")[0] not in own and action not in special]
    listed = [action for action in actions if _lists(action)]
    for service, resources in own.items():
        named = tuple(a for a in actions if a.startswith(f"{service}:") and a not in special and not _lists(a))
        if named:
            yield Statement(f"{service.capitalize()}OfTheCluster", _shortened(named), resources)
    if _PASSES in actions:
        to = Condition(Operator.STRING_LIKE, "iam:PassedToService", tuple(f"{service}.amazonaws.com*" for service in _SERVICES))
        yield Statement("PassRolesOfTheCluster", (_PASSES,), (_role(facts), *existing), (to,))
    if CREATES_LINKED_ROLES in actions:
        yield Statement("RolesOfServices", (CREATES_LINKED_ROLES, "iam:GetRole"), (facts.role_arn("*", "/aws-service-role/"),))
    everywhere = tuple(a for a in listed if a.partition(":")[0] == "iam")
    if everywhere:
        yield Statement("ListAll", everywhere, EVERYTHING)
    regional = tuple(sorted({*unnamed, *listed} - {*everywhere}))
    if regional:
        yield Statement("InTheRegion", _shortened(regional), EVERYTHING, in_region)


def _shortened(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return actions with a pattern such as ec2:Describe* in place of a service's reading actions, since policies have a size
    limit."""
    ways = [f"{service}:{verb}" for service in dict.fromkeys(a.partition(":")[0] for a in actions) for verb in _READS]
    wide = [way for way in ways if sum(action.startswith(way) for action in actions) > 1]
    return tuple(sorted({*(f"{way}*" for way in wide), *(a for a in actions if not a.startswith(tuple(wide)))}))


def _resources(facts: ClusterFacts) -> dict[str, tuple[str, ...]]:
    """Return the resources that are named after the cluster, by service."""
    named, exact = _named(facts), facts.cluster

    def iam(kind: str) -> str:
        return facts.arn("iam", f"{kind}/{named}", region="")

    return {
        "iam": (_role(facts), iam("policy"), iam("instance-profile"), facts.arn("iam", "oidc-provider/*", region="")),
        "eks": (facts.arn("eks", f"cluster/{exact}"), facts.arn("eks", f"*/{exact}/*")),
        "sqs": (facts.arn("sqs", named),),
        "events": (facts.arn("events", f"rule/{named}"),),
        "logs": (facts.arn("logs", f"log-group:/aws/eks/{exact}/*"),),
        "cloudwatch": (facts.arn("cloudwatch", f"alarm:{named}"),),
    }


def _role(facts: ClusterFacts) -> str:
    return facts.role_arn(_named(facts))


def _named(facts: ClusterFacts) -> str:
    """Return the pattern of names that are derived from the cluster's."""
    return "*" if facts.name_style is NameStyle.AUTO else f"*{facts.cluster[:_NAME]}*"


def _lists(action: str) -> bool:
    """Tell whether an action has no resource of its own."""
    return action in {
        "cloudwatch:DescribeAlarms",
        "eks:DescribeAddonVersions",
        "iam:ListInstanceProfiles",
        "logs:DescribeLogGroups",
    }
