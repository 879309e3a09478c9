"""`cutlist budgets`: NodePools in, a week of their disruption budgets out."""

from __future__ import annotations

import json
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.budget_windows import UNLIMITED, Limit
from cutlist_cli import main
from tests.examples import examples
from tests.sample import POOLS, SNAPSHOT

MONDAY = ("--from", "2026-01-05T00:00:00Z")
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
  disruption:
    consolidateAfter: 1m
    budgets: %s
"""
OFFICE_HOURS = '[{nodes: "20%"}, {nodes: "0", schedule: "0 9 * * mon-fri", duration: 8h, reasons: [Drifted]}]'


def run(folder: Path, budgets: str, *arguments: str) -> Result:
    file = folder / "pool.yaml"
    file.write_text(POOL % budgets)
    return CliRunner().invoke(main, ["budgets", "-f", str(file), *MONDAY, *arguments])


def week(folder: Path, budgets: str, *arguments: str) -> dict[str, Any]:
    result = run(folder, budgets, *arguments, "-o", "json")
    assert result.exit_code == 0, result.output
    (pool,) = json.loads(result.stdout)["nodePools"]
    found: dict[str, Any] = pool
    return found


# D-27 D-30 D-32
def test_spans_begin_and_end_where_windows_do(tmp_path):
    """On working days drift is closed from nine to five; at other times a fifth of the nodes may go, rounded up."""
    found = week(tmp_path, OFFICE_HOURS, "--nodes", "17")
    assert len(found["spans"]) == 11
    first, second, *_ = found["spans"]
    assert (first["from"], first["to"]) == ("2026-01-05T00:00:00Z", "2026-01-05T09:00:00Z")
    assert first["allowed"] == {"Underutilized": 4, "Empty": 4, "Drifted": 4, "Unhealthy": 4}
    assert (second["to"], second["allowed"]) == (
        "2026-01-05T17:00:00Z",
        {"Underutilized": 4, "Empty": 4, "Drifted": 0, "Unhealthy": 4},
    )
    assert all(one["to"] == next_["from"] for one, next_ in zip(found["spans"], found["spans"][1:], strict=False))


def test_the_text_shows_alike_days_and_reasons_once(tmp_path):
    """A grid of hours; working days are one line."""
    lines = run(tmp_path, OFFICE_HOURS, "--nodes", "17", "--width", "100").stdout.splitlines()
    assert "  Mon-Fri" + "  4" * 9 + "  0" * 8 + "  4" * 7 in lines
    titles = [
        line.strip() for line in lines if line.strip().split(",")[0] in ("Empty", "Drifted", "Underutilized", "Unhealthy")
    ]
    assert sorted(", ".join(titles).split(", ")) == ["Drifted", "Empty", "Underutilized", "Unhealthy"]


@pytest.mark.parametrize(
    ("budgets", "text"),
    [
        ('[{nodes: "0", reasons: [Empty]}]', "no node may be disrupted for the reason Empty at any time of the week"),
        ('[{nodes: "1", schedule: "0 0 30 2 *", duration: 1h}]', "the schedule '0 0 30 2 *' never comes"),
        ("[]", "any number of nodes may be disrupted at a time"),
        ('[{nodes: "1", reasons: []}]', "a budget of 1 has an empty list of reasons, so it applies to none"),
    ],
)
# D-26 D-33
def test_budgets_that_do_other_than_they_seem_to_are_named(tmp_path, budgets, text):
    """Budgets that never open, never come or apply to nothing."""
    assert any(text in oddity for oddity in week(tmp_path, budgets, "--nodes", "10")["oddities"])


# D-31
def test_a_schedule_that_cannot_be_read_is_refused(tmp_path):
    """Karpenter would disrupt nothing; the mistake has its place."""
    result = run(tmp_path, '[{nodes: "1", schedule: "0 9 * * 7", duration: 1h}]')
    assert result.exit_code == 2
    assert "'7' is not a day of week" in " ".join(result.stderr.split())


# D-31
def test_a_schedule_that_a_cluster_has_and_karpenter_cannot_read_closes_the_pool(tmp_path):
    """The API server has taken it, so it is there: nothing may go, for no reason, and the week says why."""
    file = tmp_path / "stored.yaml"
    pool = POOL % '[{nodes: "1", schedule: "0 9 * * 7", duration: 1h, reasons: [Empty]}]'
    file.write_text(pool.replace("{name: web}", "{name: web, uid: 1b4e28ba-2fa1-11d2-883f-0016d3cca427}"))
    result = CliRunner().invoke(main, ["budgets", "-f", str(file), *MONDAY, "--nodes", "9", "-o", "json"])
    (found,) = json.loads(result.stdout)["nodePools"]
    assert [span["allowed"] for span in found["spans"]] == [{"Underutilized": 0, "Empty": 0, "Drifted": 0, "Unhealthy": 0}]
    assert "cannot read the schedule '0 9 * * 7'" in found["oddities"][0]


def test_without_nodes_percentages_stay_percentages(tmp_path):
    """Of how many nodes is not known, so there is no number and no alarm."""
    found = week(tmp_path, '[{nodes: "50%"}, {nodes: "5", reasons: [Empty]}]')
    assert (found["nodes"], found["oddities"]) == (None, [])
    (span,) = found["spans"]
    assert span["allowed"] is None
    assert span["limits"]["Drifted"] == {"nodes": None, "percent": 50}
    assert span["limits"]["Empty"] == {"nodes": 5, "percent": 50}
    text = run(tmp_path, '[{nodes: "50%"}, {nodes: "5", reasons: [Empty]}]').stdout
    assert "NodePool web, week from" in text
    assert " 50% 50%" in text
    assert " 5,50%" in text
    assert "no node may be disrupted" not in text
    assert "--nodes N gives numbers" in " ".join(text.split())


def test_with_a_number_or_a_cluster_percentages_are_of_its_nodes(tmp_path):
    """Each NodePool of the cluster by its own."""
    assert "NodePool web, 10 nodes" in run(tmp_path, '[{nodes: "50%"}]', "--nodes", "10").stdout
    text = CliRunner().invoke(main, ["budgets", "-f", str(POOLS), "-f", str(SNAPSHOT), *MONDAY]).stdout
    assert "NodePool general, 4 nodes" in text
    assert "%" not in text


@pytest.mark.parametrize("nodes", ["0", "0%"])
def test_a_budget_of_none_is_an_alarm_without_nodes_too(tmp_path, nodes):
    """It lets none go, however many there are."""
    oddities = week(tmp_path, f'[{{nodes: "{nodes}"}}]')["oddities"]
    assert sum(text.startswith("no node may be disrupted for the reason ") for text in oddities) == 4


# D-27
@given(
    percents=st.lists(st.integers(0, 100), max_size=3),
    counts=st.lists(st.integers(0, 50), max_size=3),
    nodes=st.integers(0, 80),
)
@examples(0.5)
def test_limits_together_allow_what_the_tightest_of_them_allows(percents, counts, nodes):
    """Whatever their order, and for any number of nodes."""
    limits = [*(Limit(percent=p) for p in percents), *map(Limit, counts)]
    together = reduce(and_, limits, Limit())
    assert together.of(nodes) == min((limit.of(nodes) for limit in limits), default=UNLIMITED)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_wider_than_the_page(tmp_path, width):
    """On a narrow page a day has two lines."""
    lines = run(tmp_path, OFFICE_HOURS, "--width", str(width)).stdout.splitlines()
    assert max(map(len, lines)) <= width


def test_unhealthy_is_a_reason_since_1_15(tmp_path):
    """In a budget, and in the calendar."""  # V15-36 V15-61
    budget = "[{nodes: '0', reasons: [Unhealthy]}]"
    limits = week(tmp_path, budget, "--karpenter", "1.15")["spans"][0]["limits"]
    assert list(limits) == ["Empty", "Drifted", "Underutilized", "Unhealthy"]
    refused = run(tmp_path, budget, "--karpenter", "1.14")
    assert refused.exit_code == 2
    assert "Unhealthy" in refused.output
    unknown = run(tmp_path, budget, "--karpenter", "9.9")
    assert (unknown.exit_code, "1.14, 1.15" in unknown.output) == (2, True)


def test_a_sentence_becomes_budgets_that_a_nodepool_takes_as_they_are(tmp_path):
    """The text is YAML, and needs no files."""
    result = CliRunner().invoke(main, ["budgets", "--propose", "drift only Monday 1 to 5", "--from", "2026-01-05T00:00:00Z"])
    assert result.exit_code == 0, result.output
    written = yaml.safe_load(result.stdout)["budgets"]
    hours = week(tmp_path, json.dumps(written))["oddities"]
    assert [text for text in hours if not text.startswith("expireAfter")] == []
    assert written[1] == {"nodes": "0", "reasons": ["Drifted"], "schedule": "0 5 * * mon", "duration": "164h"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--propose", "drift some"], "--propose: 'drift some' has no only, never or at most"),
        (["--propose", "drift never", "-o", "html"], "--propose has text, json, yaml as -o, not html"),
        (["--propose", "drift never", "--watch"], "leave out --watch"),
        (["--propose", "drift never", "-f", "pools.yaml"], "--propose reads no files: leave out -f"),
        (["--propose", "drift never", "--nodes", "20", "--from-plan", "-"], "leave out --nodes, --from-plan"),
        ([], "Missing option '-f'"),
    ],
)
def test_what_does_not_go_with_a_sentence_is_refused(arguments, said):
    result = CliRunner().invoke(main, ["budgets", *arguments])
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
