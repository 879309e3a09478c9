"""`cutlist gate`: the stack's own gates, plain files, every form of answer, repairs, and that nothing is passed over."""

from __future__ import annotations

import json
import shutil
import time
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist.core.errors import InputError, Problems
from cutlist.documents.parsing import parse_documents
from cutlist.policy.gates import judge, read_gates
from cutlist.policy.registry import ALL
from cutlist.settings.planning import PlanSettings
from cutlist.verbs.gate.answer import gate, gates_of_file, resources_of
from cutlist_cli import main
from cutlist_cli.gate import command
from tests.unit.planning.manifests import deployment

ROOT = Path(__file__).resolve().parents[2]
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
      expireAfter: 336h
      terminationGracePeriod: 1h
  limits: {cpu: "100", memory: 400Gi}
  disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 1m}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260625}]
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
"""


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["gate", "--at", "2026-06-01", *arguments], input=stdin)


def outcomes(result: Result) -> set[tuple[str, str]]:
    """The rule and object of everything that stops the change."""
    return {(o["rule"], o["object"]) for o in json.loads(result.stdout)["outcomes"] if o["stops"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of this repository's project."""
    shutil.copytree(ROOT / "stacks", tmp_path / "stacks")
    for name in ("Pulumi.yaml", "__main__.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def gated(project: Path, gates: object, *arguments: str) -> Result:
    """The dev stack under other gates, as JSON."""
    path = project / "stacks" / "Pulumi.dev.yaml"
    data = yaml.safe_load(path.read_text())
    data["config"]["cutlist:gates"] = gates
    path.write_text(yaml.safe_dump(data))
    return run("--stack", "dev", "--project-dir", str(project), "-o", "json", *arguments)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.yaml"
    path.write_text(POOL)
    return path


def files(path: Path, *arguments: str) -> Result:
    return run("-f", str(path), "--region", "us-west-2", "-o", "json", *arguments)


def test_the_dev_stack_passes_its_own_gates_and_says_so(project: Path):
    result = run("--stack", "dev", "--project-dir", str(project))
    assert result.exit_code == 0, result.output
    last = " ".join(result.output.split("\n\n")[-1].split())
    assert last.startswith("Passed: ")
    assert "environment development" in last


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize("stack", [path.name.split(".")[1] for path in sorted((ROOT / "stacks").glob("Pulumi.*.yaml"))])
def test_every_stack_of_the_repository_passes_its_own_gates(stack: str):
    """Clusters, identities, queues and charts among them, as the components of this repository make them."""
    result = run("--stack", stack, "--project-dir", str(ROOT), "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.output)
    assert data["objects"] > 15
    assert not [o for o in data["outcomes"] if o["rule"] in ("GT-01", "GT-05")]
    assert not [
        o for o in data["outcomes"] if o["rule"] in ("IF-01", "IF-02", "IF-03", "IF-04", "IF-06") and o["verdict"] == "violated"
    ]


def test_production_stops_it_with_the_lines_of_its_files(project: Path):
    result = gated(project, {"rules": {"NP-13": "off"}, "profile": "strict"})
    assert result.exit_code == 1
    assert ("NP-01", "NodePool/batch") in outcomes(result)
    found = next(o for o in json.loads(result.output)["outcomes"] if o["rule"] == "NP-01")
    written = (project / "stacks/dev/node-pools.yaml").read_text().splitlines()
    assert found["file"] == "stacks/dev/node-pools.yaml"
    assert "limits" in written[found["line"] - 1]


def test_mistakes_in_the_stack_files_gates_name_their_line(project: Path):
    result = gated(project, {"rules": {"NP-1": "off"}, "environment": "development"})
    (found,) = [o for o in json.loads(result.output)["outcomes"] if o["rule"] == "GT-01"]
    assert (result.exit_code, found["stops"]) == (1, True)
    assert found["file"] == "stacks/Pulumi.dev.yaml"
    assert found["path"] == "config.cutlist:gates.rules.NP-1"
    assert found["line"] > 1


def test_a_project_defines_environments_for_its_stacks(project: Path):
    path = project / "Pulumi.yaml"
    data = yaml.safe_load(path.read_text())
    data["config"]["gateDefaults"]["default"] = {"trial": {"extends": "development", "rules": {"NP-01": "off", "NP-13": "off"}}}
    path.write_text(yaml.safe_dump(data))
    result = gated(project, {"environment": "trial"})
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["off"] == ["NP-01", "NP-13"]


def test_a_plan_that_cannot_be_made_stops_the_change(project: Path):
    pools = project / "stacks/dev/node-pools.yaml"
    pools.write_text(pools.read_text().replace("weight: 10", "weight: 1000"))
    result = gated(project, {"environment": "development"})
    assert result.exit_code == 1
    assert "GT-04" in {rule for rule, _ in outcomes(result)}


def test_a_file_of_a_stack_that_is_missing_is_no_verdict(project: Path):
    """As for plain files: the report has it, and the exit code is that of wrong use."""
    (project / "stacks/dev/node-pools.yaml").unlink()
    result = gated(project, {"environment": "development"})
    assert result.exit_code == 2
    assert "config.cutlist:nodePools[0]: no file or folder 'stacks/dev/node-pools.yaml'" in " ".join(result.stderr.split())
    assert {rule for rule, _ in outcomes(result)} == {"GT-04"}


def test_a_program_that_fails_stops_the_change(project: Path):
    (project / "__main__.py").write_text("import pulumi\nraise pulumi.RunError('no luck')\n")
    result = gated(project, {"environment": "development"})
    assert result.exit_code == 1
    assert "no luck" in result.output


def test_the_last_plan_is_a_baseline(project: Path):
    plan = {
        "version": 1,
        "region": "us-west-2",
        "nodes": [],
        "pending": [],
        "assumptions": [],
        "warnings": [],
        "existing": [],
        "passes": 1,
    }
    (project / "last.json").write_text(json.dumps({"plans": [plan]}))
    gates = {"environment": "development", "baseline": "last.json", "rules": {"PL-06": "mandatory"}}
    assert ("PL-06", "NodePlan/nodes") in outcomes(gated(project, gates))
    missing = gated(project, {"environment": "development", "baseline": "list.json"})
    assert missing.exit_code == 1
    assert "no file 'list.json'" in missing.output


def test_files_are_gated_with_the_plan_that_they_make(good: Path, tmp_path: Path):
    result = files(good)
    assert result.exit_code == 0, result.output
    gates = tmp_path / "gates.txt"
    gates.write_text("rules:\n  NP-02: {perMonth: 10}\n")
    assert outcomes(files(good, "--gates", str(gates))) == {("NP-02", "NodePlan/nodes")}


def test_pods_that_want_longer_to_end_than_a_drain_lasts_stop_the_change(good: Path):
    slow = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: broker}
spec:
  selector: {matchLabels: {app: broker}}
  template:
    metadata: {labels: {app: broker}}
    spec:
      terminationGracePeriodSeconds: 7200
      containers: [{name: main, image: broker, resources: {requests: {cpu: 1, memory: 2Gi}}}]
"""
    good.write_text(f"{POOL}---{slow}")
    assert files(good).exit_code == 0
    result = files(good, "--profile", "recommended")
    assert outcomes(result) == {("NP-04", "NodePool/general")}
    assert "pods of statefulset/broker take up to 2h0m0s to end" in result.output
    good.write_text(f"{POOL}---{slow}".replace("terminationGracePeriod: 1h", "terminationGracePeriod: 2h"))
    assert files(good, "--profile", "recommended").exit_code == 0


def test_without_a_region_there_is_no_plan_and_no_way_on(good: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    result = run("-f", str(good), "-o", "json")
    assert result.exit_code == 2
    assert "--region: no region is given" in result.stderr
    assert {rule for rule, _ in outcomes(result)} == {"GT-03", "GT-04"}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (('cpu: "100"', 'cpu: "0"'), "NP-01"),
        (('cpu: "100"', "cpu: 1e9"), "NP-01"),
        (('cpu: "100"', 'cpu: "-1"'), "NP-01"),
        (("memory: 400Gi", "memory: 400"), "NP-01"),
        (("operator: In, values: [on-demand]", "operator: NotIn, values: [spot, on-demand, reserved]"), "NP-05"),
        (("expireAfter: 336h", "expireAfter: 336h\n      terminationGracePeriod: 99h"), "GT-04"),
        (("kind: NodePool", "kind: Nodepool"), "OB-01"),
        (("karpenter.sh/v1", "karpenter.sh/v1beta1"), "OB-01"),
        (("name: general}", "name: general}\n  expireAfter: Never"), "GT-04"),
    ],
)
def test_tricks_do_not_get_past(good: Path, change: tuple[str, str], rule: str):
    assert change[0] in POOL
    good.write_text(POOL.replace(*change, 1))
    result = files(good)
    assert result.exit_code == 1
    assert rule in {one for one, _ in outcomes(result)}, result.output


def test_pools_hidden_in_lists_and_behind_anchors_are_found(good: Path):
    pool, node_class = POOL.replace('  limits: {cpu: "100", memory: 400Gi}\n', "").split("---\n")
    inside = "".join(f"        {line}\n" for line in pool.splitlines())
    listed = f"apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: List\n    items:\n      -{inside[7:]}"
    good.write_text(f"{listed}---\n{node_class}")
    assert ("NP-01", "NodePool/general") in outcomes(files(good))
    anchored = POOL.replace('limits: {cpu: "100", memory: 400Gi}', "limits: {<<: *none}").replace(
        "metadata: {name: general}", "metadata: {name: general, annotations: &none {}}"
    )
    good.write_text(anchored)
    assert ("NP-01", "NodePool/general") in outcomes(files(good))


def test_a_file_that_a_kustomization_leaves_out_is_reported(good: Path):
    head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    (good.parent / "kustomization.yaml").write_text(f"{head}resources: [good.yaml]\n")
    (good.parent / "other.yaml").write_text(POOL.replace("general", "other"))
    result = files(good.parent)
    assert result.exit_code == 0, result.output
    [reported] = [o for o in json.loads(result.output)["outcomes"] if o["rule"] == "GT-06"]
    assert "other.yaml" in reported["found"]


@pytest.mark.parametrize("text", ["", "# nothing\n---\n"])
def test_an_input_without_an_object_is_no_pass(good: Path, text: str):
    good.write_text(text)
    result = files(good)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "contains no object" in result.stderr


def test_weights_do_not_hide_what_pools_may_cost(good: Path, tmp_path: Path):
    """A cheap pool that is tried first leaves the dear one as it is: at their limits both count."""
    pool, node_class = POOL.split("---\n")
    dear = pool.replace("name: general}", "name: dear}", 1).replace('cpu: "100", memory: 400Gi', "cpu: 9k, memory: 36Ti")
    cheap = pool.replace("  limits", "  weight: 100\n  limits")
    good.write_text("---\n".join((cheap, dear, node_class)))
    gates = tmp_path / "gates.txt"
    gates.write_text("rules:\n  NP-02: {perMonth: 100000}\n")
    assert outcomes(files(good, "--gates", str(gates))) == {("NP-02", "NodePlan/nodes")}


def test_every_form_can_be_read(good: Path):
    good.write_text(POOL.replace("expireAfter: 336h", "expireAfter: 1h"))
    base = ("-f", str(good), "--region", "us-west-2")
    assert json.loads(run(*base, "-o", "sarif").output)["version"] == "2.1.0"
    assert ElementTree.fromstring(run(*base, "-o", "junit").output).tag == "testsuite"  # noqa: S314 - our own text
    assert "### Cutlist: stopped by 1 violation" in run(*base, "-o", "markdown").output
    assert "Stops the change" in run(*base, "--width", "60").output
    assert all(run(*base, "-o", form).exit_code == 1 for form in ("text", "markdown", "json", "sarif", "junit"))


def test_standard_input_is_gated(good: Path):
    result = run("-f", "-", "--region", "us-west-2", "-o", "json", stdin=POOL)
    assert result.exit_code == 0, result.output


def test_fix_repairs_files_and_then_judges_them(good: Path):
    good.write_text(POOL + "  metadataOptions: {httpTokens: optional}  # for the old agent\n")
    assert ("NC-01", "EC2NodeClass/default") in outcomes(files(good))
    result = CliRunner().invoke(command, ["-f", str(good), "--region", "us-west-2", "--write"])
    assert result.exit_code == 0, result.output
    assert good.read_text() == POOL + "  metadataOptions: {httpTokens: required}  # for the old agent\n"


def test_fix_repairs_the_files_of_a_stack(project: Path):
    pools = project / "stacks/dev/node-pools.yaml"
    before = pools.read_text()
    pools.write_text(before.replace("httpTokens: required", "httpTokens: optional", 1))
    result = run("--stack", "dev", "--project-dir", str(project), "--write")
    assert result.exit_code == 0, result.output
    assert pools.read_text() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("--project-dir", "docs"),
        ("--rules", "--stack", "dev"),
        ("--rules", "-f", "a.yaml"),
        ("--stack", "dev", "-f", "a.yaml"),
        ("--stack", "dev", "--gates", "a.yaml"),
        ("-f", "a.yaml", "--at", "soon"),
    ],
)
def test_what_is_asked_in_a_wrong_way_is_no_verdict(arguments: tuple[str, ...]):
    result = CliRunner().invoke(command, list(arguments))
    assert result.exit_code not in (0, 1) or result.exception is not None


@pytest.mark.thorough
def test_five_hundred_objects_are_gated_in_two_seconds(tmp_path: Path):
    """Without the plan; a machine with other work to do is allowed for."""
    pools = "---\n".join(
        POOL.replace("name: general}", f"name: pool-{i}}}")
        .replace("name: default}", f"name: class-{i}}}")
        .replace("  limits", f"  weight: {i % 100 + 1}\n  limits")
        for i in range(250)
    )
    subjects = resources_of(parse_documents(pools, "all.yaml", Problems()))
    assert len(subjects) == 500
    gates = read_gates(None, ALL)
    began = time.process_time()
    report = judge(subjects, gates, date(2026, 6, 1))
    assert time.process_time() - began < 8
    assert report.looked_at == 500


@pytest.mark.parametrize("nothing", ["", "# all commented out\n---\n"])
def test_an_input_without_objects_stops_the_change(nothing: str):
    """The command in front of a pipe may have failed, and a gate that saw nothing has not let anything pass."""
    result = run("-f", "-", "--region", "us-west-2", "-o", "json", stdin=nothing)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "<stdin>: contains no object" in result.stderr


@pytest.mark.parametrize("region", [(), ("--region", "us-west-2")])
def test_workloads_that_cannot_be_read_stop_the_change_without_a_plan_too(tmp_path: Path, region: tuple[str, ...]):
    path = tmp_path / "app.yaml"
    path.write_text("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: -12}\n")
    result = run("-f", str(path), "-o", "json", *region)
    assert result.exit_code == 1
    assert "-12 is out of range" in result.output


def test_files_that_are_misspelt_are_reported_with_those_that_are_there(good: Path, tmp_path: Path):
    (tmp_path / "gates.yaml").write_text("environment: development\n")
    for option in ("--gates", "--before"):
        with pytest.raises(InputError) as caught:
            command.main(["-f", str(good), option, str(tmp_path / "gate.yaml")], standalone_mode=False)
        said = f"{tmp_path}/gate.yaml: cannot be read: no such file or directory; did you mean gates.yaml?"
        assert str(caught.value) == said


@pytest.mark.parametrize(("written", "meant"), [("sarif", "sarif=FILE"), ("sarf=x.json", "sarif=x.json")])
def test_a_further_form_without_a_file_says_how_it_is_written(good: Path, written: str, meant: str):
    with pytest.raises(InputError, match=f"'{written}' is not a format and a file; .* did you mean {meant}"):
        command.main(["-f", str(good), "--also-to", written], standalone_mode=False)


def test_a_library_call_gives_the_same(good: Path, tmp_path: Path):
    gates = tmp_path / "gates.yml"
    gates.write_text("environment: development\n")
    made = gate([good], gates_of_file(str(gates), ALL), date(2026, 6, 1), PlanSettings(region="us-west-2"))
    assert made.report.has_passed
    assert len(made.plans) == 1


TWO_PLANS = """\
import pulumi
from pulumi_cutlist.plan import NodePlan

NodePlan("small", {"region": "us-west-2", "sources": ["pools.yaml", "small.yaml"]})
NodePlan("large", {"region": "us-west-2", "sources": ["pools.yaml", "large.yaml"]})
"""


def test_each_plan_of_a_stack_keeps_its_own_figures_when_it_is_held_against_another(tmp_path: Path):
    """Two plans in one program, and one that was before: only the larger is above the ceiling."""
    (tmp_path / "Pulumi.yaml").write_text("name: cutlist\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(TWO_PLANS)
    (tmp_path / "pools.yaml").write_text(POOL)
    (tmp_path / "small.yaml").write_text(deployment("web", replicas=1, cpu="1"))
    (tmp_path / "large.yaml").write_text(deployment("web", replicas=40, cpu="2"))
    (tmp_path / "Pulumi.dev.yaml").write_text(
        "config:\n  cutlist:gates:\n    rules:\n      PL-01: {perHour: 1}\n      PL-06: {level: mandatory, percent: 40}\n"
    )
    files = [word for name in ("pools", "small") for word in ("-f", str(tmp_path / f"{name}.yaml"))]
    before = CliRunner().invoke(main, ["plan", *files, "--region", "us-west-2", "-o", "json"])
    (tmp_path / "before.json").write_text(before.output)
    result = run("--stack", "dev", "--project-dir", str(tmp_path), "--before", str(tmp_path / "before.json"), "-o", "json")
    ours = {(rule, about) for rule, about in outcomes(result) if rule in ("PL-01", "PL-06")}
    assert ours == {("PL-01", "NodePlan/large"), ("PL-06", "NodePlan/large")}


@pytest.mark.parametrize("text", ["", "[" * 100_000, '{"version": 1', "\x00"])
def test_an_earlier_plan_that_cannot_be_read_is_named(good: Path, tmp_path: Path, text: str):
    """Whatever is wrong with it."""
    before = tmp_path / "before.json"
    before.write_text(text)
    result = files(good, "--before", str(before))
    assert result.exit_code == 2
    assert "before.json" in result.stderr.replace("\n", "")
    assert "should not have happened" not in result.stderr
