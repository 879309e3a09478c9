"""`cutlist upgrade`: two versions of Karpenter in, the changes between them out."""

from __future__ import annotations

import re
from dataclasses import astuple
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.records import json_of
from cutlist.planning.karpenter_choice import with_aws_gates, with_scheduler_config
from cutlist.settings.calendar import DAY
from cutlist.settings.cluster import AT
from cutlist.settings.upgrade import FROM, KUBERNETES, STRICT, TARGET
from cutlist.verbs.cluster_state import newest_time
from cutlist.verbs.upgrade.answer import read_by_both, rules_of_both, upgrade
from cutlist.verbs.upgrade.markdown import upgrade_markdown
from cutlist.verbs.upgrade.text import render_upgrade
from cutlist_cli import terminal
from cutlist_cli.calendar import chosen_day
from cutlist_cli.cluster_input import gate_options
from cutlist_cli.command import Command
from cutlist_cli.file_options import file_option
from cutlist_cli.formats import OutputFormats, later
from cutlist_cli.input_options import InputOptions, input_options_without_files
from cutlist_cli.notes import show_not_read
from cutlist_cli.progress import progress_line
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.core.karpenter.baselines import Baseline
    from cutlist.disruption.feature_gates import FeatureGates
    from cutlist.planning.inputs import PlanInputs
    from cutlist.verbs.upgrade.answer import Upgrade


_FORMATS: Final[OutputFormats[Upgrade]] = OutputFormats(
    text=render_upgrade,
    others={
        "markdown": upgrade_markdown,
        "html": later("cutlist.verbs.upgrade.html", "upgrade_html"),
        "json": json_of,
    },
)


class _WithOldWord(Command):
    """The command; `--to` with a version instead of a file is the old word for `--target`."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        for option in self.params:
            if isinstance(option, click.Option) and option.name == "karpenter":
                option.hidden = True  # refused here: --from and --target name the versions

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options, with the new word in place of the old one, which adds a note."""
        words: list[str] = []
        for before, word in pairwise(["", *args]):
            if before == _OLD and _VERSION.fullmatch(word):
                words[-1:] = [_NEW, word]
            elif word.startswith(f"{_OLD}=") and _VERSION.fullmatch(word.partition("=")[2]):
                words.append(f"{_NEW}={word.partition('=')[2]}")
            else:
                words.append(word)
        if words != args:
            terminal.write_error(f"note: {_OLD} names a file, as in other commands; write {_NEW} for the version to go to\n")
        return super().parse_args(ctx, words)


_OLD: Final = "--to"
_NEW: Final = "--target"
_VERSION: Final = re.compile(r"v?\d+\.\d+(\.\d+)?")


@click.command("upgrade", cls=_WithOldWord)
@setting_option(FROM, required=True)
@setting_option(TARGET, required=True)
@setting_option(KUBERNETES)
@file_option("manifests, to show what the upgrade does to them", required=False)
@input_options_without_files
@setting_option(AT)
@gate_options
@setting_option(STRICT)
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    before: str,
    after: str,
    kubernetes: str,
    options: InputOptions,
    instant: float | None,
    gates: FeatureGates,
    strict: bool,
    renderer: Renderer[Upgrade],
) -> None:
    """Show what an upgrade of Karpenter changes, and what has to be done first.

    Lists changes of the controller's permissions, CRDs, API versions, the chart's settings and defaults, hashes by which nodes
    drift, and behaviour, with the statements of docs/spec that describe them, if there are any. --target must not be older than
    --from. Needs no cluster and no account.

    With -f, shows what the upgrade does to manifests, or to a snapshot of a cluster: nodes that differ, their price, pods that
    become pending, nodes that drift and whether they are replaced, the order of candidates for disruption, and each node whose
    forecast changes, all with the statements that cause it. If no nodes run, the forecast is for the nodes that the earlier
    version plans.

    Exits with 1 if the upgrade must not be done this way: the version is withdrawn or does not fit the cluster, others have to
    come in between, or the later version would not make a node class ready.

    \b
    Examples:
      cutlist upgrade --from 1.14.1 --target 1.15.1
      cutlist upgrade --from 1.14.1 --target 1.15.1 -o markdown
      cutlist upgrade --from 1.14.1 --target 1.15.1 -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist upgrade --from 1.14.1 --target 1.15.1 -f pools.yaml -f snapshot.yaml --region us-west-2 --strict --to upgrade.html
      cutlist upgrade --from 1.12.0 --target 1.14.1 --kubernetes 1.35
      cutlist upgrade --from 0.32.10 --target 1.14.1 -o json
    """
    if "karpenter" in options.settings:
        raise click.UsageError("--karpenter is not for upgrade: --from and --target name the versions")
    if not options.files and (strict or instant is not None or any(astuple(gates)) or "feature_gates" in options.settings):
        raise click.UsageError("--strict, --at and feature gates are for manifests, and -f names none")
    answer = renderer.show(lambda: _upgrade(before, after, kubernetes, options, instant, gates))
    if answer.obstacles or (strict and answer.fleet is not None and answer.fleet.is_worse):
        ctx.exit(1)


def _upgrade(
    before: str, after: str, kubernetes: str, options: InputOptions, instant: float | None, gates: FeatureGates
) -> Upgrade:
    day = datetime.fromtimestamp(instant, UTC).date() if instant is not None else chosen_day(DAY, None)
    if not options.files:
        return upgrade(before, after, kubernetes, day=day)
    old, new = rules_of_both(before, after)
    inputs = read_by_both(old, new, lambda rules: _read(options, rules))
    show_not_read(inputs.workloads.notes)
    inputs = with_aws_gates(inputs, options.settings.get("feature_gates", ()), new)
    if (config := options.settings.get("scheduler_config")) is not None:
        inputs = with_scheduler_config(inputs, config, new)
    now = datetime.now(UTC).timestamp() if instant is None and not newest_time(inputs) else instant
    with progress_line("planning and forecasting by the rules of both versions"):
        return upgrade(before, after, kubernetes, inputs=inputs, now=now, gates=gates, allow_empty=options.allow_empty, day=day)


def _read(options: InputOptions, karpenter: Baseline) -> PlanInputs:
    """Return the manifests as a Karpenter reads them, with the feature gates of AWS that it has.

    Options that the earlier one lacks apply only to the later one, which checks them.
    """
    gates = tuple(gate for gate in options.settings.get("feature_gates", ()) if gate in karpenter.aws_feature_gates)
    return options.using(scheduler_config=None, karpenter=str(karpenter), feature_gates=gates).read()
