"""What an upgrade of Karpenter changes as a page: steps, what it does to a fleet and by which statement, and all changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.planning.fleet_deltas import next_deltas
from cutlist.planning.fleet_upgrade import FleetUpgrade
from cutlist.report.estimates import plan_month, span_in_words
from cutlist.report.html.rendering import render
from cutlist.report.plain import currency_sign, currency_unit, monthly
from cutlist.verbs.diff.columns import PAGE_WORDS as CHANGE_WORDS
from cutlist.verbs.upgrade.answer import Upgrade
from cutlist.verbs.upgrade.text import OF_A_FLEET, verdict


def upgrade_html(upgrade: Upgrade) -> str:
    """Return an upgrade as one page; without manifests it has only the steps and the changes."""
    sentence, _ = verdict(upgrade)
    return render(
        "upgrade/page.html.j2",
        words=CHANGE_WORDS,
        upgrade=upgrade,
        sentence=sentence,
        steps=[delta for when in (When.FIRST, When.WITH, When.AFTER) for delta in upgrade.at(when)],
        changes=[d for subject in Subject if subject not in OF_A_FLEET for d in upgrade.of(subject) if not d.when],
        drift=upgrade.of(Subject.DRIFT),
        **_of_fleet(upgrade.fleet),
    )


def _of_fleet(fleet: FleetUpgrade | None) -> Mapping[str, Any]:
    """Return the page's view of a fleet."""
    if fleet is None:
        return {"unit": "$", "sign": "$", "fleet": None, "outlook": None, "causes": [], "pools": []}
    rows, outlook = fleet.rows, fleet.outlook
    return {
        "unit": currency_unit(fleet.comparison.currency),
        "sign": currency_sign(fleet.comparison.currency),
        "fleet": fleet,
        "outlook": outlook,
        "before": fleet.comparison.before.totals,
        "after": fleet.comparison.after.totals,
        "months": [plan_month(plan, monthly) for plan in (fleet.comparison.before, fleet.comparison.after)],
        "span": span_in_words(fleet.comparison.after.totals),
        "rows": rows,
        "disruption": [] if outlook is None else list(next_deltas(fleet, outlook)),
        "causes": fleet.caused_by(fleet.causes),
        "pools": [*(row.node_pool for row, _ in rows.nodes), *(row.before.pool for row, _ in rows.forecasts)],
    }
