"""Nothing to judge is never a success: every command, with inputs that are empty in every way."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cutlist_cli import main
from cutlist_cli.commands import COMMANDS, load
from tests.sample import MANIFESTS, POOLS, SHOP, SNAPSHOT, WORKLOADS

_POOLS = str(POOLS)
_APP = str(WORKLOADS)
_CLUSTER_OF_NODES = str(SHOP / "after.yaml")
_BILL = str(SHOP / "bill" / "october.csv")
_REGION = ("--region", "us-west-2")
_CLUSTER = ("--cluster-name", "demo", "--endpoint", "https://demo.example")

_EMPTY = {
    "nothing.yaml": "",
    "blank.yaml": "\n  \n",
    "comments.yaml": "# nothing yet\n\n# here\n",
    "separators.yaml": "---\n# nothing\n---\n",
    "null.json": "null\n",
    "list.json": "[]\n",
    "mapping.yaml": "{}\n",
    "items.yaml": "apiVersion: v1\nkind: List\nitems: []\n",
    "null-items.json": '{"apiVersion": "v1", "kind": "List", "items": null}\n',
    "others.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n",
    "folder": None,
    "readme": {"README.md": "# Nothing\n"},
    "remarks": {"a.yaml": "# nothing\n", "b.yml": ""},
}
"""Inputs without anything to judge: the text of a file, or the files of a folder."""

_SIMULATE = ("simulate", "--days", "0.01")
_UPGRADE = ("upgrade", "--from", "1.14.1", "--target", "1.15.1")
_READ = {
    "budgets": [("budgets", "-f", "{}")],
    "catalog from-bill": [("catalog", "from-bill", "{}")],
    "catalog resolve": [("catalog", "resolve", "-f", "{}", *_REGION)],
    "convert": [("convert", "-f", "{}")],
    "diff": [
        ("diff", "{}", _POOLS, *_REGION),
        ("diff", _POOLS, "{}", *_REGION),
        ("diff", _POOLS, _POOLS, "-f", "{}", *_REGION),
        ("diff", _POOLS, _POOLS, "--cluster", "{}", *_REGION),
    ],
    "disrupt": [("disrupt", "-f", "{}", *_REGION), ("disrupt", "-f", _POOLS, "-f", "{}", *_REGION)],
    "explain": [("explain", "deployment/web", "-f", "{}", *_REGION)],
    "gate": [("gate", "-f", "{}", *_REGION), ("gate", "-f", "{}")],
    "history": [("history", "-f", "{}"), ("history", "-f", "{}", "-o", "json")],
    "interrupt": [("interrupt", "-f", "{}", *_REGION), ("interrupt", "-f", _POOLS, "-f", "{}", *_REGION)],
    "nodes": [("nodes", "-f", "{}"), ("nodes", "-f", "{}", *_REGION)],
    "plan": [("plan", "-f", "{}", *_REGION), ("plan", "-f", _POOLS, "-f", "{}", *_REGION), ("plan", "-f", "{}")],
    "serve": [("serve", "-f", "{}", "--port", "0", *_REGION), ("serve", "-f", _POOLS, "-f", "{}", "--port", "0", *_REGION)],
    "simulate": [
        (*_SIMULATE, "-f", "{}", *_REGION),
        (*_SIMULATE, "-f", _POOLS, "-f", "{}", *_REGION),
        (*_SIMULATE, "-f", _POOLS, "-f", _APP, "--trace", "{}", *_REGION),
        (*_SIMULATE, "-f", _POOLS, "-f", _APP, "--from", "{}", *_REGION),
    ],
    "suggest": [("suggest", "-f", "{}", *_REGION)],
    "types": [("types", "-f", "{}", *_REGION)],
    "upgrade": [(*_UPGRADE, "-f", "{}", *_REGION), (*_UPGRADE, "-f", _POOLS, "-f", "{}", *_REGION)],
    "userdata": [("userdata", "-f", "{}", *_CLUSTER)],
    "validate": [("validate", "-f", "{}"), ("validate", "-f", _POOLS, "--before", "{}")],
    "verify": [
        ("verify", *MANIFESTS, "--cluster", "{}", *_REGION),
        ("verify", "--run", _APP, "--bill", "{}"),
        ("verify", *MANIFESTS, "--bill", _BILL, "--cluster", "{}", *_REGION),
        ("verify", "-f", "{}", "--cluster", _CLUSTER_OF_NODES, *_REGION),
        ("verify", "-f", _POOLS, "-f", "{}", "--cluster", _CLUSTER_OF_NODES, *_REGION),
    ],
    "why": [("why", "web", "-f", "{}", *_REGION), ("why", "web", "-f", _POOLS, "-f", "{}", *_REGION)],
}
"""Every command that reads manifests or a log, as it is called; `{}` is the input."""

_COMMON = _READ["diff"][2]
"""What both sides have beside NodePools need not be workloads: then their objects alone are compared."""

_OTHERS = {
    *(
        "catalog diff",
        "catalog update",
        "doctor",
        "help",
        "mcp",
        "new",
        "permissions",
        "preview",
        "schema",
        "snapshot",
        "sweep",
    ),
}
"""Commands that read none: stacks, accounts, clusters, catalogues or nothing at all."""


def _all_commands() -> set[str]:
    names = set()
    for name in COMMANDS:
        command = load(name)
        names |= {f"{name} {sub}" for sub in command.commands} if isinstance(command, click.Group) else {name}
    return names


def _written(folder: Path, name: str) -> str:
    content, path = _EMPTY[name], folder / name
    if isinstance(content, str):
        path.write_text(content)
    else:
        path.mkdir()
        for file, text in (content or {}).items():
            (path / file).write_text(text)
    return str(path)


def _run(arguments: tuple[str, ...], path: str, stdin: str = ""):
    called = [argument.format(path) if argument == "{}" else argument for argument in arguments]
    return CliRunner().invoke(main, called, input=stdin, env={"AWS_REGION": None, "AWS_DEFAULT_REGION": None})


def _refusal(result) -> str:
    """Return the words of a refusal without the spaces, since lines may break within a path."""
    words = "".join(result.stderr.split())
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert "Traceback" not in words
    return words


def test_every_command_is_held_to_it():
    """A command that is added later stands in one of the two tables."""
    assert _all_commands() == _READ.keys() | _OTHERS


_FIRST = [(calls[0], name) for calls in _READ.values() for name in _EMPTY]
_FURTHER = [
    (call, name)
    for calls in _READ.values()
    for call in calls[1:]
    for name in ("comments.yaml", "items.yaml", "others.yaml", "readme")
]


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize(
    ("arguments", "name"), [*_FIRST, *_FURTHER], ids=lambda part: part if isinstance(part, str) else " ".join(part)
)
def test_an_empty_input_is_refused_and_named(tmp_path, name, arguments):
    """A file, a folder, a list without items, and objects that the command looks at nothing of."""
    path = _written(tmp_path, name)
    if name != "others.yaml" or arguments != _COMMON:
        assert "".join(path.split()) in _refusal(_run(arguments, path))


_FROM_STDIN = [call for calls in _READ.values() for call in calls if "-f" in call and "serve" not in call]


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize("arguments", _FROM_STDIN, ids=" ".join)
@pytest.mark.parametrize("text", ["", "# rendered nothing\n", _EMPTY["items.yaml"]])
def test_nothing_on_standard_input_is_refused(arguments, text):
    """The command in front of the pipe may have failed."""
    if "--before" not in arguments:
        assert "<stdin>" in _refusal(_run(arguments, "-", text))


@pytest.mark.parametrize("arguments", [_READ["plan"][0], _READ["validate"][0], _READ["history"][0]], ids=" ".join)
def test_the_null_device_is_refused(arguments):
    assert "/dev/null" in _refusal(_run(arguments, "/dev/null"))


@pytest.mark.parametrize(
    "arguments",
    [
        *(_READ[name][0] for name in ("budgets", "convert", "disrupt", "gate", "history", "interrupt", "nodes", "plan")),
        *(_READ[name][0] for name in ("types", "userdata", "validate")),
        *_READ["diff"],
    ],
    ids=" ".join,
)
def test_an_empty_input_is_an_answer_where_it_is_allowed(tmp_path, arguments):
    """Whoever says so knows that there may be nothing, such as a chart whose parts are all switched off."""
    result = _run((*arguments, "--allow-empty"), _written(tmp_path, "comments.yaml"))
    assert result.exit_code == 0, result.output


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize("arguments", [call for calls in _READ.values() for call in calls], ids=" ".join)
def test_a_named_pipe_is_refused(tmp_path, monkeypatch, arguments):
    """Nothing may ever write to it, and the command would wait forever."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.yaml")
    result = _run(arguments, "pipe.yaml")
    assert result.exit_code == 2, result.output
    assert "pipe.yaml: is a named pipe, which is not read" in " ".join(result.stderr.split())


def test_the_message_says_how_to_go_on(tmp_path):
    assert "or --allow-empty" in _run(_READ["validate"][0], _written(tmp_path, "comments.yaml")).stderr


def test_a_plan_that_is_allowed_to_be_empty_says_so():
    """It reads as a success, and warns that it is about nothing."""
    result = _run(("plan", "-f", _POOLS, "--allow-empty", *_REGION), "")
    assert result.exit_code == 0
    assert "no workload is in the input" in " ".join(result.stdout.split())


_SNAPSHOT = str(SNAPSHOT)


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan", "-f", _POOLS, "-f", _APP),
        ("serve", "-f", _POOLS, "-f", _APP, "--port", "0"),
        ("types", "-f", _POOLS),
        ("explain", "deployment/web", "-f", _POOLS, "-f", _APP),
        ("why", "deployment/web", "-f", _POOLS, "-f", _APP),
        (*_UPGRADE, "-f", _POOLS, "-f", _APP),
        ("disrupt", "-f", _POOLS, "-f", _SNAPSHOT),
        ("interrupt", "-f", _POOLS, "-f", _SNAPSHOT),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_region_whose_offerings_the_catalogue_lacks_is_refused(arguments):
    """No node could be launched there, which is not what will happen."""
    result = _run((*arguments, "--region", "mx-central-1"), "")
    assert result.exit_code == 2, result.output
    words = " ".join(result.stderr.split())
    assert "--region: the catalogue has the prices of mx-central-1, but not which types its zones sell" in words
    assert "`cutlist catalog update --region mx-central-1` wrote, or --allow-empty" in words


def test_a_region_without_any_price_says_so():
    """Prices of ap-southeast-6 are not known either."""
    result = _run(("plan", "-f", _POOLS, "-f", _APP, "--region", "ap-southeast-6"), "")
    assert result.exit_code == 2, result.output
    words = " ".join(result.stderr.split())
    assert "the catalogue has neither prices of ap-southeast-6 nor which types its zones sell" in words
