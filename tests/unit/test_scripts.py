"""Scripts that apply objects, and packed manifests, are open where a plan depends on what they apply."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import shutil
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

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
    assert form.open.why == "a script that applies or changes objects of Karpenter; pass these as files"


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


@pytest.mark.parametrize(
    ("command", "is_open"),
    [
        ("kubectl patch nodepool general --type merge -p '{}'", True),
        ("kubectl -n karpenter edit ec2nodeclasses default", True),
        ("kubectl delete nodeclaim x", False),
        ("kubectl get nodepools", False),
    ],
)
def test_a_script_that_changes_node_pools_is_open(tmp_path: Path, command: str, is_open: bool) -> None:
    (tmp_path / "Makefile").write_text(f"all:\n\t{command}\n")
    assert (form_of(str(tmp_path / "Makefile")).open is not None) is is_open


POOL = b"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: hidden}\n"
PACKED = {
    "pool.yaml.gz": gzip.compress,
    "pool.bz2": bz2.compress,
    "pool.xz": lzma.compress,
    "pool.b64": b64encode,
    "pool.hex": lambda data: data.hex().encode(),
    "pool": lambda data: b64encode(gzip.compress(data)),
    "pools.zip": lambda data: archived(data, "zip"),
    "pools.tgz": lambda data: archived(data, "gztar"),
}


def archived(data: bytes, form: str) -> bytes:
    """Return an archive of one file."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "in").mkdir()
        (Path(folder) / "in" / "pool.yaml").write_bytes(data)
        return Path(shutil.make_archive(f"{folder}/out", form, f"{folder}/in")).read_bytes()


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_manifest_of_karpenter_is_open(tmp_path: Path, name: str) -> None:
    """Nobody applies it as it is, but some script unpacks it."""
    (tmp_path / name).write_bytes(PACKED[name](POOL))
    form = form_of(str(tmp_path / name))
    assert form.open is not None
    assert form.open.why == "packed, with an object of Karpenter in it; unpack it, and pass what it holds"
    (tmp_path / name).write_bytes(PACKED[name](POOL.replace(b"NodePool", b"ConfigMap")))
    assert form_of(str(tmp_path / name)).open is None


def test_a_manifest_that_another_program_packed_is_open_by_its_name(tmp_path: Path) -> None:
    for name, is_open in (("pool.yaml.zst", True), ("pool.yml.age", True), ("dump.zst", False), ("key.asc", False)):
        (tmp_path / name).write_bytes(b"\x28\xb5\x2f\xfd")
        assert (form_of(str(tmp_path / name)).open is not None) is is_open


@pytest.mark.parametrize("data", [b"", b"\x1f\x8bnot", b"PK\x03\x04not", b"BZhnot", b"\xfd7zXZnot", b"abc", b"\0" * 300])
def test_bytes_that_only_look_packed_are_passed_over(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file.gz").write_bytes(data)
    assert form_of(str(tmp_path / "file.gz")).open is None
