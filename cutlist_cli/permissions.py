"""`cutlist permissions`: the policy document, or the role on Azure, for updating a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, Place
from cutlist.core.records import json_of
from cutlist.settings.permissions import ACCOUNT, CLUSTER, OF_CLUSTER, REGION
from cutlist.settings.stack import TIME_LIMIT
from cutlist.verbs.permissions.answer import UpdatePermissions, permissions
from cutlist.verbs.permissions.markdown import permissions_markdown
from cutlist.verbs.permissions.text import render_permissions
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.formats import OutputFormats
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import on_the_line, setting_option
from cutlist_cli.stack_options import project_dir_option, stack_option

if TYPE_CHECKING:
    from cutlist.verbs.permissions.answer import AksPermissions, Permissions

_ALLOWED: Final = "a stack with a cluster, or --cluster, --region and --account of one on AWS"


_FORMATS: Final[OutputFormats[UpdatePermissions]] = OutputFormats(
    text=render_permissions,
    others={"markdown": permissions_markdown, "json": json_of},
    verbatim=True,
    text_suffixes=(".json",),  # the document is JSON itself, for IAM or for Azure's command
)


@click.command("permissions", cls=Command)
@stack_option("The stack with the clusters; its program is run offline.")
@setting_option(CLUSTER)
@setting_option(REGION)
@setting_option(ACCOUNT)
@project_dir_option("Folder of the stack's Pulumi.yaml.")
@setting_option(TIME_LIMIT)
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    stack: str | None,
    cluster: str | None,
    region: str | None,
    account: str | None,
    project_dir: Path,
    time_limit: float | None,
    renderer: Renderer[UpdatePermissions],
) -> None:
    """Print the IAM policy that updates of a cluster on AWS need, or the custom role for one on Azure.

    `--to policy.json` writes the document itself, as IAM or Azure accepts it. With -o json there is one for each cluster, and
    what it does not cover.

    For a stack, it allows what the stack's own resources need; for a cluster on AWS, what any option of the components needs.
    It is the same for every version of Karpenter. The controller's own permissions depend on the version and are in the roles
    that the components make; `cutlist upgrade` shows what a later version needs in addition.

    \b
    Examples:
      cutlist permissions --cluster-name shop --region eu-west-1 --account 111122223333 --to policy.json
      cutlist permissions --stack dev
      cutlist permissions --stack dev -o json
      cutlist permissions --stack aks --to role.json
    """
    if stack:
        _refuse_both(ctx)
        answer = _of_stack(project_dir, stack, time_limit)
    else:
        answer = _of_cluster(cluster, region, account)
    renderer.write(answer)
    _warn("policy", "calls", answer.clusters)
    _warn("role", "operations", answer.aks_clusters)


def _refuse_both(ctx: click.Context) -> None:
    """Refuse `--cluster` together with a stack, whose program names its clusters. A region from the environment does not
    count."""
    for setting in on_the_line(ctx, OF_CLUSTER):
        raise click.UsageError(f"{setting.flag} cannot be combined with --stack, which has its own clusters")


def _of_stack(project_dir: Path, stack: str, time_limit: float | None) -> UpdatePermissions:
    from pulumi_cutlist.stack.permissions import aks_permissions_of_stack, permissions_of_stack  # needs Pulumi's SDK, an extra
    from pulumi_cutlist.stack.preview import preview

    with progress_line("running the program of the stack"):
        recording = preview(project_dir, stack, time_limit).recording
        answer = UpdatePermissions(permissions_of_stack(recording), aks_permissions_of_stack(recording))
    if not answer.clusters and not answer.aks_clusters:
        text = (
            "its program makes nothing for a cluster whose name and place are known before an update: region and account on "
            "AWS, resource group, location and subscription on Azure"
        )
        raise InputError.one(Place(f"stack {stack}"), text, _ALLOWED)
    return answer


def _of_cluster(cluster: str | None, region: str | None, account: str | None) -> UpdatePermissions:
    if cluster is None or region is None or account is None:
        options = zip(OF_CLUSTER, (cluster, region, account), strict=True)
        missing = [setting.flag for setting, value in options if value is None]
        verb = "is" if len(missing) == 1 else "are"
        raise click.UsageError(
            f"{' and '.join(missing)} {verb} missing; a policy is for --stack, or for --cluster-name, --region and --account"
        )
    return UpdatePermissions((permissions(cluster, region=region, account=account),))


def _warn(document: str, what: str, answers: Sequence[Permissions | AksPermissions]) -> None:
    """Name the types of resources that the documents do not allow."""
    for type_ in sorted({type_ for answer in answers for type_ in answer.not_covered}):
        terminal.write_error(f"Note: the {document} does not allow {type_}, whose {what} are not known: add them to it.\n")
