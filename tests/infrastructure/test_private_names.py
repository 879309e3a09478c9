"""The private names of Pulumi's SDK and of Python that Cutlist uses are there, and in one module."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.source import ONE_WORKER, nodes

pytestmark = ONE_WORKER

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("cutlist", "cutlist_cli", "cutlist_live", "components/pulumi_cutlist", "policies/cutlist_policies")
MODULE = ROOT / "components" / "pulumi_cutlist" / "private_names.py"
RELEASED = "a release of {of} has changed {name}, which components/pulumi_cutlist/private_names.py uses: {reason}"

NAMES = (
    ("pulumi", "pulumi.runtime._callbacks", "_CallbackServicer", "transforms and hooks of programs are not called"),
    ("pulumi", "pulumi.runtime._callbacks", "_CallbackServicer.register_transform", "transforms of programs are not called"),
    ("pulumi", "pulumi.runtime.rpc", "_special_sig_key", "inputs that are resources stop a program from ending"),
    ("pulumi", "pulumi.runtime.rpc", "_special_resource_sig", "inputs that are resources stop a program from ending"),
    ("pulumi", "pulumi", "_types.is_output_type", "values that stand in for look-ups have no form"),
    ("pulumi", "pulumi", "_types.output_type_types", "values that stand in for look-ups have no form"),
    ("pulumi", "pulumi", "_types.input_type_types", "misspelt properties of programs in YAML pass"),
    ("pulumi", "pulumi", "_types.resource_types", "misspelt outputs in programs in YAML pass"),
    ("pulumi", "pulumi.runtime.sync_await", "_sync_await", "components in YAML do not know what a look-up answers"),
    ("Python", "pickle", "_Pickler._batch_setitems", "a program with 400 resources of its own cannot be run"),
    ("Python", "pickle", "_Pickler.save_dict", "a program with 400 resources of its own cannot be run"),
    ("Python", "threading", "_shutdown", "a program's threads do not end before its process"),
    ("Python", "atexit", "_clear", "a program's process does what the judging process wanted to do at its end"),
    ("Python", "atexit", "_run_exitfuncs", "what a program registers with atexit does not run"),
)


@pytest.mark.parametrize(("of", "module", "name", "reason"), NAMES)
def test_a_private_name_is_there(of, module, name, reason):
    """Otherwise the message says what a release has changed, and what no longer works."""
    found = import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
        assert found is not None, RELEASED.format(of=of, name=f"{module}.{name}", reason=reason)


def test_the_servicer_has_the_attributes_that_the_own_one_sets():
    """Cutlist leaves its constructor out, which starts a server, and sets what the constructor sets besides."""
    from pulumi.runtime._callbacks import _CallbackServicer

    source = inspect.getsource(_CallbackServicer.__init__)
    theirs = {*re.findall(r"self\.(_\w+)\b[^=\n]*= ", source)} - {"_server", "_loop"}
    [own] = [node for node in nodes(MODULE) if isinstance(node, ast.ClassDef) and node.name == "Callbacks"]
    ours = set(re.findall(r"self\.(_\w+) = ", ast.unparse(own.body[1])))
    message = RELEASED.format(of="pulumi", name="_CallbackServicer.__init__", reason="transforms fail when they are declared")
    assert theirs <= ours, message


def test_the_sdk_marks_a_resource_as_cutlist_expects():
    """These are the keys of the protocol between programs and engines, so a release that changes them breaks engines too."""
    from pulumi.runtime import rpc

    keys = (rpc._special_sig_key, rpc._special_resource_sig)
    assert keys == ("4dabf18193072939515e22adb298388d", "5cf8f73096256a8f31e491e813e4eb8e")


def _private_names_of_others(file: Path) -> Iterator[str]:
    """The private names that a file imports from others, or takes from a module of others that it imports."""
    foreign = set()
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(("cutlist", "pulumi_cutlist")):
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from (f"{node.module}: {part}" for part in parts if _is_private(part))
            foreign |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            foreign |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names} - {"cutlist", "pulumi_cutlist"}
    for node in nodes(file):
        if isinstance(node, ast.Attribute) and _is_private(node.attr):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in foreign and (root.id, node.attr) not in _PUBLIC:
                yield f"{root.id}.{node.attr}"


_PUBLIC = {("os", "_exit")}
"""Names with an underscore that the documentation of Python describes."""


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_no_other_module_uses_private_names():
    """One place says why each is needed, and one test what depends on it."""
    files = [file for part in PARTS for file in sorted((ROOT / part).rglob("*.py"))]
    assert MODULE in files
    found = {
        file.relative_to(ROOT).as_posix(): names for file in files if (names := sorted(set(_private_names_of_others(file))))
    }
    assert list(found) == [MODULE.relative_to(ROOT).as_posix()], found
    assert "threading._shutdown" in found[MODULE.relative_to(ROOT).as_posix()]
