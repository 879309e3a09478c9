"""How Karpenter finds the subnets and security groups of one cluster (spec: aws-infrastructure 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.api.ec2nodeclass_fields import SecurityGroupSelectorTerm, SubnetSelectorTerm
from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.inputs import chosen
from cutlist.infrastructure.name_checks import check_own_tags
from cutlist.infrastructure.names import is_reserved_tag, owned_tag

DISCOVERY: Final = "karpenter.sh/discovery"


class DiscoveryStyle(StrEnum):
    """How subnets and groups are found: by a tag, by a tag that leaves room for other clusters, or by id, which no edit of a
    tag affects."""

    TAG = "tag"
    SHARED_TAG = "shared-tag"
    ID = "id"


_WORDS: Final = {"sg": "security group", "vpc": "VPC"}
_FOR_SEVERAL: Final = f"style {DiscoveryStyle.SHARED_TAG} or {DiscoveryStyle.ID}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The identification of the subnets and groups for one cluster's nodes: the tags to set, and the terms that find them."""

    cluster: str
    style: DiscoveryStyle

    @property
    def tags(self) -> dict[str, str]:
        """Return the tags for subnets and groups that should be found. A key has one value, so subnets that clusters share get
        a key for each.
        """
        return {
            DiscoveryStyle.TAG: {DISCOVERY: self.cluster},
            DiscoveryStyle.SHARED_TAG: {f"{DISCOVERY}/{self.cluster}": "shared"},
            DiscoveryStyle.ID: {},
        }[self.style]

    def terms(self, ids: Iterable[str], more_ids: Iterable[str] = ()) -> list[dict[str, object]]:
        """Return the selector terms of an EC2NodeClass: for `ids` in this style, for `more_ids` always by id."""
        if self.style is DiscoveryStyle.ID:
            return [{"id": id_} for id_ in (*ids, *more_ids)]
        wanted = {DISCOVERY: self.cluster} if self.style is DiscoveryStyle.TAG else {f"{DISCOVERY}/{self.cluster}": "*"}
        by_id: list[dict[str, object]] = [{"id": id_} for id_ in more_ids]
        return [{"tags": wanted}, *by_id]

    def subnet_terms(self, ids: Iterable[str]) -> tuple[SubnetSelectorTerm, ...]:
        """Return the terms for subnets, typed."""
        return tuple(SubnetSelectorTerm.of(term) for term in self.terms(ids))

    def group_terms(self, ids: Iterable[str], more_ids: Iterable[str] = ()) -> tuple[SecurityGroupSelectorTerm, ...]:
        """Return the terms for security groups, typed."""
        return tuple(SecurityGroupSelectorTerm.of(term) for term in self.terms(ids, more_ids))


@dataclass(frozen=True, slots=True)
class GroupFacts:
    """An existing security group, and its tags."""

    id: str
    tags: Mapping[str, str]


def read_style(text: str, path: str, problems: Problems) -> DiscoveryStyle:
    """Return a style by its name. An unknown name is reported and means by tag."""
    return chosen(text, DiscoveryStyle.TAG, Place(path=path), problems)


def tags_for(clusters: Sequence[str], style: DiscoveryStyle, path: str, problems: Problems) -> dict[str, str]:
    """Return the tags by which several clusters find something. A style with room for only one cluster is reported if there are
    several."""
    if style is DiscoveryStyle.TAG and len(set(clusters)) > 1:
        names = ", ".join(clusters)
        problems.add(Place(path=path), f"one tag {DISCOVERY} cannot name several clusters: {names}", _FOR_SEVERAL)
    return {key: value for cluster in clusters for key, value in Selection(cluster, style).tags.items()}


def check_tags(tags: Mapping[str, object], path: str, problems: Problems) -> None:
    """Report tags that AWS would refuse, and keys that a user must not set: Karpenter's own and those of discovery."""
    check_own_tags(tags, Place(path=path), problems)
    for key in sorted(tags):
        if is_reserved_tag(key) or key == DISCOVERY or key.startswith(f"{DISCOVERY}/"):
            problems.add(Place(path=path).member(key), f"tag {key} is not for you to set", "other keys")


def check_foreign(
    tags: Mapping[str, str], cluster: str, shared_with: Sequence[str], style: DiscoveryStyle, place: Place, problems: Problems
) -> None:
    """Report another cluster's discovery tag on something that this cluster will use. If the other is known to share it, the
    tag is correct unless this cluster needs the same key.
    """
    other = tags.get(DISCOVERY, cluster)
    if other == cluster:
        return
    message = f"tagged {DISCOVERY}: {other}, which is another cluster than {cluster}"
    if other not in shared_with:
        problems.add(place, message, f"no such tag, or {other} in sharedWith")
    elif style is DiscoveryStyle.TAG:
        problems.add(place, f"{message}, and one key holds one value", _FOR_SEVERAL)


def check_more_groups(groups: Sequence[GroupFacts], cluster: str, path: str, problems: Problems) -> None:
    """Report additional security groups of nodes with the cluster's own tag: exactly one may have it, and the first one does.
    With two, the load balancer controller refuses the nodes as targets.
    """
    for index, group in enumerate(groups):
        if owned_tag(cluster) in group.tags:
            message = f"{group.id} carries {owned_tag(cluster)}, as does the first group of the nodes"
            problems.add(Place(path=f"{path}[{index}]"), message, "exactly one security group with that tag")


def check_id(text: str, kind: str, path: str, problems: Problems) -> None:
    """Report a text that is not the id of a kind such as `subnet`, `vpc` or `sg`."""
    if not re.fullmatch(rf"{kind}-[0-9a-z]+", text):
        problems.add(
            Place(path=path), f"{text!r} is not the id of a {_WORDS.get(kind, kind)}", f"an id such as {kind}-0a1b2c3d"
        )


def check_ids(placed: Iterable[tuple[str, str]], kind: str, problems: Problems) -> None:
    """Report values that are not ids, and ids that occur twice, given by path."""
    first: dict[str, str] = {}
    for path, text in placed:
        check_id(text, kind, path, problems)
        if first.setdefault(text, path) != path:
            problems.add(Place(path=path), f"{text} is listed already as {first[text]}", f"each {kind} once")
