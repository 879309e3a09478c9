"""`cutlist schema`: the JSON Schema of Karpenter's objects, of Cutlist's answers, and of files with events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cutlist.api.editor_schema import DIALECT, kind_names, schema_for, schema_for_all
from cutlist.api.kinds import SHORT_NAMES
from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.core.karpenter.baselines import DEFAULT, chosen_baseline
from cutlist.settings.planning import KARPENTER
from cutlist.verbs.schemas import ANSWERS, FILES
from cutlist_cli import terminal
from cutlist_cli.command import Command
from cutlist_cli.files import write_answer
from cutlist_cli.options import debug_option, to_option
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.core.karpenter.baselines import Baseline


def _completions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the kinds that begin with the typed text."""
    return [name for name in _known_kinds() if name.startswith(incomplete.lower())]


@click.command("schema", cls=Command)
@click.argument("kind", required=False, shell_complete=_completions)
@setting_option(KARPENTER)
@to_option("Write the schema to a file.")
@debug_option
def command(kind: str | None, karpenter: str | None, answer_file: str | None) -> None:
    """Print the JSON Schema of Karpenter's objects, of an answer, or of a file that Cutlist reads.

    An editor checks files with it and completes them; a program that reads answers learns their form.

    KIND is nodepool, nodeclaim, nodeoverlay, capacitybuffer, ec2nodeclass, aksnodeclass or nodeclass (EKS Auto Mode), or one of
    kubectl's short names: overlays, cb, ec2nc, aksnc. Without KIND, the schema is for files with any of these, and accepts
    objects of other kinds. KIND can also be an answer that -o json writes: plan, types, nodes, explain, why, diff, disrupt,
    budgets, budgets-write (of sentences), doctor, interrupt, history, verify, verify-bill, validate, convert (its report),
    upgrade, userdata, preview, permissions, gate, sweep, suggest, simulate, simulate-runs (of several seeds),
    catalog-from-bill, catalog-diff; of several environments suggest-fleet, explain-all, gate-all, plan-all,
    diff-all, validate-all; or comparison, of two plans. KIND project is for cutlist.yaml, events for the file of
    simulate --events, simulation-state for that of simulate --save.

    \b
    Examples:
      cutlist schema --to karpenter.schema.json
      cutlist schema nodepool --karpenter 1.14
      cutlist schema plan --to plan.schema.json
      cutlist schema catalog-diff
      cutlist schema events --to events.schema.json
    """
    write_answer(json.dumps({"$schema": DIALECT, **_schema(kind, _baseline(karpenter))}, indent=2) + "\n", answer_file)


def _baseline(karpenter: str | None) -> Baseline:
    """Return the Karpenter of `--karpenter`, by default the newest. Raises InputError for one that is not supported."""
    if karpenter is None:
        return DEFAULT
    problems = Problems()
    baseline, notes = chosen_baseline(karpenter, Place.of(KARPENTER), problems)
    problems.raise_if_any()
    for note in notes:
        terminal.write_error(f"{terminal.safe(note.text)}\n")
    return baseline


def _schema(kind: str | None, karpenter: Baseline) -> dict[str, Any]:
    """Return the schema of a kind, of an answer or of a file; by default that of all kinds."""
    if kind is None:
        return schema_for_all(karpenter)
    name, kinds = SHORT_NAMES.get(kind.lower(), kind).lower(), _kinds()
    if name in kinds:
        return schema_for(kinds[name], karpenter)

    if name in ANSWERS or name in FILES:
        return {"title": name, **(ANSWERS.get(name) or FILES[name])}
    known = list(_known_kinds())
    raise InputError.one(Place(path="KIND"), f"there is no schema for {kind!r}", ", ".join(known), nearest(name, known))


def _kinds() -> dict[str, str]:
    """Return Karpenter's kinds by their names in lower case."""
    return {name.lower(): name for name in kind_names()}


def _known_kinds() -> dict[str, str]:
    """Return every name that the command accepts, with its kind."""
    return {**_kinds(), **{name: name for name in (*ANSWERS, *FILES)}}
