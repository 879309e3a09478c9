"""AdoptedCluster: an existing EKS cluster, as a resource of a stack that does not change it."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
import functools
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Problems
from cutlist.infrastructure import add_ons, versions
from cutlist.infrastructure.add_on_pods import AGENT
from cutlist.infrastructure.control_plane import AuthenticationMode
from cutlist.infrastructure.inputs import HERE, Places, one_of
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.unchangeable import OF_EKS, changes
from pulumi_cutlist.aws.caller import NOT_COMPARED, compared_caller
from pulumi_cutlist.aws.cluster.add_ons import Identity, make_add_ons
from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.inputs.asking import asking
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.lists import MapOf
from pulumi_cutlist.inputs.shapes import section, shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.inputs.unchangeable import compared


@section
class AdoptedClusterSection(TypedDict):
    """Facts of an existing cluster, as a section of KarpenterCluster has them. Those that you leave out are looked up in the
    account."""

    authentication_mode: NotRequired[str]
    """Authentication mode of the cluster: API, API_AND_CONFIG_MAP or CONFIG_MAP. Looked up in the account by default."""
    cluster: NotRequired[pulumi.Input[str]]
    """Output with the cluster's name, so that new resources wait for the cluster. Defaults to cluster_name."""
    endpoint: NotRequired[pulumi.Input[str]]
    """Address of the API server. Looked up in the account by default."""
    certificate_authority: NotRequired[pulumi.Input[str]]
    """Certificate authority of the API server, in base64. Looked up in the account by default."""
    oidc_issuer: NotRequired[pulumi.Input[str]]
    """URL of the cluster's OIDC issuer. Looked up in the account by default."""
    security_group_id: NotRequired[pulumi.Input[str]]
    """The security group that EKS created for the cluster. Looked up in the account by default."""
    oidc_provider_arn: NotRequired[pulumi.Input[str]]
    """ARN of the OIDC provider, for roles of service accounts. Defaults to none."""
    aws_auth: NotRequired[bool]
    """Whether the ConfigMap aws-auth gives nodes access. A cluster in the mode CONFIG_MAP needs it. Defaults to false."""
    pod_identity_agent: NotRequired[bool]
    """Whether to install the Pod Identity agent as an add-on. Defaults to false: most clusters have it."""
    kubeconfig_role_arn: NotRequired[pulumi.Input[str]]
    """A role that the kubeconfig assumes. Defaults to none."""
    kubeconfig_profile: NotRequired[str]
    """A profile of the AWS configuration that the kubeconfig uses. Defaults to none."""


class AdoptedClusterArgs(AdoptedClusterSection):
    """Inputs of AdoptedCluster. Facts that are left out are looked up in the account."""

    cluster_name: str
    """Name of the cluster."""
    region: str
    """Region of the cluster."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    version: NotRequired[str]
    """Version of Kubernetes, such as "1.35". Looked up in the account by default."""
    karpenter_version: NotRequired[str]
    """Version of Karpenter for the cluster. Defaults to the newest one that is known. It has to support the cluster's
    Kubernetes."""
    tags: NotRequired[pulumi.Input[MapOf[str, pulumi.Input[str]]]]
    """Tags for everything that it creates."""


class KnownCluster(TypedDict):
    """What is known of an existing cluster, given or looked up."""

    version: str
    authentication_mode: str
    endpoint: pulumi.Input[str]
    certificate_authority: pulumi.Input[str]
    oidc_issuer: pulumi.Input[str]
    security_group_id: pulumi.Input[str]


@dataclass(frozen=True, slots=True)
class AdoptedClusterPlan:
    """A cluster that can be adopted, and what is known of it."""

    args: AdoptedClusterArgs
    names: ClusterFacts
    known: KnownCluster
    at: Places = HERE


def plan_adopted_cluster(args: AdoptedClusterArgs, at: Places = HERE) -> AdoptedClusterPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, AdoptedClusterArgs, problems, at)
    names = cluster_facts(args, problems, at)
    facts: dict[str, object] = {key: value for key, value in args.items() if key in KnownCluster.__required_keys__}
    if len(facts) < len(KnownCluster.__required_keys__):
        problems.raise_if_any()  # a look-up needs a valid name of a cluster
        facts = {**_look_up(names), **facts}
    known = cast("KnownCluster", facts)
    problems.extend(versions.problems(known["version"], args.get("karpenter_version", versions.BASELINE), at))
    mode, place = known["authentication_mode"], at.member("authenticationMode")
    problems.extend(one_of(mode, AuthenticationMode, place))
    if mode == AuthenticationMode.CONFIG_MAP and not args.get("aws_auth"):
        message = "a cluster with CONFIG_MAP has no access entries, so new nodes could not join"
        problems.add(place, message, "API_AND_CONFIG_MAP, set on the cluster before, or awsAuth to use the ConfigMap")
    problems.raise_if_any()
    return AdoptedClusterPlan(args, names, known, at)


class AdoptedCluster(ClusterOutputs, Component):
    """An existing cluster, with the same outputs as a new one. The component never changes the cluster itself.

    Raises InputError with every mistake found, before anything is registered. Whoever runs Pulumi needs their own access.
    """

    authentication_mode: pulumi.Output[str]
    """Authentication mode of the cluster."""

    _is_adopted = True

    @planned(plan_adopted_cluster)
    def __init__(
        self,
        name: str,
        args: AdoptedClusterArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: AdoptedClusterPlan | None = None,
    ) -> None:
        alone, plan = plan is None, plan_adopted_cluster(args) if plan is None else plan
        inputs, names, known = plan.args, plan.names, plan.known
        caller = compared_caller(self, names, plan.at) if alone else NOT_COMPARED
        opts = compared(self, name, "adopted-cluster", functools.partial(changes, OF_EKS, at=plan.at), opts)
        super().__init__("cutlist:index:AdoptedCluster", name, {**inputs}, opts)
        caller.warn(self)
        self.cluster_name = pulumi.Output.from_input(inputs.get("cluster", names.cluster))
        self.cluster_arn = pulumi.Output.from_input(names.cluster_arn)
        self.endpoint = pulumi.Output.from_input(known["endpoint"])
        self.certificate_authority = pulumi.Output.from_input(known["certificate_authority"])
        self.security_group_id = pulumi.Output.from_input(known["security_group_id"])
        self.oidc_issuer = pulumi.Output.from_input(known["oidc_issuer"])
        self.oidc_provider_arn = pulumi.Output.from_input(inputs.get("oidc_provider_arn"))
        self.version = pulumi.Output.from_input(known["version"])
        self.authentication_mode = pulumi.Output.from_input(known["authentication_mode"])
        self.kubeconfig = self._log_in(names, inputs)
        if inputs.get("pod_identity_agent"):
            identity = Identity(names, self.oidc_issuer, tags=inputs.get("tags"))
            make_add_ons(self, name, self.cluster_name, [add_ons.named(AGENT)], identity)
        self.register_outputs(outputs_of(self))


def _look_up(names: ClusterFacts) -> KnownCluster:
    cluster = aws.eks.get_cluster(name=names.cluster, region=names.region, opts=asking("aws"))
    return {
        "version": cluster.version,
        "authentication_mode": cluster.access_configs[0].authentication_mode,
        "endpoint": cluster.endpoint,
        "certificate_authority": cluster.certificate_authorities[0].data,
        "oidc_issuer": cluster.identities[0].oidcs[0].issuer,
        "security_group_id": cluster.vpc_config.cluster_security_group_id,
    }
