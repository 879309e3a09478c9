"""What happened to a plan, from files: the demonstration of the page, edits by hand, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist import InputError, plan, read_inputs, verify
from cutlist.api.nodepool_hash import HASH
from cutlist.core.errors import Problems
from cutlist.core.labels import REGION, ZONE
from cutlist.documents.collecting import collect_documents
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.verify.inputs import declared_of
from cutlist.verbs.verify.markdown import causes_page
from cutlist.verification.verdicts import NodeOutcome
from cutlist_cli import main
from tests.recorded import PROJECT
from tests.sample import MANIFESTS, POOLS, SHOP, WORKLOADS

DOCS = PROJECT / "docs"
CLUSTER, LOG = SHOP / "after.yaml", SHOP / "karpenter.log"
ARGUMENTS = (*MANIFESTS, "--region", "us-west-2")


@pytest.fixture(scope="module")
def inputs() -> PlanInputs:
    return read_inputs([POOLS, WORKLOADS], region="us-west-2")


def objects() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(CLUSTER.read_text()))


def written(folder: Path, *documents: dict[str, Any], name: str = "cluster.yaml") -> str:
    path = folder / name
    path.write_text(yaml.safe_dump_all(documents))
    return str(path)


def pools(**spec: Any) -> list[dict[str, Any]]:
    """The NodePools and node classes of the example, with another spec."""
    documents = list(yaml.safe_load_all(POOLS.read_text()))
    for document in documents:
        if document["kind"] == "NodePool":
            document["spec"] |= spec
    return documents


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["verify", *arguments], input=stdin)


def causes(inputs: PlanInputs, path: str, **more: Any) -> dict[str, int]:
    return verify(plan(inputs), [path], declared=inputs, **more).causes


def test_what_is_applied_as_declared_is_no_edit(inputs, tmp_path):
    assert "nodepool-edited" not in causes(inputs, written(tmp_path, *objects(), *pools()))


@pytest.mark.parametrize("spec", [{"weight": 7}, {"limits": {"cpu": "20"}}])
def test_a_node_pool_that_was_edited_by_hand_is_named_with_the_field(inputs, tmp_path, spec):
    verification = verify(plan(inputs), [written(tmp_path, *objects(), *pools(**spec))], declared=inputs)
    (because,) = {n.because for f in verification.findings for n in f.causes if n.cause.id == "nodepool-edited"}
    assert because.startswith(f"NodePool general: spec.{next(iter(spec))}")


def test_without_manifests_a_changed_hash_says_how_to_find_the_fields(inputs, tmp_path):
    """The hash says that a NodePool changed, not where."""
    hashes = {"NodeClaim": "1", "NodePool": "2"}
    documents = [*objects(), *pools()]
    for document in documents:
        if document["kind"] in hashes:
            document["metadata"]["annotations"] = {HASH: hashes[document["kind"]]}
    path = written(tmp_path, *documents)

    def evidence(declared: PlanInputs | None) -> set[str]:
        verification = verify(plan(inputs), [path], declared=declared)
        texts = (named.because.partition("hashes differ") for f in verification.findings for named in f.causes)
        return {after for _, hash_text, after in texts if hash_text}

    assert evidence(None) == {"; -f with the declared manifests shows which fields"}
    assert evidence(inputs) == {""}


def overlay(**spec: Any) -> dict[str, Any]:
    type_ = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["c6a.2xlarge"]}
    spec = {"requirements": [type_], "price": "0.5", **spec}
    return {"apiVersion": "karpenter.sh/v1alpha1", "kind": "NodeOverlay", "metadata": {"name": "rate"}, "spec": spec}


@pytest.mark.parametrize(
    ("running", "edits"),
    [
        ([], []),
        ([overlay()], []),
        ([overlay(price="0.7")], ["spec.price is 0.7, declared 0.5"]),
        (
            [{**overlay(), "metadata": {"name": "new"}}],
            ["is in the cluster and not declared", "is declared and not in the cluster"],
        ),
    ],
    ids=["unlisted", "same", "edited", "other"],
)
def test_a_node_overlay_that_was_edited_by_hand_is_known(tmp_path, running, edits):
    """One that is declared alone says nothing while the cluster lists none: it may not be listed."""
    declared = [written(tmp_path, *pools(), overlay(), name="pools.yaml"), WORKLOADS]
    documents = collect_documents([written(tmp_path, *pools(), *running)], Problems())
    listed = declared_of(read_inputs(declared, region="us-west-2"), documents, ()).edits
    assert [edit.what for edit in listed] == edits
    concerned = ("NodeOverlay", frozenset({"general"}), frozenset({"c6a.2xlarge"}))
    assert {(edit.kind, edit.node_pools, edit.instance_types) for edit in listed} <= {concerned}


def test_what_a_snapshot_leaves_out_of_a_node_class_is_no_edit(inputs, tmp_path):
    """User data is never written; that it is absent says nothing."""
    declared = [{**d, "spec": {**d["spec"], "userData": "#!/bin/sh"}} if d["kind"] == "EC2NodeClass" else d for d in pools()]
    with_user_data = read_inputs([written(tmp_path, *declared, name="pools.yaml"), WORKLOADS], region="us-west-2")
    path = written(tmp_path, *objects(), *pools())
    assert "nodeclass-edited" not in causes(with_user_data, path)
    other = [{**d, "spec": {**d["spec"], "role": "Other"}} if d["kind"] == "EC2NodeClass" else d for d in pools()]
    assert "nodeclass-edited" in causes(with_user_data, written(tmp_path, *objects(), *other))


# W-83
def test_labels_that_a_pod_has_from_its_node_change_no_verdict(inputs, tmp_path):
    """Kubernetes 1.35 copies zone and region of the node onto each pod that is bound."""
    documents = objects()
    labels = {d["metadata"]["name"]: d["metadata"]["labels"] for d in documents if d["kind"] == "Node"}
    for bound in (d for d in documents if d["kind"] == "Pod" and "nodeName" in d["spec"]):
        of_node = labels[bound["spec"]["nodeName"]]
        bound["metadata"]["labels"] = {**bound["metadata"].get("labels", {}), ZONE: of_node[ZONE], REGION: of_node[REGION]}
    planned = plan(inputs)
    before, after = (verify(planned, [path], declared=inputs) for path in (CLUSTER, written(tmp_path, *documents)))
    assert after == before


def test_a_feature_gate_that_runs_otherwise_is_known(inputs, tmp_path):
    """The controller's Deployment says it, if it is among the files."""
    variables = [{"name": "FEATURE_GATES", "value": "NodeRepair=true,ReservedCapacity=true"}]
    template = {"spec": {"containers": [{"name": "controller", "env": variables}]}}
    metadata = {"name": "karpenter", "namespace": "kube-system"}
    path = written(
        tmp_path, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": template}}
    )
    (gate,) = declared_of(inputs, collect_documents([path], Problems()), ()).gates
    assert gate == "feature gate NodeRepair is on, unlike what the plan assumed"


def test_a_stored_plan_is_compared_as_well(tmp_path, inputs):
    stored = tmp_path / "plan.json"
    stored.write_text(plan(inputs).to_json())
    result = run("--plan", str(stored), "--cluster", str(CLUSTER), "-o", "json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["nodes"]["different"], data["nodes"]["unplanned"], data["unexplained"]) == (1, 1, 0)
    assert run("--plan", str(stored), *ARGUMENTS, "--cluster", str(CLUSTER)).exit_code == 0


def test_the_cluster_may_come_through_standard_input():
    result = run(*ARGUMENTS, "--cluster", "-", stdin=CLUSTER.read_text())
    assert "cloud-choice" in result.stdout
    assert result.exit_code == 0


def test_strict_fails_on_nodes_that_nothing_was_planned_for_and_on_what_has_no_cause(tmp_path, inputs):
    assert run(*ARGUMENTS, "--cluster", str(CLUSTER), "--strict").exit_code == 1
    first = [o for o in objects() if "9xw7c" not in str(o) and "ip-10-0-2-17" not in str(o)]
    path = written(tmp_path, *first)
    explained = run(*ARGUMENTS, "--cluster", path, "--strict")
    assert (explained.exit_code, "Each difference has a cause." in explained.stdout) == (0, True)
    kwok = CLUSTER.read_text().replace("aws:///", "kwok:///")
    (tmp_path / "kwok.yaml").write_text(kwok)
    assert run(*ARGUMENTS, "--cluster", str(tmp_path / "kwok.yaml"), "--log", str(LOG), "--strict").exit_code == 1


def test_nodes_that_are_older_than_the_plan_are_not_compared(inputs):
    verification = verify(plan(inputs), [CLUSTER], since=1767614460.0)
    assert [verdict.node.name for verdict in verification.of(NodeOutcome.BEFORE) if verdict.node is not None] == [
        "ip-10-0-1-21"
    ]
    assert verification.summary == "0 of 1 planned nodes are as planned, 1 different"


REFUSED = {
    "no node is in the input": [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}}],
    "no NodeClaim is in the input": [o for o in objects() if o["kind"] != "NodeClaim"],
    "the nodes are in us-west-2": objects(),
}


@pytest.mark.parametrize("text", REFUSED)
def test_nothing_to_compare_is_refused(text, tmp_path):
    region = "eu-west-1" if "us-west-2" in text else "us-west-2"
    manifests = (*MANIFESTS, "--region", region)
    result = run(*manifests, "--cluster", written(tmp_path, *REFUSED[text]))
    assert (result.exit_code, text in result.output) == (2, True), result.output


def test_another_cluster_is_refused_whatever_is_allowed(tmp_path):
    other = CLUSTER.read_text().replace("general", "batch").replace("web-", "api-").replace("trainer", "job")
    (tmp_path / "other.yaml").write_text(other)
    result = run(*ARGUMENTS, "--cluster", str(tmp_path / "other.yaml"), "--allow-empty")
    assert result.exit_code == 2
    assert "this is another cluster" in result.output
    assert "NodePool of the plan (general)" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--cluster", str(CLUSTER)), "--plan or -f is needed"),
        ((*ARGUMENTS,), "--cluster"),
        (("--plan", "-", "--cluster", "-"), "for one option only"),
        ((*ARGUMENTS, "--cluster", "nowhere.yaml"), "nowhere.yaml"),
        ((*ARGUMENTS, "--cluster", str(CLUSTER), "--log", str(CLUSTER)), "contains no line of Karpenter's log and no event"),
        ((*ARGUMENTS, "--cluster", str(CLUSTER), "--log", "nowhere.log"), "nowhere.log"),
        ((*ARGUMENTS, "--cluster", str(CLUSTER), "--since", "yesterday"), "is not a time"),
        (("--plan", str(CLUSTER), "--cluster", str(CLUSTER)), "after.yaml"),
        (("--plan", "{plan}", "--cluster", str(CLUSTER), "--region", "eu-west-1"), "the plan is for us-west-2"),
    ],
)
def test_wrong_inputs_are_answered_with_what_is_wrong(arguments, text, inputs, tmp_path):
    (tmp_path / "plan.json").write_text(plan(inputs).to_json())
    result = run(*(argument.format(plan=tmp_path / "plan.json") for argument in arguments))
    assert (result.exit_code, text in " ".join(result.output.split())) == (2, True), result.output


@pytest.mark.parametrize(
    "requirements", ["any", [None], [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": 3}]]
)
def test_requirements_of_a_claim_that_cannot_be_read_say_nothing(requirements, inputs, tmp_path):
    """A NodeClaim is data of the cluster's: only what decides is a mistake."""
    claims = objects()
    claims[1]["spec"]["requirements"] = requirements
    assert "cloud-choice" in causes(inputs, written(tmp_path, *claims))


def test_a_plan_without_nodes_is_refused(tmp_path):
    empty = tmp_path / "plan.json"
    inputs = read_inputs([POOLS], region="us-west-2")
    empty.write_text(plan(inputs).to_json())
    result = run("--plan", str(empty), "--cluster", str(CLUSTER))
    assert (result.exit_code, "the plan has no nodes" in result.output) == (2, True)
    assert run("--plan", str(empty), "--cluster", str(CLUSTER), "--allow-empty", "--strict").exit_code == 1


def test_mistakes_of_the_log_and_of_the_cluster_are_reported_together(inputs, tmp_path):
    broken = objects()
    broken[0]["status"]["allocatable"]["memory"] = "plenty"
    with pytest.raises(InputError) as raised:
        verify(plan(inputs), [written(tmp_path, *broken)], log="nothing", log_source="karpenter.log")
    assert {problem.place.source.rpartition("/")[2] for problem in raised.value.problems} == {"cluster.yaml", "karpenter.log"}


def test_the_page_of_causes_is_the_one_in_the_documentation():
    """`cutlist verify --causes > docs/causes.md` renews it."""
    assert (DOCS / "causes.md").read_text("utf-8") == causes_page()
    assert run("--causes").stdout == causes_page()


def test_every_form_says_what_has_no_cause(tmp_path):
    (tmp_path / "kwok.yaml").write_text(CLUSTER.read_text().replace("aws:///", "kwok:///"))
    pods_as_planned = (tmp_path / "kwok.yaml").read_text().replace("12:01:08Z", "12:00:00Z").replace("12:01:12Z", "12:00:04Z")
    (tmp_path / "kwok.yaml").write_text(pods_as_planned)
    for form in ("text", "markdown", "junit"):
        shown = run(*ARGUMENTS, "--cluster", str(tmp_path / "kwok.yaml"), "-o", form).stdout
        assert "no known cause" in shown
    assert "<failure" in run(*ARGUMENTS, "--cluster", str(tmp_path / "kwok.yaml"), "-o", "junit").stdout
