"""Every command, in every form that its `-o` offers: on standard output and, byte for byte the same, in the file of `--to`."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest
import yaml
from click.testing import CliRunner

from cutlist_cli import commands, main
from cutlist_cli.renderer import Renderer
from tests.sample import SHOP
from tests.unit.report.suggestions import suggestions

_REGION: Final = "--region us-west-2"
_PLAN: Final = f"-f pools.yaml -f workloads.yaml {_REGION}"
_CLUSTER: Final = f"-f pools.yaml -f snapshot.yaml {_REGION}"
_CALLS: Final = {
    "budgets": "-f pools.yaml",
    "catalog diff": f"embedded embedded {_REGION}",
    "diff": "pools.yaml next/pools.yaml",
    "disrupt": _CLUSTER,
    "doctor": "",
    "explain": f"deployment/web {_PLAN}",
    "gate": _PLAN,
    "history": "-f karpenter.log",
    "interrupt": _CLUSTER,
    "nodes": _CLUSTER,
    "permissions": "--cluster-name shop --region eu-west-1 --account 111122223333",
    "plan": _PLAN,
    "simulate": f"{_PLAN} --days 1",
    "suggest": f"{_PLAN}",
    "types": f"{_PLAN} --limit 3",
    "upgrade": "--from 1.14.1 --target 1.15.0",
    "userdata": f"-f pools.yaml --cluster-name demo --endpoint https://demo.example --service-cidr 10.100.0.0/16 "
    f"--node-pool general --instance-type m5.large {_REGION}",
    "validate": "-f pools.yaml",
    "verify": f"{_PLAN} --cluster after.yaml --strict",
    "why": f"ip-10-0-1-11 {_CLUSTER}",
}
_EXITS: Final = {"gate": 1, "verify": 1}
"""What its help says of an answer like that of the sample; 0 for all others."""
_ELSEWHERE: Final = {
    "catalog from-bill": "reads a bill: tests/unit/catalog/test_bills.py",
    "preview": "runs a stack's program: tests/infrastructure/test_preview_command.py",
    "sweep": "reads an account: tests/infrastructure/test_sweep_command.py",
}
_OWN_FORMS: Final = {
    "convert": "-o is the form of the report, --to the file of the objects: tests/unit/api",
    "snapshot": "always writes a file, of a cluster: tests/infrastructure/test_snapshot.py",
}
_READERS: Final[dict[str, Callable[[str], object]]] = {"json": json.loads, "sarif": json.loads, "yaml": yaml.safe_load}
_MARKUP: Final = frozenset({"svg", "junit"})


def _all_commands() -> Iterator[tuple[str, click.Command]]:
    """Each command with its name, those of a group after that of the group."""
    for name in commands.COMMANDS:
        command = commands.load(name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {of}", child) for of, child in command.commands.items())
        else:
            yield name, command


def _options(command: click.Command) -> set[str]:
    return {opt for param in command.params for opt in param.opts}


def test_every_command_with_a_form_writes_it_to_a_file_too():
    with_forms = {name for name, command in _all_commands() if "--output" in _options(command)}
    assert with_forms == {*_CALLS, *_ELSEWHERE, *_OWN_FORMS}
    assert [name for name, command in _all_commands() if name in with_forms and "--to" not in _options(command)] == []


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("name", _CALLS)
def test_each_form_is_written_and_is_the_same_in_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The answer is computed once, and that of a search for suggestions is a sample: forms are views of it."""
    monkeypatch.chdir(SHOP)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("CUTLIST_CATALOG", raising=False)
    _compute_once(monkeypatch)
    monkeypatch.setattr("cutlist_cli.search_options.suggest", lambda *_, **__: suggestions())
    command = dict(_all_commands())[name]
    (forms,) = (
        param.type.choices for param in command.params if isinstance(param.type, click.Choice) and param.name == "output"
    )
    call = [*name.split(), *_CALLS[name].split()]
    file = tmp_path / "answer"
    for form in forms:
        shown = CliRunner().invoke(main, [*call, "-o", form])
        written = CliRunner().invoke(main, [*call, "-o", form, "--to", str(file)])
        assert (form, shown.exit_code, written.exit_code) == (form, *[_EXITS.get(name, 0)] * 2), shown.output
        assert written.stdout == ""
        assert file.read_bytes() == shown.stdout_bytes
        assert shown.stdout.endswith("\n")
        _READERS.get(form, ET.fromstring if form in _MARKUP else str.strip)(shown.stdout)


def _compute_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every call of a command after the first show the answer of the first."""
    answers: list[Any] = []
    show = Renderer.show

    def show_again(self: Renderer[Any], compute: Callable[[], Any]) -> Any:
        answers[:] = answers or [compute()]
        return show(self, lambda: answers[0])

    monkeypatch.setattr(Renderer, "show", show_again)
