"""`cutlist simulate`: curves in, a week out."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.recorded import PROJECT

FILES = [str(PROJECT / "docs" / "examples" / name) for name in ("pools.yaml", "app.yaml")]
DEMO = str(PROJECT / "docs" / "snapshots" / "demo.yaml")


def run(*arguments: str):
    named = [argument for file in FILES for argument in ("-f", file)]
    return CliRunner().invoke(main, ["simulate", *named, "--region", "us-west-2", "--days", "0.1", *arguments])


def trace(tmp_path, *lines: str) -> str:
    path = tmp_path / "week.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_answer_has_totals_series_and_commands(tmp_path):
    """The replicas of the curve count from the start on; the trainer of the example never gets a node."""
    result = run("--trace", trace(tmp_path, "time,deployment/web", "0,12", "1h,30"), "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["start"] == "2026-01-05T00:00:00Z"
    assert {*data["total"]} == {"usd", "nodeHours", "evictions", "pods", "pending", "pendingSeconds"}
    assert [hour["pods"] for hour in data["series"]] == pytest.approx([12, 30, 30], abs=0.6)
    assert data["total"]["pending"] == 1
    assert data["commands"][0]["decision"] == "launch"


def test_a_snapshot_is_where_it_begins():
    """The nodes and pods that run are there, and consolidation goes on with them."""
    result = run("--from", DEMO)
    assert result.exit_code == 0, result.output
    assert "nodes with" in result.stdout
    assert "delete" in result.stdout


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("time,deployment/wob", "0,3"), "did you mean deployment/web?"),
        (("time,deployment/web", "0,some"), "week.csv:2"),
    ],
    ids=["another workload", "no number"],
)
def test_mistakes_in_a_trace_are_named(tmp_path, lines, message):
    result = run("--trace", trace(tmp_path, *lines))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in "".join(result.stderr.split("\n"))


def test_static_node_pools_are_refused(tmp_path):
    pools, text = tmp_path / "static.yaml", (PROJECT / "docs" / "examples" / "pools.yaml").read_text()
    pools.write_text(text.partition("  limits:")[0].replace("spec:\n  template:", "spec:\n  replicas: 2\n  template:"))
    result = CliRunner().invoke(main, ["simulate", "-f", str(pools), "-f", FILES[1], "--region", "us-west-2"])
    assert result.exit_code == 2
    assert "static NodePools are not simulated" in " ".join(result.stderr.split())
