"""What was perhaps meant is named where it is near, and only there; long lists are not."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from cutlist.core.errors import names_near, nearest
from cutlist_cli import main
from tests.sample import POOLS, WORKLOADS

_INPUT = ("-f", str(POOLS), "-f", str(WORKLOADS))
_NO_REGION = {"AWS_REGION": None, "AWS_DEFAULT_REGION": None}


def errors(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments, env=_NO_REGION, prog_name="cutlist")
    assert (result.exit_code, result.stdout) == (2, "")
    return " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("us-west2", "us-west-2"),
        ("us-est-1", "us-east-1"),
        ("US-WEST-2", "us-west-2"),
        ("eu-central", "eu-central-1"),
        ("westeurop", "westeurope"),
    ],
)
def test_a_misspelt_region_is_reported_with_the_nearest_and_without_all_others(written, meant):
    """There are more than ninety."""
    said = errors("plan", *_INPUT, "--region", written)
    assert said.startswith(f"--region: region '{written}' is not in the catalogue")
    assert f"did you mean {meant}?" in said
    assert "af-south-1" not in said
    assert "others" in said


@pytest.mark.parametrize("written", ["xyz", "ukno-2", "far-away"])
def test_a_region_that_is_like_none_has_no_suggestion(written):
    said = errors("plan", *_INPUT, "--region", written)
    assert "did you mean" not in said
    assert len(said) < 200


def test_a_missing_region_is_reported_once_and_without_all_regions():
    said = errors("plan", *_INPUT)
    assert said.count("no region is given") == 1
    assert "such as us-east-1" in said
    assert "af-south-1" not in said


@pytest.mark.parametrize(
    "command", [("plan", *_INPUT), ("nodes", *_INPUT), ("types", *_INPUT), ("diff", _INPUT[1], _INPUT[1]), ("disrupt", *_INPUT)]
)
def test_the_option_is_named_alike_by_every_command(command):
    assert errors(*command, "--region", "us-west2").startswith("--region: region 'us-west2'")


def test_other_options_are_named_as_they_are_written():
    said = errors("plan", *_INPUT, "--region", "us-west-2", "--built-in-pool", "sytem", "--overhead-profile", "2025-nod")
    assert "--built-in-pool: 'sytem'" in said
    assert "did you mean system?" in said
    assert "--overhead-profile: overhead profile '2025-nod'" in said


@pytest.mark.parametrize(("zone", "meant"), [("us-west2a", "us-west-2a"), ("us-west-2", ""), ("a", "")])
def test_a_zone_is_reported_with_the_nearest_where_one_is_nearer_than_others(zone, meant):
    said = errors("plan", *_INPUT, "--region", "us-west-2", "--zone", zone)
    assert said.startswith(f"--zone: zone '{zone}' is not in us-west-2")
    assert ("did you mean" in said, f"did you mean {meant}?" in said) == (bool(meant), bool(meant))


@pytest.mark.parametrize(
    ("written", "meant"), [("pool.yaml", "pools.yaml"), ("pools", "pools.yaml"), ("pools.yml", "pools.yaml"), ("zzz.yaml", "")]
)
def test_a_misspelt_file_is_reported_with_the_nearest(written, meant, tmp_path, monkeypatch):
    """By its name alone: that both are YAML makes no file near."""
    monkeypatch.chdir(tmp_path)
    for name in ("pools.yaml", "zero.yaml"):
        (tmp_path / name).write_text("")
    said = errors("plan", "-f", written, "--region", "us-west-2")
    assert said.startswith(f"{written}: cannot be read: no such file or directory")
    assert ("did you mean" in said, f"did you mean {meant}?" in said) == (bool(meant), bool(meant))


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("plan", "pools.yaml"), "cutlist plan -f pools.yaml"),
        (("plan", "-f", "pools.yaml", "app.yaml"), "cutlist plan -f app.yaml"),
        (("plan", "--strict", "pools.yaml"), "cutlist plan -f pools.yaml"),
        (("validate", "pools.yaml", "classes.yml"), "cutlist validate -f pools.yaml -f classes.yml"),
        (("history", "karpenter.log"), "cutlist history -f karpenter.log"),
        (("catalog", "resolve", "classes.yaml", "--region", "us-west-2"), "cutlist catalog resolve -f classes.yaml"),
    ],
)
def test_files_without_an_option_suggest_it(arguments, hint):
    assert errors(*arguments).endswith(f". Files are given with -f: {hint}")


def test_what_is_no_file_suggests_none(tmp_path, monkeypatch):
    """In an empty folder: a command without inputs reads all that is below the folder where it runs."""
    monkeypatch.chdir(tmp_path)
    assert "Files are given" not in errors("plan", "-f", "a.yaml", "--catalog", "b.yaml", "surplus")
    assert "Files are given" not in errors("plan", "--region", "us-west-2")


def test_of_names_that_are_equally_near_the_one_that_begins_alike_is_taken():
    """Then one whose number does not go on, and then the first."""
    assert nearest("a10", ["a100", "a10g"]) == "a10g"
    assert nearest("us-est-1", ["us-west-1", "us-east-1"]) == "us-east-1"
    assert nearest("general", ["general-2", "general-1"]) == "general-1"
    assert nearest("LIMITS", ["limits"]) == "limits"


@pytest.mark.parametrize(("word", "known"), [("us-west-2", "ukwest"), ("us-east", "austriaeast"), ("eu-west-1", "ukwest")])
def test_a_name_that_shares_a_few_letters_is_not_near(word, known):
    assert nearest(word, [known]) == ""


def test_a_short_name_with_one_wrong_letter_is_near():
    assert nearest("amb", ["amd", "intel"]) == "amd"


def test_few_names_are_all_listed():
    assert names_near("x", ["a", "b"]) == "a, b"
    assert names_near("", []) == ""
