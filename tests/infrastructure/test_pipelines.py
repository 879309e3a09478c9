"""The shell steps of the GitHub action and of the GitLab template, run as their hosts run them."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.infrastructure.projects import copy_of_project

ROOT = Path(__file__).resolve().parents[2]
PINNING = runpy.run_path(str(ROOT / "tools/integrations/pin.py"))
MARK = "<!-- cutlist gate -->"
PAGE = "https://github.example.com/acme/shop/actions/runs/1/artifacts/2"
INPUTS = (
    *("INSTALL", "REQUIREMENTS", "STACK", "FILES", "ENVIRONMENT", "BASE", "RECURSIVE", "HELM", "KUSTOMIZE", "REGION", "GATES"),
    *("REPOSITORY", "NUMBER", "GH_TOKEN"),
)
# The command as it is once installed, whatever version of it this machine has installed.
CUTLIST = """#!{python}
from cutlist_cli import application
from cutlist_cli.gate import command
application.load = lambda name: command
application.main()
"""
# A stand-in for GitHub's own command: comments of one pull request in a file.
GH = """#!{python}
import json, os, sys
path = os.environ["COMMENTS"]
comments = json.load(open(path))
arguments = sys.argv[1:]
if "--method" not in arguments:
    listed = [c["id"] for c in comments if c["bot"] and c["body"].startswith(os.environ["MARK"])]
    assert "startswith(env.MARK)" in arguments[-1] and '"Bot"' in arguments[-1]
    print("\\n".join(map(str, listed)))
    sys.exit()
body = next(a for a in arguments if a.startswith("body=@"))[6:]
text = open(body, encoding="utf-8").read()
if "PATCH" in arguments:
    number = int(next(a for a in arguments if "/comments/" in a).rpartition("/")[2])
    next(c for c in comments if c["id"] == number)["body"] = text
else:
    comments.append({{"id": 100 + len(comments), "bot": True, "body": text}})
json.dump(comments, open(path, "w"))
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with `cutlist`, `python` and `gh`, that is first on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    scripts = {
        "cutlist": CUTLIST.format(python=sys.executable),
        "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
        "gh": GH.format(python=sys.executable),
    }
    for name, text in scripts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


def run(script: str, tools: Path, folder: Path, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join((str(ROOT), str(ROOT / "components")))
    environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(folder), "PYTHONPATH": paths, **variables}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_what_is_installed_is_enough_for_a_stack_with_a_cluster():
    """The stack that the page shows makes a cluster on EKS, whose program needs the SDK of AWS."""
    pins = {line.partition("==")[0] for line in requirements()}
    assert {"pulumi", "pulumi-aws", "pulumi-eks", "pulumi-kubernetes", "pulumi-azure-native", "boto3", "hatchling"} <= pins
    assert "karpenterCluster" in (ROOT / "stacks/Pulumi.prod.yaml").read_text()
    assert "{stack: prod}" in (ROOT / "docs/gates.md").read_text()


def requirements() -> list[str]:
    lines = (ROOT / "tools/integrations/requirements.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_what_is_installed_has_versions_and_hashes():
    """A release that somebody replaced, or a name that somebody took, is refused."""
    known = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    for line in requirements():
        pin, *hashes = line.split(" ")
        assert re.fullmatch(r"[a-z0-9.-]+==[A-Za-z0-9.]+", pin)
        assert hashes
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", digest) for digest in hashes)
        name, version = pin.split("==")
        assert known.get(name, version) == version
    texts = [path.read_text() for path in (ROOT / "action.yml", *(ROOT / "tools/integrations").rglob("*.yml"))]
    installs = [line for text in texts for line in text.splitlines() if "pip install" in line]
    assert len(installs) == 2 * len(texts) == 8
    assert all(
        "--require-hashes --only-binary :all: -r" in line or "--no-deps --no-build-isolation" in line for line in installs
    )


def test_all_that_cutlist_needs_is_among_the_requirements():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pins = {line.partition("==")[0] for line in requirements()}
    names = {re.split(r"[><=\[]", one)[0].lower().replace("_", "-") for one in PINNING["wanted"](project, PINNING["EXTRAS"])}
    assert names <= pins


def test_images_have_a_digest_and_actions_a_hash():
    files = [
        ROOT / "action.yml",
        *(ROOT / ".github/workflows").glob("*.yml"),
        *(ROOT / "tools/integrations").rglob("*.yml"),
    ]
    files += [ROOT / "docs/gates.md", ROOT / "docs/releasing.md", ROOT / "docs/install.md"]
    for text in (file.read_text() for file in files):
        images = re.findall(r"^ +image: (.*)$", text, re.MULTILINE)
        uses = [used for used in re.findall(r"uses: (\S+)", text) if not used.startswith("./")]
        assert all(re.search(r"@sha256:[0-9a-f]{64}$", image) for image in images)
        assert all(re.search(r"@[0-9a-f]{40}$", used) for used in uses)


@dataclass(slots=True)
class Action:
    """The composite action with its inputs; `folder` takes what a runner has."""

    tools: Path
    folder: Path
    given: dict[str, str] = field(default_factory=lambda: {"STACK": "dev"})
    comments: list[dict[str, Any]] = field(default_factory=list)

    def run(self, project: Path) -> dict[str, Any]:
        """All steps as a runner does them: the first that fails is the last. An upload is known by where it would be."""
        steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
        store = self.folder / "comments.json"
        store.write_text(json.dumps(self.comments))
        files = {name: self.folder / name for name in ("output", "summary")}
        for file in files.values():
            file.write_text("")
        variables = {
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(files["output"]),
            "GITHUB_STEP_SUMMARY": str(files["summary"]),
            "COMMENTS": str(store),
        }
        done: dict[str, Any] = {"failed": ""}
        inputs = {**dict.fromkeys(INPUTS, ""), "PROJECT_DIR": str(project), **self.given}
        for step in steps:
            outputs = dict(line.split("=", 1) for line in files["output"].read_text().splitlines())
            if "uses" in step:
                assert (step["id"], step["with"]["path"]) == ("page", "${{ steps.gate.outputs.page }}")
                done["uploaded"] = Path(outputs["page"]).read_text()
                continue
            given = {**inputs, "PASSED": outputs.get("passed", ""), "PAGE": PAGE}
            assert set(step.get("env", {})) <= set(given)
            result = run(step["run"], self.tools, ROOT, {**variables, **{k: given[k] for k in step.get("env", {})}})
            done[step["name"]] = result
            if result.returncode:
                done["failed"] = step["name"]
                break
        self.comments = json.loads(store.read_text())
        return {**done, "outputs": outputs, "summary": files["summary"].read_text()}


@pytest.fixture
def action(tools: Path, tmp_path: Path) -> Action:
    return Action(tools, tmp_path)


def gated_as(environment: str, folder: Path) -> Path:
    """Return the project with a dev stack of Karpenter's objects alone, gated as an environment: a cluster takes seconds."""
    folder.mkdir()
    file = copy_of_project(folder) / "stacks/Pulumi.dev.yaml"
    stack = yaml.safe_load(file.read_text())
    del stack["config"]["cutlist:karpenterCluster"]
    stack["config"]["cutlist:gates"] |= {"environment": environment, "profile": "strict"}
    file.write_text(yaml.safe_dump(stack))
    return folder


@pytest.fixture
def lenient(tmp_path: Path) -> Path:
    return gated_as("development", tmp_path / "lenient")


@pytest.fixture
def strict(tmp_path: Path) -> Path:
    return gated_as("production", tmp_path / "strict")


def test_the_action_comments_once_and_renews_its_comment(action: Action, lenient: Path, tmp_path: Path):
    action.comments = [{"id": 1, "bot": False, "body": f"{MARK} not yours"}]
    first = action.run(lenient)
    assert first["failed"] == "", first["Gate"].stderr
    assert first["outputs"]["passed"] == "true"
    assert len(action.comments) == 2
    assert "### Cutlist: passed" in action.comments[1]["body"]
    assert f"{first['summary']}\n[The page with every node and rule]({PAGE})\n" == action.comments[1]["body"]
    assert "Cutlist: passed</title>" in first["uploaded"]
    assert json.loads(Path(first["outputs"]["sarif"]).read_text())["version"] == "2.1.0"
    gates = tmp_path / "gates.yaml"
    gates.write_text("environment: production\nprofile: strict\n")
    action.given = {"FILES": "stacks/dev/node-pools.yaml", "REGION": "us-west-2", "GATES": str(gates)}
    second = action.run(lenient)
    assert second["failed"] == "Verdict"
    assert len(action.comments) == 2
    assert "stopped by" in action.comments[1]["body"]
    assert action.comments[0]["body"] == f"{MARK} not yours"


def test_the_action_ends_where_there_is_no_verdict(action: Action):
    action.given = {"FILES": "nowhere.yaml", "REGION": "us-west-2"}
    done = action.run(ROOT)
    assert done["failed"] == "Gate"
    assert "gave no verdict" in done["Gate"].stdout
    assert action.comments == []


def gate_step(tmp_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """The gate's step with a stand-in for the command, which prints each of its arguments on a line."""
    command = tmp_path / "cutlist"
    command.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n: > "$RUNNER_TEMP/cutlist.md"\n')
    command.chmod(0o755)
    steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    [gate] = [step for step in steps if step["name"] == "Gate"]
    files = {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    own = {**dict.fromkeys(gate["env"], ""), "PROJECT_DIR": "."}
    variables = {**own, **files, "RUNNER_TEMP": str(tmp_path), **given}
    return run(gate["run"], tmp_path, tmp_path, variables)


def test_the_action_takes_files_in_place_of_a_stack(tmp_path: Path):
    """One on each line, so that names may have spaces."""
    renderers = {"RECURSIVE": "true", "HELM": "true", "KUSTOMIZE": "true"}
    given = {"FILES": "deploy/pools\n\nmy apps.yaml\n", "REGION": "us-west-2", "GATES": "gates.yaml", "ENVIRONMENT": "eu west"}
    done = gate_step(tmp_path, **given, **renderers)
    assert done.returncode == 0, done.stderr
    words = ["gate", "-f", "deploy/pools", "-f", "my apps.yaml", "--recursive", "--helm", "--kustomize"]
    words += ["--environment", "eu west", "--region", "us-west-2", "--gates", "gates.yaml", "--also-to"]
    assert done.stdout.splitlines()[: len(words)] == words


def test_the_action_leaves_it_to_the_project_what_is_judged(tmp_path: Path):
    """Without a stack and files, cutlist.yaml says it, or all of the repository is read."""
    done = gate_step(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["gate", "--also-to"]


def test_the_action_passes_inputs_as_variables_alone():
    """Text of a pull request inside a script would be run."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    for step in (step for step in action["runs"]["steps"] if "uses" not in step):
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


class Notes(BaseHTTPRequestHandler):
    """A stand-in for the notes of one merge request, two a page."""

    notes: list[dict[str, Any]] = []  # noqa: RUF012 - shared by the requests of one test

    def do_GET(self) -> None:
        if self.path.endswith("/user"):
            self._answer({"id": 5})
            return
        page = int(self.path.rpartition("page=")[2])
        more = str(page + 1) if len(self.notes) > page * 2 else ""
        self._answer(self.notes[page * 2 - 2 : page * 2], more)

    def do_POST(self) -> None:
        self.notes.append({"id": len(self.notes) + 1, "author": {"id": 5}, "body": self._body()})
        self._answer({})

    def do_PUT(self) -> None:
        number = int(self.path.rpartition("/")[2])
        next(note for note in self.notes if note["id"] == number)["body"] = self._body()
        self._answer({})

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _body(self) -> str:
        assert self.headers["PRIVATE-TOKEN"] == "secret"
        return str(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])

    def _answer(self, data: object, next_page: str = "") -> None:
        body = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("X-Next-Page", next_page)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def gitlab() -> Iterator[str]:
    Notes.notes = [{"id": n, "author": {"id": 9}, "body": f"{MARK} of another"} for n in (1, 2, 3)]
    with ThreadingHTTPServer(("127.0.0.1", 0), Notes) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def job(tools: Path, folder: Path, project: Path, url: str, **given: str) -> subprocess.CompletedProcess[str]:
    """The template's script as a runner does it: all lines in one shell."""
    template = yaml.safe_load((ROOT / "tools" / "integrations" / "gitlab" / "cutlist.yml").read_text())
    script = template["cutlist-gate"]["script"]
    variables = {
        **template["variables"],
        "CUTLIST_STACK": "dev",
        "CUTLIST_PROJECT_DIR": str(project),
        "CUTLIST_INSTALL": "",
        "CUTLIST_TOKEN": "secret",
        "CI_API_V4_URL": url,
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_JOB_URL": "https://gitlab.example.com/acme/shop/-/jobs/5",
        **given,
    }
    return run("\n".join(script), tools, folder, variables)


@pytest.mark.thorough
def test_the_template_writes_one_note_and_renews_it(tools: Path, tmp_path: Path, lenient: Path, strict: Path, gitlab: str):
    folder = tmp_path / "job"
    folder.mkdir()
    passed = job(tools, folder, lenient, gitlab)
    assert passed.returncode == 0, passed.stderr
    assert [note["body"].splitlines()[1] for note in Notes.notes[3:]] == ["### Cutlist: passed"]
    stopped = job(tools, folder, strict, gitlab)
    assert stopped.returncode == 1
    assert len(Notes.notes) == 4
    assert "stopped by" in Notes.notes[3]["body"]
    assert "<testsuite" in (folder / "cutlist.xml").read_text()
    assert (folder / "cutlist.sarif").exists()


GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


@dataclass(frozen=True, slots=True)
class Change:
    """A repository with a branch of a change, as a platform checks it out: the last commit of the branch alone."""

    origin: Path
    checkout: Path

    @property
    def base(self) -> str:
        """Return the commit that the change is for, which the checkout does not have."""
        return self._in_origin("rev-parse", "main").strip()

    def push(self, replicas: int) -> None:
        """Add a commit to the change, and check it out afresh."""
        workloads = self.origin / "deploy" / "web.yaml"
        workloads.write_text(WEB.format(replicas=replicas))
        self._in_origin("commit", "-qam", f"{replicas} replicas")
        shutil.rmtree(self.checkout, ignore_errors=True)
        clone = ["git", "clone", "-q", "--depth=1", "--branch=change", f"file://{self.origin}", str(self.checkout)]
        subprocess.run(clone, check=True)

    def _in_origin(self, *words: str) -> str:
        return subprocess.run([*GIT, "-C", str(self.origin), *words], check=True, capture_output=True, text=True).stdout


WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers: [{{name: web, image: nginx, resources: {{requests: {{cpu: "1", memory: 2Gi}}}}}}]
"""


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """The sample's NodePools with a workload of three replicas on the main branch, and an empty change."""
    origin = tmp_path / "origin"
    (origin / "deploy").mkdir(parents=True)
    shutil.copy(ROOT / "examples/shop/pools.yaml", origin / "deploy")
    (origin / "deploy" / "web.yaml").write_text(WEB.format(replicas=3))
    (origin / "cutlist.yaml").write_text("region: us-west-2\nfile: [deploy]\ngates: gates.yaml\n")
    (origin / "gates.yaml").write_text("environment: development\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"], ["checkout", "-qb", "change"]):
        subprocess.run([*GIT, "-C", str(origin), *words], check=True)
    return Change(origin, tmp_path / "checkout")


def test_the_comment_of_the_action_says_what_the_change_costs_and_why(action: Action, change: Change):
    """The base is fetched, since a checkout has only the change."""
    change.push(40)
    action.given = {"BASE": change.base}
    done = action.run(change.checkout)
    assert done["failed"] == "", done["Gate"].stderr
    [comment] = action.comments
    lines = comment["body"].splitlines()
    assert lines[:2] == [MARK, "### Cutlist: passed"]
    assert re.match(r"\*\*About \+\\\$[\d,.]+ \([^)]+\) a month: ", lines[3])
    assert "shop/deployment/web: replicas 3 to 40" in comment["body"]
    assert lines[-1] == f"[The page with every node and rule]({PAGE})"
    assert "3</td>" in done["uploaded"]


@pytest.mark.thorough
def test_the_note_of_the_template_says_what_the_change_costs_and_why(tools: Path, tmp_path: Path, change: Change, gitlab: str):
    for replicas in (12, 40):
        change.push(replicas)
        given = {"CUTLIST_STACK": "", "CUTLIST_PROJECT_DIR": ".", "CI_MERGE_REQUEST_DIFF_BASE_SHA": change.base}
        done = job(tools, change.checkout, Path(), gitlab, **given)
        assert done.returncode == 0, done.stderr
    note = Notes.notes[3]["body"]
    assert len(Notes.notes) == 4
    assert "shop/deployment/web: replicas 3 to 40" in note
    assert note.splitlines()[-1].endswith("(https://gitlab.example.com/acme/shop/-/jobs/5/artifacts/file/cutlist.html)")
    assert (change.checkout / "cutlist.html").exists()


def test_a_first_change_is_compared_with_a_base_that_has_none_of_the_files(action: Action, change: Change):
    """All nodes are new, and the comment says first that one side has no NodePool."""
    for words in (["checkout", "-q", "--orphan", "empty"], ["rm", "-rqf", "."], ["commit", "-qm", "nothing", "--allow-empty"]):
        subprocess.run([*GIT, "-C", str(change.origin), *words], check=True)
    subprocess.run([*GIT, "-C", str(change.origin), "checkout", "-q", "change"], check=True)
    change.push(12)
    action.given = {"BASE": "empty"}
    done = action.run(change.checkout)
    assert done["failed"] == "", done["Gate"].stderr
    assert action.comments[0]["body"].splitlines()[3].startswith("**The sides differ in scope")


def test_a_base_that_cannot_be_read_leaves_the_plan_and_says_why(action: Action, change: Change):
    """The verdict is on the present files, so that a change can mend them."""
    for words in (["checkout", "-q", "main"], ["checkout", "-qb", "broken"]):
        subprocess.run([*GIT, "-C", str(change.origin), *words], check=True)
    (change.origin / "deploy" / "web.yaml").write_text("kind: [")
    for words in (["commit", "-qam", "break"], ["checkout", "-q", "change"]):
        subprocess.run([*GIT, "-C", str(change.origin), *words], check=True)
    change.push(12)
    action.given = {"BASE": "broken"}
    done = action.run(change.checkout)
    assert done["failed"] == "", done["Gate"].stderr
    body = action.comments[0]["body"]
    assert re.search(r"^Not compared with \w+: .*web\.yaml", body, re.MULTILINE)
    assert "| general | 1 ×" in body
