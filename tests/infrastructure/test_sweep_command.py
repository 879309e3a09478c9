"""`cutlist sweep`: shows, asks, removes, and exits with what came of it."""

from __future__ import annotations

import json

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist.core.errors import InputError
from cutlist_cli.commands import COMMANDS
from cutlist_cli.sweep import command
from cutlist_live.sweep.sweep import hourly_prices
from tests.infrastructure.sweep_account import ACCOUNT, REGION, Cloud, Karpenter
from tests.unit.published import faults


@pytest.fixture
def karpenter(aws_account: Cloud, monkeypatch: pytest.MonkeyPatch) -> Karpenter:
    aws_account.lead(monkeypatch)
    return Karpenter.of(aws_account)


def run(*arguments: str, account: str = ACCOUNT, typed: str = "") -> Result:
    given = ["shop", "--region", REGION, "--account", account, *arguments]
    return CliRunner().invoke(command, given, input=typed, catch_exceptions=False)


def test_a_dry_run_shows_what_would_go_and_what_it_costs(karpenter):  # I-65
    left = karpenter.left("shop", 1)
    result = run("--dry-run")
    assert result.exit_code == 1
    assert all(id_ in result.stdout for id_ in left.ids)
    assert f"worth ${hourly_prices(REGION)['m5.large']:.4f} an hour" in result.stdout
    assert left.ids <= karpenter.there()


def test_with_yes_everything_goes_and_a_second_run_is_clean(karpenter):  # I-65
    left = karpenter.left("shop", 1)
    first = run("--yes", "-o", "json")
    assert first.exit_code == 0
    reported = json.loads(first.stdout)
    assert {one["id"] for one in reported["findings"] if one["result"] == "removed"} == left.ids
    second = run("--yes")
    assert (second.exit_code, "Nothing is left over." in second.stdout) == (0, True)
    refused = run("--yes", "-o", "json", account="999999999999")
    assert [faults("sweep", data) for data in (reported, json.loads(refused.stdout))] == [[], []]


@pytest.mark.thorough
def test_each_form_is_the_same_in_a_file(karpenter, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    left = karpenter.left("shop", 1)
    forms = ("text", "markdown", "json", "yaml")
    shown = {form: run("--dry-run", "-o", form) for form in forms}
    for form, result in shown.items():
        written = run("--dry-run", "-o", form, "--to", str(tmp_path / form))
        assert (result.exit_code, written.exit_code, written.stdout) == (1, 1, "")
        assert (tmp_path / form).read_bytes() == result.stdout_bytes
        assert all(id_ in result.stdout for id_ in left.ids)
    assert yaml.safe_load(shown["yaml"].stdout) == json.loads(shown["json"].stdout)
    assert f"**{len(left.ids)} leftovers would be removed" in shown["markdown"].stdout


def test_nothing_goes_when_there_is_nobody_to_ask(karpenter):
    left = karpenter.left("shop", 1)
    result = run()
    assert result.exit_code == 2
    assert "--yes removes without asking" in result.stderr
    assert left.ids <= karpenter.there()


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_whoever_is_there_is_asked(karpenter, monkeypatch, answer, code):
    monkeypatch.setattr("cutlist_cli.sweep.can_ask", lambda: True)
    left = karpenter.left("shop", 1)
    result = run(typed=answer)
    assert (result.exit_code, "Remove them?" in result.stderr) == (code, True)
    assert bool(left.ids & karpenter.there()) is (code == 1)


def test_credentials_of_another_account_are_refused(karpenter):  # I-63
    result = run("--yes", account="999999999999")
    assert result.exit_code == 2
    assert f"refused: the credentials are of account {ACCOUNT}" in result.stdout


def test_a_living_cluster_that_cannot_be_asked_is_left_alone(karpenter):  # I-62
    """The server's cluster has an address that leads nowhere."""
    left = karpenter.left("shop", 1)
    karpenter.cluster("shop")
    result = run("--yes")
    assert result.exit_code == 2
    assert "the cluster exists, but what it uses is not known" in " ".join(result.stdout.split())
    assert left.ids <= karpenter.there()


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["sh*p", "--region", REGION, "--account", ACCOUNT], "CLUSTER: cluster name 'sh\\*p'"),
        (["shop", "--region", REGION, "--account", "1234"], "account '1234' has 4 digits; allowed: the twelve digits"),
        (
            ["shop", "--region", REGION, "--account", ACCOUNT, "--vpc", "shop"],
            "--vpc: 'shop' is not the id of a VPC; allowed: an id such as vpc-0a1b2c3d",
        ),
        (["shop", "--region", "us-wset-2", "--account", ACCOUNT], "did you mean us-west-2"),
    ],
)
def test_what_cannot_be_a_cluster_is_refused_before_anything_is_asked(aws_account, arguments, reported):
    with pytest.raises(InputError, match=reported):
        CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_the_command_is_listed_with_the_line_that_its_help_begins_with():
    assert COMMANDS["sweep"] in CliRunner().invoke(command, ["--help"]).output


def test_a_region_without_prices_is_swept_without_them():
    assert hourly_prices("mars-north-1") == {}
