"""What an upgrade of Karpenter changes, as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.infrastructure.charts.upgrade import ChartDelta
from cutlist.planning.fleet_upgrade import FleetUpgrade
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.verbs.diff.words import change_sentence
from cutlist.verbs.upgrade.answer import Upgrade

_INDENT: Final = 9
OF_A_FLEET: Final = (Subject.NODES, Subject.DRIFT, Subject.DISRUPTION)
"""The subjects that are not changes of a version, but what they do to manifests."""


def render_upgrade(upgrade: Upgrade, width: int = 100, colour: bool = False) -> str:
    """Return what changes, by subject, with what has to be done at the top, then the verdict. Ends in a newline."""
    page = Page(width)
    page.line((f"Karpenter {upgrade.before} to {upgrade.after}", HEADING))
    page.blank()
    for subject in Subject:
        deltas = upgrade.of(subject)
        if deltas:
            page.line((heading(subject), HEADING))
            for delta in deltas:
                _delta(page, delta)
            page.blank()
    if order := order_of_steps(upgrade):
        page.paragraph(order)
        page.blank()
    for note in upgrade.notes:
        page.paragraph(note, first="  note".ljust(_INDENT), indent=_INDENT, style=QUIET)
    for obstacle in upgrade.obstacles:
        page.paragraph(obstacle, first="  stop".ljust(_INDENT), indent=_INDENT, style=BAD)
    sentence, style = verdict(upgrade)
    page.paragraph(sentence, style=style)
    return page.text(colour=colour)


def _delta(page: Page, delta: ChartDelta) -> None:
    style = WARN if delta.when is When.FIRST else ""
    page.paragraph(delta.cited, first=f"  {delta.when or '-'}".ljust(_INDENT), indent=_INDENT, style=style)


def heading(subject: Subject) -> str:
    """Return a subject as the heading of its changes."""
    return subject.value.capitalize() if subject.value.islower() else subject.value


def order_of_steps(upgrade: Upgrade) -> str:
    """Return in a sentence the headings of what has to be done, in order; empty if nothing has to be done."""
    first, after = (tuple(dict.fromkeys(d.subject for d in upgrade.at(when))) for when in (When.FIRST, When.AFTER))
    parts = [f"do what is marked first, under {_headings(first)}"] if first else []
    parts += ["upgrade the controller"] if upgrade.at(When.WITH) else []
    parts += [f"do what is marked after, under {_headings(after)}"] if after else []
    return f"In this order: {', then '.join(parts)}." if len(parts) > 1 else ""


def _headings(subjects: Sequence[Subject]) -> str:
    *others, last = map(heading, subjects)
    return f"{', '.join(others)} and {last}" if others else last


def verdict(upgrade: Upgrade) -> tuple[str, str]:
    """Return the last sentence on an upgrade, and its style."""
    if upgrade.obstacles:
        return "This upgrade must not be made like this.", BAD
    if upgrade.before == upgrade.after:
        return f"Nothing changes: {upgrade.before} is both versions.", QUIET
    deltas = [delta for delta in upgrade.deltas if delta.subject not in OF_A_FLEET or delta.when]
    first, during, after, rest = (sum(delta.when is when for delta in deltas) for when in When)
    steps = f"{counted(first, 'thing')} to do first, {during:,} with the upgrade, {after:,} after it"
    sentence = f"{steps}, {counted(rest, 'change')} to know of."
    return (sentence, GOOD) if upgrade.fleet is None else (f"{sentence} {_of_fleet(upgrade.fleet)}", GOOD)


def _of_fleet(fleet: FleetUpgrade) -> str:
    """Return in a sentence what differs for a fleet."""
    if fleet.is_same:
        return "For these manifests nothing differs."
    drifting, forecasts = ((), ()) if fleet.outlook is None else (fleet.outlook.drifting, fleet.outlook.nodes)
    same = "the same nodes, price and pending pods"
    parts = [same if fleet.comparison.is_same else change_sentence(fleet.comparison).rstrip(".")]
    parts += [f"{counted(len(drifting), 'node')} drifted by it"] if drifting else []
    parts += [f"{counted(len(forecasts), 'node')} with another forecast"] if forecasts else []
    parts += ["another order of disruption"] if fleet.outlook is not None and fleet.outlook.orders else []
    return f"For these manifests: {', '.join(parts)}."
