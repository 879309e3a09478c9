"""SpotServiceLinkedRole: the role without which an account gets no spot instances, as a resource of a stack."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import Problems
from cutlist.infrastructure.cluster_roles import SPOT_ROLE, SPOT_SERVICE, SpotRoleMode
from cutlist.infrastructure.inputs import HERE, Places, chosen
from pulumi_cutlist.aws.credentials import credentials_of
from pulumi_cutlist.aws.service_linked_role import EnsuredServiceLinkedRole
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.inputs.shapes import shaped
from pulumi_cutlist.inputs.spelling import outputs_of


class SpotServiceLinkedRoleArgs(TypedDict):
    """Inputs of SpotServiceLinkedRole."""

    region: str
    """Region of the cluster. The role is one for all regions of an account."""
    account_id: NotRequired[pulumi.Input[str]]
    """Id of the account, twelve digits. The role is made in no other one. Defaults to that of the credentials."""
    mode: NotRequired[str]
    """What to do about the role: ensure (the default, right in every stack: created if it is missing), create (one stack of an
    account owns it), or skip (no NodePool allows spot)."""


@dataclass(frozen=True, slots=True)
class SpotRolePlan:
    """What is done for the role."""

    args: SpotServiceLinkedRoleArgs
    mode: SpotRoleMode


def plan_spot_role(args: SpotServiceLinkedRoleArgs, at: Places = HERE) -> SpotRolePlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, SpotServiceLinkedRoleArgs, problems, at)
    mode = chosen(args.get("mode", SpotRoleMode.ENSURE), SpotRoleMode.ENSURE, at.member("mode"), problems)
    problems.raise_if_any()
    return SpotRolePlan(args, mode)


class SpotServiceLinkedRole(Component):
    """Makes sure that EC2 may sell spot instances to the account. In every mode, destroying the stack keeps the role.

    `ensure` calls IAM with the credentials of the component's provider; it needs iam:CreateServiceLinkedRole and, to notice
    that the role was deleted, iam:GetRole. An unknown mode raises InputError.
    """

    role_name: pulumi.Output[str]
    """Name of the role. What uses it waits for the role."""

    def __init__(
        self,
        name: str,
        args: SpotServiceLinkedRoleArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: SpotRolePlan | None = None,
    ) -> None:
        plan = plan_spot_role(args) if plan is None else plan
        super().__init__("cutlist:index:SpotServiceLinkedRole", name, {**plan.args, "mode": plan.mode.value}, opts)
        roles: list[pulumi.Resource] = []
        if plan.mode is SpotRoleMode.CREATE:
            options = pulumi.ResourceOptions(parent=self, retain_on_delete=True)
            roles.append(aws.iam.ServiceLinkedRole(name, aws_service_name=SPOT_SERVICE, opts=options))
        elif plan.mode is SpotRoleMode.ENSURE:
            place = {"region": plan.args["region"], **credentials_of(self)}
            if "account_id" in plan.args:
                place["account"] = plan.args["account_id"]
            options = pulumi.ResourceOptions(parent=self)
            roles.append(EnsuredServiceLinkedRole(name, service=SPOT_SERVICE, role=SPOT_ROLE, place=place, opts=options))
        self.role_name = after(SPOT_ROLE, *roles)
        self.register_outputs(outputs_of(self))
