"""PodIdentity: a role for the pods of one service account, ready for software that most clusters run, or of your own rights."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.arns import POLICY, check_arn
from cutlist.infrastructure.controller_access import Credentials
from cutlist.infrastructure.iam.documents import INLINE_POLICIES_LIMIT, Document
from cutlist.infrastructure.iam.ready import READY, Ready
from cutlist.infrastructure.inputs import HERE, Places, one_of
from cutlist.infrastructure.name_checks import check_namespace, check_object_name, check_role_path
from cutlist.infrastructure.names import ClusterFacts, NameStyle
from pulumi_cutlist.aws.caller import compared_caller
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.aws.identity.roles import Rights
from pulumi_cutlist.aws.identity.service_accounts import make_pod_role, plan_credentials
from pulumi_cutlist.inputs.late import Component, all_as_planned, planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.inputs.shapes import later_inputs, shaped
from pulumi_cutlist.inputs.spelling import outputs_of

_STAND_IN: Final = "arn:aws:secretsmanager:us-east-1:000000000000:secret:stand-in"


class PodIdentityArgs(TypedDict):
    """Inputs of PodIdentity."""

    cluster_name: str
    """Name of the cluster. A plain value, because the role's name contains it."""
    region: str
    """Region of the cluster. The partition follows from it."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    cluster: NotRequired[pulumi.Input[str]]
    """Output with the cluster's name, so that the association waits for the cluster. Defaults to cluster_name."""
    ready: NotRequired[str]
    """The software that the role is for: aws-load-balancer-controller, cert-manager, ebs-csi, efs-csi or external-secrets. It
    decides the rights, and the defaults of namespace and service account. Without it, the rights are those given here."""
    resources: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs that the software may use: of hosted zones for cert-manager, of secrets and parameters for external-secrets, also
    with * at the end. Both need them."""
    policy_arns: NotRequired[ListOf[pulumi.Input[str]]]
    """ARNs of policies that the role gets, in addition. Needed without `ready`."""
    namespace: NotRequired[str]
    """Namespace of the service account. Defaults to that of the software."""
    service_account: NotRequired[str]
    """Name of the service account. Defaults to that of the software's chart."""
    credentials: NotRequired[str]
    """pod-identity or irsa. Defaults to pod-identity."""
    trust_source_arn: NotRequired[bool]
    """With pod-identity: whether the role's trust also names the cluster as aws:SourceArn, in addition to the tags of each
    session. Try it first in a cluster that you can afford to lose. Defaults to false."""
    oidc_provider_arn: NotRequired[pulumi.Input[str]]
    """With irsa: ARN of the cluster's OIDC provider."""
    oidc_issuer: NotRequired[pulumi.Input[str]]
    """With irsa: URL of the cluster's issuer."""
    path: NotRequired[str]
    """Path of the role. Defaults to /."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the role's permissions boundary."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every child that can have them."""


@dataclass(frozen=True, slots=True)
class PodIdentityPlan:
    """A role of pods that can be made."""

    args: PodIdentityArgs
    facts: ClusterFacts
    credentials: Credentials
    ready: Ready | None
    at: Places = HERE

    @property
    def prefix(self) -> str:
        """Return how the role's name begins."""
        return f"Pod-{self.facts.namespace}-{self.facts.service_account}"


def plan_pod_identity(args: PodIdentityArgs, at: Places = HERE) -> PodIdentityPlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems, later = Problems(), later_inputs(args)
    args = shaped(args, PodIdentityArgs, problems, at)
    name = args.get("ready")
    if name is not None:
        problems.extend(one_of(name, READY, at.member("ready")))
    ready = READY.get(name or "")
    home = {
        "namespace": args.get("namespace") or (ready.namespace if ready else ""),
        "service_account": args.get("service_account") or (ready.service_account if ready else ""),
    }
    facts = cluster_facts(args, problems, at, name_style=args.get("name_style", NameStyle.KARPENTER), **home)
    check_role_path(args.get("path", "/"), at.member("path").path, problems)
    credentials = plan_credentials(args, later, at, problems)
    if name is None or ready is not None:  # all else follows from software that is not known
        _check_home(home, at, problems)
        _check_rights(args, ready, facts, at, problems)
    problems.raise_if_any()
    return PodIdentityPlan(args, facts, credentials, ready, at)


class PodIdentity(Component):
    """A role for the pods of one service account, and what gives it to them.

    `depends_on` this component waits for role, rights and association: pods that start earlier run without credentials. Raises
    InputError with every mistake found, before anything is registered.
    """

    role_name: pulumi.Output[str]
    """Name of the role."""
    role_arn: pulumi.Output[str]
    """ARN of the role."""
    service_account_annotations: pulumi.Output[dict[str, str]]
    """Annotations that the service account needs: with irsa the one that names the role."""

    @planned(plan_pod_identity)
    def __init__(self, name: str, args: PodIdentityArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        plan = plan_pod_identity(args)
        caller = compared_caller(self, plan.facts)
        super().__init__("cutlist:index:PodIdentity", name, {**plan.args}, opts)
        caller.warn(self)
        role = make_pod_role(self, name, plan.facts, plan.args, plan.credentials, plan.prefix, _rights(plan))
        self.role_name, self.role_arn = role.name, role.arn
        self.service_account_annotations = role.annotations
        self.register_outputs(outputs_of(self))


def _check_home(home: dict[str, str], at: Places, problems: Problems) -> None:
    """Note a missing or a wrong name of the service account."""
    checks = {"namespace": check_namespace, "service_account": check_object_name}
    for key, member in (("namespace", "namespace"), ("service_account", "serviceAccount")):
        if home[key]:
            checks[key](home[key], at.member(member), problems)
        else:
            problems.add(at.member(member), "is missing", f"the {key.replace('_', ' ')} of the pods, or `ready`")


def _check_rights(args: PodIdentityArgs, ready: Ready | None, facts: ClusterFacts, at: Places, problems: Problems) -> None:
    """Note rights that are missing, of another form, or more than a role can hold."""
    policies = all_as_planned(args.get("policy_arns", []))
    for index, arn in enumerate(policies):
        check_arn(arn, POLICY, facts.region, at.member("policyArns").item(index), problems)
    resources = args.get("resources")
    if ready is None:
        if not policies:
            problems.add(at.member("policyArns"), "the role would have no rights", "ARNs of policies, or `ready`")
        if resources is not None:
            problems.add(at.member("resources"), "is for software that is `ready`", "rights in policies of your own")
    elif ready.resources and not resources:
        problems.add(at.member("resources"), "is missing", f"ARNs of the {ready.resources} that it may use")
    elif resources and not ready.resources:
        problems.add(at.member("resources"), f"{args.get('ready')} uses no resources of yours", "leave it out")
    elif resources:
        _check_resources(resources, ready, facts, at.member("resources"), problems)


def _check_resources(arns: Sequence[Any], ready: Ready, facts: ClusterFacts, place: Place, problems: Problems) -> None:
    """Note ARNs, as far as they are known, of what the software does not use, and more than a role's document can hold."""
    for index, arn in enumerate(arns):
        if isinstance(arn, str) and not ready.takes(arn, facts.partition):
            message = f"{arn!r} is not an ARN of {ready.resources}"
            problems.add(place.item(index), message, ready.examples(facts.partition))
    known = [arn if isinstance(arn, str) else _STAND_IN for arn in arns]
    size = ready.document(facts, known).size if ready.document else 0
    if size > INLINE_POLICIES_LIMIT:
        problems.add(place, f"a document of {size} characters", f"at most {INLINE_POLICIES_LIMIT}: fewer ARNs")


def _rights(plan: PodIdentityPlan) -> Rights:
    """Return what the role may do: what the software needs, and the given policies."""
    policies, arns = plan.ready.policies if plan.ready else (), all_as_planned(plan.args.get("policy_arns", []))
    ready = plan.ready
    if ready is None or ready.document is None:
        return Rights(policies, arns)
    make, resources = ready.document, plan.args.get("resources", [])

    def of_known(known: Sequence[Any]) -> Document:
        problems = Problems()
        _check_resources(known, ready, plan.facts, plan.at.member("resources"), problems)
        problems.raise_if_any()
        return make(plan.facts, known)

    if all(isinstance(arn, str) for arn in resources):
        return Rights(policies, arns, {"rights": of_known(resources)})
    return Rights(policies, arns, {"rights": pulumi.Output.all(*resources).apply(of_known)})
