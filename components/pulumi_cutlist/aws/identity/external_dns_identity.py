"""ExternalDnsIdentity: what ExternalDNS may do in Route 53, and how its pods get the credentials for it (spec: 10)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.documents import EVERYTHING, Document
from cutlist.infrastructure.iam.external_dns import STAND_IN, check_zones, external_dns_document
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.name_checks import check_role_path
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from cutlist.infrastructure.observability.helm_values import EXTERNAL_DNS, NAMESPACE
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_caller
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.identity.roles import Rights
from pulumi_cutlist.aws.identity.service_accounts import make_pod_role, plan_credentials
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import later_inputs, section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of

_ZONES: Final = Place(path="hostedZoneIds")
_PREFIX: Final = "ExternalDNS"


@section
class ExternalDnsIdentitySection(TypedDict):
    """Further inputs of ExternalDnsIdentity, as a section of a call for a whole cluster has them."""

    cluster: NotRequired[pulumi.Input[str]]
    """Output with the cluster's name, so that the association waits for the cluster. Defaults to cluster_name."""
    hosted_zone_ids: NotRequired[pulumi.Input[ListOf[pulumi.Input[str]]]]
    """Ids of the hosted zones whose records it may change, such as Z0123456789ABCDEFGHIJ. Needed unless every_zone is set."""
    every_zone: NotRequired[bool]
    """Whether it may change the records of every hosted zone of the account. Defaults to false."""
    namespace: NotRequired[str]
    """Namespace of ExternalDNS. Defaults to monitoring, where Observability installs it."""
    service_account: NotRequired[str]
    """Its service account. Defaults to external-dns, that of its chart."""
    credentials: NotRequired[str]
    """pod-identity or irsa. Defaults to pod-identity."""
    trust_source_arn: NotRequired[bool]
    """With pod-identity: whether the role's trust also names the cluster as aws:SourceArn, in addition to the tags of each
    session. AWS's page on this role shows only tags, so try it first in a cluster that you can afford to lose. Defaults to
    false."""
    oidc_provider_arn: NotRequired[pulumi.Input[str]]
    """With irsa: ARN of the cluster's OIDC provider."""
    oidc_issuer: NotRequired[pulumi.Input[str]]
    """With irsa: URL of the cluster's issuer."""
    path: NotRequired[str]
    """Path of the role. Defaults to /."""


class ExternalDnsIdentityArgs(ExternalDnsIdentitySection):
    """Inputs of ExternalDnsIdentity."""

    cluster_name: str
    """Name of the cluster. A plain value, because the role's name contains it."""
    region: str
    """Region of the cluster. The partition follows from it."""
    account_id: pulumi.Input[str]
    """Id of the account of cluster and zones, twelve digits."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the role's permissions boundary."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every child that can have them."""


@dataclass(frozen=True, slots=True)
class ExternalDnsPlan:
    """A role for ExternalDNS that can be made."""

    args: ExternalDnsIdentityArgs
    facts: ClusterFacts
    credentials: Credentials


def plan_external_dns_identity(args: ExternalDnsIdentityArgs, at: Places = HERE) -> ExternalDnsPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems, later = Problems(), later_inputs(args)
    args = shaped(args, ExternalDnsIdentityArgs, problems, at)
    home = {
        "namespace": args.get("namespace") or NAMESPACE,
        "service_account": args.get("service_account") or EXTERNAL_DNS.name,
    }
    facts = cluster_facts(args, problems, at, name_style=args.get("name_style", NameStyle.KARPENTER), **home)
    check_role_path(args.get("path", "/"), at.member("path").path, problems)
    credentials = plan_credentials(args, later, at, problems)
    _check_zones(args, facts, at, problems)
    problems.raise_if_any()
    return ExternalDnsPlan(args, facts, credentials)


class ExternalDnsIdentity(Component):
    """The role of one cluster's ExternalDNS, limited to hosted zones, and what gives it to the pods of one service account.

    `depends_on` this component waits for role, document and association: pods that start earlier run without credentials.
    Raises InputError with every mistake found, before anything is registered.
    """

    role_name: pulumi.Output[str]
    """Name of the role."""
    role_arn: pulumi.Output[str]
    """ARN of the role; with irsa for `external_dns.role_arn` of Observability."""
    service_account_annotations: pulumi.Output[dict[str, str]]
    """Annotations that the service account needs: with irsa the one that names the role."""

    @planned(plan_external_dns_identity)
    def __init__(
        self,
        name: str,
        args: ExternalDnsIdentityArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: ExternalDnsPlan | None = None,
    ) -> None:
        """A `plan` was made from the same inputs, apart from those that other parts supply."""
        alone = plan is None
        if plan is None:
            plan = plan_external_dns_identity(args)
            args = plan.args
        caller = compared_caller(self, plan.facts) if alone else NOT_COMPARED
        super().__init__("cutlist:index:ExternalDnsIdentity", name, {**args}, opts)
        caller.warn(self)
        rights = Rights(inline={"zones": _document(plan)})
        role = make_pod_role(self, name, plan.facts, args, plan.credentials, _PREFIX, rights)
        self.role_name, self.role_arn = role.name, role.arn
        self.service_account_annotations = role.annotations
        self.register_outputs(outputs_of(self))


def _check_zones(args: ExternalDnsIdentityArgs, facts: ClusterFacts, at: Places, problems: Problems) -> None:
    """Note the mistakes in the zones that can be found before an update."""
    zones = args.get("hosted_zone_ids")
    if args.get("every_zone", False):
        if zones is not None:
            problems.add(at.member("everyZone"), "both everyZone and hostedZoneIds", "one of them")
    elif not _is_late(zones):
        check_zones(_listed(zones), facts, at.member("hostedZoneIds"), problems)


def _document(plan: ExternalDnsPlan) -> Document | pulumi.Output[Document]:
    """Return the role's document, as soon as the zones are known. Raises InputError for mistakes that show only then."""

    def of_zones(known: Any) -> Document:
        zones, problems = _listed(known), Problems()
        check_zones(zones, plan.facts, _ZONES, problems)
        problems.raise_if_any()
        return external_dns_document(plan.facts, zones)

    if plan.args.get("every_zone", False):
        return external_dns_document(plan.facts, EVERYTHING)
    return pulumi.Output.from_input(plan.args["hosted_zone_ids"]).apply(of_zones)


def _listed(zones: Any) -> list[str]:
    """Return zones as a list of texts, however they were given; a zone that is not known yet is a stand-in."""
    several = [] if zones is None else zones if isinstance(zones, list | tuple) else [zones]
    return [STAND_IN if _is_late(zone) else str(zone) for zone in several]


def _is_late(value: Any) -> bool:
    return isinstance(value, pulumi.Output) or isawaitable(value)
