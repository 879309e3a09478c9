"""`cutlist preview`: what people see, and the exit codes."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from cutlist.core.days import VARIABLE
from cutlist_cli import main
from cutlist_cli import preview as preview_command
from tests.infrastructure.projects import ROOT, copy_of_project, without_cluster
from tests.unit.published import faults
from tests.written_project import write_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, whose dev stack is for a cluster that already exists."""
    return without_cluster(tmp_path)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Result]:
    """Return what previews the same copy, which no test changes: in each form, but with one run of a stack's program."""
    folder, once = without_cluster(tmp_path_factory.mktemp("project")), functools.cache(preview_command._preview)

    def shown(*options: str, stack: str = "dev") -> Result:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(preview_command, "_preview", once)
            return preview(folder, *options, stack=stack)

    return shown


def preview(project: Path, *options: str, stack: str = "dev") -> Result:
    return CliRunner().invoke(main, ["preview", "--stack", stack, "--project-dir", str(project), *options])


def words(result: Result) -> str:
    """What was printed to standard error, without the line breaks that its width brings."""
    return " ".join(result.stderr.split())


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_dev_stack_is_shown(unchanged):
    """What the stack costs, the node plan, then the components with their resources counted."""
    result = unchanged()
    assert result.exit_code == 0, result.output
    plan, _, resources = result.output.partition("Resources: 11")
    assert "): stack cutlist-dev, 11 resources; about $826 for nodes of the plan" in " ".join(plan.split())
    assert " (6 of cutlist, 5 of kubernetes); --resources names each\n" in resources
    assert re.search(r"├─ general +cutlist:index:NodePool, 1 resource\n", resources)
    assert "kubernetes:karpenter.sh/v1:NodePool" not in resources
    assert "NodePool general" in plan
    assert "pending  none" in plan


def test_a_stack_with_a_cluster_is_shown(unchanged):
    """The cluster with its parts, and the plan of its nodes."""
    result = unchanged(stack="prod")
    assert result.exit_code == 0, result.output
    plan, _, resources = result.output.partition("Resources: ")
    assert "└─ eks " in resources
    assert "eks-controller " in resources
    assert "NodePool steady" in plan


def test_a_page_and_what_changes_since_an_earlier_preview(unchanged, tmp_path):
    """The earlier preview is its JSON; the page of one stack has the changes, the bill and the nodes."""
    last, page = tmp_path / "last.json", tmp_path / "preview.html"
    assert unchanged("--to", str(last)).exit_code == 0
    plan = json.loads(last.read_text())["plans"][0]
    plan["nodes"] = plan["nodes"][1:]
    last.write_text(json.dumps({"plans": [plan]}))
    result = unchanged("--before", str(last), "--to", str(page))
    assert (result.exit_code, result.output) == (0, "")
    assert '<h2 id="changes">Changes</h2>' in page.read_text()
    assert "cutlist:index:NodePool" in page.read_text()
    elsewhere = last.read_text().replace('"us-west-2"', '"eu-west-1"')
    last.write_text(elsewhere)
    result = unchanged("--before", str(last))
    assert result.exit_code == 2
    assert "is a plan for eu-west-1, and the stack has none for it" in words(result)


@pytest.mark.thorough
def test_each_form_is_the_same_in_a_file(unchanged, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for form in ("text", "markdown", "html", "json", "yaml"):
        shown, written = unchanged("-o", form), unchanged("-o", form, "--to", str(tmp_path / form))
        assert (shown.exit_code, written.exit_code, written.stdout) == (0, 0, "")
        assert (tmp_path / form).read_bytes() == shown.stdout_bytes


def test_every_resource_is_named_on_request(unchanged):
    """With --resources each is under its parent, with its whole type even where the page is narrow."""
    result = unchanged("--resources", "--width", "80", stack="prod")
    assert result.exit_code == 0, result.output
    _, _, resources = result.output.partition("Resources: ")
    assert "kubernetes:karpenter.sh/v1:NodePool\n" in resources
    assert "aws:ec2/routeTableAssociation:RouteTableAssociation\n" in resources
    assert "…" not in resources
    assert all(cell_len(line) <= 80 for line in resources.splitlines())


def test_mistakes_of_a_cluster_are_reported_where_the_stack_file_has_them(tmp_path):  # I-78
    """A misspelt key, an overlap, a long name, one zone, Fargate with Pod Identity, a missing class: together, with lines."""
    project = copy_of_project(tmp_path)
    file = project / "stacks/Pulumi.prod.yaml"
    edit(
        file,
        "clusterName: cutlist-prod",
        f"clusterName: {'p' * 101}\n    fargate: {{}}\n    produktion: true\n    zonalshift: true",
    )
    edit(file, "own: {cidr: 10.30.0.0/16, nat: per-zone}", "own: {cidr: 10.30.0.0/16}\n      serviceCidr: 10.30.1.0/24")
    edit(file, "[us-west-2a, us-west-2b, us-west-2c]", "[us-west-2a]")
    edit(project / "stacks/prod/node-pools.yaml", "kind: EC2NodeClass, name: default}", "kind: EC2NodeClass, name: defualt}")
    result = preview(project, stack="prod")
    assert result.exit_code == 2
    assert result.stdout == ""
    reported, at = words(result), "stacks/Pulumi.prod.yaml:{} config.cutlist:karpenterCluster."
    assert f"{at.format(10)}clusterName: cluster name of 101 characters" in reported
    assert f"{at.format(12)}produktion: unknown input 'produktion'" in reported
    assert "did you mean production?" in reported
    assert "unknown input 'zonalshift' allowed: clusterName, region, accountId, " in reported
    assert "did you mean zonalShift?" in reported
    assert "identity: Fargate has no Pod Identity agent" in reported
    assert "the range of services, 10.30.1.0/24, overlaps the VPC, 10.30.0.0/16" in reported
    assert "network.own.zones: subnets in one zone, us-west-2a" in reported
    assert "did you mean default?" in reported
    assert "Traceback" not in reported


def test_the_plan_is_the_one_of_cutlist_plan(unchanged):
    """Both commands show the same nodes for the same files."""
    files = ["-f", str(ROOT / "stacks/dev/node-pools.yaml"), "-f", str(ROOT / "stacks/dev/workloads")]
    zones = ["--zone", "us-west-2a", "--zone", "us-west-2b", "--zone", "us-west-2c"]
    alone = CliRunner().invoke(main, ["plan", *files, *zones, "--region", "us-west-2", "--bound", "none", "-o", "json"])
    made = unchanged("-o", "json")
    assert json.loads(made.output)["plans"] == [json.loads(alone.output)]


@pytest.mark.parametrize("stack", ["dev", "prod"])
def test_json_has_the_published_form(unchanged, stack):
    """For a stack whose cluster already exists, and for one that makes it and has a bill."""
    data = json.loads(unchanged("-o", "json", stack=stack).stdout)
    assert faults("preview", data) == []
    assert bool(data["costs"]["components"]) is (stack == "prod")


def test_two_previews_are_equal_byte_for_byte():
    """Two processes with different hash seeds print the same: this one, and another."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-c", "from cutlist_cli.__main__ import run; run()", "preview", "--stack", "dev", "-o", "json"]
    env = {"PYTHONHASHSEED": seed, VARIABLE: os.environ[VARIABLE]}  # the day counts for how old prices are
    other = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True).stdout
    assert b"us-west-2" in other
    assert other == preview(ROOT, "-o", "json").stdout_bytes


def test_an_unknown_stack_names_those_that_exist(project):
    """A misspelt stack is answered with the stacks there are."""
    result = preview(project, stack="dve")
    assert result.exit_code == 2
    assert "no stack 'dve'" in result.output
    assert "auto, dev" in result.output
    assert "did you mean dev?" in result.output


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "cutlst:karpenterCluster: {}",
            "nothing reads 'karpenterCluster' of 'cutlst' did you mean cutlist:karpenterCluster?",
        ),
        (
            "cutlist:karpenterCluster:",
            "config.cutlist:karpenterCluster: Stack 'dev' with configuration key 'karpenterCluster' must be of type 'object'",
        ),
    ],
)
def test_a_cluster_is_not_lost_by_a_slip(project, written, said):
    """Under a misspelt namespace or without a value nothing would be read, and the stack would preview without its cluster."""
    with open(project / "stacks/Pulumi.dev.yaml", "a") as file:
        file.write(f"  {written}\n")
    result = preview(project)
    assert result.exit_code == 2
    assert said in words(result)


def test_all_mistakes_of_a_stack_are_shown_together(project):
    """Misspelt keys, a wrong type, a wrong region, a missing folder and a mistake in a manifest: one run reports them all."""
    file = project / "stacks/Pulumi.dev.yaml"
    edit(file, "cutlist:region: us-west-2", "cutlist:region: us-west-22\n  cutlist:zonse: [us-west-2a]")
    edit(file, "cutlist:zones: [us-west-2a, us-west-2b, us-west-2c]", "cutlist:zones: us-west-2a")
    edit(file, "- stacks/dev/workloads", "- stacks/dev/workload\n    - stacks/dev/workloads")
    edit(project / "stacks/dev/node-pools.yaml", 'operator: Gt, values: ["4"]', 'operator: Gtt, values: ["4"]')
    result = preview(project)
    assert result.exit_code == 2
    assert result.stdout == ""
    reported = words(result)
    assert "stacks/Pulumi.dev.yaml:4 config.cutlist:zonse: unknown configuration key 'zonse'" in reported
    assert "did you mean zones?" in reported
    assert "stacks/Pulumi.dev.yaml:3 config.cutlist:region: unknown region 'us-west-22'" in reported
    assert "did you mean us-west-2?" in reported
    assert "config.cutlist:zones: Stack 'dev' with configuration key 'zones' must be of type 'array<string>'" in reported
    assert "config.cutlist:workloads[0]: no file or folder 'stacks/dev/workload'" in reported
    assert "did you mean stacks/dev/workloads?" in reported
    assert "Gtt" in reported
    assert "stacks/dev/node-pools.yaml:" in reported
    assert "Traceback" not in reported


def test_a_problem_is_reported_once(project):
    """What the files and the program both find is one problem."""
    edit(project / "stacks/Pulumi.dev.yaml", "  cutlist:region: us-west-2\n", "")
    result = preview(project)
    assert result.exit_code == 2
    assert words(result).count("is missing configuration value 'region'") == 1


@pytest.mark.parametrize("stack", ["dev", "aks"])
def test_an_unknown_region_is_the_only_mistake_that_follows_from_it(tmp_path, stack):
    """Nothing is said of inputs of the cluster that the stack file does not have, nor of its zones."""
    project = copy_of_project(tmp_path)
    edit(project / f"stacks/Pulumi.{stack}.yaml", "cutlist:region: ", "cutlist:region: x")
    result = preview(project, stack=stack)
    assert result.exit_code == 2
    assert "unknown region 'x" in result.stderr
    assert "Found 1 problem." in result.stderr


def test_what_a_cluster_that_is_made_needs_is_reported_once(tmp_path):
    project = copy_of_project(tmp_path)
    file = project / "stacks/Pulumi.prod.yaml"
    edit(file, 'kubernetesVersion: "1.35"', "permissionsBoundary: arn:aws:iam::444455556666:policy/boundary")
    result = preview(project, stack="prod")
    assert words(result).count("kubernetesVersion: is missing") == 1
    assert "Found 1 problem." in result.stderr


def test_an_image_without_the_version_is_reported_where_its_class_is_written(tmp_path):
    """In the file of the node class; and of a version that no Karpenter is known for nothing is said."""
    project = copy_of_project(tmp_path)
    edit(project / "stacks/dev/node-pools.yaml", "al2023@v2026", "al2023@v2024")
    first = words(preview(project))
    assert "stacks/dev/node-pools.yaml:" in first
    assert "has no images of Kubernetes 1.35" in first
    edit(project / "stacks/Pulumi.dev.yaml", 'kubernetesVersion: "1.35"', 'kubernetesVersion: "1.99"')
    second = words(preview(project))
    assert "Kubernetes '1.99' is not one that a Karpenter is known for" in second
    assert "has no images" not in second


def test_a_pool_that_names_a_missing_class_is_refused(project):
    """The node class of every NodePool must be there before anything is registered."""
    edit(project / "stacks/dev/node-pools.yaml", "kind: EC2NodeClass, name: gpu", "kind: EC2NodeClass, name: gpus")
    result = preview(project)
    assert result.exit_code == 2
    assert "gpus" in result.stderr
    assert "did you mean gpu?" in result.stderr


def test_a_zone_of_another_region_is_refused(project):
    """A zone must be one of the region."""
    edit(project / "stacks/Pulumi.dev.yaml", "us-west-2c", "us-east-1c")
    result = preview(project)
    assert result.exit_code == 2
    assert "us-east-1c" in result.stderr


def test_pending_pods_fail_a_strict_preview_only(project):
    """A plan with pending pods is an answer; with --strict it is also exit code 1."""
    edit(project / "stacks/dev/workloads/shop.yaml", "{cpu: 250m, memory: 384Mi}", "{cpu: 250, memory: 384Mi}")
    assert preview(project).exit_code == 0
    result = preview(project, "--strict")
    assert result.exit_code == 1
    assert "deployment/web" in result.stdout


def test_a_strict_preview_without_pending_pods_passes(unchanged):
    """--strict changes nothing when every pod has a node."""
    assert unchanged("--strict").exit_code == 0


def test_a_folder_without_a_project_is_named(tmp_path):
    """There is nothing to preview without Pulumi.yaml, nor in a folder that is not there."""
    said = preview(tmp_path).stderr
    assert f"{tmp_path}: no Pulumi.yaml here" in " ".join(said.split())
    assert "allowed: the folder of a Pulumi project, here or named by --project-dir" in said
    gone = preview(tmp_path / "gone")
    assert gone.exit_code == 2
    assert "no such folder" in gone.stderr


def test_any_program_can_be_previewed(tmp_path):
    """Nothing in the command is about one program: whatever registers resources is shown, and what it says."""
    (tmp_path / "Pulumi.yaml").write_text("name: other\nruntime: python\nconfig:\n  size: {type: integer}\n")
    (tmp_path / "Pulumi.test.yaml").write_text("config:\n  other:size: 2\n")
    program = (
        "import pulumi\n"
        "for i in range(pulumi.Config().require_int('size')):\n"
        "    pulumi.ComponentResource('other:index:Thing', f't{i}')\n"
        "pulumi.log.warn('mind the gap')\n"
    )
    (tmp_path / "__main__.py").write_text(program)
    result = preview(tmp_path, stack="test")
    assert result.exit_code == 0, result.output
    assert "Resources: 2 (2 of other)" in result.output
    assert "└─ t1  other:index:Thing" in result.output
    assert "warning: mind the gap" in result.output


def test_a_program_that_refuses_is_quoted(tmp_path):
    """The message of a RunError is shown as it is, without a traceback."""
    folder = write_project(tmp_path, "import pulumi\nraise pulumi.RunError('not on a Friday')\n", name="other", stack="test")
    result = preview(folder, stack="test")
    assert result.exit_code == 2
    assert result.stderr == "error: not on a Friday\n"


def test_the_working_directory_comes_back(project):
    """A preview of another folder leaves the process where it was."""
    before = Path.cwd()
    preview(project)
    assert Path.cwd() == before


@pytest.mark.slow
def test_what_a_program_marks_as_secret_is_not_shown(tmp_path):
    """Neither what it exports nor what it gives to resources."""
    (tmp_path / "Pulumi.yaml").write_text("name: demo\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(
        "import pulumi\n"
        "secret = pulumi.Output.secret('CANARY-1')\n"
        "pulumi.export('one', secret)\n"
        "pulumi.export('both', pulumi.Output.all(secret, 'x').apply(lambda values: {'a': [values]}))\n"
        "pulumi.export('open', 'shown')\n"
        "class Thing(pulumi.CustomResource):\n"
        "    def __init__(self):\n"
        "        super().__init__('shop:index:Thing', 'thing', {'password': secret, 'list': [secret]})\n"
        "Thing()\n"
    )
    for form in ("json", "text"):
        result = preview(tmp_path, "-o", form)
        assert (result.exit_code, "CANARY" in result.output) == (0, False)
    assert json.loads(preview(tmp_path, "-o", "json").stdout)["exports"] == {
        "both": "[secret]",
        "one": "[secret]",
        "open": "shown",
    }
