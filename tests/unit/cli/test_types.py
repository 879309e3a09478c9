"""`cutlist types`: the types of each NodePool, as many as asked for."""

from __future__ import annotations

import json

from click.testing import CliRunner

from cutlist_cli import main
from tests.unit.report.samples import TYPES

_ARGUMENTS = ["-f", "pools.yaml", "--region", "us-west-2"]


def run(*arguments, **options):
    return CliRunner().invoke(main, [*arguments], **options)


def test_types_prints_the_types(engine):
    """`cutlist types` shows each NodePool's types, as many as asked for."""
    engine.result = TYPES
    result = run("types", *_ARGUMENTS, "--limit", "1")
    assert result.exit_code == 0
    assert "c7g.medium" in result.stdout
    assert "m7g.large" not in result.stdout
    assert "and 641 more" in result.stdout


def test_types_as_json(engine):
    """JSON holds the same rows with their sources."""
    engine.result = TYPES
    pool = json.loads(run("types", *_ARGUMENTS, "-o", "json", "--limit", "2").stdout)["nodePools"][0]
    assert (pool["total"], [t["instanceType"] for t in pool["types"]]) == (642, ["c7g.medium", "m7g.large"])
    assert pool["types"][1]["allocatable"] == {"cpu": "1930m", "memory": "6903Mi", "pods": "29"}
    assert (pool["types"][1]["spotEstimated"], pool["types"][1]["onDemandEstimated"]) == (True, False)
