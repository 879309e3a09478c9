"""The public functions: their examples run, and each name is what it says wherever its module was imported before."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import cutlist
from cutlist_cli.commands import COMMANDS
from tests.documentation import section

_PROJECT = Path(__file__).resolve().parents[2]
_VERBS = (
    "budgets",
    "convert",
    "diff",
    "disrupt",
    "explain",
    "fix",
    "gate",
    "history",
    "interrupt",
    "nodes",
    "permissions",
    "plan",
    "simulate",
    "suggest",
    "types",
    "upgrade",
    "userdata",
    "validate",
    "verify",
    "why",
)
_NOT_PUBLIC = {"catalog", "doctor", "preview", "serve", "sweep"}


def _module_of(verb: str) -> ModuleType:
    return importlib.import_module("cutlist.verbs.gate.fix" if verb == "fix" else f"cutlist.verbs.{verb}.answer")


def test_each_verb_is_public():
    """What has a folder in `verbs` is a function of the package by the same name, and has a command."""
    folders = {module.name for module in pkgutil.iter_modules([str(_PROJECT / "cutlist" / "verbs")]) if module.ispkg}
    assert folders - _NOT_PUBLIC == set(_VERBS) - {"fix"}
    for verb in _VERBS:
        assert getattr(cutlist, verb) is getattr(_module_of(verb), verb)
        assert verb in COMMANDS or verb == "fix"  # which is an option of `gate`


@pytest.mark.parametrize("verb", _VERBS)
def test_examples_of_public_functions_run(verb, monkeypatch):
    """Each verb shows how it is called, and gets what it shows."""
    monkeypatch.chdir(_PROJECT)
    module = _module_of(verb)
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_examples_of_inputs_run(monkeypatch):
    """What makes the inputs shows how as well."""
    monkeypatch.chdir(_PROJECT)
    for name in ("inputs", "read_inputs"):
        result = doctest.testmod(importlib.import_module(f"cutlist.planning.{name}"))
        assert result.attempted > 0
        assert result.failed == 0


@pytest.mark.slow
def test_no_public_name_is_a_module():
    """`from cutlist import X` gives the value, even after every module of the package has been imported."""
    for module in pkgutil.walk_packages(cutlist.__path__, "cutlist."):
        importlib.import_module(module.name)
    assert [name for name in cutlist.__all__ if isinstance(getattr(cutlist, name), ModuleType)] == []


def test_type_checkers_see_the_same_names():
    """What is imported for type checkers alone is what is loaded lazily, from the same modules."""
    tree = ast.parse((_PROJECT / "cutlist" / "__init__.py").read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    names = {alias.name: node.module for node in block.body for alias in node.names}
    assert sorted(names) == sorted(cutlist.__all__)
    assert names == cutlist._MODULES


def test_the_page_on_python_imports_from_the_package_alone():
    """It needs nothing that is private."""
    page = section("showing.md", "Plans in Python")
    imports = [line for line in page.splitlines() if line.startswith(("from ", "import "))]
    assert imports
    assert [line for line in imports if not line.startswith(("from cutlist import ", "from datetime import "))] == []
