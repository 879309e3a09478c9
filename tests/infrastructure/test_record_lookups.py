"""Look-ups of a stack's program: shown by a preview, recorded with providers once, and read from the file (pulumi 4.5.1)."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import pulumi, pulumi_aws as aws
pulumi.export("account", aws.get_caller_identity().account_id)
pulumi.export("vpc", aws.ec2.get_vpc_output(default=True).id)
aws.ec2.SecurityGroup("db", vpc_id=pulumi.StackReference("org/net/prod").require_output("vpcId"))
"""
WRITES = '#!/bin/sh\necho \'{"vpcId": "vpc-77"}\'\n'


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project whose provider for AWS is the stand-in of the engine's tests, and whose command pulumi knows one stack."""
    version = json.loads(files("pulumi_aws").joinpath("pulumi-plugin.json").read_text())["version"]
    plugin = tmp_path / f"home/plugins/resource-aws-v{version}/pulumi-resource-aws"
    command = tmp_path / "bin/pulumi"
    started = f'exec {sys.executable} -m tests.engine.provider aws {version} {tmp_path / "journal"} "$@"\n'
    for file, text in ((plugin, f"#!/bin/sh\ncd {ROOT}\n{started}"), (command, WRITES)):
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o755)
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{command.parent}:/usr/bin:/bin")
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "Pulumi.dev.yaml").write_text("config:\n  aws:region: us-west-2\n  shop:lookups: lookups.yaml\n")
    return folder


def preview(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["preview", "--stack", "dev", "--project-dir", str(folder), *options])


def test_look_ups_are_recorded_once_and_then_read(project):
    """What a provider refuses is named and unknown, and the exit code is 1; what it answers is read without it."""
    file = project / "lookups.yaml"
    recorded = preview(project, "--record-lookups", str(file))
    assert recorded.exit_code == 1, recorded.output
    assert "2 answers written to" in recorded.stderr
    assert "not recorded: __main__.py:4: aws:ec2/getVpc:getVpc: the stand-in for aws has no answer" in recorded.stderr
    data = yaml.safe_load(file.read_text())
    assert [entry["function"] for entry in data["functions"]] == ["aws:index/getCallerIdentity:getCallerIdentity"]
    assert data["stacks"] == {"org/net/prod": {"vpcId": "vpc-77"}}
    (project.parent / "bin/pulumi").unlink()
    shown = json.loads(preview(project, "-o", "json").stdout)
    assert shown["exports"] == {"account": "111122223333", "vpc": "[unknown]"}
    by_line = {look_up["line"]: look_up for look_up in shown["lookUps"]}
    assert [by_line[line]["state"] for line in (3, 4, 5)] == ["answered", "unknown", "answered"]
    assert by_line[3]["source"].startswith("lookups.yaml:")
    assert f"recorded on {data['recorded']}" in by_line[3]["source"]


def test_what_cannot_be_asked_is_said_with_what_is_missing(project, monkeypatch):
    """Without the plugin of a provider and without the command of Pulumi nothing is recorded, and nothing is written."""
    monkeypatch.setenv("PULUMI_HOME", str(project))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    result = preview(project, "--record-lookups", str(project / "lookups.yaml"))
    assert (result.exit_code, (project / "lookups.yaml").exists()) == (1, False)
    assert (
        "not recorded: __main__.py:3: the plugin of aws is not installed: pulumi plugin install resource aws" in result.stderr
    )
    assert "not recorded: __main__.py:5: the outputs of stack org/net/prod need the command pulumi" in result.stderr


def test_a_preview_says_what_it_could_not_look_up(project):
    """In each form; in place of answers that need an account the program gets what stands in, or an unknown output."""
    file = project / "Pulumi.dev.yaml"
    file.write_text(file.read_text().replace("  shop:lookups: lookups.yaml\n", ""))
    text = preview(project, "--width", "200").stdout
    assert "Look-ups: 3, 3 of them without an answer here" in text
    assert "__main__.py:3  aws:index/getCallerIdentity:getCallerIdentity" in text
    assert "000000000000 stands in; unknown because of that: outputs (account)" in text
    assert "unknown here, and with it SecurityGroup/db (vpcId)" in text
    assert "--record-lookups FILE" in text
    assert "| `__main__.py:5` | `the outputs of stack org/net/prod` |" in preview(project, "-o", "markdown").stdout
    assert "Look-ups without an answer" in preview(project, "-o", "html").stdout


def test_a_program_that_fails_on_what_stands_in_says_so(project):
    (project / "lookups.yaml").write_text("stacks: {org/net/prod: {vpcId: vpc-1}}\n")
    source = 'import json, pulumi_aws as aws\njson.loads(aws.ssm.get_parameter(name="/app").value)["host"]\n'
    (project / "__main__.py").write_text(source)
    result = preview(project)
    said = " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert "__main__.py:2: JSONDecodeError" in said
    assert "values stand in for what the program looks up: __main__.py:2 aws:ssm/getParameter:getParameter" in said


@pytest.mark.parametrize(
    ("lookups", "said"),
    [
        ("  shop:lookups: none.yaml", "Pulumi.dev.yaml:2 config.shop:lookups: no file 'none.yaml'"),
        ("  shop:lookups: {functoins: []}", "Pulumi.dev.yaml:2 config.shop:lookups.functoins"),
        ("  shop:lookups: [a]", "is not the answers to look-ups"),
        ("  cutlist:lookups: lookups.yaml", "cutlist:lookups is not read by project shop"),
    ],
)
def test_mistakes_in_lookups_are_found_where_they_are_written(project, lookups, said):
    (project / "Pulumi.dev.yaml").write_text(f"config:\n{lookups}\n")
    result = preview(project)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_an_answer_that_nothing_asks_for_is_named(project):
    """A function may be misspelt; what was recorded may be more than the program asks today."""
    text = "functions:\n  - {function: aws:getCallerIdentiy, result: {accountId: '1'}}\n"
    for head, said in (("", "warning: lookups.yaml:2 functions[0]: the program does not look this up"), ("recorded: x\n", "")):
        (project / "lookups.yaml").write_text(head + text)
        shown = " ".join(preview(project).stdout.split())
        assert "does not look this up" not in shown if not said else said in shown


def test_nothing_is_recorded_of_a_program_without_look_ups(project):
    """That is not a success, and no other file is overwritten."""
    (project / "__main__.py").write_text("import pulumi\npulumi.ComponentResource('a:index:B', 'c')\n")
    result = preview(project, "--record-lookups", str(project / "lookups.yaml"))
    assert (result.exit_code, (project / "lookups.yaml").exists()) == (2, False)
    assert "looks up nothing that an account answers" in result.stderr
    (project / "__main__.py").write_text(PROGRAM)
    result = preview(project, "--record-lookups", str(project / "Pulumi.yaml"))
    assert result.exit_code == 2
    assert "exists and was not recorded" in result.stderr
