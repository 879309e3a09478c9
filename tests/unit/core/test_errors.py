"""The errors that users and callers meet are one tree, which its modules show whole."""

from __future__ import annotations

import ast
import re

import pytest

from tests.source import ONE_WORKER, tree
from tests.unit.test_reachable import files

pytestmark = ONE_WORKER

BRANCHES = ("cutlist.core.errors", "cutlist_live.errors", "pulumi_cutlist.errors")


def bases() -> dict[tuple[str, str], set[str]]:
    """The classes of the product, by module and name, with the names of what they derive from."""
    classes = ((module, node) for module, file in files().items() for node in tree(file).body if isinstance(node, ast.ClassDef))
    return {(module, node.name): {base.id for base in node.bases if isinstance(base, ast.Name)} for module, node in classes}


def defined() -> dict[str, str]:
    """The errors that derive from `CutlistError`, each with its module."""
    errors = {"CutlistError": BRANCHES[0]}
    grew = True
    while grew:
        more = {name: module for (module, name), of in bases().items() if of & errors.keys() and name not in errors}
        errors |= more
        grew = bool(more)
    return errors


def shown(branch: str) -> dict[str, str]:
    """The errors that a branch's tree shows, each with its line."""
    shown_tree = ast.get_docstring(tree(files()[branch])) or ""
    return {name: line for line in shown_tree.splitlines() for name in re.findall(r"(?:^ *|── )(\w+(?:Error|Crash))\b", line)}


@pytest.mark.slow
def test_every_error_is_in_the_tree_of_its_branch():
    """One that is defined elsewhere, since it needs what is known there, is shown in the core's tree with its module."""
    for error, module in defined().items():
        line = shown(module if module in BRANCHES else BRANCHES[0])
        assert error in line, f"{error} of {module} is in no tree"
        assert module in BRANCHES or f"`{module}`" in line[error] or f"`{module}," in line[error]


def test_no_tree_shows_an_error_that_does_not_exist():
    assert {error for branch in BRANCHES for error in shown(branch)} == set(defined())
