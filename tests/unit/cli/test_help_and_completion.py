"""What helps at the keyboard: every command shows an example, and the shell completes what is typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import get_completion_class
from click.testing import CliRunner

from cutlist_cli import commands, main
from cutlist_cli.command import MOST_FIRST, MOST_LISTED, Command
from cutlist_cli.commands import GROUPS, HIDDEN, SELDOM
from cutlist_cli.option_sections import FIRST
from tests.sample import SHOP

_PROJECT = Path(__file__).resolve().parents[3]


def _all(command: click.Command = main, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of all commands, those of other packages and those below a command included."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _all(below, (*path, name))


COMMANDS = sorted(_all())


def _examples(path: tuple[str, ...]) -> list[list[str]]:
    """The lines of Cutlist among a command's examples, without the command itself."""
    text = CliRunner().invoke(main, [*path, "--help"], terminal_width=200).stdout
    shown = re.sub(r"\\\n\s*", "", text.partition("Examples:\n")[2].partition("\n\n")[0])
    begin = " ".join(["cutlist", *path])
    lines = [line[line.index(begin) + len(begin) :] for line in shown.splitlines() if f"{begin} " in f"{line} "]
    return [shlex.split(re.split(r" [>|] ", f"{line} ")[0]) for line in lines]


def test_there_are_commands_below_commands():
    """So that the tests below look at them."""
    assert {("plan",), ("catalog", "update"), ("gate",), ()} <= set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "cutlist")
def test_the_help_of_every_command_has_an_example(path):
    assert _examples(path)


@pytest.mark.parametrize("path", [path for path in COMMANDS if path], ids=" ".join)
def test_the_default_of_an_option_is_said_once(path):
    """That of a variable of the shell included."""
    for option in (param for param in _command(path).params if isinstance(param, click.Option)):
        _, words = option.get_help_record(click.Context(_command(path))) or ("", "")
        assert words.count("[default: ") <= 1, (option.name, words)


@pytest.mark.parametrize("path", [path for path in COMMANDS if path], ids=" ".join)
def test_every_example_is_understood(path):
    """The options are there, and their values are of the right kind."""
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    for arguments in _examples(path):
        command.make_context(" ".join(path), arguments)


def _command(path: tuple[str, ...]) -> click.Command:
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name) or command
    return command


def _options(text: str) -> list[str]:
    """The options that a help lists, each by its long word."""
    return re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text.partition("\nOptions:\n")[2], re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in COMMANDS if path and path[0] != "acme"], ids=" ".join)
def test_help_lists_the_options_that_matter_first(path):
    """A command with many options lists five and how to see the rest; one with few lists all."""
    command = _command(path)
    if not isinstance(command, Command):
        return
    every = [option for option in command.params if isinstance(option, click.Option) and option.name != "help_all"]
    listed = _options(CliRunner().invoke(main, [*path, "--help"]).stdout)
    if len(every) <= MOST_LISTED:
        assert len(listed) == len(every) + 1
        assert CliRunner().invoke(main, [*path, "--help-all"]).stdout == CliRunner().invoke(main, [*path, "--help"]).stdout
    else:
        first = [setting.flag for setting in FIRST[path[-1]]]
        assert listed[: len(first)] == first
        assert listed[len(first) :] in ([*answer, "--help-all", "--help"] for answer in ([], ["--output"], ["--to"]))
        assert len(listed) <= MOST_FIRST + 2


@pytest.mark.parametrize("path", [("plan",), ("gate",), ("simulate",), ("upgrade",), ("catalog", "update")], ids=" ".join)
def test_the_whole_help_lists_each_option_once_in_its_section(path):
    """Whatever a command takes is there, by what it is about; what is hidden is not."""
    shown = CliRunner().invoke(main, [*path, "--help-all"])
    every = [option for option in _command(path).params if isinstance(option, click.Option) and not option.hidden]
    assert shown.exit_code == 0
    assert sorted(_options(shown.stdout)) == sorted([*(option.opts[-1] for option in every), "--help"])
    assert "\nForm of the answer:\n" in shown.stdout


@pytest.mark.parametrize(
    ("typed", "read", "note"),
    [
        (["--nodes", "a.yaml"], {"cluster": ("a.yaml",)}, "Note: --nodes is now --cluster.\n"),
        (["--nodes=a.yaml"], {"cluster": ("a.yaml",)}, "Note: --nodes is now --cluster.\n"),
        (["--exit-code"], {"exit_code": True}, "Note: --exit-code is now --strict.\n"),
        (["--cluster", "a.yaml", "--strict"], {"cluster": ("a.yaml",), "exit_code": True}, ""),
        (["--", "--nodes"], {"cluster": ()}, ""),
    ],
)
def test_a_former_word_is_taken_with_a_note(typed, read, note, capsys):
    """The note names the word of today, and no help lists the former one."""
    command = _command(("diff",))
    context = command.make_context("diff", ["old.yaml", "new.yaml", *typed])
    assert {name: context.params[name] for name in read} == read
    assert capsys.readouterr().err == note
    assert "--nodes" not in CliRunner().invoke(main, ["diff", "--help-all"]).stdout


@pytest.mark.parametrize(
    ("typed", "read", "note"),
    [
        (["--write"], {"fix": True, "written": ()}, ""),
        (["--fix"], {"fix": True, "written": ()}, "Note: --fix is now --write.\n"),
        (["--write", "sarif=a.out"], {"fix": False, "written": ("sarif=a.out",)}, "Note: --write is now --also-to.\n"),
        (["--write=json=a.out"], {"fix": False, "written": ("json=a.out",)}, "Note: --write is now --also-to.\n"),
        (["--write", "-f", "b=c.yaml"], {"fix": True, "written": (), "files": ("a.yaml", "b=c.yaml")}, ""),
    ],
)
def test_a_word_with_a_new_meaning_keeps_the_former_one_where_its_value_follows(typed, read, note, capsys):
    """`gate --write FORM=FILE` wrote answers, and `--write` alone fixes files, as in other commands."""
    context = _command(("gate",)).make_context("gate", ["-f", "a.yaml", *typed])
    assert {name: context.params[name] for name in read} == read
    assert capsys.readouterr().err == note


def test_the_list_of_commands_is_short_and_the_whole_one_has_all():
    """At most 24 commands in six groups; what is seldom needed is one option away."""
    names = [name for group in GROUPS.values() for name in group]
    assert (len(GROUPS), len(names) <= 24, len(names)) == (6, True, len(set(names)))
    assert sorted([*names, *SELDOM, *HIDDEN]) == sorted(commands.COMMANDS)
    short, whole = (CliRunner().invoke(main, [word]).stdout for word in ("--help", "--help-all"))
    assert "\n  sweep " not in short
    assert all(f"\n  {name} " in whole for name in (*names, *SELDOM))


def _completed(*words: str) -> list[str]:
    """What the shell offers for the last word."""
    shell = get_completion_class("bash")
    assert shell is not None
    found = shell(main, {}, "cutlist", "_CUTLIST_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value for item in found]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("pl",), ["plan"]),
        (("sn",), ["snapshot"]),
        (("plan", "--reg"), ["--region"]),
        (("diff", "-o", "m"), ["markdown"]),
        (("diff", "-o", "h"), ["html"]),
        (("explain", "-o", "c"), ["csv"]),
        (("types", "-o", "s"), ["svg"]),
        (("nodes", "--wa"), ["--watch"]),
        (("catalog", "up"), ["update"]),
        (("schema", "node"), ["nodepool", "nodeclaim", "nodeoverlay", "nodeclass", "nodes"]),
        (("schema", "bu"), ["budgets", "budgets-write"]),
        (("nothing-like-it",), []),
    ],
)
def test_the_shell_completes_commands_options_and_values(words, offered):
    assert sorted(_completed(*words)) == sorted(offered)


def test_the_shell_completes_regions():
    assert _completed("plan", "--region", "us-west-") == ["us-west-1", "us-west-2"]
    assert "japaneast" in _completed("types", "--region", "japan")
    assert _completed("plan", "--catalog", "nowhere", "--region", "us-") == []


def test_the_shell_completes_stacks(monkeypatch):
    monkeypatch.chdir(_PROJECT)
    assert _completed("preview", "--stack", "p") == ["private", "prod"]
    assert _completed("gate", "--project-dir", "docs", "-s", "") == []


def test_the_project_of_a_stack_is_the_nearest_one_above(monkeypatch):
    """As Pulumi looks for it; without one, the working directory is named in the error."""
    monkeypatch.chdir(SHOP)
    assert _completed("preview", "--stack", "p") == ["private", "prod"]
    monkeypatch.chdir("/")
    assert _completed("preview", "--stack", "p") == []


def test_the_shell_completes_workloads(monkeypatch, tmp_path):
    """Of the files that are named before, or by the project's settings; what cannot be read is not offered."""
    monkeypatch.chdir(tmp_path)
    web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    (tmp_path / "app.yaml").write_text(f"{web}---\n{web.replace('}', ', namespace: shop}')}---\n[\n")
    assert _completed("explain", "-f", "app.yaml", "dep") == ["deployment/web"]
    assert _completed("explain", "-f", "nowhere.yaml", "") == _completed("explain", "") == []
    (tmp_path / "cutlist.yaml").write_text("file: app.yaml\n")
    assert _completed("explain", "") == ["deployment/web", "shop/deployment/web"]
    (tmp_path / "cutlist.yaml").write_text("file: [\n")
    assert _completed("explain", "") == []


def test_the_shell_completes_whatever_may_be_asked_about(monkeypatch, tmp_path):
    """Pods and workloads, nodes and NodePools."""
    monkeypatch.chdir(tmp_path)
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: api-1, namespace: shop}\n"
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
    pool = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\n"
    (tmp_path / "all.yaml").write_text("---\n".join((pod, node, pool)))
    assert _completed("why", "-f", "all.yaml", "") == ["node/n1", "nodepool/general", "shop/pod/api-1"]
    assert _completed("why", "-f", "all.yaml", "nodep") == ["nodepool/general"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_page_says_how_to_switch_completion_on(shell):
    """The instruction on the page is one that the command answers with a script for that shell."""
    page = (_PROJECT / "docs" / "install.md").read_text()
    assert f"_CUTLIST_COMPLETE={shell}_source cutlist" in page
    made = get_completion_class(shell)
    assert made is not None
    script = made(main, {}, "cutlist", "_CUTLIST_COMPLETE").source()
    assert f"_CUTLIST_COMPLETE={shell}_complete" in script
