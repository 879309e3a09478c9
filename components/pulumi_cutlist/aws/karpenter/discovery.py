"""Discovery: what Karpenter finds the subnets and security groups of one cluster by, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.api.ec2nodeclass_fields import SecurityGroupSelectorTerm, SubnetSelectorTerm
from cutlist.core.errors import Problems
from cutlist.infrastructure.discovery import (
    DiscoveryStyle,
    GroupFacts,
    Selection,
    check_ids,
    check_more_groups,
    check_tags,
    read_style,
)
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.name_checks import check_cluster_name, check_region
from cutlist.infrastructure.names import owned_tag
from pulumi_cutlist.aws.karpenter.node_group_rules import NodeGroupArgs, check_node_group, make_node_group
from pulumi_cutlist.inputs.late import Component, all_as_planned, as_planned, planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of


class AdoptedGroupArgs(TypedDict):
    """An existing security group."""

    id: pulumi.Input[str]
    """Its id."""
    tags: NotRequired[dict[str, str]]
    """Its tags. Without them, Cutlist does not check them."""


@section
class DiscoverySection(TypedDict):
    """Further inputs of Discovery, as a section of a call for a whole cluster has them."""

    adopted_subnet_ids: NotRequired[ListOf[pulumi.Input[str]]]
    """Subnets among them that the stack did not create: each gets the cluster's tag as a separate resource. Defaults to
    none."""
    style: NotRequired[str]
    """How Karpenter finds them: tag (the default), shared-tag for what clusters share, or id."""
    dedicated_group: NotRequired[NodeGroupArgs]
    """A new security group for nodes."""
    adopted_group: NotRequired[AdoptedGroupArgs]
    """An existing security group for nodes. It gets the cluster's tag; its rules do not change."""
    more_groups: NotRequired[list[AdoptedGroupArgs]]
    """Further security groups of nodes, found by id in every style. Defaults to none."""


class DiscoveryArgs(DiscoverySection):
    """Inputs of Discovery. Nodes get the cluster's own security group, unless a dedicated or an adopted one takes its place."""

    cluster_name: str
    """Name of the cluster."""
    region: NotRequired[str]
    """Region of the cluster. Defaults to the provider's."""
    cluster_security_group_id: pulumi.Input[str]
    """Security group that EKS created for the cluster."""
    subnet_ids: pulumi.Input[ListOf[pulumi.Input[str]]]
    """Subnets for nodes."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for everything that it creates."""


@dataclass(frozen=True, slots=True)
class DiscoveryPlan:
    """How subnets and security groups are found."""

    args: DiscoveryArgs
    selection: Selection


def plan_discovery(args: DiscoveryArgs, at: Places = HERE) -> DiscoveryPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, DiscoveryArgs, problems, at)
    cluster = args["cluster_name"]
    check_cluster_name(cluster, at.member("clusterName").path, problems)
    if "region" in args:
        check_region(args["region"], at.member("region").path, problems)
    check_tags(args.get("tags", {}), at.member("tags").path, problems)
    style = read_style(args.get("style", DiscoveryStyle.TAG), at.member("style").path, problems)
    if "dedicated_group" in args and "adopted_group" in args:
        message = "nodes already have a dedicated group"
        problems.add(at.member("adoptedGroup"), message, "one of dedicatedGroup, adoptedGroup")
    if "dedicated_group" in args:
        check_node_group(args["dedicated_group"], at.member("dedicatedGroup").path, problems)
    more = [GroupFacts(as_planned(group["id"]), group.get("tags", {})) for group in args.get("more_groups", [])]
    check_more_groups(more, cluster, at.member("moreGroups").path, problems)
    _check_ids(args, more, at, problems)
    problems.raise_if_any()
    return DiscoveryPlan(args, Selection(cluster, style))


def _check_ids(args: DiscoveryArgs, more: list[GroupFacts], at: Places, problems: Problems) -> None:
    """Note texts that are not ids, and duplicates."""
    place = at.member("adoptedSubnetIds").path
    subnets = [(f"{place}[{n}]", id_) for n, id_ in enumerate(all_as_planned(args.get("adopted_subnet_ids", [])))]
    own = [as_planned(args["adopted_group"]["id"])] if "adopted_group" in args else []
    adopted = [(f"{at.member('adoptedGroup').path}.id", id_) for id_ in own]
    groups = [*adopted, *((f"{at.member('moreGroups').path}[{n}].id", group.id) for n, group in enumerate(more))]
    check_ids(subnets, "subnet", problems)
    check_ids(groups, "sg", problems)


class Discovery(Component):
    """Tags on subnets and on one security group, and the selector terms that find them.

    Adopted subnets and groups get one tag resource per tag and no other change. Exactly one security group of the nodes carries
    the cluster's own tag. Raises InputError with every mistake found, before anything is registered.
    """

    subnet_selector_terms: pulumi.Output[list[dict[str, Any]]]
    """For subnetSelectorTerms of an EC2NodeClass. What uses them waits for the tags, and is deleted before them."""
    security_group_selector_terms: pulumi.Output[list[dict[str, Any]]]
    """For securityGroupSelectorTerms of an EC2NodeClass, in the same way."""
    node_security_group_id: pulumi.Output[str]
    """Security group of the nodes that carries the cluster's own tag."""

    @planned(plan_discovery)
    def __init__(
        self,
        name: str,
        args: DiscoveryArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: DiscoveryPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        if plan is None:
            plan = plan_discovery(args)
            args = plan.args
        super().__init__("cutlist:index:Discovery", name, {**args}, opts)
        selection = plan.selection
        more = all_as_planned(group["id"] for group in args.get("more_groups", []))
        self.subnet_terms = _subnet_terms(selection, args["subnet_ids"])
        """The terms for subnets, typed; None where they contain ids that only an update knows."""
        has_late_groups = self.is_late([more, args.get("adopted_group")])
        self.group_terms = None if has_late_groups else _group_terms(selection, args, more)
        """The terms for security groups, in the same way."""
        tagger = _Tagger(name, args.get("region"), self)
        on_subnets = [tagger.tag(id_, id_, selection.tags) for id_ in all_as_planned(args.get("adopted_subnet_ids", []))]
        group, on_group = _group(name, args, selection, tagger)
        self.node_security_group_id = group
        self.subnet_selector_terms = pulumi.Output.all(
            args["subnet_ids"] if selection.style is DiscoveryStyle.ID else [], *_urns(*on_subnets)
        ).apply(lambda known: selection.terms(known[0]))
        self.security_group_selector_terms = pulumi.Output.all(
            [group] if selection.style is DiscoveryStyle.ID else [], *_urns(on_group)
        ).apply(lambda known: selection.terms(known[0], more))
        self.register_outputs(outputs_of(self))


@dataclass(frozen=True, slots=True)
class _Tagger:
    """Tags resources that the stack did not make: one resource per tag, so that each is added and removed on its own."""

    name: str
    region: str | None
    parent: pulumi.Resource

    def tag(self, what: str, resource_id: pulumi.Input[str], tags: dict[str, str]) -> list[pulumi.Resource]:
        return [
            aws.ec2.Tag(
                f"{self.name}-{what}-{key}",
                region=self.region,
                resource_id=resource_id,
                key=key,
                value=value,
                opts=pulumi.ResourceOptions(parent=self.parent),
            )
            for key, value in tags.items()
        ]


def _group(
    name: str, args: DiscoveryArgs, selection: Selection, tagger: _Tagger
) -> tuple[pulumi.Output[str], list[pulumi.Resource]]:
    """Return the security group that carries the cluster's own tag, and the resources that must exist before it can be
    found."""
    cluster_group = args["cluster_security_group_id"]
    if "dedicated_group" in args:
        tags = {**args.get("tags", {}), **selection.tags, owned_tag(selection.cluster): "owned"}
        group, rules = make_node_group(
            name, args["dedicated_group"], args.get("region"), selection.cluster, cluster_group, tags, tagger.parent
        )
        return group.id, [group, *rules]
    if "adopted_group" in args:
        id_ = as_planned(args["adopted_group"]["id"])
        tags_of_it = {**selection.tags, owned_tag(selection.cluster): "shared"}
        return pulumi.Output.from_input(id_), tagger.tag(id_, id_, tags_of_it)
    return pulumi.Output.from_input(cluster_group), tagger.tag("cluster-group", cluster_group, selection.tags)


def _urns(*resources: list[pulumi.Resource]) -> list[pulumi.Output[str]]:
    """Return the URNs of resources: even a preview knows them, and they carry the dependency."""
    return [resource.urn for some in resources for resource in some]


def _subnet_terms(selection: Selection, ids: Any) -> tuple[SubnetSelectorTerm, ...] | None:
    by_tag = selection.style is not DiscoveryStyle.ID
    return selection.subnet_terms(() if by_tag else ids) if by_tag or _are_plain(ids) else None


def _group_terms(selection: Selection, args: DiscoveryArgs, more: list[str]) -> tuple[SecurityGroupSelectorTerm, ...] | None:
    if selection.style is not DiscoveryStyle.ID:
        return selection.group_terms((), more)
    ids: list[Any] = [args["adopted_group"]["id"] if "adopted_group" in args else args["cluster_security_group_id"]]
    return selection.group_terms(ids, more) if "dedicated_group" not in args and _are_plain(ids) else None


def _are_plain(ids: Any) -> bool:
    return isinstance(ids, list) and all(isinstance(id_, str) for id_ in ids)
