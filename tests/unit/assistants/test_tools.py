"""The tools of assistants: which options they take, their schemas, and their calls as command lines."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from cutlist.core.errors import InputError
from cutlist_cli.assistants.roots import Roots
from cutlist_cli.assistants.tools import OFFERED, Tool, tools
from cutlist_cli.commands import load

jsonschema = pytest.importorskip("jsonschema")
WITHHELD = {
    "other forms of the answer": {
        "debug",
        "help-all",
        "launch",
        "output",
        "pull-request",
        "show-refused",
        "summary",
        "verbose",
        "watch",
        "width",
    },
    "exit codes": {"exit-code", "strict"},
    "files are written": {"also-to", "overlays-to", "resume", "to", "write"},
    "programs are started": {
        *("base", "gates-from", "git", "kustomize", "kustomize-remote", "stack", "workers"),
        *("helm", "helm-api-version", "helm-kube-version", "helm-values", "helmfile", "helmfile-environment"),
    },
    "they are for stacks": {"project-dir", "time-limit"},
    "other machines are used": {"dask", "fetch", "offline"},
    "other answers": {"all", "at", "fleet", "rule", "rules"},
}
"""Options that assistants do not get, and why."""


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    """A folder with a file, a link that stays inside, and links that lead out of it."""
    folder, outside = tmp_path / "root", tmp_path / "root-of-another"
    for path in (folder / "apps", outside):
        path.mkdir(parents=True)
        (path / "app.yaml").write_text("kind: Pod\n")
    (folder / "inside.yaml").symlink_to(folder / "apps" / "app.yaml")
    (folder / "outside.yaml").symlink_to(outside / "app.yaml")
    (folder / "out").symlink_to(outside)
    return Roots((str(folder.resolve()),))


def tool(name: str) -> Tool:
    return next(each for each in tools() if each.name == name)


def refusal(name: str, arguments: dict[str, object], roots: Roots) -> str:
    with pytest.raises(InputError) as error:
        tool(name).words(arguments, roots)
    return str(error.value)


def test_every_option_is_offered_or_withheld_for_a_reason():
    """A new option of a command is offered on purpose only: it might write, or read elsewhere."""
    withheld = set().union(*WITHHELD.values())
    for name, offered in OFFERED.items():
        command = load(name)
        assert command is not None
        options = {param.opts[-1].removeprefix("--") for param in command.params}
        rest = options - {setting.key for setting in offered}
        assert rest <= withheld | ({"before"} if name == "plan" else set()), name  # plan shows --before as text only


def test_schemas_take_what_the_commands_take():
    """Types, choices, limits and defaults are those of the options."""
    schemas = {each.name: each.schema() for each in tools()}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
        json.dumps(schema)
        assert all(value["description"] for value in schema["properties"].values())
        assert "standard input" not in str(schema)
    plan, suggest, diff = (schemas[name]["properties"] for name in ("plan", "suggest", "diff"))
    assert (schemas["plan"]["required"], schemas["explain"]["required"]) == (["file"], ["workload", "file"])
    assert (schemas["diff"]["required"], schemas["gate"]["required"]) == (["sides"], [])
    assert plan["bound"]["enum"] == ["none", "quick", "linear", "strong"]
    assert (plan["bound"]["default"], plan["percentile"]["maximum"], plan["recursive"]["type"]) == ("quick", 100, "boolean")
    assert plan["zone"]["items"] == {"type": "string"}
    assert (suggest["max_nodes"]["type"], suggest["max_nodes"]["minimum"]) == ("integer", 1)
    assert (diff["sides"]["minItems"], diff["sides"]["maxItems"]) == (2, 2)


def test_a_call_is_a_command_line(roots):
    """Values cannot become options, and what is false is left out."""
    arguments = {"file": ["apps", "inside.yaml"], "region": "--debug", "recursive": True, "restrictions": False, "margin": 20}
    assert tool("plan").words(arguments, roots) == [
        *("plan", "--file=apps", "--file=inside.yaml", "--region=--debug", "--recursive", "--margin=20"),
        *("--output=json", "--"),
    ]
    explain = tool("explain").words({"workload": "--to=x.json", "file": [f"{roots.first}/apps/../apps"]}, roots)
    assert explain[-3:] == ["--output=json", "--", "--to=x.json"]
    with load("explain").make_context("explain", explain[1:]) as ctx:
        assert (ctx.params["workload"], ctx.params["answer_file"]) == ("--to=x.json", None)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("plan", {"file": ["../root-of-another/app.yaml"]}, "outside of the folders"),
        ("plan", {"file": ["outside.yaml"]}, "outside of the folders"),
        ("plan", {"file": ["apps", "out/app.yaml"]}, "outside of the folders"),
        ("plan", {"file": ["apps"], "usage": ["cpu=/etc/passwd"]}, "/etc/passwd is outside"),
        ("plan", {"file": ["apps"], "catalog": ".."}, "catalog: .. is outside"),
        ("suggest", {"file": ["apps"], "rates": ["/etc/passwd"]}, "rates: /etc/passwd is outside"),
        ("gate", {"file": ["apps"], "gates": "../gates.yaml"}, "gates: ../gates.yaml is outside"),
        ("plan", {"file": ["-"]}, "standard input"),
        ("plan", {"file": ["/dev/fd/3"]}, "outside of the folders"),
        ("diff", {"sides": ["apps", "prod"]}, "prod does not exist"),
        ("plan", {"file": "apps"}, "a list of strings"),
        ("plan", {"file": [1]}, "a list of strings"),
        ("plan", {"recursive": "yes"}, "true or false"),
        ("plan", {"margin": True}, "a number"),
        ("plan", {"region": None}, "a string"),
        ("plan", {"region": "a\0b"}, "has a null character"),
        ("plan", {"regin": "us-west-2"}, "did you mean region"),
        ("plan", {"to": "plan.json"}, "plan has no such input"),
        ("gate", {"fix": True}, "gate has no such input"),
    ],
)
def test_refusals(name, arguments, words, roots):
    assert words in refusal(name, arguments, roots)


def test_all_mistakes_of_a_call_are_reported(roots):
    text = refusal("plan", {"file": ["/etc/a", "/etc/b"], "margin": "x"}, roots)
    assert all(part in text for part in ("/etc/a", "/etc/b", "'x'"))


def test_tools_are_commands():
    assert all(isinstance(load(name), click.Command) for name in OFFERED)
