"""`cutlist gate`: a stack's resources and plan, or plain files, checked against the rules; offline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from cutlist.core.errors import InputError, Place, nearest
from cutlist.core.records import json_of
from cutlist.policy.gates import OWN
from cutlist.policy.registry import ALL as CUTLISTS
from cutlist.policy.registry import known_rules
from cutlist.settings.environments import ALL, ENVIRONMENT
from cutlist.settings.gate import ALSO_TO, RULE, RULES, VERBOSE
from cutlist.settings.planning import FILES
from cutlist.settings.stack import STACK
from cutlist.verbs.gate.junit import gate_junit
from cutlist.verbs.gate.rule_text import render_rule
from cutlist.verbs.gate.rules_page import rule_markdown, rules_page
from cutlist.verbs.gate.sarif import gate_sarif
from cutlist.verbs.gate.text import render_gate
from cutlist_cli.command import Command
from cutlist_cli.files import refuse_inputs, write_answer, write_file
from cutlist_cli.formats import OutputFormats, later, on
from cutlist_cli.gate_inputs import STOPPED, GateInputs, gate_inputs
from cutlist_cli.notes import show_services
from cutlist_cli.own_stacks import environments_of_stacks, stacks_instead_of_files
from cutlist_cli.renderer import Renderer, form_of_file, renderer_options
from cutlist_cli.setting_options import setting_options

if TYPE_CHECKING:
    from cutlist.policy.gates import AnyRule, Report
    from cutlist.policy.gates.own import OwnRule
    from cutlist.verbs.gate.answer import GateResult
    from cutlist.verbs.gate.change import Change


def _report(answer: GateResult) -> Report:
    return answer.report


def _text(answer: GateResult, *, width: int, colour: bool, verbose: bool = False) -> str:
    plans = answer.plans if answer.change is None else ()  # a change says itself which of its prices are old
    report = render_gate(answer.report, width=width, colour=colour, verbose=verbose, plans=plans)
    return report if answer.change is None else f"{_changes(answer.change, width, colour=colour)}\n{report}"


def _changes(change: Change, width: int, *, colour: bool) -> str:
    from cutlist.verbs.diff.text import render_diff  # only where it is asked for

    return f"{change.missing}\n" if change.difference is None else render_diff(change.difference, width=width, colour=colour)


def _markdown(answer: GateResult) -> str:
    from cutlist.verbs.gate.markdown import gate_markdown  # takes 20 ms more, with the views of plans

    name = click.get_current_context().params.get(ENVIRONMENT.name)
    return gate_markdown(answer.report, answer.plans, answer.change, name or "")


_PAGE: Final = "html"
_FORMATS: Final[OutputFormats[GateResult]] = OutputFormats(
    text=_text,
    others={
        "markdown": _markdown,
        _PAGE: later("cutlist.verbs.gate.html", "gate_html"),
        "json": on(_report, json_of),
        "sarif": on(_report, gate_sarif),
        "junit": on(_report, gate_junit),
    },
)


_RULE_FORMATS: Final[OutputFormats[AnyRule | OwnRule]] = OutputFormats(text=render_rule, others={"markdown": rule_markdown})


@click.command("gate", cls=Command)
@gate_inputs
@setting_options((ALL, ALSO_TO, VERBOSE, RULES, RULE))
@renderer_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    inputs: GateInputs,
    all_environments: bool,
    written: tuple[str, ...],
    verbose: bool,
    lists_rules: bool,
    shown_rule: str | None,
    renderer: Renderer[GateResult],
) -> None:
    """Check NodePools, node classes, resources and the predicted plan against the rules.

    Needs no account, no cluster and no engine. Exits with 0 if the change may proceed; 1 if a mandatory rule is broken, or the
    stack's program ends before everything that it registers is known; 2 if the program fails, a file cannot be opened, no
    region is given, or no rule applies to anything. Input that cannot be read, planned or understood is a violation itself.
    docs/rules.md lists the rules; --rule prints one of them. In the folder of a Pulumi project, its only stack is judged
    where nothing else is named, or each of its stacks as with --all.

    \b
    Examples:
      cutlist gate --stack prod
      cutlist gate --stack prod --to gate.sarif
      cutlist gate -f pools.yaml -f workloads.yaml --region us-west-2
      cutlist gate -f pools.yaml --gates gates.yaml --region us-west-2 --write
      cutlist gate -f pools.yaml -f workloads.yaml --region us-west-2 --all
      cutlist gate -f pools.yaml -f workloads.yaml --region us-west-2 --base main -o markdown
      cutlist gate --rule NP-01
    """
    if lists_rules or shown_rule is not None:
        option = RULES.flag if lists_rules else RULE.flag
        if inputs.stack or inputs.files or (lists_rules and shown_rule is not None):
            raise click.UsageError(f"{option} prints a page and judges nothing; leave out {STACK.flag} and {FILES.flag}")
        write_answer(_rules_page() if shown_rule is None else _one_rule(shown_rule, renderer), renderer.file)
        return
    stacks = () if inputs.stack else stacks_instead_of_files(ctx, inputs.project_dir)
    if len(stacks) == 1 and not all_environments:
        inputs = replace(inputs, stack=stacks[0], options=replace(inputs.options, files=()))
    if all_environments or (stacks and not inputs.stack):
        from cutlist_cli.gate_all import show_all  # only where it is asked for

        show_all(ctx, inputs, renderer, environments_of_stacks("gate", inputs.project_dir, stacks))
        return
    targets = [_target(text) for text in written]
    inputs.check()
    files = [] if renderer.file is None else [renderer.file]
    sources = list(inputs.sources()) if targets or files else []
    refuse_inputs("--to", files, sources)
    refuse_inputs(ALSO_TO.flag, [path for _, path in targets], [*sources, *files])
    if verbose:
        renderer = replace(renderer, formats=replace(_FORMATS, text=partial(_text, verbose=True)))
    # Only a page has the whole plan, with what would help pods that stay pending.
    result = inputs.result(advises=_PAGE in (renderer.output_format, *(output_format for output_format, _ in targets)))
    for output_format, path in targets:
        write_file(path, renderer.formats.write(output_format, result, renderer.width))
    renderer.write(result)
    show_services(result.report.services)
    if result.unread:
        raise InputError(result.unread)
    if not result.report.has_passed:
        ctx.exit(STOPPED)


def _rules_page() -> str:
    return rules_page([rule for rule in known_rules() if rule not in CUTLISTS])


def _one_rule(id_: str, renderer: Renderer[GateResult]) -> str:
    rules: dict[str, AnyRule | OwnRule] = {rule.id: rule for rule in (*OWN, *known_rules())}
    if id_.upper() not in rules:
        raise InputError.one(Place.of(RULE), f"no rule {id_!r}", "an id of docs/rules.md", nearest(id_.upper(), rules))
    output = renderer.output_format
    if output not in _RULE_FORMATS.names:
        raise click.UsageError(f"{RULE.flag} prints {' or '.join(_RULE_FORMATS.names)}, not {output}")
    return _RULE_FORMATS.write(output, rules[id_.upper()], renderer.width, is_file=renderer.file is not None)


def _target(text: str) -> tuple[str, str]:
    """Return the format and the file that `--also-to` names."""
    output_format, separator, path = text.partition("=")
    if not separator and (named := form_of_file(text)) in _FORMATS.names:
        return named, text
    if output_format not in _FORMATS.names or not path:
        known = nearest(output_format, _FORMATS.names)
        near, allowed = f"{known}={path or 'FILE'}" if known else "", f"FORM=FILE with {', '.join(_FORMATS.names)}"
        raise InputError.one(Place.of(ALSO_TO), f"{text!r} is not a format and a file", allowed, near)
    return output_format, path
