"""What a stack's files say beside the keys of its gates: keys that are not read, and environments that only an engine opens."""

from __future__ import annotations

import importlib
from datetime import date
from pathlib import Path

import pytest
from pulumi_cutlist.stack.gate import gate_stack
from pulumi_cutlist.stack.gate_keys import stray_keys

from cutlist.policy.gates import Report
from tests.written_project import write_project

DECLARED = frozenset({"shop:gates", "shop:gate"})


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("cutlist:gates", "shop:gates"),
        ("cutlist:gateDefaults", "shop:gateDefaults"),
        ("shop:Gates", "shop:gates"),
        ("shop:gats", "shop:gates"),
        ("shop:gateDefault", "shop:gateDefaults"),
    ],
)
def test_a_key_that_looks_like_gates_and_is_not_read_names_the_one_that_is(key: str, meant: str):
    assert list(stray_keys([key, "shop:gates", "aws:region"], "shop", DECLARED)) == [(key, meant)]


@pytest.mark.parametrize("key", ["shop:gates", "shop:gate", "shop:region", "other:gates", "cutlist:region", "aws:gates"])
def test_keys_of_others_and_declared_ones_are_left_alone(key: str):
    assert list(stray_keys([key], "shop", DECLARED)) == []


@pytest.fixture
def sdk() -> None:
    """Import what the program uses: each process that is forked for it would do so otherwise."""
    importlib.import_module("pulumi_aws.ec2")


def judged(folder: Path, stack_file: str) -> Report:
    program = "import pulumi_aws as aws\naws.ec2.Instance('a', instance_type='t3.micro', ami='ami-1')\n"
    write_project(folder, program, stack="prod")
    (folder / "Pulumi.prod.yaml").write_text(stack_file)
    return gate_stack(folder, "prod", date(2026, 6, 1)).report


@pytest.mark.sampled(one_in=3)
@pytest.mark.slow
@pytest.mark.parametrize("imported", ["[shop-prod]", "{imports: [shop-prod], values: {}}", "shop-prod"])
def test_an_environment_that_only_an_engine_opens_is_named(tmp_path: Path, imported: str, sdk: None):
    report = judged(tmp_path, f"environment: {imported}\nconfig: {{}}\n")
    (left_out,) = [one.found for one in report.outcomes if one.rule == "GT-06"]
    assert left_out == (
        "Pulumi.prod.yaml imports the environment shop-prod, which only an engine can open: what it adds is not judged here"
    )


@pytest.mark.slow
def test_gates_under_a_key_that_is_not_read_stop_the_change_at_its_line(tmp_path: Path, sdk: None):
    report = judged(tmp_path, "config:\n  cutlist:gates: {environment: development}\n")
    (stray,) = report.stopping
    assert (stray.rule, stray.place.line) == ("GT-01", 2)
    assert stray.found == "cutlist:gates is not read by project shop"
