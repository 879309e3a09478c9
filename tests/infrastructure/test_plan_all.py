"""Stacks of a Pulumi project in the table of all environments: each program runs, and one that fails is a row."""

from __future__ import annotations

import json

from click.testing import CliRunner

from cutlist_cli import main
from tests.infrastructure.projects import without_cluster


def test_stacks_are_planned_as_their_previews_are(tmp_path, monkeypatch):
    """One with a mistake is not the end of the others."""
    project = without_cluster(tmp_path)
    for stack in ("aks", "auto", "private", "prod"):
        (project / f"stacks/Pulumi.{stack}.yaml").unlink()
    wrong = project / "stacks/Pulumi.staging.yaml"
    wrong.write_text(wrong.read_text().replace("cutlist:region: us-west-2", "cutlist:region: us-west-9"))
    monkeypatch.chdir(project)
    result = CliRunner().invoke(main, ["plan", "-f", ".", "--all", "-o", "json"])
    assert result.exit_code == 2, result.output
    dev, staging = json.loads(result.stdout)["environments"]
    (plan,) = json.loads(CliRunner().invoke(main, [*dev["command"].split()[1:], "-o", "json"]).stdout)["plans"]
    assert (dev["name"], dev["totals"]) == ("dev", plan["totals"])
    assert (staging["state"], staging["totals"]) == ("failed", None)
    assert any("us-west-9" in problem["message"] for problem in staging["problems"])
