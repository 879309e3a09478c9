"""The gates' report, for a terminal: what stops the change first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.policy.gates.own import LIVE, READ, SUBJECT
from cutlist.policy.rules.objects.validity import seen
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape
from cutlist.report.price_sources import age_footnote
from cutlist.settings.gate import RULE, VERBOSE
from cutlist.verbs.gate.live_state import snapshot_sentence

_OF_MONEY: Final = frozenset(("NP-02", "NP-19", "PL-01", "PL-06", "PL-07"))
_FIRST: Final = (SUBJECT.id, LIVE.id)
_MOST: Final = 100
"""So many findings of one rule are shown: nobody reads more, and one repair often ends them all."""
_STYLES: Final = {"stopping": BAD, "advisory": WARN}


def render_gate(
    report: Report, width: int = 100, colour: bool = False, verbose: bool = False, plans: Sequence[Plan] = ()
) -> str:
    """Return every outcome with its place, what is allowed and one repair; then what was checked. Ends in a newline.

    A finding that a rule repeats for several objects is shown once, and of a rule with very many findings the first ones.
    Undetermined outcomes are one line, but for input that cannot be seen. With `verbose` all are shown. If a rule about money
    is broken, the answer says which prices of the `plans` are old.
    """
    page = Page(width)
    if said := snapshot_sentence(report.snapshots):
        page.paragraph(f"{said}.", style=QUIET)
        page.blank()
    for sort, heading, outcomes in sections(report):
        shortened = () if verbose or sort != "unknown" else {o.rule for o in outcomes} - {seen.id, READ.id}
        page.line((heading, HEADING))
        _list(page, [o for o in outcomes if o.rule not in shortened], _STYLES.get(sort, QUIET), verbose=verbose)
        if shortened:
            rules = ", ".join(dict.fromkeys(outcome.rule for outcome in outcomes if outcome.rule in shortened))
            text = f"{rules}: what they need is not set, or known only after an update; {VERBOSE.flag} says of each"
            page.paragraph(text, first="  ", indent=2, style=QUIET)
        page.blank()
    if any(outcome.rule in _OF_MONEY and outcome.verdict is Verdict.VIOLATED for outcome in report.outcomes):
        age_footnote(page, *(plan.shown_age for plan in plans))
    if report.off:
        page.paragraph(f"Switched off: {', '.join(report.off)}.", style=QUIET)
    looked_at = f"{rules_on_objects(report)}, profile {report.profile}, environment {report.environment}"
    counts = report.counts
    if report.inputs is not None and report.inputs.files > report.inputs.read:
        page.paragraph(f"{report.inputs.sentence}.", style=QUIET)
    if report.has_passed:
        page.paragraph(f"Passed: {looked_at}; {counts['advisory']} advisory, {counts['unknown']} open.", style=GOOD)
    else:
        page.paragraph(f"Stopped by {counted(counts['stopping'], 'violation')}: {looked_at}.", style=BAD)
    return page.text(colour=colour)


def verdict(report: Report) -> str:
    """Return in a few words whether the change may proceed."""
    return "passed" if report.has_passed else f"stopped by {counted(report.counts['stopping'], 'violation')}"


def rules_on_objects(report: Report) -> str:
    """Return how many rules are on, and about how many of all objects they are: `64 rules on 3 of 12 objects`."""
    part = f"{report.judged:,} of " if report.judged < report.looked_at else ""
    return f"{counted(report.rules, 'rule')} on {part}{counted(report.looked_at, 'object')}"


def _list(page: Page, outcomes: list[Judgement], style: str, *, verbose: bool) -> None:
    for rule, of_rule in groupby(outcomes, key=lambda outcome: outcome.rule):
        different = list(_alike(of_rule))
        for alike in different if verbose else different[:_MOST]:
            _outcome(page, alike, style)
        if len(different) > _MOST and not verbose:
            more = counted(len(different) - _MOST, "further finding")
            page.paragraph(f"{rule}: {more}; {VERBOSE.flag} shows them", first="  ", indent=2, style=style)


def _alike(outcomes: Iterable[Judgement]) -> Iterator[list[Judgement]]:
    """Yield equal outcomes of a rule on several objects together."""
    by_words: dict[tuple[str, ...], list[Judgement]] = {}
    for outcome in outcomes:
        words = (outcome.rule, outcome.verdict, outcome.found, outcome.allowed, outcome.advice, outcome.note)
        by_words.setdefault(words, []).append(outcome)
    yield from by_words.values()


def _outcome(page: Page, alike: list[Judgement], style: str) -> None:
    outcome = alike[0]
    about = ", ".join(dict.fromkeys(escape(each.about) for each in alike))
    page.paragraph(f"{outcome.rule} {about}: {escape(outcome.found)}", first="  ", indent=2, style=style)
    for where in dict.fromkeys(escape(str(each.place)) for each in alike):
        if where:
            page.paragraph(where, first="    ", indent=4, style=QUIET)
    if outcome.verdict is Verdict.EXEMPT:
        page.paragraph(escape(outcome.note), first="    ", indent=4, style=QUIET)
    elif outcome.verdict is Verdict.VIOLATED:
        if style == BAD:
            page.paragraph(escape(outcome.protects), first="    protects from: ", indent=19, style=QUIET)
        if outcome.allowed:
            page.paragraph(escape(outcome.allowed), first="    allowed: ", indent=13)
        page.paragraph(escape(outcome.advice), first="    repair: ", indent=12, style=GOOD)
        page.paragraph(f"cutlist gate {RULE.flag} {outcome.rule}", first="    more: ", indent=10, style=QUIET)


_HEADINGS: Final = {
    "stopping": "Stops the change",
    "advisory": "Advice",
    "unknown": "Undetermined",
    "exempt": "Exempt",
}


def sections(report: Report) -> Iterator[tuple[str, str, list[Judgement]]]:
    """Yield each sort of outcome that occurs, with its heading and its outcomes: first what a change says about its judge."""
    by_sort: dict[str, list[Judgement]] = {}
    first: list[Judgement] = []
    for outcome in report.outcomes:
        sort = report.sort(outcome)
        (first if outcome.rule in _FIRST and sort == "advisory" else by_sort.setdefault(sort, [])).append(outcome)
    if first:
        yield "advisory", "The change about its own judge", first
    for sort, heading in _HEADINGS.items():
        if sort in by_sort:
            yield sort, heading, by_sort[sort]
