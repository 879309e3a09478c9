"""`cutlist plan`: options in, one plan out, and an exit code.

Reading and planning are replaced by functions that return what a test sets; whether a plan is right is shown elsewhere.
"""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError, Place, Problem
from cutlist.planning.model import Plan
from cutlist.settings.planning import REGION
from cutlist_cli import main
from cutlist_cli.rendering import show_rendering
from tests.sample import POOLS, WORKLOADS
from tests.unit.report.samples import PLAN

_ARGUMENTS = ["-f", "pools.yaml", "--region", "us-west-2"]


def run(*arguments, **options):
    return CliRunner().invoke(main, [*arguments], **options)


def test_plan_prints_the_plan(engine):
    """The answer goes to standard output, nothing to standard error, exit code 0."""
    result = run("plan", *_ARGUMENTS)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(
        "From about $152 a month ($128 to $196; spot is 30% of it): 4 nodes for 21 pods in us-west-2\n"
    )


@pytest.mark.parametrize(("options", "launches"), [((), 0), (("--launch",), 1), (("-o", "json"), 1)])
def test_launches_are_worked_out_when_they_are_shown(engine, monkeypatch, options, launches):
    """`--launch` and JSON have the fleet requests; a plan as text alone does not work them out."""
    asked = []
    monkeypatch.setattr("cutlist_cli.plan.with_launches", lambda plan, _: asked.append(plan) or plan)
    assert run("plan", *_ARGUMENTS, *options).exit_code == 0
    assert len(asked) == launches


def test_options_reach_the_reader(engine):
    """Files in the order given, zones and the region are passed on as they are."""
    run(
        "plan",
        "-f",
        "b.yaml",
        "--file",
        "a.yaml",
        "--region",
        "eu-west-1",
        "--zone",
        "eu-west-1b",
        "--zone",
        "eu-west-1a",
        "--catalog",
        "c",
        "--built-in-pool",
        "system",
        "--overhead-profile",
        "2025-node",
        "-R",
    )
    assert engine.asked == {
        "paths": ("b.yaml", "a.yaml"),
        "region": "eu-west-1",
        "zones": ("eu-west-1b", "eu-west-1a"),
        "stdin": None,
        "catalog": "c",
        "built_in_pools": ("system",),
        "overhead_profile": "2025-node",
        "recursive": True,
        "rendering": show_rendering,
    }


def test_a_dash_reads_standard_input(engine):
    """With `-f -` the manifests come from standard input, byte by byte as they are."""
    run("plan", "-f", "-", "--region", "us-west-2", input="kind: Pod\n")
    assert engine.asked["stdin"] == b"kind: Pod\n"


@pytest.mark.parametrize("variable", ["AWS_REGION", "AWS_DEFAULT_REGION"])
def test_the_region_comes_from_the_environment(engine, monkeypatch, variable):
    """Without --region the variables of the AWS tools are looked at."""
    monkeypatch.setenv(variable, "eu-north-1")
    run("plan", "-f", "pools.yaml")
    assert engine.asked["region"] == "eu-north-1"


def test_the_option_wins_over_the_environment(engine, monkeypatch):
    """What is typed counts more than what is set."""
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    run("plan", *_ARGUMENTS)
    assert engine.asked["region"] == "us-west-2"


def test_a_missing_region_is_reported_with_all_other_mistakes(engine, monkeypatch):
    """The regions that there are, and what else is wrong, in one run."""
    monkeypatch.setattr("cutlist_cli.input_options.chosen_regions", lambda _: ("eu-west-1", "us-west-2"))

    def refuse(*_, **__):
        raise InputError([Problem(Place.of(REGION), "no region is given"), Problem(Place("pools.yaml", 1, 3), "bad")])

    monkeypatch.setattr("cutlist_cli.input_options.read_inputs", refuse)
    result = run("plan", "-f", "pools.yaml")
    assert result.exit_code == 2
    assert "no region is given" in result.stderr
    assert "allowed: eu-west-1, us-west-2" in result.stderr
    assert "pools.yaml:3: bad" in result.stderr
    assert "Found 2 problems." in result.stderr


def test_json_is_the_plan(engine):
    """`-o json` prints what `Plan.from_dict` reads."""
    result = run("plan", *_ARGUMENTS, "-o", "json")
    assert Plan.from_dict(json.loads(result.stdout)) == PLAN


def test_json_is_ascii(engine):
    """Names with control or right-to-left characters reach no terminal through JSON either."""
    engine.result = Plan("\x1b[31m\u202e\x9b")
    result = run("plan", *_ARGUMENTS, "-o", "json")
    assert result.stdout.replace("\n", "").isprintable()
    assert result.stdout.isascii()


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_pending_pods_fail_only_a_strict_run(engine, options, code):
    """Exit code 1 is for pending pods under --strict; the plan is printed anyway."""
    result = run("plan", *_ARGUMENTS, *options)
    assert result.exit_code == code
    assert "deployment/trainer" in result.stdout


def test_a_strict_run_without_pending_pods_is_fine(engine):
    """Nothing pending, nothing to fail."""
    engine.result = Plan("us-west-2")
    assert run("plan", *_ARGUMENTS, "--strict").exit_code == 0


def test_width_is_kept(engine):
    """--width sets the columns; narrower than 40 is refused."""
    assert max(len(line) for line in run("plan", *_ARGUMENTS, "--width", "60").stdout.splitlines()) <= 60
    assert run("plan", *_ARGUMENTS, "--width", "39").exit_code == 2


def test_a_folder_without_workloads_names_what_was_not_read(tmp_path):
    """The manifests may be in a subfolder, which is read with -R alone."""
    (tmp_path / "pools.yaml").write_text(POOLS.read_text())
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "app.yaml").write_text(WORKLOADS.read_text())
    result = run("plan", "-f", str(tmp_path), "--region", "us-west-2")
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "no workload is in the input, only 1 EC2NodeClass, 1 NodePool - not read, because they are subfolders" in said
    assert "--recursive (-R)" in said
    assert run("plan", "-f", str(tmp_path), "--region", "us-west-2", "-R").exit_code == 0


def test_a_summary_is_a_form_of_text(engine):
    """--summary counts nodes by type; with another form it is refused, since that has all nodes."""
    shown = run("plan", *_ARGUMENTS, "--summary")
    assert shown.exit_code == 0
    assert "each 4 × deployment/web" not in shown.stdout
    refused = run("plan", *_ARGUMENTS, "--summary", "-o", "json")
    assert refused.exit_code == 2
    assert "--summary is a form of text; -o json has all nodes" in refused.stderr
