"""The stack that is selected in Pulumi's workspace of a project."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from cutlist_cli.selected_stack import selected_stack

STACKS = ("dev", "prod")
CLOUD = "https://api.pulumi.com"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the working directory, with Pulumi's home beside it."""
    folder = tmp_path / "shop"
    (folder / "sub").mkdir(parents=True)
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", "utf-8")
    monkeypatch.chdir(folder)
    return folder


def select(project: Path, text: str) -> dict[str, str]:
    """Write what `pulumi stack select` writes, and return the environment."""
    home = project.parent / "home"
    digest = hashlib.sha1(str(project / "Pulumi.yaml").encode(), usedforsecurity=False).hexdigest()
    (home / "workspaces").mkdir(parents=True)
    (home / "workspaces" / f"shop-{digest}-workspace.json").write_text(text, "utf-8")
    return {"PULUMI_HOME": str(home)}


@pytest.mark.parametrize(
    ("workspace", "stack"),
    [
        ({"stack": "dev"}, "dev"),
        ({"stack": "acme/shop/prod"}, "prod"),
        ({"stack": "dev", "stacks": {CLOUD: "acme/shop/prod"}}, "prod"),
        ({"stacks": {CLOUD: "acme/shop/dev", "file://~": "organization/shop/dev"}}, "dev"),
        ({"stacks": {CLOUD: "dev", "file://~": "prod"}}, None),
        ({"stack": "gone"}, None),
        ({"stack": 1}, None),
        ({}, None),
        ([], None),
    ],
)
def test_it_is_read_in_every_form_that_pulumi_writes(project, workspace, stack):
    """One name for each backend, or one for all; a stack that the project has not is not taken."""
    assert selected_stack(Path(), STACKS, select(project, json.dumps(workspace))) == stack


def test_what_cannot_be_read_selects_nothing(project):
    assert selected_stack(Path(), STACKS, {"PULUMI_HOME": str(project / "nowhere")}) is None
    assert selected_stack(Path(), STACKS, select(project, "{")) is None


def test_the_folder_has_the_name_that_the_shell_knows(project, monkeypatch):
    """A link to the project is another project for Pulumi; a variable of another folder is passed over."""
    environment = select(project, '{"stack": "dev"}')
    link = project.parent / "link"
    link.symlink_to(project)
    monkeypatch.chdir(link / "sub")
    assert selected_stack(Path(".."), STACKS, {**environment, "PWD": str(link / "sub")}) == "dev"
    assert selected_stack(Path(".."), STACKS, {**environment, "PWD": "/"}) == "dev"


def test_the_variable_comes_before_what_is_selected(project):
    environment = select(project, '{"stack": "dev"}')
    assert selected_stack(Path(), STACKS, {**environment, "PULUMI_STACK": "acme/shop/prod"}) == "prod"
    assert selected_stack(Path(), STACKS, {**environment, "PULUMI_STACK": "other"}) is None
