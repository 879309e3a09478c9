"""`cutlist validate` and `cutlist schema`: every mistake of every file, and what editors need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.documentation import section
from tests.unit.api.manifests import CLASS, POOL, changed


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin)


@pytest.fixture
def broken(tmp_path):
    """A folder with a mistake of every layer, in two files."""
    pool = {
        "spec.limit": {},
        "spec.template.spec.requirements": [
            {"key": "karpenter.sh/foo", "operator": "Exists"},
            {"key": "example.com/a", "operator": "NotIn", "values": ["bad value!"]},
        ],
        "spec.limits": {"cpu": -1},
    }
    (tmp_path / "pool.yaml").write_text(yaml.safe_dump(changed(POOL, pool)))
    (tmp_path / "class.yaml").write_text(yaml.safe_dump(changed(CLASS, {"spec.role": ""})))
    return tmp_path


def test_nothing_is_wrong(tmp_path):
    """Exit code 0, and what was looked at."""
    (tmp_path / "all.yaml").write_text(yaml.safe_dump_all([POOL, CLASS]))
    result = run("validate", "-f", str(tmp_path))
    assert (result.exit_code, result.output) == (0, "Nothing is wrong: 1 EC2NodeClass, 1 NodePool.\n")


def test_every_mistake_of_every_file_names_who_refuses_it(broken):
    """With file, line and path; exit code 1."""
    # V-14, V-29, V-37, V-70
    result = run("validate", "-f", str(broken), "-o", "json")
    problems = json.loads(result.output)["problems"]
    assert result.exit_code == 1
    assert [(Path(p["file"]).name, p["path"], p["layer"]) for p in problems] == [
        ("class.yaml", "spec.role", "rule"),
        ("pool.yaml", "spec.limit", "schema"),
        ("pool.yaml", "spec.limits.cpu", "lint"),
        ("pool.yaml", "spec.template.spec.requirements[0].key", "rule"),
        ("pool.yaml", "spec.template.spec.requirements[1].values[0]", "runtime"),
    ]
    assert all(p["line"] > 1 for p in problems)


def test_the_text_says_the_same(broken):
    """In one form for every layer."""
    result = run("validate", "-f", str(broken), "--width", "200")
    assert result.exit_code == 1
    for words in (
        "role cannot be empty (rule: refused at apply)",
        "unknown field 'limit' (schema: refused by kubectl, and left out where a client does not ask",
        "(runtime: applied, but never ready)",
        "(lint: accepted by Karpenter, refused here)",
        "Found 5 problems.",
    ):
        assert words in result.output


def test_changes_that_are_not_allowed(tmp_path):
    """With the objects as they are now, an update is looked at."""
    # V-12
    (tmp_path / "now.yaml").write_text(yaml.safe_dump(POOL))
    other = changed(POOL, {"spec.template.spec.nodeClassRef.kind": "Other", "spec.replicas": 2})
    (tmp_path / "next.yaml").write_text(yaml.safe_dump(other))
    files = ("-f", str(tmp_path / "next.yaml"), "-o", "json")
    assert json.loads(run("validate", *files).output)["problems"] == []
    found = json.loads(run("validate", *files, "--before", str(tmp_path / "now.yaml")).output)["problems"]
    assert [(p["path"], p["line"] > 0) for p in found] == [
        ("spec.replicas", True),
        ("spec.template.spec.nodeClassRef.kind", True),
    ]


def test_standard_input_is_taken():
    """As other commands take it."""
    assert run("validate", "-f", "-", stdin=yaml.safe_dump(CLASS)).exit_code == 0


@pytest.mark.parametrize("nothing", ["", "# nothing yet\n"])
def test_no_object_at_all_is_a_mistake(nothing):
    """What was to write to the pipe may have failed."""
    result = run("validate", "-f", "-", stdin=nothing)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "<stdin>: contains no object\n    allowed: a mapping with apiVersion and kind, or --allow-empty" in result.stderr


def test_a_file_that_is_not_there_gives_no_verdict(tmp_path):
    """No traceback, exit code 2, and the file by its name."""
    result = run("validate", "-f", str(tmp_path / "gone.yaml"), "-o", "json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "gone.yaml:cannotberead:" in "".join(result.stderr.split())


@pytest.mark.parametrize("kind", ["nodepool", "NodePool", "ec2nodeclass", "nodeclass"])
def test_the_schema_of_a_kind(kind):
    """Whatever the case of its name."""
    schema = json.loads(run("schema", kind).output)
    assert schema["properties"]["kind"]["const"].lower() == kind.lower()
    assert schema["$schema"].startswith("https://json-schema.org/")


# K-130
@pytest.mark.parametrize(
    ("short", "kind"),
    [("aksnc", "AKSNodeClass"), ("aksncs", "AKSNodeClass"), ("EC2NC", "EC2NodeClass"), ("cb", "CapacityBuffer")],
)
def test_the_schema_of_a_kind_by_the_name_that_kubectl_takes_for_short(short, kind):
    """Those of the CRDs; it is the schema of the kind's own name."""
    made = run("schema", short).output
    assert made == run("schema", kind).output
    assert json.loads(made)["title"] == kind


def test_the_schema_helps():
    """What a field is for stands with it, within lists as well; what the API server fills in is its default."""
    schema = json.loads(run("schema", "nodepool").output)["properties"]["spec"]["properties"]
    budget = schema["disruption"]["properties"]["budgets"]["items"]["properties"]
    assert budget["nodes"]["default"] == "10%"
    assert budget["schedule"]["description"].startswith("When the window opens")
    claim = schema["template"]["properties"]["spec"]["properties"]
    assert "Texts: quote numbers" in claim["requirements"]["items"]["properties"]["values"]["description"]


def test_an_unknown_kind_is_refused_with_those_there_are():
    """And the nearest one."""
    result = run("schema", "nodepol")
    assert result.exit_code == 2
    assert "did you mean nodepool?" in result.output


def test_the_page_shows_manifests_and_settings_that_are_right():
    """Its YAML begins with the comment for the language server, its JSON can be read."""
    text = section("validate.md", "Your editor")
    example = text.partition("```yaml\n")[2].partition("```")[0]
    settings = json.loads(text.partition("```json\n")[2].partition("```")[0])
    assert example.startswith("# yaml-language-server: $schema=./karpenter.schema.json\n")
    assert yaml.safe_load(example)["kind"] == "NodePool"
    assert list(settings["yaml.schemas"]) == ["./karpenter.schema.json"]


def test_what_was_not_read_is_said(tmp_path):
    """In the text and as JSON: nothing is passed over silently."""
    (tmp_path / "class.yaml").write_text(yaml.safe_dump(CLASS))
    (tmp_path / "values.yaml").write_text("a: 1\n")
    result = run("validate", "-f", str(tmp_path))
    assert result.exit_code == 0
    said = f"not read, since they hold no objects of Kubernetes: {tmp_path}/values.yaml"
    assert result.output == f"Nothing is wrong: 1 EC2NodeClass.\n2 files: 1 read, 1 of configuration.\n\nNote: {said}.\n"
    data = json.loads(run("validate", "-f", str(tmp_path), "-o", "json").output)
    assert data["notes"] == [{"code": "foreign-file", "text": said}]
    assert data["inputs"] == {
        "complete": True,
        "files": 2,
        "read": 1,
        "openFiles": [],
        "passedOver": [{"form": "of configuration", "files": 1}],
        "objects": 1,
        "open": [],
    }


NODE_CLAIM = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodeClaim",
    "metadata": {
        "name": "n1",
        "uid": "1",
        "labels": {"karpenter.sh/nodepool": POOL["metadata"]["name"]},
        "annotations": {"karpenter.sh/nodepool-hash": "1", "karpenter.sh/nodepool-hash-version": "v3"},
    },
    "spec": POOL["spec"]["template"]["spec"],
    "status": {"providerID": "aws:///us-west-2a/i-1"},
}


@pytest.fixture
def edited(tmp_path):
    """A class with another tag and a pool with another weight, and both as they were, with a node."""
    after = [changed(POOL, {"spec.weight": 7}), changed(CLASS, {"spec.tags": {"team": "a"}})]
    (tmp_path / "after.yaml").write_text(yaml.safe_dump_all(after))
    (tmp_path / "before.yaml").write_text(yaml.safe_dump_all([POOL, CLASS, NODE_CLAIM]))
    return ["-f", str(tmp_path / "after.yaml"), "--before", str(tmp_path / "before.yaml")]


def test_an_edit_says_which_nodes_drift(edited):
    """Object by object, with the members by which; a node of the cluster whose hash is another one is named."""
    result = run("validate", *edited)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert f"EC2NodeClass {CLASS['metadata']['name']}: all its nodes drift" in lines
    assert f"NodePool {POOL['metadata']['name']}: no node drifts" in lines
    assert "    no node     spec.weight" in lines
    assert f"    NodePool {POOL['metadata']['name']}: 1 node drifts (NodePoolDrifted): n1" in lines


def test_edits_as_json(edited):
    """The same for programs."""
    data = json.loads(run("validate", *edited, "-o", "json").output)
    assert [(e["kind"], e["drifts"], [m["path"] for m in e["members"]]) for e in data["edits"]] == [
        ("EC2NodeClass", "all", ["spec.tags"]),
        ("NodePool", "none", ["spec.weight"]),
    ]
    assert [(d["nodeClaim"], d["reason"]) for d in data["drifted"]] == [("n1", "NodePoolDrifted")]


def test_a_plan_warns_of_nodes_that_drift(tmp_path):
    """Nodes in the input whose hash is not that of the NodePool beside them."""
    (tmp_path / "all.yaml").write_text(yaml.safe_dump_all([POOL, CLASS, NODE_CLAIM]))
    result = run("plan", "-f", str(tmp_path), "--region", "us-west-2", "-o", "json", "--allow-empty")
    assert [w["text"] for w in json.loads(result.output)["warnings"] if w["code"] == "drift"] == [
        f"NodePool {POOL['metadata']['name']}: 1 node drifts (NodePoolDrifted): n1"
    ]


def test_what_was_before_and_cannot_be_read_is_said_to_be_not_compared(tmp_path):
    """Otherwise an edit that replaces nodes would read as one that does nothing."""
    (tmp_path / "old.yaml").write_text(yaml.safe_dump_all([changed(POOL, {"spec.limits": {"cpu": [1]}}), CLASS]))
    (tmp_path / "new.yaml").write_text(yaml.safe_dump_all([POOL, CLASS]))
    result = run("validate", "-f", str(tmp_path / "new.yaml"), "--before", str(tmp_path / "old.yaml"))
    assert result.exit_code == 0, result.output
    assert "the earlier state is not compared, because it cannot be read" in " ".join(result.output.split())


@pytest.mark.parametrize(("kubernetes", "code"), [("1.32", 0), ("1.34", 1)])
def test_an_alias_needs_images_of_the_clusters_kubernetes(tmp_path, kubernetes, code):
    path = tmp_path / "class.yaml"
    path.write_text(yaml.safe_dump(changed(CLASS, {"spec.amiSelectorTerms": [{"alias": "al2023@v20250228"}]})))
    result = run("validate", "-f", str(path), "--kubernetes", kubernetes, "-o", "json")
    assert result.exit_code == code
    reported = [problem["message"] for problem in json.loads(result.stdout)["problems"]]
    assert all("v20250915 is the first" in message for message in reported)
    assert len(reported) == code


def test_a_kubernetes_that_nothing_is_known_of_is_a_mistake(tmp_path):
    path = tmp_path / "class.yaml"
    path.write_text(yaml.safe_dump(CLASS))
    result = run("validate", "-f", str(path), "--kubernetes", "1.34.2")
    assert result.exit_code == 2
    assert "did you mean 1.34?" in result.stderr


# --- what a later Karpenter does not make ready


FAULTY = {"spec.amiSelectorTerms": [{"alias": "bottlerocket@latest"}], "spec.kubelet": {"podsPerCore": 2}}


# VA15-2 VA15-11
@pytest.mark.parametrize("uid", [{}, {"metadata.uid": "u"}])
def test_a_class_that_works_and_is_not_ready_in_a_later_karpenter_is_a_warning(tmp_path, uid):
    """With the path and the statement; of files and of a cluster alike."""
    (tmp_path / "class.yaml").write_text(yaml.safe_dump(changed(CLASS, FAULTY | uid)))
    result = run("validate", "-f", str(tmp_path), "-o", "json", "--karpenter", "1.14")
    assert result.exit_code == 0
    [warning] = json.loads(result.output)["warnings"]
    assert warning["code"] == "node-class-not-ready"
    assert "spec.kubelet.podsPerCore: after an upgrade to Karpenter 1.15, " in warning["text"]
    assert warning["text"].endswith("the class is not ready and launches nothing (VA15-11)")


# VA15-2 VA15-11
def test_a_class_that_is_not_ready_in_the_chosen_karpenter_is_a_mistake_of_files_and_a_warning_of_a_cluster(tmp_path):
    """What an API server has accepted is there, whatever becomes of it."""
    (tmp_path / "class.yaml").write_text(yaml.safe_dump(changed(CLASS, FAULTY)))
    result = run("validate", "-f", str(tmp_path), "--karpenter", "1.15")
    assert result.exit_code == 1
    assert "(runtime: applied, but never ready; VA15-11)" in " ".join(result.output.split())
    (tmp_path / "class.yaml").write_text(yaml.safe_dump(changed(CLASS, FAULTY | {"metadata.uid": "u"})))
    result = run("validate", "-f", str(tmp_path), "--karpenter", "1.15", "-o", "json")
    assert result.exit_code == 0
    [warning] = json.loads(result.output)["warnings"]
    assert "spec.kubelet.podsPerCore: under Karpenter 1.15, " in warning["text"]


def test_a_class_that_stays_ready_has_no_warning(tmp_path):
    """Such as one of AL2023 with the same setting."""
    (tmp_path / "class.yaml").write_text(yaml.safe_dump(changed(CLASS, {"spec.kubelet": {"podsPerCore": 2}})))
    assert json.loads(run("validate", "-f", str(tmp_path), "-o", "json").output)["warnings"] == []
