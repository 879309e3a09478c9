"""`--built-in-pool` and `--overhead-profile`: EKS Auto Mode on the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.unit.planning.manifests import deployment

REGION = ("--region", "us-west-2")


@pytest.fixture
def app(tmp_path, monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "CUTLIST_CATALOG"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "app.yaml"
    file.write_text(deployment())
    return file


def run(command: str, *arguments: object) -> Result:
    return CliRunner().invoke(main, [command, *map(str, arguments)])


def test_a_plan_with_a_built_in_pool(app):
    """Workloads alone are enough where EKS has its own NodePools."""
    result = run("plan", "-f", app, *REGION, "--built-in-pool", "general-purpose")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "NodePool general-purpose" in result.stdout
    assert "overhead profile 2024-estimate" in " ".join(result.stdout.split())


def test_built_in_pools_may_be_several(app):
    """Each option switches on one more NodePool."""
    given = ("--built-in-pool", "system", "--built-in-pool", "general-purpose")
    result = run("types", "-f", app, *REGION, *given, "--limit", "1", "-o", "json")
    assert [p["nodePool"] for p in json.loads(result.stdout)["nodePools"]] == ["general-purpose", "system"]


def test_another_profile_leaves_more_to_pods(app):
    """The profile changes what pods may use of a node."""
    given = ("-f", app, *REGION, "--built-in-pool", "general-purpose", "-o", "json")
    cautious, observed = (
        json.loads(run("plan", *given, *profile).stdout)["nodes"][0] for profile in ((), ("--overhead-profile", "2025-node"))
    )
    assert cautious["instanceType"] == observed["instanceType"]
    assert cautious["allocatable"]["cpu"] != observed["allocatable"]["cpu"]


@pytest.mark.parametrize("command", ["plan", "types"])
def test_unknown_names_are_reported_together(app, command):
    """An unknown pool and an unknown profile, each with what is allowed and the nearest, and a missing region with them."""
    given = ("-f", app, "--built-in-pool", "sytem", "--overhead-profile", "2025-nod")
    for region, more in ((REGION, ()), ((), ("no region is given",))):
        result = run(command, *given, *region)
        reported = " ".join(result.stderr.split())
        assert (result.exit_code, result.stdout) == (2, "")
        for text in ("'sytem' is not a built-in NodePool", "did you mean system?", "did you mean 2025-node?", *more):
            assert text in reported


def test_the_help_names_what_there_is(app):
    """The names in the help are the ones that exist, and its default is the default."""
    from cutlist.api.built_in import AUTO_POOLS
    from cutlist.providers.eks_auto import DEFAULT_PROFILE

    reported = " ".join(run("plan", "--help-all").stdout.split())
    assert " or ".join(AUTO_POOLS) in reported
    assert f"default: {DEFAULT_PROFILE}" in reported
