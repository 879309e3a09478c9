"""Dashboards and alerts: of series that the version has, whole, and without overlap."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError
from cutlist.core.karpenter.versions import KarpenterVersion
from cutlist.infrastructure.observability.alerts import ALERTS, alert_rules
from cutlist.infrastructure.observability.dashboards import BOARDS, dashboards
from cutlist.infrastructure.observability.series import SERIES, are_in, names_in

VERSIONS = st.builds(KarpenterVersion, st.just(1), st.integers(0, 15), st.integers(0, 2))
TODAY = KarpenterVersion(1, 14, 1)
LATER = KarpenterVersion(1, 15, 1)


def expressions(version: KarpenterVersion) -> list[str]:
    of_boards = [t["expr"] for board in dashboards(version).values() for panel in board["panels"] for t in panel["targets"]]
    return of_boards + [rule["expr"] for group in alert_rules(version)["groups"] for rule in group["rules"]]


# I-79
@given(VERSIONS)
def test_nothing_is_drawn_or_watched_that_the_version_does_not_tell(version):
    had = {series.name for series in SERIES if series.since <= version}
    for expression in expressions(version):
        assert names_in(expression) <= had, expression


def test_every_series_of_an_expression_is_one_that_is_known():
    written = [panel.expression for board in BOARDS for panel in board.panels]
    written += [expression for alert in ALERTS for expression in alert.expressions]
    assert set().union(*map(names_in, written)) == {series.name for series in SERIES}


def test_brackets_of_expressions_close():
    for expression in expressions(TODAY):
        for opening, closing in ("()", "{}", "[]"):
            assert expression.count(opening) == expression.count(closing), expression


# I-79
def test_an_older_controller_is_watched_by_its_own_series():
    """Node classes had no series of their own in 1.0; failed launches were reported as errors of the cloud before 1.14."""
    by_name = {alert.name: alert for alert in ALERTS}
    classes, launches = by_name["KarpenterNodeClassNotReady"], by_name["KarpenterLaunchesFail"]
    assert "operator_ec2nodeclass_status" in classes.expression(TODAY)
    assert 'kind="EC2NodeClass"' in classes.expression(KarpenterVersion(1, 0, 14))
    assert "errors_total" in launches.expression(KarpenterVersion(1, 13, 1))
    assert by_name["KarpenterDrainStuck"].expression(KarpenterVersion(1, 0, 14)) is None
    assert not are_in("karpenter_nodepools_cost_total", KarpenterVersion(1, 9, 2))


def test_today_all_alerts_are_watched():
    """Pods without a node, limits, classes, launches, state, interruptions and drains."""
    [group] = alert_rules(TODAY)["groups"]
    assert [rule["alert"] for rule in group["rules"]] == [alert.name for alert in ALERTS]
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert set(rule["annotations"]) == {"summary", "description"}


# VA15-118
def test_1_15_has_every_series_of_1_14():
    """No name changes, so nothing that is drawn or watched is left out with the upgrade."""
    assert set(expressions(TODAY)) <= set(expressions(LATER))


# V15-76 V15-78
def test_expressions_do_not_depend_on_what_1_15_renames():
    """They select no reason, decision or error, whose spelling changes, and new labels are summed away."""
    renamed = re.compile(r"\b(reason|decision|error|consolidation_policy|termination_mode|dynamic_resources)\s*(=|!=|=~|!~)")
    of_both = [e for version in (TODAY, LATER) for e in expressions(version)]
    assert [e for e in of_both if renamed.search(e)] == []
    more_labels = ("karpenter_nodeclaims_disrupted_total", "karpenter_cloudprovider_errors_total")
    assert [e for e in of_both if any(name in e for name in more_labels) and not e.startswith("sum by (")] == []


# V15-77
def test_reboots_and_terminations_before_the_replacement_are_drawn_since_1_15():
    new = set(expressions(LATER)) - set(expressions(TODAY))
    assert set().union(*map(names_in, new)) == {
        "karpenter_nodes_reboots_total",
        "karpenter_voluntary_disruption_terminate_first_decisions_total",
    }


@given(VERSIONS)
def test_panels_lie_side_by_side(version):
    """No two panels of a dashboard overlap, and each has a place within the width."""
    for board in dashboards(version).values():
        places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
        assert len(set(places)) == len(places)
        assert all(x + width <= 24 for x, _, width, _ in places)
        assert [panel["id"] for panel in board["panels"]] == [*range(1, len(places) + 1)]
        assert json.loads(json.dumps(board)) == board


def test_series_before_the_first_version_are_not_guessed():
    for make in (dashboards, alert_rules):
        with pytest.raises(InputError, match=r"0\.37\.8"):
            make(KarpenterVersion(0, 37, 8))
