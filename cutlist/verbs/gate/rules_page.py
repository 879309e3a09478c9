"""The page on all rules, made from the rules and their guides, and the part of it that is about one rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.policy.gates import OWN, AnyRule
from cutlist.policy.gates.own import OwnRule
from cutlist.policy.guides import Guide, guides
from cutlist.policy.registry import themes
from cutlist.policy.rules import StackRule
from cutlist.settings.gate import RULE, RULES
from cutlist.verbs.gate.rule_words import first_profile, fix_words, issue_address, levels, setting_words, value

_SHOWN_TYPES: Final = 6
_NOT_IN_A_LINK: Final = re.compile(r"[^\w\- ]")
_HEAD: Final = f"""# The rules

`cutlist gate {RULES.flag}` prints this page, and `cutlist gate {RULE.flag} NP-01` the part about one rule. \
[Gates](gates.md) describes
how to set rules, exempt objects from them, and run them.

A rule passes, is violated, or is undetermined because something is not known, which the report names. For a violation, the
report says where it is, what is allowed, and one repair. A mandatory violation ends `cutlist gate` with exit code 1, and stops
a preview under the policy pack.

Each rule has an example that breaks it and one that passes. They are Kubernetes objects, resources of a Pulumi program in YAML,
or the `measures` of a plan, and they show only what the rule reads.

The fix of a violation is *safe* if running nodes stay as they are, and *replaces nodes* if it makes them drift. Where it *needs
judgement*, the rule says what to look at first. Issues are reports of people who had the problem.
"""
_INDEX: Final = """| rule | | stops from | fix |
|---|---|---|---|"""
_GATES: Final = """## The gates themselves

You cannot switch these off or exempt objects from them.

| id | rule | protects from | level |
|---|---|---|---|"""


def rules_page(others: Sequence[AnyRule] = ()) -> str:
    """Return every rule by theme: what it checks and why, examples, settings, fix safety. `others` are of other packages."""
    known = guides()
    lines = [_HEAD, _INDEX]
    lines += [_row(rule, known) for theme in themes() for rule in theme.rules]
    lines += ["", _GATES]
    lines += [f"| {gate.id} | {gate.title} | {gate.protects} | {gate.level} |" for gate in OWN]
    for theme in themes():
        lines += ["", f"## {theme.title}", ""]
        lines += [line for rule in theme.rules for line in _rule(rule, known.get(rule.id))]
    if others:
        lines += ["", "## Rules of other packages", ""]
        lines += [line for rule in others for line in _rule(rule, None)]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def rule_markdown(rule: AnyRule | OwnRule) -> str:
    """Return the part of the page that is about one rule, in Markdown."""
    if isinstance(rule, OwnRule):
        return f"### {rule.id} {rule.title}\n\nProtects from: {rule.protects}. Level: {rule.level}.\n"
    return "\n".join(_rule(rule, guides().get(rule.id))).rstrip() + "\n"


def _row(rule: AnyRule, known: Mapping[str, Guide]) -> str:
    heading = f"{rule.id} {rule.title}"
    anchor = _NOT_IN_A_LINK.sub("", heading.lower()).replace(" ", "-")
    return f"| [{rule.id}](#{anchor}) | {rule.title} | {first_profile(rule) or 'advice'} | {known[rule.id].fix} |"


def _rule(rule: AnyRule, guide: Guide | None) -> Iterator[str]:
    yield from (f"### {rule.id} {rule.title}", "", f"{levels(rule)}.", "")
    if guide is None:
        yield from (f"Protects from: {rule.protects}.", "")
    else:
        yield from _guided(rule, guide)
    if rule.parameters:
        yield from ("#### Settings", "")
        yield from (f"- {setting_words(rule, parameter)}" for parameter in rule.parameters)
        yield ""
    yield from ("#### Looks at", "", *_looks_at(rule), "")
    if rule.hurt:
        yield from ("#### Issues", "", ", ".join(f"[{short}]({issue_address(short)})" for short in rule.hurt), "")


def _guided(rule: AnyRule, guide: Guide) -> Iterator[str]:
    yield from ("#### What it does", "", guide.checks, "", "#### Why this is bad", "", guide.why, "", "#### Example", "")
    if guide.settings:
        yield from (f"With `{value(dict(guide.settings))}`:", "")
    yield from ("```yaml", guide.example, "```", "", "Use instead:", "", "```yaml", guide.instead, "```", "")
    yield from ("#### Fix safety", "", fix_words(rule, guide), "")


def _looks_at(rule: AnyRule) -> Iterator[str]:
    """Yield the types that a rule looks at; many of them folded."""
    scope = "all together" if isinstance(rule, StackRule) else "each by itself"
    types = ", ".join("all resources" if kind == "*" else f"`{kind}`" for kind in rule.looks_at)
    if len(rule.looks_at) <= _SHOWN_TYPES:
        yield f"{types}; {scope}."
    else:
        yield from (f"<details><summary>{len(rule.looks_at)} types, {scope}</summary>", "", types, "", "</details>")
