"""Scripts that apply objects are open where a plan depends on what they apply."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutlist.documents.account.forms import form_of

APPLIED = "cat <<EOF | kubectl apply -f -\napiVersion: v1\nkind: {kind}\nmetadata: {{name: $NAME}}\nEOF\n"


@pytest.mark.parametrize("kind", ["NodePool", "EC2NodeClass", "Provisioner"])
def test_a_script_with_an_object_of_karpenter_is_open(tmp_path: Path, kind: str) -> None:
    """F-3: nobody but the shell knows the values."""
    (tmp_path / "apply.sh").write_text(APPLIED.format(kind=kind))
    form = form_of(str(tmp_path / "apply.sh"))
    assert form.form == "scripts"
    assert form.open is not None
    assert form.open.why == "a script that applies objects of Karpenter; pass these as files"


@pytest.mark.parametrize("name", ["Makefile", "justfile", "deploy.zsh", "rules.mk", "deploy"])
def test_a_script_of_another_tool_is_open(tmp_path: Path, name: str) -> None:
    """A file without an ending is one by its first line."""
    (tmp_path / name).write_text(f"#!/bin/sh\n{APPLIED.format(kind='NodePool')}")
    form = form_of(str(tmp_path / name))
    assert (form.form, form.open is not None) == ("scripts", True)


@pytest.mark.parametrize("name", ["pools.ndjson", "pools.txt", "pools"])
def test_objects_of_karpenter_in_lines_of_json_are_open(tmp_path: Path, name: str) -> None:
    pool = json.dumps({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "a"}})
    (tmp_path / name).write_text(f"{pool}\n{pool}\n")
    form = form_of(str(tmp_path / name))
    assert form.open is not None
    assert "a manifest under another name" in form.open.why
    (tmp_path / name).write_text(pool.replace("NodePool", "ConfigMap"))
    assert form_of(str(tmp_path / name)).open is None


def test_another_script_is_passed_over(tmp_path: Path) -> None:
    """One that applies other objects, or none."""
    for name, text in (("other.sh", APPLIED.format(kind="ConfigMap")), ("none.sh", "echo kind: NodePool\n")):
        (tmp_path / name).write_text(text)
        assert form_of(str(tmp_path / name)).open is None
