"""The ways in that other programs read: hooks of pre-commit, the container, the workflows."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cutlist_cli import main
from tests.recorded import PROJECT

HOOKS = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260625}]
  subnetSelectorTerms: [{tags: {team: web}}]
  securityGroupSelectorTerms: [{tags: {team: web}}]
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web, resources: {requests: {cpu: CPU}}}]}
"""


def run_hook(name: str, folder: Path) -> tuple[int, str]:
    """Run a hook as pre-commit does: its entry with the user's arguments, and no names of files."""
    [hook] = [hook for hook in HOOKS if hook["id"] == f"cutlist-{name}"]
    assert hook["language"] == "python"
    assert hook["pass_filenames"] is False
    program, *words = shlex.split(hook["entry"])
    assert program in METADATA["project"]["scripts"]
    region = [] if name == "validate" else ["--region", "us-west-2"]
    result = CliRunner().invoke(main, [*words, "-f", str(folder), *region])
    return result.exit_code, result.output


def test_hooks_pass_what_is_right_and_stop_what_is_not(tmp_path: Path):
    """A NodePool that Karpenter refuses, a rule that is broken, a pod that no instance type can run."""
    file = tmp_path / "manifests.yaml"
    file.write_text(POOL.replace("CPU", "1"))
    assert [run_hook(name, tmp_path)[0] for name in ("validate", "plan")] == [0, 0]
    assert run_hook("gate", tmp_path)[0] == 1  # the pool has no limits
    file.write_text(POOL.replace("CPU", "5000"))
    assert run_hook("plan", tmp_path)[0] == 1
    file.write_text(POOL.replace("operator: In", "operator: Inn"))
    code, output = run_hook("validate", tmp_path)
    assert code == 1
    assert "Inn" in output


def test_the_container_has_pinned_images_and_no_rights():
    """Both stages start from an image by digest, packages are installed by hash, and the last user has no rights."""
    lines = (PROJECT / "Dockerfile").read_text("utf-8")
    images = re.findall(r"^FROM (\S+)", lines, re.MULTILINE)
    assert len(images) == 2
    assert all(re.fullmatch(r"python:3\.\d+-slim@sha256:[0-9a-f]{64}", image) for image in images)
    assert re.findall(r"^USER (\S+)", lines, re.MULTILINE)[-1] == "65532:65532"
    assert 'ENTRYPOINT ["cutlist"]' in lines
    assert "--require-hashes --only-binary :all:" in lines
    assert "--no-deps --no-build-isolation" in lines


def test_the_container_is_built_from_what_the_wheel_needs():
    """All else, such as tests, is kept away from the builder."""
    kept = {line[1:] for line in (PROJECT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    packages = {Path(path).parts[0] for path in METADATA["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]}
    assert packages | {"pyproject.toml", "README.md", "LICENSE", "NOTICE", "tools/integrations/requirements.txt"} <= kept
    assert all((PROJECT / name).exists() for name in kept)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflows_may_read_alone_unless_a_job_says_why(file: Path):
    """Whoever takes over a step of a job gets no token that writes, and every job ends."""
    text = file.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in text
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 120
        if "permissions" in job:
            assert file.stem in ("release", "prices")
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            assert step.get("with", {}).get("persist-credentials", False) is False
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {word for words in re.findall(r"run: make ([a-z ]+)", text) for word in words.split()} <= targets


def test_the_tests_run_on_every_python_that_the_package_names():
    named = re.findall(r"Python :: (3\.\d+)$", "\n".join(METADATA["project"]["classifiers"]), re.MULTILINE)
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == named
