"""What CONTRIBUTING.md and the decisions say of the project is so."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.recorded import PROJECT

PAGE = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
RECORDS = sorted((PROJECT / "docs" / "decisions").glob("*.md"))
LAYERS = 14
ELSEWHERE = ("pkg/", "robfig/", ".recorded/")  # Karpenter's folders, a Go module, what tests unpack


def test_each_layer_has_its_line():
    """In the order of the import contract, which has no more layers than a reader can keep in mind."""
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract.get("containers") == ["cutlist"]]
    assert len(layers) <= LAYERS
    level = {name: number for number, layer in enumerate(layers) for name in layer.split(" | ")}
    listed = re.findall(r"^\| `(\w+)` \|", PAGE.partition("| layer | what it is |")[2].partition("\n\n")[0], re.MULTILINE)
    assert sorted(listed) == sorted(level)
    assert [level[name] for name in listed] == sorted(level[name] for name in listed)


def test_no_module_lies_beside_the_layers():
    """Everything in the package is in a layer."""
    assert [file.name for file in (PROJECT / "cutlist").glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("page", [PROJECT / "CONTRIBUTING.md", *RECORDS], ids=lambda page: page.name)
def test_files_that_are_named_are_there(page):
    """Paths with a folder, from the root of the project or, for short, of the core; links are relative."""
    text = page.read_text("utf-8")
    paths = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text)
    roots = (PROJECT, PROJECT / "cutlist", PROJECT / "components")
    ours = [path for path in paths if not path.startswith(ELSEWHERE)]
    missing = [path for path in ours if not any((root / path).exists() for root in roots)]
    links = [link for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text) if not (page.parent / link).exists()]
    assert (missing, links) == ([], [])


def test_each_record_is_listed():
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (PROJECT / "docs" / "decisions" / "README.md").read_text("utf-8"))
    assert sorted(listed) == [record.name for record in RECORDS if record.name != "README.md"]


def test_targets_of_make_that_are_named_exist():
    named = set(re.findall(r"`?\bmake ([a-z]+)", PAGE))
    assert named <= set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
