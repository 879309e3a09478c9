"""What describes a release: its version in every file, its notes, its bill of materials, its archive for krew."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml
from pulumi_cutlist.package.version import semantic_version

from tests.recorded import PROJECT
from tools.release import kubectl
from tools.release.__main__ import main
from tools.release.bill_of_materials import bill_of_materials
from tools.release.checks import PLACES, Outcome, checks, set_version
from tools.release.project import PLACEHOLDER, Project

PINS = PROJECT / "tools/integrations/requirements.txt"
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0 - 2026-12-01\n\n- first\n"
FILES = (
    "pyproject.toml",
    "constraints.txt",
    "tools/integrations/requirements.txt",
    "tools/integrations/kubectl/cutlist.yaml",
    "LICENSE",
)


@pytest.fixture
def clone(tmp_path: Path) -> Project:
    """The files of the project that a release reads, committed."""
    for name in {*FILES, *PLACES}:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, target)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    commit(Project(tmp_path))
    return Project(tmp_path)


def commit(project: Project) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    project.git("add", ".")
    project.git(*author, "commit", "--quiet", "--message", "all")


def outcomes(project: Project) -> dict[str, tuple[Outcome, str]]:
    return {check.name: (check.outcome, check.finding) for check in checks(project)}


def test_versions_have_the_forms_of_those_who_read_them():
    """Python's own, and a semantic version for engines and tags; anything else is refused."""
    versions = {"1.0.0": "1.0.0", "1.0.0rc1": "1.0.0-rc.1", "0.12.3b10": "0.12.3-beta.10", "2.0.0a2": "2.0.0-alpha.2"}
    assert {version: semantic_version(version) for version in versions} == versions
    for wrong in ("1.0", "1.0.0.dev1", "1.0.0-rc.1", "v1.0.0"):
        with pytest.raises(ValueError, match="three numbers"):
            semantic_version(wrong)


def test_this_clone_could_be_released():
    """Every file that repeats the version has the same one, pins agree with what is tested, and there are notes."""
    results = outcomes(Project(PROJECT))
    for name in ("every file has the same version", "pins and constraints agree", "the changelog has notes"):
        assert results[name] == (Outcome.OK, "")


def test_the_checks_say_what_is_wrong(clone: Project):
    """A version that differs, a tag that is taken, what is not committed, a missing section, a pin of another version."""
    assert {outcome for outcome, _ in outcomes(clone).values()} == {Outcome.OK, Outcome.OPEN}
    clone.git("tag", clone.tag)
    assert outcomes(clone)["the tag is free or of this commit"] == (Outcome.OK, "")
    (clone.root / "later").touch()
    commit(clone)
    (clone.root / "CHANGELOG.md").write_text("# Changelog\n")
    pack = clone.root / "policies/PulumiPolicy.yaml"
    pack.write_text(pack.read_text().replace(clone.semantic_version, "0.9.0"))
    pins = clone.root / "tools/integrations/requirements.txt"
    pins.write_text(pins.read_text().replace("boto3==", "boto3==0."))
    results = {name: finding for name, (outcome, finding) in outcomes(clone).items() if outcome is Outcome.FAILED}
    assert results["everything is committed"].startswith("3 changed files, CHANGELOG.md ")
    assert results["the tag is free or of this commit"].startswith(f"{clone.tag} is of another commit, ")
    assert results["the changelog has notes"] == f"CHANGELOG.md has no section {clone.semantic_version}"
    assert results["every file has the same version"] == f"policies/PulumiPolicy.yaml has 0.9.0, not {clone.semantic_version}"
    assert results["pins and constraints agree"].startswith("boto3 is 0.")


def test_a_final_release_needs_its_own_notes_and_an_address(clone: Project):
    """A candidate is described by what is unreleased, and may come before the project has a home."""
    assert clone.notes() == "- new"
    set_version(clone, "1.0.0")
    final = Project(clone.root)
    assert (final.version, final.tag, final.notes()) == ("1.0.0", "v1.0.0", "- first")
    assert "v1.0.0/kubectl-cutlist.tar.gz" in (final.root / "tools/integrations/kubectl/cutlist.yaml").read_text()
    commit(final)
    results = outcomes(final)
    assert results["every file has the same version"] == (Outcome.OK, "")
    outcome, finding = results["the project has an address"]
    assert outcome is Outcome.FAILED
    assert finding.startswith(f"{PLACEHOLDER} is a placeholder in components/schema.json, pyproject.toml, tools/integrations")


def test_the_bill_of_materials_has_every_pin_with_its_hashes(tmp_path: Path):
    """And the distributions with theirs; the dependencies are among the components."""
    wheel = tmp_path / "cutlist-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    project = Project(PROJECT)
    bill = bill_of_materials(project, [wheel])
    pins = [line for line in PINS.read_text().splitlines() if not line.startswith("#")]
    assert {f"{part['name']}=={part['version']}" for part in bill["components"]} == {pin.split(" ")[0] for pin in pins}
    assert all(part["hashes"] for part in bill["components"])
    [file] = bill["metadata"]["component"]["components"]
    assert file["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(b"wheel").hexdigest()}]
    edges = {edge["ref"]: edge["dependsOn"] for edge in bill["dependencies"]}
    references = {part["bom-ref"] for part in bill["components"]}
    assert edges.keys() <= {f"pkg:pypi/cutlist@{project.version}", *references}
    assert {reference for depends in edges.values() for reference in depends} <= references
    assert any("/click@" in reference for reference in edges[f"pkg:pypi/cutlist@{project.version}"])
    assert json.dumps(bill_of_materials(project, [wheel])) == json.dumps(bill)


def test_krew_gets_an_archive_with_a_command_and_its_licence(tmp_path: Path):
    """The manifest has the checksum of the archive, which is the same bytes each time."""
    project = Project(PROJECT)
    packed = kubectl.archive(project, tmp_path)
    with tarfile.open(packed) as files:
        assert {member.name: oct(member.mode) for member in files} == {"kubectl-cutlist": "0o755", "LICENSE": "0o644"}
    before = packed.read_bytes()
    assert kubectl.archive(project, tmp_path).read_bytes() == before
    manifest = yaml.safe_load(kubectl.manifest(project, packed))
    [platform] = manifest["spec"]["platforms"]
    assert platform["sha256"] == hashlib.sha256(before).hexdigest()
    assert manifest["spec"]["version"] == project.tag
    assert f"/{project.tag}/{packed.name}" in platform["uri"]


@pytest.mark.parametrize(
    ("installed", "runs"),
    [
        (("cutlist", "uvx", "pipx"), "cutlist plan -f a b.yaml"),
        (("uvx", "pipx"), "uvx --from cutlist[live]=={version} cutlist plan -f a b.yaml"),
        (("pipx",), "pipx run --spec cutlist[live]=={version} cutlist plan -f a b.yaml"),
    ],
)
def test_kubectl_cutlist_runs_what_is_installed(tmp_path: Path, installed: tuple[str, ...], runs: str):
    for name in installed:
        (tmp_path / name).write_text('#!/bin/sh\necho "$(basename "$0") $*"\n')
        (tmp_path / name).chmod(0o755)
    (tmp_path / "basename").symlink_to(shutil.which("basename") or "basename")
    done = kubectl_cutlist(tmp_path, "plan", "-f", "a b.yaml")
    assert done.stdout.strip() == runs.format(version=Project(PROJECT).version)


def test_kubectl_cutlist_says_what_it_needs(tmp_path: Path):
    done = kubectl_cutlist(tmp_path, "plan")
    assert done.returncode == 127
    assert "pipx install cutlist[live]==" in done.stderr


def kubectl_cutlist(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the plugin where nothing but a folder is on PATH."""
    script = PROJECT / kubectl.FOLDER / "kubectl-cutlist"
    return subprocess.run(["/bin/sh", script, *arguments], env={"PATH": str(path)}, capture_output=True, text=True, check=False)


def test_an_address_has_the_form_of_one(capsys: pytest.CaptureFixture[str]):
    """Nothing is written otherwise."""
    assert main(["address", "cutlist.example"]) == 2
    assert "begins with https://" in capsys.readouterr().out


def test_a_version_has_the_form_of_one(capsys: pytest.CaptureFixture[str]):
    """Nothing is written otherwise."""
    before = (PROJECT / "pyproject.toml").read_bytes()
    assert main(["version", "v1.0"]) == 2
    assert "three numbers" in capsys.readouterr().out
    assert (PROJECT / "pyproject.toml").read_bytes() == before


def test_a_build_that_fails_says_why(clone: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """With what the builder printed."""
    monkeypatch.setattr("tools.release.__main__.ROOT", clone.root)
    assert main(["dist", "--into", str(clone.root / "dist")]) == 1
    said = capsys.readouterr().out
    assert "hatchling build" in said
    assert "README.md" in said
