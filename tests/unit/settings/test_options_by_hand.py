"""Messages outside the command line's own modules take the words of an option from its setting, which declares them once."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from cutlist.settings.planning import RECURSIVE
from cutlist_cli.application import main
from tests.recorded import PROJECT
from tests.source import ONE_WORKER, nodes

pytestmark = ONE_WORKER

OF_OTHER_PROGRAMS: Final = {
    "cutlist/core/karpenter/feature_gates.py": "declares the flags of Karpenter's controller",
    "cutlist/core/karpenter/behaviours.py": "describes the flags of Karpenter's controller",
    "cutlist/core/installing.py": "writes the words of pipx and uvx",
    "cutlist/core/secrecy.py": "knows the options of programs whose values are secret",
    "cutlist/documents/account/forms.py": "writes the words of programs that make YAML of other languages",
    "cutlist/documents/delivery/argo/chart.py": "writes the words of helm",
    "cutlist/documents/delivery/helm.py": "writes the words of helm",
    "cutlist/documents/delivery/releases.py": "writes the words of flux, helm and argocd",
    "cutlist/documents/terraform/hcl/releases.py": "writes the words of helm",
    "cutlist/infrastructure/charts/notes.py": "describes the flags of Karpenter's controller",
    "cutlist/documents/helmfile/program.py": "writes the words of helmfile",
    "cutlist/documents/helmfile/rendering.py": "writes the words of helmfile",
    "cutlist/infrastructure/kubeconfig.py": "writes the words of aws",
    "cutlist/policy/rules/node_classes/user_data.py": "looks for options of programs that nodes run",
    "cutlist/report/html/types_chart.py": "uses variables of style sheets",
    "cutlist_live/azure_location.py": "writes the words of az",
    "components/pulumi_cutlist/lookups/account.py": "writes the words of pulumi",
    "cutlist_live/fetch/helm.py": "writes the words of helm",
}
"""Modules whose options are those of other programs."""
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def options_of(command: click.Command) -> Iterator[str]:
    """Yield the long options of a command and of those below it."""
    yield from (name for param in command.params for name in param.opts if name.startswith("--"))
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                yield from options_of(inner)


OPTIONS: Final = frozenset(options_of(main))


def named_by_hand(module: Collection[ast.AST]) -> list[str]:
    """Return the options of the command that texts of a module name, except in docstrings and in the declaration itself."""
    statements = (node for node in module if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    docstrings = {id(statement.value) for statement in statements}
    texts = (
        node.value
        for node in module
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    )
    return [option for text in texts if text != RECURSIVE.shown for option in _OPTION.findall(text) if option in OPTIONS]


def modules() -> list[str]:
    folders = (PROJECT / name for name in ("cutlist", "cutlist_live", "components", "policies"))
    paths = [path.relative_to(PROJECT).as_posix() for folder in folders for path in sorted(folder.rglob("*.py"))]
    return [path for path in paths if path not in OF_OTHER_PROGRAMS]


@pytest.mark.slow
def test_no_message_names_an_option_by_hand() -> None:
    named = {path: options for path in modules() if (options := named_by_hand(nodes(PROJECT / path)))}
    assert named == {}


@pytest.mark.parametrize("path", OF_OTHER_PROGRAMS)
def test_what_names_options_of_other_programs_exists_and_does_so(path: str) -> None:
    assert _OPTION.search(Path(PROJECT, path).read_text("utf-8"))


def test_an_option_in_a_message_is_found_and_one_in_a_docstring_is_not() -> None:
    source = 'def f():\n    """Read what --helm renders."""\n    return f"give --helm {1}, or helm --debug-files"\n'
    assert named_by_hand(tuple(ast.walk(ast.parse(source)))) == ["--helm"]
