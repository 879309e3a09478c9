"""Who runs an update, compared with the inputs of a component before it creates anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import InputError, Problem
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.principals import Caller, account_problems, admin_problems
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane
from pulumi_cutlist.inputs.late import Component, as_planned
from pulumi_cutlist.program.offline import can_look_up

_WHO: Final = "aws:index/getCallerIdentity:getCallerIdentity"


def check_caller(component: Component, facts: ClusterFacts, at: Places = HERE) -> Caller | None:
    """Compare the account of a component's provider with its inputs, which are `at` these places; return who runs the update,
    None offline. Raises InputError if they differ. In a preview it is a warning: the one who previews may not be the one who
    updates.
    """
    if not can_look_up(_WHO):
        return None
    identity = aws.get_caller_identity(opts=pulumi.InvokeOptions(parent=component))
    if not identity.account_id or not identity.arn:
        return None  # mocks of a program's own tests may have no answer
    caller = Caller(identity.account_id, identity.arn)
    if component.require(facts.account, lambda fill: _raise_in_updates(account_problems(caller, fill(facts.account), at))):
        return caller
    problems = list(account_problems(caller, facts.account, at))
    _raise_in_updates(problems)
    _warn(component, problems)
    return None if problems else caller


def check_cluster_caller(
    component: Component, facts: ClusterFacts, args: ControlPlane, at: Places, *, makes_objects: bool
) -> None:
    """Compare the account and who runs the update with the inputs of a new cluster, which are `at` these places. Raises
    InputError if who runs the update is not an administrator, though the component `makes_objects` in the cluster. For a
    cluster without objects, and in a preview, it is a warning. If the kubeconfig has its own role or profile, that reaches the
    cluster, and nothing is compared.
    """
    caller = check_caller(component, facts, at)
    if caller is None or args.get("kubeconfig_role_arn") is not None or args.get("kubeconfig_profile"):
        return
    admins = {name: as_planned(admin) for name, admin in args["admins"].items()}
    if not any(admin_problems(caller, admins, at)):
        return
    runs = _looked_up(component, caller) if makes_objects else caller
    if component.is_late(admins):
        if makes_objects:
            component.require(admins, lambda fill: _raise_in_updates(admin_problems(runs, fill(admins), at)))
        return
    if makes_objects:
        _raise_in_updates(admin_problems(runs, admins, at))
    _warn(component, admin_problems(caller, admins, at))


def _raise_in_updates(problems: Iterable[Problem]) -> None:
    if not pulumi.runtime.is_dry_run() and (refused := list(problems)):
        raise InputError(refused)


def _warn(component: pulumi.Resource, problems: Iterable[Problem]) -> None:
    for problem in problems:
        pulumi.log.warn(str(problem), component)


def _looked_up(component: pulumi.Resource, caller: Caller) -> Caller:
    """Return the caller with the real ARN of its role. It is looked up only before a refusal: an engine fails an update for a
    look-up that IAM does not permit."""
    if not caller.is_session or pulumi.runtime.is_dry_run():
        return caller
    try:
        context = aws.iam.get_session_context(arn=caller.arn, opts=pulumi.InvokeOptions(parent=component))
    except Exception:
        return caller
    return replace(caller, role_arn=context.issuer_arn or "")
