"""`cutlist new`: a stack made after another."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pulumi_cutlist.stack.likeness import Identity, Likeness, lines_of_others
from pulumi_cutlist.stack.stack_file import load

from cutlist.core.errors import InputError
from cutlist_cli import main
from cutlist_cli.commands import summary
from cutlist_cli.new import command
from tests.infrastructure.projects import copy_of_project

DEV = Identity("dev", "stacks/dev", "cutlist-dev", "111122223333", "us-west-2")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_of_project(tmp_path)


def new(project: Path, *arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, "--project-dir", str(project)])


def as_qa(text: str, **changed: str) -> str:
    return Likeness(DEV, DEV.renamed("qa", "stacks/qa", **changed)).text(text)


def files(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_stack_is_made_under_its_own_names(project):
    """File and folder, with the cluster's name wherever it is part of another; the stack it was made after is as it was."""
    before = files(project)
    result = new(project, "qa", "--like", "dev")
    assert result.exit_code == 0, result.output
    assert "cluster  cutlist-qa, was cutlist-dev" in result.output
    assert "It previews: 5 nodes, about $" in result.output
    after = files(project)
    assert {name: after[name] for name in before} == before
    made = {name: text for name, text in after.items() if name not in before}
    assert set(made) == {name.replace("dev", "qa") for name in before if "stacks/dev" in name or "Pulumi.dev" in name}
    assert [name for name, text in made.items() if "cutlist-dev" in text] == []
    assert "role: KarpenterNodeRole-cutlist-qa" in made["stacks/qa/node-pools.yaml"]
    assert "karpenter.sh/discovery: cutlist-qa}" in made["stacks/qa/node-pools.yaml"]
    stack = made["stacks/Pulumi.qa.yaml"]
    assert stack.startswith("# The qa environment: a small shop")
    assert "- stacks/qa/workloads\n" in stack
    assert "tags: {environment: qa, product: shop}" in stack
    assert "# the office; without it the API is reached inside the VPC alone" in stack


def test_a_stack_of_another_region_and_account(project):
    """Zones are matched by their order, for a region need not have the same letters."""
    result = new(project, "tokyo", "--like", "prod", "--region", "ap-northeast-1", "--account", "777788889999")
    assert result.exit_code == 0, result.output
    made = load(project, "tokyo").config
    assert made["cutlist:region"] == "ap-northeast-1"
    assert made["cutlist:zones"] == '["ap-northeast-1a","ap-northeast-1c","ap-northeast-1d"]'
    text = (project / "stacks/Pulumi.tokyo.yaml").read_text()
    assert "arn:aws:sns:ap-northeast-1:777788889999:on-call" in text
    assert "444455556666" not in text
    assert "us-west-2" not in text


def test_a_stack_on_azure(project):
    """Its cluster is named elsewhere, and a subscription is its account."""
    subscription = "99999999-8888-7777-6666-555555555555"
    result = new(project, "osaka", "--like", "aks", "--region", "japanwest", "--account", subscription)
    assert result.exit_code == 0, result.output
    text = (project / "stacks/Pulumi.osaka.yaml").read_text()
    for part in (
        "name: cutlist-osaka\n",
        "resourceGroup: rg-cutlist-osaka\n",
        f"subscription: {subscription}\n",
        "region: japanwest",
    ):
        assert part in text


def test_what_others_have_made_is_reported(project):
    """A VPC that was adopted is not the new stack's: a note says where it is named."""
    result = new(project, "pilot", "--like", "staging")
    assert result.exit_code == 0, result.output
    assert "These lines name what was made for staging" in result.output
    lines = (project / "stacks/Pulumi.pilot.yaml").read_text().splitlines()
    reported = [
        int(line.rpartition(":")[2]) for line in result.output.splitlines() if line.startswith("  stacks/Pulumi.pilot.yaml:")
    ]
    assert [lines[number - 1].strip().partition(":")[0] for number in reported][-3:] == ["vpcId", "- {id", "- {id"]
    assert all("pilot" not in lines[number - 1] for number in reported)


def test_nothing_is_overwritten(project):
    """Neither another stack's file nor a folder of that name, and both are reported."""
    before = files(project)
    result = new(project, "prod", "--like", "dev")
    assert result.exit_code == 1
    assert isinstance(result.exception, InputError)
    assert [str(one.place) for one in result.exception.problems] == ["stacks/Pulumi.prod.yaml", "stacks/prod"]
    assert files(project) == before


def test_a_stack_that_does_not_preview_is_not_left_behind(project):
    """A cluster's name that is too long is reported where the new stack's file would have it, and the files are removed."""
    before = files(project)
    result = new(project, "q" * 96, "--like", "dev")
    assert isinstance(result.exception, InputError)
    assert "cluster name of 104 characters" in str(result.exception)
    assert files(project) == before


def test_all_that_is_wrong_with_a_wish_is_reported_together(project):
    result = new(project, "a b", "--like", "devv", "--account", "12", "--region", "us-west-22")
    assert isinstance(result.exception, InputError)
    reported = str(result.exception)
    for part in (
        "'a b' cannot be the name of a stack",
        "account '12' has 2 digits",
        "did you mean us-west-2?",
        "no stack 'devv'",
        "did you mean dev?",
    ):
        assert part in reported


@pytest.mark.parametrize("reads_it", [True, False])
def test_a_region_that_the_program_names_is_not_said_to_change(tmp_path, reads_it):
    """The region of a stack of an own program is that of its provider; written in the program itself, it stays."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  aws:region: us-west-2\n")
    region = 'pulumi.Config("aws").require("region")' if reads_it else '"us-west-2"'
    program = "import pulumi\nfrom pulumi_cutlist.aws import Interruption\n\nInterruption('queue', {'cluster_name': 'shop', "
    program += f"'region': {region}, 'account_id': '111122223333', 'karpenter_version': '1.15.1'}})\n"
    (tmp_path / "__main__.py").write_text(program)
    result = new(tmp_path, "prod", "--like", "dev", "--region", "eu-west-1")
    if reads_it:
        assert result.exit_code == 0, result.output
        assert "region  eu-west-1, was us-west-2" in result.output
        assert "aws:region: eu-west-1" in (tmp_path / "Pulumi.prod.yaml").read_text()
    else:
        assert "the program names the region us-west-2 itself, so a new stack cannot have eu-west-1" in str(result.exception)
        assert not (tmp_path / "Pulumi.prod.yaml").exists()


def test_the_help_has_an_example():
    assert "cutlist new qa --like dev" in CliRunner().invoke(command, ["--help"]).output
    assert summary("new") in " ".join(CliRunner().invoke(main, ["--help"]).output.split())


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("deviceName: /dev/xvda", "deviceName: /dev/xvda"),
        ("image: registry.example.com/dev/web:dev", "image: registry.example.com/dev/web:dev"),
        ("role: KarpenterNodeRole-cutlist-dev", "role: KarpenterNodeRole-cutlist-qa"),
        ("name: cutlist-development", "name: cutlist-development"),
        ("name: xcutlist-dev", "name: xcutlist-dev"),
        ("- stacks/dev # of dev, not of develop", "- stacks/qa # of qa, not of develop"),
        ("- other/stacks/dev/x.yaml", "- other/stacks/dev/x.yaml"),
        ("{environment: dev, stage: 'dev', at: \"dev\"}", "{environment: qa, stage: 'qa', at: \"qa\"}"),
        ("values: [dev, prod]", "values: [dev, prod]"),
        ("arn:aws:iam::111122223333:role/X", "arn:aws:iam::111122223333:role/X"),
        ("# dev.example.com and dev.", "# dev.example.com and qa."),
    ],
)
def test_names_are_replaced_as_whole_words(written, made):
    assert as_qa(written) == made


def test_account_and_region_are_replaced_as_whole_words():
    made = as_qa(
        "us-west-2a us-west-2 xus-west-2 us-west-20 111122223333.dkr 1111222233334", account="9" * 12, region="eu-west-1"
    )
    assert made == "eu-west-1a eu-west-1 xus-west-2 us-west-20 999999999999.dkr 1111222233334"


def test_a_cluster_whose_name_says_nothing_of_its_stack_gets_the_new_name_behind_it():
    old = Identity("dev", "stacks/dev", "shop", "", "")
    assert old.renamed("qa", "stacks/qa").cluster == "shop-qa"
    assert Likeness(old, old.renamed("qa", "stacks/qa")).text("clusterName: shop # shop") == "clusterName: shop-qa # shop-qa"


def test_replacements_are_put_in_as_they_are():
    """No character of a name has a meaning of its own."""
    old = Identity("a.b", "stacks/a.b", "c-a.b", "", "")
    assert Likeness(old, old.renamed(r"\1", "stacks/x")).text("x: a.b\ny: aXb") == "x: \\1\ny: aXb"


def test_ids_of_a_network_are_found():
    text = "a: 1\nvpcId: vpc-0a1b2c3d4e5f60718\nb: https://AB.gr7.us-west-2.eks.amazonaws.com\nc: vpc-main\n"
    assert lines_of_others(text) == [2, 3]
