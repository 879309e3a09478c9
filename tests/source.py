"""The project's own code as syntax trees, for the tests that read it: each file is parsed once a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ONE_WORKER: Final = pytest.mark.xdist_group("source")
"""Marks tests that read all of the code: a second worker would parse all of it again."""


@cache
def tree(file: Path) -> ast.Module:
    """Return a file's tree, which no test changes."""
    return ast.parse(file.read_text("utf-8"))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's tree, outer ones first."""
    return tuple(ast.walk(tree(file)))
