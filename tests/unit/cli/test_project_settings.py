"""`cutlist.yaml`: options that need not be repeated, where the file is looked for, and what counts more."""

from __future__ import annotations

import json
from pathlib import Path

import click
import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from cutlist.core.errors import Problems
from cutlist.documents.collecting import collect_documents
from cutlist_cli import main
from cutlist_cli.commands import load
from cutlist_cli.project_settings import TopFolder, defaults_of

SETTINGS = "region: eu-west-1\nfile: [pools.yaml, apps/]\nzone: eu-west-1b\n"


def run(*arguments: str):
    return CliRunner().invoke(main, [*arguments])


@pytest.fixture
def project(tmp_path, monkeypatch, engine):
    """The root of a repository with a file of settings, which is the working directory; reading and planning are replaced."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "below").mkdir()
    (tmp_path / "cutlist.yaml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_options_of_the_file_count_where_none_are_given(project, engine):
    assert run("plan").exit_code == 0
    assert engine.asked["paths"] == ("pools.yaml", "apps/")
    assert (engine.asked["region"], engine.asked["zones"]) == ("eu-west-1", ("eu-west-1b",))


def test_the_command_line_and_the_environment_count_more(project, engine, monkeypatch):
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    run("plan", "-f", "other.yaml")
    assert (engine.asked["paths"], engine.asked["region"]) == (("other.yaml",), "eu-north-1")
    run("plan", "--region", "us-east-1")
    assert (engine.asked["paths"], engine.asked["region"]) == (("pools.yaml", "apps/"), "us-east-1")


def test_paths_are_relative_to_the_file(project, engine, monkeypatch):
    monkeypatch.chdir(project / "below")
    run("plan")
    assert engine.asked["paths"] == ("../pools.yaml", "../apps/")


def test_the_nearest_file_counts(project, engine, monkeypatch):
    monkeypatch.chdir(project / "below")
    Path("cutlist.yaml").write_text("region: us-east-2\nfile: own.yaml\n")
    run("plan")
    assert (engine.asked["paths"], engine.asked["region"]) == (("own.yaml",), "us-east-2")


def test_a_file_above_the_repository_does_not_count(project, monkeypatch):
    (project / "below" / ".git").mkdir()
    monkeypatch.chdir(project / "below")
    assert "region" not in defaults_of("plan", [])


def test_a_file_above_the_top_folder_does_not_count(project, monkeypatch):
    """Such as above the folders that an assistant may read."""
    monkeypatch.chdir(project / "below")
    assert defaults_of("plan", [])["region"] == "eu-west-1"
    assert defaults_of("plan", [], TopFolder(str(Path.cwd()))) == {}


def test_a_table_of_pyproject_is_read_as_well(project, engine):
    (project / "cutlist.yaml").unlink()
    (project / "pyproject.toml").write_text('[tool.cutlist]\nregion = "us-east-1"\nfile = ["pools.yaml"]\n')
    run("plan")
    assert (engine.asked["paths"], engine.asked["region"]) == (("pools.yaml",), "us-east-1")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cutlist.yaml", "regio: x\n", "cutlist.yaml:1 regio: is not a field here"),
        ("cutlist.yaml", "file: 3\n", "cutlist.yaml:1 file: 3 is not text"),
        ("cutlist.yaml", "[1]\n", "holds no settings but a list"),
        ("cutlist.yaml", "region: a\nregion: b\n", "cutlist.yaml:2"),
        ("pyproject.toml", "[tool.cutlist]\nregion =\n", "pyproject.toml: is not TOML"),
        ("pyproject.toml", "[tool.cutlist]\nregion = 3\n", "pyproject.toml region: 3 is not text"),
        ("pyproject.toml", "# [tool.cutlist] \udcff", "pyproject.toml: is not TOML: 'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_mistakes_are_reported_where_they_are(project, name, text, message):
    (project / "cutlist.yaml").unlink()
    (project / name).write_text(text, errors="surrogateescape")
    result = run("plan", "-f", "pools.yaml")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert run("plan", "--help").exit_code == run("help", "plan").exit_code == run("schema", "nodepool").exit_code == 0


def test_a_table_that_is_only_named_in_a_comment_is_none(project, engine):
    (project / "cutlist.yaml").unlink()
    (project / "pyproject.toml").write_text("tool = 3  # [tool.cutlist] is elsewhere\n")
    assert run("plan", "-f", "pools.yaml", "--region", "us-east-1").exit_code == 0
    assert engine.asked["region"] == "us-east-1"


@pytest.mark.parametrize("is_link", [True, False], ids=["a link that leads nowhere", "a folder"])
def test_settings_that_cannot_be_read_are_not_ignored(project, is_link):
    file = project / "cutlist.yaml"
    file.unlink()
    if is_link:
        file.symlink_to("elsewhere.yaml")
    else:
        file.mkdir()
    result = run("plan", "-f", "pools.yaml", "--region", "us-east-1")
    assert (result.exit_code, "cutlist.yaml: " in result.stderr) == (2, True)


def test_a_stack_has_settings_of_its_own(project):
    """The settings of files are not laid over those of a stack, so that the two are never refused together."""
    assert "give either --stack NAME" not in run("gate", "--stack", "none").stderr


@pytest.mark.parametrize("options", [("--rule", "NP-01"), ("--rule=NP-01",), ("--rules",)], ids=" ".join)
def test_rules_are_shown_in_a_project_with_settings(project, options):
    """Its files are not taken for those that --rule refuses."""
    result = run("gate", *options)
    assert (result.exit_code, "NP-01" in result.stdout) == (0, True), result.stderr


def test_the_file_is_no_manifest_of_its_folder(project):
    (project / "pools.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    problems = Problems()
    assert [document.kind for document in collect_documents([str(project)], problems)] == ["Namespace"]
    assert not problems.found


def test_in_the_root_of_a_repository_all_of_it_is_read_where_nothing_says_what(project, engine):
    """The first command on what people have needs no files."""
    (project / "cutlist.yaml").write_text("region: eu-west-1\n")
    assert run("plan").exit_code == 0
    assert (engine.asked["paths"], engine.asked["recursive"]) == ((".",), True)


@pytest.mark.parametrize("words", [("-f", "other.yaml"), ("-fother.yaml",), ("--file", "other.yaml"), ("--file=other.yaml",)])
def test_files_that_are_named_are_not_read_with_their_subfolders_for_that(project, engine, words):
    (project / "cutlist.yaml").write_text("region: eu-west-1\n")
    run("plan", *words)
    assert (engine.asked["paths"], engine.asked.get("recursive", False)) == (("other.yaml",), False)


def test_elsewhere_the_files_have_to_be_named(project, engine):
    """A folder in no repository may be anything."""
    (project / "cutlist.yaml").write_text("region: eu-west-1\n")
    (project / ".git").rmdir()
    result = run("plan")
    assert (result.exit_code, "Missing option '-f' / '--file'" in result.stderr) == (2, True)


ENVIRONMENTS = """
region: eu-west-1
gates: gates.yaml
environments:
  dev: {file: [pools.yaml, dev/]}
  prod: {file: prod/, region: us-east-2, kustomize: true}
  shop: {stack: prod, project-dir: infrastructure}
  mail: {command: helmfile -e mail template | cutlist plan -f -}
"""


@pytest.fixture
def environments(project):
    """The same project with environments."""
    (project / "cutlist.yaml").write_text(ENVIRONMENTS)
    return project


def test_an_environment_lays_its_settings_over_those_of_the_project(environments, engine):
    assert run("plan", "--environment", "prod").exit_code == 0
    assert engine.asked["paths"] == ("prod/",)
    assert (engine.asked["region"], engine.asked["kustomize"]) == ("us-east-2", True)
    assert run("plan", "--environment=dev").exit_code == 0
    assert (engine.asked["paths"], engine.asked["region"]) == (("pools.yaml", "dev/"), "eu-west-1")


def test_the_region_of_an_environment_counts_more_than_a_variable(environments, engine, monkeypatch):
    """A shell is set up for one region, environments are in several."""
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    run("plan", "--environment", "prod")
    assert engine.asked["region"] == "us-east-2"
    run("plan", "--environment", "dev")
    assert engine.asked["region"] == "eu-north-1"
    run("plan", "--environment", "prod", "--region", "us-west-1")
    assert engine.asked["region"] == "us-west-1"


def test_without_a_choice_each_environment_is_named_with_its_command(environments, engine):
    result = run("plan")
    message = " ".join(result.stderr.split())
    assert result.exit_code == 2
    assert "cutlist.yaml:5 environments.dev: is one of 4 environments" in message
    assert "allowed: cutlist plan --environment dev" in message
    assert "allowed: cutlist preview --stack prod --project-dir infrastructure" in message
    assert "allowed: helmfile -e mail template | cutlist plan -f -" in message


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (("plan",), "Missing option '-f' / '--file'. "),
        (("gate",), "Missing option '--stack' or '--file'. "),
        (("explain", "web"), "Missing option '-f' / '--file'. "),
        (("why", "web"), "Missing option '-f' / '--file'. "),
    ],
    ids=" ".join,
)
def test_where_no_files_are_named_the_message_says_how_and_where_none_are_needed(project, command, missing):
    (project / "cutlist.yaml").unlink()
    (project / ".git").rmdir()
    result = run(*command)
    message = " ".join(result.stderr.split())
    assert (result.exit_code, missing in message) == (2, True), message
    assert "Name what is read: -f PATH, or -f . -R for all of this folder." in message
    assert f"In a checkout of git, main {command[0]} reads the folder that it is started in without -f." in message


def test_a_folder_of_a_repository_is_read_where_nothing_names_files(project, engine, monkeypatch):
    (project / "cutlist.yaml").unlink()
    for folder in (project, project / "below"):
        monkeypatch.chdir(folder)
        assert run("plan", "--region", "eu-west-1").exit_code == 0
        assert (engine.asked["paths"], engine.asked["recursive"]) == ((".",), True)


@pytest.mark.parametrize(("command", "hint"), [("budgets", "which says it for every command."), ("history", "-f PATH.")])
def test_the_message_names_only_what_the_command_has(project, command, hint):
    (project / "cutlist.yaml").unlink()
    message = " ".join(run(command).stderr.split())
    assert message.endswith(hint)


@pytest.mark.parametrize(("typed", "shown"), [(("web",), "web"), (("--at-random", "web"), "WORKLOAD"), ((), "WORKLOAD")])
def test_the_command_of_an_environment_has_the_workload_that_is_explained(environments, engine, typed, shown):
    """As it was typed; its place where it was not."""
    result = run("explain", *typed)
    assert (result.exit_code, f"allowed: cutlist explain {shown} --environment dev" in result.stderr) == (2, True), (
        result.stderr
    )


def test_a_list_of_environments_of_the_file_ends_with_the_command_for_all(environments, engine):
    assert "plan --all` answers for all of them" in run("plan").stderr
    assert "--all" not in run("types").stderr


def test_files_on_the_command_line_need_no_choice(environments, engine):
    assert run("plan", "-f", "other.yaml").exit_code == 0
    assert (engine.asked["paths"], engine.asked["region"]) == (("other.yaml",), "eu-west-1")


def test_a_project_may_say_what_is_read_without_a_choice(environments, engine):
    """Its files are those of environments without files of their own, too."""
    (environments / "cutlist.yaml").write_text("file: all.yaml\nregion: eu-west-1\nenvironments: {far: {region: us-west-2}}\n")
    run("plan")
    assert (engine.asked["paths"], engine.asked["region"]) == (("all.yaml",), "eu-west-1")
    run("plan", "--environment", "far")
    assert (engine.asked["paths"], engine.asked["region"]) == (("all.yaml",), "us-west-2")


def test_an_environment_of_another_name_is_refused(environments):
    result = run("plan", "--environment", "prd")
    assert (result.exit_code, "the project has no environment 'prd'" in result.stderr) == (2, True)
    assert "prod" in result.stderr


@pytest.mark.parametrize(("name", "command"), [("shop", "cutlist preview --stack prod"), ("mail", "helmfile -e mail")])
def test_what_is_not_read_from_files_has_its_own_command(environments, name, command):
    result = run("plan", "--environment", name)
    assert result.exit_code == 2
    assert command in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{prod: {fil: x}}", "cutlist.yaml:1 environments.prod.fil: is not a field here"),
        ("{prod: {file: 3}}", "cutlist.yaml:1 environments.prod.file: 3 is not text"),
        ("{prod: {file: x, stack: y}}", "environments.prod.stack: cannot be combined with file"),
        ("{prod: {project-dir: y}}", "environments.prod.project-dir: is for an environment with stack"),
        ("[prod]", "environments: expected a mapping"),
    ],
)
def test_mistakes_in_environments_are_reported_where_they_are(project, text, message):
    (project / "cutlist.yaml").write_text(f"environments: {text}\n")
    result = run("plan", "-f", "pools.yaml")
    assert (result.exit_code, message in " ".join(result.stderr.split())) == (2, True), result.stderr


def test_all_environments_of_the_file_are_planned(project, engine):
    (project / "cutlist.yaml").write_text(ENVIRONMENTS.partition("  shop:")[0])
    result = run("plan", "--all", "-o", "json")
    environments = json.loads(result.stdout)["environments"]
    assert [(of["name"], of["command"]) for of in environments] == [
        ("dev", "cutlist plan --environment dev"),
        ("prod", "cutlist plan --environment prod"),
    ]
    assert (engine.asked["paths"], engine.asked["region"]) == (("prod/",), "us-east-2")


def test_the_schema_of_the_file_takes_what_the_file_may_have(project):
    schema = json.loads(run("schema", "project").stdout)
    valid = jsonschema.Draft202012Validator(schema)
    assert valid.is_valid(yaml.safe_load(ENVIRONMENTS))
    assert not valid.is_valid({"regio": "x"})
    assert not valid.is_valid({"environments": {"prod": {"fil": "x"}}})


def test_a_table_of_pyproject_may_have_environments_only(project, engine):
    (project / "cutlist.yaml").unlink()
    (project / "pyproject.toml").write_text('[tool.cutlist.environments.prod]\nregion = "us-east-1"\nfile = "pools.yaml"\n')
    run("plan", "--environment", "prod")
    assert (engine.asked["paths"], engine.asked["region"]) == (("pools.yaml",), "us-east-1")


def test_a_shell_completes_the_names_of_environments(environments):
    context = click.Context(load("plan"))
    (option,) = [param for param in context.command.params if param.name == "environment"]
    assert [item.value for item in option.shell_complete(context, "")] == ["dev", "prod", "shop", "mail"]
    assert [item.value for item in option.shell_complete(context, "p")] == ["prod"]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["nodes"], "cutlist snapshot` writes. main nodes --watch reads the live one."),
        (["disrupt"], "The file of a cluster is one that `cutlist snapshot` writes."),
        (["why"], "such as deployment/web, a pod, a node or a NodePool, as kubectl and plans print it."),
        (["explain"], "Name a workload such as deployment/web."),
        (["plan"], "`cutlist preview` plans the stacks of this Pulumi project."),
    ],
)
def test_an_incomplete_call_is_told_what_is_missing(arguments, hint, tmp_path, monkeypatch):
    """In the words of its command, and of what is in the folder."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert hint in " ".join(result.stderr.split())
