"""One rule, for a terminal: what it checks and why, an example, what to write instead, and what a repair does to nodes."""

from __future__ import annotations

from typing import Final

from cutlist.policy.gates import AnyRule
from cutlist.policy.gates.own import OwnRule
from cutlist.policy.guides import Guide, guides
from cutlist.report.page import HEADING, QUIET, Page
from cutlist.verbs.gate.rule_words import fix_words, issue_address, levels, setting_words, value

_INDENT: Final = 2


def render_rule(rule: AnyRule | OwnRule, width: int = 100, colour: bool = False) -> str:
    """Return what there is to know about a rule; ends in a newline."""
    page = Page(width)
    page.paragraph(f"{rule.id} {rule.title}", style=HEADING)
    if isinstance(rule, OwnRule):
        page.paragraph(f"{rule.level.capitalize()}; cannot be switched off.", style=QUIET)
        _section(page, "Protects from", f"{rule.protects}.")
        return page.text(colour=colour)
    page.paragraph(f"{levels(rule)}.", style=QUIET)
    guide = guides().get(rule.id)
    if guide is None:
        _section(page, "Protects from", f"{rule.protects}.")
    else:
        _guided(page, rule, guide)
    page.bullets("Settings", [setting_words(rule, parameter).replace("`", "") for parameter in rule.parameters])
    page.bullets("Issues", [issue_address(short) for short in rule.hurt])
    return page.text(colour=colour)


def _guided(page: Page, rule: AnyRule, guide: Guide) -> None:
    _section(page, "What it does", guide.checks)
    _section(page, "Why this is bad", guide.why)
    _yaml(page, f"Example, with {value(dict(guide.settings))}" if guide.settings else "Example", guide.example)
    _yaml(page, "Use instead", guide.instead)
    _section(page, "Fix safety", fix_words(rule, guide))


def _section(page: Page, title: str, words: str) -> None:
    page.blank()
    page.line((title, HEADING))
    page.paragraph(words.replace("`", ""), first=" " * _INDENT, indent=_INDENT)


def _yaml(page: Page, title: str, text: str) -> None:
    page.blank()
    page.line((title, HEADING))
    for line in text.splitlines():
        page.line(" " * _INDENT + line)
