"""Who runs an update, compared with the inputs of a component before it is registered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import pulumi
import pulumi_aws as aws

from cutlist.core.errors import InputError, Problem
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.principals import Caller, account_problems, admin_problems
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane
from pulumi_cutlist.inputs.asking import asking
from pulumi_cutlist.inputs.late import Component, as_planned
from pulumi_cutlist.program.offline import can_look_up

_WHO: Final = "aws:index/getCallerIdentity:getCallerIdentity"
_AWS: Final = "aws"


@dataclass(frozen=True, slots=True)
class ComparedCaller:
    """Who runs an update, None where that is not known or is somebody else, and what a preview warns of."""

    caller: Caller | None = None
    warnings: tuple[Problem, ...] = ()

    def warn(self, component: Component) -> None:
        """Log the warnings, once their component is registered."""
        for problem in self.warnings:
            pulumi.log.warn(str(component.words.problem(problem)), component)


NOT_COMPARED: Final = ComparedCaller()
"""The caller of a part, which the component that makes it has compared."""


def compared_caller(component: Component, facts: ClusterFacts, at: Places = HERE) -> ComparedCaller:
    """Return who runs the update with a component's provider, compared with the account of its inputs, which are `at` these
    places.

    The component is not registered yet: an update in another account leaves nothing of it in the state. Raises InputError if
    the accounts differ. In a preview it is a warning: the one who previews may not be the one who updates.
    """
    if not can_look_up(_WHO):
        return NOT_COMPARED
    identity = aws.get_caller_identity(opts=asking(_AWS))
    if not identity.account_id or not identity.arn:
        return NOT_COMPARED  # mocks of a program's own tests may have no answer
    caller = Caller(identity.account_id, identity.arn)
    if component.require(facts.account, lambda fill: _raise_in_updates(account_problems(caller, fill(facts.account), at))):
        return ComparedCaller(caller)
    problems = list(account_problems(caller, facts.account, at))
    _raise_in_updates(problems)
    return ComparedCaller(None, tuple(problems)) if problems else ComparedCaller(caller)


def compared_cluster_caller(
    component: Component,
    facts: ClusterFacts,
    args: ControlPlane,
    at: Places,
    *,
    makes_objects: bool,
) -> ComparedCaller:
    """Return who runs the update, compared with account and administrators of the inputs of a new cluster, which are `at` these
    places. Raises InputError if the caller is not an administrator, though the component `makes_objects` in the cluster. For a
    cluster without objects, and in a preview, it is a warning. If the kubeconfig has its own role or profile, that reaches the
    cluster, and nothing is compared.
    """
    found = compared_caller(component, facts, at)
    if found.caller is None or args.get("kubeconfig_role_arn") is not None or args.get("kubeconfig_profile"):
        return found
    admins = {name: as_planned(admin) for name, admin in args["admins"].items()}
    if not any(admin_problems(found.caller, admins, at)):
        return found
    runs = _looked_up(found.caller) if makes_objects else found.caller
    if component.is_late(admins):
        if makes_objects:
            component.require(admins, lambda fill: _raise_in_updates(admin_problems(runs, fill(admins), at)))
        return found
    if makes_objects:
        _raise_in_updates(admin_problems(runs, admins, at))
    return replace(found, warnings=(*found.warnings, *admin_problems(found.caller, admins, at)))


def _raise_in_updates(problems: Iterable[Problem]) -> None:
    if not pulumi.runtime.is_dry_run() and (refused := list(problems)):
        raise InputError(refused)


def _looked_up(caller: Caller) -> Caller:
    """Return the caller with the real ARN of its role. It is looked up only before a refusal: an engine fails an update for a
    look-up that IAM does not permit."""
    if not caller.is_session or pulumi.runtime.is_dry_run():
        return caller
    try:
        context = aws.iam.get_session_context(arn=caller.arn, opts=asking(_AWS))
    except Exception:
        return caller
    return replace(caller, role_arn=context.issuer_arn or "")
