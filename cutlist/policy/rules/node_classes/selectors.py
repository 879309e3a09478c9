"""What node classes select: images, subnets, security groups, reservations (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.api.ami_alias import AmiAlias
from cutlist.catalog.images import image_releases
from cutlist.infrastructure.discovery import DISCOVERY
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import AUTO_NODE_CLASS, EC2_NODE_CLASS

_SELF: Final = "self"
_OWNERS: Final = texts("owners", (_SELF, "amazon"), "Owners whose images nodes may have: self, amazon, ids of accounts.")
_OF_CLUSTER: Final = (f"{DISCOVERY}/", "kubernetes.io/cluster/")
_SELECTORS: Final = (
    "subnetSelectorTerms",
    "securityGroupSelectorTerms",
    "capacityReservationSelectorTerms",
    "podSubnetSelectorTerms",
    "podSecurityGroupSelectorTerms",
)
_OF_ANY_CLUSTER: Final = "kubernetes.io/role/"
_OF_ANY_NETWORK: Final = "default"
_PARAMETER: Final = re.compile(r"arn:[\w-]+:ssm:[\w-]*:([0-9]*):")
_ANY: Final = re.compile(r"[*?]")
_DIGIT: Final = re.compile(r"\d")
_LEAST_PREFIX: Final = 3


@object_rule(
    "NC-03",
    "Images are pinned",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="the replacement of all nodes whenever a new image comes out, at a time that nobody chose",
    hurt=("aws#6862", "aws#5373", "core#957"),
    looks_at=(EC2_NODE_CLASS,),
    source="aws-infrastructure NC-03, H3",
)
def pinned_images(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no alias ends in @latest, except for Windows, which has nothing else, and that no term means the newest match.
    Tags with whole values on images of the same account pass if one has a digit, as versions and dates do: several images may
    have any other, and the newest counts.
    """
    for term in node_class.at("spec", "amiSelectorTerms").items():
        for member in ("name", "tags", "ssmParameter"):
            written = term.at(member)
            is_whole = member == "name" and not _ANY.search(written.text)
            if written.is_there and not is_whole and not (member == "tags" and _are_own(term)):
                text = f"images by {member}: the newest that matches"
                yield written.violation(text, "an alias with a version, ids, or whole names", "write the image's id")
        alias = AmiAlias.read(term.at("alias").text)
        if alias.is_unpinned:
            example = image_releases().example(alias.family)
            advice = f"write a version, such as {example}" if example else "write a version"
            yield term.at("alias").violation("@".join(alias), "a version", advice)


@object_rule(
    "NC-04",
    "Images come from a known owner",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a stranger's image with a matching name or tag, which your nodes would boot",
    looks_at=(EC2_NODE_CLASS,),
    source="aws-infrastructure NC-04, H3",
    parameters=(_OWNERS,),
)
def image_owner(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that terms by name or tags say whose images they mean, and that the owner is known, as well as that of a parameter
    that is named by its ARN. By name Karpenter considers only those of the account and of Amazon (A-70)."""
    for term in node_class.at("spec", "amiSelectorTerms").items():
        owner, by_name = term.at("owner").text, term.at("name").is_there
        if (by_name or term.at("tags").is_there) and not owner:
            text = "images by name, from this account or Amazon" if by_name else "images by tags, from any owner"
            yield term.violation(text, "an owner", "add owner: self, amazon or an account's id")
        elif owner and owner not in settings[_OWNERS.name]:
            allowed = ", ".join(settings[_OWNERS.name])
            yield term.at("owner").violation(f"images of {owner}", allowed, f"trust it in {_OWNERS.name}")
        account = _PARAMETER.match(term.at("ssmParameter").text)
        if account is not None and account[1] not in ("", *settings[_OWNERS.name]):
            allowed, text = f"a parameter's name, or of {', '.join(settings[_OWNERS.name])}", f"a parameter of {account[1]}"
            yield term.at("ssmParameter").violation(text, allowed, f"write its name, or trust the account in {_OWNERS.name}")


@object_rule(
    "NC-09",
    "Selectors match only this cluster's resources",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="nodes in another cluster's subnets and security groups; two groups with the cluster's tag break load balancers",
    hurt=("tf-eks#3096", "aws-ia/terraform-aws-eks-blueprints#1984"),
    looks_at=(EC2_NODE_CLASS, AUTO_NODE_CLASS),
    source="aws-infrastructure 5",
)
def discovery(node_class: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that each term has an id, a name, or a tag whose value begins with some letters: a wildcard in their place matches
    others' resources, unless the tag's key names the cluster. Of several tags, which all have to match, one is enough.
    Terms that name different clusters lead into another one: that stops a change in every profile."""
    terms = [term for member in _SELECTORS for term in node_class.at("spec", member).items()]
    own = next((part.text for term in terms for key, part in term.at("tags").members().items() if _is_discovery(key, part)), "")
    for term in terms:
        yield from _of_another(term, own)
        yield from _unspecific(term)


def _is_discovery(key: str, value: Part) -> bool:
    return key == DISCOVERY and bool(value.text) and not _ANY.search(value.text)


def _of_another(term: Part, own: str) -> Iterator[Finding]:
    """Yield the tags of a term that name another cluster than the one whose discovery tag other terms have."""
    for key, part in term.at("tags").members().items() if own else ():
        named = part.text if _is_discovery(key, part) else _cluster_of(key)
        if named and not named.startswith(own) and not own.startswith(named):
            text = f"the tag of the cluster {named}, while others are of {own}"
            yield part.violation(text, f"the tag of {own}", f"write {DISCOVERY}: {own}")


def _unspecific(term: Part) -> Iterator[Finding]:
    tags, name = term.at("tags").members(), term.at("name")
    if name.is_there and (_matches_others(name.text) or name.text == _OF_ANY_NETWORK):
        text = f"the name {name.text}" if name.text else "an empty name"
        yield name.violation(text, "a name that begins with the cluster's", "write the name", grade=Profile.RECOMMENDED)
    if any(_is_specific(key, part) for key, part in tags.items()):
        return
    for key, part in tags.items():
        value = {"*": "any value", "": "no value"}.get(part.text, f"the value {part.text}")
        text = (
            f"the tag {key}, which subnets of every cluster have" if key.startswith(_OF_ANY_CLUSTER) else f"a tag with {value}"
        )
        advice = "write the cluster's discovery tag, karpenter.sh/discovery with its name"
        yield part.violation(text, "a tag with the cluster's name", advice, grade=Profile.RECOMMENDED)


def _is_specific(key: str, value: Part) -> bool:
    """Tell whether a tag is one that resources of others do not have."""
    return _names_cluster(key) or not (_matches_others(value.text) or key.startswith(_OF_ANY_CLUSTER))


def _matches_others(value: str) -> bool:
    """Tell whether a value is empty, or a pattern that begins with a wildcard or with next to nothing."""
    wildcard = _ANY.search(value)
    return not value or (wildcard is not None and wildcard.start() < _LEAST_PREFIX)


def _names_cluster(key: str) -> bool:
    """Tell whether the key of a tag names the owning cluster, as on subnets that clusters share."""
    return bool(_cluster_of(key))


def _cluster_of(key: str) -> str:
    """Return the cluster that the key of a tag names; empty if it names none."""
    prefix = next((prefix for prefix in _OF_CLUSTER if key.startswith(prefix)), "")
    name = key.removeprefix(prefix)
    return name if prefix and not _matches_others(name) else ""


def _are_own(term: Part) -> bool:
    """Tell whether a term selects images of the own account by tags with whole values."""
    values = [part.text for part in term.at("tags").members().values()]
    return term.at("owner").text == _SELF and _are_whole(values)


def _are_whole(values: Sequence[str]) -> bool:
    """Tell whether values of tags are whole, and name a version."""
    return all(value and not _ANY.search(value) for value in values) and any(map(_DIGIT.search, values))


RULES = (pinned_images, image_owner, discovery)
